"""The server of UGI and UCI, by which other programs (hosts) use forthvm's engines.

Owns the commands, and the thread in which an engine searches.

Commands are executed in order.  While an engine searches, `ugi`, `isready`, `stop`, `quit` and
queries of the searched position are executed immediately; other commands wait until the end of the
search.  An invalid command has no effect except an error message in an `info string`.
"""

from __future__ import annotations

import time
from collections import deque
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from forthvm._version import __version__
from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.engines.errors import EngineError, describe_error
from forthvm.engines.fallback import choose_move_or_first
from forthvm.engines.protocol import Info, Limits
from forthvm.engines.registry import get
from forthvm.engines.ugi.coordinates import START_FEN, refuse_other_games
from forthvm.engines.ugi.dialect import UCI, UGI
from forthvm.engines.ugi.limits import read_go
from forthvm.engines.ugi.moves import NO_MOVE, PASS, MoveWords, encode, push_word
from forthvm.engines.ugi.positions import STARTPOS, from_fen, to_fen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from forthvm.engines.protocol import SearchResult
    from forthvm.engines.ugi.dialect import Dialect
    from forthvm.game import Game, Position
    from forthvm.game.loaded import LoadedGame

__all__ = ["DEFAULT_ENGINE", "TOO_LONG", "Server"]

DEFAULT_ENGINE = "negamax"
_DEFAULT_LIMITS = Limits(nodes=1500)
"""Limits of the default engine if the host sets none, as in `forthvm run`."""

TOO_LONG = "\0"
"""The input line by which the caller reports that a line was too long."""
_MAX_WAITING = 1000
"""The maximum number of commands that wait for the end of a search."""
_STOP_INTERVAL = 0.02
"""Seconds between repeated stop requests."""
_END_WAIT = 1.0
"""Seconds to wait for a running search when the server ends."""
_REPORT_INTERVAL = 0.1
"""The minimum time in seconds between a report and a later report with only a node count."""
_MAX_QUOTED = 80
"""The maximum number of characters of a command quoted in an error message."""


