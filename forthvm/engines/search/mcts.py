"""The engine `mcts`: Monte Carlo tree search in C, and its tree as an object.

Owns the translation of options and limits for native/search/mcts.c, and the tree object, which can
be read, used again for the next move, saved and loaded.  docs/explanation/search.md tells how the
tree is searched.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from forthvm.core import reading
from forthvm.core.arguments import check
from forthvm.core.bindings import Tree, TreeMemory, TreeNode, TreeOptions
from forthvm.engines.errors import EngineError
from forthvm.engines.network import NetworkOption, read_network
from forthvm.engines.options import flag, integer, number, parse_options, seconds
from forthvm.engines.protocol import Engine, Info, Limits, NotCopied, SearchResult, check_limits
from forthvm.engines.search.minimax import moves_along
from forthvm.engines.search.stopping import Stopper
from forthvm.engines.search.threads import MAX_THREADS, SearchThreads
from forthvm.engines.search.vm_engines import MAX_NODES, vm_seconds
from forthvm.engines.simple import checked_moves
from forthvm.game import DRAW, LOSS, WIN
from forthvm.game.position import check_position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.core.bindings import NativeVM
    from forthvm.engines.protocol import Reporter
    from forthvm.game import Position

__all__ = ["MctsEngine", "SearchTree", "TreeView"]

DEFAULT_PLAYOUTS = 2000
DEFAULT_STEPS = 20_000_000
"""The limit of VM steps in a search without limits; it takes some tenths of a second."""
_MIN_PLAYOUTS = 200
"""If the script evaluates positions, playouts are shortened so that this number of playouts is
possible in `DEFAULT_STEPS`."""
_PLAYOUT_PLIES = 1000
"""The default maximum length of a playout."""
_PLAYOUT_PLIES_OF_SEVERAL = 24
"""The default with more than two players, if the script evaluates positions.  Random games of
several players are long, so their results say little about one move (docs/explanation/search.md).
"""
_SCORES = {"win": WIN, "draw": DRAW, "loss": LOSS}
DEFAULT_MAX_NODES = 1 << 20
MAX_VISITS = 2**31 - 1
_PROVEN_DRAW = 32
"""`TreeNode.proof` of a proven draw; of a proven win it is the number of the winner."""
_FORMAT = "forthvm-tree"
_integer, _number = reading.integer(), reading.number()
_read_document = reading.record(
    {
        "format": reading.text(),
        "version": reading.integer(1, 2),
        "position": reading.as_type(object),
        # The fields of TreeNode and TreeMemory.
        "nodes": reading.list_of(reading.tuple_of(*[_integer] * 5, _number, _number)),
        "memory": reading.record(
            {
                "random": reading.integer(0, 2**64 - 1),
                "scale": _number,
                "history": reading.list_of(reading.tuple_of(_integer, _number, _integer)),
            }
        ),
    },
    optional={"memory"},  # version 1
)


class TreeView:
    """A node of a search tree.

    Attributes:
        index: Index of the node in the tree.
        move_index: Index of the move that leads to the node, among the parent's legal
            moves; -1 for the root.
    """

    def __init__(self, tree: SearchTree, index: int, move_index: int) -> None:
        """Create a view of a node; callers use `SearchTree.root` and `children`."""
        self._tree = tree
        self.index = index
        self.move_index = move_index

    @property
    def _node(self) -> TreeNode:
        return self._tree.nodes(self.index, 1)[0]

    @property
    def visits(self) -> int:
        """The number of visits of the node by the search."""
        return self._node.visits

    @property
    def mover(self) -> str:
        """The player who made the move to the node; for the root, the player to move."""
        number = 0 if self.index == 0 else self._node.mover
        return self._tree.player_name(number) if number else self._tree.position.turn

    @property
    def value(self) -> float:
        """The mean reward of the `mover`, from 0 to 1; 0.5 without visits.

        For the root it is the mean over the visits of all children.
        """
        node = self._node
        if self.index != 0:
            return node.sum / node.visits if node.visits else 0.5
        visited = [child for child in self._tree.nodes(node.first, node.count) if child.visits]
        visits = sum(child.visits for child in visited)
        return sum(child.sum for child in visited) / visits if visits else 0.5

    @property
    def proof(self) -> str | None:
        """The proven winner; `draw` for a proven draw; None if nothing is proven."""
        proof = self._node.proof
        return (
            None
            if proof == 0
            else "draw"
            if proof == _PROVEN_DRAW
            else self._tree.player_name(proof)
        )

    @property
    def children(self) -> tuple[TreeView, ...]:
        """A node for each legal move, in order; empty before the node is expanded."""
        node = self._node
        return tuple(TreeView(self._tree, node.first + k, k) for k in range(node.count))

    def __repr__(self) -> str:
        return f"<node {self.index}: {self.visits} visits, value {self.value:.3f}>"


class SearchTree:
    """A Monte Carlo search tree, which `MctsEngine` grows."""

    def __init__(self, position: Position, most_nodes: int = DEFAULT_MAX_NODES) -> None:
        """Create an empty tree whose root is `position`."""
        check_position(position, "SearchTree")
        self.position = position.copy()
        self.most_nodes = most_nodes
        self.native = Tree(most_nodes)

    def __len__(self) -> int:
        """Number of nodes."""
        return len(self.native)

    def nodes(self, first: int, count: int) -> tuple[TreeNode, ...]:
        """Return `count` nodes, beginning with index `first`."""
        return self.native.read(first, count)

    def player_name(self, number: int) -> str:
        """Return the name of a player by number."""
        return self.position.game.players[number - 1]

    def _is_valid(self, nodes: list[TreeNode]) -> bool:
        """Whether nodes form a tree in which all players and moves exist in the game."""
        has_parent = bytearray(len(nodes))
        players = {0, _PROVEN_DRAW, *range(1, len(self.position.game.players) + 1)}
        for node in nodes:
            children = range(node.first, node.first + node.count) if node.first else range(0)
            if node.proof not in players or node.mover not in players - {_PROVEN_DRAW}:
                return False
            if len(children) > len(nodes) or not all(0 < child < len(nodes) for child in children):
                return False
            if any(has_parent[child] for child in children):
                return False
            for child in children:
                has_parent[child] = 1
        # An expanded root has a child for each legal move, or one child for a forced pass.
        return not nodes or nodes[0].count in (0, max(1, len(self.position.legal_moves)))

    @property
    def root(self) -> TreeView:
        """The root node."""
        return TreeView(self, 0, -1)

    def best_index(self) -> int:
        """Return the first index of `ranking`; 0 before a search."""
        return next(iter(self.ranking()), 0)

    def ranking(self) -> list[int]:
        """Return the indices of the moves at the root, the best first.

        Proven wins come first and proven losses last; other moves are sorted by visits.
        """
        mover = self.position.player_index + 1
        node = self.nodes(0, 1)[0]
        children = self.nodes(node.first, node.count) if node.first else ()

        def sort_key(child: TreeNode) -> tuple[int, int, float]:
            proven = 2 if child.proof == mover else 1 if child.proof in (0, _PROVEN_DRAW) else 0
            return proven, child.visits, child.sum

        return sorted(range(len(children)), key=lambda at: sort_key(children[at]), reverse=True)

    def most_visited_path(self, first: int | None = None) -> Iterator[int]:
        """Yield the indices of the moves along the most visited path from the root.

        Args:
            first: The index of the first move; None for the best move.
        """
        first = self.best_index() if first is None else first
        yield first
        at = self.nodes(0, 1)[0].first + first
        while at and (node := self.nodes(at, 1)[0]).first:
            children = self.nodes(node.first, node.count)
            best = max(range(node.count), key=lambda k: children[k].visits)
            if not children[best].visits:
                return
            yield best
            at = node.first + best

    def follow(self, index: int) -> None:
        """Make a move at the root; the tree becomes the subtree after this move.

        Raises:
            IndexError: The position has no such move.
        """
        self.position.push(self.position.legal_moves[index])
        if not self.native.follow(index):
            self.native.clear()

    def to_json(self) -> str:
        """Return the tree as a JSON document for `from_json`.

        The document includes the random stream and the history statistics.  Therefore a search
        continues in the loaded tree as in this tree.
        """
        return json.dumps(
            {
                "format": _FORMAT,
                "version": 2,
                "position": json.loads(self.position.to_json()),
                "nodes": [list(vars(node).values()) for node in self.nodes(0, len(self))],
                "memory": vars(self.native.get_state()),
            }
        )

    def __reduce__(self) -> tuple[object, ...]:
        return SearchTree.from_json, (self.position, self.to_json(), self.most_nodes)

    @classmethod
    def from_json(
        cls, position: Position, text: str, most_nodes: int = DEFAULT_MAX_NODES
    ) -> SearchTree:
        """Load a tree that `to_json` saved; `position` is any position of the tree's game.

        Raises:
            EngineError: The document is not a saved tree, or the tree is not valid.
            PositionError: The tree's position does not belong to this game.
        """
        check_position(position, "from_json")
        try:
            document = _read_document(reading.parse_json(text))
            if document["format"] != _FORMAT:
                raise ValueError("unknown format")
            nodes = [TreeNode(*row) for row in document["nodes"]]
            memory = TreeMemory(**document["memory"]) if document["version"] > 1 else None
            saved_position = json.dumps(document["position"])
        except (KeyError, ValueError) as error:
            raise EngineError(f"not a saved search tree: {error}") from error
        tree = cls(type(position).from_json(position.game, saved_position), most_nodes)
        try:
            valid = tree._is_valid(nodes) and tree.native.write(nodes)
            valid = valid and (memory is None or tree.native.set_state(memory))
        except (OverflowError, IndexError):
            valid = False
        if not valid:
            raise EngineError("not a valid search tree")
        return tree


class MctsEngine(NotCopied, Engine):
    """UCT with progressive history, for any number of players, including chance players.

    Options:
        time (seconds), playouts: limits; default 2,000 playouts, but at most 20,000,000 VM steps.
        depth: maximum plies of a playout before OnEvaluate scores it; 0 for no playout; default
            1,000, or 24 with more than two players if the script evaluates positions, or 0 with a
            network.  Without this option and without limits, playouts are shortened if fewer than
            200 playouts would be possible.
        exploration, history: weights of the exploration term and of the history heuristic.
        seed: seed of the random numbers.
        most_nodes: maximum number of nodes of the tree.
        keep: whether the next search begins with the subtree after the moves made since.
        threads: number of threads that search the tree together, each with its own VM; default 1.
        lines: number of best moves to report with their lines, in `info["lines"]`; default 1.
        net: the file of a network that evaluates, or `none`; default: `NAME.net` beside the
            game, if there is one (network.py).
    """

    name = "mcts"
    loads_late = True

    def __init__(self, **options: object) -> None:
        """Parse the options; see the class."""
        parsed = parse_options(self.name, options, self._readers())
        limits = {"time": parsed.pop("time", None), "nodes": parsed.pop("playouts", None)}
        self._limits = Limits(**limits)
        self._most_nodes = int(str(parsed.pop("most_nodes", DEFAULT_MAX_NODES)))
        self._keep = bool(parsed.pop("keep", False))
        self._lines = int(str(parsed.pop("lines", 1)))
        self._threads = SearchThreads(int(str(parsed.pop("threads", 1))))
        self._network = NetworkOption(parsed.pop("net", None), is_given="net" in options)
        self._has_depth = "depth" in parsed
        plies = int(str(parsed.pop("depth", _PLAYOUT_PLIES)))
        self._options = TreeOptions(playout_plies=plies).replace(**parsed)
        self._stopper = Stopper()
        self.tree: SearchTree | None = None

    @classmethod
    def _readers(cls) -> dict[str, Callable[[object], Any]]:
        return {
            "time": seconds,
            "playouts": integer(1, MAX_NODES),
            "depth": integer(0, 100_000),
            "exploration": number,
            "history": number,
            "seed": integer(0, 2**32 - 1),
            "most_nodes": integer(1, 1 << 30),
            "keep": flag,
            "threads": integer(1, MAX_THREADS),
            "lines": integer(1, 256),
            "net": read_network,
        }

    def stop(self) -> None:
        """End the running search immediately; it returns its best move so far."""
        self._stopper.stop()

    def new_game(self) -> None:
        """Discard the tree."""
        self.tree = None

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Search; the limit `nodes` counts playouts, and the limit `depth` has no effect."""
        start = time.perf_counter()
        self._stopper.begin()
        moves = checked_moves(position, limits)
        tree = self._tree_for(position)
        playouts = self._grow(tree, limits)
        ranked = tree.ranking()[: self._lines] or [0]
        children = tree.root.children
        nodes = [children[at] if children else tree.root for at in ranked]
        lines = [
            (
                _score(node, position.turn),
                moves_along(position, tree.most_visited_path(at)) or (moves[at],),
            )
            for node, at in zip(nodes, ranked, strict=True)
        ]
        score, pv = lines[0]
        proven = _proven(nodes[0], position.turn)
        if report is not None:
            report(Info(best=str(moves[ranked[0]]), score=score, nodes=playouts, proven=proven))
        return SearchResult(
            move=moves[ranked[0]],
            score=score,
            pv=pv,
            depth=len(pv),
            nodes=playouts,
            time=time.perf_counter() - start,
            info={
                "playouts": playouts,
                "tree_nodes": len(tree),
                "proof": tree.root.proof,
                "proven": proven,
                "lines": lines,
                **self._network.info(position.game),
            },
        )

    def grow(self, tree: SearchTree, limits: Limits | None = None) -> int:
        """Continue the search in a tree; return the number of playouts."""
        check(tree, SearchTree, "grow", "a SearchTree")
        check_limits(limits, "grow")
        self._stopper.begin()
        return self._grow(tree, limits)

    def _grow(self, tree: SearchTree, limits: Limits | None) -> int:
        merged = (limits or Limits()).with_defaults(self._limits)
        unlimited = merged.seconds is None and merged.nodes is None
        playouts = DEFAULT_PLAYOUTS if unlimited else min(merged.nodes or 0, MAX_NODES)
        steps = DEFAULT_STEPS if unlimited else 0
        game = tree.position.game
        network = self._network.of_game(game)
        shorten = not self._has_depth and network is None and game._loaded.evaluates
        plies = self._options.playout_plies
        if network is not None and not self._has_depth:
            plies = 0
        if shorten and len(game.contestants) > 2:
            plies = _PLAYOUT_PLIES_OF_SEVERAL
        options = self._options.replace(
            network=network,
            playout_plies=plies,
            steps=steps,
            playout_steps=steps // _MIN_PLAYOUTS if shorten else 0,
            root_visits=min(tree.root.visits + playouts, MAX_VISITS) if playouts else 0,
            seconds=vm_seconds(merged),
            chance=game._loaded.chance_bits,
        )
        counts = [0] * self._threads.size

        def search_in_thread(native: NativeVM, number: int) -> None:
            """Search the same tree with other random numbers."""
            counts[number] = native.tree_grow(
                tree.native, options.replace(thread=number)
            ).iterations

        threads = self._threads.running(tree.position, search_in_thread)
        with threads, tree.position._in_memory() as native, self._stopper.running(native):
            counts[0] = native.tree_grow(tree.native, options).iterations
        return sum(counts)

    def _tree_for(self, position: Position) -> SearchTree:
        """Return the subtree of the last tree if the option `keep` applies, else a new tree."""
        tree = self.tree
        if self._keep and tree is not None and tree.position.game is position.game:
            later_moves = position.history[tree.position.ply :]
            if position.history[: tree.position.ply] == tree.position.history and all(
                played.index >= 0 for played in later_moves
            ):
                for played in later_moves:
                    tree.follow(played.index)
                if tree.position == position:
                    return tree
        self.tree = SearchTree(position, self._most_nodes)
        return self.tree


def _proven(node: TreeView, player: str) -> str | None:
    """Return the proven result of a node for a player: `win`, `draw`, `loss`, or None."""
    if node.proof is None or node.proof == "draw":
        return node.proof
    return "win" if node.proof == player else "loss"


def _score(node: TreeView, player: str) -> int:
    """Return the score of a proven result, else the value scaled to -1000 to 1000."""
    proven = _proven(node, player)
    if proven is not None:
        return _SCORES[proven]
    return round(1000 * (2 * node.value - 1))
