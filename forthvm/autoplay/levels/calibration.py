"""The measurement of a game's levels by matches between neighbours.

Owns the choices by which each bundled game is measured, the search for each next level, the results
files of its matches, and the table.  Delegates the games to match/runner.py.

Each match is an ordinary results file of autoplay, so an interrupted measurement continues where it
stopped.  All decisions follow from the recorded games in the order of their numbers; the same
command therefore makes the same matches again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from forthvm.autoplay.levels.scale import TARGET, Measured, Scale, next_strength
from forthvm.autoplay.match.runner import Match
from forthvm.autoplay.match.settings import (
    Adjudication,
    Entrant,
    MatchError,
    Settings,
    derive_seed,
)
from forthvm.autoplay.statistics.formulas import CONFIDENCE, elo_of_score, normal_quantile
from forthvm.autoplay.statistics.interval_text import estimate_text, signed
from forthvm.autoplay.statistics.summary import summarise
from forthvm.engines.levels import MAX_GAP, MIN_GAP, Gap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from forthvm.autoplay.match.settings import Configuration
    from forthvm.autoplay.results.rows import GameRow
    from forthvm.game import Game

__all__ = ["Calibration", "Plan", "plan_for"]

_BATCH = 48
"""The number of games between two decisions.

A multiple of two, three and four, so that all entrants have each seat equally often."""
_TOLERANCE = 20.0
"""A difference this close to `TARGET`, in Elo, never ends a match as clearly wrong."""
_MOST_CANDIDATES = 12
"""The maximum number of engines that are tried for one level."""
_UPPER, _LOWER = "upper", "lower"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a game is measured."""

    scale: Scale = field(default_factory=Scale)
    first: float = 0.1
    """The strength of level 1."""
    step: float = 0.1
    """The difference in strength that is tried first."""
    max_plies: int = 400
    """The number of plies after which a game is a draw."""
    repetition: int = 4
    """The number of occurrences of a position after which a game is a draw."""
    opening_plies: int = 2
    """The number of random moves at the start of each game."""


_PLANS = {
    "breakthrough": Plan(),
    "chess": Plan(),
    "chess-los-alamos": Plan(),
    "draughts": Plan(max_plies=300),
    "reversi": Plan(),
    "rithmomachia": Plan(),
    "splut-duel": Plan(),
    "splut": Plan(max_plies=1000),
    "thud": Plan(),
    "tictactoe": Plan(scale=Scale(base=20), opening_plies=1),
    # Luck decides most games of Ur, so a longer search gains little.
    "ur": Plan(step=0.45, max_plies=4000),
    "yonin-shogi": Plan(max_plies=1000),
}
"""The plans of the bundled games."""
_PLAYOUTS = Plan(scale=Scale(engine="mcts", unit="playouts", base=20, options="net=none"))
"""The plan of games without evaluation, which negamax cannot play well."""


def plan_for(game: Game) -> Plan:
    """Return the plan of a game."""
    return _PLANS.get(game.name) or (Plan() if game._loaded.evaluates else _PLAYOUTS)


@dataclass(frozen=True)
class _Step:
    """A level that was found."""

    strength: float
    gap: Gap | None = None


