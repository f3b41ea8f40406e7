"""Tests of checked mode: words that take items need them, and positions must be on the board."""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm import VM
from forthvm.core.errors import BoundsError, ForthVMError, StackUnderflow
from forthvm.core.records import Option
from forthvm.core.words.glossary import words
from tests.kit.boards import grid
from tests.kit.games import load_text
from tests.kit.messages import raises
from tests.vm.tiers import TIERS

BOARD = grid(3, 3, "east", more="{variable} score")
PIECES = """\
: step ( -- ) east verify test verify empty? verify from here move add-move ;
{moves man-moves {move} step moves}
{pieces {piece} Man {moves} man-moves pieces}
{board-setup {setup} White Man a1 {setup} Black Man c3 board-setup}
"""
WORDS = words()
REFUSED_FIRST = {"$Nth": "address outside memory", "{grid}": "belong between"}
"""Words that fail for another reason before they take an item."""


def number_of_inputs(effect: str) -> int:
    return len(effect.strip("()").split("--")[0].split())


def test_every_word_that_takes_items_reports_an_empty_stack() -> None:
    vm = VM(checked=True, output=lambda _: None)
    vm.interpret(BOARD)
    start = vm.snapshot()
    silent = []
    for name, entry in WORDS.items():
        compiles = entry.immediate and name in ("IF", "WHILE", "DO")  # takes items when it is run
        if number_of_inputs(entry.effect) == 0 or compiles:
            continue
        vm.restore(start)
        try:
            vm.interpret(f"{name} DUP DUP DUP")  # some words read names
        except StackUnderflow:
            continue
        except ForthVMError as error:
            expected = REFUSED_FIRST.get(name, "before it" if name.endswith("}") else None)
            if expected is not None and expected in str(error):
                continue
        silent.append(name)
    assert silent == []


ONE_POSITION = "piece-at piece-type-at player-at empty-at? not-empty-at? friend-at? enemy-at?"
QUERIES = [
    *(f"{name} DROP" for name in [*ONE_POSITION.split(), "neutral-piece-at?", "board[]"]),
    *(f"White {name} DROP" for name in ("friend-of?", "enemy-of?", "not-piece-type-at?")),
    *(f"to {name} DROP" for name in ("piece", "player", "empty?", "friend?", "enemy?", "east")),
    "to ['] east EXECUTE DROP",
]


def moves_with(folder: Path, test: str, *, checked: bool, tier: str = "interpreter") -> list[str]:
    """Return the first player's moves in a game whose move word runs a test first."""
    game = load_text(folder, f"{BOARD}: test ( -- ? ) {test} TRUE ;\n{PIECES}", checked=checked)
    game._loaded.vm.native.set_option(Option.TIER, TIERS.index(tier))
    return [str(move) for move in game.start().legal_moves]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("query", QUERIES)
def test_reads_outside_the_board_are_reported(tmp_path: Path, query: str) -> None:
    inside = f"here 9 0 DO I {query} LOOP to"
    assert moves_with(tmp_path, inside, checked=True) == ["Man a1 - b1"]
    for position in (-1, 9):
        with raises(BoundsError, "checked-words.position", position=position):
            moves_with(tmp_path, f"{position} {query}", checked=True)


@pytest.mark.parametrize("tier", TIERS)
def test_reads_outside_the_board_are_reported_in_every_tier(tmp_path: Path, tier: str) -> None:
    count = "0 20000 0 DO I 2000 / empty-at? IF 1+ ENDIF LOOP DROP"
    with raises(BoundsError, "checked-words.position-not-on-the-board"):
        moves_with(tmp_path, count, checked=True, tier=tier)
    assert moves_with(tmp_path, count, checked=False, tier=tier) == ["Man a1 - b1"]
