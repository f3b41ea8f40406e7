"""Builds small rule files for tests."""

from __future__ import annotations

from forthvm.zrf.rule_file import RuleFile, parse_rule_text
from forthvm.zrf.rules import Rules

BOARD = """
(board
  (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10)))
    (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0))))
"""


def game(*, define: str = "", moves: str = "", extra: str = "", board: str = BOARD) -> RuleFile:
    """Return a rule file with one game: White and Black, a piece Man, a board of 3 x 3."""
    return parse_rule_text(
        f"""{define}
        (game (title "Test") (players White Black) (turn-order White Black) {board}
          (piece (name Man) (moves {moves})) {extra})"""
    )


def rules(*, define: str = "", moves: str = "", extra: str = "", board: str = BOARD) -> Rules:
    """Return the rules of such a game."""
    return game(define=define, moves=moves, extra=extra, board=board).rules()
