"""Computes the expected results of the held-out programs.

Owns a function `name(rounds)` for each program, written in simple Python, independently of the
Forth text.
"""

from __future__ import annotations

import base64 as python_base64
import bisect
import itertools
import math
import operator
from collections import Counter, deque
from collections.abc import Callable
from functools import cache

__all__ = ["expected_result"]

MASK_20, MASK_24 = 0xFFFFF, 0xFFFFFF  # the low 20 and 24 bits


class Random:
    """The random number generator of the programs (their word RANDOM)."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __call__(self, limit: int) -> int:
        self.seed = (self.seed * 75 + 74) % 65537
        return self.seed % limit


def digest(values: bytes | list[int], factor: int, start: int = 0) -> int:
    """Return a checksum that depends on the order of the numbers."""
    for value in values:
        start = (start * factor + value) & MASK_20
    return start


def total(rounds: int, result: Callable[[Random], int], seed: int) -> int:
    """Return the sum of the results of all rounds; round i has the seed `seed + i`."""
    return sum(result(Random(i + seed)) for i in range(rounds)) & MASK_24


def justify(rounds: int) -> int:
    """Justify lines of 60 characters, except the last line; wider gaps are on the left."""
    found = 0
    for i in range(rounds):
        random = Random(i + 7)
        words = [chr(97 + k % 26) * (random(9) + 1) for k in range(400)]
        while words:
            line = [words.pop(0)]
            while words and len(" ".join([*line, words[0]])) <= 60:
                line.append(words.pop(0))
            text = " ".join(line)
            if words and len(line) > 1:
                each, more = divmod(60 - len("".join(line)), len(line) - 1)
                gaps = [" " * (each + (k < more)) for k in range(len(line) - 1)]
                text = "".join(map("".join, zip(line, [*gaps, ""], strict=True)))
            found = digest(text.encode(), 31, found)
    return found


def pascal(rounds: int) -> int:
    """Count, for each of five primes, the entries of Pascal's triangle that it does not divide.

    The result is the sum of the counts, each times the weight of its prime.
    """
    weights = {2: 1, 3: 2, 5: 3, 7: 4, 13: 5}
    entries = [math.comb(row, k) for row in range(64) for k in range(row + 1)]
    return rounds * sum(w * sum(e % p != 0 for e in entries) for p, w in weights.items())


def runs(rounds: int) -> int:
    """Encode runs as pairs of length and letter."""

    def result(random: Random) -> int:
        plain = ""
        while len(plain) < 1000:
            plain += chr(random(4) + 65) * (random(12) + 1)
        pairs = [(len(list(same)), ord(c)) for c, same in itertools.groupby(plain[:1000])]
        coded = list(itertools.chain(*pairs))
        return len(coded) + digest(coded, 31)

    return total(rounds, result, 43)


def determinant(rounds: int) -> int:
    """Compute determinants over the integers, by elimination without fractions (Bareiss)."""

    def result(random: Random) -> int:
        rows = [[random(10007) for _ in range(12)] for _ in range(12)]
        sign, last = 1, 1
        for k in range(11):
            if rows[k][k] == 0:
                other = next(r for r in range(k, 12) if rows[r][k])
                rows[k], rows[other], sign = rows[other], rows[k], -sign
            for i, j in itertools.product(range(k + 1, 12), repeat=2):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // last
            last = rows[k][k]
        return sign * rows[11][11] % 10007

    return total(rounds, result, 3)


def histogram(rounds: int) -> int:
    """Return the first fullest bin, the bin of the median and the sum of squares."""

    def result(random: Random) -> int:
        samples = sorted(random(32) + random(33) for _ in range(4000))
        counts = Counter(samples)
        fullest = max(range(64), key=lambda i: counts[i])
        return 1000 * fullest + samples[1999] + sum(n * n for n in counts.values())

    return total(rounds, result, 11)


def floyd(rounds: int) -> int:
    """Compute the distances between all towns.

    The Forth program uses the algorithm of Floyd and Warshall.  This function uses that of Bellman
    and Ford: for each town, repeated relaxation of all edges.
    """

    def result(random: Random) -> int:
        edges = [(i, j, random(100) + 1) for i in range(24) for j in range(24)
                 if i != j and random(5) == 0]  # fmt: skip
        found = 0
        for start in range(24):
            distances = [9999] * 24
            distances[start] = 0
            for _ in range(24):
                for i, j, length in edges:
                    distances[j] = min(distances[j], distances[i] + length)
            found += sum(min(n, 511) for n in distances)
        return found

    return total(rounds, result, 5)


def shell(rounds: int) -> int:
    """Sort numbers and weight them by their positions."""

    def result(random: Random) -> int:
        numbers = sorted(random(30000) for _ in range(1000))
        return sum(n * (i + 1) for i, n in enumerate(numbers)) & MASK_20

    return total(rounds, result, 9)


def edit(rounds: int) -> int:
    """Compute edit distances by Levenshtein's definition."""

    def result(random: Random) -> int:
        first, second = ([random(4) for _ in range(60)] for _ in range(2))

        @cache
        def distance(i: int, j: int) -> int:
            if i == 0 or j == 0:
                return i + j
            change = distance(i - 1, j - 1) + (first[i - 1] != second[j - 1])
            return min(change, distance(i - 1, j) + 1, distance(i, j - 1) + 1)

        return distance(60, 60)

    return total(rounds, result, 13)


