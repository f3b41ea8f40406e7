"""Script files: encodings, line ends, file names, and files that are not valid scripts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from forthvm.core.errors import (
    LoadCycleError,
    ScriptEmpty,
    ScriptFileError,
    ScriptFileNotFound,
    ScriptIsDirectory,
    ScriptNotText,
    ScriptTooLarge,
    ScriptUnreadable,
    UndefinedWord,
)
from forthvm.core.loading.files import Roots, find_file
from forthvm.core.loading.source import guess_encoding, normalise
from forthvm.core.vm import VM
from tests.kit.cases import each_case
from tests.kit.files import write, write_files
from tests.kit.messages import raises

# --- valid texts ---------------------------------------------------------------------

RUSSIAN = "Ход фигуры"


@pytest.mark.parametrize(
    "data",
    [
        "\\ plain\n6 7 *\n",
        "\\ windows\r\n6 7\r\n*\r\n",
        "\ufeff\\ with a mark\n6 7 *",
        "\ufeff6 7 *",
        f"\\ {RUSSIAN}\n( {RUSSIAN} ) 6 7 *",
        f"\\ {RUSSIAN}\r\n( {RUSSIAN} ) 6 7 *".encode("cp1251"),
        "\\ Züge größer\n6 7 *".encode("latin-1"),
        b"\\ \x80\x81\xfe\xff\n6 7 *",
        b"6 7 *\x1a\0\0 garbage after the end of the file",
        b"6\x0c7\x0b*",
    ],
)
def test_texts_in_many_encodings_load(vm: VM, tmp_path: Path, data: bytes | str) -> None:
    vm.load(write(tmp_path / "x.4th", data))
    assert vm.stack == (42,)


def test_a_no_break_space_does_not_separate_tokens(vm: VM, tmp_path: Path) -> None:
    with pytest.raises(UndefinedWord) as caught:
        vm.load(write(tmp_path / "x.4th", b"6\xa07 *"))
    assert caught.value.detail == "6\xa07"


def test_names_in_windows_1251(vm: VM, tmp_path: Path) -> None:
    vm.load(write(tmp_path / "x.4th", ": ход 5 ;".encode("cp1251")))
    assert vm.words()[0] == "ход"
    assert vm.call("ход") == (5,)
    vm.interpret("ход 1+")
    assert vm.stack == (6,)


@each_case(
    ("text", "encoding", "guess"),
    [
        ("plain", "ascii", "utf-8"),
        (RUSSIAN, "utf-8", "utf-8"),
        (RUSSIAN, "cp1251", "cp1251"),
        ("Züge größer où naïf señor", "latin-1", "latin-1"),
    ],
)
def test_guess_encoding(text: str, encoding: str, guess: str) -> None:
    assert guess_encoding(text.encode(encoding)) == guess


def test_normalise_keeps_lone_carriage_returns() -> None:
    assert normalise(b"\xef\xbb\xbfa\r\nb\rc\x1ad") == b"a\nb\rc"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_columns_count_characters(vm: VM, tmp_path: Path, end: str, mark: str) -> None:
    path = write(tmp_path / "x.4th", f"{mark}1 DROP{end}  ( é ) wrong{end}")
    with pytest.raises(UndefinedWord) as caught:
        vm.load(path)
    location = caught.value.location
    assert (location.line, location.column, location.text) == (2, 9, "  ( é ) wrong")
    assert location.length == 5


def test_the_byte_order_mark_is_not_a_column(vm: VM, tmp_path: Path) -> None:
    with pytest.raises(UndefinedWord) as caught:
        vm.load(write(tmp_path / "x.4th", "\ufeffwrong"))
    assert caught.value.location.column == 1


# --- files that are not scripts ------------------------------------------------------


def test_a_missing_file_raises(vm: VM, tmp_path: Path) -> None:
    with raises(ScriptFileNotFound, "source.no-such-file") as caught:
        vm.load(tmp_path / "nothing.4th")
    assert isinstance(caught.value, FileNotFoundError)
    assert caught.value.filename == str(tmp_path / "nothing.4th")


def test_a_directory_raises(vm: VM, tmp_path: Path) -> None:
    write(tmp_path / "game/main.4th", "1")
    with raises(ScriptIsDirectory, "source.a-directory") as caught:
        vm.load(tmp_path / "game")
    assert caught.value.hints == ("scripts in it: main.4th",)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_raises(vm: VM, tmp_path: Path) -> None:
    path = write(tmp_path / "secret.4th", "1")
    path.chmod(0)
    with pytest.raises(ScriptUnreadable, match="cannot read"):
        vm.load(path)


@pytest.mark.parametrize("data", [b"", b"\n \t\r\n", b"\xef\xbb\xbf", b"\x1a text behind the end"])
def test_an_empty_file_raises(vm: VM, tmp_path: Path, data: bytes) -> None:
    with raises(ScriptEmpty, "source.empty"):
        vm.load(write(tmp_path / "empty.4th", data))


@pytest.mark.parametrize("data", [b"\x7fELF\2\1\1\0\0\0", b": x 1 ;\n\0", bytes(range(256))])
def test_a_binary_file_raises(vm: VM, tmp_path: Path, data: bytes) -> None:
    with raises(ScriptNotText, "source.not-a-text-file"):
        vm.load(write(tmp_path / "x.4th", data))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
def test_a_file_in_utf_16_raises(vm: VM, tmp_path: Path, encoding: str) -> None:
    with pytest.raises(ScriptNotText):
        vm.load(write(tmp_path / "x.4th", ": x 1 ;".encode(encoding)))


def test_a_file_of_five_megabytes_raises(vm: VM, tmp_path: Path) -> None:
    path = write(tmp_path / "big.4th", b"1 DROP\n" * 750_000)
    with raises(ScriptTooLarge, "source.large-file"):
        vm.load(path)


def test_a_file_just_below_the_limit_loads(vm: VM, tmp_path: Path) -> None:
    vm.load(write(tmp_path / "large.4th", b"1 DROP\n" * 500_000 + b"42"))
    assert vm.stack == (42,)


def test_file_errors_share_a_base_class(vm: VM, tmp_path: Path) -> None:
    for name, data in {"a": b"", "b": b"\0", "c": b"1" * 5_000_000}.items():
        with pytest.raises(ScriptFileError):
            vm.load(write(tmp_path / name, data))
    vm.load(write(tmp_path / "good", "1"))
    assert vm.stack == (1,)


# --- LOAD ----------------------------------------------------------------------------


def test_load_may_be_followed_by_more_words(vm: VM, tmp_path: Path) -> None:
    write(tmp_path / "part.4th", "10")
    vm.load(write(tmp_path / "main.4th", "1 LOAD part.4th + 2 *"))
    assert vm.stack == (22,)


@pytest.mark.parametrize(
    "name",
    [
        "Ur-[random].4th",
        "Abstract-Mancala-(4x10-weak-traps).4th",
        "it's.4th",
        "шахматы.4th",
    ],
)
def test_load_accepts_unusual_file_names(vm: VM, tmp_path: Path, name: str) -> None:
    write(tmp_path / name, "42")
    vm.load(write(tmp_path / "main.4th", f"LOAD {name}"))
    assert vm.stack == (42,)


def test_file_names_are_decoded_in_the_script_s_encoding(vm: VM, tmp_path: Path) -> None:
    write(tmp_path / "шахматы.4th", "42")
    vm.load(write(tmp_path / "main.4th", "( Шахматы ) LOAD шахматы.4th".encode("cp1251")))
    assert vm.stack == (42,)


def test_load_ignores_case_and_accepts_both_separators(vm: VM, tmp_path: Path) -> None:
    write(tmp_path / "Sub/Part.4th", "42")
    vm.load(write(tmp_path / "main.4th", r"LOAD SUB\part.4TH LOAD sub/PART.4th ="))
    assert vm.stack == (-1,)


def test_a_name_with_equal_case_is_preferred(tmp_path: Path) -> None:
    write_files(tmp_path, {"A.4th": "1", "a.4th": "2"})
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this file system ignores case")
    roots = Roots([tmp_path])
    assert find_file(b"a.4th", [tmp_path], roots) == tmp_path / "a.4th"
    assert find_file(b"A.4th", [tmp_path], roots) == tmp_path / "A.4th"


def test_names_have_the_case_of_the_folder(tmp_path: Path) -> None:
    write(tmp_path / "Sub/Part.4th", "42")
    found = find_file(rb"sUB\pART.4TH", [tmp_path], Roots([tmp_path]))
    assert found.relative_to(tmp_path).parts == ("Sub", "Part.4th")


def test_files_in_a_folder_that_cannot_be_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = write(tmp_path / "part.4th", "42")

    def refuse(path: object) -> list[str]:
        raise PermissionError(path)

    monkeypatch.setattr(os, "listdir", refuse)
    assert find_file(b"part.4th", [tmp_path], Roots([tmp_path])) == part
    assert find_file(b"other.4th", [tmp_path], Roots([tmp_path])) is None


def test_load_searches_folders_in_order(vm: VM, tmp_path: Path) -> None:
    """LOAD searches the folder of its file, then those of the main script and of the library."""
    write(tmp_path / "parts/one.4th", "LOAD two.4th LOAD three.4th")
    write(tmp_path / "parts/two.4th", "2")
    write(tmp_path / "two.4th", "-2")
    write(tmp_path / "three.4th", "3")
    vm.load(write(tmp_path / "main.4th", "LOAD parts/one.4th LOAD two.4th"))
    assert vm.stack == (2, 3, -2)


def test_load_accepts_parent_folders_inside_the_main_folder(vm: VM, tmp_path: Path) -> None:
    write(tmp_path / "common.4th", "5")
    write(tmp_path / "parts/one.4th", "LOAD ../common.4th LOAD no-folder/../two.4th")
    write(tmp_path / "parts/two.4th", "6")
    vm.load(write(tmp_path / "main.4th", "LOAD parts/one.4th"))
    assert vm.stack == (5, 6)


def test_a_file_may_be_loaded_twice_but_not_by_itself(vm: VM, tmp_path: Path) -> None:
    write(tmp_path / "base.4th", "7")
    vm.load(write(tmp_path / "main.4th", "LOAD base.4th LOAD base.4th"))
    assert vm.stack == (7, 7)
    with raises(LoadCycleError, "source.loads-itself"):
        vm.load(write(tmp_path / "itself.4th", "1 LOAD itself.4th"))
    assert vm.stack == (7, 7)


def test_a_cycle_of_loads_raises(vm: VM, tmp_path: Path) -> None:
    write_files(tmp_path, {"b.4th": "LOAD c.4th", "c.4th": "\nLOAD a.4th"})
    with pytest.raises(LoadCycleError) as caught:
        vm.load(write(tmp_path / "a.4th", "LOAD b.4th"))
    error = caught.value
    assert error.location is not None
    assert [Path(location.file).name for location in (error.location, *error.loads)] == [
        "c.4th",
        "b.4th",
        "a.4th",
    ]


@pytest.mark.parametrize(
    ("data", "kind"), [(b"\0", ScriptNotText), (b"1 " * 3_000_000, ScriptTooLarge)]
)
def test_load_of_an_invalid_script_names_the_line(
    vm: VM, tmp_path: Path, data: bytes, kind: type[ScriptFileError]
) -> None:
    write(tmp_path / "part.4th", data)
    with pytest.raises(kind) as caught:
        vm.load(write(tmp_path / "main.4th", "1\n  LOAD part.4th"))
    assert caught.value.location.line == 2


def test_loading_an_empty_file_changes_nothing(vm: VM, tmp_path: Path) -> None:
    write(tmp_path / "part.4th", b"")
    vm.load(write(tmp_path / "main.4th", "1 LOAD part.4th 2"))
    assert vm.stack == (1, 2)


def test_an_error_after_loading_lists_the_loads(vm: VM, tmp_path: Path) -> None:
    """If a word fails later, the error lists the LOADs of its file."""
    write(tmp_path / "part.4th", ": broken 1 0 / ;")
    vm.load(write(tmp_path / "main.4th", "\\ LOAD other.4th\nLOAD part.4th"))
    with pytest.raises(ZeroDivisionError) as caught:
        vm.call("broken")
    (location,) = caught.value.loads  # type: ignore[attr-defined]
    assert (Path(location.file).name, location.line, location.column) == ("main.4th", 2, 1)
