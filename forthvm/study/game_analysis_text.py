"""The analysis of a game as text for a terminal, and as a JSON document.

Owns the presentation of the analysis.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from forthvm.autoplay.report.summary_text import (
    MIN_WIDTH,
    aligned,
    labelled,
    short,
    standings_table,
)
from forthvm.autoplay.statistics.formulas import Interval
from forthvm.autoplay.statistics.interval_text import (
    bounds_document,
    decimal,
    estimate_text,
    interval_fact,
    percent,
    share_text,
)
from forthvm.core.text.wording import counted, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.autoplay.statistics.formulas import Ratio
    from forthvm.study.game_analysis import Analysis
    from forthvm.study.solving import AllGames, ScoreCounts, Solution

__all__ = ["document", "lines"]

_MAX_ROWS = 12
"""The maximum number of lines of a histogram."""
_MAX_BAR = 50
"""The maximum length of a bar of a histogram in characters."""
_MAX_REASONS = 8
"""The maximum number of reasons why games ended."""
_MIN_SHOWN_SHARE = 0.001
"""Of a smaller share, only this upper limit is displayed."""
_ROUND_DIGITS = (1, 2, 5)
"""The first digits of round bin widths."""
_THIRD_NAMES = ("early", "midway", "late")
"""The names of the thirds of a game."""


def lines(analysis: Analysis, width: int = 80) -> list[str]:
    """Return the analysis in lines of at most `width` characters (minimum 40)."""
    width = max(MIN_WIDTH, width)
    blocks = [
        wrapped(_heading(analysis), width),
        standings_table(analysis.summary.seats, width, "seat"),
        labelled(_facts(analysis), width),
        _histogram(analysis.lengths, width) if analysis.lengths else [],
        _solution_lines(analysis, width),
    ]
    lines: list[str] = []
    for block in filter(None, blocks):
        lines += [*([""] if lines else []), *block]
    return lines


def _heading(analysis: Analysis) -> str:
    how = "at random" if analysis.engine == "random" else f"by {short(analysis.engine, 60)}"
    played = analysis.played + analysis.void
    if not played and not analysis.interrupted:
        return f"{analysis.game}: solved; --games N also plays N games"
    text = f"{analysis.game}: {counted(played, 'game')} {how}, seed {analysis.seed}"
    if analysis.interrupted:
        return f"{text}; interrupted"
    if played < analysis.requested and analysis.seconds_limit is not None:
        return f"{text}; no game is begun after {analysis.seconds_limit:g} s"
    return text


# --- played ---------------------------------------------------------------------------------


def _facts(analysis: Analysis) -> Iterator[tuple[str, str]]:
    length, summary = analysis.length, analysis.summary
    if length:
        yield (
            "plies a game",
            f"{estimate_text(length.mean, length, decimal)}; {length.least:g} to "
            f"{length.greatest:g}, median {length.median:g}",
        )
    if analysis.branching:
        yield "legal moves", f"{_mean(analysis.branching)} a choice{_thirds(analysis)}"
    yield "forced", _share(analysis.forced, "choices have a single move")
    yield "captures", _share(analysis.captures, "choices take a piece")
    yield (
        "repetition",
        _share(analysis.repeated_positions, "positions occurred earlier in their game"),
    )
    if summary.counted:
        draw_rate, draws = summary.drawn / summary.counted, summary.draw_rate
        yield (
            "decisive",
            f"{share_text(1 - draw_rate, Interval(1 - draws.high, 1 - draws.low))} of games; "
            f"draws {share_text(draw_rate, draws)}",
        )
    first = summary.first_seat
    if first and summary.seat_count > 1:
        yield (
            "first seat",
            f"{first.name} scores {share_text(first.score, first.interval)}; fair is "
            f"{percent(1 / summary.seat_count)} %",
        )
    if analysis.played:
        yield interval_fact(paired=False)
    yield "ended by", _reasons(summary.reasons)
    if analysis.cut_off:
        games, plies = (
            counted(analysis.cut_off, "game"),
            counted(analysis.max_plies, "ply", "plies"),
        )
        text = "not counted in scores and draws; their full lengths would be greater"
        yield "cut off", f"{games} after {plies}: {text}"
    if analysis.void:
        yield "void", f"{counted(analysis.void, 'game')}: {_reasons(analysis.faults)}"
    if analysis.repeats.count and analysis.engine.partition(":")[0] != "random":
        yield (
            "alike",
            f"{counted(analysis.repeats.count, 'game')} with the same moves as another game, "
            f"{counted(analysis.repeats.different, 'different game')}: intervals are too narrow "
            "(for more random plies at the start: --opening-plies N)",
        )


def _mean(ratio: Ratio) -> str:
    return estimate_text(ratio.value, ratio, decimal)


def _thirds(analysis: Analysis) -> str:
    """Return the mean number of legal moves in each third of the games."""
    parts = [
        f"{third.value:.1f} {name}"
        for third, name in zip(analysis.branching_by_thirds, _THIRD_NAMES, strict=True)
        if third is not None
    ]
    return f"; {', '.join(parts)}" if len(parts) > 1 else ""


def _share(ratio: Ratio | None, what: str) -> str:
    """Return a share in percent with its interval, followed by `what`."""
    if ratio is None:
        return ""
    if not ratio.value:
        return f"no {what}"
    if ratio.value < _MIN_SHOWN_SHARE:
        return f"under {percent(_MIN_SHOWN_SHARE)} % of {what}"
    interval = Interval(max(0.0, ratio.low), min(1.0, ratio.high))
    return f"{share_text(ratio.value, interval)} of {what}"


def _reasons(reasons: Sequence[tuple[str, int]]) -> str:
    shown = [
        f"{number:,} x {short(reason.removeprefix('OnIsGameOver: ').removeprefix('void: '), 90)}"
        for reason, number in reasons[:_MAX_REASONS]
    ]
    more = len(reasons) - len(shown)
    return "; ".join([*shown, *([f"{more} other reasons"] if more > 0 else [])])


def _histogram(lengths: Sequence[int], width: int) -> list[str]:
    """Return a histogram of the lengths of games."""
    step = _step(max(lengths) - min(lengths) + 1)
    bins = Counter(length // step for length in lengths)
    first, last = min(bins), max(bins)
    names = {
        at: str(at) if step == 1 else f"{at * step}-{at * step + step - 1}"
        for at in range(first, last + 1)
    }
    maximum = max(bins.values())
    name_width = max(5, *map(len, names.values()))
    count_width = max(5, len(f"{maximum:,}"))
    bar_width = min(_MAX_BAR, width - name_width - count_width - 4)
    rows = [f"{'plies':>{name_width}}  {'games':>{count_width}}"]
    for at, name in names.items():
        # A bin with at least one game has a bar of at least one character.
        bar = "#" * max(int(bins[at] > 0), round(bar_width * bins[at] / maximum))
        rows.append(f"{name:>{name_width}}  {bins[at]:>{count_width},}  {bar}".rstrip())
    return rows


def _step(size: int) -> int:
    """Return the smallest round width of a bin for which `_MAX_ROWS` bins suffice."""
    scale = 1
    while True:
        for digit in _ROUND_DIGITS:
            # The first bin begins at a multiple of its width, so one more bin may be needed.
            if size <= digit * scale * (_MAX_ROWS - 1):
                return digit * scale
        scale *= 10


# --- solved ------------------------------------------------------------------------------------


def _solution_lines(analysis: Analysis, width: int) -> list[str]:
    solution = analysis.solution
    if solution is None:
        return wrapped(f"Not solved: {analysis.unsolved_reason}.", width)
    rows = [
        ("best play", _value(solution)),
        (
            "positions",
            f"{solution.positions:,}, of which {solution.decided:,} are decided"
            + ("; positions can repeat" if solution.endless else ""),
        ),
    ]
    seats = solution.seats[:1] if len(solution.seats) == 2 else solution.seats
    for seat, prospects in zip(seats, solution.prospects, strict=False):
        rows.append((f"for {short(seat, 20)}", _prospects(prospects, solution.positions)))
    all_games = solution.all_games
    if all_games is not None:
        rows.append(("games", _results(solution, all_games)))
        rows.append(("at random", _at_random(solution, all_games)))
    lines = ["Exactly:", *labelled(rows, width)]
    if all_games is not None:
        lines += ["", *_lengths(all_games)]
    return lines


def _prospects(counts: ScoreCounts, positions: int) -> str:
    """Return the shares of positions by the result of best play for a seat."""
    parts = [("won", counts.won), ("drawn", counts.level), ("lost", counts.lost)]
    parts += [("in between", counts.other)] * bool(counts.other)
    shares = [f"{percent(each / positions)} % {name}" for name, each in parts]
    return f"{', '.join(shares)} with best play"


def _value(solution: Solution) -> str:
    """Return the guaranteed scores as a text."""
    scores, seats = solution.guaranteed, solution.seats
    if not scores:
        return "not known: chance moves may go on for ever"
    if len(seats) == 2:
        if max(scores) == 1.0:
            return f"{seats[scores.index(1.0)]} wins"
        if scores == (0.5, 0.5):
            return "a draw" if not solution.prospects[0].other else "both score 50 %"
        shares = (
            f"{seat} scores {100 * score:.2f} %" for seat, score in zip(seats, scores, strict=True)
        )
        return ", ".join(shares)
    shares = (f"{seat} {100 * score:.2f} %" for seat, score in zip(seats, scores, strict=True))
    return f"guaranteed scores against all others together: {', '.join(shares)}"


def _results(solution: Solution, all_games: AllGames) -> str:
    counts = all_games.by_result()
    parts = [
        f"{number:,} ({percent(number / all_games.total)} %) {_winners(solution.seats, scores)}"
        for scores, number in sorted(counts.items(), reverse=True)
    ]
    return f"{all_games.total:,}: {', '.join(parts)}"


def _winners(seats: Sequence[str], scores: Sequence[float]) -> str:
    if len(seats) > 1 and len({*scores}) == 1:
        return "drawn"
    winners = [seat for seat, score in zip(seats, scores, strict=True) if score]
    return f"won by {' and '.join(winners)}" if winners else "lost"


def _at_random(solution: Solution, all_games: AllGames) -> str:
    play = all_games.random
    scores = [
        f"{seat} scores {100 * play.score(at):.2f} %" for at, seat in enumerate(solution.seats)
    ]
    draws = f"draws {100 * play.draws:.2f} %"
    return (
        f"{', '.join(scores)}, {draws}; {play.plies:.3f} plies, {play.moves:.3f} legal moves a "
        f"choice, {100 * play.forced:.2f} % forced"
    )


def _lengths(all_games: AllGames) -> list[str]:
    """Return a table of the numbers of move sequences and games of each length."""
    games = all_games.by_length()
    probabilities: Counter[int] = Counter()
    for (plies, _), probability in all_games.random.results.items():
        probabilities[plies] += probability  # type: ignore[assignment]  # a float
    rows = [["plies", "sequences", "games", "at random %"]]
    for plies, sequences in enumerate(all_games.sequences):
        row = [f"{sequences:,}", f"{games.get(plies, 0):,}", f"{100 * probabilities[plies]:.2f}"]
        rows.append([str(plies), *row])
    return aligned(rows, 200)


# --- for other programs --------------------------------------------------------------------------


def document(analysis: Analysis) -> dict[str, object]:
    """Return the analysis as a JSON document; shares are from 0 to 1."""
    from forthvm.autoplay.results import export

    summary = export.document(analysis.summary)
    return {
        "game": analysis.game,
        "engine": analysis.engine,
        "seed": analysis.seed,
        "wanted": analysis.requested,
        "limit": analysis.seconds_limit,
        "played": analysis.played,
        "cut": analysis.cut_off,
        "cut_at": analysis.max_plies,
        "void": analysis.void,
        "faults": dict(analysis.faults),
        "interrupted": analysis.interrupted,
        "seats": summary["seats"],
        "draws": summary["draws"],
        "reasons": summary["reasons"],
        "intervals": export.intervals(paired=False),
        "plies": analysis.length and vars(analysis.length),
        "lengths": dict(sorted(Counter(analysis.lengths).items())),
        "branching": _value_and_interval(analysis.branching),
        "branching_by_thirds": [
            _value_and_interval(third) for third in analysis.branching_by_thirds
        ],
        "forced": _value_and_interval(analysis.forced),
        "captures": _value_and_interval(analysis.captures),
        "repeated": _value_and_interval(analysis.repeated_positions),
        "same": analysis.repeats.count,
        "seconds": round(analysis.seconds, 3),
        "exact": None if analysis.solution is None else _solution(analysis.solution),
        "unsolved": analysis.unsolved_reason or None,
    }


def _value_and_interval(ratio: Ratio | None) -> dict[str, object] | None:
    return None if ratio is None else {"value": ratio.value, "interval": bounds_document(ratio)}


def _solution(solution: Solution) -> dict[str, object]:
    all_games = solution.all_games
    return {
        "seats": solution.seats,
        "positions": solution.positions,
        "decided": solution.decided,
        "endless": solution.endless,
        "sure": solution.guaranteed or None,
        "prospects": [vars(each) for each in solution.prospects],
        "games": None if all_games is None else all_games.total,
        "sequences": None if all_games is None else all_games.sequences,
        "ends": None if all_games is None else _ends(all_games),
        "random": None if all_games is None else _random(solution, all_games),
    }


def _ends(all_games: AllGames) -> list[dict[str, object]]:
    return [
        {
            "plies": plies,
            "scores": scores,
            "games": number,
            "random": all_games.random.results[plies, scores],
        }
        for (plies, scores), number in sorted(all_games.games.items())
    ]


def _random(solution: Solution, all_games: AllGames) -> dict[str, object]:
    play = all_games.random
    return {
        "scores": [play.score(at) for at in range(len(solution.seats))],
        "draws": play.draws,
        "plies": play.plies,
        "branching": play.moves,
        "forced": play.forced,
    }
