"""Measures the effect of each feature of the native search, and of a second thread.

Owns the positions and the table.  It checks that a search to the same depth has the same value with
and without a feature.  Quiescence and repetition are exceptions, since they change the tree.

    python -m benchmarks.features [--depth N] [--positions N] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import forthvm
from benchmarks.search import our_start

FEATURES = ("captures", "killers", "history", "pvs", "quiescence", "repetition")
SAME_VALUE = ("captures", "killers", "history", "pvs")


def middle_positions(folder: Path, count: int) -> list[forthvm.Position]:
    """Return undecided positions of Breakthrough after 16 random plies."""
    choices = random.Random(4)
    found: list[forthvm.Position] = []
    while len(found) < count:
        position = our_start(folder)
        for _ in range(16):
            if position.result is None:
                position.push(choices.choice(position.legal_moves))
        if position.result is None:
            found.append(position)
    return found


def cost(spec: str, positions: Sequence[forthvm.Position]) -> tuple[float, float, list[int]]:
    """Search all positions; return the mean number of nodes, the total seconds and the scores."""
    nodes, scores = [], []
    began = time.perf_counter()
    for position in positions:
        result = forthvm.engines.get(f"negamax:{spec}").play(position)
        nodes.append(result.nodes)
        scores.append(int(str(result.score)))
    return statistics.mean(nodes), time.perf_counter() - began, scores


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="cost of searches with one feature disabled at a time"
    )
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--positions", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    depth = f"depth={options.depth}"
    rows: list[tuple[str, float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        positions = middle_positions(Path(folder), options.positions)
        all_on = cost(depth, positions)
        rows.append(("all features", *all_on[:2]))
        for feature in FEATURES:
            found = cost(f"{depth},{feature}=off", positions)
            rows.append((f"without {feature}", *found[:2]))
            assert feature not in SAME_VALUE or found[2] == all_on[2], feature
        found = cost(f"{depth},tt=0", positions)
        rows.append(("without table", *found[:2]))
        plain = ",".join(f"{feature}=off" for feature in SAME_VALUE)
        found = cost(f"{depth},tt=0,{plain}", positions)
        rows.append(("without all of them", *found[:2]))
        if (os.cpu_count() or 1) > 1:
            deeper = f"depth={options.depth + 1}"
            for threads in (1, 2):
                found = cost(f"{deeper},threads={threads}", positions)
                rows.append((f"a ply deeper, {threads} threads", *found[:2]))
    if options.json:
        print(json.dumps([{"what": a, "nodes": b, "seconds": c} for a, b, c in rows], indent=2))
        return 0
    for what, nodes, seconds in rows:
        print(f"{what:28} {nodes:12,.0f} nodes {seconds:8.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
