"""Plays the matches of the articles on Axiom and writes build/article-matches.md.

Owns the matches and the report.  forthvm.autoplay plays and stores the games and computes the
statistics.

    python -m benchmarks.article_matches              # all: some minutes
    python -m benchmarks.article_matches duel         # Random against Duel, of Splut!
    python -m benchmarks.article_matches eval         # Rithmomachia: Eval against Eval
    python -m benchmarks.article_matches plain        # Rithmomachia: Plain against Eval
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
from forthvm.autoplay.statistics.formulas import GAME_SCORES, Interval, Sample, mean_interval
from forthvm.autoplay.statistics.interval_text import interval_unit, span
from forthvm.autoplay.statistics.summary import Summary, summarise

FOLDER = Path(__file__).resolve().parent
MAX_PLIES = 2000
"""Longer games are drawn."""

# One ply deep, captures have the highest values; chance decides between equal moves.
GREEDY = "axiom:depth=1,variety=1"
# Three plies deep; finds the same values as `axiom:depth=3`, in a third of the time.
DEEPER = "negamax:depth=3"
AS_INTENDED = (("value-white", "1315"), ("value-black", "984"))
"""Each side must capture three quarters of the value of the other."""


@dataclass(frozen=True)
class Side:
    """A participant: a game and the engine that plays one of its players."""

    name: str
    script: str
    """A bundled game, or a file in benchmarks/programs."""
    spec: str = ""
    """The engine; empty: the engine of the script."""
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def configuration(self) -> Configuration:
        """The game, its settings and include folders."""
        program = FOLDER / "programs" / f"{self.script}.4th"
        game = str(program) if program.is_file() else self.script
        include = (str(FOLDER.parent / "scripts"),)
        return Configuration(name=self.script, game=game, settings=self.settings, include=include)


@dataclass(frozen=True)
class Contest:
    """A match: one row of a table."""

    label: str
    first: Side
    second: Side
    games: int
    exchanged: bool = False
    """Each side begins half of the games; otherwise the first side begins all."""
    opening_plies: int = 0
    plies: int = MAX_PLIES
    """Longer games are drawn."""

    def settings(self, games: int, plies: int = MAX_PLIES) -> Settings:
        """Return the settings of the match; games longer than `plies` are drawn."""
        configurations = (self.first.configuration, self.second.configuration)
        equal = configurations[0] == configurations[1]
        return Settings(
            configurations=configurations[:1] if equal else configurations,
            entrants=(
                Entrant(name=self.first.name, spec=self.first.spec),
                Entrant(
                    name=self.second.name, spec=self.second.spec, configuration=0 if equal else 1
                ),
            ),
            games=games,
            schedule="round-robin" if self.exchanged else "fixed",
            opening_plies=self.opening_plies,
            adjudication=Adjudication(max_plies=min(plies, self.plies)),
        )


@dataclass(frozen=True)
class Part:
    """A match of the articles and the contests that reproduce it."""

    heading: str
    article: tuple[str, int, int, str, str]
    """The article's figures: label, wins of the first side, wins of the second side, plies per
    game, time."""
    contests: tuple[Contest, ...]
    text: str
    """Explanation of the contests and the differences."""


RANDOM = Side("Random", "splut-random", "random")
DUEL = Side("Duel", "splut-duel")
ONE_PLY = Side("Duel", "splut-duel", "script:depth=1")
PLAIN = Side("Plain", "rithmomachia-plain", GREEDY)


def _eval(name: str, spec: str, *settings: tuple[str, str]) -> Side:
    return Side(name, "rithmomachia-eval", spec, settings)


def _counted(name: str) -> Side:
    return Side(name, "rithmomachia-counted", GREEDY)


PARTS = {
    "duel": Part(
        heading="Random against Duel",
        article=("the article: Random begins", 13, 87, "", "a night"),
        contests=(
            Contest("Random begins", RANDOM, DUEL, 100),
            Contest("each side begins half", RANDOM, DUEL, 100, exchanged=True),
            Contest("Random begins, Duel with depth 1", RANDOM, ONE_PLY, 100),
        ),
        text="""\
Splut! with South and North: random moves against a search. The second row repeats the article's
match, which the following command also plays:

    forthvm autoplay splut-random splut-duel -n 100 --schedule fixed --article

Differences: Duel loses almost no games here. The reason is not its depth, since depth 1 is
sufficient. The article prints the search, which has depth 4 in its listing and here
(`scripts/splut/custom-engine.4th`), but not the evaluation. It lists the terms of the evaluation
and calls its weights improvable; `scripts/splut/worth.4th` has the same terms with other weights.
So the 13 lost games may be due to the weights, or to errors of that program; the article does not
contain enough information to decide.
""",
    ),
    "eval": Part(
        heading="Eval against Eval",
        article=("the article: Eval begins", 13, 0, "about 10 moves", "not stated"),
        contests=(
            Contest(
                "3 plies deep, at most 60 plies",
                _eval("First", DEEPER),
                _eval("Second", DEEPER),
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
            Contest(
                "1 ply deep, evaluation of the bundled game",
                _counted("First"),
                _counted("Second"),
                30,
            ),
        ),
        text="""\
Rithmomachia, both sides with the article's evaluation, the balance of material
(`benchmarks/programs/rithmomachia-eval.4th`). The commands are:

    cd benchmarks/programs
    forthvm autoplay rithmomachia-eval.4th --include ../../scripts \\
        --engine First=axiom:depth=1,variety=1 \\
        --engine Second=axiom:depth=1,variety=1 --opening-plies 0 --schedule fixed -n 100 --article

