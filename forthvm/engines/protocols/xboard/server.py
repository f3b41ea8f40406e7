"""The server of CECP, by which programs such as XBoard use forthvm's engines.

Owns the commands, whose turn it is to search, and the clock.  `?` ends a search; so do commands
that leave or change the game, and then its move is dropped.  Any command ends an analysis, which
begins again after it, in the new position.
"""

from __future__ import annotations

import re
import time
from functools import partial
from typing import TYPE_CHECKING

from forthvm._version import __version__
from forthvm.core.errors import ForthVMError, GameOverError, MoveError, PositionError
from forthvm.engines.errors import Resignation
from forthvm.engines.protocol import Limits, share_of_clock
from forthvm.engines.protocols.coordinates import XBOARD, CoordinateWords
from forthvm.engines.protocols.game_names import name_of
from forthvm.engines.protocols.server import (
    DEFAULT_ENGINE,
    MOVE_RESERVE,
    NO_LIMIT,
    TOO_LONG,
    Search,
    Server,
    error_text,
    has_ended,
    one_line,
    searchable,
    shortened,
    without_reserve,
)
from forthvm.engines.protocols.words import push_word
from forthvm.engines.protocols.xboard.messages import read_clock, score_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.engines.protocol import Info, SearchResult
    from forthvm.game import Game

__all__ = ["XboardServer"]

