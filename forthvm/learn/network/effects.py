"""Effects of pieces: how much a piece on a place changes the value of a network.

They are measured in positions of random games, so that they mean the same for all networks: with
and without hidden units and patterns.  In a linear network without patterns they are its weights.
"""

from __future__ import annotations

import random
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .inputs import OWNER_SHIFT, OWNER_VALUES
from .selfplay import decisions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.bindings import Network
    from forthvm.game import Game, Position

__all__ = ["PieceEffect", "owner_title", "piece_effects"]

_MAX_PLIES = 60
"""The maximum number of random plies before a position."""
_MAX_VALUES = 40_000
"""The approximate number of positions that are valued."""
_MAX_POSITIONS = 40


@dataclass(frozen=True)
class PieceEffect:
    """What pieces of a type and an owner are worth to the player to move.

    Attributes:
        type: The name of the type.
        owner: 0: the player to move, 1: the next one, and so on; greater numbers: others.
        values: The mean change of the value by the name of the position, as the first player sees
            the board.
    """

    type: str
    owner: int
    values: dict[str, float]

    @property
    def mean(self) -> float:
        """The mean over all positions of the board."""
        return sum(self.values.values()) / len(self.values)


def owner_title(owner: int, players: int) -> str:
    """Return whose pieces have a kind of owner, for a number of players."""
    if owner == 0:
        return "own"
    if owner >= players:
        return "neutral" if owner == players else f"neutral {owner - players + 1}"
    if owner == 1:
        return "the other player's" if players == 2 else "the next player's"
    return f"the player's {owner} turns later"


def piece_effects(game: Game, network: Network) -> list[PieceEffect]:
    """Return the effects of all pieces that have one, by owner and type.

    Raises:
        ForthVMError: The script fails.
    """
    inputs, places = network.inputs, len(game.positions)
    kinds = inputs.types * inputs.owner_kinds
    if not kinds:
        return []
    count = min(max(_MAX_VALUES // (kinds * places), 1), _MAX_POSITIONS)
    sums = [[0.0] * places for _ in range(kinds)]
    measured = 0
    for position in _positions(game, count):
        view = inputs.view_of[position.player_index + 1]
        measured += 1
        for kind, row in enumerate(_changes(network, position, view)):
            for at, change in enumerate(row):
                sums[kind][at] += change
    names = {kind.number: kind.name for kind in game.piece_types}
    found = []
    for kind, totals in enumerate(sums):
        owner, number = divmod(kind, inputs.types)
        if any(totals) and number + 1 in names:
            means = (total / measured for total in totals)
            values = dict(zip(game.positions, means, strict=True))
            found.append(PieceEffect(names[number + 1], owner, values))
    return found


def _positions(game: Game, count: int) -> Iterator[Position]:
    """Yield positions of random games in which a player has a choice."""
    for number in range(count):
        choices = random.Random(number)
        position = game.start()
        position.seed(number)
        for _ in decisions(position, choices, opening=choices.randrange(_MAX_PLIES)):
            yield position
            break


def _changes(network: Network, position: Position, view: int) -> Iterator[list[int]]:
    """Yield the changes of the value by place, for each owner and type."""
    inputs, turn = network.inputs, position._turn_index
    cells = array("i", position.cells)
    first = {inputs.places[at]: at for at in range(len(position.game.positions))}
    mine = [inputs.places[view * inputs.cells + at] for at in range(len(position.game.positions))]
    if set(mine) != set(first):
        raise ValueError("the network has other places than the board")
    seen = [first[place] for place in mine]  # by the first view
    owners = inputs.owners[OWNER_VALUES * view : OWNER_VALUES * (view + 1)]
    if not set(range(inputs.owner_kinds)) <= set(owners):
        raise ValueError("the network has other owners of pieces than the game")

    def value(at: int, cell: int) -> int:
        before, cells[at] = cells[at], cell
        found = network.value(cells.tobytes(), turn, view)
        cells[at] = before
        return found

    empty = [value(at, 0) for at in range(len(seen))]
    for owner in range(inputs.owner_kinds):
        for number in range(1, inputs.types + 1):
            cell = number | owners.index(owner) << OWNER_SHIFT
            changes = [0] * len(seen)
            for at, to in enumerate(seen):
                changes[to] = value(at, cell) - empty[at]
            yield changes
