"""Tests of programs that end with the process that started them."""

from __future__ import annotations

import sys

import pytest

from forthvm.system.processes import ChildProgram
from tests.kit.processes import start

# Starts a program that does not end, prints a line when that program runs, and waits.
PARENT = """\
import sys
from forthvm.system.processes import ChildProgram
child = ChildProgram([sys.executable, "-I", "-S", "-c", sys.argv[1]])
print(child.output.read(), flush=True)
sys.stdin.read()
"""
# Starts a child, which has the same standard error, and does not end.
ENDLESS = """\
import subprocess, sys, time
wait = "import time; print('ready', flush=True); time.sleep(600)"
subprocess.Popen([sys.executable, "-I", "-S", "-c", wait])
time.sleep(600)
"""


def test_a_program_with_children_is_ended() -> None:
    program = ChildProgram([sys.executable, "-I", "-S", "-c", ENDLESS], last_errors=100)
    assert (program.output.read() or b"").strip() == b"ready"
    assert not program.has_exited()
    assert program.status is None
    program.end()
    assert program.status not in {None, 0}
    # The pipes close when the last process has ended; otherwise this would wait forever.
    assert program.output.read() == b""
    assert program.errors.read() == b""
    program.kill()
    program.end()


def test_a_program_may_end_by_itself() -> None:
    program = ChildProgram([sys.executable, "-I", "-S", "-c", "raise SystemExit(3)"])
    program.end(grace=60.0)
    assert program.status == 3


@pytest.mark.slow
def test_programs_end_with_a_killed_parent() -> None:
    with start(sys.executable, "-c", PARENT, ENDLESS) as parent:
        assert "ready" in parent.stdout.readline()
        parent.kill()
        # The pipe of standard error closes when the last process has ended.
        parent.communicate(timeout=60)


def test_a_program_that_cannot_be_started(tmp_path: object) -> None:
    with pytest.raises(OSError, match="irectory"):
        ChildProgram([sys.executable, "-c", ""], folder=f"{tmp_path}/no-such-folder")
