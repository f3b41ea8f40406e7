"""Blocks that begin alike: when one fails at the common beginning, the later ones do not run.

The moves must be those of blocks that all run; the model and perft tables check that, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.zrf.code import Call
from forthvm.zrf.compiler.prefixes import alike_together
from forthvm.zrf.rule_file import read_rule_file
from tests.kit.games import load_text

# A man leaps over k men behind each other; each length has its block, as files often write it.
GAME = """
(define over ($1 (verify (piece? Man))))
(game
   (title "Leaps")
   (players White Black)
   (turn-order White Black)
   (board (grid (dimensions ("a/b/c/d/e/f/g" (1 0)) ("2/1" (0 1)))
      (directions (e 1 0) (w -1 0) (n 0 -1))))
   (piece (name Man) (moves %s))
   (board-setup (White (Man %s)))
)
"""
BLOCKS = (
    "((over e) e (verify empty?) add)",
    "((over e) (over e) e (verify empty?) add)",
    "((over e) (over e) (over e) e (verify empty?) add)",
    "(n add)",
)


def goals(folder: Path, blocks: tuple[str, ...], squares: str) -> set[str]:
    return {
        str(move)
        for move in load_text(folder, GAME % (" ".join(blocks), squares), name="leaps.zrf")
        .start()
        .legal_moves
    }


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "squares", ["a1", "a1 b1", "a1 b1 c1", "a1 b1 c1 d1", "a1 c1 d1 f1", "b1 g1"]
)
def test_leaps_over_lines_of_each_length(tmp_path: Path, squares: str) -> None:
    """Each block finds the same moves as in a game in which it is the only one."""
    alone = [goals(tmp_path, (block,), squares) for block in BLOCKS]
    assert goals(tmp_path, BLOCKS, squares) == set.union(*alone)
    assert goals(tmp_path, BLOCKS[::-1], squares) == set.union(*alone)


def test_blocks_that_begin_alike_follow_each_other(tmp_path: Path) -> None:
    """A file may list all directions of a length before the next length, as the article's Thud."""
    path = tmp_path / "leaps.zrf"
    blocks = ("((over e) e add)", "((over w) w add)", "((over e) (over e) e add)", "((over w) add)")
    path.write_text(GAME % (" ".join(blocks), "a1"), encoding="utf-8")
    pieces = read_rule_file(path).rules().pieces
    starts = [block.code.instructions[0] for block in alike_together(pieces[0].moves)]
    codes = [start.code.name for start in starts if isinstance(start, Call)]
    assert codes == ["over e", "over e", "over w", "over w"]


def test_a_line_of_two(tmp_path: Path) -> None:
    """Expected: a1 leaps over b1 to c1; both may step north."""
    assert goals(tmp_path, BLOCKS, "a1 b1") == {
        "Man a1 - c1",
        "Man a1 - a2",
        "Man b1 - b2",
    }


def test_an_add_at_the_common_beginning_is_not_lost(tmp_path: Path) -> None:
    """The first block adds b1 and then fails; the second one adds b1 and c1."""
    blocks = ("(e add (verify friend?) add)", "(e add e add)")
    assert goals(tmp_path, blocks, "a1") == {"Man a1 - b1", "Man a1 - c1"}


def test_an_attack_is_asked(tmp_path: Path) -> None:
    """The attacker's third block fails and excludes the fourth one, but no block of the asker."""
    blocks = (
        "(e (verify empty?) (verify (not-attacked?)) add)",
        "(n add)",
        "(w (verify friend?) add)",
        "(w (verify friend?) (verify empty?) add)",
    )
    assert goals(tmp_path, blocks, "c1)) (Black (Man e1") == {"Man c1 - d1", "Man c1 - c2"}
