"""`forthvm export`: its options, and the file that it writes."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.cli import main
from tests.kit.boards import WALK
from tests.kit.commands import Cli
from tests.learn.network.models import random_network
from tests.web.exported import needs_core

MEGABYTES = 1_000_000


@needs_core
def test_it_writes_one_small_file(in_folder: Path, cli: Cli) -> None:
    assert cli.out("export", "tictactoe").startswith("tictactoe.html: ")
    assert [path.name for path in in_folder.iterdir()] == ["tictactoe.html"]
    assert (in_folder / "tictactoe.html").stat().st_size < 3 * MEGABYTES


@needs_core
def test_an_existing_file_is_kept(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "game.html"
    file.write_text("mine", encoding="utf-8")
    assert "exists; --force overwrites it" in cli.err("export", "tictactoe", "-o", file, status=2)
    assert file.read_text(encoding="utf-8") == "mine"
    assert main(["export", "tictactoe", "-o", str(file), "--force"]) == 0


@pytest.mark.parametrize(
    ("option", "message"), [("--side=Z", "no player 'Z'"), ("--level=99", "levels 1 to")]
)
def test_wrong_options(option: str, message: str, tmp_path: Path, cli: Cli) -> None:
    assert message in cli.err("export", "tictactoe", "-o", tmp_path / "x.html", option, status=2)
    assert not list(tmp_path.iterdir())


@needs_core
def test_a_folder_that_does_not_exist(tmp_path: Path, cli: Cli) -> None:
    err = cli.err("export", "tictactoe", "-o", tmp_path / "none" / "x.html", status=2)
    assert "cannot write" in err


def test_without_the_core_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.setattr("forthvm.web.offline.export.CORE", tmp_path / "core.wasm")
    err = cli.err("export", "tictactoe", "-o", tmp_path / "game.html", status=1)
    assert "was not built when forthvm was installed" in err
    assert "apt install clang lld wasi-libc" in err
    assert not list(tmp_path.iterdir())


def exported(*arguments: str) -> dict[str, Any]:
    """Export a game; return what the file contains of it."""
    assert main(["export", *arguments, "--force"]) == 0
    page = Path(arguments[arguments.index("-o") + 1]).read_text(encoding="utf-8")
    found = re.search(r'id="offline-game">(.*?)</script>', page)
    data: dict[str, Any] = json.loads(found[1])
    return data


@needs_core
def test_the_file_contains_the_network_beside_the_game(tmp_path: Path) -> None:
    file, page = tmp_path / "game.4th", str(tmp_path / "game.html")
    file.write_text(WALK, encoding="utf-8")
    without = exported(str(file), "-o", page)
    assert "network" not in without["program"]
    assert "engine=mcts" in without["engines"]["level:1"]
    network = random_network(forthvm.load(file), hidden=2)
    network.write(tmp_path / "game.net")
    data = exported(str(file), "-o", page)
    fields = data["program"]["network"]
    assert b64encode(network.network.weights.weights).decode() in fields
    assert network.network.inputs.features in fields
    assert "engine=mcts" not in data["engines"]["level:1"]  # since positions can be evaluated
    assert data["tables"]["evaluates"]
    assert exported(str(file), "-o", page, "--net", "none") == without
    (tmp_path / "game.net").rename(tmp_path / "other.net")
    assert exported(str(file), "-o", page, "--net", str(tmp_path / "other.net")) == data


@needs_core
def test_networks_of_other_games(tmp_path: Path, cli: Cli) -> None:
    file, page = tmp_path / "game.4th", tmp_path / "game.html"
    file.write_text(WALK, encoding="utf-8")
    without = exported(str(file), "-o", str(page))
    page.unlink()
    random_network(forthvm.load("breakthrough"), hidden=2).write(tmp_path / "game.net")
    given = ["--net", str(tmp_path / "game.net")]
    assert "was learned for breakthrough" in cli.err("export", file, "-o", page, *given, status=2)
    err = cli.err("export", file, "-o", page, "--net", "missing.net", status=2)
    assert "--net: missing.net: No such file" in err
    assert not page.exists()
    assert exported(str(file), "-o", str(page)) == without
