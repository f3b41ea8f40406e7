"""The server of UGI, UCI, USI and UCCI, by which other programs use forthvm's engines.

Owns the commands.  While an engine searches, `ugi`, `isready`, `quit` and queries of the searched
position are executed immediately.  An error is an `info string`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from forthvm._version import __version__
from forthvm.core.errors import ForthVMError
from forthvm.engines.errors import EngineError, Resignation
from forthvm.engines.protocol import Info
from forthvm.engines.protocols.game_names import name_of
from forthvm.engines.protocols.moves_from_start import STARTPOS
from forthvm.engines.protocols.search_reports import MAX_LINES
from forthvm.engines.protocols.server import (
    DEFAULT_ENGINE,
    TOO_LONG,
    Search,
    Server,
    error_text,
    has_ended,
    one_line,
    quoted,
    searchable,
)
from forthvm.engines.protocols.uci.dialect import UGI
from forthvm.engines.protocols.uci.limits import read_go
from forthvm.engines.protocols.uci.positions import decode_position, encode_position
from forthvm.engines.protocols.words import PASS, MoveWords, encode, push_word
from forthvm.engines.registry import get

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.engines.protocol import SearchResult
    from forthvm.engines.protocols.uci.dialect import Dialect
    from forthvm.game import Game, Position
    from forthvm.game.loaded import LoadedGame

__all__ = ["DialectServer"]

_HOST_OPTIONS = {"usi_hash", "usi_ponder"}
"""Options that USI hosts set although no engine declares them, in lower case."""
_REPORT_INTERVAL = 0.1
"""The minimum time in seconds between a report and a later report with only a node count."""


class DialectServer(Server):
    """A server over a protocol of the family of UCI."""

    _stopping = frozenset({"stop", "gameover"})

    def __init__(
        self,
        game: Game,
        write: Callable[[str], None],
        spec: str = DEFAULT_ENGINE,
        *,
        dialect: Dialect = UGI,
    ) -> None:
        """Create a server, as Server does, with a protocol.

        Raises:
            EngineError: The engine does not exist, or the game is not played over the protocol.
        """
        self._variant = name_of(game, dialect.name) if dialect.coordinates else None
        self._switch = dialect.switch(self._variant or "")
        # The value of the switch has no effect: hosts may set it to false first.
        self._ignored_options = {*_HOST_OPTIONS, (self._switch or "-").casefold()}
        super().__init__(game, write, spec)
        self._dialect = dialect
        self._commands = _COMMANDS[dialect.name]
        self._units_in_second = 1 if dialect.unit_option else 1000  # of times in `go`
        self._start_arguments = STARTPOS  # the arguments of the last `position`, up to `moves`
        self._move_words: list[str] = []  # the arguments of the last `position` after `moves`
        self._position: Position | None = game.start()  # None if the last `position` was invalid
        self._position_problem = ""  # the reason why the last `position` was invalid
        self._query_results: dict[str, str] = {}
        self._has_lines_by_spec: dict[str, bool] = {}  # of the last engine
        self._players = tuple(
            dict.fromkeys(
                turn.player for turn in game.turn_order if turn.player in game.contestants
            )
        )
        self._update_query_results()

    def _runs_during_search(self, words: Sequence[str]) -> bool:
        if words and words[0] in {"isready", "quit", self._dialect.name}:
            return True
        return words[:1] == ["query"] and not self._waiting_commands and "fen" not in words

    def _execute(self, line: str) -> bool:
        words = line.split()
        if line == TOO_LONG:
            self._send_message("error: ignored a line that was too long")
        elif not words:
            return True
        elif words[0] == "quit":
            if self._dialect.farewell:
                self._send(self._dialect.farewell)
            return False
        else:
            command = self._commands.get(words[0])
            if command is None:
                self._send_message(f"error: unknown command {quoted(line)}")
                return True
            try:
                command(self, words[1:])
            except Exception as error:  # an engine in Python, or a bug: the server continues
                self._send_message(f"error: {quoted(line)}: {error_text(error)}")
        return True

    def _send_message(self, text: str) -> None:
        """Write a message for users as one line `info`."""
        self._send(f"info {self._dialect.text_word} {one_line(text)}")

    # --- commands -----------------------------------------------------------------------

    def _introduce(self, _words: Sequence[str]) -> None:
        self._send(f"id name forthvm {__version__} {self._engine.name} ({self._game.name})")
        self._send("id author the forthvm contributors")
        variant, dialect = self._variant, self._dialect
        options = [f"Engine type string default {self._spec}"]
        if self._switch is not None:
            options.append(f"{self._switch} type check default false")
        elif variant != dialect.own_game:
            options.append(f"{dialect.variant_option} type combo default {variant} var {variant}")
        if dialect.has_multipv and self._has_lines():
            options.append(f"MultiPV type spin default 1 min 1 max {MAX_LINES}")
        if not dialect.has_named_options:
            options += [f"{dialect.unit_option} type check default false", "newgame type button"]
        for option in options:
            self._send(f"option {'name ' if dialect.has_named_options else ''}{option}")
        self._send(f"{dialect.name}ok")

    def _has_lines(self) -> bool:
        """Return whether the engine has the option `lines`.

        Only a new engine shows it, which may take long to create.
        """
        if self._spec not in self._has_lines_by_spec:
            try:
                get(self._spec, lines=1).close()
            except EngineError:
                has_lines = False
            else:
                has_lines = True
            self._has_lines_by_spec = {self._spec: has_lines}
        return self._has_lines_by_spec[self._spec]

    def _isready(self, _words: Sequence[str]) -> None:
        if self._search is None:
            self._prepare()
        self._send("readyok")

    def _new_game(self, _words: Sequence[str]) -> None:
        self._engine.new_game()
        self._prepare()
        self._store_position(STARTPOS, [], self._game.start())

    def _set_option(self, words: Sequence[str]) -> None:
        dialect, (name, value) = self._dialect, self._named_value(words)
        folded = name.casefold()
        if folded in self._ignored_options:
            return
        if folded == "engine":
            self._set_engine(value)
        elif folded == "multipv" and dialect.has_multipv:
            self._set_engine(self._spec, lines=value)
        elif folded == "newgame" and not dialect.has_named_options:
            self._new_game(())
        elif name == dialect.unit_option:
            if value not in {"true", "false"}:
                raise ValueError(f"{name} must be true or false, not {value!r}")
            self._units_in_second = 1000 if value == "true" else 1
        elif self._variant and folded == dialect.variant_option.casefold():
            if value != self._variant:
                raise ValueError(f"this engine plays {self._game.name}: {name} is {self._variant}")
        else:
            raise ValueError(f"there is no option {name!r} (options: Engine)")

    def _named_value(self, words: Sequence[str]) -> tuple[str, str]:
        """Return the name and the value in the arguments of `setoption`."""
        if not self._dialect.has_named_options:
            return " ".join(words[:1]), " ".join(words[1:])
        if words[:1] != ["name"]:
            raise ValueError("expected setoption name NAME value VALUE")
        value_at = words.index("value") if "value" in words else len(words)
        return " ".join(words[1:value_at]), " ".join(words[value_at + 1 :])

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
            case ["fen", word] if self._variant is None:
                return decode_position(self._game, word)
            case ["fen" | "sfen", *fields] if self._variant is not None:
                start, text = self._game.start(), " ".join(fields)
                return start if text == start.to_fen() else Position.from_fen(self._game, text)
        raise ValueError("expected startpos, or fen and a position")

    def _store_position(
        self, start_arguments: str, words: list[str], position: Position | None
    ) -> None:
        self._start_arguments, self._move_words, self._position = start_arguments, words, position
        self._position_problem = ""
        self._update_query_results()

    def _update_query_results(self) -> None:
        """Compute the responses to queries, which may come during the next search."""
        self._query_results = {}
        if self._position is not None and "query" in self._commands:
            self._query_results = _query_results(self._position, self._players)

    def _query(self, words: Sequence[str]) -> None:
        query = " ".join(words)
        if self._position is None:
            raise ValueError(f"there is no position: {self._position_problem}")
        if query == "fen":
            self._send(f"response {encode_position(self._position)}")
        elif query in self._query_results:
            self._send(f"response {self._query_results[query]}")
        else:
            raise ValueError(f"expected one of {', '.join([*self._query_results, 'fen'])}")

    def _ignore(self, _words: Sequence[str]) -> None:
        """Do nothing; `stop` has ended the search while it waited, and nothing is pondered."""

    # --- searching ----------------------------------------------------------------------

    def _go(self, words: Sequence[str]) -> None:
        """Start a search.  After an error, send `bestmove` too, because the host waits for it."""
        if words[:1] == ["mate"] and self._dialect.no_mate_search:
            self._send(self._dialect.no_mate_search)
            return
        position = self._position
        try:
            if position is None:
                raise ValueError(f"there is no position: {self._position_problem}")
            result, position = position.result, searchable(position)
            # A chance player or neutral player has no number.
            can_win = position.turn in self._players
            number = self._players.index(position.turn) + 1 if can_win else None
            if self._dialect.has_own_clock_first and number is not None:
                number = 1
            clock = None if number is None else self._dialect.clock(number)
            limits, infinite, ignored = read_go(words, clock, units_in_second=self._units_in_second)
        except (ForthVMError, ValueError) as error:
            self._send_message(f"error: {error}")
            self._send(self._dialect.no_move)
            return
        if ignored:
            self._send_message(f"ignored in go: {' '.join(ignored)}")
        if has_ended(position):
            self._send_message(f"the game is over: {result}")
            self._send(self._dialect.no_move)
            return
        if position.is_stuck:
            self._send_message(f"{position.turn} has no move and passes")
            self._send(f"bestmove {PASS}")
            return
        self._begin_search(position, limits, infinite=infinite)

    def _search_and_answer(self, search: Search) -> None:
        answer = self._dialect.no_move
        try:
            reporter = _ReportWriter(self._send, self._dialect, self._game._loaded)
            words = self._dialect.words(search.position)
            result = self._found(search, reporter.write)
            reporter.write_result(result)
            answer = f"bestmove {words[result.move.index]}"
        except Resignation as resignation:
            self._send_message(str(resignation))
        except ForthVMError as error:
            self._send_message(f"error: {error.report()}")
        except Exception as error:  # an engine in Python, or a bug: the server continues
            self._send_message(f"error: {error_text(error)}")
        if search.infinite:
            search.stop_requested.wait()  # the protocol forbids `bestmove` before `stop`
        self._send(answer)


_SHARED_COMMANDS = {
    "isready": DialectServer._isready,
    "setoption": DialectServer._set_option,
    "position": DialectServer._set_position,
    "go": DialectServer._go,
    **dict.fromkeys(("stop", "ponderhit", "debug", "register"), DialectServer._ignore),
}
_COMMANDS: dict[str, dict[str, Callable[[DialectServer, Sequence[str]], None]]] = {
    "ugi": {
        "ugi": DialectServer._introduce,
        "uginewgame": DialectServer._new_game,
        "query": DialectServer._query,
        **_SHARED_COMMANDS,
    },
    "uci": {
        "uci": DialectServer._introduce,
        "ucinewgame": DialectServer._new_game,
        **_SHARED_COMMANDS,
    },
    "ucci": {"ucci": DialectServer._introduce, **_SHARED_COMMANDS},
    "usi": {
        "usi": DialectServer._introduce,
        "usinewgame": DialectServer._new_game,
        "gameover": DialectServer._ignore,
        **_SHARED_COMMANDS,
    },
}
"""The commands of each protocol."""


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
