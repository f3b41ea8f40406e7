"""A person at the board: moves, corrections, commands, the ways out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from forthvm import engines
from forthvm.cli.prompt import Reader
from forthvm.cli.seats import Seats
from forthvm.cli.session import Session
from forthvm.cli.terminal import Screen
from forthvm.engines import EngineError, Limits
from forthvm.game import Position, load


class Lines(Reader):
    """Answers from a list; then the input ends."""

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
    """Plays tic-tac-toe as X against the engine `first`; gives the output and the position."""

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
        Session(Screen(), reader, position, seats, max_plies=max_plies).run()
        return capsys.readouterr().out, position, reader

    return run


def squares(position: Position) -> list[str]:
    return [played.text.split()[-1] for played in position.history]


def test_a_game_to_its_end(play: Callable[..., Any]) -> None:
    # The engine fills a3 and b3; X makes the line c1 b1 a1.
    out, position, reader = play("c1", "b1", "a1")
    assert squares(position) == ["c1", "a3", "b1", "b3", "a1"]
    assert "Game over. X won" in out
    assert "O lost" in out
    assert len(reader.prompts) == 3


def test_the_prompt_says_whose_turn_it_is_and_offers_the_moves(play: Callable[..., Any]) -> None:
    _out, position, reader = play()
    assert reader.prompts == ["X, 9 moves, or help> "]
    assert [str(move) for move in position.legal_moves] == reader.offers[0][:9]
    assert "undo" in reader.offers[0]


def test_the_other_side_lets_the_engine_begin(play: Callable[..., Any]) -> None:
    _, position, _ = play(side="O")
    assert squares(position) == ["a3"]


def test_a_number_chooses_from_the_list(play: Callable[..., Any]) -> None:
    _, position, _ = play("5")
    assert squares(position)[0] == "b2"


@pytest.mark.parametrize("typed", ["0", "10", "999999999999999999999"])
def test_a_number_that_is_not_in_the_list(play: Callable[..., Any], typed: str) -> None:
    out, position, _ = play(typed)
    assert position.ply == 0
    assert "the list has 9" in out


@pytest.mark.parametrize("typed", ["X mark b2", "x MARK B2", " b2 ", "xmarkb2"])
def test_ways_to_write_a_move(play: Callable[..., Any], typed: str) -> None:
    _, position, _ = play(typed)
    assert squares(position)[0] == "b2"


def test_a_slip_is_asked_about_and_taken_on_yes(play: Callable[..., Any]) -> None:
    _out, position, reader = play("X mrak b2", "")
    assert reader.prompts[1] == "Did you mean X mark b2? [Y/n] "
    assert squares(position)[0] == "b2"


def test_a_slip_is_not_taken_on_no(play: Callable[..., Any]) -> None:
    _, position, _ = play("X mrak b2", "n")
    assert position.ply == 0


def test_an_ambiguous_text_gets_suggestions_with_their_numbers(play: Callable[..., Any]) -> None:
    out, position, _ = play("X mark b")
    assert position.ply == 0
    assert "2  X mark b3" in out
    assert "5  X mark b2" in out
    assert "8  X mark b1" in out


def test_nonsense_gets_directions(play: Callable[..., Any]) -> None:
    out, position, _ = play("?!$")
    assert position.ply == 0
    assert "help" in out


def test_undo_goes_back_to_the_persons_last_choice(play: Callable[..., Any]) -> None:
    out, position, _ = play("c1", "b1", "undo")
    assert squares(position) == ["c1", "a3"]
    assert "Took back 2 plies" in out


def test_undo_at_the_start(play: Callable[..., Any]) -> None:
    out, position, _ = play("undo")
    assert "nothing to take back" in out
    assert position.ply == 0


def test_commands_that_change_nothing(play: Callable[..., Any]) -> None:
    out, position, _ = play("help", "moves", "moves b2", "board", "hint", "")
    assert position.ply == 0
    assert "save FILE" in out
    assert "1 X mark a3" in out
    assert "5 X mark b2" in out.splitlines()
    assert [line.split() for line in out.splitlines()].count(["a", "b", "c"]) == 2
    assert "X mark a3" in out.splitlines()


def test_the_engine_can_make_the_persons_move(play: Callable[..., Any]) -> None:
    _, position, _ = play("play")
    assert squares(position) == ["a3", "b3"]


def test_a_saved_game_goes_on(play: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "my game.json"
    out, position, _ = play("c1", f"save {path}")
    assert str(path) in out
    assert "not saved" not in out
    again = Position.from_json(load("tictactoe"), path.read_text(encoding="utf-8"))
    assert again == position
    out, position, _ = play("undo", "b2", position=again)
    assert squares(position)[0] == "b2"


def test_save_into_nowhere_is_told(play: Callable[..., Any], tmp_path: Path) -> None:
    out, _, _ = play(f"save {tmp_path}/none/x.json", "save", "save " + str(tmp_path))
    assert out.count("Cannot write") == 2
    assert "Save where?" in out


@pytest.mark.parametrize("end", ["quit", "exit", "q", EOFError(), KeyboardInterrupt()])
def test_the_ways_out(play: Callable[..., Any], end: str | BaseException) -> None:
    out, position, _ = play("c1", end)
    assert "unfinished (not saved)" in out
    assert position.ply == 2


class Impatient:
    """An engine during which somebody presses Ctrl-C, at first."""

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
def test_ctrl_c_stops_a_thinking_engine_and_asks(
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


def test_help_keeps_to_a_narrow_terminal(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out, _, _ = play("help")
    assert max(map(len, out.partition("help>")[0].splitlines())) <= 40
    assert "save FILE" in out


def test_leaving_at_once_loses_nothing(play: Callable[..., Any]) -> None:
    out, _, _ = play("quit")
    assert out.splitlines()[-1] == "Goodbye."


def test_a_ply_limit(play: Callable[..., Any]) -> None:
    out, position, _ = play("c1", "b1", max_plies=2)
    assert position.ply == 2
    assert "2 plies were played" in out


def test_persons_on_all_sides(play: Callable[..., Any]) -> None:
    _, position, reader = play("b2", "a1", side="all")
    assert squares(position) == ["b2", "a1"]
    assert [prompt[0] for prompt in reader.prompts] == ["X", "O", "X"]


def test_a_failing_script_is_reported_and_the_game_goes_on(
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
    # Right's first move is e1 - d1, the first of his list.
    assert [str(played) for played in position.history] == ["man a1 - b1", "man e1 - d1"]


def test_the_game_goes_on_when_the_engine_fails(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(seats: Seats, position: Position) -> None:
        raise EngineError("out of ideas")

    monkeypatch.setattr(Seats, "play", fail)
    out, position, reader = play("c1", "a3", "b1")
    assert "out of ideas" in out
    assert "choose its moves yourself" in out
    assert squares(position) == ["c1", "a3", "b1"]
    assert [prompt[0] for prompt in reader.prompts] == ["X", "O", "X", "O"]


def test_a_script_that_fails_when_asked_lets_the_person_take_back(
    play: Callable[..., Any], script: Callable[..., Path]
) -> None:
    path = script(
        over=": OnIsGameOver #UnknownScore b1 not-empty-at? IF 1 0 / DROP ENDIF ;",
        setup="{board-setup {setup} Left man c1 {setup} Right man e1 board-setup}",
    )
    # Left's second move is c1 - b1; what is asked then fails until it is taken back.
    out, position, reader = play("2", "undo", side="all", game=path)
    assert "division by zero" in out
    assert reader.prompts[1].startswith("The script failed.")
    assert "Took back 1 ply" in out
    assert position.ply == 0
