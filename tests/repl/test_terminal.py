"""The REPL as a process on a pseudo-terminal and in a pipe: screen and exit status."""

from __future__ import annotations

import os
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest

from tests.kit import processes
from tests.repl.conftest import ReplClient

if sys.platform == "win32":
    pytest.skip("needs pseudo-terminals", allow_module_level=True)

import fcntl
import pty
import termios

PYTHON = [*processes.FORTHVM, "repl"]
CTRL_C, CTRL_D = "\x03", "\x04"


class TerminalRepl:
    """A REPL on a pseudo-terminal, whose screen the test reads."""

    def __init__(self, folder: Path, *args: str, columns: int = 60, lines: int = 24) -> None:
        self.screen = pyte.Screen(columns, lines)
        self.screen.write_process_input = self._send_reply  # type: ignore[method-assign]
        self._stream = pyte.ByteStream(self.screen)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # the child process
            os.chdir(folder)
            os.environ.update(TERM="xterm-256color", HOME=str(folder))
            for name in ("COLUMNS", "LINES", "NO_COLOR"):
                os.environ.pop(name, None)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                os.execv(PYTHON[0], [*PYTHON, *args])
            finally:
                os._exit(127)
        self.resize(columns, lines)

    def resize(self, columns: int, lines: int = 24) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.screen.resize(lines, columns)

    def _send_reply(self, data: str) -> None:
        os.write(self.fd, data.encode())

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def read_output(self, seconds: float) -> bool:
        """Reads output for a short time; False if the program has exited."""
        end = time.monotonic() + seconds
        while (remaining := end - time.monotonic()) > 0:
            if select.select([self.fd], [], [], remaining)[0]:
                try:
                    self._stream.feed(os.read(self.fd, 65536))
                except OSError:
                    return False
        return True

    def wait_for(self, text: str, seconds: float = 30.0) -> None:
        self.wait_until(lambda: text in self.text, repr(text), seconds)

    def wait_until(
        self, condition: Callable[[], bool], expected: str, seconds: float = 30.0
    ) -> None:
        end = time.monotonic() + seconds
        while not condition():
            if not self.read_output(0.05) or time.monotonic() > end:
                raise AssertionError(f"{expected} did not appear on\n{self.text}")

    def wait_for_editor(self) -> None:
        """Waits until the editor has enabled bracketed paste, so that it reads keys."""
        # pyte stores the private mode 2004 (bracketed paste) shifted by 5 bits.
        self.wait_until(lambda: 2004 << 5 in self.screen.mode, "the editor")

    def prompt_count(self) -> int:
        return sum(line.startswith("forth>") for line in self.screen.display)

    def run(self, line: str) -> None:
        """Types a line and waits for the next prompt."""
        self.wait_for_editor()
        before = self.prompt_count()
        self.type(f"{line}\r")
        self.wait_until(lambda: self.prompt_count() > before, "the next prompt")

    def status(self) -> int:
        """Waits for the end of the process and returns its exit status."""
        while self.read_output(0.05):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


StartRepl = Callable[..., TerminalRepl]


