r"""Runs `T{ code -> results }T` files, one result per line.

Owns the format (see README.md beside this file); must not know any word set.  A file runs in
one VM from top to bottom, because later lines use what earlier ones define.  Lines without
`T{` are source; a line may end in

    \ expect: "text"            what it prints, as a JSON string (without it: nothing)
    \ expect error: Name words  the exception's class name and a piece of its message

and the first line may set the VM: `\ vm: axiom=140 library=core checked base=loaded/x.4th`
(base: a file of source that is interpreted first).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forthvm import ForthVMError
from forthvm.core.vm import VM

__all__ = ["CLOCK", "FileRun", "Line", "parse", "words_of"]

CLOCK = 1199491200
_EXPECT = re.compile(r"\s*\\ expect(?P<error> error)?: (?P<what>.*)$")
_TEST = re.compile(r"T\{ (?P<code>.*?)(?: |^)-> ?(?P<want>.*?) ?\}T\s*$")


@dataclass(frozen=True)
class Line:
    """One step of a file: a test line, or source up to and with that line."""

    number: int
    source: str
    want: str | None = None
    prints: str = ""
    error: str | None = None

    @property
    def is_test(self) -> bool:
        """Worth an item of its own."""
        return self.want is not None or bool(self.prints) or self.error is not None


@dataclass(frozen=True)
class Header:
    """How the file wants its VM."""

    axiom: int | str = 150
    library: str | None = "axiom"
    checked: bool = False
    base: str | None = None


def parse_header(text: str) -> Header:
    r"""Reads the first line; anything but a `\ vm:` line gives the defaults."""
    first = text.partition("\n")[0]
    if not first.startswith("\\ vm:"):
        return Header()
    values: dict[str, Any] = {}
    for word in first[5:].split():
        name, _, value = word.partition("=")
        if name == "axiom":
            values[name] = int(value) if value.isdigit() else value
        elif name == "library":
            values[name] = None if value == "none" else value
        elif name == "base":
            values[name] = value
        elif name == "checked":
            values[name] = True
        else:
            raise ValueError(f"unknown setting {word!r}")
    return Header(**values)


def parse(text: str) -> list[Line]:
    """Splits a file into steps.

    Raises:
        ValueError: a line that begins like a test but does not end like one.
    """
    steps: list[Line] = []
    pending: list[str] = []
    for number, row in enumerate(text.splitlines(), 1):
        if number == 1 and row.startswith("\\ vm:"):
            continue  # a VM without a library knows no comments
        expect = _EXPECT.search(row)
        body = row[: expect.start()] if expect else row
        prints, error = "", None
        if expect:
            if expect["error"]:
                error = expect["what"].strip()
            else:
                prints = json.loads(expect["what"])
        if body.lstrip().startswith("T{"):
            test = _TEST.search(body)
            if not test:
                raise ValueError(f"line {number}: not a test: {row}")
            if pending:
                steps.append(Line(number - 1, "\n".join(pending)))
                pending = []
            steps.append(Line(number, test["code"], test["want"], prints, error))
            continue
        pending.append(body)
        if expect:
            steps.append(Line(number, "\n".join(pending), None, prints, error))
            pending = []
    if pending:
        steps.append(Line(len(text.splitlines()), "\n".join(pending)))
    return steps


def words_of(text: str) -> set[str]:
    """Every token of the code (not of the comments) of a file."""
    found: set[str] = set()
    for step in parse(text):
        for row in (step.source + "\n" + (step.want or "")).splitlines():
            if not row.lstrip().startswith("\\ "):
                found.update(row.split(" \\ ")[0].split())
    return found


@dataclass
class FileRun:
    """A file being run; `results` is a message per failed step."""

    path: Path
    steps: list[Line] = field(init=False)
    results: dict[int, str] | None = None

    def __post_init__(self) -> None:
        self.text = self.path.read_text(encoding="latin-1")
        self.steps = parse(self.text)

    def result(self, number: int) -> str | None:
        """None where the line passed.  The first question runs the whole file."""
        if self.results is None:
            self.results = self._run()
        return self.results.get(number)

    def _run(self) -> dict[int, str]:
        header = parse_header(self.text)
        printed: list[str] = []
        vm = VM(
            library=header.library,
            axiom=header.axiom,
            checked=header.checked,
            clock=CLOCK,
            output=printed.append,
        )
        if header.base is not None:
            base = self.path.parent / header.base
            vm.interpret(base.read_text(encoding="latin-1"), name=str(base))
        failures: dict[int, str] = {}
        for step in self.steps:
            printed.clear()
            message = self._step(vm, step, printed)
            if message is not None:
                failures[step.number] = message
        return failures

    def _evaluate(self, vm: VM, source: str, number: int) -> tuple[int, ...]:
        vm.native.clear_stack()
        vm.interpret(source + "\n", name=f"{self.path.name}:{number}")
        vm.native.flush()
        return tuple(vm.stack)

    def _step(self, vm: VM, step: Line, printed: list[str]) -> str | None:
        try:
            got = self._evaluate(vm, step.source, step.number)
        except ForthVMError as error:
            return self._check_error(step, error)
        if step.error is not None:
            return f"expected the error {step.error}, got {got}"
        output = "".join(printed)
        if output != step.prints:
            return f"expected to print {step.prints!r}, got {output!r}"
        if step.want is None:
            return None
        try:
            want = self._evaluate(vm, step.want, step.number)
        except ForthVMError as error:
            return f"the expected side failed: {error}"
        return None if got == want else f"expected {want}, got {got}"

    @staticmethod
    def _check_error(step: Line, error: ForthVMError) -> str | None:
        if step.error is None:
            return f"{type(error).__name__}: {error}"
        name, _, piece = step.error.partition(" ")
        if type(error).__name__ != name or piece not in str(error):
            return f"expected {step.error}, got {type(error).__name__}: {error}"
        return None
