"""Writes results as JUnit XML, which CI services read.

Owns the format.  Only elements and attributes of the schema of Jenkins are used, which is stricter
than the others: it knows no `file` or `line` of a test, so that the text of a failure names them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from forthvm.core.text.visible import visible_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.testing.runner import Result

__all__ = ["junit_xml"]

_TAGS = {"failed": "failure", "error": "error", "skipped": "skipped"}


def junit_xml(results: Sequence[Result]) -> bytes:
    """Return the document, which has a test suite for each file."""
    root = ET.Element("testsuites")
    for path in dict.fromkeys(result.case.path for result in results):
        own = [result for result in results if result.case.path == path]
        suite = ET.SubElement(
            root,
            "testsuite",
            name=_visible(path),
            file=_visible(path),
            tests=str(len(own)),
            failures=str(sum(result.outcome == "failed" for result in own)),
            errors=str(sum(result.outcome == "error" for result in own)),
            skipped=str(sum(result.outcome == "skipped" for result in own)),
            time=f"{sum(result.seconds for result in own):.3f}",
        )
        for result in own:
            case = ET.SubElement(
                suite,
                "testcase",
                classname=_visible(path.with_suffix("")),
                name=_visible(result.case.name),
                time=f"{result.seconds:.3f}",
            )
            if result.outcome in _TAGS:
                reason = ET.SubElement(
                    case, _TAGS[result.outcome], message=_visible(result.message)
                )
                reason.text = result.error.report() if result.error else _visible(result.reason)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _visible(text: object) -> str:
    """Return a text without the control characters that XML does not allow."""
    return visible_lines(str(text))
