"""Runs the test files of this folder; each prints a line for each wrong result."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.vm import VM

FOLDER = Path(__file__).resolve().parent
SUITES = [*sorted(FOLDER.glob("*.fth")), FOLDER / "hayes-core.fr"]
SUITES.remove(FOLDER / "tester.fth")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("tier", ["interpreter", "native", "eager"])
@pytest.mark.parametrize("suite", SUITES, ids=lambda path: path.name)
def test_suite(suite: Path, tier: str) -> None:
    printed: list[str] = []
    vm = VM(library="forth2012", output=printed.append, tier=tier)
    vm.load(FOLDER / "tester.fth")
    vm.load(suite)
    output = "".join(printed)
    assert vm.call("#errors")[0], "the tester counts errors"
    assert vm.memory.cell(vm.call("#errors")[0]) == 0, output
    assert vm.stack == ()
