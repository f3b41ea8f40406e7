"""Trains networks, plays matches of negamax with and without them, and writes build/networks.md.

Owns the matches and the report.  forthvm.learn.network trains, forthvm.autoplay plays.  Networks
are kept in build/networks, and are not trained again if they are there.

    python -m benchmarks.networks breakthrough chess           # 30 minutes of training each
    python -m benchmarks.networks my.zrf --minutes 10 --games 100
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import forthvm
from benchmarks.article_matches import HEADS, duration, play, played_row
from benchmarks.results import BUILD, machine, table
from forthvm.autoplay import Adjudication, Configuration, Entrant, Settings, TimeControl
from forthvm.engines.network import GameNetwork
from forthvm.learn.network import TrainingSettings, train

FOLDER = BUILD / "networks"
MAX_PLIES = 400
"""Longer games are drawn."""

INTRODUCTION = """\
# Networks against the evaluations of scripts

Written by `python -m benchmarks.networks`. Negamax with a network that `forthvm train` has learned
plays against negamax with `net=none`. Won, drawn and lost are games of the network; in games for
many, all other players have no network. Intervals are 95 %.
"""


def trained(name: str, minutes: float, threads: int) -> Path:
    """Return the file of a game's network, which is trained if it is missing."""
    path = FOLDER / f"{Path(name).stem}.net"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        settings = TrainingSettings(seconds=60 * minutes, threads=threads)
        train(forthvm.load(name), settings).write(path)
    return path


def match_settings(name: str, network: Path, games: int, seconds: float) -> Settings:
    """Return the settings of a match: an entrant with the network, one or more without."""
    game = forthvm.load(name)
    others = len(game.contestants or game.players) - 1
    specs = [f"negamax:net={network}", *["negamax:net=none"] * others]
    return Settings(
        configurations=(Configuration(name=game.name, game=name),),
        entrants=tuple(
            Entrant(name=f"{at} {'network' if at == 0 else 'none'}", spec=spec)
            for at, spec in enumerate(specs)
        ),
        games=games,
        time=TimeControl(move=seconds),
        opening_plies=4,
        adjudication=Adjudication(max_plies=MAX_PLIES),
    )


def row(name: str, options: argparse.Namespace) -> list[str]:
    """Train a network if it is missing, play its match, and return the row of the table."""
    path = trained(name, options.minutes, options.threads)
    found, took = play(match_settings(name, path, options.games, options.time), options.jobs)
    learned = GameNetwork.read(path).learned
    time = duration(float(str(learned["seconds"])))
    return played_row(f"{Path(name).stem}: {learned['games']} games in {time}", found, took)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description="measures what networks are worth")
    parser.add_argument("game", nargs="+", help="a bundled game, a script or a rule file")
    parser.add_argument("--minutes", type=float, metavar="N", default=30, help="of training (30)")
    parser.add_argument("--threads", type=int, metavar="N", default=2, help="of training (2)")
    parser.add_argument("--games", type=int, metavar="N", default=400, help="per match (400)")
    parser.add_argument("--time", type=float, metavar="S", default=0.1, help="for a move (0.1)")
    parser.add_argument("--jobs", type=int, metavar="N", default=1, help="games in parallel (1)")
    parser.add_argument("--output", type=Path, default=BUILD / "networks.md", metavar="FILE")
    options = parser.parse_args(arguments)
    rows = []
    for name in options.game:
        rows.append(row(name, options))
        print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
    played = f"{options.time:g} s a move, {options.jobs} at a time, on {machine()}."
    options.output.parent.mkdir(parents=True, exist_ok=True)
    text = f"{INTRODUCTION}\n{table(HEADS, rows)}\n\n{played}\n"
    options.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
