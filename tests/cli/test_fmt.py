"""`forthvm fmt`: what it writes, prints and refuses."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from forthvm.cli.app import main
from tests.kit.commands import Cli
from tests.kit.files import write
from tests.kit.processes import FORTHVM, start
from tests.systems import needs_links

UNFORMATTED = b": f\n1 ; \\ caf\xe9 \n"
FORMATTED = b": f\n\t1 ; \\ caf\xe9\n"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return write(tmp_path / "script.4th", UNFORMATTED)


def test_a_file_is_formatted_once(
    script: Path, cli: Cli, capsys: pytest.CaptureFixture[str]
) -> None:
    script.chmod(0o640)
    assert main(["fmt", str(script)]) == 0
    assert script.read_bytes() == FORMATTED
    if os.name != "nt":
        assert script.stat().st_mode & 0o777 == 0o640
    assert capsys.readouterr().out == f"formatted: {script}\n"
    assert cli.out("fmt", script) == ""
    assert os.listdir(script.parent) == ["script.4th"]  # noqa: PTH208


def test_a_byte_order_mark_is_kept(script: Path) -> None:
    script.write_bytes(b"\xef\xbb\xbf" + UNFORMATTED)
    assert main(["fmt", str(script)]) == 0
    assert script.read_bytes() == b"\xef\xbb\xbf" + FORMATTED


def test_check_and_diff_write_nothing(script: Path, cli: Cli) -> None:
    assert (
        cli.out("fmt", "--check", script.parent, status=1)
        == f"not formatted: {script}\n1 file not formatted\n"
    )
    out = cli.out("fmt", "--diff", script)
    assert "-1 ; " in out
    assert "\n+\t1 ; " in out
    assert script.read_bytes() == UNFORMATTED
    script.write_bytes(FORMATTED)
    assert main(["fmt", "--check", str(script)]) == 0
    script.write_bytes(b": f 1 ;")
    assert "\n+" in cli.out("fmt", "--diff", script)


def test_a_read_only_file_is_not_replaced(script: Path, cli: Cli) -> None:
    script.chmod(0o444)
    assert cli.err("fmt", script, status=1) == f"forthvm: {script}: it is read-only\n"
    assert script.read_bytes() == UNFORMATTED


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(UNFORMATTED)))
    assert main(["fmt", "-"]) == 0
    assert capsysbinary.readouterr().out == FORMATTED


def test_standard_input_that_is_no_text(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b":\0 \0")))
    assert cli.err("fmt", "-", status=1).startswith("forthvm: standard input: it is not a text")


@pytest.mark.slow
def test_a_reader_may_close_the_pipe(tmp_path: Path) -> None:
    """`forthvm fmt --diff FILE | head` ends without a message."""
    script = write(tmp_path / "long.4th", UNFORMATTED * 5_000)
    with start(*FORTHVM, "fmt", "--diff", script) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


@needs_links
def test_links_remain_links(script: Path) -> None:
    link = script.with_name("link.4th")
    link.symlink_to(script)
    assert main(["fmt", str(link)]) == 0
    assert link.is_symlink()
    assert script.read_bytes() == FORMATTED


def test_bad_files_are_named_and_the_others_formatted(script: Path, cli: Cli) -> None:
    utf_16 = write(script.with_name("wide.4th"), ": f ;".encode("utf-16"))
    missing = script.with_name("missing.4th")
    error = cli.err("fmt", utf_16, missing, script, status=1)
    assert f"forthvm: {utf_16}: it is not a text, or it is encoded in UTF-16" in error
    with pytest.raises(FileNotFoundError) as caught:
        missing.stat()
    assert f"forthvm: {missing}: {caught.value.strerror}\n" in error
    assert script.read_bytes() == FORMATTED
    assert main(["fmt", "-", str(script)]) == 2
    assert main(["fmt"]) == 2
