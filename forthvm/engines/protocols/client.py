"""An engine that is another program: its options, its processes, and its time for a move.

Owns what is the same in all protocols.  process.py owns the process; the packages beside this
module speak one family of protocols each.
"""

from __future__ import annotations

import time
import weakref
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from forthvm.core.loading.files import expand_user
from forthvm.engines.errors import Resignation
from forthvm.engines.options import flag, integer, parse_options, seconds
from forthvm.engines.protocol import Engine, Limits, NotCopied, Reporter, SearchResult
from forthvm.engines.protocols.errors import ProgramError
from forthvm.engines.protocols.process import Program, find_program
from forthvm.engines.protocols.spec import PROGRAM_OPTION, command_line, split_program_spec
from forthvm.engines.simple import checked_moves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.core.errors import MoveError
    from forthvm.game import Position

__all__ = [
    "DEFAULT_TIME",
    "MAX_UNKNOWN_LINES",
    "ProgramEngine",
    "first_word",
]

DEFAULT_TIME = 1.0
"""Seconds for a move if there is no limit."""
MAX_UNKNOWN_LINES = 1000
"""After a command, the program may write this number of lines that are not in the protocol."""
_QUIT_SECONDS = 0.5
"""Seconds in which the program must exit after `quit`."""
_LATE_SECONDS = 1.0
"""Seconds for the answer of a program that exceeded its limits and was told to stop; a smaller
option `grace` takes precedence.  An answer shows that the program works, but ignores limits."""


def first_word(line: str) -> str:
    """Return the first word of a line; "" if it is empty."""
    return line.partition(" ")[0].strip()


def _folder(value: object) -> str:
    path = expand_user(str(value))
    if not path.is_dir():
        raise ValueError(f"there is no folder {str(value)!r}")
    return str(path)


_DEFAULT_SECONDS = {"grace": 3.0, "patience": 600.0, "startup": 20.0}
"""The default values of options that are times."""
_COUNT = integer(1)


