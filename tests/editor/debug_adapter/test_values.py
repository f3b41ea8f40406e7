"""Scopes, variables and evaluation where a program has stopped."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.messages import raises

from .client import Client, RequestFailedError, connected

SCRIPT = """\
{players {player} A {player} B players}
{turn-order {turn} A {turn} B turn-order}
{board 2 2 {grid} {variable} moves-made 3 {array} seen board}
VARIABLE total  7 total !
CREATE table 10 , 20 , 30 ,
8 CONSTANT eight
: twice ( n -- m )  \\ Doubles a number.
  2 * ;
: count-move ( -- )
  total @ twice total ! ;
: put ( -- )
  empty? verify
  count-move
  drop add-move ;
{moves puts {move} put moves}
{pieces {piece} stone {drops} puts pieces}
{board-setup {setup} A stone a1 board-setup}
"""


@pytest.fixture
def client(script: Path) -> Iterator[Client]:
    """A client of a program that has stopped in `twice`."""
    with connected() as made:
        made.launch(script, target="moves")
        made.break_at(script, 8)
        made.request("configurationDone")
        made.stopped()
        yield made
        made.request("disconnect")


def test_frames(client: Client, script: Path) -> None:
    frames = client.frames()
    assert [(frame["name"], frame["line"]) for frame in frames] == [
        ("twice", 8),
        ("count-move", 10),
        ("put", 13),
    ]
    assert {frame["source"]["path"] for frame in frames} == {str(script)}
    part = client.request("stackTrace", {"threadId": 1, "startFrame": 1, "levels": 1})
    assert [frame["name"] for frame in part["stackFrames"]] == ["count-move"]
    assert part["totalFrames"] == 3


def test_stack_has_names_of_the_stack_comment(client: Client) -> None:
    assert client.scope("Stack") == {"n": "7"}
    assert len(client.scope("Return stack")) >= 2


def test_stack_has_names_in_the_innermost_frame_only(client: Client) -> None:
    assert client.scope("Stack", frame=1) == {"n": "7"}
    assert client.scope("Stack", frame=2) == {"[0]": "7"}
    assert client.scope("Stack", frame=3) == {"[0]": "7"}


def test_names_follow_the_words_that_move_items(tmp_path: Path) -> None:
    script = tmp_path / "names.4th"
    script.write_text(": over-ten ( n -- m )\n  10 SWAP\n  DUP\n  DROP - ;\n7 over-ten DROP\n")
    with connected() as client:
        client.launch(script)
        client.break_at(script, 2, 3, 4)
        client.request("configurationDone")
        found = []
        while client.any_event("stopped", "terminated"):
            found.append(client.scope("Stack"))
            client.request("continue", {"threadId": 1})
        assert found == [
            {"n": "7"},
            {"n": "7", "[1]": "10"},
            {"n": "7", "[1]": "7", "[2]": "10"},
        ]
        client.request("disconnect")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("total", "total"),
        ("seen", "0 seen for 3"),
        ("1 2 +", None),
        ("nosuch", None),
        ("a2", "on a2"),
    ],
)
def test_what_can_be_watched(client: Client, name: str, data: str | None) -> None:
    assert client.request("dataBreakpointInfo", {"name": name})["dataId"] == data


def test_scope_of_the_move_generation(client: Client) -> None:
    facts = client.scope("Move generation")
    assert (facts["player"], facts["piece"]) == ("A", "stone")


def test_variables_and_arrays(client: Client) -> None:
    scopes = client.request("scopes", {"frameId": 1})["scopes"]
    reference = next(s["variablesReference"] for s in scopes if s["name"] == "Variables")
    assert client.variables(reference) == {
        "moves-made": "0",
        "seen": "0 0 0",
        "total": "7",
        "table": "10 20 30",
    }
    body = client.request("variables", {"variablesReference": reference})
    table = next(v for v in body["variables"] if v["name"] == "table")
    assert (table["type"], table["indexedVariables"]) == ("3 cells", 3)
    items = client.request(
        "variables",
        {"variablesReference": table["variablesReference"], "filter": "indexed", "start": 1},
    )
    assert [(v["name"], v["value"]) for v in items["variables"]] == [("[1]", "20"), ("[2]", "30")]
    hexadecimal = client.request(
        "variables",
        {"variablesReference": table["variablesReference"], "format": {"hex": True}},
    )
    assert hexadecimal["variables"][2]["value"] == "0x1e"


def test_variables_of_a_board_that_is_not_made_yet(script: Path) -> None:
    with connected() as client:
        client.launch(script)
        client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "board}"}]})
        client.request("configurationDone")
        client.stopped()
        values = client.scope("Variables")
        assert values == {"moves-made": "not in memory", "seen": "not in memory"}
        body = client.request("evaluate", {"expression": "seen", "context": "watch"})
        assert body["result"] == "not in memory"
        client.request("disconnect")


def test_board_scope(client: Client) -> None:
    board = client.scope("Board")
    assert board == {"a1": "A stone", "empty squares": "3"}


def test_variables_are_forgotten_when_the_program_runs(client: Client) -> None:
    scopes = client.request("scopes", {"frameId": 1})["scopes"]
    client.request("next", {"threadId": 1})
    client.stopped()
    with raises(RequestFailedError, "debug-adapter-values.no-longer-valid"):
        client.variables(scopes[0]["variablesReference"])


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("expression", "context", "result"),
    [
        ("1 2 +", "repl", "3"),
        ("1 2", "repl", "1 2"),
        ('." hello" 5', "repl", "hello 5"),
        (": sq DUP * ; 5 sq", "repl", "25"),
        ("VARIABLE x", "repl", "no result"),
        ("n", "watch", "7"),
        ("n", "hover", "7"),
        ("total", "watch", "7"),
        ("total @ 1+", "watch", "8"),
        ("eight", "hover", "8"),
        ("twice", "hover", "twice ( n -- m ) \\ Doubles a number."),
        ("table", "hover", "10 20 30"),
        ("1 seen", "repl", None),
    ],
)
def test_evaluation(client: Client, expression: str, context: str, result: str | None) -> None:
    body = client.request("evaluate", {"expression": expression, "context": context})
    if result is not None:
        assert body["result"] == result


def test_watched_array_can_be_expanded(client: Client) -> None:
    body = client.request("evaluate", {"expression": "table", "context": "watch"})
    assert client.variables(body["variablesReference"]) == {"[0]": "10", "[1]": "20", "[2]": "30"}


def test_evaluation_has_no_side_effects(client: Client) -> None:
    request = {"expression": "1 total ! 5 6 7 total @", "context": "repl"}
    assert client.request("evaluate", request)["result"] == "5 6 7 1"
    assert client.scope("Variables")["total"] == "7"
    assert client.scope("Stack") == {"n": "7"}


@pytest.mark.parametrize(
    ("expression", "context", "error"),
    [
        ("no-such-word", "repl", "no-such-word"),
        ("no-such-word", "hover", "no-such-word is not defined"),
        ("DROP DROP DROP DROP", "watch", "underflow"),
        ("", "repl", "nothing to evaluate"),
    ],
)
def test_errors_of_evaluation(client: Client, expression: str, context: str, error: str) -> None:
    with pytest.raises(RequestFailedError, match=error):
        client.request("evaluate", {"expression": expression, "context": context})


def test_completions(client: Client) -> None:
    body = client.request("completions", {"text": "1 coun", "column": 7})
    first = body["targets"][0]
    assert first == {
        "label": "count-move",
        "text": "count-move",
        "type": "function",
        "detail": "( -- )",
        "start": 3,
        "length": 4,
    }
    assert client.request("completions", {"text": "1 ", "column": 3})["targets"] == []
    after_tab = client.request("completions", {"text": "1\tcoun", "column": 7})["targets"]
    assert after_tab == body["targets"]
    after_emoji = client.request("completions", {"text": "\U0001f600 coun", "column": 8})
    target = after_emoji["targets"][0]
    assert (target["label"], target["start"], target["length"]) == ("count-move", 4, 4)


def test_columns_count_utf16_code_units(tmp_path: Path) -> None:
    script = tmp_path / "emoji.4th"
    script.write_text(': put ." ü\U0001f600" 1 DROP ; put', encoding="utf-8")
    with connected() as client:
        client.launch(script)
        client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "DROP"}]})
        client.request("configurationDone")
        client.stopped()
        frame = client.frames()[0]
        assert (frame["column"], frame["endColumn"]) == (17, 21)
        client.request("disconnect")


def test_loaded_sources(client: Client, script: Path) -> None:
    sources = client.request("loadedSources", {})["sources"]
    assert str(script) in [source.get("path") for source in sources]
    library = next(source for source in sources if source["name"] == "core.4th")
    assert library["origin"] == "library"
    assert Path(library["path"]).is_file()


def test_board_request_and_event(client: Client) -> None:
    event = client.event("forthvm/board")
    assert event == client.request("forthvm/board")
    assert event["svg"].startswith("<svg")
    assert event["title"].startswith("game: moves of A stone")
    assert event["text"]
    client.request("next", {"threadId": 1})
    client.stopped()
    client.request("threads")
    assert not [m for m in client._events if m["event"] == "forthvm/board"]  # it has not changed


def test_memory(client: Client) -> None:
    body = client.request("evaluate", {"expression": "table", "context": "watch"})
    request = {"memoryReference": body["memoryReference"], "offset": 4, "count": 8}
    memory = client.request("readMemory", request)
    assert b64decode(memory["data"]) == bytes([20, 0, 0, 0, 30, 0, 0, 0])
    outside = client.request("readMemory", {"memoryReference": "0", "offset": -8, "count": 16})
    assert (outside["data"], outside["unreadableBytes"]) == ("", 16)


def test_return_stack_has_places(client: Client) -> None:
    top = client.scope("Return stack")["[0]"]
    assert top.endswith("game.4th:10:11)")


TOKENS = """\
VARIABLE action
CREATE actions 0 , 0 ,
: hello ( -- ) ;
' hello action !  ' hello actions !
: use ( 'x -- ) DROP ;
' DUP use
' hello DROP
"""


def test_tokens_have_the_names_of_their_words(tmp_path: Path) -> None:
    path = tmp_path / "tokens.4th"
    path.write_text(TOKENS)
    with connected() as client:
        client.launch(path)
        client.break_at(path, 5)
        client.request("configurationDone")
        client.stopped()
        variables = client.scope("Variables")
        assert variables["action"].endswith(" (' hello)")
        assert client.scope("Stack")["'x"].endswith(" (' DUP)")
        found = client.request("evaluate", {"expression": "action @", "context": "watch"})
        assert found["result"] == variables["action"]
        client.request("disconnect")
