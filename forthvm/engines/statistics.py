"""The cost of a search, move by move: the number of evaluations in each root move's subtree.

Owns the counting, the statistics, and their CSV, JSON lines and chart.  It must not know how
an engine searches, only what engines report.

The counts of a position are in the order in which the engine searched its moves.  With
alpha-beta they should fall, because later moves are compared with a better one; a *violation*
is a move that cost more than the move before it.  Many violations show that the move order is
bad.  (After V. Sobolev's article on Splut! and Axiom, which counted by hand.)
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import IO, TYPE_CHECKING

from forthvm.core.text.visible import visible_json
from forthvm.engines.checked import ask
from forthvm.engines.errors import EngineOptionError
from forthvm.engines.protocol import Limits
from forthvm.engines.search.mcts import MctsEngine
from forthvm.engines.search.vm_engines import MAX_NODES, ChanceEngine, ScriptEngine
from forthvm.render.chart_svg import Panel, chart_svg

if TYPE_CHECKING:
    from forthvm.engines.protocol import Engine, Info, SearchResult
    from forthvm.game import Game, Position

__all__ = [
    "Counter",
    "MoveStatistics",
    "RootMove",
    "chart",
    "measure",
    "measure_game",
    "write_csv",
    "write_jsonl",
]

MOST_SECONDS = 1e6
MOST_NODES = MAX_NODES
"""These limits accompany a depth, so that an engine's own limits do not end the search early."""

COLUMNS = (
    *("ply", "player", "played", "depth", "score", "seconds", "moves"),
    *("total", "minimum", "mean", "maximum", "violations", "counts"),
)


@dataclass(frozen=True)
class Counter:
    """A variable of the script in which its engine counts.

    Attributes:
        name: The variable's name.
        resets: The engine sets it to 0 for each root move, after its `CurrentMove!`, as in the
            article; otherwise it is a running total.
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
    """The cost of one search; the figures are 0 if no root move was counted."""

    ply: int
    """Number of moves made before."""
    player: str
    played: str
    """The engine's answer."""
    depth: int
    score: int | None
    seconds: float
    roots: tuple[RootMove, ...]
    """The root moves in the order in which they were searched."""

    @property
    def counts(self) -> tuple[int, ...]:
        """The count of each root move."""
        return tuple(root.count for root in self.roots)

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
        return self.total / len(self.roots) if self.roots else 0.0

    @property
    def maximum(self) -> int:
        """The greatest count."""
        return max(self.counts, default=0)

    @property
    def violations(self) -> int:
        """The number of moves that cost more than the move before."""
        return sum(after > before for before, after in pairwise(self.counts))

    def document(self) -> dict[str, object]:
        """All fields for JSON; `counts` has pairs of move and count."""
        pairs = [[root.move, root.count] for root in self.roots]
        return {**self._figures(), "counts": pairs}

    def row(self) -> dict[str, object]:
        """All fields for a table; `counts` is a text of numbers separated by blanks."""
        return {**self._figures(), "counts": " ".join(map(str, self.counts))}

    def _figures(self) -> dict[str, object]:
        return {
            "ply": self.ply,
            "player": self.player,
            "played": self.played,
            "depth": self.depth,
            "score": self.score,
            "seconds": round(self.seconds, 6),
            "moves": len(self.roots),
            "total": self.total,
            "minimum": self.minimum,
            "mean": round(self.mean, 3),
            "maximum": self.maximum,
            "violations": self.violations,
        }


def measure(
    engine: Engine, position: Position, limits: Limits | None = None, counter: Counter | None = None
) -> MoveStatistics:
    """Run an engine, and count the evaluations of each root move.

    For an engine in Forth, the count of a root move is the increase between its `CurrentMove!`
    and the next, of the variable `counter` or of the number reported by `Nodes!`.  With
    iterative deepening, the last completed iteration counts.

    For a Monte Carlo tree search, it is the number of visits.

    Other engines do not report the current root move.  For them each move's subtree is searched
    separately, one ply less deep, with an open window, but with the engine's memory of the moves
    before (such as its transposition table).  The count is the number of evaluations that the
    engine reports, else its nodes.  The engine's answer comes from one more search of the root.

    The search changes the position as `ask` does: a script's engine advances its random
    streams.

    Raises:
        EngineOptionError: the script has no such counter; an engine that is not in Forth was
            given a counter, or reports no depth.
        EngineError: the engine failed.
    """
    return _measure(engine, position, limits, counter)[1]


def measure_game(
    position: Position,
    engines: Engine | Mapping[str, Engine],
    limits: Limits | None = None,
    *,
    counter: Counter | None = None,
    plies: int | None = None,
) -> Iterator[MoveStatistics]:
    """Play a game on `position`, and measure each move.

    Moves of chance players, forced passes and single legal moves are played but not measured.

    Args:
        position: the first position; the moves are made on it.
        engines: one engine for all players, or engines by player; for players without an
            engine the game's random numbers choose.
        limits: for each move.
        counter: see `measure`; used for engines in Forth.
        plies: maximum number of plies, measured or not; None: to the end of the game.
    """
    last = None if plies is None else position.ply + plies
    while position.result is None and (last is None or position.ply < last):
        engine = engines.get(position.turn) if isinstance(engines, Mapping) else engines
        if position.is_stuck:
            position.push_pass()
        elif position.is_chance or engine is None:
            position.push(ask(ChanceEngine(), position).move)
        elif len(position.legal_moves) == 1:
            position.push(position.legal_moves[0])
        else:
            own = counter if isinstance(engine, ScriptEngine) else None
            result, statistics = _measure(engine, position, limits, own)
            position.push(result.move)
            yield statistics


