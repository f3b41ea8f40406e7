"""`forthvm playground`: its options, and the files that it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forthvm.cli import main
from forthvm.web.playground import static_page
from tests.kit.commands import Cli
from tests.kit.files import write
from tests.web.exported import needs_core

pytestmark = needs_core


@pytest.fixture(autouse=True)
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor, which not every build has, and only one example."""
    games = [game for game in static_page.list_games() if game.name == "chess"]
    bundle = write(tmp_path / "editor.js", "")
    monkeypatch.setattr(static_page, "list_games", lambda: games)
    monkeypatch.setattr(static_page, "EDITOR", bundle)


def test_it_writes_the_files_of_a_page(tmp_path: Path, cli: Cli) -> None:
    site = tmp_path / "site"
    assert cli.out("playground", "-o", site).startswith(f"{site}: ")
    data = json.loads((site / "data.json").read_text(encoding="utf-8"))
    assert data["examples"] == [{"name": "chess", "title": "Chess"}]
    game = json.loads((site / "games" / "chess.json").read_text(encoding="utf-8"))
    assert game["main"] == "chess.4th"
    assert {"basics.4th", "chess.4th", "moves.4th"} <= {file["name"] for file in game["files"]}
    for page in ("index.html", "board.html"):
        text = (site / page).read_text(encoding="utf-8")
        assert "script-src 'self' 'wasm-unsafe-eval';" in text
        assert '="/' not in text  # the page can be in any folder of a server
    assert "WebSocket" not in (site / "page" / "app.js").read_text(encoding="utf-8")


def test_files_are_not_overwritten(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "mine").mkdir()
    file = write(tmp_path / "mine" / "index.html", "mine")
    err = cli.err("playground", "-o", file.parent, status=2)
    assert "is not empty; --force overwrites files in it" in err
    assert file.read_text(encoding="utf-8") == "mine"
    assert main(["playground", "-o", str(file.parent), "--force"]) == 0
    assert file.read_text(encoding="utf-8") != "mine"


def test_the_folder_cannot_be_a_file(tmp_path: Path, cli: Cli) -> None:
    file = write(tmp_path / "file", "")
    assert "cannot write" in cli.err("playground", "-o", file, status=2)


def test_without_the_editor_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.setattr(static_page, "EDITOR", tmp_path / "none.js")
    assert "npm ci" in cli.err("playground", "-o", tmp_path / "site", status=1)
    assert not (tmp_path / "site").exists()
