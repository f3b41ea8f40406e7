"""The server of GTP, by which other programs use forthvm's engines for Go and games like it.

Owns the commands.  They are executed in order; the next one waits for the end of a search.
A move of the player who is not to move is possible if the other player can pass.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from forthvm import render
from forthvm._version import __version__
from forthvm.core.errors import ForthVMError, MoveError
from forthvm.engines.errors import EngineError, Resignation
from forthvm.engines.protocol import Limits, share_of_clock
from forthvm.engines.protocols.game_names import name_of
from forthvm.engines.protocols.gtp.points import (
    COLOURS,
    KOMI,
    PASS,
    board_size,
    chosen_komi,
    colour_of,
    find_move,
    refuse_other_games,
    vertex,
)
from forthvm.engines.protocols.server import (
    DEFAULT_ENGINE,
    MOVE_RESERVE,
    TOO_LONG,
    Search,
    Server,
    error_text,
    has_ended,
    one_line,
    quoted,
    searchable,
    without_reserve,
)
from forthvm.game.game import Game
from forthvm.game.lead import lead_of
from forthvm.render.draw_text import TextStyle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from forthvm.game import Position

__all__ = ["GtpServer", "handicap_points"]

_COMMAND = re.compile(r"(?:([0-9]{1,10})(?:\s+|$))?(\S*)\s*(.*)")
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")


class GtpServer(Server):
    """A server over GTP, version 2."""

    def __init__(
        self,
        game: Game,
        write: Callable[[str], None],
        spec: str = DEFAULT_ENGINE,
        *,
        log: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Create a server, as Server does.

        Args:
            game: The game to play at first.
            write: Called with each line of output, from any thread.
            spec: The specification of the engine.
            log: Called with each message for users, for which GTP has no form.

        Raises:
            EngineError: The engine does not exist, or programs do not play the game over GTP.
        """
        refuse_other_games(game)
        super().__init__(game, write, spec)
        self._log = log
        self._position = game.start()
        self._plies: list[int] = []  # the ply before each move, for `undo`
        self._id = ""  # of the command that is executed
        self._after_move: Position | None = None  # in which `genmove` makes the move
        self._main_time: float | None = None  # of each player in seconds; None for no limit
        self._period = (0.0, 0)  # seconds after the main time, and stones in this time
        self._time_left: dict[str, tuple[float, int]] = {}  # seconds, and stones in this time or 0

    def _runs_during_search(self, words: Sequence[str]) -> bool:
        return False

    def _execute(self, line: str) -> bool:
        text = _CONTROL_CHARACTERS.sub("", line.partition("#")[0]).strip()
        found = _COMMAND.fullmatch(text)
        if line == TOO_LONG:
            self._id = ""
            self._refuse("the line is too long")
        elif found and text:
            self._id = found[1] or ""
            return self._run(found[2], found[3].split())
        return True

    def _run(self, name: str, words: Sequence[str]) -> bool:
        """Run a command; return False for `quit`."""
        command = _COMMANDS.get(name)
        if command is None:
            self._refuse("unknown command")
            return True
        try:
            answer = command(self, words)
        except Exception as error:  # an engine in Python, or a bug: the server continues
            self._refuse(error_text(error))
        else:
            if answer is not None:
                self._accept(answer)
        return name != "quit"

    # --- answers ------------------------------------------------------------------------

    def _accept(self, text: str = "") -> None:
        self._answer("=", text)

    def _refuse(self, text: str) -> None:
        self._answer("?", one_line(text))

    def _answer(self, sign: str, text: str) -> None:
        first, *others = text.split("\n")
        for line in [f"{sign}{self._id} {first}".rstrip(), *others, ""]:
            self._send(line)

    def _send_message(self, text: str) -> None:
        self._log(text)

    # --- about the server ---------------------------------------------------------------

    def _protocol_version(self, _words: Sequence[str]) -> str:
        return "2"

    def _name(self, _words: Sequence[str]) -> str:
        return f"forthvm {self._engine.name}"

    def _version(self, _words: Sequence[str]) -> str:
        return __version__

    def _known_command(self, words: Sequence[str]) -> str:
        return "true" if words[:1] and words[0] in _COMMANDS else "false"

    def _list_commands(self, _words: Sequence[str]) -> str:
        return "\n".join(_COMMANDS)

    def _quit(self, _words: Sequence[str]) -> str:
        return ""

    # --- the game -----------------------------------------------------------------------

    def _set_size(self, words: Sequence[str]) -> str:
        size = _number(_words(words, "SIZE")[0])
        if size != board_size(self._game):
            game = next((game for game in self._relatives() if board_size(game) == size), None)
            if game is None:
                raise ValueError("unacceptable size")
            self._game = game
        return self._clear(())

    def _relatives(self) -> Iterator[Game]:
        """Yield the other games in the folder of the game to which programs give the same name."""
        options = self._game._loaded.options
        for path in sorted(options.path.parent.glob("*.notation")):
            script = path.with_suffix(options.path.suffix)
            if script != options.path and script.is_file():
                with suppress(EngineError, ForthVMError):
                    game = self._loaded(name=script.stem, path=script)
                    if name_of(game, "gtp") == name_of(self._game, "gtp"):
                        yield game

    def _loaded(self, **changes: Any) -> Game:  # noqa: ANN401 - fields of options
        """Load a game with the options of the current game, and changes of them."""
        loaded = self._game._loaded
        return Game(loaded.options.replace(**changes), output=loaded.output)

    def _clear(self, _words: Sequence[str]) -> str:
        self._engine.new_game()
        self._prepare()
        self._position, self._plies = self._game.start(), []
        self._time_left = {}
        return ""

    def _set_komi(self, words: Sequence[str]) -> str:
        wanted = _decimal(_words(words, "KOMI")[0])
        setting = self._game.settings.get(KOMI)
        if setting is None and wanted == 0:
            return ""  # hosts send the komi of every game
        if setting is not None and setting.is_number:
            komi, possible = str(int(wanted)) if wanted.is_integer() else None, "whole numbers"
        else:
            choices = [choice.value for choice in setting.choices] if setting else []
            komi = next((value for value in choices if _decimal(value) == wanted), None)
            possible = ", ".join(choices) or "0"
        if komi is None:
            raise ValueError(f"unacceptable komi (possible: {possible})")
        if komi != chosen_komi(self._game):
            settings = dict(self._game._loaded.options.settings) | {KOMI: komi}
            game = self._loaded(settings=tuple(settings.items()))
            position = game.start()
            for entry in self._position.history:
                position.push(entry, after_end=True)
            self._game, self._position = game, position
        return ""

    def _komi(self, _words: Sequence[str]) -> str:
        chosen = self._game._loaded.options.rule_settings.get(KOMI, "0")
        return chosen_komi(self._game) or chosen

    def _play(self, words: Sequence[str]) -> str:
        colour, word = _words(words, "COLOUR VERTEX")
        position = self._with_turn_of(colour)
        _push(position, word)
        self._go_to(position)
        return ""

    def _place_fixed_handicap(self, words: Sequence[str]) -> str:
        stones = _number(_words(words, "STONES")[0])
        return self._place_handicap(handicap_points(board_size(self._game), stones))

    def _place_handicap(self, points: Sequence[str]) -> str:
        """Place stones of Black on points of the empty board; White passes between them."""
        if self._position.history:
            raise ValueError("board not empty")
        start = self._position
        try:
            for point in points:
                if point.casefold() == PASS:
                    raise ValueError("a pass is not a handicap")
                self._play((COLOURS[0], point))
        except (ForthVMError, ValueError):
            self._position = start
            raise
        finally:
            self._plies = []  # `undo` takes back moves, not the handicap
        return " ".join(points)

    def _set_free_handicap(self, words: Sequence[str]) -> str:
        _words(words, "VERTEX VERTEX")
        self._place_handicap(words)
        return ""

    def _with_turn_of(self, colour_word: str) -> Position:
        """Return a copy of the position in which a player is to move.

        Raises:
            ValueError: There is no such player, or the other player cannot pass.
        """
        colour = _colour(colour_word)
        position = self._position.copy()
        if colour_of(self._game, position.turn) != colour:
            try:
                _push(position, PASS)
            except MoveError:
                raise ValueError(f"{position.turn} is to move, and cannot pass") from None
        return position

    def _go_to(self, position: Position) -> None:
        """Go to a later position."""
        self._plies.append(self._position.ply)
        self._position = position

    def _undo(self, _words: Sequence[str]) -> str:
        if not self._plies:
            raise ValueError("cannot undo")
        ply = self._plies.pop()
        while self._position.ply > ply:
            self._position.pop()
        return ""

    def _final_score(self, _words: Sequence[str]) -> str:
        lead = lead_of(self._position)
        if lead is not None:
            return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"
        result = self._position.result
        if result is None:
            raise ValueError("cannot score")
        if not result.winners:
            return "0"
        return f"{colour_of(self._game, result.winners[0])[0].upper()}+"

    def _final_status(self, words: Sequence[str]) -> str:
        """Return the stones with a status: all are alive."""
        (status,) = _words(words, "STATUS")
        if status not in {"alive", "dead", "seki"}:
            raise ValueError("syntax error: expected alive, dead or seki")
        points = [point.upper() for point, _ in self._position.board.occupied()]
        return " ".join(points) if status == "alive" else ""

    def _show_board(self, _words: Sequence[str]) -> str:
        lines = render.text(self._position, TextStyle(ascii=True)).splitlines()
        return "\n".join(["", *filter(str.strip, lines), f"{self._position.turn} to move"])

    # --- time ---------------------------------------------------------------------------

    def _set_time(self, words: Sequence[str]) -> str:
        main, byoyomi, stones = map(_number, _words(words, "MAIN BYOYOMI STONES"))
        self._main_time = None if byoyomi and not stones else float(main)
        self._period = (float(byoyomi), stones)
        self._time_left = {}
        return ""

    def _set_time_left(self, words: Sequence[str]) -> str:
        colour, seconds, stones = _words(words, "COLOUR TIME STONES")
        self._time_left[_colour(colour)] = float(_number(seconds)), _number(stones)
        return ""

    def _limits(self, colour: str) -> Limits:
        """Return the limits of a search for a player."""
        if colour not in self._time_left:
            if self._main_time is None:
                return Limits()
            self._time_left[colour] = self._main_time, 0
        remaining, stones = self._time_left[colour]
        if stones:
            return Limits(time=_stone_time(remaining, stones))
        share = without_reserve(share_of_clock(remaining))
        return Limits(time=max(share, _stone_time(*self._period)))

    def _spend(self, colour: str, seconds: float) -> None:
        """Count the time of a move, for hosts that do not send the time left."""
        remaining, stones = self._time_left.get(colour, (0.0, 0))
        if remaining and not stones:
            self._time_left[colour] = max(0.0, remaining - seconds), 0

    # --- searching ----------------------------------------------------------------------

    def _generate(self, words: Sequence[str]) -> str | None:
        return self._begin(words, makes_move=True)

    def _generate_without_move(self, words: Sequence[str]) -> str | None:
        return self._begin(words, makes_move=False)

    def _begin(self, words: Sequence[str], *, makes_move: bool) -> str | None:
        """Begin a search, which answers; return the answer for a player without moves."""
        (colour,) = _words(words, "COLOUR")
        position = self._with_turn_of(colour)
        if position.is_stuck:
            if makes_move:
                position.push_pass()
                self._go_to(position)
            return PASS
        searched = searchable(position)
        if has_ended(searched):
            raise ValueError(f"the game is over: {position.result}")
        self._after_move = position if makes_move else None
        self._begin_search(searched, self._limits(_colour(colour)))
        assert self._search is not None
        self._search.thread.join()
        self._search = None
        return None

    def _search_and_answer(self, search: Search) -> None:
        try:
            begun = time.monotonic()
            move = self._found(search).move
            text = vertex(str(move), search.position._loaded)
            if self._after_move is not None:
                colour = colour_of(self._game, search.position.turn)
                self._spend(colour, time.monotonic() - begun)
                _push(self._after_move, text)
                self._go_to(self._after_move)
            self._accept(text)
        except Resignation:
            self._accept("resign")
        except Exception as error:  # of an engine in Python, or a bug: the server continues
            self._refuse(error_text(error))


