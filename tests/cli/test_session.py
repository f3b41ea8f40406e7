"""The play prompt of `forthvm run`: moves, suggestions, commands, leaving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from forthvm import engines
from forthvm.cli.play.line_input import Reader
from forthvm.cli.play.seats import Seats
from forthvm.cli.play.session import Session
from forthvm.cli.terminal import Screen
from forthvm.engines import EngineError, Limits
from forthvm.game import Position, load


class Lines(Reader):
    """Returns lines from a list; then the input ends."""

    def __init__(self, *answers: str | BaseException) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []
        self.offers: list[list[str]] = []

    def ask(self, prompt: str, offers: Sequence[str] = ()) -> str:
        self.prompts.append(prompt)
        self.offers.append(list(offers))
        if not self.answers:
            raise EOFError
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Plays tic-tac-toe as X against the engine `first`; returns output, position and reader."""

    def run(
        *answers: str | BaseException,
        side: str = "X",
        game: str | Path = "tictactoe",
        position: Position | None = None,
        max_plies: int | None = None,
    ) -> tuple[str, Position, Lines]:
        loaded = position.game if position else load(game)
        reader = Lines(*answers)
        seats = Seats(loaded, ["first"], limits=Limits())
        seats.seat_person(side)
        position = position or loaded.start()
        session = Session(Screen(), reader, position, seats, max_plies=max_plies)
        session.run()
        return capsys.readouterr().out, session.position, reader

    return run


def squares(position: Position) -> list[str]:
    return [played.text.split()[-1] for played in position.history]


def test_person_wins_a_game(play: Callable[..., Any]) -> None:
    # The engine occupies a3 and b3; X completes the row c1 b1 a1.
    out, position, reader = play("c1", "b1", "a1")
    assert squares(position) == ["c1", "a3", "b1", "b3", "a1"]
    assert "Game over. X won" in out
    assert "O lost" in out
    assert len(reader.prompts) == 3


def test_result_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    position = load("tictactoe").start()
    screen = Screen()
    screen.asks = True
    seats = Seats(position.game, ["first"], limits=Limits())
    seats.seat_person("X")
    reader = Lines("c1", "b1", "a1", "hint", "a1", "undo", "c2")
    Session(screen, reader, position, seats).run()
    out = capsys.readouterr().out
    assert out.count("Game over. X won") == 1
    assert squares(position)[-2:] == ["c2", "c3"]


def test_prompt_shows_the_turn_and_completes_moves(play: Callable[..., Any]) -> None:
    _out, position, reader = play()
    assert reader.prompts == ["X, 9 moves, or help> "]
    assert [str(move) for move in position.legal_moves] == reader.offers[0][:9]
    assert "undo" in reader.offers[0]


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


def test_showing_commands_keep_the_position(play: Callable[..., Any]) -> None:
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
    again = Position.from_json(load("tictactoe"), path.read_text(encoding="utf-8"))
    assert again == position
    out, position, _ = play("undo", "b2", position=again)
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


class Impatient:
    """An engine whose first call is interrupted by Ctrl-C."""

    def __init__(self) -> None:
        self.waits = 1

    def play(self, position: Position, limits: Limits) -> str:
        if self.waits:
            self.waits -= 1
            raise KeyboardInterrupt
        return str(position.legal_moves[0])


@pytest.mark.parametrize(
    ("answers", "result"),
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
    answers: list[str],
    result: list[str],
) -> None:
    game = load("tictactoe")
    seats = Seats(game, [], limits=Limits())
    seats.seat_person("X")
    engine = engines.get(Impatient())
    monkeypatch.setattr(seats, "_engines", dict.fromkeys(game.players, engine))
    screen = Screen()
    screen.asks = True
    reader = Lines("c1", *answers)
    position = game.start()
    Session(screen, reader, position, seats).run()
    assert squares(position) == result
    assert reader.prompts[1].startswith("O was stopped.  play")
    assert "Traceback" not in capsys.readouterr().out


