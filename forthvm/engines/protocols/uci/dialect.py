"""The messages in which the protocols of the family of UCI differ.

UGI is UCI with other names of commands, moves of any game, and queries; USI is UCI for shogi; UCCI
is UCI for xiangqi.  The client and the server are given a dialect; everything else is the same in
all these protocols.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.engines.protocols.coordinates import CHESS, SHOGI, XBOARD, Coordinates, CoordinateWords
from forthvm.engines.protocols.mate_scores import moves_to_mate, plain_score
from forthvm.engines.protocols.uci.messages import UCCI_WIN
from forthvm.engines.protocols.words import MoveWords, Words, encode
from forthvm.game.outcome import plies_to_end

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.game import Position
    from forthvm.game.loaded import LoadedGame

__all__ = ["UCCI", "UCI", "UGI", "USI", "Dialect"]


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """A protocol of the family of UCI."""

    name: str
    """The command that selects the protocol: `ugi`.  Other commands derive from it: `ugiok`."""
    clock: Callable[[int], tuple[str, str]]
    """Returns the words before a player's remaining time and increment, by the player's number from
    1."""
    has_own_clock_first: bool = False
    """Whether the first clock is that of the player to move."""
    move_time: Callable[[int], str] = "movetime {}".format
    """Returns the arguments of `go` for a number of milliseconds for the move."""
    score: Callable[[float], str]
    """Returns a score as `info` contains it."""
    has_mates_in_moves: bool = False
    """Whether `score mate` counts moves, not plies."""
    no_move: str = "bestmove 0000"
    """The answer to `go` if there is no move."""
    no_mate_search: str = ""
    """The answer to `go mate`; "" if `mate` is ignored."""
    farewell: str = ""
    """The answer to `quit`; "" for none."""
    has_multipv: bool = False
    """Whether hosts know the option MultiPV for the number of principal variations."""
    text_word: str = "string"
    """The word of `info` before a text for users."""
    has_named_options: bool = True
    """Whether the words `name` and `value` precede the name and the value of an option."""
    coordinates: Coordinates | None = None
    """The notation of moves; None for that of UGI."""
    own_game: str | None = None
    """The name of the game that an engine plays without an option for others; None: any game."""
    switched_games: frozenset[str] = frozenset()
    """The names of games that are not selected by UCI_Variant, but by a switch: UCI_Chess960.  The
    start of such a game is always sent."""
    unit_option: str | None = None
    """The option that selects milliseconds as the unit of time, which is otherwise a second; None
    for milliseconds without an option."""
    checks_before_search: bool = True
    """Whether `isready` may be sent during a game; in USI it prepares the engine for a new one."""

    @property
    def title(self) -> str:
        """The name for users: `UGI`."""
        return self.name.upper()

    def set_option(self, name: str, value: str) -> str:
        """Return the command that sets an option; the value of a button is ""."""
        if self.has_named_options:
            return f"setoption name {name}{value and f' value {value}'}"
        return f"setoption {name}{value and f' {value}'}"

    @property
    def new_game(self) -> str:
        """The command that begins a game; in UCCI it presses a button."""
        return f"{self.name}newgame" if self.has_named_options else self.set_option("newgame", "")

    @property
    def variant_option(self) -> str:
        """The name of the option that selects the game."""
        return f"{self.title}_Variant"

    def switch(self, name: str) -> str | None:
        """Return the option that selects only the game of this name; None: there is none."""
        return f"{self.title}_{name}" if name in self.switched_games else None

    def words_of(self, position: Position) -> Words:
        """Return the words of the legal moves of a position, which can be searched."""
        if self.coordinates is None:
            return MoveWords(position)
        return CoordinateWords(position, self.coordinates)

    def words(self, position: Position) -> Sequence[str]:
        """Return the words of the legal moves of a position."""
        return self.words_of(position).words

    def encode(self, text: str, game: LoadedGame) -> str:
        """Return the word of a move text."""
        return encode(text) if self.coordinates is None else self.coordinates.encode(text, game)


def _centipawns(score: float) -> str:
    return f"cp {round(score)}"


def _mate_in_moves(score: float) -> str:
    moves = moves_to_mate(score)
    return _centipawns(score) if moves is None else f"mate {moves}"


def _mate_in_plies(score: float) -> str:
    plies = plies_to_end(score)
    if plies is None:
        return _centipawns(score)
    return f"mate {plies if score > 0 else -plies}"


def _number(score: float) -> str:
    plies = plies_to_end(score)
    if plies is None:
        return str(plain_score(score, UCCI_WIN))
    return str(UCCI_WIN - plies if score > 0 else plies - UCCI_WIN)


def _clock(prefix: str) -> tuple[str, str]:
    return f"{prefix}time", f"{prefix}inc"


UGI = Dialect(name="ugi", clock=lambda number: _clock(f"p{number}"), score=_centipawns)
UCI = Dialect(
    name="uci",
    clock=lambda number: _clock(" wb"[number]),
    score=_mate_in_moves,
    has_mates_in_moves=True,
    has_multipv=True,
    coordinates=CHESS,
    own_game="chess",
    switched_games=frozenset({"Chess960"}),
)
USI = Dialect(
    name="usi",
    clock=lambda number: _clock(" bw"[number]),
    move_time="btime 0 wtime 0 byoyomi {}".format,
    score=_mate_in_plies,
    no_move="bestmove resign",
    has_multipv=True,
    no_mate_search="checkmate notimplemented",
    coordinates=SHOGI,
    own_game="shogi",
    checks_before_search=False,
)
UCCI = Dialect(
    name="ucci",
    clock=lambda number: ("time", "increment") if number == 1 else ("opptime", "oppincrement"),
    has_own_clock_first=True,
    move_time="time {} movestogo 1".format,
    score=_number,
    no_move="nobestmove",
    farewell="bye",
    text_word="message",
    has_named_options=False,
    coordinates=XBOARD,  # UCCI counts the ranks from 0, too
    own_game="xiangqi",
    unit_option="usemillisec",
)
