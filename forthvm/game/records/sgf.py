"""Games as SGF: reading files with many games, and writing games.

Owns the meaning of the properties, and which game a file is of: a bundled or installed game whose
`.notation` file has a statement `sgf` with the number of the property GM.  In SGF, `B` is the
player who moves first, and `W` the other one.  Delegates the syntax to sgf_trees.py.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cached_property
from string import ascii_letters
from typing import TYPE_CHECKING

from forthvm._version import __version__
from forthvm.catalogue.bundled import game_paths
from forthvm.core.errors import ForthVMError, PositionError
from forthvm.core.loading.authors_files import read_authors_text
from forthvm.core.location import Location
from forthvm.game.lead import lead_of
from forthvm.game.loading import load
from forthvm.game.notation import parse_parts
from forthvm.game.short_moves import swap_names
from forthvm.game.short_notation import MAX_BYTES, SUFFIX, absence_of, short_notation
from forthvm.system.command_line import join_words

from .recorded import (
    MAX_DEPTH,
    QUOTING,
    ROSTER,
    Comments,
    RecordedGame,
    RecordedMove,
    RecordError,
    push_recorded,
)
from .sgf_trees import read_trees

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from forthvm.game.game import Game
    from forthvm.game.position import Position
    from forthvm.game.short_notation import ShortNotation

    from .sgf_trees import Node, Tree, Value

__all__ = ["read_games", "text_of"]

_COLOURS = ("B", "W")
_SETUP = ("AB", "AW", "AE")
_TAGS = {"PB": "White", "PW": "Black", "EV": "Event", "PC": "Site", "DT": "Date", "RO": "Round"}
"""The tags for properties.  The tag White is for the player who moves first."""
_NOT_TAGS = frozenset(
    {
        *("AB", "AE", "AP", "AW", "B", "C", "CA", "FF", "FEN", "GM", "KM", "PL", "SETTINGS", "ST"),
        *("SZ", "VARIANT", "W"),
    }
)
"""Properties of the first node that do not become tags of their own name."""
_GLYPHS = {"TE[1]": 1, "BM[1]": 2, "TE[2]": 3, "BM[2]": 4, "IT[]": 5, "DO[]": 6}
"""Annotations of moves, with the numbers that they have in records: 1 for `!`, 2 for `?`."""
_PROPERTY = re.compile(r"[A-Z]{1,20}")
_KOMI = re.compile(r"-?\d{1,6}(\.\d{1,6})?")
_UNKNOWN = "?"
"""The tag KM of a record of a game with komi that does not say how much."""
_SIZE = re.compile(r"(\d{1,2})(?::(\d{1,2}))?")
_POINT = re.compile(r"[A-Za-z]{2}")
_RECTANGLE = re.compile(r"([A-Za-z]{2}):([A-Za-z]{2})")
_MOST_COVERED = 100_000
"""The maximum number of points in the rectangles of a game, each of which needs few letters."""
_BLANK = re.compile(r"[\t\v\f]")
"""What becomes a space in a comment, which keeps its line breaks."""
_DATE = re.compile(r"(\d{4})[-.](\d\d)[-.](\d\d)")
_PASS = "tt"
"""A pass on boards of at most 19 rows and columns, as files of older versions have it."""
_PASS_SIZE = 19
_SWAP_SIDES = "swap-sides"
"""A move of Hex that a record cannot describe: the players go on with each other's stones."""
_COLUMNS = 70
"""A line of a file ends before the node after this number of characters."""


# --- reading --------------------------------------------------------------------------------------


def read_games(
    file: BinaryIO, name: str = "SGF", game: str | None = None
) -> Iterator[RecordedGame]:
    """Yield the games of a file, one after the other.

    A game that is damaged, or of an unknown game, has an `error`; the next games are read
    nevertheless.

    Args:
        file: A binary file, in an encoding as for `read_trees`.
        name: The name of the file in messages.
        game: The game that is played; None: the one that GM and SZ, or VARIANT, tell.

    Raises:
        ForthVMError: The game that is played cannot be loaded.
    """
    games = _Games(None if game is None else load(game))
    for tree in read_trees(file, name):
        yield _Reader(games, tree, name).record


