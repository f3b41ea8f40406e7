"""The end of a round of Thud, its score, agreements, and the match of two rounds.

The score of a round counts the points on the board: a dwarf has one point, a troll four.
"""

from __future__ import annotations

import pytest

import forthvm
from tests.kit.cases import each_case
from tests.kit.games import loaded_with, play, winner

DWARFS = "Dwarfs"
TROLLS = "Trolls"


def begin(
    dwarfs: str,
    trolls: str,
    turn: str = DWARFS,
    *,
    name: str = "thud",
    players: tuple[str, str] = (DWARFS, TROLLS),
    **settings: str | int,
) -> forthvm.Position:
    """Start a game with these pieces and the rock."""
    pieces = [("Nobody", "rock", "h8")]
    pieces += [(players[0], "dwarf", square) for square in dwarfs.split()]
    pieces += [(players[1], "troll", square) for square in trolls.split()]
    return loaded_with(name, **settings).start(setup=pieces, turn=turn)


# --- no move -------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["loss", "score"])
def test_player_without_pieces_loses(rule: str) -> None:
    """The player without pieces loses with `loss` and with `score`, because it has no points."""
    assert winner(begin("", "h2", stalemate=rule)) == TROLLS
    assert winner(begin("h2", "", TROLLS, stalemate=rule)) == DWARFS


def test_player_moves_on_without_enemy_pieces() -> None:
    position = begin("e5", "e6")
    play(position, "e5-e6")
    assert position.turn == TROLLS
    assert winner(position) == DWARFS
    assert winner(begin("e5", "")) is None


# The troll on f1 has four neighbouring squares; dwarfs on all of them block it.
# Dwarfs, trolls, the setting `stalemate`, and the winner.
BLOCKED_TROLLS = [
    ("e2 f2 g1 g2", "f1", "loss", DWARFS),
    ("e2 f2 g1 g2", "f1", "score", ""),
    ("e2 f2 g1 g2 o8", "f1", "score", DWARFS),
    # Two trolls with 8 points, blocked by seven dwarfs around a6 and f1.
    ("a7 b5 b6 b7 g1 g2 f2 e2", "a6 f1", "score", ""),
    ("a7 b5 b6 b7 g1 g2 f2 e2", "a6 f1", "loss", DWARFS),
    # Trolls blocked by trolls and dwarfs: 12 points against 5.
    ("d3 d4 e3 e4", "f1 e2 f2 g1 g2 o10", "score", None),
    ("e3 f3 g3 h1 h2 h3 d3 d4 e4", "f1 e2 f2 g1 g2", "score", TROLLS),
    ("e3 f3 g3 h1 h2 h3 d3 d4 e4", "f1 e2 f2 g1 g2", "loss", DWARFS),
]


@each_case(("dwarfs", "trolls", "rule", "expected_winner"), BLOCKED_TROLLS)
def test_stalemate(dwarfs: str, trolls: str, rule: str, expected_winner: str | None) -> None:
    assert winner(begin(dwarfs, trolls, TROLLS, stalemate=rule)) == expected_winner
    # The game continues while the other player is to move.
    assert winner(begin(dwarfs, trolls, DWARFS, stalemate=rule)) is None


def test_stalemate_by_a_move() -> None:
    position = begin("e2 f2 g2 g4", "f1")
    play(position, "g4-g3")
    assert winner(position) is None  # g1 is still empty
    position = begin("e2 f2 g2 i1", "f1")
    play(position, "i1-g1")
    assert winner(position) == DWARFS


# --- repetition ----------------------------------------------------------------------------

# Four moves that restore the position.
CYCLE = ("a6-b6", "h2-h3", "b6-a6", "h3-h2")


@pytest.mark.parametrize(
    ("rule", "expected_winner"), [("draw", ""), ("score", TROLLS), ("none", None)]
)
def test_third_occurrence(rule: str, expected_winner: str | None) -> None:
    """The first position counts: after eight moves it occurs for the third time."""
    position = begin("a6 a7 o10", "h2", repetition=rule)
    play(position, *CYCLE, *CYCLE[:3])
    assert winner(position) is None
    play(position, CYCLE[3])
    assert winner(position) == expected_winner


