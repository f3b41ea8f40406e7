"""Benches of threads: two VMs at once against one, and what the machine gives two threads at all.

Owns the threads.  It must not know what they run, but for its right answers.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence

from benchmarks.peers import Peers
from benchmarks.runner import Bench, Effort, check
from benchmarks.texts import PROGRAMS, Program, read, right_answer
from forthvm.core.vm import VM

__all__ = ["BENCHES"]

VMS = 2


def _speedup(program: Program, effort: Effort) -> float:
    """How many times as much two VMs on two threads do in the time of one."""
    size = program.tiny if effort.tiny else program.size
    vms = [VM(library="core") for _ in range(VMS)]
    for vm in vms:
        vm.interpret(read(f"{program.text}.4th"), name=f"{program.text}.4th")
    rounds = _rounds_for(lambda: vms[0].call(program.word, size), effort)
    answers: list[int] = []

    def work(vm: VM) -> Callable[[], None]:
        def run() -> None:
            for _ in range(rounds):
                answers.extend(vm.call(program.word, size))

        return run

    alone = _together([work(vms[0])])
    both = _together([work(vm) for vm in vms])
    check(program.name, answers, [right_answer(program, size)] * (rounds * (VMS + 1)))
    return VMS * alone / both


DATA = bytes(1_000_000)
DIGEST = "d29751f2649b32ff572b5e0a9f541ea660a50f94ff0beedfb0b692b924cc8025"
"""SHA-256 of a million zero bytes, as `head -c 1000000 /dev/zero | sha256sum` has it."""


def _hashing(_peers: Peers, effort: Effort) -> float:
    """The same for hashes, which share nothing: less than 2 is for want of idle cores."""
    digests: list[str] = []

    def once() -> None:
        digests.append(hashlib.sha256(DATA).hexdigest())

    rounds = _rounds_for(once, effort)
    digests.clear()

    def run() -> None:
        for _ in range(rounds):
            once()

    alone = _together([run])
    both = _together([run] * VMS)
    check("hashes", digests, [DIGEST] * (rounds * (VMS + 1)))
    return VMS * alone / both


def _rounds_for(once: Callable[[], object], effort: Effort) -> int:
    """Runs that take a while, so that starting threads does not count."""
    if effort.tiny:
        return 1
    once()
    began = time.perf_counter()
    once()
    return max(1, round(4 * effort.seconds / (time.perf_counter() - began)))


def _together(work: Sequence[Callable[[], None]]) -> float:
    """Seconds on the wall until all of it is done, each on a thread of its own."""
    threads = [threading.Thread(target=each) for each in work]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - began


def _bench(program: Program) -> Bench:
    return Bench(
        name=f"threads-{program.name}",
        group="threads",
        unit="x",
        summary=f"{program.name} in two VMs on two threads, against one; CPython hashes",
        run=lambda effort: _speedup(program, effort),
        peers={"CPython": _hashing},
        target="1.8 on two idle cores",
    )


BENCHES = tuple(_bench(each) for each in PROGRAMS if each.name in {"scan", "bt-playouts"})
