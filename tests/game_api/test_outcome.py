"""Conversion of codes to winners and losers, for two and more players."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.errors import ForthVMError
from forthvm.game.outcome import DRAW, LOSS, UNKNOWN, WIN, outcome_of
from tests.game_api.conftest import Loader
from tests.kit.cases import each_case
from tests.kit.games import load_text
from tests.kit.messages import raises

# The blanks that ^ words leave are no part of the cause.
COMMENTED = ': OnIsGameOver ^" peace after" 0 ^number ^" turns" #DrawScore ;'
FOUR = ["South", "West", "North", "East"]


def test_codes_have_the_values_of_the_reference() -> None:
    """Section 14 of axiom-reference.md, a note on the original's behaviour, lists the numbers."""
    assert (UNKNOWN, LOSS, DRAW, WIN) == (-2140000000, -2130000000, 0, 2130000000)


@pytest.mark.parametrize(
    ("code", "winners", "losers"),
    [
        (WIN, ("Red",), ("Blue",)),
        (LOSS, ("Blue",), ("Red",)),
        (DRAW, (), ()),
    ],
)
def test_outcomes_of_two_players(
    code: int, winners: tuple[str, ...], losers: tuple[str, ...]
) -> None:
    """The code expresses the view of Red, the player to move."""
    outcome = outcome_of(code, "Red", ["Red", "Blue"])
    assert (outcome.winners, outcome.losers, outcome.draw) == (winners, losers, code == DRAW)
    assert outcome.code == code


def test_outcomes_of_four_players() -> None:
    """If one player wins, all others lose; if one player loses, all others win."""
    won, lost = outcome_of(WIN, "West", FOUR), outcome_of(LOSS, "West", FOUR)
    assert won is not None
    assert lost is not None
    assert (won.winners, won.losers) == (("West",), ("South", "North", "East"))
    assert (lost.winners, lost.losers) == (("South", "North", "East"), ("West",))
    assert str(lost) == "West has lost, South, North and East won"


@each_case("code", [UNKNOWN, 1, -1, WIN - 1, LOSS + 1])
def test_other_codes_do_not_end_the_game(code: int) -> None:
    """Only the codes for a win, a loss and a draw end a game."""
    assert outcome_of(code, "Red", ["Red", "Blue"]) is None


def test_a_missing_result_is_a_draw_and_in_checked_mode_an_error(load: Loader) -> None:
    """If OnIsGameOver leaves no item, the original reads 0, which means a draw."""
    result = load("silent").start().result
    assert result.draw
    with raises(ForthVMError, "outcome.onisgameover-left-no-result"):
        _ = load("silent", checked=True).start().result


def test_the_reason_for_a_player_named_you() -> None:
    won, lost = (outcome_of(code, "You", ["You", "Computer"]) for code in (WIN, LOSS))
    assert str(won) == "You have won"
    assert str(lost) == "You have lost, Computer won"


def test_a_result_without_a_comment_says_what_the_host_can_see(tmp_path: Path) -> None:
    """A missing move is stated; otherwise the rules of the script decided."""
    script = (Path(__file__).parent / "three.4th").read_text()
    ends = ": OnIsGameOver #DrawScore ;"
    for text, cause in [(ends, "by the rules of the script"), (COMMENTED, "peace after 0 turns")]:
        result = load_text(tmp_path, f"{script}\n{text}\n", name="ends.4th").start().result
        assert (result.cause, str(result)) == (cause, f"draw: {cause}")


CHANCE = """
{board 1 1 {grid} board}
{players {player} You {player} ?Dealer {random} players}
{turn-order {turn} You {turn} ?Dealer turn-order}
: put empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} card {drops} puts pieces}
"""


def test_a_chance_player_without_a_move_has_no_sign(tmp_path: Path) -> None:
    position = load_text(tmp_path, CHANCE).start()
    position.push(position.legal_moves[0])
    assert str(position.result) == "draw: Dealer has no legal move"
