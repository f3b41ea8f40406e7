"""Our engines as a UGI server: reads lines of the protocol and answers with lines.

Owns the commands, and the thread in which an engine searches.  It must not know where lines come
from or go to.

Commands are executed in order.  While an engine searches, `isready`, `stop` and `quit` are
executed at once, and so is a `query` of the position that it searches; other commands wait until
it has answered.  An invalid command is reported in an `info string` and otherwise ignored.
"""

from __future__ import annotations

import re
import time
from collections import deque
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING

from forthvm._version import __version__
from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.engines.errors import EngineError, named
from forthvm.engines.fallback import ask_or_first
from forthvm.engines.protocol import Info, Limits, share_of_clock
from forthvm.engines.registry import get
from forthvm.engines.ugi.moves import NO_MOVE, PASS, MoveWords, encode, push_word
from forthvm.engines.ugi.positions import STARTPOS, from_fen, to_fen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from forthvm.engines.protocol import SearchResult
    from forthvm.game import Game, Position

__all__ = ["DEFAULT_ENGINE", "TOO_LONG", "Server", "read_go"]

DEFAULT_ENGINE = "negamax"
_DEFAULT_LIMITS = Limits(nodes=1500)
"""Limits of the default engine if the host sets none, as in `forthvm run`."""

TOO_LONG = "\0"
"""Replaces a line that was too long."""
_MOST_WAITING = 1000
_STOP_EVERY = 0.02
_END_WAIT = 1.0
_REPORT_EVERY = 0.1
_RESERVE = 0.05
_NO_LIMIT = 10.0**9
_SHOWN = 80
_CLOCK = re.compile(r"p\d+(?:time|inc)")


