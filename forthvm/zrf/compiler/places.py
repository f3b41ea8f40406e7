"""Works out what a piece is worth more or less on a position.

Owns the four reasons: the piece has more moves there than elsewhere, it is near a promotion, it is
on the way to a goal, or it is hard to flip.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from forthvm.zrf.compiler.mobility import number_of_moves
from forthvm.zrf.rules import AbsoluteConfig

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from forthvm.zrf.compiler.mobility import Ends, Moves
    from forthvm.zrf.rules import Goal, Occupant, Rules

__all__ = ["Places"]

Node = tuple[str, str]
"""A piece type on a position; position "": a piece that has left the board."""

_MOBILITY = 0.15  # of the moves that a piece has more or less than on average
_PROMOTION = 0.5  # of half the gain; again halved by each move up to the promotion
_EDGE = 20  # pieces, for a position without neighbors where pieces are flipped
_WAY = 150  # for a piece that has gone all the way to a goal


class Places:
    """The values of the places of one game.

    Args:
        rules: The game.
        moves: For each player and each node, where moves may lead.
        values: The values of the types.
        mobility: The average number of moves of the types.
        unit: What a move is worth.
    """

    def __init__(
        self,
        rules: Rules,
        moves: Moves,
        values: Mapping[str, int],
        mobility: Mapping[str, float],
        unit: float,
    ) -> None:
        self._rules = rules
        self._moves = moves
        self._values = values
        self._mobility = mobility
        self._unit = unit

    def rows(self, turned: frozenset[str], *, flips: bool) -> dict[tuple[str, str], dict[str, int]]:
        """Return the values by player, type and position; types without any are missing.

        Args:
            turned: The types of which a player must get rid.
            flips: Whether moves flip pieces.
        """
        found: dict[tuple[str, str], dict[str, int]] = {}
        for player, moves in self._moves.items():
            sums: defaultdict[Node, float] = defaultdict(float)
            for name, own in _by_type(moves).items():
                if self._values[name] > 0:
                    self._add_mobility(name, own, sums)
                    self._add_promotion(name, own, sums)
                    if flips and not self._mobility[name]:
                        self._add_edges(name, sums)
            backward = _backward(moves)
            targets = set(self._goal_nodes(player))
            exits = {(name, "") for name in turned} & backward.keys()
            self._add_way(targets | exits, moves, backward, sums)
            for name in {name for name, _ in exits}:
                for node in moves:
                    if node[0] == name:
                        sums[node] -= _WAY  # so that leaving the board is a gain
            for (name, position), value in sums.items():
                if position and round(value):
                    found.setdefault((player, name), {})[position] = round(value)
        return found

    def _add_mobility(
        self, name: str, own: Mapping[Node, Ends], sums: defaultdict[Node, float]
    ) -> None:
        mean = self._mobility[name]
        for node, ends in own.items():
            if mean:
                sums[node] += (number_of_moves(ends) - mean) * self._unit * _MOBILITY

    def _add_promotion(
        self, name: str, own: Mapping[Node, Ends], sums: defaultdict[Node, float]
    ) -> None:
        """Add the value of promotions to come."""
        gains = {
            node: max(self._values[kind] for kind, _ in ends) - self._values[name]
            for node, ends in own.items()
            if ends
        }
        first = [node for node, gain in gains.items() if gain > 0]
        most = max((gains[node] for node in first), default=0)
        for node, distance in _distances(first, _backward(own)).items():
            sums[node] += most * _PROMOTION ** (distance + 2)

    def _add_edges(self, name: str, sums: defaultdict[Node, float]) -> None:
        """Add the value of positions with few neighbors: few lines of pieces cross there."""
        board = self._rules.board
        neighbors = {
            at.name: sum(at.name in links for links in board.links.values())
            for at in board.positions
        }
        most = max(neighbors.values(), default=0)
        for position, number in neighbors.items():
            if number:
                sums[name, position] += _EDGE * self._values[name] * (1 - number / most)

    # --- the way to a goal ------------------------------------------------------------

    def _goal_nodes(self, player: str) -> Iterator[Node]:
        """Yield the types and positions that a player wants to have by a goal."""
        for goal in self._rules.goals:
            for part in goal.conditions():
                if isinstance(part, AbsoluteConfig):
                    for occupant in part.occupants:
                        for viewer in _viewers(goal, occupant, player, self._moves):
                            for position in self._positions(part, viewer):
                                yield occupant.piece, position

    def _positions(self, goal: AbsoluteConfig, viewer: str) -> Iterator[str]:
        yield from goal.positions
        for zone in self._rules.board.zones:
            if zone.name in goal.zones and (not zone.players or viewer in zone.players):
                yield from zone.positions

    @staticmethod
    def _add_way(
        targets: Iterable[Node],
        moves: Mapping[Node, Ends],
        backward: Mapping[Node, list[Node]],
        sums: defaultdict[Node, float],
    ) -> None:
        """Add what a piece has gained on its way to one of the targets.

        The number of moves to the target is refined by that from the next positions: one step
        forward counts even if a piece can go several steps in a move.
        """
        distances = _distances(targets, backward)
        farthest = max(distances.values(), default=0) + 1
        for node, distance in distances.items():
            left = float(distance)
            ahead = {
                end: weight
                for end, weight in moves.get(node, {}).items()
                if distances.get(end, farthest) <= distance
            }
            if distance and ahead:
                weights = sum(ahead.values())
                left = 1 + sum(distances[end] * w for end, w in ahead.items()) / weights
            if farthest > 1:
                done = max(0.0, farthest - left) / farthest
                sums[node] += _WAY * done * (1 + done) / 2  # the last steps count most


def _viewers(goal: Goal, occupant: Occupant, player: str, players: Iterable[str]) -> Iterator[str]:
    """Yield the players from whose view the player wants an occupant in place."""
    listed = goal.players or tuple(players)
    if occupant.negated:
        return
    if goal.kind == "win" and occupant.whose in ("own", "any") and player in listed:
        yield player
    if goal.kind == "loss" and occupant.whose in ("opponent", "any"):
        yield from (name for name in listed if name != player)


def _by_type(moves: Mapping[Node, Ends]) -> dict[str, dict[Node, Ends]]:
    """Return the moves of each type."""
    found: dict[str, dict[Node, Ends]] = {}
    for node, ends in moves.items():
        found.setdefault(node[0], {})[node] = ends
    return found


def _backward(moves: Mapping[Node, Ends]) -> dict[Node, list[Node]]:
    """Return for each node where a move may end the nodes where it begins."""
    found: dict[Node, list[Node]] = {}
    for node, ends in moves.items():
        for end in ends:
            found.setdefault(end, []).append(node)
    return found


def _distances(targets: Iterable[Node], backward: Mapping[Node, list[Node]]) -> dict[Node, int]:
    """Return the number of moves to the nearest target, for the nodes from which one is reached."""
    found = dict.fromkeys(targets, 0)
    border = list(found)
    while border:
        reached = []
        for node in border:
            for rear in backward.get(node, ()):
                if rear not in found:
                    found[rear] = found[node] + 1
                    reached.append(rear)
        border = reached
    return found
