"""Matching typed texts with moves, and the errors for texts without a match."""

from __future__ import annotations

import pytest

from forthvm.core.errors import AmbiguousMoveError, IllegalMoveError, MoveSyntaxError
from forthvm.game.matching import find_move
from tests.kit.cases import each_case
from tests.kit.messages import raises

SQUARES = {f"{column}{row}" for column in "abcdefx" for row in range(1, 7)}
NAMES = {"Man", "King", "Red", "Blue"}
MOVES = [
    "Man a1 - a2",
    "Man a1 x b2",
    "King c3 - c4",
    "partial 1 Man d2 - f4 x e3",
    "Red King e5",
    "Pass",
    "King c3 - c5",
]


def find(text: str, moves: list[str] = MOVES) -> int:
    """Return the index of the move."""
    return find_move(text, moves, squares=SQUARES, names=NAMES, player="Red")


@each_case("index", range(len(MOVES)))
def test_exact_texts_match(index: int) -> None:
    """The exact text of a move means that move."""
    assert find(MOVES[index]) == index


@each_case(
    ("text", "index"),
    [
        ("  man A1   -  a2 ", 0),
        ("Man a1-a2", 0),
        ("mana1xb2", 1),
        ("a1a2", 0),
        ("a1-a2", 0),
        ("a1 a2", 0),
        ("a1xb2", 1),
        ("a1 x b2", 1),
        ("Man d2 - f4 x e3", 3),
        ("d2 f4 e3", 3),
        ("d2", 3),
        ("d2f4", 3),
        ("Red", 4),
        ("e5", 4),
        ("red king e5", 4),
        ("pass", 5),
        ("pas", 5),
        ("King c3 - c4", 2),
        ("king c3 c5", 6),
        ("partial", 3),
    ],
)
def test_letter_case_blanks_and_separators_are_ignored(text: str, index: int) -> None:
    """An incomplete text matches if it is the beginning of only one move."""
    assert find(text) == index


def test_duplicates_are_one_move() -> None:
    """The original keeps duplicates; its host makes the first one."""
    assert find("Man a1 - a2", ["Pass", "Man a1 - a2", "Man a1 - a2"]) == 1
    assert find("a1a2", ["Pass", "Man a1 - a2", "Man a1 - a2"]) == 1


@each_case("text", ["a1", "Man a1", "c3", "King", "k"])
def test_ambiguous_texts_raise(text: str) -> None:
    """The message names the moves that match."""
    with pytest.raises(AmbiguousMoveError) as caught:
        find(text)
    candidates = {"a": MOVES[:2], "M": MOVES[:2], "c": ["King c3 - c4", "King c3 - c5"]}
    for move in candidates.get(text[0], ["King c3 - c4", "King c3 - c5"]):
        assert f"`{move}`" in str(caught.value)


TWELVE_ROWS = [f"{column}{row}" for column in "abe" for row in range(1, 13)]


@each_case(
    "text", ["e6e1", "e6-e1", "R2 e6 - e1", "r2 e6-e1", "e6 e1", "R2 e6 x e1", "e6e122", "e1e6"]
)
def test_a_square_is_not_the_beginning_of_another(text: str) -> None:
    """`e1` does not match e12: the typed squares must be squares of the move."""
    with pytest.raises((IllegalMoveError, MoveSyntaxError)):
        find_move(text, ["R2 e6 - e12"], squares=TWELVE_ROWS, names={"R2"}, player="Red")


def test_an_unknown_square_matches_no_move() -> None:
    with pytest.raises((IllegalMoveError, MoveSyntaxError)):
        find_move("e6e1", ["R2 e6 - e12"], squares={"e6", "e12"}, names={"R2"}, player="Red")


PIECES = ["Pawn a2 - a3", "Rook a2 - a3", "Pawn b2 - b3", "A1 b2 - b3"]
PROMOTIONS = ["Pawn a7 - a8 = Queen on a8", "Pawn a7 - a8 = Rook on a8"]


@each_case(
    ("text", "move"),
    [
        ("pawn a2 a3", "Pawn a2 - a3"),
        ("pa2-a3", "Pawn a2 - a3"),
        ("Ra2a3", "Rook a2 - a3"),
        ("r a2-a3", "Rook a2 - a3"),
        ("p b2", "Pawn b2 - b3"),
        ("a1 b2 b3", "A1 b2 - b3"),
        ("a1b2-b3", "A1 b2 - b3"),
        ("a7a8q", PROMOTIONS[0]),
        ("a7-a8=r", PROMOTIONS[1]),
        ("a7-a8=Queen", PROMOTIONS[0]),
        ("p a7 a8 queen", PROMOTIONS[0]),
    ],
)
def test_texts_with_pieces_match(text: str, move: str) -> None:
    """The names of the piece and of a promotion may be abbreviated and joined with squares."""
    squares = {f"{column}{row}" for column in "ab" for row in range(1, 9)}
    moves = PIECES + PROMOTIONS
    names = {"Pawn", "Rook", "A1"}
    assert moves[find_move(text, moves, squares=squares, names=names, player="Red")] == move