class Calibration:
    """The measurement of one game."""

    def __init__(  # noqa: PLR0913 - keyword-only options, each of them documented
        self,
        game: Configuration,
        plan: Plan,
        folder: Path,
        *,
        games: int = 1920,
        levels: int = 20,
        report: Callable[[str], None] = lambda _text: None,
    ) -> None:
        """Prepare a measurement.

        Args:
            game: The game with its settings.
            plan: The scale of engines and the rules of the matches.
            folder: The folder of the results files; it is created if it does not exist.
            games: The maximum number of games between neighbours.  A match ends earlier when the
                interval of the difference lies in the range of `Gap.is_confirmed`.
            levels: The greatest number of levels.
            report: Called with a line of text about each decision.
        """
        self.game = game
        self.plan = plan
        self.folder = folder
        self.games = games
        self.levels = levels
        self._report = report
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, save: Callable[[str], None]) -> int:
        """Find the levels, one after the other; `save` is called with the table after each.

        Returns:
            The number of levels.

        Raises:
            MatchError, StoreError: A match cannot be played, or not be recorded.
            ForthVMError: The game cannot be loaded.
        """
        found = [_Step(self.plan.first)]
        while len(found) < self.levels and found[-1].strength < self.plan.scale.strongest:
            before = found[-2].strength if len(found) > 1 else found[-1].strength - self.plan.step
            step = self._next_level(found[-1].strength, found[-1].strength - before)
            if step is None:
                spec = self.plan.scale.spec(found[-1].strength)
                self._report(f"{spec}: no engine of the scale is {TARGET:.0f} Elo stronger")
                break
            found.append(step)
            save(self._table(found))
        return len(found)

    def _next_level(self, reference: float, step: float) -> _Step | None:
        """Return the next level; None if no engine of the scale is strong enough."""
        scale = self.plan.scale
        measured: list[Measured] = []
        for _ in range(_MOST_CANDIDATES):
            strength = min(next_strength(reference, step, measured), scale.strongest)
            gap = self._play(reference, strength)
            self._report(
                f"{scale.spec(reference)} : {scale.spec(strength)}: "
                f"{estimate_text(gap.elo, gap, signed)} in {gap.games} games"
            )
            last = gap.games >= self.games and MIN_GAP <= gap.elo <= MAX_GAP
            if gap.is_confirmed or last:
                return _Step(strength, gap)
            if strength == scale.strongest and gap.elo < TARGET:
                return None
            measured.append(Measured(strength, gap.elo, gap.games))
        return None

    def _play(self, reference: float, strength: float) -> Gap:
        """Play a match in batches until the difference is confirmed, or clearly wrong."""
        scale = self.plan.scale
        lower, upper = scale.spec(reference), scale.spec(strength)
        path = self.folder / f"{_file_name(lower)}-{_file_name(upper)}.db"
        played = 0
        rows: list[GameRow] = []
        while played < self.games:
            played += _BATCH
            if len(rows) < played:
                rows = self._rows(path, lower, upper, played)
            gap = _gap(rows[:played])
            error = (gap.high - gap.low) / 2 / normal_quantile(0.5 + CONFIDENCE / 2)
            if played > _BATCH and abs(gap.elo - TARGET) > _TOLERANCE + error:
                break
            if gap.is_confirmed:
                break
        return gap

    def _rows(self, path: Path, lower: str, upper: str, games: int) -> list[GameRow]:
        """Return the rows of a match in the order of their numbers, after playing missing games.

        Raises:
            MatchError: The file has another match, or the script failed in every game.
        """
        with self._match(path, self._settings(lower, upper, games)) as match:
            match.run(jobs=1)
            rows = sorted((row for row in match.rows if not row.void), key=lambda row: row.id)
        if not rows:
            raise MatchError(f"{path}: every game failed; `forthvm report` says why")
        return rows

    def _match(self, path: Path, settings: Settings) -> Match:
        """Create a match, or resume it with at least the number of games in the settings."""
        if not path.exists():
            return Match.create(settings, path)

        def is_same(recorded: Settings, _requests: Sequence[str] = ()) -> bool:
            return replace(recorded, games=settings.games) == settings

        with Match.resume(path, confirm=is_same) as match:
            recorded = match.settings
        if not is_same(recorded):
            raise MatchError(
                f"{path} was played with other settings: remove it, or choose another folder"
            )
        games = max(settings.games, recorded.games)
        return Match.resume(path, games=games, confirm=is_same)

    def _settings(self, lower: str, upper: str, games: int) -> Settings:
        plan = self.plan
        return Settings(
            configurations=(self.game,),
            entrants=(Entrant(name=_UPPER, spec=upper), Entrant(name=_LOWER, spec=lower)),
            games=games,
            seed=derive_seed("levels", lower, upper),
            opening_plies=plan.opening_plies,
            adjudication=Adjudication(max_plies=plan.max_plies, repetition=plan.repetition),
        )

    def _table(self, found: Sequence[_Step]) -> str:
        """Return the table of levels as JSON."""
        plan = self.plan
        levels: list[dict[str, object]] = []
        for step in found:
            row: dict[str, object] = {"spec": plan.scale.spec(step.strength)}
            if step.gap is not None:
                numbers = vars(step.gap)
                row["gap"] = {key: round(value, 1) for key, value in numbers.items()}
            levels.append(row)
        rules = {key: getattr(plan, key) for key in ("opening_plies", "max_plies", "repetition")}
        limits = {"games": self.games, "levels": self.levels, "nodes": plan.scale.top}
        document = {"limits": limits, "rules": rules, "levels": levels}
        return json.dumps(document, indent=1) + "\n"


def _gap(rows: Sequence[GameRow]) -> Gap:
    """Return the difference between the two engines of a match.

    The difference is limited to that of a score of all points but one half, so it is finite even if
    an engine won all games.
    """
    summary = summarise(rows, entrants=(_UPPER, _LOWER))
    most = elo_of_score((len(rows) - 0.5) / len(rows))
    elo, low, high = 0.0, -most, most  # with four seats, if no game has a winner
    if summary.duel is not None:
        estimate = summary.duel.elo
        elo, low, high = estimate.elo, estimate.low, estimate.high
    elif summary.ratings is not None:
        elo, deviation = summary.ratings.difference(_UPPER, _LOWER)
        error = deviation * normal_quantile(0.5 + CONFIDENCE / 2)
        low, high = elo - error, elo + error
    elo, low, high = (max(-most, min(value, most)) for value in (elo, low, high))
    return Gap(elo, low, high, len(rows))


def _file_name(spec: str) -> str:
    """Return a specification in letters that all file systems accept."""
    return "".join(char if char.isalnum() or char == "." else "_" for char in spec)
