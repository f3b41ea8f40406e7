"""Libraries as people own them (`--axiom-lib`): every folder here plays the recordings.

Owns the comparison with golden/; the libraries are the folders beside this file, each a
CORE.4TH and an axiom.4th of our own writing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden_runner.host import Host
from tests.golden_runner.play import begin, check_search, walk
from tests.golden_runner.records import Ply, game_names, has_long_searches, recording
from tests.golden_runner.rules import only_in_140

HERE = Path(__file__).resolve().parent
LIBRARIES = sorted(folder for folder in HERE.iterdir() if (folder / "CORE.4TH").is_file())
libraries = pytest.mark.parametrize("library", LIBRARIES, ids=lambda folder: folder.name)
games = pytest.mark.parametrize("game", game_names())
searched = pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=pytest.mark.slow if has_long_searches(game) else ())
        for game in game_names()
    ],
)
_hosts: dict[tuple[Path, str], tuple[Host, object]] = {}


def fresh(library: Path, game: str) -> Host:
    """A host with that library, the script just loaded; the library says its version."""
    if (library, game) not in _hosts:
        host = Host(recording(game).path, axiom=None, library=library)
        host.load()
        _hosts[library, game] = (host, host.vm.snapshot())
    host, loaded = _hosts[library, game]
    host.vm.restore(loaded)  # type: ignore[arg-type]
    host.vm.native.search_reset()
    return host


def test_there_are_at_least_two() -> None:
    assert len(LIBRARIES) >= 2


def comparable(host: Host, game: str) -> None:
    """Skips what the contract lets a later version play differently."""
    reason = only_in_140(recording(game).source)
    if host.version != 140 and reason:
        pytest.skip(reason)


@libraries
@games
def test_play_out(library: Path, game: str) -> None:
    host, told = fresh(library, game), recording(game)
    comparable(host, game)
    begin(host, told)
    seen = [step.ply for step in walk(host, told, marks=False)]
    assert seen == [step.ply for step in told.steps if isinstance(step, Ply)]


@libraries
@searched
def test_search(library: Path, game: str) -> None:
    told = recording(game)
    comparable(fresh(library, game), game)
    for search in told.searches:
        if search.depth_limit <= 3:
            check_search(lambda: fresh(library, game), told, search, marks=False)