def _stone_time(seconds: float, stones: int) -> float:
    """Return the time for a stone, given a time and the number of stones to play in it, or 0."""
    if stones == 1:
        return without_reserve(seconds, MOVE_RESERVE)
    return without_reserve(seconds / stones) if stones else 0.0


def _push(position: Position, word: str) -> None:
    """Make the move with a vertex, also after two passes, when players may disagree on the end.

    Raises:
        MoveError: The move is not legal.
    """
    moves = position.generated_moves
    if word.casefold() == PASS and not moves:
        position.push_pass(after_end=True)
    else:
        position.push(moves[find_move(position, word)], after_end=True)


def _words(words: Sequence[str], names: str) -> Sequence[str]:
    """Return the arguments of a command, without those behind the expected ones.

    Raises:
        ValueError: One is missing.
    """
    count = len(names.split())
    if len(words) < count:
        raise ValueError(f"syntax error: expected {names}")
    return words[:count]


def _decimal(word: str) -> float:
    """Return a number.

    Raises:
        ValueError: The word is not a number.
    """
    if not _NUMBER.fullmatch(word):
        raise ValueError(f"syntax error: expected a number, not {quoted(word)}")
    return float(word)


def _number(word: str) -> int:
    """Return a number without its fraction, which some programs write.

    Raises:
        ValueError: The word is not a number.
    """
    return int(_decimal(word))


