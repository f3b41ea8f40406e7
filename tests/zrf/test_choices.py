"""The switches for what the contract leaves open: for each a tiny game, by default and otherwise.

Section 16 of the contract lists what it leaves open.  Expected moves are worked out by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from forthvm.zrf.choices import Choices
from tests.kit.cases import each_case
from tests.kit.games import play
from tests.kit.messages import raises

ROW = """
(board
  (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("1" (0 10)))
    (directions (e 1 0) (w -1 0))))
"""
ROOT = Path(__file__).parents[2]
STEP = "(e (verify empty?) add)"

Start = Callable[..., forthvm.Position]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Return the first position of a game of White and Black, with some choices."""

    def start(
        sections: str,
        players: str = "White Black",
        turns: str = "",
        **choices: str | int | bool,
    ) -> forthvm.Position:
        board = "" if "(board " in sections else ROW
        text = f"""(game (title "Test") (players {players}) (turn-order {turns or players})
            {board} {sections})"""
        path = tmp_path / "test.zrf"
        path.write_text(text)
        settings = {name.replace("_", "-"): value for name, value in choices.items()}
        return forthvm.load(path, settings=settings).start()

    return start


def moves(position: forthvm.Position) -> list[str]:
    return sorted(str(move) for move in position.legal_moves)


def played(position: forthvm.Position, *texts: str) -> forthvm.Position:
    play(position, *texts)
    return position


def type_at(square: str, position: forthvm.Position) -> str:
    piece = position.board[square]
    return piece.type


def owner_at(square: str, position: forthvm.Position) -> str:
    piece = position.board[square]
    return piece.player


@each_case("name", vars(Choices()))
def test_each_switch_is_tested_and_documented(name: str) -> None:
    assert f"{name}=" in Path(__file__).read_text()
    shown = name.replace("_", "-")
    assert f"| `{shown}` |" in (ROOT / "docs" / "reference" / "zrf.md").read_text()


@each_case(
    ("name", "value", "message"),
    [
        ("third-ocurrence-is-a-draw", "off", "choices.did-you-mean-third-occurrence"),
        ("third-occurrence-is-a-draw", "maybe", "choices.is-one-of-on-off"),
        ("pass-turn-2-is", "on", "choices.is-one-of-true-forced-false"),
        ("players-for-elimination", "0", "choices.takes-an-integer"),
        ("goal-order", "draw,count", "choices.takes-mover-wins-mover-loses"),
    ],
)
def test_wrong_settings(name: str, value: str, message: str) -> None:
    with raises(forthvm.SettingError, message):
        forthvm.load(ROOT / "tests/zrf/games/tictactoe.zrf", settings={name: value})


def test_a_saved_position_keeps_the_choices(start: Start) -> None:
    game = """(option "pass turn" 2) (piece (name Man) (moves (e (verify empty?) add)))
        (board-setup (White (Man a1)))"""
    position = start(game, pass_turn_2_is="true")
    text = position.to_json()
    assert moves(forthvm.Position.from_json(position.game, text)) == ["Man a1 - b1", "Pass"]
    with raises(forthvm.ForthVMError, "choices.other-choice"):
        forthvm.Position.from_json(start(game).game, text)


@pytest.mark.slow
def test_rounds_of_a_loop_are_limited(start: Start) -> None:
    # On a ring of 4 positions the loop comes to b1 twice: 5 rounds.
    game = f"""{ROW.rstrip()[:-1]} (links e (d1 a1)))
        (piece (name Man) (moves (
            (while (not-flag? twice)
                e
                (if (position? b1)
                    (if (flag? once) (set-flag twice true))
                    (set-flag once true)))
            add)))
        (board-setup (White (Man a1)))"""
    assert moves(start(game)) == ["Man a1 - b1"]
    assert moves(start(game, while_rounds_per_position=1)) == []


def test_attributes_stay_on_promotion(start: Start) -> None:
    game = """(piece (name Man) (attribute fresh? true) (moves (e (add Rook))))
        (piece (name Rook) (attribute fresh? false) (moves
            ((verify fresh?) e add) ((verify (not fresh?)) w add)))
        (board-setup (White (Man a1)))"""
    promotion = "Man a1 - b1 = Rook"
    assert moves(played(start(game, "White"), promotion)) == ["Rook b1 - c1"]
    position = start(game, "White", promotion_keeps_attributes=False)
    assert moves(played(position, promotion)) == ["Rook b1 - a1"]


