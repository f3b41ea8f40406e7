"""Tests of the symbols of pieces: their choice by name, and what a drawing may contain."""

from __future__ import annotations

import pytest

import forthvm
from forthvm.render.symbols import game_symbols, symbol_of
from forthvm.render.symbols.fragments import FragmentError, fragments_of, parse_drawing

HEAD = '<svg xmlns="http://www.w3.org/2000/svg">'


def test_chess_has_a_symbol_for_each_type_of_piece() -> None:
    game = forthvm.load("chess")
    assert symbol_of(game, "king", "White") == "chess/king"
    assert set(game_symbols(game)) == {
        f"chess/{name}" for name in ("king", "queen", "rook", "bishop", "knight", "pawn")
    }


def test_names_are_found_in_any_letter_case_and_in_russian() -> None:
    game = forthvm.load("chess")
    assert symbol_of(game, "KNIGHT", "White") == symbol_of(game, "Конь", "White") == "chess/knight"


def test_unknown_types_have_no_symbol() -> None:
    assert symbol_of(forthvm.load("chess"), "quux", "White") is None


def test_a_fragment_has_the_style_of_its_drawing_but_no_ids() -> None:
    drawing = f'{HEAD[:-1]} fill="#fff" stroke-width="4"><g id="a"><circle r="5"/></g></svg>'
    assert fragments_of(parse_drawing(drawing)) == {"a": '<g stroke-width="4"><circle r="5"/></g>'}


@pytest.mark.parametrize(
    "part",
    [
        "<script>alert(1)</script>",
        "<style>* { fill: red }</style>",
        '<image href="file:///etc/passwd"/>',
        '<use href="#a"/>',
        "<foreignObject/>",
        '<circle r="5" onclick="alert(1)"/>',
        '<circle r="5" style="fill: url(http://a.b/c)"/>',
        '<circle r="5" fill="url(#a)"/>',
        '<circle r="5" id="b"/>',
        '<circle r="1e9"/>',
        '<path d="M0 0&quot;onload=&quot;"/>',
        '<g transform="matrix(1 0 0 1 0 0)"/>',
        '<circle xmlns="http://www.w3.org/1999/xhtml" r="5"/>',
        "<g>" * 9 + "</g>" * 9,
    ],
)
def test_what_is_not_allowed_is_refused(part: str) -> None:
    with pytest.raises(FragmentError):
        fragments_of(parse_drawing(f'{HEAD}<g id="a">{part}</g></svg>'))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<svg/>",
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + HEAD + "</svg>",
        f"{HEAD}<g>",
    ],
)
def test_what_is_no_drawing_is_refused(text: str) -> None:
    with pytest.raises(FragmentError):
        parse_drawing(text)
