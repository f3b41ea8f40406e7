"""Symbols of pieces: drawings for the types of pieces that scripts and rule files name.

Owns the value that front ends draw, and which drawing or picture a piece has.  A drawing takes its
colours from the group around it, so that it serves all players and both light and dark pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from forthvm.core.text.visible import visible
from forthvm.render.colours import OUTLINES
from forthvm.render.symbols.choice import choose_decorations, choose_symbols
from forthvm.render.symbols.library import (
    dotted_fragment,
    keys_by_name,
    pair_fragment,
    stored_fragment,
)
from forthvm.render.symbols.numbers import number_fragment
from forthvm.render.symbols.own_drawings import OwnDrawings
from forthvm.render.symbols.rule_files import BOARD, RuleFilePictures
from forthvm.render.symbols.shogi import owner_dot, shogi_fragment
from forthvm.render.symbols.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from forthvm.game import Game

__all__ = [
    "BOARD",
    "Symbol",
    "base_key",
    "board_picture_size",
    "decorations_of",
    "faulty_pictures",
    "fragment",
    "game_symbols",
    "named_symbols",
    "picture_files",
    "piece_sets",
    "symbol_notes",
    "symbol_of",
]

_PICTURES, _DRAWINGS, _KANJI, _LETTERS = "pictures", "drawings", "kanji", "letters"
_WITHOUT_LETTERS = {"base", "fixtures", "number"}
_ALWAYS_BASED = "emblems"
_FIGURES = {"chess", "pair", "folk", "beasts", "objects", "shapes"}


def symbol_of(game: Game, type_name: str, player: str) -> str | None:
    """Return the key of the symbol of a piece; None if there is no symbol for its type.

    Args:
        game: The game.
        type_name: The type of the piece, as in a scene: with control characters escaped.
        player: Its owner, as in a scene.
    """
    return _symbols(game).key(type_name, player)


def base_key(outline: str) -> str:
    """Return the key of the base with an outline (`forthvm.render.colours.outlines_of`)."""
    return f"base/{outline}"


def game_symbols(game: Game, piece_set: str = "") -> dict[str, Symbol]:
    """Return the symbols that the pieces of a game can have, and the bases of pieces, by key.

    A picture that cannot be read is replaced by a drawing, or left out if there is none.

    Args:
        game: The game.
        piece_set: One of `piece_sets`; "": the first of them.

    Raises:
        ValueError: The game has no such set.
    """
    return _symbols(game).all(piece_set)


def named_symbols() -> tuple[dict[str, str], dict[str, Symbol]]:
    """Return the drawings for names of types, for programs that choose them without a game.

    Returns:
        The keys by name, in lower case; and by key, the symbols of a game of two players and the
        bases of pieces.
    """
    keys = keys_by_name()
    drawn = sorted({*keys.values(), *map(base_key, OUTLINES)})
    return keys, {key: Symbol(svg=fragment(key), based=_is_based(key, many=False)) for key in drawn}


def piece_sets(game: Game) -> tuple[str, ...]:
    """Return the names of the sets of symbols that the pieces of a game can have.

    They are `pictures 1`, `pictures 2` … in a rule file with pictures, `drawings`, `kanji` in
    shogi, and `letters`, with which pieces have no symbol but the label of the scene.
    """
    return _symbols(game).sets


def board_picture_size(game: Game) -> tuple[int, int] | None:
    """Return width and height of the picture of a board in pixels; None without one.

    Its key in `game_symbols` is `BOARD`; it may be missing there, because the file is damaged.
    """
    pictures = _symbols(game).pictures
    return pictures.board_size if pictures else None


def decorations_of(game: Game) -> dict[str, str]:
    """Return the keys of drawings that mark squares with a special rule, by square."""
    return _symbols(game).decorations


def symbol_notes(game: Game) -> tuple[str, ...]:
    """Return notes about the author's pictures that are missing or cannot be shown."""
    return _symbols(game).notes()


