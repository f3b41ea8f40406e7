"""Undo, redo, load and new at the play prompt.

Owns the commands undo, redo, new, load and passes, and their state.  It must not know turns
or engines.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.status import UsageError
from forthvm.core.errors import ForthVMError, PositionError
from forthvm.core.loading.files import expand_user
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.cli.play.session import Session
    from forthvm.game import Position

__all__ = ["PromptHistory", "load", "must_pass", "new", "passes", "read_here", "redo", "undo"]


def read_here(path: Path, position: Position) -> Position:
    """A saved position of the very game that is played, with its seed and settings."""
    from forthvm.cli.option_values import read_text

    return type(position).from_json(position.game, read_text(path))


_LOST = (
    "The moves before the game was saved cannot be taken back: played again, they do not lead "
    "here, since random numbers were set or the file does not say what an engine changed."
)


class PromptHistory:
    """The state of the commands.

    Attributes:
        plays_passes: A pass that is a human player's only legal move is played unasked.
        read: Gives the position that a file holds.
        undone: The positions that `undo` left, the last one last.
        inside: Plies inside chains that were typed at once; `undo` takes chains back whole.
    """

    def __init__(
        self,
        read: Callable[[Path, Position], Position] = read_here,
        *,
        plays_passes: bool = True,
    ) -> None:
        """Starts without history."""
        self.plays_passes = plays_passes
        self.read = read
        self.undone: list[Position] = []
        self.inside: set[int] = set()

    def forget(self, ply: int = 0) -> None:
        """Forgets everything after a ply at which a move is to be made."""
        self.undone.clear()
        self.inside = {each for each in self.inside if each < ply}


def must_pass(position: Position) -> bool:
    """The player to move has one legal move, a pass."""
    moves = position.legal_moves
    return len(moves) == 1 and [part.kind for part in moves[0].parts] == ["pass"]


# --- the commands -----------------------------------------------------------------------


def undo(session: Session, _argument: str) -> None:
    """Takes moves back to the last choice of a human player."""
    position = session.position
    if not position.ply:
        session.screen.say("There is nothing to take back.")
        return
    later, work = position.copy(), position.copy()
    try:
        work.pop()
        while work.ply and not _is_choice(session, work):
            work.pop()
    except PositionError:  # nothing is lost: so far only a copy has gone back
        session.screen.prose(_LOST)
        return
    if not _is_choice(session, work):
        session.screen.say("You have made no move that could be taken back.")
        return
    count = position.ply - work.ply
    for _ in range(count):
        position.pop()
    session.screen.say(f"Took back {counted(count, 'ply', 'plies')}.")
    session.history.undone.append(later)
    session.go_to(position)


def redo(session: Session, _argument: str) -> None:
    """Makes undone moves again."""
    here, undone = session.position, session.history.undone
    while undone and not _is_past(here, undone[-1]):
        undone.pop()
    if not undone:
        session.screen.say("There is nothing to make again.")
        return
    later = undone.pop()
    for at, played in enumerate(later.history[here.ply :], here.ply + 1):
        line = f"{at}. {played.player}: {played.text}"
        session.screen.say_styled(session.screen.bold(line))
    session.go_to(later)


def new(session: Session, _argument: str) -> None:
    """Starts the game again from its initial position."""
    if _keeps(session):
        return
    game, setup = session.position.game, session.position.setup
    session.history.forget()
    session.go_to(game.begin(setup), saved=True)
    session.screen.say("A new game.")


def load(session: Session, argument: str) -> None:
    """Continues from a saved position."""
    if not argument:
        session.screen.say("Load what?  load FILE")
        return
    path = expand_user(argument)
    try:
        position = session.history.read(path, session.position)
    except UsageError as error:
        session.screen.say(f"{error}")
        return
    if _keeps(session):
        return
    session.history.forget()
    session.go_to(position, saved=True)
    session.screen.say(f"Loaded, after {counted(position.ply, 'ply', 'plies')}.")


def passes(session: Session, argument: str) -> None:
    """Sets whether passes that are the only legal move are played unasked."""
    if argument not in ("", "play", "ask"):
        session.screen.say("passes play, or passes ask")
        return
    if argument:
        session.history.plays_passes = argument == "play"
    does = "played by itself" if session.history.plays_passes else "asked for"
    session.screen.say(f"A pass that is your only legal move is {does}.")


def _is_choice(session: Session, position: Position) -> bool:
    """Whether a human player has a choice here."""
    if position.ply in session.history.inside or not session.seats.is_person(position.turn):
        return False
    try:
        return not position.is_stuck and not (session.history.plays_passes and must_pass(position))
    except ForthVMError:  # the script fails: the person takes back more, or leaves
        return True


def _is_past(here: Position, later: Position) -> bool:
    """Whether the moves of a position are the first moves of another."""
    return here.ply < later.ply and here.history == later.history[: here.ply]


def _keeps(session: Session) -> bool:
    """Asks before unsaved moves are lost; True if the user wants to keep them."""
    if not (session.unsaved and session.screen.asks):
        return False
    if session.agrees("This game is not saved.  Give it up? [y/N] ", default=False):
        return False
    session.screen.say("Nothing was changed.")
    return True
