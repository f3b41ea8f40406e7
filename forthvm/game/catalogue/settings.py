"""Settings: the rule options that a script offers.

Owns the convention: a word named `option=value` selects that value when it is run, and a word
named `option=` takes a number.  The comment on the line of such a word is its help text.  The
value defined first is the default.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from forthvm.core.vm import VM

__all__ = ["Choice", "Setting", "find_settings", "setting_lines"]

_WORD = re.compile(r"(?P<name>[A-Za-z][^=]*)=(?P<value>[^=]*)")
_COMMENT = re.compile(r"\s\\\s+(?P<text>.+)$")


@dataclass(frozen=True)
class Choice:
    """A value of a setting, with its help text."""

    value: str
    help: str


@dataclass(frozen=True)
class Setting:
    """An option of a game.

    Attributes:
        name: Name of the setting in the script.
        choices: Values of the setting, the default first; empty if it takes a number.
        help: The meaning of the number; empty if there are choices.
    """

    name: str
    choices: tuple[Choice, ...]
    help: str

    @property
    def is_number(self) -> bool:
        """Whether the setting takes a number."""
        return not self.choices


def find_settings(vm: VM, words: Iterable[str]) -> dict[str, Setting]:
    """Return the settings among a script's words, which must be given oldest first."""
    choices: dict[str, dict[str, Choice]] = {}
    helps: dict[str, str] = {}
    for word in words:
        match = _WORD.fullmatch(word)
        if match is None:
            continue
        name, value = match["name"], match["value"]
        help_text = _comment(vm, word)
        choices.setdefault(name, {})
        if value:
            choices[name].setdefault(value, Choice(value, help_text))
        else:
            helps[name] = help_text
    return {
        name: Setting(name, tuple(values.values()), helps.get(name, ""))
        for name, values in choices.items()
        if bool(values) != (name in helps)  # a name with both forms of words is not a setting
    }


def setting_lines(settings: Mapping[str, Setting], values: Mapping[str, object]) -> str:
    """Return the lines of Forth that select the given values.

    Raises:
        SettingError: There is no such setting or value; the message lists what exists.
    """
    lines = []
    for name, value in values.items():
        setting = settings.get(name)
        if setting is None:
            raise SettingError(_unknown(name, settings))
        if setting.is_number:
            lines.append(f"{_number(name, value)} {name}=")
            continue
        text = {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
        known = [choice.value for choice in setting.choices]
        if text not in known:
            raise SettingError(f"{name} is one of {', '.join(known)}, not {text!r}")
        lines.append(f"{name}={text}")
    return "".join(f"{line}\n" for line in lines)


def _number(name: str, value: object) -> int:
    """Return the number that a setting takes."""
    try:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        number = int(value)
    except ValueError:
        raise SettingError(f"{name} takes an integer, not {value!r}") from None
    if not -(2**31) <= number < 2**31:
        raise SettingError(f"{name} does not take {number}: it does not fit into a cell")
    return number


def _unknown(name: str, settings: Mapping[str, Setting]) -> str:
    """Return the message for a setting that does not exist."""
    if not settings:
        return f"no setting `{name}`: this game has no settings"
    from forthvm.core.text.wording import close_names  # needed only after an error

    near = close_names(name, settings)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(settings)}"
    return f"no setting `{name}`: {hint}"


def _comment(vm: VM, word: str) -> str:
    """Return the comment on the line that defines a word."""
    location = vm.locate(word)
    match = _COMMENT.search(location.text) if location else None
    return match["text"].strip() if match else ""
