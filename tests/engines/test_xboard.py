"""CECP on both sides: commands sent and answered, thinking output, other programs."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from queue import SimpleQueue

import pytest

import forthvm
from forthvm.catalogue.bundled import find_game
from forthvm.engines import (
    EngineError,
    EngineOptionError,
    Info,
    Limits,
    Resignation,
    analyse,
    choose_move,
    get,
)
from forthvm.engines.protocols import ProgramError, XboardEngine
from forthvm.engines.protocols import server as server_module
from forthvm.engines.protocols.xboard.engine import XboardWords
from forthvm.engines.protocols.xboard.messages import (
    read_features,
    read_option,
    read_thinking,
    score_number,
)
from forthvm.engines.protocols.xboard.server import XboardServer
from forthvm.game import Position
from forthvm.game.outcome import WIN
from forthvm.system.command_line import join_words
from tests.engines.programs import command
from tests.engines.served_lines import replies_of, replies_to_all_at_once
from tests.kit.cases import each_case
from tests.kit.games import loaded, play
from tests.kit.messages import raises
from tests.kit.processes import FORTHVM

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


def installed(name: str) -> str:
    """Return the path of a program for XBoard, or skip the test."""
    path = shutil.which(name) or shutil.which(f"/usr/games/{name}")
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


# --- our engine in a program -------------------------------------------------------------------


def replies_to(*lines: str, game: str = "chess", engine: str = "negamax:depth=2") -> list[str]:
    return replies_of(lambda write: XboardServer(forthvm.load(game), write, engine), *lines)


def test_features_are_announced(tmp_path: Path) -> None:
    replies = replies_to("xboard", "protover 2", game="makruk", engine="first")
    assert 'feature variants="makruk"' in replies
    assert 'feature option="Engine -string first"' in replies
    assert any("setboard=1" in line for line in replies)
    assert replies[-1] == "feature done=1"
    folder = tmp_path / "game"
    shutil.copytree(find_game("breakthrough")[1].parent, folder)
    notation = "style target\nprotocol xboard breakthrough\n"  # without FEN
    (folder / "breakthrough.notation").write_text(notation, encoding="ascii")
    replies = replies_to("protover 2", game=str(folder / "breakthrough.4th"))
    assert any("setboard=0" in line for line in replies)


def test_features_end_after_a_failing_preparation(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(server_module, "choose_move", fail)
    assert replies_to("protover 2")[-1] == "feature done=1"


@each_case(
    ("spec", "text"),
    [
        ('uci:cmd="{0} -a",time=1', "uci:cmd='{0} -a',time=1"),
        ("uci:cmd=\"{0} 'a'\"", ""),
    ],
)
def test_features_contain_no_quotes(spec: str, text: str) -> None:
    program = Path(sys.executable).as_posix()
    replies = replies_to("protover 2", engine=spec.format(program))
    features = [feature for line in replies for feature in read_features(line)]
    assert ("option", f"Engine -string {text.format(program)}") in features
    assert features[-1] == ("done", "1")


def test_the_engine_moves_second_until_it_is_told_otherwise() -> None:
    moves = replies_to("new", "usermove e2e4", "usermove d2d4", "force", "usermove a2a3", "go")
    assert [line.split()[0] for line in moves] == ["move", "move", "move"]
    position = play(loaded("chess").start(), "e4", moves[0].split()[1], "d4")
    position.push(moves[1].split()[1])
    position.push("a3")
    position.push(moves[2].split()[1])


def test_mate_and_result_are_sent() -> None:
    replies = replies_to("post", f"setboard {MATE_IN_ONE}", "go")
    assert replies[-2:] == ["move a1a8", "1-0 {checkmate}"]
    depth, score, _, _, *pv = replies[0].split()
    assert (depth, score, pv) == ("1", "100001", ["a1a8"])
    replies = replies_to("force", *(f"usermove {word}" for word in ("f2f3", "e7e5", "g2g4")), "go")
    assert replies == ["move d8h4", "0-1 {checkmate}"]


def test_moves_are_taken_back() -> None:
    moves = ["usermove e2e4", "usermove e7e5", "usermove g1f3"]
    replies = replies_to("force", *moves, "remove", "usermove c7c5", "undo", "undo", "undo")
    assert replies == ["Error (there is no such move): undo"]


@each_case(
    ("line", "reply"),
    [
        ("usermove e2e5", "Illegal move: e2e5"),
        ("usermove", "Illegal move: "),
        ("castle", "Error (unknown command): castle"),
        ("st", "Error (expected a number of seconds): st"),
        ("sd 1e9", "Error (expected a number): sd 1e9"),
        ("time \u0663", "Error (expected a number): time \u0663"),
        ("level 40 5", "Error (expected level MOVES MINUTES SECONDS): level 40 5"),
        ("level 0 1:2:3 0", "Error (expected minutes or MINUTES:SECONDS, not '1:2:3'): "),
        ("level 0 5 -1", "Error (expected a number of seconds): level 0 5 -1"),
        ("variant shogi", "Error (this is an engine for normal): variant shogi"),
        ("option Hash=3", "Error (expected option Engine=SPEC): option Hash=3"),
        ("option Engine=nobody", "Error (no engine 'nobody'"),
        ("setboard 9/8 w", "tellusererror Illegal position: FEN, column 1"),
        ("ping 7", "pong 7"),
    ],
)
def test_replies(line: str, reply: str) -> None:
    (found,) = replies_to(line)
    assert found.startswith(reply)


@pytest.mark.parametrize(
    "command",
    ["", "usermove ", "ping ", "sd ", "level 0 1:", "variant ", "option Engine=", "setboard "],
)
def test_a_long_line_is_not_echoed(command: str) -> None:
    (reply,) = replies_to(command + "x" * 100_000)
    assert len(reply) < 2000


def test_games_that_are_over_continue_no_further() -> None:
    replies = replies_to(f"setboard {MATE_IN_ONE}", "go", "go", "usermove g8f8")
    assert replies[2:] == [
        "Error (the game is over): go",
        "Illegal move (the game is over): g8f8",
    ]


def test_play_goes_on_after_repetitions() -> None:
    words = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    replies = replies_to("force", *(f"usermove {word}" for word in words), "usermove e2e4", "go")
    assert replies[0] == "1/2-1/2 {the position has occurred three times}"
    assert [line.split()[0] for line in replies[1:]] == ["move"]


def test_after_a_repetition_the_engine_moves_when_told() -> None:
    """The result is announced; XBoard need not end the game because of it."""
    words = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]
    begin = ("new", "force", *words, "playother", "f6g8")
    draw = "1/2-1/2 {the position has occurred three times}"
    assert replies_to(*begin) == [draw]
    assert [line.split()[0] for line in replies_to(*begin, "go")] == ["1/2-1/2", "move"]


def test_play_goes_on_after_draws() -> None:
    """A host that sends a further move did not take the announced result for the end."""
    draw = "1/2-1/2 {fifty moves without a capture or a pawn move}"
    fifty = ("setboard 8/8/4k3/8/8/3QK3/8/8 w - - 99 90", "go", "usermove e6e7", "usermove e7e8")
    replies = [line.split()[0] for line in replies_to(*fifty) if line != draw]
    assert replies == ["move"] * 3
    (comment, first, second) = replies_to(
        "setboard 4k3/8/8/8/8/8/8/K7 w - - 0 9", "go", "usermove e8d8"
    )
    assert comment == "# the game is over: draw: a dead position: no player can be checkmated"
    assert first in {"move a1a2", "move a1b1", "move a1b2"}
    assert second.startswith("move ")


def test_failing_engine_resigns() -> None:
    replies = replies_to("new", "usermove e2e4", engine="tests.engines.samples:Raises")
    assert replies[-1] == "resign"
    assert replies[-2].startswith("tellusererror ")


def test_an_engine_can_resign() -> None:
    replies = replies_to("new", "usermove e2e4", engine="tests.engines.samples:Resigns")
    assert replies == ["resign"]


def test_a_search_is_left() -> None:
    """The move of a search is not made after `force`, but is after `?`."""
    replies: list[str] = []
    server = XboardServer(forthvm.load("chess"), replies.append, "negamax:depth=40")
    for line in ("new", "usermove e2e4", "force", "ping 1"):
        server._receive(line)
    while server._search is not None:
        server._step()
    assert replies == ["pong 1"]
    server._receive("go")
    server._receive("?")
    while server._search is not None:
        server._step()
    server._end()
    assert replies[1].startswith("move ")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("lines", "moves"),
    [
        (("usermove e2e4", "new", "go", "?"), 1),
        (("usermove e2e4", "new", "usermove d2d4", "force", "ping 1"), 0),
        (("go", "force", "usermove e2e4", "go", "?"), 1),
    ],
)
def test_commands_end_searches_that_begin_after_their_arrival(
    lines: tuple[str, ...], moves: int
) -> None:
    replies = replies_to_all_at_once(
        lambda write: XboardServer(forthvm.load("chess"), write, "negamax:depth=40"), "new", *lines
    )
    assert sum(line.startswith("move ") for line in replies) == moves


def test_an_analysis_follows_the_position() -> None:
    replies: SimpleQueue[str] = SimpleQueue()
    server = XboardServer(forthvm.load("chess"), replies.put, "negamax")

    def analysed_after(*lines: str) -> str:
        """Return the first move of the thinking output after commands."""
        for line in (*lines, "ping 1"):
            server._receive(line)
        while (search := server._search) is not None and search.stop_requested.is_set():
            server._step()
        while replies.get(timeout=60) != "pong 1":
            pass
        return replies.get(timeout=60).split()[4]

    first = analysed_after("force", f"setboard {MATE_IN_ONE}", "analyze")
    assert first[0] in "ag"  # a file with a white piece
    assert analysed_after("usermove g1f1", ".")[0] in "fgh"
    assert analysed_after("undo")[0] in "ag"
    assert analysed_after("nopost", "post", "usermove g1f1")[0] in "fgh"
    assert analysed_after("nopost", "undo")[0] in "ag"
    server._receive("exit")
    while server._search is not None:
        server._step()
    assert not server._is_analysing
    server._end()


def test_a_position_without_moves_is_not_analysed() -> None:
    mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
    assert replies_to(f"setboard {mated}", "analyze", "ping 1", "exit") == ["pong 1"]


def test_the_engine_can_be_given_the_other_player() -> None:
    assert replies_to("force", "e2e4", "playother") == []
    (move,) = replies_to("force", "e2e4", "playother", "e7e5")
    assert move.startswith("move ")


def test_time_is_divided() -> None:
    server = XboardServer(forthvm.load("chess"), lambda _: None, "first")

    def time_after(*lines: str) -> float | None:
        for line in lines:
            server._receive(line)
        return server._limits().time

    assert time_after("new") is None
    assert time_after("st 5") == 4.98
    assert time_after("st 0.03") == pytest.approx(0.015)
    assert time_after("level 0 5:00 0") == pytest.approx(300 / 30 - 0.05)
    assert time_after("time 3000") == pytest.approx(30 / 30 - 0.05)
    assert time_after("level 1 1 0") == pytest.approx(60 / 2 - 0.05)
    assert time_after("level 40 0:30 10", "time 100") == pytest.approx(1 - 0.05)
    assert time_after("level 0 5 0.5") == pytest.approx(10 + 0.4 - 0.05)
    server._end()


# --- a program as an engine ----------------------------------------------------------------------


def test_lines_are_sent(tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = "option.hash=32,option.Style=CALM,option.Resign=yes,option.Save=,option.cores=2"
    engine = get(f"xboard:{join_words(command('log', log, protocol='xboard'))},{options}")
    assert isinstance(engine, XboardEngine)
    position = play(loaded("chess").start(), "e4")
    reports: list[Info] = []
    result = choose_move(engine, position, Limits(time=1.2, depth=3), report=reports.append)
    assert (str(result.move), result.score, result.depth) == ("pawn e7 - e5", 15, 2)
    assert (reports[0].nodes, reports[0].time) == (40, 0.03)
    assert engine.identity == "Sample 1.0"
    play(position, result.move, "d4")
    with raises(ProgramError, "xboard.same-move-again"):
        choose_move(engine, position, Limits(time=2, depth=1))
    assert log.read_text(encoding="utf-8").splitlines() == [
        *("xboard", "protover 2"),
        *(f"accepted {name}" for name in ("myname", "ping", "setboard", "usermove")),
        *("rejected analyze", "accepted done", "accepted smp"),
        *(*["accepted option"] * 4, "accepted done"),
        *("option Hash=32", "option Style=calm", "option Resign=1", "option Save", "cores 2"),
        "ping 1",
        *("new", "force", "easy", "post", "usermove e2e4", "st 2", "sd 3", "ping 2", "go"),
        *("force", "usermove d2d4", "st 2", "sd 1", "ping 3", "go"),
    ]


def test_games_begin_before_the_first_search(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = XboardEngine(cmd=command("log", log, protocol="xboard"))
    position = play(loaded("chess").start(), "e4")
    engine.prepare(position)
    begun = log.read_text(encoding="utf-8").splitlines()
    choose_move(engine, position, Limits(time=1))
    engine.close()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert begun[-6:] == ["ping 1", "new", "force", "easy", "post", "ping 2"]
    assert lines[len(begun) :] == [
        *("force", "usermove e2e4", "st 1", "ping 3", "go", "quit"),
    ]


def test_xiangqi_has_the_letters_of_xboard() -> None:
    engine = get(f"xboard:{installed('hoixiangqi')},depth=2")
    fen = "3akab2/4a4/9/9/9/9/4R4/9/9/4KA3 w - - 0 1"
    position = Position.from_fen(loaded("xiangqi"), fen)
    position.push(choose_move(engine, position).move)
    engine.close()


@each_case(
    ("word", "text"),
    [
        ("Pe3-e4", "soldier e4 - e5"),
        ("e3e4", "soldier e4 - e5"),
        ("Hb0-c2", "horse b1 - c3"),
        ("Cb2xb9", "cannon b3 x b10"),
    ],
)
def test_lines_may_name_pieces(word: str, text: str) -> None:
    position = loaded("xiangqi").start()
    assert position.legal_moves.texts[XboardWords(position).find(word)] == text


@each_case(
    ("fen", "word", "text"),
    [
        ("6k1/8/8/8/8/8/8/R5K1 w - - 0 1", "a1a8+", "rook a1 - a8"),
        ("6k1/8/8/8/8/8/8/R5K1 w - - 0 1", "Ra1-a8#", "rook a1 - a8"),
        ("6k1/P7/8/8/8/8/8/6K1 w - - 0 1", "a7a8q+", "pawn a7 - a8 = queen"),
        ("6k1/P7/8/8/8/8/8/6K1 w - - 0 1", "a7-a8=Q+", "pawn a7 - a8 = queen"),
    ],
)
def test_moves_may_end_in_the_sign_of_a_check(fen: str, word: str, text: str) -> None:
    position = Position.from_fen(loaded("chess"), fen)
    assert position.legal_moves.texts[XboardWords(position).find(word)] == text


@each_case(("word", "is_promotion"), [("b2h8+", True), ("b2h8", False), ("Bb2xh8+", True)])
def test_a_plus_is_a_promotion_in_shogi(word: str, is_promotion: bool) -> None:
    position = loaded("shogi").start()
    for played in ("c3c4", "g7g6"):
        position.push(position.legal_moves[XboardWords(position).find(played)])
    found = position.legal_moves.texts[XboardWords(position).find(word)]
    assert ("=" in found) == is_promotion


def test_a_search_without_limits_is_stopped() -> None:
    engine = XboardEngine(cmd=command("waits", protocol="xboard"), infinite=True, grace=600)
    with analyse(engine, play(loaded("chess").start(), "e4")) as analysis:
        assert next(analysis).depth == 2
        assert str(analysis.stop().move) == "pawn e7 - e5"
    engine.close()


@pytest.mark.parametrize("line", ["resign", "1-0 {Black resigns}"])
def test_programs_can_resign(line: str) -> None:
    engine = XboardEngine(cmd=command("says", line, protocol="xboard"))
    for _ in range(2):
        with pytest.raises(Resignation):
            choose_move(engine, loaded("chess").start(), Limits(depth=1))
    assert engine.pid is not None
    engine.close()


def test_other_lines_are_no_moves() -> None:
    lines = "moves searched: 20\\nmove e7e5"
    engine = XboardEngine(cmd=command("says", lines, protocol="xboard"))
    position = play(loaded("chess").start(), "e4")
    assert str(choose_move(engine, position).move) == "pawn e7 - e5"
    engine.close()


def test_comments_are_no_answers() -> None:
    """HoiChess may repeat each command as a comment, before it sends its features."""
    engine = XboardEngine(cmd=command("babbles", protocol="xboard"))
    engine.start()
    assert engine.identity == "Sample 1.0"
    engine.close()


def test_the_result_of_the_last_game_may_be_late() -> None:
    """A program without ping cannot say that it has begun the next game."""
    engine = XboardEngine(cmd=command("late-result", protocol="xboard"))
    position = play(loaded("chess").start(), "e4")
    position.push(choose_move(engine, position).move)
    with raises(ProgramError, "xboard.late-result"):
        choose_move(engine, play(position, "d4"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("clock", "limits", "sent"),
    [
        (True, Limits(time=90.5), ["level 0 1:31 0", "time 9050", "otim 9050"]),
        (
            True,
            Limits(time=3, clock=90.5, increment=0.5),
            ["level 0 1:31 0.5", "time 9050", "otim 9050"],
        ),
        (True, Limits(clock=60, moves=40), ["level 40 1 0", "time 6000", "otim 6000"]),
        (False, Limits(clock=90), ["st 3"]),  # a thirtieth of the clock
    ],
)
def test_clocks_are_sent(tmp_path: Path, clock: bool, limits: Limits, sent: list[str]) -> None:
    log = tmp_path / "log"
    engine = XboardEngine(cmd=command("log", log, protocol="xboard"), clock=clock)
    choose_move(engine, play(loaded("chess").start(), "e4"), limits)
    engine.close()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[lines.index("usermove e2e4") + 1 : -2] == [*sent, "ping 2"]


def test_limits_without_meaning_are_refused() -> None:
    engine = XboardEngine(cmd=command("good", protocol="xboard"))
    with raises(EngineOptionError, "xboard.nodes"):
        choose_move(engine, loaded("chess").start(), Limits(nodes=5))
    with raises(EngineOptionError, "xboard.no-option-nodes"):
        get("xboard:fairymax,nodes=5")
    with raises(EngineError, "xboard.other-game"):
        choose_move(engine, loaded("makruk").start())
    with raises(EngineError, "xboard.no-line"):
        choose_move(engine, loaded("shogi").start())
    engine.close()


@each_case(
    ("line", "score", "pv"),
    [
        ("9 100003 1 1 e2e4", WIN - 5, ["e2e4"]),
        ("4 99997 0 1604 1. Ra7", WIN - 3, ["Ra7"]),
        ("4 -99998 0 1604", 2 - WIN, []),
        ("9& -100003 1 1\t 12 3\t e2e4", 6 - WIN, ["e2e4"]),
        (" 2 26 0 98 (-) 1. ... e5 2. e4 Bxa3", 26, ["e5", "e4", "Bxa3"]),
        ("-1 440 7 256", 440, []),
    ],
)
def test_thinking_output_is_read(line: str, score: float, pv: list[str]) -> None:
    info = read_thinking(line)
    assert (info.score, info.pv) == (score, pv)


def test_other_lines_are_no_thinking_output() -> None:
    for line in ("", "move e2e4", "1. e2e4", "1 2 3", "# 1 2 3 4", "1-0 {mate}"):
        assert read_thinking(line) is None
    assert score_number(1e9) == 99_000
    assert read_option("Hash") is None


@pytest.mark.slow
@pytest.mark.parametrize("game", ["chess", "makruk", "xiangqi"])
def test_both_sides_play(game: str) -> None:
    engine = XboardEngine(cmd=[*FORTHVM, "xboard", game, "--engine", "negamax"])
    local = get("negamax:depth=2")
    position = loaded(game).start()
    for _ in range(4):
        result = choose_move(engine, position, Limits(depth=2))
        assert result.move == choose_move(local, position).move
        position.push(result.move)
        position.push(position.legal_moves[0])
    position.pop()
    position.push(position.legal_moves[1])
    choose_move(engine, position, Limits(depth=1))
    engine.close()


@pytest.mark.slow
def test_positions_that_were_set_up_are_sent() -> None:
    argv = [*FORTHVM, "xboard", "chess", "--engine", "negamax"]
    engine = XboardEngine(cmd=argv)
    result = choose_move(engine, Position.from_fen(loaded("chess"), MATE_IN_ONE), Limits(depth=2))
    engine.close()
    assert (str(result.move), result.score) == ("rook a1 - a8", WIN - 1)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("program", "game"),
    [
        ("fairymax", "chess"),
        ("fairymax", "makruk"),
        ("fairymax", "chess-los-alamos"),
        ("hoichess", "chess"),
        ("maxqi", "xiangqi"),
        ("hoixiangqi", "xiangqi"),
    ],
)
def test_other_programs_play(program: str, game: str) -> None:
    engine = get(f"xboard:{installed(program)},depth=2")
    opponent = get("random:seed=1")
    position = loaded(game).start()
    first = position.turn
    while position.result is None and position.ply < 40:
        player = engine if position.turn == first else opponent
        position.push(choose_move(player, position).move)
    engine.close()
