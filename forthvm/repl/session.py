"""The session of a REPL: a VM, an optional game in play, and undo.

Owns running a text, the state after a failure, the list of lines that a script needs, undo and
redo.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from forthvm.core.bindings.layout import BASE, CELL, DP, HIDDEN, STATE
from forthvm.core.errors import Aborted, ForthVMError, NoGameError
from forthvm.core.output import redirected
from forthvm.core.records import Option
from forthvm.repl.snapshot import SavedState, equal_except_pad, equal_states
from forthvm.syntax import Kind, read_structure, tokenize

if TYPE_CHECKING:
    from forthvm.core.bindings import Snapshot
    from forthvm.core.records import ErrorRecord
    from forthvm.core.vm import VM
    from forthvm.game import Game, Move, Position
    from forthvm.game.states import State

__all__ = ["Line", "Session"]

MAX_UNDO = 1000
"""Number of lines that can be undone; their snapshots share unchanged pages."""


@dataclass(frozen=True)
class Line:
    """A text that was interpreted.

    Attributes:
        text: The part of the text that ran: all of it, or the part before the token that failed.
        defines: Whether the text changed the dictionary, so that a saved script needs the text.
        starts_with_empty_stack: Whether the stack was empty before the text, so that the text does
            not need earlier lines.
        name: The name of the text in error messages.
        first_line: The number of the text's first line in error messages.
    """

    text: str
    defines: bool
    starts_with_empty_stack: bool
    name: str
    first_line: int


class Session:
    """A VM that interprets lines, with or without a game in play.

    Attributes:
        vm: The VM; the game's VM if there is a game.
        game: The game or None.
        position: The current position of the game; None without a game.  It is in memory when a
            line runs, and the line may change it.
        lines: The lines that were interpreted.
        failed_stack: The parameter stack at the last error.
        next_number: The number of the next text, which error messages call `<line N>`.
    """

    def __init__(self, vm: VM, game: Game | None = None, position: Position | None = None) -> None:
        """Begin with a VM, or with a game at its start or at one of its positions."""
        self.next_number = 1
        self.failed_stack: tuple[int, ...] = ()
        self.lines: list[Line] = []
        self._undo: deque[SavedState] = deque(maxlen=MAX_UNDO)
        self._redo: list[SavedState] = []
        # How many of the defining lines have changed the memory of each game state.
        self._applied_counts: WeakKeyDictionary[State, int] = WeakKeyDictionary()
        self._begin(vm, game, position)

    @classmethod
    def of_game(cls, game: Game, position: Position | None = None) -> Session:
        """Return a session in a game, at its start or at one of its positions."""
        return cls(game._loaded.vm, game, position)

    def _begin(self, vm: VM, game: Game | None, position: Position | None) -> None:
        self.vm = vm
        self.game = game
        self.position = position or (game.start() if game else None)
        if vm.standard is None:  # standard Forth refuses to interpret such words itself
            vm.native.set_option(Option.PROMPT, 1)
        self._record_failed_stack(vm)
        self.load_position_memory()
        self._base = game._loaded.base if game else vm.snapshot()
        self._base_here = vm.native.here()

    def _record_failed_stack(self, vm: VM) -> None:
        """Record the stack at each failure, before `VM.interpret` restores it."""
        handler = vm.native.on_error
        if handler is None or getattr(handler, "records_stack", False):
            return

        def record_stack(record: ErrorRecord) -> ForthVMError:
            self.failed_stack = self.vm.stack
            return handler(record)

        # `undo` may return to a VM that already has the handler `record_stack`.
        record_stack.records_stack = True  # type: ignore[attr-defined]
        vm.native.on_error = record_stack

    # --- running ----------------------------------------------------------------------

    def interpret(self, text: str, *, name: str | None = None, first_line: int = 1) -> None:
        """Interpret a text, with the game's position in memory if there is a game.

        `undo` undoes the whole text.

        Args:
            text: The source.
            name: The name of the text in error messages.
            first_line: The number of the first line in error messages.

        Raises:
            ForthVMError: The text failed.  Its changes of memory stay, except an unfinished
                definition; the stack is restored, or empty after ABORT in standard Forth.
            KeyboardInterrupt: Ctrl-C ended the text.  Memory and stack are as after a failure.
        """
        self.add_undo(self.save_state())
        text_name = name or f"<line {self.next_number}>"
        self.next_number += 1
        before = self.snapshot()
        stack = before.stack()
        executed = ""
        self.failed_stack = ()
        try:
            with _PositionInMemory(self):
                try:
                    self._interpret(text, text_name, first_line)
                    executed = text
                except BaseException as error:
                    executed = _text_before_failure(text, error, first_line)
                    self.vm.native.clear_stack()
                    if self.vm.standard is None or not isinstance(error, Aborted):
                        self.vm.push(*stack)
                    raise
                finally:
                    self._make_memory_current_position()
        finally:
            self._append_line(Line(executed, False, not stack, text_name, first_line), before)

    def _make_memory_current_position(self) -> None:
        """Make the VM's memory the current position."""
        if self.game is None or self.position is None:
            return

        states, position = self.game._loaded.states, self.position
        self.vm.native.game_free_lists()
        current = self.vm.native.snapshot_take()
        if equal_except_pad(current, position._state.current):
            return
        state = states.from_memory(current, skipped=position._state.skipped, engine_memory=None)
        self.position = position._with_state(state)

    def _interpret(self, text: str, name: str, first_line: int) -> None:
        self.vm.interpret("\n" * (first_line - 1) + text, name=name, folder=Path.cwd())

    def _append_line(self, line: Line, before: Snapshot) -> None:
        """Add a line to `lines`, and find out whether it defined something."""
        if line.text.strip():
            tokens = list(tokenize(line.text))
            has_section = any(token.kind is Kind.SECTION for token in tokens)
            defines = (
                has_section or any(token.text == "IS" for token in tokens) or self._defines(before)
            )
            self.lines.append(replace(line, defines=defines))
            if defines and self.game is not None:
                self.game._loaded.forget_computed()
            if has_section:
                self._update_tables()
        self._record_applied_lines()

    def _defines(self, before: Snapshot) -> bool:
        """Whether the dictionary has changed since the snapshot `before`.

        In a game, only the words that the session defined are compared, because moves change the
        variables of the game.
        """
        from forthvm.game.memory.differences import changed_runs  # not before the first prompt

        here = self.vm.native.here()
        start = self._base_here if self.game is not None else _first_word(self.vm)
        for address, cells in changed_runs(self.snapshot(), before):
            end = address + CELL * len(cells)
            if (address < here and end > start) or (address <= DP and end > BASE):
                return True
        return False

    def _record_applied_lines(self) -> None:
        """Record that the position's memory has the changes of all defining lines."""
        if self.position is not None:
            self._applied_counts[self.position._state] = len(self.defining_lines())

    def _update_tables(self) -> None:
        """Update the game after a section, which may have changed the board or the pieces."""
        if self.game is None:
            return
        from forthvm.game.tables import read_tables

        try:
            with _PositionInMemory(self):
                self.game._loaded.use_tables(read_tables(self.vm.native))
        except ForthVMError:
            pass  # the definition of the game is incomplete until the next section

    # --- state ------------------------------------------------------------------------

    @property
    def stack(self) -> tuple[int, ...]:
        """The parameter stack, the top last."""
        return self.position._state.current.stack() if self.position else self.vm.stack

    @property
    def open_definition(self) -> str | None:
        """The name of the definition that an earlier line left open, else None.

        It is `]` if an earlier line began to compile outside a definition.
        """
        native = self.vm.native
        if not native.read_cell(STATE):
            return None
        latest = native.latest()
        is_open = native.read_cell(latest + CELL) & HIDDEN
        return native.name(latest) if is_open else "]"

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the memory and stack in which the next line runs."""
        return self.position._state.current if self.position else self.vm.snapshot()

    def load_position_memory(self) -> None:
        """Load the position's memory into the VM, after a query that changed memory."""
        if self.game is not None and self.position is not None:
            with self.game._loaded.states.lock:
                self.game._loaded.states.restore_current(self.position._state)

    # --- undo and redo ----------------------------------------------------------------

    def add_undo(self, saved: SavedState) -> None:
        """Add a saved state to the undo list."""
        self._undo.append(saved)
        self._redo.clear()

    def join_last_texts(self) -> None:
        """Let `undo` undo the last text together with the one before it."""
        if len(self._undo) > 1:
            self._undo.pop()

    def restore_if_changed(self, saved: SavedState) -> None:
        """Restore a saved state if the session has changed since it was saved.

        An unchanged session may have an open definition, which restoring would close.
        """
        current = self.save_state()
        if not equal_states(current, saved):
            self._restore(saved)

    def undo(self) -> bool:
        """Undo the last line: memory, stack, dictionary and position.

        Returns:
            False if there is no line to undo.
        """
        if not self._undo:
            return False
        current = self.save_state()
        self._restore(self._undo[-1])
        self._undo.pop()
        self._redo.append(current)
        return True

    def redo(self) -> bool:
        """Redo the last undone line; return False if there is no undone line."""
        if not self._redo:
            return False
        current = self.save_state()
        self._restore(self._redo[-1])
        self._redo.pop()
        self._undo.append(current)
        return True

    def save_state(self) -> SavedState:
        """Return the state of the session for `undo`."""
        return SavedState(
            self.vm,
            self.game,
            self.position,
            None if self.game else self.vm.snapshot(),
            tuple(self.lines),
            self._base,
            self._base_here,
            self.game._loaded.base if self.game else None,
            self.game._loaded.tables if self.game else None,
        )

    def _restore(self, saved: SavedState) -> None:
        self._close_definition()
        self.vm, self.game, self.position = saved.vm, saved.game, saved.position
        self._close_definition()
        self.lines = list(saved.lines)
        self._base, self._base_here = saved.base, saved.base_here
        if saved.snapshot is not None:
            self.vm.restore(saved.snapshot)
        if self.game is not None and saved.game_base is not None and saved.tables is not None:
            self.game._loaded.use_base(saved.game_base)
            self.game._loaded.use_tables(saved.tables)
            self.load_position_memory()

    def _close_definition(self) -> None:
        """Discard an open definition.

        It is stored outside the image, and only an error discards it.  Therefore this method
        interprets a text that causes an error.
        """
        if self.open_definition is None:
            return
        handler, self.vm.native.on_error = self.vm.native.on_error, None
        try:
            self.vm.native.interpret(b"\x01", self.vm.native.source_add(1))
        except ForthVMError:
            pass
        finally:
            self.vm.native.on_error = handler

    # --- playing ----------------------------------------------------------------------

    def play(self, move: Move | str) -> str:
        """Make a move and return its text.

        Raises:
            NoGameError: there is no game.
            MoveError: the move is not legal.
        """
        current = self.need_position()
        position = current.copy()
        position.push(move)
        self._applied_counts[position._state] = self._applied_counts.get(current._state, 0)
        self._set_position(position)
        return str(position.history[-1])

    def take_back(self) -> str:
        """Undo the last move and return its text.  Definitions made after the move stay.

        Raises:
            NoGameError: there is no game.
            IndexError: no move was made.
            ForthVMError: a definition fails in the earlier position.
        """
        current = self.need_position()
        position = current.copy()
        played = position.pop()
        self._set_position(position)
        missing_lines = self.defining_lines()[self._applied_counts.get(position._state, 0) :]
        try:
            with _PositionInMemory(self):
                try:
                    self._interpret_silently(missing_lines)
                finally:
                    self._make_memory_current_position()
        except BaseException:
            self._set_position(current)
            raise
        self._record_applied_lines()
        return str(played)

    def new_game(self) -> None:
        """Start the game again, with the session's definitions.

        Raises:
            NoGameError: there is no game.
            ForthVMError: the script fails, or a defining line fails without the other lines of the
                session; the session is unchanged.
        """
        game = self.need_game()
        base = game._loaded.base
        try:
            game._loaded.use_base(self.run_on_initial_memory(self.defining_lines()))
            position = game.start()
        except BaseException:
            game._loaded.use_base(base)
            game._loaded.states.release()
            self.load_position_memory()
            raise
        self._set_position(position)
        self._record_applied_lines()

    def go_to(self, position: Position) -> None:
        """Continue from another position of the game."""
        self.need_game()
        self._set_position(position)
        self._record_applied_lines()

    def _set_position(self, position: Position) -> None:
        self.position = position
        self.load_position_memory()

    def _interpret_silently(self, lines: list[Line]) -> None:
        """Interpret lines without printing their output."""
        with redirected(self.vm):
            for line in lines:
                self._interpret(line.text, line.name, line.first_line)

    def defining_lines(self) -> list[Line]:
        """Return the lines that defined something."""
        return [line for line in self.lines if line.defines]

    def run_on_initial_memory(self, lines: list[Line]) -> Snapshot:
        """Run lines in the session's initial memory and return a snapshot of the result.

        This overwrites the VM's memory; the caller restores it.

        Raises:
            ForthVMError: a line fails.
        """
        if self.game is not None:
            self.game._loaded.states.release()
        self.vm.restore(self._base)
        self._interpret_silently(lines)
        return self.vm.snapshot()

    def base_here(self) -> int:
        """Return the end of the dictionary at the beginning of the session."""
        return self._base_here

    def change_game(self, game: Game, position: Position | None = None) -> None:
        """Continue with another game; `undo` returns to the current game."""
        self.lines = []
        self._begin(game._loaded.vm, game, position)

    def need_game(self) -> Game:
        """Return the game.

        Raises:
            NoGameError: there is no game.
        """
        if self.game is None:
            raise NoGameError("no game is loaded", hints=["load GAME loads one"])
        return self.game

    def need_position(self) -> Position:
        """Return the current position.

        Raises:
            NoGameError: there is no game.
        """
        self.need_game()
        assert self.position is not None
        return self.position


