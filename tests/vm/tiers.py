"""Scripts run in every tier of the VM: what they leave must be the same.

Owns running and what is compared; must not know what machine code is made of.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import pytest

from forthvm.core.budget import Budget
from forthvm.core.errors import ForthVMError
from forthvm.core.vm import VM

__all__ = ["TIERS", "TURNS", "Outcome", "failure", "machine_code", "run", "same"]

TIERS = ("interpreter", "native", "eager")
# CI sets FORTHVM_NO_JIT where it has built a core without the JIT.
COMPILES = (
    "FORTHVM_NO_JIT" not in os.environ
    and sys.platform in ("linux", "darwin")
    and platform.machine() in ("x86_64", "aarch64", "arm64")
)
machine_code = pytest.mark.skipif(not COMPILES, reason="no machine code for this processor")
TURNS = 30_000
"""Rounds that make a word hot in the tier "native", where samples are thousands of steps apart."""


@dataclass
class Outcome:
    """All that a script leaves."""

    stack: tuple[int, ...] = ()
    printed: str = ""
    failures: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    memory: bytes = b""
    compiled: int = 0

    def seen(self) -> tuple[object, ...]:
        """What a script can tell, and its host."""
        return self.failures, self.steps, self.stack, self.printed, self.memory


def failure(error: ForthVMError) -> str:
    """The whole report: message, place, source line, callers."""
    return f"{type(error).__name__} {error.report()} {error.trace} {error.calls}"


def run(
    texts: Iterable[str | Callable[[VM], object]],
    tier: str,
    *,
    steps: int | None = None,
    depth: int | None = None,
    checked: bool = False,
) -> Outcome:
    """Runs texts and functions one after the other, the next one also after a failure."""
    printed: list[str] = []
    vm = VM(
        library="core",
        output=printed.append,
        tier=tier,
        checked=checked,
        seed=7,
        budget=Budget(steps=steps, depth=depth),
    )
    found = Outcome()
    for number, text in enumerate(texts):
        try:
            if callable(text):
                text(vm)
            else:
                vm.interpret(text, name=f"part{number}.4th")
        except ForthVMError as error:
            found.failures.append(f"{number}: {failure(error)}")
        found.steps.append(vm.native.steps())
    state = vm.snapshot()
    found.stack = state.stack()
    found.memory = state.read(0, state.size)
    found.printed = "".join(printed)
    found.compiled = vm.native.compiled()
    return found


def same(
    *texts: str | Callable[[VM], object],
    steps: int | None = None,
    depth: int | None = None,
    checked: bool = False,
    compiled: int = 1,
) -> Outcome:
    """Runs it in all tiers: the same outcome, which is given.

    `compiled` words at least became machine code in the tier "eager"; 0: perhaps none did.
    """
    first = run(texts, "interpreter", steps=steps, depth=depth, checked=checked)
    assert first.compiled == 0
    for tier in TIERS[1:]:
        other = run(texts, tier, steps=steps, depth=depth, checked=checked)
        for mine, theirs in zip(other.seen(), first.seen(), strict=True):
            assert mine == theirs, tier
        if tier == "eager" and COMPILES:
            assert other.compiled >= compiled
    return first
