"""Helpers for the tests of Rithmomachia: start and read positions of the bundled game.

Owns the translation between the texts of rithmomachia_positions.py and forthvm.  It uses the
settings, pieces and squares of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import forthvm
from tests.kit.games import loaded_with
from tests.models.rithmomachia_board import SQUARES
from tests.models.rithmomachia_game import Ending
from tests.rules.rithmomachia_positions import read

__all__ = [
    "SIDES",
    "begin",
    "check_end",
    "expected_view",
    "find_move",
    "game",
    "part_squares",
    "play",
    "pyramid_types",
    "settings",
    "setup",
    "starts_and_goals",
    "victory_name",
    "view",
]

SIDES: Final = {"W": "White", "B": "Black"}
_BOARD: Final = frozenset(SQUARES)


def settings(options: Mapping[str, object]) -> dict[str, str | int]:
    """Return the game's settings for options of the model."""
    found: dict[str, str | int] = {}
    for option, value in options.items():
        name = option.replace("_", "-")
        if isinstance(value, tuple):
            found |= {
                f"{name}-{side}": number for side, number in zip(_OPTION_SIDES, value, strict=True)
            }
        else:
            assert isinstance(value, str | int)
            found[name] = value
    return found


_OPTION_SIDES: Final = ("white", "black")


def game(options: Mapping[str, object] | None = None) -> forthvm.Game:
    """Return the bundled game with these options, cached."""
    return loaded_with("rithmomachia", **settings(options or {}))


@cache
def part_squares() -> dict[str, str]:
    """Return the position of each part of a pyramid, by names such as `WS36`.

    Parts are stored on positions in the margin, outside the playing board.
    """
    return {
        f"{str(piece.player)[0]}{piece.type}": square
        for square, piece in game().start().board.items()
        if piece is not None and square not in _BOARD
    }


@cache
def pyramid_types() -> dict[str, str]:
    """Return the piece type of each side's pyramid."""
    return {
        str(piece.player)[0]: piece.type
        for square, piece in game().start().board.items()
        if piece is not None and square in _BOARD and piece.type.startswith("P")
    }


def setup(text: str) -> list[tuple[str, str, str]]:
    """Return the set-up described by a position's text."""
    pieces, parts = read(text)
    found = []
    for square, piece in pieces.items():
        side, kind = piece[0], piece[1:]
        if kind == "P":
            kind = pyramid_types()[side]
            if side in parts:
                present = [side + part for part in parts[side].split()]
            else:
                present = [part for part in part_squares() if part[0] == side]
            found += [(SIDES[side], part[1:], part_squares()[part]) for part in present]
        found.append((SIDES[side], kind, square))
    return found


def begin(
    text: str,
    turn: str,
    options: Mapping[str, object] | None = None,
    variables: Mapping[str, int] | None = None,
) -> forthvm.Position:
    """Start the game from a position's text, with W or B to move."""
    return game(options).start(setup=setup(text), turn=SIDES[turn], variables=variables)


def view(position: forthvm.Position) -> dict[str, str]:
    """Return the pieces by square: `WR4`, `WP` for a pyramid, and its parts as `W parts`."""
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


def expected_view(text: str, pair: tuple[str, str], takes: str) -> dict[str, str]:
    """Return the expected view after a move from `pair[0]` to `pair[1]` with these captures.

    `takes` lists squares of captured pieces and names of captured parts, such as `S36`.
    """
    found = {name: "" for name in ("W parts", "B parts")}
    found |= view_of(text)
    mover = found[pair[0]][0]
    other = "B" if mover == "W" else "W"
    for taken in takes.split():
        if taken in _BOARD:
            if found.pop(taken) == other + "P":
                found[f"{other} parts"] = ""
        else:
            parts = found[f"{other} parts"].split()
            parts.remove(taken)
            found[f"{other} parts"] = " ".join(parts)
    found[pair[1]] = found.pop(pair[0])
    return found


def view_of(text: str) -> dict[str, str]:
    """Return the expected view of a position's text."""
    found = {"W parts": "", "B parts": ""}
    for player, kind, square in setup(text):
        side = player[0]
        if square in _BOARD:
            found[square] = side + ("P" if kind.startswith("P") else kind)
        else:
            found[f"{side} parts"] += f"{kind} "
    return {name: " ".join(sorted(kinds.split())) for name, kinds in found.items()}


def starts_and_goals(position: forthvm.Position) -> list[tuple[str, str]]:
    """Return start and goal of each legal move."""
    return [(str(move.from_square), str(move.to_square)) for move in position.legal_moves]


def find_move(position: forthvm.Position, pair: tuple[str, str]) -> forthvm.Move:
    """Return the one legal move with this start and goal."""
    (move,) = (move for move in position.legal_moves if (move.from_square, move.to_square) == pair)
    return move


def play(position: forthvm.Position, move: str) -> None:
    """Make a move written as start and goal, `e6-d7`."""
    start, goal = move.split("-")
    position.push(find_move(position, (start, goal)))


def victory_name(position: forthvm.Position) -> str:
    """Return the victory's name on the rules page; the game stores it as a piece on `won-by`."""
    piece = position.board["won-by"]
    name = piece.type.replace("-", " ") if piece is not None else ""
    return "pyramid" if name == "Pyramid Taken" else name


def check_end(position: forthvm.Position, ending: Ending | None) -> bool:
    """Return whether the game is over; check that game and model agree on winner and victory."""
    result = position.result
    assert (result is None) == (ending is None), (result, ending)
    if result is None or ending is None:
        return False
    assert result.winners == ((SIDES[ending.winner],) if ending.winner else ())
    assert result.draw == (ending.winner is None)
    if ending.winner and ending.name != "stalemate":
        assert victory_name(position) == ending.name
    return True