class Server:
    """A server of one game for one host, over UGI or UCI."""

    def __init__(
        self,
        game: Game,
        write: Callable[[str], None],
        spec: str = DEFAULT_ENGINE,
        *,
        dialect: Dialect = UGI,
    ) -> None:
        """Create a server.

        Args:
            game: The game to play.
            write: Called with each line of output, from any thread.
            spec: The specification of the engine.
            dialect: The protocol.

        Raises:
            EngineError: The engine does not exist, or the game is not that of the protocol.
        """
        if dialect is UCI:
            refuse_other_games(game)
        self._dialect = dialect
        self._commands = _COMMANDS[dialect.name]
        self._game = game
        self._spec = spec
        self._engine = get(spec)
        self._write = write
        self._write_lock = Lock()
        # Lines of input, and searches that have ended; None at the end of the input.
        self._inbox: SimpleQueue[str | _Search | None] = SimpleQueue()
        self._waiting_commands: deque[str] = deque()
        self._search: _Search | None = None
        self._start_arguments = STARTPOS  # the arguments of the last `position`, up to `moves`
        self._move_words: list[str] = []  # the arguments of the last `position` after `moves`
        self._position: Position | None = game.start()  # None if the last `position` was invalid
        self._position_problem = ""  # the reason why the last `position` was invalid
        self._query_results: dict[str, str] = {}
        self.idle = True
        """Whether the engine stopped in time at the end of `serve`."""
        self._players = tuple(
            dict.fromkeys(
                turn.player for turn in game.turn_order if turn.player in game.contestants
            )
        )
        self._update_query_results()

    def serve(self, lines: Iterable[str]) -> None:
        """Execute commands until `quit` or the end of the input; then stop a running search."""
        reader = Thread(target=self._read, args=(lines,), name="forthvm input", daemon=True)
        reader.start()
        try:
            while self._step():
                pass
        finally:
            self._end()

    def _read(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self._inbox.put(line)
                if line.split()[:1] == ["quit"]:
                    break
        except OSError:  # another thread closed the input
            pass
        finally:
            self._inbox.put(None)

    def _step(self) -> bool:
        """Handle the next item of the inbox; return False at the end of the input."""
        search = self._search
        stopping = search is not None and search.stop_requested.is_set()
        try:
            item = self._inbox.get(timeout=_STOP_INTERVAL if stopping else None)
        except Empty:
            self._engine.stop()  # an earlier call may have come before the search began
            return True
        if item is None:
            return False
        if isinstance(item, _Search):
            self._search = None
            while self._waiting_commands and self._search is None:
                if not self._execute(self._waiting_commands.popleft()):
                    return False
            return True
        return self._receive(item)

    def _receive(self, line: str) -> bool:
        """Execute a line, now or after the search; return False for `quit`."""
        self._game._loaded.vm.restart_output()
        if self._search is None:
            return self._execute(line)
        words = line.split()
        first = words[0] if words else ""
        immediate = first in {"isready", "stop", "quit", self._dialect.name}
        if immediate or (first == "query" and not self._waiting_commands and "fen" not in words):
            return self._execute(line)
        if len(self._waiting_commands) >= _MAX_WAITING:
            self._send_message(f"error: too many waiting commands, ignored: {_quoted(line)}")
        elif first:
            self._waiting_commands.append(line)
        return True

    def _execute(self, line: str) -> bool:
        words = line.split()
        if line == TOO_LONG:
            self._send_message("error: ignored a line that was too long")
        elif not words:
            return True
        elif words[0] == "quit":
            return False
        else:
            command = self._commands.get(words[0])
            if command is None:
                self._send_message(f"error: unknown command {_quoted(line)}")
                return True
            try:
                command(self, words[1:])
            except (ForthVMError, ValueError) as error:
                self._send_message(f"error: {_quoted(line)}: {error}")
            except Exception as error:  # an external engine, or a bug: the server continues
                self._send_message(f"error: {_quoted(line)}: {describe_error(error)}")
        return True

    def _end(self) -> None:
        """Stop a running search if possible, and close the engine."""
        search = self._search
        if search is not None:
            search.stop_requested.set()
            limit = time.monotonic() + _END_WAIT
            while search.thread.is_alive() and time.monotonic() < limit:
                self._engine.stop()
                search.thread.join(_STOP_INTERVAL)
            self.idle = not search.thread.is_alive()
        if self.idle:
            self._engine.close()

    # --- output -------------------------------------------------------------------------

    def _send(self, line: str) -> None:
        """Write one line of the protocol; line ends in names are escaped."""
        with self._write_lock:
            self._write(visible(line))

    def _send_message(self, text: str) -> None:
        """Write a message for users as one `info string`; ` | ` replaces line ends."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        self._send(f"info string {' | '.join(lines)}")

    # --- commands -----------------------------------------------------------------------

    def _introduce(self, _words: Sequence[str]) -> None:
        self._send(f"id name forthvm {__version__} {self._engine.name} ({self._game.name})")
        self._send("id author the forthvm contributors")
        self._send(f"option name Engine type string default {self._spec}")
        self._send(f"{self._dialect.name}ok")

    def _isready(self, _words: Sequence[str]) -> None:
        self._send("readyok")

    def _new_game(self, _words: Sequence[str]) -> None:
        self._engine.new_game()
        self._store_position(STARTPOS, [], self._game.start())

    def _set_option(self, words: Sequence[str]) -> None:
        if not words or words[0] != "name":
            raise ValueError("expected setoption name NAME value VALUE")
        value_at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:value_at]), " ".join(words[value_at + 1 :])
        if name.casefold() != "engine":
            raise ValueError(f"there is no option {name!r} (options: Engine)")
        engine = get(value)
        self._engine.close()
        self._engine, self._spec = engine, value

    def _set_position(self, words: Sequence[str]) -> None:
        """Set the position; if it continues the previous position, make only the new moves."""
        moves_at = words.index("moves") if "moves" in words else len(words)
        start_arguments, moves = " ".join(words[:moves_at]), list(words[moves_at + 1 :])
        position = self._position
        played = len(self._move_words)
        if (
            position is None
            or start_arguments != self._start_arguments
            or moves[:played] != self._move_words
        ):
            played = 0
            self._store_position(start_arguments, [], None)
            self._position_problem = "the last position was invalid"
            position = self._start_position(words[:moves_at])
        new_moves = moves[played:]
        self._position = None
        for number, word in enumerate(new_moves, start=played + 1):
            try:
                push_word(position, word, self._dialect.words_of)
            except ForthVMError as error:
                self._position_problem = f"the last position was invalid: move {number}: {error}"
                raise EngineError(f"move {number}: {error}") from error
        self._store_position(start_arguments, moves, position)

    def _start_position(self, words: Sequence[str]) -> Position:
        from forthvm.game import Position

        match list(words):
            case ["startpos"]:
                return self._game.start()
            case ["fen", word] if self._dialect is UGI:
                return from_fen(self._game, word)
            case ["fen", *fields] if self._dialect is UCI:
                if fields == START_FEN.split():
                    return self._game.start()
                return Position.from_fen(self._game, " ".join(fields))
        raise ValueError("expected startpos, or fen and a position (docs/reference/ugi.md)")

    def _store_position(
        self, start_arguments: str, words: list[str], position: Position | None
    ) -> None:
        self._start_arguments, self._move_words, self._position = start_arguments, words, position
        self._position_problem = ""
        self._update_query_results()

    def _update_query_results(self) -> None:
        """Compute the responses to queries, which may come during the next search."""
        self._query_results = (
            {} if self._position is None else _query_results(self._position, self._players)
        )

    def _query(self, words: Sequence[str]) -> None:
        query = " ".join(words)
        if self._position is None:
            raise ValueError(f"there is no position: {self._position_problem}")
        if query == "fen":
            self._send(f"response {to_fen(self._position)}")
        elif query in self._query_results:
            self._send(f"response {self._query_results[query]}")
        else:
            raise ValueError(f"expected one of {', '.join([*self._query_results, 'fen'])}")

    def _stop(self, _words: Sequence[str]) -> None:
        if self._search is not None:
            self._search.stop_requested.set()
            self._engine.stop()

    # --- searching ----------------------------------------------------------------------

    def _go(self, words: Sequence[str]) -> None:
        """Start a search.  After an error, send `bestmove` too, because the host waits for it."""
        position = self._position
        try:
            if position is None:
                raise ValueError(f"there is no position: {self._position_problem}")
            # A chance player or neutral player has no number.
            can_win = position.turn in self._players
            clock = self._dialect.clock(self._players.index(position.turn) + 1) if can_win else ""
            limits, infinite, unknown = read_go(words, clock)
        except (ForthVMError, ValueError) as error:
            self._send_message(f"error: {error}")
            self._send(f"bestmove {NO_MOVE}")
            return
        if limits.unlimited and self._spec == DEFAULT_ENGINE:
            limits = _DEFAULT_LIMITS
        if unknown:
            self._send_message(f"ignored in go: {' '.join(unknown)}")
        if position.result is not None:
            self._send_message(f"the game is over: {position.result}")
            self._send(f"bestmove {NO_MOVE}")
            return
        if position.is_stuck:
            self._send_message(f"{position.turn} has no move and passes")
            self._send(f"bestmove {PASS}")
            return
        self._search = _Search(self, position, limits, infinite=infinite)
        self._search.thread.start()

    def run_search(self, search: _Search) -> None:
        """Run a search in its thread; write `bestmove`, and put the search into the inbox."""
        word = NO_MOVE
        try:
            word = self._choose(search)
        except ForthVMError as error:
            self._send_message(f"error: {error.report()}")
        except Exception as error:  # an external engine, or a bug: the server continues
            self._send_message(f"error: {describe_error(error)}")
        try:
            if search.infinite:
                search.stop_requested.wait()  # the protocol forbids `bestmove` before `stop`
            self._send(f"bestmove {word}")
        finally:
            self._inbox.put(search)

    def _choose(self, search: _Search) -> str:
        position = search.position
        words = self._dialect.words(position)
        engine = self._engine
        if position.is_chance:
            self._send_message(f"{position.turn} is a chance player: the move is drawn at random")
            engine = get("chance")
        reporter = _ReportWriter(self._send, self._dialect, self._game._loaded)
        result = choose_move_or_first(engine, position, search.limits, report=reporter.write)
        for key in ("faults", "warning"):
            value = result.info.get(key)
            for text in value if isinstance(value, tuple) else (value,) if value else ():
                self._send_message(str(text))
        reporter.write_result(result)
        return words[result.move.index]


_SHARED_COMMANDS = {
    "isready": Server._isready,
    "setoption": Server._set_option,
    "position": Server._set_position,
    "go": Server._go,
    "stop": Server._stop,
}
_COMMANDS: dict[str, dict[str, Callable[[Server, Sequence[str]], None]]] = {
    "ugi": {
        "ugi": Server._introduce,
        "uginewgame": Server._new_game,
        "query": Server._query,
        **_SHARED_COMMANDS,
    },
    "uci": {"uci": Server._introduce, "ucinewgame": Server._new_game, **_SHARED_COMMANDS},
}
"""The commands of each protocol."""


class _Search:
    """A running search of a position."""

    def __init__(
        self, server: Server, position: Position, limits: Limits, *, infinite: bool
    ) -> None:
        self.position = position
        self.limits = limits
        self.infinite = infinite
        self.stop_requested = Event()
        self.thread = Thread(
            target=server.run_search, args=(self,), name="forthvm engine", daemon=True
        )


class _ReportWriter:
    """Writes reports of an engine as `info` lines."""

    def __init__(self, send: Callable[[str], None], dialect: Dialect, game: LoadedGame) -> None:
        self._send = send
        self._dialect = dialect
        self._game = game
        self._start = self._last_time = time.monotonic()

    def write(self, info: Info) -> None:
        """Write a report; skip a report with only a node count soon after another report."""
        now = time.monotonic()
        has_news = info.pv or info.best is not None or info.score is not None or info.depth
        if not has_news and now - self._last_time < _REPORT_INTERVAL:
            return
        self._last_time = now
        parts = ["info"]
        if info.depth is not None:
            parts.append(f"depth {info.depth}")
        if info.line is not None:
            parts.append(f"multipv {info.line + 1}")
        if info.score is not None:
            parts.append(f"score {self._dialect.score(info.score)}")
        if info.nodes is not None:
            parts.append(f"nodes {info.nodes}")
        parts.append(f"time {round(1000 * (now - self._start))}")
        if info.current is not None:
            parts.append(f"currmove {self._dialect.encode(info.current, self._game)}")
        pv = info.pv or (() if info.best is None else (info.best,))
        if pv:
            parts.append(f"pv {' '.join(self._dialect.encode(move, self._game) for move in pv)}")
        self._send(" ".join(parts))

    def write_result(self, result: SearchResult) -> None:
        """Write score, depth and principal variation of the result."""
        self.write(
            Info(
                depth=result.depth,
                score=result.score,
                nodes=result.nodes,
                pv=tuple(map(str, result.pv)) or (str(result.move),),
            )
        )


def _query_results(position: Position, players: Sequence[str]) -> dict[str, str]:
    """Return the response to each query of a position, by the argument of `query`."""
    result = position.result
    facts = {
        f"p{number}turn": _true_or_false(result is None and position.turn == player)
        for number, player in enumerate(players, start=1)
    }
    facts["gameover"] = _true_or_false(result is not None)
    if result is None:
        facts["result"] = "none"
    elif result.draw:
        facts["result"] = "draw"
    else:
        numbers = [players.index(winner) + 1 for winner in result.winners if winner in players]
        facts["result"] = " ".join(f"p{number}win" for number in numbers) or "loss"
    facts["players"] = " ".join(map(encode, players))
    if result is not None:
        facts["moves"] = ""
    else:
        facts["moves"] = PASS if position.is_stuck else " ".join(MoveWords(position).words)
    return facts


def _true_or_false(value: bool) -> str:  # noqa: FBT001, RUF100 - the value to format
    return "true" if value else "false"


def _quoted(line: str) -> str:
    return repr(line if len(line) <= _MAX_QUOTED else f"{line[:_MAX_QUOTED]}...")
