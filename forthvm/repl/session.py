"""The session of a REPL: a VM, an optional game in play, and undo.

Owns running a text and its consequences: the state after a failure, the session's script, undo
and redo.  It must not know commands or output.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from forthvm.core.bindings.layout import BASE, DP, STATE
from forthvm.core.errors import ForthVMError, NoGameError
from forthvm.core.output import redirected
from forthvm.core.value import Value
from forthvm.repl.snapshot import Moment, alike, same
from forthvm.syntax import Kind, read_structure, tokenize

if TYPE_CHECKING:
    from forthvm.core.bindings import Snapshot
    from forthvm.core.records import ErrorRecord
    from forthvm.core.vm import VM
    from forthvm.game import Game, Move, Position
    from forthvm.game.states import State

__all__ = ["Line", "Session"]

MOST_UNDO = 1000
"""Lines that can be taken back; their states share what did not change."""


class Line(Value):
    """A text that was interpreted.

    Attributes:
        text: The part that ran: all of it, or the part before the token that failed.
        kept: It defined something, or changed what a definition holds.
        alone: It began with an empty stack, so it needs no line before it.
        name: Its name in error messages.
        first: Number of its first line there.
    """

    text: str
    kept: bool
    alone: bool
    name: str
    first: int


class Session:
    """A VM that lines are interpreted in, with a game in play or without.

    Attributes:
        vm: The VM; the game's, where there is one.
        game: The game, None without one.
        position: Where the game stands.  Lines run with it in memory, and may change it.
        lines: What was interpreted.
        failed_stack: The parameter stack where the last error was found.
        number: Number of the next text; error messages call it `<line N>`.
    """

    def __init__(self, vm: VM, game: Game | None = None, position: Position | None = None) -> None:
        """Begins with a VM, or with a game and perhaps one of its positions."""
        self.number = 1
        self.failed_stack: tuple[int, ...] = ()
        self.lines: list[Line] = []
        self._undo: deque[Moment] = deque(maxlen=MOST_UNDO)
        self._redo: list[Moment] = []
        # How many lines of the script a state's memory has seen.
        self._seen: WeakKeyDictionary[State, int] = WeakKeyDictionary()
        self._begin(vm, game, position)

    @classmethod
    def of_game(cls, game: Game, position: Position | None = None) -> Session:
        """A session in a game, at its start or at a position of it."""
        return cls(game.vm, game, position)

    def _begin(self, vm: VM, game: Game | None, position: Position | None) -> None:
        self.vm = vm
        self.game = game
        self.position = position or (game.start() if game else None)
        self._watch(vm)
        self.settle()
        self._base = game.base if game else vm.snapshot()
        self._base_here = vm.native.here()

    def _watch(self, vm: VM) -> None:
        """See the stack at the moment of a failure: `VM.interpret` takes it back."""
        explain = vm.native.on_error
        if explain is None or getattr(explain, "watched", False):
            return

        def watched(record: ErrorRecord) -> ForthVMError:
            self.failed_stack = self.vm.stack
            return explain(record)

        watched.watched = True  # type: ignore[attr-defined]  # a VM may come back by undo
        vm.native.on_error = watched

    # --- running ----------------------------------------------------------------------

    def interpret(self, text: str, *, name: str | None = None, first_line: int = 1) -> None:
        """Interpret a text, with the position in memory where there is a game.

        `undo` takes all of it back.

        Args:
            text: The source.
            name: Its name in error messages.
            first_line: Number of its first line, in error messages.

        Raises:
            ForthVMError: It failed.  What it did stays, except an unfinished definition; the
                stack is as before.
            KeyboardInterrupt: The same, by Ctrl-C.
        """
        self.remember(self.moment())
        title = name or f"<line {self.number}>"
        self.number += 1
        before = self.snapshot()
        stack = before.stack()
        ran = ""
        self.failed_stack = ()
        try:
            with _Memory(self):
                try:
                    self._read(text, title, first_line)
                    ran = text
                except BaseException as error:
                    ran = _before_failure(text, error, first_line)
                    self.vm.native.clear_stack()
                    self.vm.push(*stack)
                    raise
                finally:
                    self._adopt()
        finally:
            self._note(Line(ran, False, not stack, title, first_line), before)

    def _adopt(self) -> None:
        """Make what memory holds now the position."""
        if self.game is None or self.position is None:
            return

        states, position = self.game.states, self.position
        self.vm.native.game_free_lists()
        now = self.vm.native.snapshot_take()
        if alike(now, position.state.current):
            return
        state = states.adopt(now, skipped=position.state.skipped, played=None)
        self.position = position.with_state(state)

    def _read(self, text: str, name: str, first_line: int) -> None:
        self.vm.interpret("\n" * (first_line - 1) + text, name=name, folder=Path.cwd())

    def _note(self, line: Line, before: Snapshot) -> None:
        """Log a line, with the effects that decide whether a script needs it."""
        if line.text.strip():
            tokens = list(tokenize(line.text))
            sections = any(token.kind is Kind.SECTION for token in tokens)
            kept = sections or any(token.text == "IS" for token in tokens) or self._defines(before)
            self.lines.append(line.replace(kept=kept))
            if sections:
                self._read_tables_again()
        self._remember()

    def _defines(self, before: Snapshot) -> bool:
        """Whether memory that is a script's own has changed.

        In a game the variables of its words are play: only what the session made counts.
        """
        from forthvm.game.memory.differences import changed_runs  # not before the first prompt

        here = self.vm.native.here()
        own = self._base_here if self.game is not None else _dictionary(self.vm)
        for address, cells in changed_runs(self.snapshot(), before):
            end = address + 4 * len(cells)
            if (address < here and end > own) or (address <= DP and end > BASE):
                return True
        return False

    def _remember(self) -> None:
        if self.position is not None:
            self._seen[self.position.state] = len(self.kept())

    def _read_tables_again(self) -> None:
        """Update the game after a section, which may have changed the board or the pieces."""
        if self.game is None:
            return
        from forthvm.game.definition.tables import read_tables

        try:
            with _Memory(self):
                self.game.use_tables(read_tables(self.vm.native))
        except ForthVMError:
            pass  # the definition is incomplete until the next section

    # --- state ------------------------------------------------------------------------

    @property
    def stack(self) -> tuple[int, ...]:
        """The parameter stack, the top last."""
        return self.position.state.current.stack() if self.position else self.vm.stack

    @property
    def compiling(self) -> str | None:
        """Name of the definition that an earlier line left open, None if none is."""
        native = self.vm.native
        return native.name(native.latest()) if native.read_cell(STATE) else None

    def snapshot(self) -> Snapshot:
        """Memory and stack as they are between lines."""
        return self.position.state.current if self.position else self.vm.snapshot()

    def settle(self) -> None:
        """Restore the position's memory after queries that changed it."""
        if self.game is not None and self.position is not None:
            with self.game.states.lock:
                self.game.states.enter_arrived(self.position.state)

    # --- the way back -----------------------------------------------------------------

    def remember(self, moment: Moment) -> None:
        """Record a snapshot for `undo`."""
        self._undo.append(moment)
        self._redo.clear()

    def return_to(self, moment: Moment) -> None:
        """Restore a snapshot unless nothing has changed since, as a definition may be open."""
        now = self.moment()
        if not same(now, moment):
            self._go_to(moment)

    def undo(self) -> bool:
        """Undo the last line: memory, stack, dictionary and position; False if there is none."""
        if not self._undo:
            return False
        now = self.moment()
        self._go_to(self._undo[-1])
        self._undo.pop()
        self._redo.append(now)
        return True

    def redo(self) -> bool:
        """Redo what was undone; False if there is nothing to redo."""
        if not self._redo:
            return False
        now = self.moment()
        self._go_to(self._redo[-1])
        self._redo.pop()
        self._undo.append(now)
        return True

    def moment(self) -> Moment:
        """A snapshot of the session."""
        return Moment(
            self.vm,
            self.game,
            self.position,
            None if self.game else self.vm.snapshot(),
            tuple(self.lines),
            self._base,
            self._base_here,
            self.game.base if self.game else None,
            self.game.tables if self.game else None,
        )

    def _go_to(self, moment: Moment) -> None:
        self._close_definition()
        self.vm, self.game, self.position = moment.vm, moment.game, moment.position
        self._close_definition()
        self.lines = list(moment.lines)
        self._base, self._base_here = moment.base, moment.base_here
        if moment.snapshot is not None:
            self.vm.restore(moment.snapshot)
        if self.game is not None and moment.game_base is not None and moment.tables is not None:
            _set_base(self.game, moment.game_base)
            self.game.use_tables(moment.tables)
            self.settle()

    def _close_definition(self) -> None:
        """The kernel remembers an open definition outside memory; an error makes it forget."""
        if self.compiling is None:
            return
        explain, self.vm.native.on_error = self.vm.native.on_error, None
        try:
            self.vm.native.interpret(b"\x01", self.vm.native.source_add(1))
        except ForthVMError:
            pass
        finally:
            self.vm.native.on_error = explain

    # --- playing ----------------------------------------------------------------------

    def play(self, move: Move | str) -> str:
        """Make a move and return its text.

        Raises:
            NoGameError: there is no game.
            MoveError: it cannot be made.
        """
        now = self.need_position()
        position = now.copy()
        position.push(move)
        self._seen[position.state] = self._seen.get(now.state, 0)
        self._go_on(position)
        return str(position.history[-1])

    def take_back(self) -> str:
        """Undo a move and return its text.  Later definitions stay.

        Raises:
            NoGameError: there is no game.
            IndexError: no move was made.
            ForthVMError: a definition does not work there.
        """
        now = self.need_position()
        position = now.copy()
        played = position.pop()
        self._go_on(position)
        missing = self.kept()[self._seen.get(position.state, 0) :]
        try:
            with _Memory(self):
                try:
                    self._quietly(missing)
                finally:
                    self._adopt()
        except BaseException:
            self._go_on(now)
            raise
        self._remember()
        return str(played)

    def new_game(self) -> None:
        """Start the game anew, with what the session defined.

        Raises:
            NoGameError: there is no game.
            ForthVMError: the script fails, or a line of the session does without the lines
                that only played; then nothing has changed.
        """
        game = self.need_game()
        base = game.base
        try:
            _set_base(game, self.replayed(self.kept()))
            position = game.start()
        except BaseException:
            _set_base(game, base)
            game.states.forget()
            self.settle()
            raise
        self._go_on(position)
        self._remember()

    def go_to(self, position: Position) -> None:
        """Go on at another position of the game."""
        self.need_game()
        self._go_on(position)
        self._remember()

    def _go_on(self, position: Position) -> None:
        self.position = position
        self.settle()

    def _quietly(self, lines: list[Line]) -> None:
        with redirected(self.vm):
            for line in lines:
                self._read(line.text, line.name, line.first)

    def kept(self) -> list[Line]:
        """The lines that defined something."""
        return [line for line in self.lines if line.kept]

    def replayed(self, lines: list[Line]) -> Snapshot:
        """Memory as those lines would leave it, run on what the session began with.

        The VM's own memory is used for it: call `settle`, or restore, afterwards.

        Raises:
            ForthVMError: one of them fails.
        """
        if self.game is not None:
            self.game.states.forget()
        self.vm.restore(self._base)
        self._quietly(lines)
        return self.vm.snapshot()

    def base_here(self) -> int:
        """End of the dictionary where the session began."""
        return self._base_here

    def change_game(self, game: Game, position: Position | None = None) -> None:
        """Go on with another game; `undo` comes back."""
        self.lines = []
        self._begin(game.vm, game, position)

    def need_game(self) -> Game:
        """The game.

        Raises:
            NoGameError: there is none.
        """
        if self.game is None:
            raise NoGameError("no game is loaded", hints=["load GAME loads one"])
        return self.game

    def need_position(self) -> Position:
        """The position.

        Raises:
            NoGameError: there is no game.
        """
        self.need_game()
        assert self.position is not None
        return self.position


