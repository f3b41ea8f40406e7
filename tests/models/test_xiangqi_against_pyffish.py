"""Compare xiangqi with Fairy-Stockfish: moves, mates, repetitions and draws."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from forthvm.game import Position
from tests.kit.games import loaded
from tests.models.fairy import Path, Peer, compare_random_games, moved_back
from tests.models.xiangqi_chase import threatened

XIANGQI = Peer(
    game="xiangqi",
    variant="xiangqi",
    perpetual_chase=True,
    players=("Red", "Black"),
    occurrences=3,
    quiet_plies=120,
    attackers="rncp",
)
REPETITION = "the position has occurred three times"
HOMES = {"K": "d1 e1 f1 e2", "A": "d1 f1 e2 d3 f3", "B": "c1 g1 a3 e3 i3 c5 g5"}
"""Where Red's generals, advisors and elephants are put; Black's are opposite."""


@pytest.mark.slow
def test_random_games() -> None:
    assert compare_random_games(XIANGQI, 300, seed=1)


@pytest.mark.slow
def test_many_random_games() -> None:
    ends = compare_random_games(XIANGQI, 1500, seed=2)
    assert {"checkmate", REPETITION} <= set(ends)


@pytest.mark.slow
def test_repeated_moves() -> None:
    assert set(compare_repetitions(16, seed=1)) == {"perpetual chase", REPETITION}


@pytest.mark.slow
def test_many_repeated_moves() -> None:
    ends = compare_repetitions(50, seed=4)
    assert min(ends[REPETITION], ends["perpetual chase"], ends["perpetual check"]) > 0


def compare_repetitions(count: int, *, seed: int) -> Counter[str]:
    """Repeat two moves of each player in random positions; return the kinds of ends."""
    rng = random.Random(seed)
    ends: Counter[str] = Counter()
    while ends.total() < count:
        fen = _random_position(rng)
        position = Position.from_fen(loaded("xiangqi"), fen)
        path = Path(XIANGQI, fen)
        if position.result is not None or not _repeat(position, path, rng):
            continue
        result, winner = position.result, path.winner(path.moves())
        assert (result is None) == (winner is None), path.fens
        if result is not None:
            assert result.winners == ((winner,) if winner else ()), path.fens
            ends[position.comment or ""] += 1
    return ends


def _random_position(rng: random.Random) -> str:
    """Return the FEN of a random position."""
    names = [f"{file}{rank}" for rank in range(1, 11) for file in "abcdefghi"]
    board: dict[str, str] = {}
    for letter in "Kk" + "".join(rng.choices("RNCrnc", k=4)) + "".join(rng.choices("ABPabp", k=4)):
        homes = HOMES.get(letter.upper(), " ".join(names)).split()
        square = rng.choice(homes)
        if letter.islower():
            square = f"{square[0]}{11 - int(square[1:])}"
        board.setdefault(square, letter)
    rows = ["".join(board.get(f"{f}{rank}", ".") for f in "abcdefghi") for rank in range(10, 0, -1)]
    text = re.sub(r"\.+", lambda free: str(len(free[0])), "/".join(rows))
    return f"{text} {rng.choice('wb')} - - 0 1"


def _repeat(position: Position, path: Path, rng: random.Random) -> bool:
    """Move a piece of each player to and fro, twice; return whether that was possible.

    The first move threatens pieces if that is possible, and then one of them is moved.  Most
    positions are left out if the move back does not threaten that piece again.
    """
    there: list[str] = []
    is_red = position.turn == "Red"
    for ply in range(8):
        moves = {XIANGQI.move(str(m)): m for m in position.legal_moves if " - " in str(m)}
        if not moves:
            return False
        shuffled = rng.sample(sorted(moves), len(moves))
        if ply == 0:
            chasing = (move for move in shuffled if threatened(path.fen, is_red, after=move))
            there.append(next(chasing, shuffled[0]))
        elif ply == 1:
            targets = tuple(threatened(path.fen, is_red))
            fleeing = (move for move in shuffled if move.startswith(targets))
            there.append(next(fleeing, shuffled[0]))
        move = there[ply % 2] if ply % 4 < 2 else moved_back(there[ply % 2])
        if move not in moves:
            return False
        position.push(moves[move])
        path.push(move)
        targets = threatened(path.fen, is_red) if ply == 2 else set()
        if ply == 2 and not moved_back(there[1]).startswith(tuple(targets)) and rng.random() < 0.9:
            return False
        if position.result is not None and ply < 7:
            return False
    return True
