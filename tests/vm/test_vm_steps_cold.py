"""Steps of code that the interpreter decodes cell by cell, above the lists of moves.

Owns the comparison with translated code; must not know how either is run.
"""

from __future__ import annotations

import pytest

from forthvm.core.vm import VM
from tests.vm.tiers import TIERS

TRANSIENT = 0x94
"""The kernel's cell that says where lists of moves begin: code above it is not translated."""


@pytest.mark.parametrize("tier", TIERS)
def test_code_counts_the_same_steps_translated_or_not(tier: str) -> None:
    vm = VM(library="core", tier=tier)
    vm.interpret(
        "VARIABLE a : read a @ ; : scale 3 CELLS ; CREATE table 40 ALLOT"
        " : item CELLS table + ; : other read scale + ; : go other 2 item + DROP ;"
    )

    vm.call("go")
    translated = vm.native.steps()
    vm.interpret(f"' read {TRANSIENT} !")
    vm.restore(vm.snapshot())  # which looks at that cell
    vm.call("go")
    assert vm.native.steps() == translated
