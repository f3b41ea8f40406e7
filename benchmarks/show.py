"""Figures as lines of text, as Markdown and as data for JSON.

Owns the looks of tables.  It must not know how anything is measured, and prints nothing.

A ratio is forthvm's time as a multiple of the peer's: below 1, forthvm is faster.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.runner import OURS, Bench, Figure, geometric_means
from benchmarks.tiers import VARIABLE
from forthvm._version import __version__
from forthvm.core.text.wording import wrapped

__all__ = ["Table", "document", "markdown", "number"]

LEAST = 3


def number(value: float) -> str:
    """Three digits that mean something."""
    hundred = 100
    return f"{value:,.0f}" if value >= hundred else f"{value:.{LEAST}g}"


def _ratio(value: float | None) -> str:
    if value is None:
        return "-"
    ten, thousandth = 10, 0.01
    return f"{value:.0f}" if value >= ten else f"{value:.{2 if value >= thousandth else 3}f}"


class Table:
    """The lines of one group, bench by bench, as they come."""

    def __init__(
        self, benches: Sequence[Bench], ours: Sequence[str], width: int, peers: Container[str]
    ) -> None:
        """Lays out columns for what will come; too narrow, ratios get lines of their own."""
        self._tiers = list(ours) != [OURS]
        self._name = max(len("geometric mean"), *(len(bench.name) for bench in benches))
        self._tier = max(map(len, ours)) if self._tiers else 0
        named = dict.fromkeys(name for bench in benches for name in bench.peers)
        self._peers = [name for name in named if name in peers]
        self._width = width
        self._wide = self._fixed + sum(len(name) + 2 for name in self._peers) <= width

    @property
    def _fixed(self) -> int:
        return self._name + (self._tier + 2 if self._tiers else 0) + 10 + 9

    def head(self, group: str) -> list[str]:
        """What stands above."""
        peers = "  ".join(self._peers)
        title = f"{group:{self._fixed}}" if self._wide and self._peers else group
        return [f"{title}  {peers}" if self._wide and self._peers else title]

    def rows(self, figure: Figure) -> list[str]:
        """A bench, a line for each of ours."""
        lines = []
        for who in figure.ours:
            if who in figure.values:
                value = f"{number(figure.median(who)):>10} {figure.bench.unit:8}"
                lines += self._row(figure.bench.name, who, value, figure.ratios(who))
                if figure.bench.target:
                    lines[-1] += f"  (aim: {figure.bench.target})"
        lines += [f"wrong: {figure.bench.name} by {who}: {text}" for who, text in _wrong(figure)]
        return [line.rstrip() for line in lines]

    def means(self, who: str, ratios: Mapping[str, float]) -> list[str]:
        """The last line of a group: geometric means of the ratios."""
        if not ratios:
            return []
        return [line.rstrip() for line in self._row("geometric mean", who, " " * 19, ratios)]

    def _row(self, name: str, who: str, value: str, ratios: Mapping[str, float]) -> list[str]:
        tier = f"  {who:{self._tier}}" if self._tiers else ""
        start = f"{name:{self._name}}{tier}{value}"
        if self._wide:
            cells = (
                f"{_ratio(ratios.get(peer)) if ratios else '':>{len(peer)}}" for peer in self._peers
            )
            return ["  ".join([start, *cells])]
        told = ", ".join(f"{peer} {_ratio(ratio)}" for peer, ratio in ratios.items())
        more = wrapped(told, self._width - 4)
        return [start, *(f"    {line}" for line in more)]


def _wrong(figure: Figure) -> Iterable[tuple[str, str]]:
    return figure.wrong.items()


# --- Markdown ---------------------------------------------------------------------------


def markdown(figures: Sequence[Figure], peers: Mapping[str, str], absent: Mapping[str, str]) -> str:
    """A page's section: the machine, a table for each group, what was skipped."""
    parts = ["\n".join(_machine_lines(peers))]
    means = geometric_means(figures)
    for group in dict.fromkeys(figure.bench.group for figure in figures):
        members = [figure for figure in figures if figure.bench.group == group]
        parts.append("\n".join([f"### {group}", "", *_markdown_table(members, means[group])]))
    if absent:
        parts.append("\n".join(f"Skipped: {name} ({why})." for name, why in absent.items()))
    return "\n\n".join(parts) + "\n"


