"""The options with which a game is loaded, among them the rule options that its script offers.

Owns the fields of the options, and the convention for settings: a word named `option=value` selects
that value when it is run, and a word named `option=` takes a number.  The comment on the line of
such a word is its help text.  The value defined first is the default.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import NoReturn

    from forthvm.core.budget import Budget
    from forthvm.core.vm import VM

__all__ = ["ON_SHOW", "Choice", "LoadOptions", "Setting", "find_settings", "setting_lines"]

ON_SHOW = "OnShow"
"""The setting of every game that says who sees which pieces (shown.py)."""


_WORD = r"(?P<name>[A-Za-z][^=]*)=(?P<value>[^=]*)"
_COMMENT = r"\s\\\s+(?P<text>.+)$"


class LoadOptions(Record):
    """The options with which a game was loaded: the arguments of `load`, with absolute paths.

    Attributes:
        name: Name of the game.
        path: Path of the main script or the rule file.
        library: `axiom`, or a folder with a user's own library.
    """

    name: str
    path: Path
    library: str | Path = "axiom"
    axiom: int | str | None = None
    seed: int | None = None
    clock: int | None = None
    checked: bool = False
    budget: Budget | None = None
    settings: tuple[tuple[str, str], ...] = ()
    include: tuple[Path, ...] = ()
    game_log: Path | None = None
    variant: str | int | None = None

    @property
    def rule_settings(self) -> dict[str, str]:
        """The settings that the script or the rule file offers: all but OnShow."""
        return {name: value for name, value in self.settings if name != ON_SHOW}

    @property
    def on_show(self) -> str:
        """The value of the setting OnShow; empty if it is not given."""
        return dict(self.settings).get(ON_SHOW, "")

    @property
    def system_time(self) -> int:
        """The value of SYSTEM-TIME: games do not depend on the time at which they are played."""
        return self.clock if self.clock is not None else self.seed or 0


class Choice(Record):
    """A value of a setting, with its help text."""

    value: str
    help: str


class Setting(Record):
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


def find_settings(vm: VM, library_end: int) -> dict[str, Setting]:
    """Return the settings among the words that are newer than the library's, the oldest first."""
    words = []
    nfa = vm.native.latest()
    while nfa > library_end:
        words.append(vm.native.name(nfa))
        nfa = vm.native.previous(nfa)
    choices: dict[str, dict[str, Choice]] = {}
    helps: dict[str, str] = {}
    for word in reversed(words):
        match = re.fullmatch(_WORD, word)
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
            _refuse(_unknown(name, settings))
        if setting.is_number:
            lines.append(f"{_number(name, value)} {name}=")
            continue
        text = {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
        known = [choice.value for choice in setting.choices]
        if text not in known:
            _refuse(f"{name} is one of {', '.join(known)}, not {text!r}")
        lines.append(f"{name}={text}")
    return "".join(f"{line}\n" for line in lines)


def _number(name: str, value: object) -> int:
    """Return the number that a setting takes."""
    try:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        number = int(value)
    except ValueError:
        _refuse(f"{name} takes an integer, not {value!r}")
    if not -(2**31) <= number < 2**31:
        _refuse(f"{name} does not take {number}: it does not fit into a cell")
    return number


def _refuse(reason: str) -> NoReturn:
    from forthvm.core.errors import SettingError  # needed only after an error

    raise SettingError(reason) from None


def _unknown(name: str, settings: Mapping[str, Setting]) -> str:
    """Return the message for a setting that does not exist."""
    from forthvm.zrf.choice_settings import CHOICES

    if name in CHOICES:
        return f"no setting `{name}`: only rule files (.zrf) have it"
    if not settings:
        return f"no setting `{name}`: this game has no settings"
    from forthvm.core.text.wording import close_names  # needed only after an error

    near = close_names(name, settings)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(settings)}"
    return f"no setting `{name}`: {hint}"


def _comment(vm: VM, word: str) -> str:
    """Return the comment on the line that defines a word."""
    location = vm.locate(word)
    match = re.search(_COMMENT, location.text) if location else None
    return match["text"].strip() if match else ""
