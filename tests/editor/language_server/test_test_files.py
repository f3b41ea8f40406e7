"""Files with tests are read by the reader of `forthvm test`, not as scripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .client import Client

ROOT = Path(__file__).parents[3]
TEXT = "game slide.4th\n\ntest A man slides\n    legal a1-b1\n"
"""Read as a script, each of these words would be unknown."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "slide.4th").write_text(": one 1 ;\n")
    return tmp_path


def test_syntax_errors_have_places(client: Client, folder: Path) -> None:
    uri = (folder / "slide.test").as_uri()
    assert client.open(uri, TEXT) == []
    [found] = client.change(uri, TEXT.replace("legal", "legxl"))
    assert found["message"].startswith("unknown keyword `legxl`")
    assert found["range"] == {
        "start": {"line": 3, "character": 4},
        "end": {"line": 3, "character": 9},
    }
    assert client.change(uri, TEXT) == []


def test_all_errors_are_shown(client: Client, folder: Path) -> None:
    uri = (folder / "slide.test").as_uri()
    found = client.open(uri, TEXT.replace("legal", "legxl") + "tst Another\n    moves 1\n")
    assert [one["range"]["start"]["line"] for one in found] == [3, 4]


def test_counts(client: Client, folder: Path) -> None:
    uri = (folder / "slide.perft").as_uri()
    text = "# counts\n1 2 by hand\n"
    assert client.open(uri, text) == []
    [found] = client.change(uri, text + "two 4\n")
    assert found["range"]["start"] == {"line": 2, "character": 0}


def test_the_game_may_be_missing(client: Client, folder: Path) -> None:
    [found] = client.open((folder / "other.test").as_uri(), "test One\n    legal a1-b1\n")
    assert "there is no game other.4th" in found["message"]
    assert found["range"]["start"] == {"line": 0, "character": 0}


def test_requests_do_not_read_a_script(client: Client, folder: Path) -> None:
    uri = (folder / "slide.test").as_uri()
    client.open(uri, TEXT)
    assert client.at("hover", uri, 3, 5) is None
    assert client.at("definition", uri, 3, 5) == []
    assert client.at("completion", uri, 3, 6)["items"] == []
    document = {"textDocument": {"uri": uri}}
    assert client.request("textDocument/documentSymbol", document) == []
    options = {"options": {"tabSize": 2, "insertSpaces": True}}
    assert client.request("textDocument/formatting", document | options) == []
    assert client.request("textDocument/semanticTokens/full", document)["data"] == []


GAME_TEST = """\
game game.4th
test Moves
    play X mark b2
    legal O mark a1
    play O mark a1;
         X mark c3
test Drawn
    board
        3 O O .
        2 X X .
        1 . . .
    turn X
    play X mark c2; X mark a1
"""


def test_the_board_of_a_test(client: Client, tmp_path: Path) -> None:
    script = (ROOT / "scripts/tictactoe/tictactoe.4th").read_text()
    (tmp_path / "game.4th").write_text(script)
    uri = (tmp_path / "own.test").as_uri()
    client.open(uri, GAME_TEST)

    def board(line: int | None) -> dict[str, str]:
        position = {} if line is None else {"position": {"line": line, "character": 0}}
        answer: dict[str, str]
        answer = client.request("forthvm/board", {"textDocument": {"uri": uri}} | position)
        return answer

    def pieces(line: int | None) -> str:
        found = board(line)
        assert found["svg"].startswith("<svg")
        assert not found["error"]
        rows = [row for row in found["text"].splitlines() if row.strip()[:1].isdigit()]
        return " ".join("".join(mark for mark in row if mark in "XO·") for row in rows)

    assert pieces(None) == pieces(0) == pieces(1) == "··· ··· ···"
    assert pieces(2) == pieces(3) == "··· ·X· ···"
    assert pieces(4) == "··· ·X· O··"
    assert pieces(5) == "··X ·X· O··"
    assert pieces(6) == pieces(11) == "OO· XX· ···"
    assert board(11)["title"].endswith(": Drawn")
    last = board(12)  # after the first move the game is over
    assert last["svg"]
    assert "over" in last["error"]
    (tmp_path / "game.4th").write_text("{board")
    assert board(3)["error"]


def test_the_board_of_counts(client: Client) -> None:
    uri = (ROOT / "scripts/tictactoe/tictactoe.perft").as_uri()
    answer = client.request("forthvm/board", {"textDocument": {"uri": uri}})
    assert answer["svg"].startswith("<svg")