@pytest.fixture
def start_repl(tmp_path: Path) -> Iterator[StartRepl]:
    """Returns a function that starts REPLs; ends the processes after the test."""
    started: list[TerminalRepl] = []

    def start(*args: str, **size: int) -> TerminalRepl:
        started.append(TerminalRepl(tmp_path, *args, **size))
        return started[-1]

    yield start
    for terminal in started:
        try:
            os.kill(terminal.pid, signal.SIGKILL)
            os.waitpid(terminal.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(terminal.fd)


@pytest.mark.slow
def test_session_transcript(start_repl: StartRepl) -> None:
    terminal = start_repl()
    terminal.wait_for("forth>")
    terminal.run(": sq ( n -- n*n ) DUP * ;")
    terminal.run("5 sq ' sq")
    assert "(' sq)" in terminal.text
    terminal.type("quit\r")
    assert terminal.status() == 0


@pytest.mark.slow
def test_a_game_is_drawn_and_played(start_repl: StartRepl) -> None:
    terminal = start_repl("tictactoe")
    terminal.wait_for("tictactoe X>")
    assert "3   ·   ·   ·" in terminal.text
    terminal.type("play b2\r")
    terminal.wait_for("tictactoe O>")
    assert "2   · [ X ] ·" in terminal.text


@pytest.mark.slow
def test_keys_typed_before_the_editor_starts_are_read(start_repl: StartRepl) -> None:
    terminal = start_repl()
    terminal.type("1 2 +\r40 .\r")
    terminal.wait_for("<1> 3")
    terminal.wait_for("40")


@pytest.mark.slow
def test_the_menu_shows_effect_and_help(start_repl: StartRepl) -> None:
    terminal = start_repl(columns=80)
    terminal.wait_for("forth>")
    terminal.read_output(0.5)
    terminal.type("1 ALLO")
    terminal.wait_for("( n -- )  Move the end")


@pytest.mark.slow
def test_prompt_shows_an_open_definition(start_repl: StartRepl) -> None:
    terminal = start_repl()
    terminal.wait_for("forth>")
    terminal.type(": f\rIF\r")
    terminal.wait_for(": f IF>")


@pytest.mark.slow
def test_ctrl_c_ends_a_loop(start_repl: StartRepl) -> None:
    terminal = start_repl()
    terminal.wait_for("forth>")
    terminal.run("1 2 : spin BEGIN 1 DROP FALSE UNTIL ;")
    terminal.type("spin\r")
    terminal.read_output(0.7)
    terminal.type(CTRL_C)
    terminal.wait_for("interrupted")
    terminal.wait_for("called from spin")
    terminal.wait_for("<2> 1 2")
    terminal.run("3")
    assert "<3> 1 2 3" in terminal.text


@pytest.mark.slow
def test_ctrl_d_within_a_definition_warns_and_then_leaves(start_repl: StartRepl) -> None:
    terminal = start_repl()
    terminal.wait_for("forth>")
    terminal.type(": f IF 1")
    terminal.read_output(0.5)
    terminal.type(CTRL_D)
    terminal.wait_for("`: f` is still open: Ctrl-C discards it")
    terminal.type(CTRL_D)
    assert terminal.status() == 0


@pytest.mark.slow
def test_unknown_word_is_marked(start_repl: StartRepl) -> None:
    terminal = start_repl()
    terminal.wait_for("forth>")
    terminal.run("1 nowhere")
    assert "unknown word `nowhere`" in terminal.text
    assert "^~~~~~~" in terminal.text


@pytest.mark.slow
def test_long_output_waits(start_repl: StartRepl) -> None:
    terminal = start_repl(lines=12)
    terminal.wait_for("forth>")
    terminal.type(": many 100 0 DO I . CR LOOP ;\rmany\r")
    terminal.wait_for("-- more: blank, Enter, a(ll) or q --")
    assert "8" in terminal.text
    assert "\n15\n" not in terminal.text
    terminal.type(" ")
    terminal.wait_for("\n15")
    terminal.type("q")
    terminal.wait_until(lambda: terminal.text.endswith("forth>"), "a prompt")
    assert "99" not in terminal.text
    assert "interrupted" not in terminal.text
    terminal.type("help\r")
    terminal.wait_for("-- more")
    terminal.type("a")
    terminal.wait_for("always a command.")


@pytest.mark.slow
def test_prompt_works_at_20_columns(start_repl: StartRepl) -> None:
    terminal = start_repl("tictactoe")
    terminal.wait_for("tictactoe X>")
    terminal.read_output(0.5)
    terminal.resize(20)
    terminal.type("1 2 +\r")
    terminal.wait_for("<1> 3")
    terminal.type(": f IF\r")
    terminal.wait_for("IF>")
    terminal.type(f"{CTRL_C}board\r")
    terminal.wait_for("X to move, 9 moves")
    terminal.type("help\r")
    terminal.wait_for("-- more --")
    assert all(len(line) <= 20 for line in terminal.screen.display)
    terminal.type("aquit\r")
    assert terminal.status() == 0


@pytest.mark.slow
def test_broken_settings_file_is_reported(start_repl: StartRepl, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "forthvm"
    folder.mkdir(parents=True)
    (folder / "repl.toml").write_text("keys = \n", encoding="utf-8")
    terminal = start_repl(columns=200)
    terminal.wait_for("not TOML: Invalid value (at line 1, column 8); the defaults are used")
    terminal.wait_for("forth>")
    terminal.run("1 2 +")


@pytest.mark.slow
def test_wrong_settings_are_reported(start_repl: StartRepl) -> None:
    terminal = start_repl("--theme", "nowhere", "--config", "nowhere.toml", columns=200)
    terminal.wait_for("nowhere.toml: there is no such file")
    terminal.wait_for("no theme 'nowhere': dark, light, plain, or the name of a Pygments style")
    terminal.wait_for("forth>")


@pytest.mark.slow
def test_invalid_colour_is_reported(start_repl: StartRepl, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('[colours]\nnumber = "no-colour"\n', encoding="utf-8")
    terminal = start_repl("--config", "own.toml", columns=200)
    terminal.wait_for("colours: ")
    terminal.run("1 2 +")


@pytest.mark.slow
def test_unwritable_history_is_reported(start_repl: StartRepl, tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    terminal = start_repl(columns=200)
    terminal.wait_for("cannot write the history")
    terminal.run("1 2 +")


@pytest.mark.slow
def test_closed_terminal_ends_the_repl(start_repl: StartRepl) -> None:
    terminal = start_repl()
    terminal.wait_for("forth>")
    terminal.read_output(0.5)
    os.close(terminal.fd)
    end = time.monotonic() + 20
    while os.waitpid(terminal.pid, os.WNOHANG) == (0, 0):
        assert time.monotonic() < end, "it did not end"
        time.sleep(0.05)
    terminal.fd = os.open(os.devnull, os.O_RDONLY)


@pytest.mark.slow
def test_errors_are_coloured(start_repl: StartRepl) -> None:
    terminal = start_repl()
    terminal.wait_for("forth>")
    terminal.run("1 nowhere")
    row = next(at for at, line in enumerate(terminal.screen.display) if "unknown word" in line)
    assert terminal.screen.buffer[row][0].fg != "default"


# --- without a terminal -----------------------------------------------------------------


def piped(script: str, *args: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return processes.run(*PYTHON, *args, stdin=script, folder=folder)


@pytest.mark.slow
def test_pipe_prints_only_script_output(tmp_path: Path) -> None:
    process = piped(': sq DUP * ;\n1 2 3\n5 sq . ." fine"')
    assert (process.returncode, process.stdout, process.stderr) == (0, "25 fine", "")


@pytest.mark.slow
def test_empty_script_succeeds() -> None:
    process = piped("")
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")


@pytest.mark.slow
def test_failing_script_reports_the_location() -> None:
    process = piped("1 .\n\n: f\n  0 / ;\n5 f\n2 .\n")
    assert (process.returncode, process.stdout) == (1, "1 ")
    assert process.stderr.startswith("<stdin>:4:5: division by zero")
    assert "called from <stdin>:5:3" in process.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "output"),
    [
        (": f IF 1", "the definition of `f` is never finished by ;"),
        ("{board 3 3 {grid}", "{board is never closed by board}"),
        ("see nowhere", "unknown word `nowhere`"),
        ("1\n2\nsee 1x\n", "unknown word `1x`"),
    ],
)
def test_unfinished_scripts_and_failing_commands_are_reported(script: str, output: str) -> None:
    process = piped(script)
    assert process.returncode == 1
    assert output in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.slow
def test_commands_in_a_pipe_need_their_own_line(tmp_path: Path) -> None:
    script = (
        "( a comment with\nsee in it )\n: f\n  1\n;\nsee f\nf .\nundo\n: see 7 ;\nsee .\n%see see\n"
    )
    process = piped(script)
    assert process.stderr == ""
    assert process.stdout.splitlines() == [
        "\\ <stdin>:3",
        ": f",
        "  1",
        ";",
        "1 took the last line back",
        "7 \\ <stdin>:9",
        ": see 7 ;",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--std", "2012")])
def test_commands_work_in_a_pipe_in_both_languages(options: tuple[str, ...]) -> None:
    script = (
        "1 2 + .\n5\nundo\nstack\n: f\nundo\n;\n",
        ": undo 7 ;\n: g\nundo . ;\ng\n%undo\nstack x\nbye\n1 0 /\n",
    )
    process = piped(script[0], *options)
    assert process.stdout.splitlines() == ["3 took the last line back", "the stack is empty"]
    assert "<stdin>:6:1: unknown word `undo`" in process.stderr
    process = piped(script[1], *options)
    assert process.stdout.splitlines() == ["7 took the last line back"]
    assert process.stderr == "<stdin>:6: `stack` takes no argument: `x`\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("0 [IF]\nundo\nstack\n[ELSE] 4 .\n[THEN] 5 .\n", "4 5"),
        ("PAD 9 ACCEPT .\nundo\nKEY .\nstack\n6 .\n", "4 115 6"),
        ("REFILL\n\n.\nundo\n7 .\n", "-1 took the last line back 7"),
        (": stack 8 ;\nstack .\nQUIT 1 .\nundo\n2 .\n", "8 took the last line back 2"),
    ],
)
def test_text_that_standard_forth_skips_or_reads_is_no_command(script: str, output: str) -> None:
    process = piped(script, "--std", "2012")
    assert process.stdout.split() == output.split(), process


@pytest.mark.slow
def test_game_is_played_from_a_pipe() -> None:
    process = piped("play b2\na1 empty-at? .\nmoves a1\nquit\n1 0 /\n", "tictactoe")
    assert process.returncode == 0
    assert process.stdout.splitlines() == [
        "1. X: X mark b2",
        "O to move, 8 moves",
        "-1 6  O mark a1",
        "     O mark OR a1 (create)",
    ]


@pytest.mark.slow
def test_options_reach_the_vm(tmp_path: Path) -> None:
    assert piped("RAND .", "--seed", "7").stdout == piped("RAND .", "--seed", "7").stdout
    process = piped(": f BEGIN FALSE UNTIL ; f", "--max-steps", "1000")
    assert process.returncode == 1
    assert "step limit reached" in process.stderr
    assert "index 9" in piped("3 [] a 9 a @ .", "--checked").stderr
    process = piped("position", "tictactoe", "--moves", "b2; a1")
    assert "after 2 plies" in process.stdout
    assert piped("#Version .", "--axiom", "140").stdout == "140 "
    assert "140-exact" in piped("", "--help").stdout


@pytest.mark.slow
def test_closed_output_ends_the_repl() -> None:
    command = " ".join([*PYTHON, "| head -1"])
    process = processes.run("sh", "-c", f"yes 'words' | head -50 | {command}")
    assert process.returncode == 0
    assert process.stderr == ""
    assert len(process.stdout.splitlines()) == 1


@pytest.mark.slow
def test_closed_streams_end_the_repl_cleanly() -> None:
    for closed in ("<&-", ">&-"):
        process = processes.run("sh", "-c", f"echo '1 .' | {' '.join(PYTHON)} {closed}")
        assert (process.returncode, process.stderr) == (0, "")


@pytest.mark.slow
def test_invalid_utf8_in_a_pipe_is_reported() -> None:
    process = subprocess.run(
        PYTHON, input=b"\xff\xfe 1\n", capture_output=True, timeout=60, check=False
    )
    assert process.returncode == 1
    assert b"unknown word" in process.stderr
    assert b"Traceback" not in process.stderr


@pytest.mark.slow
def test_a_save_from_a_pipe_loads_again(tmp_path: Path, repl: ReplClient) -> None:
    process = piped(": sq DUP * ;\nVARIABLE x 5 x !\nsave out.4th\n", folder=tmp_path)
    assert process.stdout == "wrote out.4th, 4 lines\n"
    repl.session.vm.load(tmp_path / "out.4th")
    assert repl.session.vm.call("sq", 3) == (9,)


@pytest.mark.slow
def test_debug_opens_the_full_screen(start_repl: StartRepl) -> None:
    """`debug LINE` opens the full screen, returns to the REPL, and undoes the line."""
    terminal = start_repl(columns=80, lines=30)
    terminal.wait_for("forth>")
    terminal.run("VARIABLE seen : mark 5 seen ! ;")
    terminal.type("debug mark\r")
    terminal.wait_for("F11 step")
    terminal.wait_for("(step 1)")
    for step in (2, 3):
        terminal.type("step\r")
        terminal.wait_for(f"(step {step})")
    terminal.type("\x11")  # Ctrl-Q
    terminal.wait_for("left the debugger")
    terminal.run("seen @ .")
    assert terminal.text.splitlines()[-2].strip() == "0"


def test_debug_needs_a_terminal(tmp_path: Path) -> None:
    process = piped("debug 1 .\n", folder=tmp_path)
    assert process.returncode == 1
    assert "forthvm debug --commands" in process.stderr
