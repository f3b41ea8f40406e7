"""Many small cases in one test.

pytest and its worker processes take a few milliseconds for each test.  Cases that take less are run
in a loop; a failure names the cases that fail.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

__all__ = ["each_case"]

Test = Callable[..., None]


def each_case(
    names: str | Sequence[str],
    values: Iterable[Any],
    ids: Callable[[Any], object] | Iterable[str] | None = None,
) -> Callable[[Test], Test]:
    """Run a test for each case; the arguments are those of `pytest.mark.parametrize`.

    With FORTHVM_EACH_CASE set, each case is a test that can be selected by its id.
    """
    rows = list(values)
    parametrize = pytest.mark.parametrize(
        names, rows, ids=ids if callable(ids) or ids is None else list(ids)
    )
    if os.environ.get("FORTHVM_EACH_CASE"):
        return parametrize
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [dict(zip(keys, _arguments(row, len(keys)), strict=True)) for row in rows]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(**fixtures: object) -> None:
            failures = []
            for case in cases:
                try:
                    test(**case, **fixtures)
                except Exception as error:  # of the code that is tested, or of an assertion
                    error.add_note(f"in the case {case}")
                    failures.append(error)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(cases)} cases failed", failures)

        signature = inspect.signature(test)
        kept = [each for name, each in signature.parameters.items() if name not in keys]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return decorate


def _arguments(row: Any, count: int) -> Sequence[Any]:  # noqa: ANN401 - as for parametrize
    """Return the arguments of a case.

    Raises:
        TypeError: The case is marked.
    """
    if isinstance(row, type(pytest.param())):
        if row.marks:
            raise TypeError(f"a case has no mark of its own: {row}")
        return row.values
    return [row] if count == 1 else row
