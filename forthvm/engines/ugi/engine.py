"""The engines `ugi` and `uci`: another program chooses the moves.

Owns the communication with the program, the deadlines, and the translation of limits and answers.
Delegates the process to process.py, and the differences of the protocols to dialect.py.
"""

from __future__ import annotations

import time
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from forthvm.core.errors import MoveError, PositionError
from forthvm.core.loading.files import expand_user
from forthvm.engines.errors import EngineError, EngineOptionError
from forthvm.engines.options import flag, integer, parse_options, seconds
from forthvm.engines.protocol import Engine, Limits, NotCopied, Reporter, SearchResult
from forthvm.engines.simple import checked_moves
from forthvm.engines.ugi.coordinates import refuse_other_games
from forthvm.engines.ugi.dialect import UCI, UGI
from forthvm.engines.ugi.messages import ProgramOption, read_info, read_option
from forthvm.engines.ugi.moves import MoveWords
from forthvm.engines.ugi.positions import PositionEncoder, to_fen
from forthvm.engines.ugi.process import Program, find_program
from forthvm.engines.ugi.search_reports import SearchReports
from forthvm.engines.ugi.spec import command_line, split_program_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.engines.ugi.dialect import Dialect
    from forthvm.engines.ugi.errors import ProgramError
    from forthvm.game import Game, Position

__all__ = ["ProgramEngine", "UciEngine", "UgiEngine"]

_PROGRAM_OPTION = "option."
"""The prefix of an engine option that sets an option of the program."""
_DEFAULT_TIME = 1.0
"""Seconds for a move if there is no limit."""
_MAX_UNKNOWN_LINES = 1000
"""After a command, the program may write this number of lines that are not in the protocol."""
_QUIT_SECONDS = 0.5
"""Seconds in which the program must exit after `quit`."""
_KNOWN_WORDS = frozenset(
    {"info", "id", "option", "readyok", "ugiok", "uciok", "copyprotection", "registration"}
)


