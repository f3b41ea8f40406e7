"""A plain Python loop over legal moves, beside python-chess's own.

Owns the comparison: perft by `push` and `pop` of every legal move, the same text for both
libraries, in turns in one run.  What the C core needs for the questions and the moves alone
stands beside it, and so does a call from Python into C that does nothing: they say what bounds
the rest.

    python -m benchmarks.python_loop                     # Breakthrough and others
    python -m benchmarks.python_loop breakthrough chess  # these games
    python -m benchmarks.python_loop --json              # for tracking

python-chess is no part of forthvm: `pip install chess`.  Without it forthvm is measured alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, Protocol

import forthvm
from forthvm.core.bindings.clib import lib

try:
    import chess
except ImportError:
    chess = None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DEPTH = 3
PEER = "python-chess"

# Perft 3: python-chess's number is published; a game's is in its .perft file.
EXPECTED = {PEER: 8902, "breakthrough": 11132, "chess": 8902, "tictactoe": 504}
GAMES = ("breakthrough", "chess")
AIM = 3.0
"""How often as fast the loop shall be for a game with as many moves (decision record 66)."""


class Loopable(Protocol):
    """What the loop needs of a position."""

    @property
    def legal_moves(self) -> Iterable[Any]:
        """The legal moves."""

    def push(self, move: Any) -> object:  # noqa: ANN401 - each library has its own
        """Make one."""

    def pop(self) -> object:
        """Take it back."""


def perft(position: Loopable, depth: int) -> int:
    """Sequences of moves of that length, each move made and taken back, the last ones too."""
    count = 0
    for move in position.legal_moves:
        position.push(move)
        count += perft(position, depth - 1) if depth > 1 else 1
        position.pop()
    return count


@dataclass(frozen=True)
class Row:
    """A game's measurement.

    Attributes:
        ratio: Median over the rounds of python-chess's time per move by this one's, None
            without python-chess.
        loop: Microseconds for each move at the end of a line, everything on the way included.
        list_once: ... of the C core to make a list in the first position.
        make_once: ... to make a move and take it back there.
    """

    game: str
    moves: int
    ratio: float | None
    loop: float
    peer: float | None
    list_once: float
    make_once: float


def timed(work: Callable[[], int], expected: int) -> float:
    """Microseconds of processor time per unit of work; the work's answer is how many there were."""
    begin = time.process_time()
    count = work()
    seconds = time.process_time() - begin
    if count != expected:
        sys.exit(f"wrong answer: {count} instead of {expected}")
    return seconds / count * 1e6


def call_cost(rounds: int) -> float:
    """Microseconds for a call through cffi that does next to nothing."""
    vm = lib.fvm_new(1 << 20, 1 << 20)
    here = lib.fvm_here
    times = range(20_000)

    def calls() -> int:
        for _ in times:
            here(vm)
        return len(times)

    def nothing() -> int:
        for _ in times:
            pass
        return len(times)

    cost = [timed(calls, len(times)) - timed(nothing, len(times)) for _ in range(rounds)]
    lib.fvm_free(vm)
    return median(cost)


def core_cost(position: forthvm.Position, rounds: int) -> tuple[float, float]:
    """Microseconds that a list and that a move made and taken back need without the loop.

    Each is a call through cffi, whose cost is in it.
    """
    times = range(500)
    with position.game.states.borrowed(position.state) as native:
        moves, listed = native.move_list(), native.snapshot_take()

        def make() -> int:
            for _ in times:
                native.loop_make(listed, moves[0])
            return len(times)

        def generate() -> int:
            for _ in times:
                native.game_generate()
            return len(times)

        made = median(timed(make, len(times)) for _ in range(rounds))
        native.snapshot_restore(listed)
        return median(timed(generate, len(times)) for _ in range(rounds)), made


def measure(name: str, rounds: int) -> Row:
    """Both loops in turns, `rounds` times."""
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
    """The table."""
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
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES, help="names of bundled games")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    call = call_cost(given.rounds)
    rows = [measure(name, given.rounds) for name in given.games]
    if given.json:
        document = {"aim": AIM, "call": call, "peer": chess is not None}
        print(json.dumps(document | {"games": [asdict(row) for row in rows]}, indent=2))
    else:
        print(report(rows, call))


if __name__ == "__main__":
    main()
