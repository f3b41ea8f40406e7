"""The debugger's commands.

Owns the grammar and the output of commands.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible_json
from forthvm.debug.session.cell_text import cell_text
from forthvm.render.draw_text import TextStyle, board_text
from forthvm.system.files import failure_reason

from .state_text import caller_lines, excerpt, point_lines, stack_lines, stop_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .session import Session
    from .state import State

__all__ = ["COMMANDS", "CommandLines", "command_names"]

_MAX_DUMP_BYTES = 1024
_ROW_BYTES = 16


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its names, the longest first, its arguments, and its description."""

    names: tuple[str, ...]
    usage: str
    description: str
    repeatable: bool = False  # whether an empty line repeats the command


COMMANDS = (
    Command(
        ("step", "s"),
        "[N] [line]",
        "go on by tokens (or lines), into called words",
        repeatable=True,
    ),
    Command(("next", "n"), "[N] [line]", "go on by tokens (or lines), past calls", repeatable=True),
    Command(("out", "finish"), "", "go on until the current word has returned", repeatable=True),
    Command(
        ("continue", "c"),
        "",
        "go on to the next breakpoint or change of watched memory",
        repeatable=True,
    ),
    Command(("back", "bs"), "[N] [line]", "go back by tokens (or lines)", repeatable=True),
    Command(
        ("bnext", "bn"), "[N] [line]", "go back by tokens (or lines), past calls", repeatable=True
    ),
    Command(
        ("rcontinue", "rc"),
        "",
        "go back to the last breakpoint or change of watched memory",
        repeatable=True,
    ),
    Command(("goto", "g"), "STEP", "go to a step, forward or back"),
    Command(("restart", "run", "r"), "", "go back to the beginning"),
    Command(
        ("break", "b"),
        "WORD | FILE:LINE | LINE | on EVENT [if FORTH]",
        "set a breakpoint; events: move, capture, piece NAME, position NAME, run",
    ),
    Command(
        ("watch", "w"),
        "FORTH | on SQUARE [for N | bytes N]",
        "stop when memory changes: a variable, an address, a square",
    ),
    Command(("delete", "d"), "NUMBER", "delete a breakpoint or watchpoint"),
    Command(("enable",), "NUMBER", "enable a breakpoint or watchpoint"),
    Command(("disable",), "NUMBER", "disable a breakpoint or watchpoint"),
    Command(("ignore",), "NUMBER COUNT", "ignore a breakpoint COUNT times"),
    Command(("info", "i"), "", "list breakpoints and watchpoints"),
    Command(("where", "bt"), "", "the open calls"),
    Command(("stack",), "", "the parameter stack with names"),
    Command(("rstack",), "", "the return stack"),
    Command(("list", "l"), "[N]", "the source lines around the next token"),
    Command(("print", "p"), "FORTH", "sandboxed evaluation: results and output"),
    Command(("dump",), "ADDRESS [BYTES]", "memory"),
    Command(("watched",), "", "the values of watchpoints"),
    Command(("board",), "", "the current board"),
    Command(("state",), "", "the current stop: reason, source line and stack"),
    Command(("record",), "FILE", "write a recording of this session"),
    Command(("replay",), "FILE", "repeat the commands of a recording"),
    Command(("help", "h", "?"), "[COMMAND]", "list the commands, or describe one"),
    Command(("quit", "q", "exit"), "", "leave"),
)
_BY_NAME = {name: command for command in COMMANDS for name in command.names}


def command_names() -> tuple[str, ...]:
    """Return all names of commands, for completion."""
    return tuple(_BY_NAME)


