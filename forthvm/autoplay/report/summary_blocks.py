"""The blocks that show a summary: standings, ratings, cross table, charts.

Owns the choice and order of the blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.autoplay.report.blocks import Cell, Facts, Heading, Listing, Note, Picture, Table
from forthvm.autoplay.report.summary_text import (
    VIRTUAL_NOTE,
    facts,
    failures,
    milliseconds,
    points,
    traceback_heading,
    warning,
)
from forthvm.autoplay.statistics.interval_text import (
    elo_text,
    estimate_text,
    interval_name,
    percent,
    share_text,
    signed,
    span,
)
from forthvm.render.chart_svg import COLOURS, Panel, chart_svg
from forthvm.render.interval_svg import Estimate, interval_svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.autoplay.report.blocks import Block
    from forthvm.autoplay.statistics.standings import Standing
    from forthvm.autoplay.statistics.summary import Cell as CrossCell
    from forthvm.autoplay.statistics.summary import Duel, Summary

__all__ = ["match_blocks", "match_title", "summary_blocks"]

MAX_BARS = 30
"""The maximum number of bars in the chart of game lengths."""
_ROUND_DIGITS = (1, 2, 5)
"""The first digits of round bar widths."""
MAX_CURVES = len(COLOURS)
"""The maximum number of entrants in the chart of scores."""


def match_title(match: Mapping[str, object], summary: Summary) -> str:
    """Return the title of a match, given its table `match`."""
    return f"{summary.game or match.get('game') or 'match'}: {summary.counted} games"


def match_blocks(match: Mapping[str, object], summary: Summary) -> Iterator[Block]:
    """Yield title, origin and summary of a match, given its table `match`."""
    yield Heading(match_title(match, summary), 1)
    yield Note(_about(match, summary), "about")
    yield from summary_blocks(summary)


def _about(match: Mapping[str, object], summary: Summary) -> str:
    """Describe when and how the match was played."""
    clauses = []
    if summary.planned is not None and not summary.is_finished:
        clauses.append(f"{summary.counted + summary.void} of {summary.planned} games played so far")
    for key, words in (("schedule", "schedule"), ("seed", "seed"), ("begun_at", "begun")):
        if match.get(key) is not None:
            clauses.append(f"{words} {match[key]}")
    if match.get("forthvm"):
        clauses.append(f"forthvm {match['forthvm']}")
    return ", ".join(clauses)


def summary_blocks(summary: Summary) -> Iterator[Block]:
    """Yield the blocks of a summary, in order."""
    for text in filter(None, [*failures(summary), warning(summary)]):
        yield Note(text, "warning")
    yield Heading("Result")
    yield from _standings(summary.standings, "entrant", "scores of the entrants")
    if summary.duel is not None:
        yield _facts(_duel_facts(summary.duel))
    yield from _ratings(summary)
    yield from _cross_table(summary)
    yield from _score_chart(summary)
    if summary.counted:
        yield Heading("Seats")
        fair = 1 / summary.seat_count
        yield from _standings(summary.seats, "seat", "scores of the seats", fair=fair)
    yield Heading("Games")
    yield _facts(facts(summary))
    yield from _length_chart(summary.lengths)
    yield from _engines(summary.standings)
    yield from _tracebacks(summary)


def _facts(pairs: Iterable[tuple[str, str]]) -> Facts:
    """Return the facts that have a text."""
    return Facts(tuple(pair for pair in pairs if pair[1]))


# --- standings --------------------------------------------------------------------------------


def _standings(
    standings: Sequence[Standing], kind: str, title: str, *, fair: float | None = None
) -> Iterator[Block]:
    """Yield a table of wins, draws and losses, and a chart of mean scores with intervals.

    Args:
        standings: The results of entrants or seats.
        kind: `entrant` or `seat`.
        title: The title of the chart.
        fair: The mean score to mark by a line, from 0 to 1; None for no line.
    """
    shared = any(standing.shared for standing in standings)
    kinds = ["won", *(["shared"] if shared else []), "drawn", "lost"]
    yield Table.of(
        [kind, "games", *kinds, "points"],
        [
            [
                standing.name,
                str(standing.played),
                *(_counted(standing, result_kind) for result_kind in kinds),
                points(standing.points),
            ]
            for standing in standings
        ],
    )
    estimates = [
        Estimate(
            name=standing.name,
            value=100 * standing.score,
            low=100 * standing.interval.low,
            high=100 * standing.interval.high,
            text=share_text(standing.score, standing.interval),
        )
        for standing in standings
        if standing.played
    ]
    if not estimates:
        return
    line = None if fair is None else 100 * fair
    yield Picture(interval_svg(estimates, title=title, bounds=(0, 100), reference=line), title)
    note = f"Intervals of shares and mean scores: {interval_name(paired=standings[0].paired)}"
    note += "; the red line is an equal share" * (fair is not None)
    yield Note(f"{note}.")


def _counted(standing: Standing, kind: str) -> str:
    """Return the number of results of a kind, with the interval of their share."""
    number: int = getattr(standing, kind)
    return f"{number} ({span(standing.share(kind))} %)" if standing.played else "0"


def _ratings(summary: Summary) -> Iterator[Block]:
    """Yield the ratings of the entrants, if there are any."""
    if summary.ratings is None:
        return
    rows, estimates = [], []
    for rating in summary.ratings.ratings:
        rows.append([rating.name, signed(rating.elo), span(rating, signed)])
        estimates.append(
            Estimate(
                name=rating.name,
                value=rating.elo,
                low=rating.low,
                high=rating.high,
                text=estimate_text(rating.elo, rating, signed),
            )
        )
    name = interval_name(paired=summary.ratings.paired)
    note = f"Plackett-Luce strengths in Elo, their mean 0; intervals {name}."
    yield Heading("Ratings")
    yield Table.of(["entrant", "Elo", name], rows)
    yield Picture(interval_svg(estimates, title="ratings", reference=0), "ratings")
    yield Note(note + f" {VIRTUAL_NOTE}" * bool(summary.ratings.virtual))


def _duel_facts(duel: Duel) -> Iterator[tuple[str, str]]:
    """Yield the facts about the difference in strength of two entrants."""
    elo = f"{elo_text(duel.elo, paired=duel.by_pairs)}, of {duel.first} against {duel.second}"
    yield "Elo", elo
    yield "stronger", f"{duel.first} with a likelihood of {100 * duel.superiority:.1f} %"
    if duel.pairs is not None:
        counts = ", ".join(f"{number:g}" for number in duel.pairs.counts)
        yield "pairs", f"{counts} with 0, 0.5, 1, 1.5, 2 points of {duel.first}"
    if duel.sprt is not None:
        yield "SPRT", str(duel.sprt)


def _cross_table(summary: Summary) -> Iterator[Block]:
    """Yield the cross table, with cells coloured by score, unless there is one entrant."""
    if not summary.cross:
        return
    names = [standing.name for standing in summary.standings]
    head = (Cell("points of games"), *(Cell(str(at), name) for at, name in enumerate(names, 1)))
    rows = [
        (
            Cell(f"{at} {entrant}", f"{at} {entrant}"),
            *(
                _cross_cell(
                    summary.cross.get((entrant, other)), entrant, other, paired=summary.by_pairs
                )
                for other in names
            ),
        )
        for at, entrant in enumerate(names, start=1)
    ]
    yield Heading("Cross table")
    yield Table(head, tuple(rows))


def _cross_cell(cell: CrossCell | None, entrant: str, other: str, *, paired: bool) -> Cell:
    if cell is None:
        return Cell("-")
    score = cell.points / cell.played
    title = (
        f"{entrant} against {other}: {cell.won} won, {cell.drawn} drawn, {cell.lost} lost; "
        f"{percent(score)} % ({interval_name(paired=paired)}: {span(cell.interval)})"
    )
    return Cell(f"{points(cell.points)}/{cell.played}", title, score - 0.5)


# --- engines ----------------------------------------------------------------------------------


def _engines(standings: Iterable[Standing]) -> Iterator[Block]:
    rows = [
        [
            standing.name,
            f"{standing.moves:,}",
            "-" if standing.seconds_per_move is None else milliseconds(standing.seconds_per_move),
            "-" if standing.nodes_per_second is None else f"{standing.nodes_per_second:,.0f}",
            str(standing.forfeits),
        ]
        for standing in standings
        if standing.moves or standing.forfeits
    ]
    if rows:
        yield Heading("Engines")
        yield Table.of(["engine", "moves", "ms a move", "nodes/s", "forfeits"], rows)


def _tracebacks(summary: Summary) -> Iterator[Block]:
    """Yield the tracebacks of engines in Python that failed."""
    if summary.tracebacks:
        yield Heading("Tracebacks")
    for traceback in summary.tracebacks:
        yield Listing(traceback_heading(traceback), traceback.text)


# --- charts -----------------------------------------------------------------------------------


def _score_chart(summary: Summary) -> Iterator[Block]:
    """Yield a chart of the mean scores over time with intervals, from two games on.

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
        return
    title = "score over time"
    left_out = f"; the best {len(best)} of {len(shown)}" * (len(best) < len(shown))
    name = interval_name(paired=summary.by_pairs)
    note = f"Mean score in percent with its interval, {name}{left_out}."
    yield Heading("Score over time")
    yield Picture(chart_svg(panels, title=title, number_label="games"), title)
    yield Note(note)


def _cut(name: str) -> str:
    return name if len(name) <= 12 else name[:11] + "…"  # the width to the right of a chart


def _length_chart(lengths: Sequence[int]) -> Iterator[Block]:
    """Yield a histogram of the lengths of games, if there are games."""
    if not lengths:
        return
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
    title = "lengths of games"
    yield Picture(chart_svg([panel], title=title, number_label="plies"), title)


def _bar_width(span: int) -> int:
    """Return the smallest round width of a bar for which `MAX_BARS` bars suffice."""
    unit = 1
    while True:
        for digit in _ROUND_DIGITS:
            if span / (unit * digit) <= MAX_BARS:
                return unit * digit
        unit *= 10
