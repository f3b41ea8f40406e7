"""What the server publishes when texts change during an analysis."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

from forthvm.editor.language_server import server as server_module
from forthvm.editor.language_server.server import Server

if TYPE_CHECKING:
    from pathlib import Path

    from lsprotocol import types as lsp

    from .client import Client


def test_findings_have_the_version_of_the_checked_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, part = tmp_path / "main.4th", tmp_path / "part.4th"
    main.write_text("LOAD part.4th\n")
    part.write_text("")
    server = Server()
    server.state.put(main.as_uri(), "LOAD part.4th\n", 1)
    server.state.put(part.as_uri(), "unknown-word\n", 1)
    published: list[tuple[str, int | None, int]] = []
    analyse = server_module.analyse

    def change_during_analysis(choice: Any) -> Any:  # noqa: ANN401 - passed on
        analysis = analyse(choice)
        server.state.put(part.as_uri(), "1 DROP\n", 2)
        return analysis

    def record(params: lsp.PublishDiagnosticsParams) -> None:
        published.append((params.uri, params.version, len(params.diagnostics)))

    monkeypatch.setattr(server_module, "analyse", change_during_analysis)
    monkeypatch.setattr(server, "text_document_publish_diagnostics", record)
    monkeypatch.setattr(server, "_call_in_loop", lambda function: function())
    monkeypatch.setattr(server, "_refresh", lambda: None)
    server._check(main)
    assert published == [(main.as_uri(), 1, 0)]  # part.4th has changed: it is checked again
    monkeypatch.setattr(server_module, "analyse", analyse)
    server._check(main)
    assert published[1:] == [(main.as_uri(), 1, 0), (part.as_uri(), 2, 0)]


def test_hints_are_requested_again_after_each_analysis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, rules = tmp_path / "game.4th", tmp_path / "game.zrf"
    server = Server()
    events: list[str] = []
    monkeypatch.setattr(
        server, "text_document_publish_diagnostics", lambda _: events.append("findings")
    )
    monkeypatch.setattr(server, "_call_in_loop", lambda function: function())
    monkeypatch.setattr(server, "_refresh", lambda: events.append("hints"))
    for version, text in enumerate((": a 1 ;\n", ": a 1 2 ;\n"), 1):
        server.state.put(script.as_uri(), text, version)
        server._check(script)
    assert events == ["findings", "hints"] * 2
    server.state.put(rules.as_uri(), "", 1)  # rule files have no hints
    server._check(rules)
    assert events[4:] == ["findings"]


def test_a_large_document_does_not_delay_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large, small = tmp_path / "large.4th", tmp_path / "small.4th"
    server = Server()
    begun, small_is_checked, all_are_checked = (threading.Event() for _ in range(3))

    def check(path: Path) -> None:
        if path == small:
            small_is_checked.set()
            return
        begun.set()
        if small_is_checked.wait(30):
            all_are_checked.set()

    monkeypatch.setattr(server, "_check_document", check)

    async def session() -> None:
        server.change(large.as_uri(), " " * 1_000_000, 1)
        assert await asyncio.to_thread(begun.wait, 30)
        server.change(small.as_uri(), "", 1)
        assert await asyncio.to_thread(all_are_checked.wait, 60)

    asyncio.run(session())


@pytest.mark.slow
def test_requests_wait_for_the_first_check(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "game.4th").as_uri()
    text = ": one ( -- n ) 1 ;\n: two one one + ;\n"
    document = {"uri": uri, "languageId": "forthscript", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})
    edit = client.at("rename", uri, 0, 3, newName="unit")
    assert len(edit["changes"][uri]) == 3
    client.end(uri)
    client.notify("textDocument/didOpen", {"textDocument": document})
    assert "( -- n )" in client.at("hover", uri, 1, 7)["contents"]["value"]
