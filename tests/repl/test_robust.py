"""Commands with unusual arguments end with output or an error, and keep the session."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import forthvm
from forthvm.catalogue import bundled
from forthvm.core.errors import ForthVMError
from forthvm.repl import LeaveError, Session
from forthvm.repl.commands import COMMANDS, Command, game, words
from forthvm.repl.prompt.completion import candidates
from tests.kit.every_game import BUNDLED
from tests.repl.conftest import Game, ReplClient
from tests.repl.test_terminal import StartRepl, TerminalRepl, piped, start_repl

__all__ = ["start_repl"]

UNUSUAL_ARGUMENTS = [
    "",
    "~",
    "~no-such-user/file",
    ".",
    "..",
    "no/such/folder/file",
    r"no\such\file.4th",
    "two words",
    '"',
    '"quoted name"',
    "nul\0byte",
    "\ud800",
    "\x1b[31m",
    "-1",
    "0",
    "1 -5",
    "99999999999999999999",
    "$ffffffff",
    "$zz",
    "²",
    "*",
    "[",
    "in",
    "in [ *",
    "%",
    "load .",
    "save .",
    "load nul\0byte",
    "load binary",
    "binary",
    "DUP",
    "IF",
    "x" * 100_000,
]


@pytest.fixture
def folder(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes a current folder with few files in `..` and `~`, which commands may search.

    The list of all games, from which errors suggest names, is read once for all tests.
    """
    inner = in_folder / "home" / "inner"
    inner.mkdir(parents=True)
    (inner / "binary").write_bytes(bytes(range(256)))
    monkeypatch.setenv("HOME", str(inner.parent))
    monkeypatch.chdir(inner)
    monkeypatch.setattr(bundled, "list_games", lambda: list(BUNDLED))
    return inner


