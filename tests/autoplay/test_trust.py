"""A results file cannot run a program, module or script without permission."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from forthvm.autoplay import Match, MatchError
from forthvm.autoplay.results.foreign_code import UntrustedError
from forthvm.cli import main
from forthvm.engines.registry import modules_in_spec
from tests.autoplay.matches import played, settings_of
from tests.autoplay.players import write_line
from tests.kit.commands import Cli
from tests.kit.messages import raises
from tests.systems import needs_pipes

NO_BOARD = '"is":"game","symbols":{},"problem":'
"""How the data of a page begin that gives a reason instead of a board."""
PROGRAM = "engine.bat" if os.name == "nt" else "engine.sh"


def edit(path: Path, key: str, value: object) -> None:
    """Write a row of the table `match`, as the sender of a malicious file might do."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT OR REPLACE INTO match VALUES (?, ?)", (key, json.dumps(value)))


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a new current folder; its program and trapped.py create a file `trace` if run."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "trapped", raising=False)
    folder = tmp_path / "trap"
    folder.mkdir()
    trace = folder / "trace"
    program = folder / PROGRAM
    script = f"@type nul >{trace}\n" if os.name == "nt" else f"#!/bin/sh\ntouch {trace}\n"
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)
    text = f"import pathlib\npathlib.Path({str(trace)!r}).touch()\n"
    (folder / "trapped.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def received_file(tmp_path: Path, spec: str, games: int = 4) -> Path:
    """Return a results file of another user, with the engine `spec` as entrant A."""
    path = tmp_path / "received_file.db"
    with Match.create(settings_of("random", "first", games=games), path):
        pass
    edit(path, "entrants", [{"name": "A", "spec": spec, "configuration": 0, "time": None}])
    return path


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (f"ugi:{{trap}}/{PROGRAM} --fast,time=1", f"starts the program {{trap}}/{PROGRAM} --fast"),
        (f"ugi:cmd='{{trap}}/{PROGRAM}'", f"starts the program {{trap}}/{PROGRAM}"),
        ("trapped:Engine", "imports the Python module trapped"),
        ("negamax:depth=1,evaluator=trapped:look", "imports the Python module trapped"),
    ],
)
def test_resuming_runs_no_code_without_permission(
    tmp_path: Path, trap: Path, cli: Cli, spec: str, message: str
) -> None:
    path = received_file(tmp_path, spec.format(trap=trap))
    err = cli.err("autoplay", "--resume", path, status=1)
    assert message.format(trap=trap) in err
    assert "--trust" in err
    for command in (["report", str(path), "--html", "-"], ["replay", str(path), "1", "--json"]):
        cli(*command)
    with pytest.raises(UntrustedError) as caught:
        Match.resume(path)
    assert "`confirm`" in caught.value.hints[0]
    assert not (trap / "trace").exists()
    cli("autoplay", "--resume", path, "--trust", "--quiet")
    assert (trap / "trace").exists()


@pytest.mark.parametrize("protocol", ["gtp", "ucci", "uci", "ugi", "usi", "xboard"])
def test_programs_of_all_protocols_need_permission(
    tmp_path: Path, trap: Path, cli: Cli, protocol: str
) -> None:
    path = received_file(tmp_path, f"{protocol}:{trap}/{PROGRAM},time=1")
    assert f"starts the program {trap}/{PROGRAM}" in cli.err("autoplay", "--resume", path, status=1)


