"""Tests of the benchmark programs: expected results are correct, and all systems have them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import pytest

import forthvm
from benchmarks import Effort, Peers, breakthrough
from benchmarks.peers import NAMES, PROGRAM_PEERS, run_program
from benchmarks.plain import PROGRAMS as PLAIN
from benchmarks.texts import FILES, PROGRAMS, Program, expected_result, read

TINY = Effort(tiny=True)


@pytest.fixture(scope="module")
def peers() -> Iterator[Peers]:
    with Peers() as found:
        yield found


def skip_without(peers: Peers, name: str) -> None:
    if not peers.has(name):
        pytest.skip(f"{name}: {peers.absent[name]}")


# --- expected results -------------------------------------------------------------------


def test_fib_satisfies_its_recurrence() -> None:
    values = [PLAIN["fib"](n) for n in range(15)]
    assert values[:2] == [1, 1]
    assert all(values[n] == values[n - 1] + values[n - 2] for n in range(2, 15))


def test_sieve_counts_odd_primes() -> None:
    odd = range(3, 2 * 8189 + 4, 2)  # the numbers of the flags 0 to 8189
    primes = sum(all(n % d for d in range(3, int(n**0.5) + 1, 2)) for n in odd)
    assert PLAIN["sieve"](1) == primes == 1899  # the classic count of this sieve


def test_bubble_sort_sorts() -> None:
    # The items are random numbers: each is (1309 x + 13849) modulo 65536 for the previous one, x.
    # The result is the sum of each sorted item times its index.
    items = [(74755 * 1309 + 13849) % 65536]
    while len(items) < 50:
        items.append((items[-1] * 1309 + 13849) % 65536)
    assert PLAIN["bubble"](50) == sum(i * n for i, n in enumerate(sorted(items))) % 65536


def test_matmul_multiplies_matrices() -> None:
    a = [[(3 * i + j) % 11 for j in range(40)] for i in range(40)]
    columns = [[(i + 5 * j) % 13 for i in range(40)] for j in range(40)]
    total = sum(
        (i + j + 1) * sum(x * y for x, y in zip(a[i], columns[j], strict=True))
        for i in range(40)
        for j in range(40)
    )
    assert PLAIN["matmul"](1) == total % 65536


def test_defer_applies_its_functions_in_order() -> None:
    # Rounds 0 to 7, which begin with 1: odd rounds first add 7; then each round applies one of
    # +1, +3, *2, XOR 43690.
    n = 1 + 1
    n = n + 7 + 3
    n = n * 2
    n = (n + 7) ^ 43690
    n = n + 1
    n = n + 7 + 3
    n = n * 2 % 65536
    n = (n + 7) ^ 43690
    assert PLAIN["defer"](8) == n


def ray_mobility(
    row: int, col: int, drow: int, dcol: int, piece: dict[tuple[int, int], int]
) -> int:
    """Count the empty squares of a ray from a square, plus three if a piece of kind 2 ends it."""
    ray = [(row + k * drow, col + k * dcol) for k in range(1, 8)]
    ray = [square for square in ray if square in piece]
    empty = list(takewhile(lambda square: piece[square] == 0, ray))
    blocked = len(empty) < len(ray)
    return len(empty) + (3 if blocked and piece[ray[len(empty)]] == 2 else 0)


def test_scan_adds_the_mobility_of_all_rays() -> None:
    piece = {(row, col): (8 * row + col) * 5 % 7 % 3 for row in range(8) for col in range(8)}
    rays = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
    total = sum(
        ray_mobility(*square, *ray, piece) for square in piece if piece[square] == 1 for ray in rays
    )
    assert PLAIN["scan"](3) == 3 * total


@pytest.mark.parametrize(("depth", "leaves"), [(1, 22), (2, 484), (3, 11132), (4, 256036)])
def test_perft_of_breakthrough_matches_published_counts(depth: int, leaves: int) -> None:
    assert breakthrough.perft(depth) == leaves


def minimax(board: breakthrough.Board, side: int, depth: int) -> int:
    """Return the minimax value of a board for the side to move."""
    if depth == 0:
        return board.men[side] - board.men[3 - side]
    values = []
    for move in board.moves(side):
        taken = board.make(side, move)
        won = board.won(side, move)
        values.append(breakthrough.WIN + depth if won else -minimax(board, 3 - side, depth - 1))
        board.unmake(side, move, taken)
    return max(values)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_alpha_beta_equals_minimax(depth: int) -> None:
    assert breakthrough.score(depth) == minimax(breakthrough.Board(), 1, depth)


def test_alpha_beta_visits_at_least_the_minimal_tree() -> None:
    # Depth 1: the root and 22 moves.  Depth 2: the first move needs its 22 replies, other moves at
    # least one.
    assert breakthrough.nodes(1) == 1 + 22
    assert 1 + 22 + 22 + 21 <= breakthrough.nodes(2) < 1 + 22 + 484


# --- systems ----------------------------------------------------------------------------


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_forthvm_agrees_with_python(program: Program) -> None:
    vm = forthvm.VM(library="core")
    vm.interpret(read(f"{program.text}.4th"))
    for size in (program.tiny, program.tiny + 1, program.tiny):
        assert vm.call(program.word, size) == (expected_result(program, size),)


def test_forthvm_agrees_on_scores_and_playout_lengths() -> None:
    vm = forthvm.VM(library="core")
    vm.interpret(read("breakthrough.4th"))
    assert [vm.call("run-score", depth) for depth in (1, 2, 3, 4)] == [
        (breakthrough.score(depth),) for depth in (1, 2, 3, 4)
    ]
    assert vm.call("run-plies", 20) == (breakthrough.plies(20),)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", PROGRAM_PEERS)
def test_peers_agree_with_python(peers: Peers, name: str) -> None:
    skip_without(peers, name)
    for program in PROGRAMS:  # run_program compares the result with Python's
        assert run_program(peers, name, program, TINY) > 0


@pytest.mark.parametrize("name", ["C", "LuaJIT"])
def test_peers_agree_on_scores_and_playout_lengths(peers: Peers, name: str) -> None:
    skip_without(peers, name)
    assert peers.run(name, "score", "breakthrough", 4, TINY)[1] == breakthrough.score(4)
    assert peers.run(name, "plies", "breakthrough", 20, TINY)[1] == breakthrough.plies(20)


def test_repeated_runs_have_the_expected_result(peers: Peers) -> None:
    for name in PROGRAM_PEERS:
        if peers.has(name):
            assert run_program(peers, name, PROGRAMS[0], Effort(seconds=0.002)) > 0


# --- availability -----------------------------------------------------------------------


def test_missing_peers_have_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with Peers() as peers:
        present = [name for name in NAMES if peers.has(name)]
        assert present == ["CPython"]
        assert peers.absent == {
            "gforth": "gforth is not installed",
            "gforth-fast": "gforth-fast is not installed",
            "C": "no C compiler is installed",
            "LuaJIT": "luajit is not installed",
            "OpenSpiel": "the package pyspiel is not installed",
            "python-chess": "the package chess is not installed",
            "pyffish": "the package pyffish is not installed",
        }


def test_unselected_peers_are_not_searched() -> None:
    with Peers(["CPython"]) as peers:
        assert not peers.has("gforth")
        assert peers.absent == {}


def test_all_program_files_are_copied() -> None:
    with Peers([]) as peers:
        assert sorted(path.name for path in peers.folder.iterdir()) == sorted(FILES)
    assert not peers.folder.exists()
