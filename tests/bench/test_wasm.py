"""Tests of benchmarks/wasm.py, which also compares the answers of the engines."""

from __future__ import annotations

import shutil

import pytest

from tests.web.exported import needs_core


@needs_core
@pytest.mark.skipif(shutil.which("chromedriver") is None, reason="needs chromedriver")
def test_search_in_the_browser_has_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("selenium")
    from benchmarks import wasm  # imports selenium

    monkeypatch.setitem(wasm.DEPTHS, "tictactoe", 3)
    with wasm.browser() as ask:
        assert min(wasm.seconds_and_nodes(ask, "tictactoe", pairs=1)) > 0
