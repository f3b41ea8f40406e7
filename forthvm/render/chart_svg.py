"""Charts as SVG: series over integers, as lines or bars, in panels.

Owns axes, scales and colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from forthvm.render.measure import fitted, pixel_width

__all__ = ["Panel", "chart_svg"]

WIDTH, PANEL_HEIGHT = 760, 260
"""Width of the picture and height of a panel, in pixels."""
LEFT, RIGHT, TOP, BOTTOM = 70, 130, 34, 40
"""The margins of a panel, in pixels."""
INK, GRID = "#2b2b2b", "#dddddd"
COLOURS = ("#2f78c4", "#e0a100", "#c0392b", "#2e8b57", "#7d4fb3")
FONT_SIZE, TITLE_SIZE = 12, 14
"""Font sizes of texts and of the titles of panels, in pixels."""
MAX_TICKS = 10
MAX_DOTS = 60
"""A line with more values is drawn without dots."""


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One diagram: series of values for the same numbers on the horizontal axis.

    Attributes:
        title: Text above the diagram.
        numbers: Numbers on the horizontal axis, ascending; for bars, the left edges.
        series: Values by the name of the series; `None` leaves a gap in the line.
        logarithmic: Whether the scale is logarithmic; values below 1 are drawn at 1.
        bands: Lower and upper bounds of the values, by the name of the series.
        draw_bars: Whether to draw bars instead of lines.
        maximum: The greatest value on the vertical axis; None: determined by the values.
    """

    title: str
    numbers: Sequence[int]
    series: dict[str, Sequence[float | None]]
    logarithmic: bool = False
    bands: dict[str, tuple[Sequence[float], Sequence[float]]] = field(default_factory=dict)
    draw_bars: bool = False
    maximum: float | None = None