def kayles(rounds: int) -> int:
    """Compute the Grundy numbers of rows of 0 to 100 pins.

    The Grundy number of a row is the least number that is not the Grundy number of a position after
    a move.
    """
    numbers = [0]
    for n in range(1, 101):
        sizes = [size for size in (n - 1, n - 2) if size >= 0]
        reached = {numbers[a] ^ numbers[size - a] for size in sizes for a in range(size + 1)}
        numbers.append(min(set(range(128)) - reached))
    return rounds * digest(numbers, 7) & MASK_24


def base64(rounds: int) -> int:
    """Encode with Python's library."""

    def result(random: Random) -> int:
        return digest(python_base64.b64encode(bytes(random(256) for _ in range(600))), 31)

    return total(rounds, result, 17)


def hadamard(rounds: int) -> int:
    """Compute the transform by definition: a signed sum for each result."""

    def result(random: Random) -> int:
        plain = [random(100) for _ in range(256)]
        mixed = [plain[int(f"{i:08b}"[::-1], 2)] for i in range(256)]
        signs = [[1 - 2 * ((i & j).bit_count() & 1) for i in range(256)] for j in range(256)]
        return digest([abs(sum(map(operator.mul, row, mixed))) for row in signs], 3)

    return total(rounds, result, 19)


def magic(rounds: int) -> int:
    """Build magic squares; add the sum of a row, a corner, and three times another corner."""
    found = 0
    for side in range(3, 22, 2):
        square: dict[tuple[int, int], int] = {}
        row, column = 0, side // 2
        for n in range(1, side * side + 1):
            square[row, column] = n
            up = ((row - 1) % side, (column + 1) % side)
            row, column = up if up not in square else ((row + 1) % side, column)
        found += side * (side * side + 1) // 2 + square[0, 0] + 3 * square[side - 1, 0]
    return rounds * found


def fenwick(rounds: int) -> int:
    """Add to numbers and query prefix sums, with a list instead of a Fenwick tree."""

    def result(random: Random) -> int:
        numbers, found = [0] * 513, 0
        for _ in range(500):
            increment, index = random(50), random(512) + 1
            numbers[index] += increment
            sums = list(itertools.accumulate(numbers))
            found += sums[random(512)]
            found += bisect.bisect_right(sums, random(2000)) - 1
        return found

    return total(rounds, result, 23)


