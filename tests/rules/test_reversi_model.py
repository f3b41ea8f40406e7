"""The model of Reversi against the counts that everybody publishes, and on small boards."""

from __future__ import annotations

from tests.models import reversi
from tests.models.reversi import BLACK, WHITE


def test_counts() -> None:
    counts = [4, 12, 56, 244, 1396, 8200, 55092]
    assert [reversi.perft(reversi.start(), depth) for depth in range(1, 8)] == counts


def test_pass_and_end() -> None:
    # Black a1, White b1 and nothing else: Black takes by c1, White has nothing to take with.
    state = reversi.position(["a1"], ["b1"], WHITE)
    assert list(reversi.moves(state)) == [None]
    assert reversi.end(state) is None
    passed = reversi.play(state, None, ())
    assert reversi.moves(passed) == {(2, 0): [(1, 0)]}
    over = reversi.play(passed, (2, 0), [(1, 0)])
    assert reversi.end(over) == BLACK
    assert reversi.perft(state, 3) == 0
    assert reversi.end(reversi.position(["a1"], ["h8"])) == ""
