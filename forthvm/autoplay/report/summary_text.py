"""A summary as text: tables for a terminal, and the lines that the original engine printed.

Owns the format of points and times.  A *fact* is a name with a text, such as "draws" with
"5.0 % (4.1 to 6.0)".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.interval_text import (
    decimal,
    elo_text,
    estimate_text,
    interval_fact,
    interval_name,
    percent,
    share_text,
    signed,
    span,
)
from forthvm.core.text.tables import table, table_lines
from forthvm.core.text.wording import counted, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.autoplay.statistics.repeats import Repeats
    from forthvm.autoplay.statistics.standings import Standing
    from forthvm.autoplay.statistics.summary import Duel, Summary, Traceback

__all__ = [
    "VIRTUAL_NOTE",
    "aligned",
    "article_lines",
    "facts",
    "failures",
    "labelled",
    "milliseconds",
    "points",
    "short",
    "standings_table",
    "tables",
    "traceback_heading",
    "warning",
]

MIN_WIDTH = 40
"""The minimum width of tables in characters."""
MAX_NAME = 32
"""The maximum length of a name in characters."""
_MAX_REASONS = 8
"""The maximum number of reasons why games ended."""
_MAX_TRACEBACKS = 3
_MAX_ERROR = 300
"""The maximum length of an engine's error in characters."""
_HOUR, _MINUTE = 3600, 60
"""Durations in seconds."""
_NAME_WIDTH = 10
"""The minimum width of the names in the cross table."""


# --- numbers --------------------------------------------------------------------------------


def points(number: float) -> str:
    """Return points with up to two decimals, without trailing zeros."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds: an integer from 100, else with three significant digits."""
    value = 1000 * seconds
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _duration(seconds: float) -> str:
    if seconds >= _HOUR:
        return f"{seconds / _HOUR:.1f} h"
    return f"{seconds / _MINUTE:.1f} min" if seconds >= _MINUTE else f"{seconds:.1f} s"


def short(name: str, width: int) -> str:
    """Return a name, cut to `width` characters; unprintable characters become `?`."""
    plain = "".join(char if char.isprintable() else "?" for char in name)
    return plain if len(plain) <= width else plain[: width - 1] + "…"


# --- tables -----------------------------------------------------------------------------------


def tables(summary: Summary, width: int = 80) -> list[str]:
    """Return the summary in lines of at most `width` characters (minimum 40)."""
    width = max(MIN_WIDTH, width)
    blocks = [
        *(wrapped(text, width) for text in failures(summary)),
        _heading(summary, width),
        wrapped(warning(summary), width) if warning(summary) else [],
        standings_table(summary.standings, width, "entrant"),
        _ratings(summary, width),
        _duel(summary.duel, width) if summary.duel else [],
        _cross(summary, width),
        standings_table(summary.seats, width, "seat") if summary.counted else [],
        _speed(summary, width),
        _games(summary, width),
        *(_traceback(traceback, width) for traceback in summary.tracebacks[:_MAX_TRACEBACKS]),
    ]
    lines: list[str] = []
    for block in filter(None, blocks):
        lines += [*([""] if lines else []), *block]
    return lines


def _heading(summary: Summary, width: int) -> list[str]:
    planned = summary.planned
    games = counted(summary.counted, "game")
    if planned is not None and planned != summary.counted + summary.void:
        games = f"{summary.counted:,} of {counted(planned, 'game')}"
    return wrapped(f"{summary.game or 'no game yet'}: {games}", width)


def standings_table(standings: Sequence[Standing], width: int, kind: str) -> list[str]:
    """Return results, mean scores and their intervals, with a line of headings."""
    if not standings:
        return []
    shared = any(standing.shared for standing in standings)
    counts = ["games", "won", *(["shared"] if shared else []), "drawn", "lost"]
    rows = [[kind, *counts, "%", interval_name(paired=standings[0].paired)]]
    for standing in standings:
        numbers = [
            standing.played,
            standing.won,
            *([standing.shared] if shared else []),
            standing.drawn,
            standing.lost,
        ]
        rows.append(
            [
                standing.name,
                *map(str, numbers),
                percent(standing.score) if standing.played else "-",
                span(standing.interval) if standing.played else "-",
            ]
        )
    return aligned(rows, width)


def _ratings(summary: Summary, width: int) -> list[str]:
    if summary.ratings is None:
        return []
    rows = [["rating", "Elo", interval_name(paired=summary.ratings.paired)]]
    for rating in summary.ratings.ratings:
        rows.append([rating.name, signed(rating.elo), span(rating, signed)])
    lines = aligned(rows, width)
    if summary.ratings.virtual:
        lines += wrapped(VIRTUAL_NOTE, width)
    return lines


