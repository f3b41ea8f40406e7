"""Boards as SVG: well formed and complete, with escaped names."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

from forthvm.render.draw_svg import board_svg
from forthvm.render.model import Owner, Quantity
from tests.render import boards

NS = "{http://www.w3.org/2000/svg}"


def test_every_square_and_piece_is_drawn() -> None:
    root = ET.fromstring(board_svg(boards.splut()))
    assert len(root.findall(f"{NS}rect")) == 41
    assert len(root.findall(f"{NS}circle")) == 16
    titles = {disc.findtext(f"{NS}title") for disc in root.findall(f"{NS}circle")}
    assert "South troll" in titles
    assert "Rock estone" in titles


def test_the_last_move_has_another_colour() -> None:
    def fills(last: list[str]) -> dict[Any, Any]:
        diagram = boards.grid(
            2, 2, {}, types=["man"], owners=[boards.SOUTH, boards.WEST], last=last
        )
        return {
            square.findtext(f"{NS}title"): square.get("fill")
            for square in ET.fromstring(board_svg(diagram)).findall(f"{NS}rect")
        }

    plain, marked = fills([]), fills(["a1"])
    assert plain["a1"] != marked["a1"]
    assert {name: fill for name, fill in plain.items() if name != "a1"} == {
        name: fill for name, fill in marked.items() if name != "a1"
    }


def disc_colours(*names: str) -> list[str | None]:
    """Return the colours of the discs of players with these names."""
    owners = [Owner(name=name, index=at) for at, name in enumerate(names)]
    pieces = {f"{'abcdefghi'[at]}1": ("man", owner) for at, owner in enumerate(owners)}
    diagram = boards.grid(1, len(names), pieces, types=["man"], owners=owners)
    discs = ET.fromstring(board_svg(diagram)).findall(f"{NS}circle")
    drawn = {str(disc.findtext(f"{NS}title")).split()[0]: disc.get("fill") for disc in discs}
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
    owner = Owner(name="<&>", index=0)
    diagram = boards.grid(
        1,
        2,
        {"a1": ('"x"&', owner), "off<": ("b", owner)},
        types=['"x"&', "b"],
        owners=[owner],
        extra=["off<"],
        quantities=[Quantity(name="a<b", values=(1,))],
    )
    elements = ET.fromstring(board_svg(diagram)).iter(f"{NS}text")
    texts = [element.text or "" for element in elements]
    assert "a<b = 1" in texts
    assert any("off<" in text for text in texts)
