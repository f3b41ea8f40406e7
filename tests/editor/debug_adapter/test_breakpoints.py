"""Where breakpoints stop a run: the first token, lines that jumps enter, data when going back."""

from __future__ import annotations

from pathlib import Path

import pytest

from .client import Client, connected

SCRIPT = """\
{players {player} A players}
{turn-order {turn} A turn-order}
{board 2 2 {grid} board}
VARIABLE tries
: put
  1 tries +!
  empty? verify
  drop add-move ;
{moves puts {move} put moves}
{pieces {piece} stone {drops} puts pieces}
"""


def set_functions(client: Client, *names: str, **options: str) -> list[int]:
    wanted = [{"name": name, **options} for name in names]
    points = client.request("setFunctionBreakpoints", {"breakpoints": wanted})["breakpoints"]
    return [point["id"] for point in points]


def run(client: Client, command: str = "configurationDone") -> tuple[list[int], int] | None:
    """Run; return the breakpoints that stopped the program and its line, or None at its end."""
    client.request(command, {} if command == "configurationDone" else {"threadId": 1})
    event = client.any_event("stopped", "terminated")
    if not event:
        return None
    return event.get("hitBreakpointIds", []), client.frames()[0]["line"]


@pytest.mark.parametrize("name", ["put", "on run", "on piece stone", "on position a2"])
def test_first_word_of_a_run_stops_it(script: Path, name: str) -> None:
    with connected() as client:
        client.launch(script, target="moves")
        points = set_functions(client, name)
        assert run(client) == (points, 5)
        client.request("stepIn", {"threadId": 1})
        client.stopped()
        assert client.frames()[0]["line"] == 6
        assert client.scope("Variables")["tries"] == "0"
        client.request("disconnect")


def test_first_word_of_a_run_counts_as_a_hit(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="moves")
        points = set_functions(client, "put", hitCondition="2")
        assert run(client) == (points, 5)
        assert client.scope("Variables")["tries"] == "1"
        client.request("disconnect")


def test_first_line_of_a_script_stops_it(tmp_path: Path) -> None:
    script = tmp_path / "main.4th"
    script.write_text("VARIABLE a\n1 a !\n")
    with connected() as client:
        client.launch(script)
        (point,) = client.break_at(script, 1)
        assert run(client) == ([point["id"]], 1)
        assert run(client, "continue") is None
        client.request("disconnect")


def test_going_back_to_a_change_names_its_data_breakpoint(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="moves", stopAtEnd=True)
        wanted = {"breakpoints": [{"dataId": "tries", "hitCondition": ">= 3"}]}
        (point,) = client.request("setDataBreakpoints", wanted)["breakpoints"]
        assert run(client) == ([point["id"]], 7)
        assert client.scope("Variables")["tries"] == "3"
        assert run(client, "continue") == ([point["id"]], 7)
        assert run(client, "reverseContinue") == ([point["id"]], 6)
        assert client.scope("Variables")["tries"] == "3"
        client.request("disconnect")


@pytest.mark.parametrize("access", ["read", "readWrite"])
def test_data_breakpoint_cannot_stop_at_reads(script: Path, access: str) -> None:
    with connected() as client:
        client.launch(script, target="moves")
        wanted = {"breakpoints": [{"dataId": "tries", "accessType": access}]}
        (point,) = client.request("setDataBreakpoints", wanted)["breakpoints"]
        assert not point["verified"]
        assert "only writes can stop the program" in point["message"]
        assert run(client) is None
        client.request("disconnect")


JUMPS = """\
: half ( n -- m )
  DUP 2 MOD IF
    3 * 1+
  ELSE 2 / THEN ;
: maker <BUILDS , DOES> @
  1+ ;
: early DUP 0= IF
  DROP EXIT THEN 7 *
  1+ ;
: loops 3 0 DO I
  DROP LOOP ;
5 maker six
4 half 5 half
0 early 3 early
loops six
"""


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        (4, [8, 3]),  # entered by the jump of IF, and at ELSE
        (5, [9, 25]),  # the defining word, and the code after DOES>
        (8, [3, 18]),  # the second run jumps over the first words
        (10, [9]),  # one pass through the loop
    ],
)
def test_line_that_is_entered_in_its_middle(tmp_path: Path, line: int, columns: list[int]) -> None:
    script = tmp_path / "jumps.4th"
    script.write_text(JUMPS)
    with connected() as client:
        client.launch(script)
        client.break_at(script, line)
        found = []
        command = "configurationDone"
        while run(client, command):
            found.append(client.frames()[0]["column"])
            command = "continue"
        assert found == columns
        client.request("disconnect")


PASSES = """\
: foo ;
: bar ;
: leave R> DROP ;
: choose ( flag -- ) IF
  foo THEN bar ;
: down ( n -- m ) DUP 2 MOD IF
  1- RECURSE THEN bar ;
: early ( flag -- ) IF
  leave THEN bar ;
: both 1 early 0 early ;
1 choose 0 choose 1 choose
3 down
both
"""


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        (5, [3, 12, 3]),  # `bar` continues the pass that began with `foo`
        (7, [3, 19]),  # the inner call begins with `bar`, and the outer one continues
        (9, [3, 14]),  # the first call ends in `leave`, and the second one begins with `bar`
    ],
)
def test_line_stops_once_in_a_pass(tmp_path: Path, line: int, columns: list[int]) -> None:
    script = tmp_path / "passes.4th"
    script.write_text(PASSES)
    with connected() as client:
        client.launch(script, stopAtEnd=True)
        client.break_at(script, line)
        found = []
        client.request("configurationDone")
        while not client.stopped().get("description"):  # the end has a description
            found.append(client.frames()[0]["column"])
            client.request("continue", {"threadId": 1})
        assert found == columns
        for column in reversed(columns):
            assert run(client, "reverseContinue")
            assert client.frames()[0]["column"] == column
        for column in columns[1:]:
            assert run(client, "continue")
            assert client.frames()[0]["column"] == column
        client.request("disconnect")
