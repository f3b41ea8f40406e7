"""Plots of estimates with intervals: the positions of dots, whiskers and ticks."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

from forthvm.render.interval_svg import (
    MIN_NAMES_WIDTH,
    MIN_NUMBERS_WIDTH,
    MIN_WIDTH,
    Estimate,
    interval_svg,
)


def estimate(value: float, low: float, high: float, name: str = "A") -> Estimate:
    return Estimate(name=name, value=value, low=low, high=high, text=f"{value:g}")


def test_values_are_placed_on_the_axis() -> None:
    """The middle value is in the middle; an interval beyond the axis ends at its edge."""
    text = interval_svg([estimate(50, 0, 200)], title="t", bounds=(0, 100), reference=25)
    left, right = MIN_NAMES_WIDTH, MIN_WIDTH - MIN_NUMBERS_WIDTH
    assert f'<circle cx="{(left + right) / 2}"' in text
    assert re.search(rf"M{left:.1f} \d+H{right:.1f}", text)
    assert f'<path d="M{left + (right - left) / 4}' in text


def test_the_axis_contains_the_finite_ends() -> None:
    text = interval_svg([estimate(math.inf, -100, math.inf), estimate(0, -300, 100)], title="t")
    left, right = MIN_NAMES_WIDTH, MIN_WIDTH - MIN_NUMBERS_WIDTH
    assert f'<circle cx="{right:.1f}"' in text
    assert f'<circle cx="{left + (right - left) * 0.75}"' in text
    root = ElementTree.fromstring(text)
    ticks = [element.text for element in root.iter() if element.get("text-anchor") == "middle"]
    assert ticks == ["-300", "-250", "-200", "-150", "-100", "-50", "0", "50", "100"]


def test_names_are_escaped_and_cut() -> None:
    name = "<script>alert(1)</script> and so on"
    text = interval_svg([estimate(1, 0, 2, name)], title="<b>")
    assert "<script>" not in text
    texts = [element.text for element in ElementTree.fromstring(text).iter() if element.text]
    assert name in texts
    assert "<script>alert(1)</script>…" in texts


def test_plots_without_estimates_or_with_one_value() -> None:
    ElementTree.fromstring(interval_svg([], title="t"))
    ElementTree.fromstring(interval_svg([estimate(7, 7, 7)], title="t"))
