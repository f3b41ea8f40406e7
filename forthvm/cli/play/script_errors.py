"""Reports script errors during play, and opens the debugger where a script failed.

Owns the hints added to a script error: the moves before the error, a command that repeats it, and a
suggested next step.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from forthvm.cli.loading import split_moves
from forthvm.core.budget import DEFAULT_MEMORY, DEFAULT_SECONDS
from forthvm.core.errors import ForthVMError, Interrupted, MoveError
from forthvm.core.text.wording import counted
from forthvm.engines.errors import traceback_of
from forthvm.system.command_line import join_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.cli.play.seats import Seats
    from forthvm.debug import Target
    from forthvm.game import Move, Position

__all__ = ["Failures", "game_command", "push"]

_MAX_SHOWN_MOVES = 6
_ADD_CHECKED_TO_COMMAND = (
    "next: add --checked to that command, which reports array indexes out of range, or debug it:"
)
_ADD_CHECKED = "next: add --checked, which reports array indexes out of range, or debug it:"
_DEBUG = "next: debug it:"
_LOAD_OPTIONS = ("seed", "axiom", "axiom_lib", "max_seconds", "max_steps", "max_memory")
_DEFAULT_VALUES = {
    "max_seconds": DEFAULT_SECONDS,
    "max_steps": 0,
    "max_memory": DEFAULT_MEMORY >> 20,
}


def push(position: Position, move: Move) -> None:
    """Make a legal move; if the script fails, set `failed_move` of the error."""
    try:
        position.push(move)
    except ForthVMError as error:
        error.failed_move = str(move)
        raise


class Failures:
    """Reports failures in a game of `forthvm run`."""

    def __init__(self, args: argparse.Namespace, seats: Seats) -> None:
        """Prepare for a game that has not begun.

        Args:
            args: The command line of `forthvm run`.
            seats: The players' engines.
        """
        self._args = args
        self._seats = seats
        self._saved_moves: list[str] = []
        self._last_failure: tuple[str, int, str | None] | None = None

    def begin(self, position: Position) -> None:
        """Store the moves of the saved position; the game begins at `position`."""
        args = self._args
        option_moves = len(split_moves(args.moves or ""))
        texts = [played.text for played in position.history]
        self._saved_moves = texts[: len(texts) - option_moves] if args.position is not None else []

    def is_new(self, error: ForthVMError, position: Position) -> bool:
        """Whether an error differs from the previous error in its text, ply or move."""
        last, self._last_failure = self._last_failure, (str(error), position.ply, error.failed_move)
        return last != self._last_failure

    def forget(self) -> None:
        """Forget the previous error, after a change to another position."""
        self._last_failure = None

    def add_hint_at_start(self, error: ForthVMError) -> None:
        """Add a command to a script error that occurred before the game began."""
        if not _is_of_script(error):
            return
        args = self._args
        options = self._load_options()
        if args.position is not None:
            options += ["--position", str(args.position)]
        moves = _moves_option(split_moves(args.moves or ""))
        start = moves or ([] if args.position is not None else ["--new-game"])
        command = join_words(["forthvm", "debug", *options, *start])
        error.hints = (*error.hints, _DEBUG if args.checked else _ADD_CHECKED, f"  {command}")

    def add_hints(self, error: ForthVMError, position: Position) -> None:
        """Add the moves and commands to a script error, unless an earlier call added them."""
        if _is_of_script(error) and not error.has_cause_hint:
            error.has_cause_hint = True
            error.hints = (*error.hints, *self._hints(error, position))

    def should_debug(self, error: ForthVMError) -> bool:
        """Whether the debugger should open after this error (--debug-on-error)."""
        return bool(self._args.debug_on_error) and _is_of_script(error)

    def debug(self, error: ForthVMError, position: Position) -> None:
        """Open the debugger where the script has failed.

        Raises:
            ForthVMError: the session cannot be opened.
        """
        from forthvm.cli.commands.debug import debug_failure

        debug_failure(self._target(error, position))

    # --- hints ----------------------------------------------------------------------------

    def _hints(self, error: ForthVMError, position: Position) -> Iterator[str]:
        played = [played.text for played in position.history]
        if played:
            dots = "… " if len(played) > _MAX_SHOWN_MOVES else ""
            shown = "; ".join(played[-_MAX_SHOWN_MOVES:])
            yield f"after {counted(len(played), 'move')}: {dots}{shown}"
        if error.failed_move is not None:
            yield f"while {position.turn} made the move {error.failed_move}"
        if error.failed_engine is not None:
            yield f"while {error.failed_engine} chose a move for {position.turn}"
        options_and_moves = self._options_and_moves(_moves_to_failure(error, position))
        if options_and_moves is None:
            return
        checked = self._args.checked
        engine_options = [] if error.failed_engine is None else self._engine_options()
        repeat_command = self._repeat_command(*options_and_moves, engine_options)
        yield "to repeat it:"
        yield f"  {repeat_command}"
        if not _has_script_error(error):
            yield from traceback_of(error).splitlines()
            return
        yield _DEBUG if checked else _ADD_CHECKED_TO_COMMAND
        if engine_options:
            yield f"  {repeat_command} --debug-on-error"
        else:
            yield f"  {self._debug_command(*options_and_moves)}"

    def _options_and_moves(self, moves: Sequence[str]) -> tuple[list[str], list[str]] | None:
        """Return the options that load the game, and the moves for --moves.

        The result is None if the options cannot express the position.
        """
        saved_moves = self._saved_moves
        options = self._load_options()
        has_saved_moves = saved_moves == list(moves[: len(saved_moves)])
        if has_saved_moves and self._args.position is not None:
            if str(self._args.position) == "-":
                return None
            options += ["--position", str(self._args.position)]
            moves = moves[len(saved_moves) :]
        if any(not text.strip() or ";" in text or "\n" in text for text in moves):
            return None
        return options, list(moves)

    def _load_options(self) -> list[str]:
        """Return the options that load the game with the same settings."""
        args = self._args
        values = {name: getattr(args, name) for name in _LOAD_OPTIONS}
        changed_values = {
            name.replace("_", "-"): value
            for name, value in values.items()
            if value != _DEFAULT_VALUES.get(name)
        }
        game = [] if args.game is None else [str(args.game)]
        return game + game_command(
            changed_values, settings=args.set, include=args.include, checked=args.checked
        )

    def _engine_options(self) -> list[str]:
        """Return the options with which the same engines make one move."""
        args = self._args
        options = ["--auto", "--max-plies", "1"]
        for spec in args.engine:
            options += ["--engine", spec]
        options += [] if args.time is None else ["--time", f"{args.time:g}"]
        return options + ([] if args.depth is None else ["--depth", str(args.depth)])

    def _repeat_command(
        self, options: list[str], moves: list[str], engine_options: list[str]
    ) -> str:
        """Return the command that repeats the failure, as a shell line."""
        command = "run" if engine_options else "moves"
        return join_words(["forthvm", command, *options, *engine_options, *_moves_option(moves)])

    def _debug_command(self, options: list[str], moves: list[str]) -> str:
        """Return the command that opens the debugger at the failure, as a shell line."""
        if not moves:
            new_game = [] if self._args.position is not None else ["--new-game"]
            return join_words(["forthvm", "debug", *options, *new_game])
        earlier_moves = _moves_option(moves[:-1])
        return join_words(["forthvm", "debug", *options, *earlier_moves, "--play", moves[-1]])

    # --- the debugger -----------------------------------------------------------------------

    def _target(self, error: ForthVMError, position: Position) -> Target:
        """Return the target that repeats the failure."""
        from forthvm.debug.session import targets

        if error.failed_engine is not None:
            return targets.engine_target(
                position.copy(), error.failed_engine, self._seats.play_with_new_engine
            )
        position_before = position.copy()
        if error.failed_move is not None:
            return targets.play_target(position_before, error.failed_move)
        if not position_before.ply:
            return targets.new_game_target(position_before.game)
        last = position_before.pop()
        return targets.play_target(position_before, last.text)


def _is_of_script(error: ForthVMError) -> bool:
    """Whether a script or an engine failed; False if the user's command was wrong."""
    if isinstance(error, MoveError | Interrupted):
        return False
    return error.status is not None or error.failed_engine is not None


def _has_script_error(error: ForthVMError) -> bool:
    """Whether a script caused an error; False if only an engine failed."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ForthVMError) and cause.status is not None:
            return True
        cause = cause.__cause__
    return False


def _moves_to_failure(error: ForthVMError, position: Position) -> list[str]:
    moves = [played.text for played in position.history]
    return moves if error.failed_move is None else [*moves, error.failed_move]


def _moves_option(moves: Sequence[str]) -> list[str]:
    return ["--moves", "; ".join(moves)] if moves else []


def game_command(
    values: Mapping[str, object],
    *,
    settings: Iterable[tuple[str, str]],
    include: Iterable[object],
    checked: bool,
) -> list[str]:
    """Returns the arguments that load a game with given options.

    Args:
        values: Values of options by their names without `--`; None for options to omit.
        settings: Values of `--set`.
        include: Folders of `--include`.
        checked: Whether to add `--checked`.
    """
    arguments = []
    for name, value in values.items():
        if value is not None:
            arguments += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    arguments += ["--checked"] if checked else []
    for name, choice in settings:
        arguments += ["--set", f"{name}={choice}"]
    for folder in include:
        arguments += ["--include", str(folder)]
    return arguments
