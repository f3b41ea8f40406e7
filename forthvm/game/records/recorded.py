"""Games as files record them: moves with comments and variations, tags, and the result.

Owns what the formats share: lines, the record, replaying it, and the record of a position.
formats.py lists the formats.
"""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from forthvm.core.errors import ForthVMError, MoveError, PositionError
from forthvm.core.location import Location
from forthvm.game.memory.randomness import streams_of
from forthvm.game.moves import HostPass
from forthvm.game.short_notation import short_notation
from forthvm.game.typed_moves import find_chain
from forthvm.system.command_line import join_words, split_words

from .xiangqi_moves import find_xiangqi_move

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

    from forthvm.game.game import Game
    from forthvm.game.notation import HistoryEntry
    from forthvm.game.position import Position

__all__ = [
    "MAX_CHARACTERS",
    "MAX_DEPTH",
    "QUOTING",
    "RESULTS",
    "ROSTER",
    "Comments",
    "RecordError",
    "RecordedGame",
    "RecordedMove",
    "all_moves",
    "decoded",
    "game_of",
    "in_utf8",
    "lines_of",
    "push_recorded",
    "record_move",
]

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
ROSTER = {
    **dict.fromkeys(("Event", "Site"), "?"),
    "Date": "????.??.??",
    **dict.fromkeys(("Round", "White", "Black"), "?"),
    "Result": "*",
}
"""The tags that every game has, in this order, with the values that mean nothing."""
MAX_CHARACTERS = 1 << 20  # of a game
MAX_DEPTH = 100  # of variations
_VARIANTS = {
    **dict.fromkeys(("", "chess", "normal", "standard", "fromposition"), "chess"),
    **dict.fromkeys(("chess960", "fischerandom", "fischerrandom"), "chess-960"),
}
"""The games by what chess programs write in the tag Variant, as lower-case letters and digits."""
_USUAL_SET_UP = {"chess-960": {"start": "518"}}
"""The settings of a game that has neither the tag Settings nor FEN.

Programs do not write the FEN of the usual set-up of Chess960.
"""
_WRITTEN_VARIANTS = {"chess-960": "Chess960"}
"""The value of the tag Variant of games that chess programs know by another name."""
QUOTING = "linux"  # of settings with spaces, on every system


