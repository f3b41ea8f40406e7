"""`forthvm run` with a human player: the loop and the commands of the prompt.

Owns turns, commands and saving.  Reading lines and formatting output belong to the reader and the
screen that the caller passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.cli import position_text
from forthvm.cli.commands.why_not import why_not_lines
from forthvm.cli.play import automatic, prompt_history
from forthvm.cli.play.script_errors import push
from forthvm.core.errors import ForthVMError, PositionError
from forthvm.core.loading.files import expand_user
from forthvm.core.text.tables import columned, table
from forthvm.core.text.wording import counted
from forthvm.engines import Resignation
from forthvm.game.records.formats import format_of
from forthvm.game.saving import write_position
from forthvm.game.typed_moves import Match, match_move
from forthvm.system.command_line import quoted
from forthvm.system.files import failure_reason

if TYPE_CHECKING:
    from forthvm.cli.play.line_input import Reader
    from forthvm.cli.play.script_errors import Failures
    from forthvm.cli.play.seats import Seats
    from forthvm.cli.terminal import Screen
    from forthvm.game import Move, Position

__all__ = ["Session"]

_COMMANDS_WITHOUT_LEGAL_MOVES = ("undo", "redo", "new", "save ", "load ", "quit")
"""The completions when no move can be made: the game is over, or the script failed."""
MAX_CANDIDATES = 40
"""The maximum number of listed candidates; the others are only counted."""
SHORT_LIST = 8
"""The maximum number of lines of a list of moves that is shown before each move."""


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

    def __init__(  # noqa: PLR0913 - keyword-only, each of them documented
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
        """Starts a session; moves change `position`.

        Args:
            screen: prints the game.
            reader: reads the user's lines.
            position: the first position.
            seats: the players' seats.
            max_plies: stop after this number of plies; None for no limit.
            failures: adds hints to script errors.
            history: the state of `undo`, `redo`, `load` and `passes`; None for a new state.
        """
        self.screen = screen
        self.reader = reader
        self.position = position
        self.seats = seats
        self._max_plies = max_plies
        self._first_ply = position.ply  # `max_plies` counts from here
        self._shown_ply = -1  # the ply whose board is on the screen
        self._stopped_ply = -1
        """The ply at which an engine waits for the command `play`: it was stopped, or resigned."""
        self._has_resigned = False
        """Whether the engine that waits has resigned."""
        self._saved_history = position.history  # the moves of the last save
        self._script_failed = False
        self._failures = failures
        self.history = history or prompt_history.PromptHistory()

    @property
    def has_unsaved_moves(self) -> bool:
        """Whether moves were made since the last save in a game that is not over."""
        played = self.position.history
        return played != self._saved_history[: len(played)] and self.position.result is None

    @property
    def _viewer(self) -> str | None:
        """The player in front of the screen: the only person, or the person to move."""
        persons = self.seats.persons
        if len(persons) == 1:
            return next(iter(persons))
        return self.position.turn if self.position.turn in persons else None

    def go_to(self, position: Position, *, saved: bool = False) -> None:
        """Continues from another position.

        Args:
            position: The position.
            saved: Whether the position is a new game or was read from a file, so that leaving the
                game loses no moves.
        """
        self.position = position
        self._script_failed = False
        self._shown_ply = self._stopped_ply = -1
        if self._failures is not None:
            self._failures.forget()
        if saved:
            self._first_ply, self._saved_history = position.ply, position.history
            if self._failures is not None:
                self._failures.begin(position)
            self.seats.prepare(position)

    # --- the loop -----------------------------------------------------------------------

    def run(self) -> bool:
        """Plays until the game is over or the user leaves.

        Returns:
            False if the script failed and the move was not taken back.
        """
        self._script_failed = False
        try:
            while self._safe_step():
                pass
        except _LeaveError:
            self._print_farewell()
        except (EOFError, KeyboardInterrupt):
            self.screen.print()
            self._print_farewell()
        return not self._script_failed

    def _safe_step(self) -> bool:
        """Runs a step; if the script fails, the user can still undo and save."""
        try:
            return self._step()
        except ForthVMError as error:
            self._script_failed = True
            self._print_error(error, repeat=False)
            self._execute_line(
                "The script failed.  undo, save FILE or quit> ", _COMMANDS_WITHOUT_LEGAL_MOVES
            )
            return True

    def _step(self) -> bool:
        """Makes one ply or reads one line; returns False if the session ends."""
        self.position._loaded.vm.restart_output()
        if self.position.result is not None:
            return self._game_over()
        if self._max_plies is not None and self.position.ply - self._first_ply >= self._max_plies:
            self._show()
            self.screen.print(f"Stopped: {self._max_plies} plies were played (--max-plies).")
            return False
        if self.position.is_stuck:
            self.position.push_pass()
            position_text.print_ply(self.screen, self.position, viewer=self._viewer)
        elif self.seats.is_person(self.position.turn):
            if self.history.plays_passes and prompt_history.must_pass(self.position):
                self._make_pass()
            else:
                self._ask_move()
        elif self._stopped_ply == self.position.ply:
            state = "has resigned" if self._has_resigned else "was stopped"
            prompt = (
                f"{self.position.turn} {state}.  play, a move for it, undo, save FILE or quit> "
            )
            self._execute_line(prompt, ["play", *_COMMANDS_WITHOUT_LEGAL_MOVES])
        else:
            self._engine_move()
        return True

    def _game_over(self) -> bool:
        """Shows the result and reads a line; without a terminal, returns False instead."""
        result = self.position.result
        assert result is not None
        if self._show():
            self.screen.print_styled(
                self.screen.bold(f"Game over. {position_text.describe_result(result)}")
            )
            position_text.print_ending(self.screen, self.position)
        if not self.screen.input_is_terminal:
            return False
        self._execute_line("undo, new, save FILE or quit> ", _COMMANDS_WITHOUT_LEGAL_MOVES)
        return True

    def _make_pass(self) -> None:
        """Makes the pass that is the only legal move."""
        self.position.push(self.position.legal_moves[0])
        position_text.print_ply(self.screen, self.position, viewer=self._viewer)

    def _engine_move(self) -> None:
        player = self.position.turn
        seat = self.seats[player]
        self._stopped_ply = -1
        if self.screen.terminal and not (seat.chance or prompt_history.must_pass(self.position)):
            dots = "..." if self.screen.ascii else "…"
            self.screen.print_styled(
                self.screen.dim(f"{player} ({seat.label()}) is thinking {dots}")
            )
        try:
            result = self.seats.play(self.position)
        except KeyboardInterrupt:
            if not self.screen.input_is_terminal:
                raise
            # The first Ctrl-C stops the engine; a second Ctrl-C leaves the game.
            self.screen.print()
            self._stopped_ply, self._has_resigned = self.position.ply, False
            return
        except Resignation:
            self._stopped_ply, self._has_resigned = self.position.ply, True
            return
        except ForthVMError as error:
            self._print_error(error)
            self.screen.print(f"The engine of {player} failed: you make its moves from now on.")
            self.seats.persons.add(player)
            return
        automatic.print_faults(self.seats.new_faults(result, self.position))
        push(self.position, result.move)
        summary = "" if seat.chance else position_text.search_summary(result)
        position_text.print_ply(self.screen, self.position, summary, viewer=self._viewer)

    # --- the prompt ---------------------------------------------------------------------

    def _ask_move(self) -> None:
        moves = self.position.legal_moves
        if self._show():
            self._list_moves(moves, limit=SHORT_LIST)
        completions = [*(str(move) for move in moves), *(command.name for command in COMMANDS)]
        self._execute_line(
            f"{self.position.turn}, {counted(len(moves), 'move')}, or help> ", completions
        )

    def _execute_line(self, prompt: str, completions: Sequence[str]) -> None:
        """Reads and executes one line, and prints its errors.

        Ctrl-C ends a long-running command such as `hint`.
        """
        line = self.reader.ask(prompt, completions)
        if not line:
            return
        try:
            self._execute(line)
        except KeyboardInterrupt:
            if not self.screen.input_is_terminal:
                raise
            self.screen.print("\nStopped.")
        except ForthVMError as error:
            self._print_error(error)

    def _print_error(self, error: ForthVMError, *, repeat: bool = True) -> None:
        """Prints an error; after a script error, also the moves that led to it.

        Args:
            error: The error.
            repeat: Print the error even if it equals the previous error.
        """
        failures = self._failures
        if failures is None:
            self.screen.print(error.report(self.screen.terminal_width))
            return
        is_new = failures.is_new(error, self.position)
        if is_new:
            failures.add_hints(error, self.position)
        if is_new or repeat:
            self.screen.print(error.report(self.screen.terminal_width))
        if is_new and failures.should_debug(error):
            failures.debug(error, self.position)

    def _execute(self, line: str) -> None:
        word, _, argument = line.partition(" ")
        command = _command_named(word)
        if command is not None and not self._is_move(line):
            command.action(self, argument.strip())
        elif self.position.result is not None:
            self.screen.print("The game is over: undo, new, save FILE or quit.")
        else:
            self._make_typed_move(line)

    def _is_move(self, line: str) -> bool:
        """Whether a line is the text of a legal move; moves take precedence over commands."""
        try:
            return self.position.result is None and line in self.position.legal_moves.texts
        except ForthVMError:  # the script fails, so only commands work
            return False

    def _make_typed_move(self, line: str) -> None:
        match = match_move(line, self.position)
        move = match.move if match.is_certain else self._confirm_suggestion(match)
        if move is None:
            return
        self.history.forget(self.position.ply)
        self._make_move(move)
        for partial_move in match.following:
            self.history.plies_within_chains.add(self.position.ply)
            self._make_move(self.position.legal_moves[partial_move.index])

    def _make_move(self, move: Move) -> None:
        """Makes a human player's move."""
        push(self.position, move)
        position_text.print_ply(self.screen, self.position, viewer=self._viewer)

    def agrees(self, question: str, *, default: bool) -> bool:
        """Asks the user for yes or no; Ctrl-C means no."""
        try:
            answer = self.reader.ask(question, ["yes", "no"]).casefold()
        except KeyboardInterrupt:
            self.screen.print()
            return False
        return answer in {"y", "yes"} or (default and not answer)

    def _confirm_suggestion(self, match: Match) -> Move | None:
        """Asks the user to confirm the only suggestion, and returns it if the user agrees.

        If there are several suggestions or none, prints them and returns None.
        """
        if match.move is not None:
            confirmed = self.agrees(f"Did you mean {match.move}? [Y/n] ", default=True)
            return match.move if confirmed else None
        problem = match.problem.partition(";")[0]  # a list of moves may follow the semicolon
        if match.suggestions:
            heading = "Which one?  (No move was made.)"
            if not match.suggestions_match:
                heading = f"{problem}.  Similar moves:"
            self.screen.print_wrapped(heading)
            self._list_candidates([str(move) for move in match.suggestions])
            return None
        self.screen.print_wrapped(f"{problem}.  `moves` lists the moves, `help` the commands.")
        return None

    # --- showing ------------------------------------------------------------------------

    def _show(self) -> bool:
        """Shows the board and returns True, unless the board is already on the screen."""
        if self._shown_ply == self.position.ply:
            return False
        self.screen.print()
        position_text.show_board(self.screen, self.position, viewer=self._viewer)
        self._shown_ply = self.position.ply
        return True

    def _list_moves(self, moves: Sequence[Move], *, limit: int | None = None) -> None:
        """Prints the moves with their numbers, unless the list has more than `limit` lines."""
        lines = self.screen.numbered([position_text.move_name(move) for move in moves])
        if limit is None or len(lines) <= limit:
            self.screen.print_lines(lines)

    def _list_candidates(self, candidates: Sequence[str]) -> None:
        """Prints some of the legal moves, with their numbers in the list of all moves."""
        texts = self.position.legal_moves.texts
        digits = len(str(len(texts)))
        cells = [
            f"{texts.index(text) + 1:{digits}} {position_text.move_name(text)}"
            for text in candidates[:MAX_CANDIDATES]
        ]
        self.screen.print_lines(columned([f"  {cell}" for cell in cells], self.screen.width))
        hidden = len(candidates) - MAX_CANDIDATES
        if hidden > 0:
            self.screen.print(f"  … and {hidden} more; `moves TEXT` lists them.")

    def _print_farewell(self) -> None:
        if self.has_unsaved_moves:
            self.screen.print("Left the game unfinished (not saved).")
        else:
            self.screen.print("Goodbye.")

    # --- commands -----------------------------------------------------------------------

    def help(self, _argument: str) -> None:
        """Prints the commands."""
        rows = [
            (f"  {command.name} {command.argument}".rstrip(), command.summary)
            for command in COMMANDS
        ]
        self.screen.print_wrapped(
            "Type a move, the start of one (such as its squares), or its number; or:"
        )
        self.screen.print_lines(table(rows, self.screen.width))

    def moves(self, argument: str) -> None:
        """Lists the legal moves, or the legal moves that contain a text."""
        if self.position.result is not None:
            self.screen.print("The game is over: there are no moves.")
            return
        moves = self.position.legal_moves
        if not argument:
            self._list_moves(moves)
            return
        requested = argument.casefold()
        lines = [
            f"{at} {position_text.move_name(move)}"
            for at, move in enumerate(moves, 1)
            if requested in str(move).casefold()
        ]
        self.screen.print_lines(lines or [f"No move contains {argument!r}."])

    def show_again(self, argument: str) -> None:
        """Shows the board, with the argument `all` also the internal state of the script."""
        self._shown_ply = -1
        everything_before = self.screen.everything
        self.screen.everything = everything_before or argument == "all"
        self._show()
        self.screen.everything = everything_before

    def explain(self, _argument: str) -> None:
        """Prints the script's remarks about the position."""
        if not position_text.show_remarks(self.screen, self.position):
            self.screen.print("The game has no remarks about this position.")

    def why_not(self, argument: str) -> None:
        """Prints why a move is not legal."""
        self.screen.print_lines(why_not_lines(self.position, argument, self.screen.width))

    def save(self, argument: str) -> None:
        """Writes the position to a file."""
        if not argument:
            self.screen.print("FILE is missing: save FILE")
            return
        path = expand_user(argument)
        try:
            write_position(self.position, path)
        except OSError as error:
            self.screen.print(f"Cannot write {path}: {failure_reason(error)}")
            return
        except PositionError as error:
            self.screen.print_wrapped(f"Cannot write {path}: {error}.")
            return
        self._saved_history = self.position.history
        if format_of(path) is not None:
            self.screen.print(f"Saved.  `forthvm replay {quoted(str(path))}` shows the game.")
            return
        self.screen.print("Saved.  To continue later, use `load` at this prompt, or:")
        self.screen.print(f"  forthvm run --position {quoted(str(path))}")

    def hint(self, _argument: str) -> None:
        """Prints the move that an engine would make."""
        if self.position.result is not None:
            self.screen.print("The game is over.")
            return
        # The engine runs on a copy: it may draw random numbers, which would change the game.
        result = self.seats.hint(self.position.copy())
        summary = position_text.search_summary(result)
        note = f"  ({summary})" if summary else ""
        self.screen.print(f"{position_text.move_name(result.move)}{note}")

    def play(self, _argument: str) -> None:
        """Lets the engine make the move."""
        if self.position.result is not None:
            self.screen.print("The game is over.")
            return
        self._engine_move()

    def quit(self, _argument: str) -> None:
        """Leaves the game."""
        raise _LeaveError


