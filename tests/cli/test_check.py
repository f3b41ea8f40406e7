"""`forthvm check`: exit statuses, output formats, wrong usage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.commands import Cli
from tests.kit.files import write


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return write(tmp_path / "script.4th", ": twice ( n -- n ) DUP + + ; 1 2 twice .\n")


def test_warnings_pass_unless_strict(script: Path, cli: Cli) -> None:
    out = cli.out("check", script)
    assert "warning W201: `twice` says ( n -- n ) but takes 2 cells" in out
    assert "^" in out
    assert out.rstrip().endswith("1 file: 1 warning")
    assert cli("check", script, "--strict").status == 1
    assert cli("check", script, "--strict", "--ignore", "W201").status == 0


def test_errors_exit_with_1(tmp_path: Path, cli: Cli) -> None:
    path = write(tmp_path / "bad.4th", "oops\n")
    assert "error E101: unknown name `oops`" in cli.out("check", path, "--brief", status=1)


def test_a_part_checked_alone_names_the_script_that_loads_it(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "main.4th").write_text(": seven 7 ;\nLOAD part.4th\n")
    part = write(tmp_path / "part.4th", ": eight seven 1+ ;\n")
    command = f"forthvm check {tmp_path / 'main.4th'}"
    assert cli.out("check", part, status=1).splitlines()[-1].strip() == command
    assert cli(*command.split()[1:]).status == 0
    assert "is loaded by" not in cli("check", part, tmp_path / "main.4th").out


def test_findings_can_be_printed_as_json(script: Path, cli: Cli) -> None:
    document = json.loads(cli.out("check", script, "--json"))
    assert [finding["code"] for finding in document["findings"]] == ["W201"]
    assert document["findings"][0]["line"] == 1
    assert document["warnings"] == 1
    assert document["statistics"]["exact"] == 1


def test_info_option_shows_informational_findings(tmp_path: Path, cli: Cli) -> None:
    path = write(tmp_path / "plain.4th", ": twice DUP + ; 1 twice .\n")
    assert "nothing found" in cli("check", path).out
    assert "info I207" in cli("check", path, "--info").out
    assert "info I207" in cli("check", path, "--select", "I207").out


def test_effects_option_prints_stack_effects(script: Path, cli: Cli) -> None:
    assert "twice  ( a b -- x )" in cli.out("check", script, "--effects")


def test_explain_option_describes_codes(cli: Cli) -> None:
    assert "the stack comment does not match" in cli.out("check", "--explain", "w201")
    assert "E304" in cli.out("check", "--explain", "all")


@pytest.mark.parametrize(
    "arguments",
    [[], ["--explain", "X1"], ["--select", "Q9", "x.4th"], ["no-such-file.4th"]],
)
def test_wrong_usage_is_reported(arguments: list[str], cli: Cli) -> None:
    assert cli.err("check", *arguments, status=2).startswith("forthvm: ")


def test_progress_uses_one_line_of_a_terminal(
    script: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    assert cli("check", script).err == ""
    monkeypatch.setattr("forthvm.cli.terminal.error_columns", lambda: 12)
    progress = cli("check", script).err
    assert "\rloading 1 o\x1b[K" in progress
    assert "\n" not in progress
    assert progress.endswith("\r\x1b[K")
