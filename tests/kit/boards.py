"""Small games as texts: whole ones, and parts from which a test makes its own.

GAME = grid(1, 4, "e") + steps("man", "e") + "{board-setup {setup} White man a1 board-setup}"
"""

from __future__ import annotations

__all__ = ["GRID_3X3", "HEAPS", "PASSES", "STORES", "WALK", "drops", "grid", "steps"]

_DIRECTIONS = {
    **dict.fromkeys(("n", "up"), "-1 0"),
    **dict.fromkeys(("e", "east", "right"), "0 1"),
    **dict.fromkeys(("s", "down"), "1 0"),
    **dict.fromkeys(("w", "west", "left"), "0 -1"),
}


def grid(
    rows: int, columns: int, directions: str = "", *, players: str = "White Black", more: str = ""
) -> str:
    """Return the first four lines of a script.

    Args:
        rows: Rows of the board.
        columns: Columns of the board.
        directions: Names of directions, such as "n e"; without them, there are three lines.
        players: The players, who take turns in this order.
        more: What the board has besides the squares.
    """
    board = f"{rows} {columns} {{grid}} {more}".rstrip()
    steps = [f"{_DIRECTIONS[name]} {{direction}} {name}" for name in directions.split()]
    order = players.split()
    return "".join(
        [
            f"{{board {board} board}}\n",
            f"{{directions {' '.join(steps)} directions}}\n" if steps else "",
            f"{{players {' '.join(f'{{player}} {name}' for name in order)} players}}\n",
            f"{{turn-order {' '.join(f'{{turn}} {name}' for name in order)} turn-order}}\n",
        ]
    )


def drops(*pieces: str) -> str:
    """Return three lines that define types of pieces, which are put on empty squares."""
    defined = " ".join(f"{{piece}} {piece} {{drops}} puts" for piece in pieces)
    return f"""\
: put ( -- ) empty? verify drop add-move ;
{{moves puts {{move}} put moves}}
{{pieces {defined} pieces}}
"""


def steps(piece: str, directions: str) -> str:
    """Return lines that define a type of piece, which goes to empty squares beside it."""
    names = directions.split()
    words = "".join(
        f": go-{name} ( -- ) {name} verify empty? verify from here move add-move ;\n"
        for name in names
    )
    moves = " ".join(f"{{move}} go-{name}" for name in names)
    return f"""\
{words}{{moves steps {moves} moves}}
{{pieces {{piece}} {piece} {{moves}} steps pieces}}
"""


GRID_3X3 = grid(3, 3, "east")
WALK = (
    grid(1, 5, "e", players="A B")
    + steps("man", "e")
    + "{board-setup {setup} A man a1 {setup} B man c1 board-setup}\n"
)
"""A game without an evaluation: two men walk to the right."""

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
