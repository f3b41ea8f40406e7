"""Small games for frameworks: one with hidden pieces, one with chance, one with RANDOMIZE."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.boards import grid
from tests.kit.files import write

PENNIES = grid(2, 2, players="Hider Finder")
PENNIES += """\
: own-row? ( -- ? )
    current-player Hider = IF here a1 = here b1 = OR ELSE here a2 = here b2 = OR ENDIF ;
: put ( -- ) own-row? verify empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} coin {drops} puts pieces}
: full? ( pos -- ? ) empty-at? 0= ;
: found? ( -- ? ) a1 full? a2 full? AND b1 full? b2 full? AND OR ;
: OnIsGameOver ( -- result )
    a2 full? b2 full? OR IF found? IF #LossScore ELSE #WinScore ENDIF ELSE #UnknownScore ENDIF ;
: OnShow ( -- ) ." ~a1 ~b1 " ;
"""
"""Hider puts a coin on a1 or b1, which Finder does not see; then Finder guesses: a2 or b2."""

GUESS = grid(2, 3, players="Guesser ?Coin")
GUESS += """\
: own-row? ( -- ? )
    here a1 = here b1 = OR here c1 = OR  current-player Guesser <> IF 0= ENDIF ;
: put ( -- ) own-row? verify empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} coin {drops} puts pieces}
: full? ( pos -- ? ) empty-at? 0= ;
: drawn? ( -- ? ) a2 full? b2 full? OR c2 full? OR ;
: right? ( -- ? ) a1 full? a2 full? AND b1 full? b2 full? AND OR c1 full? c2 full? AND OR ;
: OnIsGameOver ( -- result )
    drawn? IF right? IF #WinScore ELSE #LossScore ENDIF ELSE #UnknownScore ENDIF ;
"""
"""Guesser chooses one of three columns; then chance draws one."""

DRAWN_START = grid(3, 3, players="X O")
DRAWN_START += """\
VARIABLE limit
: put ( -- ) empty? verify drop add-move ;
{moves puts {move} put moves}
{pieces {piece} mark {drops} puts pieces}
: OnNewGame ( -- ) RANDOMIZE 4 RAND-WITHIN limit ! ;
: full? ( -- ? ) 0 9 0 DO I empty-at? 0= IF 1+ ENDIF LOOP limit @ 4 + >= ;
: OnIsGameOver ( -- result ) full? IF #DrawScore ELSE #UnknownScore ENDIF ;
"""
"""RANDOMIZE seeds the number of marks after which the game is drawn."""


@pytest.fixture
def drawn_start(tmp_path: Path) -> Path:
    return write(tmp_path / "drawn_start.4th", DRAWN_START)


@pytest.fixture
def pennies(tmp_path: Path) -> Path:
    return write(tmp_path / "pennies.4th", PENNIES)


@pytest.fixture
def guess(tmp_path: Path) -> Path:
    return write(tmp_path / "guess.4th", GUESS)
