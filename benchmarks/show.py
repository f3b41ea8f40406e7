"""Formats figures as text, as Markdown and as data for JSON.

Owns the layout of tables.  It prints nothing.

A ratio is forthvm's time divided by the peer's: below 1, forthvm is faster.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.runner import OURS, Benchmark, Figure, geometric_means
from benchmarks.tiers import VARIABLE
from forthvm._version import __version__
from forthvm.core.text.wording import wrapped

__all__ = ["Table", "document", "markdown", "number"]

DIGITS = 3


def number(value: float) -> str:
    """Return a number as an integer if it is at least 100, else with three significant digits."""
    hundred = 100
    return f"{value:,.0f}" if value >= hundred else f"{value:.{DIGITS}g}"


def _ratio(value: float | None) -> str:
    if value is None:
        return "-"
    ten, hundredth = 10, 0.01
    return f"{value:.0f}" if value >= ten else f"{value:.{2 if value >= hundredth else 3}f}"


class Table:
    """The lines of the table of one group."""

    def __init__(
        self,
        benchmarks: Sequence[Benchmark],
        ours: Sequence[str],
        width: int,
        peers: Container[str],
    ) -> None:
        """Compute the columns of a table of `width` characters.

        If the width is too small for a column for each peer, ratios are on lines of their own.
        """
        self._shows_tiers = list(ours) != [OURS]
        names = ["geometric mean", *(benchmark.name for benchmark in benchmarks)]
        self._name_width = max(map(len, names))
        self._tier_width = max(map(len, ours)) if self._shows_tiers else 0
        named = dict.fromkeys(name for benchmark in benchmarks for name in benchmark.peers)
        self._peers = [name for name in named if name in peers]
        self._width = width
        self._wide = self._fixed + sum(len(name) + 2 for name in self._peers) <= width

    @property
    def _fixed(self) -> int:
        return self._name_width + (self._tier_width + 2 if self._shows_tiers else 0) + 10 + 9

    def head(self, group: str) -> list[str]:
        """Return the heading: the name of the group, and the peers if they have columns."""
        peers = "  ".join(self._peers)
        title = f"{group:{self._fixed}}" if self._wide and self._peers else group
        return [f"{title}  {peers}" if self._wide and self._peers else title]

    def rows(self, figure: Figure) -> list[str]:
        """Return the lines of a benchmark, one for each tier."""
        lines = []
        for system in figure.ours:
            if system in figure.values:
                value = f"{number(figure.median(system)):>10} {figure.benchmark.unit:8}"
                lines += self._row(figure.benchmark.name, system, value, figure.ratios(system))
                if figure.benchmark.target:
                    lines[-1] += f"  (target: {figure.benchmark.target})"
        lines += [
            f"wrong: {figure.benchmark.name} by {system}: {text}" for system, text in _wrong(figure)
        ]
        return [line.rstrip() for line in lines]

    def means(self, system: str, ratios: Mapping[str, float]) -> list[str]:
        """Return the last line of a group: the geometric means of the ratios."""
        if not ratios:
            return []
        return [line.rstrip() for line in self._row("geometric mean", system, " " * 19, ratios)]

    def _row(self, name: str, system: str, value: str, ratios: Mapping[str, float]) -> list[str]:
        tier = f"  {system:{self._tier_width}}" if self._shows_tiers else ""
        start = f"{name:{self._name_width}}{tier}{value}"
        if self._wide:
            cells = (
                f"{_ratio(ratios.get(peer)) if ratios else '':>{len(peer)}}" for peer in self._peers
            )
            return ["  ".join([start, *cells])]
        text = ", ".join(f"{peer} {_ratio(ratio)}" for peer, ratio in ratios.items())
        more = wrapped(text, self._width - 4)
        return [start, *(f"    {line}" for line in more)]


def _wrong(figure: Figure) -> Iterable[tuple[str, str]]:
    return figure.wrong.items()


# --- Markdown ---------------------------------------------------------------------------


def markdown(figures: Sequence[Figure], peers: Mapping[str, str], absent: Mapping[str, str]) -> str:
    """Return a section: the machine, a table for each group, the skipped peers."""
    parts = ["\n".join(_machine_lines(peers))]
    means = geometric_means(figures)
    for group in dict.fromkeys(figure.benchmark.group for figure in figures):
        members = [figure for figure in figures if figure.benchmark.group == group]
        parts.append("\n".join([f"### {group}", "", *_markdown_table(members, means[group])]))
    if absent:
        parts.append("\n".join(f"Skipped: {name} ({reason})." for name, reason in absent.items()))
    return "\n\n".join(parts) + "\n"


def _machine_lines(peers: Mapping[str, str]) -> Iterator[str]:
    used = machine()
    yield (
        f"{used['date']}, {used['cpu']}, {used['cores']} cores, {used['system']}, "
        f"Python {used['python']}, forthvm {used['forthvm']}, tier {used['tier']}."
    )
    if peers:
        yield "Peers: " + "; ".join(f"{name} ({version})" for name, version in peers.items()) + "."
    yield ("Medians; in brackets forthvm's time divided by the peer's: below 1, forthvm is faster.")


def _markdown_table(
    figures: Sequence[Figure], means: Mapping[str, Mapping[str, float]]
) -> Iterator[str]:
    ours = list(dict.fromkeys(name for figure in figures for name in figure.ours))
    peers = list(dict.fromkeys(name for figure in figures for name in figure.values))
    peers = [name for name in peers if name not in ours]
    yield "| " + " | ".join(["benchmark", "unit", *ours, *peers]) + " |"
    yield "|" + "---|" * 2 + "---:|" * (len(ours) + len(peers))
    for figure in figures:
        cells = [figure.benchmark.name, figure.benchmark.unit]
        cells += [
            number(figure.median(system)) if system in figure.values else "" for system in ours
        ]
        cells += [_peer_cell(figure, ours, peer) for peer in peers]
        yield "| " + " | ".join(cells) + " |"
    if any(means.get(system) for system in ours):
        cells = ["*geometric mean*", "", *("" for _ in ours)]
        cells += [_brackets(means.get(system, {}).get(peer) for system in ours) for peer in peers]
        yield "| " + " | ".join(cells) + " |"


def _peer_cell(figure: Figure, ours: Sequence[str], peer: str) -> str:
    if peer not in figure.values:
        return ""
    ratios = (figure.ratio(system, peer) if system in figure.values else None for system in ours)
    return f"{number(figure.median(peer))} {_brackets(ratios)}"


def _brackets(ratios: Iterable[float | None]) -> str:
    shown = [_ratio(ratio) for ratio in ratios]
    return f"({', '.join(shown)})" if any(each != "-" for each in shown) else ""


# --- JSON -------------------------------------------------------------------------------


def document(
    figures: Sequence[Figure], peers: Mapping[str, str], absent: Mapping[str, str]
) -> dict[str, object]:
    """Return all figures, the machine and the peers as the content of a JSON file."""
    return {
        **machine(),
        "peers": dict(peers),
        "absent": dict(absent),
        "figures": [_figure(figure) for figure in figures],
        "geometric_means": geometric_means(figures),
        "geometric_means_of_best": geometric_means(figures, best=True),
    }


def _figure(figure: Figure) -> dict[str, object]:
    benchmark = figure.benchmark
    first = figure.ours[0]
    measured = {
        system: {
            "median": figure.median(system),
            "best": figure.best(system),
            "values": list(values),
        }
        for system, values in figure.values.items()
    }
    mine = measured.get(first, {})
    return {
        "name": benchmark.name,
        "group": benchmark.group,
        "unit": benchmark.unit,
        "more_is_better": figure.more_is_better,
        "summary": benchmark.summary,
        "target": benchmark.target,
        "median": mine.get("median"),
        "values": mine.get("values"),
        "measured": measured,
        "ratios": {system: figure.ratios(system) for system in figure.ours},
        "ratios_of_best": {system: figure.ratios(system, best=True) for system in figure.ours},
        "wrong": dict(figure.wrong),
    }


def machine() -> dict[str, object]:
    """Return the machine and the versions."""
    return {
        "forthvm": __version__,
        "tier": os.environ.get(VARIABLE) or "default",
        "date": datetime.now(UTC).date().isoformat(),
        "python": sys.version.split()[0],
        "machine": platform.machine(),
        "system": platform.system(),
        "cpu": _cpu(),
        "cores": os.cpu_count() or 1,
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()
