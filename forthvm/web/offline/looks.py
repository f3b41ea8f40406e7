"""Label and symbol of each piece, which the tables of an exported game contain.

Owns their form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.render.labels import picture_labels
from forthvm.render.symbols import symbol_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.game import Game
    from forthvm.render.scene_types import ScenePlayer

__all__ = ["looks_of"]


def looks_of(game: Game, owners: Sequence[ScenePlayer]) -> dict[str, dict[str, object]]:
    """Return label and symbol of each piece, by owner and type."""
    types = [visible(kind.name) for kind in game.piece_types]
    labels = picture_labels(types, owners)
    return {
        player: {
            kind.name: {
                "label": labels.of(shown, at),
                "symbol": symbol_of(game, shown, owners[at].name),
            }
            for kind, shown in zip(game.piece_types, types, strict=True)
        }
        for at, player in enumerate(game.players)
    }
