"""Steps into, over and out of what the host runs, loaded files, and words of rule files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.messages import raises

from .client import Client, RequestFailedError, connected

SCRIPT = """\
{players {player} A players}
{turn-order {turn} A turn-order}
{board 2 1 {grid} board}
: check ( -- )
  empty? verify ;
: put ( -- )
  check
  drop add-move ;
: twice ( -- )
  check ;
{moves puts {move} put {move} twice moves}
{pieces {piece} stone {drops} puts pieces}
"""
RULES = """\
(define slide (while empty? add $1))
(game
   (title "Slides")
   (players White Black)
   (turn-order White Black)
   (board
      (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9)))
         (directions (e 1 0) (w -1 0))))
   (board-setup (White (man b1)))
   (piece (name man) (moves (e (slide e)) (w (slide w)))))
"""


def stop(client: Client, command: str) -> tuple[str, int] | None:
    """Step; return the word and line where the program stops, or None if it ends."""
    client.request(command, {"threadId": 1})
    event = client.any_event("stopped", "terminated")
    if not event:
        return None
    frame = client.frames()[0]
    return frame["name"], frame["line"]


def launch(client: Client, program: Path, **arguments: object) -> tuple[str, int]:
    client.launch(program, stopOnEntry=True, **arguments)
    client.request("configurationDone")
    assert client.stopped()["reason"] == "entry"
    frame = client.frames()[0]
    return frame["name"], frame["line"]


@pytest.mark.parametrize("back", ["stepBack", "reverseContinue"])
@pytest.mark.parametrize("unit", ["token", "line"])
def test_nothing_is_before_the_entry(script: Path, back: str, unit: str) -> None:
    with connected() as client:
        entry = launch(client, script, target="moves", stepBy=unit)
        client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "put"}]})
        for steps in range(3):
            for _ in range(steps):
                stop(client, "next")
            for _ in range(steps + 1):
                client.request(back, {"threadId": 1})
                event = client.stopped()
            assert event["description"] == "back at the beginning"
            frame = client.frames()[0]
            assert (frame["name"], frame["line"]) == entry
            assert frame["column"] == 3  # of `check`, inside the word that the host runs
        client.request("disconnect")


def test_next_steps_through_each_word_of_the_host(script: Path) -> None:
    with connected() as client:
        assert launch(client, script, target="moves", stepBy="line") == ("put", 7)
        assert stop(client, "next") == ("put", 8)
        assert stop(client, "next") == ("twice", 10)
        assert stop(client, "next") == ("put", 7)
        client.request("disconnect")


def test_out_of_a_word_of_the_host_is_its_next_word(script: Path) -> None:
    with connected() as client:
        assert launch(client, script, target="moves", stepBy="line") == ("put", 7)
        assert stop(client, "stepOut") == ("twice", 10)
        assert stop(client, "stepIn") == ("check", 5)
        assert stop(client, "stepOut") == ("twice", 10)
        assert stop(client, "stepOut") == ("put", 7)
        assert stop(client, "stepBack") == ("twice", 10)
        client.request("disconnect")


def test_a_move_that_has_no_source_is_entered(script: Path) -> None:
    with connected() as client:
        assert launch(client, script, target="play", moves=["stone a1"]) == ("(move)", 0)
        assert stop(client, "next") == ("put", 7)
        client.request("disconnect")


@pytest.fixture
def main(tmp_path: Path) -> Path:
    (tmp_path / "part.4th").write_text("1 DROP\n: seven 7 ;\nseven DROP\n")
    path = tmp_path / "main.4th"
    path.write_text("2 DROP\nLOAD part.4th\nseven DROP\n")
    return path


def test_next_steps_over_the_loading_of_a_file(main: Path) -> None:
    with connected() as client:
        assert launch(client, main, stepBy="line") == ("script", 1)
        places = [stop(client, "next") for _ in range(2)]
        assert places == [("script", 2), ("script", 3)]
        assert client.frames()[0]["source"]["name"] == "main.4th"
        assert stop(client, "stepBack") == ("script", 2)
        assert client.frames()[0]["source"]["name"] == "main.4th"
        client.request("disconnect")


def test_a_loaded_file_is_entered_and_left(main: Path) -> None:
    with connected() as client:
        launch(client, main, stepBy="line")
        stop(client, "next")
        assert stop(client, "stepIn") == ("script", 1)
        names = [(frame["source"]["name"], frame["line"]) for frame in client.frames()]
        assert names == [("part.4th", 1), ("main.4th", 2)]
        assert stop(client, "next") == ("script", 2)
        assert stop(client, "stepOut") == ("script", 3)
        assert client.frames()[0]["source"]["name"] == "main.4th"
        assert stop(client, "stepOut") is None
        client.request("disconnect")


def test_words_called_by_a_text_have_the_frames_of_the_text(main: Path) -> None:
    with connected() as client:
        client.launch(main)
        client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "seven"}]})
        client.request("configurationDone")
        client.stopped()
        client.request("stepIn", {"threadId": 1})
        client.stopped()
        names = [(f["name"], f["source"]["name"], f["line"]) for f in client.frames()]
        assert names == [
            ("seven", "part.4th", 2),
            ("script", "part.4th", 3),
            ("script", "main.4th", 2),
        ]
        client.request("disconnect")


def test_breakpoint_on_a_macro_stops_in_each_expansion(tmp_path: Path) -> None:
    rules = tmp_path / "slides.zrf"
    rules.write_text(RULES)
    with connected() as client:
        client.launch(rules, target="moves")
        client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "slide"}]})
        client.request("configurationDone")
        expansions = []
        while client.any_event("stopped", "terminated"):
            assert stop(client, "stepIn")
            expansions.append(client.frames()[0]["name"])
            client.request("continue", {"threadId": 1})
        assert expansions == ["slide(e)", "slide(w)"]
        client.request("disconnect")


SHARED_RULES = """\
(define shift
   ($1
      (verify empty?)
      add))
