"""OnMovesGenerated filters every list: in turns, in chains of partial moves, and if it fails.

Owns the comparison of a rule about the longest series of captures with a brute-force count, and
hooks that make errors.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import forthvm
from forthvm import engines
from forthvm.core.errors import ContextError, ForthVMError, StepLimitExceeded
from forthvm.core.vm import TIER_VARIABLE
from tests.kit.boards import grid
from tests.kit.games import load_text, winner
from tests.vm.tiers import TIERS

SIDE = 5
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
Board = tuple[str, ...]


def jumps(board: Board, player: str, jumper: int | None) -> Iterator[tuple[Board, int]]:
    """Yield the board after each jump, and the square where it ends."""
    for at, owner in enumerate(board):
        if owner != player or jumper not in (None, at):
            continue
        row, column = divmod(at, SIDE)
        for down, right in STEPS:
            end_row, end_column = row + 2 * down, column + 2 * right
            if not (0 <= end_row < SIDE and 0 <= end_column < SIDE):
                continue
            over, end = at + down * SIDE + right, at + 2 * (down * SIDE + right)
            if board[over] not in ("", player) and board[end] == "":
                after = list(board)
                after[at], after[over], after[end] = "", "", player
                yield tuple(after), end


def steps(board: Board, player: str) -> Iterator[Board]:
    """Yield the board after each step."""
    for at, owner in enumerate(board):
        row, column = divmod(at, SIDE)
        for down, right in STEPS:
            inside = 0 <= row + down < SIDE and 0 <= column + right < SIDE
            end = at + down * SIDE + right
            if owner == player and inside and board[end] == "":
                after = list(board)
                after[at], after[end] = "", player
                yield tuple(after)


def length(board: Board, player: str, jumper: int) -> int:
    """The number of jumps in the longest series that continues with the man on `jumper`."""
    return max((1 + length(b, player, end) for b, end in jumps(board, player, jumper)), default=0)


def perft(board: Board, player: str, plies: int, jumper: int | None = None) -> int:
    """The number of sequences of moves; each jump is a ply."""
    if plies == 0:
        return 1
    other = "Black" if player == "White" else "White"
    found = list(jumps(board, player, jumper))
    if not found and jumper is not None:
        return perft(board, other, plies)
    if not found:
        return sum(perft(after, other, plies - 1) for after in steps(board, player))
    lengths = [length(after, player, end) for after, end in found]
    return sum(
        perft(after, player, plies - 1, end)
        for (after, end), jumps_left in zip(found, lengths, strict=True)
        if jumps_left == max(lengths)
    )


def counted(position: forthvm.Position, plies: int) -> int:
    """The number of sequences of moves, by legal_moves, push and pop."""
    if plies == 0:
        return 1
    if position.result is not None:
        return 0
    total = 0
    for move in list(position.legal_moves):
        position.push(move)
        total += counted(position, plies - 1)
        position.pop()
    return total


@pytest.mark.parametrize("tier", TIERS)
def test_only_the_longest_series_may_be_made(monkeypatch: pytest.MonkeyPatch, tier: str) -> None:
    monkeypatch.setenv(TIER_VARIABLE, tier)
    game = forthvm.load(Path(__file__).parent / "longest.4th")
    chance = random.Random(11)
    chains = 0
    for _ in range(30):
        board = tuple(chance.choice(("White", "Black", "Black", "", "")) for _ in range(SIDE**2))
        pieces = [
            (owner, "man", square)
            for owner, square in zip(board, game.positions, strict=True)
            if owner
        ]
        position = game.start(setup=pieces)
        chains += any(length(after, "White", end) > 1 for after, end in jumps(board, "White", None))
        for plies in (1, 2, 3):
            expected = perft(board, "White", plies)
            assert forthvm.perft(position, plies) == expected
        if tier == "native":
            assert counted(position, 3) == expected
            assert position.board == game.start(setup=pieces).board
    assert chains > 2


HOOKED = grid(1, 4, "e", players="Left Right")
HOOKED += """\
: go ( -- ) e verify empty? verify from here move add-move ;
{moves man-moves {move} go moves}
{pieces {piece} man {moves} man-moves pieces}
{board-setup {setup} Left man a1 {setup} Right man c1 board-setup}
: OnMovesGenerated ( -- ) %s ;
"""


def hooked(folder: Path, hook: str, **options: forthvm.Budget) -> forthvm.Position:
    return load_text(folder, HOOKED % hook, name="hooked.4th", **options).start()


def test_removing_all_moves_is_a_stalemate(tmp_path: Path) -> None:
    position = hooked(tmp_path, "$FirstMove $RemoveMove")
    assert position.legal_moves.texts == ()
    assert winner(position) == ""
    assert forthvm.perft(position, 1) == 0


@pytest.mark.parametrize(
    "hook",
    [
        "$CloneBoard a1 (remove-piece)",
        "$CloneBoard $CloneBoard current-player FALSE 0 $GenerateMoves $Exit",
        "c1 to c1 home 5 $piece ! ['] Right $SetPlayer Right $forPlayer !",
        "3 (partial-move-type) 9 $lastMoveType !",
        "1 2 3",
        "16 ALLOT",
        "$board @ 64 + $board !",
    ],
)
def test_state_of_the_game_is_restored(tmp_path: Path, hook: str) -> None:
    position, plain = hooked(tmp_path, hook), hooked(tmp_path, "")
    for text in "man a1 - b1", "man c1 - d1":
        assert position.legal_moves.texts == plain.legal_moves.texts
        position.push(text)
        plain.push(text)
        assert (str(position), position.turn) == (str(plain), plain.turn)
    assert forthvm.perft(position, 2) == forthvm.perft(plain, 2)


@pytest.mark.parametrize(
    ("hook", "error"),
    [
        ("1 0 / DROP", "DivisionError"),
        ("$DeallocateMoves", "ContextError"),
        ("a1 $RemoveMove", "ContextError"),
        ("add-move", "ContextError"),
        ("BEGIN FALSE UNTIL", "StepLimitExceeded"),
        ("BEGIN $CloneBoard FALSE UNTIL", "MemoryLimitExceeded"),
        ("$movesList @ 8 + DUP ! BEGIN $FirstMove $NextMove DROP FALSE UNTIL", "StepLimitExceeded"),
    ],
)
def test_errors_in_the_hook_are_reported(tmp_path: Path, hook: str, error: str) -> None:
    budget = forthvm.Budget(steps=200_000, memory=1 << 22)
    for _ in range(2):  # the second time in the state after the failure
        with pytest.raises(ForthVMError) as caught:
            _ = hooked(tmp_path, hook, budget=budget).legal_moves.texts
        assert type(caught.value).__name__ == error
    assert "OnMovesGenerated" in caught.value.report()


@pytest.mark.parametrize(
    "hook",
    [
        "$FirstMove DUP !",
        "-1 $movesList @ CELLSIZE + !",
        "1000000 $movesList @ CELLSIZE + !",
        "0 $movesList @ CELLSIZE + !",
        "3 $movesList @ 2 CELLS + !",
        "$FirstMove 20 0 FILL",
        "$movesList @ $movesList @ !",
        "$movesList OFF",
        "HERE 100 + $movesList !",
        "DP OFF",
        "$FirstMove 2 + $RemoveMove",
        "$FirstMove DUP 2 + OVER ! 2 + $RemoveMove",
    ],
)
def test_damaged_lists_do_no_harm(tmp_path: Path, hook: str) -> None:
    """There is an error, or a list, in which the only move may be missing."""
    position = hooked(tmp_path, hook, budget=forthvm.Budget(steps=100_000))
    for action in (
        lambda: position.legal_moves.texts,
        lambda: forthvm.perft(position, 2),
        lambda: engines.get("negamax:depth=2").play(position),
    ):
        with suppress(ForthVMError):
            action()
    assert forthvm.perft(hooked(tmp_path, ""), 1) == 1


def test_searches_in_a_position_whose_hook_fails_later(tmp_path: Path) -> None:
    """A failure inside a search ends the search, and the position remains usable."""
    position = hooked(tmp_path, "turn-number 2 = IF $DeallocateMoves ENDIF")
    with pytest.raises(ContextError):
        engines.get("negamax:depth=2").play(position)
    assert position.legal_moves.texts == ("man a1 - b1",)


def test_hook_cannot_run_without_a_limit(tmp_path: Path) -> None:
    position = hooked(
        tmp_path, "turn-number 2 = IF BEGIN FALSE UNTIL ENDIF", budget=forthvm.Budget(steps=100_000)
    )
    position.push("man a1 - b1")
    with pytest.raises(StepLimitExceeded):
        _ = position.legal_moves.texts
