"""Malformed messages, requests in the wrong order, and clients that leave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.cases import each_case
from tests.kit.messages import raises

from .client import Client, RequestFailedError, connected

LOOPING = "VARIABLE x : spin BEGIN 1 x +! FALSE UNTIL ; spin\n"
PRINTING = ': print BEGIN ." again and again " CR FALSE UNTIL ; print\n'


@each_case(
    "data",
    [
        b"Content-Length: 3\r\n\r\n{]}",
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 4\r\n\r\n\xff\xfe\xfd\xfc",
        b"Content-Length: 4000\r\n\r\n" + b"[" * 4000,
        b'Content-Length: 18\r\n\r\n{"type":"request"}',
        b'Content-Length: 28\r\n\r\n{"type":"request","seq":"x"}',
        b'Content-Length: 26\r\n\r\n{"type":"request","seq":1}',
        b'Content-Length: 15\r\n\r\n{"type":"what"}',
    ],
)
def test_malformed_messages_are_ignored(data: bytes) -> None:
    with connected() as client:
        client.send_bytes(data)
        assert client.request("initialize", {"adapterID": "x"})["supportsStepBack"]


@each_case(
    "header",
    [
        b"garbage without a header\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
        b"Content-Length: none\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: +2\r\n\r\n{}",
        b"Content-Length: 1_0\r\n\r\n",
        b"Content-Length: 99999999999999999999\r\n\r\n",
        b"Content-Length: 999999999\r\n\r\n",
        b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        b"Content-Length: 2\r\nContent-Type: text\r\n\r\n{}",
        b"Content-Type: text\r\n" * 3,
        b"\r\n\r\nContent-Length: 2\r\n\r\n{}",
        b"Content-Length:" + b" " * 100 + b"2\r\n\r\n{}",
    ],
)
def test_anything_but_the_header_of_a_message_ends_the_connection(header: bytes) -> None:
    with connected() as client:
        client.send_bytes(header)
        client.event("output")
        with pytest.raises(EOFError):
            client.event("no more")


@each_case(
    ("command", "arguments"),
    [
        ("continue", {"threadId": 1}),
        ("next", {"threadId": 1}),
        ("stackTrace", {"threadId": 1}),
        ("scopes", {"frameId": 1}),
        ("variables", {"variablesReference": 1}),
        ("evaluate", {"expression": "1"}),
        ("completions", {"text": "x", "column": 2}),
        ("configurationDone", None),
        ("loadedSources", {}),
        ("source", {"sourceReference": 1}),
        ("exceptionInfo", {"threadId": 1}),
        ("dataBreakpointInfo", {"name": "x"}),
        ("breakpointLocations", {"source": {"path": "x.4th"}, "line": 1}),
        ("restart", {}),
        ("forthvm/board", None),
    ],
)
def test_requests_before_the_launch_fail(command: str, arguments: object) -> None:
    with connected() as client, raises(RequestFailedError, "robustness.requests-before-the-launch"):
        client.request(command, arguments)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("command", "arguments", "error"),
    [
        ("attach", {}, "no request `attach`"),
        ("x" * 1000, {}, "no request"),
        ("launch", {}, "`program` is missing"),
        ("launch", None, "`program` is missing"),
        ("launch", [], "expected an object"),
        ("launch", {"program": None}, "launch needs the path of a script"),
        ("launch", {"program": ""}, "launch needs the path of a script"),
        ("launch", {"program": " ", "target": "moves"}, "launch needs the path of a script"),
        ("launch", {"program": 5}, "`program`: expected a text"),
        ("launch", {"program": "tictactoe", "target": "dance"}, "must be one of"),
        ("launch", {"program": "tictactoe", "target": "play"}, "needs `moves`"),
        ("launch", {"program": "tictactoe", "target": "moves", "moves": "x"}, "expected a list"),
        ("launch", {"program": "tictactoe", "stopOnEntry": 1}, "true or false"),
        ("launch", {"program": "tictactoe", "target": "moves", "moves": ["x"]}, "x"),
        ("launch", {"program": "no-such-game"}, "no game is called"),
        ("launch", {"program": "/no/such/file.4th"}, "file.4th"),
        ("launch", {"program": "tictactoe", "target": "search", "engine": "x"}, "engine"),
        ("launch", {"program": "tictactoe", "target": "moves", "position": "{"}, "position"),
        ("launch", {"program": "tictactoe", "target": "moves", "position": "x.json"}, "no file"),
        ("launch", {"target": "test"}, "`test` is missing"),
        ("launch", {"target": "test", "test": "no-such.test:3"}, "no-such.test"),
        ("launch", {"target": "test", "test": "no-such.test"}, "no-such.test"),
        ("setBreakpoints", {"breakpoints": [{"line": 1}]}, "`path` is missing"),
    ],
)
def test_wrong_arguments(command: str, arguments: object, error: str) -> None:
    with connected() as client:
        with pytest.raises(RequestFailedError, match=error):
            client.request(command, arguments, valid=False)
        client.launch("tictactoe", target="moves")  # the adapter still works


@pytest.mark.parametrize("number", [2**31, -(2**40), 10**30])
def test_huge_numbers(number: int) -> None:
    with connected() as client:
        client.launch("tictactoe", target="moves", stopOnEntry=True)
        client.request("configurationDone")
        client.stopped()
        for command, arguments in [
            ("variables", {"variablesReference": number}),
            ("source", {"sourceReference": number}),
            ("stackTrace", {"threadId": 1, "startFrame": number, "levels": number}),
            ("completions", {"text": "x", "column": number, "line": number}),
            ("setBreakpoints", {"source": {"path": "x"}, "breakpoints": [{"line": number}]}),
            ("evaluate", {"expression": f"{number}", "context": "repl"}),
        ]:
            assert "internal" not in _outcome(client, command, arguments)
        client.request("disconnect")


def test_long_expression() -> None:
    with connected() as client:
        client.launch("tictactoe", target="moves", stopOnEntry=True)
        client.request("configurationDone")
        client.stopped()
        body = client.request("evaluate", {"expression": "1 DROP " * 20000 + "5"})
        assert body["result"] == "5"
        client.request("disconnect")


def test_garbage_in_arguments_has_no_internal_errors(tmp_path: Path) -> None:
    """Each request answers with an error that a user can understand, or succeeds."""
    values: list[object] = [None, 0, -1, True, "x", [], {}, [{}], {"path": 5}, 1.5]
    names = {
        "setBreakpoints": ("source", "breakpoints"),
        "setFunctionBreakpoints": ("breakpoints",),
        "setDataBreakpoints": ("breakpoints",),
        "setExceptionBreakpoints": ("filters",),
        "dataBreakpointInfo": ("name", "variablesReference"),
        "breakpointLocations": ("source", "line"),
        "stackTrace": ("startFrame", "levels"),
        "scopes": ("frameId",),
        "variables": ("variablesReference", "format"),
        "evaluate": ("expression", "context"),
        "completions": ("text", "column"),
        "source": ("source", "sourceReference"),
        "restart": ("arguments",),
        "initialize": ("linesStartAt1", "pathFormat"),
        "cancel": ("requestId",),
    }
    with connected() as client:
        client.launch("tictactoe", target="moves", stopOnEntry=True)
        client.request("configurationDone")
        client.stopped()
        for command, arguments in names.items():
            for name in arguments:
                for value in values:
                    outcome = _outcome(client, command, {name: value})
                    assert "internal" not in outcome, (command, name, value, outcome)
        assert json.dumps(client.messages[-1])


def _outcome(client: Client, command: str, arguments: object) -> str:
    try:
        client.request(command, arguments, valid=False)
    except RequestFailedError as error:
        return str(error)
    return ""


def test_evaluation_can_be_cancelled() -> None:
    with connected() as client:
        client.launch("tictactoe", target="moves", stopOnEntry=True)
        client.request("configurationDone")
        client.stopped()
        loop = ": spin BEGIN FALSE UNTIL ; spin"
        first = client.send("evaluate", {"expression": loop})
        second = client.send("evaluate", {"expression": "1 2 +"})
        client.request("cancel", {"requestId": second})
        client.request("cancel", {"requestId": first})
        for number in (first, second):
            with pytest.raises(RequestFailedError) as caught:
                client.response(number)
            assert caught.value.code == "cancelled"
        assert client.request("evaluate", {"expression": "1 2 +"})["result"] == "3"
        client.request("continue", {"threadId": 1})
        client.event("terminated")
        client.request("disconnect")


def test_breakpoints_before_the_launch_are_set_by_the_launch(tmp_path: Path) -> None:
    script = tmp_path / "game.4th"
    script.write_text(": twice 2 * ;\n 1 twice DROP\n")
    with connected() as client:
        (point,) = client.break_at(script, 1)
        assert not point["verified"]
        client.launch(script)
        client.request("configurationDone")
        assert client.stopped()["hitBreakpointIds"] == [point["id"]]
        assert client.event("breakpoint")["breakpoint"]["verified"]
        client.request("disconnect")


def test_looping_script_can_be_paused_while_it_loads(tmp_path: Path) -> None:
    script = tmp_path / "loop.4th"
    script.write_text(LOOPING)
    with connected() as client:
        client.launch(script)
        client.request("configurationDone")
        while _outcome(client, "evaluate", {"expression": "12 x @ 1 MIN /"}):
            pass  # `x` is not defined, or 0: the loop has not begun
        client.request("pause", {"threadId": 1})
        assert client.stopped()["reason"] == "pause"
        assert client.frames()[0]["name"] == "spin"
        client.request("disconnect")


@pytest.mark.parametrize("source", [LOOPING, PRINTING])
def test_client_that_leaves_during_a_run(tmp_path: Path, source: str) -> None:
    script = tmp_path / "loop.4th"
    script.write_text(source)
    with connected() as client:
        client.launch(script)
        client.request("configurationDone")
        if source == PRINTING:
            client.event("output")


@pytest.mark.parametrize("command", ["terminate", "disconnect"])
def test_launch_of_a_looping_script_can_be_ended(tmp_path: Path, command: str) -> None:
    script = tmp_path / "loop.4th"
    script.write_text(LOOPING)
    with connected() as client:
        client.request("initialize", {"adapterID": "x"})
        number = client.send("launch", {"program": str(script), "target": "moves"})
        client.send(command)
        with pytest.raises(RequestFailedError):
            client.response(number)


def test_launch_can_be_cancelled(tmp_path: Path) -> None:
    script = tmp_path / "loop.4th"
    script.write_text(LOOPING)
    with connected() as client:
        number = client.send("launch", {"program": str(script), "target": "moves"})
        client.request("cancel", {"requestId": number})
        with pytest.raises(RequestFailedError) as caught:
            client.response(number)
        assert caught.value.code == "cancelled"


def test_program_terminates_once() -> None:
    with connected() as client:
        client.request("terminate")
        client.launch("tictactoe", target="moves", stopOnEntry=True)
        client.request("configurationDone")
        client.stopped()
        client.request("terminate")
        client.request("terminate")
        client.event("terminated")
        client.request("threads")
        assert [m.get("event") for m in client.messages].count("terminated") == 1
        client.request("disconnect")


@pytest.mark.parametrize("number", [0, 2, -1, 10**12])
def test_unknown_frame(number: int) -> None:
    with connected() as client:
        client.launch("tictactoe", target="moves", stopOnEntry=True)
        client.request("configurationDone")
        client.stopped()
        with raises(RequestFailedError, "robustness.unknown-frame"):
            client.request("scopes", {"frameId": number})
        with pytest.raises(RequestFailedError) as caught:
            client.request("evaluate", {"expression": "nonsense"})
        assert str(caught.value) == "unknown word `nonsense`"
        client.request("disconnect")


def test_second_configuration_does_not_continue_the_program() -> None:
    with connected() as client:
        client.launch("tictactoe", target="moves", stopOnEntry=True)
        client.request("configurationDone")
        client.stopped()
        client.request("stepIn", {"threadId": 1})
        client.stopped()
        frames = client.frames()
        client.request("configurationDone")
        assert client.frames() == frames
        client.request("disconnect")


def test_negative_depth_is_refused() -> None:
    with connected() as client, raises(RequestFailedError, "robustness.negative-depth"):
        client.launch("tictactoe", target="search", depth=-1)
