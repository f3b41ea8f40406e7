"""What guests and strangers may send to `forthvm board` and `report --serve`.

The owner's terminal stays empty, and the page stays reachable.
"""

from __future__ import annotations

import math
import random
import re
import signal
import socket
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

import forthvm
from forthvm.web.play.server import TableServer
from forthvm.web.serving import http_connections
from forthvm.web.serving.connections import MOST_WAITING
from forthvm.web.table.table import Table
from tests.autoplay.results import write_random_match
from tests.fuzz.harness import number_from_environment, seed
from tests.kit.processes import Program, start
from tests.systems import needs_signals
from tests.web.browsing import served

SECONDS = 30.0
CASES = number_from_environment("FORTHVM_FUZZ_FRAMES", 40)

HUGE = "9" * 400
FRAMES: tuple[str | bytes | list[str] | list[bytes], ...] = (
    b"",
    b"\0",
    b'{"do":"play","node":0,"move":1}',
    [b"a", b"b"],
    "",
    ["{", "}"],
    "x" * 100_000,
    "x" * (5 << 20),  # more than the server reads
    "[" * 4000,
    *("1", "[]", "null", "true", "NaN", '"do"', "{}", HUGE * 10),
    *('{"do":NaN}', '{"do":{}}', '{"do":[]}', '{"do":null}', '{"do":"\\ud800"}', '{"do":"what"}'),
)
FIELDS = (
    *("as", "data", "file", "game", "glyph", "link", "move", "name"),
    *("node", "number", "player", "set", "square", "squares", "text", "time"),
)
VALUES = (
    *("null", "true", "[]", "{}", '""', '"x"', '"\\ud800"', '"\\u0000"', "[[]]", '["x"]', "[1]"),
    *("0", "1", "-1", "2147483648", "1e400", "1.5", "NaN", "-Infinity", HUGE),
)
CLOSED = b"\x88\x82\0\0\0\0"
RAW_FRAMES = (
    b"\x81\x82\0\0\0\0\xff\xfe",  # a text that is not UTF-8
    b"\x01\x81\0\0\0\0\xc3\x80\x81\0\0\0\0\xc3",  # in two parts
    b"\x01\x81\0\0\0\0a\x81\x81\0\0\0\0a",  # a text within a text
    b"\x80\x80\0\0\0\0",  # the end of nothing
    b"\x83\x80\0\0\0\0",  # an unknown kind
    b"\x81\xff" + b"\xff" * 8 + b"\0\0\0\0",  # a length of 2**64 - 1
    b"\x81\x05hello",  # without a mask
    b"\xff\xff\xff",
    b"\x89\xfe\x01\0\0\0\0\0" + bytes(256),  # a long ping
    *(CLOSED + code for code in (b"\0\0", b"\x03\xe8", b"\x03\xed", b"\xff\xff")),
    b"\x88\x81\0\0\0\0\0",  # half a code
    b"\x88\x84\0\0\0\0\x03\xe8\xff\xfe",  # a reason that is not UTF-8
)


class Server:
    """A process that serves a page, the port, and the key of a guest."""

    def __init__(self, process: Program, port: int, owner: str, guest: str) -> None:
        self.process = process
        self.port = port
        self.owner = owner
        self.guest = guest

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def check_that_the_page_is_served(self) -> None:
        with urllib.request.urlopen(f"{self.origin}/?key={self.owner}", timeout=SECONDS) as page:
            assert b"<title>forthvm" in page.read()

    def window(self, key: str = "") -> ClientConnection:
        """Open a WebSocket with a key, by default that of the guest."""
        return connect(
            f"ws://127.0.0.1:{self.port}/ws?key={key or self.guest}",
            origin=self.origin,  # type: ignore[arg-type]
            compression=None,
            max_queue=None,
        )

    def open(self, request: str = "") -> socket.socket:
        """Open a connection and send the first bytes of a request."""
        connection = socket.create_connection(("127.0.0.1", self.port), SECONDS)
        connection.sendall(request.encode())
        return connection

    def send_raw(self, frame: bytes) -> None:
        """Open a WebSocket, send bytes, and leave without a word."""
        with self.open(
            f"GET /ws?key={self.guest} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Origin: {self.origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ) as connection:
            answer = b""
            while b"\r\n\r\n" not in answer:
                answer += connection.recv(4096)
            assert b" 101 " in answer
            connection.sendall(frame)
            connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                while connection.recv(1 << 16):
                    pass


def is_closed(connection: socket.socket) -> bool:
    """Wait until the other side closes a connection without an answer."""
    with connection, suppress(ConnectionError):
        return connection.recv(1) == b""
    return True


@contextmanager
def running(*command: str, before: str = "") -> Iterator[Server]:
    """Run a command until the end of the block; check that it has printed no error.

    Args:
        command: The words after `forthvm`.
        before: Python code that the process runs first.
    """
    code = f"{before}\nimport sys\nfrom forthvm.cli import main\nsys.exit(main())"
    words = (sys.executable, "-c", code, *command, "--no-browser")
    with start(*words, PYTHONUNBUFFERED="1") as process:
        links: list[tuple[str, str]] = []
        for line in process.stdout:
            links += re.findall(r":(\d+)/\?key=(\S+)", line)
            if "Ctrl-C" in line:
                break
        server = Server(process, int(links[0][0]), links[0][1], links[-1][1])
        try:
            yield server
            if process.poll() is None:
                server.check_that_the_page_is_served()
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=SECONDS)
    assert errors == ""


