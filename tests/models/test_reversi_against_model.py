"""Compare the scripts of Reversi with the model, on both boards, in complete random games."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator

import pytest

import forthvm
from tests.models import lockstep, reversi

BOARDS = [("reversi", 8, 6), ("reversi-6x6", 6, 6)]


def view(position: forthvm.Position) -> Hashable:
    return frozenset(
        ((ord(name[0]) - ord("a"), int(name[1:]) - 1), piece.player)
        for name, piece in position.board.occupied()
    )


def successors(state: reversi.State) -> Iterator[reversi.State]:
    for square, turned in reversi.moves(state).items():
        yield reversi.play(state, square, turned)


def weight(before: reversi.State, after: reversi.State) -> float:
    """Prefer moves that turn many discs, which lead to passes and early ends."""
    return 1.0 + sum(owner == before.mover for owner in after.discs.values()) ** 2


GAME = lockstep.Game(
    view=view,
    expected_view=lambda state: frozenset(state.discs.items()),
    turn=lambda state: state.mover,
    end=reversi.end,
    successors=successors,
    weight=weight,
)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size", "depth"), BOARDS)
def test_random_games(name: str, size: int, depth: int) -> None:
    """Compare complete games; passes and different results must occur."""
    game, chooser = forthvm.load(name), random.Random(f"{name} walks")
    compared = passes = 0
    results = set()
    while compared < max(200, lockstep.POSITIONS):
        position = game.start()
        count, _ = lockstep.play_random_game(GAME, position, reversi.start(size), chooser, 200)
        compared += count
        passes += sum(played.text == "Pass" for played in position.history)
        results.add(position.result and position.result.winners)
    assert passes
    assert len(results) > 1
    assert None not in results


@pytest.mark.parametrize(("name", "size", "depth"), BOARDS)
def test_crowded_boards(name: str, size: int, depth: int) -> None:
    """Compare randomly filled boards, which have situations that random games do not reach."""
    game, chooser = forthvm.load(name), random.Random(f"{name} boards")
    for _ in range(lockstep.POSITIONS // 10):
        squares = [(column, row) for column in range(size) for row in range(size)]
        chosen = chooser.sample(squares, chooser.randrange(2, size * size))
        white_share = chooser.random()
        players = reversi.WHITE, reversi.BLACK
        discs = {square: players[chooser.random() > white_share] for square in chosen}
        state = reversi.State(discs, chooser.choice(players), size)
        setup = [
            (player, "disc", "abcdefgh"[column] + str(row + 1))
            for (column, row), player in discs.items()
        ]
        position = game.start(setup=setup, turn=state.mover)
        if not lockstep.check_end(GAME, position, state):
            lockstep.check(GAME, position, state)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size", "depth"), BOARDS)
def test_numbers_of_move_sequences(name: str, size: int, depth: int) -> None:
    position, state = forthvm.load(name).start(), reversi.start(size)
    for plies in range(1, depth + 1):
        assert forthvm.perft(position, plies) == reversi.perft(state, plies)
