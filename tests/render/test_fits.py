"""No part of a plot is cut off; a browser measures plots of extreme values in two fonts."""

from __future__ import annotations

import json
import math
import re
import shutil
from pathlib import Path

import pytest

from forthvm.render.chart_svg import Panel, chart_svg
from forthvm.render.interval_svg import Estimate, interval_svg
from tests.kit.processes import output_of

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is absent")

WIDE = "W" * 60
CJK = "\u68cb" * 40
# For each picture: the shapes that are partly outside of it, and the texts that overlap.
BROWSER_SCRIPT = """\
const found = [];
for (const svg of document.querySelectorAll("svg")) {
  const frame = svg.getBoundingClientRect();
  for (const shape of svg.querySelectorAll("text, path, circle, rect")) {
    const box = shape.getBoundingClientRect();
    if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5 ||
        box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5)
      found.push(svg.id + ": " + (shape.textContent || shape.outerHTML).slice(0, 60));
  }
  const texts = [...svg.querySelectorAll("text")].map(text => text.getBoundingClientRect());
  texts.forEach((first, at) => texts.slice(at + 1).forEach(second => {
    if (first.left < second.right && second.left < first.right && first.top + 3 < second.bottom &&
        second.top + 3 < first.bottom) found.push(svg.id + ": texts overlap");
  }));
}
document.title = JSON.stringify(found);
"""


def make_estimate(name: str, value: float, low: float, high: float) -> Estimate:
    text = f"{value:+.0f} ({low:+.0f} to {high:+.0f})"
    return Estimate(name=name, value=value, low=low, high=high, text=text)


INTERVALS = {
    "plain": [make_estimate("A", 10, -20, 40), make_estimate("B", -10, -40, 20)],
    "extreme": [
        make_estimate("A", 12345, -2345678, 1234567),
        make_estimate("B", -12345, -99999, 4),
    ],
    "infinite": [
        make_estimate("A", math.inf, 382, math.inf),
        make_estimate("B", -math.inf, -math.inf, -382),
    ],
    "all infinite": [make_estimate("A", math.inf, -math.inf, math.inf)],
    "first": [make_estimate("A", 0, 0, 0)],
    "names": [make_estimate(WIDE, 800, 300, 1300), make_estimate(CJK, -800, -1300, -300)],
    "many": [make_estimate(f"engine {at}", at, at - 50, at + 50) for at in range(40)],
    "narrow scale": [make_estimate("A", 1e-6, 0.5e-6, 2e-6)],
}
CHARTS = {
    "long names": Panel(title=WIDE, numbers=(1, 2), series={WIDE: [1, 2], CJK: [2, 3]}),
    "large": Panel(title="t", numbers=(1, 10**9), series={"a": [10**12, 2]}),
    "powers": Panel(title="t", numbers=(1, 900), series={"a": [10**12, 2]}, logarithmic=True),
    "bars": Panel(title="t", numbers=(1000000, 2000000), series={"a": [3, 10**7]}, draw_bars=True),
    "band": Panel(
        title="t",
        numbers=(1, 2),
        series={"a": [0, 100]},
        bands={"a": ([0, 0], [100, 100])},
        maximum=100,
    ),
}


def pictures() -> dict[str, str]:
    found = {
        f"{name}, {'0 to 100' if bounds else 'free'}": interval_svg(
            estimates, title="t", bounds=bounds, reference=0
        )
        for name, estimates in INTERVALS.items()
        for bounds in (None, (0.0, 100.0))
    }
    charts = {
        name: chart_svg([panel], title="t", number_label="x") for name, panel in CHARTS.items()
    }
    return found | charts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "font"),
    [
        (380, "DejaVu Sans"),
        *(
            pytest.param(width, font, marks=pytest.mark.slow)
            for width, font in (
                (1400, "sans-serif"),
                (1400, "DejaVu Sans"),
                (800, "sans-serif"),
                (800, "DejaVu Sans"),
                (380, "sans-serif"),
            )
        ),
    ],
)
def test_shapes_are_inside_and_texts_do_not_overlap(tmp_path: Path, font: str, width: int) -> None:
    assert CHROMIUM is not None
    drawn = "".join(
        text.replace("<svg ", f'<svg id="{name}" ', 1).replace(
            'font-family="sans-serif"', f'font-family="{font}"'
        )
        for name, text in pictures().items()
    )
    page = tmp_path / "page.html"
    style = "svg { max-width: 100%; height: auto; display: block }"
    page.write_text(
        f"<!DOCTYPE html><meta charset=utf-8><style>{style}</style>{drawn}"
        f"<script>{BROWSER_SCRIPT}</script>",
        encoding="utf-8",
    )
    printed = output_of(
        *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
        *(f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},900"),
        *("--dump-dom", f"file://{page}"),
    )
    title = re.search(r"<title>(\[.*?\])</title>", printed)
    assert json.loads(title[1]) == []


def test_an_end_beyond_the_axis_is_an_arrow() -> None:
    """A cap would mean that the interval ends there."""
    text = interval_svg([make_estimate("A", math.inf, 382, math.inf)], title="t")
    assert 'class="beyond"' in text
    assert 'class="beyond"' not in interval_svg([make_estimate("A", 1, 0, 2)], title="t")
