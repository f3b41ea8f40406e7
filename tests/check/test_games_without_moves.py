"""Tests that `check` reports games in which no player can move, and that commands refuse them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from forthvm.catalogue.bundled import list_games
from forthvm.check import check_files
from forthvm.cli import main
from forthvm.core.errors import ForthVMError
from tests.kit.commands import Cli

GAMES = Path(__file__).resolve().parent.parent / "golden" / "games"
BOARD = "{board 2 2 {grid} board}"
PLAYERS = "{players {player} White players}"
TURNS = "{turn-order {turn} White turn-order}"
MOVES = ": put ( -- ) drop add-move ;\n{moves puts {move} put moves}"
PIECES = "{pieces {piece} Man {drops} puts pieces}"
SETUP = "{board-setup {setup} White Man a1 board-setup}"
WITHOUT_MOVES = {
    "no turn order": [BOARD, PLAYERS, MOVES, PIECES],
    "no players": [BOARD, MOVES, PIECES],
    "no pieces": [BOARD, PLAYERS, TURNS, MOVES],
    "no lists": [BOARD, PLAYERS, TURNS, "{pieces {piece} Man pieces}", SETUP],
    "a word in place of a list": [
        BOARD,
        PLAYERS,
        TURNS,
        MOVES,
        "{pieces {piece} Man {moves} puts {drops} put pieces}",
        SETUP,
    ],
    "an empty board without drops": [
        BOARD,
        PLAYERS,
        TURNS,
        MOVES,
        "{pieces {piece} Man {moves} puts pieces}",
    ],
}
PLAYABLE = {
    "drops on an empty board": [BOARD, PLAYERS, TURNS, MOVES, PIECES],
    "pieces put by a hook": [
        BOARD,
        PLAYERS,
        TURNS,
        MOVES,
        "{pieces {piece} Man {moves} puts pieces}",
        ": OnNewGame ;",
    ],
}
Write = Callable[[list[str]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a script."""

    def written(parts: list[str]) -> Path:
        path = tmp_path / "game.4th"
        path.write_text("\n".join(parts) + "\n", encoding="utf-8")
        return path

    return written


def codes(path: Path) -> set[str]:
    return {finding.code for finding in check_files([path]).findings}


@pytest.mark.parametrize("name", WITHOUT_MOVES)
def test_check_reports_games_without_moves(write: Write, name: str) -> None:
    assert "W411" in codes(write(WITHOUT_MOVES[name]))


@pytest.mark.parametrize("name", WITHOUT_MOVES)
@pytest.mark.parametrize("command", ["moves", "run", "perft", "autoplay", "think"])
def test_commands_refuse_games_without_moves(
    write: Write,
    command: str,
    name: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = write(WITHOUT_MOVES[name])
    monkeypatch.chdir(path.parent)
    options = {"run": ["--auto"], "perft": ["1"], "autoplay": ["--engine", "a=random"]}
    status = main([command, str(path), *options.get(command, [])])
    assert status in {1, 2}
    message = capsys.readouterr().err
    assert "the script has " in message or "it has " in message


@pytest.mark.parametrize("name", ["no lists", "an empty board without drops"])
def test_show_prints_a_warning(write: Write, name: str, cli: Cli) -> None:
    """`show` does not refuse the game: an author may display a board before its pieces can move."""
    message = cli.err("show", write(WITHOUT_MOVES[name]), status=0)
    assert "warning:" in message
    assert "nothing can ever move" in message


@pytest.mark.parametrize("name", PLAYABLE)
def test_playable_games_have_no_finding(write: Write, name: str) -> None:
    path = write(PLAYABLE[name])
    assert "W411" not in codes(path)
    assert main(["moves", str(path)]) == 0


@pytest.mark.slow
def test_existing_games_have_no_finding() -> None:
    """Covers the bundled games and the games of the golden recordings."""
    paths = [each.path for each in list_games()]
    paths += sorted(GAMES.rglob("*.4th"))
    missing_by_game = {}
    for path in paths:
        try:
            game = forthvm.load(path, output=lambda _: None)
        except ForthVMError:
            continue
        if game.missing:
            missing_by_game[path.name] = game.missing
    assert not missing_by_game
