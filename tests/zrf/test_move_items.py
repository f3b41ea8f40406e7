"""Move texts in the notation of saved games: section 12 of the contract of ZRF.

The examples are those of the contract or made up after its grammar.
"""

from __future__ import annotations

from forthvm.zrf.move_items import (
    Attribute,
    Change,
    Flip,
    Line,
    Movement,
    Names,
    Placement,
    Removal,
    matching_texts,
    parse_line,
)
from tests.kit.cases import each_case
from tests.kit.messages import raises

NAMES = Names(
    players=("White", "Black"),
    pieces=("Pawn", "King", "Rook", "Queen", "Gold", "Man", "Lance", "Crate", "Ram"),
    positions=(*(f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)), "z1", "5e"),
)


def items(text: str) -> set[object]:
    return set(parse_line(text, NAMES).items)


@each_case(
    ("text", "expected"),
    [
        ("Pawn e2 - e4", {Movement("Pawn", "e2", "e4")}),
        ("Pawn e2 x d3", {Movement("Pawn", "e2", "d3")}),
        ("Pawn e5 - d6 x d5", {Movement("Pawn", "e5", "d6"), Removal("d5")}),
        ("White Gold 5e", {Placement("White", "Gold", "5e")}),
        ("Pawn e7 x d8 = Queen", {Movement("Pawn", "e7", "d8"), Change("Queen", "d8")}),
        ("White Gold 5e = Queen", {Placement("White", "Gold", "5e"), Change("Queen", "5e")}),
        *(
            (
                f"Man a1 - a2 White Rook c2 x b2 = King{on}",
                {
                    Movement("Man", "a1", "a2"),
                    Placement("White", "Rook", "c2"),
                    Removal("b2"),
                    Change("King", "a2"),
                },
            )
            for on in ("", " on a2")
        ),
        (
            "White Man a1 White Rook c2 = King",
            {
                Placement("White", "Man", "a1"),
                Placement("White", "Rook", "c2"),
                Change("King", "a1"),
            },
        ),
        ("= Gold on d3", {Change("Gold", "d3")}),
        ("= Gold on b2 c3", {Change("Gold", "b2"), Change("Gold", "c3")}),
        ("flip c3 flip c4", {Flip("c3"), Flip("c4")}),
        ("Ram b2 - b5 x b3 x b4", {Movement("Ram", "b2", "b5"), Removal("b3"), Removal("b4")}),
        (
            "King e1 - g1 Rook h1 - f1 @ f1 0 0 @ g1 0 1",
            {
                Movement("King", "e1", "g1"),
                Movement("Rook", "h1", "f1"),
                Attribute("f1", "0"),
                Attribute("g1", "1"),
            },
        ),
        (
            "Lance d4 x d7 Lance d7 - z1 = Black",
            {Movement("Lance", "d4", "d7"), Movement("Lance", "d7", "z1"), Change("Black", "z1")},
        ),
        (
            "Pawn e7 - e8 x d5 = Queen",  # at the end: the piece of the last movement
            {Movement("Pawn", "e7", "e8"), Removal("d5"), Change("Queen", "e8")},
        ),
        (
            "= Gold on b2 c3 Crate c3 - c4",  # the movement ends the list of positions
            {Change("Gold", "b2"), Change("Gold", "c3"), Movement("Crate", "c3", "c4")},
        ),
        ("= Gold on b2 x b3", {Change("Gold", "b2"), Removal("b3")}),
    ],
)
def test_items(text: str, expected: set[object]) -> None:
    assert items(text) == expected


def test_pass_and_partial_moves() -> None:
    assert parse_line("Pass", NAMES) == Line(frozenset(), passes=True)
    line = parse_line("partial 2 Man c3 - e5 x d4", NAMES)
    assert line.partial
    assert line.items == {Movement("Man", "c3", "e5"), Removal("d4")}
    assert parse_line("partial 7 Man c3 - e5 x d4", NAMES) == line  # the number is not compared
    assert parse_line("Man c3 - e5 x d4", NAMES) != line


def test_order_of_items_and_the_join_of_a_movement_are_not_compared() -> None:
    line = parse_line("King e1 x g1 Rook h1 - f1 @ g1 3 0", NAMES)
    legal = [
        "King e1 - g1",
        "Rook h1 - f1 King e1 - g1 @ g1 0 0",
        "King e1 - g1 Rook h1 - f1 @ g1 3 1",
    ]
    assert matching_texts(line, legal, NAMES) == [1]


def test_several_texts_may_match() -> None:
    line = parse_line("Pawn e2 - e4", NAMES)
    assert matching_texts(line, ["Pawn e2 - e4", "Pawn e2 x e4", "Pass"], NAMES) == [0, 1]


def test_the_text_that_equals_the_line_comes_first() -> None:
    line = parse_line("Man a1 - a2 @ a2 1 1", NAMES)
    legal = ["Man a1 - a2 @ a2 0 1", "Man a1 - a2 @ a2 1 1", "Man a1 - a2"]
    assert matching_texts(line, legal, NAMES) == [1, 0]


def test_pieces_and_positions_may_have_the_name_of_a_keyword() -> None:
    names = Names(players=("White",), pieces=("Man", "x"), positions=("x", "a1", "b2"))
    assert set(parse_line("Man x - a1 x b2", names).items) == {
        Movement("Man", "x", "a1"),
        Removal("b2"),
    }
    assert set(parse_line("x a1 - x", names).items) == {Movement("x", "a1", "x")}
    assert set(parse_line("White x x", names).items) == {Placement("White", "x", "x")}


@each_case(
    ("text", "message"),
    [
        ("", "move-items.without-a-move"),
        ("partial 2", "move-items.without-a-move"),
        ("Pawn e2", "move-items.incomplete"),
        ("Pawn e2 - e4 x", "move-items.incomplete"),
        ("= Queen", "move-items.names-no-square"),
        ("White Dragon e4", "move-items.dragon-is-not-a-piece"),
        ("Green Pawn e4", "move-items.green-is-not-a-player"),
        ("White Pawn k9", "move-items.k-is-not-a-position"),
        ("Pawn e2 - e4 = Queen on", "move-items.incomplete"),
    ],
)
def test_texts_outside_the_grammar_are_refused(text: str, message: str) -> None:
    with raises(ValueError, message):
        parse_line(text, NAMES)
