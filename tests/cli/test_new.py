"""`forthvm new`: the files that it makes, the games in them, and the names that it refuses."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import forthvm
from forthvm.cli.app import main
from tests.kit.commands import Cli
from tests.kit.games import winner
from tests.kit.processes import output_of
from tests.systems import needs_links

PERFT = {1: 5, 2: 25, 3: 125, 4: 628, 5: 3180}


pytestmark = pytest.mark.usefixtures("in_folder")


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("rules", "suffix"), [("forthscript", ".4th"), ("zrf", ".zrf")])
def test_the_game_is_complete(rules: str, suffix: str, tmp_path: Path, cli: Cli) -> None:
    out = cli.out("new", "pawn-race", "--rules", rules)
    folder = tmp_path / "pawn-race"
    script = folder / f"pawn-race{suffix}"
    assert files_below(folder) == {script.name, "pawn-race.test", "pawn-race.perft", "README.md"}
    assert f"next: forthvm run {script.relative_to(tmp_path)}" in out
    assert cli("check", "--strict", "--info", script).status == 0
    assert cli("fmt", "--check", script).status == 0
    assert cli("test", folder).status == 0
    assert not any("GAME_" in path.read_text() for path in folder.iterdir())
    lines = [line.split() for line in (folder / "pawn-race.perft").read_text().splitlines()]
    assert {int(depth): int(count) for depth, count, *_ in lines} == PERFT
    start = forthvm.load(script).start()
    assert {depth: forthvm.perft(start, depth) for depth in PERFT} == PERFT


@pytest.mark.parametrize("suffix", [".4th", ".zrf"])
def test_the_game_ends(suffix: str) -> None:
    assert main(["new", "race", "--rules", "zrf" if suffix == ".zrf" else "forthscript"]) == 0
    game = forthvm.load(f"race/race{suffix}")
    arriving = game.start(setup=[("White", "pawn", "b4"), ("Black", "pawn", "a5")])
    assert sorted(map(str, arriving.legal_moves)) == ["pawn b4 - b5", "pawn b4 x a5"]
    arriving.push("pawn b4 - b5")
    assert winner(arriving) == "White"
    stuck = game.start(setup=[("White", "pawn", "b3"), ("Black", "pawn", "b4")])
    assert winner(stuck) == "Black"


def test_engines_play_the_game(cli: Cli) -> None:
    assert main(["new", "race"]) == 0
    assert main(["think", "race/race.4th", "--depth", "3"]) == 0
    assert "won" in cli.out("run", "race/race.4th", "--auto", "--seed", "1", "--brief")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("My Game", "for example my-game"),
        ("9", "begins with a letter"),
        ("..", "begins with a letter"),
        ("", "begins with a letter"),
        ("a--b", "for example a-b"),
        ("a_b", "for example a-b"),
        ("spiel-ä", "begins with a letter"),
        ("x\x1b[2J", r"'x\x1b[2J'"),
        ("con", "device"),
        ("a" * 51, "more than 50"),
        ("missing/game", "no folder missing"),
    ],
)
def test_invalid_names_are_refused(name: str, reason: str, tmp_path: Path, cli: Cli) -> None:
    assert reason in cli.err("new", name, status=2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "folder", pytest.param("link", marks=needs_links)])
def test_nothing_is_overwritten(kind: str, tmp_path: Path, cli: Cli) -> None:
    existing = tmp_path / "race"
    if kind == "file":
        existing.write_text("mine")
    elif kind == "folder":
        existing.mkdir()
    else:
        existing.symlink_to(tmp_path / "nowhere")
    assert "race exists already" in cli.err("new", "race", status=2)
    assert files_below(tmp_path) <= {"race"}


def test_a_package_cannot_replace_a_bundled_game(tmp_path: Path, cli: Cli) -> None:
    assert "cannot replace" in cli.err("new", "--package", "tictactoe", status=2)
    assert list(tmp_path.iterdir()) == []


def test_the_guide_quotes_the_description_of_the_package(tmp_path: Path) -> None:
    guide = Path(__file__).parents[2] / "docs" / "guides" / "publishing.md"
    assert main(["new", "pawn-race", "--package"]) == 0
    description = (tmp_path / "pawn-race" / "pyproject.toml").read_text(encoding="utf-8")
    assert f"```toml\n{description}```\n" in guide.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "suffix"), [("forthscript", ".4th"), ("zrf", ".zrf")])
def test_an_installed_package_adds_its_game(rules: str, suffix: str, tmp_path: Path) -> None:
    assert main(["new", "pawn-race", "--package", "--rules", rules]) == 0
    drawing = tmp_path / "pawn-race" / "forthvm_pawn_race" / "symbols" / "pawn.svg"
    drawing.parent.mkdir()
    drawing.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"></svg>')
    site = tmp_path / "site"

    def run(*command: str) -> str:
        return output_of(sys.executable, "-m", *command, PYTHONPATH=str(site), COLUMNS="80")

    options = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    run("pip", "wheel", *options, "-w", "wheels", "./pawn-race")
    (wheel,) = (tmp_path / "wheels").iterdir()
    run("pip", "install", *options, "--target", str(site), str(wheel))
    names = {f"pawn-race{suffix}", "pawn-race.perft", "pawn-race.test", "symbols/pawn.svg"}
    assert files_below(site / "forthvm_pawn_race") >= names
    assert "pawn-race" in run("forthvm", "games")
    assert run("forthvm", "perft", "pawn-race", "4").split()[-1] == "628"
    assert "won" in run("forthvm", "run", "pawn-race", "--auto", "--seed", "1", "--brief")
    (tmp_path / "pawn-race").rename(tmp_path / "source")  # a folder would be preferred to the name
    assert "9 tests: 9 passed" in run("forthvm", "test", "pawn-race")
    assert "tictactoe" in run("forthvm", "games")
