"""The recorded games through the public API: forthvm.load, Position, the engine `axiom`."""

from __future__ import annotations

from functools import cache

import pytest

import forthvm
from tests.golden_runner.host import CLOCK, UNKNOWN
from tests.golden_runner.records import PartialEnd, Ply, game_names, has_long_searches, recording
from tests.golden_runner.rules import (
    expected_text,
    only_in_140,
    partial_type,
    uses_caret_words,
)

VERSIONS = (140, 150)
versions = pytest.mark.parametrize("axiom", VERSIONS)
games = pytest.mark.parametrize("name", game_names())
searched = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if has_long_searches(name) else ())
        for name in game_names()
    ],
)


@cache
def load(name: str, axiom: int) -> forthvm.Game:
    """Load a game with the options of the recording process."""
    return forthvm.load(recording(name).path, axiom=axiom, clock=CLOCK, output=lambda text: None)


def skip_if_different(name: str, axiom: int) -> None:
    """Skip a game that is documented to play differently in a version after 140."""
    reason = only_in_140(recording(name).source)
    if axiom != 140 and reason:
        pytest.skip(reason)


def expected_texts(name: str, step: Ply, axiom: int) -> list[str] | None:
    """Return the move texts of a position; None if `^` words have added to the recorded texts."""
    if axiom != 140 and uses_caret_words(recording(name).source):
        return None  # test_games compares them with the changes of the moves
    return [expected_text(text, axiom) for text in step.moves]


def check_ply(position: forthvm.Position, name: str, step: Ply, axiom: int) -> None:
    """Compare a position with its record."""
    where = f"ply {step.ply}"
    assert (position.ply, position.turn) == (step.ply, step.player), where
    assert position.cells == step.board, where
    assert position.is_partial == (step.over is None), where
    assert position._code == (UNKNOWN if step.over is None else step.over), where
    result = position.result
    if position._code == UNKNOWN:
        assert result is None, where
    else:
        assert result is not None, where
        assert result.code == step.over, where
        assert position.comment == step.comment.removesuffix(" "), where
    texts = [str(move) for move in position.generated_moves]
    assert texts == (expected_texts(name, step, axiom) or texts), where
    for move, text in zip(position.generated_moves, step.moves, strict=True):
        assert move.is_partial == (partial_type(text) is not None), where


@pytest.mark.sampled(7)
@versions
@games
def test_recorded_games(name: str, axiom: int) -> None:
    skip_if_different(name, axiom)
    position = load(name, axiom).start()
    recorded = recording(name)
    assert position.turn == recorded.setup.player
    assert position.cells == recorded.setup.board
    for step in recorded.steps:
        if isinstance(step, PartialEnd):  # the API has passed the turn already
            assert (position.ply, position.turn) == (step.ply, step.next)
            continue
        check_ply(position, name, step, axiom)
        if step.played is not None:
            position.push(position.generated_moves[step.played])


@pytest.mark.sampled(7)
@versions
@games
def test_moves_can_be_taken_back_and_repeated(name: str, axiom: int) -> None:
    """Take back all moves, compare each position, and play the moves again by their texts."""
    skip_if_different(name, axiom)
    position = load(name, axiom).start()
    plies = [step for step in recording(name).steps if isinstance(step, Ply)]
    for step in plies[:-1]:
        position.push(position.generated_moves[step.played or 0])
    for step in reversed(plies[:-1]):
        popped = position.pop()
        assert str(position.generated_moves[step.played or 0]) == popped.text
        check_ply(position, name, step, axiom)
    for step in plies:
        check_ply(position, name, step, axiom)
        if step.played is not None:
            move = position.generated_moves[step.played]
            first = position.generated_moves.texts.index(str(move))  # the first with the text
            position.push(str(move)) if first == step.played else position.push(move)


@pytest.mark.sampled(7)
@versions
@searched
def test_recorded_searches(name: str, axiom: int) -> None:
    skip_if_different(name, axiom)
    recorded = recording(name)
    plies = [step for step in recorded.steps if isinstance(step, Ply)]
    for search in recorded.searches:
        position = load(name, axiom).start()
        for step in plies[: search.ply]:
            position.push(position.generated_moves[step.played or 0])
        engine = forthvm.engines.get(f"axiom:depth={search.depth_limit}")
        found = engine.play(position)
        where = f"ply {search.ply} depth {search.depth_limit}"
        if search.error is not None:  # the original crashed; forthvm returns the first move
            assert found.move.index == 0, where
            continue
        assert search.best is not None
        best = plies[search.ply].moves.index(search.best)
        assert str(found.move) == str(position.generated_moves[best]), where
        assert (found.score, found.depth) == (search.score, search.depth), where
