"""Boards as text: widths, labels, and pieces beside the board."""

from __future__ import annotations

import re

from forthvm.render.abbreviate import abbreviate
from forthvm.render.draw_text import TextStyle, board_lines, board_text
from forthvm.render.labels import make_labels
from forthvm.render.scene_types import Scene
from tests.kit.cases import each_case
from tests.render import boards


def lines(scene: Scene, **style: int) -> list[str]:
    return board_lines(scene, TextStyle(**style))  # type: ignore[arg-type]


def test_one_type_shows_owners() -> None:
    scene = boards.grid(
        3,
        3,
        {"a1": ("mark", boards.SOUTH), "b2": ("mark", boards.WEST)},
        types=["mark"],
        owners=[boards.SOUTH, boards.WEST],
        last=["b2"],
    )
    # A name of five letters with two columns of spacing.
    assert lines(scene, ascii=True) == [
        "3     .       .       .",
        "2     .   [ West  ]   .",
        "1   South     .       .",
        "      a       b       c",
    ]
    # In 21 columns, there is space for three cells of six columns and a gutter after the last.
    assert lines(scene, ascii=True, width=21) == [
        "3    .     .     .",
        "2    .  [West ]  .",
        "1  South   .     .",
        "     a     b     c",
    ]


def test_two_players_are_distinguished_by_case() -> None:
    scene = boards.grid(
        2,
        2,
        {"a1": ("Troll", boards.SOUTH), "b2": ("Troll", boards.WEST), "a2": ("stone", boards.ROCK)},
        types=["Troll", "stone"],
        owners=[boards.SOUTH, boards.WEST, boards.ROCK],
    )
    text = board_text(scene)
    assert "TROLL" in text
    assert "troll" in text
    assert "*stone" in text
    assert "CAPITALS=South  small=West  *=Rock" in text


def test_names_of_digits_get_a_prefix_instead_of_case() -> None:
    scene = boards.grid(
        2,
        2,
        {"a1": ("S361", boards.SOUTH), "b2": ("S361", boards.WEST), "a2": ("T8", boards.WEST)},
        types=["S361", "T8"],
        owners=[boards.SOUTH, boards.WEST],
    )
    text = board_text(scene)
    assert "S.S361" in text
    assert "W.S361" in text
    assert "W.T8" in text


@each_case("width", [80, 60, 40, 30, 20])
@each_case("plain", [True, False])
def test_splut_fits_every_width_and_shows_every_piece(width: int, plain: bool) -> None:
    scene = boards.splut()
    shown = lines(scene, width=width, ascii=plain)
    assert max(map(len, shown)) <= width
    labels = make_labels(scene, 1000)
    assert labels is not None
    # 12 pieces and 4 stones are on the board, so 16 cells have labels.
    board = [line for line in shown if re.match(r" ?\d ", line)]
    cells = [word for line in board for word in line.split()[1:] if word not in {".", "·"}]
    assert len(cells) == 16
    assert len(set(cells)) == 16


def test_splut_is_a_diamond() -> None:
    shown = lines(boards.splut(), width=80, ascii=True)
    assert [line.split()[0] for line in shown[:9]] == list("987654321")
    assert shown[0].split() == ["9", "*nstone"]
    assert shown[4].split() == [
        "5",
        "*wstone",
        "W.dwarf",
        ".",
        ".",
        ".",
        ".",
        ".",
        "E.dwarf",
        "*estone",
    ]
    assert shown[9].split() == list("abcdefghi")


def test_wide_boards_are_cut_into_blocks() -> None:
    scene = boards.grid(
        2, 26, {"z1": ("king", boards.SOUTH)}, types=["king", "pawn"], owners=[boards.SOUTH]
    )
    shown = lines(scene, width=30, ascii=True)
    assert max(map(len, shown)) <= 30
    heads = [
        line.split() for line in shown if set(line.split()) <= set("abcdefghijklmnopqrstuvwxyz")
    ]
    assert [letter for head in heads for letter in head] == list("abcdefghijklmnopqrstuvwxyz")


def test_pieces_beside_the_board_and_quantities_are_listed() -> None:
    scene = boards.grid(
        2,
        2,
        {"store": ("unit", boards.SOUTH)},
        types=["unit", "stone"],
        owners=[boards.SOUTH, boards.WEST],
        extra=["store", "hand"],
        notes=["seeds[] = 1 0 -2"],
    )
    shown = lines(scene)
    assert "beside the board:  store UNIT" in shown
    assert "seeds[] = 1 0 -2" in shown
    assert not any("hand" in line for line in shown)


def test_a_game_without_coordinates_lists_its_positions() -> None:
    scene = boards.named(
        ["bar", "home", "off"],
        {"bar": ("man", boards.SOUTH)},
        types=["man", "king"],
        owners=[boards.SOUTH, boards.WEST],
        last=["bar"],
    )
    assert lines(scene, ascii=True) == ["[bar MAN]  home .     off .", "CAPITALS=South"]


def test_ascii_style_and_colour_do_not_change_letters() -> None:
    scene = boards.splut()
    text = board_text(scene, TextStyle(ascii=True))
    assert text.isascii()
    coloured = board_text(scene, TextStyle(ascii=True, colour=True))
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text


@each_case("width", range(1, 7))
def test_abbreviations_are_distinct_and_short_enough(width: int) -> None:
    names = ["Knight", "King", "Queen", "Rook", "Bishop", "Pawn", "Prince", "Princess"]
    short = abbreviate(names, width)
    assert all(0 < len(label) <= max(width, 1) for label in short.values())
    assert len({label.lower() for label in short.values()}) == len(names)


def test_more_names_than_letters_have_no_abbreviations() -> None:
    assert abbreviate([f"xx{n}" for n in range(40)], 1) is None


def test_names_that_fit_are_not_abbreviated() -> None:
    assert abbreviate(["S361", "T8", "long-name"], 4) == {
        "S361": "S361",
        "T8": "T8",
        "long-name": "long",
    }


def test_empty_columns_are_narrow() -> None:
    """A column without squares is as wide as its heading; the others share the remaining width."""
    scene = boards.named(
        ["a2", "c2", "a1", "c1"],
        {"a1": ("knight", boards.SOUTH), "c2": ("bishop", boards.SOUTH)},
        types=["knight", "bishop"],
        owners=[boards.SOUTH],
        shape=None,
    )
    # The margin has 2 characters, the last gutter 1, column b with its gutter 2.  The remaining 15
    # of 20 are for two cells with their gutters, so each cell has 6.
    assert lines(scene, ascii=True, width=20, legend=False)[:3] == [
        "2    .      BISHOP",
        "1  KNIGHT     .",
        "     a    b   c",
    ]
