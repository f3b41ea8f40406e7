"""Helpers for the tests of Rhythmomachia 2: start the game from positions, read move texts.

Positions are written as in rithmomachia_positions.py: `WR4 e5` is White's round 4 on e5.
"""

from __future__ import annotations

import forthvm
from tests.kit.games import loaded_with
from tests.rules.rithmomachia_kit import SIDES, setup, victory_name

__all__ = ["attacks", "moves_of", "play", "start", "texts", "winner"]


def start(text: str, turn: str = "W", **settings: str | int) -> forthvm.Position:
    """Start the game from a position's text, W or B to move, with settings (`r2_siege="on"`)."""
    game = loaded_with("rithmomachia-2", **settings)
    return game.start(setup=setup(text), turn=SIDES[turn])


def texts(position: forthvm.Position) -> list[str]:
    """Return the sorted texts of the legal moves."""
    return sorted(position.legal_moves.texts)


def attacks(position: forthvm.Position, on: str = "") -> list[str]:
    """Return the texts of attacks without the player's name; `on` selects those on a square."""
    prefix = f"{position.turn} "
    found = (text for text in texts(position) if text.startswith((prefix, "x ")))
    return [text.removeprefix(prefix) for text in found if f" {on}" in text]


def moves_of(position: forthvm.Position, square: str) -> str:
    """Return the goals of the piece on a square, without captures."""
    return " ".join(
        sorted(
            str(move.to_square)
            for move in position.legal_moves
            if " - " in move.text and move.from_square == square
        )
    )


def play(position: forthvm.Position, *moves: str) -> forthvm.Position:
    """Make moves by their texts; attacks may omit the player's name."""
    for text in moves:
        by_text = {
            move.text.removeprefix(f"{position.turn} "): move for move in position.legal_moves
        }
        assert text in by_text, (text, sorted(by_text))
        position.push(by_text[text])
    return position


def winner(position: forthvm.Position) -> str:
    """Return winner and victory, `White: Harmony`; `draw`; or empty while the game continues."""
    if position.result is None:
        return ""
    if position.result.draw:
        return "draw"
    (name,) = position.result.winners
    return f"{name}: {victory_name(position)}"
