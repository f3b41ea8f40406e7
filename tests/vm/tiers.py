"""Runs scripts in every execution tier and compares the outcomes.

Owns how scripts run and what is compared.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import pytest

from forthvm.core.bindings.trace import Trace
from forthvm.core.budget import Budget
from forthvm.core.errors import ForthVMError
from forthvm.core.records import Option
from forthvm.core.vm import VM

__all__ = [
    "HOT_ITERATIONS",
    "TIERS",
    "TRACED",
    "Outcome",
    "assert_tiers_agree",
    "failure_report",
    "requires_jit",
    "run",
]

TIERS = ("interpreter", "native", "eager")
"""Values of the option `tier`: no JIT, the JIT for hot words, the JIT for nearly all words."""
SHORT_SLICES = 150
"""A value of `Option.TIER`: words are soon hot, but slices have more steps than in "eager"."""
# CI sets FORTHVM_NO_JIT in jobs that build the core without the JIT.
HAS_JIT = "FORTHVM_NO_JIT" not in os.environ and platform.machine().lower() in (
    "x86_64",
    "amd64",  # its name on Windows
    "aarch64",
    "arm64",
)
TRACED = "traced"
"""A value of the parameter `tier` of `run`: the interpreter for debuggers."""
requires_jit = pytest.mark.skipif(not HAS_JIT, reason="no machine code for this processor")
HOT_ITERATIONS = 30_000
"""Number of loop iterations after which a word is hot in the tier "native".

In this tier, profile samples are thousands of steps apart.
"""


@dataclass
class Outcome:
    """The results of a list of texts and functions, and the final state of the VM."""

    stack: tuple[int, ...] = ()
    printed: str = ""
    failures: list[str] = field(default_factory=list)  # reports, with the index of the text
    steps: list[int] = field(default_factory=list)  # of each text
    memory: bytes = b""
    compiled: int = 0  # number of definitions and loops that the JIT has compiled

    def observable(self) -> tuple[object, ...]:
        """Return the fields that the script and its host can observe."""
        return self.failures, self.steps, self.stack, self.printed, self.memory


def failure_report(error: ForthVMError) -> str:
    """Return the complete report: message, location, source line and callers."""
    return f"{type(error).__name__} {error.report()} {error.trace} {error.calls}"


def run(  # noqa: PLR0913 - keyword-only options
    texts: Iterable[str | Callable[[VM], object]],
    tier: str | int,
    *,
    steps: int | None = None,
    depth: int | None = None,
    checked: bool = False,
    library: str = "core",
) -> Outcome:
    """Run texts and functions in order; continue after failures.

    `tier` is a value of the option `tier`, or of `Option.TIER`, or `TRACED`; `steps` and `depth`
    are the limits of each run: steps, and cells on the return stack.
    """
    printed: list[str] = []
    untraced = tier if isinstance(tier, str) else "native"
    vm = VM(
        library=library,
        output=printed.append,
        tier="interpreter" if tier == TRACED else untraced,
        checked=checked,
        seed=7,
        budget=Budget(steps=steps, depth=depth),
    )
    if isinstance(tier, int):
        vm.native.set_option(Option.TIER, tier)
    trace = Trace(vm.native, lambda _: None) if tier == TRACED else None
    outcome = Outcome()
    for index, text in enumerate(texts):
        try:
            if callable(text):
                text(vm)
            else:
                vm.interpret(text, name=f"part{index}.4th")
        except ForthVMError as error:
            outcome.failures.append(f"{index}: {failure_report(error)}")
        outcome.steps.append(vm.native.steps())
    if trace is not None:
        trace.close()
    state = vm.snapshot()
    outcome.stack = state.stack()
    outcome.memory = state.read(0, state.size)
    outcome.printed = "".join(printed)
    outcome.compiled = vm.native.compiled()
    return outcome


def assert_tiers_agree(
    *texts: str | Callable[[VM], object],
    steps: int | None = None,
    depth: int | None = None,
    checked: bool = False,
    compiled: int = 1,
) -> Outcome:
    """Run texts and functions in all tiers, compare the outcomes and return the common one.

    In the tier "eager" the JIT must compile at least `compiled` definitions and loops.
    """
    interpreted = run(texts, "interpreter", steps=steps, depth=depth, checked=checked)
    assert interpreted.compiled == 0
    for tier in (*TIERS[1:], SHORT_SLICES):
        outcome = run(texts, tier, steps=steps, depth=depth, checked=checked)
        for actual, expected in zip(outcome.observable(), interpreted.observable(), strict=True):
            assert actual == expected, tier
        if tier == "eager" and HAS_JIT:
            assert outcome.compiled >= compiled
    return interpreted
