"""The top level of the command line: help, wrong usage, exit statuses."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from forthvm._version import __version__
from forthvm.cli.app import COMMANDS
from tests.kit.commands import Cli
from tests.kit.processes import run


def test_no_command_prints_help_on_stderr(cli: Cli) -> None:
    result = cli()
    assert result.status == 2
    assert result.out == ""
    assert "usage: forthvm COMMAND" in result.err


@pytest.mark.parametrize(("screen", "command"), [(True, "board"), (False, "library")])
def test_no_command_at_a_terminal_opens_the_library(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, screen: bool, command: str
) -> None:
    started = []
    monkeypatch.setattr("forthvm.cli.app._is_terminal", lambda: True)
    monkeypatch.setattr("forthvm.system.console.has_screen", lambda: screen)
    monkeypatch.setattr("webbrowser.get", lambda: None)
    monkeypatch.setattr(f"forthvm.cli.commands.{command}.run", lambda _: started.append(1) or 0)
    assert cli().status == 0
    assert started


@pytest.mark.parametrize("word", ["--help", "-h", "help"])
def test_help_lists_every_command_name(cli: Cli, word: str) -> None:
    out = cli.out(word)
    assert all(name in out for name in COMMANDS)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(cli: Cli, name: str) -> None:
    out = cli.out(name, "--help")
    assert f"usage: forthvm {name}" in out
    assert "examples:" in out
    assert cli("help", name).out == out


@pytest.mark.parametrize("name", ["run", "moves", "perft"])
def test_commands_that_load_a_game_have_the_common_options(cli: Cli, name: str) -> None:
    out = cli(name, "--help").out
    for option in (
        "--seed",
        "--axiom ",
        "--axiom-lib",
        "--checked",
        "--max-steps",
        "--position",
        "--moves",
        "--json",
    ):
        assert option in out


def test_version_option_prints_the_version(cli: Cli) -> None:
    assert cli("--version").out == f"forthvm {__version__}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["moev"], "did you mean 'moves'"),
        (["game.4th"], "forthvm run game.4th"),
        (["--seed"], "no command '--seed'"),
    ],
)
def test_unknown_commands_are_reported_with_advice(
    cli: Cli, words: list[str], message: str
) -> None:
    result = cli(*words)
    assert result.status == 2
    assert message in result.err
    assert result.out == ""


@pytest.mark.parametrize(
    "words",
    [
        ["moves"],
        ["moves", "tictactoe", "--fast"],
        ["moves", "tictactoe", "--axiom", "149"],
        ["moves", "tictactoe", "--max-steps", "-1"],
        ["moves", "tictactoe", "--axiom-lib", "no-such-folder"],
        ["moves", "tictactoe", "--seed", "2147483648"],
        ["moves", "tictactoe", "--max-steps", "9" * 30],
        ["perft", "tictactoe", "9" * 30],
        ["perft", "tictactoe"],
        ["perft", "tictactoe", "-1"],
        ["perft", "tictactoe", "x"],
        ["run", "tictactoe", "--time", "-1"],
        ["run", "tictactoe", "--time", "nan"],
        ["run", "tictactoe", "--depth", "0"],
        ["run", "tictactoe", "--json"],
        ["run", "tictactoe", "--auto", "--side", "X"],
        ["run", "tictactoe", "--auto", "--max-plies", "0"],
        ["run", "tictactoe", "--auto", "--engine", "deep-blue"],
        ["run", "tictactoe", "--auto", "--engine", "axiom:depth=0"],
        ["run", "tictactoe", "--auto", "--engine", "axiom:ply=4"],
        ["run", "tictactoe", "--auto", "--engine", "Z=random"],
        ["run", "tictactoe", "--auto", "--engine", "X="],
        ["run", "tictactoe", "--side", "Nobody"],
        ["words", "--axiom", "1"],
        ["words", "no-such-word-anywhere"],
    ],
)
def test_wrong_usage_exits_with_2_and_a_message(cli: Cli, words: list[str]) -> None:
    result = cli(*words)
    assert result.status == 2
    assert result.err
    assert result.out == ""
    assert "Traceback" not in result.err


def test_unknown_game_suggests_similar_names(cli: Cli) -> None:
    assert "tictactoe" in cli.err("moves", "tictacto", status=2)


def test_suggestion_is_printed_once(cli: Cli) -> None:
    assert cli("moves", "tictacto").err.count("did you mean") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "tictactoe", "--atuo"], "unknown arguments: --atuo; did you mean --auto?"),
        (["run", "tictactoe", "--engin=first"], "did you mean --engine?"),
        (["moves", "tictactoe", "extra"], "unknown arguments: extra\n"),
        (["run", "tictactoe", "--depth", "x"], "--depth: expected a"),
    ],
)
def test_wrong_options_are_reported_in_two_lines(cli: Cli, words: list[str], message: str) -> None:
    err = cli(*words).err
    assert message in err
    assert len(err.splitlines()) == 2
    assert f"forthvm {words[0]} --help" in err


@pytest.mark.sampled(5)
@pytest.mark.parametrize("columns", ["60", "80"])
@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_the_width(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, name: str, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = cli(name, "--help").out.partition("examples:")[0]
    wide = [line for line in text.splitlines() if len(line) > int(columns)]
    assert [line for line in wide if len(line.split()) > 1] == []  # one word may be a long path


@pytest.mark.parametrize("words", [["moves"], ["perft"], ["run"]])
def test_load_warnings_go_to_stderr(
    cli: Cli, script: Callable[..., Path], words: list[str]
) -> None:
    options = {"moves": [], "perft": ["1"], "run": ["--auto", "--engine", "first"]}[words[0]]
    without_warning = cli(*words, script("sound.4th"), *options)
    assert (without_warning.status, without_warning.err) == (0, "")
    path = script(unused=": idle\n  TRUE IF 1 ;")  # the game does not run this word
    result = cli(*words, path, *options)
    assert (result.status, result.out) == (0, without_warning.out)
    line = next(at for at, text in enumerate(path.read_text().splitlines(), 1) if "IF 1" in text)
    location, _, warning = result.err.partition(" warning: ")
    assert location.endswith(f"small.4th:{line}:13:")
    assert warning == "control structures in `idle` are not balanced: 1 item left on the stack\n"


def test_position_without_moves_is_reported(cli: Cli, script: Callable[..., Path]) -> None:
    path = script(
        setup="{board-setup {setup} Right man e1 board-setup}",
        over=": OnIsGameOver #UnknownScore ;",
    )
    result = cli("moves", path)
    assert (result.status, result.out) == (0, "")
    assert result.err == "Left has no legal move\n"


def test_missing_file_is_wrong_usage(cli: Cli, tmp_path: Path) -> None:
    assert "none.4th" in cli.err("moves", tmp_path / "none.4th", status=2)


def test_failing_script_exits_with_1_and_a_report(cli: Cli, script: Callable[..., Path]) -> None:
    path = script(words=": go-e 1 0 / ; : go-w ;")
    result = cli("moves", path)
    assert result.status == 1
    assert result.out == ""
    assert "division by zero" in result.err
    assert "small.4th:5:" in result.err
    assert "^" in result.err
    assert "Traceback" not in result.err


def test_max_steps_stops_an_endless_script(cli: Cli, script: Callable[..., Path]) -> None:
    path = script(words=": go-e BEGIN FALSE UNTIL ; : go-w ;")
    assert "step limit" in cli.err("moves", path, "--max-steps", "100000", status=1)


def test_script_output_goes_to_stderr(cli: Cli, script: Callable[..., Path]) -> None:
    path = script(over=': OnIsGameOver ." hello " #UnknownScore ;')
    result = cli("moves", path)
    assert result.out == "man a1 - b1\n"
    assert "hello" in result.err


def test_ctrl_c_while_a_command_starts_prints_no_traceback() -> None:
    program = """
import sys
class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == "forthvm.cli.parser":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from forthvm.cli import main
sys.exit(main(["games"]))
"""
    process = run(sys.executable, "-c", program)
    assert (process.returncode, process.stdout) == (130, "")
    assert process.stderr == "\ninterrupted\n"
