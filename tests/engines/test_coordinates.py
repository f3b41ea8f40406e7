"""Moves as coordinates, compared with those of Fairy-Stockfish and python-shogi."""

from __future__ import annotations

import random

import pytest

from forthvm.engines.protocols.game_names import name_of
from forthvm.engines.protocols.uci.dialect import UCCI, UCI, USI
from tests.kit.games import loaded
from tests.models.fairy import library


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["breakthrough", "chess-los-alamos", "makruk", "shogi", "shogi-mini", "xiangqi"]
)
def test_words_of_uci_are_those_of_fairy_stockfish(name: str) -> None:
    """Compare every third position, since a call of pyffish takes milliseconds."""
    fairy, game, choice = library(), loaded(name), random.Random(1)
    variant = name_of(game, "uci")
    for _ in range(3):
        position, fen, path = game.start(), fairy.start_fen(variant), []
        while position.result is None and position.ply < 150:
            words = UCI.words(position)
            assert len({*words}) == len(words)
            if position.ply % 3 == 0:
                fen, path = fairy.get_fen(variant, fen, path), []
                assert {*words} <= {*fairy.legal_moves(variant, fen, [])}  # also drops that mate
            promotions = [word for word in words if not word[-1].isdigit()]
            word = choice.choice(promotions or words)
            position.push(position.legal_moves[words.index(word)])
            path.append(word)


@pytest.mark.slow
def test_words_of_usi_are_those_of_python_shogi() -> None:
    shogi, choice = pytest.importorskip("shogi"), random.Random(2)
    kinds = set()
    for _ in range(3):
        position, board = loaded("shogi").start(), shogi.Board()
        while position.result is None and position.ply < 200:
            words = USI.words(position)
            assert sorted(words) == sorted(move.usi() for move in board.legal_moves)
            kinds |= {word[1] if "*" in word else word[4:] for word in words}
            index = choice.randrange(len(words))
            board.push_usi(words[index])
            position.push(position.legal_moves[index])
    assert kinds == {"*", "+", ""}


def test_words_of_ucci_have_ranks_from_zero() -> None:
    """The start of xiangqi with the moves of the protocol's description: h2e2, h9g7."""
    position = loaded("xiangqi").start()
    position.push(position.legal_moves[UCCI.words_of(position).find("h2e2")])
    position.push(position.legal_moves[UCCI.words_of(position).find("h9g7")])
    assert [played.text for played in position.history] == ["cannon h3 - e3", "horse h10 - g8"]
