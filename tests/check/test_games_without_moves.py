"""Tests that `check` reports games in which no player can move, and that commands refuse them."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.catalogue.bundled import list_games
from forthvm.check import check_files
from forthvm.core.errors import ForthVMError
from tests.kit.commands import Cli
from tests.kit.files import write

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


def codes(path: Path) -> set[str]:
    return {finding.code for finding in check_files([path]).findings}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", WITHOUT_MOVES)
def test_check_reports_games_without_moves(tmp_path: Path, name: str) -> None:
    assert "W411" in codes(write(tmp_path / "game.4th", "\n".join(WITHOUT_MOVES[name])))


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", WITHOUT_MOVES)
@pytest.mark.parametrize("command", ["moves", "run", "perft", "autoplay", "think"])
def test_commands_refuse_games_without_moves(
    in_folder: Path, command: str, name: str, cli: Cli
) -> None:
    path = write(in_folder / "game.4th", "\n".join(WITHOUT_MOVES[name]))
    options = {"run": ["--auto"], "perft": ["1"], "autoplay": ["--engine", "a=random"]}
    status, _, message = cli(command, path, *options.get(command, []))
    assert status in {1, 2}
    assert "the script has " in message or "it has " in message


@pytest.mark.parametrize("name", ["no lists", "an empty board without drops"])
def test_show_prints_a_warning(tmp_path: Path, name: str, cli: Cli) -> None:
    """`show` does not refuse the game: an author may display a board before its pieces can move."""
    path = write(tmp_path / "game.4th", "\n".join(WITHOUT_MOVES[name]))
    message = cli.err("show", path, status=0)
    assert "warning:" in message
    assert "nothing can ever move" in message


@pytest.mark.parametrize("name", PLAYABLE)
def test_playable_games_have_no_finding(cli: Cli, tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "game.4th", "\n".join(PLAYABLE[name]))
    assert "W411" not in codes(path)
    assert cli("moves", path).status == 0


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
