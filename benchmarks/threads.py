"""Benchmarks of threads: two VMs, searches with two threads, and what the machine allows.

Owns the threads.  A sample of a search alternates with one by a single thread.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.peers import Peers
from benchmarks.runner import Benchmark, Effort, check
from benchmarks.texts import PROGRAMS, Program, expected_result, read
from forthvm import Game, Limits, Position, engines, load
from forthvm.core.vm import VM
from forthvm.engines import Engine, SearchResult

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


class Search(NamedTuple):
    """A search that is run with one thread and with two."""

    name: str
    """What is compared: `playouts` or `nodes` a second, or the `time` to a depth."""
    game: str
    spec: str
    size: int
    """Playouts or plies."""
    tiny: int
    target: str
    openings: tuple[int, ...] = (0,)
    """Numbers of moves made before each search: threads help more in some positions."""


def _limits(search: Search, size: int) -> Limits:
    return Limits(nodes=size) if search.name == "playouts" else Limits(depth=size)


def _searched(
    search: Search, engine: Engine, *, threads: int, size: int, position: Position
) -> SearchResult:
    """Run a search with a number of threads; check what must be equal for every number."""
    if search.name != "playouts":
        engine.new_game()
        result = engine.play(position, _limits(search, size))
        check(f"depth of {search.game}", result.depth, size)
        return result
    result = engine.play(position, _limits(search, size))
    tree = engine.tree  # type: ignore[attr-defined]  # of mcts
    # A thread may be stopped in its last playout.
    check(f"playouts of {search.game}", size - threads < result.nodes <= size, True)
    check(f"visits of {search.game}", tree.root.visits, result.nodes)
    return result


def _opened(game: Game, moves: int) -> Position:
    """Return the position after some arbitrary but fixed moves."""
    position = game.start()
    for i in range(moves):
        position.push(position.legal_moves[7 * i % len(position.legal_moves)])
    return position


def _search_speedup(search: Search, effort: Effort) -> float:
    """Return the playouts or nodes a second, or the inverse of the time, relative to one thread."""
    game = load(search.game, seed=1, clock=0)
    size = search.tiny if effort.tiny else search.size
    searchers = {n: engines.get(f"{search.spec},threads={n}") for n in (1, 2)}
    for engine in searchers.values():  # creates and compiles the clones of the game
        engine.play(game.start(), _limits(search, size))
    seconds, work = {1: 0.0, 2: 0.0}, {1: 0, 2: 0}
    for moves in search.openings:
        position = _opened(game, moves)
        results = {
            n: _searched(search, engine, threads=n, size=size, position=position)
            for n, engine in searchers.items()
        }
        if search.name != "playouts":
            check(f"score of {search.game}", results[2].score, results[1].score)
        for threads, result in results.items():
            seconds[threads] += result.time
            work[threads] += result.nodes
    speedup = seconds[1] / seconds[2]
    return speedup if search.name == "time" else speedup * work[2] / work[1]


def _bench_search(search: Search) -> Benchmark:
    what = {"playouts": "playouts a second", "nodes": "nodes a second", "time": "time to a depth"}
    return Benchmark(
        name=f"threads-{search.name}-{search.game}",
        group="threads",
        unit="x",
        summary=f"{what[search.name]} of {search.spec.split(':')[0]} in {search.game} with two "
        "threads, compared with one; CPython: hashing",
        run=lambda effort: _search_speedup(search, effort),
        peers={"CPython": _hashing},
        target=search.target,
    )


# Without repetition, whose values depend on the order of the search, scores are equal.
EXACT = "negamax:repetition=no,net=none"
OPENINGS = (0, 4, 8, 12, 16, 20)
SEARCHES = (
    Search("playouts", "breakthrough", "mcts:seed=1,net=none", 20_000, 40, "1.9 on two idle cores"),
    Search("playouts", "chess", "mcts:seed=1,net=none,depth=200", 800, 4, "1.9 on two idle cores"),
    Search("playouts", "yonin-shogi", "mcts:seed=1,depth=60", 3000, 4, "1.9 on two idle cores"),
    Search("nodes", "breakthrough", EXACT, 8, 2, "1.7 on two idle cores"),
    Search("nodes", "chess", EXACT, 6, 1, "1.7 on two idle cores"),
    Search("time", "breakthrough", EXACT, 8, 2, "1.7 on two idle cores", OPENINGS),
    Search("time", "chess", EXACT, 6, 1, "1.7 on two idle cores", OPENINGS),
    Search("time", "reversi", EXACT, 9, 1, "1.7 on two idle cores", OPENINGS),
    Search("time", "draughts", EXACT, 13, 1, "1.7 on two idle cores", OPENINGS),
    Search("time", "thud", "maxn:seed=0,net=none", 3, 1, "1.7 on two idle cores"),
)

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


BENCHMARKS = (
    *(_bench(each) for each in PROGRAMS if each.name in {"scan", "bt-playouts"}),
    *map(_bench_search, SEARCHES),
)
