"""Default limits of the commands that run scripts: time and memory, named when reached."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from forthvm.cli.loading import budget_of
from forthvm.cli.parser import parser_of
from forthvm.core.budget import Budget, script_budget
from forthvm.game import load, perft
from tests.kit.commands import Cli

Script = Callable[..., Path]

OVER = ": OnIsGameOver #UnknownScore stalemate? IF DROP #LossScore ENDIF ;"
LOOP = "BEGIN FALSE UNTIL"
ENDLESS = {
    "evaluation": {"over": f"{OVER}\n: OnEvaluate {LOOP} 0 ;"},
    "game-over": {"over": f": OnIsGameOver {LOOP} #UnknownScore ;"},
    "move-word": {"words": f": go-e {LOOP} ; : go-w {LOOP} ;"},
    "new-game": {"over": f"{OVER}\n: OnNewGame {LOOP} ;"},
    "next-turn": {"over": f"{OVER}\n: OnNextTurn {LOOP} ;"},
    "move-generation": {"over": f"{OVER}\n: OnGenerateMoves {LOOP} ;"},
    "top-level": {"over": f"{OVER}\n: loop {LOOP} ; loop"},
}
MOVE = "man a1 - b1"
COMMANDS = {
    "moves": ("moves", "GAME"),
    "show": ("show", "GAME"),
    "run": ("run", "GAME", "--auto", "--engine", "negamax:depth=2"),
    "explain": ("explain", "GAME", MOVE),
    "why-not": ("why-not", "GAME", MOVE),
    "perft": ("perft", "GAME", "3"),
    "think": ("think", "GAME", "--depth", "2"),
    "analyse": ("analyse", "GAME", "--games", "2", "--engine", "negamax:depth=2", "--jobs", "1"),
    "debug": ("debug", "GAME"),
    "profile": ("profile", "GAME"),
    "games": ("games", "GAME"),
    "autoplay": ("autoplay", "GAME", "--engine", "a=negamax:depth=2", "--engine", "b=random",
                 "--games", "2"),
    "ugi": ("ugi", "GAME"),
    "repl": ("repl", "GAME"),
}  # fmt: skip


DEBUG_TO_THE_END = "continue\nquit\n"
UGI_SESSION = "ugi\nuginewgame\nposition startpos\ngo depth 2\nisready\nquit\n"
REPL_SESSION = "moves\n"
INPUT = {"debug": DEBUG_TO_THE_END, "ugi": UGI_SESSION, "repl": REPL_SESSION}
UNAFFECTED = {
    "evaluation": {
        "moves",
        "show",
        "explain",
        "why-not",
        "perft",
        "debug",
        "profile",
        "games",
        "repl",
        "ugi",  # quit ends its search
    },
    "game-over": {"games", "debug"},
    "move-word": {"games"},
    "new-game": {"games"},
    "next-turn": {"moves", "show", "explain", "why-not", "perft", "debug", "games", "repl", "ugi"},
    "move-generation": {"show", "games", "debug", "ugi"},
    "top-level": set(),
}
"""Commands that do not run the endless loop, or that end it before the limit."""
REPORTED_WITHOUT_FAILURE = {
    ("analyse", "evaluation"),
    ("autoplay", "evaluation"),
    ("debug", "move-word"),
    ("debug", "new-game"),  # debug opens a session that has stopped at the failure
}
"""Commands that report the failure and continue; their exit status is not 1."""


@pytest.mark.sampled(23)
@pytest.mark.parametrize("loop_location", ENDLESS)
@pytest.mark.parametrize("command", COMMANDS)
def test_endless_loop_ends_by_limit(
    cli: Cli, script: Script, command: str, loop_location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the limit, the location and the option that raises the limit."""
    path = script(**ENDLESS[loop_location])
    monkeypatch.chdir(path.parent)
    args = [str(path) if arg == "GAME" else arg for arg in COMMANDS[command]]
    result = cli(*args, "--max-seconds", "0.02", stdin=INPUT.get(command, ""))
    if command in UNAFFECTED[loop_location]:
        return
    output = result.out + result.err
    assert "stopped after 0.02 s" in " ".join(output.split())
    assert "small.4th:" in output
    if (command, loop_location) not in REPORTED_WITHOUT_FAILURE:
        assert result.status == 1
        assert "--max-seconds" in result.err


def test_every_command_has_default_limits() -> None:
    """A command line without limit options has default limits."""
    limits = script_budget()
    assert limits.call_seconds == 10
    assert limits.memory == 64 << 20
    budget = budget_of(parser_of("moves").parse_args(["small.4th"]))
    assert budget == limits.replace(output=1 << 20)


def test_zero_removes_limits() -> None:
    """0 removes a limit; memory is then limited by the largest image."""
    args = parser_of("moves").parse_args(["small.4th", "--max-seconds", "0", "--max-memory", "0"])
    limits = budget_of(args)
    assert (limits.call_seconds, limits.steps, limits.memory) == (None, None, 1 << 30)


def test_memory_limit_is_named(cli: Cli, script: Script) -> None:
    """An option sets the limit of memory, and the message names the option."""
    over = f"{OVER}\n: flood BEGIN 0 , FALSE UNTIL ; flood"
    err = cli.err("moves", script(over=over), "--max-memory", "20", status=1)
    assert "limit: 20 MiB" in err
    assert "--max-memory" in err


def test_check_names_the_limit(cli: Cli, script: Script) -> None:
    """`check` limits the time of code that runs while a script loads."""
    path = script(**ENDLESS["top-level"])
    result = cli("check", path, "--max-seconds", "0.02", "--max-steps", str(10**15))
    assert "stopped after 0.02 s" in result.out
    assert "--max-seconds" in result.out


@pytest.mark.slow
def test_time_limit_applies_to_each_run() -> None:
    """The limit applies to each run of the script, not to the total time of a search."""
    game = load("tictactoe", budget=Budget(call_seconds=0.02))
    assert perft(game.start(), 9) == 127_872  # games of nine plies, which fill the board