class _Games:
    """The games that files can be of, loaded when they are needed."""

    def __init__(self, played: Game | None) -> None:
        self.played = played
        self._loaded: dict[str, Game] = {}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The numbers in SGF of the bundled and installed games that have one, by name."""
        found = {name: _number_in(path.with_suffix(SUFFIX)) for name, path in game_paths().items()}
        return {name: number for name, number in found.items() if number is not None}

    def find(self, number: int, size: tuple[int, int] | None, name: str | None) -> Game | None:
        """Return the game with a number in SGF and a size of the board; None without one.

        Args:
            number: The number.
            size: The columns and rows; None for any size.
            name: The game that is preferred.
        """
        names = [each for each, of_game in self._numbers.items() if of_game == number]
        for each in sorted(names, key=lambda each: each != name):
            if each not in self._loaded:
                with suppress(ForthVMError):  # an installed game that is damaged
                    self._loaded[each] = load(each)
            found = self._loaded.get(each)
            if found is not None and size in (None, _size_of(found)):
                return found
        return None


def _number_in(path: Path) -> int | None:
    """Return the number of a game in SGF that its file of the notation states; None without one."""
    try:
        text = read_authors_text(path, MAX_BYTES) if path.is_file() else ""
        like = re.search(r"^[ \t]*like[ \t]+([\w.-]+)", text, re.MULTILINE)
        if like is not None:
            text += read_authors_text(path.with_name(like[1] + SUFFIX), MAX_BYTES)
    except (ForthVMError, OSError):  # the game has a warning about it
        return None
    number = re.search(r"^[ \t]*sgf[ \t]+(\d{1,4})[ \t]", text, re.MULTILINE)
    return None if number is None else int(number[1])


def _size_of(game: Game) -> tuple[int, int]:
    return game.grid.columns, game.grid.rows


class _Reader:
    """Makes a record from a tree."""

    def __init__(self, games: _Games, tree: Tree, name: str) -> None:
        self.record = RecordedGame(ROSTER.copy(), line=tree.line)
        self._comments = Comments("\n")
        self._covered = 0  # points in rectangles
        self._setup_nodes: set[int] = set()  # identities of the nodes that may set up stones
        try:
            root = tree.nodes[0] if tree.nodes else None
            if root is None:
                location = Location(name, tree.line, 1)
                raise tree.error or RecordError("the game has no node", location=location)
            self._root = root
            self._read_root(games)
            self._read_start(tree)
            self._read_line(tree, self._first_turn, 0, self.record.moves)
        except RecordError as error:
            self.record.error = error
        except ForthVMError as error:  # an installed game cannot be loaded
            self.record.error = RecordError(str(error), location=self._root.location)
        self._comments.write()
        self.record.error = tree.error or self.record.error

    # --- the first node ---------------------------------------------------------------------

    def _read_root(self, games: _Games) -> None:
        self._game = self._find_game(games)
        record, tags = self.record, self.record.tags
        for name, values in self._root.properties.items():
            tag = _TAGS.get(name, name)
            is_list = len(values) > 1 and name not in _TAGS
            if name not in _NOT_TAGS and values and tag and not is_list:
                tags[tag] = " ".join(values[0].text.split())
                record.places[tag] = values[0].location
        if found := _DATE.fullmatch(tags.get("Date", "")):
            tags["Date"] = ".".join(found.groups())
        record.result = tags["Result"] = _result(self._text("RE") or "")
        tags["Variant"] = self._game.name
        settings = self._text("SETTINGS")
        komi = self._text("KM") or (_UNKNOWN if "komi" in self._game.settings else None)
        if komi is not None and "komi" not in (settings or ""):
            komi = komi.replace(",", ".")
            offered = _offered_komi(self._game, komi)
            if offered is None:
                tags["KM"] = komi
            elif offered != self._game.settings["komi"].choices[0].value:
                settings = " ".join(filter(None, (settings, f"komi={offered}")))
        if settings:
            tags["Settings"] = settings

    def _text(self, name: str) -> str | None:
        """Return the first value of a property of the first node."""
        values = self._root.properties.get(name)
        return values[0].text.strip() if values else None

    def _find_game(self, games: _Games) -> Game:
        if games.played is not None:
            return games.played
        number = self._text("GM") or "1"
        size = self._size()
        if not re.fullmatch(r"\d{1,4}", number):
            raise self._error("GM", "expected the number of a game")
        game = games.find(int(number), size, self._text("VARIANT"))
        if game is None:
            board = f" on a board of {size[0]} x {size[1]}" if size else ""
            raise self._error("GM", f"there is no game with the number {number}{board}")
        return game

    def _size(self) -> tuple[int, int] | None:
        text = self._text("SZ")
        if text is None:
            return None
        found = _SIZE.fullmatch(text)
        if found is None:
            raise self._error("SZ", "expected the size of the board")
        return int(found[1]), int(found[2] or found[1])

    def _error(self, name: str, message: str) -> RecordError:
        """Return an error at a property of the first node."""
        values = self._root.properties.get(name)
        return RecordError(message, location=values[0].location if values else self._root.location)

    # --- the start --------------------------------------------------------------------------

    def _read_start(self, tree: Tree) -> None:
        """Read the stones that are set up before the first move, and the player to move."""
        stones: dict[str, str] = {}
        turn = None
        for node in _main_line(tree):
            self._setup_nodes.add(id(node))
            for name in _SETUP:
                for value in node.properties.get(name, ()):
                    stones |= dict.fromkeys(self._points(value), name[1])
            for value in node.properties.get("PL", ()):
                turn = value.text.strip()[:1].upper()
            moved = [colour for colour in _COLOURS if colour in node.properties]
            if moved:
                turn = turn or moved[0]
                break
        stones = {point: colour for point, colour in stones.items() if colour != "E"}
        if turn is None and stones:
            turn = "W" if set(stones.values()) == {"B"} else "B"
        self._first_turn = turn if turn in _COLOURS else "B"
        if stones or self._first_turn != "B":
            self._set_up(stones)

    def _set_up(self, stones: dict[str, str]) -> None:
        kind = self._game.piece_types[0].name
        setup = [(_player(self._game, colour), kind, point) for point, colour in stones.items()]
        try:
            position = self._game.start(setup=setup, turn=_player(self._game, self._first_turn))
            self.record.tags |= {"SetUp": "1", "FEN": position.to_fen()}
        except (ForthVMError, ValueError) as error:
            raise RecordError(
                f"the stones cannot be set up: {error}", location=self._root.location
            ) from error
        self.record.ply = _COLOURS.index(self._first_turn)

    def _points(self, value: Value) -> Iterator[str]:
        """Yield the points of a value: one, or those of a rectangle."""
        found = _RECTANGLE.fullmatch(value.text.strip())
        if found is None:
            yield self._point(value.text.strip(), value)
            return
        (left, right), (top, bottom) = (
            sorted(map(ascii_letters.index, ends)) for ends in zip(found[1], found[2], strict=True)
        )
        self._covered += (right - left + 1) * (bottom - top + 1)
        if self._covered > _MOST_COVERED:
            raise RecordError(
                f"rectangles cover more than {_MOST_COVERED:,} points", location=value.location
            )
        for column in ascii_letters[left : right + 1]:
            for row in ascii_letters[top : bottom + 1]:
                yield self._point(column + row, value)

    def _point(self, text: str, value: Value) -> str:
        """Return the name of the point that two letters, or its name, mean."""
        columns, rows = _size_of(self._game)
        if _POINT.fullmatch(text):
            column, row = map(ascii_letters.index, text)
            if column < columns and row < rows:
                return self._game.positions[row * columns + column]
        elif text.casefold() in self._game.positions:
            return text.casefold()
        raise RecordError(f"`{text}` is not a point of the board", location=value.location)

    # --- moves ------------------------------------------------------------------------------

    def _read_line(self, tree: Tree, turn: str, depth: int, moves: list[RecordedMove]) -> None:
        """Add the moves of a tree to a list, until one is wrong.

        Args:
            tree: The tree.
            turn: The player to move.
            depth: The number of variations in which the tree is.
            moves: The list.

        Raises:
            RecordError: A move, or stones that are set up, are wrong.
        """
        before: list[str] = []  # comments
        others: list[tuple[Tree, str]] = []  # variations in place of the next move
        while True:
            for node in tree.nodes:
                found = self._moves_of(node, turn)
                if depth == 0:
                    self._read_resignation(node)
                comment = _comment_of(node)
                if not found:
                    if comment and not moves and depth > 0:
                        before.append(comment)
                    elif comment:
                        self._comments.add(moves[-1] if moves else self.record, comment)
                    continue
                found[0].before, before = "\n".join(before), []
                self._comments.add(found[-1], comment)
                found[-1].glyphs = _glyphs_of(node)
                found[0].variations = [*self._variations(others, depth)]
                others = []
                moves += found
                turn = _COLOURS[turn == "B"] if len(found) % 2 else turn
            if not tree.variations:
                lines = [*self._variations(others, depth)]
                if lines:  # there is no next move for which they are: the first one goes on
                    lines[0][0].variations += lines[1:]
                    moves += lines[0]
                return
            tree, *rest = tree.variations
            others += [(each, turn) for each in rest]

    def _variations(
        self, trees: list[tuple[Tree, str]], depth: int
    ) -> Iterator[list[RecordedMove]]:
        """Yield the variations with moves; those that are damaged or too deep are left out."""
        for tree, turn in trees if depth < MAX_DEPTH else ():
            moves: list[RecordedMove] = []
            try:
                self._read_line(tree, turn, depth + 1, moves)
            except RecordError:
                continue
            if moves:
                yield moves

    def _moves_of(self, node: Node, turn: str) -> list[RecordedMove]:
        """Return the move of a node; before it, a pass if the other player is to move."""
        if id(node) not in self._setup_nodes:
            for name in _SETUP:
                for value in node.properties.get(name, ()):
                    raise RecordError("stones are set up after a move", location=value.location)
        moves = []
        for colour in _COLOURS:
            for value in node.properties.get(colour, ()):
                if _resigns(value):
                    continue
                if colour != turn:
                    moves.append(RecordedMove("Pass", location=value.location))
                moves.append(RecordedMove(self._move_text(value), location=value.location))
                turn = _COLOURS[colour == "B"]
        return moves

    def _read_resignation(self, node: Node) -> None:
        """Read the result from the move `resign`, as programs for Hex write it."""
        record = self.record
        for colour, winner in zip(_COLOURS, reversed(_COLOURS), strict=True):
            if not record.tags.get("RE") and any(map(_resigns, node.properties.get(colour, ()))):
                record.tags["RE"] = f"{winner}+R"
                record.result = record.tags["Result"] = _result(record.tags["RE"])

    def _move_text(self, value: Value) -> str:
        text = value.text.strip()
        if not text or (text == _PASS and max(_size_of(self._game)) <= _PASS_SIZE):
            return "Pass"
        notation = short_notation(self._game._loaded)
        is_swap = notation is not None and text in notation.swap
        if text == _SWAP_SIDES:
            raise RecordError(
                f"`{text}` is not read: after it, the players have each other's colour",
                location=value.location,
            )
        return text if is_swap or " " in text else self._point(text, value)


def _main_line(tree: Tree) -> Iterator[Node]:
    while True:
        yield from tree.nodes
        if not tree.variations:
            return
        tree = tree.variations[0]


def _comment_of(node: Node) -> str:
    text = "\n".join(value.text for value in node.properties.get("C", ()))
    return _BLANK.sub(" ", text).strip()


def _resigns(value: Value) -> bool:
    return value.text.strip().casefold() == "resign"


def _glyphs_of(node: Node) -> list[int]:
    found = (f"{name}[{values[0].text}]" for name, values in node.properties.items() if values)
    return [_GLYPHS[each] for each in found if each in _GLYPHS]


def _offered_komi(game: Game, text: str) -> str | None:
    """Return the value of the game's setting that equals a komi; None without one."""
    setting = game.settings.get("komi")
    if setting is None or not _KOMI.fullmatch(text):
        return None
    values = (choice.value for choice in setting.choices if _KOMI.fullmatch(choice.value))
    return next((value for value in values if float(value) == float(text)), None)


