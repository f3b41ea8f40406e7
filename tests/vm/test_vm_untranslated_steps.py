"""Tests of the step counts of code above the translated limit, which is decoded at each run."""

from __future__ import annotations

import pytest

from forthvm.core.vm import VM
from tests.vm.tiers import TIERS

TRANSIENT = 0x94
"""Address of the kernel's cell that contains the translated limit."""


@pytest.mark.parametrize("tier", TIERS)
def test_translated_and_decoded_code_count_equal_steps(tier: str) -> None:
    vm = VM(library="core", tier=tier)
    vm.interpret(
        "VARIABLE a : read a @ ; : scale 3 CELLS ; CREATE table 40 ALLOT"
        " : item CELLS table + ; : other read scale + ; : go other 2 item + DROP ;"
    )

    vm.call("go")
    translated = vm.native.steps()
    vm.interpret(f"' read {TRANSIENT} !")
    vm.restore(vm.snapshot())  # a restore reads the translated limit from the cell
    vm.call("go")
    assert vm.native.steps() == translated
