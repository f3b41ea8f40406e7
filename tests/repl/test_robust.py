"""Commands with odd arguments: each ends in an answer or an error, and nothing is lost."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import ForthVMError
from forthvm.game.catalogue import bundled
from forthvm.repl import LeaveError, Session
from forthvm.repl.commands import COMMANDS, Command, game, words
from forthvm.repl.prompt.completion import candidates
from tests.every_game import BUNDLED
from tests.repl.conftest import Game, Talk
from tests.repl.test_terminal import Person, Sit, piped, sit

__all__ = ["sit"]

ODD = [
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
    """The current folder, with little in `..` and `~`, which commands may search.

    The list of all games, which errors draw advice from, is read once for all tests.
    """
    inner = in_folder / "home" / "inner"
    inner.mkdir(parents=True)
    (inner / "binary").write_bytes(bytes(range(256)))
    monkeypatch.setenv("HOME", str(inner.parent))
    monkeypatch.chdir(inner)
    monkeypatch.setattr(bundled, "list_games", lambda: list(BUNDLED))
    return inner


@pytest.mark.parametrize("game", ["", "tictactoe"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
@pytest.mark.usefixtures("folder")
def test_odd_arguments(in_game: Game, game: str, command: Command) -> None:
    for argument in ODD:
        use = in_game(game, moves=["b2"]) if game else Talk(Session(forthvm.VM()))
        use.say(": sq DUP * ;")
        use.say("7")
        line = f"%{command.name} {argument}"
        failure = outcome(use, line)
        if failure:
            assert "internal error" not in failure, line[:80]
            assert use.stack == (7,)
            assert use.say("DUP sq .") == "49 "
        if failure and game:
            assert use.session.need_position().ply == 1
        use.shell.prompt()
        use.say("1 2 + DROP")


def outcome(talk: Talk, line: str) -> str:
    """The report of a line that may fail; empty if it does not."""
    try:
        talk.say(line)
    except ForthVMError as error:
        return error.report()
    except LeaveError:
        pass
    return ""


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_completion_of_odd_arguments(in_game: Game) -> None:
    talk = in_game()
    for command in COMMANDS:
        for argument in [*ODD, "nul\0byte/", "\ud800/"]:
            for one in candidates(talk.shell, f"{command.name} {argument}"):
                assert one.text
    for argument in [*ODD, "nul\0byte/", "\ud800/"]:
        candidates(talk.shell, f"LOAD {argument}")


FAULTS = [NameError("name"), OSError(28, "No space left"), ValueError("text"), MemoryError(),
          RecursionError("deep"), SystemExit(3), KeyError("key"), UnicodeError("text")]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("line", ["play a1", "words"])
def test_a_fault_of_a_command_leaves_the_session(
    in_game: Game, monkeypatch: pytest.MonkeyPatch, line: str, fault: BaseException
) -> None:
    """A command that fails in its middle is taken back: moves, definitions, stack."""
    talk = in_game()

    def fail(shell: forthvm.repl.Shell, _argument: str) -> None:
        shell.session.play("b2")
        shell.session.vm.interpret(": lost 1 ; 99")
        raise fault

    monkeypatch.setattr(game, "play", fail)
    monkeypatch.setattr(words, "words", fail)
    talk.say(": sq DUP * ; 7")
    told = talk.fail(line)
    assert f"`{line.partition(' ')[0]}`" in told or isinstance(fault, OSError)
    assert talk.session.need_position().ply == 0
    assert talk.stack == (7,)
    assert talk.say("sq .") == "49 "
    assert "unknown word" in talk.fail("lost")
    talk.say("undo")  # `sq .`, then `lost`, then the definition
    talk.say("undo")
    talk.say("undo")
    assert "nothing to take back" in talk.fail("undo")


def test_a_failing_command_leaves_what_can_be_redone(talk: Talk) -> None:
    talk.say("1")
    talk.say("undo")
    talk.fail("load no-such-game")
    talk.say("redo")
    assert talk.stack == (1,)


def test_a_command_that_changes_nothing_is_not_a_line_to_undo(
    in_game: Game, in_folder: Path
) -> None:
    talk = in_game()
    talk.say("1")
    talk.say("position")
    talk.say("position save here.json")
    talk.say("undo")
    assert talk.stack == ()


def test_a_move_stays_when_the_position_after_it_cannot_be_judged(in_game: Game) -> None:
    talk = in_game()
    talk.say(": OnIsGameOver b2 empty-at? NOT IF 1 0 / ENDIF #UnknownScore ;")
    assert "division by zero" in talk.fail("play b2")
    assert talk.session.need_position().ply == 1
    talk.say("undo")
    assert talk.session.need_position().ply == 0


# --- load with the options of the command line --------------------------------------------


def test_load_in_a_pipe(tmp_path: Path) -> None:
    done = piped("load tictactoe\nplay b2\nload\nposition\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "tictactoe, after 1 ply" in done.stdout


def test_load_at_a_prompt(sit: Sit) -> None:
    person: Person = sit(columns=80)
    person.wait_for("forth>")
    person.run(": sq DUP * ;")
    person.run("load no-such-game")
    assert "no game is called" in person.text
    person.run("load missing.4th")
    assert "missing.4th" in person.text
    person.run("5 sq")
    assert "<1> 25" in person.text
    person.type("load tictactoe\r")
    person.wait_for("tictactoe X>")


def test_a_game_whose_position_cannot_be_judged_begins_with_the_error(
    sit: Sit, tmp_path: Path
) -> None:
    """The prompt is where such a script is repaired."""
    script = f"{TICTACTOE.read_text(encoding='utf-8')}\n: OnIsGameOver ( -- score ) 1 0 / ;\n"
    (tmp_path / "own.4th").write_text(script, encoding="utf-8")
    person: Person = sit("own.4th", columns=80)
    person.wait_for("division by zero")
    person.wait_for("own>")
    person.wait_for_editor()
    person.type(": OnIsGameOver #UnknownScore ;\r")
    person.wait_for("own X>")


@pytest.mark.parametrize("key", ["q", "\x03"])
def test_leaving_a_long_error_leaves_the_prompt(sit: Sit, key: str) -> None:
    person: Person = sit(columns=200, lines=12)
    person.wait_for("forth>")
    person.wait_for_editor()
    names = "abcdefghijklmnop"
    calls = [f": {name} {called} ;" for called, name in pairwise(names)]
    person.type(f": a 0 / ; {' '.join(calls)} 1 p\r")
    person.wait_for("-- more")
    person.type(key)
    person.wait_until(lambda: person.text.endswith("forth>"), "a prompt")
    person.type("40 2 +\r")
    person.wait_for("42")


def test_a_failing_command_in_a_pipe_keeps_the_session() -> None:
    done = piped(": sq DUP * ;\nload no-such-game\n5 sq .\nsee nowhere\n")
    assert done.returncode == 1
    assert done.stdout == "25 "
    assert "<stdin>:2: no game is called `no-such-game`" in done.stderr
    assert "<stdin>:4: unknown word `nowhere`" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("word", ["(", ":", "\\", '."', "{board", "{pieces", "IF", ";"])
def test_a_command_about_a_word_that_opens_something_opens_nothing(word: str) -> None:
    done = piped(f": sq DUP * ;\nhelp {word}\nsee sq\nhelp {word}\n5 sq .\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert ": sq DUP * ;" in done.stdout
    assert done.stdout.endswith("25 ")


def test_a_command_name_inside_a_definition_is_no_command() -> None:
    done = piped(": stack 7 ;\nhelp (\n: f\nstack\n;\nf .\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("7 ")


@pytest.mark.parametrize(
    "name", ["board", "map", "new", "quit", "redo", "stack", "takeback", "undo"]
)
def test_commands_without_an_argument_refuse_one(in_game: Game, name: str) -> None:
    """A number, say, is not silently taken for one."""
    talk = in_game()
    talk.say("play b2")
    talk.say("1")
    assert f"`{name}` takes no argument: `3`" in talk.fail(f"%{name} 3")
    assert talk.stack == (1,)
    assert talk.session.position.ply == 1


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
def test_load_of_paths(talk: Talk, in_folder: Path, name: str, line: str) -> None:
    path = in_folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(TICTACTOE.read_bytes())
    assert "X to move" in talk.say(line)
    assert talk.session.need_game().path == path


def test_load_says_what_it_leaves_behind(talk: Talk) -> None:
    talk.say("load tictactoe")
    assert "undo restores them" not in talk.say("load")
    talk.say(": sq DUP * ;")
    assert "undo restores them" in talk.say("load")
    talk.say("undo")
    assert talk.say("5 sq .") == "25 "


@pytest.mark.parametrize("line", ["load none.4th", "load no where.4th", "load ~/none.4th"])
def test_load_of_a_missing_file(talk: Talk, in_folder: Path, line: str) -> None:
    told = talk.fail(line)
    assert line.rpartition("/")[2].removeprefix("load ") in told
    assert "Errno" not in told


def test_other_files_with_blanks(in_game: Game, in_folder: Path) -> None:
    talk = in_game(moves=["b2"])
    talk.say('position save "my position.json"')
    talk.say("play a1")
    talk.say("position load my position.json")
    assert talk.session.need_position().ply == 1
    talk.say(": sq DUP * ;")
    talk.say("save 'my words.4th'")
    assert (in_folder / "my words.4th").is_file()
    assert "my words.4th" in talk.say('check "my words.4th"')
