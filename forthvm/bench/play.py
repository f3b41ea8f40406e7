"""Benches of games in one process: moves made and taken back, perft, playouts, search.

Owns nothing but the measuring; the right answers come from the rules.
"""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from forthvm import engines
from forthvm.bench.runner import Bench, check
from forthvm.game import Game, Position, load, perft

__all__ = ["BENCHES"]

PERFT_TICTACTOE = 54720
"""Six plies of tic-tac-toe: the 60,480 ways to fill six squares in turn, without those
in which X had a line after five (1,440, each with 4 sixth plies).  60,480 - 5,760."""
PERFT_BREAKTHROUGH = 256036
"""Four plies of breakthrough on 8 x 8, as published for other programs (22, 484, 11,132)."""


def _seconds_of_load(name: str | Path) -> float:
    start = time.perf_counter()
    game = load(name)
    seconds = time.perf_counter() - start
    check("moves at the start", len(game.start().legal_moves) > 0, True)
    return seconds


def _load() -> float:
    return _seconds_of_load("tictactoe") * 1000


LINES = 1000


def _load_lines() -> float:
    """What 1,000 lines of definitions add to the loading of a game, in milliseconds."""
    small = load("tictactoe")
    source = small.path.read_text(encoding="utf-8")
    lines = "\n".join(
        f": word-{at} ( n -- n' ) DUP {at} > IF {at} - ELSE {at} + ENDIF 3 * ;"
        for at in range(LINES)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.4th"
        path.write_text(f"{source}\n{lines}\n", encoding="utf-8")
        large = min(_seconds_of_load(path) for _ in range(3))
    return (large - min(_seconds_of_load("tictactoe") for _ in range(3))) * 1000


def _push_pop() -> float:
    """Pairs of push and pop a second, every move of the start made."""
    position = load("breakthrough").start()
    before = position.copy()
    rounds = 10
    moves = list(position.legal_moves)
    check("moves of breakthrough", len(moves), 22)
    start = time.perf_counter()
    for _ in range(rounds):
        for move in moves:
            position.push(move)
            position.pop()
    seconds = time.perf_counter() - start
    check("position after taking back", position == before, True)
    return rounds * len(moves) / seconds


def _perft(name: str, depth: int, expected: int) -> float:
    """Sequences a second."""
    position = load(name).start()
    start = time.perf_counter()
    count = perft(position, depth)
    seconds = time.perf_counter() - start
    check(f"perft {depth} of {name}", count, expected)
    return count / seconds


def _playouts() -> float:
    """Random games a second, driven from Python."""
    game = load("breakthrough")
    chooser = random.Random(1)
    start = time.perf_counter()
    rounds = 5
    for _ in range(rounds):
        position = _played_out(game, chooser)
        check("draws in breakthrough", position.result is not None and position.result.draw, False)
    return rounds / (time.perf_counter() - start)


def _played_out(game: Game, chooser: random.Random) -> Position:
    position = game.start()
    while position.result is None:
        position.push(chooser.choice(position.legal_moves))
    return position


def _axiom() -> float:
    """Nodes a second of the engine axiom."""
    solved = engines.get("axiom:depth=9").play(load("tictactoe").start())
    check("value of tic-tac-toe", solved.score, 0)
    position = load("breakthrough").start()
    result = engines.get("axiom:depth=4").play(position)
    again = engines.get("axiom:depth=4").play(load("breakthrough").start())
    check("the same search again", (again.move, again.score), (result.move, result.score))
    return result.nodes / result.time


def _duel() -> float:
    """Seconds of a game of Splut: the script's own engine for South against random moves."""
    game = load("splut-duel", seed=1)
    seats = {"South": engines.get("script"), "North": engines.get("random:seed=1")}
    chance = engines.get("chance")
    position = game.start()
    start = time.perf_counter()
    while position.result is None and position.ply < MAX_PLIES:
        if position.is_stuck:
            position.push_pass()
        else:
            answer = engines.ask(seats.get(position.turn, chance), position)
            position.push(answer.move)
    check("the game ended", position.result is not None, True)
    return time.perf_counter() - start


MAX_PLIES = 2000

BENCHES = (
    Bench(name="load", unit="ms", summary="load tictactoe, library included", run=_load),
    Bench(
        name="load-1000-lines",
        unit="ms",
        summary="what 1,000 lines of definitions add to that",
        run=_load_lines,
        target="below 50",
    ),
    Bench(
        name="push-pop", unit="/s", summary="moves of breakthrough made and undone", run=_push_pop
    ),
    Bench(
        name="perft-tictactoe",
        unit="/s",
        summary="sequences of 6 plies counted",
        run=lambda: _perft("tictactoe", 6, PERFT_TICTACTOE),
        repeats=3,
    ),
    Bench(
        name="perft-breakthrough",
        unit="/s",
        summary="sequences of 4 plies counted",
        run=lambda: _perft("breakthrough", 4, PERFT_BREAKTHROUGH),
        repeats=3,
    ),
    Bench(
        name="playouts",
        unit="/s",
        summary="random games of breakthrough, moves chosen in Python",
        run=_playouts,
        repeats=3,
    ),
    Bench(
        name="axiom", unit="nodes/s", summary="axiom:depth=4 on breakthrough", run=_axiom, repeats=3
    ),
    Bench(
        name="duel",
        unit="s",
        summary="a game of splut-duel, its own engine against random moves",
        run=_duel,
        repeats=1,
        slow=True,
        target="minutes for 10 games",
    ),
)
