r"""Runs test files with lines `T{ code -> results }T` and returns a message for each failed line.

Owns the format (README.md in this folder).  A file runs in one VM from top to bottom, because lines
use earlier definitions.  Lines without `T{` are source.  A line may end in

    \ expect: "text"            the output, as a JSON string (default: no output)
    \ expect error: Name text   the class name of the exception and a part of its message

and the first line may configure the VM: `\ vm: axiom=140 library=core checked base=loaded/x.4th`
(base: a source file that is interpreted first).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forthvm import ForthVMError
from forthvm.core.vm import VM

__all__ = ["CLOCK", "FileRun", "Step", "parse", "words_of"]

CLOCK = 1199491200  # seconds since 1970; the clock of the golden recordings
_EXPECT = re.compile(r"\s*\\ expect(?P<error> error)?: (?P<what>.*)$")
_TEST = re.compile(r"T\{ (?P<code>.*?)(?: |^)-> ?(?P<expected>.*?) ?\}T\s*$")


@dataclass(frozen=True)
class Step:
    """A step of a file: a test line, or the source lines up to the next step.

    Attributes:
        number: Number of the line, or of the last of several source lines.
        source: The code.
        expected: The right side of a test.
        output: The expected output.
        error: The expected error: class name and a part of the message.
    """

    number: int
    source: str
    expected: str | None = None
    output: str = ""
    error: str | None = None

    @property
    def is_test(self) -> bool:
        """Whether the step is a test."""
        return self.expected is not None or bool(self.output) or self.error is not None


@dataclass(frozen=True)
class Header:
    """The configuration of the VM for a file."""

    axiom: int | str = 150
    library: str | None = "axiom"
    checked: bool = False
    base: str | None = None


def parse_header(text: str) -> Header:
    r"""Return the configuration in a first line `\ vm:`; without this line, the defaults."""
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


def parse(text: str) -> list[Step]:
    """Split a file into steps.

    Raises:
        ValueError: A line begins with `T{` but is not a test.
    """
    steps: list[Step] = []
    pending: list[str] = []
    for number, row in enumerate(text.splitlines(), 1):
        if number == 1 and row.startswith("\\ vm:"):
            continue  # without the library there are no comments
        expect = _EXPECT.search(row)
        body = row[: expect.start()] if expect else row
        output, error = "", None
        if expect:
            if expect["error"]:
                error = expect["what"].strip()
            else:
                output = json.loads(expect["what"])
        if body.lstrip().startswith("T{"):
            test = _TEST.search(body)
            if not test:
                raise ValueError(f"line {number}: not a test: {row}")
            if pending:
                steps.append(Step(number - 1, "\n".join(pending)))
                pending = []
            steps.append(Step(number, test["code"], test["expected"], output, error))
            continue
        pending.append(body)
        if expect:
            steps.append(Step(number, "\n".join(pending), None, output, error))
            pending = []
    if pending:
        steps.append(Step(len(text.splitlines()), "\n".join(pending)))
    return steps


def words_of(text: str) -> set[str]:
    """Return all tokens of the code of a file, without comments."""
    found: set[str] = set()
    for step in parse(text):
        for row in (step.source + "\n" + (step.expected or "")).splitlines():
            if not row.lstrip().startswith("\\ "):
                found.update(row.split(" \\ ")[0].split())
    return found


@dataclass
class FileRun:
    """A run of a file; `results` contains a message for each failed step."""

    path: Path
    steps: list[Step] = field(init=False)
    results: dict[int, str] | None = None

    def __post_init__(self) -> None:
        self.text = self.path.read_text(encoding="latin-1")
        self.steps = parse(self.text)

    def result(self, number: int) -> str | None:
        """Return the message for a line, None if it passed.  The first call runs the file."""
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
            message = self._check_step(vm, step, printed)
            if message is not None:
                failures[step.number] = message
        return failures

    def _evaluate(self, vm: VM, source: str, number: int) -> tuple[int, ...]:
        """Interpret code with an empty stack and return the stack after it."""
        vm.native.clear_stack()
        vm.interpret(source + "\n", name=f"{self.path.name}:{number}")
        vm.native.flush()
        return tuple(vm.stack)

    def _check_step(self, vm: VM, step: Step, printed: list[str]) -> str | None:
        try:
            result = self._evaluate(vm, step.source, step.number)
        except ForthVMError as error:
            return self._check_error(step, error)
        if step.error is not None:
            return f"expected the error {step.error}, got {result}"
        output = "".join(printed)
        if output != step.output:
            return f"expected to print {step.output!r}, got {output!r}"
        if step.expected is None:
            return None
        try:
            expected = self._evaluate(vm, step.expected, step.number)
        except ForthVMError as error:
            return f"the right side failed: {error}"
        return None if result == expected else f"expected {expected}, got {result}"

    @staticmethod
    def _check_error(step: Step, error: ForthVMError) -> str | None:
        if step.error is None:
            return f"{type(error).__name__}: {error}"
        name, _, message = step.error.partition(" ")
        if type(error).__name__ != name or message not in str(error):
            return f"expected {step.error}, got {type(error).__name__}: {error}"
        return None
