"""Diagnostics of the bundled scripts, complete and cut off at any place."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.loading.files import replaced_contents
from forthvm.editor.language_server import rule_files
from forthvm.editor.language_server.addresses import uri_of
from forthvm.editor.language_server.diagnostics import diagnostics
from forthvm.editor.language_server.documents import Document
from forthvm.editor.language_server.scripts import analyse, choose_script
from forthvm.editor.language_server.workspace import Workspace

ROOT = Path(__file__).parents[3]
SCRIPTS = sorted((ROOT / "scripts").glob("*/*.4th"))
RULE_FILES = sorted([*(ROOT / "scripts").glob("*/*.zrf"), *(ROOT / "tests").rglob("*.zrf")])
NAMES = ("E101", "E105")


def codes_and_texts(path: Path, text: str) -> list[tuple[str, str, int]]:
    """Return code, underlined text and its end offset of each diagnostic of a text."""
    document = Document(uri_of(path), path, text)
    with replaced_contents({path: document.data}):
        analysis = analyse(choose_script(path))
    if analysis is None:
        return []
    found = []
    for diagnostic in diagnostics(document, analysis.findings_in(path)):
        start = document.offset(diagnostic.range.start)
        end = document.offset(diagnostic.range.end)
        found.append((str(diagnostic.code), text[start:end], end))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_bundled_scripts_have_no_errors(path: Path) -> None:
    found = codes_and_texts(path, path.read_text())
    assert [code for code, _, _ in found if code.startswith("E")] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", RULE_FILES[::4], ids=lambda path: path.stem)
def test_rule_files_and_their_prefixes(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    for cut in range(0, len(text), max(len(text) // 6, 1)):
        workspace = Workspace()
        document = workspace.put(uri_of(path), text[:cut], 1)
        with replaced_contents({path: document.data}):
            diagnostics(document, rule_files.findings(workspace, document))
        rule_files.symbols(document)
        rule_files.folding_ranges(document)
        rule_files.complete(workspace, document, document.position(cut))


@pytest.mark.slow
def test_prefixes_of_a_small_game() -> None:
    path = ROOT / "scripts/tictactoe/tictactoe.4th"
    text = path.read_text()
    for cut in range(0, len(text) + 1, 60):
        unknown = [found for found in codes_and_texts(path, text[:cut]) if found[0] in NAMES]
        # Only the word that is being typed may be unknown.
        assert [found for found in unknown if found[2] < cut] == [], cut


def test_a_failing_section_makes_no_name_unknown_that_was_known_before() -> None:
    path = ROOT / "scripts/ur/ur.4th"
    text = path.read_text()
    cut = text.index("{link} way-back i3 h") + len("{link} way-back i3 h")
    unknown = [found[1] for found in codes_and_texts(path, text[:cut]) if found[0] in NAMES]
    assert unknown == ["h"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["splut/moves", "rithmomachia/captures", "thud/thud"])
def test_prefixes_of_larger_scripts(name: str) -> None:
    path = ROOT / f"scripts/{name}.4th"
    text = path.read_text()
    for cut in range(7, len(text), max(len(text) // 16, 1)):
        unknown = [found for found in codes_and_texts(path, text[:cut]) if found[0] in NAMES]
        assert [found for found in unknown if found[2] < cut] == [], cut
