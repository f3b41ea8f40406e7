"""The engines `ugi`, `uci`, `usi` and `ucci`: another program chooses the moves.

Owns the commands and answers of the protocols.  Delegates the differences of the protocols to
dialect.py.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from forthvm.core.errors import MoveError
from forthvm.core.reading import one_of
from forthvm.engines.errors import EngineError, EngineOptionError, Resignation
from forthvm.engines.options import integer
from forthvm.engines.protocols.client import (
    DEFAULT_TIME,
    MAX_UNKNOWN_LINES,
    ProgramEngine,
    first_word,
)
from forthvm.engines.protocols.game_names import name_of
from forthvm.engines.protocols.moves_from_start import STARTPOS, PositionEncoder, position_text
from forthvm.engines.protocols.program_options import find_option
from forthvm.engines.protocols.search_reports import MAX_LINES, SearchReports
from forthvm.engines.protocols.uci.dialect import UCCI, UCI, UGI, USI
from forthvm.engines.protocols.uci.messages import read_info, read_option
from forthvm.engines.protocols.uci.positions import encode_position, fen_keyword
from forthvm.engines.protocols.words import MoveWords

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.engines.protocol import Limits, Reporter, SearchResult
    from forthvm.engines.protocols.process import Program
    from forthvm.engines.protocols.program_options import ProgramOption
    from forthvm.engines.protocols.uci.dialect import Dialect
    from forthvm.game import Game, Position

__all__ = ["DialectEngine", "UcciEngine", "UciEngine", "UgiEngine", "UsiEngine"]

_EMPTY = "<empty>"
"""An empty text as the value of an option."""


class DialectEngine(ProgramEngine):
    """An engine that runs a program of the family of UCI.

    Options: those of ProgramEngine, and
        lines: the number of best moves to find, with a principal variation for each
            (`info["lines"]`): the program's option MultiPV.
    """

    dialect: ClassVar[Dialect]
    """The protocol."""
    _readers: ClassVar = {**ProgramEngine._readers, "lines": integer(1, MAX_LINES)}
    _known_words = frozenset(
        {
            *("info", "id", "option", "copyprotection", "registration"),
            *("readyok", "ugiok", "uciok", "usiok", "ucciok", "bye"),
        }
    )

    def __init__(self, spec: str = "", **options: object) -> None:
        """Parse the options, as ProgramEngine does."""
        super().__init__(spec, **options)
        self.options: dict[str, ProgramOption] = {}
        """The options that the program declares at its start, by name."""
        self._encoder: PositionEncoder | None = None
        self._in_game = False  # whether the program has been told that a game begins

    def close(self) -> None:
        """End the program, as ProgramEngine does."""
        super().close()
        self._encoder = None

    # --- starting -----------------------------------------------------------------------

    def _begin(self, program: Program) -> None:
        program.send(self.dialect.name)
        self.options, self._in_game = {}, False
        received: list[str] = []
        self._read_until(f"{self.dialect.name}ok", program, received)
        for line in received:
            if line.startswith("id name "):
                self.identity = line[8:].strip()
            option = read_option(line) if line.startswith("option ") else None
            if option is not None:
                self.options[option.name] = option
        if self.dialect.unit_option in self.options:
            self._set_option(program, self.dialect.unit_option, "true")
        if "lines" in self._option_values:
            self._set_option(program, "MultiPV", self._option_values["lines"])
        for name, value in self._program_options.items():
            self._set_option(program, name, value)

    def _prepare(self, program: Program, position: Position) -> None:
        self._select_game(program, position.game)
        self._begin_game(program)

    def _begin_game(self, program: Program) -> None:
        self._encoder, self._in_game = None, True
        if not self.dialect.checks_before_search:
            self._wait_until_ready(program)
        if self.dialect.has_named_options or "newgame" in self.options:
            program.send(self.dialect.new_game)
        if self.dialect.checks_before_search:
            self._wait_until_ready(program)

    def _set_option(self, program: Program, name: str, value: object) -> None:
        option = find_option(self.options, name, program)
        text = option.value_text(value) or ("" if option.kind == "button" else _EMPTY)
        program.send(self.dialect.set_option(option.name, text))
        self._in_game = False

    def _wait_until_ready(self, program: Program) -> None:
        """Wait until the program has processed all lines sent."""
        program.send("isready")
        self._read_until("readyok", program)

    def _read_until(
        self, expected: str, program: Program, received: list[str] | None = None
    ) -> str:
        """Wait for a line whose first word is `expected`, and return it."""
        for line in self._answer_lines(program, expected):
            if first_word(line) == expected:
                return line.strip()
            if received is not None and len(received) < MAX_UNKNOWN_LINES:
                received.append(line)
        raise AssertionError("the lines of a program do not end")

    # --- searching ----------------------------------------------------------------------

    def _search(self, position: Position, limits: Limits, report: Reporter | None) -> SearchResult:
        program = self._running_program()
        self._select_game(program, position.game)
        if not self._in_game:
            self._begin_game(program)
        program.send(f"position {self._position_text(position)}")
        if self.dialect.checks_before_search:
            self._wait_until_ready(program)
        begun = time.monotonic()
        game = position.game
        players = 2 if self.dialect.own_game else len(game.contestants or game.players)
        program.send(f"go {self._limits_text(limits, players)}")
        reports = SearchReports(position, report, self.dialect.words_of)
        word = self._read_best_move(program, reports, begun, limits)
        elapsed = time.monotonic() - begun
        try:
            move = position.legal_moves[reports.words.find(word)]
        except MoveError as error:
            if word == "resign":
                raise Resignation(f"{self.name} resigns at ply {position.ply}") from error
            if word == "win":
                raise program.end_with_error("declared that it has won") from error
            raise self._illegal_move_error(program, position, error, reports.text) from error
        return reports.result(move, elapsed)

    def _select_game(self, program: Program, game: Game) -> None:
        """Tell the program which game it plays, if it plays several.

        Raises:
            EngineError: The program does not play the game.
        """

    def _position_text(self, position: Position) -> str:
        """Return the arguments of the command `position`.

        Raises:
            EngineError: The position cannot be sent.
        """
        raise NotImplementedError

    def _moves_text(self, position: Position, start: str = STARTPOS) -> str | None:
        """Return the start and the moves; None if they do not lead to the position."""
        if self._encoder is None or self._encoder.game is not position.game:
            self._encoder = PositionEncoder(position.game, self._words_of())
        return self._encoder.encode(position, start)

    def _words_of(self) -> Callable[[Position], Sequence[str]]:
        """Return the function that writes moves in commands.

        It must not refer to the engine, which would keep an unused engine alive.
        """
        return self.dialect.words

    def _limits_text(self, limits: Limits, players: int) -> str:
        parts = []
        if limits.depth is not None:
            parts.append(f"depth {limits.depth}")
        if limits.nodes is not None:
            parts.append(f"nodes {limits.nodes}")
        if limits.unlimited and self._option_values.get("infinite"):
            return "infinite"
        move_time = DEFAULT_TIME if limits.unlimited else limits.time
        # Times are at least 1, because some programs read 0 as no limit.
        if limits.clock is not None:
            clock = max(1, self._time(limits.clock))
            increment = self._time(limits.increment or 0.0)
            # The clocks of others are unknown; the program gets the same values for all players.
            names = [self.dialect.clock(number) for number in range(1, players + 1)]
            parts += [f"{time_word} {clock}" for time_word, _ in names]
            parts += [f"{increment_word} {increment}" for _, increment_word in names]
            if limits.moves is not None:
                parts.append(f"movestogo {limits.moves}")
        elif move_time is not None:
            parts.append(self.dialect.move_time(max(1, self._time(move_time))))
        return " ".join(parts)

    def _time(self, span: float) -> int:
        """Return a number of seconds in the unit of the program; whole seconds are rounded down."""
        unit_option = self.dialect.unit_option
        is_second = unit_option is not None and unit_option not in self.options
        return int(span) if is_second else round(1000 * span)

    def _read_best_move(
        self, program: Program, reports: SearchReports, begun: float, limits: Limits
    ) -> str:
        """Wait for the line `bestmove MOVE` and return the word MOVE."""
        for line in self._search_lines(program, begun, limits):
            words = line.split()
            if words[:1] == ["bestmove"]:
                if len(words) < 2:  # the word itself, and the move
                    raise program.end_with_error("answered without a move")
                # UCCI adds `resign` to the move.
                return "resign" if words[-1] == "resign" else words[1]
            if words[:1] == ["nobestmove"]:
                raise program.end_with_error("found no move")
            if words[:1] == ["info"]:
                info = read_info(line, has_mates_in_moves=self.dialect.has_mates_in_moves)
                reports.add(info, time.monotonic() - begun)
        raise AssertionError("the lines of a program do not end")


class UgiEngine(DialectEngine):
    """An engine that runs a UGI program.

    Options: those of DialectEngine, and
        fen: whether to send the complete position instead of moves: `always`, `never`, or `needed`
            (only if moves from the start do not lead to the position).
        names: the notation of moves in commands: `full`, or `squares` (`a2a3`), which is used for
            a move only if no other legal move has these squares.
    """

    protocol = "ugi"
    dialect = UGI
    _readers: ClassVar = {
        **DialectEngine._readers,
        "fen": one_of("needed", "always", "never"),
        "names": one_of("full", "squares"),
    }

    def query(self, what: str) -> str:
        """Send `query` with an argument such as `gameover` or `result`; return the answer.

        Raises:
            ProgramError: The program exited, or does not answer.
        """
        with self._ending_after_errors():
            program = self._running_program()
            program.send(f"query {what}")
            line = self._read_until("response", program)
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
        return f"fen {encode_position(position)}"

    def _words_of(self) -> Callable[[Position], Sequence[str]]:
        plain = self._option_values.get("names") == "squares"
        return _squares_or_words if plain else super()._words_of()


def _squares_or_words(position: Position) -> Sequence[str]:
    return MoveWords(position).short_words()


class CoordinateEngine(DialectEngine):
    """An engine that runs a program with moves as coordinates and its own names of games."""

    def __init__(self, spec: str = "", **options: object) -> None:
        """Parse the options, as ProgramEngine does."""
        super().__init__(spec, **options)
        self._game: Game | None = None  # that the program plays
        self._switch: str | None = None  # the option that selects this game and no other one

    def _begin(self, program: Program) -> None:
        self._game = self._switch = None
        super()._begin(program)

    def _select_game(self, program: Program, game: Game) -> None:
        if self._game is game:
            return
        name = name_of(game, self.dialect.name)
        if self._switch is not None:
            self._set_option(program, self._switch, "false")
        self._switch = self.dialect.switch(name)
        selection = {self.dialect.variant_option: self.dialect.own_game if self._switch else name}
        if self._switch is not None:
            selection[self._switch] = "true"
        for option, value in selection.items():
            if option in self.options:
                self._set_option(program, option, value)
            elif value != self.dialect.own_game:
                raise EngineError(
                    f"program {program.name!r} does not play {game.name}: it has no option {option}"
                )
        self._game = game

    def _position_text(self, position: Position) -> str:
        keyword, start = fen_keyword(position.game), STARTPOS
        if self._switch is not None:
            start = f"{keyword} {position_text(position.game.start())}"
        text = self._moves_text(position, start)
        return text or f"{keyword} {position_text(position)}"


class UciEngine(CoordinateEngine):
    """An engine that runs a UCI program for chess, such as Stockfish, or for several games.

    The options are those of DialectEngine.
    """

    protocol = "uci"
    dialect = UCI


class UsiEngine(CoordinateEngine):
    """An engine that runs a USI program for shogi.

    The options are those of DialectEngine.
    """

    protocol = "usi"
    dialect = USI


class UcciEngine(CoordinateEngine):
    """An engine that runs a UCCI program for xiangqi, such as ElephantEye.

    The options are those of DialectEngine.
    """

    protocol = "ucci"
    dialect = UCCI
