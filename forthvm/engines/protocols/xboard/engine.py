"""The engine `xboard`: a program chooses the moves over CECP.

Owns the commands and answers of the protocol.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from forthvm.core.errors import MoveError
from forthvm.engines.errors import EngineError, EngineOptionError, Resignation
from forthvm.engines.protocols.client import (
    DEFAULT_TIME,
    MAX_UNKNOWN_LINES,
    ProgramEngine,
    first_word,
)
from forthvm.engines.protocols.coordinates import XBOARD, CoordinateWords
from forthvm.engines.protocols.game_names import name_of
from forthvm.engines.protocols.moves_from_start import PositionEncoder, position_text
from forthvm.engines.protocols.program_options import find_option
from forthvm.engines.protocols.search_reports import SearchReports
from forthvm.engines.protocols.xboard.messages import (
    NUMBER_COMMANDS,
    clock_text,
    option_command,
    option_of_feature,
    read_features,
    read_thinking,
    xiangqi_position,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.engines.protocol import Limits, Reporter, SearchResult
    from forthvm.engines.protocols.process import Program
    from forthvm.engines.protocols.program_options import ProgramOption
    from forthvm.game import Game, Position

__all__ = ["XboardEngine"]

_SUPPORTED = frozenset(
    {"ping", "setboard", "usermove", "colors", "time", "reuse", "variants", "myname", "option"}
    | {"sigint", "sigterm", "name", "done"}
)
"""The features that are accepted; others are rejected."""
_MOVE = re.compile(r"(?:move\s+|My move is\s*:\s*|\d+\. *\.\.\.\s*)(\S+).*")
_LONG_NOTATION = re.compile(r"[A-Z]?([a-z]\d+)[-x]?([a-z]\d+)=?([A-Za-z]?)(\+?)[+#]?")
"""A move by both of its squares, which XBoard counts otherwise than some games do."""
_RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2)\b.*")
_REFUSAL = re.compile(r"(?:Illegal move|Illegal position|tellusererror)\b.*", re.IGNORECASE)
_ERROR = re.compile(r"Error *\(.*\) *: *(.*)")
_COMMENT = "#"
"""The start of a line that is for readers of logs; a command may be repeated there."""
_FEATURE_SECONDS = 2.0
"""Seconds to wait for more features of a program that does not send `done`."""
_LONGEST_SECONDS = 86_400
"""Seconds for a move without a limit."""


class XboardWords(CoordinateWords):
    """The words of moves; `Pa3-a4` and moves in the short notation of the game are found, too."""

    def __init__(self, position: Position) -> None:
        """Write the legal moves of a position.  Later changes of the position have no effect."""
        super().__init__(position, XBOARD)
        self._position = position.copy()

    def find(self, word: str) -> int:
        """Return the index of a move, as CoordinateWords does."""
        for spelling in _spellings(word):
            with suppress(MoveError):
                return super().find(spelling)
        with suppress(MoveError):
            return self._position.parse(word).index
        return super().find(word)  # raises the error


def _spellings(word: str) -> Sequence[str]:
    """Return the coordinates that a word may mean; `+` is a promotion in shogi, or a check."""
    long = _LONG_NOTATION.fullmatch(word)
    if long is None:
        return [word]
    *parts, sign = long.groups()
    coordinates = "".join(parts)
    return [coordinates + sign, coordinates]


def _words(position: Position) -> Sequence[str]:
    return CoordinateWords(position, XBOARD).words


class XboardEngine(ProgramEngine):
    """An engine that runs a program for XBoard, such as Fairy-Max.

    The options are those of ProgramEngine, without `nodes`: the protocol has no such limit.  Times
    for a move are rounded up to seconds.
    """

    protocol = "xboard"
    _stop_command = "?"
    _readers: ClassVar = {
        name: reader for name, reader in ProgramEngine._readers.items() if name != "nodes"
    }
    _known_words = frozenset(
        {"feature", "pong", "tellics", "telluser", "tellall", "tellothers", "offer", "Error"}
    )

    def __init__(self, spec: str = "", **options: object) -> None:
        """Parse the options, as ProgramEngine does."""
        super().__init__(spec, **options)
        self.options: dict[str, ProgramOption] = {}
        """The options that the program declares at its start, by name."""
        self._features: dict[str, str] = {}
        self._encoder: PositionEncoder | None = None
        self._pings = 0
        # What the program has been told since it was started or a game began.
        self._game: Game | None = None
        self._board: tuple[str, list[str]] | None = None  # position as text, and moves
        self._has_level = self._has_depth = self._has_played = False
        self._begins_game = False

    # --- starting -----------------------------------------------------------------------

    def _begin(self, program: Program) -> None:
        self._features, self.options = {}, {}
        self._board, self._game, self._has_played = None, None, False
        program.send("xboard")
        program.send("protover 2")
        self._read_features(program)
        self.identity = self._features.get("myname", "")
        for name, value in self._program_options.items():
            option = find_option(self.options, name, program)
            program.send(option_command(option, value))
        self._synchronize(program)

    def _read_features(self, program: Program) -> None:
        """Read the features of the program, and accept or reject them.

        A program of version 1 of the protocol reports an unknown command instead.
        """
        patience = self._seconds("startup")
        deadline = end = time.monotonic() + patience
        count = 0
        while self._features.get("done") != "1":
            line = program.read_line(deadline)
            if line is None and time.monotonic() < deadline:
                continue  # the search is to stop, but the program must start first
            if line is None:
                if self._features and "done" not in self._features:
                    return
                raise program.end_with_error(f"did not answer 'feature' within {patience:g} s")
            if "protover" in line and not line.startswith(("feature", _COMMENT)):
                return
            features = read_features(line) if line.startswith("feature") else []
            count += max(1, len(features))
            if count > MAX_UNKNOWN_LINES:
                raise program.end_with_error(
                    f"sent {MAX_UNKNOWN_LINES:,} features or other lines without 'feature done=1'"
                )
            if features:
                self._accept(program, features)
                is_open = "done" in self._features
                deadline = end if is_open else min(end, time.monotonic() + _FEATURE_SECONDS)

    def _accept(self, program: Program, features: Sequence[tuple[str, str]]) -> None:
        for name, value in features:
            is_supported = name in _SUPPORTED or name in NUMBER_COMMANDS
            program.send(f"{'accepted' if is_supported else 'rejected'} {name}")
            option = option_of_feature(name, value)
            if option is not None:
                self.options[option.name] = option
            elif is_supported:
                self._features[name] = value

    def _begin_game(self, program: Program) -> None:
        self._board = None
        self._synchronize(program)

    def _prepare(self, program: Program, position: Position) -> None:
        program = self._new_board(program, position.game, self._board_of(position)[0])
        self._synchronize(program)

    def _has_feature(self, name: str) -> bool:
        return self._features.get(name) == "1"

    def _synchronize(self, program: Program, commands: Sequence[str] = ()) -> None:
        """Wait until the program has processed all lines sent, if it can say so.

        Args:
            program: The program.
            commands: The commands that the program must not refuse.

        Raises:
            ProgramError: The program exited or hangs, or refuses a command.
        """
        if not self._has_feature("ping"):
            return
        self._pings += 1
        program.send(f"ping {self._pings}")
        expected = f"pong {self._pings}"
        for line in self._answer_lines(program, expected):
            if line.strip() == expected:
                return
            self._check_not_refused(program, line, commands)

    def _check_not_refused(self, program: Program, line: str, commands: Sequence[str]) -> None:
        error = _ERROR.fullmatch(line)
        if (_REFUSAL.fullmatch(line) and commands) or (error and error[1] in commands):
            raise program.end_with_error(f"refused a move or position: {line!r}")

    # --- searching ----------------------------------------------------------------------

    def _search(self, position: Position, limits: Limits, report: Reporter | None) -> SearchResult:
        if limits.nodes is not None:
            raise EngineOptionError("CECP has no limit of nodes; use time or depth")
        if limits.time is not None:
            limits = replace(limits, time=max(1.0, ceil(limits.time)))
        board = self._board_of(position)
        program = self._running_program()
        if self._continues(position.game, board, limits):
            program.send("force")  # else the program would answer the opponent's move by itself
        else:
            program = self._new_board(program, position.game, board[0])
        sent = self._send_moves(program, board)
        self._send_limits(program, limits)
        self._synchronize(program, sent)
        begun = time.monotonic()
        program.send("go")
        reports = SearchReports(position, report, XboardWords)
        word = self._read_move(program, reports, begun, limits, sent)
        self._begins_game = False
        elapsed = time.monotonic() - begun
        try:
            index = reports.words.find(word)
        except MoveError as error:
            raise self._illegal_move_error(program, position, error, reports.text) from error
        board[1].append(reports.words.words[index])
        return reports.result(position.legal_moves[index], elapsed)

    def _board_of(self, position: Position) -> tuple[str, list[str]]:
        """Return a position as text, "" for the start of the game, and the moves from there.

        Raises:
            EngineError: The position cannot be sent.
        """
        if self._encoder is None or self._encoder.game is not position.game:
            self._encoder = PositionEncoder(position.game, _words)
        words = self._encoder.words(position)
        if words is not None:
            return "", words
        text = position_text(position)
        is_xiangqi = name_of(position.game, self.protocol) == "xiangqi"
        return xiangqi_position(text) if is_xiangqi else text, []

    def _variant(self, program: Program, game: Game) -> str:
        """Return the program's name of a game, which may have hyphens: `los-alamos`.

        Raises:
            EngineError: The program does not play the game.
        """
        name = name_of(game, self.protocol)
        known = self._features.get("variants", "normal").split(",")
        for variant in known:
            if variant.strip().replace("-", "") == name.replace("-", ""):
                return variant.strip()
        raise EngineError(
            f"program {program.name!r} does not play {game.name}: "
            f"it has {', '.join(known)}, but not {name}"
        )

    def _continues(self, game: Game, board: tuple[str, list[str]], limits: Limits) -> bool:
        """Whether the program can go on from the position that it has."""
        if self._board is None or self._game is not game:
            return False
        start, words = self._board
        if self._has_depth and limits.depth is None:
            return False  # only a new game removes a limit of depth
        return start == board[0] and words == board[1][: len(words)]

    def _new_board(self, program: Program, game: Game, start: str) -> Program:
        """Tell the program to begin a game from a position, after a restart if it needs one.

        Raises:
            EngineError: The program does not play the game, or cannot be given the position.
        """
        variant = self._variant(program, game)
        if self._has_played and self._features.get("reuse") == "0":
            self.close()
            program = self._running_program()
        if start and not self._has_feature("setboard"):
            raise EngineError(
                f"program {program.name!r} cannot be given this position: "
                "it has no feature setboard, and moves from the start do not lead there"
            )
        program.send("new")
        if variant != "normal":
            program.send(f"variant {variant}")
        for command in ("force", "easy", "post"):
            program.send(command)
        if start:
            program.send(f"setboard {start}")
            self._synchronize(program, [f"setboard {start}"])
        self._board, self._game = (start, []), game
        self._has_level = self._has_depth = False
        self._has_played = self._begins_game = True
        return program

    def _send_moves(self, program: Program, board: tuple[str, list[str]]) -> list[str]:
        """Send the moves that the program does not know; return the commands."""
        assert self._board is not None
        prefix = "usermove " if self._has_feature("usermove") else ""
        commands = [f"{prefix}{word}" for word in board[1][len(self._board[1]) :]]
        for command in commands:
            program.send(command)
        self._board = board
        return commands

    def _send_limits(self, program: Program, limits: Limits) -> None:
        if limits.clock is not None:
            if not self._has_level:
                base, increment = clock_text(limits.clock), limits.increment or 0.0
                program.send(f"level {limits.moves or 0} {base} {increment:g}")
            # The opponent's clock is unknown; the program gets the same values for both players.
            hundredths = max(1, round(100 * limits.clock))
            program.send(f"time {hundredths}")
            program.send(f"otim {hundredths}")
        else:
            move_time = self._longest_time(limits) if limits.time is None else limits.time
            program.send(f"st {round(move_time)}")
        self._has_level = limits.clock is not None
        if limits.depth is not None:
            program.send(f"sd {limits.depth}")
            self._has_depth = True

    def _longest_time(self, limits: Limits) -> float:
        """Return the time for a move without a limit of time, in seconds."""
        if limits.depth is not None:
            return ceil(self._seconds("patience"))
        return _LONGEST_SECONDS if self._option_values.get("infinite") else DEFAULT_TIME

    def _is_known(self, line: str) -> bool:
        is_comment = line.startswith(_COMMENT)
        return is_comment or super()._is_known(line) or read_thinking(line) is not None

    def _read_move(
        self,
        program: Program,
        reports: SearchReports,
        begun: float,
        limits: Limits,
        sent: Sequence[str],
    ) -> str:
        """Wait for the line `move MOVE` and return the word MOVE."""
        # Without ping, the result of the last game may arrive after the start of the next one.
        may_be_late = self._begins_game and not self._has_feature("ping")
        for line in self._search_lines(program, begun, limits):
            move = _MOVE.fullmatch(line.strip())
            if move:
                return move[1]
            is_result = not may_be_late and _RESULT.fullmatch(line.strip())
            if first_word(line) == "resign" or (is_result and "resign" in line.casefold()):
                self._board = None
                raise Resignation(f"{self.name} resigns")
            if is_result:
                raise program.end_with_error(f"ended the game without a move: {line.strip()!r}")
            self._check_not_refused(program, line, sent)
            info = read_thinking(line)
            if info is not None:
                reports.add(info, time.monotonic() - begun)
            elif line.startswith(("telluser ", "tellall ")):
                reports.text = line.partition(" ")[2]
        raise AssertionError("the lines of a program do not end")
