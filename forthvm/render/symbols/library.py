"""The drawings of this package: SVG files whose groups are drawings of pieces.

Owns reading them.  The key of a drawing is `FILE/GROUP`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

__all__ = [
    "MOST_DOTS",
    "dotted_fragment",
    "key_of_name",
    "keys_by_name",
    "pair_fragment",
    "placed",
    "stored_fragment",
]

MOST_DOTS = 4
"""The greatest number of dots on a symbol, which tell types with similar names apart."""

_FOLDER = Path(__file__).parent


def stored_fragment(key: str) -> str:
    """Return the fragment of a drawing of this package."""
    drawing, _, group = key.partition("/")
    return _fragments(drawing)[group]


def key_of_name(name: str) -> str | None:
    """Return the drawing of a type of piece with this name, in lower case."""
    return keys_by_name().get(name)


def placed(
    fragment: str,
    *,
    centre: tuple[float, float] = (50, 50),
    scale: float = 1,
    turned: int = 0,
    in_ink: bool = False,
) -> str:
    """Return a fragment moved, scaled and turned.

    Args:
        fragment: A fragment.
        centre: Where the centre of its box goes.
        scale: Its size; lines grow with it.
        turned: Degrees clockwise, around the centre.
        in_ink: Whether its areas have the colour of lines.
    """
    x, y = centre
    steps = f"translate({x:g} {y:g}) rotate({turned}) scale({scale:g}) translate(-50 -50)"
    fill = ' fill="currentColor"' if in_ink else ""
    return f'<g transform="{steps}"{fill}>{fragment}</g>'


def pair_fragment(large: str, small: str) -> str:
    """Return the drawing of a piece that moves like two pieces of chess."""
    first = placed(stored_fragment(f"chess/{large}"), centre=(40, 54), scale=0.9)
    return first + placed(stored_fragment(f"chess/{small}"), centre=(76, 26), scale=0.5)


def dotted_fragment(fragment: str, dots: int) -> str:
    """Return a drawing with dots in its upper right corner."""
    marks = "".join(f'<circle cx="89" cy="{11 + 22 * at}" r="8"/>' for at in range(dots))
    return f'{fragment}<g stroke="currentColor" stroke-width="4">{marks}</g>'


@cache
def _fragments(drawing: str) -> dict[str, str]:
    from forthvm.render.symbols.fragments import fragments_of, parse_drawing

    text = _FOLDER.joinpath(f"{drawing}.svg").read_text(encoding="utf-8")
    return fragments_of(parse_drawing(text))


@cache
def keys_by_name() -> dict[str, str]:
    """Return the drawing for each known name of a type, in lower case."""
    text = _FOLDER.joinpath("names.json").read_text(encoding="utf-8")
    return {name: key for key, names in json.loads(text).items() for name in names}
