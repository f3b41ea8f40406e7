"""Masks of legal actions, and self-play with the numbers of a game."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path

import pytest

import forthvm
from forthvm.engines import EngineError, SelfPlay, legal_mask
from forthvm.engines.position_arrays import REWARDS_PER_ROW
from forthvm.engines.selfplay_games import PlayedGame
from tests.kit.cases import each_case
from tests.kit.games import loaded
from tests.kit.messages import raises

GOLDEN = Path(__file__).parent.parent / "golden" / "games"


def test_a_mask_has_a_one_for_each_legal_action() -> None:
    position = loaded("tictactoe").start()
    position.push("b2")
    mask = position.action_mask()
    assert list(memoryview(mask)) == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert legal_mask(position) == mask


@each_case("code", "fdbBhHiIlLqQ")
def test_masks_are_written_to_the_callers_array(code: str) -> None:
    position = loaded("tictactoe").start()
    position.push("b2")
    mask = array(code, [7] * 9)
    assert position.action_mask(mask) is mask
    assert list(mask) == [1, 1, 1, 1, 0, 1, 1, 1, 1]


def test_a_row_of_a_numpy_array_is_a_mask() -> None:
    numpy = pytest.importorskip("numpy")
    position = loaded("tictactoe").start()
    masks = numpy.zeros((3, 9), dtype=bool)
    position.action_mask(masks[1])
    assert masks.sum(axis=1).tolist() == [0, 9, 0]
    assert numpy.asarray(position.legal_actions).dtype == numpy.int32
    with raises(ValueError, "actions.unusable-mask"):
        position.action_mask(masks.T[0])
    with raises(ValueError, "actions.type-of-the-mask"):
        position.action_mask(numpy.zeros(9, dtype=numpy.float16))


@pytest.mark.parametrize("mask", [bytearray(8), bytes(9), array("B", bytes(10))])
def test_unsuitable_masks_raise(mask: bytearray | bytes | array[int]) -> None:
    with raises(ValueError, "actions.unusable-mask"):
        loaded("tictactoe").start().action_mask(mask)


def test_a_mask_that_is_no_array_raises() -> None:
    with raises(ValueError, "actions.mask-is-no-array"):
        loaded("tictactoe").start().action_mask(3)  # type: ignore[arg-type]


def play_games(game: forthvm.Game, space: int | None) -> list[PlayedGame]:
    """Play games whose priors depend on the board and on the place in the list of moves."""
    play = SelfPlay(game, batch=3, games=5, playouts=6, max_plies=12, space=space, seed=4)
    while (leaves := play.leaves()) is not None:
        rewards, priors = [], []
        for at, numbers in enumerate(leaves.actions):
            board = leaves.boards[at * play.cells : (at + 1) * play.cells]
            mix = sum((index + 3) * cell for index, cell in enumerate(board))
            assert len(numbers) == leaves.moves[at]
            row = [0.0] * play.space
            for place, number in enumerate(numbers):
                row[number] = (1 + (mix * (place + 11)) % 13) / 1000
            priors.append(row)
            rewards.append([(mix * (n + 7)) % 101 / 101 for n in range(REWARDS_PER_ROW)])
        play.submit(rewards, priors)
    return sorted(play.finished, key=lambda played: played.number)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["tictactoe", "chess-los-alamos", "ur"])
def test_numbers_do_not_change_the_games_of_self_play(name: str) -> None:
    game = forthvm.load(name)
    by_number, by_place = play_games(game, None), play_games(game, 100)
    assert [replace(played, actions=()) for played in by_number] == [
        replace(played, actions=()) for played in by_place
    ]
    for played in by_number:
        position = game.start()
        position.seed(played.seed)
        for index, numbers, visits in zip(played.moves, played.actions, played.visits, strict=True):
            assert len(numbers) == len(visits)
            assert not numbers or numbers == tuple(position.legal_moves.actions)
            position.push(position.legal_moves[index])


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "path", ["tictactoe", "ur", GOLDEN / "ForPlayer.4th"], ids=["drops", "dice", "for-player"]
)
def test_leaves_have_the_numbers_of_positions(path: str | Path) -> None:
    """Owners are from the mover's view inside a search, too."""
    game = forthvm.load(path)
    play = SelfPlay(game, batch=1, games=2, playouts=1, max_plies=30, seed=5)
    of_leaves = []
    while (leaves := play.leaves()) is not None:
        of_leaves.append(tuple(leaves.actions[0]))
        play.submit([[0.5] * REWARDS_PER_ROW], [[0.1] * play.space])
    of_positions = [numbers for played in play.finished for numbers in played.actions if numbers]
    assert of_leaves == of_positions


def test_only_the_priors_of_legal_actions_are_checked() -> None:
    play = SelfPlay(forthvm.load("tictactoe"), batch=1, games=1, playouts=1)
    leaves = play.leaves()
    play.submit([[0.5] * REWARDS_PER_ROW], [[1.0] + [0.1] * 8])
    leaves = play.leaves()
    (played,) = set(range(9)) - set(leaves.actions[0])
    priors = [0.1] * 9
    priors[played] = 7.0
    play.submit([[0.5] * REWARDS_PER_ROW], [priors])
    assert play.leaves() is not None
    with raises(EngineError, "actions.priors"):
        play.submit([[0.5] * REWARDS_PER_ROW], [[7.0] * 9])
