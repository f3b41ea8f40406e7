"""Perft: the count of the C core equals a count by push and pop."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.game import Position, perft, perft_divide
from tests.game_api.conftest import Loader
from tests.kit.boards import grid
from tests.kit.games import load_text, loaded
from tests.kit.messages import raises


def count(position: Position, depth: int, *, joined: bool = False) -> int:
    """Count sequences of `depth` plies by pushing and popping.

    With `joined`, a chain of partial moves is one ply, as in `perft`.
    """
    if depth == 0:
        return 1
    if position.result is not None:
        return 0
    total = 0
    for move in position.legal_moves:
        position.push(move)
        ends_ply = not (joined and position.is_partial)
        total += count(position, depth - 1 if ends_ply else depth, joined=joined)
        position.pop()
    return total


def count_without_results(position: Position, depth: int) -> int:
    """Count sequences of `depth` plies without reading `result`."""
    if depth == 0:
        return 1
    total = 0
    for move in position.legal_moves:
        position.push(move)
        total += count_without_results(position, depth - 1)
        position.pop()
    return total


def test_perft_of_noughts_and_crosses(load: Loader) -> None:
    """The published numbers; a player can win at ply 5, so ply 6 has only 54720 sequences."""
    position = load("Noughts").start()
    assert [perft(position, depth) for depth in range(7)] == [1, 9, 72, 504, 3024, 15120, 54720]


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("chain", 4),
        ("dice", 5),
        ("effects", 3),
        ("three", 3),
        ("Breakthrough", 2),
        ("Flips", 3),
        ("Forced", 5),
        ("Jumps", 3),
        ("Sow", 3),
        ("Stuck", 8),
        ("Teams", 3),
    ],
)
def test_perft_equals_a_count_by_push_and_pop(load: Loader, name: str, depth: int) -> None:
    """Partial moves, passes and dice count as plies; sequences end at decided positions."""
    position = load(name).start()
    before = position.copy()
    for plies in range(depth + 1):
        assert perft(position, plies) == count(position, plies)
    assert position == before


# The move word `other` adds moves only while the cell `counted` is odd.  %(count)s defines that
# cell, and one of the other parts changes it.
COUNTING_SCRIPT = grid(3, 4, "right down")
COUNTING_SCRIPT += """\
%(count)s
: go ( -- ) from here move %(partial)s add-move ;
: other ( -- ) %(word)s counted @ 1 AND verify down verify empty? verify go ;
: slide ( -- ) right verify empty? verify go ;
{moves ms {move} other {move} slide moves}
{pieces {piece} pawn {moves} ms pieces}
{board-setup
	{setup} White pawn a3 {setup} White pawn a2 {setup} White pawn c3 {setup} Black pawn b3
board-setup}
: OnIsGameOver ( -- score ) %(hook)s #UnknownScore ;
%(end)s
"""
DEFAULT_PARTS = {"count": "VARIABLE counted", "partial": "", "word": "", "hook": "", "end": ""}


@pytest.mark.parametrize(
    "parts",
    [
        {"hook": "counted ++"},
        {"count": "HERE 300000 + CONSTANT counted", "hook": "counted ++"},
        {"word": "counted ++"},
        {"count": "HERE 300000 + CONSTANT counted", "word": "counted ++"},
        {"word": "counted ++", "partial": "partial"},
        *(
            {
                "count": "VARIABLE pointer : counted ( -- addr ) pointer @ ;",
                "word": word,
                "end": f"HERE 200 + {where} pointer !",
            }
            for where in ("", "1023 OR 3 -")  # in the page of a list: after it, at the page's end
            for word in ("counted ++", "1 counted @ - counted !")
        ),
    ],
    ids=[
        *("hook", "above-lists", "word", "word-above-lists", "partial"),
        *(f"{how}-{at}" for at in ("after-lists", "at-page-end") for how in ("add", "toggle")),
    ],
)
def test_lists_that_depend_on_a_count_of_calls(tmp_path: Path, parts: dict[str, str]) -> None:
    """Perft calls move words and OnIsGameOver as often as push and pop.

    The counter may be in any part of memory.  The expected counts come from a VM with a budget,
    which reuses no move lists, as the original.
    """
    script = tmp_path / "counted.4th"
    script.write_text(COUNTING_SCRIPT % (DEFAULT_PARTS | parts), encoding="utf-8")
    position = forthvm.load(script).start()
    limited = forthvm.load(script, budget=forthvm.Budget(steps=10**9)).start()
    expected = [count(limited, plies) for plies in range(5)]
    assert [count(position, plies) for plies in range(5)] == expected
    assert [perft(position, plies) for plies in range(5)] == expected
    assert [count_without_results(position, plies) for plies in range(5)] == [
        count_without_results(limited, plies) for plies in range(5)
    ]


@pytest.mark.parametrize(("name", "depth"), [("chain", 4), ("Jumps", 3), ("Teams", 3)])
def test_chains_counted_as_one_ply(load: Loader, name: str, depth: int) -> None:
    """The count of the core equals a count by push and pop; counts by first move add up to it."""
    position = load(name).start()
    for plies in range(depth + 1):
        assert perft(position, plies, joined=True) == count(position, plies, joined=True)
    parts = perft_divide(position, depth, joined=True)
    assert sum(number for _, number in parts) == perft(position, depth, joined=True)


@pytest.mark.slow
def test_chains_of_draughts_counted_as_one_ply() -> None:
    """The published counts of English draughts."""
    position = loaded("draughts").start()
    counts = [perft(position, depth, joined=True) for depth in range(1, 8)]
    assert counts == [7, 49, 302, 1469, 7361, 36768, 179740]


def test_an_endless_chain_raises(load: Loader, tmp_path: Path) -> None:
    """A chain of partial moves without end raises an error."""
    position = load_text(
        tmp_path,
        "{board 1 3 {grid} board}\n{directions 0 1 {direction} e directions}\n"
        "{players {player} A {player} B players}\n{turn-order {turn} A {turn} B turn-order}\n"
        ": flip from a1 = IF b1 ELSE a1 ENDIF from SWAP move partial add-move ;\n"
        "{moves m {move} flip moves}\n{pieces {piece} P {moves} m pieces}\n"
        "{board-setup {setup} A P a1 board-setup}\n",
        name="endless.4th",
    ).start()
    assert perft(position, 4) == 1
    with raises(forthvm.ForthVMError, "perft.do-chains-of-partial"):
        perft(position, 1, joined=True)


def test_counts_by_first_move_add_up(load: Loader) -> None:
    """The counts are in the order of the list."""
    position = load("Breakthrough").start()
    divided = perft_divide(position, 3)
    assert [str(move) for move, _ in divided] == [str(move) for move in position.legal_moves]
    assert sum(number for _, number in divided) == perft(position, 3)


def test_invalid_depths_raise(load: Loader) -> None:
    """A negative depth is refused, and 0 for perft_divide."""
    position = load("chain").start()
    with raises(ValueError, "perft.invalid-depths"):
        perft(position, -1)
    with raises(ValueError, "perft.is-less-than"):
        perft_divide(position, 0)
