"""Programs that tests run in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["FORTHVM", "output_of", "run"]

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
    variables = {**os.environ, **environment}
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        input=stdin or "",
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
        env={name: value for name, value in variables.items() if value is not None},
    )


def output_of(*command: object, **options: Any) -> str:  # noqa: ANN401 - those of `run`
    """Return what a program prints that succeeds; the options are those of `run`."""
    done = run(*command, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
