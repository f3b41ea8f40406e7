"""Functions for learning programs: boards, masks, playouts, reproducible starts, self-play.

Owns the tests of shapes and determinism; the examples in docs/guides/examples test learning.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import forthvm
from forthvm.engines import EngineError, EngineOptionError, EvaluatorError, Limits, get
from forthvm.engines.position_arrays import (
    REWARDS_PER_ROW,
    board_array,
    legal_mask,
    random_playouts,
)
from forthvm.engines.selfplay import SelfPlay
from forthvm.engines.selfplay_games import PlayedGame
from forthvm.game import Game, Position
from tests.kit.boards import PASSES
from tests.kit.games import load_text, loaded
from tests.kit.messages import raises


@pytest.fixture
def passes(tmp_path: Path) -> Game:
    return load_text(tmp_path, PASSES, name="passes.4th")


def after(game: Game, *texts: str) -> Position:
    position = game.start()
    for text in texts:
        position.push(text)
    return position


# --- boards --------------------------------------------------------------------------------------


def test_board_is_an_array_of_32_bit_numbers() -> None:
    game = forthvm.load("draughts")  # its board has variables after the squares
    board = board_array(game.start())
    assert (board.format, board.itemsize, board.c_contiguous) == ("i", 4, True)
    assert len(board) == game._loaded.tables.board_cells > len(game.positions)
    assert tuple(board) == game.start().cells


def test_board_is_a_copy() -> None:
    """Writing to it does not change the position, and moves do not change it."""
    position = loaded("tictactoe").start()
    board = board_array(position)
    before = position.copy()
    board[4] = 2049
    assert position == before
    assert position.board["b2"] is None
    stored = tuple(board)
    position.push(position.legal_moves[0])
    assert tuple(board) == stored


def test_numpy_uses_a_board_without_a_copy() -> None:
    numpy = pytest.importorskip("numpy")
    board = board_array(loaded("tictactoe").start())
    array = numpy.asarray(board)
    assert array.dtype == numpy.int32
    assert array.shape == (9,)
    board[3] = -7
    assert array[3] == -7
    array[5] = 11
    assert board[5] == 11


def test_numpy_uses_the_leaves_without_a_copy() -> None:
    """All boards of a step are in one array, which the next step overwrites."""
    numpy = pytest.importorskip("numpy")
    play = SelfPlay(forthvm.load("tictactoe"), batch=3, games=3, space=9, playouts=4)
    leaves = play.leaves()
    boards = numpy.asarray(leaves.boards).reshape(-1, play.cells)
    assert boards.shape == (3, 9)
    assert not boards.any()  # the roots, before the first move
    address = boards.__array_interface__["data"][0]
    play.submit([[0.5] * REWARDS_PER_ROW] * 3, [[1 / 9] * 9] * 3)
    next_leaves = play.leaves()
    assert numpy.asarray(next_leaves.boards).__array_interface__["data"][0] == address
    assert (boards != 0).sum(axis=1).tolist() == [1, 1, 1]  # one ply later, in the same memory


# --- masks ---------------------------------------------------------------------------------------


def test_mask_has_a_one_for_each_legal_move() -> None:
    position = after(forthvm.load("tictactoe"), "b2", "a1")
    assert len(position.legal_moves) == 7
    assert list(legal_mask(position, 9)) == [1] * 7 + [0] * 2
    assert list(legal_mask(position, 7)) == [1] * 7


def test_actions_are_stable() -> None:
    """Action k is the same move in every copy, document and process with the position."""
    game = forthvm.load("breakthrough")
    position = after(game, "a2a3", "a7a6")
    texts = position.legal_moves.texts
    assert position.copy().legal_moves.texts == texts
    assert Position.from_json(game, position.to_json()).legal_moves.texts == texts
    assert position.copy(game=game.clone()).legal_moves.texts == texts
    position.push(position.legal_moves[5])
    position.pop()
    assert position.legal_moves.texts == texts


def test_too_few_actions_raise() -> None:
    position = loaded("tictactoe").start()
    with raises(EngineError, "features.legal-moves-do"):
        legal_mask(position, 8)
    play = SelfPlay(position.game, batch=2, games=2, space=8, playouts=4)
    with raises(EngineError, "features.legal-moves-do"):
        play.leaves()


def test_no_moves_give_an_empty_mask(passes: Game) -> None:
    position = passes.start()
    position.push(position.legal_moves[0])
    assert position.is_stuck
    assert list(legal_mask(position, 3)) == [0, 0, 0]


# --- reproducible starts -------------------------------------------------------------------------


def use_vm(game: Game) -> None:
    """Run operations that could leave traces in the VM shared by all positions of a game."""
    position = game.start()
    for _ in range(4):
        position.push(position.legal_moves[-1])
    position.seed(99)
    position.copy().pop()
    random_playouts(position, 3, seed=5, plies=40)
    for spec in ("negamax:nodes=50", "mcts:playouts=20", "script:depth=1", "chance", "random"):
        get(spec).play(position, Limits(depth=1, nodes=50))
    with pytest.raises(EvaluatorError):
        get("negamax:depth=1,quiescence=off", evaluator=lambda view: 1 // 0).play(game.start())
    space = 512
    play = SelfPlay(game, batch=2, games=2, space=space, playouts=2)
    for _ in range(5):  # abandoned before the end
        if (leaves := play.leaves()) is not None:
            count = len(leaves.moves)
            play.submit([[0.5] * REWARDS_PER_ROW] * count, [[1 / space] * space] * count)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "draughts", "splut-duel"])
def test_start_does_not_depend_on_earlier_operations(name: str) -> None:
    game = forthvm.load(name, seed=4)
    first = game.start()
    document, texts = first.to_json(), first.legal_moves.texts
    moves_before = random_game(game, 12)
    use_vm(game)
    later = game.start()
    assert later == first
    assert later.to_json() == document
    assert later.legal_moves.texts == texts
    assert later.random_state == first.random_state
    assert random_game(game, 12) == moves_before


def random_game(game: Game, plies: int) -> list[str]:
    """Return moves and last position of a random game; the script draws the chance moves."""
    position, chance = game.start(), get("chance")
    rng = random.Random(1)
    while position.ply < plies and position.result is None:
        if position.is_chance:
            position.push(chance.play(position).move)
        else:
            position.push(position.legal_moves[rng.randrange(len(position.legal_moves))])
    return [f"{played} {played.index}" for played in position.history] + [position.to_json()]


# --- playouts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "ur", "splut-duel"])
def test_playouts_depend_on_the_seed_and_keep_the_position(name: str) -> None:
    position = forthvm.load(name, seed=1).start()
    before = position.copy()

    def means(seed: int) -> dict[str, float]:
        return random_playouts(position, 20, seed=seed, plies=150)

    first = means(3)
    assert means(3) == first
    assert any(means(seed) != first for seed in (4, 5))
    assert set(first) == set(position.game.contestants)
    assert position == before
    assert position.ply == 0


def expected_reward(position: Position) -> float:
    """Return X's expected reward of a random game, by complete enumeration."""
    outcome = position.result
    if outcome is not None:
        return 0.5 if outcome.draw else float("X" in outcome.winners)
    total = 0.0
    for move in list(position.legal_moves):
        position.push(move)
        total += expected_reward(position)
        position.pop()
    return total / len(position.legal_moves)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("texts", [("b2", "a1", "c1"), ("a1", "b2", "a3", "a2"), ("a2", "b2")])
