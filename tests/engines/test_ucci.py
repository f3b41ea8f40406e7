"""UCCI on both sides: options, limits, scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.engines import Limits, Resignation, choose_move
from forthvm.engines.protocols import ProgramError, UcciEngine
from forthvm.engines.protocols.uci.dialect import UCCI
from forthvm.engines.protocols.uci.messages import read_info, read_option
from forthvm.engines.protocols.uci.server import DialectServer
from forthvm.game import Position
from forthvm.game.outcome import WIN
from tests.engines.programs import command
from tests.engines.test_uci import replies_to
from tests.kit.games import loaded, play
from tests.kit.processes import FORTHVM


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("options", "limits", "line"),
    [
        ({}, Limits(time=0.5), "go time 500 movestogo 1"),
        ({}, Limits(depth=3, nodes=9), "go depth 3 nodes 9"),
        (
            {"clock": True},
            Limits(time=60, increment=0.5),
            "go time 60000 opptime 60000 increment 500 oppincrement 500",
        ),
    ],
)
def test_lines_are_sent(
    tmp_path: Path, options: dict[str, object], limits: Limits, line: str
) -> None:
    log = tmp_path / "log"
    argv = command("log", log, protocol="ucci")
    engine = UcciEngine(cmd=argv, **{"option.hash": 32, **options})
    engine.new_game()
    with pytest.raises(ProgramError, match="'e7e5' is not a legal move"):
        choose_move(engine, play(loaded("xiangqi").start(), "e5"), limits)
    assert log.read_text(encoding="utf-8").splitlines() == [
        *("ucci", "setoption usemillisec true", "setoption Hash 32"),
        *("setoption newgame", "isready"),
        *("position startpos moves e3e4", "isready", line),
    ]


@pytest.mark.parametrize(
    ("options", "limits", "line"),
    [
        ({}, Limits(time=2.7), "go time 2 movestogo 1"),
        ({}, Limits(time=0.5), "go time 1 movestogo 1"),
        (
            {"clock": True},
            Limits(clock=60.9, increment=0.5),
            "go time 60 opptime 60 increment 0 oppincrement 0",
        ),
    ],
)
def test_programs_without_milliseconds_are_sent_seconds(
    tmp_path: Path, options: dict[str, object], limits: Limits, line: str
) -> None:
    log = tmp_path / "log"
    engine = UcciEngine(cmd=command("log-seconds", log, protocol="ucci"), **options)
    with pytest.raises(ProgramError, match="'e7e5' is not a legal move"):
        choose_move(engine, play(loaded("xiangqi").start(), "e5"), limits)
    assert log.read_text(encoding="utf-8").splitlines() == [
        *("ucci", "isready", "position startpos moves e3e4", "isready", line),
    ]


@pytest.mark.parametrize("answer", ["bestmove e7e5 resign", "bestmove e7e5 ponder e3e4 resign"])
def test_programs_can_resign(answer: str) -> None:
    engine = UcciEngine(cmd=command("says", answer, protocol="ucci"))
    with pytest.raises(Resignation):
        choose_move(engine, loaded("xiangqi").start(), Limits(depth=1))
    engine.close()


@pytest.mark.slow
def test_both_sides_play() -> None:
    engine = UcciEngine(cmd=[*FORTHVM, "ucci", "xiangqi", "--engine", "negamax"])
    position = loaded("xiangqi").start()
    for _ in range(4):
        result = choose_move(engine, position, Limits(depth=2))
        assert result.pv[0] == result.move
        position.push(result.move)
    engine.close()


def test_server_answers() -> None:
    replies = replies_to(
        "ucci",
        "setoption usemillisec true",
        "setoption newgame",
        "setoption Engine first",
        "position startpos moves h2e2",
        "go time 1000 increment 0 opptime 9 oppincrement 0",
        "setoption usemillisec 1",
        "position startpos moves h2e9",
        "go",
        "quit",
        game="xiangqi",
        dialect=UCCI,
    )
    assert replies[2:6] == [
        "option Engine type string default negamax:depth=2",
        "option usemillisec type check default false",
        "option newgame type button",
        "ucciok",
    ]
    position = play(loaded("xiangqi").start(), "cannon h3 - e3")
    assert f"bestmove {UCCI.words(position)[0]}" in replies
    refused, illegal, missing, *answers = replies[-5:]
    assert refused.endswith("'setoption usemillisec 1': usemillisec must be true or false, not '1'")
    assert "'h2e9' is not a legal move of Red" in illegal
    assert "there is no position" in missing
    assert answers == ["nobestmove", "bye"]


def test_the_first_clock_is_that_of_the_player_to_move() -> None:
    found: list[float | None] = []

    class Recorder(DialectServer):
        def _begin_search(
            self, position: Position, limits: Limits, *, infinite: bool = False
        ) -> None:
            found.append(limits.time)

    server = Recorder(loaded("xiangqi"), print, "first", dialect=UCCI)
    for line in ("position startpos", "position startpos moves h2e2"):
        server._execute(line)
        server._execute("go time 30 opptime 9 increment 0 oppincrement 9")
    for value, times in (("true", "time 60000 increment 1000"), ("false", "time 90 increment 0")):
        server._execute(f"setoption usemillisec {value}")
        server._execute(f"go {times}")
    server._end()
    assert found == [1, 1, 2.8, 3]  # a thirtieth of the clock, and four fifths of the increment


def test_scores_have_no_unit() -> None:
    assert UCCI.score(12.4) == "12"
    assert UCCI.score(WIN - 3) == "9997"
    assert UCCI.score(3 - WIN) == "-9997"
    assert UCCI.score(1e6) == "9000"
    assert read_info("info score 9997").score == WIN - 3
    assert read_info("info score -9997").score == 3 - WIN
    info = read_info("info depth 6 score -4 pv h2e2 h9g7")
    assert (info.depth, info.score, info.pv) == (6, -4, ["h2e2", "h9g7"])


def test_options_have_no_keyword() -> None:
    option = read_option("option book files type string default book.txt")
    assert (option.name, option.default) == ("book files", "book.txt")
