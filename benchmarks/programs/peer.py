"""The three programs in plain Python, for comparison; prints microseconds and the answer."""

from __future__ import annotations

import sys
import time

SIZE = 8190
STEPS = [(-1, 0), (1, 0), (0, 1), (0, -1), (-1, 1), (-1, -1), (1, 1), (1, -1)]


def fib(n: int) -> int:
    """Fibonacci numbers by recursion, the first two being 1."""
    return 1 if n < 2 else fib(n - 1) + fib(n - 2)  # noqa: PLR2004 - the definition


def sieve() -> int:
    """Primes among the odd numbers from 3 on."""
    flags = bytearray(b"\1" * SIZE)
    count = 0
    for i in range(SIZE):
        if flags[i]:
            step = 2 * i + 3
            k = step + i
            while k < SIZE:  # an element at a time, as the other peers do
                flags[k] = 0
                k += step
            count += 1
    return count


def next_position(pos: int, drow: int, dcol: int) -> int:
    """The neighbour's index, or -1 at the edge."""
    row, col = pos // 8 + drow, pos % 8 + dcol
    return row * 8 + col if 0 <= row < 8 and 0 <= col < 8 else -1  # noqa: PLR2004 - 8 x 8


def scan_board(board: list[int], links: list[list[int]]) -> int:
    """Mobility of the pieces 1, and three for each piece 2 that they see."""
    total = 0
    for pos in range(64):
        if board[pos] == 1:
            for link in links:
                here = pos
                while link[here] >= 0:
                    here = link[here]
                    if board[here]:
                        break
                    total += 1
                if board[here] == 2:  # noqa: PLR2004 - a piece number
                    total += 3
    return total


def scan() -> int:
    """The board scan 2,000 times."""
    links = [[next_position(pos, *step) for pos in range(64)] for step in STEPS]
    board = [pos * 5 % 7 % 3 for pos in range(64)]
    return sum(scan_board(board, links) for _ in range(2000))


PROGRAMS = {
    "fib": lambda: fib(30),
    "sieve": lambda: [sieve() for _ in range(300)][-1],
    "scan": scan,
}

if __name__ == "__main__":
    began = time.process_time()
    answer = PROGRAMS[sys.argv[1]]()
    print(round(1e6 * (time.process_time() - began)), answer)