def test_neutral_pieces_are_enemies(start: Start) -> None:
    game = """(piece (name Man) (moves
            (e (verify enemy?) add)
            ((verify adjacent-to-enemy?) c1 add)))
        (board-setup (White (Man a1)) (Stones (Man b1)))"""
    players, turns = "White Black Stones", "White Black"
    assert moves(start(game, players, turns)) == ["Man a1 - c1", "Man a1 x b1"]
    assert moves(start(game, players, turns, neutral_pieces_are_enemies=False)) == []


def test_neutral_pieces_attack(start: Start) -> None:
    game = """(piece (name Man) (moves (e (verify not-attacked?) add)))
        (piece (name Rook) (moves (w add)))
        (board-setup (White (Man a1)) (Stones (Rook c1)))"""
    players, turns = "White Black Stones", "White Black"
    assert moves(start(game, players, turns)) == ["Man a1 - b1"]
    assert moves(start(game, players, turns, neutral_pieces_attack=True)) == []


def test_promotion_comes_after_a_change_of_type(start: Start) -> None:
    game = """(piece (name Man) (moves (e (change-type Queen) (add Rook))))
        (piece (name Rook)) (piece (name Queen))
        (board-setup (White (Man a1)))"""
    promotion = "Man a1 - b1 = Queen = Rook"
    assert type_at("b1", played(start(game), promotion)) == "Rook"
    position = start(game, promotion_comes_last=False)
    assert type_at("b1", played(position, promotion)) == "Queen"


def test_the_later_of_two_pieces_created_on_one_position_stands(start: Start) -> None:
    game = """(piece (name Man) (moves (e (create Queen d1) (create Rook d1) add)))
        (piece (name Rook)) (piece (name Queen))
        (board-setup (White (Man a1)))"""
    move = "Man a1 - b1 White Queen d1 White Rook d1"
    assert type_at("d1", played(start(game), move)) == "Rook"
    position = start(game, later_create_stands=False)
    assert type_at("d1", played(position, move)) == "Queen"


def test_a_royal_piece_may_be_exposed_if_its_capture_is_a_goal(start: Start) -> None:
    # On b1 the man can be captured.
    game = f"""(piece (name Man) (moves {STEP}))
        (piece (name Queen) (moves (w (verify enemy?) add)))
        (board-setup (White (Man a1)) (Black (Queen c1)))
        (loss-condition (White Black) (checkmated Man))
        (loss-condition (White Black) (captured Man))"""
    assert moves(start(game)) == []
    position = start(game, captured_allows_danger=True)
    assert moves(position) == ["Man a1 - b1"]
    result = played(position, "Man a1 - b1", "Queen c1 x b1").result
    assert result.winners == ("Black",)


def test_the_loss_of_one_of_three_players_eliminates_him(start: Start) -> None:
    game = """(piece (name Man) (moves (e (verify not-friend?) add)))
        (board-setup (Red (Man a1)) (Green (Man b1)) (Blue (Man c1)))
        (loss-condition (Red Green Blue) (pieces-remaining 0))"""
    players = "Red Green Blue"
    position = played(start(game, players), "Man a1 x b1")
    assert position.result is None
    assert position.turn == "Blue"
    result = played(start(game, players, players_for_elimination=4), "Man a1 x b1").result
    assert result.losers == ("Green",)
    assert result.winners == ("Red", "Blue")


def test_one_of_three_players_without_a_move_is_skipped(start: Start) -> None:
    game = f"""(piece (name Man) (moves {STEP}))
        (board-setup (Blue (Man a1)) (Red (Man b1)) (Green (Man d1)))"""
    players = "Red Green Blue"
    position = played(start(game, players), "Man b1 - c1")
    assert position.result is None
    assert position.turn == "Blue"
    result = played(start(game, players, real_players_for_skip=4), "Man b1 - c1").result
    assert result.draw


def test_one_of_two_players_without_a_move_draws(start: Start) -> None:
    game = f"""(piece (name Man) (moves {STEP}))
        (board-setup (White (Man a1)) (Black (Man d1)))"""
    result = played(start(game), "Man a1 - b1").result
    assert result.draw
    position = played(start(game, real_players_for_skip=2), "Man a1 - b1")
    assert position.result is None
    assert position.turn == "White"
    result = played(position, "Man b1 - c1").result  # then neither has a move
    assert result.draw


