"""Tests of memory words against a bytearray: widths, signs, overlaps, order of copying."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.core.errors import AddressError
from forthvm.core.vm import VM
from tests.vm.vm_model import INT_MAX, INT_MIN

SIZE = 96
WIDTH = {"!": 4, "I!": 2, "C!": 1}
FORMAT = {4: "<i", 2: "<h", 1: "<b"}


@dataclass(frozen=True)
class Store:
    """A store of one, two or four bytes."""

    word: str
    at: int
    value: int

    def model(self, memory: bytearray) -> None:
        """Store the low bytes in little-endian order."""
        width = WIDTH[self.word]
        memory[self.at : self.at + width] = (self.value % 2**32).to_bytes(4, "little")[:width]

    def source(self) -> str:
        """Return the ForthScript text."""
        return f"{self.value} buffer {self.at} + {self.word}"


@dataclass(frozen=True)
class Copy:
    """MOVE or CMOVE: copies cells or bytes, lowest address first."""

    word: str
    start: int
    target: int
    count: int

    def model(self, memory: bytearray) -> None:
        """Copy one unit at a time, so that overlapping ranges repeat the first units."""
        width = 4 if self.word == "MOVE" else 1
        for i in range(self.count):
            a, b = self.start + i * width, self.target + i * width
            memory[b : b + width] = memory[a : a + width]

    def source(self) -> str:
        """Return the ForthScript text."""
        return f"buffer {self.start} + buffer {self.target} + {self.count} {self.word}"


@dataclass(frozen=True)
class Fill:
    """FILL."""

    at: int
    count: int
    byte: int

    def model(self, memory: bytearray) -> None:
        """Store the low byte count times."""
        memory[self.at : self.at + self.count] = bytes([self.byte % 256]) * self.count

    def source(self) -> str:
        """Return the ForthScript text."""
        return f"buffer {self.at} + {self.count} {self.byte} FILL"


@st.composite
def stores(draw: st.DrawFn) -> Store:
    """Return stores inside the buffer, at any alignment."""
    word = draw(st.sampled_from(sorted(WIDTH)))
    return Store(
        word, draw(st.integers(0, SIZE - WIDTH[word])), draw(st.integers(INT_MIN, INT_MAX))
    )


@st.composite
def copies(draw: st.DrawFn) -> Copy:
    """Return copies inside the buffer; in most of them source and target overlap."""
    word = draw(st.sampled_from(["MOVE", "CMOVE"]))
    width = 4 if word == "MOVE" else 1
    count = draw(st.integers(0, SIZE // width))
    last = SIZE - count * width
    return Copy(word, draw(st.integers(0, last)), draw(st.integers(0, last)), count)


@st.composite
def fills(draw: st.DrawFn) -> Fill:
    """Return fills inside the buffer."""
    at = draw(st.integers(0, SIZE))
    return Fill(at, draw(st.integers(0, SIZE - at)), draw(st.integers(-300, 300)))


@pytest.fixture(scope="module")
def buffer(vm: VM) -> int:
    """Return the address of the buffer."""
    vm.interpret(f"CREATE buffer {SIZE} ALLOT")
    (address,) = vm.call("buffer")
    return address


steps = st.lists(st.one_of(stores(), copies(), fills()), min_size=1, max_size=12)


@given(start=st.binary(min_size=SIZE, max_size=SIZE), program=steps, compiled=st.booleans())
def test_memory_words_match_the_model(
    vm: VM, buffer: int, start: bytes, program: list[Store | Copy | Fill], compiled: bool
) -> None:
    vm.native.write(buffer, start)
    model = bytearray(start)
    source = " ".join(step.source() for step in program)
    vm.interpret(f": under-test {source} ; under-test" if compiled else source)
    for step in program:
        step.model(model)
    assert vm.native.read(buffer, SIZE) == bytes(model)


@given(start=st.binary(min_size=SIZE, max_size=SIZE), at=st.integers(0, SIZE - 4))
def test_fetch_words_extend_the_sign(vm: VM, buffer: int, start: bytes, at: int) -> None:
    vm.native.write(buffer, start)
    for word, width in (("@", 4), ("I@", 2), ("C@", 1)):
        (expected,) = struct.unpack_from(FORMAT[width], start, at)
        assert vm.call(word, buffer + at) == (expected,)


OUTSIDE = st.one_of(st.integers(INT_MIN, -1), st.integers(0, 3), st.integers(2**30, INT_MAX))


@given(address=OUTSIDE, word=st.sampled_from(["@", "I@", "C@", "!", "I!", "C!", "+!", "++"]))
def test_addresses_outside_the_image_raise(vm: VM, buffer: int, address: int, word: str) -> None:
    """The word runs alone, and in a definition after a constant address."""
    before = vm.native.read(buffer, SIZE)
    arguments = (address,) if word in {"@", "I@", "C@", "++"} else (1, address)
    with pytest.raises(AddressError):
        vm.call(word, *arguments)
    vm.interpret(f": under-test {' '.join(map(str, arguments))} {word} ;")
    with pytest.raises(AddressError):
        vm.call("under-test")
    assert vm.native.read(buffer, SIZE) == before


@given(count=st.integers(2**26, INT_MAX), word=st.sampled_from(["FILL", "MOVE", "CMOVE"]))
def test_ranges_beyond_the_image_raise(vm: VM, buffer: int, count: int, word: str) -> None:
    with pytest.raises(AddressError):
        vm.call(word, buffer, *((count, 0) if word == "FILL" else (buffer + 4, count)))
