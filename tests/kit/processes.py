"""Programs that tests run in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

__all__ = ["FORTHVM", "Program", "output_of", "run", "start"]

FORTHVM = (sys.executable, "-m", "forthvm")
"""The beginning of a command line of forthvm."""


def run(
    *command: object,
    folder: Path | None = None,
    stdin: str | None = None,
    timeout: float = 300,
    **environment: str | None,
) -> subprocess.CompletedProcess[str]:
    """Run a program until it ends; return its status, output and messages.

    Tests of commands of forthvm use the fixture `cli`, which is faster, where a process of its own
    makes no difference.

    Args:
        command: The words of the command line, which may be paths and numbers.
        folder: The current folder of the program.
        stdin: A text to read; without it, the standard input is empty.
        timeout: The seconds after which the program is ended, and the test fails.
        environment: Variables that differ from those of this process; None removes one.
    """
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        input=stdin or "",
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
        env=_variables(environment),
    )


class Program(subprocess.Popen[str]):
    """A running program, whose pipes have text; the end of a `with` block kills it."""

    stdin: IO[str]
    stdout: IO[str]
    stderr: IO[str]

    def __exit__(self, *raised: object) -> None:
        self.kill()  # otherwise a failing test would wait for the program
        super().__exit__(*raised)  # type: ignore[arg-type]


def start(*command: object, folder: Path | None = None, **environment: str | None) -> Program:
    """Start a program, with the arguments of `run`."""
    return Program(
        [str(word) for word in command],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        bufsize=1,
        env=_variables(environment),
    )


def _variables(changes: Mapping[str, str | None]) -> dict[str, str]:
    """Return the variables of this process with changes."""
    return {name: value for name, value in {**os.environ, **changes}.items() if value is not None}


def output_of(*command: object, **options: Any) -> str:  # noqa: ANN401 - those of `run`
    """Return what a program prints that succeeds; the options are those of `run`."""
    done = run(*command, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
