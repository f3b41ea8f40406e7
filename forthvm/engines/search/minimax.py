"""The minimax family: alpha-beta for two sides, and related searches for more players.

Owns the translation of options and limits for the search in C, and of principal variations into
moves.  The search is in native/search/ (alpha_beta.c, maxn.c, best_reply.c);
docs/explanation/search.md explains it.
"""

from __future__ import annotations

import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from forthvm.core.bindings import Cache, DeepeningOptions, ReportKind, SharedSearch
from forthvm.engines.errors import EngineError, EngineOptionError
from forthvm.engines.evaluator import Evaluator, installed_evaluator, read_evaluator
from forthvm.engines.network import NetworkOption, read_network
from forthvm.engines.options import flag, integer, parse_options, seconds
from forthvm.engines.protocol import Engine, Info, Limits, NotCopied, SearchResult
from forthvm.engines.search.stopping import Stopper
from forthvm.engines.search.threads import MAX_THREADS, SearchThreads
from forthvm.engines.search.vm_engines import MAX_NODES, vm_seconds
from forthvm.engines.simple import checked_moves
from forthvm.game.memory.scratch import counts_turns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from forthvm.core.bindings import DeepeningResult, NativeVM
    from forthvm.engines.protocol import Reporter
    from forthvm.game import Game, Move, Position

__all__ = ["BestReplyEngine", "MaxnEngine", "NegamaxEngine", "ParanoidEngine"]

MAX_DEPTH = 100
DEFAULT_DEPTH = 4
"""The depth in plies of a search without any limit."""

_MEGABYTE = 1 << 20
_FEATURE_BITS = {
    "killers": 2,
    "history": 4,
    "captures": 8,
    "pvs": 16,
    "quiescence": 32,
    "repetition": 64,
}
_TABLE_BIT = 1
"""The bit of the transposition table; `_FEATURE_BITS` has the bits of the other features."""
ALL_FEATURES = _TABLE_BIT | sum(_FEATURE_BITS.values())
DEFAULT_CHANCE_OUTCOMES = 4
"""The default of the option `samples` if time or nodes are limited."""