(game
   (title "Shifts")
   (players White Black)
   (turn-order White Black)
   (board
      (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9)))
         (directions (e 1 0) (w -1 0))))
   (board-setup (White (man b1)))
   (piece (name man)
      (moves
         (shift e)
         (shift w)
      )))
"""


def set_breakpoints_on_calls(client: Client, rules: Path) -> None:
    client.break_at(rules, 15, 16)
    client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "shift"}]})
    client.request("configurationDone")


def test_breakpoints_on_calls_of_expanded_macros(tmp_path: Path) -> None:
    rules = tmp_path / "shifts.zrf"
    rules.write_text(SHARED_RULES)
    with connected() as client:
        client.launch(rules, target="moves")
        set_breakpoints_on_calls(client, rules)
        stops = []
        while stopped := client.any_event("stopped", "terminated"):
            stops.append((client.frames()[0]["line"], stopped["hitBreakpointIds"]))
            client.request("continue", {"threadId": 1})
        assert stops == [(2, [1, 3]), (2, [2, 3])]
        client.request("disconnect")


@pytest.mark.slow
def test_breakpoints_on_expanded_macros_are_found_when_they_are_loaded(tmp_path: Path) -> None:
    rules = tmp_path / "shifts.zrf"
    rules.write_text(SHARED_RULES)
    with connected() as client:
        client.launch(rules)
        set_breakpoints_on_calls(client, rules)
        client.event("terminated")
        events = [m["body"] for m in client.messages if m.get("event") == "breakpoint"]
        found = {event["breakpoint"]["id"]: event["breakpoint"] for event in events}
        assert [(found[n]["verified"], found[n].get("line")) for n in (1, 2, 3)] == [
            (True, 15),
            (True, 16),
            (True, None),
        ]
        client.request("disconnect")


def test_the_program_stays_when_a_restart_fails(script: Path) -> None:
    with connected() as client:
        place = launch(client, script, target="moves")
        script.write_text(SCRIPT.replace("empty?", "nosuch?"))
        with raises(RequestFailedError, "stepping.failing-restart"):
            client.request("restart", {})
        frame = client.frames()[0]
        assert (frame["name"], frame["line"]) == place
        script.write_text(SCRIPT.replace("put", "lay"))
        client.request("restart", {})
        client.stopped()
        assert client.frames()[0]["name"] == "lay"
        client.request("disconnect")


LOOPS = """\
: inner ( -- ) 7 >R R@ DROP R> DROP ;
: loops ( -- )
  3 0 DO
    2 0 DO
      I J 10 * + DROP
    LOOP
  LOOP ;
loops inner
"""


def test_conditions_and_evaluations_know_the_loops(tmp_path: Path) -> None:
    script = tmp_path / "loops.4th"
    script.write_text(LOOPS)
    with connected() as client:
        client.launch(script)
        client.request(
            "setBreakpoints",
            {
                "source": {"path": str(script)},
                "breakpoints": [{"line": 5, "condition": "J 2 = IF I 1 = ELSE FALSE THEN"}],
            },
        )
        client.request("configurationDone")
        client.stopped()
        assert client.request("evaluate", {"expression": "I J"})["result"] == "1 2"
        assert client.request("evaluate", {"expression": "2 0 DO I LOOP"})["result"] == "0 1"
        client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "R@"}]})
        client.request("continue", {"threadId": 1})
        client.stopped()
        assert client.request("evaluate", {"expression": "R@"})["result"] == "7"
        with raises(RequestFailedError, "stepping.return-stack-underflow"):
            client.request("evaluate", {"expression": "R>"})
        client.request("disconnect")
