"""Requests that cannot be served get errors with the codes of the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from forthvm.editor.language_server.server import Server

from .client import Client, ServerError

INVALID_REQUEST = -32600
INVALID_PARAMS = -32602


def code_of(client: Client, method: str, params: object) -> int:
    with pytest.raises(ServerError) as raised:
        client.request(method, params)
    return raised.value.code


@pytest.mark.slow
@pytest.mark.parametrize("method", ["textDocument/hover", "textDocument/completion"])
def test_wrong_parameters(client: Client, uri: str, method: str) -> None:
    client.open(uri, ": one 1 ;\n")
    document = {"textDocument": {"uri": uri}}
    assert code_of(client, method, None) == INVALID_PARAMS
    assert code_of(client, method, document) == INVALID_PARAMS
    negative = {"position": {"line": -1, "character": 0}}
    assert code_of(client, method, document | negative) == INVALID_PARAMS
    assert client.at("hover", uri, 0, 2) is not None  # the server still answers


@pytest.mark.slow
def test_requests_after_shutdown(tmp_path: Path) -> None:
    client = Client(tmp_path)
    uri = (tmp_path / "game.4th").as_uri()
    client.open(uri, ": one 1 ;\n")
    client.request("shutdown", None)
    params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 2}}
    assert code_of(client, "textDocument/hover", params) == INVALID_REQUEST
    assert code_of(client, "shutdown", None) == INVALID_REQUEST
    client.notify("exit", None)
    assert client.process.wait(60) == 0
    for stream in (client.process.stdin, client.process.stdout):
        stream.close()


@pytest.mark.slow
def test_a_closed_connection_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    server, written = Server(), []

    class Closed:
        def write(self, data: bytes) -> None:
            written.append(data)
            raise ValueError("I/O operation on closed file")

    monkeypatch.setattr(server.protocol, "writer", Closed())
    server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, "too late"))
    assert len(written) == 1
    server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, "again"))
    assert len(written) == 2
