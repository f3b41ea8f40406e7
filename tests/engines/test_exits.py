"""Engines that call sys.exit or raise unusual exceptions, outside matches."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from forthvm import engines
from forthvm.engines import EngineError
from forthvm.game import Position
from tests.kit.commands import Cli

ENGINES = """\
import os, sys
class Exits:
    def play(self, position): sys.exit(3)
class Odd:
    def play(self, position): raise BaseException("odd")
class Unlicensed:
    def __init__(self): sys.exit("no licence")
class Unready:
    def __init__(self): raise RuntimeError("no file")
class Stops:
    def play(self, position): raise KeyboardInterrupt
def exits(view): sys.exit(6)
"""


@pytest.fixture
def modules(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write modules with failing engines, and modules that cannot be imported."""
    (in_folder / "exiting.py").write_text(ENGINES, encoding="utf-8")
    (in_folder / "exits_on_import.py").write_text("import sys; sys.exit('bye')\n", encoding="utf-8")
    (in_folder / "broken.py").write_text("def f(:\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(in_folder))
    for name in ("exiting", "exits_on_import", "broken"):
        monkeypatch.delitem(sys.modules, name, raising=False)


# A specification of an engine, and a part of the error message.
CASES = [
    ("exiting:Exits", "engine 'Exits' tried to end the process at ply 0: SystemExit: 3"),
    ("exiting:Odd", "engine 'Odd' failed at ply 0: BaseException: odd"),
    (
        "exiting:Unlicensed",
        "engine 'exiting:Unlicensed' cannot be created: SystemExit: no licence",
    ),
    ("exiting:Unready", "engine 'exiting:Unready' cannot be created: RuntimeError: no file"),
    (
        "negamax:depth=1,evaluator=exiting:exits",
        "evaluator 'exits', called by engine 'negamax' from the position at ply 0, "
        "failed: SystemExit: 6",
    ),
    (
        "exits_on_import:Engine",
        "engine 'exits_on_import:Engine': module 'exits_on_import' cannot be imported: "
        "SystemExit: bye",
    ),
    ("broken:Engine", "engine 'broken:Engine': module 'broken' cannot be imported: SyntaxError"),
    (
        "negamax:evaluator=exits_on_import:look",
        "option evaluator: module 'exits_on_import' cannot be imported: SystemExit: bye",
    ),
]


@pytest.mark.usefixtures("modules")
@pytest.mark.parametrize(("spec", "message"), CASES)
def test_unusual_exceptions_raise_engine_errors(spec: str, message: str, start: Position) -> None:
    with pytest.raises(EngineError) as raised:
        engines.choose_move(engines.get(spec), start)
    assert message in str(raised.value)


@pytest.mark.usefixtures("modules")
@pytest.mark.parametrize(("spec", "message"), CASES)
def test_run_command_reports_unusual_exceptions(spec: str, message: str, cli: Cli) -> None:
    status, _, err = cli(
        "run", "tictactoe", "--auto", "--engine", f"X={spec}", "--engine", "O=first"
    )
    assert message in err
    assert "internal error" not in err
    assert status in {1, 2}


@pytest.mark.usefixtures("modules")
def test_keyboard_interrupt_of_an_engine_is_raised(start: Position) -> None:
    """A KeyboardInterrupt of an engine cannot be distinguished from the user's Ctrl-C."""
    with pytest.raises(KeyboardInterrupt):
        engines.choose_move(engines.get("exiting:Stops"), start)


@pytest.mark.usefixtures("modules")
@pytest.mark.parametrize(("spec", "message"), [case for case in CASES if "cannot be" in case[1]])
def test_autoplay_refuses_engines_that_cannot_be_created(
    spec: str, message: str, cli: Cli, tmp_path: Path
) -> None:
    file = tmp_path / "a.db"
    args = ["--engine", f"A={spec}", "--engine", "B=first", "--out", str(file)]
    status, _, err = cli("autoplay", "tictactoe", *args)
    assert status in {1, 2}
    assert message in err
    assert "internal error" not in err
    assert not file.exists()
