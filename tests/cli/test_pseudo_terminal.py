"""Commands on a pseudo-terminal: keys, colours and Ctrl-C."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import sys
import time

import pytest

from tests.cli.test_process import environment
from tests.kit.processes import FORTHVM

if sys.platform == "win32":
    pytest.skip("needs pseudo-terminals", allow_module_level=True)

import fcntl
import pty
import termios


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, *args: str, columns: int = 60, **changes: str) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # the child
            os.environ.clear()
            os.environ.update(environment(**changes))
            try:
                os.execv(FORTHVM[0], [*FORTHVM, *args])
            finally:
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.output = ""
        self._searched = 0

    def wait_for(self, text: str, timeout: float = 60.0) -> None:
        """Reads until `text` appears after the text of the previous call."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            index = self.output.find(text, self._searched)
            if index >= 0:
                self._searched = index + len(text)
                return
            if not self._read(0.2):
                break
        raise AssertionError(f"{text!r} did not appear in {self.output[self._searched :]!r}")

    def _read(self, timeout: float) -> bool:
        if not select.select([self.fd], [], [], timeout)[0]:
            return True
        try:
            chunk = os.read(self.fd, 65536)
        except OSError:  # the child has exited
            return False
        # prompt_toolkit requests the cursor position; a terminal replies.
        if b"\x1b[6n" in chunk:
            os.write(self.fd, b"\x1b[1;1R")
        self.output += chunk.decode("utf-8", errors="replace")
        return bool(chunk)

    def send(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def finish(self, timeout: float = 60.0) -> int:
        end = time.monotonic() + timeout
        while time.monotonic() < end and self._read(0.1):
            process, status = os.waitpid(self.pid, os.WNOHANG)
            if process:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


@pytest.mark.slow
def test_a_game_on_a_terminal() -> None:
    pytest.importorskip("prompt_toolkit")
    terminal = Terminal("run", "tictactoe", "--engine", "first")
    terminal.wait_for("Which side")
    terminal.send("X\r")
    terminal.wait_for("help>")
    terminal.send("c1\r")
    terminal.wait_for("2. O: ")
    terminal.wait_for("help>")
    terminal.send("undo\r")
    terminal.wait_for("Took back 2 plies")
    terminal.wait_for("help>")
    terminal.send("quit\r")
    assert terminal.finish() == 0
    assert re.search(r"\x1b\[[0-9;]*m", terminal.output)
    assert "Traceback" not in terminal.output


@pytest.mark.slow
@pytest.mark.parametrize("key", ["\x03", "\x04"])
@pytest.mark.parametrize("moves", [[], ["X\r"]])
def test_ctrl_c_and_ctrl_d_leave_a_terminal_cleanly(key: str, moves: list[str]) -> None:
    terminal = Terminal("run", "tictactoe", "--engine", "first")
    terminal.wait_for("Which side")
    for line in moves:
        terminal.send(line)
        terminal.wait_for("help>")
    terminal.send(key)
    assert terminal.finish() == 0
    assert "Traceback" not in terminal.output


def test_no_color_is_honoured() -> None:
    terminal = Terminal("run", "tictactoe", "--auto", "--engine", "first", NO_COLOR="1")
    terminal.wait_for("After 7 plies")
    assert terminal.finish() == 0
    assert "\x1b[" not in terminal.output
