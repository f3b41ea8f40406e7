"""What a script prints about a position: remarks, announcements, and the result comment.

OnExplain ( -- ) runs with the position and its move list in memory, as OnIsGameOver does; the
changes that it makes to memory are discarded.  Each printed line is a remark.  A remark concerns a
board position if the line begins with the position's name and a colon.  A remark concerns a move if
the line begins with the first words of a legal move's text and a colon.

OnAnnounce ( -- ) runs in the same way.  Each printed line is an announcement: a fact, such as check
or a throw of dice, which is reported when it becomes true.

The result comment is the output of `^` words in OnIsGameOver.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from forthvm.core.output import redirected
from forthvm.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.vm import VM

    from .loaded import LoadedGame
    from .states import State

__all__ = [
    "ANNOUNCE_WORD",
    "EXPLAIN_WORD",
    "Remark",
    "announced_in",
    "comment_of",
    "printed_by",
    "remarks_of",
]

EXPLAIN_WORD = "OnExplain"
ANNOUNCE_WORD = "OnAnnounce"


class Remark(Record):
    """A line that the script printed about a position.

    Attributes:
        text: The line, without the board position or move before the colon.
        square: The board position that the remark concerns, or None.
        move: Index of the legal move that the remark concerns, or None.
    """

    text: str
    square: str | None = None
    move: int | None = None


def remarks_of(game: LoadedGame, state: State) -> tuple[Remark, ...]:
    """Return the remarks on a position in the script's order; () without OnExplain.

    Raises:
        ForthVMError: The script fails.
    """
    lines = _lines_of(EXPLAIN_WORD, game, state)
    if not lines:
        return ()
    texts = game.states.texts(state)
    return tuple(_remark(line, game, texts) for line in lines)


def announced_in(game: LoadedGame, state: State) -> tuple[str, ...]:
    """Return the announcements for a position in the script's order; () without OnAnnounce.

    Raises:
        ForthVMError: The script fails.
    """
    return _lines_of(ANNOUNCE_WORD, game, state)


def _lines_of(word: str, game: LoadedGame, state: State) -> tuple[str, ...]:
    """Run a word of the script and return the lines that it prints, without blank lines."""
    vm = game.vm
    if vm.find(word) is None:
        return ()
    with game.states.in_memory(state, store_list=True), printed_by(vm) as printed:
        vm.call(word)
    lines = (line.strip() for line in "".join(printed).splitlines())
    return tuple(line for line in lines if line)


def comment_of(game: LoadedGame, state: State) -> str:
    """Return the output of `^` words in OnIsGameOver, without the blank at the end.

    This function runs OnIsGameOver again and drops the text that OnIsGameOver prints otherwise.

    Raises:
        ForthVMError: The script fails.
    """
    if state.partial:
        return ""
    with game.states.in_memory(state, store_list=True) as native, printed_by(game.vm):
        native.game_over()
        return native.game_comment().removesuffix(" ")


@contextmanager
def printed_by(vm: VM) -> Iterator[list[str]]:
    """Collect the output of the block in a list instead of sending it to the game's output."""
    printed: list[str] = []
    with redirected(vm, printed.append):
        yield printed


def _remark(line: str, game: LoadedGame, texts: tuple[str, ...]) -> Remark:
    """Return the remark for a printed line; `texts` are the texts of the legal moves."""
    about, colon, text = (part.strip() for part in line.partition(":"))
    if colon and about in game.position_index:
        return Remark(text, square=about)
    if colon:
        for index, move in enumerate(texts):
            if move == about or move.startswith(f"{about} "):
                return Remark(text, move=index)
    return Remark(line)
