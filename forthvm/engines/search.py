"""Our own tree searches: alpha-beta for two sides, and its kin for more players.

Owns how options and limits reach the native search and how its lines become moves.  The
searching is done in native/search/ (alpha_beta.c, maxn.c, best_reply.c);
docs/explanation/search.md says how.
"""

from __future__ import annotations

import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from forthvm.core.bindings import Cache, ReportKind, ThinkOptions
from forthvm.engines.errors import EngineOptionError
from forthvm.engines.evaluator import Evaluator, as_evaluator, lend
from forthvm.engines.native import MAX_NODES, vm_seconds
from forthvm.engines.options import flag, seconds, take, whole
from forthvm.engines.protocol import Engine, Info, Limits, NotCopied, SearchResult
from forthvm.engines.simple import moves_of
from forthvm.engines.stopping import Stopper
from forthvm.engines.threads import MAX_THREADS, Crew

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from forthvm.core.bindings import NativeVM, Thought
    from forthvm.engines.protocol import Reporter
    from forthvm.game import Game, Move, Position

__all__ = ["BestReplyEngine", "MaxnEngine", "NegamaxEngine", "ParanoidEngine"]

MAX_DEPTH = 100
DEFAULT_DEPTH = 4
"""Plies without any limit."""

_MEGABYTE = 1 << 20
_FEATURES = {
    "killers": 2,
    "history": 4,
    "captures": 8,
    "pvs": 16,
    "aspiration": 32,
    "quiescence": 64,
    "repetition": 128,
}
_TABLE = 1
LOTS = 4
"""Moves of a chance player that are tried where a search has little time, unless told otherwise."""


class NegamaxEngine(NotCopied, Engine):
    """Alpha-beta for two sides: iterative deepening, principal variation search, a table.

    More than two players: all others, but for friends, against the one who searches.

    Options:
        depth, time (seconds), nodes: limits, 4 plies where nothing else is said.
        tt: megabytes of the transposition table, 0 for none.
        killers, history, captures, pvs, aspiration, quiescence, repetition: on or off.
        extension: plies that may be searched beyond the horizon.
        samples: lots of a chance player that are tried, 0 for all.
        lines: how many best moves to find (`info["lines"]`).
        seed: another order among moves of equal rank; 0 for the list's.
        threads: searches side by side with one table; what they find then depends on timing.
        evaluator: a function in place of OnEvaluate, or `module:function` (evaluator.py).
    """

    name = "negamax"
    _method: ClassVar[int] = 0
    _default_depth: ClassVar[int] = DEFAULT_DEPTH

    def __init__(self, **options: object) -> None:
        """Reads the options; see the class."""
        given = take(self.name, options, self._readers())
        limits = {key: given.pop(key) for key in ("depth", "time", "nodes") if key in given}
        self._limits = Limits(**limits)  # type: ignore[arg-type]  # read by the readers
        evaluator = given.pop("evaluator", None)
        self._evaluator = evaluator if isinstance(evaluator, Evaluator) else None
        self._crew = Crew(int(str(given.pop("threads", 1))))
        if self._evaluator is not None and self._crew.size > 1:
            raise EngineOptionError(f"{self.name}: an evaluator in Python needs threads=1")
        size = int(str(given.pop("tt", 16)))
        self._cache = Cache(size * _MEGABYTE) if size else None
        features = _TABLE if size else 0
        for name, bit in _FEATURES.items():
            features |= bit if given.pop(name, True) else 0
        numbers = {name: int(str(value)) for name, value in given.items()}
        self._options = ThinkOptions(self._method, features).replace(**numbers)
        self._sampling = "samples" in numbers
        self._stopper = Stopper()
        self._facts: WeakKeyDictionary[Game, tuple[int, int]] = WeakKeyDictionary()

    @classmethod
    def _readers(cls) -> dict[str, Callable[[object], object]]:
        numbers = {
            "depth": whole(1, MAX_DEPTH),
            "nodes": whole(1, MAX_NODES),
            "tt": whole(0, 1 << 16),
            "extension": whole(0, 60),
            "samples": whole(0, 1 << 16),
            "lines": whole(1, 256),
            "seed": whole(0, 2**32 - 1),
            "threads": whole(1, MAX_THREADS),
        }
        flags = dict.fromkeys(_FEATURES, flag)
        return {**numbers, **flags, "time": seconds, "evaluator": as_evaluator}

    def stop(self) -> None:
        """Ends the running search at once; it answers with what it has."""
        self._stopper.stop()

    def new_game(self) -> None:
        """Empties the table."""
        if self._cache is not None:
            self._cache.clear()

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Searches; a limit that ends it early leaves the best move so far."""
        start = time.perf_counter()
        self._stopper.begin()
        moves_of(position, limits)
        told = self._told(position.game, limits)

        def help_out(native: NativeVM, number: int) -> None:
            """The same search in another order, for the table's sake."""
            native.think(told.replace(seed=number, lines=1), self._cache)

        crew = self._crew.at_work(position, help_out)
        with crew, self._entered(position, report, start) as native:
            found = native.think(told, self._cache)
        # Stopped between two lines, it may know a move as one line by now, as another from before.
        known = {line.moves[0]: line for line in reversed(found.lines)}
        lines = [
            (line.score, moves_along(position, line.moves))
            for line in found.lines
            if known[line.moves[0]] is line
        ]
        score, pv = lines[0]
        return SearchResult(
            move=pv[0],
            score=score,
            pv=pv,
            depth=found.lines[0].depth,
            nodes=found.nodes,
            time=time.perf_counter() - start,
            info={"lines": lines, **_told_by(found, position)},
        )

    @contextmanager
    def _entered(
        self, position: Position, report: Reporter | None, start: float
    ) -> Iterator[NativeVM]:
        """The VM with the position in it, ready to search."""
        evaluator = self._evaluator
        with position.enter() as native:
            before = native.host.report
            native.host.report = None if report is None else _listener(native, report, start)
            lent = (
                lend(evaluator, position.game, engine=self.name, ply=position.ply)
                if evaluator
                else nullcontext()
            )
            try:
                with self._stopper.running(native), lent:
                    yield native
            finally:
                native.host.report = before

    def _told(self, game: Game, limits: Limits | None) -> ThinkOptions:
        merged = (limits or Limits()).over(self._limits)
        depth = merged.depth
        bound = merged.seconds is not None or merged.nodes is not None
        if depth is None:
            depth = MAX_DEPTH if bound else self._default_depth
        chance, count_turns = self._about(game)
        options = self._options
        if chance and bound and not self._sampling:
            options = options.replace(samples=LOTS)
        return options.replace(
            depth=min(depth, MAX_DEPTH),
            nodes=min(merged.nodes or 0, MAX_NODES),
            seconds=vm_seconds(merged),
            chance=chance,
            count_turns=count_turns,
        )

    def _about(self, game: Game) -> tuple[int, int]:
        """Players who draw lots, a bit per number; whether the number of the turn counts."""
        if game not in self._facts:
            self._facts[game] = game.chance_bits, int(game.counts_turns)
        return self._facts[game]


