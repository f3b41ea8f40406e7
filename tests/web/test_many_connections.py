"""Many windows at the same time, and windows with forged keys, over real sockets."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import forthvm
from forthvm.web.table.table import Table
from tests.web.browsing import served

WINDOWS, FORGED, MOVES = 200, 40, 5


async def receive_state(socket: ClientConnection, state: dict[str, Any], ply: int) -> None:
    """Receive messages until the state has a ply; a state contains what has changed."""
    while state.get("ply") != ply:
        message = json.loads(await socket.recv())
        assert message["is"] != "error", message
        if message["is"] == "state":
            state |= message


async def is_refused(address: str, origin: str) -> bool:
    try:
        async with connect(address, origin=origin) as socket:  # type: ignore[arg-type]
            await socket.recv()
    except (WebSocketException, OSError):
        return True
    return False


def forged_keys(key: str) -> list[str]:
    """Return wrong keys, some of which are nearly right."""
    near = [key[:-1], key + "A", key[::-1], key.swapcase(), key[1:] + key[:1], f"{key}%00"]
    return [*near, "", "null", "owner", *(f"{number:022d}" for number in range(FORGED - 9))]


async def play_in_all_windows(host: str, key: str) -> None:
    address, origin = f"ws://{host}/ws?key=", f"http://{host}"
    sockets = await asyncio.gather(
        *(connect(address + key, origin=origin, max_queue=None) for _ in range(WINDOWS))  # type: ignore[arg-type]
    )
    states: list[dict[str, Any]] = [{} for _ in sockets]
    for ply in range(MOVES + 1):
        if ply:  # another window makes each move
            move = {"do": "play", "node": states[ply]["node"], "move": ply}
            await sockets[ply].send(json.dumps(move))
        windows = zip(sockets, states, strict=True)
        await asyncio.gather(*(receive_state(socket, state, ply) for socket, state in windows))
        assert all(state == states[0] for state in states)
    refused = await asyncio.gather(
        *(is_refused(address + wrong, origin) for wrong in forged_keys(key)),
        is_refused(address + key, "http://evil.example"),
    )
    assert all(refused)
    await asyncio.gather(*(socket.close() for socket in sockets))


@pytest.mark.slow
def test_two_hundred_windows_and_forged_keys() -> None:
    """Every window gets every position; without a valid key, no message is sent."""
    table = Table(forthvm.load("breakthrough"), persons=("White", "Black"))
    with served(table) as link:
        host, _, key = link.removeprefix("http://").partition("/?key=")
        asyncio.run(asyncio.wait_for(play_in_all_windows(host, key), 120))
    assert table.position.ply == MOVES
