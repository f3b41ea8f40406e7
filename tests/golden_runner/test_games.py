"""Replay the recorded games in the C core, with the calls of the original's host in its order.

It must not use the game API, which test_api.py tests.
"""

from __future__ import annotations

import pytest

from tests.golden_runner.host import Host
from tests.golden_runner.play import begin, check_search, replay
from tests.golden_runner.records import Ply, game_names, has_long_searches, recording
from tests.golden_runner.rules import only_in_140

VERSIONS = (140, 150)
versions = pytest.mark.parametrize("axiom", VERSIONS)
games = pytest.mark.parametrize("game", game_names())
_hosts: dict[tuple[str, int], tuple[Host, object]] = {}


def skip_if_different(game: str, axiom: int) -> None:
    """Skip a game that is documented to play differently in a version after 140."""
    reason = only_in_140(recording(game).source)
    if axiom != 140 and reason:
        pytest.skip(reason)


def new_host(game: str, axiom: int) -> Host:
    """Return a host in the state of a new process that has loaded the script."""
    if (game, axiom) not in _hosts:
        host = Host(recording(game).path, axiom=axiom)
        host.load()
        _hosts[game, axiom] = (host, host.vm.snapshot())
    host, loaded = _hosts[game, axiom]
    host.vm.restore(loaded)  # type: ignore[arg-type]
    host.vm.native.search_reset()
    return host


@pytest.mark.sampled(3)
@versions
@games
def test_set_up(game: str, axiom: int) -> None:
    begin(new_host(game, axiom), recording(game))


@versions
@games
def test_set_up_in_one_call(game: str, axiom: int) -> None:
    host = new_host(game, axiom)
    host.new()
    host.vm.native.game_setup()
    assert host.board == recording(game).setup.board


@pytest.mark.sampled(9)
@versions
@games
def test_recorded_games(game: str, axiom: int) -> None:
    skip_if_different(game, axiom)
    host, recorded = new_host(game, axiom), recording(game)
    begin(host, recorded)
    plies = [step.ply for step in replay(host, recorded)]
    assert plies == [step.ply for step in recorded.steps if isinstance(step, Ply)]


def _searches() -> list[object]:
    return [
        pytest.param(game, ply, marks=pytest.mark.slow if has_long_searches(game) else ())
        for game in game_names()
        for ply in sorted({search.ply for search in recording(game).searches})
    ]


@pytest.mark.sampled(17)
@versions
@pytest.mark.parametrize(("game", "ply"), _searches())
def test_recorded_searches(game: str, ply: int, axiom: int) -> None:
    skip_if_different(game, axiom)
    recorded = recording(game)
    for search in recorded.searches:
        if search.ply == ply:
            check_search(lambda: new_host(game, axiom), recorded, search)
