"""`forthvm train`: learns an evaluation of positions by self-play.

Owns the options and the progress; forthvm/learn/network trains.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.loading import load_game
from forthvm.cli.options import GAME_OR_POSITION, LOADING, Option, integer, number
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.cli.terminal import StatusLine
from forthvm.core.bindings import NETWORK_HIDDEN
from forthvm.core.loading.library import games_folder
from forthvm.core.text.wording import counted, joined
from forthvm.engines.network import network_file
from forthvm.system.command_line import quoted

if TYPE_CHECKING:
    from forthvm.engines.network import GameNetwork
    from forthvm.game import Game
    from forthvm.learn.network import Progress, TrainingSettings
    from forthvm.learn.network.strength import StrengthPoint

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Learns an evaluation of positions: the game is played against itself by searches, and a small neural
network learns which positions win.  The engines negamax, maxn, brs and mcts use the file with the
option `net`, or without it if the file lies beside the game: NAME.net beside NAME.4th or NAME.zrf.
--write-forth writes what was learned as the OnEvaluate of a script, for games of two players.

Ctrl-C ends the training and keeps what was learned."""
EPILOG = """\
examples:
  forthvm train mygame.4th
  forthvm train breakthrough --minutes 10 -o breakthrough.net
  forthvm train mygame.4th --resume mygame.net
  forthvm train mygame.4th --report learned.html
  forthvm train mygame.4th --write-forth learned.4th
  forthvm run breakthrough --engine negamax:net=breakthrough.net
"""
_OPENINGS, _NODES, _SECONDS = 20, 1000, 30
"""The sizes of matches that show whether training helps."""
_MATCH_SECONDS = 300.0
"""The time between two matches."""
_MOST_MINUTES = 60 * 24 * 30
_HIDDEN = 32
"""The number of hidden units of a network that is not written in ForthScript."""

