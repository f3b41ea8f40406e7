"""The values in results and reports of engines: their checks, and their conversion to plain types.

Owns the rules for numbers of other libraries: an engine may return a score, a count or a time as
any real number, for example a scalar of NumPy or a tensor with one element.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from decimal import Decimal
from numbers import Integral, Real
from typing import TYPE_CHECKING

from forthvm.core.text.visible import shown
from forthvm.engines.errors import EngineError
from forthvm.game.outcome import LOSS, WIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.engines.protocol import Info, Reporter, SearchResult

__all__ = ["checked_reporter", "plain_info", "plain_result"]


def plain_result(result: SearchResult, engine: str) -> SearchResult:
    """Return a copy of a result whose numbers are plain integers and floats.

    Raises:
        EngineError: A field has no valid value; the message names the engine and the field.
    """
    where = f"engine {engine!r} returned", "in its SearchResult"
    checked: dict[str, object] = {
        "score": _read(_score, result, "score", where),
        "depth": _read(_count, result, "depth", where, required=True),
        "nodes": _read(_count, result, "nodes", where, required=True),
        "time": _read(_real, result, "time", where, required=True),
    }
    for field, kinds in (("pv", (tuple, list)), ("info", (Mapping,))):
        if not isinstance(getattr(result, field), kinds):
            raise EngineError(_problem(field, getattr(result, field), where))
    return dataclasses.replace(result, **checked, info=dict(result.info))  # type: ignore[arg-type]


def plain_info(info: Info, engine: str) -> Info:
    """Return a copy of a report whose numbers are plain integers and floats.

    Raises:
        EngineError: A field has no valid value; the message names the engine and the field.
    """
    where = f"engine {engine!r} reported", "in its Info"
    checked = {
        "score": _read(_score, info, "score", where),
        "nodes": _read(_count, info, "nodes", where),
        "depth": _read(_count, info, "depth", where),
        "line": _read(_count, info, "line", where),
        "time": _read(_real, info, "time", where),
    }
    scores = info.scores
    if scores is not None:
        scores = {name: _plain(_score, "scores", score, where) for name, score in scores.items()}
    return dataclasses.replace(info, **checked, scores=scores)  # type: ignore[arg-type]


def checked_reporter(report: Reporter, engine: str) -> Reporter:
    """Return a function that passes checked copies of an engine's reports to `report`."""

    def checked(info: Info) -> None:
        report(plain_info(info, engine))

    return checked


# --- single values --------------------------------------------------------------------------

_Where = tuple[str, str]
"""The beginning and the end of a message about a wrong value."""


def _read(
    convert: Callable[[object], float],
    fields: object,
    name: str,
    where: _Where,
    *,
    required: bool = False,
) -> float | None:
    """Return the converted value of an attribute; None is allowed unless it is required."""
    value = getattr(fields, name)
    if value is None and not required:
        return None
    return _plain(convert, name, value, where)


def _plain(convert: Callable[[object], float], name: str, value: object, where: _Where) -> float:
    if type(value) is int:  # most values need no conversion
        return value
    try:
        return convert(value)
    except Exception as error:
        raise EngineError(_problem(name, value, where)) from error


def _problem(name: str, value: object, where: _Where) -> str:
    return f"{where[0]} {name}={shown(value)} {where[1]}"


def _real(value: object) -> float:
    """Return a real number as an integer or a float.

    Raises:
        ValueError: The value is NaN, or is not a number.
    """
    item = getattr(value, "item", None)
    number = item() if callable(item) else value  # of NumPy and other libraries of arrays
    if isinstance(number, bool) or not isinstance(number, (Real, Decimal)):
        raise ValueError("not a real number")
    if isinstance(number, Integral):
        return int(number)
    plain = float(number)
    if math.isnan(plain):
        raise ValueError("not a number")
    return plain


def _score(value: object) -> float:
    """Return a score; an infinite score is that of a certain win or loss."""
    number = _real(value)
    if math.isinf(number):
        return WIN if number > 0 else LOSS
    return number


def _count(value: object) -> int:
    """Return an integer."""
    number = _real(value)
    if not isinstance(number, int):
        raise TypeError("not an integer")
    return number