VIRTUAL_NOTE = (
    "Some entrants never lost to the others, or never met them. To make all ratings finite, each "
    "entrant was given a virtual draw with an average opponent. The intervals are computed by the "
    "rating model, by games."
)


def _duel(duel: Duel, width: int) -> list[str]:
    sentences = [
        f"{short(duel.first, MAX_NAME)} against {short(duel.second, MAX_NAME)}: "
        f"Elo {elo_text(duel.elo, paired=duel.by_pairs)}, stronger with a likelihood of "
        f"{100 * duel.superiority:.1f} %"
    ]
    if duel.pairs is not None:
        counts = ", ".join(f"{number:g}" for number in duel.pairs.counts)
        sentences.append(f"pairs with 0, 0.5, 1, 1.5, 2 points: {counts}")
    if duel.sprt is not None:
        sentences.append(f"SPRT {duel.sprt}")
    return [line for sentence in sentences for line in wrapped(sentence, width)]


def _cross(summary: Summary, width: int) -> list[str]:
    """Return the cross table: the points of each entrant against each other entrant.

    With two entrants it is empty, because the standings contain the same numbers.
    """
    names = [standing.name for standing in summary.standings]
    if len(names) <= 2 or not summary.cross:
        return []
    rows = [["points of games", *(str(at) for at in range(1, len(names) + 1))]]
    for at, entrant in enumerate(names, start=1):
        row = [f"{at} {entrant}"]
        for other in names:
            cell = summary.cross.get((entrant, other))
            row.append(f"{points(cell.points)}/{cell.played}" if cell else "-")
        rows.append(row)
    needed = sum(max(len(row[at]) for row in rows) + 2 for at in range(1, len(names) + 1))
    if needed + _NAME_WIDTH > width:
        return wrapped("The cross table is too wide for this terminal: see --html.", width)
    return aligned(rows, width)


def _speed(summary: Summary, width: int) -> list[str]:
    known = [
        standing
        for standing in summary.standings
        if standing.forfeits or (standing.moves and standing.seconds > 0)
    ]
    if not known:
        return []
    rows = [["engine", "moves", "ms a move", "nodes/s", "forfeits"]]
    for standing in known:
        per_move, rate = standing.seconds_per_move, standing.nodes_per_second
        rows.append(
            [
                standing.name,
                f"{standing.moves:,}",
                "-" if per_move is None else milliseconds(per_move),
                "-" if rate is None else f"{rate:,.0f}",
                str(standing.forfeits),
            ]
        )
    return aligned(rows, width)


def _games(summary: Summary, width: int) -> list[str]:
    return labelled(facts(summary), width)


def traceback_heading(traceback: Traceback) -> str:
    """Return a heading that names the games in which a traceback occurred."""
    number = f", the same in {counted(traceback.games, 'game')}" if traceback.games > 1 else ""
    return f"traceback of game {traceback.game}{number}"


def _traceback(traceback: Traceback, width: int) -> list[str]:
    lines = [f"  {line}" for line in traceback.text.splitlines()]
    cut = [line if len(line) <= width else line[: width - 1] + "…" for line in lines]
    more = ["  (forthvm replay shows the complete lines)"] if cut != lines else []
    return [f"{traceback_heading(traceback)}:", *cut, *more]


def labelled(facts: Iterable[tuple[str, str]], width: int) -> list[str]:
    """Return the facts with a text as lines, in two columns."""
    return table([row for row in facts if row[1]], width)


def facts(summary: Summary) -> list[tuple[str, str]]:
    """Return the facts about the games, such as lengths and draws; a text may be empty."""
    pairs: list[tuple[str, str]] = []
    length, branching, first = summary.length, summary.branching, summary.first_seat
    if length:
        pairs.append(
            (
                "plies a game",
                f"{estimate_text(length.mean, length, decimal)}; "
                f"{length.least:g} to {length.greatest:g}, median {length.median:g}",
            )
        )
    if branching:
        pairs.append(
            (
                "legal moves",
                f"{branching.mean:.1f} a choice; games' means {branching.least:.1f} "
                f"to {branching.greatest:.1f}",
            )
        )
    if summary.counted:
        pairs.append(("draws", share_text(summary.drawn / summary.counted, summary.draw_rate)))
    if first and summary.seat_count > 1:
        fair = percent(1 / summary.seat_count)
        text = f"{first.name} scores {share_text(first.score, first.interval)}"
        pairs.append(("first seat", f"{text}; fair is {fair} %"))
    if summary.counted:
        pairs.append(interval_fact(paired=summary.by_pairs))
    pairs.append(("repeated", _repeated(summary.repeats)))
    pairs.append(("ended by", _reasons(summary)))
    verb = "does" if summary.void == 1 else "do"
    void = f"{counted(summary.void, 'game')} that {verb} not count"
    pairs.append(("void", void * bool(summary.void)))
    faults = f"{counted(summary.faults, 'game')} with a fault of an engine"
    pairs.append(("faults", faults * bool(summary.faults)))
    if summary.seconds:
        pairs.append(("time", f"{_duration(summary.seconds)}, all games together"))
    return pairs


