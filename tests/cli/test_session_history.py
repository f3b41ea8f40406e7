"""The play prompt of `forthvm run`: undo, redo, save and load, passes and chains."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forthvm.cli.play.seats import Seats
from forthvm.cli.play.session import Session
from forthvm.cli.terminal import Screen
from forthvm.engines import Limits
from forthvm.game import Position, load
from forthvm.system.command_line import join_words, quoted
from tests.cli.prompt_lines import LineReader, squares
from tests.engines.programs import command

# --- undo, redo, save and load ----------------------------------------------------------


def test_redo_repeats_undone_moves(play: Callable[..., Any]) -> None:
    out, position, _ = play("c1", "b1", "undo", "undo", "redo", "redo")
    assert squares(position) == ["c1", "a3", "b1", "b3"]
    assert "3. X: X mark b1" in out.splitlines()


@pytest.mark.parametrize(
    "answers", [["redo"], ["c1", "undo", "b2", "redo"], ["c1", "undo", "new", "redo"]]
)
def test_redo_without_undo_is_refused(play: Callable[..., Any], answers: list[str]) -> None:
    out, position, _ = play(*answers)
    assert "There is no undone move" in out
    assert position.ply in {0, 2}


def test_undo_without_own_moves_is_refused(play: Callable[..., Any]) -> None:
    """After an undo of the engine's move, the engine would repeat it."""
    out, position, _ = play("undo", side="O")
    assert "no move that could be taken back" in out
    assert squares(position) == ["a3"]


def test_new_begins_a_new_game(play: Callable[..., Any]) -> None:
    out, position, reader = play("c1", "new", "b2")
    assert squares(position) == ["b2", "a3"]
    assert "A new game." in out
    assert reader.prompts[2] == "X, 9 moves, or help> "


def test_engines_are_told_of_a_new_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    position = load("tictactoe").start()
    seats = Seats(position.game, [f"ugi:{join_words(command('log', log))}"], limits=Limits(depth=1))
    seats.seat_person("X")
    Session(Screen(), LineReader("c1", "new", "c1"), position, seats).run()
    assert log.read_text(encoding="utf-8").splitlines().count("uginewgame") == 2
    assert "A new game." in capsys.readouterr().out


def test_load_continues_from_a_file(play: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "my game.json"
    out, position, _ = play("c1", f"save {path}", "new", f"load {path}", "b1", "undo", "undo", "b2")
    assert squares(position) == ["b2", "a3"]
    assert "Loaded, after 2 plies." in out
    assert f"forthvm run --position {quoted(str(path))}" in out


def test_load_replays_a_saved_game_of_zillions(play: Callable[..., Any], tmp_path: Path) -> None:
    rules = tmp_path / "two.zrf"
    rules.write_text(
        """(game (title "One") (players X O) (turn-order X O)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0))) (directions (e 1))))
        (board-setup (X (Disc off 9)) (O (Disc off 9)))
        (piece (name Disc) (drops ((verify empty?) add))))
        (variant (title "Two"))""",
        encoding="utf-8",
    )
    path = tmp_path / "saved.zsg"
    out, position, _ = play("2", f"save {path}", "new", f"load {path}", game=rules)
    assert "Loaded, after 2 plies." in out
    assert [entry.text for entry in position.history] == ["X Disc b", "O Disc a"]

    path.write_bytes(path.read_bytes().replace(b"VariantName=One", b"VariantName=Two"))
    assert "a game of `Two`" in play(f"load {path}", game=rules)[0]
    path.write_bytes(b"")
    out, position, _ = play("1", f"load {path}", f"load {tmp_path}/none.zsg", game=rules)
    assert "does not begin as a saved game" in out
    assert "cannot read" in out
    assert position.ply == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("load", "FILE is missing"),
        ("load none.json", "cannot read none.json"),
        ("load {}", "format"),
    ],
)
def test_unloadable_files_are_refused(
    play: Callable[..., Any], tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "other.json"
    path.write_text("{}")
    out, position, _ = play("c1", line.replace("{}", str(path)))
    assert message in out
    assert position.ply == 2


@pytest.mark.parametrize("word", ["new", "load"])
def test_unsaved_moves_need_confirmation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, word: str
) -> None:
    path = tmp_path / "begin.json"
    position = load("tictactoe").start()
    path.write_text(position.to_json())
    screen = Screen()
    screen.input_is_terminal = True
    seats = Seats(position.game, ["first"], limits=Limits())
    seats.seat_person("X")
    line = f"load {path}" if word == "load" else word
    reader = LineReader("c1", line, "", line, "y", line)
    session = Session(screen, reader, position, seats)
    session.run()
    assert [prompt.startswith("This game is not saved") for prompt in reader.prompts] == [
        *(False, False, True, False, True, False, False)
    ]
    assert session.position.ply == 0
    assert "Nothing was changed." in capsys.readouterr().out


