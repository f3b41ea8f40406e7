"""The peer benchmarks give right answers; how fast they are is not judged here.

Owns an independent count for the board scan and the run over the peers that are present.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

COMPARE = Path(__file__).resolve().parents[2] / "benchmarks" / "compare.py"


def seen_from(row: int, col: int, drow: int, dcol: int, piece: dict[tuple[int, int], int]) -> int:
    """Empty squares of one ray, and three if a piece 2 ends it."""
    ray = [(row + k * drow, col + k * dcol) for k in range(1, 8)]
    ray = [square for square in ray if square in piece]
    empty = list(takewhile(lambda square: piece[square] == 0, ray))
    blocked = len(empty) < len(ray)
    return len(empty) + (3 if blocked and piece[ray[len(empty)]] == 2 else 0)


def test_peers_give_the_answers_that_were_worked_out() -> None:
    piece = {(row, col): (8 * row + col) * 5 % 7 % 3 for row in range(8) for col in range(8)}
    rays = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
    total = sum(
        seen_from(*square, *ray, piece) for square in piece if piece[square] == 1 for ray in rays
    )
    assert total == 182
    done = subprocess.run(
        [sys.executable, str(COMPARE), "--json", "--runs", "1"],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    results = json.loads(done.stdout)
    assert set(results["seconds"]) == {"fib", "sieve", "scan"}
    for times in results["seconds"].values():
        assert {"forthvm", "CPython"} <= set(times)
        assert {"gforth", "gforth-fast", "C -O2"} <= set(times) | set(results["absent"])
