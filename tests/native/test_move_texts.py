"""Tests of Position.push with random move texts.

A legal text is accepted; any other text is rejected and leaves the position unchanged.  Programs
and memory images are fuzzed in C (test_fuzz.py).
"""

from __future__ import annotations

import functools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forthvm

GAMES = ["tictactoe", "breakthrough", "splut"]


@functools.cache
def load_game(name: str) -> forthvm.Game:
    return forthvm.load(name)


def texts_near(texts: list[str]) -> st.SearchStrategy[str]:
    """Return a strategy for legal texts, changed legal texts and arbitrary texts."""
    legal = st.sampled_from(texts)
    cut = st.builds(
        lambda text, start, end: text[start:end], legal, st.integers(0, 9), st.integers(0, 30)
    )
    joined = st.builds(lambda a, b: f"{a} {b}", cut, cut)
    changed = st.builds(
        lambda text, at, new: text[: at % (len(text) + 1)] + new + text[at % (len(text) + 1) + 1 :],
        legal,
        st.integers(0, 40),
        st.text(max_size=3),
    )
    return st.one_of(legal, cut, joined, changed, st.text(max_size=2000))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=3 * settings().max_examples // 2, deadline=None)
@given(data=st.data())
def test_push_accepts_only_legal_texts(name: str, data: st.DataObject) -> None:
    pos = load_game(name).start()
    for _ in range(3):
        legal = [str(move) for move in pos.legal_moves]
        if pos.result is not None or not legal:
            break
        text = data.draw(texts_near(legal))
        before, ply = pos.to_json(), pos.ply
        try:
            pos.push(text)
        except forthvm.ForthVMError:
            assert pos.to_json() == before
            assert text not in legal
        else:
            assert pos.ply == ply + 1
            restored = forthvm.Position.from_json(pos.game, pos.to_json())
            assert restored.legal_moves.texts == pos.legal_moves.texts
            assert str(pos.pop()) in legal
            assert pos.to_json() == before
            pos.push(pos.legal_moves[data.draw(st.integers(0, len(legal) - 1))])
