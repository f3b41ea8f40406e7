"""Fuzz tests of the language server: random requests, wrong types, huge positions, damaged JSON.

Every request is answered, by a result or by an error for users, and the server goes on.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.editor.language_server.client import Client, ServerError
from tests.fuzz.harness import number_from_environment, seed
from tests.fuzz.test_positions import UNEXPECTED_VALUES

CASES = number_from_environment("FORTHVM_FUZZ_LANGUAGE_SERVER", 150)
_INTERNAL = -32603
AT_POSITIONS = (
    *("completion", "hover", "definition", "references", "documentHighlight", "prepareRename"),
    *("rename", "signatureHelp", "prepareCallHierarchy"),
)
OF_DOCUMENTS = (
    *("documentSymbol", "foldingRange", "semanticTokens/full", "codeAction", "formatting"),
    *("rangeFormatting", "selectionRange", "codeLens", "inlayHint", "what"),
)
OTHERS = (
    *("workspace/symbol", "workspace/willRenameFiles", "callHierarchy/incomingCalls"),
    *("callHierarchy/outgoingCalls", "forthvm/board", "what", "$/what", "workspace/executeCommand"),
    *("textDocument/moniker", "completionItem/resolve", "initialize"),
)
NOTIFICATIONS = (
    *("textDocument/didChange", "textDocument/didSave", "textDocument/didClose", "what"),
    *("workspace/didChangeWatchedFiles", "workspace/didChangeWorkspaceFolders", "$/cancelRequest"),
    *("workspace/didChangeConfiguration", "$/setTrace", "initialized"),
)
NUMBERS = (0, 1, 7, 10**6, 2**31 - 1, 2**31, 2**63, 10**40, -1, -(2**40), 0.5, 1e300)
TEXTS = {
    "game.4th": ": one ( -- n ) 1 ;\n{players {player} White players}\n: two one one + ;\n",
    "part.4th": "LOAD game.4th\n: \U0001f600 ( -- ) {moves {move} \n",
    "rules.zrf": '(game (title "A") (players B C) (piece (name D) (moves (add))))\n',
    "game.test": "test A\n    turn White\n    pieces White man\n    play a; b\n        c",
    "game.perft": "series: joined\n1 2 x\nvariant: ",
    "empty.4th": "",
}


def random_value(chooser: Random, depth: int = 0) -> object:
    kind = chooser.randrange(8 if depth < 3 else 6)
    if kind < 3:
        return chooser.choice(UNEXPECTED_VALUES)
    if kind == 3:
        return chooser.choice(NUMBERS)
    if kind < 6:
        return chooser.choice(("file:///x.4th", "untitled:a", "\0", "%", "x" * 500, "file://%00"))
    if kind == 6:
        return [random_value(chooser, depth + 1) for _ in range(chooser.randrange(3))]
    names = ("uri", "range", "position", "line", "character", "name", "start", "files", "kind")
    return {name: random_value(chooser, depth + 1) for name in chooser.sample(names, 4)}


class Messages:
    """Makes messages about some documents."""

    def __init__(self, chooser: Random, uris: list[str]) -> None:
        self._chooser = chooser
        self._uris = uris

    def _position(self) -> dict[str, object]:
        return {name: self._chooser.choice(NUMBERS) for name in ("line", "character")}

    def _range(self) -> dict[str, object]:
        return {"start": self._position(), "end": self._position()}

    def _arguments(self) -> dict[str, Any]:
        uri = self._chooser.choice(self._uris)
        item = {"name": "one", "kind": 12, "uri": uri, "range": self._range()}
        return {
            "textDocument": {"uri": uri, "version": self._chooser.choice(NUMBERS)},
            "position": self._position(),
            "positions": [self._position() for _ in range(3)],
            "range": self._range(),
            "context": {
                **{"includeDeclaration": True, "diagnostics": [], "triggerKind": 1},
                "isRetrigger": False,
            },
            "options": {"tabSize": self._chooser.choice(NUMBERS), "insertSpaces": True},
            "newName": self._chooser.choice(("x", "", "a b", "\0", "x" * 9999, "\ud800")),
            "query": self._chooser.choice(("", "o", "\0", "x" * 9999)),
            "files": [{"oldUri": uri, "newUri": self._chooser.choice((uri, uri + "x", "a:b"))}],
            "item": item | {"selectionRange": self._range()},
            "contentChanges": [{"text": self._chooser.choice([*TEXTS.values()])}],
            "changes": [{"uri": uri, "type": self._chooser.choice((1, 2, 3, 9))}],
            "event": {"added": [], "removed": [{"uri": uri, "name": "x"}]},
            "id": self._chooser.choice((1, "x", 10**9)),
        }

    def parameters(self) -> object:
        """Return parameters that are right, damaged, or anything."""
        kind = self._chooser.randrange(5)
        if kind == 0:
            return random_value(self._chooser)
        arguments = self._arguments()
        for _ in range(kind - 2):
            name = self._chooser.choice([*arguments])
            arguments[name] = random_value(self._chooser)
        return arguments

    def request(self) -> tuple[str, object]:
        kind = self._chooser.randrange(4)
        if kind == 0:
            return self._chooser.choice(OTHERS), self.parameters()
        method = self._chooser.choice(AT_POSITIONS if kind > 1 else OF_DOCUMENTS)
        return f"textDocument/{method}", self.parameters()

    def damaged(self) -> bytes:
        """Return a message that is no message, as bytes."""
        text = json.dumps({"jsonrpc": "2.0", "id": 5, "method": self.request()[0]})
        cut = self._chooser.randrange(len(text))
        body = self._chooser.choice(
            (text[:cut], text[cut:], "", "[]", "1", "null", '"x"', "[" * 5000, "{}", "\0",
             "9" * 9000, '{"jsonrpc":"2.0"}', '{"id":[],"method":{}}',
             '{"id":1,"result":2,"error":3}'),
        ).encode()  # fmt: skip
        if self._chooser.randrange(4) == 0:
            body = bytes(byte ^ 128 if not self._chooser.randrange(9) else byte for byte in body)
        return b"Content-Length: %d\r\n\r\n" % len(body) + body


def check_answer(client: Client, method: str, parameters: object) -> None:
    """Send a request, and check that the answer is a result or an error for users."""
    code = 0
    try:
        client.request(method, parameters)
    except ServerError as error:
        code = error.code
    assert code != _INTERNAL, (method, parameters)


@pytest.mark.slow
def test_random_messages_are_answered(tmp_path: Path) -> None:
    chooser = Random(seed())
    client = Client(tmp_path)
    uris = [(tmp_path / name).as_uri() for name in TEXTS]
    messages = Messages(chooser, [*uris, "untitled:new", (tmp_path / "missing").as_uri()])
    for _ in range(CASES):
        if not chooser.randrange(20):
            for uri, text in zip(uris, TEXTS.values(), strict=True):
                document = {"uri": uri, "languageId": "", "version": 1, "text": text}
                client.notify("textDocument/didOpen", {"textDocument": document})
        if not chooser.randrange(5):
            client.notify(chooser.choice(NOTIFICATIONS), messages.parameters())
        if not chooser.randrange(5):
            client.send_bytes(messages.damaged())
        method, parameters = messages.request()
        check_answer(client, method, parameters)
    assert client.close() == 0
