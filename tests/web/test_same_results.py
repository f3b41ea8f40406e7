"""Games, fragments of scripts and counts of moves in a browser: the same as in the native core.

All cases of a test process run in one worker of a page, which loads scripts as the playground does.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import forthvm
from benchmarks.static_site import static_site
from forthvm.core.errors import ForthVMError
from forthvm.core.vm import VM
from forthvm.web.modules import join_modules
from forthvm.web.offline.export import core_for_browsers
from forthvm.web.offline.game_texts import library_texts, main_and_texts
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.table.table import Table
from tests.forth.tline import CLOCK, Step, parse, parse_header
from tests.golden_runner.records import game_names, recording, scripts
from tests.golden_runner.rules import expected_printed, only_in_140
from tests.kit.every_game import BUNDLED
from tests.web.exported import needs_core
from tests.web.test_offline import check_recording

if TYPE_CHECKING:
    from selenium import webdriver

    from forthvm.catalogue.bundled import BundledGame

pytestmark = needs_core

WORKER = Path(__file__).with_name("same_results_worker.js")
FORTH = Path(__file__).parents[1] / "forth"
PAGE = """<!doctype html><meta charset="utf-8"><title>Results</title><script>
const worker = new Worker("worker.js"), open = new Map();
worker.onmessage = ({ data: { id, ...answer } }) => open.get(id)(answer);
worker.onerror = ({ message }) => open.forEach((done) => done({ error: message }));
function ask(request, done) {
  const id = open.size;
  open.set(id, done);
  worker.postMessage({ ...request, id });
}
</script>"""
PARTS = 6  # of the fragments
MOST_CELLS = 32  # of the stack that are compared
MOST_POSITIONS = 200_000  # that are counted in a game

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def ask(driver: webdriver.Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """A function that sends a request to the worker, and returns the answer."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    (folder / "worker.js").write_text(join_modules(WORKER), encoding="utf-8")
    (folder / "core.wasm").write_bytes(core_for_browsers())

    def ask(do: str, **fields: object) -> Any:  # noqa: ANN401 - JSON
        request = {"do": do, **fields}
        answer = driver.execute_async_script("ask(arguments[0], arguments[1])", request)
        assert "error" not in answer, answer["error"]
        return answer["value"]

    with static_site(folder) as address:
        driver.get(address)
        driver.set_script_timeout(200)
        ask("begin", address=f"{address}core.wasm", texts=library_texts(), clock=CLOCK)
        yield ask
    driver.get("about:blank")


@pytest.mark.sampled(32)
@pytest.mark.parametrize("name", game_names())
def test_recorded_games(name: str, ask: Ask) -> None:
    data = json.loads(
        json.dumps(offline_game(Table(forthvm.load(recording(name).path, axiom=140))))
    )
    play = functools.partial(ask, "play", program=data["program"], tables=data["tables"])
    check_recording(name, lambda indices: play(indices=indices))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_recorded_fragments(part: int, ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "fragment.4th"
    for script in scripts()[part::PARTS]:
        path.write_text(script.script, encoding="utf-8")
        output: list[str] = []
        vm = VM(axiom=150, output=output.append)
        problem = None
        try:
            vm.load(path)
        except ForthVMError as error:
            problem = error
        vm.native.flush()
        found = ask("fragment", text=script.script)
        assert (found["problem"] is None) == (problem is None), f"{script.id}: {found['problem']}"
        assert found["printed"] == "".join(output), script.id
        if problem is None:
            assert found["stack"] == list(vm.stack)[-MOST_CELLS:], script.id
        is_same = not script.recorded_error and not only_in_140(script.script)
        if script.commands == ("new",) and is_same:
            printed = expected_printed(script.printed, script.script, 150)
            assert found["printed"].replace("\n", "", 1) == printed, script.id


def _files_of_lines() -> list[str]:
    """Return the files of test lines for the library and the settings of the playground."""
    headers = {
        path: parse_header(path.read_text(encoding="latin-1")) for path in FORTH.glob("*.4th")
    }
    return sorted(
        path.name
        for path, header in headers.items()
        if (header.axiom, header.library, header.checked) == (150, "axiom", False)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", _files_of_lines())
def test_lines(name: str, ask: Ask) -> None:
    text = (FORTH / name).read_text(encoding="latin-1")
    base, steps = parse_header(text).base, parse(text)
    texts = [(FORTH / base).read_text(encoding="latin-1")] if base else []
    begin = len(texts)
    for step in steps:
        texts += [step.source, step.expected or ""]
    found = ask("lines", texts=texts)
    assert [one["problem"] for one in found[:begin]] == [None] * begin
    rows = zip(steps, found[begin::2], found[begin + 1 :: 2], strict=True)
    assert "\n".join(message for row in rows if (message := difference(*row))) == ""


def difference(step: Step, found: dict[str, Any], expected: dict[str, Any]) -> str | None:
    """Return in what a line differs from what its file states."""
    if (found["problem"] is None) != (step.error is None):
        return f"{step.number}: {found['problem']}"
    if step.error is not None:
        return None
    if found["printed"] != step.output:
        return f"{step.number}: printed {found['printed']!r}"
    if step.expected is not None and found["stack"] != expected["stack"]:
        return f"{step.number}: {found['stack']} instead of {expected['stack']}"
    return None


@pytest.mark.slow
@pytest.mark.parametrize("entry", BUNDLED, ids=lambda entry: entry.name)
def test_counts_of_moves(entry: BundledGame, ask: Ask) -> None:
    game = forthvm.load(entry.name)
    rows = entry.path.with_suffix(".perft").read_text(encoding="utf-8").splitlines()
    pairs = (row.split()[:2] for row in rows if row and not row.startswith("#"))
    counts = {int(plies): int(count) for plies, count in pairs}
    plies = max(plies for plies, count in counts.items() if count <= MOST_POSITIONS)
    main, files = main_and_texts(game)
    assert ask("perft", files=files, main=main, plies=plies) == counts[plies]