def _machine_lines(peers: Mapping[str, str]) -> Iterator[str]:
    told = machine()
    yield (
        f"{told['date']}, {told['cpu']}, {told['cores']} cores, {told['system']}, "
        f"Python {told['python']}, forthvm {told['forthvm']}, tier {told['tier']}."
    )
    if peers:
        yield "Peers: " + "; ".join(f"{name} ({version})" for name, version in peers.items()) + "."
    yield (
        "Medians; in brackets forthvm's time as a multiple of the peer's: below 1, forthvm is "
        "faster."
    )


def _markdown_table(
    figures: Sequence[Figure], means: Mapping[str, Mapping[str, float]]
) -> Iterator[str]:
    ours = list(dict.fromkeys(name for figure in figures for name in figure.ours))
    peers = list(dict.fromkeys(name for figure in figures for name in figure.values))
    peers = [name for name in peers if name not in ours]
    yield "| " + " | ".join(["bench", "unit", *ours, *peers]) + " |"
    yield "|" + "---|" * 2 + "---:|" * (len(ours) + len(peers))
    for figure in figures:
        cells = [figure.bench.name, figure.bench.unit]
        cells += [number(figure.median(who)) if who in figure.values else "" for who in ours]
        cells += [_peer_cell(figure, ours, peer) for peer in peers]
        yield "| " + " | ".join(cells) + " |"
    if any(means.get(who) for who in ours):
        cells = ["*geometric mean*", "", *("" for _ in ours)]
        cells += [_brackets(means.get(who, {}).get(peer) for who in ours) for peer in peers]
        yield "| " + " | ".join(cells) + " |"


def _peer_cell(figure: Figure, ours: Sequence[str], peer: str) -> str:
    if peer not in figure.values:
        return ""
    ratios = (figure.ratio(who, peer) if who in figure.values else None for who in ours)
    return f"{number(figure.median(peer))} {_brackets(ratios)}"


def _brackets(ratios: Iterable[float | None]) -> str:
    told = [_ratio(ratio) for ratio in ratios]
    return f"({', '.join(told)})" if any(each != "-" for each in told) else ""


# --- JSON -------------------------------------------------------------------------------


def document(
    figures: Sequence[Figure], peers: Mapping[str, str], absent: Mapping[str, str]
) -> dict[str, object]:
    """Everything, for keeping and comparing."""
    return {
        **machine(),
        "peers": dict(peers),
        "absent": dict(absent),
        "figures": [_figure(figure) for figure in figures],
        "geometric_means": geometric_means(figures),
        "geometric_means_of_best": geometric_means(figures, best=True),
    }


def _figure(figure: Figure) -> dict[str, object]:
    bench = figure.bench
    first = figure.ours[0]
    measured = {
        who: {
            "median": figure.median(who),
            "best": figure.best(who),
            "values": list(values),
        }
        for who, values in figure.values.items()
    }
    mine = measured.get(first, {})
    return {
        "name": bench.name,
        "group": bench.group,
        "unit": bench.unit,
        "more_is_better": figure.more_is_better,
        "summary": bench.summary,
        "target": bench.target,
        "median": mine.get("median"),
        "values": mine.get("values"),
        "measured": measured,
        "ratios": {who: figure.ratios(who) for who in figure.ours},
        "ratios_of_best": {who: figure.ratios(who, best=True) for who in figure.ours},
        "wrong": dict(figure.wrong),
    }


def machine() -> dict[str, object]:
    """What the figures were measured on, and with what."""
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