def _repeated(repeats: Repeats) -> str:
    """Return the number of repeated games; "" without any."""
    clauses = []
    if repeats.across_pairs:
        other = "a game of another pair" if repeats.paired else "another game"
        chance = f"{repeats.expected:.1f} if moves were chosen at random"
        clauses.append(f"{counted(repeats.across_pairs, 'game')} like {other} ({chance})")
    if repeats.within_pairs:
        inside = f"{counted(repeats.within_pairs, 'game')} like the other game of their pair"
        clauses.append(f"{inside}, which count once in intervals by pairs")
    if not clauses:
        return ""
    return f"{'; '.join(clauses)}; {counted(repeats.different, 'different game')}"


def failures(summary: Summary) -> list[str]:
    """Return an error message about each entrant whose engine fails in most of its games."""
    return [
        f"Error: the engine of {short(each.name, MAX_NAME)} failed in {each.failed:,} of "
        f"{counted(each.games, 'game')}, so the results say nothing about its strength. Most "
        f"frequent: {short(each.error, _MAX_ERROR)}"
        for each in summary.failing
    ]


def warning(summary: Summary) -> str:
    """Return a warning if repeated games make the intervals too narrow; else ""."""
    repeats = summary.repeats
    if not repeats.beyond_chance:
        return ""
    verb = "repeats" if repeats.across_pairs == 1 else "repeat"
    other = "a game of another pair" if repeats.paired else "another game"
    return (
        f"Warning: {repeats.across_pairs:,} of {counted(repeats.games, 'game')} {verb} {other} "
        f"move by move, where choosing at random explains {repeats.expected:.1f}. The intervals "
        f"treat them as independent games and are too narrow: the match contains only "
        f"{counted(repeats.different, 'different game')}. Engines that draw no random numbers play "
        "the same game whenever the opening is the same. Use more openings (--opening-plies N, "
        "--openings FILE), or engines that draw random numbers in each game."
    )


def _reasons(summary: Summary) -> str:
    shown = [
        f"{number:,} x {short(reason, 70)}" for reason, number in summary.reasons[:_MAX_REASONS]
    ]
    more = len(summary.reasons) - len(shown)
    return "; ".join([*shown, *([f"{more} other reasons"] if more > 0 else [])])


def aligned(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return lines with a column of shortened names and right-aligned columns of numbers."""
    cells = [[short(name, MAX_NAME), *numbers] for name, *numbers in rows]
    return table_lines(cells, width, numbers=True)


# --- the original engine's lines --------------------------------------------------------------


def article_lines(summary: Summary) -> list[str]:
    """Return wins and draws in the format of the original engine's AutoPlay.

    A shared win counts as a share of a win.  If the match has one entrant, a line shows a seat
    instead of an entrant.
    """
    played, planned = summary.counted + summary.void, summary.planned
    heading = "Final results:"
    if not summary.is_finished:
        heading = f"Cumulative results following game {played} of {planned}:"
    lines = [heading]
    for at, (name, wins) in enumerate(_names_and_wins(summary), start=1):
        lines.append(f'Player {at} "{short(name, 200)}", wins = {points(wins)}.')
    lines.append(f"Draws = {summary.drawn}")
    if summary.is_finished:
        lines.append(f"{played} game(s) played")
    return lines


def _names_and_wins(summary: Summary) -> Iterable[tuple[str, float]]:
    if len(summary.standings) == 1 and summary.seats:
        (name,) = [standing.name for standing in summary.standings]
        return [(name, _wins(seat)) for seat in summary.seats]
    return [(standing.name, _wins(standing)) for standing in summary.standings]


def _wins(standing: Standing) -> float:
    """Return the points of wins and shared wins, without the points of draws."""
    return standing.won + standing.shared_points