class _Memory:
    """Context with the position's memory in the VM; changes made in it are kept."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = session.game.states.lock if session.game else None

    def __enter__(self) -> None:
        session = self._session
        if session.game is None or session.position is None or self._lock is None:
            return
        self._lock.acquire()
        session.game.states.enter_arrived(session.position.state)
        session.game.states.forget()

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._session.settle()
            self._lock.release()


def _before_failure(text: str, error: BaseException, first_line: int) -> str:
    """The part of a text before the failed token, without an unfinished definition."""
    if not isinstance(error, ForthVMError):
        return ""
    outer = [frame.location for frame in error.trace if frame.word is None]
    place = outer[-1] if outer else error.location
    if place is None or not place.file.startswith("<line "):
        return ""
    lines = text.split("\n")
    at = place.line - first_line
    if not 0 <= at < len(lines):
        return ""
    ran = "\n".join([*lines[:at], lines[at][: place.column - 1]])
    opened = read_structure(ran).opened
    return ran[: opened[0].start] if opened else ran


def _dictionary(vm: VM) -> int:
    """The lowest address of words; the kernel uses the memory below."""
    nfa = older = vm.native.latest()
    while older:
        nfa, older = older, vm.native.previous(older)
    return nfa


def _set_base(game: Game, base: Snapshot) -> None:
    game.base = base
    vars(game).pop("base_digest", None)
