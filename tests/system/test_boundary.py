"""Tests that only forthvm.system asks on which operating system it runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import forthvm

ROOT = Path(forthvm.__file__).parent
QUESTION = re.compile(
    r"\b(os\.name|os\.uname|sys\.platform|platform\.system)\b"
    r"|\b(get|has)attr\((os|signal|socket|sys),"
    # Modules that some systems do not have, or for which forthvm.system has functions.
    r"|^ *(import|from) (fcntl|msvcrt|pty|resource|shlex|termios|tty|winreg)\b",
    re.MULTILINE,
)


def questions(text: str) -> list[str]:
    """Returns the parts of a module that depend on the system."""
    return [match[0].strip() for match in QUESTION.finditer(text)]


@pytest.mark.slow
def test_only_one_package_asks_for_the_system() -> None:
    found = {
        path.relative_to(ROOT): asked
        for path in ROOT.rglob("*.py")
        if path.relative_to(ROOT).parts[0] != "system"
        and (asked := questions(path.read_text("utf-8")))
    }
    assert found == {}


def test_questions_are_found() -> None:
    code = (
        'import fcntl\nif os.name == "nt" or hasattr(os, "fork"):\n    from tty import setcbreak\n'
    )
    assert questions(code) == ["import fcntl", "os.name", "hasattr(os,", "from tty"]
