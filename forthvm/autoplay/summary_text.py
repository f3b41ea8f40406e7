"""A summary as text: tables for a terminal, and the original's lines.

Owns how numbers are written for people.  It must not know how they came about.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from forthvm.core.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.autoplay.standings import Standing
    from forthvm.autoplay.statistics import EloEstimate, Interval
    from forthvm.autoplay.summary import Duel, Summary

__all__ = [
    "VIRTUAL_NOTE",
    "aligned",
    "article_lines",
    "count",
    "elo_text",
    "facts",
    "labelled",
    "milliseconds",
    "percent",
    "points",
    "short",
    "signed",
    "span",
    "standings_table",
    "tables",
]

LEAST_WIDTH = 40
MOST_NAME = 32
_REASONS = 8
_HOUR, _MINUTE = 3600, 60
_FEW = 10
_HUNDRED = 100


# --- numbers --------------------------------------------------------------------------------


def percent(share: float) -> str:
    """A share of 1, with one digit."""
    return f"{100 * share:.1f}"


def span(interval: Interval) -> str:
    """An interval of shares, in percent."""
    return f"{percent(interval.low)} to {percent(interval.high)}"


def points(number: float) -> str:
    """Points: whole ones as such, shares with up to two digits."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def elo_text(elo: EloEstimate) -> str:
    """A difference with its interval; of somebody who always won only what is sure."""
    if elo.elo == math.inf:
        return f"at least {signed(elo.low)}"
    if elo.elo == -math.inf:
        return f"at most {signed(elo.high)}"
    return f"{signed(elo.elo)} ({signed(elo.low)} to {signed(elo.high)})"


def signed(elo: float) -> str:
    """A rating or difference, whole, with its sign."""
    if math.isinf(elo):
        return "+inf" if elo > 0 else "-inf"
    return f"{round(elo) or 0:+d}"


def milliseconds(seconds: float) -> str:
    """A time in milliseconds, with three digits that count."""
    value = 1000 * seconds
    return f"{value:,.0f}" if value >= _HUNDRED else f"{value:.3g}"


def _duration(seconds: float) -> str:
    if seconds >= _HOUR:
        return f"{seconds / _HOUR:.1f} h"
    return f"{seconds / _MINUTE:.1f} min" if seconds >= _MINUTE else f"{seconds:.1f} s"


def short(name: str, width: int) -> str:
    """A name, or as much of it as fits."""
    plain = "".join(char if char.isprintable() else "?" for char in name)
    return plain if len(plain) <= width else plain[: width - 1] + "…"


# --- tables -----------------------------------------------------------------------------------


def tables(summary: Summary, width: int = 80) -> list[str]:
    """All that is worth knowing, in lines of at most `width` characters, 60 and more."""
    width = max(LEAST_WIDTH, width)
    blocks = [
        _heading(summary, width),
        standings_table(summary.standings, width, "entrant"),
        _ratings(summary, width),
        _duel(summary.duel, width) if summary.duel else [],
        _cross(summary, width),
        standings_table(summary.seats, width, "seat") if summary.counted else [],
        _speed(summary, width),
        _games(summary, width),
    ]
    lines: list[str] = []
    for block in filter(None, blocks):
        lines += [*([""] if lines else []), *block]
    return lines


def _heading(summary: Summary, width: int) -> list[str]:
    planned = summary.planned
    games = count(summary.counted, "game")
    if planned is not None and planned != summary.counted + summary.void:
        games = f"{summary.counted:,} of {count(planned, 'game')}"
    return wrapped(f"{summary.game or 'no game yet'}: {games}", width)


def standings_table(standings: Sequence[Standing], width: int, kind: str) -> list[str]:
    """Results, mean scores and their intervals, under a heading."""
    if not standings:
        return []
    shared = any(each.shared for each in standings)
    rows = [[kind, "games", "won", *(["shared"] if shared else []), "drawn", "lost", "%", "95 %"]]
    for each in standings:
        numbers = [each.played, each.won, *([each.shared] if shared else []), each.drawn, each.lost]
        rows.append(
            [
                each.name,
                *map(str, numbers),
                percent(each.score) if each.played else "-",
                span(each.interval) if each.played else "-",
            ]
        )
    return aligned(rows, width)


def _ratings(summary: Summary, width: int) -> list[str]:
    if summary.ratings is None:
        return []
    rows = [["rating", "Elo", "error", "95 %"]]
    for each in summary.ratings.ratings:
        interval = f"{signed(each.low)} to {signed(each.high)}"
        rows.append([each.name, signed(each.elo), f"{each.error:.0f}", interval])
    lines = aligned(rows, width)
    if summary.ratings.virtual:
        lines += wrapped(VIRTUAL_NOTE, width)
    return lines


VIRTUAL_NOTE = (
    "Some never lost to the others, or never met them: each was given a draw with an average "
    "opponent, without which no ratings fit."
)


def _duel(duel: Duel, width: int) -> list[str]:
    how = "pairs" if duel.by_pairs else "games"
    text = [
        f"{short(duel.first, MOST_NAME)} against {short(duel.second, MOST_NAME)}: "
        f"Elo {elo_text(duel.elo)}, stronger with {100 * duel.superiority:.1f} % (by {how})"
    ]
    if duel.pairs is not None:
        counts = ", ".join(f"{number:g}" for number in duel.pairs.counts)
        text.append(f"pairs with 0, 0.5, 1, 1.5, 2 points: {counts}")
    if duel.sprt is not None:
        text.append(f"SPRT {duel.sprt}")
    return [line for each in text for line in wrapped(each, width)]


