"""`forthvm think`: shows an engine's analysis of a position, or counts its evaluations.

Owns the options and the output; the engines package does the analysis and the counting.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.files import output_file
from forthvm.cli.loading import load_position
from forthvm.cli.options import (
    ENGINES,
    GAME_OR_POSITION,
    LOADING,
    POSITION,
    Option,
    integer,
    seconds,
)
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.cli.terminal import print_json
from forthvm.core.text.visible import visible, visible_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.engines import Engine, Info, Limits, SearchResult
    from forthvm.engines.statistics import MoveStatistics
    from forthvm.game import Position

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Lets an engine analyse a position and prints a line for each result: depth, score for the player to
move (`win in 7`: within 7 plies), positions searched, and expected moves.  Scores are those of the
script's OnEvaluate; the engine axiom multiplies them by 64, as the original did.  Ctrl-C stops the
search and prints the best move.

With --evaluations, counts the evaluations for each root move instead.  An engine in Forth reports
its counts with CurrentMove! and Nodes!, or in a variable (--counter); for other engines the subtree
of each root move is searched separately.  A violation is a root move that cost more evaluations
than the root move before it.  With --plies, the engine also plays on, and the evaluations for each
move of the game are counted."""
EPILOG = """\
examples:
  forthvm think breakthrough --depth 6
  forthvm think breakthrough --engine negamax:time=5 --lines 3 --moves "a2a3; b7b6"
  forthvm think splut-duel --engine script --depth 3 --evaluations
  forthvm think splut-duel --engine script --depth 3 --evaluations --plies 60 --plot cost.svg
"""

