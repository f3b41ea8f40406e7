"""`forthvm run` with a human player: the loop and the commands of the prompt.

Owns turns, commands, undo and saving.  It must not know how lines are read or how the output
looks; it is given a reader and a screen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING

from forthvm.cli import position_text
from forthvm.cli.play import automatic, prompt_history
from forthvm.cli.play.move_matching import Match, match_move
from forthvm.cli.play.script_errors import push
from forthvm.cli.play.why_not import why_not_lines
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import expand_user
from forthvm.core.text.tables import columned, table
from forthvm.core.text.wording import counted
from forthvm.game.document.position_json import write_document

if TYPE_CHECKING:
    from forthvm.cli.play.line_input import Reader
    from forthvm.cli.play.script_errors import Failures
    from forthvm.cli.play.seats import Seats
    from forthvm.cli.terminal import Screen
    from forthvm.game import Move, Position

__all__ = ["Session"]

_WITHOUT_MOVES = ("undo", "redo", "new", "save ", "load ", "quit")
MANY = 40
"""More candidates than this are not listed."""
FEW_LINES = 8
"""A list of moves of at most so many lines is shown unasked."""


class _LeaveError(Exception):
    """The user leaves the game."""


@dataclass(frozen=True)
class Command:
    """A command of the prompt."""

    name: str
    argument: str
    summary: str
    action: Callable[[Session, str], None]
    aliases: tuple[str, ...] = ()


class Session:
    """One game between human players and engines."""

    def __init__(  # noqa: PLR0913 - what a game takes
        self,
        screen: Screen,
        reader: Reader,
        position: Position,
        seats: Seats,
        *,
        max_plies: int | None = None,
        failures: Failures | None = None,
        history: prompt_history.PromptHistory | None = None,
    ) -> None:
        """Starts a session; `position` is modified by play.

        Args:
            screen: where to show things.
            reader: where lines come from.
            position: where to begin.
            seats: who plays.
            max_plies: leave after so many plies; None: play to the end.
            failures: explains errors of the script.
            history: what `undo`, `redo`, `load` and `passes` work on; None: a new one.
        """
        self.screen = screen
        self.reader = reader
        self.position = position
        self.seats = seats
        self._max_plies = max_plies
        self._begin = position.ply
        self._shown_at = -1
        self._stopped_at = -1
        """Ply at which an engine was stopped; it is asked again there only by `play`."""
        self._saved = position.history
        self._failed = False
        self._failures = failures
        self.history = history or prompt_history.PromptHistory()

    @property
    def unsaved(self) -> bool:
        """Moves would be lost by leaving the game."""
        played = self.position.history
        return played != self._saved[: len(played)] and self.position.result is None

    def go_to(self, position: Position, *, saved: bool = False) -> None:
        """Plays another position from now on; `saved`: it is in a file, or at its beginning."""
        self.position = position
        self._failed = False
        self._shown_at = self._stopped_at = -1
        if self._failures is not None:
            self._failures.forget()
        if saved:
            self._begin, self._saved = position.ply, position.history
            if self._failures is not None:
                self._failures.begin(position)

    # --- the loop -----------------------------------------------------------------------

    def run(self) -> bool:
        """Plays until the game is over or the user leaves.

        Returns:
            False if the script failed and the move was not taken back.
        """
        self._failed = False
        try:
            while self._safe_step():
                pass
        except _LeaveError:
            self._goodbye()
        except (EOFError, KeyboardInterrupt):
            self.screen.say()
            self._goodbye()
        return not self._failed

    def _safe_step(self) -> bool:
        """Runs a step; if the script fails, the user can still undo and save."""
        try:
            return self._step()
        except ForthVMError as error:
            self._failed = True
            self._tell(error, again=False)
            self._listen("The script failed.  undo, save FILE or quit> ", _WITHOUT_MOVES)
            return True

    def _step(self) -> bool:
        """One ply, or one question; False when there is nothing left to do."""
        self.position.game.vm.restart_output()
        if self.position.result is not None:
            return self._game_over()
        if self._max_plies is not None and self.position.ply - self._begin >= self._max_plies:
            self._show()
            self.screen.say(f"Stopped: {self._max_plies} plies were played (--max-plies).")
            return False
        if self.position.is_stuck:
            self.position.push_pass()
            position_text.say_ply(self.screen, self.position)
        elif self.seats.is_person(self.position.turn):
            if self.history.plays_passes and prompt_history.must_pass(self.position):
                self._say_pass()
            else:
                self._ask_move()
        elif self._stopped_at == self.position.ply:
            prompt = f"{self.position.turn} was stopped.  play, a move for it, undo, save FILE or "
            self._listen(f"{prompt}quit> ", ["play", *_WITHOUT_MOVES])
        else:
            self._engine_move()
        return True

    def _game_over(self) -> bool:
        result = self.position.result
        assert result is not None
        if self._show():
            self.screen.say_styled(
                self.screen.bold(f"Game over. {position_text.name_result(result)}")
            )
            position_text.say_end(self.screen, self.position)
        if not self.screen.asks:
            return False
        self._listen("undo, new, save FILE or quit> ", _WITHOUT_MOVES)
        return True

    def _say_pass(self) -> None:
        """Plays the pass that is the only legal move."""
        self.position.push(self.position.legal_moves[0])
        position_text.say_ply(self.screen, self.position)

    def _engine_move(self) -> None:
        player = self.position.turn
        seat = self.seats[player]
        self._stopped_at = -1
        if self.screen.terminal and not (seat.chance or prompt_history.must_pass(self.position)):
            dots = "..." if self.screen.ascii else "…"
            self.screen.say_styled(self.screen.dim(f"{player} ({seat.label()}) is thinking {dots}"))
        try:
            answer = self.seats.play(self.position)
        except KeyboardInterrupt:
            if not self.screen.asks:
                raise
            # Ctrl-C stops the engine and keeps the game; a second one leaves.
            self.screen.say()
            self._stopped_at = self.position.ply
            return
        except ForthVMError as error:
            # The game continues after an engine has failed: the user plays in its place.
            self._tell(error)
            self.screen.say(f"The engine of {player} failed: choose its moves yourself.")
            self.seats.persons.add(player)
            return
        automatic.tell_faults(self.seats.news(answer, self.position))
        push(self.position, answer.move)
        thoughts = "" if seat.chance else position_text.thoughts(answer)
        position_text.say_ply(self.screen, self.position, thoughts)

    # --- the prompt ---------------------------------------------------------------------

    def _ask_move(self) -> None:
        moves = self.position.legal_moves
        if self._show():
            self._list_moves(moves, limit=FEW_LINES)
        offers = [*(str(move) for move in moves), *(command.name for command in COMMANDS)]
        self._listen(f"{self.position.turn}, {counted(len(moves), 'move')}, or help> ", offers)

    def _listen(self, prompt: str, offers: Sequence[str]) -> None:
        """Reads and executes one line; errors are printed and change nothing.

        Ctrl-C stops a command that takes long, such as `hint`.
        """
        line = self.reader.ask(prompt, offers)
        if not line:
            return
        try:
            self._obey(line)
        except KeyboardInterrupt:
            if not self.screen.asks:
                raise
            self.screen.say("\nStopped.")
        except ForthVMError as error:
            self._tell(error)

    def _tell(self, error: ForthVMError, *, again: bool = True) -> None:
        """Prints an error, and the moves before it if the script failed.

        Args:
            error: The error.
            again: Print it even if it was printed last.
        """
        failures = self._failures
        is_new = failures is None or failures.is_new(error, self.position)
        if failures is None or not is_new:
            if is_new or again:
                self.screen.say(error.report(self.screen.limit))
            return
        failures.note(error, self.position)
        self.screen.say(error.report(self.screen.limit))
        if failures.debugs(error):
            failures.debug(error, self.position)

    def _obey(self, line: str) -> None:
        word, _, argument = line.partition(" ")
        command = _command(word)
        if command is not None and not self._is_move(line):
            command.action(self, argument.strip())
        elif self.position.result is not None:
            self.screen.say("The game is over: undo, new, save FILE or quit.")
        else:
            self._move(line)

    def _is_move(self, line: str) -> bool:
        """Whether a line is the text of a legal move, which takes precedence over commands."""
        try:
            return self.position.result is None and line in self.position.legal_moves.texts
        except ForthVMError:  # then commands are all that is left
            return False

    def _move(self, line: str) -> None:
        match = match_move(line, self.position)
        move = match.move if match.sure else self._offer(match)
        if move is None:
            return
        self.history.forget(self.position.ply)
        self._make(move)
        for part in match.chain:
            self.history.inside.add(self.position.ply)
            self._make(self.position.legal_moves[part.index])

    def _make(self, move: Move) -> None:
        """Makes a human player's move."""
        push(self.position, move)
        position_text.say_ply(self.screen, self.position)

    def agrees(self, question: str, *, default: bool) -> bool:
        """Asks for yes or no; Ctrl-C is no."""
        try:
            answer = self.reader.ask(question, ["yes", "no"]).casefold()
        except KeyboardInterrupt:
            self.screen.say()
            return False
        return answer in {"y", "yes"} or (default and not answer)

    def _offer(self, match: Match) -> Move | None:
        """Asks which move was meant; None if there are no suggestions."""
        if match.move is not None:
            wanted = self.agrees(f"Did you mean {match.move}? [Y/n] ", default=True)
            return match.move if wanted else None
        problem = match.problem.partition(";")[0]  # the rest would list moves
        if match.suggestions:
            which = "Which one?  (No move was made.)"
            self.screen.prose(which if match.fits else f"{problem}.  Close to it:")
            self._list_candidates([str(move) for move in match.suggestions])
            return None
        self.screen.prose(f"{problem}.  `moves` lists the moves, `help` the commands.")
        return None

    # --- showing ------------------------------------------------------------------------

    def _show(self) -> bool:
        """The board, unless it is on the screen already; True: it was not."""
        if self._shown_at == self.position.ply:
            return False
        self.screen.say()
        position_text.show_board(self.screen, self.position)
        self._shown_at = self.position.ply
        return True

    def _list_moves(self, moves: Sequence[Move], *, limit: int | None = None) -> None:
        lines = self.screen.numbered([position_text.move_name(move) for move in moves])
        if limit is None or len(lines) <= limit:
            self.screen.lines(lines)

    def _list_candidates(self, wanted: Sequence[str]) -> None:
        """Some of the legal moves, with their numbers in the whole list."""
        texts = self.position.legal_moves.texts
        digits = len(str(len(texts)))
        cells = [
            f"{texts.index(text) + 1:{digits}} {position_text.move_name(text)}"
            for text in wanted[:MANY]
        ]
        self.screen.lines(columned([f"  {cell}" for cell in cells], self.screen.width))
        if len(wanted) > MANY:
            self.screen.say(f"  … and {len(wanted) - MANY} more; `moves TEXT` lists them.")

    def _goodbye(self) -> None:
        if self.unsaved:
            self.screen.say("Left the game unfinished (not saved).")
        else:
            self.screen.say("Goodbye.")

    # --- commands -----------------------------------------------------------------------

    def help(self, _argument: str) -> None:
        """Prints the commands."""
        rows = [(f"  {each.name} {each.argument}".rstrip(), each.summary) for each in COMMANDS]
        self.screen.prose("Type a move, the start of one (such as its squares), or its number; or:")
        self.screen.lines(table(rows, self.screen.width))

    def moves(self, argument: str) -> None:
        """Lists the legal moves, or those with a word in them."""
        if self.position.result is not None:
            self.screen.say("The game is over: there are no moves.")
            return
        moves = self.position.legal_moves
        if not argument:
            self._list_moves(moves)
            return
        wanted = argument.casefold()
        found = [
            f"{at} {position_text.move_name(move)}"
            for at, move in enumerate(moves, 1)
            if wanted in str(move).casefold()
        ]
        self.screen.lines(found or [f"No move with {argument!r} in it."])

    def show_again(self, argument: str) -> None:
        """Shows the board anew; `all`: with the script's bookkeeping."""
        self._shown_at = -1
        usual = self.screen.everything
        self.screen.everything = usual or argument == "all"
        self._show()
        self.screen.everything = usual

    def explain(self, _argument: str) -> None:
        """What the script says about the position."""
        if not position_text.show_remarks(self.screen, self.position):
            self.screen.say("The game has nothing to say about this position.")

    def why_not(self, argument: str) -> None:
        """Says why a move is not legal."""
        self.screen.lines(why_not_lines(self.position, argument, self.screen.width))

    def save(self, argument: str) -> None:
        """Writes the position to a file."""
        if not argument:
            self.screen.say("Save where?  save FILE")
            return
        path = expand_user(argument)
        try:
            path.write_text(write_document(self.position, full=True) + "\n", encoding="utf-8")
        except OSError as error:
            self.screen.say(f"Cannot write {path}: {error.strerror}")
            return
        self._saved = self.position.history
        self.screen.say("Saved.  To go on later, here `load` it, or start with:")
        self.screen.say(f"  forthvm run --position {quote(str(path))}")

    def hint(self, _argument: str) -> None:
        """Asks the engine what it would play."""
        if self.position.result is not None:
            self.screen.say("The game is over.")
            return
        # A copy: an engine of the script may draw random numbers, and a hint must not.
        answer = self.seats.play(self.position.copy())
        said = position_text.thoughts(answer)
        self.screen.say(f"{position_text.move_name(answer.move)}" + (f"  ({said})" if said else ""))

    def play(self, _argument: str) -> None:
        """Lets the engine make the move."""
        if self.position.result is not None:
            self.screen.say("The game is over.")
            return
        self._engine_move()

    def quit(self, _argument: str) -> None:
        """Leaves."""
        raise _LeaveError


