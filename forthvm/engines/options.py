"""Engine specifications: `name:option=value,option=value` taken apart.

Owns the syntax and the reading of values.  It must not know which engines there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from forthvm.engines.errors import EngineOptionError

__all__ = ["flag", "number", "read_options", "seconds", "split_spec", "take", "whole"]

T = TypeVar("T")


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the options of a specification.

    `package.module:Class` keeps its colon, since what follows it is no option; its own
    options come after a second colon.

    Raises:
        EngineOptionError: an option without a value, or given twice.

    >>> split_spec("axiom:depth=4,time=0.5")
    ('axiom', {'depth': '4', 'time': '0.5'})
    >>> split_spec("my.engines:Greedy:seed=1")
    ('my.engines:Greedy', {'seed': '1'})
    >>> split_spec("random")
    ('random', {})
    """
    parts = spec.strip().split(":")
    name = parts.pop(0)
    if parts and parts[0] and "=" not in parts[0]:
        name = f"{name}:{parts.pop(0)}"
    return name, read_options(":".join(parts), spec=spec)


def read_options(text: str, *, spec: str) -> dict[str, str]:
    """The options in `text`; `spec` is for messages."""
    options: dict[str, str] = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        key, found, value = (each.strip() for each in part.partition("="))
        if not found or not key or not value:
            raise EngineOptionError(f"{spec!r}: expected option=value, not {part!r}")
        if key in options:
            raise EngineOptionError(f"{spec!r}: option {key!r} is given twice")
        options[key] = value
    return options


def take(
    engine: str, options: Mapping[str, object], readers: Mapping[str, Callable[[object], T]]
) -> dict[str, T]:
    """Reads each option with its reader.

    Raises:
        EngineOptionError: an unknown option, or a value its reader refuses.
    """
    values: dict[str, T] = {}
    for key, value in options.items():
        reader = readers.get(key)
        if reader is None:
            from forthvm.core.wording import close_names  # only to help after a mistake

            near = close_names(key, readers)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            known = ", ".join(sorted(readers)) or "none"
            raise EngineOptionError(
                f"engine {engine!r} has no option {key!r}{hint} (it has: {known})"
            )
        try:
            values[key] = reader(value)
        except (TypeError, ValueError) as error:
            raise EngineOptionError(f"engine {engine!r}, option {key}: {error}") from None
    return values


def whole(low: int, high: int | None = None) -> Callable[[object], int]:
    """A reader of whole numbers from `low` to `high`."""
    room = f" {low} to {high}" if high is not None else f" from {low} up" if low >= 0 else ""

    def read(value: object) -> int:
        try:
            number = int(value) if isinstance(value, str | int) else None
        except ValueError:
            number = None
        if number is None or isinstance(value, bool) or number < low or number > (high or number):
            raise ValueError(f"expected a whole number{room}, not {value!r}")
        return number

    return read


def seconds(value: object) -> float:
    """Reads a time in seconds, from 0 up."""
    try:
        number = float(value) if isinstance(value, str | int | float) else -1.0
    except (ValueError, OverflowError):
        number = -1.0
    # Written so that NaN fails it too.
    if not 0 <= number < float("inf"):
        raise ValueError(f"expected seconds from 0 up, not {value!r}")
    return number


def number(value: object) -> float:
    """Reads a number from 0 up, such as a weight."""
    try:
        return seconds(value)
    except ValueError:
        raise ValueError(f"expected a number from 0 up, not {value!r}") from None


def flag(value: object) -> bool:
    """Reads yes or no."""
    text = str(value).lower()
    if text in {"1", "yes", "on", "true"}:
        return True
    if text in {"0", "no", "off", "false"}:
        return False
    raise ValueError(f"expected yes or no, not {value!r}")
