"""Parsing move texts: every form of the notation, and other text."""

from __future__ import annotations

from forthvm.game.notation import KnownNames, Part, parse_parts
from tests.kit.cases import each_case

NAMES = KnownNames({"a1", "b2", "c3", "d4"}, {"Man", "King"}, {"Red", "Blue"})


@each_case(
    ("text", "parts"),
    [
        ("Pass", [Part("pass", "Pass")]),
        ("Man a1 - b2", [Part("move", "Man a1 - b2", "Man", squares=("a1", "b2"))]),
        ("Man a1 x b2", [Part("move", "Man a1 x b2", "Man", squares=("a1", "b2"), takes=True)]),
        (
            "x b2 x c3",
            [
                Part("capture", "x b2", squares=("b2",), takes=True),
                Part("capture", "x c3", squares=("c3",), takes=True),
            ],
        ),
        ("Red King a1", [Part("create", "Red King a1", "King", player="Red", squares=("a1",))]),
        (
            "= Red on b2 a1 c3",
            [Part("change", "= Red on b2 a1 c3", "Red", squares=("b2", "a1", "c3"))],
        ),
        (
            "partial 2 Man a1 - c3 x b2 = King",
            [
                Part("partial", "partial 2", "2"),
                Part("move", "Man a1 - c3", "Man", squares=("a1", "c3")),
                Part("capture", "x b2", squares=("b2",), takes=True),
                Part("change", "= King", "King"),
            ],
        ),
        (
            "= Blue on b2 = King on b2",
            [
                Part("change", "= Blue on b2", "Blue", squares=("b2",)),
                Part("change", "= King on b2", "King", squares=("b2",)),
            ],
        ),
        ("levitate", [Part("text", "levitate")]),
        (
            "over the wall Man a1 - b2 !",
            [
                Part("text", "over the wall"),
                Part("move", "Man a1 - b2", "Man", squares=("a1", "b2")),
                Part("text", "!"),
            ],
        ),
        ("", []),
    ],
)
def test_each_form_is_parsed(text: str, parts: list[Part]) -> None:
    """Each form gives a part; words that match no form are joined as text."""
    assert list(parse_parts(text, NAMES)) == parts


@each_case("text", ["Man a1 -", "Red King", "x", "=", "partial", "Man a1 - z9"])
def test_incomplete_parts_are_text(text: str) -> None:
    """No word of an incomplete part is dropped."""
    assert parse_parts(text, NAMES) == (Part("text", text),)
