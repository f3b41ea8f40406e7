"""Games and grown trees for tests of Monte Carlo tree search."""

from __future__ import annotations

from forthvm.engines import Limits
from forthvm.engines.search.mcts import MctsEngine, SearchTree
from forthvm.game import Position
from tests.kit.games import loaded, play

__all__ = ["after", "grown"]


def after(name: str, *texts: str) -> Position:
    """Return the position of a game after the moves with these texts."""
    return play(loaded(name).start(), *texts)


def grown(position: Position, playouts: int = 300, **options: object) -> SearchTree:
    """Return a tree grown from a position by a number of playouts."""
    tree = SearchTree(position)
    MctsEngine(**options).grow(tree, Limits(nodes=playouts))
    return tree
