"""Estimates with their intervals as SVG: each estimate is a line with a dot and whiskers.

Owns the scale and the layout of names and numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from forthvm.render.measure import fitted, pixel_width

__all__ = ["Estimate", "interval_svg"]

# Sizes in pixels.
MIN_WIDTH, MIN_NAMES_WIDTH, MIN_NUMBERS_WIDTH, MIN_AXIS_WIDTH = 760, 190, 150, 240
MAX_NAMES_WIDTH = 320
LINE_HEIGHT, TOP, BOTTOM = 24, 10, 26
FONT_SIZE = 13
GAP = 10  # beside texts
INK, GRID, COLOUR, REFERENCE_COLOUR = "#2b2b2b", "#dddddd", "#2f78c4", "#c0392b"
MAX_NAME_LETTERS = 26
_MAX_TICKS = 8


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A number and its interval, with the text that is shown on the right.

    An infinite end of the interval is drawn as an arrow.
    """

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
    reference: float | None = None,
) -> str:
    """Return the estimates from the top down, as a complete SVG document.

    Args:
        estimates: The estimates.
        title: Description for screen readers.
        bounds: Ends of the axis; None: determined by the finite ends of the intervals.
        reference: Value at which a vertical line for comparison is drawn; None for no line.
    """
    low, high = bounds or _bounds(estimates)
    names = {estimate: _name(estimate.name) for estimate in estimates}
    # The axis extends from `left` to `right`, between the names and the numbers.
    left = max([MIN_NAMES_WIDTH, *(math.ceil(_column_width(name)) for name in names.values())])
    text_widths = (math.ceil(_column_width(estimate.text)) for estimate in estimates)
    numbers_width = max([MIN_NUMBERS_WIDTH, *text_widths])
    width = max(MIN_WIDTH, left + MIN_AXIS_WIDTH + numbers_width)
    right = width - numbers_width
    axis_y = TOP + LINE_HEIGHT * len(estimates)
    height = axis_y + BOTTOM

    def x_of(value: float) -> float:
        fraction = (min(max(value, low), high) - low) / (high - low)
        return round(left + fraction * (right - left), 1)

    def whisker(end: float, y: int) -> str:
        """Draw a cap, or an arrow if the interval extends beyond the axis."""
        x = x_of(end)
        if low <= end <= high:
            return f'<path d="M{x} {y - 5}v10" stroke="{COLOUR}" stroke-width="1.5"/>'
        base = x + (6 if end < low else -6)  # of the arrow
        return (
            f'<path class="beyond" d="M{base} {y - 5}L{x} {y}L{base} {y + 5}" '
            f'stroke="{COLOUR}" stroke-width="1.5" fill="none"/>'
        )

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="{FONT_SIZE}" '
        'role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for tick in _ticks(low, high, right - left):
        x = x_of(tick)
        lines.append(f'<path d="M{x} {TOP}V{axis_y}" stroke="{GRID}"/>')
        lines.append(
            f'<text x="{x}" y="{axis_y + 17}" fill="{INK}" text-anchor="middle">{tick:g}</text>'
        )
    if reference is not None:
        x = x_of(reference)
        lines.append(f'<path d="M{x} {TOP}V{axis_y}" stroke="{REFERENCE_COLOUR}"/>')
    for at, estimate in enumerate(estimates):
        y = TOP + LINE_HEIGHT * at + LINE_HEIGHT // 2
        lines += [
            f'<text x="{left - GAP}" y="{y + 4}" fill="{INK}" text-anchor="end">'
            f"{escape(names[estimate])}<title>{escape(estimate.name)}</title></text>",
            f'<path d="M{x_of(estimate.low)} {y}H{x_of(estimate.high)}" stroke="{COLOUR}" '
            'stroke-width="1.5"/>',
            whisker(estimate.low, y),
            whisker(estimate.high, y),
            f'<circle cx="{x_of(estimate.value)}" cy="{y}" r="4" fill="{COLOUR}"/>',
            f'<text x="{right + GAP}" y="{y + 4}" fill="{INK}">{escape(estimate.text)}</text>',
        ]
    return "\n".join([*lines, "</svg>"])


def _name(name: str) -> str:
    """Return a name cut to its maximum length and width."""
    short = name if len(name) <= MAX_NAME_LETTERS else name[: MAX_NAME_LETTERS - 1] + "…"
    return fitted(short, FONT_SIZE, MAX_NAMES_WIDTH)


def _column_width(text: str) -> float:
    return pixel_width(text, FONT_SIZE) + 2 * GAP


def _bounds(estimates: Sequence[Estimate]) -> tuple[float, float]:
    ends = [end for estimate in estimates for end in (estimate.low, estimate.value, estimate.high)]
    finite = [end for end in ends if math.isfinite(end)] or [0.0]
    low, high = min(finite), max(finite)
    return (low, high) if low < high else (low - 1, high + 1)


def _ticks(low: float, high: float, width: float) -> list[float]:
    """Return round numbers within the bounds whose labels do not overlap."""
    for max_ticks in range(_MAX_TICKS, 0, -1):
        min_step = (high - low) / max_ticks
        unit: float = 10 ** math.floor(math.log10(min_step))
        step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= min_step)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        ticks = [_rounded(at * step) for at in range(first, last + 1)]
        tick_width = max((pixel_width(f"{tick:g}", FONT_SIZE) for tick in ticks), default=0.0)
        if tick_width + GAP <= width * step / (high - low):
            return ticks
    return ticks[:1]


def _rounded(number: float) -> float:
    """Round a product to 12 digits, because its last digits are inexact."""
    return float(f"{number:.12g}")
