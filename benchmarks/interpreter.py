"""Benches of the interpreter: programs in Forth, alone and beside peers.

Owns how forthvm runs and is timed with them.
"""

from __future__ import annotations

import threading
import time
from functools import partial

from benchmarks.peers import PROGRAM_PEERS, Peers, run_program
from benchmarks.runner import Bench, Effort, PeerMeasure, check, seconds_of
from benchmarks.texts import PROGRAMS, Program, read, right_answer
from forthvm.core.errors import Interrupted
from forthvm.core.vm import VM

__all__ = ["BENCHES", "run_ours"]


def run_ours(program: Program, effort: Effort) -> float:
    """Milliseconds of one run, in a fresh VM: its first run pays for what is translated."""
    size = program.tiny if effort.tiny else program.size
    vm = VM(library="core")
    vm.interpret(read(f"{program.text}.4th"), name=f"{program.text}.4th")
    seconds, answers = seconds_of(lambda: vm.call(program.word, size), effort)
    check(program.name, answers, (right_answer(program, size),))
    return seconds * 1000


def _by_peer(name: str, program: Program) -> PeerMeasure:
    def run(peers: Peers, effort: Effort) -> float:
        return run_program(peers, name, program, effort)

    return run


# Each round is one long primitive of 4 MB; the flag keeps the loop going for ever.
_LONG = """
: fill-ever ( -- ) BEGIN HERE 4000000 0 FILL FALSE UNTIL ;
: move-ever ( -- ) BEGIN HERE DUP 4 + 1000000 MOVE FALSE UNTIL ;
"""


def _latency(_effort: Effort) -> float:
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


BENCHES = (
    *(
        Bench(
            name=program.name,
            group=program.group,
            unit="ms",
            summary=program.summary,
            run=partial(run_ours, program),
            peers={name: _by_peer(name, program) for name in PROGRAM_PEERS},
        )
        for program in PROGRAMS
    ),
    Bench(
        name="interrupt",
        group="program",
        unit="ms",
        summary="from interrupt() to the end of a run inside FILL or MOVE of 4 MB",
        run=_latency,
        target="below 50",
    ),
)
