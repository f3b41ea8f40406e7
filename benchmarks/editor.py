"""Measures the language server: a process, to which an editor's changes are sent.

Owns the session and the printed table.  Every change types a character into the largest bundled
game; the diagnostics of that version must arrive, and must be those of `forthvm check`.

    python -m benchmarks.editor [--changes N] [--game FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

__all__ = ["main"]

ROOT = Path(__file__).resolve().parents[1]
GAME = ROOT / "scripts/rithmomachia/captures.4th"
"""A file of the bundled game with the longest analysis."""
TYPED = "\n: half ( n -- n' ) DUP 2 / verif"


class _Session:
    """A connection to a server process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "forthvm", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._number = 0
        self._diagnostics: dict[int, list[dict[str, Any]]] = {}
        root: dict[str, object] = {"processId": None, "rootUri": ROOT.as_uri(), "capabilities": {}}
        self.request("initialize", root)
        self.notify("initialized", {})

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: object) -> Any:  # noqa: ANN401 - JSON
        """Send a request and return its result."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while (message := self._receive()).get("id") != self._number or "method" in message:
            self._note(message)
        return message["result"]

    def diagnostics(self, version: int) -> list[dict[str, Any]]:
        """Wait for the diagnostics of a version."""
        while version not in self._diagnostics:
            self._note(self._receive())
        return self._diagnostics[version]

    def _note(self, message: dict[str, Any]) -> None:
        """Keep the diagnostics in a message, which may arrive before they are waited for."""
        if message.get("method", "").endswith("publishDiagnostics"):
            params = message["params"]
            self._diagnostics[params["version"]] = params["diagnostics"]

    def end(self) -> None:
        """End the server."""
        self.request("shutdown", None)
        self.notify("exit", None)
        self._process.wait(10)

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._input.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._input.flush()

    def _receive(self) -> dict[str, Any]:
        length = 0
        while line := self._output.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: dict[str, Any] = json.loads(self._output.read(length))
        return message


def _measure(path: Path, changes: int) -> dict[str, list[float]]:
    """Return the seconds of each operation."""
    text, uri = path.read_text(), path.as_uri()
    session = _Session()
    item = {"uri": uri, "languageId": "forthscript", "version": 1, "text": text}
    seconds: dict[str, list[float]] = {"first diagnostics": []}
    start = time.perf_counter()
    session.notify("textDocument/didOpen", {"textDocument": item})
    clean = session.diagnostics(1)
    seconds["first diagnostics"].append(time.perf_counter() - start)
    for number in range(changes):
        version = number + 2
        typed = TYPED[: number % len(TYPED) + 1]
        document = {"textDocument": {"uri": uri, "version": version}}
        start = time.perf_counter()
        session.notify(
            "textDocument/didChange", {**document, "contentChanges": [{"text": text + typed}]}
        )
        at = {
            "textDocument": {"uri": uri},
            "position": {"line": text.count("\n") + typed.count("\n"), "character": len(typed) - 1},
        }
        for method in ("completion", "signatureHelp", "hover"):
            begun = time.perf_counter()
            session.request(f"textDocument/{method}", at)
            seconds.setdefault(method, []).append(time.perf_counter() - begun)
        found = session.diagnostics(version)
        seconds.setdefault("diagnostics", []).append(time.perf_counter() - start)
        if any(one["code"] == "E101" for one in found):
            raise SystemExit(f"false unknown name after {typed!r}: {found}")
    if clean:
        raise SystemExit(f"findings in a bundled game: {clean}")
    session.end()
    return seconds


def main() -> int:
    """Measure, and print median and 95th percentile of each operation in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--changes", type=int, default=100, help="number of typed characters")
    parser.add_argument("--game", type=Path, default=GAME, help="the script that is edited")
    options = parser.parse_args()
    print(f"{'':20}{'median':>8}{'p95':>8}  ms")
    for name, values in _measure(options.game.resolve(), options.changes).items():
        ordered = sorted(values)
        p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
        print(f"{name:20}{statistics.median(ordered) * 1000:8.1f}{p95 * 1000:8.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
