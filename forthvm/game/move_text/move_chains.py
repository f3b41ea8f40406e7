"""Chains of partial moves typed as one text, such as `c3-e5-g7`.

Owns finding the partial moves for a path of squares.  It must not read input or print, and does not
change the position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import AmbiguousMoveError
from forthvm.game.move_text.typed_squares import read_typed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.game import Move, Position

__all__ = ["find_chain"]

MIN_SQUARES, MAX_SQUARES = 3, 200
_MAX_SHOWN_CHAINS = 6


def find_chain(text: str, position: Position) -> tuple[Move, ...]:
    """Returns the partial moves that together visit the squares of a text.

    Each move begins on the square where the previous move ended.  After the target of a move the
    text may name the squares that it captures (`c3-e5xd4-g7xf6`).  The result is empty if there is
    no such chain.

    Raises:
        AmbiguousMoveError: there are several chains.
    """
    game = position.game
    typed = read_typed(text, game.position_index.keys(), game.names)
    if not MIN_SQUARES <= len(typed.squares) <= MAX_SQUARES or typed.unknown:
        return ()
    first, *squares = typed.squares
    # A script may list several moves with the same text; only one of them counts.
    chains_by_texts = {tuple(map(str, chain)): chain for chain in _chains(position, first, squares)}
    chains = [
        chain
        for chain in chains_by_texts.values()
        if _piece_name(chain[0]).startswith(typed.before)
    ]
    if len(chains) > 1:
        texts = [", ".join(map(str, chain)) for chain in chains]
        raise AmbiguousMoveError(
            f"`{text}` can be {' or '.join(f'`{each}`' for each in texts[:_MAX_SHOWN_CHAINS])}",
            detail=text,
            hints=texts,
        )
    return chains[0] if chains else ()


def _chains(position: Position, start: str, squares: Sequence[str]) -> Iterator[tuple[Move, ...]]:
    """Yields each chain of partial moves that starts on a square and visits `squares` in order."""
    for move in position.legal_moves if position.result is None else ():
        origin, target, captured = _origin_target_captured(move)
        if origin != start or not squares or target != squares[0]:
            continue
        # The text names the target of the move, or the target and the captured squares.
        for named_squares in sorted({1, 1 + len(captured)}):
            if named_squares > 1 and tuple(squares[1:named_squares]) != captured:
                continue
            if named_squares == len(squares):
                yield (move,)
                continue
            position_after = position.copy()
            position_after.push(position_after.legal_moves[move.index])
            if position_after.is_partial:
                for continuation in _chains(position_after, target, squares[named_squares:]):
                    yield (move, *continuation)


def _piece_name(move: Move) -> str:
    """Returns the name of the piece that a move moves, in lower case."""
    return next((str(part.name).casefold() for part in move.parts if part.kind == "move"), "")


def _origin_target_captured(move: Move) -> tuple[str, str, tuple[str, ...]]:
    """Returns a move's origin, target and captured squares, in lower case."""
    origin = target = ""
    captured: list[str] = []
    for part in move.parts:
        squares = [square.casefold() for square in part.squares]
        if part.kind == "move" and not origin:
            origin, target = squares
        elif part.kind == "capture":
            captured += squares
    return origin, target, tuple(captured)