def chart_svg(panels: Sequence[Panel], *, title: str, number_label: str) -> str:
    """Return the panels as a complete SVG document.

    Args:
        panels: The panels, from the top down.
        title: Description for screen readers.
        number_label: Label of the horizontal axes.
    """
    height = PANEL_HEIGHT * len(panels)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="{FONT_SIZE}" '
        'role="img">'
    )
    lines = [head, f"<title>{escape(title)}</title>"]
    lines.append(f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>')
    for at, panel in enumerate(panels):
        lines.append(f'<g transform="translate(0 {at * PANEL_HEIGHT})" fill="{INK}">')
        lines += _panel(panel, number_label)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"])


@dataclass(frozen=True)
class _Scale:
    """Maps values from `low` to `high` to pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        low, high = self.low, self.high
        if self.logarithmic:
            value, low, high = math.log10(max(value, low)), math.log10(low), math.log10(high)
        fraction = (value - low) / (high - low) if high > low else 0.5
        return round(self.start + fraction * (self.end - self.start), 1)


def _panel(panel: Panel, number_label: str) -> Iterator[str]:
    values = [value for series in panel.series.values() for value in series if value is not None]
    maximum = max(values, default=1) if panel.maximum is None else panel.maximum
    ticks = _powers(values) if panel.logarithmic else _steps(0, maximum)
    y_of = _Scale(ticks[0], ticks[-1], PANEL_HEIGHT - BOTTOM, TOP, panel.logarithmic)
    numbers = _edges(panel.numbers) if panel.draw_bars else panel.numbers or (0,)
    tick_width = max(pixel_width(f"{tick:,.0f}", FONT_SIZE) for tick in ticks)
    left = max(LEFT, math.ceil(tick_width) + 16)
    x_of = _Scale(numbers[0], numbers[-1], left, WIDTH - RIGHT)
    title = _label(panel.title, TITLE_SIZE, WIDTH - left)
    yield f'<text x="{left}" y="{TOP - 14}" font-size="{TITLE_SIZE}">{title}</text>'
    for tick in ticks:
        y = y_of(tick)
        yield f'<path d="M{left} {y}H{WIDTH - RIGHT}" stroke="{GRID}"/>'
        yield f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{tick:,.0f}</text>'
    yield from _number_ticks(numbers, x_of, draw_bars=panel.draw_bars)
    middle = (left + WIDTH - RIGHT) // 2
    label = escape(number_label)
    yield f'<text x="{middle}" y="{PANEL_HEIGHT - 8}" text-anchor="middle">{label}</text>'
    for at, (name, series) in enumerate(panel.series.items()):
        colour = COLOURS[at % len(COLOURS)]
        if name in panel.bands:
            yield _band(numbers, panel.bands[name], x_of, y_of, colour)
        if panel.draw_bars:
            yield from _bars(numbers, series, x_of, y_of, colour)
        else:
            yield from _line(zip(numbers, series, strict=False), x_of, y_of, colour)
        y = TOP + 6 + 18 * at
        x = WIDTH - RIGHT + 14
        yield f'<path d="M{x} {y}h18" stroke="{colour}" stroke-width="2"/>'
        yield f'<text x="{x + 24}" y="{y + 4}">{_label(name, FONT_SIZE, RIGHT - 38)}</text>'


def _number_ticks(numbers: Sequence[int], x_of: _Scale, *, draw_bars: bool) -> Iterator[str]:
    """Draw the numbers below the axis; numbers that would overlap are left out.

    If each bar represents a single number, the number is below the middle of the bar.
    """
    bar_width = 1 if draw_bars and numbers[1] - numbers[0] == 1 else 0
    previous_end = -math.inf
    y = PANEL_HEIGHT - BOTTOM + 16
    for tick in _steps(numbers[0], numbers[-1]):
        x, half_width = x_of(tick + bar_width / 2), pixel_width(f"{tick:.0f}", FONT_SIZE) / 2
        if numbers[0] <= tick <= numbers[-1] - bar_width and x - half_width >= previous_end:
            yield f'<text x="{x}" y="{y}" text-anchor="middle">{tick:.0f}</text>'
            previous_end = x + half_width


def _label(text: str, size: int, width: float) -> str:
    """Return a text cut to a width, with the full text as its tooltip."""
    short = fitted(text, size, width)
    tooltip = "" if short == text else f"<title>{escape(text)}</title>"
    return f"{escape(short)}{tooltip}"


def _line(
    points: Iterator[tuple[int, float | None]] | zip[tuple[int, float | None]],
    x_of: _Scale,
    y_of: _Scale,
    colour: str,
) -> Iterator[str]:
    """Draw a line with a dot at each value, so that single values between gaps are visible."""
    path, dots, command = [], [], "M"
    for number, value in points:
        if value is None:
            command = "M"
            continue
        x, y = x_of(number), y_of(value)
        path.append(f"{command}{x} {y}")
        dots.append(f'<circle cx="{x}" cy="{y}" r="2.2" fill="{colour}"/>')
        command = "L"
    if path:
        yield f'<path d="{"".join(path)}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    if len(dots) <= MAX_DOTS:
        yield from dots


def _band(
    numbers: Sequence[int],
    band: tuple[Sequence[float], Sequence[float]],
    x_of: _Scale,
    y_of: _Scale,
    colour: str,
) -> str:
    """Draw the area between the lower and upper bounds."""
    low, high = band
    upper = [f"{x_of(number)} {y_of(value)}" for number, value in zip(numbers, high, strict=False)]
    lower = [f"{x_of(number)} {y_of(value)}" for number, value in zip(numbers, low, strict=False)]
    return f'<path d="M{"L".join([*upper, *reversed(lower)])}Z" fill="{colour}" opacity="0.15"/>'


def _edges(numbers: Sequence[int]) -> Sequence[int]:
    """Return the left edges of the bars, and the right edge of the last bar."""
    if not numbers:
        return (0, 1)
    return (*numbers, numbers[-1] + (numbers[-1] - numbers[-2] if len(numbers) > 1 else 1))


def _bars(
    edges: Sequence[int], series: Sequence[float | None], x_of: _Scale, y_of: _Scale, colour: str
) -> Iterator[str]:
    """Draw a bar for each value, with the value as its tooltip."""
    for left, right, value in zip(edges, edges[1:], series, strict=False):
        if value:
            x, y = x_of(left), y_of(value)
            width, height = max(0.5, x_of(right) - x - 0.5), y_of(0) - y
            interval = f"{left}" if right == left + 1 else f"{left} to {right - 1}"
            yield (
                f'<rect x="{x}" y="{y}" width="{width:.1f}" height="{height:.1f}" '
                f'fill="{colour}"><title>{interval}: {value:g}</title></rect>'
            )


def _powers(values: Sequence[float]) -> list[float]:
    """Return two or more powers of ten that enclose the values."""
    maximum = max(max(values, default=1), 1)
    minimum = max(min(values, default=1), 1)
    first = math.floor(math.log10(minimum))
    last = max(math.ceil(math.log10(maximum)), first + 1)
    return [10.0**power for power in range(first, last + 1)]


def _steps(low: float, high: float) -> list[float]:
    """Return two or more round integers that enclose `low` and `high`."""
    span = max(high - low, 1)
    unit = 10 ** math.floor(math.log10(span / MAX_TICKS)) if span > MAX_TICKS else 1
    step = next(unit * factor for factor in (1, 2, 5, 10) if span / (unit * factor) <= MAX_TICKS)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [step * at for at in range(first, max(last, first + 1) + 1)]
