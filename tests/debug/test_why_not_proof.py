"""Two hundred refused moves of all bundled games: what an answer names is what refused them.

The check (refused.py) puts counting words where the named decisions are compiled and looks at
the list; it shares nothing with what found the answers.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import NamedTuple

import pytest

import forthvm
from forthvm.debug.why_not.refusals import Answer, WhyNot
from forthvm.game import Position
from tests.debug.refused import draw, passed_over

pytestmark = pytest.mark.slow

EACH = 6  # of each game and variant: 36 of them
OTHER = {"no-piece", "other-piece", "not-yours"}
"""Answers that the board alone shows to be right."""
NOT_FOUND = {"no-word", "unreachable", "undecided"}
"""Answers that name no decision: no inverted decision made the move appear."""


class Question(NamedTuple):
    game: str
    position: Position
    text: str
    answer: WhyNot


def ask(name: str, seed: int) -> list[Question]:
    game = forthvm.load(name, output=lambda _text: None)
    asked = []
    for position, text in draw(game, seed, EACH):
        before = position.copy()
        asked.append(Question(name, position, text, forthvm.why_not(position, text)))
        assert position == before
    return asked


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    names = [game.name for game in forthvm.games()]
    return [one for seed, name in enumerate(names) for one in ask(name, 100 + seed)]


def what(answer: WhyNot) -> str:
    """The kind; of refusals also what they are made of."""
    if answer.kind != "refused":
        return answer.kind
    kinds = {"verify" if one.kind == "verify" else "IF" for one in answer.answers[0].refusals}
    return f"refused by {' and '.join(sorted(kinds, reverse=True))}"


def appears(position: Position, answer: Answer) -> bool:
    cells = [(one.kind, one.address, one.round) for one in answer.refusals]
    return answer.move in passed_over(
        position,
        cells,
        any_type=answer.demanded is not None,
        priorities=answer.better is None,
    )


def test_there_are_two_hundred(questions: list[Question]) -> None:
    assert len(questions) >= 200
    assert {one.game for one in questions} == {game.name for game in forthvm.games()}


def test_passed_over_the_move_appears(questions: list[Question]) -> None:
    """Each way that each answer gives: with these decisions passed over, without it not."""
    wrong = []
    checked = Counter[str]()
    for one in questions:
        legal = one.position.legal_moves.texts
        for answer in one.answer.answers:
            checked[what(one.answer)] += 1
            if answer.move in legal or not appears(one.position, answer):
                wrong.append(f"{one.game} ply {one.position.ply}: {one.answer}")
    assert wrong == []
    assert checked["refused by verify"] >= 20
    assert checked["refused by IF"] >= 20


def test_a_refused_move_is_the_one_asked_for(questions: list[Question]) -> None:
    """Where the text differs it differs in what stands on the goal: `-` for `x`."""
    for one in questions:
        if one.answer.kind == "refused":
            for answer in one.answer.answers:
                assert same(answer.move) == same(one.text)
                assert answer.exact == (answer.move == one.text)


def same(text: str) -> list[str]:
    return [word for word in text.split() if word not in ("-", "x")]


def test_the_board_shows_the_other_reasons(questions: list[Question]) -> None:
    for one in questions:
        words = one.text.split()
        board = one.position.board
        if one.answer.kind in OTHER and words[1] in board:
            piece = board[words[1]]
            if one.answer.kind == "no-piece":
                assert piece is None
            elif one.answer.kind == "other-piece":
                assert piece is not None
                assert piece.type != words[0]
            else:
                assert piece is not None
                assert piece.player != one.position.turn
        elif one.answer.kind in OTHER:  # `Player piece square`
            assert one.answer.kind == "not-yours"
            assert words[0] != one.position.turn


def test_how_many_are_explained_by_what(questions: list[Question]) -> None:
    counts = Counter(what(one.answer) for one in questions)
    said = [f"{count:4}  {kind}" for kind, count in counts.most_common()]
    for one in questions:
        if one.answer.kind in NOT_FOUND:
            said.append(f"{one.game}, ply {one.position.ply}: {one.text}: {one.answer.summary}")
    sys.stdout.write("\n".join(["", *said, ""]))  # pytest -s shows it, and so does a failure
    # Everybody gets a reason or is told that no decision is to blame; the latter are moves of
    # other throws of dice, drops of what is not in hand, slides over more pieces than decisions
    # are turned for, captures that another position allows.
    assert counts["undecided"] == 0
    assert sum(counts[kind] for kind in NOT_FOUND) <= len(questions) // 4
    assert counts["legal"] == counts["over"] == counts["ambiguous"] == 0
    assert counts["not-a-move"] == counts["unknown-name"] == 0
