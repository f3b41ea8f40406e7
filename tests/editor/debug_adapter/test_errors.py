"""Errors: their places and open words, where they stop, and going back from the end of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from .client import Client, connected

SCRIPT = """\
{players {player} A {player} B players}
{turn-order {turn} A {turn} B turn-order}
{board 2 2 {grid} board}
VARIABLE zero
: bad ( -- n )
   10 zero @ / ;
: put empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} stone {drops} puts pieces}
: OnEvaluate ( -- n )
  a1 empty-at? IF 3 ELSE
    bad
  THEN ;
"""
PLACES = [("bad", 6), ("OnEvaluate", 12)]


def places(client: Client) -> list[tuple[str, int]]:
    return [(frame["name"], frame["line"]) for frame in client.frames()]


def test_error_in_a_hook_of_a_search_has_its_open_words(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="search", depth=2)
        client.request("configurationDone")
        assert client.stopped()["reason"] == "exception"
        assert places(client) == PLACES
        details = client.request("exceptionInfo", {"threadId": 1})["details"]
        assert "called from OnEvaluate" in details["stackTrace"]
        client.request("disconnect")


def test_end_with_an_error_has_the_same_places_and_goes_back_to_the_error(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="search", depth=2, stopAtEnd=True)
        client.request("setExceptionBreakpoints", {"filters": []})
        client.request("configurationDone")
        assert client.stopped()["reason"] == "exception"
        assert places(client) == PLACES
        client.request("stepBack", {"threadId": 1})
        client.stopped()
        assert places(client) == PLACES
        assert client.scope("Stack")["[1]"] == "10"
        client.request("disconnect")


def test_error_of_a_token_outside_definitions_is_in_the_script(tmp_path: Path) -> None:
    script = tmp_path / "main.4th"
    script.write_text("1 DROP\nDROP\n")
    with connected() as client:
        client.launch(script)
        client.request("configurationDone")
        assert client.stopped()["reason"] == "exception"
        assert places(client) == [("script", 2)]
        client.request("disconnect")


def test_error_in_a_loaded_file_has_the_places_of_the_loads(tmp_path: Path) -> None:
    script = tmp_path / "main.4th"
    script.write_text("VARIABLE a\n1 LOAD part.4th\n")
    (tmp_path / "part.4th").write_text("2\n\nno-such-word\n")
    with connected() as client:
        client.launch(script)
        client.request("configurationDone")
        assert client.stopped()["reason"] == "exception"
        assert places(client) == [("script", 3), ("script", 2)]
        assert client.scope("Stack") == {"[0]": "2", "[1]": "1"}
        client.request("continue", {"threadId": 1})
        assert client.event("exited")["exitCode"] == 1
        client.request("disconnect")


def test_end_in_a_loaded_file_has_the_places_of_the_loads(tmp_path: Path) -> None:
    script = tmp_path / "main.4th"
    script.write_text("VARIABLE a\n1 LOAD part.4th\n")
    (tmp_path / "part.4th").write_text("2\n\nno-such-word\n")
    with connected() as client:
        client.launch(script, stopAtEnd=True)
        client.request("setExceptionBreakpoints", {"filters": []})
        client.request("configurationDone")
        assert client.stopped()["reason"] == "exception"
        assert places(client) == [("script", 3), ("script", 2)]
        client.request("disconnect")


@pytest.mark.parametrize("on_entry", [True, False])
def test_error_before_the_first_token_stops(tmp_path: Path, *, on_entry: bool) -> None:
    script = tmp_path / "main.4th"
    script.write_text("1\nno-such-word\n")
    with connected() as client:
        client.launch(script, stopOnEntry=on_entry)
        client.request("configurationDone")
        assert "unknown word" in client.stopped()["text"]
        assert places(client) == [("script", 2)]
        client.request("continue", {"threadId": 1})
        assert client.event("exited")["exitCode"] == 1
        client.request("disconnect")


def test_evaluation_has_no_scope_of_the_move_generation(script: Path) -> None:
    with connected() as client:
        client.launch(script, target="search", depth=2)
        client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "verify"}]})
        client.request("configurationDone")
        client.stopped()
        names = [scope["name"] for scope in client.request("scopes", {"frameId": 1})["scopes"]]
        assert "Move generation" in names
        client.request("setFunctionBreakpoints", {"breakpoints": []})
        client.request("continue", {"threadId": 1})
        assert client.stopped()["reason"] == "exception"
        names = [scope["name"] for scope in client.request("scopes", {"frameId": 1})["scopes"]]
        assert "Move generation" not in names
        client.request("disconnect")
