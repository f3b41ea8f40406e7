"""Adjudication of games."""

from __future__ import annotations

from pathlib import Path

import forthvm
from forthvm.autoplay import Adjudication
from forthvm.autoplay.match.adjudication import Referee, Verdict
from tests.autoplay.matches import played, settings_of, spec
from tests.autoplay.players import Walker, write_line, write_race

SEATS = ("X", "O")


def test_long_game_is_drawn(tmp_path: Path) -> None:
    rules = Adjudication(max_plies=4)
    rows = played(settings_of("first", "first", games=2, adjudication=rules), tmp_path / "a.db")
    for row in rows:
        assert row.reason == "adjudicated: 4 plies"
        assert row.plies == 4
        assert row.outcome == {"X": 0.5, "O": 0.5}


def test_result_of_the_game_precedes_the_ply_limit(tmp_path: Path) -> None:
    """With the first moves, the game ends at ply 7, which is also the limit."""
    rules = Adjudication(max_plies=7)
    (row,) = played(settings_of("first", games=1, adjudication=rules), tmp_path / "a.db")
    assert row.plies == 7
    assert row.reason.startswith("OnIsGameOver: ")


def test_repeated_position_is_drawn(tmp_path: Path) -> None:
    """Men that move back and forth reach the same position every four plies."""
    game = write_line(tmp_path)
    rules = Adjudication(repetition=3)
    settings = settings_of(
        spec(BackAndForth), spec(BackAndForth), games=1, game=game, adjudication=rules
    )
    (row,) = played(settings, tmp_path / "a.db", workers="threads")
    assert row.reason == "adjudicated: the position came up 3 times"
    assert row.plies == 8


class BackAndForth:
    """Moves forward from the start square, else back."""

    def play(self, position: forthvm.Position) -> forthvm.Move:
        at_start = position.ply % 4 < 2
        moves = {str(move): move for move in position.legal_moves}
        move_texts = {
            ("Left", True): "man a1 - b1",
            ("Left", False): "man b1 - a1",
            ("Right", True): "man i1 - h1",
            ("Right", False): "man h1 - i1",
        }
        return moves[move_texts[position.turn, at_start]]


def make_referee(**rules: int) -> Referee:
    return Referee(Adjudication(**rules), SEATS)


def test_both_engines_must_agree_on_the_winner_for_long_enough() -> None:
    referee = make_referee(win_score=100, win_plies=3)
    assert referee.check_scores("X", 150, 1) is None
    assert referee.check_scores("O", -120, 2) is None  # the first ply on which both agree
    assert referee.check_scores("X", 160, 3) is None
    verdict = referee.check_scores("O", -200, 4)
    assert verdict == Verdict(("X",), "adjudicated: both see X ahead by 100 or more")


def test_a_disagreement_restarts_the_adjudication_count() -> None:
    referee = make_referee(win_score=100, win_plies=2)
    referee.check_scores("X", 150, 1)
    referee.check_scores("O", -120, 2)
    assert referee.check_scores("X", 90, 3) is None
    assert referee.check_scores("O", -120, 4) is None
    assert referee.check_scores("X", 150, 5) is None
    assert referee.check_scores("O", -150, 6) is not None


def test_engines_without_scores_are_not_adjudicated() -> None:
    referee = make_referee(win_score=100, win_plies=1)
    referee.check_scores("X", 500, 1)
    assert referee.check_scores("O", None, 2) is None
    assert referee.check_scores("X", 500, 3) is None
    assert referee.check_scores("O", -500, 4) is not None


def test_player_to_move_may_be_the_loser() -> None:
    referee = make_referee(win_score=100, win_plies=1)
    referee.check_scores("X", -100, 1)
    verdict = referee.check_scores("O", 100, 2)
    assert verdict.winners == ("O",)


def test_draw_is_adjudicated_only_from_ply_draw_after() -> None:
    referee = make_referee(draw_score=10, draw_plies=2, draw_after=4)
    for ply in (1, 2, 3):
        assert referee.check_scores(SEATS[(ply + 1) % 2], 5, ply) is None
    assert referee.check_scores("O", -10, 4) is None  # the first ply that counts
    assert referee.check_scores("X", 0, 5) == Verdict(
        (),
        "adjudicated: both see no more than 10 between them",
    )


def test_scores_beyond_the_limit_are_not_a_draw() -> None:
    referee = make_referee(draw_score=10, draw_plies=1, draw_after=0)
    referee.check_scores("X", 0, 1)
    assert referee.check_scores("O", 11, 2) is None
    assert referee.check_scores("X", -10, 3) is None
    assert referee.check_scores("O", 10, 4) is not None


def test_games_of_four_are_not_adjudicated_by_scores() -> None:
    referee = Referee(Adjudication(draw_score=10, draw_plies=1, draw_after=0), ("N", "E", "S", "W"))
    for ply, player in enumerate("NESWNESW"):
        assert referee.check_scores(player, 0, ply) is None


def test_unfinished_race_is_shared_by_all(tmp_path: Path) -> None:
    """The four players always move forward; two moves each are too few to win."""
    game = write_race(tmp_path)
    rules = Adjudication(max_plies=8)
    settings = settings_of(spec(Walker), games=1, game=game, adjudication=rules)
    (row,) = played(settings, tmp_path / "a.db", workers="threads")
    assert row.outcome == dict.fromkeys("NESW", 0.25)


PUZZLE = """
(game (title "Walk") (players You) (turn-order You)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0))) (directions (e 1))))
  (board-setup (You (Man a)))
  (piece (name Man) (moves (e add)))
  (win-condition (You) (absolute-config Man (d))))
"""


def test_unsolved_puzzle_scores_nothing(tmp_path: Path) -> None:
    """A game of one player has no draw that is worth a part of the point; three steps solve it."""
    game = tmp_path / "walk.zrf"
    game.write_text(PUZZLE, encoding="utf-8")
    for plies, score in ((2, 0.0), (9, 1.0)):
        settings = settings_of(
            "first", games=1, game=game, adjudication=Adjudication(max_plies=plies)
        )
        (row,) = played(settings, tmp_path / f"{plies}.db")
        assert row.outcome == {"You": score}
