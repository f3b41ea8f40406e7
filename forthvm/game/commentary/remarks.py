"""Output of a script about a position: OnExplain, OnAnnounce, and the result comment.

Owns the convention.  OnExplain ( -- ) runs with the position and its move list in memory, as
OnIsGameOver does.  Each line that it prints is a remark.  A line that begins with the name of a
board position and a colon concerns that board position; one that begins with the text of a legal
move, or a unique beginning of it in whole words, and a colon concerns that move.  Its changes to
memory are discarded.  OnAnnounce ( -- ) runs in the same way; each of its lines is a fact that is
reported when it becomes true: check, a player who is out, a throw of dice.  The result comment is
the output of `^` words in OnIsGameOver.

It must not know any particular game.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from forthvm.core.output import redirected
from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.vm import VM
    from forthvm.game.position import Position

__all__ = ["ANNOUNCE", "WORD", "Remark", "announced_in", "comment_of", "printed_by", "remarks_of"]

WORD = "OnExplain"
ANNOUNCE = "OnAnnounce"


class Remark(Value):
    """A line that the script printed about a position.

    Attributes:
        text: The line, without the name of its square or move.
        square: The board position that it concerns, or None.
        move: Index of the legal move that it concerns, or None.
    """

    text: str
    square: str | None = None
    move: int | None = None


def remarks_of(position: Position) -> tuple[Remark, ...]:
    """The remarks on a position, in the script's order; none without OnExplain.

    Raises:
        ForthVMError: the script fails.
    """
    lines = _lines_of(WORD, position)
    if not lines:
        return ()
    texts = position.game.states.texts(position.state)
    return tuple(_remark(line, position, texts) for line in lines)


def announced_in(position: Position) -> tuple[str, ...]:
    """What the script announces of a position, in its order; none where it has no OnAnnounce.

    Raises:
        ForthVMError: the script fails.
    """
    return _lines_of(ANNOUNCE, position)


def _lines_of(word: str, position: Position) -> tuple[str, ...]:
    """The lines that a word of the script prints, without those that are blank."""
    vm = position.game.vm
    if vm.find(word) is None:
        return ()
    with position.enter(), printed_by(vm) as printed:
        vm.call(word)
    lines = (line.strip() for line in "".join(printed).splitlines())
    return tuple(line for line in lines if line)


def comment_of(position: Position) -> str:
    """What `^` words write where OnIsGameOver is asked, without the blank at the end.

    The question is put once more for it.  What it prints is dropped, for it was printed before.

    Raises:
        ForthVMError: the script fails.
    """
    if position.is_partial:
        return ""
    with position.enter() as native, printed_by(position.game.vm):
        native.game_over()
        return native.game_comment().removesuffix(" ")


@contextmanager
def printed_by(vm: VM) -> Iterator[list[str]]:
    """Collects what is printed inside instead of handing it to the game's output."""
    printed: list[str] = []
    with redirected(vm, printed.append):
        yield printed


def _remark(line: str, position: Position, texts: tuple[str, ...]) -> Remark:
    about, colon, text = (part.strip() for part in line.partition(":"))
    if colon and about in position.game.position_index:
        return Remark(text, square=about)
    if colon:
        for index, move in enumerate(texts):
            if move == about or move.startswith(f"{about} "):
                return Remark(text, move=index)
    return Remark(line)
