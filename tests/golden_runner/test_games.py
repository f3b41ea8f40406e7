"""The recorded games, asked of the C core in the original's order of questions.

Owns nothing but the choice of what is compared; must not use the game API
(test_api does).
"""

from __future__ import annotations

import pytest

from tests.golden_runner.host import Host
from tests.golden_runner.play import begin, check_search, walk
from tests.golden_runner.records import Ply, game_names, has_long_searches, recording
from tests.golden_runner.rules import only_in_140

VERSIONS = (140, 150)
versions = pytest.mark.parametrize("axiom", VERSIONS)
games = pytest.mark.parametrize("game", game_names())
_hosts: dict[tuple[str, int], tuple[Host, object]] = {}


def comparable(game: str, axiom: int) -> None:
    """Skips what the contract lets a later version play differently."""
    reason = only_in_140(recording(game).source)
    if axiom != 140 and reason:
        pytest.skip(reason)


def fresh(game: str, axiom: int) -> Host:
    """A host as a new process would have it, the script just loaded."""
    if (game, axiom) not in _hosts:
        host = Host(recording(game).path, axiom=axiom)
        host.load()
        _hosts[game, axiom] = (host, host.vm.snapshot())
    host, loaded = _hosts[game, axiom]
    host.vm.restore(loaded)  # type: ignore[arg-type]
    host.vm.native.search_reset()
    return host


@versions
@games
def test_set_up(game: str, axiom: int) -> None:
    begin(fresh(game, axiom), recording(game))


@versions
@games
def test_set_up_at_once(game: str, axiom: int) -> None:
    host = fresh(game, axiom)
    host.new()
    host.vm.native.game_setup()
    assert host.board == recording(game).setup.board


@versions
@games
def test_play_out(game: str, axiom: int) -> None:
    comparable(game, axiom)
    host, told = fresh(game, axiom), recording(game)
    begin(host, told)
    seen = [step.ply for step in walk(host, told)]
    assert seen == [step.ply for step in told.steps if isinstance(step, Ply)]


def _searches() -> list[object]:
    return [
        pytest.param(game, ply, marks=pytest.mark.slow if has_long_searches(game) else ())
        for game in game_names()
        for ply in sorted({search.ply for search in recording(game).searches})
    ]


@versions
@pytest.mark.parametrize(("game", "ply"), _searches())
def test_search(game: str, ply: int, axiom: int) -> None:
    comparable(game, axiom)
    told = recording(game)
    for search in told.searches:
        if search.ply == ply:
            check_search(lambda: fresh(game, axiom), told, search)
