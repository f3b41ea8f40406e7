"""A summary as HTML: its tables and charts, in order.

Owns the choice and order of the tables and charts.  It must not know stored games, or how tables
and charts are drawn.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from forthvm.autoplay.report.page_tables import (
    all_facts,
    cross_table,
    duel_facts,
    fact_list,
    length_chart,
    ratings_part,
    score_chart,
    standings_part,
    table,
)
from forthvm.autoplay.report.summary_text import milliseconds, traceback_heading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.autoplay.statistics.standings import Standing
    from forthvm.autoplay.statistics.summary import Summary

__all__ = ["numbers_parts", "summary_html"]


def summary_html(summary: Summary) -> str:
    """Return the tables and charts of a summary without the viewer of games, for notebooks."""
    title = f"<h1>{escape(f'{summary.game}: {summary.counted} games')}</h1>"
    return "\n".join(filter(None, [title, *numbers_parts(summary)]))


def numbers_parts(summary: Summary) -> Iterator[str]:
    """Yield the headings, tables and charts of a summary, in order."""
    yield "<h2>Result</h2>"
    yield standings_part(summary.standings, "entrant", "scores of the entrants")
    if summary.duel is not None:
        yield fact_list(duel_facts(summary.duel))
    yield ratings_part(summary)
    yield cross_table(summary)
    yield score_chart(summary)
    if summary.counted:
        fair = 1 / summary.seat_count
        yield "<h2>Seats</h2>"
        yield standings_part(summary.seats, "seat", "scores of the seats", fair=fair)
    yield "<h2>Games</h2>"
    yield all_facts(summary)
    yield length_chart(summary.lengths)
    yield _engines(summary.standings)
    yield _tracebacks(summary)


def _engines(standings: Iterable[Standing]) -> str:
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
    if not rows:
        return ""
    head = ["engine", "moves", "ms a move", "nodes/s", "forfeits"]
    return f"<h2>Engines</h2>{table(head, rows)}"


def _tracebacks(summary: Summary) -> str:
    """Return the tracebacks of engines in Python that failed; "" if there are none."""
    parts = [
        f"<details open><summary>{escape(traceback_heading(traceback))}</summary>"
        f"<pre>{escape(traceback.text)}</pre></details>"
        for traceback in summary.tracebacks
    ]
    return f"<h2>Tracebacks</h2>{''.join(parts)}" if parts else ""
