"""Compares the core of exported games, in node, with the native interpreter.

Run it as `python -m benchmarks.wasm`.  Both count the move sequences of some plies (perft) without
the JIT, and both counts must be those of the game's file .perft.  An exported game must have at
least a fifth of the native speed, on the geometric mean.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import geometric_mean

from benchmarks.runner import check
from forthvm.game import Game, load
from forthvm.web.modules import join_modules
from forthvm.web.offline.export import CORE
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.table.table import Table

GAMES = {"chess": 4, "breakthrough": 4, "draughts": 6, "reversi": 7, "tictactoe": 8}
"""The games, and the plies that are counted."""
LEAST_SPEED = 0.2
_DRIVER = Path(__file__).with_name("perft.js")


def native_seconds(game: Game, plies: int, count: int) -> float:
    """Return the seconds of a perft in the native core."""
    with game.start()._in_memory() as native:
        native.perft(plies)  # as in the exported game
        begin = time.perf_counter()
        check(f"perft {plies} of {game.name}", native.perft(plies), count)
        return time.perf_counter() - begin


def exported_seconds(game: Game, plies: int, count: int) -> float:
    """Return the seconds of a perft in the core of an exported game."""
    with tempfile.TemporaryDirectory() as folder:
        data, driver = Path(folder, "data.json"), Path(folder, "perft.js")
        data.write_text(json.dumps(offline_game(Table(game))), encoding="utf-8")
        driver.write_text(join_modules(_DRIVER), encoding="utf-8")
        command = ["node", str(driver), str(data), str(CORE), str(plies)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found, milliseconds = printed.split()
    check(f"perft {plies} of exported {game.name}", int(found), count)
    return float(milliseconds) / 1000


def published_count(game: Game, plies: int) -> int:
    """Return the count in the game's file .perft."""
    for line in game.path.with_suffix(".perft").read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{plies} "):
            return int(line.split()[1])
    raise ValueError(f"{game.name}.perft has no {plies} plies")


def main() -> int:
    """Measure; return 1 if the exported core is too slow."""
    os.environ["FORTHVM_TIER"] = "interpreter"
    speeds = []
    print(f"{'perft':16} {'native':>9} {'exported':>9}  speed")
    for name, plies in GAMES.items():
        game = load(name)
        count = published_count(game, plies)
        native = native_seconds(game, plies, count)
        exported = exported_seconds(game, plies, count)
        speeds.append(native / exported)
        print(f"{name + ' ' + str(plies):16} {native:8.3f}s {exported:8.3f}s  {speeds[-1]:.2f}")
    mean = geometric_mean(speeds)
    print(f"{'geometric mean':37} {mean:.2f}")
    return 0 if mean >= LEAST_SPEED else 1


if __name__ == "__main__":
    sys.exit(main())
