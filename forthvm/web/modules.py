"""The modules of a page, joined to one script, which browsers load at once.

Owns the folder of the pages and the joining.

The modules are joined without a parser of JavaScript, so they keep to a few forms: the only
statements with `import` are `import { a, b } from "./module.js";`, and `export` stands only before
`class`, `function`, `async function` and `const`, or in the line `export {};` of a module that has
only types.  Other forms, and modules that import each other in a cycle, are errors.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PAGE", "join_modules"]

PAGE = Path(__file__).parent / "page"

_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(\.\.?/[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?=(?:class|const|(?:async )?function)\s+(?P<name>[\w$]+))", re.MULTILINE
)
_NO_EXPORT = re.compile(r"^export \{\};$", re.MULTILINE)
_OTHER_FORM = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def join_modules(entry: Path, replace: Mapping[str, Path] | None = None) -> str:
    """Return one script that does the same as a module together with the modules that it imports.

    Args:
        entry: The module that runs last.
        replace: Modules to be used in place of imported modules, by file name.

    Raises:
        ValueError: A module has a form that cannot be joined, or imports itself.
    """
    return _Joiner(replace or {}).joined(entry)


class _Joiner:
    """Converts modules, each after those that it imports."""

    def __init__(self, replace: Mapping[str, Path]) -> None:
        self._replace = replace
        self._names: dict[Path, str] = {}  # the constant with the exports of each module
        self._open: list[Path] = []  # the modules being converted, each imported by the one before
        self._parts = ['"use strict";\n']

    def joined(self, entry: Path) -> str:
        """Return the script, which exports what the entry exports."""
        body, exports = self._converted(entry.resolve())
        exported = f"export {{ {', '.join(exports)} }};\n" if exports else ""
        return "".join([*self._parts, body, exported])

    def _converted(self, path: Path) -> tuple[str, list[str]]:
        """Return the code of a module and the names that it exports; first add its imports."""
        if path in self._open:
            cycle = " imports ".join(module.name for module in [*self._open, path])
            raise ValueError(f"modules import each other: {cycle}")
        self._open.append(path)
        text = path.read_text(encoding="utf-8")
        text = _IMPORT.sub(lambda found: self._import(path, found[1], found[2]), text)
        exports = [found["name"] for found in _EXPORT.finditer(text)]
        text = _NO_EXPORT.sub("", _EXPORT.sub("", text))
        if other := _OTHER_FORM.search(text):
            raise ValueError(f"{path.name}: cannot join `{other[0]}`")
        self._open.pop()
        return text, exports

    def _import(self, importer: Path, names: str, source: str) -> str:
        """Return the declaration in place of an import."""
        path = (importer.parent / source).resolve()
        path = self._replace.get(path.name, path).resolve()
        if path not in self._names:
            body, exports = self._converted(path)
            self._names[path] = f"module{len(self._names)}"
            exported = ", ".join(exports)
            self._parts.append(
                f"const {self._names[path]} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"
            )
        return f"const {{{names.replace(' as ', ': ')}}} = {self._names[path]};\n"
