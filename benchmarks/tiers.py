"""Benches in another process, where forthvm runs in another tier.

Owns the child and the lines between it and us: JSON, one bench a line and one answer a line.
The environment variable FORTHVM_TIER chooses the tier when a process begins.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import TextIO

from benchmarks.runner import Effort, WrongAnswerError, all_benches
from forthvm.core.errors import ForthVMError

__all__ = ["TIERS", "VARIABLE", "Tier", "serve"]

VARIABLE = "FORTHVM_TIER"
TIERS = ("interpreter", "native")
PATIENCE = 2.0
CHECKOUT = Path(__file__).resolve().parent.parent


class Tier:
    """A child that measures in one tier; a context that ends it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._child = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.tiers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {VARIABLE: name},
            cwd=CHECKOUT,  # where the package benchmarks is found
        )

    def __enter__(self) -> Tier:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._child.communicate(timeout=0 if kind else PATIENCE)
        except subprocess.TimeoutExpired:  # in the middle of a bench that nobody waits for
            self._child.kill()
            self._child.communicate()

    def __call__(self, bench: str, effort: Effort) -> float:
        """One sample.

        Raises:
            WrongAnswerError: the child says so, or says nothing.
        """
        told, answers = self._child.stdin, self._child.stdout
        assert told is not None
        assert answers is not None
        try:
            told.write(json.dumps({"bench": bench, **asdict(effort)}) + "\n")
            told.flush()
            line = answers.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise WrongAnswerError(f"the process of tier {self.name} ended")
        answer = json.loads(line)
        if "wrong" in answer:
            raise WrongAnswerError(str(answer["wrong"]))
        return float(answer["value"])


def serve(told: TextIO, answers: TextIO) -> None:
    """The child's side: measures what it is told until nothing more comes."""
    known = all_benches()
    for line in told:
        order = json.loads(line)
        bench = known[order.pop("bench")]
        answer: dict[str, object]
        try:
            answer = {"value": bench.run(Effort(**order))}
        except ForthVMError as error:
            answer = {"wrong": str(error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    replies, sys.stdout = sys.stdout, sys.stderr  # scripts may print
    try:
        serve(sys.stdin, replies)
    except KeyboardInterrupt:  # Ctrl-C goes to the whole process group; the parent reports it
        sys.exit(130)
