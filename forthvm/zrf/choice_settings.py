"""Reads choices for a rule file from the settings of a game (`--set NAME=VALUE`).

Owns the texts of the values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from forthvm.core.errors import SettingError
from forthvm.core.errors.report import suggest
from forthvm.zrf.choices import Choices

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CHOICES", "read_choices"]

CHOICES = {name.replace("_", "-"): name for name in vars(Choices())}
"""The fields of choices by the names of settings."""

_ON_OFF = {"on": True, "off": False}


def read_choices(settings: Mapping[str, str]) -> Choices:
    """Return the choices that settings state, by the names of the fields with hyphens.

    A switch is on or off; an order is a list with commas.

    Raises:
        SettingError: There is no such choice or value; the message lists what exists.
    """
    values: dict[str, Any] = {}
    for name, text in settings.items():
        if name not in CHOICES:
            hint = suggest(name, CHOICES) or f"there are {', '.join(CHOICES)}"
            raise SettingError(f"no setting `{name}` of rule files: {hint}")
        values[CHOICES[name]] = _value(name, CHOICES[name], text)
    return Choices(**values)


def _value(name: str, field: str, text: str) -> object:
    default = vars(Choices())[field]
    if isinstance(default, bool):
        return _ON_OFF[_one_of(name, text, _ON_OFF)]
    if isinstance(default, int):
        if not text.isdecimal() or not 0 < int(text) < 1000:  # any limit
            raise SettingError(f"{name} takes an integer from 1 to 999, not {text!r}")
        return int(text)
    if isinstance(default, tuple):
        items = tuple(item.strip() for item in text.split(","))
        if sorted(items) != sorted(default):
            raise SettingError(f"{name} takes {','.join(default)} in any order, not {text!r}")
        return items
    return _one_of(name, text, get_args(Choices.__annotations__[field]))


def _one_of(name: str, text: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    if text not in known:
        raise SettingError(f"{name} is one of {', '.join(known)}, not {text!r}")
    return text
