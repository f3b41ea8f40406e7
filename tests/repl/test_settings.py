"""The settings file, themes, and the pager."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.repl.prompt.config import config_path, history_path, read_settings
from forthvm.repl.prompt.pager import EnoughError, Pager
from forthvm.repl.prompt.theme import KINDS, THEMES, escape, make_style, theme_of
from tests.kit.files import write
from tests.kit.messages import raises


def test_default_paths(tmp_path: Path) -> None:
    assert config_path() == tmp_path / "config" / "forthvm" / "repl.toml"
    assert history_path() == tmp_path / "state" / "forthvm" / "history"


def test_a_missing_settings_file_gives_the_defaults(tmp_path: Path) -> None:
    settings, problems = read_settings(tmp_path / "none.toml")
    assert (settings.keys, settings.theme, problems) == ("emacs", "dark", [])
    _, problems = read_settings(tmp_path / "none.toml", must_exist=True)
    assert problems == [f"{tmp_path / 'none.toml'}: there is no such file"]


def test_valid_settings_are_used(tmp_path: Path) -> None:
    path = write(
        tmp_path / "repl.toml",
        'keys = "vi"\ntheme = "light"\nstack = false\nhistory = false\n'
        '[colours]\nnumber = "#123456"\n[bindings]\nf5 = "load"\n',
    )
    settings, problems = read_settings(path)
    assert problems == []
    assert (settings.keys, settings.theme, settings.stack) == ("vi", "light", False)
    assert (settings.history, settings.page) == ("", True)
    assert settings.colours == {"number": "#123456"}
    assert settings.bindings == {"f5": "load"}


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("keys = ", "not TOML: Invalid value (at end of document)"),
        (
            'keys = "wordstar"',
            'keys: expected "emacs" or "vi", not \'wordstar\'; the default is used',
        ),
        ("stack = 1", "stack: expected true or false, not 1"),
        ('colours = "red"', "colours: expected an object, not 'red'"),
        ("theme = 3", "theme: expected a text, not 3"),
        ("kays = 'vi'", "no setting `kays`; did you mean `keys`?"),
        ("nothing = 1", "no setting `nothing` (there are keys, theme"),
    ],
)
def test_invalid_settings_are_reported_and_defaulted(
    tmp_path: Path, text: str, output: str
) -> None:
    path = write(tmp_path / "repl.toml", text)
    settings, problems = read_settings(path)
    assert len(problems) == 1
    assert output in problems[0]
    assert str(path) in problems[0]
    assert (settings.keys, settings.theme, settings.stack) == ("emacs", "dark", True)


def test_unreadable_settings_are_reported(tmp_path: Path) -> None:
    settings, problems = read_settings(tmp_path)
    assert problems == [f"cannot read {tmp_path}: Is a directory"]
    assert settings.keys == "emacs"
    path = write(tmp_path / "repl.toml", b"\xff\xfe")
    assert "not TOML" in read_settings(path)[1][0]


def test_themes_have_all_kinds_and_can_be_changed() -> None:
    for theme in THEMES.values():
        assert tuple(theme) == KINDS
        make_style(theme)
    assert theme_of("dark", {"number": "bold"})["number"] == "bold"
    assert theme_of("monokai", {})["comment"].endswith("#959077")
    with raises(ValueError, "repl-settings.unknown-theme"):
        theme_of("nowhere", {})


def test_styles_become_escape_codes() -> None:
    assert escape("") == ""
    assert escape("bold #ff0000") == "\x1b[1;38;5;196m"
    assert escape("bg:#000000") == "\x1b[48;5;16m"
    assert escape("reverse #ffffff") == "\x1b[7;38;5;231m"
    assert escape("#808080") == "\x1b[38;5;243m"


class PagerClient:
    """A pager with ten columns and five lines, which prints three lines before it pauses."""

    def __init__(self, keys: str) -> None:
        self.output: list[str] = []
        self.keys = list(keys)
        self.pager = Pager(self.output.append, self.read_key, lambda: (10, 5))
        self.pager.begin()

    def read_key(self) -> str:
        self.output.append("<ask>")
        return self.keys.pop(0)

    def show(self, lines: int) -> str:
        for number in range(lines):
            self.pager.write(f"{number}\n")
        return "".join(part for part in self.output if "\x1b" not in part and "\r" not in part)


def test_short_output_does_not_wait() -> None:
    assert PagerClient("").show(3) == "0\n1\n2\n"


def test_a_full_screen_waits() -> None:
    assert PagerClient(" ").show(5) == "0\n1\n2\n<ask>3\n4\n"
    assert PagerClient("\r\r").show(5) == "0\n1\n2\n<ask>3\n<ask>4\n"
    assert PagerClient("a").show(9).count("<ask>") == 1


def test_q_ends_the_output() -> None:
    paged = PagerClient("q")
    with pytest.raises(EnoughError):
        paged.show(9)
    assert "".join(paged.output).count("\n") == 3


def test_long_lines_count_as_several_rows() -> None:
    paged = PagerClient(" ")
    paged.pager.write("x" * 25 + "\n")
    paged.pager.write("y\n")
    assert "<ask>" in paged.output


def test_escape_codes_have_no_width() -> None:
    paged = PagerClient("")
    paged.pager.write("\x1b[1;38;5;196mabc\x1b[0m\n" * 2)
    assert "<ask>" not in paged.output


def test_no_paging_before_the_first_line() -> None:
    output: list[str] = []
    Pager(output.append, lambda: "q", lambda: (10, 5)).write("x\n" * 20)
    assert len(output) == 20
