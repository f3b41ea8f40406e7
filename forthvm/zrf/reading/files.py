"""Reads a rule file with the files that it includes, and collects the definitions of macros.

Owns the search for included files and the top level of a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ScriptFileError
from forthvm.core.loading.files import Roots, find_file
from forthvm.core.text.advice import advice
from forthvm.zrf.reading.forms import Form, Warnings, error_at
from forthvm.zrf.reading.macros import Expander, Macro
from forthvm.zrf.reading.nodes import Atom, ListNode, parse_nodes
from forthvm.zrf.reading.text import RuleText
from forthvm.zrf.source import MissingFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.zrf.source import Origin

__all__ = ["FileContents", "Inclusion", "read_contents"]

_MAX_INCLUSIONS = 100
_MAX_CHARACTERS = 16 * 1024 * 1024


Inclusion = tuple[str, "Path", "Origin"]


class FileContents:
    """What a rule file and its included files contain on the top level.

    Attributes:
        texts: The texts, by name in messages; the main file first.
        forms: The forms in order, without definitions and inclusions.
        expander: Reads lists with the macros of all files.
        inclusions: The inclusions: the name of the file as written, its path, and the place.
    """

    def __init__(
        self,
        texts: dict[str, RuleText],
        forms: list[Form],
        expander: Expander,
        inclusions: list[Inclusion],
    ) -> None:
        self.texts = texts
        self.forms = forms
        self.expander = expander
        self.inclusions = inclusions


def read_contents(
    main: RuleText, folders: Sequence[Path | str], warnings: Warnings
) -> FileContents:
    """Read the top level of a rule file and of the files that it includes.

    Args:
        main: The main file; included files are searched beside it.
        folders: Other folders below which files may be included.
        warnings: Receives what can be ignored.

    Raises:
        RuleFileError: A file is broken or cannot be found.
        ScriptFileError: An included file cannot be read.
    """
    reader = _Reader(main, folders, warnings)
    reader.read(main)
    expander = Expander(reader.macros)
    forms = expander.forms(reader.nodes, None)
    return FileContents(reader.texts, forms, expander, reader.inclusions)


class _Reader:
    def __init__(self, main: RuleText, folders: Iterable[Path | str], warnings: Warnings) -> None:
        self.texts = {main.name: main}
        self.nodes: list[Atom | ListNode] = []
        self.macros: dict[str, Macro] = {}
        self.inclusions: list[Inclusion] = []
        self._warnings = warnings
        self._folders = [Path(folder) for folder in folders]
        beside = [main.path.parent] if main.path else []
        self._roots = Roots([*beside, *self._folders])
        self._open: list[RuleText] = []
        self._characters = len(main.text)

    def read(self, text: RuleText) -> None:
        self._open.append(text)
        for node in parse_nodes(text):
            head = node.head.text if isinstance(node, ListNode) and node.head else ""
            if head == "define":
                self._define(node)
            elif head == "include":
                self._include(node)
            else:
                self.nodes.append(node)
        self._open.pop()

    def _define(self, node: Atom | ListNode) -> None:
        assert isinstance(node, ListNode)
        name = node.items[1] if len(node.items) > 1 else None
        if not isinstance(name, Atom) or name.quoted:
            raise error_at(
                Form(node, None, None),
                "a definition without a name",
                "write (define NAME instructions …)",
            )
        if name.text in self.macros:
            self._warnings.add(
                f"the macro `{name.text}` is defined again; the later definition is used",
                Form(node, None, None),
            )
        self.macros[name.text] = Macro(name.text, node.items[2:])

    def _include(self, node: Atom | ListNode) -> None:
        assert isinstance(node, ListNode)
        form = Form(node, None, None)
        name = node.items[1] if len(node.items) > 1 else None
        if not isinstance(name, Atom):
            raise error_at(form, "`include` without a file", 'write (include "FILE")')
        text = self._find(form, name.text)
        if any(text.path == other.path for other in self._open):
            raise error_at(form, f"the file `{name.text}` includes itself")
        if text.path is not None:
            self.inclusions.append((name.text, text.path, form.origin))
        self._characters += len(text.text)
        if len(self.inclusions) > _MAX_INCLUSIONS:
            raise error_at(form, f"more than {_MAX_INCLUSIONS} inclusions of files")
        if self._characters > _MAX_CHARACTERS:
            raise error_at(form, f"the files have more than {_MAX_CHARACTERS:,} characters")
        self.texts[text.name] = text
        self.read(text)

    def _find(self, form: Form, name: str) -> RuleText:
        own = self._open[-1].path
        folders = [*([own.parent] if own else []), *self._folders]
        try:
            path = find_file(name.encode(errors="replace"), folders, self._roots)
        except ScriptFileError as error:
            raise error_at(form, error.short_message()) from error
        if path is None:
            raise error_at(
                form,
                f"the included file `{name}` does not exist",
                f"put it beside {self._open[-1].name}; or allow another folder with "
                + advice(python="include=[DIR]", command_line="--include DIR"),
                kind=MissingFileError,
            )
        return RuleText.read(path, self._roots)
