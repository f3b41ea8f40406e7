"""The cost of a search by root move: the number of evaluations in the subtree of each root move.

Owns the counting, the statistics, and their output as CSV, JSON lines and chart.  It reads only the
reports of engines.

The counts are in the order in which the engine searched the moves.  With alpha-beta they should
decrease, because later moves are compared with a better move.  A *violation* is a root move that
cost more than the root move searched before it; many violations indicate a bad move order.  The
method is that of V. Sobolev's article on Splut! and Axiom.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import IO, TYPE_CHECKING

from forthvm.core.text.visible import visible_json
from forthvm.engines.checked import choose_move
from forthvm.engines.errors import EngineOptionError
from forthvm.engines.protocol import Limits
from forthvm.engines.search.mcts import MctsEngine
from forthvm.engines.search.vm_engines import MAX_NODES, ChanceEngine, ScriptEngine
from forthvm.game.memory.variables import variables_of
from forthvm.render.chart_svg import Panel, chart_svg

if TYPE_CHECKING:
    from forthvm.engines.protocol import Engine, Info, SearchResult
    from forthvm.game import Game, Position

__all__ = [
    "MoveStatistics",
    "RootMove",
    "ScriptCounter",
    "chart",
    "measure",
    "measure_game",
    "write_csv",
    "write_jsonl",
]

_UNLIMITED_SECONDS = 1e6
_UNLIMITED_NODES = MAX_NODES
"""Limits that a search to a fixed depth does not reach; they replace the engine's own limits."""

COLUMNS = (
    *("ply", "player", "played", "depth", "score", "seconds", "moves"),
    *("total", "minimum", "mean", "maximum", "violations", "counts"),
)


@dataclass(frozen=True)
class ScriptCounter:
    """A variable of the script in which the script's engine counts evaluations.

    Attributes:
        name: The name of the variable.
        resets: Whether the engine sets the variable to 0 after each `CurrentMove!`, by which it
            reports the next root move.  Otherwise the variable is a running total.
    """

    name: str
    resets: bool = False


@dataclass(frozen=True)
class RootMove:
    """A root move and the number of evaluations in its subtree."""

    move: str
    count: int


@dataclass(frozen=True, kw_only=True)
class MoveStatistics:
    """The cost of one search; all counts are 0 if no root move was counted."""

    ply: int
    """The number of moves made before the search."""
    player: str
    played: str
    """The move that the engine chose."""
    depth: int
    score: float | None
    seconds: float
    root_moves: tuple[RootMove, ...]
    """The root moves in the order in which they were searched."""

    @property
    def counts(self) -> tuple[int, ...]:
        """The count of each root move."""
        return tuple(root.count for root in self.root_moves)

    @property
    def total(self) -> int:
        """The sum of the counts."""
        return sum(self.counts)

    @property
    def minimum(self) -> int:
        """The smallest count."""
        return min(self.counts, default=0)

    @property
    def mean(self) -> float:
        """The mean count."""
        return self.total / len(self.root_moves) if self.root_moves else 0.0

    @property
    def maximum(self) -> int:
        """The greatest count."""
        return max(self.counts, default=0)

    @property
    def violations(self) -> int:
        """The number of moves that cost more than the preceding move."""
        return sum(after > before for before, after in pairwise(self.counts))

    def document(self) -> dict[str, object]:
        """Return all fields for JSON; `counts` has pairs of move and count."""
        pairs = [[root.move, root.count] for root in self.root_moves]
        return {**self._figures(), "counts": pairs}

    def row(self) -> dict[str, object]:
        """Return all fields for a table; `counts` is a text of numbers separated by blanks."""
        return {**self._figures(), "counts": " ".join(map(str, self.counts))}

    def _figures(self) -> dict[str, object]:
        return {
            "ply": self.ply,
            "player": self.player,
            "played": self.played,
            "depth": self.depth,
            "score": self.score,
            "seconds": round(self.seconds, 6),
            "moves": len(self.root_moves),
            "total": self.total,
            "minimum": self.minimum,
            "mean": round(self.mean, 3),
            "maximum": self.maximum,
            "violations": self.violations,
        }


