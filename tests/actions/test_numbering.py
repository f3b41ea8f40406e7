"""Numbers of actions: stability, growth, files, errors."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from pathlib import Path

import pytest

import forthvm
from forthvm.game import ActionError, IllegalMoveError
from tests.kit.boards import PASSES, drops, grid
from tests.kit.cases import each_case
from tests.kit.files import write
from tests.kit.games import load_text, loaded, play
from tests.kit.messages import raises
from tests.kit.processes import output_of

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
    assert (len(game.actions), game.actions.size) == (9, 9)
    assert game.actions.form == "9 placements"
    centre = position.parse("b2").action
    position.push("a1")
    assert position.parse("b2").action == centre
    assert game.actions.text(centre) == "b2"


@pytest.mark.slow
def test_chess_has_a_number_for_each_pair_of_squares_and_promotion() -> None:
    game = forthvm.load("chess")
    assert game.actions.form == "64 x 64 moves x 5 types + 308 spare"
    assert len(game.actions) == 64 * 64 * 5 + 4 * (len(game.positions) + 1)


@pytest.mark.slow
def test_promotions_are_different_actions_and_captures_are_not() -> None:
    game = forthvm.load("chess")
    position = game.start(**PROMOTIONS)
    promotions = [move for move in position.legal_moves if move.from_square == "b7"]
    names = [game.actions.text(move.action) for move in promotions]
    assert names == [f"b7 - b8 = {kind}" for kind in ("queen", "rook", "bishop", "knight")]
    start = game.start()
    play(start, "e2e4", "d7d5")
    capture = start.parse("e4d5")
    assert capture.captures
    assert game.actions.text(capture.action) == "e4 - d5"


@pytest.mark.slow
def test_moves_of_compiled_rule_files_are_movements() -> None:
    """They capture on the first square and create on the second."""
    game = forthvm.load(ROOT / "tests" / "zrf" / "games" / "chess.zrf")
    position = game.start()
    names = {game.actions.text(number) for number in position.legal_actions}
    assert {"e2 - e4", "g1 - f3"} < names


def test_equal_moves_have_equal_numbers() -> None:
    position = forthvm.load(GOLDEN / "Caret.4th").start()
    while position.result is None:
        numbers = position.legal_moves.actions.tolist()
        if len(set(numbers)) < len(numbers):
            break
        position.push(position.legal_moves[0])
    number = next(number for number in numbers if numbers.count(number) > 1)
    equal = [move for move in position.legal_moves if move.action == number]
    assert equal[0].changes == equal[1].changes
    assert position.move_of(number).index == equal[0].index
    assert position.legal_actions.tolist() == list(dict.fromkeys(numbers))


def test_an_illegal_action_is_named() -> None:
    position = loaded("tictactoe").start()
    number = position.parse("b2").action
    position.push("b2")
    with raises(IllegalMoveError, "numbering.illegal-action", number=number):
        position.move_of(number)
    with raises(IndexError, "actions.unknown-action"):
        position.move_of(9)
    with pytest.raises(IndexError):
        position.game.actions.text(-1)


def test_a_decided_game_has_no_legal_actions() -> None:
    position = loaded("tictactoe").start()
    play(position, "a1", "a2", "b1", "b2", "c1")
    assert position.legal_actions.tolist() == []
    with pytest.raises(IllegalMoveError):
        position.move_of(8)


def test_a_forced_pass_has_no_number(tmp_path: Path) -> None:
    position = load_text(tmp_path, PASSES, name="passes.4th").start()
    position.push(position.legal_moves[0])
    position.push_pass()
    assert position._last_move is not None
    with raises(ActionError, "actions.pass"):
        _ = position._last_move.action


# --- stability -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["interpreter", "native", "eager"])
def test_numbers_are_equal_in_every_process_and_tier(tier: str) -> None:
    for name in ("chess-los-alamos", "ur"):
        printed = {
            output_of(sys.executable, "-c", PRINT_NUMBERS, name, **environment)
            for environment in ({}, {"FORTHVM_TIER": tier, "PYTHONHASHSEED": "1"})
        }
        assert len(printed) == 1


@pytest.mark.slow
def test_numbers_are_equal_after_saving_and_loading(tmp_path: Path) -> None:
    path = tmp_path / "chess.actions.json"
    game, other = forthvm.load("chess"), forthvm.load("chess")
    game.actions.renumber(games=3, plies=60)
    game.actions.save(path)
    other.actions.load(path)
    assert texts(other) == texts(game)
    assert other.actions.to_json() == game.actions.to_json()
    assert other.start().legal_actions == game.start().legal_actions


def test_a_file_beside_the_script_is_used(tmp_path: Path) -> None:
    script = shutil.copy(GOLDEN / "Flips.4th", tmp_path)
    document = json.loads(forthvm.load(script).actions.to_json()) | {"spare": 77}
    (tmp_path / "Flips.actions.json").write_text(json.dumps(document))
    again = forthvm.load(script)
    assert json.loads(again.actions.to_json()) == document
    assert json.loads(again.clone().actions.to_json()) == document


def test_a_damaged_file_beside_the_script_is_named(tmp_path: Path) -> None:
    game = forthvm.load(shutil.copy(GOLDEN / "Flips.4th", tmp_path))
    (tmp_path / "Flips.actions.json").write_text("no JSON", encoding="utf-8")
    with raises(ActionError, "actions.damaged-file"):
        len(game.actions)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["ur", "splut", "chess", "yonin-shogi"])
def test_every_form_is_saved(name: str) -> None:
    game = forthvm.load(name)
    game.actions.renumber(games=2, plies=200)
    before = game.actions.form
    assert game.actions.text(len(game.actions) - 1)
    game.actions.use_json(game.actions.to_json())
    assert game.actions.form == before


def test_clones_and_pickles_have_the_same_numbers() -> None:
    game = forthvm.load("chess-los-alamos")
    game.actions.renumber(games=1, plies=10)
    for copy in (game.clone(), pickle.loads(pickle.dumps(game))):
        assert texts(copy) == texts(game)


@pytest.mark.slow
def test_a_pickle_in_another_process_has_the_same_numbers(tmp_path: Path) -> None:
    game = forthvm.load("chess-los-alamos")
    game.actions.renumber(games=1, plies=10)
    path = write(tmp_path / "game.pickle", pickle.dumps(game))
    code = "import pickle, sys; print(len(pickle.load(open(sys.argv[1], 'rb')).actions))"
    printed = output_of(sys.executable, "-c", code, path)
    assert int(printed) == len(game.actions)


def test_unpickled_moves_have_no_number() -> None:
    move = pickle.loads(pickle.dumps(forthvm.load("tictactoe").start().legal_moves[0]))
    with raises(ValueError, "actions.entry-without-position"):
        _ = move.action


# --- complete by construction ---------------------------------------------------------------------

HANDS = """
(define step ($1 (verify not-friend?) add))
(define put ((verify (in-zone? hand)) $1 (verify empty?) add))
(game
  (title "Hands") (players White Black) (turn-order White Black)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("4/3/2/1" (0 10)))
      (directions (n 0 -1) (s 0 1) (e 1 0)))
    (positions (h1 50 0 60 10) (h2 50 10 60 20) (h3 50 20 60 30) (h4 50 30 60 40))
    (zone (name hand) (players White Black) (positions h1 h2 h3 h4)))
  (piece (name Man)
    (moves (step n) (step e) (step s) (put a1) (put b2) (put c3) (put d4)))
  (board-setup (White (Man a1 h1)) (Black (Man d4 h2)))
  (loss-condition (White Black) stalemated))
