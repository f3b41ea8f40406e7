"""Threats: which pieces the players can take, could take next, or expose by a move.

Owns these questions for any game.  The answers come from legal moves and from what the script says
about them (forthvm/game/shown.py).

What the opponents could take next is found by passing the turn, as the host does for players
without moves.  There is no answer if the script then changes the board, or if a throw of dice comes
first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.game.ending import friends_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.game.moves import Move
    from forthvm.game.position import Position

__all__ = ["Capture", "Exposure", "captures_in", "captures_next", "exposures"]


@dataclass(frozen=True)
class Capture:
    """A move that takes pieces of other players.

    Attributes:
        player: The player who makes it.
        move: Its text.
        source: The square from which it takes; None if no piece moves.
        taken: Square and type of each piece that it takes.
        reasons: What the script says about it, in sentences of the script.
    """

    player: str
    move: str
    source: str | None
    taken: tuple[tuple[str, str], ...]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exposure:
    """A move after which an opponent can take a piece that was not in danger before.

    Attributes:
        move: The text of the move.
        source: The square from which its piece moves, None without one.
        target: The square to which it moves, or on which it is put.
        replies: The captures of these pieces.
    """

    move: str
    source: str | None
    target: str | None
    replies: tuple[Capture, ...]


def captures_in(position: Position) -> tuple[Capture, ...]:
    """Return the captures of the player to move.

    Raises:
        ForthVMError: The script fails.
    """
    if position.result is not None or position.is_chance:
        return ()
    return _with_reasons(position, tuple(_captures(position)))


def captures_next(position: Position) -> tuple[Capture, ...] | None:
    """Return what the opponents could take if the player to move passed; None if unknown.

    Raises:
        ForthVMError: The script fails.
    """
    passed = list(_passed(position))
    if not passed:
        return None
    return tuple(
        capture for each in passed for capture in _with_reasons(each, tuple(_captures(each)))
    )


def exposures(position: Position, known: Sequence[Capture]) -> Iterator[Exposure | None]:
    """Yield for each legal move what it exposes, or None.

    Args:
        position: The position.
        known: What the opponents can take already, from `captures_next`.

    Raises:
        ForthVMError: The script fails.
    """
    in_danger = {square for capture in known for square, _ in capture.taken}
    for move in position.legal_moves:
        yield _exposure(position, move, in_danger)


def _exposure(position: Position, move: Move, in_danger: set[str]) -> Exposure | None:
    after = position.copy()
    after.push(move)
    mover = position.turn
    if after.result is not None or after.turn == mover or after.is_chance:
        return None
    source, target = move.from_square, move.to_square
    if source in in_danger:  # the piece may move from one danger into another
        in_danger = in_danger | {target or ""}
    replies = tuple(
        capture
        for capture in _captures(after)
        if any(
            square not in in_danger and _owner(after, square) == mover
            for square, _ in capture.taken
        )
    )
    return Exposure(move.text, source, target, replies) if replies else None


def _captures(position: Position) -> Iterator[Capture]:
    """Yield the legal moves that take pieces of other players, without reasons."""
    board, turn = position.board, position.turn
    others = {name for name in position.game.contestants if name != turn}
    others -= set(friends_of(position._loaded, turn, position._state))
    for move in position.legal_moves:
        squares = move.captures
        if not squares:
            continue
        pieces = [(square, board[square]) for square in squares if square in board]
        taken = tuple(
            (square, piece.type) for square, piece in pieces if piece and piece.player in others
        )
        if taken:
            yield Capture(turn, move.text, move.from_square, taken)


def _owner(position: Position, square: str) -> str | None:
    piece = position.board[square]
    return piece.player if piece else None


def _passed(position: Position) -> Iterator[Position]:
    """Yield the positions in which the opponents would move if each player before them passed."""
    if position.result is not None or position.is_partial or position.is_chance:
        return
    mover, pieces = position.turn, dict(position.board)
    states = position._loaded.states
    seen: set[str] = set()
    for _ in position.game.turn_order:
        position = position._with_state(states.end_turn(position._state))
        if position.turn == mover and seen:
            return
        if dict(position.board) != pieces or position.is_chance or position.result is not None:
            return
        if position.turn != mover and position.turn not in seen:
            seen.add(position.turn)
            yield position


def _with_reasons(position: Position, captures: tuple[Capture, ...]) -> tuple[Capture, ...]:
    """Add what the script says about the moves and about the squares of the taken pieces."""
    if not captures:
        return ()
    remarks = position.remarks()
    if not remarks:
        return captures
    texts = position.legal_moves.texts
    said: dict[str, list[str]] = {}  # by square, and by text of the move
    for remark in remarks:
        about = remark.square if remark.move is None else texts[remark.move]
        if about is not None:
            said.setdefault(about, []).append(remark.text)

    def reasons(capture: Capture) -> tuple[str, ...]:
        squares = [text for square, _ in capture.taken for text in said.get(square, ())]
        return tuple(dict.fromkeys(said.get(capture.move) or squares))

    return tuple(replace(capture, reasons=reasons(capture)) for capture in captures)
