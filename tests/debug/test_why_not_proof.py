"""Two hundred refused moves of all bundled games: the decisions in an answer refuse the move.

The check (refused.py) stores counting words in the cells of the named decisions and reads the
list.  It shares no code with the search for the answers.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import NamedTuple

import pytest

import forthvm
from forthvm.debug.why_not.refusals import Answer, WhyNot
from forthvm.game import Position
from tests.debug.refused import moves_without_decisions, refused_moves

pytestmark = pytest.mark.slow

EACH = 6  # of each game and variant: 36 of them
OTHER = {"no-piece", "other-piece", "not-yours"}
"""Kinds of answers that are proved by the board alone."""
NOT_FOUND = {"no-word", "unreachable", "undecided"}
"""Kinds of answers without decisions: no inverted decision let the move be added."""


class Question(NamedTuple):
    game: str
    position: Position
    text: str
    answer: WhyNot


def questions_of(name: str, seed: int) -> list[Question]:
    game = forthvm.load(name, output=lambda _text: None)
    asked = []
    for position, text in refused_moves(game, seed, EACH):
        before = position.copy()
        asked.append(Question(name, position, text, forthvm.why_not(position, text)))
        assert position == before
    return asked


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    names = [game.name for game in forthvm.games()]
    return [one for seed, name in enumerate(names) for one in questions_of(name, 100 + seed)]


def kind_of(answer: WhyNot) -> str:
    """Return the kind of the answer, with the kinds of its refusals."""
    if answer.kind != "refused":
        return answer.kind
    kinds = {"verify" if one.kind == "verify" else "IF" for one in answer.answers[0].refusals}
    return f"refused by {' and '.join(sorted(kinds, reverse=True))}"


def is_added_without_decisions(position: Position, answer: Answer) -> bool:
    cells = [(one.kind, one.address, one.round) for one in answer.refusals]
    return answer.move in moves_without_decisions(
        position,
        cells,
        any_type=answer.demanded is not None,
        priorities=answer.better is None,
    )


def test_there_are_two_hundred_questions(questions: list[Question]) -> None:
    assert len(questions) >= 200
    assert {one.game for one in questions} == {game.name for game in forthvm.games()}


def test_move_is_added_if_the_decisions_are_passed_over(questions: list[Question]) -> None:
    """For each alternative, the move is added if and only if its decisions are skipped."""
    wrong = []
    checked = Counter[str]()
    for one in questions:
        legal = one.position.legal_moves.texts
        for answer in one.answer.answers:
            checked[kind_of(one.answer)] += 1
            if answer.move in legal or not is_added_without_decisions(one.position, answer):
                wrong.append(f"{one.game} ply {one.position.ply}: {one.answer}")
    assert wrong == []
    assert checked["refused by verify"] >= 20
    assert checked["refused by IF"] >= 20


def test_added_move_has_the_requested_text(questions: list[Question]) -> None:
    """The texts may differ in the separator `-` or `x`, which depends on the target square."""
    for one in questions:
        if one.answer.kind == "refused":
            for answer in one.answer.answers:
                assert words_of(answer.move) == words_of(one.text)
                assert answer.exact == (answer.move == one.text)


def words_of(text: str) -> list[str]:
    return [word for word in text.split() if word not in ("-", "x")]


def test_other_answers_agree_with_the_board(questions: list[Question]) -> None:
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


def test_numbers_of_answers_by_kind(questions: list[Question]) -> None:
    counts = Counter(kind_of(one.answer) for one in questions)
    lines = [f"{count:4}  {kind}" for kind, count in counts.most_common()]
    for one in questions:
        if one.answer.kind in NOT_FOUND:
            lines.append(f"{one.game}, ply {one.position.ply}: {one.text}: {one.answer.summary}")
    sys.stdout.write("\n".join(["", *lines, ""]))  # pytest -s shows it, and so does a failure
    # Everybody gets a reason or is told that no decision is to blame; the latter are moves of
    # other throws of dice, drops of what is not in hand, slides over more pieces than decisions
    # are turned for, captures that another position allows.
    assert counts["undecided"] == 0
    assert sum(counts[kind] for kind in NOT_FOUND) <= len(questions) // 4
    assert counts["legal"] == counts["over"] == counts["ambiguous"] == 0
    assert counts["not-a-move"] == counts["unknown-name"] == 0
