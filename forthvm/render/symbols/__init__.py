"""Symbols of pieces: drawings for the types of pieces that scripts and rule files name.

Owns the choice of a symbol for a piece.  A symbol takes its colours from the group around it, so
that a drawing serves all players and both light and dark pages.  It must not know how a board is
drawn.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from forthvm.core.value import Value
from forthvm.render.symbols.fragments import fragments_of, parse_drawing

if TYPE_CHECKING:
    from forthvm.game import Game

__all__ = ["Symbol", "game_symbols", "symbol_of"]


class Symbol(Value, kw_only=True):
    """A drawing of a piece.

    Attributes:
        svg: SVG elements in a box of 100 by 100.  Areas inherit `fill`, lines have `currentColor`.
        based: Whether the drawing stands on a base with the outline and the fill of its owner; then
            it is drawn smaller, its areas with the owner's ink and its lines with the owner's fill.
    """

    svg: str
    based: bool = False


def symbol_of(game: Game, type_name: str, player: str) -> str | None:
    """Return the key of the symbol of a piece; None if there is no symbol for its type.

    Args:
        game: The game.
        type_name: The type of the piece.
        player: Its owner.
    """
    del game, player
    return _keys_by_name().get(type_name.casefold())


def game_symbols(game: Game) -> dict[str, Symbol]:
    """Return the symbols that the pieces of a game can have, by key."""
    keys = {
        symbol_of(game, kind.name, player) for kind in game.piece_types for player in game.players
    }
    return {key: Symbol(svg=_fragment(key)) for key in sorted(filter(None, keys))}


def _fragment(key: str) -> str:
    drawing, _, name = key.partition("/")
    return _drawings(drawing)[name]


@cache
def _drawings(name: str) -> dict[str, str]:
    text = files(__package__).joinpath(f"{name}.svg").read_text(encoding="utf-8")
    return fragments_of(parse_drawing(text))


@cache
def _keys_by_name() -> dict[str, str]:
    text = files(__package__).joinpath("names.json").read_text(encoding="utf-8")
    return {name: key for key, names in json.loads(text).items() for name in names}
