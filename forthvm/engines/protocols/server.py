"""An engine of forthvm for another program, the host, in any protocol of text lines.

Owns the order of commands, and the thread in which an engine searches.

Commands are executed in order.  While an engine searches, a few are executed immediately, and the
others wait.  A search ends early if a command that ends searches, such as `stop`, waits: also if
the command came before the search began.  A command with an error has no effect but a message.
"""

from __future__ import annotations

import time
from collections import deque
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, ClassVar

from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.engines.checked import choose_move
from forthvm.engines.errors import describe_error
from forthvm.engines.fallback import choose_move_or_first
from forthvm.engines.protocol import Limits, SearchResult
from forthvm.engines.registry import get

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from forthvm.engines.protocol import Reporter
    from forthvm.game import Game, Position

__all__ = [
    "DEFAULT_ENGINE",
    "MOVE_RESERVE",
    "NO_LIMIT",
    "TOO_LONG",
    "Search",
    "Server",
    "error_text",
    "has_ended",
    "one_line",
    "quoted",
    "searchable",
    "shortened",
    "without_reserve",
]

DEFAULT_ENGINE = "negamax"
_DEFAULT_LIMITS = Limits(nodes=1500)
"""Limits of the default engine if the host sets none, as in `forthvm run`."""

NO_LIMIT = 10.0**9
"""The time limit in seconds of an infinite search."""
TOO_LONG = "\0"
"""The input line by which the caller reports that a line was too long."""
_MAX_WAITING = 1000
"""The maximum number of commands that wait for the end of a search."""
_STOP_INTERVAL = 0.02
"""Seconds between repeated stop requests."""
_END_WAIT = 1.0
"""Seconds to wait for a running search when the server ends."""
_RESERVE = 0.05
"""Seconds of the time on a clock that remain for the communication, but at most half of it."""
MOVE_RESERVE = 0.02
"""As _RESERVE, if a move has a time of its own: hosts tolerate more there."""
_MAX_QUOTED = 80
"""The maximum number of characters of a command quoted in an error message."""
_MAX_MESSAGE = 1000
"""The maximum number of characters of a message, which may quote what the host sent, too."""


class Server:
    """A server of one game for one host.

    A subclass speaks a protocol: it defines `_execute`, `_runs_during_search`, `_send_message` and
    `_search_and_answer`.
    """

    _stopping: ClassVar[frozenset[str]] = frozenset()
    """The commands that end a search when they wait."""
    _dropping: ClassVar[frozenset[str]] = frozenset()
    """Those of them after which its move is not made."""

    def __init__(
        self, game: Game, write: Callable[[str], None], spec: str = DEFAULT_ENGINE
    ) -> None:
        """Create a server.

        Args:
            game: The game to play.
            write: Called with each line of output, from any thread.
            spec: The specification of the engine.

        Raises:
            EngineError: The engine does not exist.
        """
        self._game = game
        self._spec = spec
        self._engine = get(spec)
        self._write = write
        self._write_lock = Lock()
        # Lines of input, and searches that have ended; None at the end of the input.
        self._inbox: SimpleQueue[str | Search | None] = SimpleQueue()
        self._waiting_commands: deque[str] = deque()
        self._search: Search | None = None
        self._prepared: tuple[str, Game] | None = None
        self.idle = True
        """Whether the engine stopped in time at the end of `serve`."""

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
        if isinstance(item, Search):
            self._search = None
            return self._run_waiting()
        return self._receive(item)

    def _receive(self, line: str) -> bool:
        """Execute a line, now or after the search; return False for `quit`."""
        self._game._loaded.vm.restart_output()
        words = line.split()
        if self._search is not None and self._runs_during_search(words):
            return self._execute(line)
        if words:
            self._stop_before(words[:1])
            self._let_wait(line)
        return self._run_waiting()

    def _let_wait(self, line: str) -> None:
        if len(self._waiting_commands) < _MAX_WAITING:
            self._waiting_commands.append(line)
        else:
            self._send_message(f"error: too many waiting commands, ignored: {quoted(line)}")

    def _run_waiting(self) -> bool:
        """Execute commands until a search begins; return False for `quit`."""
        waiting = self._waiting_commands
        while waiting and self._search is None:
            if not self._execute(waiting.popleft()):
                return False
            self._stop_before(line.split(maxsplit=1)[0] for line in waiting)
        return True

    def _stop_before(self, commands: Iterable[str]) -> None:
        """Stop the search, if one runs, if one of the commands that wait for its end ends it."""
        if self._search is None:
            return
        stopping = self._stopping.intersection(commands)
        if stopping:
            self._stop(self._search, is_dropped=not stopping.isdisjoint(self._dropping))

    def _stop(self, search: Search, *, is_dropped: bool) -> None:
        """Stop the running search; if it is dropped, now or before, its move is not made."""
        search.dropped = search.dropped or is_dropped
        search.stop_requested.set()
        self._engine.stop()

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

    # --- what a protocol defines --------------------------------------------------------

    def _execute(self, line: str) -> bool:
        """Execute a line of input, `TOO_LONG` included; return False for `quit`."""
        raise NotImplementedError

    def _runs_during_search(self, words: Sequence[str]) -> bool:
        """Return whether a command does not wait for the end of a search."""
        raise NotImplementedError

    def _send_message(self, text: str) -> None:
        """Write a message for users."""
        raise NotImplementedError

    def _search_and_answer(self, search: Search) -> None:
        """Search in the thread of the search, and write the move.  It handles its own errors."""
        raise NotImplementedError

    # --- for protocols ------------------------------------------------------------------

    def _send(self, line: str) -> None:
        """Write one line of the protocol; line ends in names are escaped."""
        with self._write_lock:
            self._write(visible(line))

    def _prepare(self) -> None:
        """Load what the first search needs, before its time runs.

        Another engine is used, since a search may change what an engine does next.
        """
        target = (self._spec, self._game)
        if target != self._prepared and self._engine.loads_late:
            with suppress(Exception):  # the search itself reports it; the host waits for an answer
                choose_move(get(self._spec), self._game.start(), Limits(depth=1, nodes=1))
        self._prepared = target

    def _set_engine(self, spec: str, **options: object) -> None:
        """Replace the engine; the options are added to those of the specification.

        Raises:
            EngineError: The engine or an option does not exist.
        """
        engine = get(spec, **options)
        self._engine.close()
        self._engine, self._spec = engine, spec

    def _begin_search(self, position: Position, limits: Limits, *, infinite: bool = False) -> None:
        """Start a search in a thread of its own."""
        if limits.unlimited and self._spec == DEFAULT_ENGINE:
            limits = _DEFAULT_LIMITS
        self._search = Search(self, position, limits, infinite=infinite)
        self._search.thread.start()

    def _found(self, search: Search, report: Reporter | None = None) -> SearchResult:
        """Return the engine's move, or the first one after a draw, and write its warnings.

        Raises:
            ForthVMError: The engine fails.
        """
        engine = self._engine
        result = search.position.result
        if result is not None:
            self._send_message(f"the game is over: {result}")
            move = search.position.generated_moves[0]
            return SearchResult(move=move, pv=(move,))
        if search.position.is_chance:
            self._send_message(
                f"{search.position.turn} is a chance player: the move is drawn at random"
            )
            engine = get("chance")
        found = choose_move_or_first(engine, search.position, search.limits, report=report)
        for key in ("faults", "warning"):
            value = found.info.get(key)
            for text in value if isinstance(value, tuple) else (value,) if value else ():
                self._send_message(str(text))
        return found

    def run_search(self, search: Search) -> None:
        """Run a search in its thread, and put it into the inbox when it has ended."""
        try:
            self._search_and_answer(search)
        finally:
            self._inbox.put(search)


