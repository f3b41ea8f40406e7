"""The cause of a result names the condition of the rule file that held, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.games import load_text, play

# One row of six positions.  A man moves one step to the east, a king also to the west.
GAME = """
(game (title "Causes") (players {players}) (turn-order {players})
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f" (10 0)) ("1" (0 10)))
      (directions (e 1 0) (w -1 0)))
    (zone (name goal) (players {players}) (positions f1)))
  (piece (name Man) (moves (e (verify not-friend?) add)))
  (piece (name King)
    (moves (e (verify not-friend?) add) (w (verify not-friend?) add)))
  (board-setup {setup})
  {goals})
"""
TWO_MEN = "(White (Man a1 b1)) (Black (Man c1 e1))"
KINGS = "(White (King b1)) (Black (King e1))"
ROUND = ("King b1 - a1", "King e1 - f1", "King a1 - b1", "King f1 - e1")


def reason(folder: Path, setup: str, goals: str, *moves: str, players: str = "White Black") -> str:
    """Return the reason of the result of a game."""
    position = load_text(
        folder, GAME.format(players=players, setup=setup, goals=goals), name="causes.zrf"
    ).start()
    play(position, *moves)
    return position.result.reason


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (
            "(loss-condition (Black) (pieces-remaining 1 Man))",
            "Black has lost, White won: loss condition: 1 Man remaining",
        ),
        (
            "(loss-condition (Black) (pieces-remaining 1))",
            "Black has lost, White won: loss condition: 1 piece remaining",
        ),
        (
            "(draw-condition (White Black) (total-piece-count 3))",
            "draw: draw condition: 3 pieces of all players",
        ),
        (
            "(count-condition (White Black) (total-piece-count 3 Man))",
            "Black has lost, White won: count condition: 3 Man of all players",
        ),
        (
            "(loss-condition (Black) (captured King Man))",
            "Black has lost, White won: loss condition: King or Man captured",
        ),
        (
            "(win-condition (White) (capture-count >= 1))",
            "Black has lost, White won: win condition: >= 1 piece captured",
        ),
        (
            "(win-condition (White) (absolute-config Man King (a1 c1)))",
            "Black has lost, White won: win condition: Man or King on a1 and c1",
        ),
        (
            "(win-condition (White) (relative-config Man e (not Man) e Man))",
            "Black has lost, White won: win condition: the pattern Man e no Man e Man",
        ),
        (
            "(win-condition (White) (relative-config Man e e e Man) (absolute-config Man (c1)))",
            "Black has lost, White won: win condition: the pattern Man e e e Man or Man on c1",
        ),
        (
            "(win-condition (White) (and (absolute-config (opponent Man) (e1)) (not stalemated)))",
            "Black has lost, White won: win condition: enemy Man on e1 and not stalemated",
        ),
        (
            "(win-condition (White) (absolute-config Man (b1)) (absolute-config Man (c1)))",
            "Black has lost, White won: win condition: Man on b1 or Man on c1",
        ),
        (
            "(draw-condition (Black) (and (or (captured King) (captured Man)) (not repetition)))",
            "draw: draw condition: (King captured or Man captured) and not the position has "
            "occurred three times",
        ),
    ],
)
def test_goals_after_a_capture(tmp_path: Path, goal: str, expected: str) -> None:
    assert reason(tmp_path, TWO_MEN, goal, "Man b1 x c1") == expected


def test_lines_in_several_directions_are_one_condition(tmp_path: Path) -> None:
    goal = "(win-condition (White) (relative-config Man e Man) (relative-config Man w Man))"
    found = reason(tmp_path, "(White (Man a1 c1)) (Black (Man f1))", goal, "Man a1 - b1")
    assert found == "Black has lost, White won: win condition: 2 Man in a line"


def test_a_zone(tmp_path: Path) -> None:
    goal = "(win-condition (White) (absolute-config Man King (goal)))"
    found = reason(tmp_path, "(White (Man e1)) (Black (Man a1))", goal, "Man e1 - f1")
    assert found == "Black has lost, White won: win condition: Man or King on the zone goal"


def test_stalemate_and_checkmate(tmp_path: Path) -> None:
    stuck = "(White (Man a1)) (Black (Man f1))"
    goal = "(loss-condition (White Black) stalemated)"
    assert (
        reason(tmp_path, stuck, goal, "Man a1 - b1")
        == "Black has lost, White won: loss condition: stalemated"
    )
    goal = "(loss-condition (White Black) (pieces-remaining 0))"
    assert reason(tmp_path, stuck, goal, "Man a1 - b1") == "draw: no legal move"
    goal = "(loss-condition (White Black) (checkmated King))"
    mated = "(White (Man c1 e1)) (Black (King f1))"
    assert (
        reason(tmp_path, mated, goal, "Man c1 - d1")
        == "Black has lost, White won: loss condition: King checkmated"
    )


def test_repetition_as_a_goal_and_without_a_goal(tmp_path: Path) -> None:
    text = "the position has occurred three times"
    goal = "(draw-condition (White Black) repetition)"
    assert reason(tmp_path, KINGS, goal, *ROUND, *ROUND) == f"draw: draw condition: {text}"
    goal = "(loss-condition (White Black) (captured King))"
    assert reason(tmp_path, KINGS, goal, *ROUND, *ROUND) == f"draw: {text}"


@pytest.mark.parametrize(
    ("goals", "cause"),
    [
        ("(count-condition stalemated)", "stalemated"),
        ("(count-condition stalemated) (count-condition (total-piece-count 2))", "2 pieces of all"),
        ("(count-condition (total-piece-count 2)) (count-condition stalemated)", "2 pieces of all"),
    ],
)
def test_a_count_when_all_players_must_pass(tmp_path: Path, goals: str, cause: str) -> None:
    """The moves that follow passes are asked for, which ends the comment."""
    setup = "(White (Man d1 f1)) (Black (Man e1))"
    found = reason(tmp_path, setup, f'(option "pass turn" forced) {goals}', "Man d1 x e1")
    assert found.startswith(f"Black has lost, White won: count condition: {cause}")


def test_three_players(tmp_path: Path) -> None:
    players, setup = "Red Green Blue", "(Red (Man a1)) (Green (Man b1)) (Blue (Man d1))"
    goals = "(loss-condition (Red Green Blue) (pieces-remaining 0))"
    moves: tuple[str, ...] = ("Man a1 x b1", "Man d1 - e1", "Man b1 - c1")
    win = "(win-condition (Red) (absolute-config Man (c1)))"
    found = reason(tmp_path, setup, goals + win, *moves, players=players)
    assert found == "Red has won: win condition: Man on c1"
    setup = "(Red (Man a1)) (Green (Man b1)) (Blue (King d1))"
    moves = ("Man a1 x b1", "King d1 - c1", "Man b1 x c1")
    found = reason(tmp_path, setup, goals, *moves, players=players)
    assert found == "Red has won: all other players have dropped out"


def test_a_long_condition_is_shortened(tmp_path: Path) -> None:
    many = " ".join(
        f"(absolute-config Man (a1 b1 c1 d1 e1 f1)) (pieces-remaining {n})" for n in range(20, 40)
    )
    goal = f"(loss-condition (Black) (or {many} (captured Man)))"
    found = reason(tmp_path, TWO_MEN, goal, "Man b1 x c1")
    assert found.startswith("Black has lost, White won: loss condition: Man on a1, b1")
    assert found.endswith("...")
    assert len(found) < 300
