"""Evaluation of games in rule files: values derived by hand from chances on small boards."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.engines import get
from forthvm.zrf.compiler.values import Values
from forthvm.zrf.rule_file import read_rule_file
from forthvm.zrf.rules import Rules
from tests.kit.games import winner
from tests.zrf.texts import BOARD, rules

GAMES = Path(__file__).parent / "games"

# A square is taken to be empty with a chance of 0.6, and to hold a friend with a chance of 0.2.
DEFINE = """
(define step ($1 (verify not-friend?) add))
(define slide ($1 (while empty? add $1) (verify not-friend?) add))
"""
STEPS = "(step n) (step s) (step e) (step w)"
SLIDES = "(piece (name Rook) (moves (slide n) (slide s) (slide e) (slide w)))"


def evaluate(position: forthvm.Position) -> int:
    """Return what OnEvaluate leaves on the stack."""
    with position._in_memory():
        return position.game._loaded.vm.call("OnEvaluate")[0]


def values_of(found: Rules, *, flips: bool = False) -> Values:
    return Values(found, flips=flips)


def pair(extra: str = "") -> Values:
    """Return the values of a piece that steps and one that slides, on a board of 3 x 3."""
    return values_of(rules(define=DEFINE, moves=STEPS, extra=SLIDES + extra))


def test_values_are_in_proportion_to_the_median_number_of_moves() -> None:
    # Steps: 0.8 moves for each neighbor; 2.4 on an edge, the median of 1.6, 2.4 and 3.2.
    # Slides: one square to the edge 0.6 + 0.4 * 0.8 = 0.92 moves, two squares 0.92 + 0.6 * 0.92 =
    # 1.472; in the middle of an edge 1.472 + 2 * 0.92 = 3.312, between 2.944 and 3.68.
    # The existence of a piece counts as 0.7 moves, and the lightest piece as 100.
    assert pair().of_type == {"Man": 100, "Rook": round(100 * (0.7 + 3.312) / 3.1)}


def test_more_moves_on_a_position_count_a_little() -> None:
    # A move is worth 100 / 3.1, of which 0.15 counts.
    places = pair().of_place
    move = 0.15 * 100 / 3.1
    corner, middle = round(-0.8 * move), round(0.8 * move)
    assert places["White", "Man"] == dict.fromkeys(("a1", "a3", "c1", "c3"), corner) | {
        "b2": middle
    }
    assert places["Black", "Rook"]["b2"] == round((3.68 - 3.312) * move)


def test_pieces_count_more_if_a_goal_counts_them() -> None:
    goal = """(board-setup (White (Man a1 b1 c1) (Rook a2)) (Black (Man a3 b3)))
    (loss-condition (White Black) (pieces-remaining 1))"""
    # White has four pieces and may lose three of them.
    assert pair(goal).of_type["Man"] == 100 + 1000 // 3


@pytest.mark.parametrize("kind", ["draw", "count"])
def test_goals_without_a_winner_do_not_change_values(kind: str) -> None:
    board = "(board-setup (White (Man a1 b1)) (Black (Man a3 b3)))"
    found = pair(f"{board} ({kind}-condition (White Black) (pieces-remaining 1))").of_type
    assert found["Man"] == 100


def test_pieces_count_more_if_a_player_must_collect_them() -> None:
    goal = """(board-setup (White (Man a1)) (Black (Man a3)))
    (win-condition (White Black) (pieces-remaining 3 Man))"""
    assert pair(goal).of_type["Man"] == 100 + 1000 // 2


def test_royal_pieces_that_cannot_be_captured_are_no_material() -> None:
    assert pair("(loss-condition (White Black) (checkmated Man))").of_type["Man"] == 0


def test_royal_pieces_that_can_be_captured_are_decisive() -> None:
    assert pair("(loss-condition (White Black) (captured Man))").of_type["Man"] == 1100


@pytest.mark.parametrize("goal", ["(pieces-remaining 0)", "stalemated"])
def test_values_turn_their_sign_if_players_win_without_pieces(goal: str) -> None:
    found = pair(f"(win-condition (White Black) {goal})").of_type
    assert found == {name: -value for name, value in pair().of_type.items()}


def test_all_pieces_are_equal_if_the_end_counts_them() -> None:
    found = pair("(count-condition (White Black) (total-piece-count 9))").of_type
    assert found == {"Man": 100, "Rook": 100}


def test_pieces_are_worth_more_on_their_way_to_a_goal() -> None:
    found = values_of(
        rules(
            define=DEFINE,
            moves="(step n)",
            board=BOARD.rstrip()[:-1] + "(zone (name top) (players White) (positions a3 b3 c3)))",
            extra="(win-condition (White) (absolute-config Man (top)))",
        )
    ).of_place["White", "Man"]
    # Three rows: nothing, a third and two thirds of the way are done, and the share (d + d * d) / 2
    # of 150 is added; the number of moves is the same wherever a piece can move.
    done = {"a1": 1 / 3, "b2": 2 / 3, "c3": 1.0}
    base = values_of(rules(define=DEFINE, moves="(step n)")).of_place.get(("White", "Man"), {})
    assert {at: found[at] - base.get(at, 0) for at in done} == {
        at: round(150 * (d + d * d) / 2) for at, d in done.items()
    }


def test_a_promotion_to_come_counts_half_as_much_with_each_move() -> None:
    define = DEFINE + "(define up (n (verify empty?) (if (in-zone? top) (add Rook) else add)))"
    zone = "(zone (name top) (players White Black) (positions a3 b3 c3)))"
    found = values_of(
        rules(define=define, moves="(up)", board=BOARD.rstrip()[:-1] + zone, extra=SLIDES)
    )
    gain = found.of_type["Rook"] - found.of_type["Man"]
    row = found.of_place["White", "Man"]
    assert (row["a2"], row["a1"]) == (round(gain / 4), round(gain / 8))


def test_edges_count_where_pieces_are_flipped() -> None:
    found = values_of(rules(define=DEFINE, moves=""), flips=True).of_place["White", "Man"]
    # 100 times 20 times the missing part of four neighbors: two in a corner, one on an edge.
    assert (found["a1"], found["b1"], found.get("b2", 0)) == (1000, 500, 0)


def test_a_game_that_is_too_large_gets_equal_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forthvm.zrf.compiler.mobility._MOST_STEPS_AT_ONCE", 3)
    assert pair().of_type == {"Man": 100, "Rook": 100}
    assert not pair().of_place


GAME = f"""{DEFINE}
(game (title "Small") (players White Black) (turn-order White Black) {BOARD}
  (piece (name Man) (moves {STEPS}) (drops ((verify empty?) add)))
  {SLIDES}
  (board-setup (White (Rook b1) (Man off 2)) (Black (Man b3))))
"""


def test_the_hook_adds_pieces_places_and_stores_for_the_player_to_move(tmp_path: Path) -> None:
    path = tmp_path / "small.zrf"
    path.write_text(GAME)
    position = forthvm.load(path).start()
    found = Values(read_rule_file(path).rules(), flips=False)
    man, rook = found.of_type["Man"], found.of_type["Rook"]
    # No places: both pieces are on edges, where they have their median number of moves.  A piece in
    # a store counts a tenth less.
    expected = rook - man + 2 * man * 9 // 10
    assert evaluate(position) == expected
    position.push("Rook b1 - a1")
    place = found.of_place["White", "Rook"]["a1"]
    assert evaluate(position) == -(expected + place)


@pytest.mark.parametrize(
    "name",
    ["breakthrough", "english-draughts", pytest.param("chess", marks=[pytest.mark.slow])],
)
def test_a_search_wins_against_random_moves(name: str) -> None:
    game = forthvm.load(GAMES / f"{name}.zrf")
    engines = {0: get("negamax:depth=2"), 1: get("random:seed=1")}
    position = game.start()
    first = position.turn
    while position.result is None and position.ply < 400:
        position.push(engines[0 if position.turn == first else 1].play(position).move)
    assert winner(position) == first
