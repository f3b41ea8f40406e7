"""Folders as GAME: what is in them, or the only game in them."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from forthvm.cli import serving
from forthvm.core.failure import ForthVMError
from forthvm.web.play.server import TableServer
from forthvm.web.serving.errors import RequestError
from tests.kit.commands import Cli
from tests.kit.files import write_files
from tests.kit.games import script_of
from tests.systems import ODD_CHARACTERS

RULES = """\
(game (title "Drops") (players A B) (turn-order A B)
 (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9)))))
 (piece (name man) (drops (add)))
 (board-setup (A (man off 3)))
 (loss-condition (A B) stalemated))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two games, a part of a game, a damaged rule file, and other files."""
    files = {"row.4th": script_of("tictactoe"), "drops.zrf": RULES, "broken.zrf": "(game (title"}
    files |= {"part.4th": ": one 1 ;\n", "notes.txt": "nothing to play\n"}
    return write_files(tmp_path, files)


def test_the_only_game_of_a_folder_is_described(in_folder: Path, cli: Cli) -> None:
    write_files(in_folder, {"My Games/drops.zrf": RULES})
    for folder in ("My Games", "./My Games", in_folder / "My Games"):
        assert cli.out("games", folder).splitlines()[0] == "Drops"


def test_the_games_of_a_folder_are_listed(folder: Path, cli: Cli) -> None:
    status, out, err = cli("games", folder)
    assert status == 0
    assert [line.split()[:4] for line in out.splitlines()] == [
        ["row.4th", "2", "3", "x"],
        ["broken.zrf", "?", "?", "(does"],
        ["drops.zrf", "2", "3", "x"],
    ]
    assert out.rstrip().endswith("Drops")
    assert "broken.zrf:1:1" in err


def test_the_games_of_a_folder_as_json(folder: Path, cli: Cli) -> None:
    listed = json.loads(cli.out("games", folder, "--json"))
    assert [game["path"] for game in listed] == [
        str(folder / name) for name in ("row.4th", "broken.zrf", "drops.zrf")
    ]


@pytest.mark.parametrize("command", ["show", "run", "moves", "export"])
def test_other_commands_name_the_games(folder: Path, cli: Cli, command: str) -> None:
    status, _, err = cli(command, folder)
    assert status != 0
    assert "row.4th, broken.zrf, drops.zrf" in err
    assert f"forthvm games {folder}" in err


def test_the_only_game_is_taken(folder: Path, cli: Cli) -> None:
    for name in ("row.4th", "broken.zrf"):
        (folder / name).unlink()
    assert "A to move" in cli.out("show", folder)
    assert "Drops" in cli.out("games", folder)


def test_the_board_offers_the_games_of_a_folder(
    folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = folder / f"x&{ODD_CHARACTERS}.4th"
    odd.write_text((folder / "row.4th").read_text() + "unknown-word\n")
    (folder / "row.4th").unlink()
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    served: list[TableServer] = []

    def record(server: TableServer, listener: socket.socket) -> None:
        listener.close()
        served.append(server)

    monkeypatch.setattr(serving, "run", record)
    status, out, err = cli("board", folder, "--no-browser")
    assert status == 0
    choice = served[0].shared.choice
    titles = {game["name"]: game["title"] for game in choice.titles()}
    assert [*titles][:3] == [odd.name, "broken.zrf", "drops.zrf"]
    assert "\x1b" not in "".join(titles.values()) + out + err
    assert "drops.zrf" in out
    game = choice.load("drops.zrf", None, {})
    assert (game.title, choice.name_of(game)) == ("Drops", "drops.zrf")
    with pytest.raises(ForthVMError):
        choice.load("broken.zrf", None, {})
    with pytest.raises(RequestError):
        choice.load("notes.txt", None, {})