def test_positions_with_different_players_to_move_differ() -> None:
    """The dwarfs lose a move by triangulation, so the board occurs with the trolls to move."""
    position = begin("a6 o10", "h2")
    play(position, "a6-a7", "h2-h3", "a7-a6", "h3-h2")  # second occurrence with the dwarfs to move
    play(position, "a6-b6", "h2-h3", "b6-a7", "h3-i3", "a7-a6", "i3-h2")  # third occurrence
    assert winner(position) == ""
    position = begin("a6 o10", "h2")
    play(position, "a6-a7", "h2-h3", "a7-a6", "h3-h2")
    # Three moves of the dwarfs and two of the trolls restore the board with the trolls to move.
    play(position, "a6-b6", "h2-i3", "b6-a7", "i3-h2", "a7-a6")
    assert winner(position) is None


def test_capture_resets_repetitions() -> None:
    position = begin("a6 o10 o9", "h2 n11")
    play(position, *("a6-b6", "h2-h3", "b6-a6", "h3-h2"))
    play(position, "o10-n11", "h2-h3", "a6-b6", "h3-h2", "b6-a6", "h2-h3", "a6-b6", "h3-h2")
    assert winner(position) is None


def test_undone_occurrences_do_not_count() -> None:
    position = begin("a6 a7 o10", "h2")
    play(position, *CYCLE, *CYCLE)
    assert winner(position) == ""
    for _ in range(4):
        position.pop()
    assert winner(position) is None
    play(position, "a7-b7")
    for _ in range(5):
        position.pop()
    play(position, *CYCLE)
    assert winner(position) is None
    play(position, *CYCLE)
    assert winner(position) == ""


# --- moves without a capture -----------------------------------------------------------------


def test_end_after_moves_without_a_capture() -> None:
    """Moves of both sides count, a capture resets the count, and the score decides."""
    position = begin("a6 b5 e5 o10", "e6 h2", end_after=3)
    play(position, "a6-a7", "h2-i2")
    assert winner(position) is None
    play(position, "e5-e6", "i2-i3", "a7-a6")
    assert winner(position) is None
    play(position, "i3-i4")
    assert winner(position) == ""  # four dwarfs and one troll have equal scores
    assert winner(position) == ""


@pytest.mark.parametrize(
    ("dwarfs", "expected_winner"),
    [("a6 a7 o10", TROLLS), ("a6 a7 o9 o10", ""), ("a6 a7 a8 o9 o10", DWARFS)],
)
def test_score_decides(dwarfs: str, expected_winner: str) -> None:
    position = begin(dwarfs, "h2", end_after=1)
    play(position, "a6-b6")
    assert winner(position) == expected_winner


def test_end_after_is_off_by_default() -> None:
    position = begin("a6 a7 o10", "h2", repetition="none")
    play(position, *CYCLE * 30)
    assert winner(position) is None


def test_margin_is_reported() -> None:
    position = begin("a6 b5 e5 o10", "e6 h2", result="score")
    assert position.variables["margin"] == 4 - 8
    play(position, "e5-e6")
    assert position.variables["margin"] == 4 - 4
    assert winner(position) is None


def test_setting_result_win_does_not_change_the_end() -> None:
    for result in ("win", "score"):
        position = begin("a6 a7 o10", "h2", end_after=1, result=result)
        play(position, "a6-b6")
        assert winner(position) == TROLLS


# --- agreement, as described in the game's README ----------------------------------------------


def moves_containing(position: forthvm.Position, word: str) -> list[str]:
    """Return the texts of the legal moves that contain a word."""
    return [move.text for move in position.legal_moves if word in move.text]


def test_no_offers_by_default() -> None:
    assert moves_containing(begin("a6", "h2"), "peace") == []


@pytest.mark.parametrize(("dwarfs", "expected_winner"), [("a6 a7", TROLLS), ("a6 a7 a8 a9", "")])
def test_agreement_ends_with_the_score(dwarfs: str, expected_winner: str) -> None:
    position = begin(dwarfs, "h2", agreement="on")
    position.push("Dwarfs offer peace")
    assert winner(position) is None
    assert position.turn == TROLLS
    assert moves_containing(position, "peace") == ["Trolls accept peace"]
    position.push("Trolls accept peace")
    assert winner(position) == expected_winner


