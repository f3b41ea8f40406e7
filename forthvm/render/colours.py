"""The look of players: fill and text colours, and outlines of pieces.

Owns the colours.  All pairs of fills differ for people with any kind of colour blindness and in
greyscale, and each fill or its text colour stands out from the squares (test_colours.py measures
both).
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "COLOUR_OF_NAME",
    "NEUTRAL",
    "NEUTRAL_OUTLINE",
    "OUTLINES",
    "PALETTE",
    "colours_of",
    "outlines_of",
]

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
NEUTRAL_OUTLINE = "octagon"
OUTLINES = (*_OUTLINES, NEUTRAL_OUTLINE)
"""The names of all outlines."""

_LIGHT_AND_DARK = 2
"""The number of players that lightness alone tells apart."""

_NAMES = {
    "white": "white light silver белый белые weiß weiss blanc blancs blanco blancas bianco bianchi",
    "black": "black dark чёрный чёрные черный черные schwarz noir noirs negro negras nero neri",
    "red": "red красный красные rot rouge rouges rojo rojos rosso rossi",
    "green": "green зелёный зелёные зеленый зеленые grün gruen vert verts verde verdes verdi",
    "blue": "blue cyan синий синие голубые blau bleu bleus azul azules blu",
    "yellow": "yellow gold orange жёлтый жёлтые желтый желтые gelb jaune jaunes amarillo giallo",
    "violet": "violet purple magenta фиолетовый фиолетовые violett lila morado viola",
}
COLOUR_OF_NAME = {name: colour for colour, names in _NAMES.items() for name in names.split()}
"""The colours of players whose names are those of colours."""


def colours_of(players: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the fill and text colours of players that are neither neutral nor chance players.

    A player whose name is a colour gets this colour, the others get the next unused colours.
    """
    names = list(players)
    colours: dict[str, str] = {}
    for name in names:
        colour = COLOUR_OF_NAME.get(name.casefold())
        if colour and colour not in colours.values():
            colours[name] = colour
    unused = [colour for colour in PALETTE if colour not in colours.values()]
    others = [name for name in names if name not in colours]
    colours |= dict(zip(others, cycle(unused or PALETTE), strict=False))
    return {name: PALETTE[colours[name]] for name in names}


def outlines_of(players: Sequence[str]) -> dict[str, str]:
    """Return the outlines of the pieces of players that are neither neutral nor chance players.

    All outlines are equal for two players, whose pieces differ in lightness.
    """
    outlines = _OUTLINES if len(players) > _LIGHT_AND_DARK else _OUTLINES[:1]
    return dict(zip(players, cycle(outlines), strict=False))
