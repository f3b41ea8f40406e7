"""Tests of reading and printing numbers in several bases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.core.errors import UndefinedWord
from forthvm.core.vm import VM
from tests.vm.vm_model import INT_MAX, INT_MIN, number_text, parse_number

BASES = {"BINARY": 2, "OCTAL": 8, "DECIMAL": 10, "HEX": 16}
bases = st.sampled_from(sorted(BASES))
integers = st.one_of(st.integers(INT_MIN, INT_MAX), st.integers(-300, 300))


class Console:
    """A VM and its output."""

    def __init__(self) -> None:
        self.printed: list[str] = []
        self.vm = VM(library="core", output=self.printed.append)
        # This code must be a definition, because the outer interpreter copies each token to PAD.
        self.vm.interpret(": number-text (NUMBER) PAD TYPE ;")

    def run(self, source: str) -> str:
        """Interpret a text, switch back to decimal and return the output."""
        self.printed.clear()
        try:
            self.vm.interpret(source)
        finally:
            self.vm.interpret("DECIMAL")
        return "".join(self.printed)


@pytest.fixture(scope="module")
def console() -> Console:
    """Return one console for the module."""
    return Console()


@given(number=integers, base=bases)
def test_dot_prints_in_each_base(console: Console, number: int, base: str) -> None:
    text = number_text(number, BASES[base])
    assert console.run(f"{number} {base} .") == text + " "


@given(number=integers, base=bases, width=st.integers(0, 40))
def test_dot_r_aligns_to_the_right(console: Console, number: int, base: str, width: int) -> None:
    assert console.run(f"{number} {width} {base} .R") == number_text(number, BASES[base]).rjust(
        width
    )


@given(number=integers, base=bases)
def test_number_word_stores_text_at_pad(console: Console, number: int, base: str) -> None:
    printed = console.run(f"{number} {base} number-text")
    if BASES[base] == 10:
        assert printed == str(number)
    elif number >= 0:
        assert printed == number_text(number, BASES[base])


TOKENS = st.one_of(
    st.text("0123456789abcdefABCDEF+-", min_size=1, max_size=11),
    st.integers(-(2**33), 2**33).map(str),
    st.integers(0, 2**33).map(lambda n: f"{n:x}"),
    st.integers(0, 2**33).map(lambda n: f"-{n:X}"),
    st.sampled_from(
        ["80000000", "-80000000", "7FFFFFFF", "FFFFFFFF", "2147483648", "00", "-", "+"]
    ),
)


@given(token=TOKENS, base=bases)
def test_tokens_are_parsed_in_each_base(console: Console, token: str, base: str) -> None:
    vm = console.vm
    if vm.find(token) is not None:  # the dictionary is searched first; + and - are words
        return
    vm.native.clear_stack()
    expected = parse_number(token, BASES[base])
    if expected is None:
        with pytest.raises(UndefinedWord) as caught:
            console.run(f"{base} {token}")
        assert caught.value.detail == token
        return
    console.run(f"{base} {token}")
    assert vm.stack == (expected,)
    vm.native.clear_stack()
    vm.interpret(f": under-test [ {base} ] {token} [ DECIMAL ] ;")
    assert vm.call("under-test") == (expected,)
