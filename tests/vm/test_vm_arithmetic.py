"""Tests of arithmetic, comparison and stack words against the Python model."""

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
    """Call and interpret a word; assert that it has the expected results or division error."""
    if isinstance(expected, DivisionByZeroError):
        with pytest.raises(DivisionError):
            vm.call(word, *arguments)
        assert vm.stack == ()
        return
    assert vm.call(word, *arguments) == expected
    vm.interpret(" ".join(str(cell) for cell in arguments) + f" {word}")
    assert vm.stack == expected
    vm.native.clear_stack()


def model_result(function: object, *arguments: int) -> object:
    """Return the results of a function of the model as a tuple, or its exception."""
    assert callable(function)
    try:
        result = function(*arguments)
    except DivisionByZeroError as error:
        return error
    return result if isinstance(result, tuple) else (result,)


@given(a=cells, b=cells, word=st.sampled_from(sorted(BINARY)))
def test_binary_words(vm: VM, a: int, b: int, word: str) -> None:
    check(vm, word, (a, b), model_result(BINARY[word], a, b))


@given(a=cells, word=st.sampled_from(sorted(UNARY)))
def test_unary_words(vm: VM, a: int, word: str) -> None:
    check(vm, word, (a,), model_result(UNARY[word], a))


@given(a=cells, b=cells)
def test_divide_with_remainder(vm: VM, a: int, b: int) -> None:
    check(vm, "/MOD", (a, b), model_result(divide, a, b))


@given(a=cells, b=cells, c=cells)
def test_multiply_and_divide(vm: VM, a: int, b: int, c: int) -> None:
    results = model_result(star_slash, a, b, c)
    check(vm, "*/MOD", (a, b, c), results)
    if not isinstance(results, DivisionByZeroError):
        assert isinstance(results, tuple)
        results = results[1:]
    check(vm, "*/", (a, b, c), results)


@given(a=cells, b=cells, word=st.sampled_from(sorted(BINARY)), count=st.integers(1, 3))
def test_binary_words_with_constants(vm: VM, a: int, b: int, word: str, count: int) -> None:
    """A superinstruction for a constant and a word has the result of the word."""
    expected = model_result(BINARY[word], a, b)
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
"""The number of items that a word reads, and a model that returns the stack after the word."""


@given(data=st.data(), start=st.lists(cells, max_size=6), size=st.integers(0, 40))
def test_stack_words_in_a_definition(
    vm: VM, data: st.DataObject, start: list[int], size: int
) -> None:
    """Random stack words that never underflow leave the same stack as the model."""
    stack, program = list(start), []
    for _ in range(size):
        fitting = [name for name, (required, _) in STACK.items() if required <= len(stack)]
        name = data.draw(st.sampled_from(sorted(fitting)))
        program.append(name)
        stack = STACK[name][1](stack)
        if len(stack) > 200:
            break
    vm.interpret(f": under-test {' '.join(program)} ;")
    assert vm.call("under-test", *start) == tuple(stack)


@given(words=st.lists(st.sampled_from(sorted(STACK)), min_size=1, max_size=30))
def test_vm_works_after_any_stack_program(vm: VM, words: list[str]) -> None:
    vm.interpret(f": under-test {' '.join(words)} ;")
    with suppress(ForthVMError):
        vm.call("under-test")
    vm.native.clear_stack()
    assert vm.call("+", 2, 3) == (5,)
