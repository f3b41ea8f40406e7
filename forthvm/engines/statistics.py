"""What a search costs, move by move: how often each root move's subtree was evaluated.

Owns the counting, the figures made of it, and their CSV, JSON lines and chart.  It must not
know how any engine searches, only what engines report.

The counts of one position are in the order in which the engine looked at its moves.  Under
alpha-beta they should fall, since each move has a better one before it to be compared with;
a *violation* is a move that cost more than the one before it.  Where they are many, the
order of the moves is bad.  (After V. Sobolev's article on Splut! and Axiom, which counted
by hand.)
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import IO, TYPE_CHECKING

from forthvm.core.visible import visible_json
from forthvm.engines.checked import ask
from forthvm.engines.errors import EngineOptionError
from forthvm.engines.mcts import MctsEngine
from forthvm.engines.native import MAX_NODES, ChanceEngine, ScriptEngine
from forthvm.engines.protocol import Limits
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
"""Given with a depth, so that an engine's own limits do not end a subtree's search early."""

COLUMNS = (
    *("ply", "player", "played", "depth", "score", "seconds", "moves"),
    *("total", "minimum", "mean", "maximum", "violations", "counts"),
)


@dataclass(frozen=True)
class Counter:
    """A variable of the script in which its engine counts.

    Attributes:
        name: The variable's name.
        resets: The engine zeroes it for each root move, as the article's does, after its
            `CurrentMove!`; otherwise it is taken for a running total.
    """

    name: str
    resets: bool = False


@dataclass(frozen=True)
class RootMove:
    """A root move and what its subtree cost."""

    move: str
    count: int


@dataclass(frozen=True, kw_only=True)
class MoveStatistics:
    """What one search cost; the figures are 0 where no root move was counted."""

    ply: int
    """Moves made before."""
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
        """What each root move cost."""
        return tuple(root.count for root in self.roots)

    @property
    def total(self) -> int:
        """What all cost."""
        return sum(self.counts)

    @property
    def minimum(self) -> int:
        """What the cheapest move cost."""
        return min(self.counts, default=0)

    @property
    def mean(self) -> float:
        """What a move cost on the average."""
        return self.total / len(self.roots) if self.roots else 0.0

    @property
    def maximum(self) -> int:
        """What the dearest move cost."""
        return max(self.counts, default=0)

    @property
    def violations(self) -> int:
        """How many moves cost more than the one before them."""
        return sum(after > before for before, after in pairwise(self.counts))

    def document(self) -> dict[str, object]:
        """All of it as JSON has it; `counts` is of pairs, move and count."""
        pairs = [[root.move, root.count] for root in self.roots]
        return {**self._figures(), "counts": pairs}

    def row(self) -> dict[str, object]:
        """The same for a table: `counts` is one text, numbers with blanks between."""
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
    """Let an engine answer, and count what each root move cost.

    An engine in Forth is listened to: a root move's share is what was counted between its
    `CurrentMove!` and the next one's, in `counter`, or by what the engine reports with
    `Nodes!`.  If it looks several times, deeper each time, its last whole look counts.

    A Monte Carlo tree search is asked how often it visited each root move.

    Other engines do not say which root move they are at.  For them each move's subtree is
    searched by itself, one ply less deep, with the window wide open but with whatever the
    engine remembers of the moves before; evaluations count where the engine tells them,
    else its nodes.  Its answer is that of one search more, from the root.

    The search is part of the game exactly as `ask` would make it: a script's engine leaves
    its random numbers behind.

    Raises:
        EngineOptionError: the script has no such counter; or an engine that is not in Forth
            was given one, or no depth to search to.
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
    """Play on, and measure each move; `position` is played on.

    Moves of chance players and passes of players without moves are played and not measured,
    neither are moves of players who have nothing to choose.

    Args:
        position: where to begin.
        engines: what plays, for all or by player; for who has none the game's own random
            numbers choose.
        limits: for each move.
        counter: see `measure`; for the engines in Forth.
        plies: so many at most, measured or not; None: to the end of the game.
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
        result, roots = _listen(engine, position, limits, counter)
    elif counter is not None:
        raise EngineOptionError("a counter is for engines in Forth: others have no variables")
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
    """Follows an engine from root move to root move."""

    def __init__(self, game: Game, counter: Counter | None) -> None:
        self._native = game.vm.native
        self._resets = counter is not None and counter.resets
        self._address = _address(game, counter)
        self._told = 0  # what the engine said last by Nodes!
        self._before = 0
        self._move: str | None = None
        self._looks: list[list[RootMove]] = []

    def __call__(self, info: Info) -> None:
        if info.nodes is not None:
            self._told = info.nodes
        if info.current is None:
            return
        self._finish()
        if self._move is None and self._address is None:
            self._told = 0  # what engines say before they begin is a formality
        self._move = info.current
        if not self._looks or any(root.move == info.current for root in self._looks[-1]):
            self._looks.append([])
        self._before = self._now()

    def roots(self, result: SearchResult) -> tuple[RootMove, ...]:
        """The moves of the last whole look, once the engine has answered."""
        if self._address is None:
            self._told = max(self._told, result.nodes)
        self._finish()
        most = max(map(len, self._looks), default=0)
        whole = [look for look in self._looks if len(look) == most]
        return tuple(whole[-1]) if whole else ()

    def _now(self) -> int:
        return self._told if self._address is None else self._native.read_cell(self._address)

    def _finish(self) -> None:
        if self._move is None:
            return
        now = self._now()
        fresh = self._resets or now < self._before
        self._looks[-1].append(RootMove(self._move, now - (0 if fresh else self._before)))


def _address(game: Game, counter: Counter | None) -> int | None:
    if counter is None:
        return None
    found = game.script_variables.get(counter.name)
    if found is None or found.kind != "variable":
        raise EngineOptionError(f"the script has no variable {counter.name!r} to count in")
    return found.address


def _listen(
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
    """Each root move by itself, then all together, which tells how deep it goes."""
    engine.new_game()
    result = ask(engine, position, limits)
    engine.new_game()
    depth = result.depth
    if not depth:
        raise EngineOptionError(f"engine {engine.name!r} tells no depth: nothing to count by")
    roots = []
    for move in position.legal_moves:
        after = position.copy()
        after.push(move)
        # Half a move costs no depth in the engines that tell theirs.
        left = depth if after.is_partial else depth - 1
        roots.append(RootMove(str(move), _cost(engine, after, left)))
    return result, tuple(roots)


def _cost(engine: Engine, position: Position, depth: int) -> int:
    """What a search of that depth evaluates; 1 where there is nothing to search."""
    if depth < 1 or position.result is not None or position.is_stuck:
        return 1
    answer = ask(engine, position, Limits(depth=depth, time=MOST_SECONDS, nodes=MOST_NODES))
    told = answer.info.get("evaluations")
    return told if isinstance(told, int) else answer.nodes


# --- what comes out -----------------------------------------------------------------------------


def write_csv(file: IO[str], statistics: Iterable[MoveStatistics]) -> None:
    """A line for each move of the game, with a heading; open the file with newline=''."""
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for one in statistics:
        writer.writerow(one.row())


def write_jsonl(file: IO[str], statistics: Iterable[MoveStatistics]) -> None:
    """A JSON document a line for each move of the game."""
    for one in statistics:
        file.write(visible_json(json.dumps(one.document(), ensure_ascii=False)) + "\n")


def chart(statistics: Iterable[MoveStatistics], *, title: str) -> str:
    """The least, mean and greatest cost of a root move over a game, and the violations: SVG."""
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
