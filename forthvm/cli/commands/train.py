"""`forthvm train`: learns an evaluation of positions by self-play.

Owns the options and the progress; forthvm/learn/network trains.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli import option_values, shared_options
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.cli.terminal import StatusLine
from forthvm.core.bindings import NETWORK_HIDDEN
from forthvm.core.loading.library import games_folder
from forthvm.core.text.wording import counted
from forthvm.engines.network import network_file

if TYPE_CHECKING:
    from forthvm.engines.network import GameNetwork
    from forthvm.game import Game
    from forthvm.learn.network import Progress

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Learns an evaluation of positions: the game is played against itself by searches, and a small neural
network learns which positions win.  The engines negamax, maxn, brs and mcts use the file with the
option `net`, or without it if the file lies beside the game: NAME.net beside NAME.4th or NAME.zrf.

Ctrl-C ends the training and keeps what was learned."""
EPILOG = """\
examples:
  forthvm train mygame.4th
  forthvm train breakthrough --minutes 10 -o breakthrough.net
  forthvm train mygame.4th --resume mygame.net
  forthvm run breakthrough --engine negamax:net=breakthrough.net
"""
_OPENINGS, _NODES, _SECONDS = 20, 1000, 30
"""The sizes of matches that show whether training helps."""
_MATCH_SECONDS = 300.0
"""The time between two matches."""
_MOST_MINUTES = 60 * 24 * 30


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    shared_options.add_game_options(parser)
    parser.add_argument(
        "--minutes",
        type=option_values.number(0.01, _MOST_MINUTES),
        metavar="N",
        help="the time to train (default 30, unless --games is given)",
    )
    parser.add_argument(
        "--games",
        type=option_values.integer(1),
        metavar="N",
        help="end after N games; without --minutes the result depends only on the seed",
    )
    parser.add_argument(
        "--threads",
        type=option_values.integer(1, 256),
        default=2,
        metavar="N",
        help="games to play at the same time (default 2)",
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help="the file to write (default: beside the game, where engines find it; "
        "for a bundled game in this folder)",
    )
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="begin with what a file has learned"
    )
    parser.add_argument(
        "--hidden",
        type=option_values.integer(0, NETWORK_HIDDEN),
        default=32,
        metavar="N",
        help="hidden units of the network (default 32); 0: a sum of values of pieces and places",
    )
    parser.add_argument(
        "--nodes",
        type=option_values.integer(1),
        default=100,
        metavar="N",
        help="positions to search for each move of self-play (default 100)",
    )


def run(args: argparse.Namespace) -> int:
    """Trains and writes the file."""
    from forthvm.engines.network import GameNetwork, NetworkFileError
    from forthvm.learn.network import SelfPlaySettings, TrainingSettings, train

    if args.game is None:
        raise UsageError("GAME is missing (`forthvm games` lists the games)")
    game = shared_options.load_game(args)
    out = _out(args, game)
    try:
        start = None if args.resume is None else GameNetwork.read(args.resume)
    except (OSError, NetworkFileError) as error:
        raise UsageError(f"--resume: {error}") from None
    minutes = args.minutes if args.minutes or args.games else 30.0
    settings = TrainingSettings(
        seconds=60 * minutes if minutes else None,
        games=args.games,
        threads=args.threads,
        hidden=args.hidden,
        seed=(1 if args.seed is None else args.seed) % 2**32,
        selfplay=SelfPlaySettings(nodes=args.nodes),
    )
    last: list[Progress] = []
    line = StatusLine()
    next_match = _MATCH_SECONDS
    status = OK

    def report(progress: Progress) -> None:
        nonlocal next_match
        last[:] = [progress]
        line(_progress_text(progress))
        if progress.seconds > next_match and progress.share < 1:
            next_match = progress.seconds + _MATCH_SECONDS
            progress.network.write(out)
            text = _strength_text(game, progress.network, start)
            line.clear()
            print(f"{_progress_text(progress)}; {text}", flush=True)

    try:
        train(game, settings, start=start, report=report)
    except KeyboardInterrupt:
        line.clear()
        print("ended by Ctrl-C", file=sys.stderr)
    except ValueError as error:
        line.clear()
        print(f"forthvm train: {error}", file=sys.stderr)
        status = FAILED
    finally:  # also after an error of the script
        line.clear()
        if last:
            last[0].network.write(out)
            print(f"{out}: {_counts(last[0])}")
    if not last:
        return FAILED
    print(_strength_text(game, last[0].network, start))
    return status


def _out(args: argparse.Namespace, game: Game) -> Path:
    """Returns the file to write, after a check that it can be written."""
    out: Path = args.out or network_file(game)
    if args.out is None and game.path.is_relative_to(games_folder()):
        out = Path(out.name)  # the bundled games may belong to the system
    if out.exists() and args.resume is None:
        raise UsageError(f"{out} exists: --resume {out} continues, -o FILE writes another file")
    if not os.access(out.parent, os.W_OK):
        raise UsageError(f"cannot write in {out.parent}: -o FILE writes another file")
    return out


def _strength_text(game: Game, network: GameNetwork, start: GameNetwork | None) -> str:
    """Returns how the engine with the network scores against the one before the training."""
    from forthvm.engines import get
    from forthvm.learn.network import compare

    engine, opponent = get("negamax", net=network), get("negamax", net=start or "none")
    strength = compare(game, engine, opponent, openings=_OPENINGS, nodes=_NODES, seconds=_SECONDS)
    before = "the network before" if start else "no network"
    return f"negamax against negamax with {before}: {strength}"


def _progress_text(progress: Progress) -> str:
    """Returns the line that shows the progress."""
    return f"{progress.share:4.0%}  {_counts(progress)}, loss {progress.loss:.4f}"


def _counts(progress: Progress) -> str:
    return f"{counted(progress.games, 'game')}, {counted(progress.positions, 'position')}"
