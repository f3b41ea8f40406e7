"""Files with tests (`.test`, `.perft`): which documents they are, and their findings.

Owns the diagnostics of both formats, which the reader of `forthvm test` makes.  It must not know
how tests run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.core.errors import ForthVMError
from forthvm.testing.reader import read_counts, read_tests

from .diagnostics import location_range

if TYPE_CHECKING:
    from .documents import Document

__all__ = ["test_file_diagnostics"]


def test_file_diagnostics(document: Document) -> list[lsp.Diagnostic]:
    """Return the error that `forthvm test` finds when it reads the text, if there is one."""
    read = read_counts if document.path.suffix.lower() == ".perft" else read_tests
    try:
        read(document.path, document.text)
    except ForthVMError as error:
        place = error.location
        start = lsp.Position(0, 0)
        found = location_range(document, place) if place else lsp.Range(start, start)
        message = "\n".join([error.message, *error.hints])
        severity = lsp.DiagnosticSeverity.Error
        return [lsp.Diagnostic(found, message, severity, source="forthvm")]
    return []
