"""Self-play with chance, and its searches, in addition to test_features.py."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import forthvm
from forthvm.engines import EngineError, EngineOptionError
from forthvm.engines.selfplay import REWARDS_PER_ROW, PlayedGame, SelfPlay, random_playouts
from forthvm.game import Game

SCRIPTS = Path(__file__).parent / "scripts"


@cache
def loaded(name: str) -> Game:
    script = SCRIPTS / f"{name}.4th"
    return forthvm.load(script if script.exists() else name)


@cache
def played(game: Game, batch: int, games: int, space: int = 24) -> dict[int, PlayedGame]:
    """Play games whose evaluations depend only on the leaf."""
    play = SelfPlay(game, batch=batch, games=games, space=space, playouts=4, most_plies=8)
    while (waiting := play.leaves()) is not None:
        rewards, priors = [], []
        for seat, (moves, mover) in enumerate(zip(waiting.moves, waiting.movers, strict=True)):
            board = waiting.boards[seat * play.cells : (seat + 1) * play.cells].tolist()
            mix = sum((at + 3) * cell for at, cell in enumerate(board)) + mover
            rewards.append([(mix * (n + 7)) % 101 / 101 for n in range(REWARDS_PER_ROW)])
            raw = [1 + (mix * (k + 11)) % 13 for k in range(moves)]
            priors.append([one / sum(raw) for one in raw] + [0.0] * (space - moves))
        play.submit(rewards, priors)
    return {game.number: game for game in play.finished}


@pytest.mark.parametrize("name", ["three-dice", "outside"])
def test_one_and_256_parallel_games_are_the_same_games(name: str) -> None:
    alone = played(loaded(name), 1, 6)
    many = played(loaded(name), 256, 256)
    assert len(many) == 256
    assert alone == {number: many[number] for number in range(6)}
    assert (
        len({game.moves for game in many.values()}) > 1
    )  # chance outcomes and random moves differ


def test_chance_outcomes_are_fair() -> None:
    # The first move of three-dice is a throw; in 256 games, one and two are about equally frequent.
    throws = [game.moves[0] for game in played(loaded("three-dice"), 256, 256).values()]
    assert 90 < sum(throws) < 166  # five standard deviations


def test_more_moves_than_actions_raise() -> None:
    with pytest.raises(EngineError, match=r"moves do not fit into 1 actions"):
        played(loaded("two-dice"), 4, 4, space=1)


@pytest.mark.parametrize("wrong", ["batch", "games", "space", "playouts", "most_plies"])
def test_invalid_counts_are_refused(wrong: str) -> None:
    numbers = {"batch": 1, "games": 1, "space": 9, "playouts": 1, wrong: 0}
    with pytest.raises(EngineOptionError):
        SelfPlay(loaded("tictactoe"), **numbers)


def test_random_playouts_of_tictactoe() -> None:
    # Known values: X wins 0.5850 of random games, O 0.2881, 0.1270 are draws.
    found = random_playouts(loaded("tictactoe").start(), 20_000, seed=1)
    assert found["X"] == pytest.approx(0.5850 + 0.1270 / 2, abs=0.012)  # four standard errors
    assert found["O"] == pytest.approx(0.2881 + 0.1270 / 2, abs=0.012)
    assert found["X"] + found["O"] == pytest.approx(1)


@pytest.mark.parametrize("name", ["three-dice", "exact-throw", "vast", "outside"])
def test_playouts_of_odd_games_leave_the_position(name: str) -> None:
    position = loaded(name).start()
    before = position.copy()
    found = random_playouts(position, 50, seed=2, plies=60)
    assert set(found) == set(position.game.contestants)
    assert all(0 <= mean <= 1 for mean in found.values())
    assert found == random_playouts(position, 50, seed=2, plies=60)
    assert position == before
