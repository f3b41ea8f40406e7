"""The statistics of a match of which only the counts of results are known, as text.

Owns the meaning of the counts and the lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.autoplay.report.summary_text import labelled
from forthvm.autoplay.statistics.formulas import (
    GAME_SCORES,
    PAIR_SCORES,
    Sample,
    elo_difference,
    likelihood_of_superiority,
    mean_interval,
    normalized_elo,
)
from forthvm.autoplay.statistics.interval_text import (
    elo_text,
    interval_fact,
    interval_unit,
    percent,
    share_text,
)
from forthvm.autoplay.statistics.sprt import Sprt, SprtSettings
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["counts_lines"]


def counts_lines(
    counts: Sequence[int], sprt: SprtSettings | None = None, *, width: int = 80
) -> list[str]:
    """Return the lines of a report on the first of two opponents.

    Args:
        counts: Its won, drawn and lost games; or the pairs of games with exchanged seats in which
            it had 0, 1/2, 1, 3/2 and 2 points.
        sprt: The hypotheses of a test.
        width: The width of the lines in columns.

    Raises:
        ValueError: There are not three or five counts, or all are 0.
    """
    paired = len(counts) == len(PAIR_SCORES)
    if not paired and len(counts) != len(GAME_SCORES):
        raise ValueError(
            "expected three counts (games won, drawn, lost) or five (pairs of games with 0, 1/2, "
            f"1, 3/2, 2 points), not {len(counts)}"
        )
    if not any(counts):
        raise ValueError("there are no results: all counts are 0")
    sample = (
        Sample(PAIR_SCORES, tuple(counts)) if paired else Sample(GAME_SCORES, tuple(counts)[::-1])
    )
    normalized = normalized_elo(sample, games=2 if paired else 1)
    facts = [
        ("results", counted(sum(counts), interval_unit(paired=paired)[:-1])),
        ("score", share_text(sample.mean, mean_interval(sample))),
        ("Elo", elo_text(elo_difference(sample), paired=paired)),
        ("normalized Elo", "" if normalized is None else elo_text(normalized, paired=paired)),
        ("stronger", f"with a likelihood of {percent(likelihood_of_superiority(sample))} %"),
    ]
    if sprt is not None:
        test = Sprt(sprt, paired=paired)
        test.add_all(sample)
        facts.append(("SPRT", str(test)))
    return labelled([*facts, interval_fact(paired=paired)], width)
