"""Information states: texts that contain everything a player has seen since the start of a game.

Owns their format.

A text has a line for the start and for each ply: the player to move, the move's text as the player
saw it, and the contents of squares and variables that changed.  In games with hidden pieces it
also has a digest of the legal moves whenever the player is to move.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import TYPE_MASK
from forthvm.game.shown import shown_of_game
from forthvm.game.tables import cells_of

from .variables import board_bytes, groups_of

if TYPE_CHECKING:
    from forthvm.game import Game, Position
    from forthvm.game.shown import Shown
    from forthvm.game.states import State

    Seen = tuple[int, ...]

__all__ = ["information_state"]

_UNKNOWN = TYPE_MASK
"""The type of a piece whose type the player does not know."""


def information_state(position: Position, viewer: str, *, internal: bool) -> str:
    """Return the information state of a player.

    Args:
        position: The position.
        viewer: The player.
        internal: Whether players know what they do not see on the board.
    """
    game, ply = position.game, position.ply
    states = [*reversed(position._earlier_states(ply)), position._state]
    during = shown_of_game(position._loaded, position._state)
    if during.has_secrets:
        during = replace(during, viewer=viewer)
    last = position._shown(viewer)
    lines = [f"{game.name} {viewer}"]
    before: Seen = ()
    size = board_bytes(game)
    for at, state in enumerate(states):
        shown = last if at == ply else during
        after = _seen(game, state, size, shown, internal=internal)
        words = [_turn(game, state), *_changes(game, before, after)]
        if during.has_secrets and game.players[game._loaded.player_of(state)] == viewer:
            words.append(_moves(game, state))
        lines.append(" ".join(words))
        if at < ply:
            lines.append(f"> {during.move_text(game._loaded, position.history[at])}")
        before = after
    result = position.result
    if result is not None:
        lines.append(f"= {result.code} {' '.join(map(str, result.returns()))}")
    return "\n".join(lines)


def _turn(game: Game, state: State) -> str:
    """Return the player to move, and the turn if the turn order or a partial move matters."""
    name = game.players[game._loaded.player_of(state)]
    return f"{name}/{game._loaded.turn_index_of(state)}{'+' if state.partial else ''}"


def _seen(game: Game, state: State, size: int, shown: Shown, *, internal: bool) -> Seen:
    """Return the board cells as the player sees them, 0 for what the player does not see."""
    board = state.current.read(game._loaded.tables.board, size)
    cells = cells_of(board)
    if internal and not shown.has_secrets:
        return cells
    count = len(game.positions)
    if internal:
        shown = replace(shown, hidden=frozenset(), hidden_types=frozenset())
    pieces = (
        _seen_piece(game, shown, name, cell, internal=internal)
        for name, cell in zip(game.positions, cells[:count], strict=True)
    )
    return (*pieces, *_known_variables(game, board, shown, internal=internal))


def _seen_piece(game: Game, shown: Shown, name: str, cell: int, *, internal: bool) -> int:
    piece = game._loaded.roster.piece(cell)
    seen = shown.piece(name, piece)
    if seen is None or piece is None:
        return 0
    if seen != piece:
        return cell & 0xFFFF & ~TYPE_MASK | _UNKNOWN
    return cell if internal or shown.attributes else cell & 0xFFFF


def _known_variables(game: Game, board: bytes, shown: Shown, *, internal: bool) -> Seen:
    """Return the cells after the positions with 0 for numbers that the player does not see."""
    known = bytearray(board)
    for group in groups_of(game, 0, game.players):
        for offset in group.unseen(game.players, shown, internal=internal):
            known[offset : offset + group.width] = bytes(group.width)
    return cells_of(bytes(known))[len(game.positions) :]


def _changes(game: Game, before: Seen, after: Seen) -> list[str]:
    """Return a word for each cell that looks different."""
    names, count = game.positions, len(game.positions)
    return [
        f"{names[at] if at < count else at - count}={new:x}"
        for at, (old, new) in enumerate(zip_longest(before, after, fillvalue=0))
        if old != new
    ]


def _moves(game: Game, state: State) -> str:
    """Return a digest of the texts of the legal moves."""
    texts = "\n".join(sorted(game._loaded.states.texts(state)))
    return f"moves={hashlib.sha256(texts.encode(errors='surrogateescape')).hexdigest()[:16]}"
