"""Reading `.test` and `.perft` files: statements, tests, and errors with their places."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.failure import ForthVMError
from forthvm.testing import Suite, read_suite
from forthvm.testing.reader import read_text
from tests.kit.messages import raises


def write(folder: Path, text: str, name: str = "game.test") -> Path:
    (folder / "game.4th").write_text("")
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def read(folder: Path, text: str, name: str = "game.test") -> Suite:
    return read_suite(write(folder, text, name))


def test_statements_and_their_lines(tmp_path: Path) -> None:
    suite = read(
        tmp_path,
        "\ufeff# a comment\nseed 7\nsetting size=8\n\ntest  First one \r\n  board\n"
        "      2 . .\n\n      # no row\n      1 . .\n  play a1; b1\n\ntest Second\n\tmoves none\n",
    )
    assert (suite.program, suite.seed) == (tmp_path / "game.4th", 7)
    assert suite.settings == (("size", "8"),)
    first, second = suite.cases
    assert (first.name, first.line, first.kind) == ("First one", 5, "position")
    board, play = first.statements
    assert (board.keyword, board.more) == ("board", ("      2 . .", "      1 . ."))
    assert (play.items, str(play.location)) == (["a1", "b1"], "game.test:11:3")
    assert second.id == f"{tmp_path / 'game.test'}:13"
    assert [suite.case_at(line) for line in (4, 5, 12, 99)] == [None, first, first, second]


def test_moves_can_stand_on_several_lines(tmp_path: Path) -> None:
    (case,) = read(tmp_path, "test t\n\tmoves a\n\t\tb; c\n\t\td\n").cases
    assert case.statements[0].items == ["a", "b", "c", "d"]


def test_the_game_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "other.zrf").write_text("")
    suite = read(tmp_path, "game other.zrf\nvariant Big Board\ntest t\n\tmoves 1\n", "x.test")
    assert suite.program == tmp_path / "other.zrf"
    assert suite.cases[0].variant == "Big Board"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("test t\n\tmovs 3\n", "game.test:2:2: unknown keyword `movs`"),
        ("tst t\n", "game.test:1:1: unknown keyword `tst`"),
        ("test\n", "game.test:1:1: a test needs a name"),
        ("moves 3\n", "game.test:1:1: `moves` must be indented, below a test"),
        ("test t\n\tgame x\n", "game.test:2:2: `game` must not be indented"),
        ("test t\n\tmoves 3\n  moves 3\n", "game.test:3:3: the line is indented less than"),
        ("\tmoves 3\n", "game.test:1:2: `moves` must stand below a test"),
        ("test t\nseed 3\n", "game.test:2:1: `seed` must stand before the first test"),
        ("seed 3\nseed 4\n", "game.test:2:1: `seed` is given twice"),
        ("seed x\n", "game.test:1:1: a seed is a number of at most 9 digits"),
        ("seed\n", "game.test:1:1: `seed` needs a value"),
        ("setting size\n", "game.test:1:1: a setting needs a name and a value"),
        ("test t\ntest u\n\tmoves 3\n", "game.test:1:1: the test has no statements"),
        ("variant Big\n", "game.test:1:1: a script has no variants"),
        ("game nothing.4th\n", "game.test:1:1: there is no file"),
    ],
)
def test_wrong_lines_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ForthVMError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(message)


def test_similar_keywords_are_suggested(tmp_path: Path) -> None:
    for text, hint in [
        ("test t\n\tmovs 3\n", "did you mean `moves`?"),
        ("tst t\n", "did you mean `test`?"),
        ("test t\n\tfly 3\n", "the keywords of a test are `board`, `pieces`, `turn`, "),
    ]:
        with pytest.raises(ForthVMError) as caught:
            read(tmp_path, text)
        (advice,) = caught.value.hints
        assert advice.startswith(hint)


def test_counts(tmp_path: Path) -> None:
    suite = read(
        tmp_path,
        "# comment\n1 7 published\n2 49\nseries: joined\n3 302 counted\n"
        "variant: Big\n1 9 counted\n",
        "game.perft",
    )
    assert [(case.name, case.line, case.kind, case.variant) for case in suite.cases] == [
        ("perft 1 7", 2, "perft", None),
        ("perft 2 49", 3, "perft", None),
        ("perft joined 3 302", 5, "perft", None),
        ("perft 1 9, Big", 7, "perft", "Big"),
    ]


def test_counts_of_another_kind_are_skipped_with_a_reason(tmp_path: Path) -> None:
    text = "series: joined, equal results once\n1 9\nseries: joined\n1 10\n"
    first, second = read(tmp_path, text, "game.perft").cases
    assert "equal results" in first.skipped
    assert not second.skipped


@pytest.mark.parametrize(
    "line", ["1", "1 x published", "one 2", "-1 3", "series: other", "1 " + "9" * 19]
)
def test_wrong_counts_are_refused(tmp_path: Path, line: str) -> None:
    with raises(ForthVMError, "testing-reader.perft-line"):
        read(tmp_path, f"{line}\n", "game.perft")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "alone.test"
    with raises(ForthVMError, "testing-reader.missing-file"):
        read_suite(path)
    path.write_text("test t\n\tmoves 1\n")
    with raises(ForthVMError, "testing-reader.no-game"):
        read_suite(path)
    path.write_bytes(b"test \xff\n")
    with raises(ForthVMError, "testing-reader.not-utf-8"):
        read_suite(path)
    path.write_bytes(b"#" * ((1 << 20) + 1))
    with raises(ForthVMError, "testing-reader.large-file"):
        read_suite(path)


@pytest.mark.parametrize(
    ("name", "text", "places"),
    [
        ("game.test", "seed x\ngame y\ntest A\n\tmovs 1\n\tlegal a\ntest\n\tmoves 1\n", "1 2 4 6"),
        ("game.test", "tst A\n\tmoves 1\n\t\tmore\ntest B\n\tboard\n\t\t1 . .\nlegal a\n", "1 7"),
        ("game.test", "test A\nmoves 1\n\ttest B\n\tlegal b\n", "2 3"),
        ("game.test", "seed 1\n\tmoves 1\n\tlegal a\n\t\tb\ntest A\n", "2 5"),
        ("game.test", "\tmoves 1\n\tlegal a\ntest A\n\t\tmoves 1\n\tlegal a\n", "1 5"),
        ("game.test", "setting x\nseed\nseed 1\nseed 2\ntest A\n\tmoves 1\nseed 3\n", "1 2 4 7"),
        ("game.perft", "one 2\n1 2 counted\nseries: other\n# three\nthree\n", "1 3 5"),
    ],
)
def test_all_errors_of_a_text(tmp_path: Path, name: str, text: str, places: str) -> None:
    (tmp_path / "game.4th").write_text("")
    errors: list[ForthVMError] = []
    read_text(tmp_path / name, text, errors.append)
    lines = sorted(error.location.line for error in errors if error.location)
    assert lines == [int(line) for line in places.split()]
    assert len(lines) == len(errors)
    with pytest.raises(ForthVMError):
        read_text(tmp_path / name, text)


def test_a_text_without_errors_reports_none(tmp_path: Path) -> None:
    (tmp_path / "game.4th").write_text("")
    errors: list[ForthVMError] = []
    read_text(tmp_path / "game.test", "seed 1\ntest A\n\tmoves 1\n\t\ta\n", errors.append)
    assert errors == []


def test_the_rows_of_a_drawing_must_be_indented(tmp_path: Path) -> None:
    for line in ("board", "expect board"):
        with pytest.raises(ForthVMError) as caught:
            read(tmp_path, f"test t\n\t{line}\n\t1 . .\n")
        assert caught.value.hints == (
            "the rows of a drawing are indented more than the line above them",
        )
