"""The key of the original search's table equals one computed from all positions of the board.

Owns the boards; piece_hash.c owns the stores and the comparison.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.processes import output_of
from tests.native.native_driver import CHECKOUT, INCLUDES, compiler, core_sources

FLAGS = ["-g", "-O1"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the program with the core."""
    command = compiler()
    if command is None:
        pytest.skip("no C compiler")
    built = tmp_path_factory.mktemp("piece_hash") / "piece_hash"
    sources = [*core_sources(), CHECKOUT / "tests" / "native" / "piece_hash.c"]
    output_of(*command, *FLAGS, *INCLUDES, *sources, "-lm", "-o", built)
    return built


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1, 5, 100])
def test_keys_after_random_stores(program: Path, tmp_path: Path, rows: int) -> None:
    game = tmp_path / "grid.4th"
    game.write_text(f"{{board {rows} 6 {{grid}} {{variable}} flag board}}\n", encoding="utf-8")
    library = str(CHECKOUT / "axiom_lib")
    output_of(program, library, game)