_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")
_NUMBER = re.compile(r"[0-9]{1,9}")
_MOVE = re.compile(r"[a-z][0-9]+[a-z][0-9]+[a-z+]?|[A-Za-z]\+?@[a-z][0-9]+")
_LEAVING = frozenset({"force", "new", "result", "setboard", "undo", "remove", "variant"})
"""The commands that end a search, whose move is dropped."""
_IGNORED = frozenset(
    {"xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "otim"}
    | {"easy", "hard", "draw", "white", "black", "hint", "bk", "nps", "cores", "memory", ".", "?"}
)


class XboardServer(Server):
    """A server over CECP."""

    _stopping = _LEAVING | {"?"}
    _dropping = _LEAVING

    def __init__(
        self, game: Game, write: Callable[[str], None], spec: str = DEFAULT_ENGINE
    ) -> None:
        """Create a server, as Server does.

        Raises:
            EngineError: The engine does not exist, or the game is not played over the protocol.
        """
        self._variant = name_of(game, "xboard")
        super().__init__(game, write, spec)
        self._begin_game()
        self._shows_thinking = False
        self._is_analysing = False

    def _begin_game(self) -> None:
        """Set the position to the start, remove the limits, and let the engine move second."""
        self._position = self._game.start()
        self._own_players = frozenset(self._game.contestants) - {self._position.turn}
        self._move_time: float | None = None  # seconds
        self._depth: int | None = None
        self._clock: float | None = None  # remaining seconds
        self._increment = 0.0
        self._moves_per_session = 0  # 0: the clock is for the whole game

    # --- receiving ----------------------------------------------------------------------

    def _runs_during_search(self, words: Sequence[str]) -> bool:
        return words[:1] in (["quit"], ["."])

    def _run_waiting(self) -> bool:
        if not super()._run_waiting():
            return False
        search = self._search
        if self._is_analysing and search is None:
            position = searchable(self._position)
            if position.result is None:
                self._begin_search(position, Limits(time=NO_LIMIT), infinite=True)
        elif search is not None and search.infinite and self._waiting_commands:
            self._stop(search, is_dropped=True)
        return True

    def _execute(self, line: str) -> bool:
        words = line.split()
        if line == TOO_LONG:
            self._send("Error (line too long): ignored")
            return True
        if not words or words[0] in _IGNORED:
            return True
        if words[0] == "quit":
            return False
        if _MOVE.fullmatch(words[0]):  # without the feature `usermove`
            words = ["usermove", *words]
        command = _COMMANDS.get(words[0])
        if command is None:
            self._send(f"Error (unknown command): {shortened(line.strip())}")
            return True
        try:
            command(self, words[1:])
        except Exception as error:  # an engine in Python, or a bug: the server continues
            self._send(f"Error ({one_line(error_text(error))}): {shortened(line.strip())}")
        return True

    def _send_message(self, text: str) -> None:
        """Write a message for users as a comment, which hosts write to their log."""
        for line in text.splitlines():
            self._send(f"# {line.strip()}")

    # --- commands: the session ----------------------------------------------------------

    def _protover(self, _words: Sequence[str]) -> None:
        self._send("feature done=0")  # the host may have to wait
        self._send("feature ping=1 usermove=1 san=0 colors=0 sigint=0 sigterm=0 reuse=1 time=1")
        self._send(f"feature draw=0 analyze=1 playother=1 setboard={int(self._reads_positions())}")
        self._send(f'feature variants="{self._variant}"')
        engine = self._engine.name.replace('"', "'")
        self._send(f'feature myname="forthvm {__version__} {engine}"')
        self._send(f'feature option="Engine -string {_without_double_quotes(self._spec)}"')
        self._prepare()
        self._send("feature done=1")

    def _reads_positions(self) -> bool:
        try:
            self._game.start().to_fen()
        except PositionError:
            return False
        return True

    def _ping(self, words: Sequence[str]) -> None:
        self._send(f"pong {shortened(' '.join(words))}")

    def _option(self, words: Sequence[str]) -> None:
        name, equals, value = " ".join(words).partition("=")
        if name.casefold() != "engine" or not equals:
            raise ValueError("expected option Engine=SPEC")
        self._set_engine(value)

    def _post(self, _words: Sequence[str]) -> None:
        self._shows_thinking = True

    def _nopost(self, _words: Sequence[str]) -> None:
        self._shows_thinking = False  # an analysis goes on, and shows it nevertheless

    # --- commands: the game -------------------------------------------------------------

    def _new(self, _words: Sequence[str]) -> None:
        self._engine.new_game()
        self._prepare()
        self._begin_game()

    def _set_variant(self, words: Sequence[str]) -> None:
        if list(words) != [self._variant]:
            raise ValueError(f"this is an engine for {self._variant}")

    def _force(self, _words: Sequence[str]) -> None:
        self._own_players = frozenset()

    def _play_other(self, _words: Sequence[str]) -> None:
        self._own_players = frozenset(self._game.contestants) - {self._position.turn}

    def _analyse(self, _words: Sequence[str]) -> None:
        self._own_players = frozenset()
        self._is_analysing = True

    def _exit(self, _words: Sequence[str]) -> None:
        self._is_analysing = False

    def _set_board(self, words: Sequence[str]) -> None:
        from forthvm.game import Position

        text = " ".join(words)
        start = self._game.start()
        try:
            is_start = self._reads_positions() and text == start.to_fen()
            self._position = start if is_start else Position.from_fen(self._game, text)
        except ForthVMError as error:
            self._send(f"tellusererror Illegal position: {one_line(str(error))}")

    def _user_move(self, words: Sequence[str]) -> None:
        word, plays_on = " ".join(words), self._position.result is not None
        try:
            self._push(word)
        except GameOverError:
            self._send(f"Illegal move (the game is over): {shortened(word)}")
        except MoveError:
            self._send(f"Illegal move: {shortened(word)}")
        else:
            is_over = self._announce_end()
            if plays_on:  # the host did not take the last announced result for the end
                is_over = has_ended(searchable(self._position))
            is_own = self._position.turn in self._own_players and not self._is_analysing
            if is_own and not is_over:
                self._search_move()

    def _push(self, word: str) -> None:
        push_word(self._position, word, partial(CoordinateWords, coordinates=XBOARD))

    def _go(self, _words: Sequence[str]) -> None:
        position = self._position
        if has_ended(searchable(position)):
            raise ValueError("the game is over")
        self._own_players = frozenset({position.turn})
        self._search_move()

    def _undo(self, _words: Sequence[str]) -> None:
        self._take_back(1)

    def _remove(self, _words: Sequence[str]) -> None:
        self._take_back(2)

    def _take_back(self, count: int) -> None:
        if self._position.ply < count:
            raise ValueError("there is no such move")
        for _ in range(count):
            self._position.pop()

    def _announce_end(self) -> bool:
        """Write the result if the game is over; return whether it is.

        The player who moves first is White in CECP.
        """
        result = self._position.result
        if result is None:
            return False
        score = "1/2-1/2"
        if not result.draw:
            first = self._game.start().turn
            score = "1-0" if first in result.winners else "0-1"
        self._send(f"{score} {{{one_line(self._position.comment or str(result))}}}")
        return True

    # --- commands: time -----------------------------------------------------------------

    def _level(self, words: Sequence[str]) -> None:
        """Read the moves of a session, the time for them, and what is added after each move."""
        if len(words) != 3:
            raise ValueError("expected level MOVES MINUTES SECONDS")
        self._moves_per_session = _natural(words[:1])
        self._clock = read_clock(words[1])
        self._increment = _seconds(words[2:])
        self._move_time = None

    def _set_move_time(self, words: Sequence[str]) -> None:
        self._move_time, self._clock = _seconds(words), None

    def _set_depth(self, words: Sequence[str]) -> None:
        self._depth = _natural(words) or None

    def _set_clock(self, words: Sequence[str]) -> None:
        self._clock = _natural(words) / 100

    def _limits(self) -> Limits:
        time_limit = None
        if self._move_time is not None:
            time_limit = without_reserve(self._move_time, MOVE_RESERVE)
        elif self._clock is not None:
            time_limit = without_reserve(self._share_of_clock(self._clock))
        return Limits(time=time_limit, depth=self._depth)

    def _share_of_clock(self, remaining: float) -> float:
        """Return the time for the next move, in seconds."""
        moves_left = None
        if self._moves_per_session:
            played = self._position.ply // 2
            moves_left = self._moves_per_session - played % self._moves_per_session
        return min(share_of_clock(remaining, self._increment, moves_left), remaining)

    # --- searching ----------------------------------------------------------------------

    def _search_move(self) -> None:
        self._begin_search(searchable(self._position), self._limits())

    def _search_and_answer(self, search: Search) -> None:
        try:
            writer = _ThinkingWriter(self)
            shows_thinking = self._shows_thinking or search.infinite
            result = self._found(search, writer.write if shows_thinking else None)
            if search.infinite:
                search.stop_requested.wait()  # an analysis lasts until the next command
            if search.dropped:
                return
            word = CoordinateWords(search.position, XBOARD).words[result.move.index]
            if self._shows_thinking:
                writer.write_result(result)
            self._push(word)
            self._send(f"move {word}")
            self._announce_end()
        except Exception as error:  # an engine in Python, or a bug: the server continues
            if search.dropped:
                return
            if not isinstance(error, Resignation):
                self._send(f"tellusererror {one_line(error_text(error))}")
            if search.infinite:
                search.stop_requested.wait()
            else:
                self._send("resign")


class _ThinkingWriter:
    """Writes reports of an engine as thinking output."""

    def __init__(self, server: XboardServer) -> None:
        self._server = server
        self._begun = time.monotonic()

    def write(self, info: Info) -> None:
        """Write a report that has a line of moves."""
        moves = info.pv or (() if info.best is None else (info.best,))
        if moves and not info.line and info.score is not None:
            self._send(info.depth or 0, info.score, info.nodes or 0, moves)

    def write_result(self, result: SearchResult) -> None:
        """Write depth, score and principal variation of the result."""
        moves = tuple(map(str, result.pv)) or (str(result.move),)
        self._send(result.depth, result.score or 0.0, result.nodes, moves)

    def _send(self, depth: int, score: float, nodes: int, moves: Sequence[str]) -> None:
        hundredths = round(100 * (time.monotonic() - self._begun))
        words = [XBOARD.encode(move, self._server._game._loaded) for move in moves]
        numbers = f"{depth} {score_number(score)} {hundredths} {nodes}"
        self._server._send(f"{numbers} {' '.join(words)}")


def _without_double_quotes(spec: str) -> str:
    """Return a specification for a text in double quotes; "" if it cannot be written there."""
    if '"' in spec and re.search(r"['\\]", spec):
        return ""
    return spec.replace('"', "'")


def _seconds(words: Sequence[str]) -> float:
    """Return a number of seconds, for which python-chess sends decimals."""
    if len(words) != 1 or not _SECONDS.fullmatch(words[0]):
        raise ValueError("expected a number of seconds")
    return float(words[0])


def _natural(words: Sequence[str]) -> int:
    if len(words) != 1 or not _NUMBER.fullmatch(words[0]):
        raise ValueError("expected a number")
    return int(words[0])


_COMMANDS: dict[str, Callable[[XboardServer, Sequence[str]], None]] = {
    "protover": XboardServer._protover,
    "ping": XboardServer._ping,
    "option": XboardServer._option,
    "post": XboardServer._post,
    "nopost": XboardServer._nopost,
    "new": XboardServer._new,
    "variant": XboardServer._set_variant,
    "force": XboardServer._force,
    "result": XboardServer._force,
    "playother": XboardServer._play_other,
    "analyze": XboardServer._analyse,
    "exit": XboardServer._exit,
    "setboard": XboardServer._set_board,
    "usermove": XboardServer._user_move,
    "go": XboardServer._go,
    "undo": XboardServer._undo,
    "remove": XboardServer._remove,
    "level": XboardServer._level,
    "st": XboardServer._set_move_time,
    "sd": XboardServer._set_depth,
    "time": XboardServer._set_clock,
}
