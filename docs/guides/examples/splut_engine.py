"""The article's engine for Splut!, ported from scripts/splut/custom-engine.4th and worth.4th.

    forthvm run splut-duel --auto --engine South=splut_engine:ArticleEngine --engine North=random

Run it in this folder, or with it on PYTHONPATH.  Alpha-beta for any number of players with
several steps a turn: all others are one hostile player, every score is the searcher's own.
It is slower than the original by far, and shows what an engine in Python needs: options,
limits, reports, `stop`.  For speed, hand `worth` to a native search, as in
docs/guides/engines-in-python.md.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence

from forthvm.engines import Engine, EngineError, Info, Limits, Reporter, SearchResult
from forthvm.engines.options import integer, parse_options
from forthvm.game import Game, Move, Position

STONES = ("sstone", "wstone", "nstone", "estone")

# What is counted of a position, first for oneself, then for all others together.
FEATURES = (
    "own wizards",
    "others' wizards",
    "own dwarfs",
    "others' dwarfs",
    "stones in line with own wizards",
    "stones in line with others' wizards",
    "steps from own trolls to stones",
    "steps from others' trolls to stones",
)
ARTICLE = (9000, -3000, 300, -100, -500, 100, -30, 10)
"""What each of them is worth by the article."""

WON = 100_000
"""More than any position is worth that is not decided."""
INFINITY = 200_000
DEEPEST = 15


def features(game: Game, cells: Sequence[int], player: str) -> list[int]:
    """The counts of FEATURES, as a player sees a board."""
    counts = [0] * len(FEATURES)
    stones = []
    pieces = []
    # The positions behind the grid are the game's memory, with locks and marks for pieces.
    for square, cell in enumerate(cells[: game.rows * game.columns]):
        if cell and (piece := game.roster.piece(cell)) is not None:
            if piece.type in STONES:
                stones.append(divmod(square, game.columns))
            else:
                pieces.append((piece, *divmod(square, game.columns)))
    for piece, row, column in pieces:
        side = int(piece.player != player)
        if piece.type == "wizard":
            counts[side] += 1
            counts[4 + side] += sum(row == r or column == c for r, c in stones)
        elif piece.type == "dwarf":
            counts[2 + side] += 1
        elif piece.type == "troll":
            counts[6 + side] += sum(abs(row - r) + abs(column - c) for r, c in stones)
    return counts


def worth(counts: Sequence[int], weights: Sequence[int] = ARTICLE) -> int:
    """The counts, weighed."""
    return sum(count * weight for count, weight in zip(counts, weights, strict=True))


class _Enough(Exception):  # noqa: N818 - nothing went wrong
    """A limit is reached, or somebody wants the move now."""


class ArticleEngine(Engine):
    """The article's search.

    Options:
        depth: single steps to look ahead, 4; against a clock, as many as time allows.
        die: up to how much is added by lot to each move at the root, 5.
        seed: of that lot.
    """

    name = "article"

    def __init__(self, **options: object) -> None:
        """Reads the options; on the command line they come as texts."""
        readers = {"depth": integer(1, DEEPEST), "die": integer(0), "seed": integer(0)}
        given = parse_options(self.name, options, readers)
        self.depth = given.get("depth", 4)
        self.die = given.get("die", 5)
        self.lots = random.Random(given.get("seed"))
        self.stopped = threading.Event()

    def stop(self) -> None:
        """The search ends at the next position."""
        self.stopped.set()

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Searches to a depth, or against a clock deeper and deeper."""
        self.stopped.clear()
        limits = limits or Limits()
        if position.result is not None or not position.legal_moves:
            raise EngineError(f"{position.turn} has nothing to play here")
        return _Search(self, position, limits, report).run()


class _Search:
    """One move's thinking.

    `position` is the asker's and stays as it is.  A look works on a copy of its own: one that
    is broken off need not take its moves back.
    """

    def __init__(
        self, engine: ArticleEngine, position: Position, limits: Limits, report: Reporter | None
    ) -> None:
        self.engine = engine
        self.position = position
        self.player = position.turn
        self.report = report or (lambda info: None)
        self.begun = time.perf_counter()
        self.ends = None if limits.time is None else self.begun + limits.time
        self.most_nodes = limits.nodes
        self.last = min(limits.depth or DEEPEST, DEEPEST)
        self.first = 1
        if self.ends is None:
            self.first = self.last = min(self.last, engine.depth)
        self.nodes = 0

    def run(self) -> SearchResult:
        moves = list(self.position.legal_moves)
        best, score, looked = moves[0], 0, 0
        if len(moves) > 1:
            for depth in range(self.first, self.last + 1):
                found, whole_look = self.look(moves, depth)
                # A look that was broken off counts only if there was none before.
                if found and (whole_look or not looked):
                    (best, score), looked = found, depth
                    self.report(self.info(best=best.text, score=score, depth=depth))
                if not whole_look or abs(score) > WON - 10:
                    break
        return SearchResult(
            move=best,
            score=score,
            pv=(best,),
            depth=looked,
            nodes=max(self.nodes, 1),
            time=time.perf_counter() - self.begun,
        )

    def look(self, moves: list[Move], depth: int) -> tuple[tuple[Move, int] | None, bool]:
        """The best move and its score; whether all moves were tried."""
        best: tuple[Move, int] | None = None
        at = self.position.copy()
        try:
            for move in moves:
                self.report(self.info(current=move.text))
                # The lot is drawn before the move is searched, and lowers the bar: a move that
                # fails to reach the bar comes back with the bar itself as its score.
                lot = self.engine.lots.randint(0, self.engine.die)
                bar = -INFINITY if best is None else best[1]
                at.push(move)
                score = lot + self.node(at, depth - 1, bar - lot, INFINITY)
                at.pop()
                if score > bar:
                    best = move, score
        except _Enough:
            return best, False
        return best, True

    def node(self, at: Position, level: int, alpha: int, beta: int) -> int:
        """What a position is worth to the searcher, `level` steps before the horizon."""
        self.look_at_limits()
        self.nodes += 1
        counts = features(at.game, at.cells, self.player)
        if not counts[1]:
            return WON + level  # the sooner, the better
        if not counts[0]:
            return -WON - level
        if not level:
            return worth(counts)
        if at.result is not None:
            return 0  # the article knows no draw; `max-turns` does
        ours = at.turn == self.player
        for move in at.legal_moves:
            at.push(move)
            score = self.node(at, level - 1, alpha, beta)
            at.pop()
            if ours:
                alpha = max(alpha, score)
            else:
                beta = min(beta, score)
            if alpha >= beta:
                break
        return alpha if ours else beta

    def look_at_limits(self) -> None:
        late = self.ends is not None and time.perf_counter() >= self.ends
        full = self.most_nodes is not None and self.nodes >= self.most_nodes
        if late or full or self.engine.stopped.is_set():
            raise _Enough

    def info(self, **what: object) -> Info:
        return Info(nodes=self.nodes, time=time.perf_counter() - self.begun, **what)  # type: ignore[arg-type]
