"""The switches for what the contract leaves open: for each a tiny game, by default and otherwise.

The numbers in the names are those of section 16 of the contract.  Expected moves are worked out by
hand.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import forthvm
from forthvm.zrf.choices import Choices
from forthvm.zrf.loading import compile_file

ROW = """
(board
  (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("1" (0 10)))
    (directions (e 1 0) (w -1 0))))
"""
STEP = "(e (verify empty?) add)"

Start = Callable[..., forthvm.Position]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Return the first position of a game of White and Black, with some choices."""

    def start(
        sections: str, players: str = "White Black", turns: str = "", **choices: object
    ) -> forthvm.Position:
        board = "" if "(board " in sections else ROW
        text = f"""(game (title "Test") (players {players}) (turn-order {turns or players})
            {board} {sections})"""
        path = tmp_path / "test.zrf"
        path.write_text(text)
        compiled = compile_file(path, choices=Choices(**choices))
        assert compiled.script is not None
        script = tmp_path / "test.4th"
        script.write_bytes(compiled.script.text)
        return forthvm.load(script).start()

    return start


def moves(position: forthvm.Position) -> list[str]:
    return sorted(str(move) for move in position.legal_moves)


def played(position: forthvm.Position, *texts: str) -> forthvm.Position:
    for text in texts:
        position.push(text)
    return position


def test_1_rounds_of_a_loop(start: Start) -> None:
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


def test_4_neutral_pieces_are_enemies(start: Start) -> None:
    game = """(piece (name Man) (moves
            (e (verify enemy?) add)
            ((verify adjacent-to-enemy?) c1 add)))
        (board-setup (White (Man a1)) (Stones (Man b1)))"""
    players, turns = "White Black Stones", "White Black"
    assert moves(start(game, players, turns)) == ["Man a1 - c1", "Man a1 x b1"]
    assert moves(start(game, players, turns, neutral_pieces_are_enemies=False)) == []


def test_6_captured_and_checkmated(start: Start) -> None:
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
    assert result is not None
    assert result.winners == ("Black",)


def test_7_loss_of_one_of_three_players(start: Start) -> None:
    game = """(piece (name Man) (moves (e (verify not-friend?) add)))
        (board-setup (Red (Man a1)) (Green (Man b1)) (Blue (Man c1)))
        (loss-condition (Red Green Blue) (pieces-remaining 0))"""
    players = "Red Green Blue"
    position = played(start(game, players), "Man a1 x b1")
    assert position.result is None
    assert position.turn == "Blue"
    result = played(start(game, players, players_for_elimination=4), "Man a1 x b1").result
    assert result is not None
    assert result.losers == ("Green",)
    assert result.winners == ("Red", "Blue")


def test_8_no_move_for_one_of_three_players(start: Start) -> None:
    game = f"""(piece (name Man) (moves {STEP}))
        (board-setup (Blue (Man a1)) (Red (Man b1)) (Green (Man d1)))"""
    players = "Red Green Blue"
    position = played(start(game, players), "Man b1 - c1")
    assert position.result is None
    assert position.turn == "Blue"
    result = played(start(game, players, real_players_for_skip=4), "Man b1 - c1").result
    assert result is not None
    assert result.draw


def test_8_no_move_for_one_of_two_players(start: Start) -> None:
    game = f"""(piece (name Man) (moves {STEP}))
        (board-setup (White (Man a1)) (Black (Man d1)))"""
    result = played(start(game), "Man a1 - b1").result
    assert result is not None
    assert result.draw
    position = played(start(game, real_players_for_skip=2), "Man a1 - b1")
    assert position.result is None
    assert position.turn == "White"
    result = played(position, "Man b1 - c1").result  # then neither has a move
    assert result is not None
    assert result.draw


def test_8_no_move_for_a_random_player(start: Start) -> None:
    game = f"""(piece (name Man) (moves {STEP}))
        (board-setup (White (Man a1)) (Black (Man c1)))"""
    players = "White ?Dice Black"
    position = played(start(game, players), "Man a1 - b1")
    assert position.result is None
    assert position.turn == "Black"
    result = played(start(game, players, random_players_skip=False), "Man a1 - b1").result
    assert result is not None
    assert result.draw


def test_9_blocks_for_continuations_only(start: Start) -> None:
    game = """(piece (name Man) (moves
            (move-type first) (e (verify empty?) (add-partial second))
            (move-type second) (w (verify empty?) add)))
        (board-setup (White (Man b1)))"""
    assert moves(start(game)) == ["Man b1 - a1", "partial 2 Man b1 - c1"]
    position = start(game, continuation_types_start_a_turn=False)
    assert moves(position) == ["partial 2 Man b1 - c1"]
    assert moves(played(position, "partial 2 Man b1 - c1")) == ["Man c1 - b1"]


def test_10_pass_turn_2(start: Start) -> None:
    game = f"""(option "pass turn" 2) (piece (name Man) (moves {STEP}))
        (board-setup (White (Man a1)) (Black (Man d1)))"""
    position = start(game)
    assert moves(position) == ["Man a1 - b1"]
    assert moves(played(position, "Man a1 - b1")) == ["Pass"]
    assert moves(start(game, pass_turn_2_is="true")) == ["Man a1 - b1", "Pass"]
    assert moves(played(start(game, pass_turn_2_is="false"), "Man a1 - b1")) == []


def test_10_maximal_captures_2(start: Start) -> None:
    # A King is a type to which pieces are promoted.
    game = """(option "maximal captures" 2)
        (piece (name Man) (moves
            (e (verify enemy?) add) (w (verify enemy?) add) (e (verify false) (add King))))
        (piece (name King))
        (board-setup (White (Man b1)) (Black (Man a1) (King c1)))"""
    assert moves(start(game)) == ["Man b1 x c1"]
    assert moves(start(game, maximal_captures_2_is="number")) == ["Man b1 x a1", "Man b1 x c1"]


def test_12_two_links_of_one_direction(start: Start) -> None:
    game = f"""{ROW.rstrip()[:-1]} (links far (a1 b1) (a1 d1)))
        (piece (name Man) (moves (far add)))
        (board-setup (White (Man a1)))"""
    assert moves(start(game)) == ["Man a1 - d1"]
    assert moves(start(game, later_link_wins=False)) == ["Man a1 - b1"]


def test_14_drops_on_dummies(start: Start) -> None:
    game = f"""{ROW.rstrip()[:-1]} (dummy hidden) (kill-positions b1 c1 d1))
        (piece (name Man) (drops ((verify empty?) add)))
        (board-setup (White (Man off 1)))"""
    assert moves(start(game)) == ["White Man a1"]
    assert moves(start(game, drops_on_dummies=True)) == ["White Man a1", "White Man hidden"]


def test_20_third_occurrence(start: Start) -> None:
    game = """(piece (name Man) (moves (e (verify empty?) add) (w (verify empty?) add)))
        (board-setup (White (Man a1)) (Black (Man d1)))"""
    there_and_back = ("Man a1 - b1", "Man d1 - c1", "Man b1 - a1", "Man c1 - d1")
    result = played(start(game), *there_and_back, *there_and_back).result
    assert result is not None
    assert result.draw
    position = start(game, third_occurrence_is_a_draw=False)
    assert played(position, *there_and_back, *there_and_back).result is None
