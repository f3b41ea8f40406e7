"""A session from the first request to the last."""

from __future__ import annotations

from forthvm.core.loading.library import games_folder

from .client import connected

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
