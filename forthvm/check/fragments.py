"""Parts of the example scripts in codes.py."""

from __future__ import annotations

__all__ = ["BOARD", "GAME", "PIECES", "SETUP", "STEP", "SYMMETRIES"]

BOARD = """\
{board 3 3 {grid} board}
{directions 0 1 {direction} east directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
"""
PIECES = """\
{moves man-moves {move} step moves}
{pieces {piece} Man {moves} man-moves pieces}
"""
STEP = ": step ( -- ) east verify empty? verify from here move add-move ;\n"
GAME = BOARD + STEP + PIECES
SETUP = """\
{board-setup
    {setup} White Man a1  {setup} White Man a2  {setup} White Man a3
    {setup} Black Man c1  {setup} Black Man c2  {setup} Black Man c3
board-setup}
"""
SYMMETRIES = """\
{{board 3 3 {{grid}} board}}
{{directions
    -1 1 {{direction}} ne  -1 -1 {{direction}} nw  1 1 {{direction}} se  1 -1 {{direction}} sw
directions}}
{{players {{player}} White {{player}} Black players}}
{{symmetries Black {{symmetry}} ne se  Black {{symmetry}} {second} symmetries}}
"""
BOARD_WITH_WEST = BOARD.replace("directions}", "0 -1 {direction} west directions}")
MIRROR = "{symmetries Black {symmetry} east west symmetries}\n"
BOARD_WITH_VARIABLE = BOARD.replace("{grid}", "{grid} {variable} flown")
