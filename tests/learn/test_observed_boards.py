"""Observations of positions of all games: nothing is lost, and nothing is shown twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest

import forthvm
from forthvm.game import Game
from forthvm.game.memory.variables import variables_of
from forthvm.learn.observations import Observer
from tests.kit.every_game import every_game
from tests.learn.positions import pieces_on_board, pieces_on_planes, played

ROOT = Path(__file__).parents[2]
SCRIPTS = [
    *sorted((ROOT / "tests" / "golden" / "games").glob("*.4th")),
    *sorted((ROOT / "benchmarks" / "games").glob("*.4th")),
    *sorted((ROOT / "tests" / "zrf" / "games").glob("*.zrf")),
]


def planes_of(observer: Observer, kind: str, history: int = 0) -> list[int]:
    """Return the indices of the planes of a kind."""
    planes = enumerate(observer.spec.planes)
    return [at for at, plane in planes if plane.kind == kind and plane.history == history]


def check_game(game: Game, plies: int) -> None:
    """Compare pieces and numbers with the planes of all players, in positions of a random game."""
    relative = forthvm.observer(game, history=2)
    absolute = forthvm.observer(game, view="absolute", spec=None)
    variables = planes_of(absolute, "variable")
    before: dict[str, Any] = {}
    for position in played(game, 7, plies, every=1):
        seen = {}
        for observer in (relative, absolute):
            for viewer in observer.players:
                planes: Any = observer.observe(position, for_player=viewer)
                assert planes.shape == observer.spec.shape
                assert -1 <= planes.min() <= planes.max() <= 2
                other = planes[planes_of(observer, "other")[0]]
                shown, real = (
                    pieces_on_planes(observer, planes),
                    pieces_on_board(observer, position, viewer),
                )
                if not other.any():
                    assert shown == real
                assert shown.items() <= real.items()
                seen[observer.spec.view, viewer] = planes
        check_history(relative, seen, before)
        before = seen
        for at in variables:
            plane = absolute.spec.planes[at]
            shown_number = seen["absolute", absolute.players[0]][at].flat[0]
            name = plane.name.split(": ")[-1]
            if name in variables_of(game._loaded) and plane.owner is None:
                value = position.variables[name]
                expected = (value - plane.low) / (plane.high - plane.low)
                if 0 <= expected <= 1:
                    assert shown_number == pytest.approx(expected)


def check_history(observer: Observer, now: dict[Any, Any], before: dict[Any, Any]) -> None:
    """Check that earlier planes are the planes that the same player saw a ply ago."""
    newest = [
        at
        for at, plane in enumerate(observer.spec.planes)
        if plane.history == 0 and plane.kind not in STATE_KINDS
    ]
    earlier = [at for at, plane in enumerate(observer.spec.planes) if plane.history == 1]
    assert len(newest) == len(earlier)
    for viewer in observer.players:
        old = now["mover", viewer][earlier]
        if not before:
            assert not old.any()
        else:
            assert (old == before["mover", viewer][newest]).all()


STATE_KINDS = {"to move", "phase", "partial", "move type", "board"}


@pytest.mark.sampled(2)
@every_game()
def test_planes_of_bundled_games(name: str) -> None:
    check_game(forthvm.load(name), plies=25)


@pytest.mark.slow
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_planes_of_other_games(path: Path) -> None:
    check_game(forthvm.load(path), plies=25)


@every_game()
def test_different_boards_have_different_planes(name: str) -> None:
    game = forthvm.load(name)
    observer = forthvm.observer(game, view="absolute")
    by_planes: dict[bytes, object] = {}
    for position in played(game, 3, plies=40, every=1):
        planes: Any = observer.observe(position, for_player=observer.players[0])
        moves = tuple(sorted(position.legal_moves.texts))
        key = position.cells, position.turn, position._turn_index, moves
        assert by_planes.setdefault(planes.tobytes(), key) == key


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["chess", "ur", "yonin-shogi", "thud"])
def test_bytes_are_floats_times_255(name: str) -> None:
    game = forthvm.load(name)
    observer = forthvm.observer(game)
    for position in played(game, 5):
        floats: Any = observer.observe(position)
        values: Any = observer.observe(position, observer.new_array(dtype="uint8"))
        expected = numpy.floor(numpy.clip(floats.astype(float), 0, 1) * 255 + 0.5)
        assert numpy.abs(expected - values).max() <= (0 if name != "thud" else 1)


def test_observing_does_not_change_a_position() -> None:
    game = forthvm.load("chess")
    observer = forthvm.observer(game, history=4)
    for position in played(game, 1, plies=10):
        before = position.copy()
        observer.observe(position)
        observer.information_state(position)
        assert position == before
        assert position.ply == before.ply


def test_history_after_pop() -> None:
    game = forthvm.load("breakthrough")
    observer = forthvm.observer(game, history=3)
    position = game.start()
    first: Any = observer.observe(position, for_player="White").copy()
    position.push("a2 - a3")
    position.pop()
    assert (observer.observe(position, for_player="White") == first).all()


def test_history_of_a_document_is_replayed() -> None:
    game = forthvm.load("breakthrough")
    observer = forthvm.observer(game, history=3)
    position = game.start()
    for text in ("a2 - a3", "h7 - h6", "a3 - a4", "h6 - h5"):
        position.push(text)
        again = forthvm.Position.from_json(game, position.to_json())
        assert (observer.observe(again) == observer.observe(position)).all()
        assert observer.information_state(again) == observer.information_state(position)


def test_all_positions_of_a_chance_player_have_an_observer() -> None:
    game = forthvm.load("ur")
    observer = forthvm.observer(game)
    position = next(position for position in played(game, 1, every=1) if position.is_chance)
    viewer = position._turn_index
    assert position.turn == "?Dice"
    planes: Any = observer.observe(position)
    following = [turn.player for turn in (*game.turn_order[viewer:], *game.turn_order)]
    expected = next(name for name in following if name in game.contestants)
    assert (planes == observer.observe(position, for_player=expected)).all()
    dice = [plane.name for plane in observer.spec.planes].index("?Dice to move")
    assert planes[dice].all()


@every_game()
def test_core_reads_the_same_numbers_of_the_state(name: str) -> None:
    game = forthvm.load(name)
    observer = forthvm.observer(game)
    for position in played(game, 9, plies=30, every=3):
        with position._in_memory() as native:
            assert native.observation_state() == observer._numbers(position, position._state)