def test_a_random_player_without_a_move_is_skipped(start: Start) -> None:
    game = f"""(piece (name Man) (moves {STEP}))
        (board-setup (White (Man a1)) (Black (Man c1)))"""
    players = "White ?Dice Black"
    position = played(start(game, players), "Man a1 - b1")
    assert position.result is None
    assert position.turn == "Black"
    result = played(start(game, players, random_players_skip=False), "Man a1 - b1").result
    assert result.draw


def test_continuation_types_may_start_a_turn(start: Start) -> None:
    game = """(piece (name Man) (moves
            (move-type first) (e (verify empty?) (add-partial second))
            (move-type second) (w (verify empty?) add)))
        (board-setup (White (Man b1)))"""
    assert moves(start(game)) == ["Man b1 - a1", "partial 2 Man b1 - c1"]
    position = start(game, continuation_types_start_a_turn=False)
    assert moves(position) == ["partial 2 Man b1 - c1"]
    assert moves(played(position, "partial 2 Man b1 - c1")) == ["Man c1 - b1"]


def test_pass_turn_2_allows_a_pass_without_other_moves(start: Start) -> None:
    game = f"""(option "pass turn" 2) (piece (name Man) (moves {STEP}))
        (board-setup (White (Man a1)) (Black (Man d1)))"""
    position = start(game)
    assert moves(position) == ["Man a1 - b1"]
    assert moves(played(position, "Man a1 - b1")) == ["Pass"]
    assert moves(start(game, pass_turn_2_is="true")) == ["Man a1 - b1", "Pass"]
    assert moves(played(start(game, pass_turn_2_is="false"), "Man a1 - b1")) == []


def test_maximal_captures_2_prefers_captures_of_kings(start: Start) -> None:
    # A King is a type to which pieces are promoted.
    game = """(option "maximal captures" 2)
        (piece (name Man) (moves
            (e (verify enemy?) add) (w (verify enemy?) add) (e (verify false) (add King))))
        (piece (name King))
        (board-setup (White (Man b1)) (Black (Man a1) (King c1)))"""
    assert moves(start(game)) == ["Man b1 x c1"]
    assert moves(start(game, maximal_captures_2_is="number")) == ["Man b1 x a1", "Man b1 x c1"]


def test_each_capture_of_a_part_counts(start: Start) -> None:
    game = """(option "maximal captures" true)
        (piece (name Man) (moves (e capture e capture e add) (e (verify enemy?) add)))
        (board-setup (White (Man a1)) (Black (Man b1 c1)))"""
    assert moves(start(game)) == ["Man a1 - d1 x b1 x c1"]
    position = start(game, each_capture_of_a_part_counts=False)
    assert moves(position) == ["Man a1 - d1 x b1 x c1", "Man a1 x b1"]


def test_the_later_of_two_links_of_one_direction_wins(start: Start) -> None:
    game = f"""{ROW.rstrip()[:-1]} (links far (a1 b1) (a1 d1)))
        (piece (name Man) (moves (far add)))
        (board-setup (White (Man a1)))"""
    assert moves(start(game)) == ["Man a1 - d1"]
    assert moves(start(game, later_link_wins=False)) == ["Man a1 - b1"]


def test_the_last_squares_after_a_cascade_are_those_of_its_pieces(start: Start) -> None:
    game = """(piece (name Man) (moves (e cascade e e add)))
        (piece (name Queen))
        (piece (name Rook) (moves
            ((verify (last-from? a1)) a1 add)
            ((verify (last-from? b1)) b1 add)
            ((verify (last-to? d1)) d1 add)))
        (board-setup (White (Man a1) (Queen b1)) (Black (Rook c1)))"""
    move = "Man a1 x b1 Queen b1 - d1"
    assert moves(played(start(game), move)) == ["Rook c1 x b1", "Rook c1 x d1"]
    position = start(game, last_squares_after_cascade="first")
    assert moves(played(position, move)) == ["Rook c1 - a1"]


def test_drops_leave_dummies_out(start: Start) -> None:
    game = f"""{ROW.rstrip()[:-1]} (dummy hidden) (kill-positions b1 c1 d1))
        (piece (name Man) (drops ((verify empty?) add)))
        (board-setup (White (Man off 1)))"""
    assert moves(start(game)) == ["White Man a1"]
    assert moves(start(game, drops_on_dummies=True)) == ["White Man a1", "White Man hidden"]


