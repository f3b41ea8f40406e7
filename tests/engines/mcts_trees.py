"""Games and grown trees for tests of Monte Carlo tree search."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import forthvm
from forthvm.engines import Limits
from forthvm.engines.search.mcts import MctsEngine, SearchTree
from forthvm.game import Game, Position

__all__ = ["SCRIPTS", "after", "grown", "loaded"]

SCRIPTS = Path(__file__).parent / "scripts"


@cache
def loaded(name: str) -> Game:
    script = SCRIPTS / f"{name}.4th"
    return forthvm.load(script if script.exists() else name)


def after(name: str, *texts: str) -> Position:
    """Return the position of a game after the moves with these texts."""
    position = loaded(name).start()
    for text in texts:
        position.push(text)
    return position


def grown(position: Position, playouts: int = 300, **options: object) -> SearchTree:
    """Return a tree grown from a position by a number of playouts."""
    tree = SearchTree(position)
    MctsEngine(**options).grow(tree, Limits(nodes=playouts))
    return tree
