"""The pieces with which the players begin, for front ends that show what was captured.

Owns the rule in which games a piece that is missing from the board has been captured.
"""

from __future__ import annotations

from collections import Counter
from math import floor, log10
from typing import TYPE_CHECKING

from forthvm.game.tables import has_drops
from forthvm.render.elimination import contest_of
from forthvm.render.scene import scene

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from forthvm.game import Position
    from forthvm.render.scene_types import ScenePiece

__all__ = ["starting_material"]


def starting_material(start: Position) -> list[dict[str, object]]:
    """Return the pieces of the two players at a start, by owner and type, with their numbers.

    `value` is the value of a piece in the script, in units of a power of ten, so that the value of
    the most frequent one, such as a pawn, is from 1 to 10.  The least value is no unit, because it
    may be that of a king, which is never captured.

    Types that can move and are not on the board are there with the number 0: pieces may become
    them.  The list is empty where missing pieces need not have been captured: in games with drops,
    stores or places beside the board, with hidden pieces, with chance (races, in which pieces
    leave the board at the end), or not of two players.

    Raises:
        ForthVMError: The script fails at the start.
    """
    game = start.game
    shown, opening = start._shown(), scene(start)
    places = [square for square in opening.board.squares if square.beside]
    if (
        len(game.contestants) != 2
        or places
        or start.stores
        or any(player.chance for player in game.player_details)
        or has_drops(game._loaded.vm.native)
        or shown.has_secrets
    ):
        return []
    owners = [game.players.index(name) for name in game.contestants]
    movable = contest_of(game).movable
    looks = {(piece.player, piece.type): piece for piece in opening.pieces}
    values = {kind.name: kind.value for kind in game.piece_types}
    unit = 10 ** floor(log10(_unit_value(opening.pieces, values, movable)))
    counts = Counter((piece.player, piece.type) for piece in opening.pieces)
    return [
        {
            "player": player,
            "type": kind,
            "count": counts[player, kind],
            "value": values[kind] / unit,
            "label": looks[player, kind].label if (player, kind) in looks else "",
            "symbol": looks[player, kind].symbol if (player, kind) in looks else None,
        }
        for player in owners
        for kind in opening.board.types
        if kind in movable
    ]


def _unit_value(
    pieces: Iterable[ScenePiece], values: Mapping[str, int], movable: Container[str]
) -> int:
    """Return the value of the most frequent type; of several, the least."""
    counts = Counter(
        piece.type for piece in pieces if piece.type in movable and values[piece.type] > 0
    )
    most = max(counts.values(), default=0)
    return min((values[kind] for kind, count in counts.items() if count == most), default=1)
