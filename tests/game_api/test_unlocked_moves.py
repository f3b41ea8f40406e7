"""Moves without the lock of the VM, by the thread that created the VM (a biased lock).

The lock is biased towards that thread until another thread uses the VM.
"""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Thread

import pytest

import forthvm
from forthvm.core.bindings.games import LOCK_NEEDED
from tests.kit.games import load_text, script_of
from tests.kit.messages import raises
from tests.kit.processes import run

SLOW_TURN = """
VARIABLE slow
: OnNextTurn ( -- ) slow @ IF ." start " 3000000 0 DO LOOP THEN OnNextTurn ;
"""

PRINTING_WORD = """
: print-text ( -- ) ." text" ;
"""


@pytest.fixture
def game() -> forthvm.Game:
    return forthvm.load("breakthrough")


def slow_position(tmp_path: Path) -> forthvm.Position:
    """Return a position in which each move prints `start` and then takes some milliseconds."""
    game = load_text(tmp_path, script_of("breakthrough") + SLOW_TURN)
    return game.start(variables={"slow": 1})


def run_in_thread(function: object) -> None:
    thread = Thread(target=function)  # type: ignore[arg-type]
    thread.start()
    thread.join()


def push_all(position: forthvm.Position) -> list[str]:
    """Push each legal move; return the documents of the positions after them."""
    documents = []
    for move in position.legal_moves:
        position.push(move)
        documents.append(position.to_json())
        position.pop()
    return documents


def make_unlocked(position: forthvm.Position) -> int:
    """Make the first move without the lock; return the status."""
    position.push(position.legal_moves[0])
    position.pop()
    state = position._state
    assert state.listed is not None
    return position.game._loaded.vm.native.loop_make_unlocked(state.listed, state.moves[0])


def test_another_thread_ends_moves_without_the_lock(game: forthvm.Game) -> None:
    position = game.start()
    expected = push_all(position)
    assert make_unlocked(position) == 0
    run_in_thread(lambda: game.start().to_json())
    assert make_unlocked(position) == LOCK_NEEDED
    assert push_all(position) == expected


def test_other_threads_make_moves_with_the_lock(game: forthvm.Game) -> None:
    position = game.start()
    expected = push_all(position)
    statuses: list[int] = []
    documents: list[str] = []
    run_in_thread(lambda: statuses.append(make_unlocked(game.start())))
    run_in_thread(lambda: documents.extend(push_all(position)))
    assert statuses == [LOCK_NEEDED]
    assert documents == expected == push_all(position)


def test_another_thread_waits_for_the_end_of_a_move(tmp_path: Path) -> None:
    position = slow_position(tmp_path)
    game = position.game
    expected = push_all(position)
    first = game.start().to_json()
    for move, document in zip(position.legal_moves[:4], expected[:4], strict=True):
        other = forthvm.load(game.path).start(variables={"slow": 1})  # its lock is still biased
        same = other.legal_moves[move.index]
        other.push(same)
        other.pop()
        threads: list[Thread] = []
        seen: list[str] = []

        def use(other: forthvm.Position = other, seen: list[str] = seen) -> None:
            seen.append(other.game.start().to_json())

        def start_thread(_: str, threads: list[Thread] = threads, use: object = use) -> None:
            if not threads:
                threads.append(Thread(target=use))  # type: ignore[arg-type]
                threads[0].start()

        other.game._loaded.vm.output = start_thread
        other.push(same)
        threads[0].join()
        assert seen == [first]
        assert other.to_json() == document


def test_output_of_a_called_word_cannot_make_a_move(tmp_path: Path) -> None:
    """The output is flushed after the word has returned, but before the call has ended."""
    position = load_text(tmp_path, script_of("breakthrough") + PRINTING_WORD).start()
    expected = push_all(position)
    move = position.legal_moves[0]
    list(position.legal_moves)  # the position with its list is saved
    refused: list[str] = []

    def push(_: str) -> None:
        with raises(forthvm.ForthVMError, "unlocked-moves.a-position-cannot"):
            position.push(move)
        refused.append(move.text)

    position.game._loaded.vm.output = push
    position.game._loaded.vm.call("print-text")
    position.game._loaded.vm.output = None
    assert refused == [move.text]
    assert push_all(position) == expected


@pytest.mark.parametrize("name", ["breakthrough", "splut", "draughts"])
def test_ctrl_c_after_a_move_leaves_the_vm_usable(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python raises KeyboardInterrupt after the call into C, before the status is stored."""
    position = forthvm.load(name).start()
    expected = push_all(position)
    native = position.game._loaded.vm.native
    for move in position.legal_moves:
        position.push(move)
        position.pop()

        def make(*args: object, original: object = native.loop_make_unlocked) -> int:
            original(*args)  # type: ignore[operator]
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(native, "loop_make_unlocked", make)
            with pytest.raises(KeyboardInterrupt):
                position.push(move)
        assert position.ply == 0
        assert not native.running
    assert push_all(position) == expected


FORK = """
import os, signal, sys, threading
import forthvm

position = forthvm.load(sys.argv[1]).start(variables={"slow": 1})
move = position.legal_moves[0]
position.push(move)
position.pop()
started, forked = threading.Event(), threading.Event()

def fork():
    started.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            position.game.start()
            print("no error", flush=True)
        except forthvm.ForthVMError as error:
            print(error, flush=True)
        os._exit(0)
    print("child", os.waitpid(child, 0)[1])
    forked.set()

thread = threading.Thread(target=fork)
thread.start()

def wait_for_fork(_):
    started.set()
    forked.wait()

position.game._loaded.vm.output = wait_for_fork
position.push(move)
thread.join()
print("parent", position.turn)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="this system does not fork")
def test_a_fork_during_a_move_of_another_thread_refuses_the_vm(tmp_path: Path) -> None:
    path = slow_position(tmp_path).game.path
    done = run(sys.executable, "-W", "ignore", "-c", FORK, path)
    assert done.stderr == ""
    message, child, parent = done.stdout.splitlines()
    assert "another thread was using this VM when the process was forked" in message
    assert (child, parent) == ("child 0", "parent Black")
