"""Positions that are given as one line: a FEN or SFEN, or a command `position` of UCI or USI.

Owns the moves in such a command, which people copy from the log of an engine.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.engines.protocols.uci.dialect import Dialect
    from forthvm.game import Game, Position

__all__ = ["position_of_line"]

_STARTPOS = re.compile(r"\s*(position\s+)?startpos\s*")
_MOVES = re.compile(r"\s+moves(?=\s|$)")


def position_of_line(game: Game, line: str) -> Position:
    """Returns the position of a line, after the moves in it.

    Raises:
        PositionError: The position is wrong, or the game has none as text.
        MoveError: A move is not legal.
    """
    from forthvm.engines.protocols.words import push_word
    from forthvm.game import Position

    start, *moves = _MOVES.split(line, maxsplit=1)
    position = game.start() if _STARTPOS.fullmatch(start) else Position.from_fen(game, start)
    dialect = _dialect_of(game)
    for word in " ".join(moves).split():
        push_word(position, word, dialect.words_of)
    return position


def _dialect_of(game: Game) -> Dialect:
    """Returns the protocol that programs for a game have; UGI for other games."""
    from forthvm.engines.protocols.uci.dialect import UCCI, UCI, UGI, USI
    from forthvm.game.short_notation import short_notation

    notation = short_notation(game._loaded)
    known = notation.protocols if notation else {}
    return next((each for each in (USI, UCCI, UCI) if each.name in known), UGI)
