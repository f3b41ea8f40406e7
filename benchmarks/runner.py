"""What a bench is, and how it is repeated.

Owns the values, the list of benches, turns and medians.  It must not know what is measured.
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
    "Bench",
    "Effort",
    "Figure",
    "WrongAnswerError",
    "all_benches",
    "check",
    "geometric_means",
    "measure",
    "seconds_of",
]

MODULES = ("interpreter", "play", "process", "threads")
GROUPS = ("interpreter", "script", "game", "program", "memory", "threads")
OURS = "forthvm"

T = TypeVar("T")


class WrongAnswerError(ForthVMError):
    """A bench came to another answer than the right one: its time means nothing."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How much work a sample is."""

    seconds: float = 0.05
    """Processor time that a sample takes at least, where a bench can be lengthened."""
    tiny: bool = False
    """Sizes at which a run checks the answer and says nothing about speed."""


Measure = Callable[[Effort], float]
PeerMeasure = Callable[["Peers", Effort], float]


@dataclass(frozen=True, kw_only=True)
class Bench:
    """One thing to measure."""

    name: str
    group: str
    unit: str
    """What ends with "/s" or is "x" is better the larger it is, all else the smaller."""
    summary: str
    run: Measure
    """Measures once, checks the answer, gives the figure in `unit`."""
    peers: Mapping[str, PeerMeasure] = field(default_factory=dict)
    """Others that do the same, by the names of peers.NAMES."""
    repeats: int = 5
    slow: bool = False
    """Takes more than a few seconds; run only when named."""
    target: str = ""
    """The figure aimed at, in words."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """What came out of a bench."""

    bench: Bench
    values: Mapping[str, tuple[float, ...]]
    """By who was measured: forthvm or its tiers first, then peers.  None of who was wrong."""
    wrong: Mapping[str, str]
    """What those said who gave a wrong answer, or none."""
    ours: tuple[str, ...] = (OURS,)
    """Which of them are forthvm."""

    def median(self, who: str = OURS) -> float:
        """The middle of the samples."""
        return statistics.median(self.values[who])

    def best(self, who: str = OURS) -> float:
        """The best of the samples."""
        return max(self.values[who]) if self.more_is_better else min(self.values[who])

    @property
    def more_is_better(self) -> bool:
        """Whether the figure is a rate."""
        return self.bench.unit.endswith("/s") or self.bench.unit == "x"

    def ratio(self, who: str, peer: str, *, best: bool = False) -> float:
        """Time as a multiple of the peer's: below 1, forthvm is faster."""
        take = self.best if best else self.median
        mine, other = take(who), take(peer)
        return other / mine if self.more_is_better else mine / other

    def ratios(self, who: str, *, best: bool = False) -> dict[str, float]:
        """The same for all peers that were measured."""
        if who not in self.values:
            return {}
        others = (name for name in self.values if name not in self.ours)
        return {peer: self.ratio(who, peer, best=best) for peer in others}


def all_benches() -> dict[str, Bench]:
    """Every bench by name, group by group."""
    found: list[Bench] = []
    for name in MODULES:
        found += importlib.import_module(f"benchmarks.{name}").BENCHES
    found.sort(key=lambda bench: GROUPS.index(bench.group))
    return {bench.name: bench for bench in found}


def measure(
    bench: Bench,
    repeats: int | None = None,
    *,
    effort: Effort | None = None,
    peers: Peers | None = None,
    tiers: Mapping[str, Callable[[str, Effort], float]] | None = None,
) -> Figure:
    """Runs a bench several times, all who take part by turns, so that they meet the same machine.

    Args:
        bench: What to measure.
        repeats: Samples of each; None: the bench's own number.
        effort: How long a sample is.
        peers: Who else may take part.
        tiers: By name, what measures a bench in another process; instead of this one.

    Who gives a wrong answer is told in `wrong` and measured no more.
    """
    told = effort or Effort()
    ours = _ours(bench, told, tiers)
    taking_part = ours | _others(bench, told, peers)
    values: dict[str, list[float]] = {name: [] for name in taking_part}
    wrong: dict[str, str] = {}
    for _ in range(repeats or bench.repeats):
        for name, run in taking_part.items():
            if name in wrong:
                continue
            try:
                values[name].append(run())
            except Interrupted:
                raise
            except ForthVMError as error:
                wrong[name] = str(error)
    right = {name: tuple(found) for name, found in values.items() if name not in wrong}
    return Figure(bench=bench, values=right, wrong=wrong, ours=tuple(ours))


def _ours(
    bench: Bench, effort: Effort, tiers: Mapping[str, Callable[[str, Effort], float]] | None
) -> dict[str, Callable[[], float]]:
    if not tiers:
        return {OURS: lambda: bench.run(effort)}
    return {name: _bound(tier, bench.name, effort) for name, tier in tiers.items()}


def _others(bench: Bench, effort: Effort, peers: Peers | None) -> dict[str, Callable[[], float]]:
    if peers is None:
        return {}
    return {
        name: _bound(run, peers, effort) for name, run in bench.peers.items() if peers.has(name)
    }


def _bound(run: Callable[[T, Effort], float], first: T, effort: Effort) -> Callable[[], float]:
    return lambda: run(first, effort)


def check(what: str, got: object, expected: object) -> None:
    """Compares an answer with the right one.

    Raises:
        WrongAnswerError: they differ.
    """
    if got != expected:
        raise WrongAnswerError(f"{what}: expected {expected!r}, got {got!r}")


def seconds_of(work: Callable[[], T], effort: Effort) -> tuple[float, T]:
    """Processor seconds of one run of many, and what the last one gave."""
    runs = 0
    began = time.process_time()
    while True:
        answer = work()
        runs += 1
        took = time.process_time() - began
        if effort.tiny or took >= effort.seconds:
            return max(took, 1e-9) / runs, answer


def geometric_means(
    figures: Iterable[Figure], *, best: bool = False
) -> dict[str, dict[str, dict[str, float]]]:
    """Group, ours, peer: the mean of the ratios of all benches of a group.

    Only for peers that took part in all of them: the mean of some is no property of a group.
    """
    return {
        group: {
            who: dict(_means([figure.ratios(who, best=best) for figure in members]))
            for who in dict.fromkeys(name for figure in members for name in figure.ours)
        }
        for group, members in _grouped(figures).items()
    }


def _grouped(figures: Iterable[Figure]) -> dict[str, list[Figure]]:
    groups: dict[str, list[Figure]] = {}
    for figure in figures:
        groups.setdefault(figure.bench.group, []).append(figure)
    return groups


def _means(ratios: Sequence[Mapping[str, float]]) -> Iterator[tuple[str, float]]:
    for peer in dict.fromkeys(name for each in ratios for name in each):
        found = [each[peer] for each in ratios if peer in each]
        if 1 < len(found) == len(ratios):  # of one there is no mean
            yield peer, math.exp(statistics.fmean(map(math.log, found)))
