"""`forthvm profile`: the time of a script per word and per source line.

Owns the choice of what is run and of how it is shown.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli import option_values, shared_options
from forthvm.cli.status import UsageError
from forthvm.core.output import redirected

if TYPE_CHECKING:
    from forthvm.debug.profile.measure import Profile
    from forthvm.game import Position

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Counts what runs in a game's script, per word and per source line.  Without an option that says
what to run it plays 20 random games.

Everything is run twice.  Counts of calls and tokens come from a run in which every token is
counted; they are exact.  Seconds come from a run that nothing watches, since watching makes all
tokens equally slow; they are shared out by tokens.  So the figures repeat, and forthvm is as
fast as ever while it does not profile.  But a word of the kernel that works long counts as one
token, constants and arrays count more than they cost, and what the core does between words,
scanning the board for example, is spread over all words.  Totals (a word with all it
calls) are from samples of the chains of calls, one in 53 tokens or fewer."""
EPILOG = """\
examples:
  forthvm profile tictactoe --perft 4
  forthvm profile reversi --playouts 5 --annotate
  forthvm profile chess --search negamax:depth=2 --speedscope chess.json
  forthvm profile thud --word OnEvaluate --times 100
"""

_PLAYOUTS = 20
_MOST = 1_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    shared_options.add_game_options(parser)
    work = parser.add_argument_group("what is run (one of them)")
    work.add_argument(
        "--playouts",
        type=option_values.whole(1, _MOST),
        metavar="N",
        help="N random games from there",
    )
    work.add_argument(
        "--perft", type=option_values.whole(1, 16), metavar="N", help="all moves, N deep"
    )
    work.add_argument(
        "--search",
        metavar="SPEC",
        help="an engine looks for a move; limit it by depth or nodes, not by time",
    )
    work.add_argument(
        "--word", metavar="W", help="the word W, with the position and its moves in place"
    )
    work.add_argument("--generate", action="store_true", help="the moves of the position")
    parser.add_argument(
        "--times", type=option_values.whole(1, _MOST), default=1, metavar="N", help="do it N times"
    )
    shown = parser.add_argument_group("what is shown")
    shown.add_argument(
        "--top",
        type=option_values.whole(1),
        default=30,
        metavar="N",
        help="words in the table (30)",
    )
    shown.add_argument(
        "--annotate", action="store_true", help="the script's sources, each line with its cost"
    )
    shown.add_argument(
        "--library", action="store_true", help="with --annotate, the library's sources too"
    )
    shown.add_argument(
        "--speedscope", type=Path, metavar="FILE", help="write a file for speedscope.app"
    )
    shown.add_argument(
        "--folded", type=Path, metavar="FILE", help="write folded stacks, for flame graphs"
    )
    shown.add_argument("--json", action="store_true", help="print words and lines as JSON")
    shared_options.add_position_options(parser)


def run(args: argparse.Namespace) -> int:
    """Profiles and prints."""
    from forthvm.debug.profile.measure import profile

    game = shared_options.load_game(args)
    position = shared_options.make_position(game, args)
    title, work = _work(args, position)
    title = f"{game.name}, {title}" + (f", {args.times} times" if args.times > 1 else "")

    def repeated(here: Position) -> None:
        for _ in range(args.times):
            work(here)

    with redirected(game.vm):
        found = profile(position, repeated, title)
    _write(args, found)
    if args.json:
        shared_options.print_json(found.to_json())
    elif args.annotate:
        _annotate(found, position, library=args.library)
    else:
        _table(found, args.top)
    return 0


def _work(args: argparse.Namespace, position: Position) -> tuple[str, Callable[[Position], object]]:
    """What to run, and what to call it.

    Raises:
        UsageError: it cannot be run.
        ForthVMError: there is no such engine or word.
    """
    names = ("playouts", "perft", "search", "word", "generate")
    given = [f"--{name}" for name in names if getattr(args, name)]
    if len(given) > 1:
        raise UsageError(f"{given[0]} is not allowed with {given[1]}: one is run at a time")
    if args.search is not None:
        return _search(args.search)
    if args.perft is not None:
        from forthvm.game.perft import perft

        return f"perft {args.perft}", lambda here: perft(here, args.perft)
    if args.word is not None:
        word, vm = position.game.vm.token(args.word), position.game.vm

        def call(here: Position) -> None:
            with here.enter():
                vm.call(word)

        return args.word, call
    if args.generate:
        return "generation of moves", _generate
    count = args.playouts or _PLAYOUTS
    return f"{count} playout{'s' if count > 1 else ''}", lambda here: _playouts(here, count)


def _search(spec: str) -> tuple[str, Callable[[Position], object]]:
    from forthvm.engines import get

    if any(option.startswith("time=") for option in spec.partition(":")[2].split(",")):
        raise UsageError(
            "--search: an engine that is limited by time does less while it is watched; "
            "limit it by depth= or nodes="
        )
    get(spec)  # report wrong options before the first run
    return f"search {spec}", lambda here: get(spec).play(here)


def _generate(here: Position) -> None:
    with here.enter() as native:
        native.game_generate()


def _playouts(here: Position, count: int) -> None:
    from forthvm.core.records import TreeOptions

    with here.enter() as native:
        native.playouts(TreeOptions(iterations=count, chance=here.game.chance_bits, seed=1))


def _table(found: Profile, top: int) -> None:
    from forthvm.cli.terminal import columns
    from forthvm.debug.profile.text import table

    for line in table(found, most=top, width=columns()):
        print(line)


def _annotate(found: Profile, position: Position, *, library: bool) -> None:
    from forthvm.debug.profile.text import annotated, head

    print(head(found))
    ran = {line.file for line in found.lines if library or not line.library}
    for text in position.game.vm.sources.texts:
        if text.name in ran:
            print()
            for line in annotated(found, text.name, text.decode(text.data)):
                print(line)


def _write(args: argparse.Namespace, found: Profile) -> None:
    from forthvm.debug.profile import flame_graph as profile_flame

    for path, form in (
        (args.speedscope, profile_flame.speedscope),
        (args.folded, profile_flame.folded),
    ):
        if path is None:
            continue
        try:
            path.write_text(form(found), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from error
