"""Tests of the colours of players: told apart by all people, and readable on all squares."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

from forthvm.render.colours import NEUTRAL, NEUTRAL_OUTLINE, PALETTE, colours_of, outlines_of
from tests.kit.cases import each_case
from tests.render.colour_vision import VISIONS, contrast, difference

LOOKS = {**PALETTE, "neutral": NEUTRAL}
CSS = Path(__file__).parents[2] / "forthvm" / "web" / "page" / "board.css"


def squares_of_the_page() -> dict[str, str]:
    """The colours of squares in both modes of the page, without and with a mark."""
    css = CSS.read_text(encoding="utf-8")
    form = r"--(light|dark|last): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)"
    found = {name: modes for name, *modes in re.findall(form, css)}
    mark = re.search(r"\.mark \{ fill: var\(--last\); opacity: ([.\d]+); \}", css)
    assert mark
    squares: dict[str, str] = {}
    for mode, last in zip(("light", "dark"), found["last"], strict=True):
        for shade in ("light", "dark"):
            square = found[shade][mode == "dark"]
            squares[f"{shade} square, {mode} mode"] = square
            squares[f"marked {shade} square, {mode} mode"] = mixed(last, square, float(mark[1]))
    return squares


def mixed(above: str, below: str, opacity: float) -> str:
    parts = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (above, below)]
    return "#" + "".join(
        f"{round(opacity * one + (1 - opacity) * other):02x}"
        for one, other in zip(*parts, strict=True)
    )


@each_case("vision", [name for name in VISIONS if name != "greyscale"])
def test_all_fills_differ_with_any_colour_blindness(vision: str) -> None:
    least = min(
        (difference(LOOKS[one][0], LOOKS[other][0], vision), one, other)
        for one, other in combinations(LOOKS, 2)
    )
    assert least[0] >= 10, least  # five times what is just noticeable


def test_the_first_four_fills_differ_clearly_in_greyscale() -> None:
    fills = [fill for fill, _ in list(PALETTE.values())[:4]]
    assert min(difference(*pair, "greyscale") for pair in combinations(fills, 2)) >= 15


def test_text_is_readable_on_the_fill() -> None:
    assert min(contrast(fill, ink) for fill, ink in LOOKS.values()) >= 4.5


@each_case("square", squares_of_the_page().values(), ids=squares_of_the_page())
def test_the_fill_or_the_ink_stands_out_from_the_square(square: str) -> None:
    for name, look in LOOKS.items():
        assert max(contrast(colour, square) for colour in look) >= 3, name


def test_players_that_are_named_after_colours_get_them() -> None:
    colours = colours_of(["Red", "Чёрные", "Anna"])
    assert colours["Red"] == PALETTE["red"]
    assert colours["Чёрные"] == PALETTE["black"]
    assert colours["Anna"] == PALETTE["white"]


@each_case("names", ["Weiß Schwarz Rot", "Blancs Noirs Rouges", "Blanco Negro Rojo"])
def test_colours_in_other_languages(names: str) -> None:
    expected = [PALETTE[name] for name in ("white", "black", "red")]
    assert list(colours_of(names.split()).values()) == expected


def test_two_names_of_one_colour_get_different_colours() -> None:
    assert len(set(colours_of(["Yellow", "Gold", "Orange"]).values())) == 3


def test_more_than_two_players_have_different_outlines() -> None:
    assert set(outlines_of(["a", "b"]).values()) == {"circle"}
    assert len(set(outlines_of([*"abcdefg"]).values())) == 7


def test_neutral_pieces_have_an_outline_of_their_own() -> None:
    assert NEUTRAL_OUTLINE not in outlines_of([*"abcdefgh"]).values()
