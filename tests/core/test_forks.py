"""A forked child process and the VMs that it inherits: usable, or refused with an error."""

from __future__ import annotations

import os
import sys

import pytest

from tests.kit.processes import output_of, run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

# A thread searches the game `busy` while the main thread forks.  The child may run for 20 seconds.
# It prints five lines of errors for `busy`, then numbers of moves in `idle` and a reloaded game.
PROGRAM = """
import gc, os, signal, sys, threading, time
import forthvm
from forthvm import ForthVMError, engines
from forthvm.engines import Limits

busy, idle = forthvm.load("breakthrough"), forthvm.load("tictactoe")
position, idle_position = busy.start(), idle.start()
moves = list(position.legal_moves)
engine = engines.get("negamax")
thread = threading.Thread(target=engine.play, args=(busy.start(), Limits(time=60)))
thread.start()
while not busy._loaded.vm.native.running:
    time.sleep(0.001)
time.sleep(0.1)
child = os.fork()
if child == 0:
    signal.alarm(20)
    messages = []
    for use in (busy.start, lambda: position.push(moves[0]), lambda: forthvm.perft(position, 1),
                lambda: busy._loaded.vm.interpret("1 ."),
                lambda: engine.play(position, Limits(depth=1))):
        try:
            use()
            messages.append("no error")
        except ForthVMError as error:
            messages.append(str(error))
    print(*messages, sep=chr(10))
    idle_position.push(idle_position.legal_moves[0])
    reloaded = forthvm.load("breakthrough").start()
    counts = len(idle_position.legal_moves), len(reloaded.legal_moves)
    print(*counts, forthvm.perft(idle_position, 2))
    del position, busy, moves, engine
    gc.collect()
    sys.stdout.flush()
    os._exit(0)
status = os.waitpid(child, 0)[1]
print("child", status)
engine.stop()
thread.join()
position.push(moves[0])
print("parent", len(position.legal_moves))
"""


@pytest.mark.slow
def test_a_vm_in_use_at_a_fork_raises_errors_in_the_child() -> None:
    done = run(sys.executable, "-W", "ignore", "-c", PROGRAM)
    *lines, parent = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert parent == "parent 22"
    for line in lines[:5]:
        assert "another thread was using this VM when the process was forked" in line
    assert lines[5:] == ["8 22 56", "child 0"]


def test_a_vm_not_in_use_at_a_fork_works_in_the_child() -> None:
    program = """
import os
import forthvm
position = forthvm.load("breakthrough").start()
child = os.fork()
if child:
    print(os.waitpid(child, 0)[1])
position.push(position.legal_moves[0])
print(len(position.legal_moves), flush=True)
if child == 0:
    os._exit(0)
"""
    printed = output_of(sys.executable, "-c", program)
    assert printed.splitlines() == ["22", "0", "22"]
