"""Queries about moves that OnMovesGenerated removes, and about tests by `$CatchExit`."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm import debug
from forthvm.debug.why_not.player_text import describe_for_players
from forthvm.game import Position
from tests.kit.boards import grid
from tests.kit.games import load_text

FOLDER = Path(__file__).resolve().parents[1] / "models" / "small_chess"
PINNED = [
    ("White", "king", "e1"),
    ("White", "rook", "e2"),
    ("Black", "rook", "e8"),
    ("Black", "king", "a8"),
]
"""The white rook may move only in its column."""


def pinned(script: str) -> Position:
    return forthvm.load(FOLDER / f"{script}.4th").start(setup=PINNED)


def test_removed_move_is_explained() -> None:
    position = pinned("by-hook")
    answer = forthvm.why_not(position, "rook e2 - d2")
    assert answer.kind == "removed"
    assert answer.summary == (
        "`rook e2 - d2` is generated, but OnMovesGenerated removes it in `remove-unsafe`"
    )
    assert answer.location is not None
    source = (FOLDER / "by-hook.4th").read_text(encoding="utf-8").splitlines()
    assert source[answer.location.line - 1][answer.location.column - 1 :].startswith("$RemoveMove")
    (explanation,) = answer.answers
    assert (explanation.word, explanation.square, explanation.refusals) == ("slide-w", "e2", ())
    first, *_ = describe_for_players(answer, position)
    assert first == "The rules of the game do not allow the rook on e2 to do that."
    assert forthvm.why_not(position, "rook e2 - e5").is_legal
    assert forthvm.why_not(position, "rook e2 - e1").kind not in ("removed", "legal")


@pytest.mark.slow
def test_tests_in_frames_are_not_decisions_of_the_move_word() -> None:
    answer = forthvm.why_not(pinned("by-word"), "rook e2 - d2")
    assert answer.kind == "refused"
    refusal = answer.answers[0].refusals[0]
    assert (refusal.kind, refusal.condition, refusal.word) == ("IF", "safe?", "add")


@pytest.mark.slow
@pytest.mark.parametrize("script", ["by-word", "by-hook"])
def test_legal_move_is_explained(script: str) -> None:
    position = pinned(script)
    for move in position.legal_moves:
        (origin,) = forthvm.explain(position, move).origins
        assert origin.word.startswith("slide-" if move.text.startswith("rook") else "king-")
    (origin,) = forthvm.explain(position, "rook e2 - e4").origins
    assert (origin.word, origin.order, origin.directions) == ("slide-n", 1, ("n", "n"))


FORCED = grid(1, 3, "e", players="Left Right")
FORCED += """\
: go ( -- ) e verify from here move add-move ;
{moves man-moves {move} go moves}
{pieces {piece} man {moves} man-moves pieces}
{board-setup {setup} Left man a1 {setup} Right man c1 board-setup}
$passTurnForced ON
: twice ( -- ) $FirstMove $RemoveMove ;
: OnMovesGenerated ( -- ) move-count IF twice ENDIF ;
"""


def test_forced_pass_after_all_moves_are_removed(tmp_path: Path) -> None:
    position = load_text(tmp_path, FORCED, name="forced.4th").start()
    assert position.legal_moves.texts == ("Pass",)
    assert forthvm.why_not(position, "man a1 - b1").kind == "removed"
    (origin,) = forthvm.explain(position, "Pass").origins
    assert origin.word is None
    position.push("Pass")
    assert position.turn == "Right"


def test_debugger_steps_back_through_the_hook() -> None:
    position = pinned("by-hook")
    with debug.Session(debug.play_target(position, "rook e2 - e3")) as session:
        session.add_breakpoint("remove-unsafe")
        state = session.continue_()
        assert state.callers[0].word == "OnMovesGenerated"
        digest, stack = session.digest(), state.stack
        session.step()
        session.step()
        assert session.back(2).stack == stack
        assert session.digest() == digest
