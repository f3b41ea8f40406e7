"""why_not asserts only what holds: pairs of squares in positions of random games.

`FORTHVM_WHY_NOT=POSITIONS` asks about every pair of squares in so many positions of each game.  A
stated refusal is compared with a run of the script in which a counting word replaces the decision
(refused.py); it shares no code with forthvm.debug.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from itertools import permutations

import pytest

import forthvm
from forthvm.core.errors import MoveError
from forthvm.debug.why_not.refusals import Answer, WhyNot
from forthvm.game import Game, Position
from tests.debug.refused import decision_of_run, moves_without_decisions, random_positions

WHOLE = int(os.environ.get("FORTHVM_WHY_NOT", "0"))
FACT = re.compile(r"(\S+) is (?:occupied by (.+?)|empty): `")


def pieces_of_mover(position: Position) -> list[str]:
    """Return the squares with pieces of the player to move, or of that for which it moves."""
    owners = {position.turn, position.game.turn_order[position._turn_index].for_player}
    return [name for name, piece in position.board.items() if piece and piece.player in owners]


def pairs_of(game: Game, seed: int, positions: int, pairs: int) -> Iterator[tuple[Position, str]]:
    """Yield random positions, each with pairs of squares; the first has a piece of the mover."""
    rng = random.Random(seed)
    found = list(filter(pieces_of_mover, random_positions(game, seed, 60)))
    for position in rng.sample(found, min(positions, len(found))):
        pieces = pieces_of_mover(position)
        every = list(permutations(game.positions, 2))
        own = [pair for pair in every if pair[0] in pieces]
        chosen = every if WHOLE else rng.sample(own, min(pairs, len(own)))
        for pair in chosen:
            yield position, " ".join(pair)


def is_legal(position: Position, text: str) -> bool:
    try:
        position.parse(text)
    except MoveError:
        return False
    return True


def wrong_statements(position: Position, answer: WhyNot) -> Iterator[str]:
    """Yield what an answer states wrongly."""
    piece = position.board[answer.text.split()[0]]
    if answer.kind == "legal" and not is_legal(position, answer.text):
        yield "not legal"
    if answer.kind not in ("legal", "ambiguous", "over") and is_legal(position, answer.text):
        yield "legal"
    if answer.kind == "no-piece" and piece is not None:
        yield "there is a piece"
    if answer.kind == "not-yours" and (piece is None or piece.player == position.turn):
        yield "it is the mover's"
    fact = FACT.match(answer.summary)
    if fact and str(position.board[fact[1]] or "") != (fact[2] or ""):
        yield f"{fact[1]} has {position.board[fact[1]]}"
    for explanation in answer.answers:
        yield from wrong_refusals(position, explanation)


def wrong_refusals(position: Position, explanation: Answer) -> Iterator[str]:
    """Yield what an explanation states wrongly about its decisions."""
    cells = [(one.kind, one.address, one.round) for one in explanation.refusals]
    any_type = explanation.demanded is not None
    if cells and explanation.word is not None:
        refusal = explanation.refusals[0]
        stated = (refusal.value, refusal.here, explanation.square)
        if decision_of_run(position, cells[0], any_type=any_type) != stated:
            yield f"the decision was not {stated}"
    if cells and not explanation.unfinished:
        found = moves_without_decisions(
            position, cells, any_type=any_type, priorities=explanation.better is None
        )
        if explanation.move not in found:
            yield f"{explanation.move} does not appear"


def check(name: str, positions: int, pairs: int) -> None:
    game = forthvm.load(name, output=lambda _text: None)
    wrong = []
    asked = 0
    for position, text in pairs_of(game, 7, positions, pairs):
        answer = forthvm.why_not(position, text, seconds=0)
        asked += 1
        wrong += [
            f"{name}, ply {position.ply}: {what}\n{answer}"
            for what in wrong_statements(position, answer)
        ]
    assert wrong == []
    assert asked or not positions


@pytest.mark.slow
@pytest.mark.parametrize("name", [game.name for game in forthvm.games()])
def test_statements_about_pairs_hold_in_every_game(name: str) -> None:
    check(name, WHOLE or 1, 1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["breakthrough", "draughts"])
def test_statements_about_pairs_hold(name: str) -> None:
    check(name, 1, 2)
