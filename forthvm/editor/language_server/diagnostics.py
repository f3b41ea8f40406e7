"""Findings of the checks as diagnostics of the protocol, and the code actions that fix them.

Owns the table of fixes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.check import CODES
from forthvm.syntax import Kind

from .documents import token_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from forthvm.check import Finding
    from forthvm.core.location import Location
    from forthvm.syntax import Token

    from .documents import Document

__all__ = ["diagnostics", "fixes", "location_range"]

_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
}
_UNNECESSARY = frozenset({"W402", "W403", "W501", "W804", "W805"})
"""Codes of findings about text without a use, which editors show faded."""
_MAX_SHOWN = 8


def location_range(document: Document, location: Location) -> lsp.Range:
    """Return the range of a location in a document."""
    start = document.offset_in_line(location.line - 1, location.column - 1)
    end = document.offset_in_line(location.line - 1, location.column - 1 + location.length)
    return document.range(start, end)


def diagnostics(document: Document, findings: Iterable[Finding]) -> list[lsp.Diagnostic]:
    """Return the diagnostics of a document; informational findings are left out."""
    found = []
    for finding in findings:
        severity = _SEVERITIES.get(finding.severity)
        is_unnecessary = finding.code in _UNNECESSARY
        if severity is None or finding.location is None:
            continue
        lines = [finding.message, *finding.hints]
        if finding.consequences:
            lines.append(f"consequences: {', '.join(finding.consequences[:_MAX_SHOWN])}")
        found.append(
            lsp.Diagnostic(
                range=location_range(document, finding.location),
                message="\n".join(lines),
                severity=lsp.DiagnosticSeverity.Hint if is_unnecessary else severity,
                code=finding.code,
                source="forthvm",
                tags=[lsp.DiagnosticTag.Unnecessary] if is_unnecessary else None,
            )
        )
    return found


# --- fixes -----------------------------------------------------------------------------


def fixes(document: Document, found: Iterable[lsp.Diagnostic]) -> list[lsp.CodeAction]:
    """Return the code actions for diagnostics whose codes have one fix."""
    actions = []
    for diagnostic in found:
        make = _FIXES.get(str(diagnostic.code))
        made = make(document, diagnostic) if make is not None else None
        if made is None:
            continue
        title, edit = made
        actions.append(
            lsp.CodeAction(
                title=title,
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[diagnostic],
                is_preferred=True,
                edit=lsp.WorkspaceEdit(changes={document.uri: [edit]}),
            )
        )
    return actions


_Fix = tuple[str, lsp.TextEdit]


def _first(pattern: str, diagnostic: lsp.Diagnostic) -> re.Match[str] | None:
    return re.search(pattern, diagnostic.message, re.MULTILINE)


def _similar_name(_: Document, diagnostic: lsp.Diagnostic) -> _Fix | None:
    """Replace an unknown name if exactly one name is similar."""
    match = _first(r"^did you mean `([^`\s]+)`\?$", diagnostic)
    if match is None:
        return None
    return f"Replace by `{match[1]}`", lsp.TextEdit(diagnostic.range, match[1])


def _missing_blank(document: Document, diagnostic: lsp.Diagnostic) -> _Fix | None:
    match = _first(r"^write `(.*)`$", diagnostic)
    start, end = _offsets(document, diagnostic)
    if match is None or match[1].replace(" ", "") != document.text[start:end]:
        return None
    return f"Write `{match[1]}`", lsp.TextEdit(diagnostic.range, match[1])


def _missing_end(document: Document, diagnostic: lsp.Diagnostic) -> _Fix | None:
    """Write `;` after the last word of a definition, or the end of a section after its last one."""
    match = _first(r"^its last word is `(\S+)`, in line (\d+): write `(\S+)` after it$", diagnostic)
    last = _last_in_line(document, int(match[2]), match[1]) if match is not None else None
    if match is None or last is None:
        return None
    position = document.position(last.end)
    part = "definition" if match[3] == ";" else "section"
    new = " ;" if match[3] == ";" else f"\n{match[3]}"
    return f"Write `{match[3]}` after the {part}", lsp.TextEdit(lsp.Range(position, position), new)


def _last_in_line(document: Document, line: int, text: str) -> Token | None:
    """Return the last token with a text in a line, counted from 1."""
    if line > len(document.source_starts):
        return None
    start, end = document.source_line(line - 1)
    found = (
        token
        for token in reversed(document.tokens)
        if start <= token.start < end and token.kind is not Kind.COMMENT and token.text == text
    )
    return next(found, None)


def _damaged_part(document: Document, diagnostic: lsp.Diagnostic) -> _Fix | None:
    """Write the end of a part, in place of a wrong one, or delete a word that stands twice."""
    match = _first(r"^write `(\S+)` in its place$", diagnostic)
    if match is not None:
        return f"Replace by `{match[1]}`", lsp.TextEdit(diagnostic.range, match[1])
    match = _first(r"^delete (?:one )?`(\S+)`$", diagnostic)
    if match is None:
        return _missing_end(document, diagnostic)
    start, end = _offsets(document, diagnostic)
    if document.text[start:end] != match[1]:
        return None
    end += document.text[end : end + 1] == " "
    return f"Delete `{match[1]}`", lsp.TextEdit(document.range(start, end), "")


def _no_break_space(document: Document, diagnostic: lsp.Diagnostic) -> _Fix | None:
    start, end = _offsets(document, diagnostic)
    text = document.text[start:end]
    if "\u00a0" not in text:
        return None
    edit = lsp.TextEdit(diagnostic.range, text.replace("\u00a0", " "))
    return "Replace the no-break space by a blank", edit


def _empty_comment(document: Document, diagnostic: lsp.Diagnostic) -> _Fix | None:
    """Delete `( )`, which is not an empty comment."""
    start, _ = _offsets(document, diagnostic)
    if document.text[start : start + 3] != "( )":
        return None
    return "Delete `( )`", lsp.TextEdit(document.range(start, start + 3), "")


def _comment_with_next_line(document: Document, diagnostic: lsp.Diagnostic) -> _Fix | None:
    r"""Write a word after a `\` that is alone at the end of a line."""
    start, _ = _offsets(document, diagnostic)
    if document.text[start : start + 2] != "\\\n":
        return None
    position = document.position(start + 1)
    edit = lsp.TextEdit(lsp.Range(position, position), " -")
    return "End the comment on its line", edit


def _switch_value(document: Document, diagnostic: lsp.Diagnostic) -> _Fix | None:
    """Replace `1 $switch !` by `TRUE $switch !`."""
    tokens = document.tokens
    start, _ = _offsets(document, diagnostic)
    index = next((n for n, token in enumerate(tokens) if token.start == start), 0)
    if not index or tokens[index - 1].kind is not Kind.NUMBER:
        return None
    before = tokens[index - 1]
    edit = lsp.TextEdit(document.range(before.start, before.end), "TRUE")
    return f"Replace `{before.text}` by `TRUE`", edit


def _builds(document: Document, diagnostic: lsp.Diagnostic) -> _Fix | None:
    start, _ = _offsets(document, diagnostic)
    token = token_at(document, start)
    if token is None or token.text != "CREATE":
        return None
    edit = lsp.TextEdit(document.range(token.start, token.end), "<BUILDS")
    return "Replace `CREATE` by `<BUILDS`", edit


def _offsets(document: Document, diagnostic: lsp.Diagnostic) -> tuple[int, int]:
    return document.offset(diagnostic.range.start), document.offset(diagnostic.range.end)


_FIXES: dict[str, Callable[[Document, lsp.Diagnostic], _Fix | None]] = {
    "E101": _similar_name,
    "E105": _missing_blank,
    "E106": _damaged_part,
    "E312": _damaged_part,
    "W309": _builds,
    "W310": _missing_end,
    "W410": _switch_value,
    "W601": _comment_with_next_line,
    "W602": _empty_comment,
    "W608": _no_break_space,
}
assert CODES.keys() >= _FIXES.keys()
