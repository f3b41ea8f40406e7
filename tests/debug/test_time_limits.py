"""Time limits of queries about scripts: they end in time and report what was tried."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from time import perf_counter

import pytest

import forthvm
from forthvm import debug
from forthvm.core.budget import Budget
from forthvm.core.errors import StepLimitExceeded, TimeLimitExceeded
from forthvm.debug.generation.time_limit import TimeLimit
from forthvm.game import Position
from tests.kit.boards import grid
from tests.kit.games import load_text
from tests.kit.messages import raises

BOARD = grid(1, 5, "e w", players="Left Right", more="{position} box {variable} count")
PIECES = """\
{moves man-moves {move} go moves}
{pieces {piece} man {moves} man-moves pieces}
{board-setup {setup} Left man a1 {setup} Right man e1 board-setup}
: OnIsGameOver #UnknownScore ;
"""
ENDLESS = ": go e verify BEGIN FALSE UNTIL from here move add-move ;\n"
# why_not inverts decisions of the script; no combination of inversions generates `man a1 - c1`.
WITHOUT_SOLUTION = """\
: go e verify count @ 1 = IF w verify ENDIF count @ 2 = verify count @ 3 = verify
    count @ IF w verify ENDIF from here move add-move ;
"""
# The loop runs its IFs too often for why_not to invert each of them.
LONG_LOOP = """\
: wait 60000 0 DO I 3 MOD IF count @ DROP ENDIF I 2 MOD IF count @ DROP ENDIF LOOP ;
: go wait e verify count @ verify from here move add-move ;
"""


def load_position(folder: Path, words: str, budget: Budget | None = None) -> Position:
    return load_text(folder, BOARD + words + PIECES, name="line.4th", budget=budget).start()


def test_endless_move_word_is_located(tmp_path: Path) -> None:
    """If even the legal moves cannot be generated, the answer states where the script was."""
    answer = forthvm.why_not(load_position(tmp_path, ENDLESS), "a1 c1", seconds=0.1)
    assert answer.kind == "undecided"
    assert "stopped after 0.1 s" in answer.summary
    assert "generating the moves" in answer.summary
    assert answer.location.line == 5


def test_why_not_reports_what_was_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit applies to the query, not to each generation; the answer reports the trials."""
    position = load_position(tmp_path, WITHOUT_SOLUTION)
    checks = count()  # the limit is reached at the tenth check
    monkeypatch.setattr(TimeLimit, "is_over", property(lambda _self: next(checks) >= 9))
    answer = forthvm.why_not(position, "a1 c1", seconds=60)
    assert answer.kind == "undecided"
    assert "stopped after 60 s" in answer.summary
    assert answer.trials > 0
    assert answer.tried[0].startswith("`count @ 2 = verify` (")
    assert "line.4th:5:" in answer.tried[0]
    assert "inverted without effect:" in str(answer)
    assert answer.to_json()["tried"] == list(answer.tried)


@pytest.mark.slow
def test_decision_after_a_long_loop_is_found(tmp_path: Path) -> None:
    """IFs that run thousands of times are not inverted; a decision after them is found."""
    answer = forthvm.why_not(load_position(tmp_path, LONG_LOOP), "a1 b1", seconds=0)
    assert answer.kind == "refused"
    assert answer.answers[0].refusals[0].condition == "count @"


def test_limit_of_the_budget_raises_instead_of_giving_an_answer(tmp_path: Path) -> None:
    position = load_position(tmp_path, ENDLESS, Budget(call_seconds=0.05))
    with raises(TimeLimitExceeded, "time-limits.limit-of-the-game"):
        forthvm.why_not(position, "a1 c1")


def test_explain_ends_in_time(tmp_path: Path) -> None:
    """Tracing a legal move may take long; the error states the current operation."""
    with raises(TimeLimitExceeded, "time-limits.limit-of-the-session") as caught:
        forthvm.explain(load_position(tmp_path, ENDLESS), "a1 b1", seconds=0.1)
    assert caught.value.location is not None
    assert caught.value.hints == ("increase seconds=…",)


def test_position_is_usable_after_a_limit(tmp_path: Path) -> None:
    """The limit ends with the query, and the position is unchanged."""
    position = load_position(tmp_path, ": go e verify count @ verify from here move add-move ;\n")
    before = position.to_json()
    limit = TimeLimit(0.001)
    native = position.game._loaded.vm.native
    with limit.applied(native):
        while not limit.is_over:
            pass
        with pytest.raises(TimeLimitExceeded):
            position.game._loaded.vm.interpret(": spin BEGIN FALSE UNTIL ; spin")
    assert forthvm.why_not(position, "man a1 - b1").kind == "refused"
    assert position.to_json() == before


def test_inner_deadline_does_not_extend_the_outer(tmp_path: Path) -> None:
    vm = load_position(tmp_path, WITHOUT_SOLUTION).game._loaded.vm
    soon, late = perf_counter() + 0.05, perf_counter() + 3600
    with vm.native.deadline(soon), vm.native.deadline(late), pytest.raises(TimeLimitExceeded):
        vm.interpret(": spin BEGIN FALSE UNTIL ; spin")


def test_zero_means_no_limit() -> None:
    assert not TimeLimit(0).is_over
    with raises(ValueError, "time-limits.negative-limit"):
        TimeLimit(-1)


def test_print_after_the_end_of_the_run_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sandboxed evaluation has a time limit after the end of the run."""
    monkeypatch.setattr("forthvm.debug.session.sandbox._SECONDS", 0.2)
    position = forthvm.load("tictactoe", budget=Budget(steps=10**8)).start()
    with debug.Session(debug.moves_target(position)) as session:
        assert session.continue_().ended
        with pytest.raises(TimeLimitExceeded):
            session.evaluate(": spin BEGIN FALSE UNTIL ; spin")


@pytest.mark.slow
def test_stops_do_not_extend_the_time_limit(tmp_path: Path) -> None:
    """The condition is evaluated in each iteration of an endless loop; steps are a second limit."""
    words = ": tick count @ DROP ; : go e verify BEGIN tick FALSE UNTIL add-move ;\n"
    position = load_position(tmp_path, words, Budget(call_seconds=0.02, steps=5_000_000))
    with debug.Session(debug.moves_target(position)) as session:
        session.add_watch("count")
        session.add_breakpoint("tick if count @ 3 =")
        state = session.continue_()
        assert not isinstance(state.error, StepLimitExceeded)
        assert isinstance(state.error, TimeLimitExceeded)
