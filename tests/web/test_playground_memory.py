"""The memory of the playground: many changes of a game take no more of it than a few."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.static_site import static_site
from forthvm.web.playground.static_page import EDITOR, write_playground
from tests.web.conftest import chromium
from tests.web.exported import needs_core
from tests.web.test_playground import Playground

pytestmark = [
    needs_core,
    pytest.mark.slow,
    pytest.mark.skipif(not EDITOR.exists(), reason="no editor.js: editors/playground makes it"),
]

WORKERS = ("loader", "board", "debugger")
COUNTED = """
{
  const memories = [], instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    memories.push(new WeakRef(instance.exports.memory));
    return instance;
  };
  const channel = new BroadcastChannel("memory");
  channel.onmessage = async ({ data }) => {
    if (data !== "count") return;
    await gc({ execution: "async" });
    channel.postMessage(memories.map((one) => one.deref()?.buffer.byteLength ?? 0).filter(Boolean));
  };
}
"""
"""Is put before the script of a worker, which then says how large each memory of the core is."""
COUNT = """
const [workers, done] = arguments, channel = new BroadcastChannel("memory"), found = [];
channel.onmessage = ({ data }) => { if (found.push(data) === workers) done(found.sort()); };
channel.postMessage("count");
"""
"""The sizes of the memories in each worker."""


def test_memory_of_the_core_does_not_grow(tmp_path: Path) -> None:
    write_playground(tmp_path)
    for name in WORKERS:
        script = tmp_path / "page" / f"{name}-worker.js"
        script.write_text(COUNTED + script.read_text(encoding="utf-8"), encoding="utf-8")
    with static_site(tmp_path) as address, chromium("--js-flags=--expose-gc") as driver:
        page = Playground(driver)
        driver.get(address)
        page.wait_until_loaded()
        page.open_game()

        def memory_after(changes: int) -> Any:  # noqa: ANN401 - JSON
            for _ in range(changes):
                page.paste(" ")
                page.line("41 1+ .")  # answered after the files are loaded again
                page.wait_for_output("42")
                driver.execute_script("document.querySelector('#output').replaceChildren()")
            targets = driver.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
            workers = sum(target["type"] == "worker" for target in targets)
            return driver.execute_async_script(COUNT, workers)

        before = memory_after(10)
        assert any(before)
        assert memory_after(30) == before