def test_flip_counts_neutral_and_random_players(start: Start) -> None:
    game = """(piece (name Man) (moves (e (flip c1) (flip d1) add)))
        (board-setup (White (Man a1 c1)) (Black (Man d1)))"""
    players, turns = "White ?Dice Stones Black", "White ?Dice Black"
    move = "Man a1 - b1 flip c1 flip d1"
    assert owner_at("c1", played(start(game, players, turns), move)) == "?Dice"
    position = played(start(game, players, turns, flip_skips_neutral_and_random=True), move)
    assert owner_at("c1", position) == "Black"
    assert owner_at("d1", position) == "White"


def test_goals_are_tested_in_the_chosen_order(start: Start) -> None:
    game = f"""(piece (name Man) (moves {STEP}))
        (board-setup (White (Man a1)) (Black (Man d1)))
        (win-condition (White) (absolute-config Man (b1)))
        (loss-condition (White) (absolute-config Man (b1)))
        (draw-condition (White) (absolute-config Man (b1)))"""
    first, second, *middle, last = Choices().goal_order
    expected = {
        (first, second, *middle, last): ("White",),
        (second, first, *middle, last): ("Black",),
        (last, first, second, *middle): (),
    }
    for order, winners in expected.items():
        result = played(start(game, goal_order=",".join(order)), "Man a1 - b1").result
        assert result.winners == winners


def test_royal_pieces_must_be_safe_between_parts(start: Start) -> None:
    # The guard attacks b1, but not c1.
    game = """(piece (name King) (moves
            (move-type start) (e (verify empty?) (add-partial go))
            (move-type go) (e (verify empty?) add)))
        (piece (name Guard) (moves (w w (verify enemy?) add)))
        (board-setup (White (King a1)) (Black (Guard d1)))
        (loss-condition (White) (checkmated King))"""
    assert moves(start(game)) == []
    position = start(game, safety_after_each_part=False)
    assert moves(position) == ["partial 2 King a1 - b1"]
    assert moves(played(position, "partial 2 King a1 - b1")) == ["King b1 - c1"]


def test_royal_pieces_need_not_be_safe_between_turns_of_one_player(start: Start) -> None:
    # The guard attacks b1, but not c1.
    game = """(piece (name King) (moves (e (verify empty?) add)))
        (piece (name Guard) (moves (w w (verify enemy?) add)))
        (board-setup (White (King a1)) (Black (Guard d1)))
        (loss-condition (White) (checkmated King))"""
    turns = "White White Black Black"
    position = start(game, turns=turns)
    assert moves(position) == ["King a1 - b1"]
    assert moves(played(position, "King a1 - b1")) == ["King b1 - c1"]
    assert moves(start(game, turns=turns, safety_between_turns=True)) == []


def test_a_copy_in_a_drop_takes_the_dropped_piece_from_the_store(start: Start) -> None:
    # One man and two rooks are in the store.
    game = f"""{ROW.rstrip()[:-1]} (kill-positions d1))
        (piece (name Man) (drops ((verify empty?) (add-copy Rook))))
        (piece (name Rook))
        (board-setup (White (Man off 1) (Rook off 2)))"""
    position = start(game, "White")
    assert moves(position) == [f"White Man {at} = Rook" for at in ("a1", "b1", "c1")]
    assert moves(played(position, "White Man a1 = Rook")) == []
    position = start(game, "White", copy_in_a_drop_takes="copy")
    assert moves(position) == [f"White Rook {at}" for at in ("a1", "b1", "c1")]
    assert moves(played(position, "White Rook a1")) == ["White Rook b1", "White Rook c1"]
    assert moves(played(position, "White Rook b1")) == []


def test_the_third_occurrence_is_a_draw(start: Start) -> None:
    game = """(piece (name Man) (moves (e (verify empty?) add) (w (verify empty?) add)))
        (board-setup (White (Man a1)) (Black (Man d1)))"""
    there_and_back = ("Man a1 - b1", "Man d1 - c1", "Man b1 - a1", "Man c1 - d1")
    result = played(start(game), *there_and_back, *there_and_back).result
    assert result.draw
    position = start(game, third_occurrence_is_a_draw=False)
    assert played(position, *there_and_back, *there_and_back).result is None
