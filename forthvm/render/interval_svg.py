"""Estimates with their intervals as SVG: a line each, with a dot and whiskers.

Owns the scale and the places of names and numbers.  It must not know what is estimated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from forthvm.core.value import Value

__all__ = ["Estimate", "interval_svg"]

WIDTH, LINE, NAMES, NUMBERS, TOP, BOTTOM = 760, 24, 190, 150, 10, 26
INK, GRID, COLOUR, FAIR = "#2b2b2b", "#dddddd", "#2f78c4", "#c0392b"
MOST_NAME = 26
_TICKS = 8


class Estimate(Value, kw_only=True):
    """A number and from where to where it may lie; infinite ends reach the edge."""

    name: str
    value: float
    low: float
    high: float
    text: str


def interval_svg(
    estimates: Sequence[Estimate],
    *,
    title: str,
    bounds: tuple[float, float] | None = None,
    fair: float | None = None,
) -> str:
    """The estimates from the top down, as a complete SVG document.

    Args:
        estimates: What is drawn.
        title: For who cannot see the picture.
        bounds: Ends of the axis; None: what the finite ends need.
        fair: Where a line is drawn, to compare with.
    """
    low, high = bounds or _bounds(estimates)
    height = TOP + LINE * len(estimates) + BOTTOM
    left, right = NAMES, WIDTH - NUMBERS

    def along(value: float) -> float:
        share = (min(max(value, low), high) - low) / (high - low)
        return round(left + share * (right - left), 1)

    floor = TOP + LINE * len(estimates)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="13" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for tick in _ticks(low, high):
        x = along(tick)
        lines.append(f'<path d="M{x} {TOP}V{floor}" stroke="{GRID}"/>')
        lines.append(
            f'<text x="{x}" y="{floor + 17}" fill="{INK}" text-anchor="middle">{tick:g}</text>'
        )
    if fair is not None:
        lines.append(f'<path d="M{along(fair)} {TOP}V{floor}" stroke="{FAIR}"/>')
    for at, each in enumerate(estimates):
        y = TOP + LINE * at + LINE // 2
        name = each.name if len(each.name) <= MOST_NAME else each.name[: MOST_NAME - 1] + "…"
        start, end = along(each.low), along(each.high)
        lines += [
            f'<text x="{left - 10}" y="{y + 4}" fill="{INK}" text-anchor="end">{escape(name)}'
            f"<title>{escape(each.name)}</title></text>",
            f'<path d="M{start} {y - 5}v10M{start} {y}H{end}M{end} {y - 5}v10" '
            f'stroke="{COLOUR}" stroke-width="1.5" fill="none"/>',
            f'<circle cx="{along(each.value)}" cy="{y}" r="4" fill="{COLOUR}"/>',
            f'<text x="{right + 10}" y="{y + 4}" fill="{INK}">{escape(each.text)}</text>',
        ]
    return "\n".join([*lines, "</svg>"])


def _bounds(estimates: Sequence[Estimate]) -> tuple[float, float]:
    ends = [end for each in estimates for end in (each.low, each.value, each.high)]
    finite = [end for end in ends if math.isfinite(end)] or [0.0]
    low, high = min(finite), max(finite)
    return (low, high) if low < high else (low - 1, high + 1)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers within the bounds."""
    rough = (high - low) / _TICKS
    unit: float = 10 ** math.floor(math.log10(rough))
    step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(at * step, 12) for at in range(first, last + 1)]
