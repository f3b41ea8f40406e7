"""GTP: programs as engines, their failures, our server as an engine, and GNU Go."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import pytest

import forthvm
from forthvm.engines import EngineError, EngineOptionError, Limits, Resignation, choose_move, get
from forthvm.engines.protocols import GtpEngine, ProgramError
from forthvm.engines.protocols.gtp.points import find_move, vertex
from forthvm.engines.protocols.gtp.server import handicap_points
from forthvm.game.lead import lead_of
from tests.kit.games import loaded
from tests.kit.messages import raises
from tests.kit.processes import FORTHVM

SAMPLE = [sys.executable, "-I", "-S", str(Path(__file__).with_name("gtp_programs.py"))]
GNUGO = shutil.which("gnugo") or shutil.which("/usr/games/gnugo")
needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed")


def sample(mode: str = "good", *moves: str, **options: object) -> GtpEngine:
    return GtpEngine(cmd=[*SAMPLE, mode, *moves], **options)


def play(position: forthvm.Position, *points: str) -> forthvm.Position:
    """Put stones on points, or pass."""
    for point in points:
        texts = position.legal_moves.texts
        position.push(next(t for t in texts if vertex(t, position._loaded) == point))
    return position


# --- the client -----------------------------------------------------------------------------------


def test_a_program_is_sent_only_new_moves(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = sample(f"log {log}", "D4", "e5", "PASS")
    position = loaded("go-9x9").start()
    result = choose_move(engine, position)
    assert str(result.move) == "Black stone d4"
    assert engine.identity == "Sample 1.0"
    position.push(result.move)
    play(position, "J9")
    position.push(choose_move(engine, position).move)
    other = play(loaded("go-9x9").start(), "A1", "pass")
    assert choose_move(engine, other).move.is_pass
    engine.close()
    assert log.read_text(encoding="utf-8").splitlines() == [
        *("list_commands", "name", "version", "boardsize 9", "komi 7", "clear_board"),
        *("genmove black", "play white J9", "genmove black"),
        *("clear_board", "play black A1", "play white pass", "genmove black"),
        "quit",
    ]


def test_a_move_that_was_not_made_is_taken_back(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = sample(f"log {log}", "D4", "E5")
    position = loaded("go-9x9").start()
    choose_move(engine, position)
    choose_move(engine, play(position, "A1"))
    engine.close()
    assert log.read_text(encoding="utf-8").splitlines()[6:] == [
        *("genmove black", "clear_board", "play black A1", "genmove white", "quit"),
    ]


def test_a_program_is_told_that_a_game_begins(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = sample(f"log {log}", "D4")
    position = loaded("go-9x9").start()
    engine.prepare(position)
    begun = log.read_text(encoding="utf-8").splitlines()
    choose_move(engine, position)
    engine.close()
    assert begun[-3:] == ["boardsize 9", "komi 7", "clear_board"]
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[len(begun) :] == ["genmove black", "quit"]


def test_positions_are_sent_as_stones(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = sample(f"log {log}", "E5")
    setup = [("Black", "stone", "a1"), ("White", "stone", "j9")]
    choose_move(engine, loaded("go-9x9").start(setup=setup, turn="White"))
    engine.close()
    assert log.read_text(encoding="utf-8").splitlines()[6:] == [
        *("play white J9", "play black A1", "genmove white", "quit"),
    ]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("options", "limits", "lines"),
    [
        ({}, Limits(), []),
        ({}, Limits(time=0.2), ["time_settings 0 1 1", "time_left black 1 1"]),
        ({"time": 3.4}, None, ["time_settings 0 3 1", "time_left black 3 1"]),
        # a thirtieth of the clock
        ({}, Limits(clock=90), ["time_settings 0 3 1", "time_left black 3 1"]),
        ({"clock": True}, Limits(time=60), ["time_settings 60 0 0", "time_left black 60 0"]),
        ({"clock": True}, Limits(clock=9.7), ["time_settings 9 0 0", "time_left black 9 0"]),
    ],
)
def test_limits_are_sent(
    tmp_path: Path, options: dict[str, object], limits: Limits | None, lines: list[str]
) -> None:
    log = tmp_path / "log"
    engine = sample(f"log {log}", "D4", **options)
    choose_move(engine, loaded("go-9x9").start(), limits)
    engine.close()
    assert log.read_text(encoding="utf-8").splitlines()[6:-2] == lines


def test_settings_are_sent_as_komi(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = sample(f"log {log}", "D4")
    choose_move(engine, forthvm.load("go-13x13", settings={"komi": "6.5"}).start())
    engine.close()
    assert log.read_text(encoding="utf-8").splitlines()[3:5] == ["boardsize 13", "komi 6.5"]


def test_lines_around_answers_are_ignored() -> None:
    engine = sample("babbles", "")
    assert str(choose_move(engine, loaded("go-9x9").start()).move) == "Black stone d4"
    engine.close()


def test_an_answer_without_an_end_is_an_error() -> None:
    engine = sample("repeats", "")
    with raises(ProgramError, "gtp.long-answer"):
        choose_move(engine, loaded("go-9x9").start())
    engine.close()


def test_a_program_can_resign() -> None:
    engine = sample("good", "resign", "A1")
    position = loaded("go-9x9").start()
    with pytest.raises(Resignation):
        choose_move(engine, position)
    pid = engine.pid
    assert str(choose_move(engine, position).move) == "Black stone a1"
    assert engine.pid == pid
    engine.close()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("dies", "gtp.exited"),
        ("hangs", "gtp.hangs"),
        ("floods", "gtp.floods"),
        ("NUL", "gtp.nul"),
        ("long", "gtp.long"),
        ("unended", "gtp.unended"),
        ("refuses", "gtp.refused-to-move"),
        ("refuses boardsize", "gtp.refused-size"),
        ("refuses komi", "gtp.refused-komi"),
        ("refuses play", "gtp.refused-move"),
        ("refuses name", "gtp.refused-name"),
    ],
)
def test_failures_are_reported(mode: str, message: str) -> None:
    engine = sample(mode, "D4", patience=0.3 if mode == "hangs" else 60.0)
    position = play(loaded("go-9x9").start(), "A1")
    with raises(ProgramError, message):
        choose_move(engine, position)
    assert engine.pid is None
    assert position.ply == 1


@pytest.mark.parametrize(
    ("word", "message"),
    [("K10", "gtp.outside"), ("a1", "gtp.occupied"), ("I5", "gtp.letter-i"), ("", "gtp.empty")],
)
def test_illegal_moves_are_reported(word: str, message: str) -> None:
    engine = sample("good", word)
    with raises(ProgramError, message):
        choose_move(engine, play(loaded("go-9x9").start(), "A1"))


def test_a_move_that_superko_forbids_is_reported() -> None:
    black, white = ("c5", "d6", "d4"), ("f5", "e6", "e4", "d5")
    setup = [("Black", "stone", point) for point in black]
    setup += [("White", "stone", point) for point in white]
    position = play(loaded("go-9x9").start(setup=setup, turn="Black"), "E5")
    with raises(ProgramError, "gtp.superko"):
        choose_move(sample("good", "D5"), position)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"depth": 3}, "gtp.depth"), ({"nodes": 3}, "gtp.nodes"), ({"option.Hash": 1}, "gtp.option")],
)
def test_options_without_commands_are_refused(options: dict[str, object], message: str) -> None:
    with raises(EngineOptionError, message):
        sample("good", **options)


@pytest.mark.parametrize("limits", [Limits(nodes=9), Limits(depth=3)])
def test_limits_without_commands_are_refused(limits: Limits) -> None:
    with raises(EngineOptionError, "gtp.limits"):
        choose_move(sample("good", "D4"), loaded("go-9x9").start(), limits)


def test_a_limit_of_time_is_removed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = sample(f"log {log}", "D4", "D4", "D4")
    for limits in (Limits(time=2), None, None):
        choose_move(engine, loaded("go-9x9").start(), limits)
    engine.close()
    lines = log.read_text(encoding="utf-8").splitlines()
    settings = [line for line in lines if line.startswith("time")]
    assert settings == ["time_settings 0 2 1", "time_left black 2 1", "time_settings 0 1 0"]


def test_moves_without_a_point_are_refused() -> None:
    with raises(EngineError, "gtp.other-move"):
        vertex("x d4", loaded("hex")._loaded)


def test_the_swap_of_hex() -> None:
    position = loaded("hex").start()
    position.push("c2")
    assert vertex("x c2 Blue stone b3", position._loaded) == "swap-pieces"
    for word in ("swap-pieces", "SWAP"):
        assert position.legal_moves[find_move(position, word)].text == "x c2 Blue stone b3"


def test_other_games_are_refused() -> None:
    engine = sample("good", "D4")
    with raises(EngineError, "gtp.no-line"):
        choose_move(engine, loaded("chess").start())
    engine.close()


# --- other programs -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["go-9x9", "gomoku", "hex"])
def test_our_server_is_an_engine(name: str) -> None:
    game = loaded(name)
    engine = GtpEngine(cmd=[*FORTHVM, "gtp", name, "--engine=random:seed=2"])
    position, chooser = game.start(), random.Random(1)
    while position.result is None and position.ply < 60:
        if position.ply % 2:
            position.push(choose_move(engine, position).move)
        else:
            position.push(chooser.choice(list(position.legal_moves)))
    engine.close()


@pytest.mark.slow
@needs_gnugo
def test_gnugo_plays() -> None:
    # Without --capture-all-dead it passes while dead stones, which count here, are on the board.
    rules = "--chinese-rules --positional-superko --capture-all-dead"
    engine = get(f"gtp:{GNUGO} --mode gtp --level 1 --seed 1 {rules}")
    position = loaded("go-9x9").start()
    chooser = random.Random(5)
    while position.result is None and position.ply < 100:
        if position.ply % 2:
            position.push(chooser.choice(list(position.legal_moves)))
        else:
            position.push(choose_move(engine, position).move)
    engine.close()
    lead = lead_of(position)
    assert lead is not None
    assert lead > 0  # it plays better than by chance


@needs_gnugo
def test_handicaps_are_those_of_gnugo() -> None:
    engine = GtpEngine(cmd=[str(GNUGO), "--mode", "gtp"])
    engine.start()
    program = engine._program
    assert program is not None
    for size in (7, 9, 10, 13, 19):
        engine._answer(program, f"boardsize {size}")
        for stones in range(2, 10 if size in (9, 13, 19) else 5):
            engine._answer(program, "clear_board")
            points = engine._answer(program, f"fixed_handicap {stones}").split()
            assert sorted(handicap_points(size, stones)) == sorted(points)
    engine.close()


@pytest.mark.slow
@needs_gnugo
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 9))]
)
def test_legal_moves_and_scores_are_those_of_gnugo(seed: int) -> None:
    """Compare a random game at each position, and the score at its end.

    GNU Go counts stones that cannot live as dead, so the game is played until all points are stones
    or eyes of one point: no player fills its own eyes.
    """
    rules = ["--chinese-rules", "--positional-superko", "--capture-all-dead"]
    engine = GtpEngine(cmd=[str(GNUGO), "--mode", "gtp", "--level", "1", *rules])
    engine.start()
    program = engine._program
    assert program is not None
    for command in ("boardsize 9", "komi 7", "clear_board"):
        engine._answer(program, command)
    position, chooser = loaded("go-9x9").start(), random.Random(seed)
    while position.result is None and position.ply < 300:
        colour = position.turn.lower()
        legal = {vertex(text, position._loaded): text for text in position.legal_moves.texts}
        assert {*engine._answer(program, f"all_legal {colour}").split()} == {*legal} - {"pass"}
        points = [point for point in legal if not is_own_eye(position, point)]
        point = chooser.choice([point for point in points if point != "pass"] or ["pass"])
        engine._answer(program, f"play {colour} {point}")
        position.push(legal[point])
    assert position.result is not None
    lead = lead_of(position)
    assert lead is not None
    sign = "B" if lead > 0 else "W"
    score = engine._answer(program, "final_score")
    assert score == ("0" if not lead else f"{sign}+{abs(lead):.1f}")
    engine.close()


def is_own_eye(position: forthvm.Position, point: str) -> bool:
    """Whether all neighbours of a point are stones of the player to move."""
    if point == "pass":
        return False
    columns = "ABCDEFGHJ"
    column, row = columns.index(point[0]), int(point[1:])
    around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    names = [f"{columns[x].lower()}{y}" for x, y in around if 0 <= x < 9 and 1 <= y <= 9]
    pieces = [position.board[name] for name in names]
    return all(piece is not None and piece.player == position.turn for piece in pieces)
