"""Symbols of pieces: drawings for the types of pieces that scripts and rule files name.

Owns the value that front ends draw.  A symbol takes its colours from the group around it, so that
a drawing serves all players and both light and dark pages.  It must not know how a board is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from forthvm.core.text.visible import visible
from forthvm.core.value import Value
from forthvm.render.colours import OUTLINES
from forthvm.render.symbols.choice import choose_symbols
from forthvm.render.symbols.library import stored_fragment
from forthvm.render.symbols.numbers import number_fragment
from forthvm.render.symbols.shogi import owner_dot, shogi_fragment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.game import Game

__all__ = ["Symbol", "base_key", "game_symbols", "symbol_of"]

_ALWAYS_BASED = "emblems"
_FIGURES = {"chess", "folk", "shapes"}
_PLAYERS_TOLD_APART = 2
"""The greatest number of players whose pieces differ by lightness alone."""


class Symbol(Value, kw_only=True):
    """A drawing of a piece.

    Attributes:
        svg: SVG elements in a box of 100 by 100.  Areas inherit `fill`, lines have `currentColor`.
        based: Whether the drawing stands on the base of its owner (`base_key`); then it is drawn
            smaller, its areas with the owner's ink and its lines with the owner's fill.
    """

    svg: str
    based: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the symbol as a dict for JSON."""
        return dict(vars(self))


def symbol_of(game: Game, type_name: str, player: str) -> str | None:
    """Return the key of the symbol of a piece; None if there is no symbol for its type.

    Args:
        game: The game.
        type_name: The type of the piece, as in a scene: with control characters escaped.
        player: Its owner, as in a scene.
    """
    return _keys(game).get((type_name, player))


def base_key(outline: str) -> str:
    """Return the key of the base with an outline (`forthvm.render.colours.outlines_of`)."""
    return f"base/{outline}"


def game_symbols(game: Game) -> dict[str, Symbol]:
    """Return the symbols that the pieces of a game can have, and the bases of pieces, by key."""
    keys = sorted({*_keys(game).values(), *map(base_key, OUTLINES)})
    owners = [one for one in game.player_details if not (one.neutral or one.chance)]
    many = len(owners) > _PLAYERS_TOLD_APART
    return {key: Symbol(svg=_fragment(key), based=_is_based(key, many=many)) for key in keys}


def _is_based(key: str, *, many: bool) -> bool:
    kind = key.partition("/")[0]
    return kind == _ALWAYS_BASED or (many and kind in _FIGURES)


def _fragment(key: str) -> str:
    kind, *rest = key.split("/")
    if kind == "number":
        return number_fragment(rest[0])
    if kind == "shogi":
        piece, facing, seat = rest
        promoted = piece.startswith("+")
        return shogi_fragment(piece.lstrip("+"), promoted=promoted, facing=facing, seat=seat)
    if kind == "stone":
        return stored_fragment("objects/rock") + owner_dot(rest[0])
    return stored_fragment(key)


def _keys(game: Game) -> Mapping[tuple[str, str], str]:
    found = _KEYS.get(game)
    if found is None:
        types = [visible(kind.name) for kind in game.piece_types]
        players = [visible(name) for name in game.players]
        found = _KEYS[game] = choose_symbols(types, players)
    return found


_KEYS: WeakKeyDictionary[Game, Mapping[tuple[str, str], str]] = WeakKeyDictionary()
"""The result for each game; names do not change after loading."""
