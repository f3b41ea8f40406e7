"""USI on both sides: positions, limits, scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.engines import EngineError, Limits, Resignation, choose_move
from forthvm.engines.protocols import ProgramError, UsiEngine
from forthvm.engines.protocols.uci.dialect import USI
from forthvm.engines.protocols.uci.limits import read_go
from forthvm.engines.protocols.uci.messages import read_info
from forthvm.game import Position
from forthvm.game.outcome import WIN
from tests.engines.programs import command
from tests.engines.test_uci import replies_to
from tests.kit.games import loaded, play
from tests.kit.messages import raises
from tests.kit.processes import FORTHVM

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
"""A gold that is dropped between king and pawn mates."""


@pytest.mark.parametrize(
    ("options", "limits", "line"),
    [
        ({}, Limits(time=0.5), "go btime 0 wtime 0 byoyomi 500"),
        ({}, Limits(depth=3, nodes=9), "go depth 3 nodes 9"),
        (
            {"clock": True},
            Limits(time=60, increment=0.5),
            "go btime 60000 wtime 60000 binc 500 winc 500",
        ),
    ],
)
def test_limits_are_sent(
    tmp_path: Path, options: dict[str, object], limits: Limits, line: str
) -> None:
    log = tmp_path / "log"
    engine = UsiEngine(cmd=command("log", log, protocol="usi"), **options)
    engine.new_game()
    position = play(loaded("shogi").start(), "Pc4")
    with pytest.raises(ProgramError, match="'e7e5' is not a legal move"):
        choose_move(engine, position, limits)
    assert log.read_text(encoding="utf-8").splitlines() == [
        *("usi", "isready", "usinewgame"),
        "position startpos moves 7g7f",
        line,
    ]


def test_programs_can_resign() -> None:
    engine = UsiEngine(cmd=command("says", "bestmove resign", protocol="usi"))
    with pytest.raises(Resignation):
        choose_move(engine, loaded("shogi").start(), Limits(depth=1))
    assert engine.pid is not None
    engine.close()


def test_games_of_other_protocols_are_refused() -> None:
    engine = UsiEngine(cmd=command("good", protocol="usi"))
    with raises(EngineError, "usi.no-line"):
        choose_move(engine, loaded("chess").start())
    engine.close()


def test_byoyomi_is_added_to_the_clock() -> None:
    limits, _, unknown = read_go(["btime", "0", "byoyomi", "1000"], ("btime", "binc"))
    assert (limits.time, unknown) == (0.95, [])
    limits, _, _ = read_go(["btime", "30000", "byoyomi", "1000"], ("btime", "binc"))
    assert limits.time == 2


def test_mates_are_counted_in_plies() -> None:
    assert USI.score(WIN - 5) == "mate 5"
    assert USI.score(5 - WIN) == "mate -5"
    assert read_info("info score mate + pv 7g7f").score == WIN
    assert read_info("info score mate -").score == -WIN
    assert read_info("info score mate -4").score == 4 - WIN


def test_both_sides_play_a_position_that_was_set_up() -> None:
    command = [*FORTHVM, "usi", "shogi", "--engine", "negamax"]
    engine = UsiEngine(cmd=command)
    position = Position.from_fen(loaded("shogi"), MATE_IN_ONE)
    result = choose_move(engine, position, Limits(depth=2))
    assert result.score == WIN - 1
    assert str(result.move) == "Black gold e8"
    engine.close()


def test_server_answers() -> None:
    replies = replies_to(
        "usi",
        "setoption name USI_Ponder value false",
        f"position sfen {MATE_IN_ONE}",
        "go depth 2",
        "gameover win",
        "go mate 5000",
        "position startpos moves 7g7f 7g7f",
        "go",
        game="shogi",
        dialect=USI,
    )
    assert replies[4] == "usiok"
    assert "bestmove G*5b" in replies
    assert "checkmate notimplemented" in replies
    assert any("score mate 1 " in line and line.endswith(" pv G*5b") for line in replies)
    assert replies[-1] == "bestmove resign"
