"""Scripts that fail during play: the report, and the commands that it suggests."""

from __future__ import annotations

import io
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
Script = Callable[..., Path]

OVER = ": OnIsGameOver #UnknownScore ;"
WORDS = """\
: bump ( -- ) count ++ ;
: check ( -- ) {check} ;
: step ( 'dir -- ) EXECUTE verify empty? verify check from here move COMPILE bump add-move ;
: go-e ['] e step ;  : go-w ['] w step ;
"""
LATE = "count @ 2 >"
FAULTS = {
    "division": f"{LATE} IF 1 0 / DROP ENDIF",
    "underflow": f"{LATE} IF 9 0 DO DROP LOOP ENDIF",
    "endless loop": f"{LATE} IF BEGIN FALSE UNTIL ENDIF",
    "recursion": f"{LATE} IF RECURSE ENDIF",
    "ABORT": f'{LATE} ABORT" too late"',
    "address": f"{LATE} IF -1 @ DROP ENDIF",
    "not a word": f"{LATE} IF 3 EXECUTE ENDIF",
    "name at run time": f"{LATE} IF ' DROP ENDIF",
    "array index": f"{LATE} IF 9 seen[] @ DROP ENDIF",
    "unset DEFER": f"{LATE} IF later ENDIF",
}
PLACES = {
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
COMMON = ("--checked", "--max-steps", "100000", "--seed", "7")  # `back` runs all steps again


def write(script: Script, fault: str, place: str) -> Path:
    parts = {name: text.replace("{check}", FAULTS[fault]) for name, text in PLACES[place].items()}
    return script(**{"board": BOARD, "over": OVER, **parts})


def commands(report: str) -> list[list[str]]:
    """Returns the command lines in a message, without the program's name."""
    lines = [line.strip() for line in report.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("forthvm ")]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("fault", FAULTS)
def test_suggested_commands_repeat_the_failure(
    cli: Cli, script: Script, fault: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report lists the moves, a command that fails in the same way, and a debugger command."""
    path = write(script, fault, place)
    engine = "negamax:depth=3" if place == "OnEvaluate" else "first"
    done = cli("run", path, "--auto", "--engine", engine, "--brief", "--max-plies", "9", *COMMON)
    assert done.status == 1
    first = done.err.splitlines()[0]
    assert "small.4th:" in first
    assert "next: debug it:" in done.err
    if place != "OnEvaluate":  # a search from the start reaches that failure
        assert "  after " in done.err
        assert "man a1 - b1" in done.err
    again, step = commands(done.err)
    assert cli(*again).err.splitlines()[0] == first
    monkeypatch.setattr("sys.stdin", io.StringIO("continue\nback\n"))
    seen = cli(*step)
    assert "failure (step" in seen.out
    assert "small.4th:" in seen.out


@pytest.mark.parametrize("place", PLACES)
def test_debug_on_error(
    cli: Cli, script: Script, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The debugger opens at the failure, after the moves, and can step backward."""
    path = write(script, "division", place)
    monkeypatch.setattr("sys.stdin", io.StringIO("print count @\nback\n"))
    engine = "negamax:depth=3" if place == "OnEvaluate" else "first"
    done = cli("run", path, "--auto", "--engine", engine, "--brief", "--debug-on-error")
    assert done.status == 1
    assert "failure (step" in done.out
    assert "> print count @\n3\n" in done.out or place == "OnEvaluate"
    assert "stopped (step" in done.out
    assert "division by zero" in done.err


def test_failure_of_an_engine_in_python(
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
    done = cli("run", path, "--auto", "--engine", "broken:Broken", "--brief")
    assert done.status == 1
    assert "to repeat it:" in done.err
    assert "return deep()" in done.err
    assert "--checked" not in done.err
    assert "--debug-on-error" not in done.err


@pytest.mark.parametrize("debugger", [False, True])
def test_prompt_continues_after_a_failure(
    cli: Cli, script: Script, monkeypatch: pytest.MonkeyPatch, *, debugger: bool
) -> None:
    """The prompt prints the same report, and the game continues."""
    path = write(script, "division", "a move")
    looks = ["where", "quit"] if debugger else []
    lines = ["a1b1", "e1d1", "b1c1", *looks, "undo", "quit"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    more = ["--debug-on-error"] if debugger else []
    done = cli("run", path, "--side", "all", *more)
    assert done.status == 0
    assert "after 2 moves: man a1 - b1; man e1 - d1" in done.out
    assert "while Left made the move man b1 - c1" in done.out
    assert ("called by the host: apply" in done.out) == debugger
    assert "Took back 1 ply" in done.out
    step = commands(done.out)[-1]
    assert step[-2:] == ["--play", "man b1 - c1"]


def test_same_failure_is_explained_once(
    cli: Cli, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script fails until the move is taken back; the hints are printed once."""
    path = write(script, "division", "OnIsGameOver")
    monkeypatch.setattr("sys.stdin", io.StringIO("a1b1\ne1d1\nb1c1\nmoves\nboard\nquit\n"))
    done = cli("run", path, "--side", "all")
    assert done.out.count("to repeat it:") == 1


def test_commands_at_a_failed_position_report_it(
    cli: Cli, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each typed line prints the error once; after `undo` the hints are printed again."""
    path = write(script, "division", "OnIsGameOver")
    lines = ["a1b1", "e1d1", "b1c1", "d1c1", "undo", "b1c1", "quit"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    done = cli("run", path, "--side", "all")
    assert done.out.count("division by zero") == 3
    assert done.out.count("to repeat it:") == 2
    assert done.out.count("The script failed.") == 3


def test_failure_at_the_start(cli: Cli, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    path = script(over=f"{OVER}\n: OnNewGame 1 0 / DROP ;")
    done = cli("run", path, "--auto")
    (step,) = commands(done.err)
    assert step == ["debug", str(path), "--new-game"]
    monkeypatch.setattr("sys.stdin", io.StringIO("continue\n"))
    assert "failure (step" in cli(*step).out
    monkeypatch.setattr("sys.stdin", io.StringIO("where\n"))
    done = cli("run", path, "--auto", "--debug-on-error")
    assert done.status == 1
    assert "#0  OnNewGame" in done.out


def test_suggested_commands_quote_their_options(
    cli: Cli, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands contain paths with blanks and quotes, the position, the limits and the seed."""
    path = write(script, "division", "a move")
    odd = path.with_name("it's a game.4th")
    path.rename(odd)
    saved = tmp_path / "my position.json"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"a1b1\nsave {saved}\nquit\n"))
    assert cli("run", odd, "--side", "all", "--seed", "7", "--max-steps", "99999").status == 0
    done = cli("run", odd, "--position", saved, "--moves", "e1d1", "--auto", "--seed", "7",
               "--engine", "first", "--max-steps", "99999")  # fmt: skip
    again, step = commands(done.err)
    assert again[:2] == ["moves", str(odd)]
    for option, value in {"--seed": "7", "--max-steps": "99999", "--position": str(saved)}.items():
        assert again[again.index(option) + 1] == value
    assert again[-2:] == ["--moves", "man e1 - d1; man b1 - c1"]
    assert cli(*again).err.splitlines()[0] == done.err.splitlines()[0]
    monkeypatch.setattr("sys.stdin", io.StringIO("continue\n"))
    assert "failure (step" in cli(*step).out


def test_replay_suggests_commands_for_a_failure(
    cli: Cli, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replay whose script fails now, or failed in the recorded game, suggests commands."""
    monkeypatch.chdir(tmp_path)
    path = script(board=BOARD, over=OVER)
    play = ("--engine", "a=first", "--engine", "b=first", "--games", "1", "--opening-plies", "0",
            "--jobs", "1", "--quiet")  # fmt: skip
    assert cli("autoplay", path, *play, "--max-plies", "9", "--out", "now.db").status == 0
    write(script, "division", "a move")
    done = cli("replay", "now.db", "1", "--brief", "--trust")
    assert done.status == 1
    assert "while move 3, Left: man b1 - c1, was made" in done.err
    save, step = commands(done.err)
    assert cli(*save).status == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("continue\n"))
    assert "failure (step" in cli(*step).out

    cli("autoplay", path, *play, "--out", "then.db")
    done = cli("replay", "then.db", "1", "--brief")
    save, step = commands(done.out)
    assert cli(*save).status == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("where\n"))
    assert "called by the host: apply" in cli(*step).out
