"""The recorded games through the public API: forthvm.load, Position, the engine `axiom`."""

from __future__ import annotations

from functools import cache

import pytest

import forthvm
from golden_runner.host import CLOCK, UNKNOWN
from golden_runner.records import PartialEnd, Ply, game_names, recording
from golden_runner.rules import expected_text, partial_type

VERSIONS = (140, 150)
versions = pytest.mark.parametrize("axiom", VERSIONS)
games = pytest.mark.parametrize("name", game_names())


@cache
def load(name: str, axiom: int) -> forthvm.Game:
    """The game as the recording process loaded it."""
    return forthvm.load(recording(name).path, axiom=axiom, clock=CLOCK, output=lambda text: None)


def check_ply(position: forthvm.Position, step: Ply, axiom: int) -> None:
    """Everything recorded of one position."""
    where = f"ply {step.ply}"
    assert (position.ply, position.turn) == (step.ply, step.player), where
    assert position.cells == step.board, where
    assert position.is_partial == (step.over is None), where
    assert position.code == (UNKNOWN if step.over is None else step.over), where
    result = position.result
    if position.code == UNKNOWN:
        assert result is None, where
    else:
        assert result is not None, where
        assert result.code == step.over, where
    texts = [str(move) for move in position.legal_moves]
    assert texts == [expected_text(text, axiom) for text in step.moves], where
    for move, text in zip(position.legal_moves, step.moves, strict=True):
        assert move.is_partial == (partial_type(text) is not None), where


@versions
@games
def test_play_out(name: str, axiom: int) -> None:
    position = load(name, axiom).start()
    told = recording(name)
    assert position.turn == told.setup.player
    assert position.cells == told.setup.board
    for step in told.steps:
        if isinstance(step, PartialEnd):  # the position has passed the turn by itself
            assert (position.ply, position.turn) == (step.ply, step.next)
            continue
        check_ply(position, step, axiom)
        if step.played is not None:
            position.push(position.legal_moves[step.played])


@versions
@games
def test_back_and_again(name: str, axiom: int) -> None:
    """The whole play-out taken back, each position compared, and played again by text."""
    position = load(name, axiom).start()
    plies = [step for step in recording(name).steps if isinstance(step, Ply)]
    for step in plies[:-1]:
        position.push(position.legal_moves[step.played or 0])
    for step in reversed(plies[:-1]):
        assert position.pop().text == expected_text(step.moves[step.played or 0], axiom)
        check_ply(position, step, axiom)
    for step in plies:
        check_ply(position, step, axiom)
        if step.played is not None:
            position.push_text(expected_text(step.moves[step.played], axiom))


@versions
@games
def test_engine_axiom(name: str, axiom: int) -> None:
    told = recording(name)
    plies = [step for step in told.steps if isinstance(step, Ply)]
    for search in told.searches:
        position = load(name, axiom).start()
        for step in plies[: search.ply]:
            position.push(position.legal_moves[step.played or 0])
        engine = forthvm.engines.get(f"axiom:depth={search.depth_limit}")
        found = engine.play(position)
        where = f"ply {search.ply} depth {search.depth_limit}"
        if search.error is not None:  # axiom-search.md: the first root move
            assert str(found.move) == expected_text(plies[search.ply].moves[0], axiom), where
            continue
        assert search.best is not None
        assert (str(found.move), found.score, found.depth) == (
            expected_text(search.best, axiom),
            search.score,
            search.depth,
        ), where
