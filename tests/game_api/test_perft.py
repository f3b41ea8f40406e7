"""Counting: the C core's count against the same count by pushing and popping."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.game import Position, perft, perft_divide
from tests.game_api.conftest import Loader


def count(position: Position, depth: int, *, joined: bool = False) -> int:
    """Sequences of that many plies, counted by pushing and popping.

    With `joined`, a chain of partial moves is one ply, as in `perft`.
    """
    if depth == 0:
        return 1
    if position.result is not None:
        return 0
    total = 0
    for move in position.legal_moves:
        position.push(move)
        ends = not (joined and position.is_partial)
        total += count(position, depth - 1 if ends else depth, joined=joined)
        position.pop()
    return total


def lines(position: Position, depth: int) -> int:
    """Sequences of that many plies, without a query of `result`."""
    if depth == 0:
        return 1
    total = 0
    for move in position.legal_moves:
        position.push(move)
        total += lines(position, depth - 1)
        position.pop()
    return total


def test_noughts(load: Loader) -> None:
    """Known numbers: 9, 72, 504, 3024, 15120; five marks can win, so ply 6 has 54720."""
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
def test_core_and_api_agree(load: Loader, name: str, depth: int) -> None:
    """Both count partial moves, passes and dice as plies, and stop at decided positions."""
    position = load(name).start()
    before = position.copy()
    for plies in range(depth + 1):
        assert perft(position, plies) == count(position, plies)
    assert position == before


# A word that every other list leaves out, by a count that is kept with %(count)s.
COUNTED = r"""
{board 3 4 {grid} board}
{directions 0 1 {direction} right 1 0 {direction} down directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
%(count)s
: go ( -- ) from here move %(partial)s add-move ;
: other ( -- ) %(word)s counted @ 1 AND verify down verify empty? verify go ;
: slide ( -- ) right verify empty? verify go ;
{moves ms {move} other {move} slide moves}
{pieces {piece} pawn {moves} ms pieces}
{board-setup
	{setup} White pawn a3 {setup} White pawn a2 {setup} White pawn c3 {setup} Black pawn b3
board-setup}
: OnIsGameOver ( -- score ) %(question)s #UnknownScore ;
%(end)s
"""
NOTHING = {"count": "VARIABLE counted", "partial": "", "word": "", "question": "", "end": ""}


@pytest.mark.parametrize(
    "parts",
    [
        {"question": "counted ++"},
        {"count": "HERE 300000 + CONSTANT counted", "question": "counted ++"},
        {"word": "counted ++"},
        {"count": "HERE 300000 + CONSTANT counted", "word": "counted ++"},
        {"word": "counted ++", "partial": "partial"},
        *(
            {
                "count": "VARIABLE place : counted ( -- addr ) place @ ;",
                "word": word,
                "end": f"HERE 200 + {where} place !",
            }
            for where in ("", "1023 OR 3 -")  # behind a list, and at the end of its page
            for word in ("counted ++", "1 counted @ - counted !")
        ),
    ],
    ids=[
        *("question", "above-lists", "word", "word-above-lists", "partial"),
        *(f"{how}-behind-{what}" for what in ("lists", "pages") for how in ("count", "turn")),
    ],
)
def test_lists_that_count(tmp_path: Path, parts: dict[str, str]) -> None:
    """As many lists are made and questions asked as by the API, wherever they are counted.

    Under a budget all lists are made, as the original did.
    """
    script = tmp_path / "counted.4th"
    script.write_text(COUNTED % (NOTHING | parts), encoding="utf-8")
    position = forthvm.load(script).start()
    limited = forthvm.load(script, budget=forthvm.Budget(steps=10**9)).start()
    wanted = [count(limited, plies) for plies in range(5)]
    assert [count(position, plies) for plies in range(5)] == wanted
    assert [perft(position, plies) for plies in range(5)] == wanted
    assert [lines(position, plies) for plies in range(5)] == [
        lines(limited, plies) for plies in range(5)
    ]


@pytest.mark.parametrize(("name", "depth"), [("chain", 4), ("Jumps", 3), ("Teams", 3)])
def test_joined(load: Loader, name: str, depth: int) -> None:
    """Chains counted as one ply: the core's count against the API's, from every first move."""
    position = load(name).start()
    for plies in range(depth + 1):
        assert perft(position, plies, joined=True) == count(position, plies, joined=True)
    parts = perft_divide(position, depth, joined=True)
    assert sum(number for _, number in parts) == perft(position, depth, joined=True)


def test_joined_draughts() -> None:
    """The published counts of English draughts, where a chain of jumps is one move."""
    position = forthvm.load("draughts").start()
    counts = [perft(position, depth, joined=True) for depth in range(1, 8)]
    assert counts == [7, 49, 302, 1469, 7361, 36768, 179740]


def test_endless_chain(load: Loader, tmp_path: Path) -> None:
    """A chain of partial moves without end is an error, not a crash."""
    script = tmp_path / "endless.4th"
    script.write_text(
        "{board 1 3 {grid} board}\n{directions 0 1 {direction} e directions}\n"
        "{players {player} A {player} B players}\n{turn-order {turn} A {turn} B turn-order}\n"
        ": flip from a1 = IF b1 ELSE a1 ENDIF from SWAP move partial add-move ;\n"
        "{moves m {move} flip moves}\n{pieces {piece} P {moves} m pieces}\n"
        "{board-setup {setup} A P a1 board-setup}\n"
    )
    position = forthvm.load(script).start()
    assert perft(position, 4) == 1
    with pytest.raises(forthvm.ForthVMError, match="do chains of partial moves end"):
        perft(position, 1, joined=True)


def test_divide(load: Loader) -> None:
    """The counts by first move add up, in the order of the list."""
    position = load("Breakthrough").start()
    divided = perft_divide(position, 3)
    assert [str(move) for move, _ in divided] == [str(move) for move in position.legal_moves]
    assert sum(number for _, number in divided) == perft(position, 3)


def test_wrong_depths(load: Loader) -> None:
    """Depths that mean nothing are refused."""
    position = load("chain").start()
    with pytest.raises(ValueError, match="negative"):
        perft(position, -1)
    with pytest.raises(ValueError, match="is less than 1"):
        perft_divide(position, 0)
