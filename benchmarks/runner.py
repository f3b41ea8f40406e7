"""Defines benchmarks and runs them repeatedly.

Owns the data classes, the list of benchmarks, interleaving and medians.
"""

from __future__ import annotations

import importlib
import math
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from forthvm.core.errors import ForthVMError, Interrupted

if TYPE_CHECKING:
    from benchmarks.peers import Peers

__all__ = [
    "OURS",
    "Benchmark",
    "Effort",
    "Figure",
    "WrongResultError",
    "all_benchmarks",
    "check",
    "geometric_means",
    "measure",
    "seconds_of",
]

MODULES = ("interpreter", "play", "process", "self_play", "threads")
GROUPS = ("interpreter", "script", "game", "program", "memory", "threads")
OURS = "forthvm"

T = TypeVar("T")


class WrongResultError(ForthVMError):
    """A benchmark had a wrong result, so its time is meaningless."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How long each sample runs."""

    seconds: float = 0.05
    """Minimal processor time of a sample, if the benchmark can be repeated."""
    tiny: bool = False
    """Use small sizes, which check the result but do not measure speed."""


Measure = Callable[[Effort], float]
PeerMeasure = Callable[["Peers", Effort], float]


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """A benchmark."""

    name: str
    group: str
    unit: str
    """If the unit is "x" or ends with "/s", larger values are better; otherwise smaller values."""
    summary: str
    run: Measure
    """Takes one sample: runs the benchmark, checks its result and returns the sample in `unit`."""
    peers: Mapping[str, PeerMeasure] = field(default_factory=dict)
    """Functions that measure peers, by their names (peers.NAMES)."""
    repeats: int = 5
    slow: bool = False
    """Takes more than a few seconds; runs only if named."""
    target: str = ""
    """The value that should be reached, in words."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """The results of a benchmark."""

    benchmark: Benchmark
    values: Mapping[str, tuple[float, ...]]
    """The samples by system: forthvm or its tiers first, then peers.

    Systems that failed or had a wrong result are omitted.
    """
    wrong: Mapping[str, str]
    """The messages of systems that failed or had a wrong result."""
    ours: tuple[str, ...] = (OURS,)
    """The names of the systems that run forthvm; the other systems are peers."""

    def median(self, system: str = OURS) -> float:
        """Return the median of the samples."""
        return statistics.median(self.values[system])

    def best(self, system: str = OURS) -> float:
        """Return the best sample."""
        return max(self.values[system]) if self.more_is_better else min(self.values[system])

    @property
    def more_is_better(self) -> bool:
        """Whether larger samples are better, as for rates and speedups."""
        return self.benchmark.unit.endswith("/s") or self.benchmark.unit == "x"

    def ratio(self, system: str, peer: str, *, best: bool = False) -> float:
        """Return the time of `system` divided by the peer's: below 1, forthvm is faster.

        Uses the medians, or with `best` the best samples.
        """
        select = self.best if best else self.median
        mine, other = select(system), select(peer)
        return other / mine if self.more_is_better else mine / other

    def ratios(self, system: str, *, best: bool = False) -> dict[str, float]:
        """Return the ratio of `system` to each measured peer, by name of the peer."""
        if system not in self.values:
            return {}
        others = (name for name in self.values if name not in self.ours)
        return {peer: self.ratio(system, peer, best=best) for peer in others}


def all_benchmarks() -> dict[str, Benchmark]:
    """Return all benchmarks by name, ordered by group."""
    found: list[Benchmark] = []
    for name in MODULES:
        found += importlib.import_module(f"benchmarks.{name}").BENCHMARKS
    found.sort(key=lambda benchmark: GROUPS.index(benchmark.group))
    return {benchmark.name: benchmark for benchmark in found}


def measure(
    benchmark: Benchmark,
    repeats: int | None = None,
    *,
    effort: Effort | None = None,
    peers: Peers | None = None,
    tiers: Mapping[str, Callable[[str, Effort], float]] | None = None,
) -> Figure:
    """Run a benchmark several times, interleaving the systems to expose them to the same load.

    Args:
        benchmark: The benchmark to run.
        repeats: Samples per system; None: the default of the benchmark.
        effort: The length of a sample.
        peers: The peers to measure.
        tiers: If given, these functions, by name of tier, measure forthvm in other processes;
            this process then does not measure forthvm.

    A system with a wrong result is reported in `wrong` and not measured again.
    """
    used_effort = effort or Effort()
    ours = _ours(benchmark, used_effort, tiers)
    systems = ours | _others(benchmark, used_effort, peers)
    values: dict[str, list[float]] = {name: [] for name in systems}
    wrong: dict[str, str] = {}
    for _ in range(repeats or benchmark.repeats):
        for name, run in systems.items():
            if name in wrong:
                continue
            try:
                values[name].append(run())
            except Interrupted:
                raise
            except ForthVMError as error:
                wrong[name] = str(error)
    correct = {name: tuple(found) for name, found in values.items() if name not in wrong}
    return Figure(benchmark=benchmark, values=correct, wrong=wrong, ours=tuple(ours))


def _ours(
    benchmark: Benchmark, effort: Effort, tiers: Mapping[str, Callable[[str, Effort], float]] | None
) -> dict[str, Callable[[], float]]:
    if not tiers:
        return {OURS: lambda: benchmark.run(effort)}
    return {name: _with_arguments(tier, benchmark.name, effort) for name, tier in tiers.items()}


def _others(
    benchmark: Benchmark, effort: Effort, peers: Peers | None
) -> dict[str, Callable[[], float]]:
    if peers is None:
        return {}
    return {
        name: _with_arguments(run, peers, effort)
        for name, run in benchmark.peers.items()
        if peers.has(name)
    }


def _with_arguments(
    run: Callable[[T, Effort], float], first: T, effort: Effort
) -> Callable[[], float]:
    return lambda: run(first, effort)


def check(what: str, actual: object, expected: object) -> None:
    """Compare a result with the expected one.

    Raises:
        WrongResultError: they differ.
    """
    if actual != expected:
        raise WrongResultError(f"{what}: expected {expected!r}, got {actual!r}")


def seconds_of(work: Callable[[], T], effort: Effort) -> tuple[float, T]:
    """Return the mean processor seconds of a run, and the result of the last one."""
    runs = 0
    began = time.process_time()
    while True:
        result = work()
        runs += 1
        took = time.process_time() - began
        if effort.tiny or took >= effort.seconds:
            return max(took, 1e-9) / runs, result


def geometric_means(
    figures: Iterable[Figure], *, best: bool = False
) -> dict[str, dict[str, dict[str, float]]]:
    """Return the geometric means of the ratios by group, system and peer.

    Only peers that ran all benchmarks of a group have a mean.
    """
    return {
        group: {
            system: dict(_means([figure.ratios(system, best=best) for figure in members]))
            for system in dict.fromkeys(name for figure in members for name in figure.ours)
        }
        for group, members in _grouped(figures).items()
    }


def _grouped(figures: Iterable[Figure]) -> dict[str, list[Figure]]:
    groups: dict[str, list[Figure]] = {}
    for figure in figures:
        groups.setdefault(figure.benchmark.group, []).append(figure)
    return groups


def _means(ratios: Sequence[Mapping[str, float]]) -> Iterator[tuple[str, float]]:
    for peer in dict.fromkeys(name for each in ratios for name in each):
        found = [each[peer] for each in ratios if peer in each]
        if 1 < len(found) == len(ratios):  # the mean of one ratio is not shown
            yield peer, math.exp(statistics.fmean(map(math.log, found)))
