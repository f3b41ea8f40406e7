"""The small programs in plain Python: a peer, and the source of the expected results.

The function NAME implements the algorithm of the word `run-NAME` in programs/*.4th.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import breakthrough

__all__ = ["PROGRAMS"]

FLAGS = 8190  # size of the sieve
ORDER = 40  # rows and columns of a matrix
SIDE = 8
LOW_BITS = 65535  # mask of the lower 16 bits
# (row, column) of a step in each of the eight directions.
STEPS = ((-1, 0), (1, 0), (0, 1), (0, -1), (-1, 1), (-1, -1), (1, 1), (1, -1))
NOWHERE = SIDE * SIDE
ENEMY = 2


def fib(n: int) -> int:
    """Return a Fibonacci number by recursion; the first two are 1."""
    return 1 if n < 2 else fib(n - 1) + fib(n - 2)


def sieve(rounds: int) -> int:
    """Count the primes among the odd numbers from 3 on, `rounds` times."""
    count = 0
    for _ in range(rounds):
        flags = bytearray(b"\1" * FLAGS)
        count = 0
        for i in range(FLAGS):
            if flags[i]:
                step = 2 * i + 3
                k = step + i
                while k < FLAGS:  # one element per iteration, like the other peers
                    flags[k] = 0
                    k += step
                count += 1
    return count


def bubble(n: int) -> int:
    """Sort n numbers and return the sum of each number times its index."""
    seed = 74755  # the random numbers of the Stanford benchmarks
    items = [seed := (seed * 1309 + 13849) & LOW_BITS for _ in range(n)]
    for last in range(n - 1, 0, -1):
        for i in range(last):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
    return sum(i * item for i, item in enumerate(items)) & LOW_BITS


def matmul(rounds: int) -> int:
    """Multiply matrices and return the sum of each element times row + column + 1."""
    span = range(ORDER)
    a = [[(row * 3 + col) % 11 for col in span] for row in span]
    b = [[(row + col * 5) % 13 for col in span] for row in span]
    c: list[list[int]] = []
    for _ in range(rounds):
        c = []
        for row in a:
            line = []
            for col in span:
                total = 0
                for k in span:
                    total += row[k] * b[k][col]
                line.append(total)
            c.append(line)
    return sum(c[row][col] * (row + col + 1) for row in span for col in span) & LOW_BITS


def defer(rounds: int) -> int:
    """Apply `rounds` functions, chosen by the round number, to 1."""
    actions: list[Callable[[int], int]] = [
        lambda n: n + 1,
        lambda n: n + 3,
        lambda n: n + n,
        lambda n: n ^ 0xAAAA,
    ]

    def inner(n: int, i: int) -> int:
        return actions[i & 3](n)

    def middle(n: int, i: int) -> int:
        return inner(n + 7, i)

    def outer(n: int, i: int) -> int:
        return middle(n, i) if i & 1 else inner(n, i)

    n = 1
    for i in range(rounds):
        n = outer(n, i) & LOW_BITS
    return n


def _next_square(square: int, drow: int, dcol: int) -> int:
    row, col = square // SIDE + drow, square % SIDE + dcol
    return row * SIDE + col if 0 <= row < SIDE and 0 <= col < SIDE else NOWHERE


def _mobility(board: list[int], links: list[list[int]]) -> int:
    """Return the mobility of the pieces of kind 1.

    It is the number of empty squares that they reach, plus three for each piece of kind 2 that they
    reach.
    """
    total = 0
    for square in range(SIDE * SIDE):
        if board[square] == 1:
            for link in links:
                here = square
                while link[here] != NOWHERE:
                    here = link[here]
                    if board[here]:
                        break
                    total += 1
                if board[here] == ENEMY:
                    total += 3
    return total


def scan(rounds: int) -> int:
    """Return the mobility on one board, added `rounds` times."""
    links = [[_next_square(square, *step) for square in range(SIDE * SIDE)] for step in STEPS]
    board = [square * 5 % 7 % 3 for square in range(SIDE * SIDE)]
    return sum(_mobility(board, links) for _ in range(rounds))


PROGRAMS: dict[str, Callable[[int], int]] = {
    "fib": fib,
    "sieve": sieve,
    "bubble": bubble,
    "matmul": matmul,
    "defer": defer,
    "scan": scan,
    "perft": breakthrough.perft,
    "negamax": breakthrough.nodes,
    "playouts": breakthrough.wins,
}