Differences: the article states neither the time limit of its engines nor why their games
differed. One ply deep, the engines here capture the most valuable piece that they can, and chance
decides between equal moves; the first player has an advantage, but does not always win. When no
capture is possible, both move at random. Three plies deep (two games, too few for statistics,
which begin with two random plies), one game was like those of the article: 25 plies, won by the
first player. In the other both sides avoided captures, and it was drawn.

Why the first player wins: the game is a race to capture fifteen pieces (De Corpore); in all
inspected games a player did so before either had captured the required value. White begins and
captures with each of its first moves. The article's program has exchanged the values that the
sides must capture, so that White needs 984 of 1752 and Black 1315 of 1312. This might explain the
score of 13 to 0, but not at depth 1: with the intended targets the first eight games, all that
were compared, are identical.

The evaluation of the bundled game (`scripts/rithmomachia/evaluation.4th`) considers attacked
pieces and the distance to a victory, so that games are half as long at the same depth.
""",
    ),
    "plain": Part(
        heading="Eval against Plain",
        article=("the article: Plain begins", 1, 21, "more than 300 moves", "not stated"),
        contests=(
            Contest("Plain begins", PLAIN, _eval("Eval", GREEDY), 22),
            Contest("each side begins half", PLAIN, _eval("Eval", GREEDY), 22, exchanged=True),
            Contest("Plain begins, Eval has the bundled evaluation", PLAIN, _counted("Eval"), 22),
        ),
        text="""\
Plain has no evaluation (`benchmarks/programs/rithmomachia-plain.4th`), so that all moves are
equal and chance decides. The commands are:

    cd benchmarks/programs
    forthvm autoplay rithmomachia-plain.4th rithmomachia-eval.4th -n 22 --schedule fixed \\
        --include ../../scripts \\
        --engine rithmomachia-plain=axiom:depth=1,variety=1 \\
        --engine rithmomachia-eval=axiom:depth=1,variety=1 --article

Differences: few, if the article's moves are plies. Games are long because Eval considers only its
next move, and moves at random when no capture is possible. This happens to Black; when Eval
begins, it has White's series of captures and wins much earlier. Two plies deep, Eval does not
make progress: it avoids captures that can be answered, and three games, two of them against
itself, were undecided after 1,000 plies. The bundled evaluation prefers to advance and needs
fewer plies.
""",
    ),
}


# --- playing --------------------------------------------------------------------------------


def play(settings: Settings, jobs: int) -> tuple[Summary, float]:
    """Play a match and return its results and its wall-clock seconds.

    Raises:
        SystemExit: a game is void or was forfeited, so the figures would mislead.
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

HEADS = ("match", "games", "won", "drawn", "lost", "score", "95 %", "plies per game", "time")


def row_of(
    label: str, results: tuple[int, int, int], interval: str, length: str, took: str
) -> list[str]:
    """Return the row of a match, from the point of view of the first side.

    Args:
        label: The label of the match.
        results: Games won, drawn and lost.
        interval: The interval of the score, as text.
        length: Plies per game, as text.
        took: The time, as text.
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
    """Return an interval of scores and its unit, as text."""
    return f"{span(interval)} % by {interval_unit(paired=paired)}"


def duration(seconds: float) -> str:
    """Return a duration as text."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def played_row(label: str, found: Summary, seconds: float) -> list[str]:
    """Return the row of a match that was played, and took so many seconds."""
    first, length = found.standings[0], found.length
    mean = f"{length.mean:.0f} ({length.low:.0f} to {length.high:.0f})" if length else ""
    score = (first.won, first.drawn, first.lost)
    interval = interval_text(first.interval, paired=first.paired)
    return row_of(label, score, interval, mean, duration(seconds))


def part_text(part: Part, games: int | None, plies: int, jobs: int) -> str:
    """Play a part and return its section of the report.

    Args:
        part: The part to play.
        games: Games per match; None: the default of each match.
        plies: Longer games are drawn.
        jobs: Number of games played in parallel.
    """
    label, won, lost, length_stated, took = part.article
    stated = interval_text(mean_interval(Sample(GAME_SCORES, (lost, 0, won))), paired=False)
    rows = [row_of(label, (won, 0, lost), stated, length_stated, took)]
    for contest in part.contests:
        found, seconds = play(contest.settings(games or contest.games, plies), jobs)
        rows.append(played_row(contest.label, found, seconds))
        print(f"{part.heading}: {' | '.join(rows[-1])}", file=sys.stderr, flush=True)
    played = f"Measured on {machine()}, forthvm {forthvm.__version__}, {jobs} game"
    played += " at a time." if jobs == 1 else "s in parallel."
    return f"## {part.heading}\n\n{part.text}\n{table(HEADS, rows)}\n\n{played}\n"


INTRODUCTION = """\
# The articles' matches

Written by `python -m benchmarks.article_matches`; the arguments `duel`, `eval` and `plain` select
a part. Won, drawn and lost are games of the first-named side. Intervals are 95 %, as in
docs/explanation/statistics.md, by pairs if each side begins half of the games. Two plies are a
move of each side. Time is wall-clock time for the complete match, including loading.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description="plays the articles' matches")
    parser.add_argument("part", nargs="?", choices=(*PARTS, "all"), default="all")
    parser.add_argument(
        "--games", type=int, metavar="N", help="games per match (default: by match)"
    )
    parser.add_argument(
        "--plies", type=int, metavar="N", default=MAX_PLIES, help=f"draw longer games ({MAX_PLIES})"
    )
    parser.add_argument("--jobs", type=int, metavar="N", default=1, help="games in parallel (1)")
    parser.add_argument("--output", type=Path, default=BUILD / "article-matches.md", metavar="FILE")
    options = parser.parse_args(arguments)
    names = PARTS if options.part == "all" else (options.part,)
    texts = [part_text(PARTS[name], options.games, options.plies, options.jobs) for name in names]
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("\n".join([INTRODUCTION, *texts]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
