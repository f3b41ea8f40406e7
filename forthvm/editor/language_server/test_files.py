"""Files with tests (`.test`, `.perft`): which documents they are, and their findings.

Owns the diagnostics of both formats, which the reader of `forthvm test` makes.  It must not know
how tests run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.testing.reader import read_text

from .diagnostics import location_range

if TYPE_CHECKING:
    from forthvm.core.errors import ForthVMError

    from .documents import Document

__all__ = ["test_file_diagnostics"]


def test_file_diagnostics(document: Document) -> list[lsp.Diagnostic]:
    """Return the errors that `forthvm test` finds when it reads the text."""
    errors: list[ForthVMError] = []
    read_text(document.path, document.text, errors.append)
    return [_diagnostic(document, error) for error in errors]


def _diagnostic(document: Document, error: ForthVMError) -> lsp.Diagnostic:
    place = error.location
    start = lsp.Position(0, 0)
    found = location_range(document, place) if place else lsp.Range(start, start)
    message = "\n".join([error.message, *error.hints])
    return lsp.Diagnostic(found, message, lsp.DiagnosticSeverity.Error, source="forthvm")