OPTIONS = (
    GAME_OR_POSITION,
    Option("--minutes N", number(0.01, _MOST_MINUTES),
        help="the time to train (default 30, unless --games is given)"),
    Option("--games N", integer(1),
        help="end after N games; without --minutes the result depends only on the seed"),
    Option("--threads N", integer(1, 256), 2, help="games to play at the same time (default 2)"),
    Option("-o, --out FILE", Path,
        help="the file to write (default: beside the game, where engines find it; for a bundled "
        "game in this folder)"),
    Option("--resume FILE", Path, help="begin with what a file has learned"),
    Option("--hidden N", integer(0, NETWORK_HIDDEN),
        help="hidden units of the network (default 32, with --write-forth 0); 0: a sum of values "
        "of pieces and places"),
    Option("--nodes N", integer(1), 100,
        help="positions to search for each move of self-play (default 100)"),
    Option("--write-forth FILE", Path,
        help="write an OnEvaluate in ForthScript to FILE: tables of values of pieces by place; a "
        "network is then written only with -o"),
    Option("--report FILE", Path,
        help="write a page with what was learned to FILE: values of pieces, heat maps of their "
        "places, and the strength over time"),
    *LOADING,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Trains and writes the file."""
    from forthvm.learn.network import train

    if args.game is None:
        raise UsageError("GAME is missing (`forthvm games` lists the games)")
    game = load_game(args)
    files = _Files.of(args, game)
    start = _start(args)
    _check_script(args, game, start)
    settings = _settings(args, files)
    matches = _Matches(game, start)
    last: list[Progress] = []
    line = StatusLine()
    next_match = _MATCH_SECONDS
    status, is_interrupted = OK, False

    def report(progress: Progress) -> None:
        nonlocal next_match
        line(_progress_text(progress))
        if progress.positions == 0:
            return
        last[:] = [progress]
        if progress.seconds > next_match and progress.share < 1:
            next_match = progress.seconds + _MATCH_SECONDS
            text = matches.play(progress)
            files.write(game, matches.with_points(progress.network))
            line.clear()
            print(f"{_progress_text(progress)}; {text}", flush=True)

    try:
        train(game, settings, start=start, report=report)
    except KeyboardInterrupt:
        line.clear()
        print("ended by Ctrl-C", file=sys.stderr)
        is_interrupted = True
    except ValueError as error:
        line.clear()
        print(f"forthvm train: {error}", file=sys.stderr)
        status = FAILED
    finally:  # also after an error of the script
        line.clear()
        if last:
            names = files.write(game, matches.with_points(last[0].network))
            print(f"{names}: {_counts(last[0])}")
    if not last:
        print("nothing was learned", file=sys.stderr)
        return FAILED
    if is_interrupted:  # a match would take another half minute
        return status
    _play_last_match(game, files, matches, last[0])
    return status


def _play_last_match(game: Game, files: _Files, matches: _Matches, progress: Progress) -> None:
    print(matches.play(progress))
    files.write(game, matches.with_points(progress.network))
    if matches.is_worse and files.network is not None:
        name = quoted(str(files.network))
        print(f"more training may help: --resume {name}; to play without the network: net=none")


def _settings(args: argparse.Namespace, files: _Files) -> TrainingSettings:
    """Returns how the network is learned."""
    from forthvm.learn.network import SelfPlaySettings, TrainingSettings

    minutes = args.minutes if args.minutes or args.games else 30.0
    return TrainingSettings(
        seconds=60 * minutes if minutes else None,
        games=args.games,
        threads=args.threads,
        hidden=_hidden(args),
        patterns=files.script is None,
        seed=(1 if args.seed is None else args.seed) % 2**32,
        selfplay=SelfPlaySettings(nodes=args.nodes),
    )


def _start(args: argparse.Namespace) -> GameNetwork | None:
    """Returns the network of --resume."""
    from forthvm.engines.network import GameNetwork, NetworkFileError

    if args.resume is None:
        return None
    try:
        start = GameNetwork.read(args.resume)
    except (OSError, NetworkFileError) as error:
        raise UsageError(f"--resume: {error}") from None
    hidden = start.network.weights.hidden
    if args.hidden not in {None, hidden}:
        raise UsageError(
            f"{args.resume} has {hidden} hidden units: --hidden {args.hidden} needs a new network"
        )
    return start


class _Matches:
    """Matches against the engine as it was before the training."""

    def __init__(self, game: Game, start: GameNetwork | None) -> None:
        self._game = game
        self._start = start
        self._points: list[StrengthPoint] = []
        self.is_worse = False  # in the last match

    def play(self, progress: Progress) -> str:
        """Play a match, and return how the engine with the network scores."""
        from forthvm.engines import get
        from forthvm.learn.network import compare
        from forthvm.learn.network.strength import with_strength

        engine = get("negamax", net=progress.network)
        opponent = get("negamax", net=self._start or "none")
        strength = compare(
            self._game, engine, opponent, openings=_OPENINGS, nodes=_NODES, seconds=_SECONDS
        )
        self._points = with_strength(self._points, progress.seconds, strength)
        self.is_worse = strength.score < strength.equal
        before = "the network before" if self._start else "no network"
        return f"negamax against negamax with {before}: {strength}"

    def with_points(self, network: GameNetwork) -> GameNetwork:
        """Return the network with the scores of the matches."""
        points = [list(point) for point in self._points]
        return replace(network, learned={**network.learned, "strength": points})


@dataclass(frozen=True)
class _Files:
    """The files that the training writes; None: not written."""

    network: Path | None
    script: Path | None
    page: Path | None

    @classmethod
    def of(cls, args: argparse.Namespace, game: Game) -> _Files:
        """Return the files, after a check that they can be written."""
        network: Path | None = args.out
        if args.out is None and args.write_forth is None:
            network = network_file(game)
            if game.path.is_relative_to(games_folder()):
                network = Path(network.name)  # the bundled games may belong to the system
        given = {"-o": network, "--write-forth": args.write_forth, "--report": args.report}
        paths = {option: path for option, path in given.items() if path is not None}
        if len({path.absolute() for path in paths.values()}) < len(paths):
            raise UsageError(f"{joined(list(paths))} must name different files")
        for option, path in paths.items():
            _check_file(option, path, resumes=args.resume is not None)
        return cls(network, args.write_forth, args.report)

    def write(self, game: Game, network: GameNetwork) -> str:
        """Write the files; return their names."""
        from forthvm.learn.network.forth import evaluation_script
        from forthvm.web.report.network_page import network_page

        if self.network is not None:
            network.write(self.network)
        if self.script is not None:
            self.script.write_text(evaluation_script(game, network), encoding="utf-8")
        if self.page is not None:
            self.page.write_text(network_page(game, network), encoding="utf-8")
        written = (self.network, self.script, self.page)
        return joined([str(path) for path in written if path is not None])


def _check_file(option: str, path: Path, *, resumes: bool) -> None:
    """Check that a file can be written, and that none is lost."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder: {option} FILE names a file")
    if option == "-o" and path.exists() and not resumes:
        raise UsageError(f"{path} exists: --resume {path} continues, -o FILE writes another file")
    if option == "--write-forth" and path.exists():
        raise UsageError(f"{path} exists: --write-forth FILE writes another file")
    if option == "--report" and path.suffix not in {".html", ".htm"}:
        raise UsageError(f"{path}: --report FILE names a page, which ends in .html")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"cannot write {path}: {option} FILE writes another file")


def _check_script(args: argparse.Namespace, game: Game, start: GameNetwork | None) -> None:
    """Check that what will be learned can be written in ForthScript, if it is to be."""
    from forthvm.learn.network.forth import refuse_script

    if args.write_forth is None:
        return
    if args.hidden:
        raise UsageError(f"--write-forth needs --hidden 0, not --hidden {args.hidden}")
    try:
        refuse_script(game, start)
    except ValueError as error:
        raise UsageError(f"--write-forth: {error}") from None


def _hidden(args: argparse.Namespace) -> int:
    if args.hidden is not None:
        return int(args.hidden)
    return _HIDDEN if args.write_forth is None else 0


def _progress_text(progress: Progress) -> str:
    """Returns the line that shows the progress."""
    return f"{progress.share:4.0%}  {_counts(progress)}, loss {progress.loss:.4f}"


def _counts(progress: Progress) -> str:
    return f"{counted(progress.games, 'game')}, {counted(progress.positions, 'position')}"
