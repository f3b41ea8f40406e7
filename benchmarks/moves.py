"""Measures the cost of a move: generation, make and unmake, evaluation, random play.

Owns how single operations of the core are measured: processor time, and instructions (callgrind)
if valgrind is installed.  Breakthrough in C is measured for comparison.  The results of all
operations are checked: the numbers of moves and of leaves of perft, the position after unmake, and
that evaluations are equal.

    python -m benchmarks.moves [--rounds N] [--json] [GAME ...]

Figures are per generated move, per move made and unmade, per OnEvaluate, per leaf of perft and per
ply of a playout.  FORTHVM_TIER selects the tier.
Counting instructions runs Python ten times under valgrind, one to two minutes per game.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import forthvm
from benchmarks.peers import Peers
from benchmarks.runner import Effort
from forthvm.core.records import TreeOptions

CHECKOUT = Path(__file__).resolve().parent.parent

# Legal moves at the start, depth of perft, and leaves at that depth (from scripts/*/*.perft).
GAMES = {
    "breakthrough": (22, 3, 11132),
    "tictactoe": (9, 4, 3024),
    "splut": (3, 5, 1581),
    "rithmomachia": (71, 2, 4904),
}
PLAYOUTS = {"breakthrough": 10, "tictactoe": 100, "splut": 2, "rithmomachia": 1}
C_DEPTH, C_LEAVES, C_PLAYOUTS = 4, 256036, 2000  # of Breakthrough in C
LONG_OPERATIONS = ("leaf of perft", "ply of a playout")  # measured with one round
WARM_UP = 2  # rounds before the measurement, in which words are translated


class Operation(NamedTuple):
    """An operation of the core."""

    run: Callable[[int], int]  # repeats the operation and returns the number of units
    functions: tuple[str, ...]  # the C functions whose instructions are counted


class UnitCost(NamedTuple):
    """The cost of one unit of an operation."""

    game: str
    step: str  # the name of the operation
    nanoseconds: float
    instructions: float | None  # None if valgrind is not installed


def require(what: str, found: object, expected: object) -> None:
    """Exit with an error if a result is wrong; `python -O` would disable assert."""
    if found != expected:
        raise SystemExit(f"{what}: {found!r}, expected {expected!r}")


class MeasuredGame:
    """A game in its initial position, and the operations that are measured there."""

    def __init__(self, name: str) -> None:
        position = forthvm.load(name, seed=1).start()
        self.name = name
        self.game = position.game
        self.native = self.game._loaded.vm.native
        with position._in_memory():
            self.native.game_free_lists()
            self.start = self.native.snapshot_take()
            self.native.game_generate()
            self.listed = self.native.snapshot_take()
            self.moves = self.native.move_list()
        self.evaluate = self.native.find("OnEvaluate") + 12  # from a header to its code field
        self.values: set[int] = set()
        require(f"moves of {name}", len(self.moves), GAMES[name][0])

    def generate(self, rounds: int) -> int:
        """Generate the moves."""
        self.native.snapshot_restore(self.start)
        for _ in range(rounds):
            require(f"moves of {self.name}", self.native.game_generate(), len(self.moves))
        return rounds * len(self.moves)

    def make(self, rounds: int) -> int:
        """Make and unmake each move."""
        for _ in range(rounds):
            for move in self.moves:
                self.native.snapshot_restore(self.listed)
                self.native.game_make(move)
        self.native.snapshot_restore(self.listed)
        after = self.native.snapshot_take()
        require(f"{self.name} after unmake", after.equal(self.listed), True)
        return rounds * len(self.moves)

    def evaluations(self, rounds: int) -> int:
        """Evaluate the position."""
        self.native.snapshot_restore(self.listed)
        for _ in range(rounds):
            self.native.execute(self.evaluate)
            self.values.add(self.native.pop())
        require(f"different evaluations of {self.name}", len(self.values), 1)
        return rounds

    def count(self, rounds: int) -> int:
        """Count the leaves of perft."""
        _, depth, leaves = GAMES[self.name]
        self.native.snapshot_restore(self.start)
        for _ in range(rounds):
            require(f"perft {depth} of {self.name}", self.native.perft(depth), leaves)
        return rounds * leaves

    def play(self, rounds: int) -> int:
        """Play random games; the units are plies."""
        self.native.snapshot_restore(self.listed)
        games = PLAYOUTS[self.name] * rounds
        options = TreeOptions(games, seed=7, chance=self.game._loaded.chance_bits)
        rewards, report = self.native.playouts(options)
        require(f"playouts of {self.name}", report.iterations, games)
        require(f"rewards of {self.name}, in total", sum(rewards) >= games / 2, True)
        return report.plies

    def operations(self) -> dict[str, Operation]:
        """Return all operations by name."""
        return {
            "generated": Operation(self.generate, ("fvm_game_generate",)),
            "made and unmade": Operation(self.make, ("fvm_game_make", "fvm_snapshot_restore")),
            "evaluated": Operation(self.evaluations, ("fvm_execute",)),
            "leaf of perft": Operation(self.count, ("fvm_perft",)),
            "ply of a playout": Operation(self.play, ("fvm_playouts",)),
        }


def count_instructions(command: list[str], functions: tuple[str, ...] = ()) -> int:
    """Return the number of instructions of a program, or of the given functions in it."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={folder}/out",
                *(f"--toggle-collect={function}" for function in functions),
                *command,
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=CHECKOUT,  # contains the package benchmarks
        )
    match = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or match is None:
        raise SystemExit(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return int(match[1])


def instructions_per_unit(
    name: str, operation: str, functions: tuple[str, ...], rounds: int
) -> float:
    """Return the instructions per unit: the difference of two runs excludes the initialization."""

    def run(count: int) -> int:
        child = [sys.executable, "-m", "benchmarks.moves", "--child", name, operation, str(count)]
        return count_instructions(child, functions)

    units = MeasuredGame(name).operations()[operation].run(rounds)
    return (run(WARM_UP + rounds) - run(WARM_UP)) / units


def measure_nanoseconds(operation: Operation, rounds: int) -> float:
    """Return the nanoseconds per unit: the minimum of five samples, to exclude other load."""
    operation.run(WARM_UP)
    minimum = float("inf")
    for _ in range(5):
        began = time.process_time()
        units = operation.run(rounds)
        minimum = min(minimum, (time.process_time() - began) / units)
    return minimum * 1e9


def measure_game(name: str, rounds: int, *, counted: bool) -> list[UnitCost]:
    """Measure all operations of a game; `counted` also counts instructions."""
    figures = []
    for title, operation in MeasuredGame(name).operations().items():
        repeats = 1 if title in LONG_OPERATIONS else rounds
        nanoseconds = measure_nanoseconds(operation, repeats)
        instructions = None
        if counted:
            instructions = instructions_per_unit(name, title, operation.functions, repeats)
        figures.append(UnitCost(name, title, nanoseconds, instructions))
    return figures


def measure_c(*, counted: bool) -> list[UnitCost]:
    """Measure Breakthrough in C: per leaf of perft, ply of a playout and node of alpha-beta."""
    with Peers(["C"]) as peers:
        if not peers.has("C"):
            print(f"C: {peers.absent['C']}", file=sys.stderr)
            return []

        def run(program: str, size: int, *, tiny: bool = True) -> tuple[float, int]:
            return peers.run("C", program, "breakthrough", size, Effort(tiny=tiny))

        require("perft in C", run("perft", C_DEPTH)[1], C_LEAVES)
        require("perft 3 in C", run("perft", 3)[1], GAMES["breakthrough"][2])
        found = []
        for step, program, size, units in (
            ("leaf of perft", "perft", C_DEPTH, C_LEAVES),
            ("ply of a playout", "playouts", C_PLAYOUTS, run("plies", C_PLAYOUTS)[1]),
            ("node of alpha-beta", "negamax", 6, run("negamax", 6)[1]),
        ):
            seconds = min(run(program, size)[0] for _ in range(5))
            per_unit = None
            if counted:
                command = [str(peers.folder / "breakthrough"), program]
                # the last argument is the minimal time, so the program runs once
                total = count_instructions([*command, str(size), "0"])
                per_unit = (total - count_instructions([*command, "1", "0"])) / units
            found.append(UnitCost("in C", step, seconds * 1e9 / units, per_unit))
        return found


def main(arguments: list[str]) -> int:
    """Measure and print."""
    if arguments[:1] == ["--child"]:
        name, operation, rounds = arguments[1:]
        MeasuredGame(name).operations()[operation].run(int(rounds))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}")
    options = parser.parse_args(arguments)
    unknown = set(options.games) - set(GAMES)
    if unknown:
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    counted = shutil.which("valgrind") is not None
    if not counted:
        print("valgrind is not installed: no instructions", file=sys.stderr)
    figures: list[UnitCost] = []
    for name in options.games or GAMES:
        figures += measure_game(name, options.rounds, counted=counted)
        if name == "breakthrough":
            figures += measure_c(counted=counted)
    if options.json:
        print(json.dumps([figure._asdict() for figure in figures], indent=2))
        return 0
    for figure in figures:
        per_unit = (
            "" if figure.instructions is None else f"{figure.instructions:14,.0f} instructions"
        )
        print(f"{figure.game:14} {figure.step:20} {figure.nanoseconds:12,.0f} ns{per_unit}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
