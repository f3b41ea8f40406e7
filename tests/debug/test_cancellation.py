"""Cancelling the loading of a script from another thread, before a game or session exists."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import forthvm
from forthvm import debug
from tests.kit.boards import grid, steps

GAME = grid(2, 2, "e") + steps("man", "e")
GAME += """\
{board-setup {setup} White man a1 board-setup}
"""
ENDLESS = ": endless ( -- ) BEGIN 0 UNTIL ;\n"
SECONDS = 30.0


@pytest.mark.parametrize("where", ["load", "OnNewGame", "OnIsGameOver", "compiled"])
def test_endless_scripts_are_cancelled(tmp_path: Path, where: str) -> None:
    path = tmp_path / "endless.4th"
    code = "endless" if where == "load" else f": {where} ( -- ) endless ;"
    if where == "compiled":
        code = ": OnEvaluate ( -- n ) 0 ;\nendless"
    path.write_text(f"{ENDLESS}{GAME}{code}\n")
    errors: list[BaseException] = []
    cancellation = debug.Cancellation()

    def launch() -> None:
        try:
            with cancellation:
                debug.play_target(forthvm.load(path).start(), "man a1 - b1")
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=launch)
    thread.start()
    threading.Timer(0.05, cancellation.cancel).start()
    thread.join(SECONDS)
    assert not thread.is_alive()
    assert isinstance(errors[0], forthvm.Interrupted)


def test_other_vms_are_not_cancelled() -> None:
    with debug.Cancellation() as cancellation:
        cancelled = forthvm.VM(library="core")
    other = forthvm.VM(library="core")
    cancellation.cancel()
    assert cancellation.cancelled
    assert other.call("+", 1, 2) == (3,)
    with pytest.raises(forthvm.Interrupted):
        cancelled.interpret(ENDLESS + "endless")


def test_a_cancelled_vm_ends_its_session() -> None:
    with debug.Cancellation() as cancellation:
        vm = forthvm.VM(library="core")
    vm.interpret(ENDLESS)
    with debug.Session(debug.word_target(vm, "endless")) as session:
        threading.Timer(0.05, cancellation.cancel).start()
        state = session.continue_()
        assert state.ended
        assert isinstance(state.error, forthvm.Interrupted)
