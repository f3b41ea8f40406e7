"""Plays the articles' matches with `forthvm.autoplay` and reports them in build/article-matches.md.

Owns the matches and the report.  The autoplay package plays and keeps the games and has the
formulas.

    python -m benchmarks.article_matches              # all of them: some minutes
    python -m benchmarks.article_matches duel         # Random against Duel, of Splut!
    python -m benchmarks.article_matches eval         # Rithmomachia: Eval against Eval
    python -m benchmarks.article_matches plain        # Rithmomachia: the plain one against Eval
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import forthvm
from benchmarks.results import BUILD, machine, table
from forthvm.autoplay import Adjudication, Configuration, Entrant, Match, Settings
from forthvm.autoplay.report.summary_text import span
from forthvm.autoplay.statistics.formulas import GAME_SCORES, Interval, Sample, mean_interval
from forthvm.autoplay.statistics.summary import Summary, summarise

HERE = Path(__file__).resolve().parent
MOST_PLIES = 2000
"""Longer games are drawn."""
_MINUTE = 60

# One ply deep they take what they can; chance decides between moves that are worth the same.
GREEDY = "axiom:depth=1,variety=1"
# Three plies deep; the same values as the original's search has, found in a third of the time.
FARTHER = "negamax:depth=3"
AS_INTENDED = (("value-white", "1315"), ("value-black", "984"))
"""Each side must take three quarters of what the other has."""


@dataclass(frozen=True)
class Side:
    """A participant."""

    name: str
    script: str
    """A bundled game, or a file among the programs."""
    spec: str = ""
    """The engine; empty: the script's own."""
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def configuration(self) -> Configuration:
        """Game, settings and include folders."""
        program = HERE / "programs" / f"{self.script}.4th"
        game = str(program) if program.is_file() else self.script
        include = (str(HERE.parent / "scripts"),)
        return Configuration(name=self.script, game=game, settings=self.settings, include=include)


@dataclass(frozen=True)
class Contest:
    """A match: one row of a table."""

    label: str
    first: Side
    second: Side
    games: int
    exchanged: bool = False
    """Each begins half of the games; otherwise the first does."""
    opening_plies: int = 0
    plies: int = MOST_PLIES
    """Longer games are drawn."""

    def settings(self, games: int, plies: int = MOST_PLIES) -> Settings:
        """For the runner; games of more than `plies` are drawn, too."""
        configurations = (self.first.configuration, self.second.configuration)
        alike = configurations[0] == configurations[1]
        return Settings(
            configurations=configurations[:1] if alike else configurations,
            entrants=(
                Entrant(name=self.first.name, spec=self.first.spec),
                Entrant(
                    name=self.second.name, spec=self.second.spec, configuration=0 if alike else 1
                ),
            ),
            games=games,
            schedule="round-robin" if self.exchanged else "fixed",
            opening_plies=self.opening_plies,
            adjudication=Adjudication(max_plies=min(plies, self.plies)),
        )


@dataclass(frozen=True)
class Part:
    """One of the articles' matches, with what we made of it."""

    heading: str
    article: tuple[str, int, int, str, str]
    """Label, wins of the first and of the second, plies a game, time, as in the article."""
    contests: tuple[Contest, ...]
    text: str
    """What was played, what differs, and why."""


RANDOM = Side("Random", "splut-random", "random")
DUEL = Side("Duel", "splut-duel")
ONE_STEP = Side("Duel", "splut-duel", "script:depth=1")
PLAIN = Side("Plain", "rithmomachia-plain", GREEDY)


def _eval(name: str, spec: str, *settings: tuple[str, str]) -> Side:
    return Side(name, "rithmomachia-eval", spec, settings)


def _ours(name: str) -> Side:
    return Side(name, "rithmomachia-counted", GREEDY)


