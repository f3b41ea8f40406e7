"""Tests that each library of this folder reproduces the golden recordings (`--axiom-lib`).

Owns the comparison with tests/golden.  The libraries are the folders beside this file; each has a
CORE.4TH and an axiom.4th written for these tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden_runner.host import Host
from tests.golden_runner.play import begin, check_search, replay
from tests.golden_runner.records import Ply, game_names, has_long_searches, recording
from tests.golden_runner.rules import only_in_140

FOLDER = Path(__file__).resolve().parent
LIBRARIES = sorted(folder for folder in FOLDER.iterdir() if (folder / "CORE.4TH").is_file())
libraries = pytest.mark.parametrize("library", LIBRARIES, ids=lambda folder: folder.name)
games = pytest.mark.parametrize("game", game_names())
games_with_slow_searches = pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=pytest.mark.slow if has_long_searches(game) else ())
        for game in game_names()
    ],
)
_hosts: dict[tuple[Path, str], tuple[Host, object]] = {}


def loaded_host(library: Path, game: str) -> Host:
    """Return a host that has loaded a game's script with a library.

    Hosts are reused: the state after loading is restored.  The library states its version.
    """
    if (library, game) not in _hosts:
        host = Host(recording(game).path, axiom=None, library=library)
        host.load()
        _hosts[library, game] = (host, host.vm.snapshot())
    host, loaded = _hosts[library, game]
    host.vm.restore(loaded)  # type: ignore[arg-type]
    host.vm.native.search_reset()
    return host


def test_there_are_at_least_two_libraries() -> None:
    assert len(LIBRARIES) >= 2


def skip_if_not_comparable(host: Host, game: str) -> None:
    """Skip the test if the library's version may play the game differently from version 140."""
    reason = only_in_140(recording(game).source)
    if host.version != 140 and reason:
        pytest.skip(reason)


@pytest.mark.sampled(29)
@libraries
@games
def test_recorded_games_are_reproduced(library: Path, game: str) -> None:
    host, expected = loaded_host(library, game), recording(game)
    skip_if_not_comparable(host, game)
    begin(host, expected)
    plies = [step.ply for step in replay(host, expected, partial=False)]
    assert plies == [step.ply for step in expected.steps if isinstance(step, Ply)]


@pytest.mark.sampled(29)
@libraries
@games_with_slow_searches
def test_recorded_searches_are_reproduced(library: Path, game: str) -> None:
    expected = recording(game)
    skip_if_not_comparable(loaded_host(library, game), game)
    for search in expected.searches:
        if search.depth_limit <= 3:
            check_search(lambda: loaded_host(library, game), expected, search, partial=False)
