"""Tests that the work of `check` is proportional to the size of a script."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forthvm.check import check_files
from forthvm.core.words.dictionary import Word
from tests.kit.files import write

SHAPES: dict[str, Callable[[int], str]] = {
    "definitions": lambda n: "".join(f": w{i} 1 2 + DROP ;\n" for i in range(n)),
    "one line": lambda n: " ".join(f": w{i} 1 2 + DROP ;" for i in range(n)),
    "findings": lambda n: "".join(f": w{i} ( -- n ) 1 2 3 ;\n" for i in range(n)),
    "ignored": lambda n: "".join(f": w{i} 1 ; \\ check: ignore W501\n" for i in range(n)),
    "variables": lambda n: "".join(f"VARIABLE v{i} : s{i} 1 v{i} ! ;\n" for i in range(n)),
    "nested": lambda n: f": x ( ? -- ) {'DUP IF ' * n}{'ENDIF ' * n} DROP ;",
    "tokens": lambda n: f": x {'1 DROP ' * n} ;",
    "comments": lambda n: "( a comment ) " * n,
}


def count_work(path: Path, text: str) -> int:
    """Count the calls of Python and C functions while a script is checked and reported."""
    path.write_text(text, encoding="utf-8")
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        str(check_files([path]))
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_script_needs_twice_the_work(tmp_path: Path, shape: str) -> None:
    """The work per line is equal for 10 to 80 lines and for 10 to 150 lines, twice as many.

    The profiler counts a call for each item of a generator, so loops over characters count, too.
    """
    path = tmp_path / "shape.4th"
    make = SHAPES[shape]
    count_work(path, make(10))  # fills caches that all scripts share
    base, small, large = (count_work(path, make(n)) for n in (10, 80, 150))
    assert large - base < 2.3 * (small - base)  # 2, with a tolerance


def test_many_open_structures_are_lexed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each open structure needs another attempt; the attempts share the tokens."""
    from forthvm.check.text import lexer

    path = write(tmp_path / "open.4th", ": empty ;")
    check_files([path])  # the first check in a process lexes the library, too
    lexed = 0
    tokens = lexer._tokens

    def counted(data: bytes) -> Iterator[lexer.Token]:
        nonlocal lexed
        lexed += 1
        return tokens(data)

    monkeypatch.setattr(lexer, "_tokens", counted)
    path.write_text(f": open {'IF ' * 5000} ;", encoding="utf-8")
    check_files([path])
    assert lexed <= 2


def test_long_stack_is_changed_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the stack would not be a further call, so counting calls cannot detect it."""
    from forthvm.check.text import interpreted

    stacks: list[object] = []
    follow = interpreted._StackSimulation._call

    def followed(self: interpreted._StackSimulation, word: Word) -> None:
        follow(self, word)
        stacks.append(self._stack)

    monkeypatch.setattr(interpreted._StackSimulation, "_call", followed)
    path = write(tmp_path / "stack.4th", "1 " * 100 + "1 + " * 100)
    check_files([path])
    assert len(stacks) >= 100
    assert all(stack is stacks[0] for stack in stacks)
