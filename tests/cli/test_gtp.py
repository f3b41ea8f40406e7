"""`forthvm gtp`: answers to valid and invalid commands."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forthvm
from forthvm.engines import EngineError
from forthvm.engines.protocols.gtp.server import GtpServer
from forthvm.engines.protocols.server import TOO_LONG
from forthvm.game.records.recorded import game_of
from forthvm.game.records.sgf import text_of
from tests.kit.boards import grid
from tests.kit.games import load_text
from tests.kit.messages import raises
from tests.kit.processes import FORTHVM

CHECKOUT = Path(__file__).resolve().parents[2]


def answers(*lines: str, game: str = "go-9x9", engine: str = "first") -> list[str]:
    """Send lines to a server, and return its answers, without their blank lines at the end."""
    output: list[str] = []
    server = GtpServer(forthvm.load(game, output=lambda _: None), output.append, engine)
    server.serve(lines)
    text = "".join(f"{line}\n" for line in output)
    assert not text or text.endswith("\n\n")
    return text.split("\n\n")[:-1]


def test_a_session() -> None:
    assert answers(
        *("1 protocol_version", "2 known_command genmove", "known_command tea", "boardsize 9"),
        *("clear_board", "komi 6.5", "play b D4", "play WHITE pass", "3 genmove black", "undo"),
        *("reg_genmove b", "final_score", "quit"),
    ) == ["=1 2", "=2 true", "= false", *["="] * 5, "=3 A9", "=", "= A9", "= B+74.5", "="]


def test_commands_after_quit_are_not_executed() -> None:
    assert answers("quit", "name") == ["="]


def test_all_listed_commands_are_known() -> None:
    (listed,) = answers("list_commands")
    names = listed.removeprefix("= ").split("\n")
    assert answers(*(f"known_command {name}" for name in names)) == ["= true"] * len(names)
    assert len(names) >= 20


def test_comments_blank_lines_and_control_characters_are_ignored() -> None:
    assert answers("# a comment", "", "  \t", "7\tname # mine", "na\x01me\r") == [
        "=7 forthvm first",
        "= forthvm first",
    ]


def test_boards_of_other_sizes_are_those_of_the_folder() -> None:
    shown = answers("boardsize 13", "showboard", "boardsize 19", "showboard", "boardsize 9")
    rows = [len(answer.split("\n")) - 2 for answer in (shown[1], shown[3])]  # without columns, turn
    assert rows == [14, 20]
    assert shown[0] == shown[2] == shown[4] == "="


def test_the_komi_is_kept_on_boards_of_other_sizes() -> None:
    assert answers("komi 7.5", "boardsize 13", "final_score") == ["=", "=", "= W+7.5"]


def test_a_change_of_komi_keeps_the_moves() -> None:
    assert answers("play b a1", "play w pass", "komi 0", "final_score") == [*["="] * 3, "= B+81"]


NUMERIC_KOMI = grid(9, 9, players="Black White")
NUMERIC_KOMI += """\
VARIABLE points
: komi= ( n -- ) points ! ;
: put empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} stone {drops} puts pieces}
"""


def test_a_komi_that_is_a_number(tmp_path: Path) -> None:
    (tmp_path / "row.notation").write_text("style target\nsgf 1 point\nprotocol gtp go\n")
    game = load_text(tmp_path, NUMERIC_KOMI, name="row.4th")
    assert answers("komi 7", "komi 6.5", game=str(tmp_path / "row.4th")) == [
        "=",
        "? unacceptable komi (possible: whole numbers)",
    ]
    assert "KM" not in text_of(game_of(game.start()), game)
    chosen = forthvm.load(tmp_path / "row.4th", settings={"komi": "7"})
    assert "KM[7]" in text_of(game_of(chosen.start()), chosen)


def test_games_without_points_have_a_komi_of_0() -> None:
    accepted, refused = answers("komi 0.0", "komi 6.5", game="gomoku")
    assert accepted == "="
    assert refused == "? unacceptable komi (possible: 0)"


def test_a_player_can_move_twice() -> None:
    shown = answers("play b a1", "play b b1", "play w c1", "undo", "undo", "showboard")
    assert shown[:5] == ["="] * 5
    assert shown[5].count("Black") == 1
    assert shown[5].endswith("White to move")


def test_stones_of_a_handicap_are_set_up() -> None:
    placed, again, _, board = answers(
        "fixed_handicap 5", "place_free_handicap 2", "undo", "showboard"
    )
    assert placed == "= C3 G7 C7 G3 E5"
    assert again == "? board not empty"
    assert board.count("Black") == 5
    assert board.endswith("White to move")
    assert answers("set_free_handicap e5 J9", "genmove w", "play b J9")[1] == "= A9"


def test_handicaps_that_cannot_be_set_up_leave_an_empty_board() -> None:
    lines = (
        "fixed_handicap 10",
        "set_free_handicap e5 e5",
        "set_free_handicap e5 pass",
        "showboard",
    )
    *refused, board = answers(*lines)
    assert "2 to 9" in refused[0]
    assert all(text.startswith("?") for text in refused)
    assert board.endswith("Black to move")
    assert board.count("Black") == 1  # the player to move


def test_all_stones_are_alive() -> None:
    shown = answers(
        "play b d4", "play w e5", *(f"final_status_list {s}" for s in ["alive", "dead", "seki"])
    )
    assert shown[2:] == ["= E5 D4", "=", "="]


def test_the_komi_is_told() -> None:
    assert answers("get_komi", "komi 6.5", "get_komi") == ["= 7", "=", "= 6.5"]
    assert answers("get_komi", game="gomoku") == ["= 0"]


def test_ids_have_31_bits() -> None:
    assert answers("2147483647 name", "123456789012 name") == [
        "=2147483647 forthvm first",
        "? unknown command",
    ]


def test_captured_stones_are_removed() -> None:
    board = answers("play w a1", "play b a2", "play b b1", "showboard")[3]
    assert board.count("Black") == 2
    assert board.count("White") == 1  # the player to move


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("tea", "unknown command"),
        ("9", "unknown command"),
        (TOO_LONG, "the line is too long"),
        ("boardsize", "syntax error: expected SIZE"),
        ("boardsize nine", "syntax error: expected a number, not 'nine'"),
        ("boardsize 8", "unacceptable size"),
        ("boardsize 99999999999999999999", "syntax error: expected a number"),
        ("komi 3", "unacceptable komi (possible: 7, 7.5, 6.5, 5.5, 0.5, 0)"),
        ("komi nan", "syntax error: expected a number, not 'nan'"),
        ("play red a1", "syntax error: expected black or white, not 'red'"),
        ("play b", "syntax error: expected COLOUR VERTEX"),
        ("play b i5", "'i5' is not a legal move of Black: it is not a point of the board"),
        ("play b " + "a" * 9999, ""),
        ("undo", "cannot undo"),
        ("set_free_handicap e5", "syntax error: expected VERTEX VERTEX"),
        ("time_left b 1", "syntax error: expected COLOUR TIME STONES"),
        ("time_settings a b c", "syntax error: expected a number, not 'a'"),
        ("genmove", "syntax error: expected COLOUR"),
        ("final_status_list ill", "syntax error: expected alive, dead or seki"),
    ],
)
def test_errors(line: str, text: str) -> None:
    refused, name = answers(line, "name")
    assert refused.startswith("?")
    assert text in refused
    assert "\n" not in refused
    assert name == "= forthvm first"


def test_play_goes_on_after_two_passes() -> None:
    shown = answers("play b pass", "play w pass", "final_score", "genmove b", "undo", "play b a1")
    assert shown == ["=", "=", "= W+7", "= A9", "=", "="]
    assert answers("play b d4", "play b pass", "genmove w", "play w e5") == ["=", "=", "= A9", "="]
    assert (
        answers("play b pass", "play w pass", "play b d4", "komi 0", "final_score")[-1] == "= B+81"
    )


def test_after_a_win_the_game_is_over() -> None:
    moves = [f"play b {column}1" for column in "abcde"]
    others = [f"play w {column}2" for column in "abcde"]
    lines = [line for pair in zip(moves, others, strict=True) for line in pair][:-1]
    assert answers(*lines, "genmove w", game="gomoku")[-1].startswith("? the game is over: ")


def test_games_without_points_are_scored_by_their_winner() -> None:
    moves = [
        f"play {'bw'[ply % 2]} {column}{1 + ply % 2}" for ply, column in enumerate("aabbccdde")
    ]
    before, after = answers("final_score", *moves, "final_score", game="gomoku")[:: len(moves) + 1]
    assert before == "? cannot score"
    assert after == "= B+"


def test_an_engine_can_resign_or_fail() -> None:
    assert answers("genmove b", engine="tests.autoplay.players:Resigns") == ["= resign"]
    failed, name = answers("genmove b", "protocol_version", engine="tests.autoplay.players:Raises")
    assert failed.startswith("? ")
    assert name == "= 2"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("lines", "time"),
    [
        ((), None),
        (("time_settings 0 1 0",), None),
        (("time_settings 0 10 5",), 1.95),
        (("time_settings 0 10 1",), 9.98),
        (("time_settings 300 0 0",), 9.95),
        (("time_settings 300 0 0", "time_left b 30 0"), 0.95),
        (("time_settings 300 10 5", "time_left b 6 2"), 2.95),
        (("time_settings 300 10 5", "time_left b 6 1"), 5.98),
        (("time_settings 300 10 5", "time_left w 6 2"), 9.95),
    ],
)
def test_limits_of_time(lines: tuple[str, ...], time: float | None) -> None:
    server = GtpServer(forthvm.load("go-9x9"), lambda _: None, "first")
    for line in lines:
        server._execute(line)
    limit = server._limits("black").time
    assert limit == (None if time is None else pytest.approx(time))


def test_the_main_time_is_counted_down() -> None:
    server = GtpServer(forthvm.load("go-9x9"), lambda _: None, "first")

    def time(colour: str) -> float | None:
        return server._limits(colour).time

    for line in ("time_settings 300 0 0", "genmove b"):
        server._execute(line)
    remaining, _ = server._time_left["black"]
    assert 0 < remaining < 300
    server._spend("black", remaining - 30)
    assert time("black") == pytest.approx(30 / 30 - 0.05)
    assert time("white") == pytest.approx(300 / 30 - 0.05)
    server._spend("black", 99)
    assert time("black") == 0
    server._execute("clear_board")
    assert time("black") == pytest.approx(300 / 30 - 0.05)


def test_other_games_are_refused() -> None:
    with raises(EngineError, "gtp.no-line"):
        GtpServer(forthvm.load("chess"), lambda _: None)


@pytest.mark.slow
def test_a_process_answers_all_lines_of_its_input() -> None:
    lines = "genmove b\n1 genmove w\nundo\n\xff\x00\n2 name"
    command = [*FORTHVM, "gtp", "go-9x9", "--engine", "mcts:playouts=20"]
    process = subprocess.run(
        command, input=lines.encode("latin-1"), capture_output=True, check=True, cwd=CHECKOUT
    )
    first, second, *others = process.stdout.decode().split("\n\n")
    assert first.startswith("= ")
    assert second.startswith("=1 ")
    assert others == ["=", "? unknown command", "=2 forthvm mcts", ""]
    assert process.stderr == b""


@pytest.mark.slow
@given(st.lists(st.text(max_size=40) | st.sampled_from(["play b a1", "undo", "genmove w"])))
def test_any_lines_are_answered(lines: list[str]) -> None:
    output = io.StringIO()
    game = forthvm.load("go-9x9")
    server = GtpServer(game, lambda line: print(line, file=output), "first")
    for line in lines:
        if line.split()[-1:] != ["quit"]:
            assert server._execute(line)
    for answer in output.getvalue().split("\n\n")[:-1]:
        assert answer[0] in "=?"