class NegamaxEngine(NotCopied, Engine):
    """Alpha-beta with iterative deepening, principal variation search and transposition table.

    With more than two players, all players except allies of the player to move count as one
    opponent.

    Options:
        depth, time (seconds), nodes: limits; default 4 plies.
        tt: size of the transposition table in megabytes; 0 for no table.
        killers, history, captures, pvs, quiescence, repetition: yes or no.
        extension: maximum plies that are searched beyond the horizon.
        samples: number of chance outcomes searched at a chance node; 0 for all outcomes.
        lines: number of best moves to find, with a principal variation for each (`info["lines"]`).
        seed: seed of the random order of equally ranked moves; 0 for the order of the move list.
        threads: number of parallel searches that share the table or, in `maxn` and `brs`, divide
            the moves of the root.  With a table, the result depends on timing.
        evaluator: a function in place of OnEvaluate, or `module:function` (evaluator.py).
        net: the file of a network that evaluates, or `none`; default: `NAME.net` beside the
            game, if there is one (network.py).
    """

    name = "negamax"
    loads_late = True
    _search_kind: ClassVar[int] = 0
    """The kind of search in C: 0 is alpha-beta, 1 max^n, 2 best-reply search."""
    _default_depth: ClassVar[int] = DEFAULT_DEPTH

    def __init__(self, **options: object) -> None:
        """Parse the options; see the class."""
        parsed = parse_options(self.name, options, self._readers())
        limits = {key: parsed.pop(key) for key in ("depth", "time", "nodes") if key in parsed}
        self._limits = Limits(**limits)  # type: ignore[arg-type]  # the readers check the types
        evaluator = parsed.pop("evaluator", None)
        self._evaluator = evaluator if isinstance(evaluator, Evaluator) else None
        given = "net" in parsed or self._evaluator is not None
        self._network = NetworkOption(parsed.pop("net", None), is_given=given)
        if "net" in options and self._evaluator is not None:
            raise EngineOptionError(f"{self.name}: either net or evaluator evaluates, not both")
        self._threads = SearchThreads(int(str(parsed.pop("threads", 1))))
        if self._evaluator is not None and self._threads.size > 1:
            raise EngineOptionError(f"{self.name}: an evaluator in Python needs threads=1")
        size = int(str(parsed.pop("tt", 16)))
        self._table = Cache(size * _MEGABYTE) if size else None
        features = _TABLE_BIT if size else 0
        for name, bit in _FEATURE_BITS.items():
            features |= bit if parsed.pop(name, True) else 0
        numbers = {name: int(str(value)) for name, value in parsed.items()}
        defaults = DeepeningOptions(self._search_kind, features)
        self._options = defaults.replace(**numbers)
        self._samples_given = "samples" in numbers
        self._stopper = Stopper()
        self._game_options: WeakKeyDictionary[Game, tuple[int, int]] = WeakKeyDictionary()

    @classmethod
    def _readers(cls) -> dict[str, Callable[[object], object]]:
        numbers = {
            "depth": integer(1, MAX_DEPTH),
            "nodes": integer(1, MAX_NODES),
            "tt": integer(0, 1 << 16),
            "extension": integer(0, 60),
            "samples": integer(0, 1 << 16),
            "lines": integer(1, 256),
            "seed": integer(0, 2**32 - 1),
            "threads": integer(1, MAX_THREADS),
        }
        flags = dict.fromkeys(_FEATURE_BITS, flag)
        return {
            **numbers,
            **flags,
            "time": seconds,
            "evaluator": read_evaluator,
            "net": read_network,
        }

    def stop(self) -> None:
        """End the running search immediately; it returns its best move so far."""
        self._stopper.stop()

    def new_game(self) -> None:
        """Clear the transposition table."""
        if self._table is not None:
            self._table.clear()

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Search; if a limit ends the search early, return the best move so far."""
        start = time.perf_counter()
        self._stopper.begin()
        checked_moves(position, limits)
        options = self._search_options(position.game, limits)

        results: list[DeepeningResult] = []
        shared = SharedSearch() if self._threads.size > 1 else None

        def search_in_thread(native: NativeVM, number: int) -> None:
            """Help by filling the shared table, or by searching some moves of the root."""
            own_options = options.replace(lines=1, thread=number)
            results.append(native.deepening_search(own_options, self._table, shared))

        try:
            threads = self._threads.running(position, search_in_thread)
            with threads, self._in_memory(position, report, start) as native:
                result = native.deepening_search(options, self._table, shared)
                results.append(result)
        finally:
            self._clear_relative_keys(results)
        # A search that is stopped in the middle of an iteration returns the lines of this
        # iteration, then those of the previous one.  Of two lines with the same first move, only
        # the first line counts.
        first_line = {line.moves[0]: line for line in reversed(result.lines)}
        lines = [
            (line.score, moves_along(position, line.moves))
            for line in result.lines
            if first_line[line.moves[0]] is line
        ]
        score, pv = lines[0]
        if not pv:
            raise EngineError(
                "the script generates another list of moves each time, so the move that the search"
                " has found is not in the list"
            )
        return SearchResult(
            move=pv[0],
            score=score,
            pv=pv,
            depth=result.lines[0].depth,
            nodes=sum(each.nodes for each in results),
            time=time.perf_counter() - start,
            info={
                "lines": lines,
                **_result_info(result, position),
                **self._network.info(position.game),
            },
        )

    def _clear_relative_keys(self, results: Sequence[DeepeningResult]) -> None:
        """Clear the table if its keys depend on the position searched; all threads have ended.

        Keys depend on the values at the root of the cells outside the board that moves change.
        """
        failed = len(results) < self._threads.size
        if self._table is not None and (failed or any(each.off_board_cells for each in results)):
            self._table.clear()

    @contextmanager
    def _in_memory(
        self, position: Position, report: Reporter | None, start: float
    ) -> Iterator[NativeVM]:
        """Enter the position in its VM, with listener, evaluator and stopper installed."""
        evaluator = self._evaluator
        with position._in_memory() as native:
            before = native.host.report
            listener = None if report is None else _listener(position.game, report, start)
            native.host.report = listener
            installed = (
                installed_evaluator(evaluator, position.game, engine=self.name, ply=position.ply)
                if evaluator
                else nullcontext()
            )
            try:
                with self._stopper.running(native), installed:
                    yield native
            finally:
                native.host.report = before

    def _search_options(self, game: Game, limits: Limits | None) -> DeepeningOptions:
        merged = (limits or Limits()).with_defaults(self._limits)
        depth = merged.depth
        limited = merged.seconds is not None or merged.nodes is not None
        if depth is None:
            depth = MAX_DEPTH if limited else self._default_depth
        chance, count_turns = self._chance_bits_and_count_turns(game)
        network = self._network.of_game(game)
        options = self._options.replace(network=network)
        if chance and limited and not self._samples_given:
            options = options.replace(samples=DEFAULT_CHANCE_OUTCOMES)
        return options.replace(
            depth=min(depth, MAX_DEPTH),
            nodes=-(-min(merged.nodes or 0, MAX_NODES) // self._threads.size),
            seconds=vm_seconds(merged),
            chance=chance,
            count_turns=count_turns,
        )

    def _chance_bits_and_count_turns(self, game: Game) -> tuple[int, int]:
        """Return the bit set of the chance players, and 1 if the script reads the turn number."""
        if game not in self._game_options:
            self._game_options[game] = game._loaded.chance_bits, int(counts_turns(game._loaded))
        return self._game_options[game]


class ParanoidEngine(NegamaxEngine):
    """Another name of `negamax`, in which all opponents already count as one."""

    name = "paranoid"


class MaxnEngine(NegamaxEngine):
    """Max^n: each player maximizes its own score (Luckhardt and Irani, 1986)."""

    name = "maxn"
    _search_kind = 1
    _default_depth = 3


class BestReplyEngine(NegamaxEngine):
    """Best-reply search (Schadd and Winands, 2011): only the opponent with the best reply moves."""

    name = "brs"
    _search_kind = 2


def moves_along(position: Position, indices: Iterable[int]) -> tuple[Move, ...]:
    """Return the moves of a principal variation, without forced passes.

    It ends before a move that is not in the list, which a script may generate in another way now.
    """
    moves = []
    current = position.copy()
    for index in indices:
        if current.result is not None:
            break
        if current.is_stuck:
            current.push_pass()
            continue
        if index >= len(current.legal_moves):
            break
        move = current.legal_moves[index]
        moves.append(move)
        current.push(move)
    return tuple(moves)


def _listener(game: Game, report: Reporter, start: float) -> Callable[[int, bytes, int], None]:
    """Return a function that combines reports of the VM to an Info for each principal variation."""
    values: dict[int, int] = {}
    scores: dict[str, int] | None = None

    def listen(kind: int, text: bytes, value: int) -> None:
        nonlocal scores
        values[kind] = value
        if kind == ReportKind.SCORES:
            scores = _scores_by_name(game, [int(score) for score in text.split()])
        if kind != ReportKind.LINE:
            return
        pv = tuple(game._loaded.vm.native.codec.decode(move) for move in text.split(b"\n")[:-1])
        report(
            Info(
                best=pv[0] if pv else None,
                score=values.get(ReportKind.SCORE),
                nodes=values.get(ReportKind.NODES),
                depth=values.get(ReportKind.DEPTH),
                line=value,
                pv=pv,
                time=time.perf_counter() - start,
                scores=scores,
            )
        )

    return listen


def _scores_by_name(game: Game, scores: Sequence[int]) -> dict[str, int]:
    """Return the score of each player who can win, given the scores by player number."""
    return {
        player.name: scores[player.number]
        for player in game.player_details
        if player.name in game.contestants
    }


def _result_info(result: DeepeningResult, position: Position) -> dict[str, object]:
    """Return the entries of `SearchResult.info` except `lines`."""
    info: dict[str, object] = {
        "stopped": result.stopped,
        "evaluations": result.evaluations,
        "table_hits": result.tt_cutoffs,
        "outside": result.off_board_cells,
    }
    scores = result.lines[0].scores
    if any(scores):
        info["scores"] = _scores_by_name(position.game, scores)
    if result.table_disabled:
        info["warning"] = (
            "moves of this game change too much memory outside the board to compute a hash key: "
            "searched without a transposition table"
        )
    return info
