"""The numeric parts of a report page: tables, cross table, charts.

Owns the presentation of a summary in HTML and SVG.  It must not know games or the complete page.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from forthvm.autoplay.report.summary_text import (
    VIRTUAL_NOTE,
    elo_text,
    facts,
    interval_name,
    percent,
    points,
    signed,
    span,
)
from forthvm.render.chart_svg import COLOURS, Panel, chart_svg
from forthvm.render.interval_svg import Estimate, interval_svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.autoplay.statistics.standings import Standing
    from forthvm.autoplay.statistics.summary import Cell, Duel, Summary

__all__ = [
    "all_facts",
    "cross_table",
    "duel_facts",
    "fact_list",
    "length_chart",
    "ratings_part",
    "score_chart",
    "standings_part",
    "table",
]

MAX_BARS = 30
"""The maximum number of bars in the chart of game lengths."""
_ROUND_DIGITS = (1, 2, 5)
"""The first digits of round bar widths."""
MAX_CURVES = len(COLOURS)
"""The maximum number of entrants in the chart of scores."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table of texts with names in the first column."""
    lines = ["<tr>", *(f"<th>{escape(cell)}</th>" for cell in head), "</tr>"]
    for row in rows:
        name, *cells = map(escape, row)
        lines.append(f'<tr><td class="name" title="{name}">{name}</td>')
        lines += [f"<td>{cell}</td>" for cell in cells]
        lines.append("</tr>")
    return f'<div class="scroll"><table>{"".join(lines)}</table></div>'


def standings_part(
    standings: Sequence[Standing], kind: str, title: str, *, fair: float | None = None
) -> str:
    """Return a table of wins, draws and losses, and a chart of mean scores with intervals.

    Args:
        standings: The results of entrants or seats.
        kind: `entrant` or `seat`.
        title: The title of the chart.
        fair: The mean score to mark by a line, from 0 to 1; None for no line.
    """
    shared = any(standing.shared for standing in standings)
    kinds = ["won", *(["shared"] if shared else []), "drawn", "lost"]
    head = [kind, "games", *kinds, "points"]
    rows = [
        [
            standing.name,
            str(standing.played),
            *(_counted(standing, result_kind) for result_kind in kinds),
            points(standing.points),
        ]
        for standing in standings
    ]
    estimates = [
        Estimate(
            name=standing.name,
            value=100 * standing.score,
            low=100 * standing.interval.low,
            high=100 * standing.interval.high,
            text=f"{percent(standing.score)} % ({span(standing.interval)})",
        )
        for standing in standings
        if standing.played
    ]
    if not estimates:
        return table(head, rows)
    line = None if fair is None else 100 * fair
    chart = interval_svg(estimates, title=title, bounds=(0, 100), reference=line)
    note = f"Intervals of shares and mean scores: {interval_name(paired=standings[0].paired)}"
    note += "; the red line is an equal share" * (fair is not None)
    return f'{table(head, rows)}{chart}<p class="note">{note}.</p>'


def _counted(standing: Standing, kind: str) -> str:
    """Return the number of results of a kind, with the interval of their share."""
    number: int = getattr(standing, kind)
    return f"{number} ({span(standing.share(kind))} %)" if standing.played else "0"


def ratings_part(summary: Summary) -> str:
    """Return the ratings of the entrants; "" if there are none."""
    if summary.ratings is None:
        return ""
    rows, estimates = [], []
    for rating in summary.ratings.ratings:
        text = f"{signed(rating.low)} to {signed(rating.high)}"
        rows.append([rating.name, signed(rating.elo), text])
        estimates.append(
            Estimate(
                name=rating.name,
                value=rating.elo,
                low=rating.low,
                high=rating.high,
                text=f"{signed(rating.elo)} ({text})",
            )
        )
    name = interval_name(paired=summary.ratings.paired)
    note = f"Plackett-Luce strengths in Elo, their mean 0; intervals {name}."
    note += f" {VIRTUAL_NOTE}" * bool(summary.ratings.virtual)
    chart = interval_svg(estimates, title="ratings", reference=0)
    head = ["entrant", "Elo", name]
    return f'<h2>Ratings</h2>{table(head, rows)}{chart}<p class="note">{note}</p>'


def duel_facts(duel: Duel) -> list[tuple[str, str]]:
    """Return the facts about the difference in strength of two entrants."""
    pairs = [
        (
            "Elo",
            f"{elo_text(duel.elo, paired=duel.by_pairs)}, of {duel.first} against {duel.second}",
        ),
        ("stronger", f"{duel.first} with a likelihood of {100 * duel.superiority:.1f} %"),
    ]
    if duel.pairs is not None:
        counts = ", ".join(f"{number:g}" for number in duel.pairs.counts)
        pairs.append(("pairs", f"{counts} with 0, 0.5, 1, 1.5, 2 points of {duel.first}"))
    if duel.sprt is not None:
        pairs.append(("SPRT", str(duel.sprt)))
    return pairs


