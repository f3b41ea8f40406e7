"""`forthvm library`: lists, searches and remembers folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forthvm.cli.candidates import candidates
from tests.kit.commands import Cli
from tests.kit.every_game import BUNDLED
from tests.kit.files import write_files
from tests.library.games import HEAPS, RULES


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "APPDATA", "FORTHVM_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / "user"))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    return write_files(folder, {"drops.zrf": RULES, "heaps.4th": HEAPS, "cut.zrf": RULES[:120]})


def titles(cli: Cli, *args: object) -> list[str]:
    return [entry["title"] for entry in json.loads(cli.out("library", *args, "--json"))]


@pytest.mark.slow
def test_lists_a_folder(cli: Cli, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(games)
    broken, drops, heaps = cli.out("library", ".").splitlines()
    assert drops.split() == ["Drops", "game", "2", "3", "x", "2", "drops.zrf"]
    assert heaps.split() == ["heaps", "game", "2", "2", "heaps.4th"]
    assert "cut.zrf  cannot be loaded: " in broken


@pytest.mark.slow
def test_filters(cli: Cli, games: Path) -> None:
    assert titles(cli, games) == ["Drops", "Drops", "heaps"]
    assert titles(cli, games, "--search", "two HEAPS") == ["heaps"]
    assert titles(cli, games, "--no-loads") == ["Drops"]
    assert titles(cli, games, "--players", 2, "--no-chance") == ["Drops", "heaps"]
    assert titles(cli, games, "--hidden") == []
    assert titles(cli, games, "--kind", "saved game") == []


@pytest.mark.slow
def test_one_file_is_described(cli: Cli, games: Path) -> None:
    result = cli("library", games, "--search", "drops", "--loads")
    for text in ("Put a man on each square.", "Ada Lovelace", "Red, Blue", "3 x 2", "drops.zrf"):
        assert text in result.out


@pytest.mark.slow
def test_json_has_everything(cli: Cli, games: Path) -> None:
    result = cli("library", games, "--search", "heaps", "--json")
    (entry,) = json.loads(result.out)
    assert entry["path"] == str(games / "heaps.4th")
    assert (entry["loads"], entry["squares"], entry["players"]) == (True, 2, ["First", "Second"])
    assert Path(entry["thumbnail"]).read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.slow
def test_folders_are_remembered(cli: Cli, games: Path, tmp_path: Path) -> None:
    assert titles(cli, "--add", games) == ["Drops", "Drops", "heaps"]
    assert titles(cli, "--kind", "game", "--search", "heaps")[0] == "heaps"
    assert str(games) in cli.err("library", "--remove", tmp_path / "other", status=2)
    assert "heaps" not in titles(cli, "--remove", games)


@pytest.mark.slow
def test_bundled_games_have_their_names(cli: Cli) -> None:
    result = cli("library", "--json")
    bundled = {entry["bundled"] for entry in json.loads(result.out)}
    assert bundled == {game.name for game in BUNDLED}


def test_empty_folder_says_what_it_lacks(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    result = cli("library", folder)
    assert (result.status, result.out) == (0, "")
    assert ".zrf" in result.err
    assert cli("library", folder, "--json").out == "[]\n"


@pytest.mark.slow
def test_filters_without_matches_say_so(cli: Cli, games: Path) -> None:
    result = cli("library", games, "--search", "chess")
    assert (result.status, result.out) == (0, "")
    assert "3 files" in result.err


def test_missing_folder_is_a_usage_error(cli: Cli, tmp_path: Path) -> None:
    for option in ((), ("--add",)):
        assert "gone" in cli.err("library", *option, tmp_path / "gone", status=2)


@pytest.mark.slow
def test_control_characters_are_escaped(cli: Cli, games: Path) -> None:
    (games / "evil.zrf").write_text(RULES.replace('"Drops"', '"\x1b[2JEvil"'))
    result = cli("library", games)
    assert "\x1b" not in result.out
    assert "Evil" in result.out


def test_options_are_completed(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(games.parent)
    assert candidates(["library", "ga"]) == ["games/"]
    assert candidates(["library", "--kind", "sav"]) == ["saved game"]
    assert candidates(["library", "--no-ch"]) == ["--no-chance"]
