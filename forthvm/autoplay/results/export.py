"""Export of a summary and its games: JSON and CSV.

Owns the keys of the JSON document and the columns of the CSV file.
"""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.formulas import CONFIDENCE
from forthvm.autoplay.statistics.interval_text import bounds_document, interval_unit

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO

    from forthvm.autoplay.results.store import GameRow
    from forthvm.autoplay.statistics.repeats import Repeats
    from forthvm.autoplay.statistics.standings import Standing
    from forthvm.autoplay.statistics.summary import Duel, Summary

__all__ = ["COLUMNS", "document", "intervals", "write_csv"]

COLUMNS = ("id", "pair", "game", "seed", "plies", "seconds", "finished_at", "void", "reason")


def write_csv(file: IO[str], rows: Iterable[GameRow]) -> int:
    """Write a line for each game as CSV.

    The line has the columns of the game, then entrant, score, nodes and thinking time of each
    seat, then the moves.  The caller opens the file with newline="".

    Returns:
        The number of games.
    """
    writer = csv.writer(file, lineterminator="\n")
    seats: list[str] = []
    number = 0
    for number, row in enumerate(rows, start=1):
        if number == 1:
            seats = list(row.seats)
            facts = ("entrant", "score", "nodes", "thinking")
            seat_columns = [f"{seat}_{fact}" for seat in seats for fact in facts]
            writer.writerow([*COLUMNS, *seat_columns, "moves"])
        cells: list[object] = [getattr(row, name) for name in COLUMNS]
        cells[COLUMNS.index("void")] = int(row.void)
        for seat in seats:
            cells.append(row.seats.get(seat, ""))
            cells += [by_seat.get(seat, "") for by_seat in (row.outcome, row.nodes, row.thinking)]
        writer.writerow([*cells, "; ".join(text for _, text in row.moves)])
    return number


def document(summary: Summary) -> dict[str, object]:
    """Return the summary as a JSON document; an infinite number is null."""
    duel, ratings = summary.duel, summary.ratings
    document: dict[str, object] = {
        "game": summary.game,
        "planned": summary.planned,
        "counted": summary.counted,
        "void": summary.void,
        "intervals": intervals(paired=summary.by_pairs),
        "standings": [_standing_document(each) for each in summary.standings],
        "seats": [_standing_document(each) for each in summary.seats],
        "draws": {"count": summary.drawn, "interval": bounds_document(summary.draw_rate)},
        "duel": None if duel is None else _duel_document(duel),
        "ratings": None,
        "cross": [
            {
                "entrant": entrant,
                "opponent": other,
                **vars(cell),
                "interval": bounds_document(cell.interval),
            }
            for (entrant, other), cell in summary.cross.items()
        ],
        "plies": summary.length and vars(summary.length),
        "branching": summary.branching and vars(summary.branching),
        "seconds": summary.seconds,
        "reasons": dict(summary.reasons),
        "repeated": summary.repeats.count,
        "repeats": _repeats(summary.repeats),
        "faults": summary.faults,
        "failing": [vars(each) for each in summary.failing],
        "tracebacks": [vars(each) for each in summary.tracebacks],
    }
    if ratings is not None:
        document["ratings"] = {
            "virtual_draws": ratings.virtual,
            "by": interval_unit(paired=ratings.paired),
            "entrants": [vars(each) for each in ratings.ratings],
        }
    # `json.dumps` writes infinite numbers as `Infinity`, which is not valid JSON.
    return json.loads(  # type: ignore[no-any-return]
        json.dumps(document, allow_nan=True), parse_constant=lambda _name: None
    )


def intervals(*, paired: bool) -> dict[str, object]:
    """Return the confidence level of intervals, and whether they are by pairs or by games."""
    return {"confidence": CONFIDENCE, "by": interval_unit(paired=paired)}


def _standing_document(standing: Standing) -> dict[str, object]:
    return {
        "name": standing.name,
        "played": standing.played,
        "won": standing.won,
        "shared": standing.shared,
        "drawn": standing.drawn,
        "lost": standing.lost,
        "points": standing.points,
        "score": standing.score,
        "interval": bounds_document(standing.interval),
        "paired": standing.paired,
        "won_interval": bounds_document(standing.share("won")),
        "drawn_interval": bounds_document(standing.share("drawn")),
        "lost_interval": bounds_document(standing.share("lost")),
        "forfeits": standing.forfeits,
        "moves": standing.moves,
        "seconds": standing.seconds,
        "nodes": standing.nodes,
        "seconds_per_move": standing.seconds_per_move,
        "nodes_per_second": standing.nodes_per_second,
    }


def _repeats(repeats: Repeats) -> dict[str, object]:
    return {
        "games": repeats.games,
        "different": repeats.different,
        "in_pairs": repeats.within_pairs,
        "across": repeats.across_pairs,
        "expected": repeats.expected,
        "beyond_chance": repeats.beyond_chance,
    }


def _duel_document(duel: Duel) -> dict[str, object]:
    document: dict[str, object] = {
        "first": duel.first,
        "second": duel.second,
        "losses_draws_wins": list(duel.games.counts),
        "pentanomial": None if duel.pairs is None else list(duel.pairs.counts),
        "by_pairs": duel.by_pairs,
        "elo": duel.elo.elo,
        "elo_interval": bounds_document(duel.elo),
        "elo_error": duel.elo.error,
        "superiority": duel.superiority,
        "sprt": None,
    }
    if duel.sprt is not None:
        settings = duel.sprt.settings
        document["sprt"] = {
            **vars(settings),
            "by": interval_unit(paired=duel.sprt.paired),
            "llr": duel.sprt.llr,
            "bounds": [settings.lower, settings.upper],
            "decision": duel.sprt.decision,
            "copies": duel.sprt.copies,
        }
    return document
