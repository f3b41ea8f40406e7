"""Move words are compiled after enough runs, although no slice of steps ends in them.

Owns straight move words without loops.  The results of machine code are compared elsewhere.
"""

from __future__ import annotations

from pathlib import Path

import forthvm
from tests.kit.boards import grid
from tests.kit.games import load_text
from tests.vm.tiers import HAS_JIT

WORDS = 12
GAME = grid(4, 4, "e w")
GAME += """\
%s
: go-e ( -- ) e verify empty? verify from here move add-move ;
: go-w ( -- ) w verify empty? verify from here move add-move ;
{moves many %s {move} go-e {move} go-w moves}
{pieces {piece} man {moves} many pieces}
{board-setup {setup} White man a1 {setup} Black man a3 board-setup}
: OnIsGameOver ( -- result ) #UnknownScore ;
"""


def test_every_move_word_is_compiled(tmp_path: Path) -> None:
    words = "\n".join(f": word-{n} ( -- ) e verify here {n} > verify ;" for n in range(WORDS))
    listed = " ".join(f"{{move}} word-{n}" for n in range(WORDS))
    position = load_text(tmp_path, GAME % (words, listed), axiom=150).start()
    forthvm.perft(position, 12)
    with position._in_memory() as native:
        assert not HAS_JIT or native.compiled() >= WORDS
