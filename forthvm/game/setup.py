"""Set-ups: the start of a game with other pieces, turn or variables than the script defines.

Owns the translation of names to the game's numbers, and the code that stores these numbers in
memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from forthvm.core.arguments import check, described
from forthvm.core.bindings.layout import CELL, HEADER
from forthvm.core.errors import LibraryError, PositionError

from .memory.variables import variables_of
from .pieces import ATTRIBUTE_SHIFT, MAX_ATTRIBUTE
from .tables import TURN_BYTES

if TYPE_CHECKING:
    from forthvm.core.bindings import NativeVM, Snapshot

    from .loaded import LoadedGame
    from .states import State

__all__ = ["Pieces", "Setup", "changes_of", "first_state", "make_setup", "turn_index"]

Pieces: TypeAlias = tuple[tuple[str, str, str], ...]
"""Pieces on a board, each as player, piece type and position."""

TURN_NUMBER = "turn-number"
_PIECE_NAMES = 3  # player, piece type, position
_ENTRY = re.compile(r"(?P<name>.+)\[(?P<index>\d+)\]")
_MAX_INDEX = 1 << 20  # larger than any array, and small enough for an address


@dataclass(frozen=True)
class Setup:
    """The differences between the start of a game and the start that the script defines.

    Attributes:
        pieces: The pieces on the board; None: the pieces of the script's set-up.
        turn: Index of the first turn in the turn order; None: the script's first turn.
        variables: Values of script variables by name, `name[2]` for an entry of an array;
            `turn-number` for the number of the first turn.
        attributes: Attributes of pieces by position, where they differ from those of new pieces.
    """

    pieces: Pieces | None = None
    turn: int | None = None
    variables: tuple[tuple[str, int], ...] = ()
    attributes: tuple[tuple[str, int], ...] = ()


def make_setup(
    game: LoadedGame,
    pieces: Iterable[tuple[str, str, str]] | None,
    turn: str | int | None,
    variables: Mapping[str, int] | None,
    attributes: Mapping[str, int] | None = None,
) -> Setup | None:
    """Return the set-up for the arguments of `Game.start`, None without arguments.

    Raises:
        ValueError: An argument names something that the game does not define.
    """
    if pieces is None and turn is None and not variables and not attributes:
        return None
    checked_pieces = None if pieces is None else _checked_pieces(pieces)
    if variables is not None:
        check(variables, Mapping, "variables", "values by name, such as {'count': 3}")
    values = tuple((name, value) for name, value in (variables or {}).items())
    for name, value in values:
        _address(game, name)
        if isinstance(value, bool) or not isinstance(value, int) or not -(2**31) <= value < 2**32:
            raise ValueError(f"set-up: {value!r} for `{name}` does not fit into a cell")
        if name == TURN_NUMBER and name not in variables_of(game) and not 0 < value < 2**31:
            raise ValueError(f"set-up: `{name}` is at least 1, not {value}")
    if attributes is not None:
        check(attributes, Mapping, "attributes", "attributes by position, such as {'e1': 1}")
    marked = tuple((position, value) for position, value in (attributes or {}).items())
    for position, value in marked:
        _cell_address(game, position)
        if isinstance(value, bool) or value not in range(MAX_ATTRIBUTE + 1):
            raise ValueError(f"set-up: {value!r} for `{position}` is not from 0 to {MAX_ATTRIBUTE}")
    return Setup(checked_pieces, None if turn is None else turn_index(game, turn), values, marked)


def _checked_pieces(given: object) -> Pieces:
    """Return the pieces of a set-up, each as three names; raise TypeError for other values."""
    expected = "pieces, each as (player, piece type, position)"
    pieces = [given] if isinstance(given, str) else given
    check(pieces, Iterable, "setup", expected)
    found: tuple[tuple[str, str, str], ...] = tuple(pieces)  # type: ignore[arg-type]  # checked above
    for piece in found:
        valid = isinstance(piece, tuple | list) and len(piece) == _PIECE_NAMES
        for name in piece if valid else (None,):
            if not isinstance(name, str):
                raise TypeError(f"setup takes {expected}, not {described(piece)}")
    return tuple((player, kind, position) for player, kind, position in found)


def first_state(game: LoadedGame, setup: Setup | None, base: Snapshot | None = None) -> State:
    """Return the state at the start of a new game.

    The memory after loading is restored.  Then the script's `OnNewGame` and set-up run.

    Args:
        game: The game.
        setup: The differences from the script's start; None: that start.
        base: Memory to restore; None: memory after loading.

    Raises:
        ValueError: The set-up names something that the game does not define.
        ForthVMError: The script fails.
    """
    base = base or game.base
    if setup is None:
        return game.states.start(base, None)
    changes = changes_of(game, setup)
    return game.states.start(base, changes.pieces, lambda native: _apply(native, changes))


@dataclass(frozen=True, slots=True)
class _Changes:
    """A set-up as the numbers of a game.

    Attributes:
        pieces: Numbers of player, piece type and position; None: the pieces of the script's set-up.
        turn: Index of the first turn; None: the script's first turn.
        values: Addresses, sizes in bytes and values of variables.
        attributes: Positions with the addresses of their cells, and attributes.
    """

    pieces: list[tuple[int, int, int]] | None
    turn: int | None
    values: list[tuple[int, int, int]]
    attributes: list[tuple[str, int, int]]


def changes_of(game: LoadedGame, setup: Setup) -> _Changes:
    """Return the numbers of what a set-up names; the VM finds variables only while it is idle.

    Raises:
        ValueError: The set-up names something that the game does not define.
    """
    return _Changes(
        None if setup.pieces is None else _edits_of(game, setup.pieces),
        setup.turn,
        [(*_address(game, name), value) for name, value in setup.variables],
        [(name, _cell_address(game, name), attribute) for name, attribute in setup.attributes],
    )


def _edits_of(game: LoadedGame, pieces: Pieces) -> list[tuple[int, int, int]]:
    """Return the numbers of player, piece type and position of each piece.

    Raises:
        ValueError: The game has no such player, piece type or position.
    """
    players = {player.name: player.cell for player in game.tables.players}
    kinds = {kind.name: kind.number for kind in game.tables.types}
    positions = game.position_index
    for piece in pieces:
        for name, known, what in zip(
            piece, (players, kinds, positions), ("player", "piece type", "position"), strict=True
        ):
            if name not in known:
                raise ValueError(f"set-up: {game.name} has no {what} `{name}`")
    return [(players[player], kinds[kind], positions[square]) for player, kind, square in pieces]


def _apply(native: NativeVM, changes: _Changes) -> None:
    """Store what a set-up contains besides pieces, which must be on the board already.

    Raises:
        LibraryError: The user's library has no word that sets the turn.
        PositionError: There is no piece on a position with an attribute.
    """
    if changes.turn is not None:
        word = native.find("$SetTurn")
        if not word:
            raise LibraryError("this library has no $SetTurn, so the first turn cannot be chosen")
        native.push(changes.turn * TURN_BYTES)
        native.execute(word + HEADER)
    for address, size, value in changes.values:
        native.write(address, (value & (1 << 8 * size) - 1).to_bytes(size, "little"))
    for position, address, attribute in changes.attributes:
        cell = native.read_cell(address)
        if not cell:
            raise PositionError(f"set-up: there is no piece on `{position}` for an attribute")
        native.write_cell(address, cell & (1 << ATTRIBUTE_SHIFT) - 1 | attribute << ATTRIBUTE_SHIFT)


def turn_index(game: LoadedGame, turn: str | int) -> int:
    """Return the index in the turn order of a turn that a user chose by index or by player.

    A player means the first turn of that player in the repeated part of the turn order.  If there
    is none, the player means the first turn of that player in the turn order.
    """
    order = game.tables.turns
    if isinstance(turn, str):
        for index in chain(range(game.tables.repeat, len(order)), range(game.tables.repeat)):
            if order[index].player == turn:
                return index
        raise ValueError(f"set-up: `{turn}` has no turn in {game.name}")
    check(turn, int, "turn", "the name of a player or an index in turn_order")
    if turn not in range(len(order)) or isinstance(turn, bool):
        raise ValueError(f"set-up: {game.name} has turns 0 to {len(order) - 1}, not {turn!r}")
    return turn


def _cell_address(game: LoadedGame, position: str) -> int:
    """Return the address of the board cell of a position."""
    index = game.position_index.get(position)
    if index is None:
        raise ValueError(f"set-up: {game.name} has no position `{position}`")
    return game.tables.board + index * CELL


def _address(game: LoadedGame, name: str) -> tuple[int, int]:
    """Return the address and the size in bytes of a variable or of an array's entry."""
    match = _ENTRY.fullmatch(name)
    index = int(match["index"]) if match else 0
    found = variables_of(game).get(match["name"] if match else name)
    if found is None and name == TURN_NUMBER:
        return game.tables.variables.turn_number, CELL
    if found is None or index > _MAX_INDEX:
        raise ValueError(f"set-up: {game.name} has no variable `{name}`")
    if (found.kind == "variable") == (match is not None):
        shape = "one cell, without [ ]" if match else "an array: name an entry, as `name[0]`"
        raise ValueError(f"set-up: `{found.name}` is {shape}")
    size: int = 1 if found.kind == "bytes" else CELL
    return found.address + index * size, size
