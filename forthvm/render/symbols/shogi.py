"""Symbols of shogi pieces: a wedge that points forward, with a picture or the kanji of the piece.

Owns their form.
"""

from __future__ import annotations

from forthvm.render.symbols.library import placed, stored_fragment

__all__ = ["FACINGS", "owner_dot", "shogi_fragment"]

FACINGS = {"north": 0, "east": 90, "south": 180, "west": 270}
"""The direction of a wedge, and the degrees by which it is turned."""

_PICTURES = {
    "king": "chess/king",
    "rook": "chess/rook",
    "bishop": "chess/bishop",
    "knight": "chess/knight",
    "pawn": "chess/pawn",
    "gold": "shogi/gold",
    "silver": "shogi/silver",
    "lance": "shogi/lance",
    "fallen": "shogi/fallen",
}
_WITHOUT_KANJI = {"fallen"}
_CENTRES = {"north": (50, 60), "east": (40, 50), "south": (50, 40), "west": (60, 50)}
_SCALE = 0.56
_KANJI_SCALE = 0.6
_BEHIND = {"north": "south", "east": "west", "south": "north", "west": "east"}


def shogi_fragment(kind: str, *, promoted: bool, facing: str, seat: str, kanji: bool) -> str:
    """Return the drawing of a piece.

    Args:
        kind: The piece before its promotion.
        promoted: Whether it is promoted.
        facing: The direction in which it goes.
        seat: The direction in which its owner's own pieces go.
        kanji: Whether it has its kanji in place of a picture.
    """
    degrees, centre = FACINGS[facing], _CENTRES[facing]
    parts = [placed(stored_fragment("shogi/wedge"), turned=degrees)]
    if kanji and kind not in _WITHOUT_KANJI:
        sign = stored_fragment(f"kanji/promoted-{kind}" if promoted else f"kanji/{kind}")
        parts.append(placed(sign, centre=centre, scale=_KANJI_SCALE, turned=degrees))
    else:
        if promoted:
            parts.append(placed(stored_fragment("shogi/roof"), turned=degrees))
        picture = stored_fragment(_PICTURES[kind])
        parts.append(placed(picture, centre=centre, scale=_SCALE, in_ink=True))
    if facing != seat:  # a piece taken over from another player: a dot on its owner's side
        parts.append(owner_dot(_BEHIND[seat]))
    return "".join(parts)


def owner_dot(side: str) -> str:
    """Return a dot on a side of a piece, which stands for the player who sits there."""
    return placed(stored_fragment("shogi/owner"), turned=FACINGS[side])
