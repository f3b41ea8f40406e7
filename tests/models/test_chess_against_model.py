"""Compare the chess scripts with the model: pieces, castling, en passant, clock and results."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

import forthvm
from tests.models import chess, lockstep
from tests.models.chess import Options, State
from tests.models.chess_setup import begin, expected_view, load, view

# Six positions with published perft counts: the initial position, then positions with castling,
# promotion, checks, pins and en passant.  The last three positions have no published counts.
POSITIONS = [
    chess.START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -",
    chess.LOS_ALAMOS,
]
# Positions with few pieces and high clocks, near draws of all kinds.
ENDINGS = [
    "7k/8/8/8/8/8/R7/K7 w - - 97",
    "7k/8/8/3n4/8/8/B7/K7 w - - 0",
    "7k/2p5/8/8/8/8/2P5/K7 w - - 95",
    "5b1k/8/8/8/8/8/8/KB6 w - - 90",
    "6bk/6p1/8/8/8/8/8/KB6 w - - 92",
    "k7/7R/1K6/8/8/8/8/8 b - - 96",
    "5k/6/6/6/R5/K5 w - - 96",
    "5k/5p/6/6/6/KN4 w - - 90",
]


def is_repetition(state: State) -> bool:
    """Return whether the board has occurred before."""
    earlier = state.previous
    while earlier is not None:
        if earlier.board == state.board:
            return True
        earlier = earlier.previous
    return False


def weight(before: State, after: State) -> float:
    """Prefer rare moves: promotion, captures of pawns, changes of castling rights, en passant."""
    rare = sum(before.board.count(pawn) != after.board.count(pawn) for pawn in "Pp")
    return (
        1.0
        + 4.0 * rare
        + 6.0 * (before.rights != after.rights)
        + 3.0 * chess.en_passant_is_legal(after)
    )


def successors(state: State) -> Iterator[State]:
    for move in chess.moves(state):
        yield chess.play(state, move)


UNIFORM = lockstep.Game(
    view=view,
    expected_view=expected_view,
    turn=lambda state: state.mover,
    end=lambda state: chess.end(state, Options()),
    successors=successors,
)
RARE_MOVES = replace(UNIFORM, weight=weight)
REPETITIONS = replace(UNIFORM, weight=lambda before, after: 30.0 if is_repetition(after) else 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("fen", POSITIONS)
def test_random_games(fen: str) -> None:
    state = chess.read(fen)
    chooser = random.Random(fen)
    count = 0
    while count < lockstep.POSITIONS // len(POSITIONS):
        for rules in (RARE_MOVES, UNIFORM):
            count += lockstep.play_random_game(rules, begin(state), state, chooser, 40)[0]


@pytest.mark.slow
@pytest.mark.parametrize("fen", ENDINGS)
def test_random_games_from_endings(fen: str) -> None:
    """Play random games; at least one of them must end."""
    state = chess.read(fen)
    chooser = random.Random(fen)
    results = []
    for number in range(4):
        position = begin(state)
        rules = REPETITIONS if number % 2 else UNIFORM
        lockstep.play_random_game(rules, position, state, chooser, 40)
        results.append(position.result)
    assert any(results)


@pytest.mark.slow
def test_complete_game() -> None:
    """Compare every position of one game from the first move to the last."""
    state, position = chess.read(chess.START), load(8).start()
    lockstep.play_random_game(UNIFORM, position, state, random.Random(2), 1000)
    assert position.result is not None


@pytest.mark.slow
@pytest.mark.parametrize("fen", POSITIONS[6:])  # the positions without published counts
def test_numbers_of_move_sequences(fen: str) -> None:
    state = chess.read(fen)
    position = begin(state)
    for depth in (1, 2, 3):
        assert forthvm.perft(position, depth) == chess.perft(state, depth)
