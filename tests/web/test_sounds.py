"""The sounds of the page, rendered by the browser instead of played."""

from __future__ import annotations

from itertools import pairwise

import pytest

import forthvm
from forthvm.web.table.table import Table
from tests.web.browsing import Show

RATE = 44100
LATE = 0.4  # seconds until which a knock has faded
RENDER = """
const [name, rate, done] = arguments;
import("/page/sounds.js").then(async ({ addSound }) => {
  const context = new OfflineAudioContext(1, 2 * rate, rate);
  addSound(context, name);
  done([...(await context.startRendering()).getChannelData(0)]);
}).catch((error) => done(String(error)));
"""

pytestmark = pytest.mark.slow


def samples_of(show: Show, name: str) -> list[float]:
    browser = show(Table(forthvm.load("tictactoe")))
    samples = browser.driver.execute_async_script(RENDER, name, RATE)
    assert isinstance(samples, list), samples
    return samples


def crossings(samples: list[float]) -> int:
    """Return how often the sign changes: noise changes it more often than a low tone."""
    return sum(one < 0 <= other for one, other in pairwise(samples))


@pytest.mark.parametrize("name", ["move", "capture", "refused"])
def test_knocks_are_short_and_not_clipped(show: Show, name: str) -> None:
    samples = samples_of(show, name)
    assert 0.1 < max(map(abs, samples)) < 1
    assert not any(samples[round(LATE * RATE) :])


def test_a_knock_begins_with_noise_and_a_refusal_is_dull(show: Show) -> None:
    start = slice(0, round(0.02 * RATE))
    move, refused = (
        sum(crossings(samples_of(show, name)[start]) for _ in range(5))  # the noise is random
        for name in ("move", "refused")
    )
    assert move > 1.5 * refused


def test_the_chord_of_the_end_fades(show: Show) -> None:
    samples = samples_of(show, "end")
    loudness = [max(map(abs, samples[at : at + RATE // 4])) for at in range(0, RATE, RATE // 4)]
    assert loudness == sorted(loudness, reverse=True)
    assert 0 < loudness[-1] < loudness[0] / 4
