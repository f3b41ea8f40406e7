"""Small games for the tests of the model: a 4 x 4 board, and texts of boards to compare with."""

from __future__ import annotations

from tests.models import zrf
from tests.models.zrf import Position

DIRECTIONS = "(n 0 -1) (s 0 1) (e 1 0) (w -1 0) (ne 1 -1) (nw -1 -1) (se 1 1) (sw -1 1)"
GRID = f"""(grid (start-rectangle 0 0 9 9)
    (dimensions ("a/b/c/d" (10 0)) ("4/3/2/1" (0 10)))
    (directions {DIRECTIONS}))"""


def game_text(  # noqa: PLR0913 - one for each section
    pieces: str,
    setup: str = "",
    *,
    board: str = "",
    goals: str = "",
    players: str = "White Black",
    turns: str = "",
) -> str:
    """The text of a game; `goals` may hold any further sections."""
    return f"""(game (title "Small") (players {players}) (turn-order {turns or players})
        (board {GRID} {board}) {pieces} (board-setup {setup}) {goals})"""


def game(pieces: str, setup: str = "", **sections: str) -> Position:
    """The initial position of a game, see `game_text`."""
    return zrf.load_text(game_text(pieces, setup, **sections)).start()


def man(moves: str, more: str = "") -> str:
    """A piece `Man` with these blocks."""
    return f"(piece (name Man) (moves {moves}) {more})"


def texts(position: Position) -> list[str]:
    """The legal moves."""
    return [move.text for move in position.moves()]


def squares(position: Position) -> str:
    """The pieces on the board as `Player Type square`, in alphabetical order of the squares."""
    return ", ".join(
        f"{player} {kind} {place}" for place, (player, kind, _) in sorted(position.board().items())
    )


def after(position: Position, *moves: str) -> Position:
    """The position after moves."""
    for move in moves:
        position = position.play(move)
    return position
