"""Events of the last move: each kind in constructed positions, and checks in all games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from forthvm.game import Event, Position, events_of, load
from forthvm.game.events import last_move_is_hidden
from forthvm.game.remarks import announced_in
from forthvm.game.shown import squares_of
from tests.kit.boards import grid
from tests.kit.every_game import every_game
from tests.kit.games import load_text, play
from tests.kit.random_games import push_random_move

Setup = Sequence[tuple[str, str, str]]


def events_after(game: str, setup: Setup, turn: str, *moves: str, **settings: str) -> list[str]:
    """Return the sentences about the last of the given moves."""
    position = load(game, settings=settings).start(setup=setup, turn=turn)
    play(position, *moves)
    return [event.text for event in events_of(position)]


KINGS = [("White", "king", "e1"), ("Black", "king", "e8")]
DICE = [  # a throw of one by Finkel's rules
    ("?Dice", "white1", "r2"),
    ("?Dice", "black1", "r3"),
    ("?Dice", "black2", "r4"),
    ("?Dice", "black3", "r5"),
]

# --- captures -----------------------------------------------------------------------------------


def test_a_capture_names_owner_piece_and_square() -> None:
    setup = [*KINGS, ("White", "pawn", "e4"), ("Black", "pawn", "d5")]
    assert events_after("chess", setup, "White", "e4 d5") == ["Black's pawn on d5 is captured."]


def test_en_passant_captures_the_pawn_beside() -> None:
    setup = [*KINGS, ("White", "pawn", "e5"), ("Black", "pawn", "d7")]
    texts = events_after("chess", setup, "Black", "d7 d5", "e5 d6")
    assert texts == ["Black's pawn on d5 is captured."]


def test_several_captures_are_one_sentence() -> None:
    setup = [
        ("Trolls", "troll", "h9"),
        ("Dwarfs", "dwarf", "g11"),
        ("Dwarfs", "dwarf", "i11"),
        ("Dwarfs", "dwarf", "a8"),
    ]
    texts = events_after("thud", setup, "Trolls", "h9 h10")
    assert texts == ["Dwarfs' dwarf on g11 and dwarf on i11 are captured."]


def test_each_jump_of_a_chain_has_its_own_events() -> None:
    setup = [("Black", "man", "c3"), ("White", "man", "d4"), ("White", "man", "f6")]
    assert events_after("draughts", setup, "Black", "c3 e5") == ["White's man on d4 is captured."]
    assert events_after("draughts", setup, "Black", "c3 e5", "e5 g7") == [
        "White's man on f6 is captured.",
        "No pieces of White are left.",
    ]


def test_a_piece_sent_back_is_displaced() -> None:
    setup = [("White", "plain", "i2"), ("Black", "plain", "i3"), *DICE]
    texts = events_after("ur", setup, "White", "i2", rules="finkel")
    assert texts == ["Black's plain is moved from i3 to i5."]


def test_a_piece_that_comes_home_is_removed() -> None:
    setup = [("White", "plain", "o2"), ("Black", "plain", "l4"), *DICE]
    assert events_after("ur", setup, "White", "o2", rules="finkel") == ["White's plain is removed."]


# --- eliminated players -------------------------------------------------------------------------


def test_a_stone_that_hits_a_wizard_eliminates_the_team() -> None:
    setup = [
        ("South", "wizard", "e2"),
        ("South", "troll", "c5"),
        ("Nobody", "estone", "d5"),
        ("North", "wizard", "h5"),
        ("North", "dwarf", "e8"),
        ("West", "wizard", "b6"),
    ]
    texts = events_after("splut", setup, "South", "troll c5 x d5 Nobody estone h5")
    assert texts == [
        "North's dwarf on e8 and wizard on h5 are captured.",
        "No pieces of North are left.",
        "North is out.",
    ]


def test_a_stone_that_lands_on_a_wizard_captures_it() -> None:
    # A throw consists of two partial moves; after the first, the stone is off the board.
    setup = [
        ("South", "wizard", "e2"),
        ("South", "troll", "c5"),
        ("Nobody", "estone", "d5"),
        ("North", "wizard", "h5"),
        ("West", "wizard", "b6"),
    ]
    position = play(load("splut-partial").start(setup=setup, turn="South"), "troll c5 x d5")
    assert [event.text for event in events_of(position)] == ["The estone on d5 is removed."]
    (east,) = (move for move in position.legal_moves if "h5" in str(move))
    position.push(east)
    assert [event.text for event in events_of(position)] == [
        "North's wizard on h5 is captured.",
        "No pieces of North are left.",
        "North is out.",
    ]


def test_a_mated_player_of_yonin_shogi_is_out() -> None:
    # The gold on b8, which the rook guards, attacks a9, a8 and b9.  South gets North's pieces.
    setup = [
        ("North", "king", "a9"),
        ("North", "pawn", "h8"),
        ("South", "gold", "b7"),
        ("South", "rook", "b1"),
        ("South", "king", "e1"),
        ("West", "king", "a5"),
        ("East", "king", "i5"),
    ]
    texts = events_after("yonin-shogi", setup, "South", "b7 b8")
    assert "North is out." in texts
    assert "h8 changes from North to South." in texts


# --- check --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["chess", "chess-los-alamos"])
def test_check_is_announced_when_it_is_given(game: str) -> None:
    top = "6" if game == "chess-los-alamos" else "8"
    setup = [
        ("White", "king", "e1"),
        ("Black", "king", f"e{top}"),
        ("White", "rook", "a1"),
        ("White", "pawn", "c2"),
    ]
    move = f"a1 a{top}"
    assert events_after(game, setup, "White", move) == ["Black is in check."]
    assert events_after(game, setup, "White", move, f"e{top} e{int(top) - 1}") == []
    assert events_after(game, setup, "White", "c2 c3") == []


def test_check_is_announced_for_any_of_four_players() -> None:
    setup = [
        ("South", "king", "e1"),
        ("South", "rook", "a2"),
        ("West", "king", "a5"),
        ("North", "king", "d9"),
        ("East", "king", "i5"),
    ]
    assert events_after("yonin-shogi", setup, "South", "a2 d2") == ["North is in check."]


# --- changes ------------------------------------------------------------------------------------


def test_promotions_are_changes() -> None:
    setup = [*KINGS, ("White", "pawn", "b7"), ("Black", "rook", "a8")]
    assert events_after("chess", setup, "White", "pawn b7 - b8 = knight") == [
        "White's pawn becomes knight on b8."
    ]
    assert events_after("chess", setup, "White", "pawn b7 x a8 = queen") == [
        "Black's rook on a8 is captured.",
        "White's pawn becomes queen on a8.",
        "Black is in check.",
    ]
    crowned = events_after(
        "draughts", [("Black", "man", "c7"), ("White", "man", "h8")], "Black", "c7 b8"
    )
    assert crowned == ["Black's man becomes king on b8."]


CROWNING = grid(1, 8, "e", players="A B")
CROWNING += """\
{pieces {piece} man {piece} king pieces}
: crown-all ( -- ) from a1 = verify 7 0 DO king I change-type-at LOOP add-move ;
{moves crownings {move} crown-all moves}
{pieces {piece} man {moves} crownings {piece} king pieces}
{board-setup
    {setup} A man a1 {setup} A man b1 {setup} A man c1 {setup} A man d1
    {setup} A man e1 {setup} A man f1 {setup} A man g1 {setup} B man h1
board-setup}
: OnIsGameOver #UnknownScore ;
"""


def test_changes_of_many_pieces_are_one_sentence(tmp_path: Path) -> None:
    position = load_text(tmp_path, CROWNING, name="crowning.4th").start()
    position.push(position.legal_moves[0])
    assert [event.text for event in events_of(position)] == ["7 pieces of A change their type."]


def test_pieces_of_a_player_named_you(tmp_path: Path) -> None:
    text = CROWNING.replace(" A ", " You ").replace("7 0 DO", "1 0 DO")
    position = load_text(tmp_path, text).start()
    position.push(position.legal_moves[0])
    assert [event.text for event in events_of(position)] == ["Your man becomes king on a1."]


def test_turned_discs_are_named_by_their_squares() -> None:
    setup = [
        ("Black", "disc", "c1"),
        ("White", "disc", "d1"),
        ("White", "disc", "e1"),
        ("White", "disc", "a8"),
    ]
    assert events_after("reversi", setup, "Black", "f1") == [
        "d1 and e1 change from White to Black."
    ]


def test_castling_and_plain_moves_have_no_events() -> None:
    setup = [*KINGS, ("White", "rook", "h1"), ("White", "mark", "white-O-O")]
    assert events_after("chess", setup, "White", "e1 g1") == []
    assert events_of(load("chess").start()) == ()


# --- passes and dice ----------------------------------------------------------------------------


def test_passes_are_events() -> None:
    setup = [("Black", "disc", "a1"), ("White", "disc", "b1"), ("Black", "disc", "a3")]
    assert events_after("reversi", setup, "White", "Pass") == [
        "White had no other move and passed."
    ]


@pytest.mark.parametrize(("game", "dice"), [("ur", 3), ("ur-finkel", 4)])
def test_throws_are_announced_when_all_dice_are_thrown(game: str, dice: int) -> None:
    position = load(game, seed=5).start()
    thrown = 0
    for ply in range(120):
        if position.result is not None:
            break
        moves = position.legal_moves
        position.push(moves[(11 * ply) % len(moves)])
        texts = [event.text for event in events_of(position)]
        throws = [text for text in texts if "throws" in text]
        shown_dice = [position.board[f"r{row}"] for row in range(2, 2 + dice)]
        if position.history[-1].player == "?Dice" and not position.is_chance:
            whites = sum(piece is not None and "white" in piece.type for piece in shown_dice)
            expected = whites or (4 if game == "ur" else 0)
            assert throws == [f"{position.turn} throws {expected}."]
            thrown += 1
        else:
            assert throws == []
    assert thrown > 10


def test_moves_of_the_cleaner_of_splut_are_hidden() -> None:
    position = load("splut-duel", seed=1).start()
    hidden = set()
    for _ in range(40):
        position.push(position.legal_moves[0])
        if last_move_is_hidden(position):
            hidden.add(position.history[-1].player)
            assert events_of(position) == ()
    assert hidden == {"?Cleaner"}


# --- all games ----------------------------------------------------------------------------------


def _visible_pieces(position: Position) -> dict[str, tuple[str | None, str]]:
    squares, hidden = set(squares_of(position.game._loaded)), position._shown().hidden_types
    board = position.board.occupied()
    return {
        square: (piece.player, piece.type)
        for square, piece in board
        if square in squares and piece.type not in hidden
    }


def _check_event(event: Event, before: Position, after: Position) -> None:
    """Check that an event of the move from `before` to `after` is true."""
    old, new = _visible_pieces(before), _visible_pieces(after)
    match event.kind:
        case "captured" | "removed" | "turned" | "changed":
            for square in event.squares:
                assert old.get(square) != new.get(square), event
        case "displaced":
            source, target = event.squares
            assert old[source] == new[target] != old.get(target), event
        case "bare":
            player = event.text.removeprefix("No pieces of ").removesuffix(" are left.")
            assert player in {owner for owner, _ in old.values()}
            assert player not in {owner for owner, _ in new.values()}
        case "passed":
            assert after.history[-1].text.startswith("Pass")
        case "announced":
            line = event.text.removesuffix(".")
            assert line in announced_in(after._loaded, after._state)
            assert line not in announced_in(before._loaded, before._state)


@every_game()
def test_events_are_true_and_complete_in_random_games(name: str) -> None:
    rng = random.Random(f"events of {name}")
    position = load(name, seed=3).start()
    players = position.game.contestants
    for _ in range(80):
        before = position.copy()
        if not push_random_move(position, rng):
            break
        events = events_of(position)
        for event in events:
            _check_event(event, before, position)
        lost = Counter(owner for owner, _ in _visible_pieces(before).values())
        lost.subtract(owner for owner, _ in _visible_pieces(position).values())
        kinds = {event.kind for event in events}
        if any(lost[player] > 0 for player in players):
            assert kinds & {"captured", "removed", "turned"}, position.history[-1]


def test_events_of_a_saved_position_need_a_replay() -> None:
    position = load("breakthrough").start()
    play(position, "d2 d3", "e7 e6", "d3 d4", "e6 e5", "d4 e5")
    read_back = Position.from_json(position.game, position.to_json())
    assert events_of(read_back) == events_of(position)
    assert [event.kind for event in events_of(read_back)] == ["captured"]
