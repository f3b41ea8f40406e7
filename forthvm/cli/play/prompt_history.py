"""The commands undo, redo, new, load and passes of the play prompt.

Owns these commands and their state.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.files import file_errors, read_text
from forthvm.cli.status import UsageError
from forthvm.core.errors import ForthVMError, PositionError
from forthvm.core.loading.files import expand_user
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.cli.play.session import Session
    from forthvm.game import Position

__all__ = ["PromptHistory", "load", "must_pass", "new", "passes", "read_same_game", "redo", "undo"]


def read_same_game(path: Path, position: Position) -> Position:
    """Reads a saved position of the current game, with the same seed and settings."""
    return type(position).from_json(position.game, read_text(path))


def _read_zsg(path: Path, position: Position) -> Position:
    """Returns the last position of a saved game of Zillions (.zsg) of the current game.

    Raises:
        UsageError: the file cannot be read, or is of another variant of the rule file.
        SavedGameError: the file is damaged, or has a move that is not legal.
    """
    from forthvm.game.zsg_replay import Replay, read_zsg

    with file_errors("read", path):
        file = read_zsg(path)
    game, title = position.game, file.saved.variant
    if title in game.variants and title != game.title:
        raise UsageError(f"{path} is a game of `{title}`: forthvm run --position {path}")
    replay = Replay(game, file)
    replay.play_all()
    return replay.position


_CANNOT_TAKE_BACK = (
    "The moves before the game was saved cannot be taken back: repeating them leads to another "
    "position, because random numbers were set or an engine changed memory that the file lacks."
)


class PromptHistory:
    """The state of the commands.

    Attributes:
        plays_passes: Whether a pass that is a human player's only legal move is made automatically.
        read_position: Reads a saved position; the arguments are the file and the current position.
        undone: The positions before each `undo`, the latest last.
        plies_within_chains: For chains of partial moves that the user typed as one line: the plies
            before the second and later moves.  `undo` takes back such a chain as one move.
    """

    def __init__(
        self,
        read_position: Callable[[Path, Position], Position] = read_same_game,
        *,
        plays_passes: bool = True,
    ) -> None:
        """Starts without history."""
        self.plays_passes = plays_passes
        self.read_position = read_position
        self.undone: list[Position] = []
        self.plies_within_chains: set[int] = set()

    def forget(self, ply: int = 0) -> None:
        """Removes undone positions and the chains from `ply` on, before a move is made at `ply`."""
        self.undone.clear()
        self.plies_within_chains = {
            chain_ply for chain_ply in self.plies_within_chains if chain_ply < ply
        }


def must_pass(position: Position) -> bool:
    """Whether the only legal move is a pass."""
    moves = position.legal_moves
    return len(moves) == 1 and [part.kind for part in moves[0].parts] == ["pass"]


# --- the commands -----------------------------------------------------------------------


def undo(session: Session, _argument: str) -> None:
    """Takes moves back to the last choice of a human player."""
    position = session.position
    if not position.ply:
        session.screen.print("There is nothing to take back.")
        return
    later, earlier = position.copy(), position.copy()
    try:
        earlier.pop()
        while earlier.ply and not _is_choice(session, earlier):
            earlier.pop()
    except PositionError:  # only the copy was changed
        session.screen.print_wrapped(_CANNOT_TAKE_BACK)
        return
    if not _is_choice(session, earlier):
        session.screen.print("You have made no move that could be taken back.")
        return
    count = position.ply - earlier.ply
    for _ in range(count):
        position.pop()
    session.screen.print(f"Took back {counted(count, 'ply', 'plies')}.")
    session.history.undone.append(later)
    session.go_to(position)


def redo(session: Session, _argument: str) -> None:
    """Repeats undone moves."""
    current, undone = session.position, session.history.undone
    while undone and not _leads_to(current, undone[-1]):
        undone.pop()
    if not undone:
        session.screen.print("There is no undone move.")
        return
    later = undone.pop()
    for at, played in enumerate(later.history[current.ply :], current.ply + 1):
        line = f"{at}. {played.player}: {played.text}"
        session.screen.print_styled(session.screen.bold(line))
    session.go_to(later)


def new(session: Session, _argument: str) -> None:
    """Starts a new game from the initial position."""
    if _user_keeps_game(session):
        return
    game, setup = session.position.game, session.position._setup
    session.history.forget()
    session.go_to(game._begin(setup), saved=True)
    session.screen.print("A new game.")


def load(session: Session, argument: str) -> None:
    """Continues from a saved position."""
    if not argument:
        session.screen.print("FILE is missing: load FILE")
        return
    path = expand_user(argument)
    try:
        is_zsg = path.suffix.lower() == ".zsg"
        read = _read_zsg if is_zsg else session.history.read_position
        position = read(path, session.position)
    except UsageError as error:
        session.screen.print(f"{error}")
        return
    if _user_keeps_game(session):
        return
    session.history.forget()
    session.go_to(position, saved=True)
    session.screen.print(f"Loaded, after {counted(position.ply, 'ply', 'plies')}.")


def passes(session: Session, argument: str) -> None:
    """Sets whether a pass that is the only legal move is made automatically."""
    if argument not in ("", "play", "ask"):
        session.screen.print("Usage: passes play, or passes ask")
        return
    if argument:
        session.history.plays_passes = argument == "play"
    mode = "made automatically" if session.history.plays_passes else "left to you"
    session.screen.print(f"A pass that is your only legal move is {mode}.")


def _is_choice(session: Session, position: Position) -> bool:
    """Whether a human player has a choice in a position."""
    if position.ply in session.history.plies_within_chains or not session.seats.is_person(
        position.turn
    ):
        return False
    try:
        return not position.is_stuck and not (session.history.plays_passes and must_pass(position))
    except ForthVMError:  # the script failed: the user chooses what to do
        return True


def _leads_to(current: Position, later: Position) -> bool:
    """Whether the moves of `current` are the first moves of `later`."""
    return current.ply < later.ply and current.history == later.history[: current.ply]


def _user_keeps_game(session: Session) -> bool:
    """Asks whether to discard unsaved moves; returns True if the user keeps the game."""
    if not (session.has_unsaved_moves and session.screen.input_is_terminal):
        return False
    if session.agrees("This game is not saved.  Abandon it? [y/N] ", default=False):
        return False
    session.screen.print("Nothing was changed.")
    return True
