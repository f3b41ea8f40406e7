"""Runs tests and yields their results.

Owns the loading of games, the time limits, and the outcome of each test.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from forthvm.core.budget import script_budget
from forthvm.core.errors import Interrupted, SettingError, TimeLimitExceeded
from forthvm.core.failure import ForthVMError
from forthvm.debug.generation.time_limit import TimeLimit
from forthvm.game.loading import load
from forthvm.testing.checks import Checker, ExpectationError, perft_numbers
from forthvm.testing.setup import first_position
from forthvm.zrf.source import UnknownVariantError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from forthvm.core.budget import Budget
    from forthvm.game import Game
    from forthvm.testing.coverage import Coverage
    from forthvm.testing.reader import Case, Statement, Suite

__all__ = ["DEFAULT_SECONDS", "MAX_COUNT", "NOT_RUN", "Result", "load_game", "run_cases"]

MAX_COUNT = 1_000_000
"""Larger counts of `.perft` files are skipped by default, because they take long."""
DEFAULT_SECONDS = 20.0
NOT_RUN = "not run: an earlier test of this file reached the time limit"
"""The reason why tests after a time limit are skipped."""


@dataclass(frozen=True)
class Result:
    """The result of a test.

    Attributes:
        case: The test.
        outcome: `passed`, `failed`, `error` (it could not be run) or `skipped`.
        error: Why it failed or could not be run; its location is in the test or in the script.
        reason: Why it was skipped.
        seconds: How long it ran.
    """

    case: Case
    outcome: str
    error: ForthVMError | None = None
    reason: str = ""
    seconds: float = 0.0

    @property
    def message(self) -> str:
        """Why it did not pass, in one or several lines; "" if it passed."""
        return "\n".join([str(self.error), *self.error.hints]) if self.error else self.reason


def run_cases(
    suite: Suite,
    cases: Iterable[Case],
    *,
    seconds: float = DEFAULT_SECONDS,
    max_count: int = MAX_COUNT,
    coverage: Coverage | None = None,
) -> Iterator[Result]:
    """Run tests of a file one after the other, until one reaches the time limit.

    The other tests of the file are skipped then: a loop that never ends would take the time limit
    in each of them.

    Args:
        suite: The file.
        cases: The tests of the file that run; each is taken just before it runs.
        seconds: The time limit of each test, and of loading the game; 0 for none.
        max_count: Counts of `.perft` files above this number are skipped.
        coverage: Counts what position tests run.  Counts of `.perft` files run all words, whether
            they are right or not, so that they say nothing about the rules that are tested.
    """
    games: dict[str | None, Game | ForthVMError] = {}
    is_stopped = False
    for case in cases:
        if is_stopped:
            yield Result(case, "skipped", reason=NOT_RUN)
            continue
        if case.variant not in games:
            games[case.variant] = _load(suite, case.variant, seconds)
        game = games[case.variant]
        if isinstance(game, ForthVMError):
            result = Result(case, "error", game)
        elif case.skipped:
            result = Result(case, "skipped", reason=case.skipped)
        elif case.kind == "position":
            result = _run(game, case, seconds, coverage)
        elif perft_numbers(case.statements[0])[1] > max_count:
            result = Result(case, "skipped", reason=f"more than {max_count:,} sequences")
        else:
            result = _run(game, case, seconds, None)
        is_stopped = isinstance(result.error, TimeLimitExceeded)
        yield result


def load_game(
    suite: Suite, variant: str | None, *, budget: Budget, output: Callable[[str], object]
) -> Game:
    """Load the game of the tests of a file.

    Args:
        suite: The file.
        variant: The variant of a rule file; None for its default.
        budget: The limits of the script.
        output: Takes what the script prints.

    Raises:
        ForthVMError: The game cannot be loaded.
        ValueError: It has no such setting.
    """
    return load(
        suite.program,
        variant=variant,
        seed=suite.seed,
        settings=dict(suite.settings),
        budget=budget,
        output=output,
    )


def _load(suite: Suite, variant: str | None, seconds: float) -> Game | ForthVMError:
    try:
        budget = script_budget(call_seconds=seconds)
        return load_game(suite, variant, budget=budget, output=lambda _: None)
    except ForthVMError as error:
        if isinstance(error, SettingError | UnknownVariantError) and not error.location:
            named = [one for one in suite.choices if one.text.split("=")[0].strip() in str(error)]
            error.location = named[0].location if named else None
        return _with_advice(error, seconds)
    except (OSError, ValueError) as error:
        return ForthVMError(str(error))


def _run(game: Game, case: Case, seconds: float, coverage: Coverage | None) -> Result:
    began = monotonic()
    statement: Statement | None = None
    outcome = "passed"
    error: ForthVMError | None = None
    try:
        with TimeLimit(seconds).applied(game._loaded.vm.native):
            with _counting(coverage, game):
                checker = Checker(first_position(game, case), seconds=seconds)
            for statement in case.statements:
                if statement.keyword == "refused":  # a query that traces the script itself
                    with _counting(coverage, game):
                        len(checker.position.legal_moves)
                    checker.run(statement)
                else:
                    with _counting(coverage, game):
                        checker.run(statement)
    except ExpectationError as failure:
        outcome, error = "failed", failure
    except Interrupted:
        raise
    except ForthVMError as failure:
        outcome, error = "error", _with_advice(failure, seconds)
        if statement and not failure.location:
            failure.location = statement.location
        elif statement and failure.location and failure.location.file != statement.location.file:
            failure.hints = (*failure.hints, f"run by {statement.location}")
    return Result(case, outcome, error, seconds=monotonic() - began)


def _with_advice(error: ForthVMError, seconds: float) -> ForthVMError:
    """Return an error; that of a time limit advises to raise the limit of tests."""
    if isinstance(error, TimeLimitExceeded):
        error.hints = (f"the limit of a test is {seconds:g} s; raise it with --seconds",)
    return error


def _counting(coverage: Coverage | None, game: Game) -> AbstractContextManager[None]:
    return nullcontext() if coverage is None else coverage.counting(game)
