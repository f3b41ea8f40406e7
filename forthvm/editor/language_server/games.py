"""What needs a loaded game: the picture of its board, and the cost of its words in a perft.

Owns the limits of both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.core.budget import script_budget
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import replaced_contents
from forthvm.core.output import discard
from forthvm.core.text.wording import counted
from forthvm.debug.profile.measure import profile
from forthvm.game.loading import load
from forthvm.game.perft import perft
from forthvm.render import svg, text
from forthvm.testing.reader import read_text
from forthvm.testing.runner import load_game
from forthvm.testing.setup import first_position

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from forthvm.game import Game, Position
    from forthvm.testing.reader import Suite

__all__ = ["BoardPicture", "board_picture", "game_of_tests", "test_board_picture", "word_costs"]

_LIMITS = script_budget(call_seconds=2.0, seconds=4.0, mebibytes=256)
_MANY_MOVES = 150
"""With more moves in the first position, perft is measured to depth 1, else to depth 2."""


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """The board of a position as SVG and as text, or the error that prevents it."""

    title: str = ""
    svg: str = ""
    text: str = ""
    error: str = ""


def _game(path: Path, contents: Mapping[Path, bytes]) -> Game:
    with replaced_contents(contents):
        return load(path, output=discard, budget=_LIMITS)


def board_picture(path: Path, contents: Mapping[Path, bytes]) -> BoardPicture:
    """Draw the first position of a game.

    Args:
        path: The main script or rule file.
        contents: Unsaved contents of files by path.
    """
    try:
        game = _game(path, contents)
        return _picture(game.title, game.start())
    except (ForthVMError, OSError, RecursionError) as error:
        return BoardPicture(error=str(error))


def test_board_picture(
    path: Path, source: str, line: int, contents: Mapping[Path, bytes]
) -> BoardPicture:
    """Draw the position of a test at a line: its first position after the moves up to the line.

    The position in a `.perft` file, and before the first test, is the first one of the game.

    Args:
        path: The `.test` or `.perft` file.
        source: Its text, which may have errors.
        line: The line, from 1.
        contents: Unsaved contents of files by path.
    """
    try:
        with replaced_contents(contents):
            suite = read_text(path, source, lambda _error: None)
            case = suite.case_at(line)
            variant = case.variant if case else None
            game = game_of_tests(suite, variant)
        if case is None or case.kind != "position":
            return _picture(game.title, game.start())
        title = f"{game.title}: {case.name}"
        position = first_position(game, case)
    except (ForthVMError, OSError, ValueError, RecursionError) as error:
        return BoardPicture(error=str(error))
    try:
        for move in case.played_until(line):
            position.push(move)
    except ForthVMError as error:
        return replace(_picture(title, position), error=str(error))
    return _picture(title, position)


def _picture(title: str, position: Position) -> BoardPicture:
    return BoardPicture(title, svg(position), text(position))


def game_of_tests(suite: Suite, variant: str | None = None) -> Game:
    """Load the game of a file with tests.

    Raises:
        ForthVMError: The game has an error.
    """
    return load_game(suite, variant, budget=_LIMITS, output=discard)


def word_costs(path: Path, contents: Mapping[Path, bytes]) -> dict[str, str]:
    """Return a sentence about the cost of each word of a script in a perft from the start."""
    try:
        position = _game(path, contents).start()
        depth = 1 if len(position.legal_moves) > _MANY_MOVES else 2

        def work(start: Position) -> object:
            return perft(start, depth)

        measured = profile(position, work)
    except (ForthVMError, OSError):
        return {}
    total = max(measured.tokens, 1)
    return {
        word.word: f"perft {depth}: {counted(word.calls, 'call')}, "
        f"{word.tokens / total:.1%} of the work in the word itself"
        for word in measured.words
        if word.calls and not word.library
    }
