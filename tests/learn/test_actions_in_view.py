"""Actions in a player's view: the same numbers for the same moves of the other colour."""

from __future__ import annotations

import pytest

import forthvm
from forthvm.game import Game
from tests.kit.every_game import every_game
from tests.kit.messages import raises

CHESS = [("White", "king", "e1"), ("White", "rook", "h1"), ("White", "pawn", "b7"),
         ("Black", "king", "e8"), ("Black", "rook", "a8"), ("Black", "pawn", "g2")]  # fmt: skip


def legal_in_view(game: Game, setup: list[tuple[str, str, str]], turn: str) -> list[int]:
    in_view = forthvm.observer(game).actions(turn)
    actions = game.start(setup=setup, turn=turn).legal_actions
    return sorted(in_view[action] for action in actions)


def exchanged(setup: list[tuple[str, str, str]], rows: int) -> list[tuple[str, str, str]]:
    """The set-up with exchanged colours, reflected."""
    other = {"White": "Black", "Black": "White"}
    return [
        (other[player], kind, f"{square[0]}{rows + 1 - int(square[1:])}")
        for player, kind, square in setup
    ]


@pytest.mark.slow
def test_both_colours_of_chess_have_the_same_actions_in_view() -> None:
    game = forthvm.load("chess")
    white = legal_in_view(game, CHESS, "White")
    assert white == legal_in_view(game, exchanged(CHESS, 8), "Black")
    assert len(white) > 20


def test_both_colours_of_breakthrough_have_the_same_actions_in_view() -> None:
    game = forthvm.load("breakthrough")
    setup = [("White", "pawn", "c3"), ("Black", "pawn", "d4"), ("Black", "pawn", "g7")]
    white = legal_in_view(game, setup, "White")
    black = legal_in_view(game, exchanged(setup, 8), "Black")
    assert white == black
    texts = {game.actions.text(number) for number in white}
    assert texts == {"c3 - b4", "c3 - c4", "c3 - d4"}


def test_an_absolute_view_changes_no_number() -> None:
    game = forthvm.load("breakthrough")
    observer = forthvm.observer(game, view="absolute")
    assert list(observer.actions("Black")) == list(range(len(game.actions)))


@pytest.mark.sampled(3)
@every_game()
def test_numbers_in_view_are_a_permutation(name: str) -> None:
    game = forthvm.load(name)
    game.actions.renumber(games=4, plies=40)
    observer = forthvm.observer(game)
    for player in observer.players:
        assert sorted(observer.actions(player)) == list(range(len(game.actions)))


def test_squares_must_be_a_permutation() -> None:
    with raises(ValueError, "views.no-permutation"):
        forthvm.load("tictactoe").actions.on_squares([0] * 9)


@pytest.mark.slow
def test_unmapped_actions_exchange_places() -> None:
    """Moves between the squares of the grid have no images outside of it."""
    game = forthvm.load("chess")
    positions = len(game.positions)
    assert positions > game.grid.rows * game.grid.columns
    numbers = game.actions.on_squares(range(positions - 1, -1, -1))
    assert sorted(numbers) == list(range(len(game.actions)))
