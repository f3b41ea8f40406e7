"""Whether a piece on a position could be taken (section 6.8 of the contract).

Runs the move blocks of the other side.
"""

from __future__ import annotations

from dataclasses import replace

from tests.models.zrf.blocks import moves_of
from tests.models.zrf.choices import CREATE_ATTACKS, NEUTRAL_PIECES_ATTACK
from tests.models.zrf.moves import Move, Piece, Scene

__all__ = ["attacked", "defended"]


def attacked(scene: Scene, position: str, side: str, move_type: str | None = None) -> bool:
    """Whether another side could take a piece of `side` on the position (65)."""
    occupied = _occupied(scene, position, side)
    attackers = [
        place
        for place, piece in occupied.board.items()
        if piece.player != side
        and (NEUTRAL_PIECES_ATTACK or not scene.rules.is_neutral(piece.player))
    ]
    return _reaches(occupied, attackers, position, move_type)


def defended(scene: Scene, position: str, side: str, move_type: str | None = None) -> bool:
    """Whether `side` could take a piece of another side on the position (65)."""
    piece = scene.board.get(position)
    if piece is not None and piece.player != side:
        enemy = piece.player
    else:
        players = scene.rules.players
        enemy = players[(players.index(side) + 1) % len(players)]
    occupied = _occupied(scene, position, enemy)
    friends = [
        place
        for place, piece in occupied.board.items()
        if piece.player == side and place != position
    ]
    return _reaches(occupied, friends, position, move_type)


def _occupied(scene: Scene, position: str, player: str) -> Scene:
    """The scene with the position regarded as occupied by a player, by no known type if empty."""
    piece = scene.board.get(position, Piece(player, ""))._replace(player=player)
    return replace(scene, board={**scene.board, position: piece})


def _reaches(scene: Scene, pieces: list[str], position: str, move_type: str | None) -> bool:
    for place in pieces:
        piece = scene.board[place]
        for block in scene.rules.pieces[piece.type].moves:
            if move_type is None or block.move_type == move_type:
                moves = moves_of(scene, place, block, probe=True)
                if any(_takes(move, position) for move in moves):
                    return True
    return False


def _takes(move: Move, position: str) -> bool:
    kinds = ("capture", "create") if CREATE_ATTACKS else ("capture",)
    arrives = any(
        movement.target == position and movement.origin != position for movement in move.movements
    )
    return arrives or any(
        effect.kind in kinds and effect.position == position for effect in move.effects
    )