"""


def test_moves_that_no_random_game_shows_have_numbers(tmp_path: Path) -> None:
    """Pairs of squares that occur in no explored game: hands have squares of their own."""
    game = load_text(tmp_path, HANDS, name="hands.zrf")
    game.actions.renumber(games=1, plies=2)
    position = game.start(setup=[("White", "Man", "h4"), ("Black", "Man", "c1")], turn="White")
    names = {game.actions.text(number) for number in position.legal_actions}
    assert names == {"h4 - a1", "h4 - b2", "h4 - c3", "h4 - d4"}
    assert game.actions.unnumbered == 0


def test_moves_of_another_form_have_spare_numbers() -> None:
    """A promotion, although the explored games had none, and only moves of pawns and knights."""
    game = forthvm.load("chess")
    game.actions.renumber(games=1, plies=4)
    assert game.actions.form == "64 x 64 moves + 308 spare"
    position = game.start(**PROMOTIONS)
    promotions = [move for move in position.legal_moves if move.from_square == "b7"]
    names = [game.actions.text(move.action) for move in promotions]
    assert sorted(names) == ["b7 - b8", "b8, spare 1", "b8, spare 2", "b8, spare 3"]


def test_numbers_do_not_depend_on_the_explored_games() -> None:
    game, other = forthvm.load("breakthrough"), forthvm.load("breakthrough")
    game.actions.renumber(games=1, plies=1)
    assert game.actions.to_json() == other.actions.to_json()


@pytest.mark.slow
def test_choices_are_ordered_by_what_they_do() -> None:
    """In Splut! a troll throws stones in several directions from the same square."""
    game = forthvm.load("splut-duel")
    position = game.start()
    for _ in range(300):
        moves = position.legal_moves
        several = [move for move in moves if "choice" in game.actions.text(move.action)]
        if several:
            break
        position.push(moves[position.ply * 7 % len(moves)])
    move = several[-1]
    first = next(each for each in moves if (each.from_square, each.to_square) ==
                 (move.from_square, move.to_square))  # fmt: skip
    assert first.changes != move.changes
    assert position.move_of(move.action).changes == move.changes


def test_known_moves_follow_a_change_of_the_numbers() -> None:
    game = forthvm.load("breakthrough")
    move = game.start().legal_moves[0]
    assert move.action < 4096
    document = json.loads(game.actions.to_json())
    document["forms"]["move"]["squares"] = 0
    game.actions.use_json(json.dumps(document))
    assert game.actions.text(move.action).endswith("spare 1")


@pytest.mark.slow
def test_a_move_without_a_number_is_masked_and_reported_once() -> None:
    game = forthvm.load("chess")
    document = json.loads(game.actions.to_json())
    document["forms"]["move"]["types"] = [None, "queen"]
    game.actions.use_json(json.dumps(document | {"spare": 0}))
    position = game.start(**PROMOTIONS)
    with pytest.warns(RuntimeWarning, match="chess: a legal move like .* has no action number"):
        legal = position.legal_actions
    assert len(legal) == len(position.legal_moves) - 3
    assert sum(memoryview(position.action_mask())) == len(legal)
    assert game.actions.unnumbered >= 3
    rook = position.parse("b7b8=rook")
    with raises(ActionError, "actions.move-without-a-number"):
        _ = rook.action


# --- faulty positions -----------------------------------------------------------------------------

SOMETIMES_FAULTY = grid(3, 3, players="A B") + drops("stone")
SOMETIMES_FAULTY += """\
: filled? ( pos -- flag ) empty-at? 0= ;
: OnIsGameOver ( -- n ) a1 filled? b2 filled? AND IF 1 0 / ENDIF #UnknownScore ;
"""


def test_a_faulty_position_ends_one_explored_game(tmp_path: Path) -> None:
    game = load_text(tmp_path, SOMETIMES_FAULTY, name="faulty.4th")
    with pytest.warns(RuntimeWarning, match=r"faulty: \d+ of \d+ random games ended .*division"):
        assert len(game.actions) == 9
    with pytest.warns(RuntimeWarning, match="division by zero"):
        assert forthvm.observer(game).spec.shape


def test_a_script_that_always_fails_raises(tmp_path: Path) -> None:
    game = load_text(
        tmp_path, SOMETIMES_FAULTY.replace("a1 filled? b2 filled? AND", "1"), name="faulty.4th"
    )
    for explore in (lambda: len(game.actions), lambda: forthvm.observer(game)):
        with raises(forthvm.ForthVMError, "actions.failing-script"):
            explore()


# --- documents ------------------------------------------------------------------------------------


@pytest.mark.slow
@each_case(
    ("change", "message"),
    [
        ({"format": "other"}, "numbering.not-a-document-of-actions"),
        ({"version": 1}, "numbering.not-a-document-of-actions"),
        ({"game": "chess"}, "numbering.those-of-the-game-chess"),
        ({"positions": ["a1"]}, "numbering.positions-are-not-those"),
        ({"forms": 3}, "numbering.cannot-read-the-actions"),
        ({"forms": {}}, "numbering.forms-move-is-missing"),
        ({"spare": -1}, "numbering.spare-expected-an-integer"),
        ({"spare": True}, "numbering.spare-is-no-number"),
        ({"spare": 1 << 28}, "numbering.there-must-be-to-actions"),
        ({"move": {"squares": 10, "types": [], "choices": 1}}, "numbering.is-not-a-number"),
        ({"move": {"squares": 9, "types": ["x"], "choices": 1}}, "numbering.no-piece-type-x"),
        ({"move": {"squares": 9, "types": [None, None], "choices": 1}}, "numbering.occurs-twice"),
        ({"place": {"squares": 0, "types": [], "choices": 0}}, "numbering.there-must"),
    ],
)
def test_invalid_documents_raise(change: dict[str, object], message: str) -> None:
    game = forthvm.load("tictactoe")
    document = json.loads(game.actions.to_json())
    document["forms"] |= {kind: change[kind] for kind in ("move", "place") if kind in change}
    document |= change
    before = texts(game)
    with raises(ActionError, message):
        game.actions.use_json(json.dumps(document))
    assert texts(game) == before


@each_case("text", ["", "[]", "3", "{}", '{"format": "forthvm-actions"}', "[" * 9999])
def test_other_texts_raise(text: str) -> None:
    with pytest.raises(ActionError):
        forthvm.load("tictactoe").actions.use_json(text)


def test_files_that_are_not_text_raise(tmp_path: Path) -> None:
    path = write(tmp_path / "actions.json", b"\xff\xfe\x00")
    with raises(ActionError, "actions.not-a-file-of-actions"):
        forthvm.load("tictactoe").actions.load(path)