def _result(text: str) -> str:
    """Return the result that the property RE means; Little Golem writes `B` instead of `B+`."""
    if text[:2].upper() in ("B", "B+"):
        return "1-0"
    if text[:2].upper() in ("W", "W+"):
        return "0-1"
    return "1/2-1/2" if text.casefold() in ("0", "draw", "jigo") else "*"


def _player(game: Game, colour: str) -> str:
    """Return the player of a colour."""
    return game.contestants[_COLOURS.index(colour)]


# --- writing --------------------------------------------------------------------------------------


def text_of(record: RecordedGame, game: Game) -> str:
    """Return a record as SGF.

    Args:
        record: The record.
        game: The game, with the settings of the record.

    Raises:
        PositionError: The game is not written as SGF.
        RecordError: The record is damaged, or a move is not legal.
    """
    notation = short_notation(game._loaded)
    if notation is None or notation.sgf is None:
        raise PositionError(
            f"{game.name} is not written as SGF: {absence_of('`sgf`', game._loaded)}"
        )
    if record.error is not None:
        raise record.error
    writer = _Writer(game, notation, is_named=notation.sgf[1])
    start = record.start(game)
    position = start.copy()
    moves = writer.line(record.moves, position)
    columns, rows = _size_of(game)
    properties = {
        "FF": "4",
        "GM": str(notation.sgf[0]),
        "CA": "UTF-8",
        "AP": f"forthvm:{__version__}",
        "SZ": str(rows) if rows == columns else f"{columns}:{rows}",
        "VARIANT": game.name,
    }
    properties |= _settings_of(record, game)
    for name, tag in _TAGS.items():
        if record.tags.get(tag, "?").strip("?."):
            properties[name] = record.tags[tag]
    if found := _DATE.fullmatch(properties.get("DT", "")):
        properties["DT"] = "-".join(found.groups())
    for name, value in record.tags.items():
        if _PROPERTY.fullmatch(name) and name not in _NOT_TAGS | _TAGS.keys():
            properties[name] = value
    if result := _result_text(record, position):
        properties["RE"] = result
    else:
        properties.pop("RE", None)
    head = "".join(
        f"{name}[{_escaped(' '.join(value.split()))}]" for name, value in properties.items()
    )
    head += _comment(record.comment)
    return f"(;{head}{writer.setup(start) if 'FEN' in record.tags else ''}\n{moves})\n"


