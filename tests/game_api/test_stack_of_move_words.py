"""Move words that pop too many items do not remove the items of the caller of $GenerateMoves."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.game.outcome import UNKNOWN
from tests.kit.boards import grid
from tests.kit.games import load_text

# `greedy` pops items that it did not push, and leaves the stack with fewer items.
GAME = grid(2, 2, "e", players="A B")
GAME += """\
: greedy DROP DROP 1 2 3 2DROP DROP here to create add-move DROP ;
{moves m {move} greedy {move} greedy moves}
{pieces {piece} Man {moves} m pieces}
{board-setup {setup} A Man a1 board-setup}
: OnFriends? = >R 2DROP R> ;
\\ Two generations: `greedy` runs twice in each and pops the items of the caller, which are printed.
: OnIsGameOver
    11 22 33 A FALSE 0 $GenerateMoves move-count . $DeallocateMoves . . .
    44 55 66 B TRUE 0 $GenerateMoves move-count . $DeallocateMoves . . . #UnknownScore ;
"""


@pytest.mark.parametrize("tier", ["interpreter", "native", "eager"])
def test_items_of_the_caller_are_kept(
    tmp_path: Path, tier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORTHVM_TIER", tier)
    printed: list[str] = []
    position = load_text(tmp_path, GAME, output=printed.append).start()
    assert position._code == UNKNOWN
    # The number of moves and the caller's items, for each generation.
    assert "".join(printed) == "2 33 22 11 " + "2 66 55 44 "