class CommandLines:
    """Executes command lines.

    Args:
        session: The session that executes the commands.
        write: Is called with each line of output.
        width: Returns the current number of columns.
    """

    def __init__(
        self,
        session: Session,
        write: Callable[[str], object],
        width: Callable[[], int] = lambda: 80,
    ) -> None:
        self.session = session
        self._write = write
        self._width = width
        self._repeatable_line = ""

    def begin(self) -> None:
        """Write the state in which the target has stopped."""
        self._write_lines(stop_lines(self.session.state, self._width()))

    def execute(self, line: str) -> bool:
        """Execute a line.

        Returns:
            False if the line ends the session.

        Raises:
            ForthVMError: The command is unknown or fails.
        """
        self.session.target.vm.restart_output()  # the limit of output applies to each command
        line = line.strip()
        if line.startswith("\\"):  # a comment, as in Forth
            return True
        line = line or self._repeatable_line
        if not line:
            return True
        name, _, arguments = line.partition(" ")
        command = _BY_NAME.get(name)
        if command is None:
            raise ForthVMError(f"no command {name!r}; help lists them")
        if command.names[0] == "quit":
            return False
        self._repeatable_line = line if command.repeatable else ""
        getattr(self, f"_do_{command.names[0]}")(arguments.strip())
        return True

    # --- running -----------------------------------------------------------------------

    def _do_step(self, arguments: str) -> None:
        count, unit = _count_and_unit(arguments)
        self._write_state(self.session.step(count, unit=unit))

    def _do_next(self, arguments: str) -> None:
        count, unit = _count_and_unit(arguments)
        self._write_state(self.session.over(count, unit=unit))

    def _do_out(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "out")
        self._write_state(self.session.out())

    def _do_continue(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "continue")
        self._write_state(self.session.continue_())

    def _do_back(self, arguments: str) -> None:
        count, unit = _count_and_unit(arguments)
        self._write_state(self.session.back(count, unit=unit))

    def _do_bnext(self, arguments: str) -> None:
        count, unit = _count_and_unit(arguments)
        self._write_state(self.session.back(count, unit=unit, over=True))

    def _do_rcontinue(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "rcontinue")
        self._write_state(self.session.reverse_continue())

    def _do_goto(self, arguments: str) -> None:
        self._write_state(self.session.run_to(_number(arguments, "goto: which step")))

    def _do_restart(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "restart")
        self._write_state(self.session.restart())

    def _write_state(self, state: State) -> None:
        self._write_lines(stop_lines(state, self._width()))

    # --- breakpoints --------------------------------------------------------------------

    def _do_break(self, arguments: str) -> None:
        point = self.session.add_breakpoint(arguments)
        self._write_lines([f"{point}" + (f"  {point.where}" if point.where else "")])

    def _do_watch(self, arguments: str) -> None:
        watch = self.session.add_watch(arguments)
        value = next(w.value for w in self.session.state.watched if w.number == watch.number)
        self._write_lines([f"{watch.number}: watch {watch.text} = {value}"])

    def _do_delete(self, arguments: str) -> None:
        self.session.delete(_number(arguments, "delete: which number"))

    def _do_enable(self, arguments: str) -> None:
        self.session.enable(_number(arguments, "enable: which number"))

    def _do_disable(self, arguments: str) -> None:
        self.session.enable(_number(arguments, "disable: which number"), on=False)

    def _do_ignore(self, arguments: str) -> None:
        number, _, count = arguments.partition(" ")
        expected = "ignore: which number, how often"
        self.session.ignore(_number(number, expected), _number(count, expected))

    def _do_info(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "info")
        session = self.session
        self._write_lines(
            point_lines(tuple(session.breakpoints.values()), tuple(session.watches.values()))
        )

    # --- inspecting --------------------------------------------------------------------

    def _do_where(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "where")
        self._write_lines(caller_lines(self.session.state))

    def _do_stack(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "stack")
        self._write_lines(stack_lines(self.session.state))

    def _do_rstack(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "rstack")
        cells = self.session.return_stack()
        self._write_lines([" ".join(map(str, cells)) or "empty"])

    def _do_list(self, arguments: str) -> None:
        location = self.session.state.location
        if location is None:
            raise ForthVMError("the next token has no source")
        lines = self.session.code.file_named(location.file).content.splitlines()
        context_lines = _number(arguments, "list: how many lines") if arguments else 4
        self._write_lines(excerpt(lines, location, context_lines))

    def _do_print(self, arguments: str) -> None:
        if not arguments:
            raise ForthVMError("print: Forth to run, such as  here .")
        results, printed = self.session.evaluate(arguments)
        if printed:
            self._write_lines(printed.rstrip("\n").split("\n"))
        if results or not printed:
            vm = self.session.target.vm
            texts = self.session.call(lambda: [cell_text(vm, cell) for cell in results])
            self._write_lines([" ".join(texts) or "nothing"])

    def _do_dump(self, arguments: str) -> None:
        address, _, count = arguments.partition(" ")
        start = _number(address, "dump: which address")
        size = min(
            _number(count, "dump: how many bytes") if count else 4 * _ROW_BYTES, _MAX_DUMP_BYTES
        )
        content = self.session.memory(start, size)
        self._write_lines(
            f"{start + at:>8}  {content[at : at + _ROW_BYTES].hex(' '):<{3 * _ROW_BYTES}} "
            + "".join(chr(b) if 32 <= b < 127 else "." for b in content[at : at + _ROW_BYTES])
            for at in range(0, len(content), _ROW_BYTES)
        )

    def _do_watched(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "watched")
        watched = self.session.state.watched
        self._write_lines(
            [f"{w.number}: {w.name} = {w.value}" for w in watched] or ["nothing is watched"]
        )

    def _do_board(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "board")
        board = self.session.board()
        if board is None:
            reason = "no game has begun" if self.session.target.game else "there is no game"
            raise ForthVMError(f"there is no board: {reason}")
        self._write_lines(board_text(board, TextStyle(width=self._width())).split("\n"))
        generation = self.session.state.generation_state
        if generation is not None:
            facts = {
                "player": generation.player,
                "piece": generation.piece,
                "from": generation.origin,
                "here": generation.here,
            }
            self._write_lines(
                [", ".join(f"{name} {value}" for name, value in facts.items() if value)]
            )

    def _do_state(self, arguments: str) -> None:
        _expect_no_arguments(arguments, "state")
        self._write_state(self.session.state)

    # --- recordings --------------------------------------------------------------------

    def _do_record(self, arguments: str) -> None:
        from pathlib import Path

        if not arguments:
            raise ForthVMError("record: into which file")
        document = self.session.recording.to_json()
        text = visible_json(json.dumps(document, indent=1, ensure_ascii=False))
        try:
            Path(arguments).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise ForthVMError(f"cannot write {arguments}: {failure_reason(error)}") from error
        self._write_lines([f"recorded in {arguments}"])

    def _do_replay(self, arguments: str) -> None:
        from pathlib import Path

        from .recording import replay

        try:
            recording = json.loads(Path(arguments).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise ForthVMError(f"cannot read {arguments or 'no file'}: {error}") from error
        if not isinstance(recording, dict):
            raise ForthVMError(f"{arguments} is not a recording of a debugging session")
        self._write_lines(replay(recording, self.session) or ["as recorded"])
        self._write_state(self.session.state)

    # --- help --------------------------------------------------------------------------

    def _do_help(self, arguments: str) -> None:
        if arguments:
            command = _BY_NAME.get(arguments)
            if command is None:
                raise ForthVMError(f"no command {arguments!r}; help lists them")
            self._write_lines(
                [f"{' | '.join(command.names)} {command.usage}".rstrip(), command.description]
            )
            return
        width = max(len(_main_names(command)) for command in COMMANDS)
        for command in COMMANDS:
            self._write_lines([f"{_main_names(command):<{width}}  {command.description}"])
        self._write_lines(
            ["an empty line repeats the last command that ran the target (not goto or restart)"]
        )

    def _write_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)


def _main_names(command: Command) -> str:
    return ", ".join(command.names[:2])


def _count_and_unit(arguments: str) -> tuple[int, str]:
    """Return the count and unit in `3`, `line`, `3 line` or an empty text."""
    count, unit = 1, "token"
    for word in arguments.split():
        if word in ("line", "lines"):
            unit = "line"
        else:
            count = _number(word, "a number of steps, or `line`")
    return count, unit


def _number(text: str, expected: str) -> int:
    try:
        return int(text.strip(), 0)
    except ValueError:
        raise ForthVMError(f"{expected}? {text.strip()!r} is not a number") from None


def _expect_no_arguments(arguments: str, name: str) -> None:
    if arguments:
        raise ForthVMError(f"{name} has no arguments; it got {arguments!r}")
