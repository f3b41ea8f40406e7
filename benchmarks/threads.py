"""Benchmarks of threads: the speedup of two VMs, and the speedup that the machine allows.

Owns the threads.  It must not know the programs, except their expected results.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence

from benchmarks.peers import Peers
from benchmarks.runner import Benchmark, Effort, check
from benchmarks.texts import PROGRAMS, Program, expected_result, read
from forthvm.core.vm import VM

__all__ = ["BENCHMARKS"]

VMS = 2


def _speedup(program: Program, effort: Effort) -> float:
    """Return the throughput of two VMs on two threads divided by that of one VM."""
    size = program.tiny if effort.tiny else program.size
    vms = [VM(library="core") for _ in range(VMS)]
    for vm in vms:
        vm.interpret(read(f"{program.text}.4th"), name=f"{program.text}.4th")
    rounds = _rounds_for(lambda: vms[0].call(program.word, size), effort)
    results: list[int] = []

    def work(vm: VM) -> Callable[[], None]:
        def run() -> None:
            for _ in range(rounds):
                results.extend(vm.call(program.word, size))

        return run

    alone = _parallel_seconds([work(vms[0])])
    together = _parallel_seconds([work(vm) for vm in vms])
    check(program.name, results, [expected_result(program, size)] * (rounds * (VMS + 1)))
    return VMS * alone / together


DATA = bytes(1_000_000)
DIGEST = "d29751f2649b32ff572b5e0a9f541ea660a50f94ff0beedfb0b692b924cc8025"
"""SHA-256 of a million zero bytes, as printed by `head -c 1000000 /dev/zero | sha256sum`."""


def _hashing(_peers: Peers, effort: Effort) -> float:
    """Return the speedup of two threads that hash data and share nothing.

    This is the greatest speedup that the machine allows: below 2 if its cores are busy.
    """
    digests: list[str] = []

    def once() -> None:
        digests.append(hashlib.sha256(DATA).hexdigest())

    rounds = _rounds_for(once, effort)
    digests.clear()

    def run() -> None:
        for _ in range(rounds):
            once()

    alone = _parallel_seconds([run])
    together = _parallel_seconds([run] * VMS)
    check("hashes", digests, [DIGEST] * (rounds * (VMS + 1)))
    return VMS * alone / together


def _rounds_for(once: Callable[[], object], effort: Effort) -> int:
    """Return a number of calls of `once` that makes the time to start threads negligible."""
    if effort.tiny:
        return 1
    once()
    began = time.perf_counter()
    once()
    return max(1, round(4 * effort.seconds / (time.perf_counter() - began)))


def _parallel_seconds(work: Sequence[Callable[[], None]]) -> float:
    """Return the wall-clock seconds to run all functions, each in its own thread."""
    threads = [threading.Thread(target=each) for each in work]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - began


def _bench(program: Program) -> Benchmark:
    return Benchmark(
        name=f"threads-{program.name}",
        group="threads",
        unit="x",
        summary=f"{program.name} in two VMs on two threads, compared with one; CPython: hashing",
        run=lambda effort: _speedup(program, effort),
        peers={"CPython": _hashing},
        target="1.8 on two idle cores",
    )


BENCHMARKS = tuple(_bench(each) for each in PROGRAMS if each.name in {"scan", "bt-playouts"})
