"""The commands that read rule files and saved games of Zillions: replay and convert."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import forthvm
from forthvm.cli import main
from forthvm.game.saving import write_position
from forthvm.zrf.source import RuleFileError
from tests.kit.commands import Cli
from tests.kit.messages import raises

GAMES = Path(__file__).parent / "games"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A saved game of two moves, with its rule file beside it."""
    shutil.copy(GAMES / "reversi.zrf", tmp_path)
    position = forthvm.load(tmp_path / "reversi.zrf").start()
    for _ in range(2):
        position.push(position.legal_moves[0])
    path = tmp_path / "saved.zsg"
    path.write_bytes(position.to_zsg())
    return path


def test_replay_shows_each_position(saved: Path, cli: Cli) -> None:
    out = cli.out("replay", saved, "--ascii")
    position = forthvm.replay_zsg(saved)
    assert [f"{ply}. {entry.player}:" in out for ply, entry in enumerate(position.history, 1)] == [
        True,
        True,
    ]
    assert out.endswith("After 2 moves: Black to move\n")


def test_replay_stops_at_a_ply(saved: Path, cli: Cli) -> None:
    assert "After 1 move: White to move" in cli.out("replay", saved, "--ply", "1")
    assert "has 2 moves, not 3" in cli.err("replay", saved, "--ply", "3", status=2)


def test_replay_prints_the_recorded_game_as_json(saved: Path, cli: Cli) -> None:
    document = json.loads(cli.out("replay", saved, "--json"))
    assert document["rules"] == "reversi.zrf"
    assert [move["turn"] for move in document["moves"]] == [1, 1]


def test_replay_saves_the_game_again(saved: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.zsg"
    assert main(["replay", str(saved), "--brief", "--save", str(again)]) == 0
    assert again.read_bytes() == saved.read_bytes()


def test_replay_reports_the_line_that_fits_no_move(saved: Path, cli: Cli) -> None:
    saved.write_bytes(saved.read_bytes() + b"2. White disc a1\r\n")
    error = cli.err("replay", saved, status=1)
    assert "saved.zsg:6:1: `White disc a1` is not a legal move of Black (move 3)" in error
    assert "2. White disc a1" in error  # the source line


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["{saved}", "1"], 2, "omit the NUMBER"),
        (["{folder}/missing.zsg"], 1, "No such file"),
        (["{folder}/results.db"], 2, "give the NUMBER"),
    ],
)
def test_replay_refuses_wrong_arguments(
    saved: Path, arguments: list[str], status: int, message: str, cli: Cli
) -> None:
    names = {"saved": saved, "folder": saved.parent}
    assert message in cli.err(
        "replay", *(argument.format(**names) for argument in arguments), status=status
    )


def test_converted_game_plays_identically(tmp_path: Path, cli: Cli) -> None:
    output = tmp_path / "reversi.4th"
    assert cli("convert", GAMES / "reversi.zrf", "-o", output).status == 0
    rules, script = forthvm.load(GAMES / "reversi.zrf").start(), forthvm.load(output).start()
    while rules.result is None:
        assert list(rules.legal_moves.texts) == list(script.legal_moves.texts)
        assert rules.cells == script.cells
        move = rules.ply % len(rules.legal_moves)
        rules.push(rules.legal_moves[move])
        script.push(script.legal_moves[move])
    assert script.result is not None
    assert str(script.result) == str(rules.result)
    assert "--force overwrites" in cli.err("convert", GAMES / "reversi.zrf", "-o", output, status=2)


def test_convert_with_a_choice(cli: Cli) -> None:
    convert = ["convert", str(GAMES / "breakthrough.zrf")]
    assert "z-repetition?" in cli.out(*convert)
    assert "z-repetition?" not in cli.out(*convert, "--set", "third-occurrence-is-a-draw=off")


def test_convert_prints_the_script(cli: Cli) -> None:
    out = cli.out("convert", GAMES / "breakthrough.zrf")
    assert "LOAD zrf.4th" in out
    assert "{board-setup" in out


