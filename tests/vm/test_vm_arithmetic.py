"""Arithmetic, comparison and the stack against the Python model."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm import ForthVMError
from forthvm.core.errors import DivisionError
from forthvm.core.vm import VM
from tests.vm.vm_model import (
    BINARY,
    INT_MAX,
    INT_MIN,
    UNARY,
    DivisionByZeroError,
    divide,
    star_slash,
    wrap,
)

EDGES = [0, 1, -1, 2, -2, 7, INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1, 65535, 65536, -65536]
cells = st.one_of(st.sampled_from(EDGES), st.integers(INT_MIN, INT_MAX), st.integers(-40, 40))


def check(vm: VM, word: str, arguments: tuple[int, ...], expected: object) -> None:
    """A word's results, called and interpreted, or its division error."""
    if isinstance(expected, DivisionByZeroError):
        with pytest.raises(DivisionError):
            vm.call(word, *arguments)
        assert vm.stack == ()
        return
    assert vm.call(word, *arguments) == expected
    vm.interpret(" ".join(str(cell) for cell in arguments) + f" {word}")
    assert vm.stack == expected
    vm.native.clear_stack()


def attempt(function: object, *arguments: int) -> object:
    """The model's answer as a tuple, or its exception."""
    assert callable(function)
    try:
        answer = function(*arguments)
    except DivisionByZeroError as error:
        return error
    return answer if isinstance(answer, tuple) else (answer,)


@given(a=cells, b=cells, word=st.sampled_from(sorted(BINARY)))
def test_binary(vm: VM, a: int, b: int, word: str) -> None:
    check(vm, word, (a, b), attempt(BINARY[word], a, b))


@given(a=cells, word=st.sampled_from(sorted(UNARY)))
def test_unary(vm: VM, a: int, word: str) -> None:
    check(vm, word, (a,), attempt(UNARY[word], a))


@given(a=cells, b=cells)
def test_divmod(vm: VM, a: int, b: int) -> None:
    check(vm, "/MOD", (a, b), attempt(divide, a, b))


@given(a=cells, b=cells, c=cells)
def test_star_slash(vm: VM, a: int, b: int, c: int) -> None:
    both = attempt(star_slash, a, b, c)
    check(vm, "*/MOD", (a, b, c), both)
    check(vm, "*/", (a, b, c), both if isinstance(both, DivisionByZeroError) else both[1:])  # type: ignore[index]


@given(a=cells, b=cells, word=st.sampled_from(sorted(BINARY)), count=st.integers(1, 3))
def test_binary_compiled(vm: VM, a: int, b: int, word: str, count: int) -> None:
    """Constants in a definition may be folded or fused: the answers must not change."""
    expected = attempt(BINARY[word], a, b)
    vm.interpret(f": under-test {count} 0 DO {a} {b} {word} LOOP ;")
    if isinstance(expected, DivisionByZeroError):
        with pytest.raises(DivisionError):
            vm.call("under-test")
        return
    assert vm.call("under-test") == expected * count  # type: ignore[operator]


STACK = {
    "DUP": (1, lambda s: [*s, s[-1]]),
    "DROP": (1, lambda s: s[:-1]),
    "SWAP": (2, lambda s: [*s[:-2], s[-1], s[-2]]),
    "OVER": (2, lambda s: [*s, s[-2]]),
    "ROT": (3, lambda s: [*s[:-3], s[-2], s[-1], s[-3]]),
    "2DUP": (2, lambda s: [*s, s[-2], s[-1]]),
    "2DROP": (2, lambda s: s[:-2]),
    "DEPTH": (0, lambda s: [*s, len(s)]),
    ">R R>": (1, lambda s: s),
    ">R R@ R>": (1, lambda s: [*s, s[-1]]),
    ">R DUP R>": (2, lambda s: [*s[:-1], s[-2], s[-1]]),
    "+": (2, lambda s: [*s[:-2], wrap(s[-2] + s[-1])]),
    "0 PICK": (1, lambda s: [*s, s[-1]]),
    "2 PICK": (3, lambda s: [*s, s[-3]]),
}


@given(data=st.data(), start=st.lists(cells, max_size=6), size=st.integers(0, 40))
def test_stack_programs(vm: VM, data: st.DataObject, start: list[int], size: int) -> None:
    """Random stack words that never take too much, interpreted as one definition."""
    stack, program = list(start), []
    for _ in range(size):
        fitting = [name for name, (need, _) in STACK.items() if need <= len(stack)]
        name = data.draw(st.sampled_from(sorted(fitting)))
        program.append(name)
        stack = STACK[name][1](stack)
        if len(stack) > 200:
            break
    vm.interpret(f": under-test {' '.join(program)} ;")
    assert vm.call("under-test", *start) == tuple(stack)


@given(words=st.lists(st.sampled_from(sorted(STACK)), min_size=1, max_size=30))
def test_any_stack_program_leaves_the_vm_usable(vm: VM, words: list[str]) -> None:
    vm.interpret(f": under-test {' '.join(words)} ;")
    with suppress(ForthVMError):
        vm.call("under-test")
    vm.native.clear_stack()
    assert vm.call("+", 2, 3) == (5,)
