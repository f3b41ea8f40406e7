"""The engine `gtp`: a program for Go, or a game like it, chooses the moves.

Owns the commands and answers of the protocol on the side of the client.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, ClassVar

from forthvm.core.errors import MoveError
from forthvm.engines.errors import EngineError, EngineOptionError, Resignation
from forthvm.engines.protocol import SearchResult
from forthvm.engines.protocols.client import MAX_UNKNOWN_LINES, ProgramEngine
from forthvm.engines.protocols.gtp.points import (
    PASS,
    board_size,
    chosen_komi,
    colour_of,
    find_move,
    refuse_other_games,
    vertex,
)
from forthvm.game.notation import HOST_PASS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.engines.protocol import Limits, Reporter
    from forthvm.engines.protocols.process import Program
    from forthvm.game import Game, Position

__all__ = ["GtpEngine"]

_NO_LIMIT = "0 1 0"
"""The arguments of `time_settings` without a limit of time."""
_ANSWER = re.compile(r"([=?])\d*(?:\s+(.*))?")


class GtpEngine(ProgramEngine):
    """An engine that runs a GTP program, such as GNU Go.

    The options are those of ProgramEngine, without `depth`, `nodes`, `infinite` and `option.NAME`,
    for which GTP has no commands.  Without a limit of time the program decides how long it thinks.
    GTP cannot end a search: after `stop()` the program has `grace` seconds to answer.
    """

    protocol = "gtp"
    _default_time = None
    _stop_command = ""
    _known_words = frozenset({"", "=", "?"})
    _readers: ClassVar = {
        name: reader
        for name, reader in ProgramEngine._readers.items()
        if name not in {"depth", "nodes", "infinite"}
    }

    def __init__(self, spec: str = "", **options: object) -> None:
        """Parse the options, as ProgramEngine does."""
        super().__init__(spec, **options)
        if self._program_options:
            raise EngineOptionError(
                "GTP has no options of programs: add them to the arguments of the program"
            )
        self._commands: frozenset[str] = frozenset()
        self._game: Game | None = None  # the game that the program plays
        self._made: list[str] = []  # the arguments of `play` that led to the program's position
        self._time_settings = _NO_LIMIT
        self._has_clock = False  # whether the program has been told the clock of this game

    def _begin(self, program: Program) -> None:
        self._commands = frozenset(self._answer(program, "list_commands").split())
        self.identity = f"{self._answer(program, 'name')} {self._answer(program, 'version')}"
        self._game, self._time_settings = None, _NO_LIMIT

    def _begin_game(self, program: Program) -> None:
        self._game = None

    def _prepare(self, program: Program, position: Position) -> None:
        self._begin_game(program)
        self._send_position(program, position)

    # --- searching ----------------------------------------------------------------------

    def _search(self, position: Position, limits: Limits, report: Reporter | None) -> SearchResult:
        if limits.depth is not None or limits.nodes is not None:
            raise EngineOptionError("GTP has no limits of depth and nodes; use time")
        program = self._running_program()
        self._send_position(program, position)
        colour = colour_of(position.game, position.turn)
        self._send_time(program, colour, limits)
        begun = time.monotonic()
        program.send(f"genmove {colour}")
        is_answered, word = _read_answer(program, self._search_lines(program, begun, limits))
        if not is_answered:
            raise program.end_with_error(f"refused to move: {word}")
        if word.casefold() == "resign":
            raise Resignation(f"{self.name} resigns at ply {position.ply}")
        try:
            move = position.legal_moves[find_move(position, word)]
        except MoveError as error:
            raise self._illegal_move_error(program, position, error) from error
        self._made.append(f"{colour} {vertex(move.text, position._loaded)}")
        return SearchResult(move=move, pv=(move,), time=time.monotonic() - begun)

    def _send_position(self, program: Program, position: Position) -> None:
        """Send the moves that the program does not know; if necessary, all of them.

        Raises:
            EngineError: Programs do not play the game, or it begins with other stones.
            ProgramError: The program refuses a command.
        """
        game, moves = position.game, _moves_to(position)
        if self._game is not game:
            refuse_other_games(game)
            self._answer(program, f"boardsize {board_size(game)}")
            komi = chosen_komi(game)
            if komi is not None:
                self._answer(program, f"komi {komi}")
        if self._game is not game or moves[: len(self._made)] != self._made:
            self._answer(program, "clear_board")
            self._made, self._has_clock = [], False
        self._game = game
        for move in moves[len(self._made) :]:
            self._answer(program, f"play {move}")
            self._made.append(move)

    def _send_time(self, program: Program, colour: str, limits: Limits) -> None:
        """Send the time left on the clock, or the time for each stone."""
        by_clock = limits.clock is not None
        limit = limits.clock if by_clock else limits.time
        if limit is None:
            settings = _NO_LIMIT
        else:
            span = max(1, int(limit))  # GTP has whole seconds
            settings = f"{span} 0 0" if by_clock else f"0 {span} 1"
        is_sent = settings == self._time_settings or (by_clock and self._has_clock)
        if "time_settings" in self._commands and not is_sent:
            self._answer(program, f"time_settings {settings}")
            self._time_settings = settings
        self._has_clock = by_clock
        if "time_left" in self._commands and limit is not None:
            self._answer(program, f"time_left {colour} {span} {0 if by_clock else 1}")

    # --- commands -----------------------------------------------------------------------

    def _answer(self, program: Program, command: str) -> str:
        """Send a command and return the text of the answer.

        Raises:
            ProgramError: The program refuses the command, exits or hangs.
        """
        program.send(command)
        is_answered, text = _read_answer(program, self._answer_lines(program, "="))
        if not is_answered:
            raise program.end_with_error(f"refused {command!r}: {text}")
        return text


def _read_answer(program: Program, lines: Iterator[str]) -> tuple[bool, str]:
    """Return whether a command succeeded, and the text of its answer, which a blank line ends.

    Lines before the answer are skipped.

    Raises:
        ProgramError: The answer is too long.
    """
    first = next(found for line in lines if (found := _ANSWER.fullmatch(line.rstrip())))
    text = [first[2] or ""]
    for line in lines:
        if not line.strip():
            break
        text.append(line)
        if len(text) > MAX_UNKNOWN_LINES:
            raise program.end_with_error(f"sent an answer of {MAX_UNKNOWN_LINES:,} lines")
    return first[1] == "=", "\n".join(text).strip()


def _moves_to(position: Position) -> list[str]:
    """Return the arguments of `play` that lead to a position: stones set up, and moves.

    Stones may be set up in any order, because none of them captures.

    Raises:
        EngineError: The game begins with stones, which cannot be replaced by others.
    """
    game = position.game
    made = _stones(game, position)
    for entry in position.history:
        point = PASS if entry.index == HOST_PASS else vertex(entry.text, position._loaded)
        made.append(f"{colour_of(game, entry.player)} {point}")
    return made


def _stones(game: Game, position: Position) -> list[str]:
    if position._setup is None:
        return []
    if any(game.start().board.occupied()):
        raise EngineError(f"GTP cannot set up positions of {game.name}")
    stones = game._begin(position._setup).board.occupied()
    return [f"{colour_of(game, str(piece.player))} {name.upper()}" for name, piece in stones]