@pytest.mark.slow
def test_commands_take_a_saved_game_as_the_position(saved: Path, cli: Cli) -> None:
    position = forthvm.replay_zsg(saved)
    moves = cli.out("moves", "--position", saved).splitlines()
    assert set(position.legal_moves.texts) <= set(moves)
    assert "Black to move" in cli.out("show", "--position", saved, "--ascii")


def test_saved_position_names_the_variant(in_folder: Path, cli: Cli) -> None:
    shutil.copy(GAMES / "tictactoe.zrf", in_folder)
    game = forthvm.load(in_folder / "tictactoe.zrf", variant="Losing tic-tac-toe")
    position = game.start()
    position.push(position.legal_moves[4])
    path = in_folder / "saved.json"
    write_position(position, path)
    assert "O to move" in cli.out("show", "--position", path, "--ascii")
    assert json.loads(path.read_text(encoding="utf-8"))["variant"] == "Losing tic-tac-toe"
    assert forthvm.Position.from_json(game, path.read_text(encoding="utf-8")) == position


@pytest.mark.parametrize(
    ("sections", "what"),
    [("(board (dummy))", "pieces"), ("(board (dummy)) (piece (name Man))", "positions")],
)
def test_game_without_pieces_or_positions_is_refused(
    tmp_path: Path, sections: str, what: str
) -> None:
    path = tmp_path / "empty.zrf"
    path.write_text(f'(game (title "Empty") (players A B) (turn-order A B) {sections})')
    with raises(RuleFileError, "commands.empty-game", what=what):
        forthvm.load(path)


def test_a_saved_game_is_no_game(saved: Path, cli: Cli) -> None:
    assert "--position" in cli.err("show", saved, status=1)


def test_a_folder_stands_for_its_only_rule_file(saved: Path, cli: Cli) -> None:
    assert "reversi.zrf" in cli.out("games", saved.parent)
    shutil.copy(GAMES / "chess.zrf", saved.parent)
    assert "chess.zrf, reversi.zrf" in cli.err("show", saved.parent, status=2)


def test_an_unknown_variant_lists_the_titles(saved: Path, cli: Cli) -> None:
    rules = saved.parent / "reversi.zrf"
    assert f"0 {forthvm.load(rules).variants[0]}" in cli.err(
        "show", rules, "--variant", "zzz", status=1
    )


def test_think_names_a_move_of_chance(tmp_path: Path, cli: Cli) -> None:
    game = tmp_path / "dice.zrf"
    game.write_text(
        """(game (title "Dice") (players White ?Dice) (turn-order ?Dice White)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0))) (directions (e 1))))
        (board-setup (White (Man a)) (?Dice (die off 9)))
        (piece (name Man) (moves (e add)))
        (piece (name die) (drops (c (verify empty?) add))))""",
        encoding="utf-8",
    )
    assert "--moves '?Dice die c'" in cli.err("think", game, status=1)


def test_variants_are_listed_with_their_numbers(tmp_path: Path, cli: Cli) -> None:
    game = tmp_path / "two.zrf"
    game.write_text(
        """(game (title "One, or more") (players White) (turn-order White)
        (board (positions (a 0 0 1 1) (b 2 0 3 1)) (links e (a b)))
        (board-setup (White (Man a))) (piece (name Man) (moves (e add))))
        (variant (title "Two") (default))""",
        encoding="utf-8",
    )
    lines = cli.out("games", game).splitlines()
    assert "board     2 positions" in lines
    assert "variants  0 One, or more" in lines
    assert "          1 Two (described here)" in lines


@pytest.mark.slow
def test_a_converted_script_has_no_findings_in_the_library(tmp_path: Path, cli: Cli) -> None:
    script = tmp_path / "chess.4th"
    assert cli("convert", GAMES / "chess.zrf", "-o", script).status == 0
    assert "zrf" not in cli.out("check", script).replace("chess.zrf", "")
