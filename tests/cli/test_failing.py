"""Scripts that fail during play: the report, and the commands that it suggests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from forthvm.system.command_line import split_words
from tests.kit.commands import Cli

Script = Callable[..., Path]

OVER = ": OnIsGameOver #UnknownScore ;"
WORDS = """\
: bump ( -- ) count ++ ;
: check ( -- ) {check} ;
: step ( 'dir -- ) EXECUTE verify empty? verify check from here move COMPILE bump add-move ;
: go-e ['] e step ;  : go-w ['] w step ;
"""
AFTER_TWO_MOVES = "count @ 2 >"
FAULTS = {
    "division": f"{AFTER_TWO_MOVES} IF 1 0 / DROP ENDIF",
    "underflow": f"{AFTER_TWO_MOVES} IF 9 0 DO DROP LOOP ENDIF",
    "endless loop": f"{AFTER_TWO_MOVES} IF BEGIN FALSE UNTIL ENDIF",
    "recursion": f"{AFTER_TWO_MOVES} IF RECURSE ENDIF",
    "ABORT": f'{AFTER_TWO_MOVES} ABORT" too late"',
    "address": f"{AFTER_TWO_MOVES} IF -1 @ DROP ENDIF",
    "not a word": f"{AFTER_TWO_MOVES} IF 3 EXECUTE ENDIF",
    "name at run time": f"{AFTER_TWO_MOVES} IF ' DROP ENDIF",
    "array index": f"{AFTER_TWO_MOVES} IF 9 seen[] @ DROP ENDIF",
    "unset DEFER": f"{AFTER_TWO_MOVES} IF later ENDIF",
}
FAILURE_LOCATIONS = {
    "generation": {"words": WORDS},
    "OnIsGameOver": {"over": ": OnIsGameOver {check} #UnknownScore ;"},
    "OnNextTurn": {"over": f"{OVER}\n: OnNextTurn {{check}} ;"},
    "a move": {
        "words": ": bump ( -- ) count ++ {check} ;\n"
        ": step ( 'dir -- ) EXECUTE verify empty? verify from here move COMPILE bump add-move ;\n"
        ": go-e ['] e step ;  : go-w ['] w step ;"
    },
    "OnEvaluate": {"over": f"{OVER}\n: OnEvaluate {{check}} 0 ;"},
}
BOARD = "{board 1 5 {grid} {position} store {variable} count 4 {array} seen[] board}  DEFER later"
# The step limit is low, because `back` repeats all steps.
COMMON = ("--checked", "--max-steps", "100000", "--seed", "7")


def write(script: Script, fault: str, location: str) -> Path:
    parts = {
        name: text.replace("{check}", FAULTS[fault])
        for name, text in FAILURE_LOCATIONS[location].items()
    }
    return script(**{"board": BOARD, "over": OVER, **parts})


def commands(report: str) -> list[list[str]]:
    """Returns the command lines in a message, without the program's name."""
    lines = [line.strip() for line in report.splitlines()]
    return [split_words(line)[1:] for line in lines if line.startswith("forthvm ")]


@pytest.mark.sampled(17)
@pytest.mark.parametrize("location", FAILURE_LOCATIONS)
@pytest.mark.parametrize("fault", FAULTS)
def test_suggested_commands_repeat_the_failure(
    cli: Cli, script: Script, fault: str, location: str
) -> None:
    """The report has the moves, a command that repeats the failure, and a debugger command."""
    path = write(script, fault, location)
    engine = "negamax:depth=3" if location == "OnEvaluate" else "first"
    err = cli.err(
        "run", path, "--auto", "--engine", engine, "--brief", "--max-plies", "9", *COMMON, status=1
    )
    first = err.splitlines()[0]
    assert "small.4th:" in first
    assert "next: debug it:" in err
    if location != "OnEvaluate":  # the search of the first move reaches this failure
        assert "  after " in err
        assert "man a1 - b1" in err
    repeat, debug = commands(err)
    assert cli(*repeat).err.splitlines()[0] == first
    debugged = cli(*debug, stdin="continue\nback\n")
    assert "failure (step" in debugged.out
    assert "small.4th:" in debugged.out


@pytest.mark.parametrize("location", FAILURE_LOCATIONS)
def test_debug_on_error_opens_the_debugger(cli: Cli, script: Script, location: str) -> None:
    """The debugger opens at the failure, after the moves, and can step backward."""
    path = write(script, "division", location)
    engine = "negamax:depth=3" if location == "OnEvaluate" else "first"
    command = ("run", path, "--auto", "--engine", engine, "--brief", "--debug-on-error")
    result = cli(*command, stdin="print count @\nback\n")
    assert result.status == 1
    assert "failure (step" in result.out
    assert "> print count @\n3\n" in result.out or location == "OnEvaluate"
    assert "stopped (step" in result.out
    assert "division by zero" in result.err


def test_failure_of_an_engine_in_python_has_its_traceback(
    cli: Cli, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report has Python's traceback and no advice about the script."""
    (tmp_path / "broken.py").write_text(
        "def deep():\n    return 1 / 0\n\n\n"
        "class Broken:\n    def play(self, position):\n        return deep()\n",
        "utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    path = script(words=WORDS.replace("{check}", ""), board=BOARD, over=OVER)
    err = cli.err("run", path, "--auto", "--engine", "broken:Broken", "--brief", status=1)
    assert "to repeat it:" in err
    assert "return deep()" in err
    assert "--checked" not in err
    assert "--debug-on-error" not in err


@pytest.mark.parametrize("debugger", [False, True])
def test_prompt_continues_after_a_failure(cli: Cli, script: Script, *, debugger: bool) -> None:
    """The prompt prints the same report, and the game continues."""
    path = write(script, "division", "a move")
    debugger_lines = ["where", "quit"] if debugger else []
    lines = ["a1b1", "e1d1", "b1c1", *debugger_lines, "undo", "quit"]
    options = ["--debug-on-error"] if debugger else []
    out = cli.out("run", path, "--side", "all", *options, stdin="\n".join(lines) + "\n")
    assert "after 2 moves: man a1 - b1; man e1 - d1" in out
    assert "while Left made the move man b1 - c1" in out
    assert ("called by the host: apply" in out) == debugger
    assert "Took back 1 ply" in out
    debug = commands(out)[-1]
    assert debug[-2:] == ["--play", "man b1 - c1"]


def test_same_failure_is_explained_once(cli: Cli, script: Script) -> None:
    """The script fails until the move is taken back; the hints are printed once."""
    path = write(script, "division", "OnIsGameOver")
    result = cli("run", path, "--side", "all", stdin="a1b1\ne1d1\nb1c1\nmoves\nboard\nquit\n")
    assert result.out.count("to repeat it:") == 1


def test_commands_at_a_failed_position_report_it(cli: Cli, script: Script) -> None:
    """Each typed line prints the error once; after `undo` the hints are printed again."""
    path = write(script, "division", "OnIsGameOver")
    lines = ["a1b1", "e1d1", "b1c1", "d1c1", "undo", "b1c1", "quit"]
    result = cli("run", path, "--side", "all", stdin="\n".join(lines) + "\n")
    assert result.out.count("division by zero") == 3
    assert result.out.count("to repeat it:") == 2
    assert result.out.count("The script failed.") == 3


def test_failure_at_the_start_suggests_new_game(cli: Cli, script: Script) -> None:
    path = script(over=f"{OVER}\n: OnNewGame 1 0 / DROP ;")
    result = cli("run", path, "--auto")
    (debug,) = commands(result.err)
    assert debug == ["debug", str(path), "--new-game"]
    assert "failure (step" in cli(*debug, stdin="continue\n").out
    assert "#0  OnNewGame" in cli.out(
        "run", path, "--auto", "--debug-on-error", status=1, stdin="where\n"
    )


def test_suggested_commands_quote_their_options(cli: Cli, script: Script, tmp_path: Path) -> None:
    """The commands contain paths with blanks and quotes, the position, the limits and the seed."""
    path = write(script, "division", "a move")
    quoted_path = path.with_name("it's a game.4th")
    path.rename(quoted_path)
    saved = tmp_path / "my position.json"
    limits = ("--seed", "7", "--max-steps", "99999")
    typed = f"a1b1\nsave {saved}\nquit\n"
    assert cli("run", quoted_path, "--side", "all", *limits, stdin=typed).status == 0
    start = ("--position", saved, "--moves", "e1d1")
    result = cli("run", quoted_path, *start, "--auto", "--engine", "first", *limits)
    repeat, debug = commands(result.err)
    assert repeat[:2] == ["moves", str(quoted_path)]
    for option, value in {"--seed": "7", "--max-steps": "99999", "--position": str(saved)}.items():
        assert repeat[repeat.index(option) + 1] == value
    assert repeat[-2:] == ["--moves", "man e1 - d1; man b1 - c1"]
    assert cli(*repeat).err.splitlines()[0] == result.err.splitlines()[0]
    assert "failure (step" in cli(*debug, stdin="continue\n").out


@pytest.mark.slow
def test_replay_suggests_commands_for_a_failure(cli: Cli, script: Script, in_folder: Path) -> None:
    """Commands are suggested if the script fails in the replay, or failed in the recorded game."""
    path = script(board=BOARD, over=OVER)
    play = ("--engine", "a=first", "--engine", "b=first", "--games", "1", "--opening-plies", "0",
            "--jobs", "1", "--quiet")  # fmt: skip
    assert cli("autoplay", path, *play, "--max-plies", "9", "--out", "before-change.db").status == 0
    write(script, "division", "a move")
    err = cli.err("replay", "before-change.db", "1", "--brief", "--trust", status=1)
    assert "while move 3, Left: man b1 - c1, was made" in err
    save, debug = commands(err)
    assert cli(*save).status == 0
    assert "failure (step" in cli(*debug, stdin="continue\n").out

    cli("autoplay", path, *play, "--out", "after-change.db")
    result = cli("replay", "after-change.db", "1", "--brief")
    save, debug = commands(result.out)
    assert cli(*save).status == 0
    assert "called by the host: apply" in cli(*debug, stdin="where\n").out
