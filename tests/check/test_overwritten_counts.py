"""Tests that `check` does not read outside memory if a script overwrites the library's counts."""

from __future__ import annotations

import pytest

from tests.check.conftest import Checker
from tests.kit.boards import grid

GAME = grid(3, 3, "e", players="A B")
GAME += """\
{symmetries B {symmetry} e e symmetries}
: step ['] e EXECUTE DROP from here move add-move ;
{moves steps {move} step moves}
{pieces {piece} pawn {moves} steps pieces}
{board-setup {setup} A pawn a1 {setup} B pawn c3 board-setup}
"""
COUNTS = ("$playerCount", "$directionCount", "$turnLimit", "$positions", "$boardSetup @")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("value", [2147483647, -1, -2147483648])
def test_overwritten_counts_are_limited(check: Checker, count: str, value: int) -> None:
    """The check does not loop over the count, and all findings are in the text of the script."""
    found = check(f"{GAME}{value} {count} !\n").findings
    assert all(finding.location.line <= len(GAME.splitlines()) + 1 for finding in found)
