"""The recorded games, asked of the C core in the original's order of questions.

Owns nothing but the comparison; must not use the game API (test_golden_api does).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from forthvm.core.records import ChangeKind
from golden_runner import tally
from golden_runner.host import Host
from golden_runner.records import PartialEnd, Ply, Search, game_names, recording
from golden_runner.rules import expected_text, partial_type

VERSIONS = (140, 150)
_hosts: dict[tuple[str, int], tuple[Host, object]] = {}


def fresh(game: str, axiom: int) -> Host:
    """A host as a new process would have it, the script just loaded."""
    if (game, axiom) not in _hosts:
        host = Host(recording(game).path, axiom=axiom)
        host.load()
        _hosts[game, axiom] = (host, host.vm.snapshot())
    host, loaded = _hosts[game, axiom]
    host.vm.restore(loaded)
    host.vm.native.search_reset()
    return host


def setups(game: str, axiom: int) -> tuple[Host, list[str]]:
    """A new game with its set-up made."""
    host = fresh(game, axiom)
    host.new()
    return host, host.setup()


def steps(game: str, axiom: int, host: Host) -> Iterator[Ply | PartialEnd]:
    """Walks the recording, comparing every position before it is handed out."""
    after_partial = False
    for step in recording(game).steps:
        where = f"{game} ply {step.ply}"
        assert host.player == step.player, where
        if isinstance(step, PartialEnd):
            assert after_partial, where
            assert host.moves() == [], where
            assert host.player == step.next, where
            after_partial = False
            continue
        assert host.board == step.board, where
        assert host.partial == after_partial, where
        # The original asks "over?" in every position but those inside a partial sequence.
        assert (step.over is None) == after_partial, where
        if step.over is not None:
            assert host.over() == step.over, where
        assert host.moves() == [expected_text(text, axiom) for text in step.moves], where
        check_partial_marks(host, step, where)
        yield step
        if step.played is not None:
            made = host.vm.native.game_make(host.moves_now[step.played])
            after_partial = bool(made)
            assert after_partial == (partial_type(step.moves[step.played]) is not None), where


def check_partial_marks(host: Host, step: Ply, where: str) -> None:
    """What 140 wrote as `partial N` must be in the move itself in every version."""
    for move, text in zip(host.moves_now, step.moves, strict=True):
        marks = [
            change.piece
            for change in host.vm.native.move_changes(move)
            if change.kind is ChangeKind.PARTIAL
        ]
        wanted = partial_type(text)
        assert marks == ([] if wanted is None else [wanted]), f"{where}: {text}"


@pytest.mark.parametrize("axiom", VERSIONS)
@pytest.mark.parametrize("game", game_names())
def test_set_up(game: str, axiom: int) -> None:
    host, edits = setups(game, axiom)
    setup = recording(game).setup
    assert tuple(edits) == setup.edits
    assert host.player == setup.player
    assert host.board == setup.board


@pytest.mark.parametrize("axiom", VERSIONS)
@pytest.mark.parametrize("game", game_names())
def test_set_up_at_once(game: str, axiom: int) -> None:
    host = fresh(game, axiom)
    host.new()
    host.vm.native.game_setup()
    assert host.board == recording(game).setup.board


@pytest.mark.parametrize("axiom", VERSIONS)
@pytest.mark.parametrize("game", game_names())
def test_play_out(game: str, axiom: int) -> None:
    host, _ = setups(game, axiom)
    seen = [step.ply for step in steps(game, axiom, host)]
    assert seen == [step.ply for step in recording(game).steps if isinstance(step, Ply)]


def _searches() -> list[tuple[str, int]]:
    return [
        (game, ply)
        for game in game_names()
        for ply in sorted({search.ply for search in recording(game).searches})
    ]


@pytest.mark.parametrize("axiom", VERSIONS)
@pytest.mark.parametrize(("game", "ply"), _searches())
def test_search(game: str, ply: int, axiom: int) -> None:
    for search in recording(game).searches:
        if search.ply == ply:
            check_search(game, axiom, search)


def check_search(game: str, axiom: int, search: Search) -> None:
    """Replays the moves in a fresh state, as the recording process did, and searches."""
    host, _ = setups(game, axiom)
    for step in steps(game, axiom, host):
        if step.ply == search.ply:
            break
    where = f"{game} ply {search.ply} depth {search.depth_limit}"
    first = host.vm.native.move_text(host.moves_now[0])
    answer = host.search(search.depth_limit)
    if search.error is not None:
        # The original died without a move; forthvm reports the first root move
        # (axiom-search.md, node 5).
        now_first = host.vm.native.move_text(host.vm.native.move_list()[0])
        assert answer.best in {first, now_first}, where
        return
    assert search.best is not None
    assert (answer.best, answer.score, answer.depth) == (
        expected_text(search.best, axiom),
        search.score,
        search.depth,
    ), where
    tally.nodes(game, agree=answer.nodes == search.nodes)
