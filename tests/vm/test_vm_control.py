"""Tests of generated control flow against the model, and of repeatable step counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from forthvm.core.errors import ReturnStackOverflow, ReturnStackUnderflow, StepLimitExceeded
from forthvm.core.vm import VM
from tests.vm.vm_programs import PRELUDE, Program, TooLongError, programs


class Runner:
    """A VM that is restored before each program."""

    def __init__(self) -> None:
        self.printed: list[str] = []
        self.vm = VM(library="core", output=self.printed.append)
        self.vm.interpret(PRELUDE)
        self.start = self.vm.snapshot()

    def run(self, program: Program, steps: int = 0) -> tuple[str, int]:
        """Run a program and return its output and its number of steps."""
        self.vm.restore(self.start)
        self.printed.clear()
        self.vm.native.run_limits = (steps, 0.0)
        try:
            self.vm.interpret(program.source())
        finally:
            self.vm.native.run_limits = (0, 0.0)
        return "".join(self.printed), self.vm.native.steps()


@pytest.fixture(scope="module")
def runner() -> Runner:
    """Return one runner for the module."""
    return Runner()


def model_outcome(program: Program) -> tuple[str, int]:
    """Return the output and v of the model; discard programs that run too long."""
    try:
        machine = program.run()
    except TooLongError:
        assume(False)
        raise
    return "".join(machine.printed), machine.v


@pytest.mark.slow
@given(program=programs())
def test_control_flow_matches_the_model(runner: Runner, program: Program) -> None:
    output, v = model_outcome(program)
    assert runner.run(program)[0] == output
    vm = runner.vm
    assert vm.stack == ()
    assert vm.native.read_cell(vm.call("v")[0]) == v


@pytest.mark.slow
@given(program=programs())
def test_repeated_runs_take_the_same_steps(runner: Runner, program: Program) -> None:
    model_outcome(program)
    first = runner.run(program)
    assert runner.run(program) == first
    assert first[1] > 0


@pytest.mark.slow
@given(program=programs(), percent=st.integers(0, 99))
def test_step_budget_stops_at_the_same_output(
    runner: Runner, program: Program, percent: int
) -> None:
    """A budget below the required steps stops both runs after the same output."""
    model_outcome(program)
    output, steps = runner.run(program)
    budget = max(1, steps * percent // 100)
    if budget >= steps:
        return
    stops = []
    for _ in range(2):
        with pytest.raises(StepLimitExceeded) as caught:
            runner.run(program, budget)
        assert caught.value.steps >= budget
        stops.append(("".join(runner.printed), caught.value.steps))
        assert runner.vm.stack == ()
    assert stops[0] == stops[1]
    assert output.startswith(stops[0][0])
    assert runner.run(program) == (output, steps)


def test_return_stack_of_interpreted_text_is_bounded_and_private() -> None:
    vm = VM(library="core", output=lambda text: None)
    with pytest.raises(ReturnStackOverflow):
        vm.interpret("1 >R " * 5000)
    vm.interpret("5 >R 6 >R R>")
    assert vm.stack == (6,)
    with pytest.raises(ReturnStackUnderflow):
        vm.interpret("R>")


def test_loaded_text_cannot_pop_return_stack_of_its_loader(tmp_path: Path) -> None:
    vm = VM(library="core", output=lambda text: None)
    (tmp_path / "inner.4th").write_text("7 >R R> 8 >R")
    (tmp_path / "popping.4th").write_text("R>")
    (tmp_path / "outer.4th").write_text("5 >R LOAD inner.4th R>")
    (tmp_path / "outer-of-popping.4th").write_text("5 >R LOAD popping.4th")
    vm.load(tmp_path / "outer.4th")
    assert vm.stack == (7, 5)
    with pytest.raises(ReturnStackUnderflow):
        vm.load(tmp_path / "outer-of-popping.4th")
