"""Charts: the positions of dots, lines, bands and bars."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from forthvm.render.chart_svg import BOTTOM, LEFT, PANEL_HEIGHT, RIGHT, TOP, WIDTH, Panel, chart_svg


def dots(text: str) -> list[tuple[float, float]]:
    found = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', text)
    return [(float(x), float(y)) for x, y in found]


def labels(text: str) -> list[str]:
    elements = ElementTree.fromstring(text).iter()
    return [element.text or "" for element in elements if element.tag.endswith("text")]


def test_a_linear_scale_extends_from_0_to_the_greatest_tick() -> None:
    """0 is at the bottom, the greatest tick at the top; the first and last number at the edges."""
    panel = Panel(title="t", numbers=(1, 2, 3), series={"a": [0, 5, 10]})
    low, high = PANEL_HEIGHT - BOTTOM, TOP
    middle = (LEFT + WIDTH - RIGHT) / 2
    text = chart_svg([panel], title="t", number_label="ply")
    assert dots(text) == [(LEFT, low), (middle, (low + high) / 2), (WIDTH - RIGHT, high)]
    assert {"0", "10", "ply", "a"} <= set(labels(text))


def test_a_logarithmic_scale_has_equal_distances_for_equal_factors() -> None:
    """Equal factors have equal distances; values below 1 are drawn at 1."""
    panel = Panel(title="t", numbers=(1, 2, 3, 4), series={"a": [0, 1, 10, 100]}, logarithmic=True)
    text = chart_svg([panel], title="t", number_label="ply")
    low, high = PANEL_HEIGHT - BOTTOM, TOP
    assert [y for _, y in dots(text)] == [low, low, (low + high) / 2, high]
    assert {"1", "10", "100"} <= set(labels(text))


def test_missing_values_are_gaps() -> None:
    """A missing value ends a line; the next value begins another line."""
    panel = Panel(title="t", numbers=(1, 2, 3, 4), series={"a": [1, None, 2, 3]})
    text = chart_svg([panel], title="t", number_label="ply")
    assert len(dots(text)) == 3
    assert re.findall(r"[ML](?=[\d.]+ [\d.]+[ML\"])", re.search(r'd="(M[^"H]*)" f', text)[0]) == [
        "M",
        "M",
        "L",
    ]


def test_panels_with_few_or_large_values() -> None:
    """Panels may have one value, no values, or large values; names are escaped."""
    panels = [
        Panel(title="<one>", numbers=(7,), series={"a&b": [3]}),
        Panel(title="none", numbers=(), series={"a": []}),
        Panel(title="large", numbers=(1, 900), series={"a": [10**9, 2]}, logarithmic=True),
    ]
    text = chart_svg(panels, title="x", number_label="ply")
    root = ElementTree.fromstring(text)
    assert root.get("height") == str(3 * PANEL_HEIGHT)
    assert {"<one>", "a&b", "1,000,000,000"} <= set(labels(text))


def test_bands_follow_their_bounds_up_to_a_fixed_maximum() -> None:
    """The outline of a band follows the upper ends and returns along the lower ends."""
    panel = Panel(
        title="t",
        numbers=(1, 2),
        series={"a": [50, 50]},
        bands={"a": ([0, 25], [100, 75])},
        maximum=100,
    )
    text = chart_svg([panel], title="t", number_label="games")
    low, high = PANEL_HEIGHT - BOTTOM, TOP
    quarter = (low - high) / 4
    corners = re.search(r'd="M([^"]*)Z"', text)
    points = [tuple(map(float, point.split())) for point in corners[1].split("L")]
    right = WIDTH - RIGHT
    assert points == [(LEFT, high), (right, high + quarter), (right, low - quarter), (LEFT, low)]


def test_bars_have_the_height_of_their_values() -> None:
    """Bars reach from 0 to their values; bars of 0 are left out; all have the same width."""
    panel = Panel(title="t", numbers=(0, 10, 20), series={"games": [5, 0, 10]}, draw_bars=True)
    text = chart_svg([panel], title="t", number_label="plies")
    found = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', text)
    (first, last) = [tuple(map(float, numbers)) for numbers in found]
    third = (WIDTH - RIGHT - LEFT) / 3
    assert first[0] == LEFT
    assert last[0] == pytest.approx(LEFT + 2 * third, abs=0.1)
    assert first[2] == pytest.approx(third - 0.5, abs=0.2)
    assert list(last[1:]) == pytest.approx([TOP, third - 0.5, PANEL_HEIGHT - BOTTOM - TOP], abs=0.2)
    assert first[3] == (PANEL_HEIGHT - BOTTOM - TOP) / 2
    assert "<title>0 to 9: 5</title>" in text


def test_many_values_have_no_dots() -> None:
    panel = Panel(title="t", numbers=range(100), series={"a": [1.0] * 100})
    assert dots(chart_svg([panel], title="t", number_label="ply")) == []
