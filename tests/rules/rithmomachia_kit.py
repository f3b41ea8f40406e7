"""Rithmomachia for its tests: positions into the bundled game, and what they look like there.

Owns the translation between the texts of rithmomachia_positions.py and forthvm.  The game is
known by its settings, pieces and squares only; its script is not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import forthvm
from tests.models.rithmomachia_board import SQUARES
from tests.models.rithmomachia_game import Ending
from tests.rules.rithmomachia_positions import read

__all__ = [
    "SIDES",
    "after",
    "begin",
    "ended_alike",
    "fame",
    "game",
    "pairs",
    "part_squares",
    "pick",
    "play",
    "pyramid_types",
    "settings",
    "setup",
    "view",
]

SIDES: Final = {"W": "White", "B": "Black"}
_BOARD: Final = frozenset(SQUARES)
_PER_SIDE: Final = ("value", "n_digits", "n_max")  # numbers that each side has its own of


def settings(options: Mapping[str, object]) -> dict[str, str | int]:
    """Options of the model as settings of the game."""
    found: dict[str, str | int] = {}
    for option, value in options.items():
        name = option.replace("_", "-")
        if isinstance(value, tuple):
            found |= {f"{name}-{side}": number for side, number in zip(_SIDES, value, strict=True)}
        else:
            assert isinstance(value, str | int)
            found[name] = value
    return found


_SIDES: Final = ("white", "black")


@cache
def _load(chosen: tuple[tuple[str, str | int], ...]) -> forthvm.Game:
    return forthvm.load("rithmomachia", settings=dict(chosen))


def game(options: Mapping[str, object] | None = None) -> forthvm.Game:
    """The bundled game with these options, loaded once."""
    return _load(tuple(sorted(settings(options or {}).items())))


@cache
def part_squares() -> dict[str, str]:
    """Where the first position keeps each part of a pyramid: `WS36` and so on."""
    return {
        f"{str(piece.player)[0]}{piece.type}": square
        for square, piece in game().start().board.items()
        if piece is not None and square not in _BOARD
    }


@cache
def pyramid_types() -> dict[str, str]:
    """The type of each side's pyramid."""
    return {
        str(piece.player)[0]: piece.type
        for square, piece in game().start().board.items()
        if piece is not None and square in _BOARD and piece.type.startswith("P")
    }


def setup(text: str) -> list[tuple[str, str, str]]:
    """The set-up that a position's text describes."""
    pieces, parts = read(text)
    found = []
    for square, piece in pieces.items():
        side, kind = piece[0], piece[1:]
        if kind == "P":
            kind = pyramid_types()[side]
            left = [side + part for part in parts.get(side, "").split()]
            if side not in parts:
                left = [part for part in part_squares() if part[0] == side]
            found += [(SIDES[side], part[1:], part_squares()[part]) for part in left]
        found.append((SIDES[side], kind, square))
    return found


def begin(
    text: str,
    turn: str,
    options: Mapping[str, object] | None = None,
    variables: Mapping[str, int] | None = None,
) -> forthvm.Position:
    """A position by its text, W or B to move."""
    return game(options).start(setup=setup(text), turn=SIDES[turn], variables=variables)


def view(position: forthvm.Position) -> dict[str, str]:
    """What stands where: `WR4` by square, a pyramid `WP`, its parts under `W parts`."""
    found = {"W parts": "", "B parts": ""}
    for square, piece in position.board.items():
        if piece is None:
            continue
        side, kind = str(piece.player)[0], piece.type
        if square not in _BOARD:
            found[f"{side} parts"] += f"{kind} "
        else:
            found[square] = side + ("P" if kind.startswith("P") else kind)
    return {name: " ".join(sorted(text.split())) for name, text in found.items()}


def after(text: str, pair: tuple[str, str], takes: str) -> dict[str, str]:
    """What stands where after a move that takes these."""
    found = {name: "" for name in ("W parts", "B parts")}
    found |= view_of(text)
    mover = found[pair[0]][0]
    other = "B" if mover == "W" else "W"
    for gone in takes.split():
        if gone in _BOARD:
            if found.pop(gone) == other + "P":
                found[f"{other} parts"] = ""
        else:
            left = found[f"{other} parts"].split()
            left.remove(gone)
            found[f"{other} parts"] = " ".join(left)
    found[pair[1]] = found.pop(pair[0])
    return found


def view_of(text: str) -> dict[str, str]:
    """What `view` shows of a position's text."""
    found = {"W parts": "", "B parts": ""}
    for player, kind, square in setup(text):
        side = player[0]
        if square in _BOARD:
            found[square] = side + ("P" if kind.startswith("P") else kind)
        else:
            found[f"{side} parts"] += f"{kind} "
    return {name: " ".join(sorted(kinds.split())) for name, kinds in found.items()}


def pairs(position: forthvm.Position) -> list[tuple[str, str]]:
    """Start and goal of each legal move."""
    return [(str(move.from_square), str(move.to_square)) for move in position.legal_moves]


def pick(position: forthvm.Position, pair: tuple[str, str]) -> forthvm.Move:
    """The one legal move with that start and goal."""
    (move,) = (move for move in position.legal_moves if (move.from_square, move.to_square) == pair)
    return move


def play(position: forthvm.Position, move: str) -> None:
    """Makes the move with that start and goal, `e6-d7`."""
    start, goal = move.split("-")
    position.push(pick(position, (start, goal)))


def fame(position: forthvm.Position) -> str:
    """By what the game was won, in the words of the page: the game keeps it as a piece."""
    piece = position.board["won-by"]
    name = piece.type.replace("-", " ") if piece is not None else ""
    return "pyramid" if name == "Pyramid Taken" else name


def ended_alike(position: forthvm.Position, ending: Ending | None) -> bool:
    """Whether the game is over: alike, for the same side, and by the same victory."""
    result = position.result
    assert (result is None) == (ending is None), (result, ending)
    if result is None or ending is None:
        return False
    assert result.winners == ((SIDES[ending.winner],) if ending.winner else ())
    assert result.draw == (ending.winner is None)
    if ending.winner and ending.name != "stalemate":
        assert fame(position) == ending.name
    return True
