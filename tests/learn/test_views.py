"""The mover's view: positions with exchanged colours look the same."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.game import Game, Position
from forthvm.learn.observations.symmetry import renamed
from tests.kit.games import load_text
from tests.learn.positions import played

ZRF = Path(__file__).parents[1] / "zrf" / "games"
OTHER = {"White": "Black", "Black": "White"}


def mirrored(game: Game, name: str) -> str:
    """Return the square that a square becomes if ranks are reflected and colours exchanged."""
    if len(name) == 2 and name[1].isdigit():
        return f"{name[0]}{game.grid.rows + 1 - int(name[1])}"
    for player, other in OTHER.items():
        if name.startswith(player.lower()):
            return name.replace(player.lower(), other.lower())
    return name


def exchanged(position: Position) -> tuple[Position, Position]:
    """Set up a position, and the position with exchanged colours."""
    game = position.game
    pieces = [
        (str(piece.player), piece.type, square) for square, piece in position.board.occupied()
    ]
    mirror = [(OTHER[owner], kind, mirrored(game, square)) for owner, kind, square in pieces]
    return (
        game.start(setup=pieces, turn=position.turn),
        game.start(setup=mirror, turn=OTHER[position.turn]),
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["breakthrough", "chess", "chess-los-alamos"])
def test_exchanged_colours_look_the_same(name: str) -> None:
    game = forthvm.load(name)
    observer = forthvm.observer(game)
    absolute = forthvm.observer(game, view="absolute")
    for seed in range(3):
        for position in played(game, seed, plies=60, every=3):
            one, two = exchanged(position)
            planes: Any = observer.observe(one)
            assert (planes == observer.observe(two)).all()
            passive = [observer.observe(at, for_player=OTHER[at.turn]) for at in (one, two)]
            assert (passive[0] == passive[1]).all()
            assert (passive[0] != planes).any()
            fixed: Any = absolute.observe(one)
            assert (fixed != absolute.observe(two)).any()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breakthrough", "chess"])
def test_rule_files_with_exchanged_colours_look_the_same(name: str) -> None:
    game = forthvm.load(ZRF / f"{name}.zrf")
    observer = forthvm.observer(game, history=2)
    chooser = random.Random(8)
    for position in played(game, 2, plies=30, every=6):
        if position.result is None:
            one, two = exchanged(position)
            for _ in range(4):
                planes: Any = observer.observe(one)
                assert (planes == observer.observe(two)).all()
                if one.result is not None:
                    break
                move = chooser.choice(one.legal_moves)
                one.push(move)
                words = [mirrored(game, word) for word in move.text.split()]
                two.push(" ".join(words))


def test_squares_that_variables_of_rule_files_contain() -> None:
    game = forthvm.load(ZRF / "chess.zrf")
    observer = forthvm.observer(game)
    position = game.start()
    position.push("e2 - e4")
    planes: Any = observer.observe(position)
    shown = {
        plane.name: [tuple(map(int, at)) for at in zip(*numbers.nonzero(), strict=True)]
        for plane, numbers in zip(observer.spec.planes, planes, strict=True)
        if plane.kind == "square"
    }
    places = observer.squares("Black")
    assert shown["z-last-from"] == [places["e2"]]
    assert shown["z-last-to"] == [places["e4"]]
    assert shown["z-piece-square"] == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "player", "square", "place"),
    [
        ("breakthrough", "White", "a1", (7, 0)),
        ("breakthrough", "Black", "a1", (0, 0)),
        ("chess", "Black", "e8", (7, 4)),
        ("chess", "Black", "black-O-O", (8, 0)),
        ("chess", "White", "white-O-O", (8, 0)),
        ("chess", "Black", "passed-c", (8, 6)),
        ("tictactoe", "O", "a1", (2, 0)),
        ("yonin-shogi", "West", "West-rook", (9, 3)),
        ("yonin-shogi", "South", "South-rook", (9, 3)),
    ],
)
def test_places_of_squares(name: str, player: str, square: str, place: tuple[int, int]) -> None:
    observer = forthvm.observer(forthvm.load(name))
    assert observer.squares(player)[square] == place


def test_squares_are_those_of_the_first_player() -> None:
    observer = forthvm.observer(forthvm.load("chess"))
    columns = observer.spec.shape[2]
    for square, (row, column) in observer.squares("White").items():
        assert observer.spec.squares[row * columns + column] == square
    assert len(observer.squares("Black")) == len(observer.game.positions)


def test_names_of_positions_and_variables_are_exchanged() -> None:
    players = ["White", "Black"]
    assert renamed(["White-hand", "Black-hand"], players, "Black") == [1, 0]
    assert renamed(["White-hand", "Black-hand"], players, "White") == [0, 1]
    assert renamed(["White-hand", "Blackish"], players, "Black") == [0, 1]
    assert renamed(["white_1", "white_2", "black_1", "black_2"], players, "Black") == [2, 3, 0, 1]
    three = ["A", "B", "C"]
    assert renamed(["a-x", "b-x", "c-x"], three, "B") == [2, 0, 1]


ROTATED = """
{{board 3 3 {{grid}} board}}
{{directions -1 0 {{direction}} n 0 1 {{direction}} e 1 0 {{direction}} s 0 -1 {{direction}} w
    0 2 {{direction}} far directions}}
{{players {{player}} A {{player}} B players}}
{{turn-order {{turn}} A {{turn}} B turn-order}}
{{symmetries {symmetries} symmetries}}
{{moves ms {{move}} n moves}}
{{pieces {{piece}} man {{moves}} ms pieces}}
"""


@pytest.mark.parametrize(
    ("symmetries", "place"),
    [
        ("B {symmetry} n s", (0, 0)),
        ("B {symmetry} e w", (2, 2)),
        ("B {symmetry} n s B {symmetry} e w", (0, 2)),
        ("B {asymmetry} n e B {asymmetry} e s B {asymmetry} s w B {asymmetry} w n", (2, 2)),
        ("B {asymmetry} n far", (2, 0)),  # no rotation or reflection
    ],
)
def test_rotations_and_reflections_follow_from_directions(
    symmetries: str, place: tuple[int, int], tmp_path: Path
) -> None:
    text = ROTATED.format(symmetries=symmetries)
    observer = forthvm.observer(load_text(tmp_path, text))
    assert observer.squares("A")["a1"] == (2, 0)
    assert observer.squares("B")["a1"] == place
