"""Benchmarks of Forth programs, which peers run too, and of the latency of interrupts.

Owns how forthvm runs these programs and how the time is measured.
"""

from __future__ import annotations

import threading
import time
from functools import partial

from benchmarks.peers import PROGRAM_PEERS, Peers, run_program
from benchmarks.runner import Benchmark, Effort, PeerMeasure, check, seconds_of
from benchmarks.texts import PROGRAMS, Program, expected_result, read
from forthvm.core.errors import Interrupted
from forthvm.core.vm import VM

__all__ = ["BENCHMARKS", "run_ours"]


def run_ours(program: Program, effort: Effort) -> float:
    """Return the milliseconds of one run in a new VM, whose first run includes translation."""
    size = program.tiny if effort.tiny else program.size
    vm = VM(library="core")
    vm.interpret(read(f"{program.text}.4th"), name=f"{program.text}.4th")
    seconds, results = seconds_of(lambda: vm.call(program.word, size), effort)
    check(program.name, results, (expected_result(program, size),))
    return seconds * 1000


def _by_peer(name: str, program: Program) -> PeerMeasure:
    def run(peers: Peers, effort: Effort) -> float:
        return run_program(peers, name, program, effort)

    return run


# Each iteration runs one long primitive on 4 MB; the loops are endless.
_LONG = """
: fill-ever ( -- ) BEGIN HERE 4000000 0 FILL FALSE UNTIL ;
: move-ever ( -- ) BEGIN HERE DUP 4 + 1000000 MOVE FALSE UNTIL ;
"""


def _latency(_effort: Effort) -> float:
    """Return the maximal milliseconds from `interrupt` in another thread to the end of the run."""
    vm = VM(library="core")
    vm.interpret(_LONG, name="long.4th")
    return max(_interrupted(vm, word) for word in ("fill-ever", "move-ever")) * 1000


def _interrupted(vm: VM, word: str) -> float:
    request_times: list[float] = []

    def interrupt() -> None:
        request_times.append(time.perf_counter())
        check("interrupt found a run", vm.interrupt(), True)

    timer = threading.Timer(0.05, interrupt)
    timer.start()
    try:
        vm.call(word)
    except Interrupted:
        return time.perf_counter() - request_times[0]
    finally:
        timer.join()
    raise AssertionError("the word returned without an interrupt")


BENCHMARKS = (
    *(
        Benchmark(
            name=program.name,
            group=program.group,
            unit="ms",
            summary=program.summary,
            run=partial(run_ours, program),
            peers={name: _by_peer(name, program) for name in PROGRAM_PEERS},
        )
        for program in PROGRAMS
    ),
    Benchmark(
        name="interrupt",
        group="program",
        unit="ms",
        summary="from interrupt() to the end of a run inside FILL or MOVE of 4 MB",
        run=_latency,
        target="below 50",
    ),
)
