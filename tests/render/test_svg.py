"""Boards as SVG: well formed and complete, with escaped names."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

from forthvm.render.draw_svg import board_svg
from tests.render import boards

NS = "{http://www.w3.org/2000/svg}"


def test_every_square_and_piece_is_drawn() -> None:
    root = ET.fromstring(board_svg(boards.splut()))
    assert len(root.findall(f"{NS}polygon")) == 41
    titles = [piece.findtext(f"{NS}title") for piece in root.findall(f"{NS}g")]
    assert len(titles) == 16
    assert "South troll" in titles
    assert "Rock estone" in titles


def test_the_last_move_has_another_colour() -> None:
    def fills(last: list[str]) -> dict[Any, Any]:
        scene = boards.grid(2, 2, {}, types=["man"], owners=[boards.SOUTH, boards.WEST], last=last)
        return {
            square.findtext(f"{NS}title"): square.get("fill")
            for square in ET.fromstring(board_svg(scene)).findall(f"{NS}polygon")
        }

    plain, marked = fills([]), fills(["a1"])
    assert plain["a1"] != marked["a1"]
    assert {name: fill for name, fill in plain.items() if name != "a1"} == {
        name: fill for name, fill in marked.items() if name != "a1"
    }


def disc_colours(*names: str) -> list[str | None]:
    """Return the colours of the discs of players with these names."""
    owners = [boards.player(name) for name in names]
    pieces = {f"{'abcdefghi'[at]}1": ("man", owner) for at, owner in enumerate(owners)}
    scene = boards.grid(1, len(names), pieces, types=["man"], owners=owners)
    drawn = {}
    for piece in ET.fromstring(board_svg(scene)).findall(f"{NS}g"):
        disc = piece.find(f"{NS}circle")
        drawn[str(piece.findtext(f"{NS}title")).split()[0]] = disc.get("fill")
    return [drawn[name] for name in names]


def test_a_player_named_after_a_colour_has_that_colour() -> None:
    white, black = disc_colours("White", "Black")
    assert disc_colours("Black", "White") == [black, white]
    assert disc_colours("Left", "Right") == [white, black]
    assert disc_colours("Red", "White", "Left")[1:] == [white, black]


def test_up_to_seven_players_have_different_colours() -> None:
    colours = disc_colours("Blue", "A", "B", "Red", "C", "D", "E")
    assert len(set(colours)) == 7
    assert len(disc_colours(*"ABCDEFGHI")) == 9


def test_names_are_escaped() -> None:
    owner = boards.player("<&>")
    scene = boards.grid(
        1,
        2,
        {"a1": ('"x"&', owner), "off<": ("b", owner)},
        types=['"x"&', "b"],
        owners=[owner],
        extra=["off<"],
        notes=["a<b = 1"],
    )
    picture = ET.fromstring(board_svg(scene))
    texts = [element.text for element in picture.iter(f"{NS}text")]
    assert "a<b = 1" in texts
    assert "off<" in {place.findtext(f"{NS}title") for place in picture.iter(f"{NS}polygon")}
