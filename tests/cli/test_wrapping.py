"""Wrapping does not break paths, addresses and names of options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import forthvm
from forthvm.cli.app import COMMANDS
from forthvm.cli.parser import parser_of
from forthvm.core.text.tables import table
from forthvm.core.text.wording import unbroken, wrap_report, wrapped
from tests.kit.cases import each_case
from tests.kit.commands import Cli

PATH = "/home/user/games/well-known/a-rather-long-name-of-a-script.4th"
ADDRESS = "https://example.org/a-page-about/board-games/and-their-rules.html"


@each_case("unbreakable", [PATH, ADDRESS, "--axiom-lib", "splut-three-official"])
def test_text_wraps_at_blanks_only(unbreakable: str) -> None:
    for width in range(20, 60):
        lines = wrapped(f"the file that you named, {unbreakable}, has changed", width)
        assert sum(unbreakable in line for line in lines) == 1


def test_marked_path_with_blanks_is_not_broken() -> None:
    path = "/home/user/my games/first try.4th"
    lines = wrapped(f"the sources of {unbroken(path)} have changed", 20)
    assert sum(path in line for line in lines) == 1


def test_tables_and_reports_keep_paths() -> None:
    assert any(PATH in line for line in table([("script", PATH)], 40))
    assert any(PATH in line for line in wrap_report(f"error: cannot read {PATH}", 30))


def test_wrapping_is_implemented_once() -> None:
    package = Path(forthvm.__file__).parent
    users = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(
            r"^\s*(?:import|from) textwrap(?! import dedent$)",
            path.read_text(encoding="utf-8"),
            re.M,
        )
    ]
    assert users == ["core/text/wording.py"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("command", COMMANDS)
def test_help_does_not_break_option_names(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names_by_width = []
    for width in ("50", "1000"):
        monkeypatch.setenv("COLUMNS", width)
        text = parser_of(command).format_help()
        names_by_width.append(sorted(re.findall(r"(?<![\w-])--?[a-z][a-z-]*|\S+/\S+", text)))
    narrow, wide = names_by_width
    assert narrow == wide


def test_replay_does_not_break_the_results_path(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "results of the last few days"
    folder.mkdir()
    results = folder / "a-match-of-two-engines.db"
    played = cli(
        "autoplay", "tictactoe", "--engine", "random", "--engine", "script",
        "--games", 1, "--jobs", 1, "--out", results, "--quiet",
    )  # fmt: skip
    assert played.status == 0, played.err
    monkeypatch.setenv("COLUMNS", "40")
    assert str(results) in cli.out("replay", results, 1, "--brief")


def test_list_of_commands_fits_60_columns(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    text = cli("--help").out
    lines = text.partition("commands:\n")[2].partition("\n\n")[0].splitlines()
    assert max(map(len, lines)) <= 60
    assert {line.split()[0] for line in lines if line[2] != " "} == set(COMMANDS)