class _PositionInMemory:
    """A context in which the VM has the memory of the session's position and may change it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = session.game._loaded.states.lock if session.game else None

    def __enter__(self) -> None:
        session = self._session
        if session.game is None or session.position is None or self._lock is None:
            return
        self._lock.acquire()
        session.game._loaded.states.restore_current(session.position._state)
        session.game._loaded.states.release()

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._session.load_position_memory()
            self._lock.release()


def _text_before_failure(text: str, error: BaseException, first_line: int) -> str:
    """Return the part of a text before the failed token, without an unfinished definition."""
    if not isinstance(error, ForthVMError):
        return ""
    # A frame without a word is the text itself, which called the failed word.
    text_locations = [frame.location for frame in error.trace if frame.word is None]
    location = text_locations[-1] if text_locations else error.location
    if location is None or not location.file.startswith("<line "):
        return ""
    lines = text.split("\n")
    at = location.line - first_line
    if not 0 <= at < len(lines):
        return ""
    executed = "\n".join([*lines[:at], lines[at][: location.column - 1]])
    opened = read_structure(executed).opened
    return executed[: opened[0].start] if opened else executed


def _first_word(vm: VM) -> int:
    """Return the address of the first word; the kernel uses the memory below it."""
    nfa = older = vm.native.latest()
    while older:
        nfa, older = older, vm.native.previous(older)
    return nfa
