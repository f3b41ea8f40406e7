"""Engine specifications: parses `name:option=value,option=value`.

Owns the syntax of specifications and the readers, which parse the values of options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from forthvm.core import reading
from forthvm.engines.errors import EngineOptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.core.reading import Reader

__all__ = ["flag", "integer", "number", "parse_options", "parse_pairs", "seconds", "split_spec"]

T = TypeVar("T")

#: Names that options have in other programs and in other engines, and the option that is meant.
_USUAL_NAMES = {
    **dict.fromkeys(("iterations", "simulations", "rollouts", "visits", "nodes"), "playouts"),
    **dict.fromkeys(("playouts", "positions"), "nodes"),
    **dict.fromkeys(("plies", "ply"), "depth"),
    **dict.fromkeys(("seconds", "movetime"), "time"),
}


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Return the name and the options of a specification.

    In `package.module:Class` the first colon belongs to the name; options follow a second colon.

    Raises:
        EngineOptionError: An option has no value, or occurs twice.

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
    return name, parse_pairs(":".join(parts), spec=spec)


def parse_pairs(text: str, *, spec: str) -> dict[str, str]:
    """Parse `option=value,option=value`; `spec` is the complete specification, for messages."""
    options: dict[str, str] = {}
    for pair in filter(None, (each.strip() for each in text.split(","))):
        key, equals, value = (each.strip() for each in pair.partition("="))
        if not equals or not key or not value:
            raise EngineOptionError(f"{spec!r}: expected option=value, not {pair!r}")
        if key in options:
            raise EngineOptionError(f"{spec!r}: option {key!r} is given twice")
        options[key] = value
    return options


def parse_options(
    engine: str, options: Mapping[str, object], readers: Mapping[str, Reader[T]]
) -> dict[str, T]:
    """Parse the value of each option with the reader of that name.

    Raises:
        EngineOptionError: An option is unknown, or its reader refuses the value.
    """
    values: dict[str, T] = {}
    for key, value in options.items():
        reader = readers.get(key)
        if reader is None:
            from forthvm.core.text.wording import close_names  # needed only after an error

            usual = _USUAL_NAMES.get(key.lower())
            similar = [usual] if usual in readers else close_names(key, readers)
            hint = f"; did you mean {similar[0]!r}?" if similar else ""
            known = ", ".join(sorted(readers)) or "none"
            raise EngineOptionError(
                f"engine {engine!r} has no option {key!r}{hint} (it has: {known})"
            )
        try:
            values[key] = reader(value)
        except (TypeError, ValueError) as error:
            raise EngineOptionError(f"engine {engine!r}, option {key}: {error}") from None
    return values


def integer(low: int, high: int | None = None) -> Reader[int]:
    """Return a reader of integers from `low` to `high`, also in a text."""
    return reading.from_text(int, reading.integer(low, high))


seconds = reading.from_text(float, reading.number(0, expected="a non-negative number of seconds"))
number = reading.from_text(float, reading.number(0))


def flag(value: object) -> bool:
    """Parse a truth value: yes or no, on or off, true or false, 1 or 0."""
    text = str(value).lower()
    if text in {"1", "yes", "on", "true"}:
        return True
    if text in {"0", "no", "off", "false"}:
        return False
    raise ValueError(f"expected yes or no, not {value!r}")
