"""Writes build/results.md: the cost of searches in the duel of Splut!, and results of matches.

Owns the choice of measurements, the measurements and the report.  forthvm/engines/statistics.py
counts evaluations.  "The article" is the article on Splut! and the Axiom engine, "the article's
engine" the search that it prints (scripts/splut/custom-engine.4th).  The report has three parts:

- evaluations per root move of the article's engine, for each move of one game;
- searches of the same positions by negamax, with its features enabled one after another;
- matches at equal time, with 95 % intervals for the scores.

    python -m benchmarks.results            # small: some minutes
    python -m benchmarks.results --full     # a complete game, 200 games per match: over an hour
"""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import forthvm
from forthvm.autoplay.statistics.formulas import GAME_SCORES, Interval, Sample, mean_interval
from forthvm.engines import Engine, Limits, choose_move
from forthvm.engines.statistics import MoveStatistics, ScriptCounter, chart, measure_game

FOLDER = Path(__file__).resolve().parent
ARTICLE_DUEL = FOLDER / "programs" / "duel-counted.4th"
"""The article's engine plays both sides; all engines use the article's evaluation."""
STRONG_DUEL = FOLDER / "programs" / "duel-strong.4th"
"""The stronger engine of the script plays against the article's engine."""
GAMES = FOLDER.parent / "scripts"
"""The folder below which the programs load files."""
BUILD = FOLDER.parent / "build"
"""The folder of reports."""
DEPTHS = (3, 5)
MAX_PLIES = 2000
"""Longer games are drawn."""

# The options of each entry are added to those of the previous entries.
FEATURES = {
    "nothing but alpha-beta": {},
    "captures first": {"captures": "yes"},
    "killers, history": {"killers": "yes", "history": "yes"},
    "table of 16 MB": {"tt": "16"},
    "all (null windows, quiescence, repetition)": dict.fromkeys(
        ("pvs", "quiescence", "repetition"), "yes"
    ),
}
# All features off.
OFF = {
    **dict.fromkeys(("captures", "killers", "history", "pvs"), "no"),
    **dict.fromkeys(("quiescence", "repetition"), "no"),
    "tt": "0",
}


@dataclass(frozen=True)
class Size:
    """The size of all measurements of a report."""

    plies: int
    """Maximal plies of the game whose moves are measured."""
    games: int
    """Games per match."""
    seconds: float
    """Time per move in matches at equal time."""
    full: bool


SMALL = Size(plies=40, games=10, seconds=0.05, full=False)
FULL = Size(plies=MAX_PLIES, games=200, seconds=0.05, full=True)


# --- searches -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Cost:
    """The mean cost of the searches of an engine."""

    nodes: float
    evaluations: float
    seconds: float
    slowest: float


def game_of_the_article(depth: int, plies: int) -> list[MoveStatistics]:
    """Let the article's engine play both sides, and measure each move in processor time."""
    position = forthvm.load(ARTICLE_DUEL, include=[GAMES], seed=depth).start()
    engine = forthvm.engines.get("script")
    game = []
    began = time.process_time()
    for move in measure_game(
        position, engine, Limits(depth=depth), counter=ScriptCounter("evaluations"), plies=plies
    ):
        game.append(replace(move, seconds=time.process_time() - began))
        began = time.process_time()
    return game


def positions_of(game: Sequence[MoveStatistics], depth: int) -> Iterator[forthvm.Position]:
    """Yield the positions that the engine searched, by playing the game again."""
    position = forthvm.load(ARTICLE_DUEL, include=[GAMES], seed=depth).start()
    for searched in game:
        while position.ply < searched.ply:  # forced moves, which the engine did not search
            (move,) = position.legal_moves
            position.push(move)
        yield position.copy()
        position.push(searched.played)


def cost_of(options: dict[str, str], positions: Sequence[forthvm.Position], depth: int) -> Cost:
    """Return the cost of negamax with these options on the positions."""
    spec = ",".join(f"{name}={value}" for name, value in options.items())
    engine = forthvm.engines.get(f"negamax:{spec}")
    nodes, evaluations, seconds = [], [], []
    for position in positions:
        engine.new_game()
        began = time.process_time()
        found = engine.play(position, Limits(depth=depth - cleanings(position, depth)))
        seconds.append(time.process_time() - began)
        nodes.append(found.nodes)
        evaluations.append(int(str(found.info["evaluations"])))
    return Cost(
        statistics.mean(nodes),
        statistics.mean(evaluations),
        statistics.mean(seconds),
        max(seconds),
    )


def cleanings(position: forthvm.Position, depth: int) -> int:
    """Return how many of the next `depth` moves are the cleaner's, Splut!'s chance player.

    The cleaner must not be the player to move.
    """
    game = position.game
    chance = {player.name for player in game.player_details if player.chance}
    at, count = position._turn_index, 0
    for _ in range(depth):
        count += game.turn_order[at].player in chance
        at = at + 1 if at + 1 < len(game.turn_order) else game.turn_repeat
    return count