def test_offers_lapse_and_cannot_be_repeated() -> None:
    position = begin("a6 e5 o10", "h2 e6 f9", agreement="on")
    position.push("Dwarfs offer peace")
    play(position, "h2-h3")
    # The dwarfs may not repeat their offer, and there is no open offer to accept.
    assert moves_containing(position, "peace") == []
    play(position, "a6-a7")
    assert moves_containing(position, "peace") == ["Trolls offer peace"]
    play(position, "h3-h2")
    play(position, "e5-e6")  # after a capture both may make an offer again
    play(position, "h2-h3")
    assert moves_containing(position, "peace") == ["Dwarfs offer peace"]


def test_an_offer_counts_as_a_move_without_capture() -> None:
    position = begin("a6 a7", "h2", agreement="on", end_after=2)
    position.push("Dwarfs offer peace")
    play(position, "h2-h3")
    assert winner(position) == TROLLS


def test_an_offer_belongs_to_the_position() -> None:
    """Positions with and without an open offer differ."""
    position = begin("a6 a7 o10", "h2", TROLLS, agreement="on")
    play(position, "h2-h3", "a6-b6", "h3-h2", "b6-a6")  # second occurrence
    # First occurrence with the dwarfs to move.
    play(position, "h2-i3", "a6-b6", "i3-h3", "b6-a6", "h3-h2")
    position.push("Dwarfs offer peace")
    assert winner(position) is None
    play(position, "h2-h3", "a6-b6", "h3-h2", "b6-a6")
    assert winner(position) == ""  # third occurrence without an offer


def test_player_without_moves_cannot_make_an_offer() -> None:
    assert winner(begin("e2 f2 g1 g2", "f1", TROLLS, agreement="on")) == DWARFS


# --- the match -----------------------------------------------------------------------------

MATCH_PLAYERS = ("First", "Second")


def match(dwarfs: str, trolls: str, **settings: str | int) -> forthvm.Position:
    """Start the first round of a match with these pieces."""
    return begin(dwarfs, trolls, "First", name="thud-match", players=MATCH_PLAYERS, **settings)


def test_sides_are_exchanged() -> None:
    position = match("a6 a7 o10", "h2", end_after=1)
    play(position, "a6-b6")
    assert winner(position) is None
    assert [move.is_pass for move in position.legal_moves] == [True]
    position.push(position.legal_moves[0])
    assert position.turn == "Second"
    assert {
        square: str(piece) for square, piece in position.board.occupied() if square in ("f1", "g7")
    } == {"f1": "Second dwarf", "g7": "First troll"}
    board = [str(piece) for _, piece in position.board.occupied()]
    assert (board.count("Second dwarf"), board.count("First troll")) == (32, 8)
    assert len(position.legal_moves) == 656


@pytest.mark.parametrize(
    ("dwarfs", "trolls", "expected_winner"),
    [("a6 a7 o10", "h2", "Second"), ("a6 a7 a8 o10", "h2", ""), ("a6 a7 a8 a9 o10", "h2", "First")],
)
def test_points_of_both_rounds(dwarfs: str, trolls: str, expected_winner: str) -> None:
    """The second round ends immediately with 32 points each, so the first round decides."""
    position = match(dwarfs, trolls, end_after=1)
    play(position, "a6-b6")
    position.push(position.legal_moves[0])
    play(position, "f1-f2")
    assert winner(position) == expected_winner


def test_a_round_lost_by_stalemate_counts_its_points() -> None:
    """The trolls of Second are blocked; the round counts First's 9 points and Second's 20."""
    position = match("e3 f3 g3 h1 h3 d3 d4 e4 i3", "f1 e2 f2 g1 g2")
    play(position, "i3-h2")
    assert winner(position) is None
    assert [move.is_pass for move in position.legal_moves] == [True]
    position.push(position.legal_moves[0])
    assert position.variables["margin"] == 9 - 20
