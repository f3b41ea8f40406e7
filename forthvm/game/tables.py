"""The tables of a loaded game in memory, read once, and whether they allow any move.

Owns the layout of the library's tables of players, pieces, positions, turns and directions
(section 19 of axiom-reference.md, a note on the original's behaviour).  Any library with the same
tables works.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, HEADER
from forthvm.core.failure import ForthVMError
from forthvm.core.loading.library import REPLACES_SECTIONS
from forthvm.core.record import Record

from .pieces import PieceType, Player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.core.bindings import NativeVM, Snapshot

__all__ = [
    "TURN_BYTES",
    "Direction",
    "Grid",
    "Tables",
    "Turn",
    "Variables",
    "cells_of",
    "has_drops",
    "read_cell",
    "read_tables",
    "types_with_moves",
    "what_is_missing",
]

_MAX_POSITIONS = 1 << 20
_PIECE_CELLS = 4  # cells of a record of the table of piece types
_MOVES, _DROPS = 1, 2  # cells of that record
_TURN_CELLS = 3  # cells of a record of the turn order
TURN_BYTES = _TURN_CELLS * CELL
"""Size of a record of the turn order."""
_TRUE = -1  # of Forth


class Grid(Record):
    """The grid that the first `rows * columns` positions form; 0 by 0 for a game without a grid.

    Attributes:
        flip: Whether row 1 is the top row ($flipGrid) instead of the bottom row.
    """

    rows: int
    columns: int
    flip: bool


class Turn(Record):
    """One turn of the turn order.

    Attributes:
        player: The player who chooses the move.
        for_player: The player whose pieces move.
        of_type: The only move type allowed, 0 for any.
    """

    player: str
    for_player: str
    of_type: int


class Direction(Record):
    """A direction: for each board position, the index of the next position, -1 for none."""

    name: str
    links: tuple[int, ...]


class Variables(Record):
    """Addresses of the library's variables that describe a position."""

    board: int
    board_size: int
    player_offset: int
    turn_offset: int
    turn_number: int
    partial: int
    of_type: int


class Tables(Record):
    """The definitions of a script, as names and numbers.

    Attributes:
        positions: Names in index order; `??` for a position without a name.
        turns: The turn order.
        repeat: Index of the turn that follows the last turn.
        symmetries: For each player, the index of the direction that replaces each direction; empty
            without symmetries.
        board: Address of the board when no search is running.
        board_cells: Size of the board in cells, including its variables.
    """

    players: tuple[Player, ...]
    types: tuple[PieceType, ...]
    positions: tuple[str, ...]
    grid: Grid
    turns: tuple[Turn, ...]
    repeat: int
    directions: tuple[Direction, ...]
    symmetries: tuple[tuple[int, ...], ...]
    board: int
    board_cells: int
    variables: Variables


def read_tables(native: NativeVM) -> Tables:
    """Read the tables of a loaded, bound game.

    The function executes the constants of players and piece types; the caller must restore memory.

    Raises:
        LibraryError: The library lacks a variable.
        NoGameError: A table is missing or invalid.
        ForthVMError: A word that should be a constant fails.
    """
    reader = _Reader(native)
    players = reader.players()
    names = reader.position_names()
    turns, repeat = reader.turns()
    board, board_cells = reader.board(len(names))
    return Tables(
        players=players,
        types=reader.types(),
        positions=names,
        grid=Grid(reader.get("$rows"), reader.get("$columns"), reader.get("$flipGrid", 0) == _TRUE),
        turns=turns,
        repeat=repeat,
        directions=reader.directions(len(names)),
        symmetries=reader.symmetries(len(players)),
        board=board,
        board_cells=board_cells,
        variables=Variables(
            board=reader.address("$board"),
            board_size=reader.address("$boardSize"),
            player_offset=reader.address("$playerOffset"),
            turn_offset=reader.address("$turnOffset"),
            turn_number=reader.address("$turnNumber"),
            partial=reader.address("$partial"),
            of_type=reader.address("$ofType"),
        ),
    )


