"""The debugger's line commands: each command at least once, and their errors."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm import debug
from forthvm.cli.app import main
from forthvm.debug.session.commands import COMMANDS, Lines

SCRIPT = """\
VARIABLE total
: sq ( n -- m ) DUP * ;
: sums ( -- ) 3 0 DO I sq total +! LOOP ;
"""

Ask = Callable[[str], str]


@pytest.fixture
def ask() -> Iterator[Ask]:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.interpret(SCRIPT, name="sums.4th")
    message: list[str] = []
    with debug.Session(debug.word_target(vm, "sums")) as session:
        lines = Lines(session, message.append, lambda: 60)

        def answer(line: str) -> str:
            message.clear()
            assert lines.do(line)
            return "\n".join(message)

        yield answer


def test_every_command_has_help(ask: Ask) -> None:
    text = ask("help")
    for command in COMMANDS:
        assert command.names[0] in text
        assert command.description in ask(f"help {command.names[-1]}")
        if command.names[0] != "quit":
            assert hasattr(Lines, f"_do_{command.names[0]}")


def test_stop_is_described_with_location_and_source(ask: Ask) -> None:
    assert ask("break sq") == "1: sq  sums.4th:2:3"
    assert ask("c").splitlines() == [
        "breakpoint 1 (step 6)",
        "sums.4th:3:24 in sums",
        "     3 | : sums ( -- ) 3 0 DO I sq total +! LOOP ;",
        "       |                        ^~",
        "stack: 0",
    ]
    assert "sums.4th:2:17 in sq" in ask("step")
    assert "stack: n=0" in ask("state")
    assert ask("where").splitlines() == [
        "#0  sq   sums.4th:2:17",
        "#1  sums sums.4th:3:24",
        "called by the host: call",
    ]


def test_empty_line_repeats_the_last_command(ask: Ask) -> None:
    first = ask("step")
    second = ask("")
    assert first != second
    ask("info")
    assert ask("") == ""


def test_watchpoints_forward_and_backward(ask: Ask) -> None:
    ask("watch total")
    assert "total: 0 -> 1" in ask("continue")
    assert "total: 1 -> 5" in ask("continue")
    assert "about to change" in ask("rc")
    assert "about to change" in ask("rcontinue")
    assert "1: total = 0" in ask("watched")
    assert "(step 3)" in ask("goto 3")
    assert "(step 2)" in ask("back")
    assert "(step 6)" in ask("n 4")
    assert "the beginning" in ask("restart")
    assert "sums.4th:3:15" in ask("step line")
    assert "sums.4th:3" in ask("bnext 1 line") or "beginning" in ask("state")
    assert "the end" in ask("delete 1") + ask("c")
    assert "the run has ended" in ask("c")


def test_inspection_commands(ask: Ask) -> None:
    ask("break sq if DUP 2 =")
    ask("c")
    ask("s")
    assert ask("stack") == "  0  n  2"
    assert ask("print total @ 1 . 2") == "1 \n1 2"
    assert ask("list 1").splitlines()[1].startswith("=> 2 | : sq")
    assert len(ask("rstack").split()) == 5  # the return into sums, its loop of three, the end
    address = ask("print total").split()[0]
    assert ask(f"dump {address} 4").split()[1:5] == ["01", "00", "00", "00"]
    assert ask("info") == "1: sq if DUP 2 =  sums.4th:2:3  reached 1 times"
    ask("disable 1")
    assert "(off)" in ask("info")
    ask("enable 1")
    ask("ignore 1 3")
    assert "3 to be ignored" in ask("info")
    assert ask("\\ a comment") == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fly", "no command 'fly'"),
        ("step x", "'x' is not a number"),
        ("goto", "which step"),
        ("continue 3", "has no arguments"),
        ("delete", "which number"),
        ("delete 9", "there is no breakpoint or watch 9"),
        ("enable 9", "there is no breakpoint or watch 9"),
        ("ignore 9 1", "there is no breakpoint 9"),
        ("print", "Forth to run"),
        ("print nonsense", "nonsense"),
        ("dump 99999999999", "address|memory|outside"),
        ("board", "there is no board"),
        ("record", "into which file"),
        ("replay", "cannot read"),
        ("help fly", "no command 'fly'"),
    ],
)
def test_invalid_commands_are_reported(ask: Ask, line: str, message: str) -> None:
    with pytest.raises(forthvm.ForthVMError, match=message):
        ask(line)
    assert "the beginning" in ask("state")


def test_sessions_are_recorded_and_replayed(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    ask("break sq")
    ask("c")
    ask("s 2")
    ask("back")
    assert ask(f"record {file}") == f"recorded in {file}"
    record = json.loads(file.read_text())
    assert [action["do"] for action in record["actions"]] == ["break", "continue", "step", "back"]
    ask("restart")
    ask("delete 1")
    assert ask(f"replay {file}").splitlines()[0] == "as recorded"
    record["actions"][1]["digest"] = "another"
    file.write_text(json.dumps(record))
    ask("restart")
    ask("delete 2")
    assert ask(f"replay {file}").splitlines()[0].startswith("2: ")


# --- the command line ---------------------------------------------------------------------


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = main(["debug", *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return call


Run = Callable[..., tuple[int, str, str]]


def test_commands_from_a_pipe_debug_a_game(run: Run) -> None:
    status, out, err = run("breakthrough", typed="break on move if here c3 =\nc\nboard\nq\n")
    assert (status, err) == (0, "")
    assert "> break on move if here c3 =\n1: on move" in out
    assert "breakpoint 1 (step" in out
    assert "player White, piece pawn, from b2, here c3" in out


def test_command_errors_set_the_exit_status(run: Run) -> None:
    status, out, err = run("breakthrough", typed="fly\nstep\n")
    assert status == 1
    assert err == "forthvm: fly: no command 'fly'; help lists them\n"
    assert "> step" in out


def test_commands_are_read_from_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "commands"
    file.write_text("step 2\nwhere\n")
    status, out, _ = run("tictactoe", "--commands", str(file))
    assert status == 0
    assert "called by the host: generate" in out
    status, _, err = run("tictactoe", "--commands", str(tmp_path / "none"))
    assert status == 2
    assert "cannot read" in err


def test_words_and_lines_of_a_script_that_is_not_a_game(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "sums.4th"
    file.write_text(SCRIPT + ": shout ( -- ) 65 EMIT ;\n")
    status, out, _ = run(str(file), "--word", "7", "sq", typed="c\n")
    assert status == 0
    assert "result: 49" in out
    _, out, _ = run(str(file), "--line", "shout 5 sq", typed="c\n")
    assert "\nA\n" in out
    assert "result: 25" in out
    status, _, err = run(str(file))
    assert status == 2
    assert "--word or --line" in err
    status, _, err = run(str(file), "--word", "nothing")
    assert status == 1
    assert "nothing" in err
    status, _, err = run(str(file), "--word", "x", "sq")
    assert status == 2


def test_move_and_search_targets(run: Run) -> None:
    status, out, _ = run("breakthrough", "--play", "pawn a2 - a3; pawn a7 - a6", typed="c\n")
    assert status == 0
    assert "the end" in out
    status, out, _ = run("breakthrough", "--search", "axiom", "--depth", "1", typed="c\n")
    assert status == 0
    assert "score" in out
    status, _, err = run("breakthrough", "--play", "pawn a2 - a5")
    assert status == 2  # as with every move that is asked for and is not legal
    assert "pawn a2" in err


@pytest.mark.parametrize(
    "action",
    [
        None,
        [],
        "step",
        {},
        {"do": 1},
        {"do": "step"},
        {"do": "step", "count": 10**30, "unit": "token"},
        {"do": "step", "count": 1, "unit": None},
        {"do": "break"},
        {"do": "delete", "number": -1},
    ],
)
def test_damaged_recording_raises_one_clear_error(ask: Ask, tmp_path: Path, action: object) -> None:
    file = tmp_path / "session.json"
    ask("s")
    ask(f"record {file}")
    record = json.loads(file.read_text())
    record["actions"] = [action]
    file.write_text(json.dumps(record))
    with pytest.raises(forthvm.ForthVMError):
        ask(f"replay {file}")


def test_deeply_nested_recording_raises_one_clear_error(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    file.write_text("[" * 100_000)
    with pytest.raises(forthvm.ForthVMError, match="cannot read"):
        ask(f"replay {file}")