OPTIONS = (
    GAME_OR_POSITION,
    Option("--json", help="print the analysis as JSON"),
    *LOADING,
    "the engine",
    ENGINES,
    Option("--time SECONDS", seconds, help="time for each move"),
    Option("--depth N", integer(1), help="plies to search"),
    Option("--nodes N", integer(1), help="positions to search"),
    Option("--lines N", integer(1, 256), help="analyse the N best moves"),
    *POSITION,
    "statistics",
    Option("--evaluations", help="count the evaluations for each root move"),
    Option("--plies N", integer(0), needs=["--evaluations"],
        help="with --evaluations: play on for N plies (0: to the end of the game)"),
    Option("--counter NAME", needs=["--evaluations"],
        help="the variable in which the script's engine counts"),
    Option("--counter-resets", needs=["--evaluations", "--counter"],
        help="the engine sets the counter to 0 for each root move"),
    Option("--csv FILE", Path, needs=["--evaluations"],
        help="write a line for each move of the game to FILE (-: standard output)"),
    Option("--jsonl FILE", Path, needs=["--evaluations"],
        help="write a JSON document for each move of the game to FILE (-: standard output)"),
    Option("--plot FILE", Path, needs=["--evaluations"],
        help="write a plot of minimum, mean and maximum counts and violations, as SVG, to FILE "
        "(-: standard output)"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Analyses a position or counts evaluations."""
    from forthvm.engines import Limits

    _check_options(args)
    limits = Limits(time=args.time, depth=args.depth, nodes=args.nodes)
    position = load_position(args)
    if position.result is not None:
        print(f"the game is over: {position.result}", file=sys.stderr)
        return FAILED
    engines = _engines(position, args, limits)
    if args.evaluations:
        return _count(position, engines, None if limits.unlimited else limits, args)
    if position.is_stuck or position.turn not in engines:
        print(_nothing_to_choose(position), file=sys.stderr)
        return FAILED
    return _think(position, engines[position.turn], limits, args)


def _nothing_to_choose(position: Position) -> str:
    """Returns why no engine can be asked for a move."""
    text = f"{position.turn} has no move to choose"
    if position.is_stuck:
        return text
    example = visible(position.legal_moves[0].text)
    return f"{text}: it moves at random; make its move first, such as --moves '{example}'"


def _check_options(args: argparse.Namespace) -> None:
    if args.evaluations and (args.lines is not None or args.json):
        raise UsageError("--lines and --json are not allowed with --evaluations")
    if [args.csv, args.jsonl, args.plot].count(Path("-")) > 1:
        raise UsageError("only one of --csv, --jsonl and --plot can be -")


def _engines(position: Position, args: argparse.Namespace, limits: Limits) -> dict[str, Engine]:
    """Returns the engines by player, without chance players.

    Without --evaluations, the result has only the engine of the player to move.
    """
    from forthvm import engines
    from forthvm.cli.play.seats import Seats

    seats = Seats(position.game, args.engine, seed=args.seed, limits=limits)
    options = {} if args.lines is None else {"lines": args.lines}
    engines_by_player: dict[str, Engine] = {}
    for name in seats.names:
        if args.evaluations or name == position.turn:
            engines_by_player[name] = engines.get(seats[name].spec, **options)
    return engines_by_player


# --- one position -----------------------------------------------------------------------------


def _think(position: Position, engine: Engine, limits: Limits, args: argparse.Namespace) -> int:
    from forthvm.cli.position_text import search_summary
    from forthvm.engines import analyse

    rows = _Rows()
    if not args.json:
        print(_HEADING)
    with analyse(engine, position, None if limits.unlimited else limits) as analysis:
        try:
            for info in analysis:
                for row in rows.add(info):
                    if not args.json:
                        print(row.text(), flush=True)
        except KeyboardInterrupt:
            analysis.stop()
        result = analysis.result
    final_row = rows.final(result)
    if args.json:
        print_json(_document(position, result))
        return OK
    if final_row is not None:
        print(final_row.text())
    summary = search_summary(result)
    print(f"{position.turn}: {result.move}{f'  ({summary})' if summary else ''}")
    network = result.info.get("net")
    if network is not None:
        print(f"evaluated by {network}")
    warning = result.info.get("warning")
    if warning:
        print(f"warning: {warning}", file=sys.stderr)
    return OK


_HEADING = f"{'depth':>5} {'score':>14} {'nodes':>11} {'seconds':>8}  line"


@dataclasses.dataclass(frozen=True)
class _Row:
    """One printed line of an analysis; values that the engine does not report are None."""

    depth: int | None = None
    score: float | None = None
    nodes: int | None = None
    time: float | None = None
    moves: tuple[str, ...] = ()

    def text(self) -> str:
        """Returns the row as it is printed."""
        from forthvm.cli.position_text import decided_text, score_number

        depth, nodes = (
            "-" if value is None else f"{value:,}" for value in (self.depth, self.nodes)
        )
        score = "-"
        if self.score is not None:
            score = decided_text(self.score) or score_number(self.score)
        seconds = "-" if self.time is None else f"{self.time:.2f}"
        moves = "; ".join(self.moves)
        return f"{depth:>5} {score:>14} {nodes:>11} {seconds:>8}  {moves}"


class _Rows:
    """Makes rows from an engine's reports.

    The searches of forthvm report all values of a row together.  Other engines report single values
    in any order; these values are collected, and make a row when the engine begins another root
    move or reports its nodes.
    """

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._current = _Row()
        self._last_row = _Row()
        self._has_begun = False  # whether the engine has reported a root move
        self._reports_rows = False

    def add(self, info: Info) -> Iterator[_Row]:
        """Adds a report; yields the row that it completes, if any."""
        if info.line is not None:
            self._reports_rows = True
            yield _Row(info.depth, info.score, info.nodes, info.time, info.pv)
            return
        before = self._current
        self._update(info)
        if info.current is not None:
            if self._has_begun:
                yield from self._unless_repeated(before)
            elif not before.depth:
                self._last_row = before  # prevents a row of values from before the search
            self._has_begun = True
        elif info.nodes is not None and (self._has_begun or self._current.depth):
            yield from self._unless_repeated(self._current)

    def final(self, result: SearchResult) -> _Row | None:
        """Returns a row for the result; None if it would repeat the last row."""
        if self._reports_rows or not result.depth:
            return None
        moves = tuple(map(str, result.pv))
        row = _Row(result.depth, result.score, result.nodes, result.time, moves)
        return None if _same_result(row, self._last_row) else row

    def _update(self, info: Info) -> None:
        current = self._current
        self._current = _Row(
            current.depth if info.depth is None else info.depth,
            current.score if info.score is None else info.score,
            current.nodes if info.nodes is None else info.nodes,
            time.perf_counter() - self._start,
            current.moves if info.best is None else (info.best,),
        )

    def _unless_repeated(self, row: _Row) -> Iterator[_Row]:
        """Yields the row if it differs from the last row."""
        if row.moves and not _same_result(row, self._last_row):
            self._last_row = row
            yield row


def _same_result(row: _Row, other: _Row) -> bool:
    """Whether two rows are equal except for nodes and time."""
    return (row.depth, row.score, row.moves) == (other.depth, other.score, other.moves)


def _document(position: Position, result: SearchResult) -> dict[str, object]:
    reported = result.info.get("lines")
    lines = reported if isinstance(reported, list) else [(result.score, result.pv)]
    return {
        "game": position.game.name,
        "ply": position.ply,
        "turn": position.turn,
        "move": str(result.move),
        "score": result.score,
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": round(result.time, 6),
        "lines": [{"score": score, "moves": list(map(str, moves))} for score, moves in lines],
    }


# --- statistics ---------------------------------------------------------------------------------


def _count(
    position: Position, engines: dict[str, Engine], limits: Limits | None, args: argparse.Namespace
) -> int:
    from forthvm.engines.statistics import ScriptCounter, measure, measure_game

    counter = ScriptCounter(args.counter, args.counter_resets) if args.counter else None
    quiet = Path("-") in (args.csv, args.jsonl, args.plot)
    counted: list[MoveStatistics] = []
    if args.plies is None:
        if position.is_stuck or position.turn not in engines:
            print(_nothing_to_choose(position), file=sys.stderr)
            return FAILED
        counted.append(measure(engines[position.turn], position, limits, counter))
        if not quiet:
            _print_roots(counted[0])
    else:
        plies = args.plies or None
        game = measure_game(position, engines, limits, counter=counter, plies=plies)
        counted += _print_moves(game, quiet)
    _write(counted, position.game.name, args)
    return OK


def _print_roots(stats: MoveStatistics) -> None:
    for root in stats.root_moves:
        print(f"{root.count:11,}  {root.move}")
    print(
        f"{stats.player}: {stats.played}  (depth {stats.depth}, "
        f"{len(stats.root_moves)} root moves, total {stats.total:,}, "
        f"minimum {stats.minimum:,}, mean {stats.mean:,.1f}, "
        f"maximum {stats.maximum:,}, violations {stats.violations}, {stats.seconds:.2f} s)"
    )


def _print_moves(game: Iterable[MoveStatistics], quiet: bool) -> list[MoveStatistics]:
    """Prints the moves of a game as they are measured, unless `quiet`; returns them."""
    counted = []
    if not quiet:
        print(f"{'ply':>4} {'minimum':>9} {'mean':>11} {'maximum':>9} {'violations':>10}  move")
    for stats in game:
        counted.append(stats)
        if not quiet:
            violations = f"{stats.violations}/{len(stats.root_moves)}"
            print(
                f"{stats.ply + 1:4} {stats.minimum:9,} {stats.mean:11,.1f} {stats.maximum:9,} "
                f"{violations:>10}  {stats.player}: {stats.played}",
                flush=True,
            )
    return counted


def _write(counted: list[MoveStatistics], game: str, args: argparse.Namespace) -> None:
    from forthvm.engines.statistics import chart, write_csv, write_jsonl

    if args.csv is not None:
        with output_file(args.csv) as file:
            write_csv(file, counted)
    if args.jsonl is not None:
        with output_file(args.jsonl) as file:
            write_jsonl(file, counted)
    if args.plot is not None:
        title = f"{game}: evaluations per root move"
        with output_file(args.plot) as file:
            file.write(visible_lines(chart(counted, title=title)) + "\n")
