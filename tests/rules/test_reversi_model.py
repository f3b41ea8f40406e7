"""Compare the model of Reversi with published counts, and test it on small positions."""

from __future__ import annotations

import pytest

from tests.models import reversi
from tests.models.reversi import BLACK, WHITE


@pytest.mark.slow
def test_published_perft_counts() -> None:
    counts = [4, 12, 56, 244, 1396, 8200, 55092]
    assert [reversi.perft(reversi.start(), depth) for depth in range(1, 8)] == counts


def test_pass_and_end() -> None:
    # With Black on a1 and White on b1, Black captures by c1 and White cannot capture.
    state = reversi.position(["a1"], ["b1"], WHITE)
    assert list(reversi.moves(state)) == [None]
    assert reversi.end(state) is None
    passed = reversi.play(state, None, ())
    assert reversi.moves(passed) == {(2, 0): [(1, 0)]}
    over = reversi.play(passed, (2, 0), [(1, 0)])
    assert reversi.end(over) == BLACK
    assert reversi.perft(state, 3) == 0
    assert reversi.end(reversi.position(["a1"], ["h8"])) == ""
