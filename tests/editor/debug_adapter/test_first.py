"""A session from the first request to the last."""

from __future__ import annotations

from pathlib import Path

from forthvm.core.loading.library import games_folder
from tests.kit.messages import raises

from .client import RequestFailedError, connected

GAME = games_folder() / "tictactoe" / "tictactoe.4th"


def test_breakpoint_in_a_move_word() -> None:
    with connected() as client:
        client.launch(GAME, target="moves")
        (point,) = client.break_at(GAME, 22)
        assert (point["verified"], point["line"]) == (True, 22)
        client.request("configurationDone")
        stop = client.stopped()
        assert (stop["reason"], stop["hitBreakpointIds"]) == ("breakpoint", [point["id"]])
        frame = client.frames()[0]
        assert (frame["name"], frame["line"], frame["source"]["path"]) == ("put", 22, str(GAME))
        assert client.scope("Stack") == {}
        for _ in range(8):
            client.request("continue", {"threadId": 1})
            client.stopped()
        client.request("continue", {"threadId": 1})
        client.event("terminated")
        assert "a1" in client.output()
        client.request("disconnect")


def test_the_moves_of_a_position_test(tmp_path: Path) -> None:
    tests = tmp_path / "own.test"
    tests.write_text(
        f"# comment\n\ngame {GAME}\ntest A row wins\n\tpieces X mark a1 b1\n\tturn X\n"
        "\tplay X c1\n\texpect win X\ntest Start\n\tmoves 9\n"
    )
    with connected() as client:
        client.launch(target="test", test=f"{tests}:8")
        client.break_at(GAME, 22)
        client.request("configurationDone")
        client.stopped()
        assert client.scope("Board")["a1"] == "X mark"
        client.request("setBreakpoints", {"source": {"path": str(GAME)}, "breakpoints": []})
        client.request("continue", {"threadId": 1})
        client.event("terminated")
        client.request("disconnect")
    with connected() as client:
        client.launch(target="test", test="own.test:9", cwd=str(tmp_path), stopAtEnd=True)
        client.request("configurationDone")
        client.stopped()
        assert client.output().count("X mark") == 9
        client.request("disconnect")
    with connected() as client, raises(RequestFailedError, "first.must-name-a-test"):
        client.launch(target="test", test=f"{tests}:2")
