"""A client for tests of the language server: a process, and messages over its pipes."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.kit.processes import FORTHVM

SECONDS = 60.0


class ServerError(Exception):
    """The server answered with an error.

    Attributes:
        code: The code of the error.
    """

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]


class Client:
    """A connection to a server process.

    Attributes:
        capabilities: The capabilities that the server announced.
    """

    def __init__(
        self, root: Path, encodings: list[str] | None = None, commands: Sequence[str] = ()
    ) -> None:
        self.process = subprocess.Popen(
            [*FORTHVM, "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=root,
        )
        self._id = 0
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._diagnostics: dict[tuple[str, int | None], list[dict[str, Any]]] = {}
        self._arrived = threading.Condition()
        self.versions: dict[str, int] = {}
        threading.Thread(target=self._read, daemon=True).start()
        general = {"general": {"positionEncodings": encodings}} if encodings else {}
        result = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri(),
                "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
                "capabilities": general,
                "initializationOptions": {"commands": list(commands)},
            },
        )
        self.capabilities = result["capabilities"]
        self.notify("initialized", {})

    def _read(self) -> None:
        stream = self.process.stdout
        while line := stream.readline():
            length = int(line.split(b":")[1])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(length))
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                with self._arrived:
                    key = (params["uri"], params.get("version"))
                    self._diagnostics[key] = params["diagnostics"]
                    self._arrived.notify_all()
            elif "id" in message and "method" not in message:
                self._answers.put(message)

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def send_bytes(self, data: bytes) -> None:
        """Send bytes, which need not be a message."""
        stream = self.process.stdin
        stream.write(data)
        stream.flush()

    def notify(self, method: str, params: object) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: object) -> Any:  # noqa: ANN401 - JSON
        self._id += 1
        self._send({"id": self._id, "method": method, "params": params})
        while True:
            message = self._answers.get(timeout=SECONDS)
            if message["id"] == self._id:
                break
        if "error" in message:
            raise ServerError(message["error"])
        return message["result"]

    def open(self, uri: str, text: str) -> list[dict[str, Any]]:
        """Open a document; return its diagnostics."""
        self.versions[uri] = 1
        document = {"uri": uri, "languageId": "forthscript", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return self.diagnostics(uri)

    def send_change(self, uri: str, text: str) -> None:
        self.versions[uri] += 1
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": self.versions[uri]},
                "contentChanges": [{"text": text}],
            },
        )

    def change(self, uri: str, text: str) -> list[dict[str, Any]]:
        """Replace the text of a document; return its diagnostics."""
        self.send_change(uri, text)
        return self.diagnostics(uri)

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """Wait for the diagnostics of the last version of a document."""
        key = (uri, self.versions[uri])
        with self._arrived:
            if not self._arrived.wait_for(lambda: key in self._diagnostics, SECONDS):
                raise TimeoutError(f"no diagnostics for {key}")
            return self._diagnostics[key]

    def wait_for(self, uri: str, codes: list[str]) -> None:
        """Wait until the last version of a document has diagnostics with these codes."""
        key = (uri, self.versions[uri])

        def arrived() -> bool:
            return [one["code"] for one in self._diagnostics.get(key, ())] == codes

        with self._arrived:
            if not self._arrived.wait_for(arrived, SECONDS):
                raise TimeoutError(f"the diagnostics are {self._diagnostics.get(key)}")

    def end(self, uri: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def at(self, method: str, uri: str, line: int, character: int, **more: object) -> Any:  # noqa: ANN401
        """Request something at a position."""
        return self.request(
            f"textDocument/{method}",
            {
                "textDocument": {"uri": uri},
                "position": {"line": line, "character": character},
                **more,
            },
        )

    def close(self) -> int:
        """End the server; return its exit status."""
        self.request("shutdown", None)
        self.notify("exit", None)
        status = self.process.wait(SECONDS)
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()
        return status


def position(text: str, part: str, *, after: bool = False) -> tuple[int, int]:
    """Return line and UTF-16 column of the first occurrence of a part of a text."""
    offset = text.index(part) + (len(part) if after else 0)
    line = text.count("\n", 0, offset)
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line, len(before.encode("utf-16-le")) // 2


def apply(text: str, edits: list[dict[str, Any]]) -> str:
    """Apply edits of one line each, given in any order."""
    lines = text.split("\n")
    ordered = sorted(
        edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"])
    )
    for edit in reversed(ordered):
        start, end = edit["range"]["start"], edit["range"]["end"]
        line = lines[start["line"]]
        assert start["line"] == end["line"]
        lines[start["line"]] = (
            line[: start["character"]] + edit["newText"] + line[end["character"] :]
        )
    return "\n".join(lines)
