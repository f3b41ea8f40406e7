"""`forthvm profile`: measures a script per word and per source line.

Owns choosing the code to run and the form of the output.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.files import file_errors
from forthvm.cli.loading import load_position
from forthvm.cli.options import GAME_OR_POSITION, LOADING, POSITION, Option, integer
from forthvm.cli.status import UsageError
from forthvm.cli.terminal import print_json
from forthvm.core.output import redirected

if TYPE_CHECKING:
    from forthvm.debug.profile.measure import Profile
    from forthvm.game import Position

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Counts calls and tokens and estimates the time of a game's script, per word and per source line.  By
default it plays 20 random games.

The code runs twice.  The first run counts every call and every token; these counts are exact and
repeatable.  The second run measures the total time without counting, and this time is divided in
proportion to tokens.  The division is an estimate: a token of the kernel counts as one, however
long it takes; constants and arrays get more time than they use; and time between words, for example
for scanning the board, is spread over all words.  Totals, which include called words, are estimated
from samples of the call chain, at most one in 53 tokens."""
EPILOG = """\
examples:
  forthvm profile tictactoe --perft 4
  forthvm profile reversi --playouts 5 --annotate
  forthvm profile chess --search negamax:depth=2 --speedscope chess.json
  forthvm profile thud --word OnEvaluate --times 100
"""

_DEFAULT_PLAYOUTS = 20
_MAX_COUNT = 1_000_000

OPTIONS = (
    GAME_OR_POSITION,
    Option("--times N", integer(1, _MAX_COUNT), 1, help="run the code N times"),
    *LOADING,
    "the code to run (at most one option)",
    Option("--playouts N", integer(1, _MAX_COUNT), help="N random games from the position"),
    Option("--perft N", integer(1, 16), help="perft to depth N"),
    Option("--search SPEC", help="a search by an engine; limit it by depth or nodes, not by time"),
    Option("--word WORD", help="a word, called after the position's moves are generated"),
    Option("--generate", help="the generation of the position's moves"),
    "the output",
    Option("--top N", integer(1), 30, help="show N words in the table (default 30)"),
    Option("--annotate",
        help="show the script's source with costs per line; 0: the line has code that never ran"),
    Option("--library", help="with --annotate: also show the library's source"),
    Option("--speedscope FILE", Path, help="write a profile for speedscope.app"),
    Option("--folded FILE", Path, help="write folded stacks for flame graphs"),
    Option("--json", help="print words and lines as JSON"),
    *POSITION,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Profiles the code and prints the result."""
    from forthvm.debug.profile.measure import profile

    position = load_position(args)
    title, work = _work(args, position)
    title = f"{position.game.name}, {title}" + (f", {args.times} times" if args.times > 1 else "")

    def run_repeatedly(root: Position) -> None:
        for _ in range(args.times):
            work(root)

    with redirected(position._loaded.vm):
        measured = profile(position, run_repeatedly, title)
    _write(args, measured)
    if args.json:
        print_json(measured.to_json())
    elif args.annotate:
        _annotate(measured, position, library=args.library)
    else:
        _table(measured, args.top)
    return 0


def _work(args: argparse.Namespace, position: Position) -> tuple[str, Callable[[Position], object]]:
    """Returns a title and the function to profile.

    Raises:
        UsageError: several options are given, or the engine is limited by time.
        ForthVMError: there is no such engine or word.
    """
    names = ("playouts", "perft", "search", "word", "generate")
    options = [f"--{name}" for name in names if getattr(args, name)]
    if len(options) > 1:
        raise UsageError(f"{options[0]} is not allowed with {options[1]}")
    if args.search is not None:
        return _search(args.search)
    if args.perft is not None:
        from forthvm.game.perft import perft

        return f"perft {args.perft}", lambda root: perft(root, args.perft)
    if args.word is not None:
        word, vm = position._loaded.vm.token(args.word), position._loaded.vm

        def call(root: Position) -> None:
            with root._in_memory():
                vm.call(word)

        return args.word, call
    if args.generate:
        return "generation of moves", _generate
    count = args.playouts or _DEFAULT_PLAYOUTS
    return f"{count} playout{'s' if count > 1 else ''}", lambda root: _playouts(root, count)


def _search(spec: str) -> tuple[str, Callable[[Position], object]]:
    from forthvm.engines import get

    if any(option.startswith("time=") for option in spec.partition(":")[2].split(",")):
        raise UsageError(
            "--search: an engine that is limited by time searches less while it is profiled; "
            "limit it by depth= or nodes="
        )
    get(spec)  # raises on invalid options before the first run
    return f"search {spec}", lambda root: get(spec).play(root)


def _generate(root: Position) -> None:
    with root._in_memory() as native:
        native.game_generate()


def _playouts(root: Position, count: int) -> None:
    from forthvm.core.records import TreeOptions

    with root._in_memory() as native:
        native.playouts(TreeOptions(iterations=count, chance=root.game._loaded.chance_bits, seed=1))


def _table(measured: Profile, top: int) -> None:
    from forthvm.cli.terminal import columns
    from forthvm.debug.profile.text import table

    for line in table(measured, max_words=top, width=columns()):
        print(line)


def _annotate(measured: Profile, position: Position, *, library: bool) -> None:
    from forthvm.debug.profile.text import annotated, title_line
    from forthvm.debug.source_map.code_map import CodeMap

    print(title_line(measured))
    executed_files = {line.file for line in measured.lines if library or not line.library}
    code = CodeMap(position._loaded.vm)
    for file in sorted(code.files(), key=lambda file: file.base):
        if file.name in executed_files:
            print()
            for line in annotated(measured, file.name, file.content, code.lines_with_code(file)):
                print(line)


def _write(args: argparse.Namespace, measured: Profile) -> None:
    from forthvm.debug.profile import flame_graph

    for path, format_profile in (
        (args.speedscope, flame_graph.speedscope),
        (args.folded, flame_graph.folded),
    ):
        if path is not None:
            with file_errors("write", path):
                path.write_text(format_profile(measured), encoding="utf-8")
