"""Coverage: the lines and words that position tests run, and the pages that show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.cli.app import main
from forthvm.testing import read_suite, run_cases
from forthvm.testing.coverage import Coverage, FileCoverage
from tests.kit.boards import grid

GAME = grid(3, 1, players="A B")
GAME += """\
: go-on ( -- )
\tdrop
\tadd-move ;
: put ( -- )
\tempty? verify
\tgo-on ;
: never ( -- )
\tadd-move ;
{moves puts {move} put moves}
{pieces {piece} man {drops} puts pieces}
: OnEvaluate ( -- score )
\t0 ;
"""


def covered(folder: Path, tests: str, script: str = GAME) -> FileCoverage:
    (folder / "game.4th").write_text(script)
    (folder / "game.test").write_text(tests)
    suite = read_suite(folder / "game.test")
    coverage = Coverage()
    results = list(run_cases(suite, suite.cases, coverage=coverage))
    assert [result.message for result in results] == [""] * len(suite.cases)
    (file,) = coverage.files()
    return file


def runs_of(file: FileCoverage, name: str) -> int:
    (runs,) = (word.runs for word in file.words if word.name == name)
    return runs


def test_lines_and_words_are_counted(tmp_path: Path) -> None:
    file = covered(tmp_path, "test t\n\tmoves 3\n")
    runs = file.runs[8]
    assert runs > 0
    assert runs % 3 == 0  # each generation runs `put` for three positions, which are empty
    assert file.runs == {5: runs, 6: runs, 8: runs, 9: runs, 11: 0, 15: 0}
    assert (file.lines_run, len(file.runs)) == (4, 6)
    assert [(word.name, word.line, word.is_move_word, word.runs) for word in file.words] == [
        ("go-on", 4, False, runs),
        ("put", 7, True, runs),
        ("never", 10, False, 0),
        ("OnEvaluate", 14, False, 0),
    ]


def test_a_word_run_by_execute_is_counted_once(tmp_path: Path) -> None:
    checked = ": checked ( 'condition -- )\n\tEXECUTE\n\tverify ;\n"
    put = ": put ( -- )\n\t['] empty? checked\n\tgo-on ;\n"
    head, tail = GAME.split(": put ( -- )\n\tempty? verify\n\tgo-on ;\n")
    file = covered(tmp_path, "test t\n\tmoves 3\n", head + checked + put + tail)
    runs = runs_of(file, "put")
    assert runs > 0
    assert runs_of(file, "checked") == runs
    assert [file.runs[line] for line in (8, 9, 11, 12)] == [runs] * 4


def test_tests_are_added_up(tmp_path: Path) -> None:
    once = covered(tmp_path, "test t\n\tmoves 3\n")
    twice = covered(tmp_path, "test t\n\tmoves 3\ntest u\n\tmoves 3\n")
    assert runs_of(twice, "put") == 2 * runs_of(once, "put")
    after = covered(tmp_path, "test t\n\tmoves 3\n\tplay A man a1\n\tmoves 2\n")
    assert runs_of(after, "put") > runs_of(after, "go-on") > runs_of(once, "go-on")


def test_refused_moves_are_covered(tmp_path: Path) -> None:
    file = covered(tmp_path, "test t\n\tpieces A man a1\n\trefused A man a1 because empty?\n")
    assert runs_of(file, "put") > runs_of(file, "go-on") > 0


@pytest.mark.slow
def test_rule_files_have_lines(tmp_path: Path) -> None:
    assert main(["new", str(tmp_path / "race"), "--rules", "zrf"]) == 0
    suite = read_suite(tmp_path / "race" / "race.test")
    coverage = Coverage()
    assert all(result.error is None for result in run_cases(suite, suite.cases, coverage=coverage))
    (file,) = coverage.files()
    lines = [file.lines[number - 1] for number, runs in file.runs.items() if runs]
    assert any("(verify empty?)" in line for line in lines)
