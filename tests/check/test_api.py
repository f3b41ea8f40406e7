"""Tests of `check_files`: errors while loading, selection, suppression, and parts of scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from forthvm import VM, ScriptFileNotFound, UndefinedWord, check_files
from forthvm.check import declared_effect, effect_of
from tests.check.conftest import Checker
from tests.kit.cases import each_case

WRONG_COMMENT = ": twice ( n -- n ) DUP + + ;"


def codes(report: object) -> list[str]:
    """Return the codes of all findings of a report."""
    return [finding.code for finding in report.findings]  # type: ignore[attr-defined]


def test_words_that_use_an_unknown_name_have_no_findings(check: Checker) -> None:
    report = check(": a ( n -- ) mystery ; 1 a\n" + WRONG_COMMENT)
    assert [f.word for f in report.findings if f.code.startswith("W2")] == ["twice"]


@pytest.mark.parametrize("text", ["{board 3 3 {grid}", "board}", "{players {player} A board}"])
def test_unbalanced_sections_are_errors(check: Checker, text: str) -> None:
    report = check(text + "\n" + WRONG_COMMENT, select=["E"])
    assert codes(report)[:1] == ["E106"]
    assert "board" in report.findings[0].message or "player" in report.findings[0].message


def test_missing_file_is_one_finding(check: Checker) -> None:
    report = check("LOAD nothing.4th\n" + WRONG_COMMENT)
    [missing] = [f for f in report.findings if f.code == "E102"]
    assert "nothing.4th" in missing.message
    assert missing.location.line == 1


@pytest.mark.parametrize(
    ("name", "advice"),
    [("?DUP", "DUP IF"), ("(3)", "blank"), ("1e3", "float"), ("0xFF", "HEX"), ("dup", "`DUP`")],
)
def test_advice_on_unknown_names(check: Checker, name: str, advice: str) -> None:
    [finding] = [f for f in check(f": a {name} ;").findings if f.code == "E101"]
    assert any(advice in hint for hint in finding.hints)


def test_host_reads_the_promise_of_independent_moves(check: Checker) -> None:
    assert codes(check("TRUE CONSTANT independent-moves")) == []
    assert codes(check("TRUE CONSTANT independent-words")) == ["W501"]


def test_select_and_ignore_accept_prefixes(check: Checker) -> None:
    text = WRONG_COMMENT + " : unused ( -- ) ;"
    assert set(codes(check(text))) == {"W201", "W501"}
    assert set(codes(check(text, select=["W2"]))) == {"W201"}
    assert set(codes(check(text, ignore=["W20"]))) == {"W501"}


@pytest.mark.parametrize(
    "text",
    [
        f"{WRONG_COMMENT} \\ check: ignore",
        f"{WRONG_COMMENT} \\ check: ignore W201, W501",
        f"{WRONG_COMMENT} ( check: ignore W )",
        f"\\ check: ignore W201 W501\n{WRONG_COMMENT}",
        f"\\ check: ignore-file W2\n\n{WRONG_COMMENT} \\ check: ignore W501",
    ],
)
def test_comments_suppress_findings(check: Checker, text: str) -> None:
    assert codes(check(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        f"{WRONG_COMMENT} \\ check: ignore W203",
        f"\\ check: ignore W201\n\n{WRONG_COMMENT}",
        f": other ( -- ) ; other \\ check: ignore\n{WRONG_COMMENT}",
    ],
)
def test_comments_on_other_codes_or_lines_suppress_nothing(check: Checker, text: str) -> None:
    assert "W201" in codes(check(text))


def test_loaded_file_is_checked_with_the_script_that_loads_it(tmp_path: Path) -> None:
    (tmp_path / "main.4th").write_text("3 CONSTANT size\nLOAD part.4th\narea .\n", encoding="utf-8")
    (tmp_path / "part.4th").write_text(": area ( -- n ) size size * ;\n", encoding="utf-8")
    assert codes(check_files([tmp_path])) == []
    assert "E101" in codes(check_files([tmp_path / "part.4th"]))


def test_name_is_used_if_any_script_that_loads_its_file_uses_it(tmp_path: Path) -> None:
    (tmp_path / "words.4th").write_text(": one ( -- n ) 1 ; : two ( -- n ) 2 ;\n", encoding="utf-8")
    (tmp_path / "a.4th").write_text("LOAD words.4th one .\n", encoding="utf-8")
    (tmp_path / "b.4th").write_text("LOAD words.4th 3 .\n", encoding="utf-8")
    unused = [f.message for f in check_files([tmp_path]).findings if f.code == "W501"]
    assert unused == ["nothing uses `two`"]


def test_consequences_are_not_reported_separately(check: Checker) -> None:
    report = check(
        ": leak ( -- ) 1 ;\n: a ( -- ) leak ;\n: b ( -- ) a ;\n: c ( -- ) leak 2 ; b c",
        select=["W2"],
    )
    assert [finding.word for finding in report.findings] == ["leak", "c"]


def test_finding_is_shown_with_a_caret(check: Checker) -> None:
    [finding] = check(WRONG_COMMENT + " 1 2 twice").findings
    assert finding.report().splitlines()[1:] == [
        "      1 | : twice ( n -- n ) DUP + + ; 1 2 twice",
        "        |         ^",
    ]
    assert finding.as_dict()["line"] == 1
    assert finding.as_dict()["severity"] == "warning"


def test_missing_main_file_raises() -> None:
    with pytest.raises(ScriptFileNotFound):
        check_files(["no-such-script.4th"])


def test_output_of_the_script_is_dropped(check: Checker, capfd: pytest.CaptureFixture[str]) -> None:
    check('.( no ) ." hello" CR')
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_number_of_attempts_is_limited(check: Checker) -> None:
    """Each unknown name needs another attempt, so that not all of them are reported."""
    report = check("\n".join(f": w{n} ( -- ) name{n} ;" for n in range(300)), select=["E"])
    assert 20 < len(report.findings) < 300


def test_effect_of_and_declared_effect() -> None:
    vm = VM(output=lambda text: None)
    vm.interpret(": area ( width height -- n ) * ; : either ( -- n TRUE | FALSE ) 0 ;", name="x")
    assert str(effect_of(vm, "area")) == "( a b -- x )"
    assert effect_of(vm, "area").exact
    declared = declared_effect(vm, "area")
    assert declared.takes == ("width", "height")
    assert declared.leaves == (("n",),)
    either = declared_effect(vm, "either")
    assert either.leaves == (("n", "TRUE"), ("FALSE",))
    assert declared_effect(vm, "DUP") is None
    assert effect_of(vm, "DUP").leaves == (2,)
    with pytest.raises(UndefinedWord):
        effect_of(vm, "undefined-word")


@each_case(
    "arguments",
    [
        {"paths": "game.4th"},
        {"paths": [], "select": "E1"},
        {"paths": [], "ignore": [1]},
        {"paths": [], "include": "games"},
        {"paths": [], "steps": "many"},
        {"paths": [], "limits": 3},
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any]) -> None:
    name = list(arguments)[-1]
    with pytest.raises(TypeError, match=rf"^check_files: `{name}(\[0\])?`: expected "):
        check_files(**arguments)
