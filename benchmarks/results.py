"""Writes a report, build/results.md: what searching the duel of Splut! costs, and who wins.

Owns the choice of what is measured, the measuring and the report.  The counting is in
forthvm/engines/statistics.py.  Three parts:

- the article's table: evaluations per root move of its engine, move by move of one game;
- the same positions searched by our own engine, with its features one after another;
- matches, at equal time, with 95 % intervals for the scores.

    python -m benchmarks.results            # small: some minutes
    python -m benchmarks.results --full     # the whole game, 200 games a match: an hour or more
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
from forthvm.engines.statistics import Counter, MoveStatistics, chart, measure_game

HERE = Path(__file__).resolve().parent
COUNTED = HERE / "programs" / "duel-counted.4th"
STRONG = HERE / "programs" / "duel-strong.4th"
GAMES = HERE.parent / "scripts"
"""Below which the programs load files."""
BUILD = HERE.parent / "build"
"""Where reports go."""
DEPTHS = (3, 5)
MOST_PLIES = 2000
"""Longer games are stopped and count as drawn."""

# Each adds to the one before it.
FEATURES = {
    "nothing but alpha-beta": {},
    "captures first": {"captures": "yes"},
    "killers, history": {"killers": "yes", "history": "yes"},
    "table of 16 MB": {"tt": "16"},
    "all (null windows, aspiration, quiescence, repetition)": {
        name: "yes" for name in ("pvs", "aspiration", "quiescence", "repetition")
    },
}
OFF = {
    **dict.fromkeys(("captures", "killers", "history", "pvs", "aspiration"), "no"),
    **dict.fromkeys(("quiescence", "repetition"), "no"),
    "tt": "0",
}


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    plies: int
    """Of the game whose moves are measured."""
    games: int
    """Of each match."""
    seconds: float
    """For each move of a match at equal time."""
    full: bool


SMALL = Size(plies=40, games=10, seconds=0.05, full=False)
FULL = Size(plies=MOST_PLIES, games=200, seconds=0.05, full=True)


# --- searches -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Cost:
    """What the searches of one engine cost, on the average."""

    nodes: float
    evaluations: float
    seconds: float
    slowest: float


def game_of_the_article(depth: int, plies: int) -> list[MoveStatistics]:
    """Its engine plays both sides.  Times are the processor's: the machine may have more to do."""
    position = forthvm.load(COUNTED, include=[GAMES], seed=depth).start()
    engine = forthvm.engines.get("script")
    game = []
    began = time.process_time()
    for one in measure_game(
        position, engine, Limits(depth=depth), counter=Counter("evaluations"), plies=plies
    ):
        game.append(replace(one, seconds=time.process_time() - began))
        began = time.process_time()
    return game


def positions_of(game: Sequence[MoveStatistics], depth: int) -> Iterator[forthvm.Position]:
    """The positions that were searched, made anew."""
    position = forthvm.load(COUNTED, include=[GAMES], seed=depth).start()
    for one in game:
        while position.ply < one.ply:  # there was nothing to choose: passes and the cleaner's moves
            (move,) = position.legal_moves
            position.push(move)
        yield position.copy()
        position.push_text(one.played)


def cost_of(options: dict[str, str], positions: Sequence[forthvm.Position], depth: int) -> Cost:
    """Our engine with these options on positions."""
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
    """How many of the next moves are the cleaner's; the next one never is."""
    game = position.game
    chance = {player.name for player in game.player_details if player.chance}
    at, count = position.turn_index, 0
    for _ in range(depth):
        count += game.turn_order[at].player in chance
        at = at + 1 if at + 1 < len(game.turn_order) else game.turn_repeat
    return count


# --- matches --------------------------------------------------------------------------------


@dataclass
class Score:
    """A match, as the first engine sees it."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    plies: int = 0

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def interval(self) -> Interval:
        """Of the mean score: 95 %, by games, each of which has its own seed."""
        return mean_interval(Sample(GAME_SCORES, (self.losses, self.draws, self.wins)))


def match(ours: str, theirs: str, games: int, script: str | Path = "splut-duel") -> Score:
    """The first engine plays South in every second game; each game has its own seed."""
    score = Score()
    for number in range(games):
        us = ("South", "North")[number % 2]
        settings = {"strong": us.lower()} if script == STRONG else {}
        game = forthvm.load(script, include=[GAMES], seed=number, settings=settings)
        position = game.start()
        result = play(position, us, _seeded(ours, number), _seeded(theirs, number))
        score.plies += position.ply
        if result is None:
            score.draws += 1
        elif result == us:
            score.wins += 1
        else:
            score.losses += 1
    return score


def _seeded(spec: str, number: int) -> Engine:
    """Engines that know seeds get a new one for each game."""
    name, _, options = spec.partition(":")
    if name in {"random", "negamax", "mcts"}:
        options = ",".join(filter(None, (options, f"seed={number + 1}")))
    return forthvm.engines.get(f"{name}:{options}")


def play(position: forthvm.Position, us: str, ours: Engine, theirs: Engine) -> str | None:
    """The winner, None for a draw."""
    chance = forthvm.engines.get("chance")
    while position.result is None and position.ply < MOST_PLIES:
        if position.is_stuck:
            position.push_pass()
        elif len(position.legal_moves) == 1:
            position.push(position.legal_moves[0])
        else:
            engine = chance if position.is_chance else ours if position.turn == us else theirs
            position.push(choose_move(engine, position).move)
    result = position.result
    return result.winners[0] if result is not None and result.winners else None


# --- the report ---------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    lines = [heads, ["---"] + ["--:"] * (len(heads) - 1), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def part_of_the_article(games: dict[int, list[MoveStatistics]]) -> str:
    """The article's figures, each the mean over the moves of a game."""
    rows = []
    for depth, game in games.items():
        mean = [
            statistics.mean(values)
            for values in (
                [len(one.roots) for one in game],
                [one.minimum for one in game],
                [one.mean for one in game],
                [one.maximum for one in game],
                [one.total for one in game],
                [one.violations for one in game],
            )
        ]
        rows.append(
            [
                f"{depth}",
                f"{len(game)}",
                *(f"{value:,.1f}" for value in mean),
                f"{max(one.maximum for one in game):,}",
                f"{max(one.violations for one in game)}",
                f"{statistics.mean(one.seconds for one in game):.3f}",
                f"{max(one.seconds for one in game):.3f}",
            ]
        )
    heads = ["depth", "searches", "root moves", "minimum", "mean", "maximum", "in all"]
    heads += ["violations", "greatest maximum", "most violations", "s a move", "slowest"]
    return table(heads, rows)


