"""The option "maximal captures" with series that are long, or more than can be tried."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from tests.kit.games import load_text

GAME = """
(define jump ($1 (verify enemy?) capture $1 (verify empty?) (add-partial)))
(game (title "Series") (players White Black) (turn-order White Black)
   (option "maximal captures" true)
   (board (grid (dimensions ("{columns}" (1 0)) ("{rows}" (0 1))) (directions {directions})))
   (piece (name Man) (moves {blocks}))
   (board-setup (White (Man {white})) (Black (Man {black}))))
"""


def load(folder: Path, **parts: object) -> forthvm.Position:
    return load_text(folder, GAME.format(**parts), name="series.zrf").start()


@pytest.mark.slow
def test_a_series_of_60_parts_is_the_only_move(tmp_path: Path) -> None:
    position = load(
        tmp_path,
        columns="/".join(f"{column}-" for column in range(1, 126)),
        rows="a",
        directions="(e 1 0) (w -1 0)",
        blocks="(jump e) (jump w)",
        white="4-a",
        black="3-a " + " ".join(f"{column}-a" for column in range(5, 125, 2)),
    )
    assert len(position.legal_moves) == 1
    parts = 0
    while position.turn == "White":
        position.push(position.legal_moves[0])
        parts += 1
    assert parts == 60


@pytest.mark.slow
def test_a_board_full_of_captures_keeps_all_moves(tmp_path: Path) -> None:
    letters = "abcdefghi"
    men = [
        f"{column}{row}"
        for at, column in enumerate(letters[1:-1], 1)
        for row in range(2, 9)
        if at % 2 or not row % 2
    ]
    position = load(
        tmp_path,
        columns="/".join(letters),
        rows="/".join(map(str, range(1, 10))),
        directions="(n 0 -1) (s 0 1) (e 1 0) (w -1 0) (ne 1 -1) (nw -1 -1) (se 1 1) (sw -1 1)",
        blocks=" ".join(f"(jump {name})" for name in ["n", "s", "e", "w", "ne", "nw", "se", "sw"]),
        white="a1 a9",
        black=" ".join(men),
    )
    # Each corner has one jump, over the piece on the diagonal; the other neighbors are empty.
    assert sorted(str(move)[10:] for move in position.legal_moves) == [
        "Man a1 - c3 x b2",
        "Man a9 - c7 x b8",
    ]
