"""Finding the library, and the glossary made from its comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.errors import ForthVMError, LibraryError, UndefinedWord
from forthvm.core.loading.library import EXACT_140, find_library
from forthvm.core.vm import VM
from forthvm.core.words import glossary
from tests.kit.files import write, write_files
from tests.kit.messages import raises

CORE = """\
: ( 41 WORD ; IMMEDIATE
: \\ 10 WORD ; IMMEDIATE
: CONSTANT <BUILDS , DOES> @ ;
"""


def library(folder: Path, *, core: str = "CORE.4TH", axiom: str = "axiom.4th", text: str) -> Path:
    return write_files(folder, {core: CORE, axiom: text})


def test_files_and_versions_of_bundled_libraries() -> None:
    core = find_library("core", None)
    assert [path.name for path in core.files] == ["core.4th"]
    assert core.version == 150
    assert [path.name for path in find_library("axiom", 151).files] == ["core.4th", "axiom.4th"]
    exact = find_library("axiom", "140-exact")
    assert exact.version == EXACT_140
    assert exact.files[-1].name == "axiom-140.4th"
    assert find_library(None, None).files == ()


@pytest.mark.parametrize("version", [140, 150, 151])
def test_the_library_states_its_version(version: int) -> None:
    assert VM(axiom=version).call("#Version") == (version,)


@pytest.mark.parametrize("names", [("CORE.4TH", "axiom.4th"), ("core.4th", "AXIOM.4TH")])
def test_letter_case_of_library_files_is_ignored(tmp_path: Path, names: tuple[str, str]) -> None:
    folder = library(tmp_path, core=names[0], axiom=names[1], text="7 CONSTANT mine")
    found = find_library(folder, None)
    assert [path.name.lower() for path in found.files] == ["core.4th", "axiom.4th"]
    assert found.own


@pytest.mark.parametrize(
    ("text", "axiom", "version"),
    [
        ("140 CONSTANT #Version", None, 140),
        ("151\tCONSTANT\n#Version", None, 151),
        ("( no version )", None, 150),
        ("999 CONSTANT #Version", None, 150),
        ("140 CONSTANT #Version", 151, 151),
    ],
)
def test_a_user_s_library_may_state_its_version(
    tmp_path: Path, text: str, axiom: int | None, version: int
) -> None:
    assert find_library(library(tmp_path, text=text), axiom).version == version


@pytest.mark.parametrize("name", ["axiom.4th", "CORE.4TH"])
def test_a_script_may_load_the_library_that_is_loaded(tmp_path: Path, name: str) -> None:
    script = write(tmp_path / "game.4th", f"LOAD {name}\n1 CONSTANT one LOAD {name} one")
    vm = VM()
    words = len(list(vm.words()))
    vm.load(script)
    assert vm.stack == (1,)
    assert len(list(vm.words())) == words + 1


def test_a_part_of_a_script_may_have_the_name_of_a_library_file(tmp_path: Path) -> None:
    (tmp_path / "axiom.4th").write_text("7")
    script = write(tmp_path / "main.4th", "LOAD axiom.4th")
    vm = VM()
    vm.load(script)
    assert vm.stack == (7,)


@pytest.mark.parametrize("missing", ["CORE.4TH", "axiom.4th"])
def test_a_library_folder_without_a_file_raises(tmp_path: Path, missing: str) -> None:
    (library(tmp_path, text="") / missing).unlink()
    with raises(LibraryError, "library.missing-file", missing=missing):
        VM(library=tmp_path)


def test_a_missing_library_folder_raises(tmp_path: Path) -> None:
    with raises(LibraryError, "library.no-such-library-folder"):
        VM(library=tmp_path / "nowhere")


def test_an_error_in_a_user_s_library_has_a_location(tmp_path: Path) -> None:
    with pytest.raises(UndefinedWord) as caught:
        VM(library=library(tmp_path, text="1 CONSTANT one\n\n  onee"))
    location = caught.value.location
    assert (Path(location.file).name, location.line, location.column) == ("axiom.4th", 3, 3)
    assert isinstance(caught.value, ForthVMError)


# --- the glossary --------------------------------------------------------------------


def test_every_visible_kernel_word_has_an_entry() -> None:
    entries = glossary.kernel_words()
    bare = VM(library=None, axiom=151)
    visible = {name for name, entry in entries.items() if "hidden" not in entry.flags}
    assert set(bare.words()) <= visible


@pytest.mark.parametrize("version", [140, 150, 151])
def test_every_library_word_is_documented(version: int) -> None:
    """Each word has a stack effect and a sentence."""
    documented = glossary.words(version)
    undocumented = [name for name in VM(axiom=version).words() if name not in documented]
    assert undocumented == []


def test_entries_have_effect_source_and_flags() -> None:
    entries = glossary.library_words()
    entry = entries["CONSTANT"]
    assert entry.effect == "( n -- )"
    assert entry.source == "core.4th"
    assert entry.text.endswith(".")
    assert entries["IF"].immediate
    assert not entries["CELLS"].immediate
    assert entries["("].text
    assert "name" not in entries  # it occurs only in the comment that explains the syntax
