"""Compares the engine of the playground and of exported games with the native interpreter.

    python -m benchmarks.wasm [--pairs N]

The core as WebAssembly searches in a worker of chromium, the native core without the JIT, by turns.
Move, score and number of nodes must be the same.  The table has the medians; the speed is that in
the browser relative to the native one, whose geometric mean must be at least a half.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.board_page import chromium
from benchmarks.runner import check
from benchmarks.static_site import static_site
from benchmarks.tiers import VARIABLE
from forthvm import engines
from forthvm.game import load
from forthvm.web.modules import join_modules
from forthvm.web.offline.export import core_for_browsers
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.table.table import Table

DEPTHS = {"breakthrough": 8, "chess": 6, "draughts": 13, "reversi": 9, "splut": 9}
"""The games, and the depths of the searches."""
LEAST_SPEED = 0.5
LONGEST = 60
"""The seconds that a search may take."""
PAGE = """<!doctype html><meta charset="utf-8"><title>Search</title><script>
const worker = new Worker("worker.js");
function ask(request, done) {
  worker.onmessage = ({ data }) => done(data);
  worker.postMessage(request);
}
</script>"""

Answer = tuple[str, int, int]
"""A move, its score, and the number of nodes."""
Ask = Callable[..., Any]


@contextmanager
def browser() -> Iterator[Ask]:
    """Open a page with a worker; yield a function that sends a request to it."""
    with tempfile.TemporaryDirectory() as name, chromium() as driver:
        folder = Path(name)
        (folder / "index.html").write_text(PAGE, encoding="utf-8")
        worker = join_modules(Path(__file__).with_name("search_worker.js"))
        (folder / "worker.js").write_text(worker, encoding="utf-8")
        (folder / "core.wasm").write_bytes(core_for_browsers())

        def ask(do: str, **fields: object) -> Any:  # noqa: ANN401 - JSON
            answer = driver.execute_async_script("ask(...arguments)", {"do": do, **fields})
            if "error" in answer:
                sys.exit(answer["error"])
            return answer["value"]

        with static_site(folder) as address:
            driver.get(address)
            driver.set_script_timeout(LONGEST)
            ask("begin", address=f"{address}core.wasm")
            yield ask


def native_search(name: str, engine: str) -> tuple[Answer, float]:
    """Search the first position of a game; return the answer and the seconds."""
    position = load(name).start()
    position.generated_moves  # noqa: B018 - lists the moves, as `Core.start` in the worker
    chosen = engines.get(engine)
    begin = time.perf_counter()
    found = chosen.play(position)
    seconds = time.perf_counter() - begin
    assert found.score is not None
    assert found.nodes is not None
    return (found.move.text, int(found.score), found.nodes), seconds


def seconds_and_nodes(ask: Ask, name: str, pairs: int) -> tuple[float, float, int]:
    """Return the seconds of a search in the browser and natively, and its number of nodes."""
    exported, engine = offline_game(Table(load(name))), f"negamax:depth={DEPTHS[name]},net=none"
    fields = {"program": exported["program"], "tables": exported["tables"], "engine": engine}
    ask("search", **fields)  # the browser compiles the module again while it runs
    in_browser, native = [], []
    for _ in range(pairs):
        expected, seconds = native_search(name, engine)
        native.append(seconds)
        found = ask("search", **fields)
        check(f"{engine} of {name}", (found["move"], found["score"], found["nodes"]), expected)
        in_browser.append(found["milliseconds"] / 1000)
    return statistics.median(in_browser), statistics.median(native), expected[2]


def main() -> int:
    """Measure; return 1 if the engine in the browser is too slow."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=3, help="measurements of each search")
    pairs = parser.parse_args().pairs
    os.environ[VARIABLE] = "interpreter"
    speeds = []
    print(f"{'search':16} {'nodes':>8} {'native':>12} {'browser':>12}  speed")
    with browser() as ask:
        for name, depth in DEPTHS.items():
            in_browser, native, nodes = seconds_and_nodes(ask, name, pairs)
            speeds.append(native / in_browser)
            rates = f"{nodes / native:10,.0f}/s {nodes / in_browser:10,.0f}/s"
            print(f"{name + ' ' + str(depth):16} {nodes:8} {rates}  {speeds[-1]:.2f}", flush=True)
    mean = statistics.geometric_mean(speeds)
    print(f"{'geometric mean':50}  {mean:.2f}")
    return 0 if mean >= LEAST_SPEED else 1


if __name__ == "__main__":
    sys.exit(main())