def _colour(word: str) -> str:
    """Return the colour that a word means.

    Raises:
        ValueError: It means none.
    """
    folded = word.casefold()
    for colour in COLOURS:
        if folded in (colour, colour[0]):
            return colour
    raise ValueError(f"syntax error: expected black or white, not {quoted(word)}")


_COMMANDS: dict[str, Callable[[GtpServer, Sequence[str]], str | None]] = {
    "protocol_version": GtpServer._protocol_version,
    "name": GtpServer._name,
    "version": GtpServer._version,
    "known_command": GtpServer._known_command,
    "list_commands": GtpServer._list_commands,
    "quit": GtpServer._quit,
    "boardsize": GtpServer._set_size,
    "clear_board": GtpServer._clear,
    "komi": GtpServer._set_komi,
    "get_komi": GtpServer._komi,
    "play": GtpServer._play,
    "fixed_handicap": GtpServer._place_fixed_handicap,
    "place_free_handicap": GtpServer._place_fixed_handicap,
    "set_free_handicap": GtpServer._set_free_handicap,
    "genmove": GtpServer._generate,
    "reg_genmove": GtpServer._generate_without_move,
    "undo": GtpServer._undo,
    "time_settings": GtpServer._set_time,
    "time_left": GtpServer._set_time_left,
    "final_score": GtpServer._final_score,
    "final_status_list": GtpServer._final_status,
    "showboard": GtpServer._show_board,
}
"""The commands, and what executes them: they return the answer, or None if a search answers."""


