"""The command as a process: pipes, encodings and signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.kit import processes
from tests.kit.processes import FORTHVM, start
from tests.systems import needs_signals, needs_unix_shell

# Starts forthvm with Ctrl-C enabled: child processes of a shell's background jobs ignore it.
START_WITH_CTRL_C = """import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("forthvm", run_name="__main__", alter_sys=True)
"""


PLAIN = {"NO_COLOR": None, "COLUMNS": None, "TERM": "xterm-256color"}


def environment(**changes: str) -> dict[str, str]:
    inherited = {
        key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "COLUMNS"}
    }
    return {**inherited, "TERM": "xterm-256color", **changes}


def run(*args: str, stdin: str = "", **changes: str) -> subprocess.CompletedProcess[str]:
    return processes.run(*FORTHVM, *args, stdin=stdin, **PLAIN, **changes)


def test_piped_output_is_plain() -> None:
    process = run("run", "tictactoe", "--auto", "--engine", "first")
    assert process.returncode == 0
    assert "\x1b" not in process.stdout
    assert "\r" not in process.stdout
    assert process.stdout.splitlines()[-1].startswith("After 7 plies: X won")
    assert process.stderr == ""


@pytest.mark.slow
def test_moves_from_a_pipe() -> None:
    process = run("run", "tictactoe", "--engine", "first", stdin="c1\nb1\na1\n")
    assert process.returncode == 0
    assert "X won" in process.stdout
    assert "\x1b" not in process.stdout


@pytest.mark.slow
def test_end_of_input_ends_the_game() -> None:
    process = run("run", "tictactoe", "--engine", "first", stdin="c1\n")
    assert process.returncode == 0
    assert "unfinished" in process.stdout
    assert process.stderr == ""


@pytest.mark.slow
@needs_unix_shell
def test_closed_streams_end_the_program_cleanly() -> None:
    command = f"{sys.executable} -m forthvm moves tictactoe >&-"
    process = subprocess.run(
        ["sh", "-c", command], stderr=subprocess.PIPE, env=environment(), check=False, timeout=60
    )
    assert (process.returncode, process.stderr) == (0, b"")
    command = f"{sys.executable} -m forthvm run tictactoe --engine first <&-"
    process = subprocess.run(
        ["sh", "-c", command], capture_output=True, env=environment(), check=False, timeout=60
    )
    assert (process.returncode, process.stderr) == (0, b"")
    assert b"Goodbye" in process.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk_is_reported() -> None:
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [*FORTHVM, "moves", "tictactoe"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            check=False,
            timeout=60,
        )
    assert process.returncode == 1
    assert "Traceback" not in process.stderr
    assert process.stderr == "forthvm: cannot write the output: No space left on device\n"


@pytest.mark.slow
def test_invalid_utf8_is_not_a_move() -> None:
    process = subprocess.run(
        [*FORTHVM, "run", "tictactoe", "--engine", "first"],
        input=b"\xff\xfe\nb2\n",
        capture_output=True,
        env=environment(PYTHONIOENCODING="utf-8"),
        check=False,
        timeout=60,
    )
    assert process.returncode == 0
    assert process.stderr == b""
    assert b"1. X: X mark b2" in process.stdout


@pytest.mark.slow
def test_an_encoding_without_dot_characters_gets_ascii() -> None:
    process = run("run", "tictactoe", "--auto", "--engine", "first", PYTHONIOENCODING="ascii")
    assert process.returncode == 0
    assert process.stdout.isascii()
    assert "?" not in process.stdout


@pytest.mark.slow
def test_a_closed_pipe_ends_quietly() -> None:
    with start(*FORTHVM, "run", "breakthrough", "--auto", "--engine", "random") as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=60) == 0
        assert process.stderr.read() == ""


def run_and_interrupt(*args: str | Path, after: float = 1.5) -> tuple[int, str, str]:
    """Runs a command, sends Ctrl-C, and returns its status, output and errors."""
    with start(sys.executable, "-c", START_WITH_CTRL_C, *args, **PLAIN) as process:
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    return process.returncode, out, err


@pytest.mark.slow
@needs_signals
def test_ctrl_c_stops_perft() -> None:
    status, out, err = run_and_interrupt("perft", "breakthrough", "9")
    assert status == 130
    assert out == ""
    assert err.strip().splitlines()[0].endswith("interrupted")


@pytest.mark.slow
@needs_signals
def test_ctrl_c_reports_the_location_of_an_endless_script(tmp_path: Path) -> None:
    script = tmp_path / "endless.4th"
    script.write_text(": spin BEGIN FALSE UNTIL ;\nspin\n", encoding="utf-8")
    status, _, err = run_and_interrupt("moves", script)
    assert status == 130
    assert "interrupted" in err
    assert "endless.4th:1:" in err
    assert "called from spin" in err


def test_a_warning_of_the_library_is_one_line(tmp_path: Path) -> None:
    """It has no path and no source line of Python."""
    path = tmp_path / "small.4th"
    path.write_text(
        "{board 1 9 {grid} {variable} sum {variable} count {position} store board}\n"
        "{directions 0 1 {direction} e directions}\n"
        "{players {player} Left {player} Right players}\n"
        "{turn-order {turn} Left {turn} Right turn-order}\n"
        ": go ( -- ) e verify empty? verify from here move add-move ;\n"
        "{moves moves {move} go moves} {pieces {piece} man {moves} moves pieces}\n"
        "{board-setup {setup} Left man a1 {setup} Left man c1 board-setup}\n"
    )
    done = run("think", str(path), "--depth", "1")
    (warning,) = done.stderr.splitlines()
    assert warning.startswith("warning: small.4th: the board does not contain `count`")
