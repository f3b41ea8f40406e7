"""Every square on which a player clicks to move is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm import render
from forthvm.core.text.visible import visible
from forthvm.game import Game
from tests.bundled_games import kit
from tests.kit.boards import grid
from tests.kit.every_game import OTHER_GAMES, every_game
from tests.kit.games import load_text


def check(game: Game, plies: int) -> None:
    position = game.start()
    for _ in kit.steps(position, seed=11, plies=plies):
        if position.is_chance:
            continue
        seen = render.scene(position, for_player=position.turn, clicks=True)
        drawn = {square.name for square in seen.board.squares}
        clicked = {
            visible(click.name)
            for move in position.legal_moves
            for click in move.gesture()
            if click.kind == "square"
        }
        assert clicked <= drawn, f"{game.name} after {position.history}: {clicked - drawn}"


@pytest.mark.slow
@every_game()
def test_squares_of_bundled_games(name: str) -> None:
    check(forthvm.load(name), 100)


@pytest.mark.slow
@pytest.mark.parametrize("path", OTHER_GAMES, ids=lambda path: path.stem)
def test_squares_of_other_games(path: Path) -> None:
    check(forthvm.load(path), 100)


HOLLOW = grid(2, 3, "n e", players="A B")
HOLLOW += """\
: nothing here a1 = verify empty? verify a1 capture-at add-move ;
{moves drops {move} nothing moves}
{pieces {piece} Dot {drops} drops pieces}
{board-setup {setup} B Dot c2 board-setup}
"""


def test_the_square_of_an_edit_that_changes_nothing(tmp_path: Path) -> None:
    game = load_text(tmp_path, HOLLOW)
    assert [str(move) for move in game.start().legal_moves] == ["x a1"]
    check(game, 1)