def unions(rounds: int) -> int:
    """Unite random pairs until one set is left; add the number of pairs and all depths.

    The depth of an element is its distance from the root, in a forest with path halving.
    """

    def result(random: Random) -> int:
        parents, sizes, sets, pairs = list(range(500)), [1] * 500, 500, 0

        def root(n: int) -> int:
            while parents[n] != n:
                parents[n] = parents[parents[n]]
                n = parents[n]
            return n

        while sets > 1:
            first, second = random(500), random(500)
            pairs += 1
            small, large = root(second), root(first)
            if small != large:
                if sizes[large] < sizes[small]:
                    small, large = large, small
                parents[small] = large
                sizes[large] += sizes[small]
                sets -= 1

        @cache
        def depth(n: int) -> int:
            return 0 if parents[n] == n else 1 + depth(parents[n])

        return pairs + sum(map(depth, range(500)))

    return total(rounds, result, 29)


def puzzle(rounds: int) -> int:
    """Compute the depths of all reachable positions of the sliding puzzle."""
    start = "123450"
    depths = {start: 0}
    waiting = deque([start])
    while waiting:
        position = waiting.popleft()
        blank = position.index("0")
        for other in range(6):
            if abs(blank // 3 - other // 3) + abs(blank % 3 - other % 3) == 1:
                cells = list(position)
                cells[blank], cells[other] = cells[other], cells[blank]
                following = "".join(cells)
                if following not in depths:
                    depths[following] = depths[position] + 1
                    waiting.append(following)
    return rounds * (sum(depths.values()) + 1000 * max(depths.values()) + len(depths))


def machine(rounds: int) -> int:
    """Compute the sums that the program of the simulated machine prints."""
    return sum(k * k & 1023 for i in range(rounds) for k in range(1, i + 101)) & MASK_24


def flood(rounds: int) -> int:
    """Count the connected areas of squares, and find the largest area."""

    def result(random: Random) -> int:
        unvisited = {(r, c) for r in range(40) for c in range(40) if random(100) < 60}
        areas = []
        while unvisited:
            waiting = [unvisited.pop()]
            areas.append(0)
            while waiting:
                row, column = waiting.pop()
                areas[-1] += 1
                around = {
                    (row + 1, column),
                    (row - 1, column),
                    (row, column + 1),
                    (row, column - 1),
                }
                waiting += around & unvisited
                unvisited -= around
        return 1000 * len(areas) + max(areas)

    return total(rounds, result, 31)


def fermat(rounds: int) -> int:
    """Add the odd numbers that pass Fermat's test for the bases 2 and 3."""
    odd = range(5, 3000, 2)
    return rounds * sum(n for n in odd if pow(2, n - 1, n) == 1 and pow(3, n - 1, n) == 1)


def knapsack(rounds: int) -> int:
    """Compute the best value by deciding for each item whether to pack it."""

    def result(random: Random) -> int:
        items = [(random(90) + 10, random(200) + 1) for _ in range(30)]

        @cache
        def best(count: int, capacity: int) -> int:
            if count == 0:
                return 0
            weight, value = items[count - 1]
            without = best(count - 1, capacity)
            return (
                max(without, best(count - 1, capacity - weight) + value)
                if weight <= capacity
                else without
            )

        return best(30, 500)

    return total(rounds, result, 37)


def formula(rounds: int) -> int:
    """Evaluate random arithmetic expressions with Python."""

    def result(random: Random) -> int:
        def part(depth: int) -> str:
            if depth > 0 and random(3) == 0:
                return f"({text(depth - 1)})"
            return str(random(10))

        def text(depth: int) -> str:
            return part(depth) + "".join("+-*"[random(3)] + part(depth) for _ in range(4))

        made = text(4)
        value: int = eval(made)
        return (value & 65535) + len(made) + 1

    return total(rounds, result, 41)


def expected_result(name: str, rounds: int) -> int:
    """Return the expected result of a program."""
    found: int = globals()[name](rounds)
    return found