@each_case("text", ["Na2a3", "qa2-a3", "king a2 a3", "Rb2-b3"])
def test_texts_with_a_wrong_piece_raise(text: str) -> None:
    """No move matches if another piece is on the square."""
    squares = {f"{column}{row}" for column in "ab" for row in range(1, 9)}
    with pytest.raises((IllegalMoveError, MoveSyntaxError)):
        find_move(text, PIECES, squares=squares, names={"Pawn", "Rook"}, player="Red")


DROPS = ["X mark a3", "X x a1", "X X0 a1", "X x0 a1", "O x0 b1"]


@each_case(
    ("text", "move"),
    [
        ("mark a3", "X mark a3"),
        ("marka3", "X mark a3"),
        ("m a3", "X mark a3"),
        ("x a1", "X x a1"),
        ("X0 a1", "X X0 a1"),
        ("x0 a1", "X x0 a1"),
        ("X x0 a1", "X x0 a1"),
        ("x0 b1", "O x0 b1"),
    ],
)
def test_texts_of_drops_without_the_player_match(text: str, move: str) -> None:
    """The player's name may be omitted; names that differ only in case are distinguished."""
    squares, names = {"a1", "a3", "b1"}, {"X", "O", "mark", "x", "X0", "x0"}
    assert DROPS[find_move(text, DROPS, squares=squares, names=names, player="X")] == move


LEAPS = ["x c4 stone c3 - c5", "stone c3 - c2", "partial 1 x b3 x a4 stone b2 - b4"]


@each_case(
    ("text", "move"),
    [
        ("c3-c5", LEAPS[0]),
        ("c3c5", LEAPS[0]),
        ("stone c3 - c5", LEAPS[0]),
        ("s c3-c5", LEAPS[0]),
        ("c3-c5xc4", LEAPS[0]),
        ("x c4", LEAPS[0]),
        ("c3-c2", LEAPS[1]),
        ("stone b2-b4", LEAPS[2]),
    ],
)
def test_texts_of_moves_that_begin_with_captures_match(text: str, move: str) -> None:
    """If a move captures before it moves, the squares of the moving piece suffice."""
    squares = {f"{column}{row}" for column in "abc" for row in range(1, 6)}
    assert LEAPS[find_move(text, LEAPS, squares=squares, names={"stone"}, player="Red")] == move


@pytest.mark.parametrize("text", ["a2 a1", "a2-a1", "a2"])
def test_a_piece_may_have_the_name_of_the_capture_sign(text: str) -> None:
    """`x a1 - a2` moves a piece named x from a1; it is not a capture on a1."""
    with pytest.raises(IllegalMoveError):
        find_move(text, ["x a1 - a2"], squares={"a1", "a2"}, names={"x"}, player="Red")


def test_a_complete_path_is_preferred_to_a_prefix() -> None:
    """Of two moves with the same first squares, the shorter one matches its squares."""
    assert find("a1a2", ["Man a1 - a2 x a3", "Man a1 - a2"]) == 1


@each_case("text", ["", "   ", "hello", "z9", "?!", "Knight"])
def test_other_texts_are_syntax_errors(text: str) -> None:
    """The message lists legal moves."""
    with raises(MoveSyntaxError, "game-api-matching.no-move-text"):
        find(text)


def test_illegal_moves_suggest_similar_moves() -> None:
    """The most similar legal move comes first."""
    with raises(IllegalMoveError, "game-api-matching.not-a-legal-move") as caught:
        find("Man a1 - a3")
    assert caught.value.hints[0] == "Man a1 - a2"
    assert "King c3 - c5" not in caught.value.hints
    assert isinstance(caught.value, ValueError)


def test_the_message_says_that_a_player_has_no_moves() -> None:
    """The message says that the player has no legal move."""
    with raises(IllegalMoveError, "game-api-matching.red-has-no-legal"):
        find("a1a2", [])
    with raises(MoveSyntaxError, "game-api-matching.red-has-no-move"):
        find("hello", [])


def test_long_texts_are_cut_in_messages() -> None:
    """The message has fewer than 500 characters."""
    with pytest.raises(MoveSyntaxError) as caught:
        find("h" * 5000)
    assert len(str(caught.value)) < 500
