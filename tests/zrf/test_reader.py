"""Characters, tokens, encodings and included files: contract, section 1, items 1 to 9."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm import cli
from forthvm.core.errors import ScriptFileNotFound
from forthvm.zrf.reading.nodes import Atom, ListNode, parse_nodes
from forthvm.zrf.reading.text import RuleText
from forthvm.zrf.rule_file import parse_rule_text, read_rule_file
from forthvm.zrf.source import RuleFileError
from tests.kit.messages import raises

GAMES = Path(__file__).parent / "games"

Shape = str | list["Shape"]

GAME = '(game (title "{title}") (players White Black) (turn-order White Black) {more})'


def shape(node: Atom | ListNode) -> Shape:
    """Return nodes as nested lists; strings keep their quotation marks."""
    if isinstance(node, ListNode):
        return [shape(item) for item in node.items]
    return f'"{node.text}"' if node.quoted else node.text


def parse(text: str) -> list[Shape]:
    return [shape(node) for node in parse_nodes(RuleText(text, "test.zrf"))]


def error_of(text: str) -> RuleFileError:
    with pytest.raises(RuleFileError) as caught:
        parse_rule_text(text, "test.zrf")
    return caught.value


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_there_are_five_kinds_of_tokens() -> None:
    assert parse('(a "b c" (d) )e') == [["a", '"b c"', ["d"]], "e"]
    assert parse("a(b)c") == ["a", ["b"], "c"]
    assert parse('a"b"c') == ["a", '"b"', "c"]


def test_comments_end_with_the_line() -> None:
    assert parse("(a ; b )\n c);d\n e") == [["a", "c"], "e"]
    assert parse("a;b\nc") == ["a", "c"]
    assert parse('("; no comment")') == [['"; no comment"']]


def test_strings_span_lines() -> None:
    assert parse('("a\n b")') == [['"a\n b"']]
    assert parse('"a\\b" "\\\\"') == ['"a\\b"', '"\\\\"']


def test_names_contain_any_other_characters() -> None:
    assert parse("empty? -12 +3 1a ?Dice a_b! $1-x") == [
        "empty?",
        "-12",
        "+3",
        "1a",
        "?Dice",
        "a_b!",
        "$1-x",
    ]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems_are_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "game.zrf"
    path.write_bytes(GAME.format(title="x", more="\n  (boardd)").replace("\n", ending).encode())
    [warning, _] = read_rule_file(path).rules().warnings
    assert (warning.origin.place.line, warning.origin.place.column) == (2, 3)


def test_zero_bytes_at_the_end_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "padded.zrf"
    path.write_bytes(GAME.format(title="x", more="").encode() + bytes(20))
    assert read_rule_file(path).titles == ("x",)


@pytest.mark.parametrize(
    ("data", "title"),
    [
        ("Игра в шашки".encode("cp1251"), "Игра в шашки"),
        ("5 € ärgern".encode("cp1252"), "5 € ärgern"),
        ("Игра".encode(), "Игра"),
        (b"plain", "plain"),
    ],
)
def test_files_are_decoded_by_mark_utf_8_or_windows_1252(
    tmp_path: Path, data: bytes, title: str
) -> None:
    path = tmp_path / "game.zrf"
    path.write_bytes(GAME.format(title="@", more="").encode().replace(b"@", data))
    file = read_rule_file(path)
    assert file.titles == (title,)
    assert file.rules(title).title == title


def test_other_forms_on_the_top_level_are_ignored_with_a_warning() -> None:
    file = parse_rule_text("(gmae) stray " + GAME.format(title="x", more="") + "; the end")
    assert [str(warning) for warning in file.warnings] == [
        "game.zrf:1:1: `gmae` is ignored: it is neither a game nor a variant",
        "game.zrf:1:8: this form is ignored: it is neither a game nor a variant",
    ]


def test_the_version_is_ignored() -> None:
    assert parse_rule_text('(version "2.0")' + GAME.format(title="x", more="")).warnings == ()


def test_an_included_file_supplies_macros(tmp_path: Path) -> None:
    write(tmp_path, "Lib/Common.zrf", '(define common (history "$1"))(include "more.zrf")')
    write(tmp_path, "Lib/more.zrf", '(define more (strategy "$1"))')
    main = write(
        tmp_path,
        "game.zrf",
        '(include "lib\\COMMON.zrf")' + GAME.format(title="x", more="(common a) (more b)"),
    )
    texts = read_rule_file(main).rules().texts
    assert (texts["history"], texts["strategy"]) == ("a", "b")


def test_an_error_in_an_included_file_names_that_file(tmp_path: Path) -> None:
    write(tmp_path, "common.zrf", "\n(define")
    main = write(tmp_path, "game.zrf", '(include "common.zrf")')
    with raises(RuleFileError, "zrf-reader.list-not-closed"):
        read_rule_file(main)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.zrf", "zrf-reader.does-not-exist"),
        ("../other.zrf", "zrf-reader.leads-out-of-the-folders"),
        ("/etc/hostname", "zrf-reader.absolute-path"),
        ("game.zrf", "zrf-reader.includes-itself"),
    ],
)
def test_files_that_cannot_be_included_are_named(tmp_path: Path, name: str, message: str) -> None:
    write(tmp_path, "other.zrf", "")
    main = write(tmp_path, "games/game.zrf", f'\n (include "{name}")')
    with raises(RuleFileError, message) as caught:
        read_rule_file(main)
    location = caught.value.location
    assert (location.line, location.column) == (2, 2)


def test_another_folder_of_included_files_may_be_allowed(tmp_path: Path) -> None:
    write(tmp_path, "library/common.zrf", "(define t (history a))")
    text = '(include "common.zrf")' + GAME.format(title="x", more="(t)")
    main = write(tmp_path, "games/game.zrf", text)
    rules = read_rule_file(main, include=[tmp_path / "library"]).rules()
    assert rules.texts["history"] == "a"


def test_folders_of_load_and_convert_hold_included_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "library/tictactoe.zrf", (GAMES / "tictactoe.zrf").read_text())
    main = write(tmp_path, "games/game.zrf", '(include "tictactoe.zrf")')
    with raises(RuleFileError, "zrf-reader.missing-file") as caught:
        forthvm.load(main)
    assert "allow another folder with include=[DIR]" in caught.value.hints[0]
    game = forthvm.load(main, include=[tmp_path / "library"])
    assert len(game.start().legal_moves) == 9
    assert cli.main(["convert", str(main), "--include", str(tmp_path / "library")]) == 0
    assert "{board" in capsys.readouterr().out
    assert cli.main(["convert", str(main)]) == 1
    assert "--include DIR" in capsys.readouterr().err


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ScriptFileNotFound):
        read_rule_file(tmp_path / "none.zrf")


# --- broken files -------------------------------------------------------------------------


def test_a_list_that_is_not_closed() -> None:
    error = error_of("(game\n  (title\n")
    assert str(error) == "test.zrf:1:1: the list that begins here is not closed"
    assert error.hints[1] == "the innermost open list begins in line 2"


def test_a_definition_that_is_not_closed_before_the_next_one() -> None:
    error = error_of("(define a (n add)\n(define b\n  s add)\n(game)\n")
    assert str(error) == "test.zrf:1:1: the list that begins here is not closed"
    assert error.hints[1] == "it may be missing before `(define` in line 2"


def test_a_parenthesis_too_many() -> None:
    error = error_of("(version)\n (game (title x)))")
    assert str(error) == "test.zrf:2:18: `)` without a list to close"
    assert "line 2 ended" in error.hints[1]


def test_a_string_without_end() -> None:
    assert str(error_of('(game (title "x) )')).startswith("test.zrf:1:14: the string")


def test_a_string_without_end_before_other_strings() -> None:
    text = '(game (title "x")\n (image "board.bmp)\n (help "text"))\n'
    assert str(error_of(text)) == "test.zrf:2:9: the string that begins here has no end"


def test_a_string_without_end_shifts_the_others() -> None:
    # The text of the second string is read as code, with its parentheses.
    error = error_of('(game (title "x)\n (help "a) b) c) d"))\n')
    assert str(error) == "test.zrf:2:16: `)` without a list to close"
    assert 'the string that begins in line 1 may lack its `"`' in error.hints


def test_lists_nested_too_deep() -> None:
    assert "lists inside each other" in str(error_of("(" * 1000 + ")" * 1000))


def test_a_file_without_a_game() -> None:
    assert "contains no game" in str(error_of("(define x)"))
    assert "contains no game" in str(error_of(""))


def test_a_variant_without_a_game() -> None:
    assert "a variant without a game" in str(error_of('(variant (title "x"))'))


def test_a_definition_without_a_name() -> None:
    assert "without a name" in str(error_of("(define)"))
    assert "without a name" in str(error_of("(define (x))"))