COMMANDS = (
    Command("help", "", "list the commands", Session.help, ("?", "h")),
    Command("moves", "[TEXT]", "list the legal moves, or those that contain TEXT", Session.moves),
    Command(
        "board",
        "[all]",
        "show the board; all: also the script's internal state",
        Session.show_again,
    ),
    Command("explain", "", "show the game's remarks, such as attacked squares", Session.explain),
    Command("why-not", "MOVE", "explain why a move is not legal", Session.why_not, ("why",)),
    Command(
        "undo", "", "take back your last move and the replies", prompt_history.undo, ("takeback",)
    ),
    Command("redo", "", "repeat the moves that `undo` took back", prompt_history.redo),
    Command(
        "hint", "", "show the move that the engine would make (at a level: negamax)", Session.hint
    ),
    Command("play", "", "let the engine make this move", Session.play, ("go",)),
    Command("save", "FILE", "save the position to continue later", Session.save),
    Command("load", "FILE", "continue from a saved position of this game", prompt_history.load),
    Command("new", "", "begin a new game", prompt_history.new),
    Command(
        "passes",
        "play|ask",
        "whether a pass is made automatically if it is your only legal move",
        prompt_history.passes,
    ),
    Command(
        "quit",
        "",
        "leave (also Ctrl-D; Ctrl-C leaves unless it stops an engine)",
        Session.quit,
        ("exit", "q"),
    ),
)


def _command_named(word: str) -> Command | None:
    folded = word.casefold()
    for command in COMMANDS:
        if folded == command.name or folded in command.aliases:
            return command
    return None