def faulty_pictures(game: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the author's pictures that are missing, and notes about those that are damaged."""
    pictures = _symbols(game).pictures
    return (pictures.missing, pictures.damaged) if pictures else ((), ())


def picture_files(game: Game) -> tuple[tuple[Path, ...], bool]:
    """Return the files of the author's pictures, and whether there are all of them."""
    pictures = _symbols(game).pictures
    return (pictures.files, pictures.is_complete) if pictures else ((), True)


class _Symbols:
    """The symbols of a game."""

    def __init__(self, game: Game) -> None:
        types = [visible(kind.name) for kind in game.piece_types]
        players = [visible(name) for name in game.players]
        owners = [one for one in game.player_details if not (one.neutral or one.chance)]
        self._many = len(owners) > 2  # the pieces of two differ by lightness
        self._drawings = choose_symbols(types, players)
        self.decorations = choose_decorations(types)
        self._own = OwnDrawings(game.path.absolute().parent, types, players)
        self.pictures: RuleFilePictures | None = None
        if game._loaded.rules is not None:
            self.pictures = RuleFilePictures(game, game._loaded.rules.rules)
        pictured = range(self.pictures.sets if self.pictures else 0)
        is_shogi = any(key.startswith("shogi/") for key in self._drawings.values())
        self.sets = (
            *(f"{_PICTURES} {number + 1}" for number in pictured),
            _DRAWINGS,
            *([_KANJI] if is_shogi else []),
            _LETTERS,
        )
        self._all: dict[str, dict[str, Symbol]] = {}

    def key(self, type_name: str, player: str) -> str | None:
        piece = (type_name, player)
        pictured = self.pictures.keys.get(piece) if self.pictures else None
        return self._own.keys.get(piece) or pictured or self._drawings.get(piece)

    def all(self, piece_set: str = "") -> dict[str, Symbol]:
        name = piece_set or self.sets[0]
        if name not in self.sets:
            raise ValueError(f"no set of pieces {name!r}; the sets: {', '.join(self.sets)}")
        if name not in self._all:
            keys = sorted(
                {*self._drawings.values(), *self.decorations.values(), *map(base_key, OUTLINES)}
            )
            drawn = dict(self._drawn(keys, kanji=name == _KANJI))
            number = self.sets.index(name) if name.startswith(_PICTURES) else None
            pictured = dict(self._pictured(number))
            symbols = drawn | pictured | dict(self._owned())
            self._all[name] = self._without_symbols(symbols) if name == _LETTERS else symbols
        return dict(self._all[name])

    def _without_symbols(self, symbols: Mapping[str, Symbol]) -> dict[str, Symbol]:
        """Return the symbols of other things than pieces, and of those that are letters anyway."""
        kept = {BOARD, *self.decorations.values()}
        return {
            key: symbol
            for key, symbol in symbols.items()
            if key in kept or key.partition("/")[0] in _WITHOUT_LETTERS
        }

    def notes(self) -> tuple[str, ...]:
        self.all()
        return (self.pictures.notes if self.pictures else ()) + self._own.notes

    def _drawn(self, keys: Iterable[str], *, kanji: bool = False) -> Iterator[tuple[str, Symbol]]:
        for key in keys:
            drawn = fragment(key, kanji=kanji)
            yield key, Symbol(svg=drawn, based=_is_based(key, many=self._many))

    def _pictured(self, number: int | None) -> Iterator[tuple[str, Symbol]]:
        """Yield the pictures of a set, and drawings in place of pictures that cannot be read."""
        if self.pictures is None:
            return
        pieces = {key: piece for piece, key in self.pictures.keys.items()}
        for key in (*pieces, *([BOARD] if self.pictures.board_size else [])):
            picture = None if number is None else self.pictures.read(key, number)
            if picture is not None:
                yield key, Symbol(png=picture.png, width=picture.width, height=picture.height)
            elif key in pieces:
                yield from self._instead(key, pieces[key])

    def _owned(self) -> Iterator[tuple[str, Symbol]]:
        """Yield the author's drawings, and others in place of those that cannot be shown."""
        for key, piece in {key: piece for piece, key in self._own.keys.items()}.items():
            svg = self._own.read(key)
            if svg is not None:
                yield key, Symbol(svg=svg, based=self._many)
            else:
                yield from self._instead(key, piece)

    def _instead(self, key: str, piece: tuple[str, str]) -> Iterator[tuple[str, Symbol]]:
        for _, symbol in self._drawn(filter(None, [self._drawings.get(piece)])):
            yield key, symbol


def _is_based(key: str, *, many: bool) -> bool:
    kind = key.partition("/")[0]
    return kind == _ALWAYS_BASED or (many and kind in _FIGURES)


def fragment(key: str, *, kanji: bool = False) -> str:
    """Return the drawing with a key; the first part of the key is a file or a composition.

    Args:
        key: The key.
        kanji: Whether pieces of shogi have their kanji.
    """
    plain, _, dots = key.partition("+")
    if dots.isdecimal():
        return dotted_fragment(fragment(plain, kanji=kanji), int(dots))
    kind, *rest = key.split("/")
    if kind == "number":
        return number_fragment(rest[0])
    if kind == "shogi":
        piece, facing, seat = rest
        promoted, kind = piece.startswith("+"), piece.lstrip("+")
        return shogi_fragment(kind, promoted=promoted, facing=facing, seat=seat, kanji=kanji)
    if kind == "pair":
        return pair_fragment(*rest)
    if kind == "stone":
        return stored_fragment("fixtures/rock") + owner_dot(rest[0])
    return stored_fragment(key)


def _symbols(game: Game) -> _Symbols:
    found = _SYMBOLS.get(game)
    if found is None:
        found = _SYMBOLS[game] = _Symbols(game)
    return found


_SYMBOLS: WeakKeyDictionary[Game, _Symbols] = WeakKeyDictionary()
"""The symbols of each game; names and files do not change after loading."""
