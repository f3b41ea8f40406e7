"""Tests the proof that no two moves of a list are equal."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from forthvm.game import load
from forthvm.zrf.compiler.distinct import adds_distinct_moves
from forthvm.zrf.rule_file import parse_rule_text, read_rule_file
from tests.kit.games import load_text

GAMES = Path(__file__).parent / "games"
FILE = """
(game (title "t") (players A B) (turn-order A B)
   (board
      (grid (start-rectangle 0 0 9 9)
         (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10)))
         (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0)))
      (symmetry B (n s) (s n))
      (zone (name far) (players A) (positions a3 b3 c3))
      (zone (name far) (players B) (positions a1 b1 c1)))
   (piece (name P) {code})
   (piece (name Q))
   (board-setup (A (P b2 a1)) (B (P c3))))
"""


def is_proven(code: str) -> bool:
    """Return whether the moves of a piece with this code are proven to differ."""
    rules = parse_rule_text(FILE.replace("{code}", code)).rules()
    return adds_distinct_moves(rules, [at.name for at in rules.board.positions])


@pytest.mark.parametrize(
    "code",
    [
        "(moves (n add) (s add) (e add))",
        "(moves (n (while empty? add n) (verify enemy?) add) (e (while empty? add e)))",
        "(moves (n (verify empty?) add) (n (verify enemy?) add))",
        "(moves (n (verify not-friend?) add) (n (verify friend?) capture add))",
        "(moves (n (add Q P)))",
        "(moves (n (if (in-zone? far) (add Q) else add)))",
        "(moves (n (verify (in-zone? far)) add) (n (verify (not-in-zone? far)) add))",
        "(moves (n (verify empty?) (if (in-zone? far) (add Q)) add) (n (verify enemy?) add))",
        "(moves (n to e capture add) (e to n add))",
        "(moves (n cascade e add) (e add))",
        "(moves (n mark e capture (go mark) add) (n n add))",
        "(moves (n add) (n (add-partial)))",
        "(drops ((verify empty?) add))",
        "(moves (n (if (enemy? e) capture else (capture e)) add))",
    ],
)  # fmt: skip
def test_moves_differ(code: str) -> None:
    assert is_proven(code)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "code",
    [
        "(moves (n add) (n add))",
        "(moves (n add add))",
        "(moves (n e add) (e n add))",
        "(moves (n (verify empty?) add) (n (verify not-enemy?) add))",
        "(moves (n (verify (not-enemy? e)) add) (n (verify (enemy? e)) add))",  # needs no proof
        "(moves (n (add P)) (n (add Q P)))",
        "(moves (n (while empty? add n) add s add))",
        "(moves (n (if (flag? f) e) add) (n e add))",
        "(moves (a1 add) (b1 w add))",
        "(moves (n from e add) (e add))",
        "(moves (n cascade e add) (n add))",
        "(drops ((verify empty?) add) ((verify not-enemy?) add))",
        "(drops ((verify empty?) (add Q)))",
        "(drops (n add))",
        "(moves (n (verify (in-zone? far)) add) (n (verify empty?) add))",
        "(moves (n add-copy) (n add-copy))",
        "(moves (n (while empty?) add))",
        "(moves (n cascade (go from) e add))",
    ],
)  # fmt: skip
def test_moves_may_be_equal(code: str) -> None:
    assert not is_proven(code)


@pytest.mark.sampled(15)
@pytest.mark.parametrize("path", sorted(GAMES.glob("*.zrf")), ids=lambda path: path.stem)
def test_proven_games_have_no_equal_moves(path: Path) -> None:
    """Random games never have two moves with one text where the script does not compare moves."""
    rules = read_rule_file(path).rules()
    if not adds_distinct_moves(rules, [at.name for at in rules.board.positions]):
        pytest.skip("its moves are compared")
    position = load(path, seed=5).start()
    for ply in range(60):
        moves = position.legal_moves
        if position.result is not None or not moves:
            break
        assert max(Counter(map(str, moves)).values()) == 1
        position.push(moves[ply * 7 % len(moves)])


@pytest.mark.parametrize(
    "code",
    [
        "(moves (n (add Q)) (n (change-type Q) add))",
        "(moves (n add (add Q)) (n (verify empty?) (change-type Q) add))",
        "(moves (n capture (add Q)) (n (add Q)))",
    ],
)
def test_equal_moves_count_once_however_the_type_changes(code: str, tmp_path: Path) -> None:
    texts = [
        str(move) for move in load_text(tmp_path, FILE.replace("{code}", code)).start().legal_moves
    ]
    assert "P b2 - b3 = Q" in texts
    assert len(texts) == len(set(texts))
