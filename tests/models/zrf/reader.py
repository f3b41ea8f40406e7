"""Text of a rule file -> its top-level forms with all macros expanded.

Owns sections 1 and 1.1 of the contract: tokens, includes, macros.  A form is an atom (`str`), a
string (`Text`) or a list of forms.

Numbers in comments are the contract's statements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

__all__ = ["Form", "ReadError", "Text", "expanded", "parse", "read"]

_DEPTH: Final = 100  # 14
_TOKEN: Final = re.compile(r'\s+|;[^\n]*|"(?P<text>[^"]*)"|(?P<paren>[()])|(?P<atom>[^\s()";]+)')
_ARGUMENT: Final = re.compile(r"\$(\d+)")  # 11: `$10` is ten


class ReadError(ValueError):
    """The file is no list of balanced forms, or a macro calls itself."""


class Text(str):
    """A string in quotation marks."""

    __slots__ = ()


Form: TypeAlias = Any
"""An atom (`str`), a string (`Text`) or a list of forms."""
_Macros: TypeAlias = Mapping[str, "list[Form]"]
_Arguments: TypeAlias = Mapping[int, "list[Form]"]


def read(path: Path) -> list[Form]:
    """The top-level forms of a file and of the files that it includes, macros expanded."""
    return expanded(_included(path))


def _included(path: Path) -> list[Form]:
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # 6
    forms: list[Form] = []
    for form in parse(text):
        if isinstance(form, list) and form and form[0] == "include":  # 9
            forms += _included(_same_name(path.parent, str(form[1])))
        else:
            forms.append(form)
    return forms


def _same_name(folder: Path, name: str) -> Path:
    """The file with this name, without regard to case (5)."""
    path = folder
    for part in re.split(r"[/\\]+", name):
        found = [child for child in path.iterdir() if child.name.lower() == part.lower()]
        path = found[0] if found else path / part
    return path


def parse(text: str) -> list[Form]:
    """The forms of a text (1-4), macros untouched.

    Raises:
        ReadError: If parentheses or quotation marks are not balanced.
    """
    open_lists: list[list[Form]] = [[]]
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise ReadError(f"a string without an end at character {at}")
        at = token.end()
        if token["text"] is not None:
            open_lists[-1].append(Text(token["text"]))
        elif token["atom"] is not None:
            open_lists[-1].append(token["atom"])
        elif token["paren"] == "(":
            new: list[Form] = []
            open_lists[-1].append(new)
            open_lists.append(new)
        elif token["paren"] == ")":
            open_lists.pop()
            if not open_lists:
                raise ReadError(f"a closing parenthesis too many at character {at}")
    if len(open_lists) > 1:
        raise ReadError("a closing parenthesis is missing at the end of the file")
    return open_lists[0]


def expanded(forms: list[Form]) -> list[Form]:
    """All forms but the definitions, with every macro call replaced by the macro's body (10-16)."""
    macros: dict[str, list[Form]] = {}
    others: list[Form] = []
    for form in forms:
        if isinstance(form, list) and len(form) > 1 and form[0] == "define":
            macros[str(form[1])] = form[2:]  # 15: the later definition wins
        else:
            others.append(form)
    return _expand(others, {}, macros, 0)


def _expand(forms: list[Form], arguments: _Arguments, macros: _Macros, depth: int) -> list[Form]:
    if depth > _DEPTH:
        raise ReadError(f"macros call each other more than {_DEPTH} deep")
    result: list[Form] = []
    for form in forms:
        if not isinstance(form, list):
            result += _substituted(form, arguments)
        elif (name := _head(form, arguments)) in macros:
            called = dict(arguments)  # 13: what the call lacks is inherited
            for number, argument in enumerate(form[1:], start=1):
                called[number] = _expand([argument], arguments, macros, depth + 1)
            result += _expand(macros[name], called, macros, depth + 1)
        else:
            result.append(_expand(form, arguments, macros, depth))
    return result


def _head(form: list[Form], arguments: _Arguments) -> str:
    """The name that a list begins with; 14: it may be built by substitution."""
    if not form or isinstance(form[0], list | Text):
        return ""
    names = _substituted(form[0], arguments)
    return names[0] if names and isinstance(names[0], str) else ""


def _substituted(atom: str, arguments: _Arguments) -> list[Form]:
    """An atom or string with its arguments put in (11); what is missing vanishes (13)."""
    if isinstance(atom, Text):
        return [Text(_ARGUMENT.sub(lambda number: _as_text(number, arguments), atom))]
    if whole := _ARGUMENT.fullmatch(atom):
        return list(arguments.get(int(whole[1]), []))
    name = _ARGUMENT.sub(lambda number: _as_text(number, arguments), atom)
    return [name] if name else []


def _as_text(number: re.Match[str], arguments: _Arguments) -> str:
    return "".join(str(form) for form in arguments.get(int(number[1]), []))