def test_terminal_user_is_asked_for_permission(
    tmp_path: Path,
    trap: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = received_file(tmp_path, "trapped:Engine\x1b")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    calls = []

    def answer(text: str) -> None:
        calls.append(text)
        monkeypatch.setattr("sys.stdin.readline", lambda: text, raising=False)

    for text in ("\n", "no\n", "maybe\n", ""):
        answer(text)
        assert main(["autoplay", "--resume", str(path)]) == 1
        assert not (trap / "trace").exists()
    err = capsys.readouterr().err
    assert err.count("Allow this? [y/N]") == len(calls)
    assert "\x1b" not in err
    answer("y\n")
    main(["autoplay", "--resume", str(path), "--quiet"])
    assert (trap / "trace").exists()


def test_built_in_engines_need_no_permission(tmp_path: Path) -> None:
    path = received_file(tmp_path, "negamax:depth=1", games=2)
    assert main(["autoplay", "--resume", str(path), "--quiet"]) == 0


def test_modules_are_found_in_all_specifications() -> None:
    assert modules_in_spec("random:seed=3") == []
    assert modules_in_spec("ugi:python -m x:y") == []
    assert modules_in_spec("a.b:C:seed=1,evaluator=d:e") == ["a.b", "d"]


# --- scripts -------------------------------------------------------------------------------------

SURPRISE = "surprise-surprise\n"
"""An undefined word, by which loading the script fails with an error."""


def match_with_script(tmp_path: Path) -> tuple[Path, Path]:
    """Play a match of a script that loads another file; return results file and script."""
    folder = tmp_path / "game"
    folder.mkdir()
    script = write_line(folder)
    script.write_text("LOAD part.4th\n" + script.read_text("utf-8"), encoding="utf-8")
    (folder / "part.4th").write_text("\\ nothing\n", encoding="utf-8")
    played(settings_of("random", "first", games=2, game=script), tmp_path / "a.db")
    return tmp_path / "a.db", script


def errors_of_refused_commands(path: Path, cli: Cli) -> str:
    """Check that no command loads the script; return the error messages."""
    replay = cli("replay", path, 1)
    report = cli("report", path, "--html", "-")
    resume = cli("autoplay", "--resume", path, "-n", 4)
    assert (replay.status, report.status, resume.status) == (1, 0, 1)
    assert NO_BOARD in report.out
    assert "surprise-surprise" not in "".join(map(str, (replay, report, resume)))
    return replay.err + report.err + resume.err


@pytest.mark.slow
def test_script_with_a_changed_include_is_not_loaded(tmp_path: Path, cli: Cli) -> None:
    path, script = match_with_script(tmp_path)
    assert cli("replay", path, "1").status == 0
    assert NO_BOARD not in cli.out("report", path, "--html", "-")
    assert cli("autoplay", "--resume", path, "-n", "4", "--quiet").status == 0
    (script.parent / "part.4th").write_text(SURPRISE, encoding="utf-8")
    assert "part.4th has changed or does not exist" in errors_of_refused_commands(path, cli)
    assert "surprise-surprise" in cli.err("replay", path, "1", "--trust", status=1)


def test_other_script_named_in_the_file_is_not_loaded(tmp_path: Path, cli: Cli) -> None:
    path, script = match_with_script(tmp_path)
    other = script.with_name("other.4th")
    other.write_text(script.read_text("utf-8") + SURPRISE, encoding="utf-8")
    edit(path, "configurations", [{"name": "line", "game": str(other)}])
    assert "other.4th has changed or does not exist" in errors_of_refused_commands(path, cli)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "game",
    [
        pytest.param("/dev/zero", marks=needs_pipes),
        pytest.param("fifo.4th", marks=needs_pipes),
        "/etc/passwd",
        "//host/share/x.4th",
    ],
)
def test_devices_pipes_and_private_files_are_not_read(in_folder: Path, cli: Cli, game: str) -> None:
    path, _ = match_with_script(in_folder)
    if game == "fifo.4th":
        os.mkfifo("fifo.4th")
    edit(path, "configurations", [{"name": "line", "game": game}])
    assert "has changed or does not exist" in errors_of_refused_commands(path, cli)
    edit(path, "sources", [])  # without digests, the file might be read as a script
    err = errors_of_refused_commands(path, cli)
    assert game in err
    assert "root:" not in err  # the first word of /etc/passwd


@pytest.mark.slow
def test_file_without_digests_needs_permission(tmp_path: Path, cli: Cli) -> None:
    path, script = match_with_script(tmp_path)
    edit(path, "sources", [])  # the row with the digests
    assert "--trust" in errors_of_refused_commands(path, cli)
    assert cli("replay", path, "1", "--trust").status == 0
    assert cli("autoplay", "--resume", path, "-n", "4", "--trust", "--quiet").status == 0
    script.write_text(script.read_text("utf-8") + "\\ later\n", encoding="utf-8")
    with raises(MatchError, "match.changed-sources"):
        Match.resume(path, confirm=lambda _settings, _code: True)


@pytest.mark.slow
def test_names_in_the_file_are_escaped(tmp_path: Path, cli: Cli) -> None:
    path, _ = match_with_script(tmp_path)
    edit(path, "configurations", [{"name": "line", "game": "\x1b[31m"}])
    for command in (["replay", str(path), "1"], ["autoplay", "--resume", str(path)]):
        err = cli.err(*command, status=1)
        assert r"\x1b[31m" in err
        assert "\x1b" not in err
