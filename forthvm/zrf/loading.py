"""Loads a rule file: reads it, chooses a variant, compiles it.

Owns what a game keeps of its rule file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.loading.source import MacroCall
from forthvm.zrf.choice_settings import read_choices
from forthvm.zrf.compiler.compile import compile_rules
from forthvm.zrf.plugin import find_plugin_script
from forthvm.zrf.rule_file import RuleFile, read_rule_file, uncollected
from forthvm.zrf.source import RuleFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from forthvm.core.location import Location
    from forthvm.zrf.compiler.script import Script
    from forthvm.zrf.rules import Rules
    from forthvm.zrf.source import RuleWarning

__all__ = ["CompiledRules", "compile_file"]


_TOKEN = re.compile(r"\(?[^\s()]+")  # a name, or the beginning of a form


@dataclass(frozen=True)
class CompiledRules:
    """A game or variant of a rule file, and its script.

    Attributes:
        file: The rule file.
        rules: The rules of the game or variant.
        script: The script that the rules were compiled to; None if an engine has the rules.
        plugin_script: The script of the engine that the rule file names; None without an engine.
    """

    file: RuleFile
    rules: Rules
    script: Script | None
    plugin_script: Path | None = None

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the games and variants in the rule file."""
        return self.file.titles

    @property
    def title(self) -> str:
        """The title of the game or variant."""
        return " ".join(self.rules.title.split())

    @property
    def warnings(self) -> tuple[RuleWarning, ...]:
        """What was ignored or read leniently."""
        return tuple(dict.fromkeys([*self.file.warnings, *self.rules.warnings]))

    @property
    def summary(self) -> str:
        """The beginning of the description."""
        text = " ".join(self.rules.texts.get("description", "").replace("\\", " ").split())
        return text.partition(". ")[0]

    @property
    def sources(self) -> Mapping[str, str]:
        """The texts of the rule file and of the files that it includes, by name in messages."""
        return self.file.sources

    @property
    def paths(self) -> Mapping[str, Path]:
        """The paths of the rule file and of the files that it includes, by name in messages."""
        return self.file.paths

    def locate(self, offset: int) -> Location | None:
        """Return the place in the rule file of an offset in the script, None without one."""
        origin = self.script.origin_at(offset) if self.script is not None else None
        if origin is None:
            return None
        location = self.file.location(origin.place)
        token = _TOKEN.match(location.text, location.column - 1)
        return location.replace(length=len(token[0])) if token is not None else location

    def locate_section(self, offset: int) -> Location:
        """Return the place of the section of the rule file that an offset in the script is from."""
        origin = self.script.section_at(offset) if self.script is not None else None
        return self.file.start if origin is None else self.file.location(origin.place)

    def macro_calls(self, offset: int) -> list[MacroCall]:
        """Return the macro calls that led to an offset in the script, innermost first."""
        origin = self.script.origin_at(offset) if self.script is not None else None
        found: list[MacroCall] = []
        if origin is not None:
            inside = origin.place
            for macro, at in origin.calls:
                places = (at.line, at.column), (inside.line, inside.column)
                found.append(MacroCall(macro, at.file, *places))
                inside = at
        return found


def compile_file(
    path: Path,
    variant: str | int | None = None,
    settings: Mapping[str, str] | None = None,
    bundled: Callable[[str], Path | None] | None = None,
    include: Sequence[Path] = (),
) -> CompiledRules:
    """Read and compile a game or variant of a rule file.

    Args:
        path: The rule file.
        variant: Title or index of the game or variant; None: the default.
        settings: Choices that differ from the defaults (choice_settings.py); those of an engine's
            script are ignored.
        bundled: Returns the bundled script for a title, for files that name a missing engine.
        include: Other folders below which files may be included.

    Raises:
        SettingError: There is no such choice or value.
        RuleFileError: The file is broken, or has no such variant.
        ScriptFileError: The file cannot be read.
    """
    with uncollected():
        file = read_rule_file(path, include=include)
        return _compile(file, path, variant, settings or {}, bundled)


def _compile(
    file: RuleFile,
    path: Path,
    variant: str | int | None,
    settings: Mapping[str, str],
    bundled: Callable[[str], Path | None] | None,
) -> CompiledRules:
    rules = file.rules(variant)
    if rules.engine:
        found = find_plugin_script(rules, path, file.titles, bundled)
        return CompiledRules(file, rules, None, found)
    choices = read_choices(settings)
    if settings:
        rules = file.rules(variant, choices)
    for what, names in (("pieces", rules.pieces), ("positions", rules.board.positions)):
        if not names:
            raise RuleFileError(f"the game `{rules.title}` has no {what}", location=file.start)
    return CompiledRules(file, rules, compile_rules(rules, choices))