def fact_list(pairs: Iterable[tuple[str, str]]) -> str:
    """Return a definition list of the facts that have a text."""
    items = (f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in pairs if text)
    return f"<dl>{''.join(items)}</dl>"


def all_facts(summary: Summary) -> str:
    """Return the facts about the games, such as lengths and draws, as a definition list."""
    return fact_list(facts(summary))


def cross_table(summary: Summary) -> str:
    """Return the cross table, with cells coloured by score; "" for a single entrant."""
    names = [standing.name for standing in summary.standings]
    if not summary.cross:
        return ""
    head = "".join(
        f'<th title="{escape(name)}">{at}</th>' for at, name in enumerate(names, start=1)
    )
    lines = [f"<tr><th>points of games</th>{head}</tr>"]
    for at, entrant in enumerate(names, start=1):
        name = escape(f"{at} {entrant}")
        cells = (
            _cross_cell(
                summary.cross.get((entrant, other)), entrant, other, paired=summary.by_pairs
            )
            for other in names
        )
        lines.append(f'<tr><td class="name" title="{name}">{name}</td>{"".join(cells)}</tr>')
    return (
        f'<h2>Cross table</h2><div class="scroll"><table id="cross">{"".join(lines)}</table></div>'
    )


def _cross_cell(cell: Cell | None, entrant: str, other: str, *, paired: bool) -> str:
    if cell is None:
        return "<td>-</td>"
    score = cell.points / cell.played
    # Scores above 1/2 are green (hue 120), others red (hue 0).
    hue, strength = (120, score - 0.5) if score >= 0.5 else (0, 0.5 - score)  # noqa: PLR2004
    text = (
        f"{entrant} against {other}: {cell.won} won, {cell.drawn} drawn, {cell.lost} lost; "
        f"{percent(score)} % ({interval_name(paired=paired)}: {span(cell.interval)})"
    )
    colour = f"hsl({hue} 60% 50% / {0.6 * strength:.2f})"
    number = f"{points(cell.points)}/{cell.played}"
    return f'<td style="background:{colour}" title="{escape(text)}">{number}</td>'


# --- charts -----------------------------------------------------------------------------------


def score_chart(summary: Summary) -> str:
    """Return a chart of the mean scores over time with intervals; "" before two games.

    In a match of two entrants only the first entrant has a curve: the second would mirror it.
    """
    shown = [standing for standing in summary.standings if standing.played > 1]
    if summary.duel is not None:
        shown = shown[:1]
    best = sorted(shown, key=lambda standing: -standing.score)[:MAX_CURVES]
    panels = []
    for standing in best:
        history = standing.score_history()
        panels.append(
            Panel(
                title=standing.name,
                numbers=tuple(end for end, _, _ in history),
                series={_cut(standing.name): [100 * mean for _, mean, _ in history]},
                bands={
                    _cut(standing.name): (
                        [100 * interval.low for *_, interval in history],
                        [100 * interval.high for *_, interval in history],
                    )
                },
                maximum=100,
            )
        )
    if not panels:
        return ""
    chart = chart_svg(panels, title="score over time", number_label="games")
    left_out = f"; the best {len(best)} of {len(shown)}" * (len(best) < len(shown))
    name = interval_name(paired=summary.by_pairs)
    note = f"Mean score in percent with its interval, {name}{left_out}."
    return f'<h2>Score over time</h2>{chart}<p class="note">{note}</p>'


def _cut(name: str) -> str:
    return name if len(name) <= 12 else name[:11] + "…"  # noqa: PLR2004 - the width to the right of a chart


def length_chart(lengths: Sequence[int]) -> str:
    """Return a histogram of the lengths of games; "" without games."""
    if not lengths:
        return ""
    width = _bar_width(max(lengths) - min(lengths) + 1)
    first = min(lengths) // width * width
    bars = [0] * ((max(lengths) - first) // width + 1)
    for length in lengths:
        bars[(length - first) // width] += 1
    panel = Panel(
        title="games by length",
        numbers=tuple(first + width * at for at in range(len(bars))),
        series={"games": bars},
        draw_bars=True,
    )
    return chart_svg([panel], title="lengths of games", number_label="plies")


def _bar_width(span: int) -> int:
    """Return the smallest round width of a bar for which `MAX_BARS` bars suffice."""
    unit = 1
    while True:
        for digit in _ROUND_DIGITS:
            if span / (unit * digit) <= MAX_BARS:
                return unit * digit
        unit *= 10
