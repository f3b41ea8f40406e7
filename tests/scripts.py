"""Small ForthScript games that several tests play."""

from __future__ import annotations

__all__ = ["HEAPS"]

HEAPS = """\
\\ Two heaps, no grid.  A player takes its own heap; a player that cannot move has lost.
{board {position} left-heap {position} right-heap board}
{players {player} First {player} Second players}
{turn-order {turn} First {turn} Second turn-order}
: take ( -- ) friend? verify capture add-move ;
{moves takes {move} take moves}
{pieces {piece} heap {moves} takes pieces}
{board-setup {setup} First heap left-heap {setup} Second heap right-heap board-setup}
: OnIsGameOver ( -- score ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;
"""