def measure(
    engine: Engine,
    position: Position,
    limits: Limits | None = None,
    counter: ScriptCounter | None = None,
) -> MoveStatistics:
    """Run an engine, and count the evaluations of each root move.

    - An engine in Forth reports each root move by `CurrentMove!`.  The count of a root move is the
      increase of the variable `counter`, or of the number that `Nodes!` reports, until the next
      report.  With iterative deepening, the counts are those of the last completed iteration.
    - For a Monte Carlo tree search, the count is the number of visits.
    - Other engines do not report root moves.  A first search of the position chooses the move.
      Then the position after each root move is searched separately, to a depth one ply lower.  The
      count is the number of evaluations that the engine reports, or else the number of nodes.  The
      engine keeps its transposition table between these searches.

    An engine in Forth may advance the random streams of the position, as in `choose_move`.

    Raises:
        EngineOptionError: The script has no such counter, the engine with a counter is not in
            Forth, or the engine reports no depth.
        EngineError: The engine failed.
    """
    return _measure(engine, position, limits, counter)[1]


def measure_game(
    position: Position,
    engines: Engine | Mapping[str, Engine],
    limits: Limits | None = None,
    *,
    counter: ScriptCounter | None = None,
    plies: int | None = None,
) -> Iterator[MoveStatistics]:
    """Play a game on `position`, and measure the search of each move.

    Moves of chance players, forced passes and single legal moves need no search.

    Args:
        position: The first position; the moves are made on it.
        engines: One engine for all players, or engines by player.  Players without an engine make
            random moves.
        limits: Limits for each move.
        counter: See `measure`; used for engines in Forth.
        plies: Maximum number of plies; None to play to the end of the game.
    """
    end_ply = None if plies is None else position.ply + plies
    while position.result is None and (end_ply is None or position.ply < end_ply):
        engine = engines.get(position.turn) if isinstance(engines, Mapping) else engines
        if position.is_stuck:
            position.push_pass()
        elif position.is_chance or engine is None:
            position.push(choose_move(ChanceEngine(), position).move)
        elif len(position.legal_moves) == 1:
            position.push(position.legal_moves[0])
        else:
            script_counter = counter if isinstance(engine, ScriptEngine) else None
            result, statistics = _measure(engine, position, limits, script_counter)
            position.push(result.move)
            yield statistics


def _measure(
    engine: Engine, position: Position, limits: Limits | None, counter: ScriptCounter | None
) -> tuple[SearchResult, MoveStatistics]:
    ply, player = position.ply, position.turn
    if isinstance(engine, ScriptEngine):
        result, root_moves = _measure_by_reports(engine, position, limits, counter)
    elif counter is not None:
        raise EngineOptionError("a counter needs an engine in Forth: others have no variables")
    elif isinstance(engine, MctsEngine):
        result, root_moves = _measure_by_visits(engine, position, limits)
    else:
        result, root_moves = _measure_by_subtrees(engine, position, limits)
    return result, MoveStatistics(
        ply=ply,
        player=player,
        played=str(result.move),
        depth=result.depth,
        score=result.score,
        seconds=result.time,
        root_moves=root_moves,
    )


# --- engines in Forth -----------------------------------------------------------------------


class _ReportCounter:
    """Computes the cost of each root move from the reports of an engine in Forth."""

    def __init__(self, game: Game, counter: ScriptCounter | None) -> None:
        self._native = game._loaded.vm.native
        self._resets = counter is not None and counter.resets
        self._address = _counter_address(game, counter)
        self._nodes = 0  # the last number that the engine reported by Nodes!
        self._count_before = 0  # the count when the search of the current root move began
        self._root_move: str | None = None  # the current root move
        self._iterations: list[list[RootMove]] = []

    def __call__(self, info: Info) -> None:
        if info.nodes is not None:
            self._nodes = info.nodes
        if info.current is None:
            return
        self._end_root_move()
        if self._root_move is None and self._address is None:
            self._nodes = 0  # a number reported before the first root move does not count
        self._root_move = info.current
        searched = self._iterations[-1] if self._iterations else []
        if not self._iterations or any(root.move == info.current for root in searched):
            self._iterations.append([])
        self._count_before = self._current_count()

    def root_moves(self, result: SearchResult) -> tuple[RootMove, ...]:
        """Return the root moves of the last completed iteration, after the end of the search."""
        if self._address is None:
            self._nodes = max(self._nodes, result.nodes)
        self._end_root_move()
        length = max(map(len, self._iterations), default=0)
        completed = [iteration for iteration in self._iterations if len(iteration) == length]
        return tuple(completed[-1]) if completed else ()

    def _current_count(self) -> int:
        return self._nodes if self._address is None else self._native.read_cell(self._address)

    def _end_root_move(self) -> None:
        if self._root_move is None:
            return
        count = self._current_count()
        if not self._resets and count >= self._count_before:
            count -= self._count_before
        self._iterations[-1].append(RootMove(self._root_move, count))