class Server:
    """Answers one host."""

    def __init__(
        self, game: Game, write: Callable[[str], None], spec: str = DEFAULT_ENGINE
    ) -> None:
        """A server; `write` is called with each line of output, from any thread.

        Raises:
            EngineError: there is no such engine.
        """
        self._game = game
        self._spec = spec
        self._engine = get(spec)
        self._write = write
        self._writing = Lock()
        self._inbox: SimpleQueue[str | _Thinking | None] = SimpleQueue()
        self._waiting: deque[str] = deque()
        self._thinking: _Thinking | None = None
        self._base = STARTPOS
        self._words: list[str] = []
        self._position: Position | None = game.start()
        self._problem = ""
        self._facts: dict[str, str] = {}
        self.idle = True
        """Whether no search is running.  False after `serve`: the engine did not stop."""
        self._players = tuple(
            dict.fromkeys(
                turn.player for turn in game.turn_order if turn.player in game.contestants
            )
        )
        self._update_facts()

    def serve(self, lines: Iterable[str]) -> None:
        """Answers until `quit` or the end of the lines; then stops a running search."""
        reader = Thread(target=self._read, args=(lines,), name="forthvm ugi input", daemon=True)
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
        except OSError:  # the input was closed by another thread: the end, too
            pass
        finally:
            self._inbox.put(None)

    def _step(self) -> bool:
        """Executes the next item of the inbox; False at the end."""
        thinking = self._thinking
        stopping = thinking is not None and thinking.stopping
        try:
            item = self._inbox.get(timeout=_STOP_EVERY if stopping else None)
        except Empty:
            self._engine.stop()  # repeated: the first may have preceded the search
            return True
        if item is None:
            return False
        if isinstance(item, _Thinking):
            self._thinking = None
            while self._waiting and self._thinking is None:
                if not self._do(self._waiting.popleft()):
                    return False
            return True
        return self._take(item)

    def _take(self, line: str) -> bool:
        """Executes a line, now or when the engine has answered; False: it was `quit`."""
        self._game.vm.restart_output()
        if self._thinking is None:
            return self._do(line)
        words = line.split()
        first = words[0] if words else ""
        at_once = first in {"isready", "stop", "quit", "ugi"}
        if at_once or (first == "query" and not self._waiting and "fen" not in words):
            return self._do(line)
        if len(self._waiting) >= _MOST_WAITING:
            self._tell(f"error: too many waiting commands, ignored: {_shown(line)}")
        elif first:
            self._waiting.append(line)
        return True

    def _do(self, line: str) -> bool:
        words = line.split()
        if line == TOO_LONG:
            self._tell("error: ignored a line that was too long")
        elif not words:
            return True
        elif words[0] == "quit":
            return False
        else:
            command = _COMMANDS.get(words[0])
            if command is None:
                self._tell(f"error: unknown command {_shown(line)}")
                return True
            try:
                command(self, words[1:])
            except (ForthVMError, ValueError) as error:
                self._tell(f"error: {_shown(line)}: {error}")
            except Exception as error:  # an external engine, or a bug: the server continues
                self._tell(f"error: {_shown(line)}: {named(error)}")
        return True

    def _end(self) -> None:
        """Stops a running search, if it can be stopped."""
        thinking = self._thinking
        if thinking is not None:
            thinking.stop()
            limit = time.monotonic() + _END_WAIT
            while thinking.thread.is_alive() and time.monotonic() < limit:
                self._engine.stop()
                thinking.thread.join(_STOP_EVERY)
            self.idle = not thinking.thread.is_alive()
        if self.idle:
            self._engine.close()

    # --- output -------------------------------------------------------------------------

    def _say(self, line: str) -> None:
        """Write one line of the protocol, with line ends in names escaped."""
        with self._writing:
            self._write(visible(line))

    def _tell(self, text: str) -> None:
        """Write a message for people, as one `info string`; line ends become bars."""
        lines = [part.strip() for part in text.splitlines() if part.strip()]
        self._say(f"info string {' | '.join(lines)}")

    # --- commands -----------------------------------------------------------------------

    def _ugi(self, _words: Sequence[str]) -> None:
        self._say(f"id name forthvm {__version__} {self._engine.name} ({self._game.name})")
        self._say("id author the forthvm contributors")
        self._say(f"option name Engine type string default {self._spec}")
        self._say("ugiok")

    def _isready(self, _words: Sequence[str]) -> None:
        self._say("readyok")

    def _new_game(self, _words: Sequence[str]) -> None:
        self._engine.new_game()
        self._set(STARTPOS, [], self._game.start())

    def _set_option(self, words: Sequence[str]) -> None:
        if not words or words[0] != "name":
            raise ValueError("expected setoption name NAME value VALUE")
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        if name.casefold() != "engine":
            raise ValueError(f"there is no option {name!r} (options: Engine)")
        engine = get(value)
        self._engine.close()
        self._engine, self._spec = engine, value

    def _set_position(self, words: Sequence[str]) -> None:
        """Sets the position, by making only the new moves if it continues the last one."""
        at = words.index("moves") if "moves" in words else len(words)
        base, moves = " ".join(words[:at]), list(words[at + 1 :])
        position = self._position
        known = len(self._words)
        if position is None or base != self._base or moves[:known] != self._words:
            known = 0
            self._set(base, [], None)
            self._problem = "the last position was refused"
            position = self._from(words[:at])
        fresh = moves[known:]
        self._position = None
        for number, word in enumerate(fresh, start=known + 1):
            try:
                push_word(position, word)
            except ForthVMError as error:
                self._problem = f"the last position was refused: move {number}: {error}"
                raise EngineError(f"move {number}: {error}") from error
        self._set(base, moves, position)

    def _from(self, words: Sequence[str]) -> Position:
        match list(words):
            case ["startpos"]:
                return self._game.start()
            case ["fen", word]:
                return from_fen(self._game, word)
        raise ValueError("expected startpos, or fen and one word (docs/reference/ugi.md)")

    def _set(self, base: str, words: list[str], position: Position | None) -> None:
        self._base, self._words, self._position = base, words, position
        self._problem = ""
        self._update_facts()

    def _update_facts(self) -> None:
        """Computes the answers to `query`, which must be known while the engine searches."""
        self._facts = {} if self._position is None else _facts(self._position, self._players)

    def _query(self, words: Sequence[str]) -> None:
        what = " ".join(words)
        if self._position is None:
            raise ValueError(f"there is no position: {self._problem}")
        if what == "fen":
            self._say(f"response {to_fen(self._position)}")
        elif what in self._facts:
            self._say(f"response {self._facts[what]}")
        else:
            raise ValueError(f"expected one of {', '.join([*self._facts, 'fen'])}")

    def _stop(self, _words: Sequence[str]) -> None:
        if self._thinking is not None:
            self._thinking.stop()
            self._engine.stop()

    # --- searching ----------------------------------------------------------------------

    def _go(self, words: Sequence[str]) -> None:
        """Starts a search; after an error it answers `bestmove`, too, as the host waits for it."""
        position = self._position
        try:
            if position is None:
                raise ValueError(f"there is no position: {self._problem}")
            listed = position.turn in self._players  # else a chance or neutral player
            number = self._players.index(position.turn) + 1 if listed else 0
            limits, infinite, unknown = read_go(words, number)
        except (ForthVMError, ValueError) as error:
            self._tell(f"error: {error}")
            self._say(f"bestmove {NO_MOVE}")
            return
        if limits.unlimited and self._spec == DEFAULT_ENGINE:
            limits = _DEFAULT_LIMITS
        if unknown:
            self._tell(f"ignored in go: {' '.join(unknown)}")
        if position.result is not None:
            self._tell(f"the game is over: {position.result}")
            self._say(f"bestmove {NO_MOVE}")
            return
        if position.is_stuck:
            self._tell(f"{position.turn} has no move and passes")
            self._say(f"bestmove {PASS}")
            return
        self._thinking = _Thinking(self, position, limits, infinite=infinite)
        self._thinking.thread.start()

    def think(self, thinking: _Thinking) -> None:
        """Run by the thread: asks the engine, writes its answer and notifies the inbox."""
        word = NO_MOVE
        try:
            word = self._answer(thinking)
        except ForthVMError as error:
            self._tell(f"error: {error.report()}")
        except Exception as error:  # an external engine, or a bug: the server continues
            self._tell(f"error: {named(error)}")
        try:
            if thinking.infinite:
                thinking.stopped.get()  # UGI: no answer before `stop`
            self._say(f"bestmove {word}")
        finally:
            self._inbox.put(thinking)

    def _answer(self, thinking: _Thinking) -> str:
        position = thinking.position
        names = MoveWords(position)
        engine = self._engine
        if position.is_chance:
            self._tell(f"{position.turn} is a chance player: the move is drawn at random")
            engine = get("chance")
        reporter = _Reports(self._say)
        result = ask_or_first(engine, position, thinking.limits, report=reporter.write)
        for key in ("faults", "warning"):
            value = result.info.get(key)
            for text in value if isinstance(value, tuple) else (value,) if value else ():
                self._tell(str(text))
        reporter.last(result)
        return names.words[result.move.index]


