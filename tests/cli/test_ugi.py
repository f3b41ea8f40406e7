"""`forthvm ugi`: responses to valid and invalid input, and results of engines."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Self

import pytest

import forthvm
from forthvm.cli.commands.protocols import split_lines
from forthvm.engines import Limits, SearchResult
from forthvm.engines.protocols.moves_from_start import PositionEncoder
from forthvm.engines.protocols.server import TOO_LONG
from forthvm.engines.protocols.uci.server import DialectServer
from forthvm.engines.protocols.words import MoveWords
from forthvm.game import Position
from tests.engines.served_lines import replies_of
from tests.kit.cases import each_case
from tests.kit.commands import Cli
from tests.kit.games import loaded
from tests.kit.processes import FORTHVM, run
from tests.systems import needs_signals

CHECKOUT = Path(__file__).resolve().parents[2]
COMMAND = [*FORTHVM, "ugi"]


class EngineProcess:
    """A `forthvm ugi` process that the test sends lines to."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(CHECKOUT), *sys.path])},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def send(self, *lines: str) -> None:
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def read_until(self, word: str) -> list[str]:
        """Returns the lines up to the line that begins with a word."""
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.split()[:1] == [word]:
                return lines
        raise AssertionError(f"no {word!r} but {lines} {self.process.stderr}")

    def request(self, line: str, word: str) -> str:
        """Sends a line and returns the reply, which begins with a word."""
        self.send(line)
        return self.read_until(word)[-1]

    def remaining_lines(self) -> list[str]:
        """Returns the lines until the process ends."""
        out, err = self.process.communicate(timeout=60)
        assert err == ""
        return out.splitlines()


def replies_to(*lines: str, game: str = "tictactoe", engine: str = "first") -> list[str]:
    silent = forthvm.load(game, output=lambda _: None)
    return replies_of(lambda write: DialectServer(silent, write, engine), *lines)


# --- a session -----------------------------------------------------------------------------------


def test_session_transcript() -> None:
    with EngineProcess("tictactoe", "--engine", "negamax:depth=9") as ugi:
        ugi.send("ugi")
        greeting = ugi.read_until("ugiok")
        assert greeting[0].startswith("id name forthvm ")
        assert greeting[0].endswith("negamax (tictactoe)")
        assert "option name Engine type string default negamax:depth=9" in greeting
        assert ugi.request("isready", "readyok") == "readyok"
        ugi.send("uginewgame", "position startpos moves X_mark_a1 b2")
        assert ugi.request("query p1turn", "response") == "response true"
        assert ugi.request("query p2turn", "response") == "response false"
        assert ugi.request("query gameover", "response") == "response false"
        assert ugi.request("query result", "response") == "response none"
        ugi.send("go depth 3")
        *infos, best = ugi.read_until("bestmove")
        assert best.startswith("bestmove X_mark_")
        assert infos[-1].split()[:3] == ["info", "depth", "3"]
        assert infos[-1].split(" pv ")[1].split()[0] == best.split()[1]
        # The last move completes c1, c2, c3.
        ugi.send("position startpos moves a1 b2 c3 a3 c1 b1 c2")
        assert ugi.request("query gameover", "response") == "response true"
        assert ugi.request("query result", "response") == "response p1win"
        assert ugi.request("query p2turn", "response") == "response false"
        ugi.send("quit")
        assert ugi.remaining_lines() == []
        assert ugi.process.returncode == 0


def test_isready_is_answered_during_a_search() -> None:
    with EngineProcess("breakthrough") as ugi:
        ugi.send("position startpos", "go infinite")
        ugi.read_until("info")
        assert ugi.request("isready", "readyok")
        assert ugi.request("query p1turn", "response") == "response true"
        # Only commands that need the engine wait for the search.
        ugi.send("position startpos moves a2a3", "query p1turn", "isready")
        assert "response false" not in ugi.read_until("readyok")
        ugi.send("stop")
        assert ugi.read_until("bestmove")[-1].startswith("bestmove pawn_")
        assert ugi.read_until("response")[-1] == "response false"
        ugi.send("go depth 2")
        assert ugi.read_until("bestmove")[-1].startswith("bestmove pawn_")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("ending", ["quit", "end", "killed reader"])
def test_quit_ends_a_search(ending: str) -> None:
    with EngineProcess("breakthrough") as ugi:
        ugi.send("go infinite")
        ugi.read_until("info")
        assert ugi.process.stdin is not None
        assert ugi.process.stdout is not None
        if ending == "quit":
            ugi.send("quit")
        else:
            if ending == "killed reader":
                ugi.process.stdout.close()
            ugi.process.stdin.close()
        assert ugi.process.wait(60) == 0


@pytest.mark.slow
def test_unstoppable_engine_does_not_keep_the_process() -> None:
    with EngineProcess("tictactoe", "--engine", "tests.cli.test_ugi:UnstoppableEngine") as ugi:
        ugi.send("go infinite")
        assert ugi.request("isready", "readyok")
        ugi.send("stop", "isready")
        ugi.read_until("readyok")
        ugi.send("quit")
        assert ugi.process.wait(60) == 0