def test_changed_moves_count_as_unsaved(play: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    out, _, _ = play("c1", f"save {path}", "undo", "quit")
    assert "not saved" not in out
    out, _, _ = play("c1", f"save {path}", "undo", "b2", "quit")
    assert "not saved" in out


def test_undo_works_after_loading_a_saved_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Undo also takes back moves of the script's engine and of dice."""
    path = tmp_path / "duel.json"
    for moves in (["1", "1", "1", f"save {path}"], [f"load {path}", "undo", "undo", "undo"]):
        game = load("splut-duel")
        seats = Seats(game, ["script:depth=1"], limits=Limits())
        seats.seat_person("South")
        session = Session(Screen(), LineReader(*moves), game.start(), seats)
        session.run()
    out = capsys.readouterr().out
    assert "cannot be taken back" not in out
    assert session.position == game.start()


def test_undo_of_unrepeatable_moves_is_refused(play: Callable[..., Any], tmp_path: Path) -> None:
    """The last choice of the user is before the save."""
    position = load("tictactoe").start()
    position.push("c1")
    position.seed(3)  # repeating the moves would lead to another random state
    loaded = Position.from_json(position.game, position.to_json())
    out, position, _ = play("undo", position=loaded)
    assert squares(position) == ["c1", "a3"]
    assert "cannot be taken back" in out


# --- passes and chains ------------------------------------------------------------------


@pytest.fixture
def black_must_pass() -> Position:
    """A Reversi position in which White can play c1 and c3, and Black can only pass."""
    white, black = [("White", "disc", at) for at in ("a1", "a3")], ("b1", "b3")
    setup = [*white, *(("Black", "disc", at) for at in black)]
    return load("reversi").start(setup=setup, turn="White")


def test_forced_pass_is_made_automatically(
    play: Callable[..., Any], black_must_pass: Position
) -> None:
    out, position, reader = play("c1", side="all", position=black_must_pass)
    assert [played.player for played in position.history] == ["White", "Black"]
    assert "2. Black had no other move and passed." in out.splitlines()
    assert [prompt.split(",")[0] for prompt in reader.prompts] == ["White", "White"]


def test_undo_takes_back_automatic_passes(
    play: Callable[..., Any], black_must_pass: Position
) -> None:
    out, position, _ = play("c1", "undo", "redo", "undo", side="all", position=black_must_pass)
    assert position.ply == 0
    assert out.count("Took back 2 plies") == 2


def test_passes_ask_waits_for_the_user(play: Callable[..., Any], black_must_pass: Position) -> None:
    out, position, reader = play("passes ask", "c1", "pass", side="all", position=black_must_pass)
    assert reader.prompts[2] == "Black, 1 move, or help> "
    assert "left to you" in out
    assert position.ply == 2


def test_passes_reports_its_setting(play: Callable[..., Any]) -> None:
    out, _, _ = play("passes", "passes now", "passes ask", "passes")
    assert out.count("made automatically") == 1
    assert out.count("left to you") == 2
    assert "passes play, or passes ask" in out


def test_eliminated_players_pass_automatically(play: Callable[..., Any]) -> None:
    """A team of Splut! without pieces can only pass, in each of its steps."""
    game = load("splut")
    position = game.start(
        setup=[
            piece
            for piece in pieces_of(game.start())
            if piece[0] != "South" or piece[1] not in {"wizard", "troll", "dwarf"}
        ]
    )
    out, position, reader = play(side="all", position=position)
    assert "South had no other move and passed." in out
    assert not reader.prompts[0].startswith("South")


def pieces_of(position: Position) -> list[tuple[str, str, str]]:
    return [(piece.player, piece.type, square) for square, piece in position.board.items() if piece]


def test_undo_takes_back_a_chain(play: Callable[..., Any]) -> None:
    pieces = [("Black", "man", "c3"), *(("White", "man", at) for at in ("d4", "f6", "a7"))]
    position = load("draughts").start(setup=pieces, turn="Black")
    out, position, _ = play("c3-e5-g7", side="all", position=position)
    assert [str(played) for played in position.history] == [
        "man c3 - e5 x d4",
        "man e5 - g7 x f6",
    ]
    assert "1. Black: man c3 - e5 x d4" in out
    assert "2. Black: man e5 - g7 x f6" in out
    out, position, _ = play("undo", "redo", "undo", side="all", position=position)
    assert position.ply == 1  # the chain was not typed in this session
    position.pop()
    out, position, _ = play("c3-e5-g7", "undo", side="all", position=position)
    assert position.ply == 0
    assert "Took back 2 plies" in out
