"""Gestures: the clicks that make a move, and the tree of all clicks in a position."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import pytest

import forthvm
from forthvm.game import Click
from tests.bundled_games import kit
from tests.kit.cases import each_case
from tests.kit.every_game import every_game
from tests.kit.games import load_text, loaded, play
from tests.kit.messages import raises

RULE_FILES = Path(__file__).parent.parent / "zrf" / "games"


def squares(*names: str) -> tuple[Click, ...]:
    return tuple(Click("square", name) for name in names)


def rule_file(folder: Path, pieces: str) -> forthvm.Position:
    """Return the first position of a game on three squares in a row."""
    return load_text(
        folder,
        f"""(game (title "Test") (players White Black) (turn-order White Black)
              (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1" (0 9)))
                (directions (e 1 0))))
              {pieces})""",
    ).start()


def gesture_of(position: forthvm.Position, text: str) -> tuple[Click, ...]:
    return position.parse(text).gesture()


def test_a_movement_is_two_squares() -> None:
    assert gesture_of(loaded("chess").start(), "pawn e2 - e4") == squares("e2", "e4")


def test_a_drop_is_one_square_if_there_is_one_kind_of_piece() -> None:
    assert gesture_of(loaded("tictactoe").start(), "X mark b2") == squares("b2")


def test_castling_is_the_movement_of_the_king() -> None:
    position = forthvm.load(RULE_FILES / "chess.zrf", variant="Position 2").start()
    castling = next(move for move in position.legal_moves if "Rook h1 - f1" in str(move))
    assert castling.gesture() == squares("e1", "g1")


def test_another_players_piece_is_not_clicked(tmp_path: Path) -> None:
    """In the text of the push the crate comes first; the player moves the man."""
    position = rule_file(
        tmp_path,
        """(piece (name Man) (moves (e (verify enemy?) from e cascade back from e add)))
           (piece (name Crate))
           (board-setup (White (Man a1)) (Black (Crate b1)))""",
    )
    assert gesture_of(position, "Crate b1 - c1 Man a1 - b1") == squares("a1", "b1")


def test_promotion_ends_with_a_choice(tmp_path: Path) -> None:
    position = rule_file(
        tmp_path,
        """(piece (name Pawn) (moves (e (add Queen Rook)))) (piece (name Queen)) (piece (name Rook))
           (board-setup (White (Pawn a1)))""",
    )
    for name in ("Queen", "Rook"):
        choice = Click("choice", name)
        assert gesture_of(position, f"Pawn a1 - b1 = {name}") == (*squares("a1", "b1"), choice)


def test_drops_of_several_kinds_begin_in_the_store(tmp_path: Path) -> None:
    position = rule_file(
        tmp_path,
        """(piece (name Man) (drops (add))) (piece (name Tent) (drops (add)))
           (board-setup (White (Man off 1) (Tent off 1)))""",
    )
    store = Click("store", "Tent", "White")
    assert gesture_of(position, "White Tent b1") == (store, *squares("b1"))


def test_captured_squares_follow_where_the_player_chooses_them() -> None:
    position = loaded("thud-choice").start()
    chooser = random.Random(1)
    while not any(len(move.gesture()) > 2 for move in position.legal_moves):
        position.push(chooser.choice(position.legal_moves))
    for move in position.legal_moves:
        gesture = move.gesture()
        assert gesture[:2] == squares(move.from_square or "", move.to_square or "")
        assert {click.name for click in gesture[2:]} <= set(move.captures)


def test_the_tree_leads_to_the_move() -> None:
    position = loaded("breakthrough").start()
    node = position.gestures()
    for click in squares("a2", "a3"):
        node = node.children[click]
    assert str(node.move) == "pawn a2 - a3"
    assert not node.children


def test_a_pass_is_a_button() -> None:
    position, chooser = forthvm.load(RULE_FILES / "reversi.zrf").start(), random.Random(1)
    while not any(move.is_pass for move in position.legal_moves):
        if position.result is not None:
            position = position.game.start()
        position.push(chooser.choice(position.legal_moves))
    assert gesture_of(position, "Pass") == (Click("choice", "Pass"),)


def test_an_unpickled_move_has_no_gesture() -> None:
    move = pickle.loads(pickle.dumps(forthvm.load("tictactoe").start().legal_moves[0]))
    with raises(ValueError, "gestures.belongs-to-no-position"):
        move.gesture()


# --- all games ---------------------------------------------------------------------------------


def after(position: forthvm.Position, move: forthvm.Move) -> forthvm.Position:
    position = play(position.copy(), move)
    return position


def check_game(position: forthvm.Position, plies: int) -> None:
    """Check that clicks reach each move, or another one with an equal position after it."""
    for _ in kit.steps(position, seed=7, plies=plies):
        reached = {move.gesture(): move for move in position.gestures().moves()}
        assert reached.keys() == {move.gesture() for move in position.legal_moves}
        for move in position.legal_moves:
            other = reached[move.gesture()]
            assert other == move or after(position, other) == after(position, move)


DOUBLED = """(game (title "Doubled") (players A B) (turn-order A B)
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b" (50 0)) ("2/1" (0 50)))
    (directions (n 0 -1) (e 1 0))))
  (piece (name man) (attribute tired false)
    (moves (n add) (n (set-attribute other false) add) (n (set-attribute tired true) add)))
  (board-setup (A (man a1)) (B (man b1))))
"""


def test_moves_with_equal_positions_after_them_share_a_gesture(tmp_path: Path) -> None:
    position = load_text(tmp_path, DOUBLED).start()
    first, second, tired = position.legal_moves
    assert first.gesture() == second.gesture() != tired.gesture()
    assert {move.index for move in position.gestures().moves()} == {0, 2}


@every_game()
def test_clicks_reach_all_moves(name: str) -> None:
    check_game(forthvm.load(name).start(), 30)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("path", sorted(RULE_FILES.glob("*.zrf")), ids=lambda path: path.stem)
def test_clicks_reach_all_moves_of_rule_files(path: Path) -> None:
    check_game(forthvm.load(path).start(), 30)


@pytest.mark.slow
@each_case("case", [case for case in kit.CASES if not case.bundled], ids=str)
def test_clicks_reach_all_moves_of_recorded_games(case: kit.Case) -> None:
    """The recorded games list equal moves several times, and moves with equal texts."""
    check_game(case.start(), 20)