def cells_of(data: bytes) -> tuple[int, ...]:
    """Convert bytes of the image to signed cells."""
    return tuple(cell_buffer_of(data))


def cell_buffer_of(data: bytes) -> memoryview[int]:
    """Return bytes of the image as a buffer of signed cells."""
    return memoryview(data)[: len(data) // CELL * CELL].cast("i")


def read_cell(snapshot: Snapshot, address: int) -> int:
    """Read a signed cell of a snapshot; 0 outside its memory."""
    return int.from_bytes(snapshot.read(address, CELL), sys.byteorder, signed=True)


class _Reader:
    """Reads tables from a VM's memory."""

    def __init__(self, native: NativeVM) -> None:
        self.native = native

    def address(self, name: str) -> int:
        """Return the address of a library variable."""
        address = self.native.variable_address(name)
        if not address:
            from forthvm.core.errors import LibraryError

            raise LibraryError(detail=name)
        return address

    def get(self, name: str, default: int | None = None) -> int:
        """Return the value of a library variable."""
        value = self.native.variable(name)
        if value is None:
            if default is None:
                from forthvm.core.errors import LibraryError

                raise LibraryError(detail=name)
            return default
        return value

    def cells(self, address: int, count: int, contents: str) -> tuple[int, ...]:
        """Return the first `count` cells of a table; messages name its contents."""
        if count < 0 or count > _MAX_POSITIONS:
            from forthvm.core.errors import NoGameError

            raise NoGameError(f"the table of {contents} has {count} entries")
        try:
            return cells_of(self.native.read(address, count * CELL)) if count else ()
        except ForthVMError:
            from forthvm.core.errors import NoGameError

            raise NoGameError(
                f"the table of {contents} ({count} entries at {address}) lies outside memory"
            ) from None

    def board(self, position_count: int) -> tuple[int, int]:
        """Return the address of the board and its size in cells, at least one for each position."""
        address, size = self.get("$board"), self.get("$boardSize")
        self.cells(address, size // CELL, "cells of the board ($board, $boardSize)")
        if size // CELL < position_count:
            from forthvm.core.errors import NoGameError

            raise NoGameError(
                f"the board has {size // CELL} cells ($boardSize) for {position_count} positions"
            )
        return address, size // CELL

    def name(self, cfa: int) -> str:
        """Return the name of a word, given its token."""
        return self.native.name(cfa - HEADER)

    def constant(self, cfa: int) -> int:
        """Return the number that a word leaves on the stack."""
        self.native.clear_stack()
        self.native.execute(cfa)
        return self.native.pop()

    def players(self) -> tuple[Player, ...]:
        count = self.get("$playerCount")
        tokens = self.cells(self.get("$players"), count, "players ($players, $playerCount)")
        engines = self.cells(self.get("$engines"), count, "engines ($engines, $playerCount)")
        return tuple(
            Player(
                self.name(token),
                index + 1,
                self.constant(token),
                self.name(engine) if engine else "",
            )
            for index, (token, engine) in enumerate(zip(tokens, engines, strict=True))
        )

    def types(self) -> tuple[PieceType, ...]:
        count = self.get("$pieceCount")
        size = count * _PIECE_CELLS
        cells = self.cells(self.get("$pieces"), size, "pieces ($pieces, $pieceCount)")
        # A record consists of a constant, the lists of moves and of drops, and a value.
        return tuple(
            PieceType(self.name(cells[start]), self.constant(cells[start]), cells[start + 3])
            for start in range(0, size, _PIECE_CELLS)
        )

    def position_names(self) -> tuple[str, ...]:
        count = self.get("$positions")
        table = self.cells(self.get("$posNames"), count, "positions ($posNames, $positions)")
        return tuple(self.native.read_string(address) if address else "??" for address in table)

    def turns(self) -> tuple[tuple[Turn, ...], int]:
        # $turnLimit is the size of the table in bytes.  A record has two players and a move type.
        size = self.get("$turnLimit") // TURN_BYTES * _TURN_CELLS
        cells = self.cells(self.get("$turnOrder"), size, "turns ($turnOrder, $turnLimit)")
        turns = tuple(
            Turn(self.name(cells[start]), self.name(cells[start + 1]), cells[start + 2])
            for start in range(0, size, _TURN_CELLS)
        )
        return turns, self.get("$repeatOffset", 0) // TURN_BYTES

    def direction_tokens(self) -> tuple[int, ...]:
        count = self.get("$directionCount", 0)
        return (
            self.cells(self.get("$directions"), count, "directions ($directions, $directionCount)")
            if count
            else ()
        )

    def symmetries(self, player_count: int) -> tuple[tuple[int, ...], ...]:
        # A row for each direction; a row has a token for each player.
        table, tokens = self.get("$symmetries", 0), self.direction_tokens()
        if not table or not tokens:
            return ()
        size = len(tokens) * player_count
        rows = self.cells(table, size, "symmetries ($symmetries)")
        index = {token: at for at, token in reversed([*enumerate(tokens)])}
        return tuple(
            tuple(index.get(rows[at * player_count + player], at) for at in range(len(tokens)))
            for player in range(player_count)
        )

    def directions(self, position_count: int) -> tuple[Direction, ...]:
        return tuple(
            Direction(
                self.name(token),
                self.cells(self.native.body(token), position_count, "links"),
            )
            for token in self.direction_tokens()
        )


# --- whether any move is possible -------------------------------------------------------------


def what_is_missing(native: NativeVM, defines: Callable[[str], bool]) -> str:
    """Return what a script lacks, so that no move is possible; "" if moves are possible.

    The result is what the script has instead, such as "no {players … players}".  It is "" for a
    script without a board, which does not define a game.

    Args:
        native: The VM that has loaded the script.
        defines: Returns whether the script itself, not the library, defines a word.
    """
    if not native.variable("$positions") or any(map(defines, REPLACES_SECTIONS)):
        return ""
    words = list(_words_for_lists(native))
    if words:
        return (
            f"the word `{words[0]}` after {{moves}} or {{drops}}, which needs a list: "
            f"name a list {{moves … moves}} that has {{move}} {words[0]}"
        )
    drops = has_drops(native)
    setup = native.variable("$boardSetup") or 0
    needed = {
        "no {players … players}": native.variable("$playerCount"),
        "no {turn-order … turn-order}": native.variable("$turnLimit"),
        "no {pieces … pieces}": native.variable("$pieceCount"),
        "no piece with {moves} or {drops}": drops or any(_types_with_list(native, _MOVES)),
        "no piece with {drops} and no {board-setup … board-setup}": drops
        or (setup and native.read_cell(setup)),
    }
    return next((missing for missing, present in needed.items() if not present), "")


def has_drops(native: NativeVM) -> bool:
    """Return whether any piece type has a list of drops that is not empty."""
    return any(_types_with_list(native, _DROPS))


def types_with_moves(native: NativeVM) -> frozenset[int]:
    """Return the numbers, from 1, of the piece types whose list of moves is not empty."""
    return frozenset(_types_with_list(native, _MOVES))


def _types_with_list(native: NativeVM, record_cell: int) -> Iterator[int]:
    """Yield the numbers of the piece types whose list of moves or drops is not empty.

    Args:
        native: The VM.
        record_cell: The cell of a piece type's record that contains the list's execution token.
    """
    for number, token in _lists(native, record_cell):
        length_at = token + CELL  # the first body cell of a list
        if native.read_cell(length_at):
            yield number


def _words_for_lists(native: NativeVM) -> Iterator[str]:
    """Yield the names of colon definitions that stand for lists of moves or drops."""
    for _, token in _lists(native, _MOVES, _DROPS):
        if native.primitive(token) == COLON:
            yield native.name(token - HEADER)


def _lists(native: NativeVM, *record_cells: int) -> Iterator[tuple[int, int]]:
    """Yield the execution tokens in some cells of the piece types, each with the type's number."""
    table = native.variable("$pieces") or 0
    for piece_type in range(native.variable("$pieceCount") or 0):
        for record_cell in record_cells:
            token = native.read_cell(table + CELL * (_PIECE_CELLS * piece_type + record_cell))
            if token:
                yield piece_type + 1, token
