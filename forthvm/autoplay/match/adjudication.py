"""Adjudication: ending a game by its length, by repetition, or by the scores of both engines.

Owns these rules and their state during a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.match.settings import Adjudication
    from forthvm.game import Position

__all__ = ["Referee", "Verdict"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision to end a game."""

    winners: tuple[str, ...]
    """The players who win; empty for a draw."""
    reason: str


class Referee:
    """Adjudicates one game.

    The rules about scores apply only to a game of two seats whose engines report scores.  They
    ignore chance moves.
    """

    def __init__(self, rules: Adjudication, seats: Sequence[str]) -> None:
        """Begin a game of the players in `seats`."""
        self._rules = rules
        self._seats = tuple(seats)
        self._position_counts: dict[object, int] = {}
        self._scores: dict[str, float | None] = {}
        """The last score that the engine of each player reported."""
        self._leader = ""
        """The player whom both engines evaluate as winning; empty if they evaluate no player so."""
        self._leader_plies = 0
        """The number of consecutive plies with this leader."""
        self._draw_plies = 0
        """The number of consecutive plies on which both scores were within `draw_score`."""

    def check_position(self, position: Position) -> Verdict | None:
        """Return the verdict on a new position; None if the game continues."""
        rules = self._rules
        if rules.repetition:
            key = (position.cells, position._turn_index, position.is_partial)
            times = self._position_counts[key] = self._position_counts.get(key, 0) + 1
            if times >= rules.repetition:
                return Verdict((), f"adjudicated: the position came up {times} times")
        if position.ply >= rules.max_plies:
            return Verdict((), f"adjudicated: {position.ply} plies")
        return None

    def check_scores(self, player: str, score: float | None, ply: int) -> Verdict | None:
        """Return the verdict after a move; None if the game continues.

        Args:
            player: The player who made the move.
            score: The engine's score from this player's view; None if not reported.
            ply: The number of moves made so far.
        """
        rules = self._rules
        if (not rules.win_score and rules.draw_score < 0) or len(self._seats) != 2:
            return None
        self._scores[player] = score
        other = next(name for name in self._seats if name != player)
        other_score = self._scores.get(other)
        if score is None or other_score is None:
            self._leader, self._leader_plies, self._draw_plies = "", 0, 0
            return None
        return self._win(player, other, score, other_score) or self._draw(score, other_score, ply)

    def _win(self, player: str, other: str, own_score: float, other_score: float) -> Verdict | None:
        rules = self._rules
        if not rules.win_score:
            return None
        leader = ""
        if own_score >= rules.win_score and other_score <= -rules.win_score:
            leader = player
        elif other_score >= rules.win_score and own_score <= -rules.win_score:
            leader = other
        if leader != self._leader:
            self._leader, self._leader_plies = leader, 0
        self._leader_plies += 1
        if not leader or self._leader_plies < rules.win_plies:
            return None
        return self._win_verdict(leader)

    def _draw(self, own_score: float, other_score: float, ply: int) -> Verdict | None:
        rules = self._rules
        is_even = max(abs(own_score), abs(other_score)) <= rules.draw_score  # negative for never
        self._draw_plies = self._draw_plies + 1 if is_even and ply >= rules.draw_after else 0
        if not is_even or self._draw_plies < rules.draw_plies:
            return None
        return self._draw_verdict()

    def _win_verdict(self, leader: str) -> Verdict:
        score = self._rules.win_score
        return Verdict((leader,), f"adjudicated: both see {leader} ahead by {score} or more")

    def _draw_verdict(self) -> Verdict:
        score = self._rules.draw_score
        return Verdict((), f"adjudicated: both see no more than {score} between them")
