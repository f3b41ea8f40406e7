"""Board variables: the numbers of a board after its positions, by name, as groups.

Owns the grouping: which numbers are an array with one for each square or for each player.  Numbers
are cells or, in arrays of bytes, bytes; their offsets in the board may be odd.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.game.memory.variables import variables_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.game import Game
    from forthvm.game.shown import Shown

__all__ = ["Group", "board_bytes", "groups_of", "numbers_of"]

_STORES = "z-stores"
"""The array of a rule file with the number of pieces beside the board, by player and type."""
_MEANINGS = {
    "z-mover": "player",
    "z-piece-square": "square",
    "z-last-from": "square",
    "z-last-to": "square",
}
"""Variables of a rule file that contain a player's constant, or the number of a position plus 1."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Numbers of a board that are shown together.

    Attributes:
        kind: `squares` (a number for each position of the board), `players` (a number for each
            player), `single`, and in rule files `player` (the number is a player's constant) and
            `square` (the number is that of a position plus 1; 0: none).
        name: The variable in the script.
        title: The group in words, for people.
        offsets: Offsets of the numbers in the board.
        width: 4 for cells, 1 for bytes.
        stored: The type of the pieces in stores that the numbers count; None for other numbers.
    """

    kind: str
    name: str
    title: str
    offsets: tuple[int, ...]
    width: int = CELL
    stored: str | None = None

    def is_shown(self, shown: Shown) -> bool:
        """Return whether players see some of the numbers."""
        return self.stored is not None or self.name in shown.variables

    def unseen(self, players: Sequence[str], shown: Shown, *, internal: bool) -> Iterator[int]:
        """Yield the offsets of the numbers that a viewer does not see.

        Args:
            players: All players of the game.
            shown: What the viewer sees.
            internal: Whether players know what they do not see on the board.
        """
        if self.stored is None:
            yield from () if internal or self.is_shown(shown) else self.offsets
            return
        for player, offset in zip(players, self.offsets, strict=True):
            if not shown.sees_store(player, self.stored):
                yield offset


def groups_of(game: Game, board_size: int, players: Sequence[str]) -> list[Group]:
    """Return the groups of all numbers after the positions.

    Args:
        game: The game.
        board_size: Number of positions that are squares of the board.
        players: The players who observe.
    """
    groups: list[Group] = []
    for name, offsets, width in _variables(game):
        found = _split(game, name, offsets, board_size, players)
        groups += [replace(group, width=width) for group in found]
    return groups


def numbers_of(game: Game) -> list[tuple[int, int]]:
    """Return offset and width of each number after the positions, ascending."""
    return [(offset, width) for _, offsets, width in _variables(game) for offset in offsets]


def board_bytes(game: Game) -> int:
    """Return the size of the board in memory, up to a whole cell."""
    return -(-_size(game) // CELL) * CELL


def _size(game: Game) -> int:
    return max(
        game._loaded.vm.native.variable("$boardSize") or 0, game._loaded.tables.board_cells * CELL
    )


def _variables(game: Game) -> Iterator[tuple[str, range, int]]:
    """Yield name, offsets and width of each variable or array of the board."""
    first, end = len(game.positions) * CELL, _size(game)
    named = {
        variable.address - game._loaded.tables.board: variable
        for variable in variables_of(game._loaded).values()
        if first <= variable.address - game._loaded.tables.board < end
    }
    for start, after in pairwise(sorted({first, *named, end})):
        variable = named.get(start)
        width = 1 if variable is not None and variable.kind == "bytes" else CELL
        name = variable.name if variable is not None else f"cell {(start - first) // CELL}"
        yield name, range(start, after - width + 1, width), width


def _split(
    game: Game, name: str, offsets: range, board_size: int, players: Sequence[str]
) -> list[Group]:
    """Return the groups of a variable or array."""
    types, all_players = game.piece_types, game.players
    count = len(offsets)
    if count == 1:
        kind = _MEANINGS.get(name, "single") if game._loaded.is_compiled else "single"
        return [Group(kind=kind, name=name, title=name, offsets=tuple(offsets))]
    if game._loaded.rules is not None and name == _STORES:
        size = len(types)
        return [
            Group(
                kind="players",
                name=name,
                title=f"{kind.name} beside the board",
                offsets=tuple(offsets[at : size * len(all_players) : size]),
                stored=kind.name,
            )
            for at, kind in enumerate(types)
        ]
    if count in (len(game.positions), board_size):
        return [Group(kind="squares", name=name, title=name, offsets=tuple(offsets))]
    first = all_players[:count]
    if count == len(all_players) or (count == len(players) and tuple(players) == first):
        return [Group(kind="players", name=name, title=name, offsets=tuple(offsets))]
    return [
        Group(kind="single", name=name, title=f"{name}[{at}]", offsets=(offset,))
        for at, offset in enumerate(offsets)
    ]