class ProgramEngine(NotCopied, Engine):
    """An engine that runs a program.  The first call that needs the program starts it.

    Every failure of the program raises a ProgramError and ends the program with all its
    processes; the next call starts it again.

    A subclass speaks a protocol: it defines `protocol`, `_begin`, `_begin_game`, `_prepare` and
    `_search`.

    Options:
        cmd: the program and its arguments, as a text or a list.
        time (seconds), depth, nodes: limits of a move; default 1 second.
        infinite: without other limits, search until `stop()`.
        clock: whether the program decides how much of the time left it uses for a move.  It is told
            the time left on the player's clock, or the time limit if there is no clock.  Without
            this option it is told the time for the move.
        grace: seconds after the end of the time limit, or after `stop`, in which the program must
            answer.
        patience: seconds in which the program must answer if a move has no time limit.
        startup: seconds until the program counts as hung while it starts.
        dir: the working directory of the program.
        option.NAME: an option of the program; the value of a button is empty.
    """

    protocol: ClassVar[str]
    """The name of the protocol in specifications: `uci`."""
    _readers: ClassVar[dict[str, Callable[[object], object]]] = {
        "time": seconds,
        "depth": _COUNT,
        "nodes": _COUNT,
        "infinite": flag,
        "clock": flag,
        **dict.fromkeys(_DEFAULT_SECONDS, seconds),
        "dir": _folder,
    }
    _default_time: ClassVar[float | None] = DEFAULT_TIME
    """Seconds for a move if there is no limit; None if the program decides."""
    _stop_command: ClassVar[str] = "stop"
    _known_words: ClassVar[frozenset[str]] = frozenset()
    """The first words of lines that the program may write at any time."""

    def __init__(self, spec: str = "", **options: object) -> None:
        """Parse the options.  Options in `spec`, the text after the colon, take precedence.

        Raises:
            EngineOptionError: An option is unknown or has an invalid value.
            UnknownEngineError: The program does not exist, or is not executable.
        """
        all_options = {**options, **split_program_spec(spec, self.protocol)}
        self._program_options = {
            key.removeprefix(PROGRAM_OPTION): all_options.pop(key)
            for key in list(all_options)
            if key.startswith(PROGRAM_OPTION)
        }
        self._argv = command_line(all_options.pop("cmd", None), self.protocol)
        self._option_values = values = parse_options(self.protocol, all_options, self._readers)
        limits = {key: values[key] for key in ("time", "depth", "nodes") if key in values}
        self._limits = Limits(**limits)  # type: ignore[arg-type]  # the readers check the types
        find_program(self._argv)
        self.name = f"{self.protocol}:{Path(self._argv[0]).name}"
        self.identity = ""
        """The name that the program reports at its start."""
        self.hang_seconds = inf
        """Seconds in which the program must answer whatever its options are; a match sets them."""
        self._program: Program | None = None
        # Ends the program when the engine is garbage-collected.
        self._finalizer: weakref.finalize[[float], ProgramEngine] | None = None
        self._stopping = self._is_late = False

    # --- the interface of engines -------------------------------------------------------

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Send the position to the program and return its move.

        Raises:
            ProgramError: The program exited, hung, exceeded its limits, or sent no legal move.
            Resignation: The program resigned.
            EngineError: The position is decided, or cannot be sent.
        """
        self._stopping = self._is_late = False
        checked_moves(position, limits)
        with self._ending_after_errors():
            limits = self._limits_to_send(limits)
            result = self._search(position, limits, report)
            if self._is_late:
                raise self._running_program().end_with_error(
                    f"did not keep to {_shown_limits(limits)}: "
                    f"it moved at {result.time:.1f} s, and only"  # after 'stop'
                )
            return result

    def stop(self) -> None:
        """Tell the program to end its search.  Any thread may call this."""
        self._stopping = True
        program = self._program
        if program is not None:
            program.wake()

    def new_game(self) -> None:
        """Tell the program, which is started if necessary, that a new game begins.

        Raises:
            ProgramError: The program exited, or does not answer.
        """
        with self._ending_after_errors():
            self._begin_game(self._running_program())

    def prepare(self, position: Position) -> None:
        """Start the program if it is not running, and tell it which game begins.

        Raises:
            ProgramError: The program exited, or does not answer.
            EngineOptionError: The program has no such option, or does not accept its value.
            EngineError: The program does not play the game, or the position cannot be sent.
        """
        with self._ending_after_errors():
            self._prepare(self._running_program(), position)

    def close(self) -> None:
        """End the program: send `quit`, wait half a second, then kill it."""
        program = self._program
        if program is not None and not program.ended:
            program.send("quit")
        self._end_program(_QUIT_SECONDS)

    def start(self) -> None:
        """Start the program if it is not running, and set `identity`.

        Raises:
            ProgramError: The program cannot be started, or does not implement the protocol.
            EngineOptionError: The program has no such option, or does not accept its value.
        """
        with self._ending_after_errors():
            self._running_program()

    @property
    def pid(self) -> int | None:
        """The process id of the program; None if it is not running."""
        return None if self._program is None or self._program.ended else self._program.pid

    # --- what a protocol defines --------------------------------------------------------

    def _begin(self, program: Program) -> None:
        """Send the first commands to a program that has just started, and set its options."""
        raise NotImplementedError

    def _begin_game(self, program: Program) -> None:
        """Tell the program that a new game begins."""
        raise NotImplementedError

    def _prepare(self, program: Program, position: Position) -> None:
        """Tell the program which game begins, and wait until it is ready."""
        raise NotImplementedError

    def _search(self, position: Position, limits: Limits, report: Reporter | None) -> SearchResult:
        """Send a position to the program, and return its move."""
        raise NotImplementedError

    # --- limits -------------------------------------------------------------------------

    def _limits_to_send(self, limits: Limits | None) -> Limits:
        """Return the limits of a move, with either a clock or the time for the move."""
        merged = (limits or Limits()).with_defaults(self._limits)
        if not self._option_values.get("clock"):
            return replace(merged, time=merged.seconds, clock=None)
        clock = merged.time if merged.clock is None else merged.clock
        return replace(merged, time=None, clock=clock)

    # --- starting and ending ------------------------------------------------------------

    def _running_program(self) -> Program:
        """Return the program after starting it if it is not running."""
        program = self._program
        if program is not None and not program.ended:
            program.check_running()
            return program
        folder = self._option_values.get("dir")
        program = Program(self._argv, folder=None if folder is None else str(folder))
        self._program = program
        self._finalizer = weakref.finalize(self, program.end, 0.0)
        self.identity = ""
        self._begin(program)
        return program

    @contextmanager
    def _ending_after_errors(self) -> Iterator[None]:
        """End the program after an exception.

        After Ctrl-C or an error of `report`, the program may still be searching.  Its answer would
        be read as the answer to the next command.
        """
        try:
            yield
        except Resignation:
            raise
        except BaseException as error:
            self._end_program(0.0)
            if isinstance(error, ProgramError):
                error.suggest_protocol(self.protocol)
            raise

    def _end_program(self, grace: float) -> None:
        """End the program if it is running; kill it after `grace` seconds."""
        program, self._program = self._program, None
        if program is not None:
            program.end(grace)
        if self._finalizer is not None:
            self._finalizer.detach()
            self._finalizer = None

    def _seconds(self, name: str) -> float:
        value = self._option_values.get(name, _DEFAULT_SECONDS[name])
        assert isinstance(value, (int, float))
        return float(value)

    # --- reading ------------------------------------------------------------------------

    def _answer_lines(self, program: Program, expected: str) -> Iterator[str]:
        """Yield the lines of the program after a command other than that of a search.

        Args:
            program: The program.
            expected: The answer to the command, for the message if it does not come.

        Raises:
            ProgramError: The program exited or hangs, or wrote too many unknown lines.
        """
        patience = self._seconds("startup")
        deadline = time.monotonic() + patience
        unknown = 0
        while True:
            line = program.read_line(deadline)
            if line is not None:
                yield line
                unknown = self._count_unknown(program, unknown, line)
            if time.monotonic() >= deadline:
                raise program.end_with_error(f"did not answer {expected!r} within {patience:g} s")

    def _search_lines(self, program: Program, begun: float, limits: Limits) -> Iterator[str]:
        """Yield the lines of the program during a search.

        Tells the program to stop when `stop()` is called or the limits are exceeded.

        Args:
            program: The program.
            begun: The value of `time.monotonic()` at the start of the search.
            limits: The limits of the search.

        Raises:
            ProgramError: The program exited or hangs, or wrote too many unknown lines.
        """
        deadline = self._deadline(begun, limits)
        unknown = 0
        stopped = False
        while True:
            if self._stopping and not stopped:
                stopped = True
                if self._stop_command:
                    program.send(self._stop_command)
                deadline = min(deadline, time.monotonic() + self._seconds("grace"))
            line = program.read_line(deadline)
            if line is not None:
                yield line
                unknown = self._count_unknown(program, unknown, line)
            now = time.monotonic()
            if now < deadline:
                continue
            if stopped or not self._stop_command:
                after_stop = " although it was asked to stop" if stopped else ""
                raise program.end_with_error(
                    f"hangs: no answer after {now - begun:.1f} s{after_stop}"
                )
            self._is_late = stopped = True
            program.send(self._stop_command)
            deadline = now + min(_LATE_SECONDS, self._seconds("grace"))

    def _deadline(self, begun: float, limits: Limits) -> float:
        """Return the time at which the program exceeds its limits; infinity for no limit."""
        move_time = limits.time if limits.clock is None else limits.clock
        allowed = self._seconds("patience")
        if limits.unlimited:
            move_time = self._default_time
        if limits.unlimited and self._option_values.get("infinite"):
            allowed = inf
        elif move_time is not None:
            allowed = move_time + self._seconds("grace")
        return begun + min(allowed, self.hang_seconds)

    def _is_known(self, line: str) -> bool:
        """Whether a line is in the protocol, so that the program may write it at any time."""
        return first_word(line) in self._known_words

    def _count_unknown(self, program: Program, unknown: int, line: str) -> int:
        """Return the number of lines not in the protocol, including this line.

        Raises:
            ProgramError: The program wrote too many such lines.
        """
        if self._is_known(line):
            return unknown
        if unknown >= MAX_UNKNOWN_LINES:
            raise program.end_with_error(
                f"wrote {MAX_UNKNOWN_LINES:,} lines that are not {self.protocol.upper()}"
            )
        return unknown + 1

    def _illegal_move_error(
        self, program: Program, position: Position, error: MoveError, text: str = ""
    ) -> ProgramError:
        """Return the error of an illegal move, with the program's last text for users."""
        return program.end_with_error(
            f"answered ply {position.ply} with an illegal move: {error}{text and f' ({text})'}"
        )


def _shown_limits(limits: Limits) -> str:
    """Return the limits of a move as options."""
    names = ("time", "clock", "depth", "nodes")
    given = {name: value for name in names if (value := getattr(limits, name)) is not None}
    return ",".join(f"{name}={value:g}" for name, value in given.items()) or "any limit"