class UnstoppableEngine:
    """An engine that never returns and cannot be stopped."""

    def play(self, position: Position, limits: Limits | None) -> SearchResult:
        import time

        while True:
            time.sleep(60)


@pytest.mark.slow
@needs_signals
def test_ctrl_c_ends_the_process() -> None:
    with EngineProcess("tictactoe") as ugi:
        ugi.request("isready", "readyok")
        ugi.process.send_signal(signal.SIGINT)
        assert ugi.process.wait(60) == 130


def test_go_infinite_waits_for_stop() -> None:
    with EngineProcess("tictactoe", "--engine", "first") as ugi:
        ugi.send("go infinite", "isready", "isready")
        assert not [line for line in ugi.read_until("readyok") if "bestmove" in line]
        ugi.read_until("readyok")
        ugi.send("stop")
        assert ugi.read_until("bestmove")[-1] == "bestmove X_mark_a3"


def test_last_line_needs_no_line_end() -> None:
    lines = "position startpos moves a3\ngo\nisready"
    process = run(*COMMAND, "tictactoe", "--engine", "first", stdin=lines)
    assert (process.returncode, process.stderr) == (0, "")
    assert "readyok" in process.stdout


def test_unknown_games_and_engines_are_wrong_usage(cli: Cli) -> None:
    for arguments, message in [
        (["nosuch"], "no game is called"),
        (["tictactoe", "--engine", "nosuch"], "no engine 'nosuch'"),
    ]:
        assert message in cli.err("ugi", *arguments, status=2)


def test_standard_input_without_descriptor_is_read(cli: Cli) -> None:
    lines = "isready\nquery p1turn\nquit\nisready\n"
    assert cli.out("ugi", "tictactoe", stdin=lines) == "readyok\nresponse true\n"


# --- bad input -----------------------------------------------------------------------------------

INVALID_INPUT = [
    ("foo bar", "unknown command 'foo bar'"),
    ("x" * 5000, "unknown command 'xxx"),
    ("position", "expected startpos"),
    ("position fen", "expected startpos"),
    ("position fen 8/8 w", "expected startpos"),
    ("position fen 8/8", "must begin with 'fvm1:'"),
    ("position fen fvm1:AAAA", "not a position"),
    ("position startpos moves X_mark_a1 X_mark_a1", "move 2: 'X_mark_a1' is not a legal move of O"),
    ("position startpos moves a1 a2 a3 b1 b3 b2 c1 c3 c2 c2", "move 10: the game is over"),
    ("query", "expected one of p1turn, p2turn, gameover, result"),
    ("query weather", "expected one of"),
    ("setoption", "expected setoption name"),
    ("setoption name Hash value 3", "there is no option 'Hash'"),
    ("setoption name Engine value nosuch", "no engine 'nosuch'"),
    ("setoption name Engine value negamax:depth=x", "option depth"),
    (TOO_LONG, "ignored a line that was too long"),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("line", "message"), INVALID_INPUT)
def test_bad_input_is_reported_and_skipped(line: str, message: str) -> None:
    replies = replies_to(line, "isready", "position startpos moves b2", "go")
    assert replies[0].startswith("info string error: ")
    assert message in replies[0]
    assert len(replies[0]) < 500
    assert replies[1] == "readyok"
    assert replies[-1] == "bestmove O_mark_a3"


@pytest.mark.parametrize("line", ["", "   ", "\t"])
def test_empty_lines_are_ignored(line: str) -> None:
    assert replies_to(line, "isready") == ["readyok"]


@each_case(
    ("lines", "message"),
    [
        (["position startpos moves nowhere", "go depth 2"], "there is no position: the last"),
        (["position startpos moves a1", "position startpos moves a1 a1", "go"], "move 2: 'a1'"),
    ],
)
def test_every_go_gets_a_bestmove(lines: list[str], message: str) -> None:
    replies = replies_to(*lines)
    assert message in replies[-2]
    assert replies[-1] == "bestmove 0000"


def test_refused_position_is_discarded() -> None:
    replies = replies_to(
        "position startpos moves a1", "position startpos moves a1 a1", "query p1turn",
        "position startpos moves a1 b1", "query p1turn",
    )  # fmt: skip
    assert "there is no position" in replies[1]
    assert replies[2:] == ["response true"]


def test_unknown_words_and_bad_limits_of_go_are_ignored() -> None:
    replies = replies_to("go ponder depth 0")
    assert replies[0] == "info string ignored in go: ponder depth 0"
    assert replies[-1] == "bestmove X_mark_a3"


def test_chunks_are_joined_to_lines() -> None:
    def lines(*chunks: bytes) -> list[str]:
        return list(split_lines(iter(chunks)))

    assert lines(b"go de", b"pth 3\nst", b"op\n") == ["go depth 3", "stop"]
    assert lines(b"a\n\nb") == ["a", "", "b"]
    assert lines(b"\x00\xff\n") == [" \ufffd"]
    long_chunk = b"x" * (40 << 20)
    assert lines(long_chunk, long_chunk, b"y\nisready\n") == [TOO_LONG, "isready"]
    assert lines(b"ugi\n" + long_chunk, long_chunk, b"y", b"z\nisready") == [
        "ugi",
        TOO_LONG,
        "isready",
    ]


