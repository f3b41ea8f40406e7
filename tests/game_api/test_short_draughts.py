"""The numbers of English draughts are those of the standard diagram and of pydraughts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from forthvm.game import Position
from forthvm.game.short_notation import short_notation
from forthvm.game.typed_moves import match_move
from tests.kit.games import loaded, play

# The diagram, Black at the top.  The script's board is turned: h1 is in its upper left corner.
DIAGRAM = """
 .  1  .  2  .  3  .  4
 5  .  6  .  7  .  8  .
 .  9  . 10  . 11  . 12
13  . 14  . 15  . 16  .
 . 17  . 18  . 19  . 20
21  . 22  . 23  . 24  .
 . 25  . 26  . 27  . 28
29  . 30  . 31  . 32  .
"""


def test_numbers_of_the_diagram() -> None:
    rows = [line.split() for line in DIAGRAM.strip().splitlines()]
    expected = {
        f"{'hgfedcba'[column]}{row + 1}": number
        for row, numbers in enumerate(rows)
        for column, number in enumerate(numbers)
        if number != "."
    }
    notation = short_notation(loaded("draughts")._loaded)
    assert notation.squares == expected


def test_a_chain_is_typed_as_a_whole() -> None:
    pieces = [("Black", "man", "c3"), ("White", "man", "d4"), ("White", "man", "f6")]
    position = loaded("draughts").start(setup=pieces, turn="Black")
    assert [move.short for move in position.legal_moves] == ["11x18"]
    for typed in ("11x18x25", "11-18-25", "11 x 18 x 25"):
        match = match_move(typed, position)
        assert [str(move) for move in (match.move, *match.following)] == [
            "man c3 - e5 x d4",
            "man e5 - g7 x f6",
        ]


def test_the_ends_of_a_chain_are_typed() -> None:
    pieces = [("Black", "man", "c3"), ("White", "man", "d4"), ("White", "man", "f6")]
    position = loaded("draughts").start(setup=pieces, turn="Black")
    match = match_move("11x25", position)
    assert [str(move) for move in (match.move, *match.following)] == [
        "man c3 - e5 x d4",
        "man e5 - g7 x f6",
    ]


def test_a_capture_is_written_by_its_ends_if_no_other_has_them() -> None:
    game = loaded("draughts-international")
    position = Position.from_fen(game, "W:W37:B6,32,33,42,43")
    assert [move.short for move in position.legal_moves] == ["37x37"]  # a circle
    for typed in ("37x37", "37x28x39x48x37", "37x48x39x28x37", "c3-e1-g3-e5-c3", "37x39x37"):
        assert match_move(typed, position).move == position.legal_moves[0]
    for typed in ("37x47x37", "37x28x39", "37x47x39x28x37"):
        assert match_move(typed, position).move is None


def test_captures_with_the_same_ends_are_written_with_their_ways() -> None:
    """From 1 to 48 the king can take the pieces on 7, 21 and 42, or those on 7, 32 and 42."""
    game = loaded("draughts-international")
    position = Position.from_fen(game, "W:WK1,10,K14,30:B7,K21,25,32,42")
    assert [move.short for move in position.legal_moves] == ["1x12x26x48", "1x23x37x48"]
    assert match_move("1x48", position).move is None
    for typed in ("1x26x48", "1x12x26x48", "1x21x48"):
        assert match_move(typed, position).move == position.legal_moves[0]
    for typed in ("1x18x32x48", "1x17x26x48", "1x42x48"):
        assert match_move(typed, position).move is None


def test_captures_that_lead_to_the_same_position_are_not_ambiguous() -> None:
    position = Position.from_fen(loaded("draughts"), "W:WK11:B6,7,14,15")  # both ways of a circle
    for typed in ("11x11", "c3xc3", "11x9x11", "11x2x11", "11x18x9x11"):
        match = match_move(typed, position)
        assert match.move is not None
        assert play(position.copy(), match.move, *match.following).to_fen() == "B:WK11:B"
    assert match_move("11x10x11", position).move is None


def turns(position: Position, before: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each complete turn, as its squares and as the texts of its moves."""
    for move in position.legal_moves:
        first, *rest = move.short.replace("-", "x").split("x")
        squares = "x".join([before or first, *rest])
        after = play(position.copy(), move)
        if not after.is_partial:
            yield squares, (move.text,)
        else:
            yield from ((text, (move.text, *texts)) for text, texts in turns(after, squares))


@pytest.mark.sampled(20)
@pytest.mark.parametrize("seed", range(40))
def test_moves_are_those_of_pydraughts(seed: int) -> None:
    draughts: Any = pytest.importorskip("draughts", reason="pydraughts is not installed")
    board, position = draughts.Board(variant="english"), loaded("draughts").start()
    rng = random.Random(seed)
    for _ in range(60):
        if position.result is not None:
            break
        found = dict(turns(position))
        legal = {"x".join(map(str, move.steps_move)): move for move in board.legal_moves()}
        assert set(found) == set(legal)
        chosen = rng.choice(sorted(found))
        play(position, *found[chosen])
        board.push(legal[chosen])
