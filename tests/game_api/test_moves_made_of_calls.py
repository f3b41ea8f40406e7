"""Moves whose code calls words have the same effects and errors in all tiers."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import ForthVMError

# The code of each move calls the words that replace {word}, with the move's target below them.
GAME = """
{{board 4 4 {{grid}} board}}
{{directions 0 1 {{direction}} e directions}}
{{players {{player}} A {{player}} B players}}
{{turn-order {{turn}} A {{turn}} B turn-order}}
VARIABLE sum
10 CONSTANT ten
: set ( n -- ) sum ! ;
: add ( n -- ) sum @ + DUP 7 MOD DROP sum ! ;
: repeat ( n -- ) 0 BEGIN 1+ DUP add 2DUP < UNTIL 2DROP ;
: divide ( n -- ) 5 - 100 SWAP / sum ! ;
: drain ( -- ) DROP DROP DROP sum @ 1+ sum ! ;
: leave ( n -- ) add sum @ 40 < verify 100 sum ! ;
: change ( n -- ) DUP add 5 > IF ['] - ['] add 12 + ! ENDIF ;
: step ( -- ) e verify from here move here COMPILE-LITERAL {word} 3 COMPILE-LITERAL COMPILE add
    add-move ;
: OnIsGameOver ( -- result ) sum @ . #UnknownScore ;
{{moves words {{move}} step moves}}
{{pieces {{piece}} stone {{moves}} words pieces}}
{{board-setup {{setup}} A stone a1 {{setup}} A stone a2 {{setup}} B stone a3 {{setup}} B stone a4
board-setup}}
"""
WORDS = {
    "a definition": "COMPILE add",
    "two definitions": "COMPILE DUP COMPILE add COMPILE add",
    "an inlined definition": "COMPILE set",
    "a loop": "COMPILE repeat",
    "an error": "COMPILE divide",
    "items below the base": "COMPILE add COMPILE drain",
    "the end of the run": "COMPILE leave",
    "a changed word": "COMPILE change",
    "a constant": "COMPILE ten COMPILE + COMPILE add",
}


GAMES = 60  # words that moves call are compiled


def play(path: Path) -> list[str]:
    """Return the outcomes of moves: board and printed number, or the error."""
    outcomes: list[str] = []
    printed: list[str] = []
    game = forthvm.load(path, output=printed.append)
    for _ in range(GAMES):
        position = game.start()
        for turn in range(6):
            if not position.legal_moves:
                break
            printed.clear()
            try:
                position.push(position.legal_moves[turn % len(position.legal_moves)])
            except ForthVMError as error:
                outcomes.append(f"{type(error).__name__}: {error}")
                break
            outcomes.append(f"{position} {''.join(printed)}")
    return outcomes


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS.keys())
def test_moves_made_of_calls_do_the_same_in_all_tiers(
    tmp_path: Path, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.4th"
    path.write_text(GAME.format(word=words), encoding="utf-8")
    outcomes = []
    for tier in ("interpreter", "native", "eager"):
        monkeypatch.setenv("FORTHVM_TIER", tier)
        outcomes.append(play(path))
    assert len(outcomes[0]) >= GAMES
    assert outcomes[0] == outcomes[1] == outcomes[2]
