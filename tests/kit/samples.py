"""Which parameters of a test a plain `pytest` runs.

A test that repeats one rule on many scripts, positions or seeds runs some of them; the slow tests
in CI run all.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

__all__ = ["sample"]


def sample(values: Iterable[object], every: int) -> list[object]:
    """Return the values as parameters of a test; all but every nth one are marked slow.

    A tuple has the values of several parameters, as for `pytest.mark.parametrize`.
    """
    return [value if number % every == 0 else _slow(value) for number, value in enumerate(values)]


def _slow(value: object) -> object:
    if isinstance(value, type(pytest.param())):
        return pytest.param(*value.values, marks=[*value.marks, pytest.mark.slow], id=value.id)
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
