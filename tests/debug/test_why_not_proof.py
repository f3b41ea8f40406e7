"""The decisions in an answer of why_not refuse the move: 200 moves of all bundled games.

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

MOVES_PER_GAME = 4  # there are 55 games and variants
SECONDS = 300  # for one answer; the answers must not depend on the load of the machine
PROVED_BY_THE_BOARD = {"no-piece", "other-piece", "not-yours"}
"""Kinds of answers that are proved by the board alone."""
WITHOUT_DECISIONS = {"no-word", "unreachable", "unexplained", "undecided"}
"""Kinds of answers without decisions: no inverted decision let the move be added."""


class Query(NamedTuple):
    game: str
    position: Position
    text: str
    answer: WhyNot


def queries_of(name: str, seed: int) -> list[Query]:
    game = forthvm.load(name, output=lambda _text: None)
    queries = []
    for position, text in refused_moves(game, seed, MOVES_PER_GAME):
        before = position.copy()
        answer = forthvm.why_not(position, text, seconds=SECONDS)
        queries.append(Query(name, position, text, answer))
        assert position == before
    return queries


def kind_of(answer: WhyNot) -> str:
    """Return the kind of the answer, with the kinds of its refusals."""
    if answer.kind != "refused":
        return answer.kind
    kinds = {
        "verify" if refusal.kind == "verify" else "IF" for refusal in answer.answers[0].refusals
    }
    return f"refused by {' and '.join(sorted(kinds, reverse=True))}"


def is_added_without_decisions(position: Position, answer: Answer) -> bool:
    cells = [(refusal.kind, refusal.address, refusal.round) for refusal in answer.refusals]
    return answer.move in moves_without_decisions(
        position,
        cells,
        any_type=answer.demanded is not None,
        priorities=answer.better is None,
    )


def test_answers_to_two_hundred_queries() -> None:
    """One test, so that the queries, which take minutes, are made by one process."""
    names = [game.name for game in forthvm.games()]
    queries = [query for seed, name in enumerate(names) for query in queries_of(name, 100 + seed)]
    assert len(queries) >= 200
    assert {query.game for query in queries} == set(names)
    check_that_moves_are_added_if_decisions_are_skipped(queries)
    check_that_added_moves_contain_the_requested_texts(queries)
    check_that_other_answers_agree_with_the_board(queries)
    check_numbers_of_answers_by_kind(queries)


def check_that_moves_are_added_if_decisions_are_skipped(queries: list[Query]) -> None:
    """For each alternative, the move is added if and only if its decisions are skipped."""
    wrong = []
    checked = Counter[str]()
    for query in queries:
        legal = query.position.legal_moves.texts
        for answer in query.answer.answers:
            checked[kind_of(query.answer)] += 1
            if answer.move in legal or not is_added_without_decisions(query.position, answer):
                wrong.append(f"{query.game} ply {query.position.ply}: {query.answer}")
    assert wrong == []
    assert checked["refused by verify"] >= 20
    assert checked["refused by IF"] >= 20


def check_that_added_moves_contain_the_requested_texts(queries: list[Query]) -> None:
    """The texts may differ in the separator `-` or `x`, which depends on the target square.

    Further effects depend on the board: most follow the requested ones, but the swap of Hex begins
    with the capture.
    """
    for query in queries:
        if query.answer.kind == "refused":
            for answer in query.answer.answers:
                words = " ".join(words_of(query.text))
                assert f" {words} " in f" {' '.join(words_of(answer.move))} "
                assert answer.exact == (answer.move == query.text)


def words_of(text: str) -> list[str]:
    return [word for word in text.split() if word not in ("-", "x")]


def check_that_other_answers_agree_with_the_board(queries: list[Query]) -> None:
    for query in queries:
        words = query.text.split()
        board = query.position.board
        if query.answer.kind in PROVED_BY_THE_BOARD and words[1] in board:
            piece = board[words[1]]
            if query.answer.kind == "no-piece":
                assert piece is None
            elif query.answer.kind == "other-piece":
                assert piece.type != words[0]
            else:
                assert piece.player != query.position.turn
        elif query.answer.kind in PROVED_BY_THE_BOARD:  # `Player piece square`
            assert query.answer.kind == "not-yours"
            assert words[0] != query.position.turn


def check_numbers_of_answers_by_kind(queries: list[Query]) -> None:
    counts = Counter(kind_of(query.answer) for query in queries)
    lines = [f"{count:4}  {kind}" for kind, count in counts.most_common()]
    for query in queries:
        if query.answer.kind in WITHOUT_DECISIONS:
            lines.append(
                f"{query.game}, ply {query.position.ply}: {query.text}: {query.answer.summary}"
            )
    sys.stdout.write("\n".join(["", *lines, ""]))  # shown by pytest -s and on failure
    # Each answer names a reason or states that no decision refuses the move.  Moves without a
    # refusing decision need other dice, a piece in hand, another position, or more inverted
    # decisions than the search combines.
    assert counts["undecided"] == 0
    assert sum(counts[kind] for kind in WITHOUT_DECISIONS) <= len(queries) // 4
    assert counts["legal"] == counts["over"] == counts["ambiguous"] == 0
    assert counts["not-a-move"] == counts["unknown-name"] == 0
