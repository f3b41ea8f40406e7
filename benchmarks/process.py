"""Benchmarks of loading games, of starting the program, of complete games, and of memory.

Owns the child processes that are measured; they run the same Python interpreter as this process.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from benchmarks.runner import Benchmark, Effort, WrongResultError, check
from forthvm import engines
from forthvm.game import load

__all__ = ["BENCHMARKS"]


# --- loading ----------------------------------------------------------------------------


def _seconds_of_load(name: str | Path) -> float:
    start = time.perf_counter()
    game = load(name)
    seconds = time.perf_counter() - start
    check("moves at the start", len(game.start().legal_moves) > 0, True)
    return seconds


def _load(name: str, _effort: Effort) -> float:
    return _seconds_of_load(name) * 1000


LINES = 1000


def _load_of_lines(_effort: Effort) -> float:
    """Return the additional milliseconds of loading a game with 1,000 lines of definitions."""
    small = load("tictactoe")
    source = small.path.read_text(encoding="utf-8")
    lines = "\n".join(
        f": word-{number} ( n -- n' ) DUP {number} > IF {number} - ELSE {number} + ENDIF 3 * ;"
        for number in range(LINES)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.4th"
        path.write_text(f"{source}\n{lines}\n", encoding="utf-8")
        large = min(_seconds_of_load(path) for _ in range(3))
    return (large - min(_seconds_of_load("tictactoe") for _ in range(3))) * 1000


# --- start-up ---------------------------------------------------------------------------


def _start_of_moves(_effort: Effort) -> float:
    """Return the milliseconds of `forthvm moves tictactoe`, including process start."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "forthvm", "moves", "tictactoe"],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - start
    check("first moves of tic-tac-toe", len(done.stdout.splitlines()), 9)
    return seconds * 1000


def _start_of_python(_effort: Effort) -> float:
    """Return the milliseconds of an empty Python program, the unavoidable part of start-up."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-P", "-c", "pass"], check=True)
    return (time.perf_counter() - start) * 1000


TIMEOUT = 60.0  # seconds
READY = b"\x1b[?2004h"
"""The line editor enables bracketed paste just before it shows the first prompt."""
PROMPT = b"tictactoe X>"


def _start_of_repl(_effort: Effort) -> float:
    """Return the milliseconds from the start of `forthvm repl tictactoe` until it reads keys.

    Without pseudo-terminals the REPL reads a pipe, and the time ends when it exits.
    """
    command = [sys.executable, "-P", "-m", "forthvm", "repl", "tictactoe"]
    if os.name != "posix":
        start = time.perf_counter()
        done = subprocess.run(
            command, input="1 2 + .\n", capture_output=True, text=True, check=True
        )
        seconds = time.perf_counter() - start
        check("result in the REPL", "3" in done.stdout, True)
        return seconds * 1000
    return _seconds_until_prompt(command) * 1000


def _seconds_until_prompt(command: list[str]) -> float:
    """Return the seconds until the REPL reads keys, and end it."""
    controller, terminal = os.openpty()
    environment = os.environ | {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    start = time.perf_counter()
    child = subprocess.Popen(
        command,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        start_new_session=True,
    )
    os.close(terminal)
    shown = b""
    try:
        while READY not in shown or PROMPT not in shown:
            if not select.select([controller], [], [], TIMEOUT)[0]:
                break
            shown += os.read(controller, 4096)
        seconds = time.perf_counter() - start
        check("prompt of the REPL", READY in shown and PROMPT in shown, True)
        return seconds
    except OSError as error:  # the child ended: its terminal is closed
        raise WrongResultError(f"no prompt, but {shown[-500:]!r}") from error
    finally:
        child.kill()
        child.wait()
        os.close(controller)


# --- memory -----------------------------------------------------------------------------

# ru_maxrss includes memory that was used only during imports, /proc/self/statm only current memory.
_MEMORY_SCRIPT = """
import sys, resource
def resident():
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
import forthvm
first = forthvm.load("tictactoe") if GAMES else None
before = resident()
games = [forthvm.load("splut") for _ in range(max(GAMES, 1))]
print((resident() - before) // len(games), sum(len(game.start().legal_moves) > 0 for game in games))
"""


def _added_memory(games: int, _effort: Effort) -> float:
    """Return the MiB that loading splut adds to a new process.

    If `games` is not 0, return the mean of `games` loads after a first game.
    """
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"GAMES = {games}\n{_MEMORY_SCRIPT}"],
        capture_output=True,
        text=True,
        check=True,
    )
    added, started = map(int, done.stdout.split())
    check("games with legal moves", started, max(games, 1))
    return added / 2**20


# --- a game -----------------------------------------------------------------------------

MAX_PLIES = 2000


def _duels(games: int, effort: Effort) -> float:
    """Return the seconds of games of Splut: the script's engine (South) against random moves."""
    return sum(_duel(seed) for seed in range(1, 2 if effort.tiny else 1 + games))


def _duel(seed: int) -> float:
    game = load("splut-duel", seed=seed)
    seats = {"South": engines.get("script"), "North": engines.get(f"random:seed={seed}")}
    chance = engines.get("chance")
    position = game.start()
    start = time.perf_counter()
    while position.result is None and position.ply < MAX_PLIES:
        if position.is_stuck:
            position.push_pass()
        else:
            choice = engines.choose_move(seats.get(position.turn, chance), position)
            position.push(choice.move)
    check("the game ended", position.result is not None, True)
    return time.perf_counter() - start


BENCHMARKS = (
    Benchmark(
        name="load",
        group="program",
        unit="ms",
        summary="load tictactoe, library included",
        run=partial(_load, "tictactoe"),
    ),
    Benchmark(
        name="load-rithmomachia",
        group="program",
        unit="ms",
        summary="load the largest game",
        run=partial(_load, "rithmomachia"),
    ),
    Benchmark(
        name="load-1000-lines",
        group="program",
        unit="ms",
        summary="time that 1,000 lines of definitions add to loading a game",
        run=_load_of_lines,
        target="below 50",
    ),
    Benchmark(
        name="start-python",
        group="program",
        unit="ms",
        summary="python -c pass, for comparison",
        run=_start_of_python,
    ),
    Benchmark(
        name="start-moves",
        group="program",
        unit="ms",
        summary="`forthvm moves tictactoe` from a shell",
        run=_start_of_moves,
        target="below 60",
    ),
    Benchmark(
        name="start-repl",
        group="program",
        unit="ms",
        summary="`forthvm repl tictactoe` until it reads keys",
        run=_start_of_repl,
    ),
    Benchmark(
        name="duel",
        group="program",
        unit="s",
        summary="a game of splut-duel, the engine of the script against random moves",
        run=partial(_duels, 1),
        repeats=3,
    ),
    Benchmark(
        name="duel-10",
        group="program",
        unit="s",
        summary="ten games of splut-duel",
        run=partial(_duels, 10),
        repeats=1,
        slow=True,
    ),
    Benchmark(
        name="memory-splut",
        group="memory",
        unit="MiB",
        summary="resident memory added by load('splut')",
        run=partial(_added_memory, 0),
        repeats=3,
        target="below 40",
    ),
    Benchmark(
        name="memory-more",
        group="memory",
        unit="MiB",
        summary="resident memory added by each of 10 more games of splut",
        run=partial(_added_memory, 10),
        repeats=3,
    ),
)
