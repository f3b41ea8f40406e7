"""Benches of the inner interpreter: programs in Forth, their answers worked out in Python.

Owns the Python side of programs.4th.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from importlib import resources

from forthvm.bench.runner import Bench, check
from forthvm.core.errors import Interrupted
from forthvm.core.vm import VM

__all__ = ["BENCHES"]


def _fib(n: int) -> int:
    a, b = 1, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def _odd_primes(last: int) -> int:
    return sum(all(n % d for d in range(3, int(n**0.5) + 1, 2)) for n in range(3, last + 1, 2))


def _matmul_sum(side: int) -> int:
    return 3 * sum(i + j for i in range(side) for j in range(side))


SIDE = 8
FULL = 5


def _rook_steps() -> int:
    full = {at for at in range(SIDE * SIDE) if at % 7 == FULL}
    steps = 0
    for at in range(SIDE * SIDE):
        for drow, dcol in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            row, col = at // SIDE + drow, at % SIDE + dcol
            while 0 <= row < SIDE and 0 <= col < SIDE and row * SIDE + col not in full:
                steps += 1
                row, col = row + drow, col + dcol
    return steps


_ANSWERS: dict[str, Callable[[], int]] = {
    "fib": lambda: _fib(27),
    "sieve": lambda: _odd_primes(2 * 8189 + 3),
    "bubble": lambda: -1,
    "matmul": lambda: _matmul_sum(40),
    "scan": _rook_steps,
}


def program() -> VM:
    """A VM with the programs loaded."""
    text = resources.files("forthvm.bench").joinpath("programs.4th").read_text(encoding="utf-8")
    vm = VM(library="core")
    vm.interpret(text, name="programs.4th")
    return vm


def _bench(name: str) -> Callable[[], float]:
    def run() -> float:
        vm = program()
        start = time.perf_counter()
        (answer,) = vm.call(f"answer-{name}")
        seconds = time.perf_counter() - start
        check(name, answer, _ANSWERS[name]())
        return seconds * 1000

    return run


# Each round is one long primitive of 4 MB; the flag keeps the loop going for ever.
_LONG = """
: fill-ever ( -- ) BEGIN HERE 4000000 0 FILL FALSE UNTIL ;
: move-ever ( -- ) BEGIN HERE DUP 4 + 1000000 MOVE FALSE UNTIL ;
"""


def _latency() -> float:
    """Milliseconds from `interrupt` in another thread to the end of the run, the worst case."""
    vm = VM(library="core")
    vm.interpret(_LONG, name="long.4th")
    return max(_interrupted(vm, word) for word in ("fill-ever", "move-ever")) * 1000


def _interrupted(vm: VM, word: str) -> float:
    asked: list[float] = []

    def interrupt() -> None:
        asked.append(time.perf_counter())
        check("interrupt found a run", vm.interrupt(), True)

    timer = threading.Timer(0.05, interrupt)
    timer.start()
    try:
        vm.call(word)
    except Interrupted:
        return time.perf_counter() - asked[0]
    finally:
        timer.join()
    raise AssertionError("the word came back without an interrupt")


_PROGRAMS = {
    "fib": "27 fib by recursion: calls and returns",
    "sieve": "20 sieves of 8,190 flags: bytes and loops",
    "bubble": "bubble sort of 400 cells: arrays and comparisons",
    "matmul": "product of two 40 x 40 matrices: arrays and nested loops",
    "scan": "60 scans of rook lines on an 8 x 8 board",
}

BENCHES = (
    *(
        Bench(name=name, unit="ms", summary=summary, run=_bench(name))
        for name, summary in _PROGRAMS.items()
    ),
    Bench(
        name="interrupt",
        unit="ms",
        summary="from interrupt() to the end of a run inside FILL or MOVE of 4 MB",
        run=_latency,
        target="below 50",
    ),
)
