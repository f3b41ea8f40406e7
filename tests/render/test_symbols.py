"""Tests of the symbols of pieces: their choice by name, and what a drawing may contain."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import forthvm
from forthvm import render
from forthvm.render import symbols
from forthvm.render.colours import OUTLINES
from forthvm.render.symbols import (
    base_key,
    decorations_of,
    fragment,
    game_symbols,
    piece_sets,
    symbol_of,
)
from forthvm.render.symbols.choice import choose_symbols
from forthvm.render.symbols.fragments import FragmentError, fragments_of, parse_drawing
from tests.kit.cases import each_case
from tests.kit.every_game import every_game

NAMES = Path(symbols.__file__).with_name("names.json")
HEAD = '<svg xmlns="http://www.w3.org/2000/svg">'


BASES = {base_key(outline) for outline in OUTLINES}


def chosen(types: list[str], players: list[str] | None = None) -> dict[str, str]:
    """The symbols of the first player."""
    names = players or ["White", "Black"]
    keys = choose_symbols(types, names)
    return {kind: key for (kind, player), key in keys.items() if player == names[0]}


def test_chess_has_a_symbol_for_each_type_of_piece() -> None:
    game = forthvm.load("chess")
    assert symbol_of(game, "king", "White") == "chess/king"
    assert set(game_symbols(game)) - BASES == {
        f"chess/{name}" for name in ("king", "queen", "rook", "bishop", "knight", "pawn")
    }


@each_case(
    "types",
    [
        "König Dame Turm Läufer Springer Bauer",
        "Roi Reine Tour Fou Cavalier Pion",
        "Rey Dama Torre Bishop Caballo Peón",
    ],
)
def test_chess_pieces_in_other_languages(types: str) -> None:
    expected = ["king", "queen", "rook", "bishop", "knight", "pawn"]
    assert list(chosen(types.split()).values()) == [f"chess/{name}" for name in expected]


@every_game()
def test_all_pieces_of_the_bundled_games_have_symbols(name: str) -> None:
    game = forthvm.load(name)
    drawn = game_symbols(game)
    for piece in render.scene(game.start()).pieces:
        assert piece.symbol in drawn, piece


@every_game()
def test_symbols_of_bundled_games_differ_by_type(name: str) -> None:
    game = forthvm.load(name)
    drawn = game_symbols(game)
    for player in game.players:
        keys = [symbol_of(game, kind.name, player) for kind in game.piece_types]
        drawings = [drawn[key].svg for key in keys if key]
        # A die of Ur is white or black; its number is its place in the set.
        same = 4 if name.startswith("ur") else 0
        # In Yonin shogi, `s-pawn` of South is `pawn` of South.
        same = 6 if name.startswith("yonin") else same
        assert len(drawings) - len(set(drawings)) == same, player


@every_game()
def test_symbols_contain_only_what_is_allowed(name: str) -> None:
    for symbol in game_symbols(forthvm.load(name)).values():
        drawing = parse_drawing(f'{HEAD}<g id="a">{symbol.svg}</g></svg>')
        assert fragments_of(drawing) == {"a": f"<g>{symbol.svg}</g>"}


def test_names_are_found_in_any_letter_case_and_in_russian() -> None:
    assert chosen(["KNIGHT", "Слон"]) == {"KNIGHT": "chess/knight", "Слон": "chess/bishop"}


def test_numbers_and_owners_in_names_are_ignored() -> None:
    assert chosen(["black-knight", "wpawn", "Rook2"]) == {
        "black-knight": "chess/knight",
        "wpawn": "chess/pawn",
        "Rook2": "chess/rook",
    }


def test_two_types_never_share_a_symbol() -> None:
    assert chosen(["Pawn2", "pawn", "old pawn", "Knight"]) == {
        "pawn": "chess/pawn",
        "Pawn2": "chess/pawn+1",
        "old pawn": "chess/pawn+2",
        "Knight": "chess/knight",
    }
    assert len({fragment(key) for key in ("chess/pawn", "chess/pawn+1", "chess/pawn+2")}) == 3
    assert set(chosen(["wpawn", "bpawn"]).values()) == {"chess/pawn"}  # of different players


def test_pieces_of_chinese_chess_and_jungle_have_symbols_of_their_own() -> None:
    xiangqi = ["General", "Mandarin", "Elephant", "Horse", "Chariot", "Cannon", "Soldier"]
    jungle = ["Elephant", "Lion", "Tiger", "Leopard", "Wolf", "Dog", "Cat", "Rat"]
    for types in (xiangqi, jungle):
        keys = list(chosen(types).values())
        assert len(set(keys)) == len(types)
        assert not any("+" in key for key in keys)


def test_every_named_drawing_exists_and_is_allowed() -> None:
    names = json.loads(NAMES.read_text(encoding="utf-8"))
    for key, forms in names.items():
        assert all(form == form.casefold() for form in forms), key
        assert fragments_of(parse_drawing(f'{HEAD}<g id="a">{fragment(key)}</g></svg>')), key


def test_no_name_has_two_drawings() -> None:
    names = json.loads(NAMES.read_text(encoding="utf-8"))
    assert max(Counter(name for forms in names.values() for name in forms).values()) == 1


def test_a_wolf_and_its_sheep_are_animals() -> None:
    assert chosen(["Wolf", "SHEEP1"]) == {"Wolf": "beasts/wolf", "SHEEP1": "beasts/sheep"}


def test_faces_of_dice_are_found_by_their_numbers() -> None:
    assert chosen([f"die{number}" for number in range(1, 7)]) == {
        f"die{number}": f"dice/{number}" for number in range(1, 7)
    }


def test_numbers_of_things_are_numbers_on_circles() -> None:
    game = forthvm.load("oware")
    assert symbol_of(game, "12-seeds", "South") == "number/12-seeds"
    drawn = [symbol for key, symbol in game_symbols(game).items() if key.startswith("number/")]
    assert len({symbol.svg for symbol in drawn}) == 48


def test_types_beside_numbers_have_the_symbols_of_their_names() -> None:
    game = forthvm.load("backgammon")
    assert symbol_of(game, "12-checkers", "White") == "number/12-checkers"
    assert symbol_of(game, "die3", "?Dice") == "dice/3"


def test_the_board_of_ur_has_its_rosettes() -> None:
    game = forthvm.load("ur")
    decorated = {
        square.name for square in render.scene(game.start()).board.squares if square.decoration
    }
    assert decorated == {"i2", "i4", "l3", "o2", "o4"}  # scripts/ur/README.md
    assert set(decorations_of(game).values()) <= game_symbols(game).keys()
    assert not decorations_of(forthvm.load("chess"))


def test_unknown_types_have_no_symbol() -> None:
    assert chosen(["quux"]) == {}
    assert symbol_of(forthvm.load("chess"), "quux", "White") is None


def test_the_king_of_draughts_is_a_crown() -> None:
    assert chosen(["man", "king"])["king"] == "emblems/crown"
    assert chosen(["pawn", "king"])["king"] == "chess/king"


def test_crosses_and_noughts_are_found_by_the_names_of_the_players() -> None:
    assert choose_symbols(["man"], ["O", "X"]) == {
        ("man", "O"): "shapes/nought",
        ("man", "X"): "shapes/cross",
    }


def test_shogi_pieces_point_forward() -> None:
    keys = choose_symbols(["gold", "silver", "+silver", "e-gold"], ["South", "West"])
    assert keys["gold", "South"] == "shogi/gold/north/north"
    assert keys["gold", "West"] == "shogi/gold/east/east"
    assert keys["+silver", "South"] == "shogi/+silver/north/north"
    # East's army, taken over by South, goes on to the west; a dot shows that South owns it.
    assert keys["e-gold", "South"] == "shogi/gold/west/north"


def test_sets_of_pieces() -> None:
    chess, shogi = forthvm.load("chess"), forthvm.load("yonin-shogi")
    assert piece_sets(chess) == ("drawings", "letters")
    assert piece_sets(shogi) == ("drawings", "kanji", "letters")
    assert game_symbols(chess, "letters").keys() == BASES
    drawn, kanji = game_symbols(shogi), game_symbols(shogi, "kanji")
    assert drawn.keys() == kanji.keys()
    assert drawn["shogi/fallen/north/north"] == kanji["shogi/fallen/north/north"]
    assert drawn["shogi/gold/north/north"] != kanji["shogi/gold/north/north"]
    with pytest.raises(ValueError, match="drawings, letters"):
        game_symbols(chess, "kanji")


@each_case("kind", ["king", "rook", "bishop", "gold", "silver", "knight", "lance", "pawn"])
@each_case("promotion", ["", "+"])
def test_each_piece_of_shogi_has_a_kanji(kind: str, promotion: str) -> None:
    if promotion and kind in {"king", "gold"}:
        return  # they do not promote
    key = f"shogi/{promotion}{kind}/north/north"
    assert fragment(key, kanji=True) != fragment(key)


def test_numbers_are_letters_already() -> None:
    game = forthvm.load("rithmomachia")
    assert game_symbols(game, "letters") == game_symbols(game)


def test_more_than_two_players_have_bases() -> None:
    assert not game_symbols(forthvm.load("thud"))["folk/troll"].based
    assert game_symbols(forthvm.load("splut"))["folk/troll"].based
    assert game_symbols(forthvm.load("draughts"))["emblems/man"].based


def test_a_fragment_has_the_style_of_its_drawing_but_no_ids() -> None:
    drawing = f'{HEAD[:-1]} fill="#fff" stroke-width="4"><g id="a"><circle r="5"/></g></svg>'
    assert fragments_of(parse_drawing(drawing)) == {"a": '<g stroke-width="4"><circle r="5"/></g>'}


@each_case(
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


@each_case(
    "text",
    [
        "",
        "<svg/>",
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + HEAD + "</svg>",
        f"{HEAD}<g>",
    ],
)
def test_texts_that_are_not_drawings_are_refused(text: str) -> None:
    with pytest.raises(FragmentError):
        parse_drawing(text)