COMMANDS = (
    Command("help", "", "this list", Session.help, ("?", "h")),
    Command("moves", "[TEXT]", "the legal moves, or those with TEXT in them", Session.moves),
    Command(
        "board", "[all]", "the board again; all: the script's bookkeeping, too", Session.show_again
    ),
    Command("explain", "", "what is under attack, and why, if the game can say", Session.explain),
    Command("why-not", "MOVE", "why a move is not legal", Session.why_not, ("why",)),
    Command(
        "undo", "", "take back your last move and what followed", prompt_history.undo, ("takeback",)
    ),
    Command("redo", "", "make again what `undo` took back", prompt_history.redo),
    Command("hint", "", "what the engine would play", Session.hint),
    Command("play", "", "let the engine make this move", Session.play, ("go",)),
    Command("save", "FILE", "write the position, to go on later", Session.save),
    Command("load", "FILE", "go on from a saved position of this game", prompt_history.load),
    Command("new", "", "begin a new game", prompt_history.new),
    Command("passes", "play|ask", "a pass that is your only legal move", prompt_history.passes),
    Command(
        "quit",
        "",
        "leave (also Ctrl-D; Ctrl-C, but it stops an engine first)",
        Session.quit,
        ("exit", "q"),
    ),
)


def _command(word: str) -> Command | None:
    folded = word.casefold()
    for command in COMMANDS:
        if folded == command.name or folded in command.aliases:
            return command
    return None
