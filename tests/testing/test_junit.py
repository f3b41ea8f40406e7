"""Results as JUnit XML are valid by the schema that CI services use.

The schema `junit-10.xsd` is that of the xUnit plug-in of Jenkins; its license (MIT) stands in it.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from forthvm.cli.app import main
from tests.kit.boards import grid
from tests.kit.processes import run
from tests.systems import ODD_CHARACTERS

SCHEMA = Path(__file__).with_name("junit-10.xsd")
_XS = "{http://www.w3.org/2001/XMLSchema}"

GAME = grid(2, 1, players="A B")
GAME += """\
: put ( -- ) empty? verify here 1 = IF 1 0 / DROP ENDIF drop add-move ;
{moves puts {move} put moves}
{pieces {piece} man {drops} puts pieces}
"""
TESTS = """\
game game.4th
test <passes> & "quotes"
\tturn B
test the script fails \x07\ufffe\uffff
\tmoves 2
test the expectation fails \U0001f600
\texpect turn B
"""


class Schema:
    """The rules of a schema for elements, their attributes and the elements in them.

    The order and the number of the elements are not checked, which this schema leaves open.
    """

    def __init__(self, path: Path) -> None:
        root = ET.parse(path).getroot()
        self._elements = {one.get("name", ""): one for one in root.findall(f"{_XS}element")}
        self._patterns = {
            kind.get("name"): pattern.get("value", "")
            for kind in root.findall(f"{_XS}simpleType")
            for pattern in kind.iter(f"{_XS}pattern")
        }

    def errors(self, element: ET.Element) -> list[str]:
        """Return what is wrong in an element and in those that it contains."""
        rule = self._elements.get(element.tag)
        if rule is None:
            return [f"unknown element {element.tag}"]
        attributes = {one.get("name", ""): one for one in rule.iter(f"{_XS}attribute")}
        allowed = {one.get("ref") for one in rule.iter(f"{_XS}element")}
        mixed = any(one.get("mixed") == "true" for one in rule.iter(f"{_XS}complexType"))
        found = [
            f"{element.tag} has the attribute {name}"
            for name in element.attrib
            if name not in attributes
        ]
        found += [
            f"{element.tag} without {name}"
            for name, one in attributes.items()
            if one.get("use") == "required" and name not in element.attrib
        ]
        for name in attributes.keys() & element.attrib.keys():
            pattern = self._patterns.get(attributes[name].get("type"), ".*")
            if not re.fullmatch(pattern, element.attrib[name], re.DOTALL):
                found.append(f"{name}={element.attrib[name]!r}")
        if not mixed and (element.text or "").strip():
            found.append(f"{element.tag} contains text")
        for child in element:
            if child.tag not in allowed:
                found.append(f"{child.tag} in {element.tag}")
            found += self.errors(child)
        return found


@pytest.fixture
def document(tmp_path: Path) -> Path:
    """The results of tests that pass, fail, cannot be run, are skipped, and cannot be read."""
    (tmp_path / "game.4th").write_text(GAME)
    (tmp_path / f"&{ODD_CHARACTERS}.test").write_text(TESTS, encoding="utf-8")
    (tmp_path / "game.perft").write_text("1 2 two squares\n1 9000000 too large\n")
    (tmp_path / "wrong.test").write_text("game game.4th\nnonsense\n")
    assert main(["test", "--junit", "results.xml"]) == 1
    return tmp_path / "results.xml"


def test_documents_are_valid(document: Path) -> None:
    root = ET.parse(document).getroot()
    assert Schema(SCHEMA).errors(root) == []
    outcomes = [child.tag for case in root.iter("testcase") for child in case]
    assert sorted(outcomes) == ["error", "error", "error", "failure", "skipped"]
    for suite in root:
        for outcome, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert suite.get(outcome) == str(len(list(suite.iter(tag))))
        assert suite.get("tests") == str(len(suite))


def test_documents_have_only_characters_of_xml(document: Path) -> None:
    """The parser of Python accepts characters that XML excludes."""
    text = document.read_text(encoding="utf-8")
    assert re.sub("[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text) == ""
    assert r"the script fails \x07\ufffe\uffff" in text


def test_xmllint_agrees(document: Path) -> None:
    if shutil.which("xmllint") is None:
        pytest.skip("xmllint is absent")
    done = run("xmllint", "--noout", "--schema", SCHEMA, document)
    assert (done.returncode, done.stderr) == (0, f"{document} validates\n")


def test_the_schema_finds_errors() -> None:
    wrong = """<testsuites><testsuite name="a" tests="1" errors="0" time="soon"><testcase name="b"
        line="1"><reason/></testcase>text</testsuite></testsuites>"""
    assert Schema(SCHEMA).errors(ET.fromstring(wrong)) == [
        "testsuite without failures",
        "time='soon'",
        "testcase has the attribute line",
        "reason in testcase",
        "unknown element reason",
    ]