def test_playouts_approximate_the_exact_mean(texts: tuple[str, ...]) -> None:
    position = after(forthvm.load("tictactoe"), *texts)
    mean = expected_reward(position.copy())
    assert 0.1 < mean < 0.9
    count = 2000
    rewards = random_playouts(position, count, seed=7)
    # The standard deviation of a reward from 0 to 1 is at most 0.5.  The tolerance is four standard
    # deviations of the mean.
    assert abs(rewards["X"] - mean) < 4 * 0.5 / count**0.5
    assert rewards["X"] + rewards["O"] == pytest.approx(1)


def test_playouts_of_a_decided_game() -> None:
    position = after(forthvm.load("tictactoe"), "a1", "b1", "a2", "b2", "a3")
    assert random_playouts(position, 5) == {"X": 1.0, "O": 0.0}


@pytest.mark.parametrize(("count", "plies"), [(0, 10), (-1, 10), (5, 0)])
def test_invalid_numbers_of_playouts_are_refused(count: int, plies: int) -> None:
    with raises(EngineOptionError, "features.count-and-plies-must"):
        random_playouts(loaded("tictactoe").start(), count, plies=plies)


# --- self-play -----------------------------------------------------------------------------------


def self_play_games(game: Game, batch: int, games: int, playouts: int) -> list[PlayedGame]:
    """Play games whose evaluations depend only on the board and the player to move."""
    space = 128
    play = SelfPlay(game, batch=batch, games=games, space=space, playouts=playouts, max_plies=40)
    while (leaves := play.leaves()) is not None:
        rewards, priors = [], []
        for at in range(len(leaves.moves)):
            board = tuple(leaves.boards[at * play.cells : (at + 1) * play.cells])
            rng = random.Random(repr((board, leaves.movers[at])))
            rewards.append([rng.random() for _ in range(REWARDS_PER_ROW)])
            priors.append([rng.random() / space for _ in range(space)])
        play.submit(rewards, priors)
    return sorted(play.finished, key=lambda played: played.number)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "ur"])
