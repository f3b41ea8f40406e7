"""Puts a page and its data into a single HTML file, which needs no server.

Owns the joining of the page's modules to one script, the embedding of data, and the content
security policy of the file.

The modules are joined without a parser of JavaScript, so they keep to a few forms: the only
statements with `import` are `import { a, b } from "./module.js";`, and `export` stands only before
`class`, `function`, `async function` and `const`.  Other forms, and modules that import each other
in a cycle, are errors.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PAGE", "join_modules", "single_file"]

PAGE = Path(__file__).parents[1] / "page"

_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(\.\.?/[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?=(?:class|const|(?:async )?function)\s+(?P<name>[\w$]+))", re.MULTILINE
)
_OTHER_FORM = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_STYLE = re.compile(r'<link rel="stylesheet" href="/page/([\w.-]+)">')
_SCRIPT = re.compile(r'<script type="module" src="/page/([\w.-]+)"></script>')
_ENDS_SCRIPT = re.compile(r"</script|<!--", re.IGNORECASE)


def single_file(
    page: str,
    data: Mapping[str, object],
    *,
    title: str = "",
    modules: Mapping[str, Path] | None = None,
    policy: Mapping[str, str] | None = None,
) -> str:
    """Return an HTML document that contains a page, its modules, its style sheets and data.

    Args:
        page: The name of an HTML file in `PAGE`.
        data: JSON values by key; the page finds them in `<script type="application/json" id=KEY>`.
        title: The title of the document until the page sets another one.
        modules: Modules to be used in place of modules of `PAGE`, by name.
        policy: Sources to be added to the content security policy, by directive.

    Raises:
        ValueError: The page or a module has a form that cannot be embedded.
    """
    document = (PAGE / page).read_text(encoding="utf-8")
    styles = [(PAGE / name).read_text(encoding="utf-8") for name in _STYLE.findall(document)]
    named = _SCRIPT.search(document)
    if named is None or "<head>" not in document or "</body>" not in document:
        raise ValueError(f"{page} has no head, body or script")
    script = join_modules(PAGE / named[1], modules)
    if found := _ENDS_SCRIPT.search(script):
        raise ValueError(f"a module of {page} contains {found[0]}, which ends a script in HTML")
    sources = {
        "default-src": "'none'",
        "script-src": _hash_of(script),
        "style-src": " ".join(map(_hash_of, styles)),
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    for directive, more in (policy or {}).items():
        sources[directive] = f"{sources.get(directive, '')} {more}".strip()
    content = "; ".join(f"{directive} {source}" for directive, source in sources.items())
    meta = f'<meta http-equiv="Content-Security-Policy" content="{content}">'
    blocks = [
        f'<script type="application/json" id="{escape(key)}">{_json(value)}</script>'
        for key, value in data.items()
    ]
    texts = iter(styles)
    document = _STYLE.sub(lambda _: f"<style>{next(texts)}</style>", document)
    document = _SCRIPT.sub("", document)
    document = document.replace("<head>", f"<head>\n  {meta}", 1)
    if title:
        shown = f"<title>{escape(title)}</title>"
        document = re.sub(r"<title>.*?</title>", lambda _: shown, document, count=1)
    last = "\n".join([*blocks, f'<script type="module">{script}</script>', "</body>"])
    return last.join(document.rsplit("</body>", 1))


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
        """Return the script."""
        body, _ = self._converted(entry.resolve())
        return "".join([*self._parts, body])

    def _converted(self, path: Path) -> tuple[str, list[str]]:
        """Return the code of a module and the names that it exports; first add its imports."""
        if path in self._open:
            cycle = " imports ".join(module.name for module in [*self._open, path])
            raise ValueError(f"modules import each other: {cycle}")
        self._open.append(path)
        text = path.read_text(encoding="utf-8")
        text = _IMPORT.sub(lambda found: self._import(path, found[1], found[2]), text)
        exports = [found["name"] for found in _EXPORT.finditer(text)]
        text = _EXPORT.sub("", text)
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


def _hash_of(text: str) -> str:
    """Return the source expression of an inline script or style sheet."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _json(value: object) -> str:
    """Return a JSON text that can stand in a script element: without `<`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
