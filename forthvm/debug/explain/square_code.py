"""The query `square_code`: the words that generate the moves of a piece, with their source.

Owns the query.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import TYPE_MASK
from forthvm.debug.generation.time_limit import DEFAULT_SECONDS, TimeLimit
from forthvm.debug.generation.traced_generation import traced_generation

if TYPE_CHECKING:
    from forthvm.core.location import Location
    from forthvm.debug.generation.traced_generation import TracedGeneration
    from forthvm.game import Position

__all__ = ["MoveWord", "square_code"]


@dataclass(frozen=True)
class MoveWord:
    """A word that generates moves for a square.

    Attributes:
        word: Its name.
        location: The source position of its definition.
        piece: The piece for which it runs, such as `White pawn`; None for drops of any piece.
        moves: The texts of the moves that it adds in this position.
    """

    word: str
    location: Location | None
    piece: str | None
    moves: tuple[str, ...]


def square_code(
    position: Position, square: str, *, seconds: float = DEFAULT_SECONDS
) -> tuple[MoveWord, ...]:
    """Return the words that generate moves for a square.

    If no word runs for the square, because its piece is another player's, the words are those in
    the lists of the piece's type, without moves.

    Args:
        position: The position.
        square: The name of a board position.
        seconds: The time limit of the query; 0 for no limit.

    Raises:
        TimeLimitExceeded: The time is used up.
        ForthVMError: The script fails.
    """
    limit = TimeLimit(seconds)
    with (
        limit.applied(position._loaded.vm.native),
        traced_generation(position, limit) as traced,
    ):
        return _running(traced, square) or _listed(traced, square)


def _running(traced: TracedGeneration, square: str) -> tuple[MoveWord, ...]:
    game, generation = traced.position.game, traced.generate()
    found: dict[tuple[int, int], list[str]] = {}
    for run in generation.runs:
        if game._loaded.square(run.square) == square:
            moves = generation.moves[run.first_move : run.first_move + run.move_count]
            found.setdefault((run.word, run.piece), []).extend(moves)
    return tuple(
        _move_word(traced, word, piece, tuple(dict.fromkeys(moves)))
        for (word, piece), moves in found.items()
    )


def _listed(traced: TracedGeneration, square: str) -> tuple[MoveWord, ...]:
    game = traced.position.game
    cell = traced.position.cells[game._loaded.position_index[square]]
    words = dict.fromkeys(
        entry.word
        for entry in traced.list_entries
        if cell and entry.piece_type == cell & TYPE_MASK and not entry.is_drop
    )
    return tuple(_move_word(traced, word, cell, ()) for word in words)


def _move_word(traced: TracedGeneration, word: int, cell: int, moves: tuple[str, ...]) -> MoveWord:
    piece = traced.position._loaded.roster.piece(cell)
    cells = traced.source_cells
    return MoveWord(
        cells.name(word), cells.word_location(word), str(piece) if piece else None, moves
    )
