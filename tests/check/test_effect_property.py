"""Comparison of computed stack effects with the VM: random definitions on random paths."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from forthvm import VM, Budget
from forthvm.check import StackEffect, WordAnalysis
from forthvm.core.errors import StackUnderflow
from tests.check.stack_programs import PRELUDE, Balanced, balanced, unbalanced

EXAMPLES = int(os.environ.get("FORTHVM_EXAMPLES", "25"))
BELOW = (101, 102, 103)  # stack cells below the arguments, which a word must not change

many_examples = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


class Bench:
    """A VM in checked mode that is restored before each definition."""

    def __init__(self) -> None:
        budget = Budget(steps=200_000)
        self.vm = VM(library="core", checked=True, output=lambda text: None, budget=budget)
        self.vm.interpret(PRELUDE)
        self.start = self.vm.snapshot()

    def define(self, body: str) -> StackEffect:
        """Define `w` and return its computed effect."""
        self.vm.restore(self.start)
        self.vm.interpret(f": w {body} ;")
        words = WordAnalysis(self.vm)
        return words.effect(words.image.by_cfa[self.vm.token("w")])


def result_count(bench: Bench, takes: int, bits: int) -> int:
    """Run `w` with arguments and conditions (`bits`), and return the number of its results.

    The cells below the arguments must be unchanged.
    """
    vm = bench.vm
    vm.native.write_cell(vm.call("bits")[0], bits)
    vm.native.clear_stack()
    vm.push(*BELOW, *range(takes))
    vm.interpret("w")
    stack = vm.stack
    assert stack[: len(BELOW)] == BELOW
    return len(stack) - len(BELOW)


bench = Bench()
condition_bits = st.lists(st.integers(0, 2**30), min_size=4, max_size=8)


@pytest.mark.slow
@many_examples
@given(code=balanced(), bits=condition_bits)
def test_effects_known_by_construction_are_exact(code: Balanced, bits: list[int]) -> None:
    effect = bench.define(code.text)
    assert effect.exact
    assert effect.takes == max(code.need, -code.net)
    assert effect.leaves == (effect.takes + code.net,)
    for condition in bits:
        assert result_count(bench, effect.takes, condition) == effect.leaves[0]


@pytest.mark.slow
@many_examples
@given(code=unbalanced(), bits=condition_bits)
def test_results_of_random_code_match_its_computed_effect(code: str, bits: list[int]) -> None:
    effect = bench.define(code)
    event("unknown" if effect.unknown else "exact" if effect.exact else "several effects")
    if effect.unknown:
        return
    for condition in bits:
        assert result_count(bench, effect.takes, condition) in effect.leaves


@pytest.mark.slow
@many_examples
@given(code=balanced())
def test_code_without_branches_underflows_if_one_argument_is_missing(code: Balanced) -> None:
    effect = bench.define(code.text)
    has_branches = any(word in code.text for word in ("IF", "DO", "BEGIN", "found"))
    if not effect.takes or has_branches:
        return
    vm = bench.vm
    vm.native.clear_stack()
    vm.push(*range(effect.takes - 1))
    try:
        vm.interpret("w")
    except StackUnderflow:
        return
    raise AssertionError(f"{code.text} runs with {effect.takes - 1} cells")
