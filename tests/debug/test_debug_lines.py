"""The debugger's line commands: each command at least once, and their errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm import debug
from forthvm.debug.session.commands import COMMANDS, CommandLines
from tests.kit.commands import Cli
from tests.kit.files import write
from tests.kit.messages import raises

SCRIPT = """\
VARIABLE total
: sq ( n -- m ) DUP * ;
: sums ( -- ) 3 0 DO I sq total +! LOOP ;
"""

Execute = Callable[[str], str]


@pytest.fixture
def execute() -> Iterator[Execute]:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.interpret(SCRIPT, name="sums.4th")
    output: list[str] = []
    with debug.Session(debug.word_target(vm, "sums")) as session:
        lines = CommandLines(session, output.append, lambda: 60)

        def execute_line(line: str) -> str:
            output.clear()
            assert lines.execute(line)
            return "\n".join(output)

        yield execute_line


def test_every_command_has_help(execute: Execute) -> None:
    text = execute("help")
    for command in COMMANDS:
        assert command.names[0] in text
        assert command.description in execute(f"help {command.names[-1]}")
        if command.names[0] != "quit":
            assert hasattr(CommandLines, f"_do_{command.names[0]}")


def test_stop_is_described_with_location_and_source(execute: Execute) -> None:
    assert execute("break sq") == "1: sq  sums.4th:2:3"
    assert execute("c").splitlines() == [
        "breakpoint 1 (step 6)",
        "sums.4th:3:24 in sums",
        "     3 | : sums ( -- ) 3 0 DO I sq total +! LOOP ;",
        "       |                        ^~",
        "stack: 0",
    ]
    assert "sums.4th:2:17 in sq" in execute("step")
    assert "stack: n=0" in execute("state")
    assert execute("where").splitlines() == [
        "#0  sq   sums.4th:2:17",
        "#1  sums sums.4th:3:24",
        "called by the host: call",
    ]


def test_empty_line_repeats_the_last_command(execute: Execute) -> None:
    first = execute("step")
    second = execute("")
    assert first != second
    execute("info")
    assert execute("") == ""


def test_watchpoints_stop_forward_and_backward(execute: Execute) -> None:
    execute("watch total")
    assert "total: 0 -> 1" in execute("continue")
    assert "total: 1 -> 5" in execute("continue")
    assert "about to change" in execute("rc")
    assert "about to change" in execute("rcontinue")
    assert "1: total = 0" in execute("watched")
    assert "(step 3)" in execute("goto 3")
    assert "(step 2)" in execute("back")
    assert "(step 6)" in execute("n 4")
    assert "the beginning" in execute("restart")
    assert "sums.4th:3:15" in execute("step line")
    assert "sums.4th:3" in execute("bnext 1 line") or "beginning" in execute("state")
    assert "the end" in execute("delete 1") + execute("c")
    assert "the run has ended" in execute("c")


def test_inspection_commands_print_the_state(execute: Execute) -> None:
    execute("break sq if DUP 2 =")
    execute("c")
    execute("s")
    assert execute("stack") == "  0  n  2"
    assert execute("print total @ 1 . 2") == "1 \n1 2"
    assert execute("list 1").splitlines()[1].startswith("=> 2 | : sq")
    assert (
        len(execute("rstack").split()) == 5
    )  # the return to sums, three cells of its loop, the return to the host
    address = execute("print total").split()[0]
    assert execute(f"dump {address} 4").split()[1:5] == ["01", "00", "00", "00"]
    assert execute("info") == "1: sq if DUP 2 =  sums.4th:2:3  reached 1 times"
    execute("disable 1")
    assert "(off)" in execute("info")
    execute("enable 1")
    execute("ignore 1 3")
    assert "(hits > 4)" in execute("info")
    assert execute("\\ a comment") == ""


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("fly", "debug-lines.no-command-fly"),
        ("step x", "debug-lines.x-is-not-a-number"),
        ("goto", "debug-lines.which-step"),
        ("continue 3", "debug-lines.has-no-arguments"),
        ("delete", "debug-lines.which-number"),
        ("delete 9", "debug-lines.there-is-no-breakpoint"),
        ("enable 9", "debug-lines.there-is-no-breakpoint"),
        ("ignore 9 1", "debug-lines.no-such-breakpoint"),
        ("print", "debug-lines.forth-to-run"),
        ("print nonsense", "debug-lines.nonsense"),
        ("dump 99999999999", "debug-lines.address-memory-outside"),
        ("board", "debug-lines.there-is-no-board"),
        ("record", "debug-lines.into-which-file"),
        ("replay", "debug-lines.cannot-read"),
        ("help fly", "debug-lines.no-command-fly"),
    ],
)
def test_invalid_commands_are_reported(execute: Execute, line: str, output: str) -> None:
    with raises(forthvm.ForthVMError, output):
        execute(line)
    assert "the beginning" in execute("state")


def test_sessions_are_recorded_and_replayed(execute: Execute, tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    execute("break sq")
    execute("c")
    execute("s 2")
    execute("back")
    assert execute(f"record {file}") == f"recorded in {file}"
    record = json.loads(file.read_text())
    assert [action["do"] for action in record["actions"]] == ["break", "continue", "step", "back"]
    execute("restart")
    execute("delete 1")
    assert execute(f"replay {file}").splitlines()[0] == "as recorded"
    record["actions"][1]["digest"] = "another"
    file.write_text(json.dumps(record))
    execute("restart")
    execute("delete 2")
    assert execute(f"replay {file}").splitlines()[0].startswith("2: ")


# --- the command line ---------------------------------------------------------------------


def test_commands_from_a_pipe_debug_a_game(cli: Cli) -> None:
    status, out, err = cli(
        "debug", "breakthrough", stdin="break on move if here c3 =\nc\nboard\nq\n"
    )
    assert (status, err) == (0, "")
    assert "> break on move if here c3 =\n1: on move" in out
    assert "breakpoint 1 (step" in out
    assert "player White, piece pawn, from b2, here c3" in out


def test_command_errors_set_the_exit_status(cli: Cli) -> None:
    status, out, err = cli("debug", "breakthrough", stdin="fly\nstep\n")
    assert status == 1
    assert err == "forthvm: fly: no command 'fly'; help lists them\n"
    assert "> step" in out


def test_commands_are_read_from_a_file(cli: Cli, tmp_path: Path) -> None:
    file = write(tmp_path / "commands", "step 2\nwhere\n")
    status, out, _ = cli("debug", "tictactoe", "--commands", file)
    assert status == 0
    assert "called by the host: generate" in out
    status, _, err = cli("debug", "tictactoe", "--commands", tmp_path / "none")
    assert status == 2
    assert "cannot read" in err


def test_words_and_lines_of_a_script_that_is_not_a_game(cli: Cli, tmp_path: Path) -> None:
    file = write(tmp_path / "sums.4th", SCRIPT + ": shout ( -- ) 65 EMIT ;\n")
    status, out, _ = cli("debug", file, "--word", "7", "sq", stdin="c\n")
    assert status == 0
    assert "result: 49" in out
    _, out, _ = cli("debug", file, "--line", "shout 5 sq", stdin="c\n")
    assert "\nA\n" in out
    assert "result: 25" in out
    status, _, err = cli("debug", file)
    assert status == 2
    assert "--word or --line" in err
    status, _, err = cli("debug", file, "--word", "nothing")
    assert status == 1
    assert "nothing" in err
    status, _, err = cli("debug", file, "--word", "x", "sq")
    assert status == 2


def test_moves_and_searches_can_be_debugged(cli: Cli) -> None:
    status, out, _ = cli(
        "debug", "breakthrough", "--play", "pawn a2 - a3; pawn a7 - a6", stdin="c\n"
    )
    assert status == 0
    assert "the end" in out
    status, out, _ = cli("debug", "breakthrough", "--search", "axiom", "--depth", "1", stdin="c\n")
    assert status == 0
    assert "score" in out
    status, _, err = cli("debug", "breakthrough", "--play", "pawn a2 - a5")
    assert status == 2  # an illegal move is wrong usage
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
def test_damaged_recording_raises_one_clear_error(
    execute: Execute, tmp_path: Path, action: object
) -> None:
    file = tmp_path / "session.json"
    execute("s")
    execute(f"record {file}")
    record = json.loads(file.read_text())
    record["actions"] = [action]
    file.write_text(json.dumps(record))
    with pytest.raises(forthvm.ForthVMError):
        execute(f"replay {file}")


def test_deeply_nested_recording_raises_one_clear_error(execute: Execute, tmp_path: Path) -> None:
    file = write(tmp_path / "session.json", "[" * 100_000)
    with raises(forthvm.ForthVMError, "sessions.unreadable-source"):
        execute(f"replay {file}")
