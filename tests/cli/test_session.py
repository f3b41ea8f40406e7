"""The play prompt of `forthvm run`: moves, suggestions, commands, leaving."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forthvm import engines
from forthvm.cli.play.seats import Seats
from forthvm.cli.play.session import Session
from forthvm.cli.terminal import Screen
from forthvm.engines import EngineError, Limits
from forthvm.game import Position, load
from tests.cli.prompt_lines import LineReader, squares


def test_person_wins_a_game(play: Callable[..., Any]) -> None:
    # The engine occupies a3 and b3; X completes the row c1 b1 a1.
    out, position, reader = play("c1", "b1", "a1")
    assert squares(position) == ["c1", "a3", "b1", "b3", "a1"]
    assert "Game over. X won" in out
    assert "O lost" in out
    assert len(reader.prompts) == 3


def test_a_saved_record_is_shown_by_replay(play: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    out, _, _ = play("c1", f"save {path}", "quit")
    assert "forthvm replay" in out
    assert "--position" not in out
    assert "1. c1 a3" in path.read_text()


def test_result_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    position = load("tictactoe").start()
    screen = Screen()
    screen.input_is_terminal = True
    seats = Seats(position.game, ["first"], limits=Limits())
    seats.seat_person("X")
    reader = LineReader("c1", "b1", "a1", "hint", "a1", "undo", "c2")
    Session(screen, reader, position, seats).run()
    out = capsys.readouterr().out
    assert out.count("Game over. X won") == 1
    assert squares(position)[-2:] == ["c2", "c3"]


def test_prompt_shows_the_turn_and_completes_moves(play: Callable[..., Any]) -> None:
    _out, position, reader = play()
    assert reader.prompts == ["X, 9 moves, or help> "]
    assert [str(move) for move in position.legal_moves] == reader.completions[0][:9]
    assert "undo" in reader.completions[0]


def test_engine_begins_if_the_person_is_second(play: Callable[..., Any]) -> None:
    _, position, _ = play(side="O")
    assert squares(position) == ["a3"]


def test_number_selects_a_move(play: Callable[..., Any]) -> None:
    _, position, _ = play("5")
    assert squares(position)[0] == "b2"


@pytest.mark.parametrize("typed", ["0", "10", "999999999999999999999"])
def test_number_beyond_the_list_is_reported(play: Callable[..., Any], typed: str) -> None:
    out, position, _ = play(typed)
    assert position.ply == 0
    assert "the list has 9" in out


@pytest.mark.parametrize("typed", ["X mark b2", "x MARK B2", " b2 ", "xmarkb2"])
def test_move_notations_are_accepted(play: Callable[..., Any], typed: str) -> None:
    _, position, _ = play(typed)
    assert squares(position)[0] == "b2"


def test_confirmed_suggestion_is_made(play: Callable[..., Any]) -> None:
    _out, position, reader = play("X mrak b2", "")
    assert reader.prompts[1] == "Did you mean X mark b2? [Y/n] "
    assert squares(position)[0] == "b2"


def test_rejected_suggestion_is_not_made(play: Callable[..., Any]) -> None:
    _, position, _ = play("X mrak b2", "n")
    assert position.ply == 0


def test_ctrl_c_rejects_a_suggestion(play: Callable[..., Any]) -> None:
    _, position, reader = play("X mrak b2", KeyboardInterrupt(), "c1")
    assert reader.prompts[2] == "X, 9 moves, or help> "
    assert squares(position)[0] == "c1"


def test_ambiguous_text_lists_numbered_moves(play: Callable[..., Any]) -> None:
    out, position, _ = play("X mark b")
    assert position.ply == 0
    assert "2 X mark b3" in out
    assert "5 X mark b2" in out
    assert "8 X mark b1" in out


def test_unknown_text_refers_to_help(play: Callable[..., Any]) -> None:
    out, position, _ = play("?!$")
    assert position.ply == 0
    assert "help" in out


def test_undo_returns_to_the_last_choice(play: Callable[..., Any]) -> None:
    out, position, _ = play("c1", "b1", "undo")
    assert squares(position) == ["c1", "a3"]
    assert "Took back 2 plies" in out


def test_undo_at_the_start_is_refused(play: Callable[..., Any]) -> None:
    out, position, _ = play("undo")
    assert "nothing to take back" in out
    assert position.ply == 0


def test_commands_that_show_do_not_change_the_position(play: Callable[..., Any]) -> None:
    out, position, _ = play("help", "moves", "moves b2", "board", "hint", "")
    assert position.ply == 0
    assert "save FILE" in out
    assert "1 X mark a3" in out
    assert "5 X mark b2" in out.splitlines()
    assert [line.split() for line in out.splitlines()].count(["a", "b", "c"]) == 2
    assert "X mark a3" in out.splitlines()


def test_play_lets_the_engine_move(play: Callable[..., Any]) -> None:
    _, position, _ = play("play")
    assert squares(position) == ["a3", "b3"]


def test_saved_game_can_be_continued(play: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "my game.json"
    out, position, _ = play("c1", f"save {path}")
    assert str(path) in out
    assert "not saved" not in out
    loaded = Position.from_json(load("tictactoe"), path.read_text(encoding="utf-8"))
    assert loaded == position
    out, position, _ = play("undo", "b2", position=loaded)
    assert squares(position)[0] == "b2"


def test_save_to_a_missing_folder_is_reported(play: Callable[..., Any], tmp_path: Path) -> None:
    out, _, _ = play(f"save {tmp_path}/none/x.json", "save", "save " + str(tmp_path))
    assert out.count("Cannot write") == 2
    assert "FILE is missing" in out


@pytest.mark.parametrize("end", ["quit", "exit", "q", EOFError(), KeyboardInterrupt()])
def test_quit_and_end_of_input_leave(play: Callable[..., Any], end: str | BaseException) -> None:
    out, position, _ = play("c1", end)
    assert "unfinished (not saved)" in out
    assert position.ply == 2


class InterruptedEngine:
    """An engine whose first call is interrupted by Ctrl-C."""

    def __init__(self) -> None:
        self.remaining_interrupts = 1

    def play(self, position: Position, limits: Limits) -> str:
        if self.remaining_interrupts:
            self.remaining_interrupts -= 1
            raise KeyboardInterrupt
        return str(position.legal_moves[0])


@pytest.mark.parametrize(
    ("lines", "result"),
    [
        (["play"], ["c1", "a3"]),
        (["moves", "b2"], ["c1", "b2"]),
        (["undo"], []),
        (["", "x"], ["c1"]),
    ],
)
def test_ctrl_c_stops_a_searching_engine(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    lines: list[str],
    result: list[str],
) -> None:
    game = load("tictactoe")
    seats = Seats(game, [], limits=Limits())
    seats.seat_person("X")
    engine = engines.get(InterruptedEngine())
    monkeypatch.setattr(seats, "_engines", dict.fromkeys(game.players, engine))
    screen = Screen()
    screen.input_is_terminal = True
    reader = LineReader("c1", *lines)
    position = game.start()
    Session(screen, reader, position, seats).run()
    assert squares(position) == result
    assert reader.prompts[1].startswith("O was stopped.  play")
    assert "Traceback" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "result"), [(["a3"], ["c1", "a3"]), (["undo"], []), (["save"], ["c1"])]
)
def test_an_engine_that_resigned_is_not_asked_again(
    capsys: pytest.CaptureFixture[str], lines: list[str], result: list[str]
) -> None:
    game = load("tictactoe")
    seats = Seats(game, ["O=tests.autoplay.players:Resigns"], limits=Limits())
    seats.seat_person("X")
    screen = Screen()
    screen.input_is_terminal = True
    reader = LineReader("c1", *lines)
    position = game.start()
    Session(screen, reader, position, seats).run()
    assert squares(position) == result
    assert reader.prompts[1].startswith("O has resigned.  play")
    assert "failed" not in capsys.readouterr().out


def test_ctrl_c_stops_a_hint(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("tictactoe")
    seats = Seats(game, [], limits=Limits())
    seats.seat_person("all")
    monkeypatch.setattr(
        seats, "_engines", dict.fromkeys(game.players, engines.get(InterruptedEngine()))
    )
    screen = Screen()
    screen.input_is_terminal = True
    position = game.start()
    Session(screen, LineReader("c1", "hint", "b2"), position, seats).run()
    assert squares(position) == ["c1", "b2"]
    assert "Stopped." in capsys.readouterr().out


def test_prompt_help_fits_a_narrow_terminal(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out, _, _ = play("help")
    assert max(map(len, out.partition("help>")[0].splitlines())) <= 40
    assert "save FILE" in out


def test_leaving_without_moves_does_not_warn(play: Callable[..., Any]) -> None:
    out, _, _ = play("quit")
    assert out.splitlines()[-1] == "Goodbye."


def test_ply_limit_stops_the_session(play: Callable[..., Any]) -> None:
    out, position, _ = play("c1", "b1", max_plies=2)
    assert position.ply == 2
    assert "2 plies were played" in out


def test_humans_can_play_all_sides(play: Callable[..., Any]) -> None:
    _, position, reader = play("b2", "a1", side="all")
    assert squares(position) == ["b2", "a1"]
    assert [prompt[0] for prompt in reader.prompts] == ["X", "O", "X"]


def test_session_continues_after_a_script_error(
    play: Callable[..., Any], script: Callable[..., Path]
) -> None:
    path = script(
        words=(
            ": bump ( -- ) 1 0 / DROP ;\n"
            ": step ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;\n"
            ": boom ( -- ) from here move COMPILE bump add-move ;\n"
            ": go-e ['] e step ;\n: go-w current-player Left = IF boom ELSE ['] w step ENDIF ;"
        )
    )
    out, position, _ = play("2", "1", side="Left", game=path)
    assert "division by zero" in out
    # Right's first move is e1 - d1, the first of its list.
    assert [str(played) for played in position.history] == ["man a1 - b1", "man e1 - d1"]


def test_user_plays_for_a_failed_engine(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(seats: Seats, position: Position) -> None:
        raise EngineError("out of ideas")

    monkeypatch.setattr(Seats, "play", fail)
    out, position, reader = play("c1", "a3", "b1")
    assert "out of ideas" in out
    assert "you make its moves from now on" in out
    assert squares(position) == ["c1", "a3", "b1"]
    assert [prompt[0] for prompt in reader.prompts] == ["X", "O", "X", "O"]


def test_undo_works_after_a_failing_hook(
    play: Callable[..., Any], script: Callable[..., Path]
) -> None:
    path = script(
        over=": OnIsGameOver #UnknownScore b1 not-empty-at? IF 1 0 / DROP ENDIF ;",
        setup="{board-setup {setup} Left man c1 {setup} Right man e1 board-setup}",
    )
    # Left's second move is c1 - b1; OnIsGameOver then fails until the move is taken back.
    out, position, reader = play("2", "undo", side="all", game=path)
    assert "division by zero" in out
    assert reader.prompts[1].startswith("The script failed.")
    assert "Took back 1 ply" in out
    assert position.ply == 0