def _measure(
    engine: Engine, position: Position, limits: Limits | None, counter: Counter | None
) -> tuple[SearchResult, MoveStatistics]:
    ply, player = position.ply, position.turn
    if isinstance(engine, ScriptEngine):
        result, roots = _by_reports(engine, position, limits, counter)
    elif counter is not None:
        raise EngineOptionError("a counter needs an engine in Forth: others have no variables")
    elif isinstance(engine, MctsEngine):
        result, roots = _by_visits(engine, position, limits)
    else:
        result, roots = _by_subtrees(engine, position, limits)
    return result, MoveStatistics(
        ply=ply,
        player=player,
        played=str(result.move),
        depth=result.depth,
        score=result.score,
        seconds=result.time,
        roots=roots,
    )


# --- engines in Forth -----------------------------------------------------------------------


class _Listener:
    """Counts the cost of each root move from the reports of an engine in Forth."""

    def __init__(self, game: Game, counter: Counter | None) -> None:
        self._native = game.vm.native
        self._resets = counter is not None and counter.resets
        self._address = _address(game, counter)
        self._nodes = 0  # the last number that the engine reported by Nodes!
        self._before = 0
        self._move: str | None = None
        self._iterations: list[list[RootMove]] = []

    def __call__(self, info: Info) -> None:
        if info.nodes is not None:
            self._nodes = info.nodes
        if info.current is None:
            return
        self._finish()
        if self._move is None and self._address is None:
            self._nodes = 0  # a number reported before the first root move does not count
        self._move = info.current
        searched = self._iterations[-1] if self._iterations else []
        if not self._iterations or any(root.move == info.current for root in searched):
            self._iterations.append([])
        self._before = self._now()

    def roots(self, result: SearchResult) -> tuple[RootMove, ...]:
        """The moves of the last completed iteration; to be called after the engine's answer."""
        if self._address is None:
            self._nodes = max(self._nodes, result.nodes)
        self._finish()
        most = max(map(len, self._iterations), default=0)
        completed = [each for each in self._iterations if len(each) == most]
        return tuple(completed[-1]) if completed else ()

    def _now(self) -> int:
        return self._nodes if self._address is None else self._native.read_cell(self._address)

    def _finish(self) -> None:
        if self._move is None:
            return
        now = self._now()
        was_reset = self._resets or now < self._before
        count = now if was_reset else now - self._before
        self._iterations[-1].append(RootMove(self._move, count))


def _address(game: Game, counter: Counter | None) -> int | None:
    if counter is None:
        return None
    found = game.script_variables.get(counter.name)
    if found is None or found.kind != "variable":
        raise EngineOptionError(f"the script has no variable {counter.name!r} to count in")
    return found.address


def _by_reports(
    engine: ScriptEngine, position: Position, limits: Limits | None, counter: Counter | None
) -> tuple[SearchResult, tuple[RootMove, ...]]:
    listener = _Listener(position.game, counter)
    result = ask(engine, position, limits, report=listener)
    return result, listener.roots(result)


# --- other engines ----------------------------------------------------------------------------


def _by_visits(
    engine: MctsEngine, position: Position, limits: Limits | None
) -> tuple[SearchResult, tuple[RootMove, ...]]:
    result = ask(engine, position, limits)
    children = engine.tree.root.children if engine.tree is not None else ()
    moves = position.legal_moves
    return result, tuple(RootMove(str(moves[child.move]), child.visits) for child in children)


def _by_subtrees(
    engine: Engine, position: Position, limits: Limits | None
) -> tuple[SearchResult, tuple[RootMove, ...]]:
    """A search of the root, which shows the depth, then one of each root move."""
    engine.new_game()
    result = ask(engine, position, limits)
    engine.new_game()
    depth = result.depth
    if not depth:
        raise EngineOptionError(f"engine {engine.name!r} reports no depth: cannot count")
    roots = []
    for move in position.legal_moves:
        after = position.copy()
        after.push(move)
        # The engines that report a depth do not count a partial move as a ply.
        left = depth if after.is_partial else depth - 1
        roots.append(RootMove(str(move), _cost(engine, after, left)))
    return result, tuple(roots)


def _cost(engine: Engine, position: Position, depth: int) -> int:
    """The number of evaluations in a search of that depth; 1 if there is nothing to search."""
    if depth < 1 or position.result is not None or position.is_stuck:
        return 1
    answer = ask(engine, position, Limits(depth=depth, time=MOST_SECONDS, nodes=MOST_NODES))
    evaluations = answer.info.get("evaluations")
    return evaluations if isinstance(evaluations, int) else answer.nodes


# --- output -------------------------------------------------------------------------------------


def write_csv(file: IO[str], statistics: Iterable[MoveStatistics]) -> None:
    """Write a header and a line for each move of the game; open the file with newline=''."""
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for one in statistics:
        writer.writerow(one.row())


def write_jsonl(file: IO[str], statistics: Iterable[MoveStatistics]) -> None:
    """Write a JSON document for each move of the game, one per line."""
    for one in statistics:
        file.write(visible_json(json.dumps(one.document(), ensure_ascii=False)) + "\n")


def chart(statistics: Iterable[MoveStatistics], *, title: str) -> str:
    """SVG: minimum, mean and maximum cost of a root move over a game, and the violations."""
    counted = [one for one in statistics if one.roots]
    across = tuple(one.ply + 1 for one in counted)
    costs = Panel(
        title=title,
        across=across,
        series={
            "maximum": [one.maximum for one in counted],
            "mean": [one.mean for one in counted],
            "minimum": [one.minimum for one in counted],
        },
        logarithmic=True,
    )
    disorder = Panel(
        title="root moves that cost more than the one before",
        across=across,
        series={
            "violations": [one.violations for one in counted],
            "root moves": [len(one.roots) for one in counted],
        },
    )
    return chart_svg([costs, disorder], title=title, across="ply")
