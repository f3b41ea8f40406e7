"""Steps forward and back, breakpoints, pauses and ends."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.core.loading.library import games_folder
from tests.kit.messages import raises

from .client import Client, RequestFailedError, connected

GAME = games_folder() / "tictactoe" / "tictactoe.4th"

SCRIPT = """\
{players {player} A players}
{turn-order {turn} A turn-order}
{board 2 2 {grid} board}
VARIABLE total : tally 1 total +! ; : forever BEGIN tally FALSE UNTIL ;
: add ( n -- )
  total +! ;
: put
  empty? verify
  1 add
  2 add
  drop add-move ;
{moves puts {move} put moves}
{pieces {piece} stone {drops} puts pieces}
"""


def line(client: Client) -> int:
    number: int = client.frames()[0]["line"]
    return number


def step(client: Client, command: str, **arguments: object) -> int:
    client.request(command, {"threadId": 1, **arguments})
    client.stopped()
    return line(client)


def test_steps_by_lines(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="moves", stepBy="line")
        client.break_at(script, 9)
        client.request("configurationDone")
        client.stopped()
        assert step(client, "next") == 10
        assert step(client, "stepIn") == 6
        assert step(client, "stepOut") == 11
        assert step(client, "stepBack") == 10
        assert step(client, "stepBack") == 9
        assert step(client, "next", granularity="instruction") == 9
        assert client.frames()[0]["column"] == 5
        client.request("disconnect")


def test_steps_by_tokens(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="moves", stopOnEntry=True)
        client.request("configurationDone")
        assert client.stopped()["reason"] == "entry"
        columns = []
        for _ in range(3):
            step(client, "stepIn")
            columns.append(client.frames()[0]["column"])
        assert columns == [10, 3, 5]
        assert step(client, "next", granularity="line") == 10
        client.request("disconnect")


def test_reverse_continue(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="moves")
        client.break_at(script, 9, 11)
        client.request("configurationDone")
        client.stopped()
        assert step(client, "continue") == 11
        assert step(client, "reverseContinue") == 9
        client.request("reverseContinue", {"threadId": 1})
        assert client.stopped()["description"] == "back at the beginning"
        client.request("disconnect")


def test_conditions_hit_conditions_and_log_points(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="moves")
        body = client.request(
            "setBreakpoints",
            {
                "source": {"path": str(script)},
                "breakpoints": [
                    {"line": 9, "condition": "total @ 3 >"},
                    {"line": 11, "hitCondition": "3"},
                    {"line": 10, "logMessage": "total is {total @}"},
                ],
            },
        )
        assert [point["verified"] for point in body["breakpoints"]] == [True] * 3
        first, second, _ = (point["id"] for point in body["breakpoints"])
        client.request("configurationDone")
        stop = client.stopped()
        assert stop["hitBreakpointIds"] == [first]
        assert client.scope("Variables")["total"] == "6"
        client.request("continue", {"threadId": 1})
        assert client.stopped()["hitBreakpointIds"] == [second]
        assert "total is 1\ntotal is 4\n" in client.output()
        client.request("disconnect")


def test_output_comes_before_a_later_log_message(tmp_path: Path) -> None:
    script = tmp_path / "chat.4th"
    script.write_text('." one"\n." two" 1 DROP\n')
    with connected() as client:
        client.launch(script, target="load")
        points = [{"line": 2, "logMessage": "log"}]
        client.request("setBreakpoints", {"source": {"path": str(script)}, "breakpoints": points})
        client.request("configurationDone")
        client.event("terminated")
        assert client.output() == "onelog\ntwo"
        client.request("disconnect")


def test_function_and_data_breakpoints(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="moves")
        body = client.request(
            "setFunctionBreakpoints",
            {"breakpoints": [{"name": "on move"}, {"name": "add"}, {"name": "nonsense"}]},
        )
        move, add, nonsense = body["breakpoints"]
        assert (move["verified"], add["verified"], nonsense["verified"]) == (True, True, False)
        assert "nonsense" in nonsense["message"]
        client.request("configurationDone")
        stop = client.stopped()
        assert (stop["reason"], stop["hitBreakpointIds"]) == ("function breakpoint", [add["id"]])
        client.request("setFunctionBreakpoints", {"breakpoints": []})
        scopes = client.request("scopes", {"frameId": 1})["scopes"]
        reference = next(s["variablesReference"] for s in scopes if s["name"] == "Variables")
        info = client.request(
            "dataBreakpointInfo", {"variablesReference": reference, "name": "total"}
        )
        assert (info["dataId"], info["accessTypes"]) == ("total", ["write"])
        (point,) = client.request("setDataBreakpoints", {"breakpoints": [{"dataId": "total"}]})[
            "breakpoints"
        ]
        client.request("continue", {"threadId": 1})
        stop = client.stopped()
        assert stop["reason"] == "data breakpoint"
        assert stop["hitBreakpointIds"] == [point["id"]]
        assert stop["text"] == "total: 0 → 1"
        client.request("disconnect")


def test_data_breakpoint_on_a_square() -> None:
    with connected() as client:
        client.launch(GAME, target="play", moves=["mark a1"], stopOnEntry=True)
        client.request("configurationDone")
        client.stopped()
        info = client.request("dataBreakpointInfo", {"name": "a1"})
        assert info["dataId"] == "on a1"
        client.request("setDataBreakpoints", {"breakpoints": [{"dataId": "on a1"}]})
        client.request("continue", {"threadId": 1})
        stop = client.stopped()
        assert stop["reason"] == "data breakpoint"
        assert "empty → " in stop["text"]
        assert client.event("forthvm/board")["svg"] != client.event("forthvm/board")["svg"]
        client.request("disconnect")


def test_breakpoint_locations(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="moves")
        body = client.request(
            "breakpointLocations", {"source": {"path": str(script)}, "line": 5, "endLine": 10}
        )
        assert [point["line"] for point in body["breakpoints"]] == [6, 8, 9, 10]
        client.request("disconnect")


def test_breakpoint_locations_of_a_load_include_interpreted_lines(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="load", stopOnEntry=True)
        client.request("configurationDone")
        client.stopped()
        body = client.request(
            "breakpointLocations", {"source": {"path": str(script)}, "line": 1, "endLine": 13}
        )
        lines = [point["line"] for point in body["breakpoints"]]
        assert lines == [1, 2, 3, 4, 6, 8, 9, 10, 11, 12, 13]
        for point in client.break_at(script, *lines):
            assert point["line"] in lines
            assert point["verified"]
        client.request("disconnect")


def test_kept_breakpoints_keep_their_numbers(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="moves")
        first = client.break_at(script, 9, 11)
        second = client.break_at(script, 11)
        assert second == [first[1]]
        client.request("disconnect")


def test_lines_that_start_at_0(script: Path) -> None:
    with connected() as client:
        client.request(
            "initialize",
            {"adapterID": "forthvm", "linesStartAt1": False, "columnsStartAt1": False},
        )
        client.request("launch", {"program": str(script), "target": "moves"})
        (point,) = client.break_at(script, 8)
        assert point["line"] == 8
        client.request("configurationDone")
        client.stopped()
        assert (client.frames()[0]["line"], client.frames()[0]["column"]) == (8, 2)
        client.request("disconnect")


def test_errors_stop_the_program_and_have_a_place(script: Path) -> None:
    script.write_text(SCRIPT.replace("  2 add\n", "  1 0 / DROP\n"))
    with connected() as client:
        client.launch(script, target="moves")
        client.request("configurationDone")
        stop = client.stopped()
        assert stop["reason"] == "exception"
        assert line(client) == 10
        info = client.request("exceptionInfo", {"threadId": 1})
        assert info["exceptionId"] == "DivisionError"
        assert "game.4th:10" in info["details"]["stackTrace"]
        assert step(client, "stepBack") == 10
        client.request("continue", {"threadId": 1})
        assert client.stopped()["reason"] == "exception"
        client.output()
        client.request("continue", {"threadId": 1})  # the error is not reported once more
        assert client.event("exited") == {"exitCode": 1}
        client.event("terminated")
        assert client.output().count("division by zero") == 1
        client.request("disconnect")


def test_pause_of_an_endless_loop(script: Path) -> None:
    script.write_text(SCRIPT.replace("  2 add\n", "  forever\n"))
    with connected() as client:
        client.launch(script, target="moves")
        client.request("configurationDone")
        with raises(RequestFailedError, "running.pause-it-first") as caught:
            client.frames()
        assert caught.value.code == "notStopped"
        client.request("pause", {"threadId": 1})
        assert client.stopped()["reason"] == "pause"
        assert client.frames()[0]["name"] in ("tally", "forever", "put")
        client.request("continue", {"threadId": 1})
        client.request("terminate")
        client.event("terminated")
        client.request("disconnect")


@pytest.mark.slow
def test_going_back_for_longer_than_output_waits(tmp_path: Path) -> None:
    path = tmp_path / "long.4th"
    path.write_text("VARIABLE n\n: count\n  25000000 0 DO 1 n +! LOOP\n  1 DROP ;\ncount\n")
    with connected() as client:
        client.launch(path)
        client.break_at(path, 4)
        client.request("configurationDone")
        client.stopped()
        assert step(client, "stepBack") == 3
        client.request("disconnect")


def test_breakpoint_set_during_a_run(script: Path) -> None:
    script.write_text(SCRIPT.replace("  2 add\n", "  forever\n"))
    with connected() as client:
        client.launch(script, target="moves")
        client.request("configurationDone")
        (point,) = client.break_at(script, 4)
        assert point["verified"]
        assert client.stopped()["hitBreakpointIds"] == [point["id"]]
        client.request("disconnect")


def test_restart_loads_the_changed_script(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="moves")
        (point,) = client.break_at(script, 10)
        client.request("configurationDone")
        client.stopped()
        script.write_text("\n" + SCRIPT)
        client.request("restart", {})
        assert client.stopped()["hitBreakpointIds"] == [point["id"]]
        assert line(client) == 10
        assert client.frames()[0]["name"] == "put"
        client.request("disconnect")


def test_stop_at_the_end_and_back() -> None:
    with connected() as client:
        client.launch(GAME, target="moves", stopAtEnd=True)
        client.request("configurationDone")
        stop = client.stopped()
        assert stop["description"] == "the end of the run"
        assert "result: " in client.output()
        client.request("stepBack", {"threadId": 1})
        client.stopped()
        assert client.frames()[0]["name"] == "put"
        client.request("disconnect")


def test_search(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="search", depth=2)
        client.break_at(script, 10)
        client.request("configurationDone")
        client.stopped()
        client.break_at(script)
        client.request("continue", {"threadId": 1})
        client.event("terminated")
        assert "score" in client.output()
        client.request("disconnect")


@pytest.mark.parametrize("form", ["text", "file"])
def test_saved_position(tmp_path: Path, form: str) -> None:
    position = forthvm.load("tictactoe").start()
    position.push("mark b2")
    text = position.to_json()
    (tmp_path / "saved.json").write_text(text)
    saved = text if form == "text" else "saved.json"
    with connected() as client:
        client.launch("tictactoe", target="moves", position=saved, cwd=str(tmp_path))
        client.request("configurationDone")
        client.event("terminated")
        assert "b1" in (output := client.output())
        assert "b2" not in output
        client.request("disconnect")


def test_loading_stops_at_lines_and_words_that_are_not_compiled_yet(tmp_path: Path) -> None:
    part = tmp_path / "part.4th"
    part.write_text(": twice ( n -- m )\n  2 * ;\n3 twice\n")
    script = tmp_path / "main.4th"
    script.write_text("1 DROP\nLOAD part.4th\nDUP twice\n1 0 /\n")
    with connected() as client:
        client.launch(script, stopOnEntry=True)
        (point,) = client.break_at(part, 2)
        assert not point["verified"]
        body = client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "twice"}]})
        assert not body["breakpoints"][0]["verified"]
        client.request("configurationDone")
        assert client.stopped()["reason"] == "entry"
        client.request("continue", {"threadId": 1})
        assert client.stopped()["reason"] == "function breakpoint"
        verified = [client.event("breakpoint")["breakpoint"] for _ in range(2)]
        assert all(one["verified"] for one in verified)
        places = [("script", 3), ("script", 2)]  # in part.4th, and its LOAD
        assert [(f["name"], f["line"]) for f in client.frames()] == places
        client.request("continue", {"threadId": 1})
        assert client.stopped()["hitBreakpointIds"] == [point["id"]]
        assert [(f["name"], f["line"]) for f in client.frames()] == [("twice", 2), *places]
        assert client.scope("Stack") == {"n": "3"}
        client.request("setFunctionBreakpoints", {"breakpoints": []})
        client.break_at(part)
        client.request("continue", {"threadId": 1})
        assert client.stopped()["reason"] == "exception"
        assert client.frames()[0]["source"]["path"] == str(script)
        assert line(client) == 4
        client.request("reverseContinue", {"threadId": 1})
        client.stopped()
        assert line(client) == 1
        client.request("disconnect")


def test_output_is_shown_while_the_program_runs(tmp_path: Path) -> None:
    script = tmp_path / "loop.4th"
    script.write_text(': spin ." spinning" BEGIN FALSE UNTIL ; spin\n')
    with connected() as client:
        client.launch(script)
        client.request("configurationDone")
        assert client.event("output")["output"] == "spinning"
        client.request("disconnect")
