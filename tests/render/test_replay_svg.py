"""A game as an animated picture: at each time it shows the pieces of one position."""

from __future__ import annotations

import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

import forthvm
from forthvm import render
from forthvm.render.draw_svg import pixels
from forthvm.render.replay_svg import replay_svg
from tests.autoplay.results import write_random_match
from tests.kit.boards import HEAPS
from tests.kit.commands import Cli
from tests.kit.games import load_text, loaded, play
from tests.kit.random_games import random_game

SVG = "{http://www.w3.org/2000/svg}"


def value_at(element: ElementTree.Element, attribute: str, share: float, default: str) -> str:
    """Return the value of an animated attribute at a time, given as a share of the round.

    At the times of the tests no value is between two others.
    """
    for animation in element:
        if animation.get("attributeName") == attribute:
            times = map(float, animation.attrib["keyTimes"].split(";"))
            values = animation.attrib["values"].split(";")
            return [value for time, value in zip(times, values, strict=True) if time <= share][-1]
    return default


def shown(root: ElementTree.Element, share: float) -> list[tuple[str, str]]:
    """Return the titles and places of the visible pieces at a time, sorted."""
    titles = {
        f"#{group.get('id')}": group.findtext(f"{SVG}g/{SVG}title") or ""
        for group in root.findall(f"{SVG}defs/{SVG}g")
    }
    pieces = []
    for use in root.findall(f"{SVG}use"):
        if value_at(use, "opacity", share, "1") == "1":
            still = use.attrib["transform"].removeprefix("translate(").removesuffix(")")
            pieces.append((titles[use.attrib["href"]], value_at(use, "transform", share, still)))
    return sorted(pieces)


def expected(position: forthvm.Position) -> list[tuple[str, str]]:
    scene = render.scene(position)
    centres = {square.name: square.centre for square in scene.board.squares}
    return sorted(
        (
            f"{scene.players[piece.player].name} {piece.type}",
            " ".join(map(pixels, centres[piece.square])),
        )
        for piece in scene.pieces
        if piece.square in centres
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "reversi", "splut", "thud", "ur", "yonin-shogi"])
def test_each_position_is_shown_in_its_time(name: str) -> None:
    position = forthvm.load(name).start()
    positions = [expected(each) for each in random_game(position, 20, random.Random(5))]
    root = ElementTree.fromstring(replay_svg(position, seconds=1))
    seconds = len(positions) + 3  # the last position is shown for three seconds more
    for ply, pieces in enumerate(positions):
        assert shown(root, (ply + 0.9) / seconds) == pieces
    assert position.ply == len(positions) - 1


def test_a_piece_glides() -> None:
    """A move is one piece at two places, not two pieces."""
    position = play(loaded("breakthrough").start(), "pawn a2 - a3")
    root = ElementTree.fromstring(replay_svg(position))
    assert len(root.findall(f"{SVG}use")) == 32
    assert len(root.findall(f"{SVG}use/{SVG}animateTransform")) == 1


def test_names_are_escaped(tmp_path: Path) -> None:
    position = load_text(
        tmp_path, HEAPS.replace("heap", "<script>alert(1)</script>&heap"), name="evil.4th"
    ).start()
    position.push(position.legal_moves[0])
    text = replay_svg(position, title="<b>")
    assert "<script" not in text
    assert "<b>" not in text
    ElementTree.fromstring(text)


@pytest.mark.slow
def test_the_command_writes_it(tmp_path: Path, cli: Cli) -> None:
    path, picture = tmp_path / "results.db", tmp_path / "game.svg"
    write_random_match(path, "tictactoe", games=1)
    assert cli("replay", path, "1", "--brief", "--svg", picture).status == 0
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    assert root.findtext(f"{SVG}title", "").startswith("Tic-tac-toe: ")
    assert "cannot write" in cli.err(
        "replay", path, "1", "--svg", tmp_path / "no" / "game.svg", status=2
    )
