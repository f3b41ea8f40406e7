"""Line charts: where values go."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from forthvm.render.chart_svg import BOTTOM, LEFT, PANEL, RIGHT, TOP, WIDTH, Panel, chart_svg


def dots(text: str) -> list[tuple[float, float]]:
    found = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', text)
    return [(float(x), float(y)) for x, y in found]


def labels(text: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(text).iter() if one.tag[-4:] == "text"]


def test_linear() -> None:
    """0 is at the bottom, the greatest tick at the top, places from edge to edge."""
    panel = Panel(title="t", across=(1, 2, 3), series={"a": [0, 5, 10]})
    low, high = PANEL - BOTTOM, TOP
    middle = (LEFT + WIDTH - RIGHT) / 2
    text = chart_svg([panel], title="t", across="ply")
    assert dots(text) == [(LEFT, low), (middle, (low + high) / 2), (WIDTH - RIGHT, high)]
    assert {"0", "10", "ply", "a"} <= set(labels(text))


def test_logarithmic() -> None:
    """Equal steps for equal factors; what is below 1 is drawn at 1."""
    panel = Panel(title="t", across=(1, 2, 3, 4), series={"a": [0, 1, 10, 100]}, logarithmic=True)
    text = chart_svg([panel], title="t", across="ply")
    low, high = PANEL - BOTTOM, TOP
    assert [y for _, y in dots(text)] == [low, low, (low + high) / 2, high]
    assert {"1", "10", "100"} <= set(labels(text))


def test_gaps() -> None:
    """A missing value ends the line; the next one begins another."""
    panel = Panel(title="t", across=(1, 2, 3, 4), series={"a": [1, None, 2, 3]})
    text = chart_svg([panel], title="t", across="ply")
    assert len(dots(text)) == 3
    assert re.findall(r"[ML](?=[\d.]+ [\d.]+[ML\"])", re.search(r'd="(M[^"H]*)" f', text)[0]) == [
        "M",
        "M",
        "L",
    ]


def test_panels_and_odd_sizes() -> None:
    """One value, none, and large ones; names are escaped."""
    panels = [
        Panel(title="<one>", across=(7,), series={"a&b": [3]}),
        Panel(title="none", across=(), series={"a": []}),
        Panel(title="large", across=(1, 900), series={"a": [10**9, 2]}, logarithmic=True),
    ]
    text = chart_svg(panels, title="x", across="ply")
    root = ElementTree.fromstring(text)
    assert root.get("height") == str(3 * PANEL)
    assert {"<one>", "a&b", "1,000,000,000"} <= set(labels(text))
