"""Rows of a vector against positions that make the same moves, for all bundled games."""

from __future__ import annotations

import numpy
import pytest

import forthvm
from forthvm.game import Game, Position
from forthvm.learn.vector import Vector
from tests.kit.every_game import every_game
from tests.kit.messages import raises

"""Games whose moves have many combinations of effects: only the moves seen are numbered."""
ROWS = 4


class Reference:
    """A position that follows a row."""

    def __init__(self, envs: Vector, row: int) -> None:
        self._envs = envs
        self._row = row
        self.position = self.start()

    def _history(self) -> tuple[list[int], int]:
        block, local = self._envs._find(self._row)
        moves, _, seed = block.rows.history(local)
        return moves, seed

    def start(self) -> Position:
        moves, seed = self._history()
        position = self._envs.game.start()
        position.seed(seed)
        for index in moves:
            self._push(position, index)
        return position

    @staticmethod
    def _push(position: Position, index: int) -> None:
        assert position.result is None
        if index < 0:
            assert position.is_stuck
            position.push_pass()
        else:
            position.push(position.legal_moves[index])

    def follow(self, action: int) -> None:
        """Make the moves of the last step; `action` is the first of them."""
        envs, row, position = self._envs, self._row, self.position
        first = position.move_of(action)
        if not envs.done[row] and not envs.truncated[row]:
            moves, _ = self._history()
            new = moves[position.ply :]
            assert position.legal_moves[new[0]].action == action
            self._push(position, new[0])
            for index in new[1:]:
                assert position.is_stuck or position.is_chance
                self._push(position, index)
            return
        self._push(position, first.index)
        while position.is_stuck:
            position.push_pass()
        if envs.done[row] and not position.is_chance:
            returns = position.result.returns()
            assert envs.rewards[row].tolist() == [
                returns[self._column(n)] for n in returns_of(envs)
            ]
        self.position = self.start()

    def _column(self, name: str) -> int:
        return self.position.result.players.index(name)

    def check(self) -> None:
        """Check that the row has the same position."""
        envs, row, position = self._envs, self._row, self.position
        assert position.result is None
        assert not position.is_chance
        assert envs.movers[row] == position.player_index
        assert envs.legal_counts[row] == len(position.legal_moves)
        assert envs.plies[row] == position.ply
        mask = numpy.zeros(len(envs.game.actions), "uint8")
        position.action_mask(mask)
        assert (envs.masks[row] == mask).all()
        assert memory_of(envs, row) == listed_memory(position)


def returns_of(envs: Vector) -> tuple[str, ...]:
    return envs.contestants


def memory_of(envs: Vector, row: int) -> bytes:
    """Return the memory of a row, with its list of moves."""
    block, local = envs._find(row)
    block.rows.restore(local)
    snapshot = block.game._loaded.vm.native.snapshot_take()
    return snapshot.read(0, snapshot.size).rstrip(b"\0")


def listed_memory(position: Position) -> bytes:
    snapshot = position.game._loaded.states.store_list(position._state)
    return snapshot.read(0, snapshot.size).rstrip(b"\0")


def numbered(name: str) -> Game:
    game = forthvm.load(name)
    game.actions.renumber(games=8, plies=200)
    return game


@every_game()
def test_rows_are_positions(name: str) -> None:
    game = numbered(name)
    with forthvm.vector(game, ROWS, seed=3, threads=1, max_plies=150) as envs:
        references = [Reference(envs, row) for row in range(ROWS)]
        for _ in range(25):
            actions = envs.sample()
            envs.step(actions)
            for row, reference in enumerate(references):
                reference.follow(int(actions[row]))
                reference.check()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "max_plies"),
    [("tictactoe", 90), ("breakthrough", 90), ("ur", 90), ("splut-duel", 8), ("reversi", 90)],
)
def test_whole_games(name: str, max_plies: int) -> None:
    game = numbered(name)
    ends = 0
    with forthvm.vector(game, ROWS, seed=4, threads=1, max_plies=max_plies) as envs:
        references = [Reference(envs, row) for row in range(ROWS)]
        for _ in range(120):
            actions = envs.sample()
            envs.step(actions)
            ends += int(envs.done.sum() + envs.truncated.sum())
            for row, reference in enumerate(references):
                reference.follow(int(actions[row]))
        for reference in references:
            reference.check()
    assert ends > 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["breakthrough", "ur", "tictactoe"])
def test_position_is_that_of_the_row(name: str) -> None:
    game = forthvm.load(name)
    envs = forthvm.vector(game, 3, seed=9)
    for _ in range(12):
        envs.step(envs.sample())
    for row in range(3):
        position = envs.position(row)
        assert position.ply == envs.plies[row]
        assert memory_of(envs, row) == listed_memory(position)
    with raises(IndexError, "vector.unknown-row"):
        envs.position(3)