def _cross(summary: Summary, width: int) -> list[str]:
    """Everybody against everybody, where there are more than two and they fit."""
    names = [each.name for each in summary.standings]
    if len(names) <= 2 or not summary.cross:  # noqa: PLR2004 - the standings say it
        return []
    rows = [["points of games", *(str(at) for at in range(1, len(names) + 1))]]
    for at, one in enumerate(names, start=1):
        row = [f"{at} {one}"]
        for other in names:
            cell = summary.cross.get((one, other))
            row.append(f"{points(cell.points)}/{cell.played}" if cell else "-")
        rows.append(row)
    needed = sum(max(len(row[at]) for row in rows) + 2 for at in range(1, len(names) + 1))
    if needed + _FEW > width:
        return wrapped("The cross table is too wide for this terminal: see --html.", width)
    return aligned(rows, width)


def _speed(summary: Summary, width: int) -> list[str]:
    known = [
        each for each in summary.standings if each.forfeits or (each.moves and each.seconds > 0)
    ]
    if not known:
        return []
    rows = [["engine", "moves", "ms a move", "nodes/s", "forfeits"]]
    for each in known:
        per_move, rate = each.seconds_per_move, each.nodes_per_second
        rows.append(
            [
                each.name,
                f"{each.moves:,}",
                "-" if per_move is None else milliseconds(per_move),
                "-" if rate is None else f"{rate:,.0f}",
                str(each.forfeits),
            ]
        )
    return aligned(rows, width)


def _games(summary: Summary, width: int) -> list[str]:
    return labelled(facts(summary), width)


def labelled(facts: Iterable[tuple[str, str]], width: int) -> list[str]:
    """Names with texts beside them; those without a text are left out."""
    rows = [row for row in facts if row[1]]
    size = max(len(name) for name, _ in rows) + 2 if rows else 0
    lines = []
    for name, text in rows:
        first, *rest = wrapped(text, width - size)
        lines.append(f"{name:{size}}{first}")
        lines += [" " * size + line for line in rest]
    return lines


def facts(summary: Summary) -> list[tuple[str, str]]:
    """What else is known of the games, as names and texts."""
    found: list[tuple[str, str]] = []
    length, branching, first = summary.length, summary.branching, summary.first_seat
    if length:
        found.append(
            (
                "plies a game",
                f"{length.mean:.1f} ({length.low:.1f} to {length.high:.1f}); "
                f"{length.least:g} to {length.greatest:g}, median {length.median:g}",
            )
        )
    if branching:
        found.append(
            (
                "legal moves",
                f"{branching.mean:.1f} a choice; games' means {branching.least:.1f} "
                f"to {branching.greatest:.1f}",
            )
        )
    if summary.counted:
        rate = percent(summary.drawn / summary.counted)
        found.append(("draws", f"{rate} % ({span(summary.draw_rate)})"))
    if first and summary.most_seats > 1:
        fair = percent(1 / summary.most_seats)
        text = f"{first.name} scores {percent(first.score)} % ({span(first.interval)})"
        found.append(("first seat", f"{text}; fair is {fair} %"))
    if summary.repeated:
        different = summary.counted - summary.repeated
        text = f"{summary.repeated:,} move by move like another; {different:,} different games"
        found.append(("repeated", text))
    found.append(("ended by", _reasons(summary)))
    verb = "does" if summary.void == 1 else "do"
    void = f"{count(summary.void, 'game')} that {verb} not count"
    found.append(("void", void * bool(summary.void)))
    faults = f"{count(summary.faults, 'game')} with something wrong in an engine"
    found.append(("faults", faults * bool(summary.faults)))
    if summary.seconds:
        found.append(("time", f"{_duration(summary.seconds)}, all games together"))
    return found


def _reasons(summary: Summary) -> str:
    shown = [f"{number:,} x {short(reason, 70)}" for reason, number in summary.reasons[:_REASONS]]
    more = len(summary.reasons) - len(shown)
    return "; ".join([*shown, *([f"{more} other reasons"] if more > 0 else [])])


def aligned(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Columns of numbers to the right of names; long names are cut to what is left."""
    sizes = [max(len(row[at]) for row in rows) for at in range(1, len(rows[0]))]
    room = width - sum(sizes) - 2 * len(sizes)
    longest = max(len(row[0]) for row in rows)
    first = max(_FEW, min(longest, room, MOST_NAME))
    lines = []
    for row in rows:
        cells = [f"{cell:>{size}}" for cell, size in zip(row[1:], sizes, strict=True)]
        lines.append("  ".join([f"{short(row[0], first):{first}}", *cells]).rstrip())
    return lines


# --- the original's lines ---------------------------------------------------------------------


def article_lines(summary: Summary) -> list[str]:
    """The summary as the original's AutoPlay printed it: who won how often, and draws.

    Shared wins count as shares.  A match of one entrant against himself is told by seats.
    """
    played, planned = summary.counted + summary.void, summary.planned
    heading = "Final results:"
    if not summary.is_finished:
        heading = f"Cumulative results following game {played} of {planned}:"
    lines = [heading]
    for at, (name, wins) in enumerate(_winners(summary), start=1):
        lines.append(f'Player {at} "{short(name, 200)}", wins = {points(wins)}.')
    lines.append(f"Draws = {summary.drawn}")
    if summary.is_finished:
        lines.append(f"{played} game(s) played")
    return lines


def _winners(summary: Summary) -> Iterable[tuple[str, float]]:
    if len(summary.standings) == 1 and summary.seats:
        (name,) = [each.name for each in summary.standings]
        return [(name, _wins(seat)) for seat in summary.seats]
    return [(each.name, _wins(each)) for each in summary.standings]


def _wins(standing: Standing) -> float:
    """Points without those of draws."""
    return standing.won + standing.shared_points
