"""What a running block keeps to itself: flags, marks, and the stack."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from tests.zrf.lockstep import play_together

BOARD_5 = """(board (grid (start-rectangle 0 0 9 9)
   (dimensions ("a/b/c/d/e" (10 0)) ("5/4/3/2/1" (0 10)))
   (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0))))"""

KEPT_FLAG = f"""
(game (title "t") (players White Black) (turn-order White Black) {BOARD_5}
   (piece (name King) (moves
      ((set-flag hot true) (set-flag hot true) e add (if (flag? hot) n add))
      (n add) (w add)
      ((set-flag hot true) s (verify not-friend?) add (if (flag? hot) w add))))
   (piece (name Rook) (moves
      ((set-flag hot false) s (while empty? add s) (verify not-friend?) add)
      (n (while empty? add n) (verify not-friend?) add)
      (e (while empty? add e) (verify not-friend?) add)
      (w (while empty? add w) (verify not-friend?) add)))
   (board-setup (White (King a1)) (Black (Rook b5) (King e5)))
   (loss-condition (White Black) (checkmated King)))
"""

MARK_OFF_THE_BOARD = f"""
(game (title "t") (players White Black) (turn-order White Black) {BOARD_5}
   (piece (name Man) (moves ((mark n) e back add)))
   (board-setup (White (Man b1 a5)) (Black (Man c5)))
   (loss-condition (White Black) stalemated))
"""


@pytest.mark.parametrize("text", [KEPT_FLAG, MARK_OFF_THE_BOARD])
def test_blocks_keep_their_flags_and_marks(text: str, tmp_path: Path) -> None:
    """Kings are tested in between; and no block finds the mark of another one."""
    path = tmp_path / "game.zrf"
    path.write_text(text)
    play_together(path, plies=60, seed=2)


def test_loading_leaves_nothing_on_the_stack(tmp_path: Path) -> None:
    """Not even the numbers of 30 directions, of which a comment tells."""
    path = tmp_path / "game.zrf"
    more = " ".join(f"(direction-{n} {n % 5} {n % 3})" for n in range(1, 31))
    path.write_text(KEPT_FLAG.replace("(w -1 0)", f"(w -1 0) {more}"))
    printed: list[str] = []
    forthvm.load(path, output=printed.append)._loaded.vm.interpret("DEPTH .")
    assert "".join(printed) == "0 "
