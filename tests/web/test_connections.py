"""Queues of messages to slow windows, and windows that ask too much."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket

from forthvm.web.serving.connections import (
    MOST_FOR_KEY,
    MOST_IN_WORK,
    MOST_QUEUED,
    MOST_WAITING,
    TRY_AGAIN_LATER,
    Connection,
    Connections,
    RequestRate,
)


class SlowSocket:
    """The sending side of a WebSocket that sends nothing until `flows` is set."""

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        self.closed: int | None = None
        self.flows = asyncio.Event()

    async def send_text(self, text: str) -> None:
        await self.flows.wait()
        self.received.append(json.loads(text))

    async def close(self, code: int) -> None:
        self.closed = code


def with_slow_window(test: Callable[[SlowSocket, Connection], Awaitable[None]]) -> SlowSocket:
    """Run a test that sends; then let the window receive everything."""

    async def run() -> SlowSocket:
        socket = SlowSocket()
        connection = Connection(cast("WebSocket", socket), "key")
        delivery = asyncio.create_task(connection.deliver())
        await test(socket, connection)
        socket.flows.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        delivery.cancel()
        return socket

    return asyncio.run(run())


def test_a_slow_window_gets_the_newest_state() -> None:
    async def test(_: SlowSocket, connection: Connection) -> None:
        connection.send({"is": "game"})
        await asyncio.sleep(0)  # the first message is being sent
        for ply in range(1000):
            connection.send({"is": "state", "ply": ply, "title": "Go"})
            connection.send({"is": "info", "depth": ply})

    received = with_slow_window(test).received
    assert received == [
        {"is": "game"},
        {"is": "state", "ply": 999, "title": "Go"},
        {"is": "info", "depth": 999},
    ]


def test_a_state_follows_the_messages_that_were_sent_before_it() -> None:
    """Else a page would draw the first position of a new game on the board of the last game."""

    async def test(_: SlowSocket, connection: Connection) -> None:
        connection.send({"is": "state", "title": "Go"})
        await asyncio.sleep(0)  # the first message is being sent
        connection.send({"is": "state", "title": "Go", "ply": 1})
        connection.send({"is": "game"})
        connection.send({"is": "state", "title": "Chess"})

    received = with_slow_window(test).received
    assert [(message["is"], message.get("title")) for message in received] == [
        ("state", "Go"),
        ("game", None),
        ("state", "Chess"),
    ]


def test_a_state_contains_what_has_changed_since_the_one_before() -> None:
    async def test(socket: SlowSocket, connection: Connection) -> None:
        socket.flows.set()
        for state in ({"ply": 0, "title": "Go"}, {"ply": 1, "title": "Go"}):
            connection.send({"is": "state"} | state)
            await asyncio.sleep(0.001)

    assert with_slow_window(test).received == [
        {"is": "state", "ply": 0, "title": "Go"},
        {"is": "state", "ply": 1},
    ]


def test_a_window_that_takes_nothing_is_closed() -> None:
    async def test(_: SlowSocket, connection: Connection) -> None:
        for number in range(3 * MOST_QUEUED):
            connection.send({"is": "error", "text": str(number)})

    socket = with_slow_window(test)
    assert len(socket.received) <= MOST_QUEUED
    assert socket.closed == TRY_AGAIN_LATER


def test_the_windows_of_one_key_do_not_keep_out_others() -> None:
    connections = Connections()
    for _ in range(MOST_FOR_KEY):
        connections.add(Connection(cast("WebSocket", None), "watch"))
    assert connections.is_full("watch")
    assert not connections.is_full("owner")


def opened(key: str = "guest") -> Connection:
    return Connection(cast("WebSocket", None), key)


def test_windows_that_ask_without_pause_wait_for_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def ask() -> None:
        rate = RequestRate(each_second=10.0, at_once=5.0)
        monkeypatch.setattr(asyncio, "sleep", sleep)
        for window in [opened(), opened()] * 4:
            async with rate.turn(window):
                pass

    asyncio.run(ask())
    assert slept[:5] == [0.0] * 5
    assert 0.0 < slept[5] < slept[6] < slept[7] <= 0.3


def test_few_requests_with_one_key_are_in_work() -> None:
    in_work, most = 0, 0

    async def ask(rate: RequestRate) -> None:
        nonlocal in_work, most
        async with rate.turn(opened()):
            in_work += 1
            most = max(most, in_work)
            await asyncio.sleep(0)
            in_work -= 1

    async def ask_in_many_windows() -> None:
        rate = RequestRate()
        await asyncio.gather(*(ask(rate) for _ in range(50)))

    asyncio.run(ask_in_many_windows())
    assert most == MOST_IN_WORK


def test_the_requests_of_a_closed_window_are_dropped() -> None:
    async def close() -> list[str | None]:
        window = opened()
        for request in ("first", "second", "third"):
            window.ask(request)
        first = await window.next_request()
        window.forget_requests()
        return [first, await window.next_request()]

    assert asyncio.run(close()) == ["first", None]


def test_a_window_with_too_many_requests_is_closed() -> None:
    async def test(_: SlowSocket, connection: Connection) -> None:
        for _ in range(MOST_WAITING + 1):
            connection.ask("{}")
        assert await connection.next_request() is None

    assert with_slow_window(test).closed == TRY_AGAIN_LATER