# --- matches --------------------------------------------------------------------------------


@dataclass
class Score:
    """The score of the first engine in a match."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    plies: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the mean score, by games, each of which has its own seed."""
        return mean_interval(Sample(GAME_SCORES, (self.losses, self.draws, self.wins)))


def match(first: str, second: str, games: int, script: str | Path = "splut-duel") -> Score:
    """Play a match: the first engine is South in every second game; each game has its own seed."""
    score = Score()
    for number in range(games):
        side = ("South", "North")[number % 2]
        settings = {"strong": side.lower()} if script == STRONG_DUEL else {}
        game = forthvm.load(script, include=[GAMES], seed=number, settings=settings)
        position = game.start()
        result = play(position, side, _seeded(first, number), _seeded(second, number))
        score.plies += position.ply
        if result is None:
            score.draws += 1
        elif result == side:
            score.wins += 1
        else:
            score.losses += 1
    return score


def _seeded(spec: str, number: int) -> Engine:
    """Return an engine; if it has an option `seed`, the seed is different for each game."""
    name, _, options = spec.partition(":")
    if name in {"random", "negamax", "mcts"}:
        options = ",".join(filter(None, (options, f"seed={number + 1}")))
    return forthvm.engines.get(f"{name}:{options}")


def play(position: forthvm.Position, side: str, first: Engine, second: Engine) -> str | None:
    """Play a game, the first engine as `side`; return the winner, None for a draw."""
    chance = forthvm.engines.get("chance")
    while position.result is None and position.ply < MAX_PLIES:
        if position.is_stuck:
            position.push_pass()
        elif len(position.legal_moves) == 1:
            position.push(position.legal_moves[0])
        else:
            engine = chance if position.is_chance else first if position.turn == side else second
            position.push(choose_move(engine, position).move)
    result = position.result
    return result.winners[0] if result is not None and result.winners else None