@pytest.mark.slow
@pytest.mark.parametrize("game", [pytest.param("", marks=pytest.mark.slow), "tictactoe"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
@pytest.mark.usefixtures("folder")
def test_unusual_arguments_leave_the_session_unchanged(
    in_game: Game, game: str, command: Command
) -> None:
    for argument in UNUSUAL_ARGUMENTS:
        client = in_game(game, moves=["b2"]) if game else ReplClient(Session(forthvm.VM()))
        client.run(": sq DUP * ;")
        client.run("7")
        line = f"%{command.name} {argument}"
        failure = error_of(client, line)
        if failure:
            assert "internal error" not in failure, line[:80]
            assert client.stack == (7,)
            assert client.run("DUP sq .") == "49 "
        if failure and game:
            assert client.session.need_position().ply == 1
        client.shell.prompt()
        client.run("1 2 + DROP")


def error_of(repl: ReplClient, line: str) -> str:
    """Runs a line and returns its error report, "" if it does not fail."""
    try:
        repl.run(line)
    except ForthVMError as error:
        return error.report()
    except LeaveError:
        pass
    return ""


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_completion_accepts_unusual_arguments(in_game: Game) -> None:
    repl = in_game()
    for command in COMMANDS:
        for argument in [*UNUSUAL_ARGUMENTS, "nul\0byte/", "\ud800/"]:
            for candidate in candidates(repl.shell, f"{command.name} {argument}"):
                assert candidate.text
    for argument in [*UNUSUAL_ARGUMENTS, "nul\0byte/", "\ud800/"]:
        candidates(repl.shell, f"LOAD {argument}")


FAULTS = [NameError("name"), OSError(28, "No space left"), ValueError("text"), MemoryError(),
          RecursionError("deep"), SystemExit(3), KeyError("key"), UnicodeError("text")]  # fmt: skip


@pytest.mark.sampled(5)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("line", ["play a1", "words"])
def test_failing_command_leaves_the_session_unchanged(
    in_game: Game, monkeypatch: pytest.MonkeyPatch, line: str, fault: BaseException
) -> None:
    """The moves, definitions and stack items of a command that fails are undone."""
    repl = in_game()

    def fail(shell: forthvm.repl.Shell, _argument: str) -> None:
        shell.session.play("b2")
        shell.session.vm.interpret(": lost 1 ; 99")
        raise fault

    monkeypatch.setattr(game, "play", fail)
    monkeypatch.setattr(words, "words", fail)
    repl.run(": sq DUP * ; 7")
    output = repl.fail(line)
    assert f"`{line.partition(' ')[0]}`" in output or isinstance(fault, OSError)
    assert repl.session.need_position().ply == 0
    assert repl.stack == (7,)
    assert repl.run("sq .") == "49 "
    assert "unknown word" in repl.fail("lost")
    repl.run("undo")  # undoes `sq .`; the next two undo `lost` and the definition
    repl.run("undo")
    repl.run("undo")
    assert "nothing to take back" in repl.fail("undo")


def test_failing_command_keeps_the_redo_list(repl: ReplClient) -> None:
    repl.run("1")
    repl.run("undo")
    repl.fail("load no-such-game")
    repl.run("redo")
    assert repl.stack == (1,)


def test_command_without_changes_is_not_undone(in_game: Game, in_folder: Path) -> None:
    repl = in_game()
    repl.run("1")
    repl.run("position")
    repl.run("position save here.json")
    repl.run("undo")
    assert repl.stack == ()


def test_move_stays_if_the_game_over_hook_fails_after_it(in_game: Game) -> None:
    repl = in_game()
    repl.run(": OnIsGameOver b2 empty-at? NOT IF 1 0 / ENDIF #UnknownScore ;")
    assert "division by zero" in repl.fail("play b2")
    assert repl.session.need_position().ply == 1
    repl.run("undo")
    assert repl.session.need_position().ply == 0


# --- load with the options of the command line --------------------------------------------


@pytest.mark.slow
def test_load_works_in_a_pipe(tmp_path: Path) -> None:
    process = piped("load tictactoe\nplay b2\nload\nposition\n")
    assert (process.returncode, process.stderr) == (0, "")
    assert "tictactoe, after 1 ply" in process.stdout


@pytest.mark.slow
def test_load_works_at_a_prompt(start_repl: StartRepl) -> None:
    terminal: TerminalRepl = start_repl(columns=80)
    terminal.wait_for("forth>")
    terminal.run(": sq DUP * ;")
    terminal.run("load no-such-game")
    assert "no game is called" in terminal.text
    terminal.run("load missing.4th")
    assert "missing.4th" in terminal.text
    terminal.run("5 sq")
    assert "<1> 25" in terminal.text
    terminal.type("load tictactoe\r")
    terminal.wait_for("tictactoe X>")


@pytest.mark.slow
def test_failing_game_over_hook_is_reported_at_the_start(
    start_repl: StartRepl, tmp_path: Path
) -> None:
    """The user can repair such a script at the prompt."""
    script = f"{TICTACTOE.read_text(encoding='utf-8')}\n: OnIsGameOver ( -- score ) 1 0 / ;\n"
    (tmp_path / "own.4th").write_text(script, encoding="utf-8")
    terminal: TerminalRepl = start_repl("own.4th", columns=80)
    terminal.wait_for("division by zero")
    terminal.wait_for("own>")
    terminal.wait_for_editor()
    terminal.type(": OnIsGameOver #UnknownScore ;\r")
    terminal.wait_for("own X>")


@pytest.mark.slow
@pytest.mark.parametrize("key", ["q", "\x03"])
def test_ending_a_long_error_keeps_the_prompt(start_repl: StartRepl, key: str) -> None:
    terminal: TerminalRepl = start_repl(columns=200, lines=12)
    terminal.wait_for("forth>")
    terminal.wait_for_editor()
    names = "abcdefghijklmnop"
    calls = [f": {name} {called} ;" for called, name in pairwise(names)]
    terminal.type(f": a 0 / ; {' '.join(calls)} 1 p\r")
    terminal.wait_for("-- more")
    terminal.type(key)
    terminal.wait_until(lambda: terminal.text.endswith("forth>"), "a prompt")
    terminal.type("40 2 +\r")
    terminal.wait_for("42")


@pytest.mark.slow
def test_a_failing_command_in_a_pipe_keeps_the_session() -> None:
    process = piped(": sq DUP * ;\nload no-such-game\n5 sq .\nsee nowhere\n")
    assert process.returncode == 1
    assert process.stdout == "25 "
    assert "<stdin>:2: no game is called `no-such-game`" in process.stderr
    assert "<stdin>:4: unknown word `nowhere`" in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.slow
def test_command_argument_opens_no_structure() -> None:
    words = ["(", ":", "\\", '."', "{board", "{pieces", "IF", ";"]
    lines = "".join(f"help {word}\nsee sq\nhelp {word}\n5 sq .\n" for word in words)
    process = piped(f": sq DUP * ;\n{lines}")
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.count(": sq DUP * ;") == len(words)
    assert process.stdout.count("25 ") == len(words)
    assert process.stdout.endswith("25 ")


@pytest.mark.slow
def test_command_name_inside_a_definition_is_forthscript() -> None:
    process = piped(": stack 7 ;\nhelp (\n: f\nstack\n;\nf .\n")
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.endswith("7 ")


@pytest.mark.parametrize(
    "name", ["board", "map", "new", "quit", "redo", "stack", "takeback", "undo"]
)
def test_commands_without_an_argument_refuse_one(in_game: Game, name: str) -> None:
    """For example, the number in `takeback 3` is not ignored."""
    repl = in_game()
    repl.run("play b2")
    repl.run("1")
    assert f"`{name}` takes no argument: `3`" in repl.fail(f"%{name} 3")
    assert repl.stack == (1,)
    assert repl.session.position.ply == 1


TICTACTOE = bundled.find_game("tictactoe")[1]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("my game.4th", "load my game.4th"),
        ("my game.4th", 'load "my game.4th"'),
        ("my game.4th", "load 'my game.4th'"),
        ("own.4th", "load ~/own.4th"),
        ("games/own.4th", r"load games\own.4th"),
        ("games/own.4th", "load ./games/own.4th  "),
        ("own.4th", "load\town.4th"),
    ],
)
def test_load_accepts_paths(repl: ReplClient, in_folder: Path, name: str, line: str) -> None:
    path = in_folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(TICTACTOE.read_bytes())
    assert "X to move" in repl.run(line)
    assert repl.session.need_game().path == path


def test_load_warns_about_lost_definitions(repl: ReplClient) -> None:
    repl.run("load tictactoe")
    assert "undo restores them" not in repl.run("load")
    repl.run(": sq DUP * ;")
    assert "undo restores them" in repl.run("load")
    repl.run("undo")
    assert repl.run("5 sq .") == "25 "


@pytest.mark.parametrize("line", ["load none.4th", "load no where.4th", "load ~/none.4th"])
def test_load_of_a_missing_file_fails(repl: ReplClient, in_folder: Path, line: str) -> None:
    output = repl.fail(line)
    assert line.rpartition("/")[2].removeprefix("load ") in output
    assert "Errno" not in output


def test_file_names_may_contain_blanks(in_game: Game, in_folder: Path) -> None:
    repl = in_game(moves=["b2"])
    repl.run('position save "my position.json"')
    repl.run("play a1")
    repl.run("position load my position.json")
    assert repl.session.need_position().ply == 1
    repl.run(": sq DUP * ;")
    repl.run("save 'my words.4th'")
    assert (in_folder / "my words.4th").is_file()
    assert "my words.4th" in repl.run('check "my words.4th"')