def test_too_long_lines_are_refused() -> None:
    replies: list[str] = []
    server = DialectServer(forthvm.load("tictactoe"), replies.append, "first")
    server._execute("go infinite")
    for _ in range(1001):  # one more than the server stores
        server._receive("position startpos moves a1")
    assert replies[-1].startswith("info string error: too many waiting commands, ignored:")
    server._receive("stop")
    while server._search is not None:
        server._step()
    assert replies[-1] == "bestmove X_mark_a3"
    server._end()


def test_the_number_of_waiting_commands_is_limited() -> None:
    """Also that of `stop`; each of them ends the running search."""
    replies: list[str] = []
    server = DialectServer(forthvm.load("tictactoe"), replies.append, "first")
    server._execute("go infinite")
    for _ in range(1001):
        server._receive("stop")
    assert len(server._waiting_commands) == 1000
    while server._search is not None:
        server._step()
    assert "bestmove X_mark_a3" in replies
    server._end()


# --- engines -------------------------------------------------------------------------------------


class FailingEngine:
    """An engine that raises an exception."""

    def play(self, position: Position, limits: Limits | None) -> SearchResult:
        raise ZeroDivisionError("by nought")


class ReportingEngine:
    """An engine that prints its limits."""

    def play(self, position: Position, limits: Limits | None) -> SearchResult:
        info = {"warning": f"{limits}", "faults": ("one\ntwo",)}
        return SearchResult(move=position.legal_moves[-1], info=info)


def test_engine_output_and_errors_are_reported() -> None:
    replies = replies_to(
        "go",
        "setoption name engine value tests.cli.test_ugi:ReportingEngine",
        "go depth 3",
        engine=FAILING_ENGINE,
    )
    assert "ZeroDivisionError: by nought" in replies[0]
    assert replies[1] == "bestmove 0000"
    assert replies[2] == "info string one | two"
    assert replies[3].startswith("info string Limits(time=None, depth=3,")
    assert replies[-1] == "bestmove X_mark_c1"


FAILING_ENGINE = "tests.cli.test_ugi:FailingEngine"


def test_limits_of_the_host_override_those_of_the_engine() -> None:
    """Without a limit 1,500 positions are searched; a limit of the host overrides the engine's."""
    replies = replies_to("go", engine="negamax")
    assert 0 < depth_of(replies[-2]) < 9
    assert depth_of(replies_to("go depth 9", engine="negamax")[-2]) == 9
    assert depth_of(replies_to("go", engine="negamax:depth=2")[-2]) == 2
    assert depth_of(replies_to("go depth 3", engine="negamax:depth=2")[-2]) == 3


def depth_of(line: str) -> int:
    words = line.split()
    return int(words[words.index("depth") + 1])


def test_single_value_reports_are_sent() -> None:
    replies = replies_to("go depth 1", game="splut-duel", engine="script")
    assert any("score cp" in line and " pv " not in line for line in replies)
    assert replies[-2].split(" pv ")[1] == replies[-1].split()[1]


def test_chance_moves_and_finished_games_are_reported() -> None:
    position = forthvm.load("ur", output=lambda _: None).start()
    encoder = PositionEncoder(position.game)
    while not position.is_chance:
        position.push(position.legal_moves[0])
    replies = replies_to(
        f"position {encoder.encode(position)}", "query p1turn", "query p2turn", "go", game="ur"
    )
    assert replies[:3] == [
        "response false",
        "response false",
        f"info string {position.turn} is a chance player: the move is drawn at random",
    ]
    position.push(position.legal_moves[MoveWords(position).find(replies[-1].split()[1])])
    assert replies_to("query players", game="ur") == ["response White Black"]
    finished = replies_to("position startpos moves a1 b1 a2 b2 a3", "go", "query moves")
    assert finished[0] == "info string the game is over: O has lost, X won: three in a row"
    assert finished[1:] == ["bestmove 0000", "response "]


def test_queries_know_four_players() -> None:
    replies = replies_to("query players", "query p1turn", "query p4turn", game="splut")
    first, *_ = loaded("splut").start().game.players
    assert replies[0].split()[1] == first
    assert len(replies[0].split()) == 5
    assert replies[1:] == ["response true", "response false"]


def test_stuck_player_passes(tmp_path: Path) -> None:
    script = tmp_path / "stuck.4th"
    script.write_text(
        r"""
{board 1 3 {grid} board}
{players {player} X {player} O players}
{turn-order {turn} X {turn} O turn-order}
: put ( -- ) current-player X = verify empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} mark {drops} puts pieces}
: OnIsGameOver #UnknownScore ;
""",
        encoding="ascii",
    )
    replies = replies_to("position startpos moves a1", "query moves", "go", game=str(script))
    assert replies == ["response Pass", "info string O has no move and passes", "bestmove Pass"]
    position = forthvm.load(script).start()
    position.push("a1")
    position.push_pass()
    replies = replies_to("position startpos moves a1 Pass", "go", game=str(script))
    assert replies[-1] == f"bestmove {MoveWords(position).words[0]}"
