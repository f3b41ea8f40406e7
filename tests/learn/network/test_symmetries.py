"""Symmetries of games, and networks that learn with them."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path

import pytest

import forthvm
from forthvm.core.bindings import Network, NetworkWeights, Trainer
from forthvm.game import Game
from forthvm.learn.network.inputs import choose_inputs
from forthvm.learn.network.symmetries import feature_maps
from tests.kit.boards import grid
from tests.kit.games import load_text, play
from tests.kit.messages import raises

ROWS = grid(4, 4, "n e w")
ROWS += """\
: go ( -- ) verify empty? verify from here move add-move ;
: north ( -- ) n go ;
: east ( -- ) e go ;
: west ( -- ) w go ;
{moves steps MOVES moves}
{pieces {piece} man {moves} steps pieces}
{board-setup {setup} White man SQUARES board-setup}
: OnIsGameOver ( -- result ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;
"""


def rows(folder: Path, moves: str, squares: str) -> Game:
    text = ROWS.replace("MOVES", " ".join(f"{{move}} {name}" for name in moves.split()))
    placed = " {setup} White man ".join(squares.split())
    return load_text(folder, text.replace("SQUARES", placed))


def count(game: Game) -> int:
    return len(feature_maps(game, choose_inputs(game)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tictactoe", 8),
        ("thud", 8),
        ("reversi", 4),  # the first discs are on a diagonal
        ("breakthrough", 2),
        ("hex", 2),  # other turns exchange the edges
        ("chess", 1),  # the queen stands on one side
        ("ur", 1),
    ],
)
def test_bundled_games(name: str, expected: int) -> None:
    assert count(forthvm.load(name)) == expected


def test_moves_and_the_first_board_decide(tmp_path: Path) -> None:
    assert count(rows(tmp_path, "north east west", "a1 d1")) == 2
    assert count(rows(tmp_path, "north east", "a1 d1")) == 1
    assert count(rows(tmp_path, "north east west", "a1 c1")) == 1


def mirrored_boards(game: Game) -> list[bytes]:
    """The boards after a move and after its mirror image."""
    boards = []
    for move in ("pawn b2 - b3", "pawn g2 - g3"):
        position = play(game.start(), move)
        boards.append(array("i", position.cells).tobytes())
    return boards


def test_maps_turn_positions() -> None:
    game = forthvm.load("breakthrough")
    inputs = choose_inputs(game)
    identity, mirrored = feature_maps(game, inputs)
    network = Network(inputs, NetworkWeights.zero(inputs, 0))
    first, second = (network.features(board, 1, 0) for board in mirrored_boards(game))
    assert identity == list(range(inputs.features))
    assert sorted(mirrored[feature] for feature in first) == sorted(second)


@pytest.mark.parametrize("hidden", [0, 8])
def test_a_position_and_its_mirror_image_are_worth_the_same(hidden: int) -> None:
    game = forthvm.load("breakthrough")
    inputs = choose_inputs(game)
    network = Network(inputs, NetworkWeights.zero(inputs, hidden))
    boards = mirrored_boards(game)
    differences = []
    for maps in (feature_maps(game, inputs), []):
        trainer = Trainer(network, maps, size=1 << 20, seed=1)
        for board, target in zip(boards, (0.9, 0.1), strict=True):
            trainer.add(board, 1, 0, 0, target)
        trainer.run(200, size=16, rate=0.002)
        first, second = (trainer.network().value(board, 1, 0) for board in boards)
        differences.append(first - second)
    assert abs(differences[0]) < 0.1 * differences[1]


def test_maps_of_crafted_inputs_are_permutations() -> None:
    """A file of a network may have any inputs; two squares for one would be out of memory."""
    game = forthvm.load("breakthrough")
    inputs = choose_inputs(game)
    numbers, places = list(inputs.numbers), list(inputs.places)
    numbers[56] = (0, 100, 100)  # a1, which the reflection exchanges with h1
    places[56] = -1
    identity = list(range(inputs.features))
    for crafted in (replace(inputs, numbers=tuple(numbers)), replace(inputs, places=tuple(places))):
        assert all(sorted(found) == identity for found in feature_maps(game, crafted))
    tictactoe = forthvm.load("tictactoe")
    inputs = choose_inputs(tictactoe)
    places = list(inputs.places)
    places[0] = -1  # a corner, which rotations exchange with the other corners
    crafted = replace(inputs, places=tuple(places))
    identity = list(range(inputs.features))
    assert all(sorted(found) == identity for found in feature_maps(tictactoe, crafted))


def test_a_trainer_refuses_maps_that_are_no_permutations() -> None:
    inputs = choose_inputs(forthvm.load("tictactoe"))
    network = Network(inputs, NetworkWeights.zero(inputs, 0))
    for wrong in ([0] * inputs.features, list(range(inputs.features - 1))):
        with raises(ValueError, "network.map"):
            Trainer(network, [range(inputs.features), wrong], size=1 << 20, seed=1)
