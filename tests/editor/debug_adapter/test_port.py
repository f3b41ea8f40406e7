"""The port of `forthvm dap --port`: who is admitted, and what strangers get."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from forthvm.editor.debug_adapter import port
from forthvm.editor.debug_adapter.port import serve_port
from tests.kit.processes import FORTHVM, run, start

from .client import SECONDS, Client, RequestFailedError

TOKEN = "a token of the tests"


@contextmanager
def waiting() -> Iterator[tuple[str, int]]:
    """Serve a port in a thread, which ends after its editor has disconnected; yield its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    address: tuple[str, int] = listener.getsockname()
    server = threading.Thread(target=serve_port, args=(listener, TOKEN), daemon=True)
    server.start()
    yield address
    server.join(SECONDS)
    assert not server.is_alive()


@contextmanager
def client_at(address: tuple[str, int]) -> Iterator[Client]:
    with (
        socket.create_connection(address, SECONDS) as connection,
        connection.makefile("rb") as reader,
        connection.makefile("wb") as writer,
    ):
        yield Client(reader, writer)


def check_that_an_editor_is_served(address: tuple[str, int]) -> None:
    with client_at(address) as client:
        client.launch("tictactoe", target="moves", token=TOKEN)
        client.request("configurationDone")
        client.event("terminated")
        client.request("disconnect")


def answer_to(address: tuple[str, int], data: bytes) -> bytes:
    """Send bytes, and return everything that is received before the connection ends."""
    with socket.create_connection(address, SECONDS) as connection:
        connection.sendall(data)
        return answer_of(connection)


def answer_of(connection: socket.socket) -> bytes:
    """Return everything that is received before the other side ends a connection."""
    received = b""
    with connection, suppress(ConnectionResetError):  # it was closed with unread bytes
        while part := connection.recv(1 << 16):
            received += part
    return received


@pytest.mark.slow
def test_the_command_prints_the_address_and_the_token() -> None:
    with start(*FORTHVM, "dap", "--port", "0", FORTHVM_DAP_TOKEN=None) as process:
        host, number = process.stdout.readline().split()[-1].split(":")
        token = process.stdout.readline().removeprefix("token: ").strip()
        assert host == "127.0.0.1"
        with client_at((host, int(number))) as client:
            client.launch("tictactoe", target="moves", token=token)
            client.request("disconnect")
            assert process.wait(SECONDS) == 0


@pytest.mark.slow
def test_short_tokens_are_refused() -> None:
    done = run(*FORTHVM, "dap", "--port", "0", FORTHVM_DAP_TOKEN="short")
    assert done.returncode == 2
    assert "at least 16 characters" in done.stderr


def test_requests_of_web_pages_end_the_connection(tmp_path: Path) -> None:
    secret = tmp_path / "secret.4th"
    secret.write_text("swordfish\n")
    arguments = {"program": str(secret), "token": TOKEN}
    launch = {"seq": 1, "type": "request", "command": "launch", "arguments": arguments}
    message = json.dumps(launch).encode()
    framed = b"Content-Length: %d\r\n\r\n" % len(message) + message
    with waiting() as address:
        for head in (
            b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
            b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n\r\n",
            b"GET / HTTP/1.1\r\n\r\n",
            b"\r\n",
            b"Content-Type: text/plain\r\n",
        ):
            assert b"swordfish" not in answer_to(address, head + framed)
        check_that_an_editor_is_served(address)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "token", [None, "", "a token of the test", f"{TOKEN} ", "\ud800", 5, [TOKEN]]
)
def test_nothing_is_done_without_the_token(tmp_path: Path, token: object) -> None:
    secret = tmp_path / "secret.4th"
    secret.write_text("swordfish\n")
    with waiting() as address:
        with client_at(address) as client:
            client.request("initialize", {"adapterID": "x"})
            with pytest.raises(RequestFailedError, match="token"):
                client.request("launch", {"program": str(secret), "token": token})
            with pytest.raises(EOFError):
                client.event("a second try")
            assert "swordfish" not in repr(client.messages)
        check_that_an_editor_is_served(address)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "command", ["evaluate", "source", "setBreakpoints", "restart", "terminate", "cancel", "attach"]
)
def test_other_requests_are_refused_before_the_launch(command: str) -> None:
    with waiting() as address:
        with client_at(address) as client, pytest.raises(RequestFailedError, match="token"):
            client.request(command, {"token": TOKEN}, valid=False)
        check_that_an_editor_is_served(address)


def test_silent_connections_do_not_keep_the_editor_out() -> None:
    with waiting() as address:
        silent = [socket.create_connection(address, SECONDS) for _ in range(100)]
        for one in silent:
            one.sendall(b"Content-Len")
        check_that_an_editor_is_served(address)
        for one in silent:
            assert answer_of(one) == b""


def test_connections_without_a_token_end_after_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "_SECONDS", 0.0)
    with waiting() as address:
        assert answer_to(address, b"") == b""
        monkeypatch.undo()
        check_that_an_editor_is_served(address)


def test_only_one_editor_is_served() -> None:
    with waiting() as address, client_at(address) as second:
        second.request("initialize", {"adapterID": "x"})
        with client_at(address) as first:
            first.launch("tictactoe", target="moves", token=TOKEN)
            with pytest.raises((RequestFailedError, EOFError, OSError)):
                second.request("launch", {"program": "chess", "token": TOKEN})
            first.request("disconnect")


def test_long_messages_are_refused_before_the_token() -> None:
    with waiting() as address:
        assert b"the connection ends" in answer_to(address, b"Content-Length: 70000\r\n\r\n")
        check_that_an_editor_is_served(address)
