"""`forthvm show`: boards as text and as pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.kit.commands import Cli

REMARKS = Path(__file__).resolve().parent.parent / "game_api" / "remarks.4th"


def test_board_and_turn_as_text(cli: Cli) -> None:
    """The output is the board and the player to move, or the result."""
    out = cli.out("show", "tictactoe", "--ascii", "--moves", "a1; b2")
    assert out.splitlines()[:4] == [
        "3   .   .   .",
        "2   . [ O ] .",
        "1   X   .   .",
        "    a   b   c",
    ]
    assert out.endswith("X to move\n")
    won = cli("show", "tictactoe", "--moves", "a1; b2; a2; b3; a3").out
    assert won.endswith("X won, O lost: three in a row.\n")


def test_a_player_sees_own_hidden_pieces_only(cli: Cli) -> None:
    """By default, `show` draws what all players see."""
    command = ("show", "tictactoe", "--set", "OnShow=~mark", "--moves", "a1; b2", "--ascii")
    for options, marks in (
        ((), ""),
        (("--for-player", "x"), "X"),
        (("--for-player", "O"), "O"),
        (("--everything",), "XO"),
    ):
        result = cli(*command, *options)
        board = "".join(result.out.splitlines()[:3])
        assert [mark for mark in "XO" if mark in board] == list(marks)
    picture = cli(*command, "--for-player", "X", "--svg", "-").out
    assert "<title>X mark</title>" in picture
    assert "<title>O mark</title>" not in picture
    assert cli(*command, "--for-player", "Y").status == 2


def test_svg_goes_to_a_file_or_stdout(cli: Cli, tmp_path: Path) -> None:
    """A picture goes to a file or to standard output; only --explain adds marks."""
    target = tmp_path / "board.svg"
    result = cli("show", REMARKS, "--svg", target, "--explain")
    assert (result.status, result.out) == (0, "")
    text = target.read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert text.count('fill="none"') == 2
    plain = cli("show", REMARKS, "--svg", "-").out
    ElementTree.fromstring(plain)
    assert plain.count('fill="none"') == 0


def test_explain_marks_squares(cli: Cli) -> None:
    assert "< White | Black >" in cli("show", REMARKS, "--explain").out


def test_missing_folder_is_reported(cli: Cli, tmp_path: Path) -> None:
    err = cli.err("show", "tictactoe", "--svg", tmp_path / "no" / "board.svg", status=2)
    assert "cannot write" in err


@pytest.mark.parametrize("option", ["--moves=z9", "--position=none.json"])
def test_invalid_position_options_are_wrong_usage(cli: Cli, option: str) -> None:
    assert cli("show", "tictactoe", option).status == 2


def test_piece_names_that_differ_in_case(cli: Cli, script: Callable[..., Path]) -> None:
    """Text, ASCII, SVG and the boards of `forthvm run` distinguish the pieces `x` and `X`."""
    path = script(
        pieces="{pieces {piece} x {moves} man-moves {piece} X {moves} man-moves pieces}",
        setup="{board-setup {setup} Left x a1 {setup} Left X b1 {setup} Right x d1 "
        "{setup} Right X e1 board-setup}",
    )
    for options in ([], ["--ascii"]):
        assert {"L.x", "L.X", "R.x", "R.X"} <= set(cli.out("show", path, *options).split())
    out = cli.out("show", path, "--svg", "-")
    assert {">x</text>", ">X</text>"} <= set(re.findall(r">[xX]</text>", out))
    for options in ([], ["--ascii"]):
        played = cli("run", path, "--auto", "--engine", "first", "--max-plies", "3", *options)
        assert "cannot be told apart" not in played.out + played.err
        assert "L.X" in played.out
