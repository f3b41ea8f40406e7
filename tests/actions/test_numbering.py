"""Numbers of actions: stability, growth, files, errors."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import forthvm
from forthvm.game import ActionError, IllegalMoveError
from tests.scripts import PASSES

ROOT = Path(__file__).parent.parent.parent
GOLDEN = ROOT / "tests" / "golden" / "games"
PROMOTIONS = {
    "setup": [("White", "king", "a1"), ("Black", "king", "h5"), ("White", "pawn", "b7")],
    "turn": "White",
}
PRINT_NUMBERS = """
import hashlib, sys, forthvm
game = forthvm.load(sys.argv[1])
text = "".join(game.actions.text(number) + ";" for number in range(len(game.actions)))
print(len(game.actions), hashlib.sha256(text.encode()).hexdigest())
"""


def texts(game: forthvm.Game) -> list[str]:
    return [game.actions.text(number) for number in range(len(game.actions))]


# --- what an action is ---------------------------------------------------------------------------


def test_both_players_share_the_drops_of_tictactoe() -> None:
    game = forthvm.load("tictactoe")
    position = game.start()
    assert (len(game.actions), game.actions.size, game.actions.detail) == (9, 9, "squares")
    centre = position.parse("b2").action
    position.push("a1")
    assert position.parse("b2").action == centre
    assert game.actions.text(centre) == "b2"


def test_chess_has_about_three_thousand_actions() -> None:
    game = forthvm.load("chess")
    assert 1900 < len(game.actions) < 5000
    assert game.actions.detail == "types"


def test_promotions_are_different_actions_and_captures_are_not() -> None:
    game = forthvm.load("chess")
    position = game.start(**PROMOTIONS)
    promotions = [move for move in position.legal_moves if move.from_square == "b7"]
    names = [game.actions.text(move.action) for move in promotions]
    assert names == [f"b7 - b8 = {kind}" for kind in ("queen", "rook", "bishop", "knight")]
    start = game.start()
    for text in ("e2e4", "d7d5"):
        start.push(text)
    capture = start.parse("e4d5")
    assert capture.captures
    assert game.actions.text(capture.action) == "e4 - d5"


def test_moves_of_compiled_rule_files_are_movements() -> None:
    """They capture on the first square and create on the second."""
    game = forthvm.load(ROOT / "tests" / "zrf" / "games" / "chess.zrf")
    position = game.start()
    names = {game.actions.text(number) for number in position.legal_actions}
    assert {"e2 - e4", "g1 - f3"} < names


def test_equal_moves_have_equal_numbers() -> None:
    position = forthvm.load(GOLDEN / "Caret.4th").start()
    while position.result is None:
        numbers = position.legal_actions.tolist()
        if len(set(numbers)) < len(numbers):
            break
        position.push(position.legal_moves[0])
    number = next(number for number in numbers if numbers.count(number) > 1)
    equal = [move for move in position.legal_moves if move.action == number]
    assert equal[0].changes == equal[1].changes
    assert position.move_of(number).index == equal[0].index


def test_an_illegal_action_is_named() -> None:
    position = forthvm.load("tictactoe").start()
    number = position.parse("b2").action
    position.push("b2")
    with pytest.raises(IllegalMoveError, match=rf"the action {number} \(b2\) is not legal for O"):
        position.move_of(number)
    with pytest.raises(IndexError, match="there is no action 9; the numbers are 0 to 8"):
        position.move_of(9)
    with pytest.raises(IndexError):
        position.game.actions.text(-1)


def test_a_decided_game_has_no_legal_actions() -> None:
    position = forthvm.load("tictactoe").start()
    for square in ("a1", "a2", "b1", "b2", "c1"):
        position.push(square)
    assert position.legal_actions.tolist() == []
    with pytest.raises(IllegalMoveError):
        position.move_of(8)


def test_a_forced_pass_has_no_number(tmp_path: Path) -> None:
    script = tmp_path / "passes.4th"
    script.write_text(PASSES)
    position = forthvm.load(script).start()
    position.push(position.legal_moves[0])
    position.push_pass()
    assert position.last_move is not None
    with pytest.raises(ActionError, match="push_pass"):
        _ = position.last_move.action


# --- stability -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["interpreter", "native", "eager"])
def test_numbers_are_equal_in_every_process_and_tier(tier: str) -> None:
    for name in ("chess-los-alamos", "ur"):
        printed = {
            subprocess.run(
                [sys.executable, "-c", PRINT_NUMBERS, name],
                env=os.environ | environment,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for environment in ({}, {"FORTHVM_TIER": tier, "PYTHONHASHSEED": "1"})
        }
        assert len(printed) == 1


def test_numbers_are_equal_after_saving_and_loading(tmp_path: Path) -> None:
    path = tmp_path / "chess.actions.json"
    game, other = forthvm.load("chess"), forthvm.load("chess")
    game.actions.renumber(games=3, plies=60)
    game.actions.explore(games=2, plies=60)
    game.actions.save(path)
    other.actions.load(path)
    assert texts(other) == texts(game)
    assert other.actions.to_json() == game.actions.to_json()
    assert other.start().legal_actions == game.start().legal_actions


def test_a_file_beside_the_script_is_used(tmp_path: Path) -> None:
    script = shutil.copy(GOLDEN / "Flips.4th", tmp_path)
    first = forthvm.load(script)
    first.actions.renumber(games=2, complete=False)
    first.actions.save(tmp_path / "Flips.actions.json")
    assert len(first.actions) < len(forthvm.load(GOLDEN / "Flips.4th").actions)
    again = forthvm.load(script)
    assert again.actions.to_json() == first.actions.to_json()
    assert again.clone().actions.to_json() == first.actions.to_json()


def test_a_damaged_file_beside_the_script_is_named(tmp_path: Path) -> None:
    game = forthvm.load(shutil.copy(GOLDEN / "Flips.4th", tmp_path))
    (tmp_path / "Flips.actions.json").write_text("no JSON", encoding="utf-8")
    with pytest.raises(ActionError, match=r"Flips\.actions\.json"):
        len(game.actions)


@pytest.mark.parametrize("detail", ["squares", "types", "effects", "pieces", "words"])
def test_every_detail_is_saved(detail: str) -> None:
    for name in ("ur", "splut"):
        game = forthvm.load(name)
        least = "effects" if name == "splut" and detail in ("squares", "types") else detail
        least = "types" if least == "squares" else least
        game.actions.renumber(detail=detail, games=1, plies=40, complete=False)
        assert game.actions.detail == least
        before = texts(game)
        game.actions.use_json(game.actions.to_json())
        assert texts(game) == before


def test_clones_and_pickles_have_the_same_numbers() -> None:
    game = forthvm.load("chess-los-alamos")
    game.actions.renumber(games=1, plies=10, complete=False)
    for copy in (game.clone(), pickle.loads(pickle.dumps(game))):
        assert texts(copy) == texts(game)


def test_a_pickle_in_another_process_has_the_same_numbers(tmp_path: Path) -> None:
    game = forthvm.load("chess-los-alamos")
    game.actions.renumber(games=1, plies=10, complete=False)
    path = tmp_path / "game.pickle"
    path.write_bytes(pickle.dumps(game))
    code = "import pickle, sys; print(len(pickle.load(open(sys.argv[1], 'rb')).actions))"
    printed = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    ).stdout
    assert int(printed) == len(game.actions)


def test_unpickled_moves_have_no_number() -> None:
    move = pickle.loads(pickle.dumps(forthvm.load("tictactoe").start().legal_moves[0]))
    with pytest.raises(ValueError, match="belongs to no position"):
        _ = move.action


# --- growth and errors ---------------------------------------------------------------------------


def test_exploring_adds_numbers_at_the_end() -> None:
    game = forthvm.load("chess")
    game.actions.renumber(detail="types", games=1, plies=4, complete=False)
    before = texts(game)
    position = game.start(**PROMOTIONS)
    with pytest.raises(
        ActionError, match=r"not among the \d+ actions of chess; game\.actions\.explore"
    ):
        _ = position.legal_actions
    added = game.actions.explore(games=1, plies=1, starts=[position], complete=False)
    assert added > 0
    assert len(game.actions) == len(before) + added
    assert texts(game)[: len(before)] == before
    assert max(position.legal_actions) >= len(before)
    assert game.actions.explore(games=1, plies=1, starts=[position], complete=False) == 0


def test_known_moves_follow_a_change_of_the_numbers() -> None:
    game = forthvm.load("tictactoe")
    moves = game.start().legal_moves
    assert moves[0].action == 0
    document = json.loads(game.actions.to_json())
    document["actions"].reverse()
    game.actions.use_json(json.dumps(document))
    assert moves[0].action == 8


def test_collisions_raise() -> None:
    game = forthvm.load("chess")
    game.actions.renumber(games=1, plies=4, complete=False)  # too little to see a promotion
    assert game.actions.detail == "squares"
    position = game.start(**PROMOTIONS)
    with pytest.raises(ActionError, match=r"does not tell the moves 'pawn b7 - b8 = queen' and"):
        _ = position.legal_actions
    with pytest.raises(ActionError, match="does not tell"):
        game.actions.explore(games=1, plies=1, starts=[position])


def test_too_many_actions_raise() -> None:
    game = forthvm.load("chess")
    with pytest.raises(ActionError, match="chess has more than 100 actions"):
        game.actions.renumber(limit=100)
    game.actions.renumber(detail="types", games=1, plies=4, complete=False)
    with pytest.raises(ActionError, match="chess has more than 100 actions"):
        game.actions.explore(limit=100)


def test_an_unknown_detail_raises() -> None:
    with pytest.raises(ActionError, match="no detail 'all', but squares, types"):
        forthvm.load("tictactoe").actions.renumber(detail="all")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "not a document of actions"),
        ({"version": 2}, "not a document of actions"),
        ({"game": "chess"}, "those of the game 'chess'"),
        ({"detail": "all"}, "no detail 'all'"),
        ({"actions": [["a1", None], ["a1", None]]}, "occurs twice"),
        ({"actions": [["a1", "z9"]]}, "has no 'z9'"),
        ({"actions": [["a1"]]}, "incomplete action"),
        ({"actions": [["a1", "a2", "a3"]]}, "invalid action"),
        ({"actions": ["a1"]}, "the game has no 'a'"),
        ({"actions": [3]}, "cannot read the actions"),
        ({"actions": 3}, "cannot read the actions"),
        ({"detail": "effects", "actions": [[None, "a1", None, "fly", "a1"]]}, "invalid action"),
        (
            {"detail": "pieces", "actions": [[None, "a1", None, "create", "a1", "mark"]]},
            "not a piece",
        ),
        (
            {"detail": "words", "actions": [[None, None, None, "call", "no-word", 0, 0]]},
            "no word 'no-word'",
        ),
    ],
)
def test_invalid_documents_raise(change: dict[str, object], message: str) -> None:
    game = forthvm.load("tictactoe")
    document = json.loads(game.actions.to_json()) | change
    before = texts(game)
    with pytest.raises(ActionError, match=message):
        game.actions.use_json(json.dumps(document))
    assert texts(game) == before


@pytest.mark.parametrize("text", ["", "[]", "3", "{}", '{"format": "forthvm-actions"}', "[" * 9999])
def test_other_texts_raise(text: str) -> None:
    with pytest.raises(ActionError):
        forthvm.load("tictactoe").actions.use_json(text)


def test_files_that_are_not_text_raise(tmp_path: Path) -> None:
    path = tmp_path / "actions.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ActionError, match="is not a file of actions"):
        forthvm.load("tictactoe").actions.load(path)
