"""Measures a Python loop over legal moves, compared with python-chess.

Owns the comparison: perft by `push` and `pop` of every legal move, with the same code for both
libraries and interleaved rounds.  For comparison it also measures generation and moves in the C
core alone, and an empty call from Python into C.

    python -m benchmarks.python_loop                     # Breakthrough and others
    python -m benchmarks.python_loop breakthrough chess  # these games
    python -m benchmarks.python_loop --json              # as JSON

python-chess is a separate package (`pip install chess`).  Without it only forthvm is measured.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING, Any, Protocol

import forthvm
from forthvm.core.bindings.clib import lib

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

chess: Any = import_module("chess") if find_spec("chess") else None
DEPTH = 3
PEER = "python-chess"

# Counts of perft 3: of python-chess as published for chess, of the games from their .perft files.
EXPECTED = {PEER: 8902, "breakthrough": 11132, "chess": 8902, "tictactoe": 504}
GAMES = ("breakthrough", "chess")
TARGET = 3.0
"""Target ratio for a game with about as many moves as chess (decision record 66)."""


class Loopable(Protocol):
    """The interface of a position that the loop uses."""

    @property
    def legal_moves(self) -> Iterable[Any]:
        """The legal moves."""

    def push(self, move: Any) -> object:  # noqa: ANN401 - each library has its own type
        """Make a move."""

    def pop(self) -> object:
        """Unmake the last move."""


def perft(position: Loopable, depth: int) -> int:
    """Count sequences of moves; all moves are made and unmade, including the last ones."""
    count = 0
    for move in position.legal_moves:
        position.push(move)
        count += perft(position, depth - 1) if depth > 1 else 1
        position.pop()
    return count


@dataclass(frozen=True)
class Row:
    """The measurements of a game.

    Attributes:
        game: The name of the bundled game.
        moves: The number of legal moves in the initial position.
        ratio: python-chess's time per leaf divided by forthvm's, the median over the rounds; None
            without python-chess.
        loop: Microseconds of forthvm's loop per leaf of the perft.
        peer: Microseconds of python-chess's loop per leaf; None without python-chess.
        list_once: Microseconds of the C core to generate the moves of the initial position.
        make_once: Microseconds of the C core to make and unmake a move there.
    """

    game: str
    moves: int
    ratio: float | None
    loop: float
    peer: float | None
    list_once: float
    make_once: float


def timed(work: Callable[[], int], expected: int) -> float:
    """Return the processor time per unit of work in microseconds.

    `work` returns the number of units; the program ends if it differs from `expected`.
    """
    begin = time.process_time()
    count = work()
    seconds = time.process_time() - begin
    if count != expected:
        sys.exit(f"wrong result: {count} instead of {expected}")
    return seconds / count * 1e6


def call_cost(rounds: int) -> float:
    """Return the microseconds of a call through cffi of a trivial function."""
    vm = lib.fvm_new(1 << 20, 1 << 20)
    here = lib.fvm_here
    repeats = range(20_000)

    def calls() -> int:
        for _ in repeats:
            here(vm)
        return len(repeats)

    def empty_loop() -> int:
        for _ in repeats:
            pass
        return len(repeats)

    cost = [timed(calls, len(repeats)) - timed(empty_loop, len(repeats)) for _ in range(rounds)]
    lib.fvm_free(vm)
    return median(cost)


def core_cost(position: forthvm.Position, rounds: int) -> tuple[float, float]:
    """Return the microseconds of one generation, and of one make and unmake, in the C core.

    Both include a call through cffi.
    """
    repeats = range(500)
    with position.game._loaded.states.in_memory(position._state) as native:
        moves, listed = native.move_list(), native.snapshot_take()

        def make() -> int:
            for _ in repeats:
                native.loop_make(listed, moves[0])  # restores `listed`, then makes the move
            return len(repeats)

        def generate() -> int:
            for _ in repeats:
                native.game_generate()
            return len(repeats)

        made = median(timed(make, len(repeats)) for _ in range(rounds))
        native.snapshot_restore(listed)
        return median(timed(generate, len(repeats)) for _ in range(rounds)), made


def measure(name: str, rounds: int) -> Row:
    """Measure the loops of forthvm and python-chess in `rounds` interleaved rounds."""
    position = forthvm.load(name).start()
    expected = EXPECTED.get(name) or forthvm.perft(position, DEPTH)
    mine, theirs = [], []
    for _ in range(rounds):
        mine.append(timed(partial(perft, position, DEPTH), expected))
        if chess is not None:
            board = chess.Board()
            theirs.append(timed(partial(perft, board, DEPTH), EXPECTED[PEER]))
    list_once, make_once = core_cost(position, rounds)
    return Row(
        game=name,
        moves=len(position.legal_moves),
        ratio=median(peer / own for own, peer in zip(mine, theirs, strict=True))
        if theirs
        else None,
        loop=median(mine),
        peer=median(theirs) if theirs else None,
        list_once=list_once,
        make_once=make_once,
    )


def report(rows: list[Row], call: float) -> str:
    """Return the table."""
    lines = [
        f"perft {DEPTH} by push and pop, microseconds a move",
        "",
        f"{'game':<14}{'moves':>6}{'forthvm':>10}{PEER:>14}{'ratio':>8}"
        f"{'list in C':>11}{'move in C':>11}",
    ]
    for row in rows:
        peer = f"{row.peer:.2f}" if row.peer is not None else "-"
        ratio = f"{row.ratio:.2f}" if row.ratio is not None else "-"
        lines.append(
            f"{row.game:<14}{row.moves:>6}{row.loop:>10.2f}{peer:>14}{ratio:>8}"
            f"{row.list_once:>11.2f}{row.make_once:>11.2f}"
        )
    lines += ["", f"an empty call through cffi: {call:.2f}"]
    if chess is None:
        lines.append(f"skipped: {PEER} is not installed (pip install chess)")
    return "\n".join(lines)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES, help="names of bundled games")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    call = call_cost(options.rounds)
    rows = [measure(name, options.rounds) for name in options.games]
    if options.json:
        document = {"aim": TARGET, "call": call, "peer": chess is not None}
        print(json.dumps(document | {"games": [asdict(row) for row in rows]}, indent=2))
    else:
        print(report(rows, call))


if __name__ == "__main__":
    main()
