"""Tests under ThreadSanitizer: VMs in two threads share no data; searches share trees and tables.

Owns the compiler flags; threads.c and search_threads.c own how the VMs run.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.kit.processes import output_of, run
from tests.native.native_driver import CHECKOUT, INCLUDES, compiler, core_sources

SANITIZE = ["-g", "-O1", "-fsanitize=thread", "-fno-sanitize-recover=all", "-pthread"]
PROGRAM = CHECKOUT / "benchmarks" / "programs" / "scan.4th"


FOLDER = CHECKOUT / "tests" / "native"


def compile_sources(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Compile with ThreadSanitizer in a folder."""
    command = [*(compiler() or ["cc"]), *SANITIZE, *INCLUDES, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False)


@pytest.fixture(scope="module")
def core_objects(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Compile the core with ThreadSanitizer and return the object files."""
    folder = tmp_path_factory.mktemp("core")
    probe = folder / "probe.c"
    probe.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    built = compile_sources(folder, probe, "-o", "probe")
    if built.returncode or run(folder / "probe").returncode:
        pytest.skip("the compiler has no ThreadSanitizer, or it does not run here")
    probe.unlink()
    assert compile_sources(folder, "-c", *core_sources()).returncode == 0
    return sorted(folder.glob("*.o"))


def run_with_core(objects: list[Path], source: str, *arguments: str | Path) -> None:
    """Link a test program with the core and run it."""
    program = objects[0].parent / Path(source).stem
    built = compile_sources(program.parent, *objects, FOLDER / source, "-lm", "-o", program)
    assert built.returncode == 0, built.stderr
    output_of(program, *arguments)


@pytest.mark.slow
def test_vms_in_two_threads_share_no_data(core_objects: list[Path]) -> None:
    library = CHECKOUT / "axiom_lib" / "core.4th"
    run_with_core(core_objects, "threads.c", library, PROGRAM, "20 run-scan")


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        "scripts/tictactoe/tictactoe.4th",  # the root is proven
        "scripts/breakthrough/breakthrough.4th",
        "tests/game_api/three.4th",  # more than two players
        "tests/game_api/chain.4th",  # partial moves, and cells outside the board
        "scripts/ur/ur.4th",  # chance
    ],
)
def test_searches_in_two_threads(core_objects: list[Path], game: str) -> None:
    library = CHECKOUT / "axiom_lib"
    run_with_core(core_objects, "search_threads.c", library, CHECKOUT / game)