_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_LEAST_SIZE = 7
_LEAST_STONES = 2
_CORNERS = 4
_CENTRE_FROM = 5
"""From this number of stones on, an odd one is in the centre."""
_LARGE = 13
"""From this size on the stones are on the fourth line, on smaller boards on the third one."""


def handicap_points(size: int, stones: int) -> list[str]:
    """Return the points of a number of stones on a board with so many rows.

    Raises:
        ValueError: No such handicap is defined.

    >>> handicap_points(19, 3), handicap_points(9, 5)
    (['D4', 'Q16', 'D16'], ['C3', 'G7', 'C7', 'G3', 'E5'])
    """
    most = 0 if size < _LEAST_SIZE else 9 if size % 2 and size > _LEAST_SIZE else _CORNERS
    if not _LEAST_STONES <= stones <= most:
        possible = f"{_LEAST_STONES} to {most}" if most else "none"
        raise ValueError(f"invalid number of stones (possible: {possible})")
    low = 4 if size >= _LARGE else 3
    middle, high = (size + 1) // 2, size + 1 - low
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    centre = stones % 2 if stones >= _CENTRE_FROM else 0
    points = [*corners, *sides][: stones - centre] + [(middle, middle)] * centre
    return [f"{_COLUMNS[column - 1]}{row}" for column, row in points]
