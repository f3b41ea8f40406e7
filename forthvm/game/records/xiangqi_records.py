"""Games of xiangqi that other programs have written as PGN: their tags, and their squares.

Owns what tells such a game, its tags in the words of other games, and whether its ranks count from
0 (ICCS) or from 1.  xiangqi_moves.py reads the moves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .recorded import RecordError, all_moves, push_recorded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from forthvm.game.position import Position

    from .recorded import RecordedGame, RecordedMove

__all__ = ["adopted", "count_from_one", "is_xiangqi"]

_NAMES = {"xiangqi", "chinesechess", "cchess", "象棋", "中国象棋", "中國象棋"}
"""What programs write in the tags Variant and Game, as lower-case letters."""
_RED = re.compile(r"Red(?![a-z])")
_SHORT = re.compile(r"[A-Z]?[a-i]?\d?x?[a-i]\d[+#]?")
"""A move in short notation, on a board without a rank 10."""
_SQUARES = re.compile(
    r"(?=[a-i].*[a-i]|[A-I].*[A-I])([A-Ia-i])(10|[0-9])[-xX]?([A-Ia-i])(10|[0-9])"
)
"""The squares of a move; `C9b8` is one of a cannon in short notation."""


def is_xiangqi(tags: Mapping[str, str]) -> bool:
    """Return whether a game with these tags is xiangqi."""
    name = tags.get("Variant") or tags.get("Game", "")
    return re.sub(r"[\W_]", "", name.casefold()) in _NAMES


def adopted(game: RecordedGame) -> RecordedGame:
    """Give a game of xiangqi forthvm's tags, and write squares of ICCS as `H2-E2`.

    Squares are ICCS with the tag Format "ICCS", if a rank is 0, or if the game has no tag Variant
    and no rank is 10: forthvm writes the tag Variant.  The text `H2-E2`, in this form, is ICCS
    anyway, except in a game with a rank 10.  Games other than xiangqi are left as they are.
    """
    if not is_xiangqi(game.tags):
        return game
    squares = [*_squares(game.moves)]
    ranks = {rank for _, found in squares for rank in (found[2], found[4])}
    is_own = "Variant" in game.tags or "10" in ranks
    is_iccs = game.tags.pop("Format", "").casefold() == "iccs" or "0" in ranks or not is_own
    if "Variant" not in game.tags and "Game" in game.places:
        game.places["Variant"] = game.places["Game"]
    game.tags["Variant"] = "xiangqi"
    game.tags.pop("Game", None)
    game.tags = {_tag(name, game.tags): value for name, value in game.tags.items()}
    for move, found in squares:
        if is_iccs and "10" in found.groups():
            reason = f"`{move.text}` has the rank 10, and the ranks of the game count from 0"
            game.error = game.error or RecordError(reason, location=move.location)
        elif is_iccs:
            move.text = f"{found[1]}{found[2]}-{found[3]}{found[4]}".upper()
        elif "10" in ranks:
            move.text = move.text.lower()
    return game


def count_from_one(game: RecordedGame, start: Position) -> None:
    """Add 1 to the ranks of short texts of XBoard, which are from 0 to 9.

    A text such as `Rc3` does not say from where its ranks count, so the reading is chosen in which
    more moves are legal.

    Args:
        game: A game of xiangqi.
        start: The position before the first move.
    """
    short = [
        move
        for move in all_moves(game.moves)
        if _SHORT.fullmatch(move.text) and not _SQUARES.fullmatch(move.text)
    ]
    if not short:
        return
    legal = _number_of_legal(game.moves, start)
    if legal == len(game.moves):
        return
    texts = [move.text for move in short]
    for move in short:
        move.text = re.sub(r"\d", lambda digit: str(int(digit[0]) + 1), move.text)
    if _number_of_legal(game.moves, start) <= legal:
        for move, text in zip(short, texts, strict=True):
            move.text = text


def _number_of_legal(moves: list[RecordedMove], start: Position) -> int:
    """Return how many moves are legal before the first that is not."""
    position = start.copy()
    for number, move in enumerate(moves):
        try:
            push_recorded(position, move)
        except RecordError:
            return number
    return len(moves)


def _squares(moves: list[RecordedMove]) -> Iterator[tuple[RecordedMove, re.Match[str]]]:
    """Yield the moves that are two squares, also those of variations."""
    for move in all_moves(moves):
        if found := _SQUARES.fullmatch(move.text):
            yield move, found


def _tag(name: str, tags: Mapping[str, str]) -> str:
    """Return the name of a tag, with White for Red: records call the first player White."""
    other = _RED.sub("White", name)
    return name if other in tags else other
