"""Checking one script whose files have unsaved contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.check.api import check_script
from forthvm.core.errors import ScriptFileNotFound
from forthvm.core.loading.files import Roots, read_file, replaced_contents


def test_contents_replace_those_of_files(tmp_path: Path) -> None:
    main, part = tmp_path / "main.4th", tmp_path / "part.4th"
    part.write_text(": old ( -- ) ;\n")
    contents = {main: b"LOAD part.4th\nnew\n", part: b": new ( -- ) ;\n"}
    with replaced_contents(contents):
        program, findings = check_script(main)
    assert not findings
    assert [text.path for text in program.loaded.script_texts] == [main, part]
    with pytest.raises(ScriptFileNotFound):
        check_script(main)


def test_replaced_contents_do_not_extend_the_roots(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside.4th"
    inside.mkdir()
    with replaced_contents({outside: b"text"}), pytest.raises(OSError, match=r"outside\.4th"):
        read_file(outside, 100, Roots([inside]))
    with replaced_contents({outside: b"text"}):
        assert read_file(outside, 3) == b"tex"


def test_a_repaired_section_makes_no_name_before_it_unknown(tmp_path: Path) -> None:
    script = tmp_path / "game.4th"
    board = "{board 3 3 {grid} board}\n"
    script.write_text(
        f"{board}{{directions {{link}} way a1 a2 {{link}} way a2 nowhere directions}}\n"
    )
    _, findings = check_script(script)
    names = [finding.message for finding in findings if finding.code == "E101"]
    assert names == ["unknown name `nowhere`"]
