"""Translates the goals of a game to the hook OnIsGameOver.

Owns the order in which goals are asked, and the meaning of a goal for the player to move.  It must
not know move code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.compiler.errors import NotSupportedError
from forthvm.zrf.rules import (
    AbsoluteConfig,
    AndGoal,
    Captured,
    Checkmated,
    NotGoal,
    OrGoal,
    PiecesRemaining,
    RelativeConfig,
    Repetition,
    Stalemated,
    TotalPieceCount,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.zrf.compiler.geometry import Geometry
    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.rules import Goal, GoalCondition, Occupant, Rules
    from forthvm.zrf.source import Origin

__all__ = ["Goals", "parts_of"]


def parts_of(condition: GoalCondition) -> Iterator[GoalCondition]:
    """Yield a condition and the conditions inside it."""
    yield condition
    match condition:
        case OrGoal(conditions=parts) | AndGoal(conditions=parts):
            for part in parts:
                yield from parts_of(part)
        case NotGoal(condition=inner):
            yield from parts_of(inner)


class Goals:
    """The goals of one game.

    A goal is a word ( player -- ? ) that asks from the view of a player.
    """

    def __init__(self, rules: Rules, names: Names, geometry: Geometry) -> None:
        self._rules = rules
        self._names = names
        self._geometry = geometry
        self._real = [
            name
            for name in rules.players
            if not name.startswith("?") and any(turn.player == name for turn in rules.turns)
        ]
        self._words: list[tuple[Goal, str]] = []

    def write(self, out: Writer) -> None:
        """Write a word for each goal, then the hook."""
        for goal in self._rules.goals:
            word = self._names.new(f"{goal.kind}?")
            out.line(f": {word} ( player -- ? )", goal.origin)
            with out.indented():
                out.line("z-viewer !", goal.origin)
                for line in self._lines(goal.condition, goal.origin):
                    out.line(line, goal.origin)
            out.line(";")
            self._words.append((goal, word))
        out.line(": OnIsGameOver ( -- result )")
        with out.indented():
            out.line("z-no-result")
            out.line("z-turn-is-over? IF")
            with out.indented():
                for line in self._verdicts():
                    out.line(line)
            out.line("ENDIF")
            out.line("z-result")
        out.line(";")

    # --- who wins ---------------------------------------------------------------------

    def _verdicts(self) -> Iterator[str]:
        """Yield a line for each goal and player; the support library keeps the best verdict."""
        for goal, word in self._words:
            players = [self._names["player", name] for name in goal.players] or ["z-last-mover"]
            if goal.kind == "count":
                yield f"{players[0]} {word} IF"
                real = [self._names["player", name] for name in self._real]
                yield f"    z-begin-count {' '.join(f'{name} z-compare' for name in real)}"
                yield "    z-end-count"
                yield "ENDIF"
                continue
            for player in players:
                if goal.kind == "draw":
                    yield f"{player} {word} z-drawn"
                else:
                    yield f"{player} DUP {word} {'z-won' if goal.kind == 'win' else 'z-lost'}"
        if len(self._real) > 1 and not self._asks_repetition():
            yield "z-repetition? IF #DrawScore 6 z-judge ENDIF"
        if len(self._real) <= 2:  # noqa: PLR2004 - contract, section 16, item 8
            yield "stalemate? IF #DrawScore 6 z-judge ENDIF"

    def _asks_repetition(self) -> bool:
        return any(
            isinstance(part, Repetition)
            for goal in self._rules.goals
            for part in parts_of(goal.condition)
        )

    # --- conditions -------------------------------------------------------------------

    def _lines(  # noqa: C901, PLR0912 - a table
        self, condition: GoalCondition, origin: Origin | None
    ) -> Iterator[str]:
        """Yield lines that leave the flag of a condition for the player in z-viewer."""
        match condition:
            case OrGoal(conditions=parts) | AndGoal(conditions=parts):
                word = "OR" if isinstance(condition, OrGoal) else "AND"
                for at, part in enumerate(parts):
                    yield from self._lines(part, origin)
                    if at:
                        yield word
                if not parts:
                    yield "FALSE" if word == "OR" else "TRUE"
            case NotGoal(condition=inner):
                yield from self._lines(inner, origin)
                yield "NOT"
            case Stalemated():
                yield "z-stalemated?"
            case Repetition():
                yield "z-repetition?"
            case PiecesRemaining(count=count, piece=piece):
                yield f"{self._counted(piece)} z-own-count {count} ="
            case TotalPieceCount(count=count, piece=piece):
                yield f"{self._counted(piece)} z-total-count {count} ="
            case AbsoluteConfig():
                yield from self._absolute(condition)
            case RelativeConfig():
                yield from self._relative(condition)
            case Captured(pieces=pieces):
                for at, piece in enumerate(pieces):
                    yield f"{self._names['piece', piece]} z-captured?{' OR' if at else ''}"
            case Checkmated():
                raise NotSupportedError("the goal checkmated", origin)

    def _counted(self, piece: str) -> str:
        return self._names["piece", piece] if piece else "0"

    def _absolute(self, goal: AbsoluteConfig) -> Iterator[str]:
        """Each position must hold one of the occupants, and at least one position of each zone."""
        parts = 0
        for name in goal.positions:
            yield f"{self._names['position', name]} {self._occupied(goal.occupants)}"
            if parts:
                yield "AND"
            parts += 1
        for name in goal.zones:
            yield "FALSE"
            zones = [zone for zone in self._rules.board.zones if zone.name == name]
            for player in self._rules.players:
                places = [
                    place
                    for zone in zones
                    if not zone.players or player in zone.players
                    for place in zone.positions
                ]
                if places:
                    yield f"{self._names['player', player]} z-viewer @ = IF"
                    for place in dict.fromkeys(places):
                        word = self._names["position", place]
                        yield f"    {word} {self._occupied(goal.occupants)} OR"
                    yield "ENDIF"
            if parts:
                yield "AND"
            parts += 1
        if not parts:
            yield "FALSE"

    def _occupied(self, occupants: tuple[Occupant, ...]) -> str:
        """Return words ( pos -- ? ): does the position hold one of the occupants?"""
        if len(occupants) == 1:
            return self._occupant(occupants[0])
        words = ["FALSE"]
        for occupant in occupants:
            words.append(f"OVER {self._occupant(occupant)} OR")
        return " ".join([*words, "SWAP DROP"])

    def _occupant(self, occupant: Occupant) -> str:
        word = {"own": "z-own-at?", "opponent": "z-opponent-at?", "any": "z-any-at?"}
        text = f"{self._names['piece', occupant.piece]} {word[occupant.whose]}"
        return f"{text} NOT" if occupant.negated else text

    def _relative(self, goal: RelativeConfig) -> Iterator[str]:
        """A walk from each position: occupants test it, directions step."""
        yield from ()
        raise NotSupportedError(f"the goal relative-config with {len(goal.steps)} steps")