PARTS = {
    "duel": Part(
        heading="Random against Duel",
        article=("the article: Random begins", 13, 87, "", "a night"),
        contests=(
            Contest("Random begins", RANDOM, DUEL, 100),
            Contest("each begins half", RANDOM, DUEL, 100, exchanged=True),
            Contest("Random begins, Duel looks a single step ahead", RANDOM, ONE_STEP, 100),
        ),
        text="""\
Splut! with South and North: who moves at random against who searches. The first of our rows is the
article's match; without this program it is

    forthvm autoplay splut-random splut-duel -n 100 --schedule fixed --article

What differs: Duel loses next to nothing here, and its depth is not why, since a single step will
do. The article prints the search, which goes 4 steps deep in its listing and here
(`scripts/splut/custom-engine.4th`), but not the evaluation. It names what
that looks at and calls its weights improvable; we have the same points with weights of our own
(`scripts/splut/worth.4th`). So the 13 lost games may come from the weights, or
from errors of that program; the article does not say enough to tell.
""",
    ),
    "eval": Part(
        heading="Eval against Eval",
        article=("the article: Eval begins", 13, 0, "about 10 moves", "not stated"),
        contests=(
            Contest(
                "3 plies deep, 60 plies at most",
                _eval("First", FARTHER),
                _eval("Second", FARTHER),
                2,
                opening_plies=2,
                plies=60,
            ),
            Contest("1 ply deep", _eval("First", GREEDY), _eval("Second", GREEDY), 100),
            Contest(
                "1 ply deep, targets as intended",
                _eval("First", GREEDY, *AS_INTENDED),
                _eval("Second", GREEDY, *AS_INTENDED),
                30,
            ),
            Contest("1 ply deep, our evaluation", _ours("First"), _ours("Second"), 30),
        ),
        text="""\
Rithmomachia, both sides with the article's evaluation, the balance of material
(`benchmarks/programs/rithmomachia-eval.4th`). By hand:

    cd benchmarks/programs
    forthvm autoplay rithmomachia-eval.4th --include ../../scripts \\
        --engine First=axiom:depth=1,variety=1 \\
        --engine Second=axiom:depth=1,variety=1 --opening-plies 0 --schedule fixed -n 100 --article

What differs: the article says neither how long its engines thought nor how they came to play
different games. One ply deep ours take the most valuable pieces in reach, and chance decides
between equals; the first player has the advantage, but not always the win, and once nothing is in
reach both wander. Three plies deep (two games, too few to count, that begin with two random plies)
one was what the article tells of, 25 plies, won by the first player; in the other both kept out of
reach, and it was called drawn.

Why the first player: the game is a race for fifteen pieces (De Corpore), which in the games that we
looked through came before the value did. White takes something with each of its first moves, and
begins. The article's program has changed round what the two must take in value, so that White needs
984 of 1752 and Black 1315 of 1312. That looks like the cause of 13 to 0; one ply deep it is not:
with the targets as intended the first eight games, all that we compared, are the same throughout.

Our evaluation (`scripts/rithmomachia/evaluation.4th`) sees what is under
attack and how near a victory is, so that games are half as long without any depth.
""",
    ),
    "plain": Part(
        heading="Eval against the plain one",
        article=("the article: the plain one begins", 1, 21, "more than 300 moves", "not stated"),
        contests=(
            Contest("the plain one begins", PLAIN, _eval("Eval", GREEDY), 22),
            Contest("each begins half", PLAIN, _eval("Eval", GREEDY), 22, exchanged=True),
            Contest("the plain one begins, Eval is ours", PLAIN, _ours("Eval"), 22),
        ),
        text="""\
Player 1 has no evaluation
(`benchmarks/programs/rithmomachia-plain.4th`), so that all moves are
worth the same and chance decides. By hand:

    cd benchmarks/programs
    forthvm autoplay rithmomachia-plain.4th rithmomachia-eval.4th -n 22 --schedule fixed \\
        --include ../../scripts \\
        --engine rithmomachia-plain=axiom:depth=1,variety=1 \\
        --engine rithmomachia-eval=axiom:depth=1,variety=1 --article

What differs: little, if the article's moves are plies. Games are long for the reason that its own
will have been: Eval sees no farther than its next move, and where nothing is in reach it wanders
until something is. That is Black's fate; when Eval begins it has White's chain of captures, and is
done much sooner. Two plies deep it gets nowhere: it sees each capture answered and stays away, and
in three games that we tried, two of them against itself, no game was decided after 1,000 plies. Our
evaluation, which likes to go forward, needs fewer plies.
""",
    ),
}


# --- playing --------------------------------------------------------------------------------


