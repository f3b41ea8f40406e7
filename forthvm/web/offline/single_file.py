"""Puts a page and its data into a single HTML file, which needs no server.

Owns the embedding of scripts and data, and the content security policy of the file.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from forthvm.web.modules import PAGE, join_modules

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["single_file"]

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


def _hash_of(text: str) -> str:
    """Return the source expression of an inline script or style sheet."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _json(value: object) -> str:
    """Return a JSON text that can stand in a script element: without `<`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
