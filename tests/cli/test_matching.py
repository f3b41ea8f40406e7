"""Texts typed at the play prompt: the moves that they mean, and suggestions."""

from __future__ import annotations

import pytest

from forthvm.game import Position, load
from forthvm.game.typed_moves import match_move
from tests.kit.cases import each_case

PIECES_WITH_ONE_CHAIN = [
    ("Black", "man", "c3"),
    ("White", "man", "d4"),
    ("White", "man", "f6"),
    ("White", "man", "a7"),
]


@pytest.fixture
def draughts() -> Position:
    """Black must jump from c3 over d4 and f6 to g7."""
    return load("draughts").start(setup=PIECES_WITH_ONE_CHAIN, turn="Black")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "text",
    [
        "c3-e5-g7",
        "c3 e5 g7",
        "c3e5g7",
        "C3xE5xG7",
        "man c3-e5-g7",
        "m c3 e5 g7",
        "mc3-e5-g7",
        "c3-e5xd4-g7xf6",
        "man c3 - e5 x d4 - g7 x f6",
    ],
)
def test_typed_chain_makes_all_its_moves(draughts: Position, text: str) -> None:
    match = match_move(text, draughts)
    assert match.is_certain
    assert [str(match.move), *map(str, match.following)] == ["man c3 - e5 x d4", "man e5 - g7 x f6"]
    assert draughts.ply == 0


@pytest.mark.parametrize("text", ["c3-e5-c7", "c3-e5-g7-e5", "d4-e5-g7", "c3-g7", "king c3-e5-g7"])
def test_texts_that_are_not_chains_are_refused(draughts: Position, text: str) -> None:
    assert not match_move(text, draughts).is_certain


def test_first_part_of_a_chain_is_one_move(draughts: Position) -> None:
    match = match_move("c3-e5", draughts)
    assert (str(match.move), match.following) == ("man c3 - e5 x d4", ())


TYPOS = ["a2-a5", "pawn a2-a4", "Pawn a2 - a33", "pawn a3-a2", "pawn a2 - a9", "pawn i2 - i3"]


@each_case("text", TYPOS)
def test_moves_with_other_squares_are_never_suggested(text: str) -> None:
    """Suggesting a2 - a3 after `a2 - a4` would make another move when the user presses Enter."""
    match = match_move(text, load("breakthrough").start())
    assert match.move is None
    assert match.suggestions or match.problem


@pytest.mark.parametrize("text", ["pwan a2 - a3", "Pawm a2 a3", "pawnn a2-a3"])
def test_misspelled_piece_is_suggested(text: str) -> None:
    match = match_move(text, load("breakthrough").start())
    assert (str(match.move), match.is_certain) == ("pawn a2 - a3", False)


def test_misspelled_piece_with_a_number_is_suggested() -> None:
    match = match_move("Rr2 e6 - f7", load("rithmomachia").start())
    assert (str(match.move), match.is_certain) == ("R2 e6 - f7", False)


@each_case("text", ["pawn a2 a3", "Pa2-a3", "p a2-a3", "pawna2a3"])
def test_piece_prefix_before_squares_is_accepted(text: str) -> None:
    match = match_move(text, load("breakthrough").start())
    assert (str(match.move), match.is_certain) == ("pawn a2 - a3", True)


@pytest.mark.parametrize("letter", ["m", "c", "M", "x", "-", "é"])
def test_single_letter_never_makes_a_move(draughts: Position, letter: str) -> None:
    """A single letter is only a suggestion, even if only one move is legal."""
    assert len(draughts.legal_moves) == 1
    match = match_move(letter, draughts)
    assert match.move is None
    if letter in "mcM":
        assert [str(move) for move in match.suggestions] == ["man c3 - e5 x d4"]


def test_ambiguous_text_lists_candidates() -> None:
    match = match_move("pawn b2", load("breakthrough").start())
    texts = {str(move) for move in match.suggestions}
    assert texts == {"pawn b2 - b3", "pawn b2 - c3", "pawn b2 - a3"}
    assert match.move is None


@pytest.mark.parametrize("text", ["a3", "Na3", "xa3"])
def test_target_square_lists_the_moves_to_it(text: str) -> None:
    """A target square in another notation is not a move, but selects the suggestions."""
    match = match_move(text, load("breakthrough").start())
    assert {str(move) for move in match.suggestions} == {"pawn a2 - a3", "pawn b2 - a3"}
    assert match.move is None


def test_intermediate_squares_distinguish_chains() -> None:
    """The king can jump from c5 to g5 along two paths."""
    jumped_men = [("White", "man", square) for square in ("d4", "d6", "f4", "f6")]
    position = load("draughts").start(setup=[*jumped_men, ("Black", "king", "c5")], turn="Black")
    assert match_move("c5-e3-g5", position).following
    assert match_move("c5-e7-g5", position).following


@pytest.mark.parametrize("text", ["C", "c"])
def test_one_letter_is_a_move_if_it_is_the_whole_short_text(text: str) -> None:
    match = match_move(text, load("oware").start())
    assert match.is_certain
    assert str(match.move) == "4-seeds c1 - hand"