def play(settings: Settings, jobs: int) -> tuple[Summary, float]:
    """What a match came to, and how long it took, in seconds of wall-clock time.

    Raises:
        SystemExit: a game is void or was lost by a fault, so the figures would mislead.
    """
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        Match.create(settings, Path(folder) / "match.db") as match,
    ):
        match.run(jobs=jobs)
        names = [entrant.name for entrant in match.settings.entrants]
        found = summarise(match.store.games(), entrants=names)
    if found.void or any(standing.forfeits for standing in found.standings):
        raise SystemExit(f"{settings.game}: {found.reasons}")
    return found, time.perf_counter() - began


# --- the report -------------------------------------------------------------------------------

HEADS = ("match", "games", "won", "drawn", "lost", "score", "95 %", "plies a game", "time")


def row_of(
    label: str, results: tuple[int, int, int], interval: str, length: str, took: str
) -> list[str]:
    """A match from the view of the first.

    Args:
        label: Which match.
        results: Games won, drawn and lost.
        interval: Of the score, in words.
        length: Plies a game.
        took: The time.
    """
    won, drawn, lost = results
    games = sum(results)
    points = won + drawn / 2
    share = points / games if games else 0.5
    return [
        label,
        f"{games}",
        f"{won}",
        f"{drawn}",
        f"{lost}",
        f"{100 * share:.1f} %",
        interval,
        length,
        took,
    ]


def interval_text(interval: Interval, *, paired: bool) -> str:
    """An interval of scores, and what it counts."""
    return f"{span(interval)} % by {'pairs' if paired else 'games'}"


def duration(seconds: float) -> str:
    """A time for people."""
    return f"{seconds:.0f} s" if seconds < 2 * _MINUTE else f"{seconds / _MINUTE:.1f} min"


def part_text(part: Part, games: int | None, plies: int, jobs: int) -> str:
    """Plays a part and reports it.

    Args:
        part: What to play.
        games: Of each match, in place of its own.
        plies: Longer games are drawn.
        jobs: Games side by side.
    """
    label, won, lost, length_stated, took = part.article
    theirs = interval_text(mean_interval(Sample(GAME_SCORES, (lost, 0, won))), paired=False)
    rows = [row_of(label, (won, 0, lost), theirs, length_stated, took)]
    for contest in part.contests:
        found, seconds = play(contest.settings(games or contest.games, plies), jobs)
        first, length = found.standings[0], found.length
        mean = f"{length.mean:.0f} ({length.low:.0f} to {length.high:.0f})" if length else ""
        score = (first.won, first.drawn, first.lost)
        interval = interval_text(first.interval, paired=first.paired)
        rows.append(row_of(contest.label, score, interval, mean, duration(seconds)))
        print(f"{part.heading}: {' | '.join(rows[-1])}", file=sys.stderr, flush=True)
    played = f"Measured on {machine()}, forthvm {forthvm.__version__}, {jobs} game"
    played += " at a time." if jobs == 1 else "s side by side."
    return f"## {part.heading}\n\n{part.text}\n{table(HEADS, rows)}\n\n{played}\n"


INTRODUCTION = """\
# The articles' matches

Made by `python -m benchmarks.article_matches`, or a part of it by adding `duel`, `eval` or `plain`.
Won, drawn and lost are the first-named's. Intervals are 95 %, as in
docs/explanation/statistics.md, by pairs where each begins half of the games; two plies
are a move of each side. Time is wall clock for the whole match, loading included; a busy machine
takes longer.
"""


def main(arguments: list[str] | None = None) -> int:
    """Plays and writes; see the module's docstring."""
    parser = argparse.ArgumentParser(description="plays the articles' matches")
    parser.add_argument("part", nargs="?", choices=(*PARTS, "all"), default="all")
    parser.add_argument("--games", type=int, metavar="N", help="of each match, in place of its own")
    parser.add_argument(
        "--plies", type=int, metavar="N", default=MOST_PLIES, help=f"draw then ({MOST_PLIES})"
    )
    parser.add_argument("--jobs", type=int, metavar="N", default=1, help="games side by side (1)")
    parser.add_argument("--output", type=Path, default=BUILD / "article-matches.md", metavar="FILE")
    options = parser.parse_args(arguments)
    names = PARTS if options.part == "all" else (options.part,)
    texts = [part_text(PARTS[name], options.games, options.plies, options.jobs) for name in names]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("\n".join([INTRODUCTION, *texts]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
