"""Reads and replays saved games (`.zsg`; section 13 and the matcher of section 12, 89)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Final

from tests.models.zrf.moves import PASS, Piece, new_piece
from tests.models.zrf.position import Position, skipped, start
from tests.models.zrf.rules import Rules, load

__all__ = ["Replay", "ReplayError", "items", "replay"]

_MOVE: Final = re.compile(r"(\d+)\. (.+)")
_EDIT: Final = re.compile(r"\((?:x (\S+)|(\S+) (\S+) (\S+))\)")


class ReplayError(ValueError):
    """A line of a saved game fits no legal move."""


@dataclass
class Replay:
    """A replayed game: the position after each line, the initial one first."""

    rules: Rules
    positions: list[Position]
    warnings: list[str] = field(default_factory=list)


def replay(path: str | Path) -> Replay:
    """Replay a saved game.

    Raises:
        ReplayError: At the first line that fits no legal move.
    """
    path = Path(path)
    head, *lines = path.read_text("latin-1").splitlines()
    if not head.startswith("Zillions Save Game File"):
        raise ReplayError(f"{path}: no saved game")
    values = dict(line.split("=", 1) for line in lines[:2])
    name = re.split(r"[/\\]", values["RulesFile"])[-1]  # 91
    found = [file for file in path.parent.iterdir() if file.name.lower() == name.lower()]
    rules = load(found[0], values["VariantName"])
    edits = [match.groups() for line in lines if (match := _EDIT.fullmatch(line.strip()))]
    game = Replay(rules, [start(rules, [_edit(rules, *edit) for edit in edits])])
    for line in lines[2:]:
        if match := _MOVE.fullmatch(line.strip()):
            _play(game, int(match[1]), match[2])
    return game


def _edit(
    rules: Rules, cleared: str | None, player: str, piece: str, place: str
) -> tuple[str, Piece | None]:
    """92: what a position of the board holds instead."""
    if cleared is not None:
        return cleared, None
    return place, new_piece(rules, player, piece)


def _play(game: Replay, number: int, text: str) -> None:
    position = game.positions[-1]
    after = _after(position, number, text)
    if after is None and position.going_on is not None and PASS in position.moves():  # 94
        after = _after(position.play(PASS), number, text)
        game.warnings.append(f"{number}. {text}: the series before it was stopped")
    if after is None and text == "Pass" and all(move.is_pass for move in position.moves()):  # 94
        after = skipped(position)
        game.warnings.append(f"{number}. {text}: a pass of a player who may not pass")
    if after is None:
        moves = [move.text for move in position.moves()]
        raise ReplayError(f"{number}. {text}: turn {position.turn_number}, legal are {moves}")
    game.positions.append(after)


def _after(position: Position, number: int, text: str) -> Position | None:
    """The position after the move with this turn number and text, None if there is none (89)."""
    if number != position.turn_number:
        return None
    wanted = items(position.rules, text)
    for move in position.moves():
        if items(position.rules, move.text) == wanted:
            return position.play(move)
    return None


def items(rules: Rules, text: str) -> Counter[tuple[str, ...]]:
    """The items of a move's text, for comparison: without N of `partial` and attribute numbers.

    Raises:
        ReplayError: If the text is no move.
    """
    words = text.split()
    found: list[tuple[str, ...]] = []
    last = ""  # where the last movement ended, or the drop
    while words:
        new, target, words = _next_items(rules, words, last)
        found += new
        last = target or last
    return Counter(found)


def _next_items(  # noqa: PLR0911 - one for each kind of item
    rules: Rules, words: list[str], last: str
) -> tuple[list[tuple[str, ...]], str, list[str]]:
    """The next items, where a movement or drop ends (else ""), and the words behind them."""
    match words:
        case ["Pass"]:
            return [("Pass",)], "", []
        case ["partial", _, *rest]:
            return [("partial",)], "", rest
        case [piece, origin, "-" | "x", target, *rest] if piece in rules.pieces:
            return [("movement", piece, origin, target)], target, rest
        case ["x" | "flip" as kind, place, *rest]:
            return [(kind, place)], "", rest
        case ["@", place, _, value, *rest]:
            return [("@", place, value)], "", rest
        case ["=", name, "on", *rest]:
            places = list(takewhile(lambda word: word in rules.board.positions, rest))
            return [("=", name, place) for place in places], "", rest[len(places) :]
        case ["=", name, *rest]:
            return [("=", name, last)], "", rest
        case [player, piece, place, *rest]:  # a drop comes first, a created piece does not count
            return [(player, piece, place)], "" if last else place, rest
    raise ReplayError(f"{' '.join(words)!r} is no move")
