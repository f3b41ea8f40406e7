"""Error messages: a test names a message, and `messages.txt` has its words.

A line of the file is `key: text`.  In the text, `…` stands for what differs from run to run,
`{name}` for a value that the test passes, and `python` for the running interpreter.  After a change
of words, this command writes the new ones, to be reviewed as a diff:

    FORTHVM_REWRITE_MESSAGES=1 pytest -n0 -m "" tests/study
"""

from __future__ import annotations

import os
import re
import sys
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

__all__ = ["raises"]

FILE = Path(__file__).with_name("messages.txt")
_REWRITES = bool(os.environ.get("FORTHVM_REWRITE_MESSAGES"))
_VARIABLE = re.compile(
    r"/[^\s']*/pytest-of-[^\s'/]+/pytest-\d+/(popen-gw\d+/)?[^\s'/]+"  # a temporary folder
    r"|\b[0-9a-f]{16}\b"  # the key of a position
)
_rewritten: set[str] = set()


class raises:  # noqa: N801 - named like pytest.raises
    """Checks that a block raises an error with the words of a message."""

    def __init__(
        self,
        expected: type[BaseException] | tuple[type[BaseException], ...],
        key: str,
        **values: object,
    ) -> None:
        """Prepare the check.

        Args:
            expected: The type of the error.
            key: The key of the message.
            values: The values in the message, by their names in it.
        """
        self._context = pytest.raises(expected)
        self._key = key
        self._values = values

    def __enter__(self) -> pytest.ExceptionInfo[Any]:
        self._caught = self._context.__enter__()
        return self._caught

    # No generator: its frame would be part of the traceback, which would refer to itself.
    def __exit__(self, *raised: Any) -> bool:  # noqa: ANN401 - as for pytest.raises
        is_expected = self._context.__exit__(*raised)
        if is_expected:
            _check(self._key, str(self._caught.value).replace("\n", "\\n"), self._values)
        return is_expected


def _check(key: str, found: str, values: dict[str, object]) -> None:
    """Compare a message with the words of the file, or write them."""
    messages = read()
    words = messages.get(key)
    found = found.replace(f"'{Path(sys.executable).name}'", "'python'")
    if words is not None and _pattern(words, values).fullmatch(found.replace("\\", "/")):
        _rewritten.add(key)
        return
    if not _REWRITES:
        raise AssertionError(f"{key}: {found}\n  expected {words}, from {FILE.name}")
    new = _general(found, values)
    messages[key] = _common(messages[key], new) if key in _rewritten else new
    _rewritten.add(key)
    FILE.write_text("".join(f"{k}: {messages[k]}\n" for k in sorted(messages)), encoding="utf-8")


def read() -> dict[str, str]:
    """Return the words of the messages by their keys."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)


def _pattern(words: str, values: dict[str, object]) -> re.Pattern[str]:
    """Return a pattern that matches the words with these values, in paths of any system."""
    pattern = re.escape(words.replace("\\", "/")).replace("…", ".*")
    for name, value in values.items():
        pattern = pattern.replace(re.escape(f"{{{name}}}"), re.escape(str(value)))
    return re.compile(pattern)


def _general(text: str, values: dict[str, object]) -> str:
    """Return a message as the file has it, without what differs from run to run."""
    for name, value in values.items():
        text = text.replace(str(value), f"{{{name}}}")
    return _VARIABLE.sub("…", text)


def _common(one: str, other: str) -> str:
    """Return the equal beginning and end of two messages, with `…` between them."""
    start = _equal(one, other)
    end = _equal(one[start:][::-1], other[start:][::-1])
    return f"{one[:start]}…{one[len(one) - end :]}"


def _equal(one: str, other: str) -> int:
    """Return with how many equal characters two texts begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