_COMMANDS: dict[str, Callable[[Server, Sequence[str]], None]] = {
    "ugi": Server._ugi,
    "isready": Server._isready,
    "uginewgame": Server._new_game,
    "setoption": Server._set_option,
    "position": Server._set_position,
    "query": Server._query,
    "go": Server._go,
    "stop": Server._stop,
}


class _Thinking:
    """A running search of a position."""

    def __init__(
        self, server: Server, position: Position, limits: Limits, *, infinite: bool
    ) -> None:
        self.position = position
        self.limits = limits
        self.infinite = infinite
        self.stopping = False
        self.stopped: SimpleQueue[None] = SimpleQueue()
        self.thread = Thread(
            target=server.think, args=(self,), name="forthvm ugi engine", daemon=True
        )

    def stop(self) -> None:
        """Allow the answer of a search with `infinite`."""
        if not self.stopping:
            self.stopping = True
            self.stopped.put(None)


class _Reports:
    """Writes reports of an engine as `info` lines; at most ten per second if without news."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._start = self._last_time = time.monotonic()

    def write(self, info: Info) -> None:
        """Writes a report, unless it only counts nodes and another was written just before."""
        now = time.monotonic()
        has_news = info.pv or info.best is not None or info.score is not None or info.depth
        if not has_news and now - self._last_time < _REPORT_EVERY:
            return
        self._last_time = now
        parts = ["info"]
        if info.depth is not None:
            parts.append(f"depth {info.depth}")
        if info.line is not None:
            parts.append(f"multipv {info.line + 1}")
        if info.score is not None:
            parts.append(f"score cp {info.score}")
        if info.nodes is not None:
            parts.append(f"nodes {info.nodes}")
        parts.append(f"time {round(1000 * (now - self._start))}")
        if info.current is not None:
            parts.append(f"currmove {encode(info.current)}")
        pv = info.pv or (() if info.best is None else (info.best,))
        if pv:
            parts.append(f"pv {' '.join(map(encode, pv))}")
        self._say(" ".join(parts))

    def last(self, result: SearchResult) -> None:
        """Writes score, depth and line of the answer."""
        self.write(
            Info(
                depth=result.depth,
                score=result.score,
                nodes=result.nodes,
                pv=tuple(map(str, result.pv)) or (str(result.move),),
            )
        )


def read_go(words: Sequence[str], player: int) -> tuple[Limits, bool, list[str]]:
    """Parse the arguments of `go`: limits, whether to wait for `stop`, and unknown words.

    With a clock, a move gets a thirtieth of the remaining time, or its share of it by the moves
    to go, and most of the increment.

    Args:
        words: The arguments of `go`.
        player: Number of the player to move, whose clock counts; 0: none.

    Raises:
        ValueError: a limit that is not a number, or out of range.

    >>> limits, infinite, unknown = read_go("p1time 60000 p2time 9 p1inc 1000".split(), 1)
    >>> limits.time, infinite, unknown
    (2.8, False, [])
    """
    numbers: dict[str, int] = {}
    unknown: list[str] = []
    infinite = False
    rest = iter(words)
    for word in rest:
        if word == "infinite":
            infinite = True
        elif word in {"depth", "nodes", "movetime", "movestogo"} or _CLOCK.fullmatch(word):
            text = next(rest, "nothing")
            try:
                numbers[word] = int(text)
            except ValueError:
                raise ValueError(f"{word} must be an integer, not {text!r}") from None
        else:
            unknown.append(word)
    for key, number in numbers.items():
        if number < 0 and not key.endswith("time"):  # some hosts send negative remaining times
            raise ValueError(f"{key} must not be negative: {number}")
    span = max(0, numbers["movetime"]) / 1000 if "movetime" in numbers else None
    if f"p{player}time" in numbers:
        left = max(0, numbers[f"p{player}time"]) / 1000
        increment = numbers.get(f"p{player}inc", 0) / 1000
        wanted = share_of_clock(left, increment, numbers.get("movestogo"))
        wanted = max(0.001, min(wanted, left - _RESERVE))
        span = wanted if span is None else min(span, wanted)
    if infinite and span is None and not {"depth", "nodes"} & numbers.keys():
        span = _NO_LIMIT
    limits = Limits(time=span, depth=numbers.get("depth"), nodes=numbers.get("nodes"))
    return limits, infinite, unknown


def _facts(position: Position, players: Sequence[str]) -> dict[str, str]:
    """The answers to `query` by its argument."""
    result = position.result
    facts = {
        f"p{number}turn": _truth(result is None and position.turn == player)
        for number, player in enumerate(players, start=1)
    }
    facts["gameover"] = _truth(result is not None)
    if result is None:
        facts["result"] = "none"
    elif result.draw:
        facts["result"] = "draw"
    else:
        won = [f"p{players.index(each) + 1}win" for each in result.winners if each in players]
        facts["result"] = " ".join(won) or "loss"
    facts["players"] = " ".join(map(encode, players))
    if result is not None:
        facts["moves"] = ""
    else:
        facts["moves"] = PASS if position.is_stuck else " ".join(MoveWords(position).words)
    return facts


def _truth(value: bool) -> str:  # noqa: FBT001, RUF100 - the value to format
    return "true" if value else "false"


def _shown(line: str) -> str:
    return repr(line if len(line) <= _SHOWN else f"{line[:_SHOWN]}...")
