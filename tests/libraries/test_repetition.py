r"""Tests of repetition.4th, a part of the library that any game can LOAD.

Owns a game in a folder of its own: two runners on one row, whose boards are written as text, from
a1 on.  The expected numbers of occurrences are counted from these texts.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import forthvm
from forthvm.check import check_files
from forthvm.game import Game, Position
from tests.kit.boards import grid
from tests.kit.files import write

SCRIPT = grid(1, 6, "left right")
SCRIPT += """\
LOAD Repetition.4TH
: step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: step-left ( -- ) ['] left step ;
: step-right ( -- ) ['] right step ;
{moves steps {move} step-left {move} step-right moves}
{pieces {piece} runner {moves} steps pieces}
{board-setup {setup} White runner a1 {setup} Black runner f1 board-setup}
: OnNewGame ( -- ) forget-positions ;
: OnGenerateMoves ( -- ) note-position ;
: OnIsGameOver ( -- result )
    ^" occurrences:" occurrences @ ^number
    occurrences @ 2 > IF #DrawScore ELSE #UnknownScore ENDIF
;
"""


def path_of(folder: Path) -> Path:
    return write(folder / "game" / "runners.4th", SCRIPT)


@pytest.fixture(params=["axiom", str(Path(__file__).parent / "v151")], ids=["bundled", "own"])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Game:
    """Loads the game with the bundled library, and with a user's own one."""
    return forthvm.load(path_of(tmp_path), library=request.param)


def occurrences(position: Position) -> int:
    return int(position.comment.split()[-1])


def state(position: Position) -> tuple[object, ...]:
    return (*position.cells, position.turn)


def test_numbers_are_those_of_the_line_also_after_taking_back(game: Game) -> None:
    chance, position = random.Random(6), game.start()
    line = [state(position)]
    for _ in range(150):
        moves = [] if position.result is not None else list(position.legal_moves)
        if len(line) > 1 and (not moves or chance.random() < 0.3):
            position.pop()
            line.pop()
        else:
            position.push(chance.choice(moves))
            line.append(state(position))
        expected = Counter(line)[line[-1]]
        assert (position.result is not None) == (expected == 3)
        if position.result is None:
            assert occurrences(position) == expected
    assert len(line) > 8


def test_searches_and_new_games_leave_the_numbers_unchanged(game: Game) -> None:
    position = game.start()
    for text in ("a1b1", "f1e1", "b1a1", "e1f1"):
        position.push(text)
        forthvm.engines.get("negamax:depth=4").play(position)
        copied = position.copy()
        copied.push(copied.legal_moves[0])
    assert occurrences(position) == 2
    assert occurrences(game.start()) == 1


def test_check_reports_nothing(tmp_path: Path) -> None:
    assert not check_files([path_of(tmp_path)]).findings