def part_of_features(games: dict[int, list[MoveStatistics]]) -> str:
    """Our engine on the same positions."""
    rows = []
    for depth, game in games.items():
        positions = list(positions_of(game, depth))
        plain = statistics.mean(one.total for one in game)
        seconds = [one.seconds for one in game]
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
        for name, more in FEATURES.items():
            options |= more
            cost = cost_of(options, positions, depth)
            rows.append(
                [
                    f"{depth}: {'+ ' if more else ''}{name}",
                    f"{cost.nodes:,.0f}",
                    f"{cost.evaluations:,.0f}",
                    f"{cost.seconds:.4f}",
                    f"{cost.slowest:.3f}",
                ]
            )
    return table(["depth, engine", "positions", "evaluations", "s a move", "slowest"], rows)


def part_of_matches(size: Size) -> str:
    """Scores with their intervals."""
    clock = f"time={size.seconds}"
    limit = f"{size.seconds} s a move"
    native = "ours, native (`negamax`)"
    blind = "the same, with the article's evaluation"
    forth = "ours, in Forth (`engine=strong`)"
    article = "the article's"
    contests: list[tuple[str, str, str, str, str, str | Path]] = [
        (native, article, limit, f"negamax:{clock}", f"script:{clock}", "splut-duel"),
        (blind, article, limit, f"negamax:{clock}", f"script:{clock}", COUNTED),
        (forth, article, limit, f"script:{clock}", f"script:{clock}", STRONG),
        (native, "random", "3 deep", "negamax:depth=3", "random", "splut-duel"),
        (forth, "random", "3 deep", "script:depth=3", "random", STRONG),
        (article, "random", "3 deep", "script:depth=3", "random", "splut-duel"),
    ]
    rows = []
    for ours, theirs, how, one, other, script in contests:
        score = match(one, other, size.games, script)
        print(f"{ours} : {theirs}: {score}", file=sys.stderr, flush=True)
        points = score.wins + score.draws / 2
        interval = score.interval
        rows.append(
            [
                f"{ours} : {theirs}",
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
    """What it ran on, for people who compare."""
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

## What the article counted

The article on Splut! and Axiom counts by hand how often its engine evaluates below each move at
the root, in the duel of South and North. Here its search, as
`scripts/splut/custom-engine.4th` has it, plays {plies} against itself,
and `forthvm think --evaluations` counts. Minimum, mean and maximum are over the root moves of a
search, then averaged over the searches; a *violation* is a root move that cost more than the one
before it.

{article}

The article tells of about 8,000 evaluations for a move at depth 5, of more than 16 violations in
some searches, and of about a minute until all opponents had moved. Its engine orders
nothing and remembers nothing.

![depth {depths[0]}](results-depth-{depths[0]}.svg)
![depth {depths[1]}](results-depth-{depths[1]}.svg)

## With ordering and a table

The same positions, searched by our own engine (`negamax`), its features switched on one after
another; means over the searches. It evaluates by the same word and looks just as far: the
cleaner's move costs the article's engine a level of its depth and ours nothing, so where it comes
up ours is told a level less. Its counts include the shallower looks that it begins with.

{features}

## Matches

Duels of `splut-duel`, each engine South in half of them, every game with its own seed. Moves
without a choice are made without asking. Intervals are as in
docs/explanation/statistics.md. `OnEvaluate` of the bundled script sees threats, as the strong
engine does; with the article's evaluation in its place the native search has nothing but search
ahead of the article's engine.

{matches}

The article's program won 87 of 100 against random moves, where the same interval goes from 79.0
to 92.2 %.
"""


def write_report(target: Path, size: Size) -> None:
    """Measures all and writes the report, with a picture for each depth beside it."""
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
        small="" if size.full else ", which measures little (`--full` is the whole),",
        machine=machine(),
        version=forthvm.__version__,
        plies="a game" if size.full else f"{size.plies} plies",
        article=part_of_the_article(games),
        depths=DEPTHS,
        features=part_of_features(games),
        matches=part_of_matches(size),
    )
    target.write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Writes the report; see the module's docstring."""
    parser = argparse.ArgumentParser(description="measures searches of the duel of Splut!")
    parser.add_argument("--full", action="store_true", help="a whole game, 200 games a match")
    parser.add_argument("--plies", type=int, metavar="N", help="of the game that is measured")
    parser.add_argument("--games", type=int, metavar="N", help="of each match")
    parser.add_argument("--time", type=float, metavar="S", help="seconds a move in matches")
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
