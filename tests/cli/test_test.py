"""`forthvm test`: which tests run, and what is printed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from forthvm.cli.app import main
from tests.cli.test_games_listing import on_terminal
from tests.kit.commands import Cli

SCRIPT = Path(__file__).parents[2] / "scripts" / "tictactoe" / "tictactoe.4th"
TESTS = """\
test The first player chooses
\tmoves 9

test A wrong count
\tmoves 8
"""


@pytest.fixture
def game(in_folder: Path) -> Path:
    """A folder with a game and its tests, which becomes the current folder."""
    Path("game.4th").write_text(SCRIPT.read_text())
    Path("game.test").write_text(TESTS)
    Path("game.perft").write_text("1 9 counted\n9 127872000 a guess\n")
    return in_folder


def test_the_folder_is_tested(game: Path, cli: Cli) -> None:
    assert cli.out("test", status=1).splitlines()[:5] == [
        "game.perft",
        "  passed   perft 1 9",
        "  skipped  perft 9 127872000 (more than 1,000,000 sequences)",
        "game.test",
        "  passed   The first player chooses",
    ]
    out = cli.out("test", game, status=1)
    assert "game.test:5:2: there are 9 moves, not 8\n          5 | \tmoves 8" in out
    assert out.endswith("4 tests: 2 passed, 1 failed, 1 skipped\n")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("arguments", "status", "summary"),
    [
        (["game.4th"], 1, "4 tests: 2 passed, 1 failed, 1 skipped"),
        (["game.test"], 1, "2 tests: 1 passed, 1 failed"),
        (["game.perft"], 0, "2 tests: 1 passed, 1 skipped"),
        (["game.test:2"], 0, "1 test: 1 passed"),
        (["game.test:2", "game.test:5"], 1, "2 tests: 1 passed, 1 failed"),
        (["-k", "FIRST"], 0, "1 test: 1 passed"),
        (["tictactoe", "-k", "full board"], 0, "1 test: 1 passed"),
    ],
)
def test_tests_are_chosen(
    game: Path,
    arguments: list[str],
    status: int,
    summary: str,
    cli: Cli,
) -> None:
    assert cli.out("test", *arguments, status=status).splitlines()[-1] == summary


def test_tests_are_listed(game: Path, cli: Cli) -> None:
    assert cli.out("test", "--list", "game.test") == (
        "game.test:1: The first player chooses\ngame.test:4: A wrong count\n"
    )


def test_json(game: Path, cli: Cli) -> None:
    listed, second, passed, failed, end = map(
        json.loads, cli.out("test", "--json", "game.test", status=1).splitlines()
    )
    assert listed == {
        "event": "test",
        "id": "game.test:1",
        "name": "The first player chooses",
        "file": str(game / "game.test"),
        "line": 1,
        "kind": "position",
    }
    assert second["id"] == "game.test:4"
    assert (passed["outcome"], passed["message"]) == ("passed", "")
    assert (failed["outcome"], failed["location"]) == ("failed", "game.test:5:2")
    assert end == {"event": "end", "passed": 1, "failed": 1, "errors": 0, "skipped": 0}


def test_junit(game: Path) -> None:
    Path("game.4th").write_text(SCRIPT.read_text().replace("empty? verify", '." \x1b" 1 0 /'))
    Path("other.test").write_text("game game.4th\ntest <t> \x07\n\tplay X a1\n")
    assert main(["test", "--junit", "results.xml"]) == 1
    root = ET.parse("results.xml").getroot()
    suites = {suite.get("name"): suite for suite in root}
    assert [(name, suite.get("tests")) for name, suite in suites.items()] == [
        ("game.perft", "2"),
        ("game.test", "2"),
        ("other.test", "1"),
    ]
    (case,) = suites["other.test"]
    assert case.get("name") == "<t> \\x07"
    (error,) = case
    assert error.tag == "error"
    assert "division by zero" in (error.text or "")
    assert main(["test", "--junit", "nowhere/results.xml"]) == 2


def test_a_wrong_file_does_not_hide_the_others(game: Path, cli: Cli) -> None:
    Path("a.test").write_text("tst t\n")
    out = cli.out("test", "--list", status=1)
    assert "a.test:1:1: unknown keyword `tst`" in out
    assert "game.test:4: A wrong count" in out


def test_the_report_of_a_wrong_file(game: Path, cli: Cli) -> None:
    Path("game.test").write_text("test t\n\tmovs 9\n")
    assert cli.out("test", "game.test", status=1).splitlines() == [
        "game.test",
        "  error    reading game.test",
        "    game.test:2:2: unknown keyword `movs`",
        "          2 | \tmovs 9",
        "            | \t^~~~",
        "      did you mean `moves`?",
        "      no test of game.test runs until this is corrected",
        "1 test: 1 could not be run",
    ]


@pytest.mark.slow
def test_reports_fit_a_narrow_terminal(game: Path) -> None:
    title = "The first player may choose any of the nine squares of the board"
    body = "\tlegal X b2; X a1; X a2; X b1; X c1; X c2; X c3; X z9; X a3\n\tmoves 9\n"
    Path("game.test").write_text(f"test {title}\n{body}")
    output = "\n".join(on_terminal(60, "test", "game.test"))
    rows = re.sub(r"\x1b\[(\d+m|K)", "", output).split("\n")
    assert max(len(text) for row in rows for text in row.split("\r")) <= 60
    lines = [row.split("\r")[-1] for row in rows]  # without the status, which was cleared
    assert "\n".join(lines).startswith(
        "game.test\n"
        "  failed   The first player may choose any of the nine\n"
        "             squares of the board\n"
        "    game.test:2:50: "
    )


def test_a_game_that_cannot_be_loaded_is_reported_once(game: Path, cli: Cli) -> None:
    Path("game.4th").write_text("nonsense\n")
    out = cli.out("test", "game.test", status=1)
    assert out.count("unknown word `nonsense`") == 1
    assert out.endswith("    as above\n2 tests: 2 could not be run\n")


def test_a_file_with_two_names_runs_once(game: Path, cli: Cli) -> None:
    out = cli("test", "game.test", Path("game.test").resolve(), ".").out
    assert out.count("The first player chooses") == 1


def test_wrong_arguments(game: Path, cli: Cli) -> None:
    Path("empty").mkdir()
    Path("notes.txt").write_text("")
    Path("alone.4th").write_text("")
    for arguments, message in (
        (["empty"], "there are no tests"),
        (["-k", "nothing"], "no test of these files is chosen"),
        (["game.test:1000", "-k", "nothing"], "no test of these files is chosen"),
        (["game.4th:2"], "game.4th:2: only a .test or .perft file has tests at lines"),
        (["missing.test"], "there is no file or folder missing.test"),
        (["notes.txt"], "notes.txt is no file with tests"),
        (["alone.4th"], "alone.4th has no tests: there is no alone.test beside it"),
        (["nothing"], "no game is called `nothing`"),
        (["--seconds", "-1"], "expected a non-negative number of seconds"),
    ):
        assert message in cli.err("test", *arguments, status=2)


def test_folders_whose_names_begin_with_a_dot_are_not_searched(game: Path, cli: Cli) -> None:
    Path(".venv").mkdir()
    Path(".venv/x.test").write_text("tst\n")
    Path("more").mkdir()
    Path("more/y.test").write_text("game ../game.4th\ntest In a folder below\n\tmoves 9\n")
    assert "more/y.test:2: In a folder below\n" in cli.out("test", "--list")


def test_files_without_tests_are_named(game: Path, cli: Cli) -> None:
    Path("empty.test").write_text("game game.4th\n# later\n")
    assert cli.err("test", "empty.test", status=2).startswith(
        "forthvm: empty.test contains no tests\n"
    )


def test_json_of_chosen_tests_announces_the_listed_places(game: Path, cli: Cli) -> None:
    """Editors list the tests by a folder, and run them by the files and lines in the list.

    The ids of results are those of the run.  A file that cannot be read is listed, too.
    """
    (game / "wrong.test").write_text("game game.4th\nnonsense\n")

    def events(*arguments: str) -> list[dict[str, object]]:
        status, out, _ = cli("test", "--json", *arguments)
        assert status in (0, 1)
        return [json.loads(line) for line in out.splitlines()]

    listed = [event for event in events("--list", ".") if event["event"] == "test"]
    assert [event["kind"] for event in listed] == ["perft", "perft", "position", "position", "file"]
    for test in listed:
        place = f"{test['file']}:{test['line']}"
        announced, result, _ = events(place)
        assert (announced["file"], announced["line"]) == (test["file"], test["line"])
        assert announced["id"] == result["id"] == place
    failed = [event for event in events(".") if event.get("outcome") in ("failed", "error")]
    assert [event.get("failedLine") for event in failed] == [5, 2]


@pytest.fixture
def endless(game: Path) -> Path:
    """The game has a move word that never ends."""
    script = SCRIPT.read_text()
    put = next(line for line in script.splitlines() if line.startswith(": put"))
    Path("game.4th").write_text(script.replace(put, ": put ( -- ) BEGIN FALSE UNTIL ;"))
    return game


def test_a_time_limit_ends_the_tests_of_its_file(endless: Path, cli: Cli) -> None:
    out = cli.out("test", "--seconds", "0.1", status=1)
    assert out.endswith("4 tests: 2 could not be run, 2 skipped\n")
    assert out.count("not run: an earlier test of this file reached the time limit") == 2
    assert out.count("this loop never ends") == 3  # before the tests, and in two errors
    assert "the limit of a test is 0.1 s; raise it with --seconds" in out


def test_endless_loops_are_shown_before_the_tests(endless: Path, cli: Cli) -> None:
    name, warning, first = cli("test", "game.test", "--seconds", "0.1").out.splitlines()[:3]
    assert name == "game.test"
    assert "warning W313: this loop never ends" in warning
    assert first.startswith("  error  ")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "code",
    [
        ": OnNewGame ( -- ) BEGIN FALSE UNTIL ;",
        ": wait ( -- ) BEGIN FALSE UNTIL ; wait",
        ": OnIsGameOver ( -- n ) BEGIN FALSE UNTIL 0 ;",
        ": OnGenerateMoves ( -- ) BEGIN FALSE UNTIL ;",
    ],
)
def test_every_endless_loop_ends_at_the_limit(code: str, game: Path, cli: Cli) -> None:
    Path("game.4th").write_text(f"{SCRIPT.read_text()}\n{code}\n")
    assert (
        cli.out("test", "game.test", "--seconds", "0.1", status=1).count("this loop never ends")
        == 2
    )


def test_a_step_that_repeats_at_the_edge_is_shown_before_the_tests(game: Path, cli: Cli) -> None:
    code = """{directions 0 1 {direction} east directions}
        : slide ( 'dir -- ) BEGIN DUP EXECUTE DROP empty? NOT UNTIL DROP ;
        : go ( -- ) ['] east slide from here move add-move ;"""
    Path("game.4th").write_text(f"{SCRIPT.read_text()}\n{code}\n")
    out = cli("test", "game.test").out
    assert out.count("the flag of this step is dropped") == 1
    assert out.index("W413") < out.index("passed")


def test_the_running_test_is_shown_on_a_terminal(
    game: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    shown = cli("test", "game.test:2").err
    assert shown.startswith(
        "\r  running  The first player chooses (at most 20 s); Ctrl-C ends\x1b[K"
    )
    assert shown.endswith("\r\x1b[K")
