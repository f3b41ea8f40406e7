"""The look of players: fill and text colours, and outlines of pieces.

Owns the colours.  All pairs of fills differ for people with any kind of colour blindness and in
greyscale, and each fill or its text colour stands out from the squares: test_colours.py
measures both.  It must not know how pieces are drawn.
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.render.model import Owner

__all__ = ["NEUTRAL", "OUTLINES", "PALETTE", "colours_of", "has_player_colours", "outlines_of"]

PALETTE = {
    "white": ("#fafafa", "#111111"),
    "black": ("#1b2027", "#ffffff"),
    "red": ("#a81c28", "#ffffff"),
    "green": ("#7fd0b0", "#111111"),
    "blue": ("#2f61ca", "#ffffff"),
    "yellow": ("#fbd116", "#111111"),
    "violet": ("#621c78", "#ffffff"),
}
"""Fill and text colours of players, in the order of assignment: the first ones differ most."""

NEUTRAL = ("#9f9c99", "#000000")
"""Fill and text colours of neutral and chance players."""

_OUTLINES = ("circle", "square", "diamond", "hexagon", "shield", "house", "flower")
_NEUTRAL_OUTLINE = "octagon"
OUTLINES = (*_OUTLINES, _NEUTRAL_OUTLINE)
"""The names of all outlines."""

_LIGHT_AND_DARK = 2
"""The number of players that lightness alone tells apart."""

_NAMES = {
    "white": ("white", "light", "silver", "белый", "белые"),
    "black": ("black", "dark", "чёрный", "чёрные", "черный", "черные"),
    "red": ("red", "красный", "красные"),
    "green": ("green", "зелёный", "зелёные", "зеленый", "зеленые"),
    "blue": ("blue", "cyan", "синий", "синие", "голубые"),
    "yellow": ("yellow", "gold", "orange", "жёлтый", "жёлтые", "желтый", "желтые"),
    "violet": ("violet", "purple", "magenta", "фиолетовый", "фиолетовые"),
}
_COLOUR_OF_NAME = {name: colour for colour, names in _NAMES.items() for name in names}


def colours_of(owners: Iterable[Owner]) -> dict[str, tuple[str, str]]:
    """Return the fill and text colours of each player; neutral and chance players are left out.

    A player whose name is a colour gets this colour, the others get the next unused colours.
    """
    names = _players(owners)
    colours: dict[str, str] = {}
    for name in names:
        colour = _COLOUR_OF_NAME.get(name.casefold())
        if colour and colour not in colours.values():
            colours[name] = colour
    unused = [colour for colour in PALETTE if colour not in colours.values()]
    others = [name for name in names if name not in colours]
    colours |= dict(zip(others, cycle(unused or PALETTE), strict=False))
    return {name: PALETTE[colours[name]] for name in names}


def has_player_colours(owners: Iterable[Owner]) -> bool:
    """Return whether each player has a different colour."""
    return len(_players(owners)) <= len(PALETTE)


def outlines_of(owners: Sequence[Owner]) -> dict[str, str]:
    """Return the outline of each player's pieces; two players need no different outlines."""
    names = _players(owners)
    outlines = _OUTLINES if len(names) > _LIGHT_AND_DARK else _OUTLINES[:1]
    by_name = dict.fromkeys((owner.name for owner in owners), _NEUTRAL_OUTLINE)
    return by_name | dict(zip(names, cycle(outlines), strict=False))


def _players(owners: Iterable[Owner]) -> list[str]:
    return [owner.name for owner in owners if not (owner.neutral or owner.chance)]