def _counter_address(game: Game, counter: ScriptCounter | None) -> int | None:
    if counter is None:
        return None
    variable = variables_of(game._loaded).get(counter.name)
    if variable is None or variable.kind != "variable":
        raise EngineOptionError(f"the script has no variable {counter.name!r} to count in")
    return variable.address


def _measure_by_reports(
    engine: ScriptEngine, position: Position, limits: Limits | None, counter: ScriptCounter | None
) -> tuple[SearchResult, tuple[RootMove, ...]]:
    report_counter = _ReportCounter(position.game, counter)
    result = choose_move(engine, position, limits, report=report_counter)
    return result, report_counter.root_moves(result)


# --- other engines ----------------------------------------------------------------------------


def _measure_by_visits(
    engine: MctsEngine, position: Position, limits: Limits | None
) -> tuple[SearchResult, tuple[RootMove, ...]]:
    result = choose_move(engine, position, limits)
    children = engine.tree.root.children if engine.tree is not None else ()
    moves = position.legal_moves
    return result, tuple(RootMove(str(moves[child.move_index]), child.visits) for child in children)


def _measure_by_subtrees(
    engine: Engine, position: Position, limits: Limits | None
) -> tuple[SearchResult, tuple[RootMove, ...]]:
    """Search the position to find the depth, then search the position after each root move."""
    engine.new_game()
    result = choose_move(engine, position, limits)
    engine.new_game()
    depth = result.depth
    if not depth:
        raise EngineOptionError(f"engine {engine.name!r} reports no depth: cannot count")
    root_moves = []
    for move in position.legal_moves:
        after = position.copy()
        after.push(move)
        # In the depths of engines, a partial move is not a ply.
        remaining = depth if after.is_partial else depth - 1
        root_moves.append(RootMove(str(move), _cost(engine, after, remaining)))
    return result, tuple(root_moves)


def _cost(engine: Engine, position: Position, depth: int) -> int:
    """Return the number of evaluations in a search to `depth`; 1 if no search is needed."""
    if depth < 1 or position.result is not None or position.is_stuck:
        return 1
    result = choose_move(
        engine, position, Limits(depth=depth, time=_UNLIMITED_SECONDS, nodes=_UNLIMITED_NODES)
    )
    evaluations = result.info.get("evaluations")
    return evaluations if isinstance(evaluations, int) else result.nodes


# --- output -------------------------------------------------------------------------------------


def write_csv(file: IO[str], statistics: Iterable[MoveStatistics]) -> None:
    """Write a header and a line for each search; the caller opens the file with newline=''."""
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for entry in statistics:
        writer.writerow(entry.row())


def write_jsonl(file: IO[str], statistics: Iterable[MoveStatistics]) -> None:
    """Write a line with a JSON document for each search."""
    for entry in statistics:
        file.write(visible_json(json.dumps(entry.document(), ensure_ascii=False)) + "\n")


def chart(statistics: Iterable[MoveStatistics], *, title: str) -> str:
    """Return an SVG chart of the cost of root moves over a game, and of the violations."""
    counted = [entry for entry in statistics if entry.root_moves]
    across = tuple(entry.ply + 1 for entry in counted)
    costs = Panel(
        title=title,
        numbers=across,
        series={
            "maximum": [entry.maximum for entry in counted],
            "mean": [entry.mean for entry in counted],
            "minimum": [entry.minimum for entry in counted],
        },
        logarithmic=True,
    )
    disorder = Panel(
        title="root moves that cost more than the preceding one",
        numbers=across,
        series={
            "violations": [entry.violations for entry in counted],
            "root moves": [len(entry.root_moves) for entry in counted],
        },
    )
    return chart_svg([costs, disorder], title=title, number_label="ply")
