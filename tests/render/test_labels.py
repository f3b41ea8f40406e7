"""Labels of pieces: distinct for any names, with complete numbers, explained if abbreviated."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.render.abbreviate import abbreviate
from forthvm.render.draw_svg import board_svg
from forthvm.render.draw_text import TextStyle, board_lines
from forthvm.render.labels import make_labels
from forthvm.render.scene_types import Scene
from tests.render import boards

NS = "{http://www.w3.org/2000/svg}"
UNLIMITED = 10_000  # columns

# Names made from few characters, so that they are often similar: letters, digits, signs that labels
# use, and wide letters.
NAMES = st.text("aAbBwWsS0129.*+-ßé駒", min_size=1, max_size=9)

# Unusual names: empty, with combining marks, blanks, any letters and digits.
ODD_NAMES = st.text(max_size=4) | st.text("a\u0301 1٣²ßİŉ", max_size=4)


@st.composite
def scenes(draw: st.DrawFn, texts: st.SearchStrategy[str] = NAMES) -> Scene:
    """Draw a row with one piece of each type and owner; some players are neutral."""
    types = draw(st.lists(texts, min_size=1, max_size=8, unique=True))
    names = draw(st.lists(texts, min_size=1, max_size=9, unique=True))
    owners = [boards.player(name, neutral=draw(st.booleans())) for name in names]
    kinds = [(kind, owner) for kind in types for owner in owners][:26]
    pieces = {f"{chr(97 + at)}1": piece for at, piece in enumerate(kinds)}
    return boards.grid(1, len(kinds), pieces, types=types, owners=owners)


def kinds_of(scene: Scene) -> set[tuple[str, int]]:
    return {(piece.type, piece.player) for piece in scene.pieces}


def cells(scene: Scene, width: int) -> list[str]:
    """Return the labels on the squares of the text, from left to right."""
    shown = board_lines(scene, TextStyle(width=width, ascii=True))
    return [cell for line in shown if line.startswith("1 ") for cell in line.split()[1:]]


def numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


@pytest.mark.slow
@given(scenes() | scenes(ODD_NAMES), st.integers(1, 14))
def test_labels_are_distinct_and_keep_numbers(scene: Scene, width: int) -> None:
    labels = make_labels(scene, width)
    assert make_labels(scene, UNLIMITED) is not None
    if labels is None:
        return
    shown = {kind: labels.of(*kind) for kind in kinds_of(scene)}
    assert len(set(shown.values())) == len(shown)
    assert len({labels.full(*kind) for kind in shown}) == len(shown)
    for kind, short in labels.types.items():
        assert numbers(short) == numbers(kind)
    if labels.by_owner:
        assert all(
            numbers(short) == numbers(scene.players[owner].name)
            for owner, short in labels.prefixes.items()
        )


@pytest.mark.slow
@given(scenes(), st.sampled_from([20, 40, 60, 80, 120]))
def test_texts_distinguish_all_kinds_of_pieces(scene: Scene, width: int) -> None:
    shown = cells(scene, width)
    assert len(shown) == len(scene.board.squares)
    assert len(set(shown)) == len(kinds_of(scene))


@given(scenes())
def test_pictures_distinguish_all_kinds_of_pieces(scene: Scene) -> None:
    root = ET.fromstring(board_svg(scene))
    shown = set()
    for piece in root.findall(f"{NS}g"):
        disc, label = piece.find(f"{NS}circle"), piece.find(f"{NS}text")
        assert disc is not None
        shown.add((disc.get("fill"), label.text))
    assert len(shown) == len(kinds_of(scene))


@pytest.mark.parametrize("width", [20, 40, 80])
def test_labels_of_pieces_whose_names_differ_only_in_case(width: int) -> None:
    pieces = {
        "a1": ("x", boards.SOUTH),
        "b1": ("X", boards.SOUTH),
        "c1": ("x", boards.WEST),
        "d1": ("X", boards.WEST),
    }
    scene = boards.grid(1, 4, pieces, types=["x", "X", "pawn"], owners=[boards.SOUTH, boards.WEST])
    assert cells(scene, width) == ["S.x", "S.X", "W.x", "W.X"]
    drawn = board_svg(scene)
    assert ">x</text>" in drawn
    assert ">X</text>" in drawn


@pytest.mark.parametrize("types", [["man"], ["man", "king"]])
def test_labels_of_players_whose_names_differ_only_in_case(types: list[str]) -> None:
    lower, upper = boards.player("x"), boards.player("X")
    scene = boards.grid(
        1, 2, {"a1": ("man", lower), "b1": ("man", upper)}, types=types, owners=[lower, upper]
    )
    assert len(set(cells(scene, 80))) == 2


def test_colours_of_players_whose_names_differ_only_in_case() -> None:
    owners = [boards.player("White"), boards.player("white")]
    pieces = {"a1": ("man", owners[0]), "b1": ("man", owners[1])}
    scene = boards.grid(1, 2, pieces, types=["man", "king"], owners=owners)
    discs = ET.fromstring(board_svg(scene)).findall(f"{NS}g/{NS}circle")
    assert len({disc.get("fill") for disc in discs}) == 2


def test_numbers_are_never_cut() -> None:
    types = ["S12", "S120", "S121", "pawn1200"]
    pieces = {f"{'abcd'[at]}1": (kind, boards.SOUTH) for at, kind in enumerate(types)}
    scene = boards.grid(1, 4, pieces, types=types, owners=[boards.SOUTH, boards.WEST])
    for width in range(20, 60):
        assert [numbers(cell) for cell in cells(scene, width)] == [
            ["12"],
            ["120"],
            ["121"],
            ["1200"],
        ]


def test_letters_are_dropped_before_digits() -> None:
    names = ["white12", "white120", "black12"]
    assert abbreviate(names, 4) == {"white12": "wh12", "white120": "w120", "black12": "bl12"}
    assert abbreviate(names, 2) is None


def test_an_abbreviation_may_consist_of_a_number() -> None:
    assert abbreviate(["S120", "S121"], 3) == {"S120": "120", "S121": "121"}


def test_abbreviations_do_not_add_digits() -> None:
    short = abbreviate([f"x{'y' * at}" for at in range(1, 12)], 2)
    assert not any(numbers(label) for label in short.values())


def test_boards_with_equal_names_are_drawn() -> None:
    """Escaping of control characters can make different names equal."""
    twins = [boards.player("\\x01") for at in range(3)]
    pieces = {f"{'abc'[at]}1": ("man", twin) for at, twin in enumerate(twins)}
    for types in (["man"], ["man", "king", "king"]):
        scene = boards.grid(1, 3, pieces, types=types, owners=twins)
        assert len(cells(scene, 80)) == 3
        board_svg(scene)


def test_labels_of_many_neutral_owners_differ() -> None:
    owners = [boards.player(f"n{at}", neutral=True) for at in range(15)]
    pieces = {f"{chr(97 + at)}1": ("stone", owner) for at, owner in enumerate(owners)}
    scene = boards.grid(1, 15, pieces, types=["stone", "rock"], owners=owners)
    assert len(set(cells(scene, 80))) == 15


def test_abbreviations_are_explained_below_a_picture() -> None:
    pieces = {"a1": ("nightrider", boards.SOUTH), "b1": ("king", boards.WEST)}
    scene = boards.grid(
        2, 2, pieces, types=["nightrider", "king"], owners=[boards.SOUTH, boards.WEST]
    )
    texts = [element.text for element in ET.fromstring(board_svg(scene)).iter(f"{NS}text")]
    assert "nightr" in texts
    assert "nightr=nightrider" in texts


def test_pieces_beside_the_board_are_drawn() -> None:
    pieces = {"a1": ("king", boards.SOUTH), "hand": ("nightrider", boards.WEST)}
    scene = boards.grid(
        2,
        2,
        pieces,
        types=["nightrider", "king"],
        owners=[boards.SOUTH, boards.WEST],
        extra=["hand"],
    )
    picture = ET.fromstring(board_svg(scene))
    assert "hand" in {place.findtext(f"{NS}title") for place in picture.iter(f"{NS}polygon")}
    assert "West nightrider" in {piece.findtext(f"{NS}title") for piece in picture.iter(f"{NS}g")}


def test_pictures_distinguish_neutral_owners_of_one_type() -> None:
    fire = boards.player("Fire", neutral=True)
    pieces = {"a1": ("stone", boards.ROCK), "b1": ("stone", fire), "c1": ("king", boards.SOUTH)}
    scene = boards.grid(
        1, 3, pieces, types=["stone", "king"], owners=[boards.SOUTH, boards.ROCK, fire]
    )
    texts = [element.text for element in ET.fromstring(board_svg(scene)).iter(f"{NS}text")]
    assert {"stone", "+stone"} <= set(texts)
    assert any("+=Fire" in (text or "") for text in texts)


def test_chance_players_have_no_sign() -> None:
    """Where labels name only the owner, as there is one type."""
    dealer = replace(boards.player("?Dealer"), chance=True)
    pieces = {"a1": ("card", boards.SOUTH), "b1": ("card", dealer)}
    scene = boards.grid(1, 2, pieces, types=["card"], owners=[boards.SOUTH, dealer])
    assert {piece.label for piece in scene.pieces} == {"South", "Dealer"}


def test_wide_letters_keep_columns_aligned() -> None:
    """A letter that fills two columns of a terminal counts as two."""
    pieces = {"a2": ("駒駒駒", boards.SOUTH), "a1": ("king", boards.SOUTH)}
    scene = boards.grid(2, 2, pieces, types=["駒駒駒", "king"], owners=[boards.SOUTH])
    # Both cells have seven columns: two letters of the first name and its prefix fill six,
    # so the third letter, which needs two, does not fit.
    assert board_lines(scene, TextStyle(width=20, ascii=True))[:3] == [
        "2  S.駒駒     .",
        "1  S.king     .",
        "      a       b",
    ]


def test_types_that_begin_with_a_sign_of_a_neutral_player() -> None:
    """A sign before a label tells neutral players apart, unless a type begins with it."""
    fire = boards.player("Fire", neutral=True)
    kinds = [("0", boards.ROCK), ("0", fire), ("+0", boards.ROCK), ("+0", fire)]
    pieces = {f"{'abcd'[at]}1": kind for at, kind in enumerate(kinds)}
    scene = boards.grid(1, 4, pieces, types=["0", "+0"], owners=[boards.SOUTH, boards.ROCK, fire])
    assert len({piece.label for piece in scene.pieces}) == 4