def test_games_do_not_depend_on_the_batch_size(name: str) -> None:
    game = forthvm.load(name, seed=1)
    games, playouts = (24, 8) if name == "tictactoe" else (6, 4)
    one_at_a_time = self_play_games(game, 1, games, playouts)
    assert [played.number for played in one_at_a_time] == list(range(games))
    assert len({played.moves for played in one_at_a_time}) > games // 4  # games differ
    assert self_play_games(game, 7, games, playouts) == one_at_a_time
    assert self_play_games(game, 256, games, playouts) == one_at_a_time


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["tictactoe", "ur", "draughts", "passes"])
def test_played_games_can_be_replayed(name: str, passes: Game) -> None:
    """Boards, movers and outcome follow from the moves."""
    game = passes if name == "passes" else forthvm.load(name, seed=1)
    for played in self_play_games(game, 3, 3, 4):
        position = game.start()
        position.seed(played.number)
        for index, mover, board, visits in zip(
            played.moves, played.movers, played.boards, played.visits, strict=True
        ):
            assert position.cells == board
            assert game.player_details[position.player_index].number == mover
            if index < 0:
                assert visits == ()
                position.push_pass()
                continue
            assert len(visits) in (0, len(position.legal_moves))
            position.push(position.legal_moves[index])
        assert position.result == played.outcome


@pytest.mark.parametrize(
    ("rewards", "priors", "message"),
    [
        ([[0.5] * REWARDS_PER_ROW], [[0.1] * 9], "features.expected-rewards-for-positions"),
        ([[0.5] * REWARDS_PER_ROW] * 2, [[0.1] * 9], "features.expected-priors-for-positions"),
        ([[0.5] * REWARDS_PER_ROW, [0.5] * 3], [[0.1] * 9] * 2, "features.expected-rewards"),
        ([[0.5] * REWARDS_PER_ROW] * 2, [[0.1] * 9, [0.1] * 8], "features.expected-priors"),
        ([[float("nan")] * REWARDS_PER_ROW] * 2, [[0.1] * 9] * 2, "features.from-to-not-nan"),
        ([[0.5] * REWARDS_PER_ROW] * 2, [[0.1] * 9, [0.1] * 8 + [1.5]], "features.from"),
        ([[-0.5] * REWARDS_PER_ROW] * 2, [[0.1] * 9] * 2, "features.from-to-not"),
    ],
)
def test_invalid_evaluations_change_nothing(
    rewards: list[list[float]], priors: list[list[float]], message: str
) -> None:
    """Invalid evaluations raise errors; with valid ones afterwards, the games are the same."""

    def play_games(*, submit_invalid: bool) -> list[PlayedGame]:
        play = SelfPlay(forthvm.load("tictactoe"), batch=2, games=2, space=9, playouts=5)
        while (leaves := play.leaves()) is not None:
            count = len(leaves.moves)
            if submit_invalid:
                submit_invalid = False
                with raises(EngineError, message):
                    play.submit(rewards, priors)
            play.submit([[0.5] * REWARDS_PER_ROW] * count, [[1 / 9] * 9] * count)
        return sorted(play.finished, key=lambda played: played.number)

    assert play_games(submit_invalid=True) == play_games(submit_invalid=False)


def test_forced_passes_are_part_of_a_game(passes: Game) -> None:
    (played,) = self_play_games(passes, 1, 1, 4)
    assert played.moves == (0, -1, 0, -1, 0)
    assert played.movers == (1, 2, 1, 2, 1)
    assert played.outcome.winners == ("White",)
