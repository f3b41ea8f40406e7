"""Set-ups that people make on a page: what can be changed in a game, and the position that results.

Owns what an editor of positions offers.  Random games show it:

- pieces: a player can have the types that it has at the start or gets in a random game; types that
  no player has at the start, such as promoted pieces, are offered to all contestants;
- numbers: the variables of the board that change, where scripts keep the state of a game, and the
  stores of rule files;
- marks: pieces on positions that players do not see, such as castling rights in chess.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.core.text.visible import visible
from forthvm.game.memory.scratch import scratch_of
from forthvm.game.memory.variables import board_variables
from forthvm.game.random_games import RandomGames
from forthvm.game.rule_files import STORES, has_stores, stored_kinds
from forthvm.render.elimination import contest_of
from forthvm.render.labels import picture_labels
from forthvm.render.scene import scene
from forthvm.render.symbols import symbol_of
from forthvm.web.table.played_game import with_random_dice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from forthvm.game import Game, Position
    from forthvm.game.loaded import LoadedGame

__all__ = ["Editable", "PlacedPiece"]

_GAMES, _PLIES, _SECONDS = 30, 100, 1.0  # of the random games
_MOST_ENTRIES = 8  # of an array that is offered; longer ones are tables
_MOST_MARKS = 24
_NUMBER, _STORED, _MARK = "number", "stored", "mark"
"""Kinds of fields."""

_Kind = tuple[str, str]
"""A player and a piece type."""
PlacedPiece = tuple[int, str, str, int | None]
"""The index of the player, the type, the square and the attribute; None: that of a new piece."""


@dataclass(frozen=True)
class _Field:
    """A number or a mark.

    Attributes:
        kind: _NUMBER, _STORED or _MARK.
        name: What it is called.
        key: The variable or the entry of an array; for a mark, its position.
        cell: The index of its cell on the board.
    """

    kind: str
    name: str
    key: str
    cell: int


@dataclass(frozen=True)
class _Offer:
    """What an editor offers.

    Attributes:
        kinds: The pieces that players can have on the squares.
        marks: The pieces that a mark can be.
        fields: The numbers and marks.
        hidden: The positions that players do not see.
    """

    kinds: frozenset[_Kind]
    marks: tuple[_Kind, ...]
    fields: tuple[_Field, ...]
    hidden: frozenset[str]


class Editable:
    """What can be changed in the positions of a game."""

    def __init__(self, game: Game) -> None:
        """Play random games, unless that was done for the game.

        Raises:
            ForthVMError: The script fails at the start of a game.
        """
        self.game = game
        self._offer = game._loaded.once(_offer, game)

    def as_json(self, now: Position) -> dict[str, object]:
        """Return what an editor offers: pieces, also those of a position, fields, and turns."""
        game = self.game
        squares = (at for at, name in enumerate(game.positions) if name not in self._offer.hidden)
        pieces = _kinds_in(game._loaded, [{now.cells[at] for at in squares}])
        players = scene(game.start()).players
        labels = picture_labels((visible(kind.name) for kind in game.piece_types), players)
        kinds = [
            (game.players.index(player), visible(kind))
            for player, kind in _sorted(game._loaded, pieces | self._offer.kinds)
        ]
        return {
            "palette": [
                {
                    "player": player,
                    "type": kind,
                    "label": labels.of(kind, player),
                    "symbol": symbol_of(game, kind, players[player].name),
                }
                for player, kind in kinds
            ],
            "fields": [{"kind": one.kind, "name": visible(one.name)} for one in self._offer.fields],
            "marks": [visible(" ".join(kind)) for kind in self._offer.marks],
            "turns": [visible(turn.player) for turn in game.turn_order],
        }

    def setup_of(self, position: Position) -> dict[str, object]:
        """Return pieces, turn and values of the fields of a position."""
        game, cells = self.game, position.cells
        return {
            "pieces": [
                (game.players.index(kind[0]), visible(kind[1]), visible(square), piece.attribute)
                for square, piece in position.board.occupied()
                if square not in self._offer.hidden and (kind := _kind_of(game._loaded, piece.cell))
            ],
            "turn": position._turn_index,
            "values": [
                self._number_of_mark(cells[one.cell]) if one.kind == _MARK else cells[one.cell]
                for one in self._offer.fields
            ],
        }

    def start(self, pieces: Sequence[PlacedPiece], turn: int, values: Sequence[int]) -> Position:
        """Begin a new game with a set-up like those that `setup_of` returns.

        Raises:
            ValueError, KeyError: It is no set-up of this game.
            ForthVMError: The script fails.
        """
        game = self.game
        players = dict(enumerate(game.players))
        types = {visible(kind.name): kind.name for kind in game.piece_types}
        squares = {visible(name): name for name in game.positions if name not in self._offer.hidden}
        placed = {
            squares[square]: (players[player], types[kind]) for player, kind, square, _ in pieces
        }
        if len(placed) < len(pieces):
            raise ValueError("two pieces stand on the same square")
        fields = [*zip(self._offer.fields, values, strict=True)]
        marks = {one.key: value for one, value in fields if one.kind == _MARK}
        choices = dict(enumerate(self._offer.marks, 1))
        placed |= dict(self._unseen(marks))
        placed |= {key: choices[number] for key, number in marks.items() if number}
        setup = [(*kind, square) for square, kind in placed.items()]
        new = game.start(setup=setup)  # the set-up stores only what differs from this position
        return with_random_dice(
            game.start(
                setup=setup,
                turn=None if turn == new._turn_index else turn,
                variables={
                    one.key: value
                    for one, value in fields
                    if one.kind != _MARK and value != new.cells[one.cell]
                },
                attributes={
                    name: attribute
                    for _, _, square, attribute in pieces
                    if attribute is not None
                    and (piece := new.board[name := squares[square]])
                    and attribute != piece.attribute
                },
            )
        )

    def _unseen(self, marks: Iterable[str]) -> Iterator[tuple[str, _Kind]]:
        """Yield the pieces of the start on positions that players do not see, without marks."""
        for square, piece in self.game.start().board.occupied():
            kind = _kind_of(self.game._loaded, piece.cell)
            if square in self._offer.hidden and square not in marks and kind:
                yield square, kind

    def _number_of_mark(self, cell: int) -> int:
        """Return the number from 1 of the mark in a cell; 0 for none."""
        kind = _kind_of(self.game._loaded, cell)
        return self._offer.marks.index(kind) + 1 if kind in self._offer.marks else 0


def _offer(loaded: LoadedGame, game: Game) -> _Offer:
    start = game.start()
    hidden, seen = start._shown().hidden, _contents(loaded)
    unseen = [at for at, name in enumerate(loaded.positions) if name in hidden]
    changing = [at for at in unseen if len(seen[at]) > 1]
    if changing and len(unseen) <= _MOST_MARKS:
        changing = unseen  # the others may be rare
    marks = [(loaded.positions[at], at) for at in changing[:_MOST_MARKS]]
    return _Offer(
        frozenset(_kinds(game, start, hidden, seen)),
        tuple(_sorted(loaded, _kinds_in(loaded, (seen[at] for at in changing)))),
        (*_numbers(loaded, seen), *(_Field(_MARK, name, name, at) for name, at in marks)),
        hidden,
    )


def _contents(game: LoadedGame) -> list[set[int]]:
    """Return what each cell of the board contains in random games."""
    seen: list[set[int]] = [set() for _ in range(game.tables.board_cells)]
    games, end = RandomGames(game, seed=1), time.monotonic() + _SECONDS
    for _ in range(_GAMES):
        for state in games.play(_PLIES):
            for contents, cell in zip(seen, game.cells_of(state), strict=True):
                contents.add(cell)
            if time.monotonic() > end:  # a slow script
                return seen
    return seen


def _kinds(
    game: Game, start: Position, hidden: frozenset[str], seen: Sequence[set[int]]
) -> set[_Kind]:
    """Return the pieces that players can have on the squares."""
    loaded = game._loaded
    squares = [at for name, at in loaded.position_index.items() if name not in hidden]
    at_start = _kinds_in(loaded, [{start.cells[at] for at in squares}])
    found = _kinds_in(loaded, (seen[at] for at in squares))
    contestants = set(game.contestants)
    new = {kind for player, kind in found if player in contestants} | contest_of(game).movable
    return found | {*product(contestants, new - {kind for _, kind in at_start})}


def _numbers(game: LoadedGame, seen: Sequence[set[int]]) -> Iterator[_Field]:
    """Yield the numbers that change in random games."""
    scratch = set(scratch_of(game).cells)
    for variable, size in board_variables(game):
        first, rest = divmod(variable.address - game.tables.board, CELL)
        count = 1 if variable.kind == "variable" else size // CELL
        cells = range(first, first + count)
        name = re.sub("[-_]", " ", variable.name)
        if variable.name == STORES and has_stores(game):
            for at, kind in enumerate(stored_kinds(game)):
                if any(seen[first + at]):
                    label = " ".join(kind).removeprefix("?")  # the sign of chance players
                    yield _Field(_STORED, label, f"{STORES}[{at}]", first + at)
        elif game.is_compiled or variable.kind == "bytes" or variable.address in scratch or rest:
            continue  # in compiled rule files, other variables are those of the library
        elif count <= _MOST_ENTRIES and any(len(seen[at]) > 1 for at in cells):
            ends = game.contestants if count == len(game.contestants) else range(1, count + 1)
            for at, end in enumerate(ends):
                is_array = variable.kind == "array"
                key = f"{variable.name}[{at}]" if is_array else variable.name
                yield _Field(_NUMBER, f"{name}: {end}" if is_array else name, key, first + at)


def _kind_of(game: LoadedGame, cell: int) -> _Kind | None:
    """Return player and type of the piece in a cell, if the game defines both."""
    piece = game.roster.piece(cell)
    types = {kind.name for kind in game.roster.types}
    if piece is None or piece.player not in game.players or piece.type not in types:
        return None
    return piece.player, piece.type


def _kinds_in(game: LoadedGame, contents: Iterable[set[int]]) -> set[_Kind]:
    cells = set().union(*contents)
    return {kind for cell in cells if (kind := _kind_of(game, cell))}


def _sorted(game: LoadedGame, kinds: Iterable[_Kind]) -> list[_Kind]:
    """Return pieces in the order of players, and then of types."""
    types = [kind.name for kind in game.roster.types]
    return sorted(kinds, key=lambda kind: (game.players.index(kind[0]), types.index(kind[1])))
