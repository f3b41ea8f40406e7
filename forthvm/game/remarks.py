"""What a script says about a position: its word OnExplain, and what that prints.

Owns the convention.  OnExplain ( -- ) runs with the position on the board and its move list in
place, as OnIsGameOver does.  Each line that it prints is a remark.  A line that begins with the
name of a position and a colon is about that position, one that begins with a legal move's text,
or with enough of its first words to tell it, and a colon about that move.  It may use memory as it
likes: nothing of it stays.  It must not know any game.
"""

from __future__ import annotations

from forthvm.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .position import Position

__all__ = ["WORD", "Remark", "remarks_of"]

WORD = "OnExplain"


class Remark(Value):
    """A line of what a script says.

    Attributes:
        text: What it says, without what it is about.
        square: The position that it is about, None if it is about none.
        move: Index of the legal move that it is about, None if it is about none.
    """

    text: str
    square: str | None = None
    move: int | None = None


def remarks_of(position: Position) -> tuple[Remark, ...]:
    """The remarks on a position, in the script's order; none where it has no OnExplain.

    Raises:
        ForthVMError: the script fails.
    """
    game = position.game
    if game.vm.find(WORD) is None:
        return ()
    texts = game.states.texts(position.state)
    printed: list[str] = []
    with position._enter():
        output, game.vm.output = game.vm.output, printed.append
        try:
            game.vm.call(WORD)
        finally:
            game.vm.output = output
    lines = (line.strip() for line in "".join(printed).splitlines())
    return tuple(_remark(line, position, texts) for line in lines if line)


def _remark(line: str, position: Position, texts: tuple[str, ...]) -> Remark:
    about, colon, text = (part.strip() for part in line.partition(":"))
    if colon and about in position.game.position_index:
        return Remark(text, square=about)
    if colon:
        for index, move in enumerate(texts):
            if move == about or move.startswith(f"{about} "):
                return Remark(text, move=index)
    return Remark(line)
