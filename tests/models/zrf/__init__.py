"""A slow, plain interpreter of ZRF rule files: the reference for the games that forthvm compiles.

Written from the contract alone, statement by statement; it must not import forthvm.  In short:

    position = zrf.load("game.zrf", variant=None).start()
    for move in position.moves():
        print(move.text, position.play(move).result)
"""

from tests.models.zrf.moves import PASS, Move
from tests.models.zrf.position import Position, perft, start, successors
from tests.models.zrf.reader import ReadError
from tests.models.zrf.rules import Rules, load, load_text, titles
from tests.models.zrf.saved_games import Replay, ReplayError, replay

__all__ = [
    "PASS",
    "Move",
    "Position",
    "ReadError",
    "Replay",
    "ReplayError",
    "Rules",
    "load",
    "load_text",
    "perft",
    "replay",
    "start",
    "successors",
    "titles",
]