class _FromUtf16(io.RawIOBase):
    """The text of a file in UTF-16, in UTF-8."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-16")("replace")
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - as in io.RawIOBase
        while not self._rest and (data := self._file.read(len(buffer))):
            self._rest = self._decoder.decode(data).encode("utf-8", "replace")
        found, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(found)] = found
        return len(found)


def in_utf8(file: BinaryIO) -> BinaryIO:
    """Return a file, converted if it begins with the mark of UTF-16."""
    if not file.seekable():
        return file
    start = file.tell()
    mark = file.read(2)
    file.seek(start)
    is_utf16 = mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    return io.BufferedReader(_FromUtf16(file)) if is_utf16 else file


def lines_of(file: BinaryIO, size: int = MAX_CHARACTERS) -> Iterator[bytes]:
    """Yield the lines of a file, which end in LF, CR LF or CR.  UTF-16 becomes UTF-8.

    Args:
        file: A binary file.
        size: The number of bytes that are read at once.  A line that is longer is divided.
    """
    rest = b""
    file = in_utf8(file)
    while data := file.readline(size):
        *lines, rest = (rest + data).splitlines(keepends=True)
        yield from lines
        if rest.endswith(b"\n") or len(rest) >= size:
            yield rest
            rest = b""
    if rest:
        yield rest


def decoded(line: bytes, encoding: str, *, is_first: bool) -> str:
    """Return a line of a file in UTF-8 or, if it is no UTF-8, in another encoding.

    The mark of UTF-8 at the start of the first line is skipped.
    """
    try:
        return line.decode("utf-8-sig" if is_first else "utf-8")
    except UnicodeDecodeError:
        return line.decode(encoding, errors="replace")


class RecordError(PositionError):
    """A game in a file cannot be read or replayed; `location` is its place in the file."""

    summary = "cannot read the game"


@dataclass(slots=True)
class RecordedMove:
    """A move with what was written about it.

    Attributes:
        text: The move, in short notation.
        before: The comment before the move, at the start of a variation.
        comment: The comment after the move.
        glyphs: Numbers of annotations: 1 for `!`, 2 for `?`, and so on.
        variations: Other moves in place of this one, each with its continuation.
        location: Where the move was read.
    """

    text: str
    before: str = ""
    comment: str = ""
    glyphs: list[int] = field(default_factory=list)
    variations: list[list[RecordedMove]] = field(default_factory=list)
    location: Location | None = field(default=None, compare=False)


@dataclass(slots=True)
class RecordedGame:
    """A game of a file.

    Attributes:
        tags: The tag pairs, in the order of the file.
        moves: The moves that were played.
        result: `1-0`, `0-1`, `1/2-1/2`, or `*` for an unfinished game.
        comment: The comment before the first move.
        ply: The number of turns before the first move, as its number says.
        line: The line of the file on which the game begins.
        error: What is wrong with the game; its moves end there.
        cut: Why the moves end before those of the file, although nothing is wrong.
        places: Where the values of the tags were read.
    """

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[RecordedMove] = field(default_factory=list)
    result: str = "*"
    comment: str = ""
    ply: int = 0
    line: int = field(default=1, compare=False)
    error: RecordError | None = field(default=None, compare=False)
    cut: RecordError | None = field(default=None, compare=False)
    places: dict[str, Location] = field(default_factory=dict, compare=False)

    @property
    def variant(self) -> str:
        """The name of the game, from the tag Variant; without one, it is chess."""
        name = self.tags.get("Variant", "chess")
        return _VARIANTS.get(re.sub(r"[\W_]", "", name.casefold()), name)

    def settings(self) -> dict[str, str]:
        """Return the settings for `forthvm.load`, from the tag Settings.

        Raises:
            RecordError: The tag is wrong.
        """
        try:
            words = split_words(self.tags.get("Settings", ""), system=QUOTING)
            pairs = [word.partition("=") for word in words]
        except ValueError:  # a quotation mark without its partner
            pairs = [("", "", "")]
        if not all(name and value for name, _, value in pairs):
            raise self.tag_error("Settings", "expected settings such as `suicide=legal komi=7`")
        if not pairs and "FEN" not in self.tags:
            return dict(_USUAL_SET_UP.get(self.variant, {}))
        return {name: value for name, _, value in pairs}

    def tag_error(self, name: str, reason: object) -> RecordError:
        """Return the error for the value of a tag."""
        return RecordError(str(reason), location=self.places.get(name))

    def start(self, game: Game) -> Position:
        """Return the position before the first move: that of the tag FEN, or of the game.

        The moves of XBoard's xiangqi are first rewritten with ranks from 1.

        Raises:
            RecordError: The FEN is wrong.
        """
        from forthvm.game.position import Position

        from .xiangqi_records import count_from_one, is_xiangqi

        fen = self.tags.get("FEN")
        if fen is None:
            start = game.start()
        else:
            try:
                start = Position.from_fen(game, fen)
            except PositionError as error:
                raise self.tag_error("FEN", error) from error
        if is_xiangqi(self.tags):
            count_from_one(self, start)
        return start

    def replay(self, game: Game, *, variations: bool = False) -> Position:
        """Return the position after the last move.

        Args:
            game: The game, such as `forthvm.load("chess")`.
            variations: Also make the moves of the variations, to check them.

        Raises:
            RecordError: The game is damaged, the FEN is wrong, or a move is not legal.
        """
        if self.error is not None:
            raise self.error
        position = self.start(game)
        _play(position, self.moves, variations=variations)
        return position

    def normalize(self, game: Game) -> list[RecordError]:
        """Write the moves in short notation, and end variations before illegal moves.

        Where squares have numbers, as in draughts, moves that name
        squares instead keep their texts.  The first move is numbered as one of its player.

        Args:
            game: The game, such as `forthvm.load("chess")`.

        Returns:
            Why the moves of the game or of variations end before those of the file.

        Raises:
            RecordError: As for `replay`.
        """
        if self.error is not None:
            raise self.error
        start = self.start(game)
        if self.ply % 2 != start._turn_index % 2:
            self.ply = _plies_before(start)
        cuts = [self.cut] if self.cut is not None else []
        return cuts + _normalize(start, self.moves)


class Comments:
    """Collects the parts of comments and joins them once, as a comment can have many parts."""

    def __init__(self, separator: str) -> None:
        """Note what is between the parts."""
        self._separator = separator
        self._parts: dict[int, tuple[RecordedMove | RecordedGame, list[str]]] = {}

    def add(self, place: RecordedMove | RecordedGame, text: str) -> None:
        """Add a part to the comment after a move, or of a game; a comment begins with a text."""
        _, parts = self._parts.setdefault(id(place), (place, []))
        if text or parts:
            parts.append(text)

    def write(self) -> None:
        """Write the comments."""
        for place, parts in self._parts.values():
            place.comment = self._separator.join(parts)
        self._parts.clear()


def all_moves(moves: list[RecordedMove]) -> Iterator[RecordedMove]:
    """Yield the moves, also those of variations."""
    for move in moves:
        yield move
        for variation in move.variations:
            yield from all_moves(variation)


def push_recorded(position: Position, move: RecordedMove) -> None:
    """Make a move of a game; a chain of captures may be written as one move.

    Recorded games may go on after the end by a rule that players need not claim, such as a draw by
    repetition.

    Raises:
        RecordError: The move is not legal.
    """
    moves = position.generated_moves
    try:
        if move.text == "Pass" and not moves:
            position.push_pass(after_end=True)
            return
        try:
            found = find_xiangqi_move(move.text, position)
            position.push(found or moves.find(move.text, is_typed=False), after_end=True)
        except MoveError:
            chain = find_chain(move.text, position)
            if not chain:
                raise
            for each in chain:
                position.push(each)
    except MoveError as error:
        raise RecordError(str(error), location=move.location, hints=error.hints) from error


def _play(position: Position, moves: list[RecordedMove], *, variations: bool) -> None:
    for move in moves:
        if variations:
            for variation in move.variations:
                _play(position.copy(), variation, variations=True)
        push_recorded(position, move)


def _normalize(position: Position, moves: list[RecordedMove]) -> list[RecordError]:
    """Make moves and write them in short notation; end their variations before illegal moves.

    Returns:
        What is wrong with the illegal moves of variations.

    Raises:
        RecordError: A move is not legal.
    """
    errors = []
    for move in moves:
        for variation in move.variations:
            errors += _normalize_variation(position.copy(), variation)
        move.variations = [variation for variation in move.variations if variation]
        ply = position.ply
        push_recorded(position, move)
        move.text = _normal_text(move.text, position, ply)
    return errors


def _normalize_variation(position: Position, variation: list[RecordedMove]) -> list[RecordError]:
    errors = []
    for at, move in enumerate(variation):
        try:
            errors += _normalize(position, [move])
        except RecordError as error:
            del variation[at:]
            return [*errors, error]
    return errors


def _normal_text(text: str, position: Position, ply: int) -> str:
    """Return how the move that was made at a ply, or a chain of captures, is written."""
    notation = short_notation(position._loaded)
    if notation is not None and notation.squares and text[:1].isalpha():
        return text
    last = position._last_move
    if position.ply == ply + 1 and last is not None:
        return last.short
    before = position.copy()
    while before.ply > ply:
        before.pop()
    written: list[RecordedMove] = []
    for entry in position.history[ply:]:
        record_move(written, before, entry)
    return written[0].text if len(written) == 1 else text


def game_of(position: Position, tags: Mapping[str, str] | None = None) -> RecordedGame:
    """Return the game that led to a position.

    Args:
        position: The position.
        tags: Tag pairs, such as the names of the players; others have their defaults.

    Raises:
        PositionError: The game is not one of two players, or began from a position that cannot be
            written as FEN, or that is not known.
    """
    game = position.game
    if len(game.contestants) != 2:
        raise PositionError(f"{game.name} is not a game of two players; only these can be recorded")
    start = fresh = game._begin(position._setup)
    is_drawn = fresh.random_state != streams_of(game._loaded).read(game._loaded.base)
    if is_drawn:  # another seed gives another start
        start = _first(position)
    result, given = _result_of(position), (tags or {}).get("Result", "*")
    if result == "*" and given in RESULTS:  # a player has resigned, for example
        result = given
    found = RecordedGame(result=result)
    found.tags = ROSTER | dict(tags or {})
    found.tags["Result"] = result
    if game.name != "chess":
        found.tags["Variant"] = _WRITTEN_VARIANTS.get(game.name, game.name)
    if settings := game._loaded.options.settings:
        words = (f"{name}={value}" for name, value in settings)
        found.tags["Settings"] = join_words(words, system=QUOTING)
    if is_drawn or position._setup is not None:
        try:
            found.tags |= {"SetUp": "1", "FEN": start.to_fen()}
        except PositionError:  # random numbers may have had no effect on the board
            if position._setup is not None or start.board != fresh.board:
                raise
    found.ply = _plies_before(start)
    for entry in position.history:
        record_move(found.moves, start, entry)
    return found


def _plies_before(start: Position) -> int:
    """Return the plies before a position, as the number of its turn says."""
    rounds = -(-(start.turn_number - 1 - start._turn_index) // 2)  # that are complete
    return 2 * rounds + start._turn_index


def _first(position: Position) -> Position:
    """Return the first position of a game.

    Raises:
        PositionError: It is not known: the position is from a document, and replay does not lead
            to it.
    """
    states = position._earlier_states(position.ply)
    return type(position)(
        position.game, states[-1] if states else position._state, setup=position._setup
    )


def record_move(moves: list[RecordedMove], position: Position, entry: HistoryEntry) -> RecordedMove:
    """Make a move, and add it to the moves of a record; return the last one of these.

    A capture that goes on with a chain belongs to the move that began it.
    """
    continues = position.is_partial
    position.push(entry, after_end=True)
    move = position._last_move
    text = "Pass" if move is None or isinstance(move, HostPass) else move.short
    origin, capture, target = text.partition("x")
    if continues and capture and moves and moves[-1].text.rpartition("x")[2] == origin:
        moves[-1].text += f"x{target}"
    else:
        moves.append(RecordedMove(text))
    return moves[-1]


def _result_of(position: Position) -> str:
    try:
        outcome = position.result
    except ForthVMError:  # the script fails; the moves can be written nevertheless
        return "*"
    if outcome is None:
        return "*"
    first, second = position.game.contestants
    winners = (first in outcome.winners, second in outcome.winners)
    return {(True, False): "1-0", (False, True): "0-1"}.get(winners, "1/2-1/2")
