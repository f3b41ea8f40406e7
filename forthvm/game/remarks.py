"""What a script says about a position: OnExplain, OnAnnounce, and the comment on the result.

Owns the convention.  OnExplain ( -- ) runs with the position on the board and its move list in
place, as OnIsGameOver does.  Each line that it prints is a remark.  A line that begins with the
name of a position and a colon is about that position, one that begins with a legal move's text,
or with enough of its first words to tell it, and a colon about that move.  It may use memory as it
likes: nothing of it stays.  OnAnnounce ( -- ) runs in the same way; each of its lines is a fact
about the position that players are told when it becomes true: check, a player who is out, a
throw.  The comment is what `^` words write while OnIsGameOver is asked.
It must not know any game.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from forthvm.core.output import redirected
from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.vm import VM

    from .position import Position

__all__ = ["ANNOUNCE", "WORD", "Remark", "announced_in", "comment_of", "printed_by", "remarks_of"]

WORD = "OnExplain"
ANNOUNCE = "OnAnnounce"


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
