"""Threats: what can be taken now and next, and what moves expose."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.game import Position
from forthvm.study.threats import captures_in, captures_next, exposures
from tests.kit.games import loaded, play

CHAIN = Path(__file__).parents[1] / "game_api" / "chain.4th"


def started(name: str, *pieces: tuple[str, str, str], turn: str = "White") -> Position:
    return forthvm.load(name).start(setup=pieces, turn=turn)


KINGS = (("White", "king", "a1"), ("Black", "king", "h8"))


def test_captures_of_both_sides() -> None:
    position = started("chess", *KINGS, ("White", "rook", "d4"), ("Black", "bishop", "g7"))
    assert [(one.player, one.source, one.taken) for one in captures_in(position)] == []
    following = captures_next(position)
    assert [(one.player, one.source, one.taken) for one in following] == [
        ("Black", "g7", (("d4", "rook"),))
    ]


def test_the_position_is_unchanged() -> None:
    position = started("chess", *KINGS, ("White", "rook", "d4"), ("Black", "bishop", "g7"))
    before = position.copy()
    captures_next(position)
    list(exposures(position, ()))
    assert position == before


def test_a_piece_behind_another_one_is_exposed() -> None:
    """The knight on d4 hides the queen on b2 from the bishop on g7."""
    position = started(
        "chess",
        *KINGS,
        ("White", "queen", "b2"),
        ("White", "knight", "d4"),
        ("Black", "bishop", "g7"),
    )
    known = captures_next(position)
    assert {square for one in known for square, _ in one.taken} == {"d4"}
    exposed = {
        exposure.target: {square for reply in exposure.replies for square, _ in reply.taken}
        for exposure in exposures(position, known)
        if exposure is not None and exposure.source == "d4"
    }
    assert exposed
    assert all("b2" in squares for target, squares in exposed.items())


def test_a_decided_game_has_no_threats() -> None:
    position = loaded("tictactoe").start()
    play(position, "a1", "b1", "a2", "b2", "a3")
    assert captures_in(position) == ()
    assert captures_next(position) is None


def test_nothing_is_known_within_a_turn() -> None:
    """After a partial move the same player goes on, so the turn cannot be passed."""
    position = forthvm.load(CHAIN).start()
    position.push(position.legal_moves[0])
    assert position.is_partial
    assert captures_next(position) is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["yonin-shogi", "splut"])
def test_only_pieces_of_other_contestants(name: str) -> None:
    position = forthvm.load(name).start()
    for _ in range(40):
        if position.result is not None:
            break
        position.push(position.legal_moves[len(position.legal_moves) // 2])
        for capture in (*captures_in(position), *(captures_next(position) or ())):
            for square, _ in capture.taken:
                piece = position.board[square]
                assert piece.player in position.game.contestants
                assert piece.player != capture.player