@pytest.fixture(scope="module", params=["board", "report"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A board with a guest, and the page of a match."""
    if request.param == "board":
        command = ("board", "tictactoe", "--guest", "O")
    else:
        path = tmp_path_factory.mktemp("match") / "results.db"
        write_random_match(path, "tictactoe", games=1)
        command = ("report", str(path), "--serve")
    with running(*command) as server:
        yield server


@pytest.mark.slow
def test_any_frame_gets_an_answer_or_ends_the_connection(server: Server) -> None:
    for frame in FRAMES:
        with suppress(WebSocketException), server.window() as window:
            window.send(frame)
            while "error" not in str(window.recv(SECONDS)):
                pass
    for raw in RAW_FRAMES:
        server.send_raw(raw)
    server.check_that_the_page_is_served()


@pytest.mark.slow
def test_requests_with_unexpected_fields(server: Server) -> None:
    chooser = random.Random(seed())
    names = [*TableServer(Table(forthvm.load("tictactoe"))).handlers, "replay", "what"]
    for key in (server.guest, server.owner) * math.ceil(CASES / MOST_WAITING):
        with server.window(key) as window:
            for _ in range(min(CASES, MOST_WAITING - 1)):
                values = [f'"{field}":{chooser.choice(VALUES)}' for field in FIELDS]
                window.send(f'{{"do":"{chooser.choice(names)}",{",".join(values)}}}')
            window.send(b"the end")
            while "unknown-request" not in str(window.recv(SECONDS)):
                pass


@pytest.mark.slow
def test_half_open_connections_do_not_keep_the_owner_out() -> None:
    with running("board", "tictactoe") as server:
        half = [server.open("GET / HTTP/1.1\r\nX-a: ") for _ in range(600)]
        idle = [server.open() for _ in range(600)]
        server.check_that_the_page_is_served()
        with server.window() as window:
            assert window.recv(SECONDS)
        for connection in (*half, *idle):
            connection.close()


def test_connections_end_after_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connections, "SECONDS_TO_ASK", 0.1)
    with served(Table(forthvm.load("tictactoe"))) as link:
        port = int(link.split(":")[2].split("/")[0])
        page = link.removeprefix("http://").partition("/")[2]
        connections = [socket.create_connection(("127.0.0.1", port), SECONDS) for _ in range(3)]
        connections[1].sendall(b"GET / HTTP/1.1\r\nHost: ")
        connections[2].sendall(f"GET /{page} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert is_closed(connections[0])
        assert is_closed(connections[1])
        assert connections[2].recv(100).startswith(b"HTTP/1.1 200")
        connections[2].close()


def test_windows_stay_open_longer_than_other_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connections, "SECONDS", 0.1)
    monkeypatch.setattr(http_connections, "MOST", 3)
    with served(Table(forthvm.load("tictactoe"))) as link:
        origin, _, key = link.partition("/?")
        address = f"{origin.replace('http', 'ws')}/ws?{key}"
        with connect(address, origin=origin, max_queue=None) as window:  # type: ignore[arg-type]
            port = int(origin.split(":")[2])
            others = [socket.create_connection(("127.0.0.1", port), SECONDS) for _ in range(9)]
            assert all(map(is_closed, others))
            window.send(b"")
            while "unknown-request" not in str(window.recv(SECONDS)):
                pass


NEVER_READ = """
from threading import Event
from forthvm.web.play import file_requests
file_requests.text_in = lambda *_: print("reading", flush=True) or Event().wait()
"""


@pytest.mark.slow
@needs_signals
def test_ctrl_c_ends_a_board_whose_threads_go_on() -> None:
    """Two windows of the owner wait for texts; the process must end with its first signal."""
    with (
        running("board", "tictactoe", before=NEVER_READ) as server,
        server.window(server.owner) as one,
        server.window(server.owner) as other,
    ):
        for window in (one, other):
            window.send('{"do":"load","text":"1. b2 *"}')
        while "reading" not in server.process.stdout.readline():
            pass
        server.check_that_the_page_is_served()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(SECONDS) == 0
