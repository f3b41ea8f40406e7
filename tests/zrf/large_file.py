"""Generates a rule file whose full expansion has three million nodes.

Owns the text of that file, and a count of the nodes of any file after expansion.
"""

from __future__ import annotations

from forthvm.zrf.reading.nodes import Atom, ListNode, parse_nodes
from forthvm.zrf.reading.text import RuleText

__all__ = ["expanded_nodes", "large_rule_file"]

_COLUMNS = "abcdefghij"
_DIRECTIONS = {
    "n": (0, -1),
    "s": (0, 1),
    "e": (1, 0),
    "w": (-1, 0),
    "ne": (1, -1),
    "nw": (-1, -1),
    "se": (1, 1),
    "sw": (-1, 1),
}
_PIECES = 7
_BLOCKS = 10

_LOOK = """(define look
  $2 (if (and (on-board? $1) (piece? $3 $1))
      $1 (while (and (on-board? $1) not-friend? (not-in-zone? hold-$3)) $1)
      (if (and enemy? (not (position-flag? seen-$3)))
        (set-position-flag seen-$3 true) (set-flag found true)
        else (if (piece? $3) (set-flag own true)))
      back)
  $2 (if (not-on-board? $1) (set-flag edge true)) back)
"""


def large_rule_file() -> str:
    """Return the text of the file."""
    squares = [f"{column}{row}" for column in _COLUMNS for row in range(10)]
    around = "\n".join(f"  (look {direction})" for direction in _DIRECTIONS).replace(")", " $2 $3)")
    scan = "\n".join(f"  (around x {square} $1)" for square in squares)
    pieces = "\n".join(_piece(number) for number in range(_PIECES))
    directions = " ".join(f"({name} {dx} {dy})" for name, (dx, dy) in _DIRECTIONS.items())
    zones = "\n".join(
        f"(zone (name hold-P{number}) (players White Black) (positions a0 b0))"
        for number in range(_PIECES)
    )
    return f"""{_LOOK}
(define around
{around})
(define scan
{scan})
(game (title "Large") (players White Black) (turn-order White Black)
  (board
    (grid (start-rectangle 0 0 9 9)
      (dimensions ("{"/".join(_COLUMNS)}" (10 0)) ("9/8/7/6/5/4/3/2/1/0" (0 10)))
      (directions {directions}))
    {zones})
  {pieces}
  (board-setup (White (P0 a0)) (Black (P0 j9))))
"""


def _piece(number: int) -> str:
    block = f"((scan P{number}) add)"
    return f"(piece (name P{number}) (moves {block * _BLOCKS}))"


def expanded_nodes(text: str) -> int:
    """Return the number of names and lists in a text when every macro call is replaced by its body.

    No macro of the text may have a name that is made by substitution.
    """
    nodes = parse_nodes(RuleText(text, "large.zrf"))
    bodies: dict[str, list[Atom | ListNode]] = {}
    for node in nodes:
        if _head(node) == "define" and isinstance(node, ListNode):
            name, *body = node.items[1:]
            assert isinstance(name, Atom)
            bodies[name.text] = body
    sizes: dict[str, int] = {}

    def size(node: Atom | ListNode) -> int:
        if isinstance(node, Atom):
            return 1
        name = _head(node)
        if name not in bodies:
            return 1 + sum(map(size, node.items))
        if name not in sizes:
            sizes[name] = sum(map(size, bodies[name]))
        return sizes[name]

    return sum(size(node) for node in nodes if _head(node) != "define")


def _head(node: Atom | ListNode) -> str:
    head = node.head if isinstance(node, ListNode) else None
    return head.text if head else ""