# --- the report ---------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with numbers aligned to the right."""
    lines = [heads, ["---"] + ["--:"] * (len(heads) - 1), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def article_table(games: dict[int, list[MoveStatistics]]) -> str:
    """Return the table of the counts that the article states, averaged over the moves of a game."""
    rows = []
    for depth, game in games.items():
        mean = [
            statistics.mean(values)
            for values in (
                [len(move.root_moves) for move in game],
                [move.minimum for move in game],
                [move.mean for move in game],
                [move.maximum for move in game],
                [move.total for move in game],
                [move.violations for move in game],
            )
        ]
        rows.append(
            [
                f"{depth}",
                f"{len(game)}",
                *(f"{value:,.1f}" for value in mean),
                f"{max(move.maximum for move in game):,}",
                f"{max(move.violations for move in game)}",
                f"{statistics.mean(move.seconds for move in game):.3f}",
                f"{max(move.seconds for move in game):.3f}",
            ]
        )
    heads = ["depth", "searches", "root moves", "minimum", "mean", "maximum", "total"]
    heads += ["violations", "greatest maximum", "most violations", "s a move", "slowest"]
    return table(heads, rows)


def features_table(games: dict[int, list[MoveStatistics]]) -> str:
    """Return the table of costs of negamax on the same positions."""
    rows = []
    for depth, game in games.items():
        positions = list(positions_of(game, depth))
        plain = statistics.mean(move.total for move in game)
        seconds = [move.seconds for move in game]
        rows.append(
            [
                f"{depth}: the article's engine, in Forth",
                "",
                f"{plain:,.0f}",
                f"{statistics.mean(seconds):.4f}",
                f"{max(seconds):.3f}",
            ]
        )
        options = dict(OFF)
        for name, enabled in FEATURES.items():
            options |= enabled
            cost = cost_of(options, positions, depth)
            rows.append(
                [
                    f"{depth}: {'+ ' if enabled else ''}{name}",
                    f"{cost.nodes:,.0f}",
                    f"{cost.evaluations:,.0f}",
                    f"{cost.seconds:.4f}",
                    f"{cost.slowest:.3f}",
                ]
            )
    return table(["depth, engine", "nodes", "evaluations", "s a move", "slowest"], rows)


def matches_table(size: Size) -> str:
    """Return the table of scores with their intervals."""
    clock = f"time={size.seconds}"
    limit = f"{size.seconds} s a move"
    native = "native (`negamax`)"
    same_evaluation = "native, with the article's evaluation"
    forth = "strong engine, in Forth (`engine=strong`)"
    article = "the article's"
    contests: list[tuple[str, str, str, str, str, str | Path]] = [
        (native, article, limit, f"negamax:{clock}", f"script:{clock}", "splut-duel"),
        (same_evaluation, article, limit, f"negamax:{clock}", f"script:{clock}", ARTICLE_DUEL),
        (forth, article, limit, f"script:{clock}", f"script:{clock}", STRONG_DUEL),
        (native, "random", "3 deep", "negamax:depth=3", "random", "splut-duel"),
        (forth, "random", "3 deep", "script:depth=3", "random", STRONG_DUEL),
        (article, "random", "3 deep", "script:depth=3", "random", "splut-duel"),
    ]
    rows = []
    for first, second, how, first_spec, second_spec, script in contests:
        score = match(first_spec, second_spec, size.games, script)
        print(f"{first} : {second}: {score}", file=sys.stderr, flush=True)
        points = score.wins + score.draws / 2
        interval = score.interval
        rows.append(
            [
                f"{first} : {second}",
                how,
                f"{score.games}",
                f"{score.wins}",
                f"{score.draws}",
                f"{score.losses}",
                f"{100 * points / score.games:.1f} %",
                f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %",
                f"{score.plies / score.games:.0f}",
            ]
        )
    heads = ["match", "limit", "games", "won", "drawn", "lost", "score"]
    return table([*heads, "95 % by games", "plies a game"], rows)


def machine() -> str:
    """Return a description of the machine."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name}, {platform.system()}, Python {platform.python_version()}"


REPORT = """\
# Results

Made by `python -m benchmarks.results{option}`{small} on {machine}, forthvm
{version}. Seconds for a move are processor time, limits of matches wall clock.

## Evaluations per root move

The article on Splut! and Axiom counts by hand how often its engine evaluates below each root
move, in the duel of South and North. Here its search (`scripts/splut/custom-engine.4th`) plays
{plies} against itself, and evaluations are counted as by `forthvm think --evaluations`. Minimum,
mean and maximum are over the root moves of a search, then averaged over the searches; a
*violation* is a root move with more evaluations than the previous one.

{article}

The article reports about 8,000 evaluations per move at depth 5, more than 16 violations in some
searches, and about a minute until all opponents had moved. Its engine has neither move ordering
nor a transposition table.

![depth {depths[0]}](results-depth-{depths[0]}.svg)
![depth {depths[1]}](results-depth-{depths[1]}.svg)

## Move ordering and transposition table

The table shows `negamax` on the same positions, with its features enabled one after another; the
figures are means over the searches. `negamax` calls the same evaluation word and searches equally
far: the article's engine counts a move of the cleaner (the chance player) as a level of depth,
`negamax` does not. So the depth of `negamax` is reduced by one for each such move. The counts of
`negamax` include the shallower iterations.

{features}

## Matches

Each engine is South in half of the duels of `splut-duel`; each game has its own seed. Forced
moves are played without calling an engine. Intervals are as in docs/explanation/statistics.md.
`OnEvaluate` of the bundled script considers threats, like the strong engine; with the article's
evaluation instead, the native engine differs from the article's engine only in its search.

{matches}

The article's program won 87 of 100 games against random moves; the 95 % interval is 79.0 to 92.2 %.
"""


def write_report(target: Path, size: Size) -> None:
    """Measure everything and write the report, with a chart for each depth in the same folder."""
    target.parent.mkdir(parents=True, exist_ok=True)
    games = {}
    for depth in DEPTHS:
        games[depth] = game_of_the_article(depth, size.plies)
        title = f"The article's engine {depth} deep: evaluations per root move"
        picture = target.parent / f"results-depth-{depth}.svg"
        picture.write_text(chart(games[depth], title=title) + "\n", encoding="utf-8")
        print(f"depth {depth}: {len(games[depth])} searches", file=sys.stderr, flush=True)
    text = REPORT.format(
        option=" --full" if size.full else "",
        small="" if size.full else " with small sizes (`--full` uses large ones),",
        machine=machine(),
        version=forthvm.__version__,
        plies="a game" if size.full else f"{size.plies} plies",
        article=article_table(games),
        depths=DEPTHS,
        features=features_table(games),
        matches=matches_table(size),
    )
    target.write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description="measures searches of the duel of Splut!")
    parser.add_argument("--full", action="store_true", help="a complete game, 200 games per match")
    parser.add_argument("--plies", type=int, metavar="N", help="maximal plies of the measured game")
    parser.add_argument("--games", type=int, metavar="N", help="games per match")
    parser.add_argument("--time", type=float, metavar="S", help="seconds per move in matches")
    parser.add_argument("--output", type=Path, default=BUILD / "results.md", metavar="FILE")
    options = parser.parse_args(arguments)
    size = FULL if options.full else SMALL
    size = Size(
        plies=options.plies or size.plies,
        games=options.games or size.games,
        seconds=options.time or size.seconds,
        full=options.full,
    )
    write_report(options.output, size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
