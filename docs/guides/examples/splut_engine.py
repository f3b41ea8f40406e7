"""The engine for Splut! of an article, ported from scripts/splut/custom-engine.4th and worth.4th.

    forthvm run splut-duel --auto --engine South=splut_engine:ArticleEngine --engine North=random

Run it in this folder, or with this folder on PYTHONPATH.  It is an alpha-beta search for any number
of players with several steps in a turn.  All other players are treated as one opponent, and scores
are from the view of the searching player.  The search is much slower than the original in Forth.
It shows what an engine in Python needs: options, limits, reports and `stop`.  A native search with
`worth` as its evaluator is faster (see docs/guides/engines-in-python.md).

The article is one on Axiom that uses Splut! as its example; scripts/splut/README.md describes how
our engines compare with its engine.
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

# The features that are counted, each for the player and for all other players together.
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
ARTICLE_WEIGHTS = (9000, -3000, 300, -100, -500, 100, -30, 10)
"""The weight of each feature in the article."""

WON = 100_000
"""The score of a win, above the value of any undecided position."""
INFINITY = 200_000
DEEPEST = 15


def features(game: Game, cells: Sequence[int], player: str) -> list[int]:
    """Returns the count of each of FEATURES on a board, from the view of a player."""
    counts = [0] * len(FEATURES)
    stones = []
    pieces = []
    # Pieces on positions after the grid are internal state of the game.
    for square, cell in enumerate(cells[: game.grid.rows * game.grid.columns]):
        if cell and (piece := game._loaded.roster.piece(cell)) is not None:
            if piece.type in STONES:
                stones.append(divmod(square, game.grid.columns))
            else:
                pieces.append((piece, *divmod(square, game.grid.columns)))
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


def worth(counts: Sequence[int], weights: Sequence[int] = ARTICLE_WEIGHTS) -> int:
    """Returns the value of a position: the sum of its counts, each multiplied by its weight."""
    return sum(count * weight for count, weight in zip(counts, weights, strict=True))


class _Stopped(Exception):  # noqa: N818 - not an error
    """Ends the search: a limit is reached, or `stop` was called."""


class ArticleEngine(Engine):
    """The article's search.

    Options:
        depth: single steps to search (4); ignored if there is a time limit.
        die: the largest random bonus of a move at the root (5).
        seed: the seed of this bonus.
    """

    name = "article"

    def __init__(self, **options: object) -> None:
        """Parses the options, which are strings if they come from a command line."""
        readers = {"depth": integer(1, DEEPEST), "die": integer(0), "seed": integer(0)}
        given = parse_options(self.name, options, readers)
        self.depth = given.get("depth", 4)
        self.die = given.get("die", 5)
        self.random = random.Random(given.get("seed"))
        self.stopped = threading.Event()

    def stop(self) -> None:
        """Ends the search at the next position."""
        self.stopped.set()

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Searches to a depth or, with a time limit, to increasing depths."""
        self.stopped.clear()
        limits = limits or Limits()
        if position.result is not None or not position.legal_moves:
            raise EngineError(f"{position.turn} has nothing to play here")
        return _Search(self, position, limits, report).run()


class _Search:
    """The search for one move.

    It does not change `position`.  Each iteration works on a copy, so an interrupted iteration need
    not unmake its moves.
    """

    def __init__(
        self, engine: ArticleEngine, position: Position, limits: Limits, report: Reporter | None
    ) -> None:
        self.engine = engine
        self.position = position
        self.player = position.turn
        self.report = report or (lambda info: None)
        self.begun = time.perf_counter()
        self.deadline = None if limits.time is None else self.begun + limits.time
        self.node_limit = limits.nodes
        self.last_depth = min(limits.depth or DEEPEST, DEEPEST)
        self.first_depth = 1
        if self.deadline is None:
            self.first_depth = self.last_depth = min(self.last_depth, engine.depth)
        self.nodes = 0

    def run(self) -> SearchResult:
        moves = list(self.position.legal_moves)
        best, score, searched = moves[0], 0, 0
        if len(moves) > 1:
            for depth in range(self.first_depth, self.last_depth + 1):
                found, completed = self.search_root(moves, depth)
                # An interrupted iteration is used only if it is the first one.
                if found and (completed or not searched):
                    (best, score), searched = found, depth
                    self.report(self.info(best=best.text, score=score, depth=depth))
                if not completed or abs(score) > WON - 10:
                    break
        return SearchResult(
            move=best,
            score=score,
            pv=(best,),
            depth=searched,
            nodes=max(self.nodes, 1),
            time=time.perf_counter() - self.begun,
        )

    def search_root(self, moves: list[Move], depth: int) -> tuple[tuple[Move, int] | None, bool]:
        """Returns the best move with its score, and whether all moves were searched."""
        best: tuple[Move, int] | None = None
        at = self.position.copy()
        try:
            for move in moves:
                self.report(self.info(current=move.text))
                # The bonus is chosen before the search and lowers alpha.  A move that does not
                # exceed the best score gets that score from the search.
                bonus = self.engine.random.randint(0, self.engine.die)
                alpha = -INFINITY if best is None else best[1]
                at.push(move)
                score = bonus + self.node(at, depth - 1, alpha - bonus, INFINITY)
                at.pop()
                if score > alpha:
                    best = move, score
        except _Stopped:
            return best, False
        return best, True

    def node(self, at: Position, level: int, alpha: int, beta: int) -> int:
        """Returns the value of a position, `level` steps before the horizon."""
        self.check_limits()
        self.nodes += 1
        counts = features(at.game, at.cells, self.player)
        if not counts[1]:
            return WON + level  # earlier wins are better
        if not counts[0]:
            return -WON - level
        if not level:
            return worth(counts)
        if at.result is not None:
            return 0  # a draw by `max-turns`, which the article does not have
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

    def check_limits(self) -> None:
        late = self.deadline is not None and time.perf_counter() >= self.deadline
        exhausted = self.node_limit is not None and self.nodes >= self.node_limit
        if late or exhausted or self.engine.stopped.is_set():
            raise _Stopped

    def info(self, **what: object) -> Info:
        return Info(nodes=self.nodes, time=time.perf_counter() - self.begun, **what)  # type: ignore[arg-type]
