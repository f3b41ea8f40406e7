"""Games from short texts, and what tests ask of a position."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import forthvm
from forthvm.game import Game, HistoryEntry, Move, Position, find_game
from tests.kit.files import write

__all__ = ["SCRIPTS", "load_text", "loaded", "loaded_with", "play", "script_of", "texts", "winner"]

SCRIPTS = Path(__file__).parent / "scripts"
"""Small games with unusual players, turns and boards."""


@cache
def loaded(name: str) -> Game:
    """Return a game of the folder `scripts`, or a bundled one; tests share it."""
    script = SCRIPTS / f"{name}.4th"
    return forthvm.load(script if script.exists() else name)


@lru_cache(maxsize=8)  # a game takes 7 MB
def loaded_with(name: str, **settings: str | int) -> Game:
    """Return a bundled game with settings, in whose names `_` stands for `-`."""
    named = {setting.replace("_", "-"): value for setting, value in settings.items()}
    return forthvm.load(name, settings=named)


def script_of(name: str) -> str:
    """Return the script of a bundled game, to be changed."""
    return find_game(name)[1].read_text(encoding="utf-8")


def load_text(folder: Path, text: str, *, name: str = "", **options: Any) -> Game:  # noqa: ANN401
    """Load a game from a text, with the options of `forthvm.load`.

    Args:
        folder: Where the file is written; it is created.
        text: A script, or a rule file, which begins with `(`.
        name: The name of the file; by default `game.4th` or `game.zrf`.
        options: Options of `forthvm.load`.
    """
    usual = "game.zrf" if text.lstrip().startswith("(game") else "game.4th"
    return forthvm.load(write(folder / (name or usual), text), **options)


def play(position: Position, *moves: Move | HistoryEntry | str) -> Position:
    """Make moves, usually given by their texts; return the position."""
    for move in moves:
        position.push(move)
    return position


def texts(position: Position) -> list[str]:
    """Return the texts of the legal moves."""
    return [str(move) for move in position.legal_moves]


def winner(position: Position) -> str | None:
    """Return the first winner, "" for a draw, None while the game continues."""
    if position.result is None:
        return None
    return position.result.winners[0] if position.result.winners else ""
