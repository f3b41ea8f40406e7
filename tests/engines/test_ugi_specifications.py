"""Specifications of external engines: names, options, quotes, command lines."""

from __future__ import annotations

import os
import shlex
import signal
from pathlib import Path

import pytest

from forthvm.engines import (
    EngineOptionError,
    UnknownEngineError,
    choose_move,
    get,
)
from forthvm.engines.protocols import ProgramError
from forthvm.engines.registry import get_with_default_seed
from forthvm.game import Position
from forthvm.system.command_line import join_words
from tests.engines.programs import EngineFactory, command
from tests.kit.cases import each_case
from tests.kit.commands import Cli
from tests.kit.messages import raises
from tests.systems import ended_by, needs_unix_shell

pytestmark = pytest.mark.usefixtures("plain_programs")
PROGRAM = "cmd" if os.name == "nt" else "sh"  # a program that each system has


@needs_unix_shell
def test_missing_programs_are_reported(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n", encoding="ascii")
    for name, message in [
        ("no-such-program-anywhere", "is not found on PATH"),
        (str(tmp_path / "none"), "does not exist"),
        (str(script), "not executable"),
        (str(tmp_path), "is not a file"),
    ]:
        with pytest.raises(UnknownEngineError, match=message) as caught:
            get(f"ugi:{name} --fast")
        assert f"{name} --fast" in str(caught.value)
    script.chmod(0o755)
    script.write_bytes(b"\x7fELF rubbish")
    with pytest.raises(ProgramError, match=r"ended with status 12[67] after 'ugi'"):
        get(f"ugi:{script}").new_game()
    with raises(EngineOptionError, "ugi-specifications.missing-programs"):
        get(f"ugi:{PROGRAM},dir=/no/such/folder")


@each_case(
    ("spec", "message"),
    [
        ("ugi", "needs a program"),
        ("ugi:", "needs a program"),
        ("ugi:time=1", "needs a program"),
        (f"ugi:{PROGRAM},time=soon", "non-negative number of seconds"),
        (f"ugi:{PROGRAM},depth=0", "positive integer"),
        (f"ugi:{PROGRAM},speed=1", "no option 'speed'"),
        (f"ugi:{PROGRAM},time=1,time=2", "given twice"),
        (f"ugi:{PROGRAM},quick", "expected option=value, not 'quick'"),
        (f"ugi:{PROGRAM},time=", "has no value"),
        (f"ugi:{PROGRAM} -c 'exit", "unclosed quote"),
        (f"ugi:{PROGRAM},fen=maybe", "expected one of needed, always, never"),
    ],
)
def test_invalid_specifications_are_refused(spec: str, message: str) -> None:
    with pytest.raises(EngineOptionError, match=message):
        get(spec)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"option.Speed": 1}, "no option 'Speed' .it has: Hash, Style, Move Overhead, Ponder"),
        ({"option.Hash": 65}, "'Hash' of the program must be an integer from 1 to 64, not '65'"),
        ({"option.Hash": "big"}, "an integer from 1 to 64"),
        ({"option.Style": "odd"}, "one of calm, wild"),
        ({"option.Ponder": "perhaps"}, "yes or no"),
    ],
)
def test_options_that_the_program_lacks_are_refused(
    make_engine: EngineFactory, start: Position, options: dict[str, object], message: str
) -> None:
    engine = make_engine("good", **options)
    with pytest.raises(EngineOptionError, match=message):
        choose_move(engine, start)
    assert engine.pid is None


def test_specification_with_quotes_and_options(start: Position) -> None:
    line = join_words(command("good"))
    for spec in (
        f"ugi:{line}",
        f"ugi:{line},time=0.5,option.Move Overhead=3",
        f"ugi:time=2,cmd={line}",
        f'ugi:cmd="{line}",grace=9',
    ):
        engine = get(spec)
        assert str(choose_move(engine, start).move) == "X mark a3"
        assert engine.name.startswith("ugi:python")
        engine.close()
    get_with_default_seed(f"ugi:{line}", 3).close()


def test_options_of_the_program_can_be_empty(tmp_path: Path, start: Position) -> None:
    log = tmp_path / "log"
    engine = get(f"ugi:{join_words(command('log', log))},option.Clear=,option.Book=")
    choose_move(engine, start)
    engine.close()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[1:3] == ["setoption name Clear", "setoption name Book value <empty>"]


@needs_unix_shell
def test_quotes_protect_commas(tmp_path: Path, start: Position) -> None:
    folder = tmp_path / "a, b"
    folder.mkdir()
    program = folder / "my program"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(command("says"))} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    engine = get(f"ugi:'{program}' 'bestmove b2, c3',time=1")
    with raises(ProgramError, "ugi-specifications.illegal-move"):
        choose_move(engine, start)
    engine.close()
    for spec in (
        f"""ugi:cmd="'{program}' 'bestmove b2'",time=1""",
        f'''ugi:cmd="\\"{program}\\" 'bestmove b2'"''',
    ):
        engine = get(spec)
        assert str(choose_move(engine, start).move) == "X mark b2"
        engine.close()


def test_run_command_reports_a_crashed_program(cli: Cli) -> None:
    line = join_words(command("dies"))
    status, _, err = cli("run", "tictactoe", "--auto", "--engine", f"ugi:{line}")
    assert status == 1
    assert ended_by(signal.SIGABRT) in err
    assert f"command: {line}" in err
    assert "standard error: assertion failed: alpha < beta" in err
    assert cli("run", "tictactoe", "--auto", "--engine", "ugi:/no/such").status == 2
