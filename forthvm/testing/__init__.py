"""Tests that an author writes beside a game: position tests and counts of move sequences.

A `.test` file contains positions, moves, and what must be true then; docs/guides/testing-games.md
describes its format.  A `.perft` file contains counts.
"""

from __future__ import annotations

from .drawing import DrawingError
from .files import files_with_tests, read_suite, split_line
from .junit import junit_xml
from .reader import Case, Statement, Suite
from .runner import NOT_RUN, Result, load_game, run_cases
from .setup import first_position

__all__ = [
    "NOT_RUN",
    "Case",
    "DrawingError",
    "Result",
    "Statement",
    "Suite",
    "files_with_tests",
    "first_position",
    "junit_xml",
    "load_game",
    "read_suite",
    "run_cases",
    "split_line",
]
