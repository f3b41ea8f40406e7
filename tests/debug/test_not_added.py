"""Move words that build a move without adding it: `why_not` names them."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.debug.why_not.refusals import WhyNot
from tests.kit.games import load_text

SCRIPT = """\
{{board 1 5 {{grid}} {{position}} box {{variable}} count board}}
{{directions 0 1 {{direction}} e 0 -1 {{direction}} w directions}}
{{players {{player}} Left {{player}} Right players}}
{{turn-order {{turn}} Left {{turn}} Right turn-order}}
{words}
{{moves man-moves {{move}} go-e {{move}} go-w moves}}
{{pieces {{piece}} man {{moves}} man-moves pieces}}
{{board-setup {{setup}} Left man b1 {{setup}} Right man e1 board-setup}}
: OnIsGameOver #UnknownScore {over} ;
"""
GO_W = ": go-w w verify empty? verify from here move add-move ;"


def why_not(folder: Path, words: str, text: str = "man b1 - c1", over: str = "") -> WhyNot:
    return forthvm.why_not(
        load_text(
            folder, SCRIPT.format(words=f"{words}\n{GO_W}", over=over), name="line.4th"
        ).start(),
        text,
    )


WITHOUT_ADD_MOVE = {
    "at the end": ": go-e e verify empty? verify from here move ;",
    "in a helper": ": build from here move ; : go-e e verify empty? verify build ;",
    "after another": ": go-e e verify w verify add-move e verify from here move ;",
    "on one path": ": go-e e verify count @ IF w verify from here move add-move ENDIF\n"
    "    e verify w verify from here move ;",
    "with EXIT": ": go-e e verify from here move EXIT add-move ;",
}


@pytest.mark.parametrize("words", WITHOUT_ADD_MOVE.values(), ids=WITHOUT_ADD_MOVE)
def test_forgotten_add_move_is_named(tmp_path: Path, words: str) -> None:
    answer = why_not(tmp_path, words)
    assert answer.kind == "not-added"
    assert "`go-e` builds `man b1 - c1` and ends without `add-move`" in answer.summary
    (explanation,) = answer.answers
    assert explanation.unfinished
    assert (explanation.word, explanation.square, explanation.piece, explanation.refusals) == (
        "go-e",
        "b1",
        "Left man",
        (),
    )
    assert explanation.word_location is not None
    assert not answer.is_legal


CONDITIONS = {
    "IF": ": go-e e verify from here move count @ IF add-move ENDIF ;",
    "verify": ": go-e e verify from here move count @ verify add-move ;",
    "IF EXIT": ": go-e e verify from here move count @ 0= IF EXIT ENDIF add-move ;",
}


@pytest.mark.parametrize("words", CONDITIONS.values(), ids=CONDITIONS)
def test_condition_before_add_move_is_named(tmp_path: Path, words: str) -> None:
    """The word builds the move and then discards it; the condition for this is the reason."""
    answer = why_not(tmp_path, words)
    assert answer.kind == "refused"
    assert "count @" in answer.answers[0].refusals[0].condition
    assert not answer.answers[0].unfinished


CAPTURE_WORDS = ": take-e e verify enemy? verify from here move add-move ;\n: go-w take-e ;"


def why_not_beside_a_refusal(folder: Path, words: str) -> WhyNot:
    """Query a move whose text another word would add if its verify were skipped."""
    return forthvm.why_not(
        load_text(
            folder, SCRIPT.format(words=f"{words}\n{CAPTURE_WORDS}", over=""), name="line.4th"
        ).start(),
        "man b1 - c1",
    )


@pytest.mark.parametrize("words", WITHOUT_ADD_MOVE.values(), ids=WITHOUT_ADD_MOVE)
def test_forgotten_add_move_comes_before_a_refusal_in_another_word(
    tmp_path: Path, words: str
) -> None:
    answer = why_not_beside_a_refusal(tmp_path, words)
    assert answer.kind == "not-added"
    assert "`go-e` builds `man b1 - c1` and ends without `add-move`" in answer.summary


CONDITION_IN_HELPER = {
    "IF in a helper": ": go e verify from here move count @ IF add-move ENDIF ; : go-e go ;"
}


@pytest.mark.parametrize(
    "words", (CONDITIONS | CONDITION_IN_HELPER).values(), ids=CONDITIONS | CONDITION_IN_HELPER
)
def test_condition_comes_before_a_refusal_in_another_word(tmp_path: Path, words: str) -> None:
    answer = why_not_beside_a_refusal(tmp_path, words)
    assert answer.kind == "refused"
    assert "count @" in answer.answers[0].refusals[0].condition
    assert answer.answers[0].word == "go-e"


def test_refusal_and_missing_add_move_are_both_reported(tmp_path: Path) -> None:
    """The move is refused and would not be added; the answer reports both."""
    answer = why_not(tmp_path, ": go-e e verify count @ verify from here move ;")
    assert answer.kind == "refused"
    assert "`count @ verify` in `go-e` refuses it" in answer.summary
    assert "ends without `add-move`" in answer.summary
    assert [caller.word for caller in answer.answers[0].refusals[0].callers] == []


def test_other_moves_are_unreachable(tmp_path: Path) -> None:
    answer = why_not(tmp_path, ": go-e e verify from here move ;", "man b1 - d1")
    assert answer.kind == "unreachable"


def test_missing_add_move_is_reported_when_the_game_is_over(tmp_path: Path) -> None:
    """If the game is over because of the missing move, the answer names the reason."""
    words = ": go-e e verify empty? verify from here move ;"
    text = SCRIPT.format(
        words=f"{words}\n: go-w FALSE verify ;", over="stalemate? IF DROP #LossScore ENDIF"
    )
    answer = forthvm.why_not(load_text(tmp_path, text).start(), "b1 c1")
    assert answer.kind == "over"
    assert "the game is over" in answer.summary
    assert "`go-e` builds `man b1 - c1` and ends without `add-move`" in answer.summary
    assert answer.answers[0].word == "go-e"