class Search:
    """A running search of a position."""

    def __init__(
        self, server: Server, position: Position, limits: Limits, *, infinite: bool
    ) -> None:
        self.position = position
        self.limits = limits
        self.infinite = infinite
        self.dropped = False
        self.stop_requested = Event()
        self.thread = Thread(
            target=server.run_search, args=(self,), name="forthvm engine", daemon=True
        )


def searchable(position: Position) -> Position:
    """Return a position to search: if the game is over, the same board without earlier moves.

    Without them the game goes on after a repetition and after fifty moves, which are claims: other
    programs may play on.  After other ends it is over there, too; see `has_ended`.
    """
    if position.result is None:
        return position
    pieces = [
        (square, piece) for square, piece in position.board.occupied() if piece.player is not None
    ]
    return position.game.start(
        setup=[(piece.player or "", piece.type, square) for square, piece in pieces],
        turn=position._turn_index,
        attributes={square: piece.attribute for square, piece in pieces},
    )


def has_ended(position: Position) -> bool:
    """Return whether no engine moves in a position, because of a win or for lack of moves.

    A draw with legal moves does not count: the other program may not know its reason and play on.
    """
    result = position.result
    return result is not None and not (result.draw and position.generated_moves)


def without_reserve(seconds: float, reserve: float = _RESERVE) -> float:
    """Return the time that an engine may use of the time for a move, in seconds."""
    return max(seconds - reserve, seconds / 2)


def error_text(error: Exception) -> str:
    """Return the text of an error of a command or an engine: one of forthvm's or of others."""
    return str(error) if isinstance(error, (ForthVMError, ValueError)) else describe_error(error)


def one_line(text: str) -> str:
    """Return the beginning of a text for users in one line; ` | ` replaces line ends."""
    lines = shortened(text, _MAX_MESSAGE).splitlines()
    return " | ".join(line.strip() for line in lines if line.strip())


def quoted(line: str) -> str:
    """Return a command as it is quoted in an error message."""
    return repr(shortened(line))


def shortened(text: str, most: int = _MAX_QUOTED) -> str:
    """Return the beginning of a text from the host; lines may have 64 MiB."""
    return text if len(text) <= most else f"{text[:most]}..."
