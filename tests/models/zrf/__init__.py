"""A slow, plain interpreter of ZRF rule files: the reference for the games that forthvm compiles.

Written from the contract alone, statement by statement; it must not import forthvm.

    from tests.models import zrf as zrf_model

    rules = zrf_model.load("game.zrf", variant=None)
    position = zrf_model.start(rules)  # or rules.start()
    for move in position.moves(): print(move.text)
    position = position.play(position.moves()[0])
"""

from tests.models.zrf.moves import PASS, Move
from tests.models.zrf.position import Position, perft, start, successors
from tests.models.zrf.rules import Rules, load, titles

__all__ = ["PASS", "Move", "Position", "Rules", "load", "perft", "start", "successors", "titles"]
