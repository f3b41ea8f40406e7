"""Runs benchmarks in child processes, in which forthvm uses another execution tier.

Owns the children and the protocol: JSON lines, one request and one response for each sample.  The
environment variable FORTHVM_TIER selects the tier when a process starts.
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

from benchmarks.runner import Effort, WrongResultError, all_benchmarks
from forthvm.core.errors import ForthVMError

__all__ = ["TIERS", "VARIABLE", "Tier", "serve"]

VARIABLE = "FORTHVM_TIER"
TIERS = ("interpreter", "native")
"""The values of FORTHVM_TIER; `native` is the JIT."""
SHUTDOWN_SECONDS = 2.0
CHECKOUT = Path(__file__).resolve().parent.parent


class Tier:
    """A child process that measures in one tier; as a context manager it ends the process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._child = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.tiers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {VARIABLE: name},
            cwd=CHECKOUT,  # contains the package benchmarks
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
            self._child.communicate(timeout=0 if kind else SHUTDOWN_SECONDS)
        except subprocess.TimeoutExpired:  # a benchmark is still running
            self._child.kill()
            self._child.communicate()

    def __call__(self, benchmark: str, effort: Effort) -> float:
        """Measure one sample.

        Raises:
            WrongResultError: the child reported a wrong result, or ended.
        """
        requests, responses = self._child.stdin, self._child.stdout
        assert requests is not None
        assert responses is not None
        try:
            requests.write(json.dumps({"bench": benchmark, **asdict(effort)}) + "\n")
            requests.flush()
            line = responses.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise WrongResultError(f"the process of tier {self.name} ended")
        response = json.loads(line)
        if "wrong" in response:
            raise WrongResultError(str(response["wrong"]))
        return float(response["value"])


def serve(requests: TextIO, responses: TextIO) -> None:
    """Run in the child process: measure the benchmark that each request names."""
    known = all_benchmarks()
    for line in requests:
        request = json.loads(line)
        benchmark = known[request.pop("bench")]
        response: dict[str, object]
        try:
            response = {"value": benchmark.run(Effort(**request))}
        except ForthVMError as error:
            response = {"wrong": str(error)}
        responses.write(json.dumps(response) + "\n")
        responses.flush()


if __name__ == "__main__":
    output, sys.stdout = sys.stdout, sys.stderr  # output of scripts must not enter the protocol
    try:
        serve(sys.stdin, output)
    except KeyboardInterrupt:  # Ctrl-C goes to the whole process group; the parent reports it
        sys.exit(130)
