"""Measures benches for another process: see tiers.py."""

from __future__ import annotations

import sys

from forthvm.bench.tiers import serve

if __name__ == "__main__":
    answers, sys.stdout = sys.stdout, sys.stderr  # what scripts print is no answer
    try:
        serve(sys.stdin, answers)
    except KeyboardInterrupt:  # Ctrl-C goes to the whole group; the parent tells of it
        sys.exit(130)