def test_ctrl_c_stops_a_hint(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("tictactoe")
    seats = Seats(game, [], limits=Limits())
    seats.seat_person("all")
    monkeypatch.setattr(seats, "_engines", dict.fromkeys(game.players, engines.get(Impatient())))
    screen = Screen()
    screen.asks = True
    position = game.start()
    Session(screen, Lines("c1", "hint", "b2"), position, seats).run()
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


# --- undo, redo, save and load ----------------------------------------------------------


def test_redo_makes_undone_moves(play: Callable[..., Any]) -> None:
    out, position, _ = play("c1", "b1", "undo", "undo", "redo", "redo")
    assert squares(position) == ["c1", "a3", "b1", "b3"]
    assert "3. X: X mark b1" in out.splitlines()


@pytest.mark.parametrize(
    "answers", [["redo"], ["c1", "undo", "b2", "redo"], ["c1", "undo", "new", "redo"]]
)
def test_redo_without_undo_is_refused(play: Callable[..., Any], answers: list[str]) -> None:
    out, position, _ = play(*answers)
    assert "nothing to make again" in out
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


def test_load_continues_from_a_file(play: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "my game.json"
    out, position, _ = play("c1", f"save {path}", "new", f"load {path}", "b1", "undo", "undo", "b2")
    assert squares(position) == ["b2", "a3"]
    assert "Loaded, after 2 plies." in out
    assert f"forthvm run --position '{path}'" in out


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("load", "FILE is missing"),
        ("load none.json", "cannot read none.json"),
        ("load {}", "format"),
    ],
)
def test_unloadable_files_are_refused(
    play: Callable[..., Any], tmp_path: Path, typed: str, said: str
) -> None:
    path = tmp_path / "other.json"
    path.write_text("{}")
    out, position, _ = play("c1", typed.replace("{}", str(path)))
    assert said in out
    assert position.ply == 2


@pytest.mark.parametrize("word", ["new", "load"])
def test_unsaved_moves_need_confirmation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, word: str
) -> None:
    path = tmp_path / "begin.json"
    position = load("tictactoe").start()
    path.write_text(position.to_json())
    screen = Screen()
    screen.asks = True
    seats = Seats(position.game, ["first"], limits=Limits())
    seats.seat_person("X")
    line = f"load {path}" if word == "load" else word
    reader = Lines("c1", line, "", line, "y", line)
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


def test_undo_passes_a_save(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """This also holds after moves of the script's engines and of dice."""
    path = tmp_path / "duel.json"
    for moves in (["1", "1", "1", f"save {path}"], [f"load {path}", "undo", "undo", "undo"]):
        game = load("splut-duel")
        seats = Seats(game, ["script:depth=1"], limits=Limits())
        seats.seat_person("South")
        session = Session(Screen(), Lines(*moves), game.start(), seats)
        session.run()
    out = capsys.readouterr().out
    assert "cannot be taken back" not in out
    assert session.position == game.start()


def test_undo_of_unrepeatable_moves_is_refused(play: Callable[..., Any], tmp_path: Path) -> None:
    """The last choice of the user is before the save."""
    position = load("tictactoe").start()
    position.push_text("c1")
    position.seed(3)  # making the moves again would lead to another random state
    again = Position.from_json(position.game, position.to_json())
    out, position, _ = play("undo", position=again)
    assert squares(position) == ["c1", "a3"]
    assert "cannot be taken back" in out


# --- passes and chains ------------------------------------------------------------------


@pytest.fixture
def shut_in() -> Position:
    """A Reversi position in which White can play c1 and c3, and Black can only pass."""
    white, black = [("White", "disc", at) for at in ("a1", "a3")], ("b1", "b3")
    setup = [*white, *(("Black", "disc", at) for at in black)]
    return load("reversi").start(setup=setup, turn="White")


def test_forced_pass_is_made_automatically(play: Callable[..., Any], shut_in: Position) -> None:
    out, position, reader = play("c1", side="all", position=shut_in)
    assert [played.player for played in position.history] == ["White", "Black"]
    assert "2. Black had no other move and passed." in out.splitlines()
    assert [prompt.split(",")[0] for prompt in reader.prompts] == ["White", "White"]


def test_undo_takes_back_automatic_passes(play: Callable[..., Any], shut_in: Position) -> None:
    out, position, _ = play("c1", "undo", "redo", "undo", side="all", position=shut_in)
    assert position.ply == 0
    assert out.count("Took back 2 plies") == 2


def test_passes_ask_waits_for_the_user(play: Callable[..., Any], shut_in: Position) -> None:
    out, position, reader = play("passes ask", "c1", "pass", side="all", position=shut_in)
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
    jumps = [("Black", "man", "c3"), *(("White", "man", at) for at in ("d4", "f6", "a7"))]
    position = load("draughts").start(setup=jumps, turn="Black")
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
