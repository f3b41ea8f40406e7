"""Fuzz tests of the core as WebAssembly: damaged scripts, and calls with random values, in node."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import forthvm
from forthvm.web.modules import join_modules
from forthvm.web.offline.export import CORE
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.table.table import Table
from tests.fuzz.harness import number_from_environment, seed
from tests.kit.processes import output_of
from tests.web.exported import needs_core, needs_node

CASES = number_from_environment("FORTHVM_FUZZ_WEBASSEMBLY", 10)
DRIVER = Path(__file__).with_name("wasm_driver.js")


@needs_core
@pytest.mark.slow
@needs_node
def test_random_calls_end_by_an_answer_or_a_refusal(tmp_path: Path) -> None:
    data, driver = tmp_path / "data.json", tmp_path / "driver.js"
    data.write_text(json.dumps(offline_game(Table(forthvm.load("tictactoe")))), encoding="utf-8")
    driver.write_text(join_modules(DRIVER), encoding="utf-8")
    printed = output_of("node", driver, data, CORE, seed(), CASES, timeout=60 + 10 * CASES)
    counts = json.loads(printed)
    assert counts["answers"] >= CASES
