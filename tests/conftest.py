"""Fixtures for all tests, and a folder of library images for this run only.

Owns fixtures that several suites share.  The contract folder, which is not part of the checkout,
contains the documents and recordings of the original engine that forthvm is compared with.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.golden_runner import tally

pytest_plugins = ["tests.kit.commands", "tests.kit.files"]

# No deadlines: sanitizers and busy machines are slow.
settings.register_profile(
    "forthvm",
    deadline=None,
    max_examples=int(os.environ.get("FORTHVM_EXAMPLES", "25")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("forthvm")

CASES: Counter[str] = Counter()  # the cases collected so far of each test marked `sampled`
TESTS = Path(__file__).resolve().parent
CHECKOUT = TESTS.parent


def pytest_configure(config: pytest.Config) -> None:
    """Handle Ctrl-C as at a terminal; store library images in a folder for this run only."""
    config.addinivalue_line(
        "markers", "windows: CI also runs this slow test in Windows's Python (.ci/windows)"
    )
    gc.set_threshold(20_000, 10, 10)
    # A background job inherits SIGINT as ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = tempfile.TemporaryDirectory(prefix="forthvm-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    os.environ["FORTHVM_CACHE"] = folder.name
    if sys.dont_write_bytecode and hasattr(config, "cache"):
        _write_bytecode_to(config.cache.mkdir("bytecode"))


def _write_bytecode_to(folder: Path) -> None:
    """Make Python write bytecode to a folder of pytest's cache instead of the source tree.

    Without bytecode, every worker and every command that a test starts would compile all modules
    again: half a minute of processor time a run.
    """
    # Tests of an earlier run wrote modules to the temporary folder.  Remove their bytecode, which
    # Python stores below `folder` by the module's path.
    bytecode_of_tests = folder.joinpath(*Path(tempfile.gettempdir()).resolve().parts[1:])
    shutil.rmtree(bytecode_of_tests, ignore_errors=True)
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(folder)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def shared_folder() -> Path | None:
    """Return the contract folder ($FORTHVM_SHARED, default beside the checkout), or None."""
    named = os.environ.get("FORTHVM_SHARED")
    folder = Path(named) if named else CHECKOUT.parent / "shared"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the contract folder; tests that use it are skipped if it is absent."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("the contract folder is absent (FORTHVM_SHARED)")
    return folder


def test_of(case: pytest.Item) -> str:
    """Return the id of a test without the parameters of the case."""
    return case.nodeid.partition("[")[0]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Of a test that is marked `sampled(N)`, mark all but every Nth case slow."""
    if mark := item.get_closest_marker("sampled"):
        if CASES[test_of(item)] % mark.args[0]:
            item.add_marker(pytest.mark.slow)
        CASES[test_of(item)] += 1


@pytest.hookimpl(trylast=True)  # after the selection by -m and -k
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With FORTHVM_PART=K/N, run every Nth case of a parametrized test, beginning with the Kth.

    CI takes another part in each run.  Tests with fewer than N cases run at least one.
    """
    if "FORTHVM_PART" not in os.environ:
        return
    number, count = map(int, os.environ["FORTHVM_PART"].split("/"))
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(test_of(item), []).append(item)
    kept = {
        item for group in cases.values() for item in group[number % min(count, len(group)) :: count]
    }
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collections.

    A full collection would take a second, and Python would start it only when the heap has grown by
    a quarter; until then the garbage of tests would keep the memory of hundreds of games.
    """
    gc.freeze()
    gc.collect()  # afterwards Python compares with the size of an empty heap


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """After a module, forget what its cached functions returned, which usually are games."""
    module = getattr(item, "module", None)
    if module is None or module is getattr(nextitem, "module", None):
        return
    for value in vars(module).values():
        if hasattr(value, "cache_clear") and value.__module__ == module.__name__:
            value.cache_clear()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send this worker's counts of compared searches to the process that prints the summary."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["node_counts"] = tally.counts()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Add the counts that a worker process (a node, for pytest-xdist) sent when it ended."""
    tally.add(getattr(node, "workeroutput", {}).get("node_counts", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many searches visited as many nodes as recorded, and how to run all tests."""
    if rows := tally.lines():
        terminalreporter.section("node counts equal to the recorded ones")
        for row in rows:
            terminalreporter.write_line(row)
    if terminalreporter.config.option.markexpr == "not slow":
        terminalreporter.write_line("Slow tests were not run; `pytest -m ''` runs all tests.")