class ProgramEngine(NotCopied, Engine):
    """An engine that runs a program.  The first call that needs the program starts it.

    Every failure of the program raises a ProgramError and ends the program with all its
    processes; the next call starts it again.

    Options:
        cmd: the program and its arguments, as a text or a list.
        time (seconds), depth, nodes: limits of a move; default 1 second.
        infinite: without other limits, search until `stop()`.
        clock: whether `time` is the remaining time of a clock, to which the limit `increment` is
            added after each move.  The program decides how much time a move uses.
        grace: the program counts as hung this number of seconds after the end of the time limit or
            after `stop`.
        patience: seconds until the program counts as hung in a move without a time limit.
        startup: seconds until the program counts as hung while it starts.
        dir: the working directory of the program.
        option.NAME: an option of the program.
    """

    dialect: ClassVar[Dialect]
    """The protocol."""
    _readers: ClassVar[dict[str, Callable[[object], object]]]

    def __init__(self, spec: str = "", **options: object) -> None:
        """Parse the options.  Options in `spec`, the text after the colon, take precedence.

        Raises:
            EngineOptionError: An option is unknown or has an invalid value.
            UnknownEngineError: The program does not exist, or is not executable.
        """
        protocol = self.dialect.name
        all_options = {**options, **split_program_spec(spec, protocol)}
        self._program_options = {
            key.removeprefix(_PROGRAM_OPTION): all_options.pop(key)
            for key in list(all_options)
            if key.startswith(_PROGRAM_OPTION)
        }
        self._argv = command_line(all_options.pop("cmd", None), protocol)
        self._option_values = values = parse_options(protocol, all_options, self._readers)
        limits = {key: values[key] for key in ("time", "depth", "nodes") if key in values}
        self._limits = Limits(**limits)  # type: ignore[arg-type]  # the readers check the types
        find_program(self._argv)
        self.name = f"{protocol}:{Path(self._argv[0]).name}"
        self.identity = ""
        """The name that the program reports at its start."""
        self.options: dict[str, ProgramOption] = {}
        """The options that the program declares at its start, by name."""
        self._program: Program | None = None
        # Ends the program when the engine is garbage-collected.
        self._finalizer: weakref.finalize[[float], ProgramEngine] | None = None
        self._encoder: PositionEncoder | None = None
        self._stopping = False

    # --- the interface of engines -------------------------------------------------------

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Send the position to the program and return its move.

        Raises:
            ProgramError: The program exited, hung, or did not send a legal move.
            EngineError: The position is decided, or cannot be sent.
        """
        self._stopping = False
        checked_moves(position, limits)
        try:
            return self._search(position, (limits or Limits()).with_defaults(self._limits), report)
        except BaseException:
            # After Ctrl-C or an error of `report`, the program may still be searching.  Its answer
            # would be read as the answer to the next command.
            self._end_program(0.0)
            raise

    def stop(self) -> None:
        """Tell the program to end its search.  Any thread may call this."""
        self._stopping = True
        program = self._program
        if program is not None:
            program.wake()

    def new_game(self) -> None:
        """Send `uginewgame` or `ucinewgame` to the program, which is started if necessary.

        Raises:
            ProgramError: The program exited, or does not answer.
        """
        self._encoder = None
        try:
            self._send_and_wait(f"{self.dialect.name}newgame")
        except BaseException:
            self._end_program(0.0)
            raise

    def close(self) -> None:
        """End the program: send `quit`, wait half a second, then kill it."""
        program = self._program
        if program is not None and not program.ended:
            program.send("quit")
        self._end_program(_QUIT_SECONDS)
        self._encoder = None

    def start(self) -> None:
        """Start the program if it is not running, and set `identity` and `options`.

        Raises:
            ProgramError: The program cannot be started, or does not implement the protocol.
            EngineOptionError: The program has no such option, or does not accept its value.
        """
        try:
            self._running_program()
        except BaseException:
            self._end_program(0.0)
            raise

    @property
    def pid(self) -> int | None:
        """The process id of the program; None if it is not running."""
        return None if self._program is None or self._program.ended else self._program.pid

    # --- starting -----------------------------------------------------------------------

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
        startup = self._seconds("startup")
        program.send(self.dialect.name)
        self.identity, self.options = "", {}
        received: list[str] = []
        self._read_until(f"{self.dialect.name}ok", program, startup, received)
        for line in received:
            if line.startswith("id name "):
                self.identity = line[8:].strip()
            option = read_option(line) if line.startswith("option ") else None
            if option is not None:
                self.options[option.name] = option
        for name, value in self._program_options.items():
            program.send(self._option(name).command(value))
        self._wait_until_ready(program)
        return program

    def _option(self, name: str) -> ProgramOption:
        """Return the option that the program declares under a name, ignoring letter case."""
        for known, option in self.options.items():
            if known.casefold() == name.casefold():
                return option
        raise EngineOptionError(
            f"program {self._argv[0]!r} has no option {name!r} "
            f"(it has: {', '.join(self.options) or 'none'})"
        )

    def _send_and_wait(self, *lines: str) -> Program:
        """Start the program if necessary, send lines, and wait until it has processed them."""
        program = self._running_program()
        for line in lines:
            program.send(line)
        self._wait_until_ready(program)
        return program

    def _wait_until_ready(self, program: Program) -> None:
        """Wait until the program has processed all lines sent."""
        program.send("isready")
        self._read_until("readyok", program, self._seconds("startup"))

    def _read_until(
        self, expected: str, program: Program, patience: float, received: list[str] | None = None
    ) -> str:
        """Wait for a line whose first word is `expected`, and return it."""
        deadline = time.monotonic() + patience
        unknown_lines = 0
        while True:
            line = program.read_line(deadline)
            if time.monotonic() >= deadline and (line is None or not line.startswith(expected)):
                raise program.end_with_error(f"did not answer {expected!r} within {patience:g} s")
            if line is None:
                continue
            first_word = line.partition(" ")[0].strip()
            if first_word == expected:
                return line.strip()
            unknown_lines = self._count_unknown(program, unknown_lines, first_word)
            if received is not None and len(received) < _MAX_UNKNOWN_LINES:
                received.append(line)

    def _count_unknown(self, program: Program, unknown_lines: int, first_word: str) -> int:
        """Return the number of lines not in the protocol, with a line that begins with this word.

        Raises:
            ProgramError: The program wrote too many such lines.
        """
        if first_word in _KNOWN_WORDS:
            return unknown_lines
        if unknown_lines >= _MAX_UNKNOWN_LINES:
            raise program.end_with_error(
                f"wrote {_MAX_UNKNOWN_LINES:,} lines that are not {self.dialect.title}"
            )
        return unknown_lines + 1

    def _seconds(self, name: str) -> float:
        value = self._option_values.get(name, _DEFAULT_SECONDS[name])
        assert isinstance(value, float)
        return value

    def _end_program(self, grace: float) -> None:
        """End the program if it is running; kill it after `grace` seconds."""
        program, self._program = self._program, None
        if program is not None:
            program.end(grace)
        if self._finalizer is not None:
            self._finalizer.detach()
            self._finalizer = None

    # --- searching ----------------------------------------------------------------------

    def _search(self, position: Position, limits: Limits, report: Reporter | None) -> SearchResult:
        program = self._send_and_wait(f"position {self._position_text(position)}")
        begun = time.monotonic()
        program.send(f"go {self._limits_text(limits)}")
        reports = SearchReports(position, report, self.dialect)
        word = self._read_best_move(program, reports, begun, limits)
        elapsed = time.monotonic() - begun
        try:
            move = position.legal_moves[reports.words.find(word)]
        except MoveError as error:
            raise self._illegal_move_error(program, reports, position, error) from error
        return reports.result(move, elapsed)

    def _position_text(self, position: Position) -> str:
        """Return the arguments of the command `position`.

        Raises:
            EngineError: The position cannot be sent.
        """
        raise NotImplementedError

    def _moves_text(self, position: Position) -> str | None:
        """Return the start and the moves; None if they do not lead to the position."""
        if self._encoder is None or self._encoder.game is not position.game:
            self._encoder = PositionEncoder(position.game, self._words_of())
        return self._encoder.encode(position)

    def _words_of(self) -> Callable[[Position], Sequence[str]]:
        """Return the function that writes moves in commands.

        It must not refer to the engine, which would keep an unused engine alive.
        """
        return self.dialect.words

    def _limits_text(self, limits: Limits) -> str:
        parts = []
        if limits.depth is not None:
            parts.append(f"depth {limits.depth}")
        if limits.nodes is not None:
            parts.append(f"nodes {limits.nodes}")
        move_time = limits.time
        if move_time is None and not parts:
            if self._option_values.get("infinite"):
                return "infinite"
            move_time = _DEFAULT_TIME
        if move_time is not None and self._option_values.get("clock"):
            clock = _milliseconds(move_time)
            increment = round(1000 * (limits.increment or 0.0))
            # The opponent's clock is unknown; the program gets the same values for both players.
            names = [self.dialect.clock(number) for number in (1, 2)]
            parts += [f"{name}time {clock}" for name in names]
            parts += [f"{name}inc {increment}" for name in names]
        elif move_time is not None:
            parts.append(f"movetime {_milliseconds(move_time)}")
        return " ".join(parts)

    def _deadline(self, begun: float, limits: Limits) -> float | None:
        """Return the time at which the program counts as hung; None before `stop` is called."""
        move_time = limits.time
        if move_time is None and limits.unlimited:
            if self._option_values.get("infinite"):
                return None
            move_time = _DEFAULT_TIME
        if move_time is None:
            return begun + self._seconds("patience")
        return begun + move_time + self._seconds("grace")

    def _read_best_move(
        self, program: Program, reports: SearchReports, begun: float, limits: Limits
    ) -> str:
        """Wait for the line `bestmove MOVE` and return the word MOVE."""
        deadline = self._deadline(begun, limits)
        unknown_lines = 0
        stopped = False
        while True:
            if self._stopping and not stopped:
                stopped = True
                program.send("stop")
                stop_deadline = time.monotonic() + self._seconds("grace")
                deadline = stop_deadline if deadline is None else min(deadline, stop_deadline)
            line = program.read_line(deadline)
            words = line.split() if line is not None else []
            first_word = words[0] if words else ""
            if deadline is not None and time.monotonic() >= deadline and first_word != "bestmove":
                raise self._hang_error(program, begun, stopped=stopped)
            if line is None:
                continue
            if first_word == "bestmove":
                if len(words) < 2:  # the word itself, and the move
                    raise program.end_with_error("answered without a move")
                return words[1]
            if first_word == "info":
                reports.add(read_info(line), time.monotonic() - begun)
            unknown_lines = self._count_unknown(program, unknown_lines, first_word)

    def _hang_error(self, program: Program, begun: float, *, stopped: bool) -> ProgramError:
        waited = time.monotonic() - begun
        after_stop = " although it was asked to stop" if stopped else ""
        return program.end_with_error(f"hangs: no answer after {waited:.1f} s{after_stop}")

    def _illegal_move_error(
        self, program: Program, reports: SearchReports, position: Position, error: MoveError
    ) -> ProgramError:
        text = f" ({reports.text})" if reports.text else ""
        return program.end_with_error(
            f"answered ply {position.ply} with an illegal move: {error}{text}"
        )


class UgiEngine(ProgramEngine):
    """An engine that runs a UGI program.

    Options: those of ProgramEngine, and
        fen: whether to send the complete position instead of moves: `always`, `never`, or `needed`
            (only if moves from the start do not lead to the position).
        names: the notation of moves in commands: `full`, or `squares` (`a2a3`), which is used for
            a move only if no other legal move has these squares.
    """

    dialect = UGI

    def query(self, what: str) -> str:
        """Send `query` with an argument such as `gameover` or `result`; return the answer.

        Raises:
            ProgramError: The program exited, or does not answer.
        """
        try:
            program = self._running_program()
            program.send(f"query {what}")
            line = self._read_until("response", program, self._seconds("startup"))
        except BaseException:
            self._end_program(0.0)
            raise
        return line.partition(" ")[2]

    def _position_text(self, position: Position) -> str:
        fen_option = self._option_values.get("fen", "needed")
        if fen_option != "always":
            text = self._moves_text(position)
            if text is not None:
                return text
            if fen_option == "never":
                raise EngineOptionError(
                    "moves from the start do not lead to this position, and fen=never forbids "
                    "sending the whole position"
                )
        return f"fen {to_fen(position)}"

    def _words_of(self) -> Callable[[Position], Sequence[str]]:
        plain = self._option_values.get("names") == "squares"
        return _squares_or_words if plain else super()._words_of()


def _squares_or_words(position: Position) -> Sequence[str]:
    return MoveWords(position).short_words()


class UciEngine(ProgramEngine):
    """An engine that runs a UCI program for chess, such as Stockfish.

    The options are those of ProgramEngine.
    """

    dialect = UCI

    def __init__(self, spec: str = "", **options: object) -> None:
        """Parse the options, as ProgramEngine does."""
        super().__init__(spec, **options)
        self._checked_game: Game | None = None

    def _position_text(self, position: Position) -> str:
        if self._checked_game is not position.game:
            refuse_other_games(position.game)
            self._checked_game = position.game
        text = self._moves_text(position)
        if text is not None:
            return text
        try:
            return f"fen {position.to_fen()}"
        except PositionError as error:
            raise EngineError(
                "moves from the start do not lead to this position, and it cannot be sent as FEN: "
                f"{error}"
            ) from error


def _milliseconds(span: float) -> int:
    """Return a number of milliseconds, at least 1: some programs read 0 as no limit."""
    return max(1, round(1000 * span))


def _one_of(*names: str) -> Callable[[object], object]:
    def read(value: object) -> str:
        if value not in names:
            raise ValueError(f"expected one of {', '.join(names)}, not {value!r}")
        return str(value)

    return read


def _folder(value: object) -> str:
    path = expand_user(str(value))
    if not path.is_dir():
        raise ValueError(f"there is no folder {str(value)!r}")
    return str(path)


_DEFAULT_SECONDS = {"grace": 3.0, "patience": 600.0, "startup": 20.0}
"""The default values of options that are times."""
_COUNT = integer(1)
ProgramEngine._readers = {
    "time": seconds,
    "depth": _COUNT,
    "nodes": _COUNT,
    "infinite": flag,
    "clock": flag,
    **dict.fromkeys(_DEFAULT_SECONDS, seconds),
    "dir": _folder,
}
UgiEngine._readers = {
    **ProgramEngine._readers,
    "fen": _one_of("needed", "always", "never"),
    "names": _one_of("full", "squares"),
}