class ParanoidEngine(NegamaxEngine):
    """The same by the name it has for more than two players: all others against one."""

    name = "paranoid"


class MaxnEngine(NegamaxEngine):
    """Every player for himself: each chooses what is best for him (Luckhardt and Irani, 1986)."""

    name = "maxn"
    _method = 1
    _default_depth = 3


class BestReplyEngine(NegamaxEngine):
    """Best reply search (Schadd and Winands, 2011): of all opponents the strongest answers."""

    name = "brs"
    _method = 2


def moves_along(position: Position, indices: Iterable[int]) -> tuple[Move, ...]:
    """The moves of a line that a search found, passes of the host left out."""
    moves = []
    at = position.copy()
    for index in indices:
        if at.result is not None:
            break
        if at.is_stuck:
            at.push_pass()
            continue
        move = at.legal_moves[index]
        moves.append(move)
        at.push(move)
    return tuple(moves)


def _listener(
    native: NativeVM, report: Reporter, start: float
) -> Callable[[int, bytes, int], None]:
    """Turns the search's reports into one Info a line."""
    heard: dict[int, int] = {}

    def listen(what: int, text: bytes, value: int) -> None:
        heard[what] = value
        if what != ReportKind.LINE:
            return
        pv = tuple(native.codec.decode(move) for move in text.split(b"\n")[:-1])
        report(
            Info(
                best=pv[0] if pv else None,
                score=heard.get(ReportKind.SCORE),
                nodes=heard.get(ReportKind.NODES),
                depth=heard.get(ReportKind.DEPTH),
                line=value,
                pv=pv,
                time=time.perf_counter() - start,
            )
        )

    return listen


def _told_by(found: Thought, position: Position) -> dict[str, object]:
    """What else a search has to say."""
    told: dict[str, object] = {
        "stopped": found.stopped,
        "evaluations": found.evaluations,
        "table_hits": found.hits,
        "outside": found.outside,
    }
    if any(found.scores):
        told["scores"] = {
            player.name: found.scores[player.number]
            for player in position.game.player_details
            if player.name in position.game.contestants
        }
    if found.keyless:
        told["warning"] = (
            "moves of this game change so much memory outside the board that positions have "
            "no key: searched without a table"
        )
    return told
