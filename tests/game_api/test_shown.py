"""Printing positions, games and outcomes; texts in lists of moves."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest

import forthvm
from forthvm.game import AmbiguousMoveError, IllegalMoveError, MoveSyntaxError, Outcome
from forthvm.game.outcome import DRAW, LOSS, WIN, outcome_of
from tests.kit.cases import each_case
from tests.kit.games import loaded, play
from tests.kit.processes import output_of

SHOWN = """\
3   X   ·   ·
2   O   X   ·
1   ·   · [ O ]
    a   b   c
X to move"""


def played(name: str, *moves: str) -> forthvm.Position:
    return play(forthvm.load(name).start(), *moves)


# --- boards ---------------------------------------------------------------------------------


def test_a_position_is_printed_as_its_board() -> None:
    assert str(played("tictactoe", "b2", "a2", "a3", "c1")) == SHOWN


def test_a_decided_position_prints_its_result() -> None:
    position = played("tictactoe", "b2", "a2", "a3", "c2", "c1")
    assert (
        str(position).splitlines()[-1]
        == str(position.result)
        == "O has lost, X won: three in a row"
    )


@pytest.mark.slow
def test_printing_imports_the_drawing_layer() -> None:
    program = "import forthvm; print(forthvm.load('tictactoe').start())"
    printed = output_of(sys.executable, "-c", program, PYTHONIOENCODING="utf-8")
    assert printed.splitlines()[-2:] == ["    a   b   c", "X to move"]


def test_printing_does_not_change_the_position() -> None:
    position = played("splut")
    before = position.copy()
    assert "South to move" in str(position)
    assert position == before


@pytest.mark.parametrize("name", ["chess", "splut", "ur"])
def test_a_game_is_shown_as_its_initial_position(name: str) -> None:
    game = forthvm.load(name)
    shown = game._repr_svg_()
    assert shown == game.start()._repr_svg_()
    assert shown is not None
    ET.fromstring(shown)


def test_a_game_whose_setup_fails_has_no_picture(
    three: forthvm.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> forthvm.Position:
        raise forthvm.ForthVMError("the set-up fails")

    monkeypatch.setattr(three, "start", fail)
    assert three._repr_svg_() is None


# --- texts in the list of legal moves ---------------------------------------------------------


@each_case(
    "text",
    ["pawn a2 - a3", "PAWN a2-a3", " pawn  a2 - a3 ", "a2 - a3", "a2a3", "a2 a3", "pawn a2a3"],
)
def test_texts_of_a_move_are_in_the_list(text: str) -> None:
    position = loaded("breakthrough").start()
    assert text in position.legal_moves
    assert position.parse(text).text == "pawn a2 - a3"


def test_other_texts_are_not_in_the_list() -> None:
    moves = loaded("breakthrough").start().legal_moves
    for text in ("pawn a2 - a4", "a2a4", "", "hello", "Pass", "x" * 20_000):
        assert text not in moves


def test_an_ambiguous_text_is_not_in_the_list() -> None:
    """The pawn on a2 can move to a3 and to b3."""
    position = loaded("breakthrough").start()
    assert "a2" not in position.legal_moves
    with pytest.raises(AmbiguousMoveError):
        position.push("a2")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name",
    [
        "breakthrough",
        "splut",
        "chess",
        "draughts",
        "ur",
        pytest.param("thud", marks=pytest.mark.slow),
    ],
)
def test_a_text_is_in_the_list_if_parse_accepts_it(name: str) -> None:
    position = forthvm.load(name).start()
    for _ in range(6):
        texts = position.legal_moves.texts
        candidates = {*texts, *(text[: len(text) // 2] for text in texts), *position.game.positions}
        for text in sorted(candidates)[::7]:
            try:
                position.parse(text)
                accepted = True
            except (AmbiguousMoveError, IllegalMoveError, MoveSyntaxError):
                accepted = False
            assert (text in position.legal_moves) == accepted
        position.push(position.legal_moves[0])


def test_only_legal_moves_are_in_the_list() -> None:
    position = loaded("breakthrough").start()
    other = play(position.copy(), "a2a3")
    assert position.legal_moves[3] in position.legal_moves
    assert other.legal_moves[0] not in position.legal_moves
    assert 3 not in position.legal_moves
    assert None not in position.legal_moves


# --- Outcome.returns ------------------------------------------------------------------------


FOUR = ["South", "West", "North", "East"]


@each_case(
    ("outcome", "returns"),
    [
        (lambda: outcome_of(WIN, "O", ["X", "O"]), [-1.0, 1.0]),
        (lambda: outcome_of(LOSS, "O", ["X", "O"]), [1.0, -1.0]),
        (lambda: outcome_of(DRAW, "O", ["X", "O"]), [0.0, 0.0]),
        (lambda: outcome_of(WIN, "North", FOUR), [-1.0, -1.0, 1.0, -1.0]),
        (lambda: outcome_of(LOSS, "North", FOUR), [1.0, 1.0, -1.0, 1.0]),
        (lambda: outcome_of(WIN, "North", FOUR, ["South"]), [1.0, -1.0, 1.0, -1.0]),
        (lambda: outcome_of(LOSS, "West", FOUR, ["East"]), [1.0, -1.0, 1.0, -1.0]),
        (lambda: outcome_of(DRAW, "West", FOUR), [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_returns_of_outcomes(outcome: Callable[[], Outcome], returns: list[float]) -> None:
    assert outcome().returns() == returns


@pytest.mark.parametrize("name", ["tictactoe", "splut-duel", "ur"])
def test_returns_are_in_the_order_of_contestants(name: str) -> None:
    position = forthvm.load(name).start()
    position.seed(3)
    while position.result is None:
        if position.is_stuck:
            position.push_pass()
            continue
        moves = position.legal_moves
        position.push(moves[(7 * position.ply + 3) % len(moves)])
    outcome = position.result
    assert outcome.players == position.game.contestants
    by_name = dict(zip(position.game.contestants, outcome.returns(), strict=True))
    assert {name for name, value in by_name.items() if value == 1} == set(outcome.winners)
    assert {name for name, value in by_name.items() if value == -1} == set(outcome.losers)
