"""Small ForthScript games that several tests play, by name."""

from __future__ import annotations

__all__ = ["GRID_3X3", "HEAPS", "PASSES", "STORES"]

GRID_3X3 = """\
{board 3 3 {grid} board}
{directions 0 1 {direction} east directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
"""
"""Nine squares, one direction and two players: the head of a game."""

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

PASSES = """\
\\ Black can never move, so the host passes for Black.  White needs three steps to the last square.
{board 2 4 {grid} board}
{directions 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: walk ( -- ) right verify empty? verify from here move add-move ;
{moves walks {move} walk moves}
{pieces {piece} walker {moves} walks {piece} rock pieces}
{board-setup {setup} White walker a1 {setup} Black rock a2 board-setup}
: OnIsGameOver ( -- score ) d1 empty-at? IF #UnknownScore ELSE #LossScore ENDIF ;
"""

STORES = """\
(game (title "Stores")
  (players White Black) (turn-order White Black)
  (option "recycle captures" true)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("1" (0 10)))
    (directions (e 1 0))))
  (piece (name Man) (moves (e add)) (drops ((verify empty?) add)))
  (piece (name Tent) (drops ((verify empty?) add)))
  (board-setup %s)
)
"""
"""A rule file of three squares; the set-up has pieces in stores (`Tent off 2`)."""