def _settings_of(record: RecordedGame, game: Game) -> dict[str, str]:
    settings = record.settings()
    setting = game.settings.get("komi")
    if setting is None:
        komi = record.tags.get("KM", "")
    else:
        default = "" if setting.is_number else setting.choices[0].value
        komi = settings.pop("komi", "") or record.tags.get("KM", "") or default
    texts = {"KM": komi} if _KOMI.fullmatch(komi) else {}
    if settings:
        words = (f"{name}={value}" for name, value in settings.items())
        texts["SETTINGS"] = join_words(words, system=QUOTING)
    return texts


def _result_text(record: RecordedGame, position: Position) -> str:
    """Return the value of RE: as it was read, or with the lead at the end; "" if unfinished."""
    given = record.tags.get("RE", "")
    if _result(given) == record.result:
        return given
    if record.result == "*":  # a part of the game
        return ""
    if record.result == "1/2-1/2":
        return "0"
    lead = lead_of(position) if position.result is not None else None
    score = "" if lead is None or (lead > 0) != (record.result == "1-0") else f"{abs(lead):g}"
    return f"{'B' if record.result == '1-0' else 'W'}+{score}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _comment(text: str) -> str:
    return f"C[{_escaped(text)}]" if text else ""


class _Writer:
    """Writes the moves of records of a game."""

    def __init__(self, game: Game, notation: ShortNotation, *, is_named: bool) -> None:
        self._game = game
        self._notation = notation
        self._is_named = is_named
        self._index = {name: at for at, name in enumerate(game.positions)}

    def setup(self, start: Position) -> str:
        """Return the stones of the first position, and the player to move."""
        points: dict[str, list[str]] = {"B": [], "W": []}
        for name, piece in start.board.occupied():
            points[self._colour(str(piece.player))].append(f"[{self._point(name)}]")
        stones = "".join(f"A{colour}{''.join(each)}" for colour, each in points.items() if each)
        return f"{stones}PL[{self._colour(start.turn)}]"

    def line(self, moves: list[RecordedMove], position: Position) -> str:
        """Return moves with their variations, and make the moves.

        Raises:
            RecordError: A move is not legal.
        """
        lines = [""]
        variations: list[str] = []  # those behind each open bracket
        for move in moves:
            node = ""
            if any(move.variations):
                copies = ((each, position.copy()) for each in move.variations if each)
                variations.append("".join(f"\n({self.line(*each)})" for each in copies))
                node = "\n("
            node += self._node(move, position)
            if len(lines[-1]) + len(node) > _COLUMNS:
                lines.append(node)
            else:
                lines[-1] += node
        ends = "".join(f"){each}" for each in reversed(variations))
        return "\n".join(lines).strip("\n") + ends

    def _node(self, move: RecordedMove, position: Position) -> str:
        ply = position.ply
        push_recorded(position, move)
        node = f";{_comment(move.before)}" if move.before else ""
        for entry in position.history[ply:]:
            node += f";{self._colour(entry.player)}[{_escaped(self._value(entry.text))}]"
        annotations = {number: text for text, number in _GLYPHS.items()}
        node += "".join(annotations.get(number, "") for number in move.glyphs)
        return node + _comment(move.comment)

    def _value(self, text: str) -> str:
        """Return a move: its point, nothing for a pass, the name of a swap, or else its text."""
        parts = parse_parts(text, self._game._loaded.known_names)
        if swap := swap_names(self._notation, parts):
            return swap[0]
        if parts and parts[0].kind == "create":
            return self._point(parts[0].squares[0])
        return "" if not parts or parts[0].kind == "pass" else text

    def _point(self, name: str) -> str:
        if self._is_named:
            return name
        row, column = divmod(self._index[name], self._game.grid.columns)
        return ascii_letters[column] + ascii_letters[row]

    def _colour(self, player: str) -> str:
        return _COLOURS[player != self._game.contestants[0]]
