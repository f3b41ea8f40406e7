"""Tests that both games of each pair in docs/guides/rules-many-games-need.md have the same rules.

Owns the comparison of a script with a rule file along random games: legal moves, boards, turns and
results.  The scripts without a rule file, and what is special in a rule, have tests of their own.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import forthvm
from forthvm.check import check_files
from forthvm.game import Outcome, Position
from tests.docs.pages import DOCS, check_console, follow

PAGE = DOCS / "guides" / "rules-many-games-need.md"
PAIRS = [
    "sliders", "hoppers", "enclosed", "in-line", "threefold", "mate", "no-progress",
    "forced-pass", "reserves",
]  # fmt: skip
SCRIPTS = ["first-capture", "no-return", "perpetual", "two-passes"]
CLOCK = re.compile(r" = Quiet\d on clock")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the games of the page."""
    names = {block.name for block in follow(PAGE, tmp_path) if block.name}
    pairs = {f"{name}.{kind}" for name in PAIRS for kind in ("4th", "zrf")}
    assert names == pairs | {f"{name}.4th" for name in SCRIPTS}
    return tmp_path


def texts(position: Position) -> set[str]:
    """Returns the legal moves, without the changes of a piece that counts moves."""
    return {CLOCK.sub("", str(move)) for move in position.legal_moves}


def verdict(result: Outcome | None) -> tuple[str, ...] | None:
    """Returns the winners, none if it is a draw; None if the game goes on."""
    return None if result is None else result.winners


@pytest.mark.slow
def test_check_reports_nothing(folder: Path) -> None:
    assert not check_files(sorted(folder.iterdir())).findings


@pytest.mark.slow
def test_commands_of_the_page_have_the_printed_output(folder: Path) -> None:
    consoles = [block.text for block in follow(PAGE, folder) if block.kind == "console"]
    assert sum(check_console(text, folder) for text in consoles) >= 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", PAIRS)
def test_script_and_rule_file_play_the_same_game(folder: Path, name: str) -> None:
    draws = {"third-occurrence-is-a-draw": "on" if name == "threefold" else "off"}
    script = forthvm.load(folder / f"{name}.4th")
    rules = forthvm.load(folder / f"{name}.zrf", settings=draws)
    chance, ended, squares = random.Random(name), 0, script.start().board
    for _ in range(2):
        ours, other = script.start(), rules.start()
        for _ in range(150):
            assert verdict(ours.result) == verdict(other.result)
            assert ours.turn == other.turn
            assert [ours.board[at] for at in squares] == [other.board[at] for at in squares]
            if ours.result is not None:
                ended += 1
                break
            assert texts(ours) == texts(other)
            text = chance.choice(sorted(texts(ours)))
            ours.push(text)
            other.push(next(m for m in other.legal_moves if CLOCK.sub("", str(m)) == text))
    assert ended


def test_two_passes_in_a_row_end_the_game(folder: Path) -> None:
    position = forthvm.load(folder / "two-passes.4th").start()
    for text in ("Pass", "Black Stone a1", "Pass"):
        position.push(text)
        assert position.result is None
    position.push("Pass")
    assert position.result is not None
    assert str(position.result) == "White has lost, Black won: two passes"


def test_the_first_capture_of_a_group_wins(folder: Path) -> None:
    position = forthvm.load(folder / "first-capture.4th").start()
    for text in ("Black Stone a2", "White Stone a1", "Black Stone c1", "White Stone b1"):
        position.push(text)
        assert position.result is None
    position.push("Black Stone b2 x a1 x b1")
    assert position.result is not None
    assert str(position.result) == "White has lost, Black won: a capture"


def test_no_position_occurs_again(folder: Path) -> None:
    chance, game, refused = random.Random("no return"), forthvm.load(folder / "no-return.4th"), 0
    for _ in range(5):
        position = game.start()
        earlier = {position.cells}
        while position.result is None:
            legal = {move.to_square for move in position.legal_moves}
            (start,) = (
                name for name, piece in position.board.occupied() if piece.player == position.turn
            )
            for name, piece in position.board.items():
                away = abs(ord(name[0]) - ord(start[0])) + abs(int(name[1]) - int(start[1]))
                if piece is None and away == 1:
                    cells, at = list(position.cells), list(position.board)
                    cells[at.index(name)], cells[at.index(start)] = cells[at.index(start)], 0
                    assert (name in legal) == (tuple(cells) not in earlier)
                    refused += name not in legal
            position.push(chance.choice(position.legal_moves))
            earlier.add(position.cells)
        assert not position.generated_moves
    assert refused


def test_perpetual_check_loses(folder: Path) -> None:
    setup = [
        ("White", "King", "a1"),
        ("White", "Rook", "b3"),
        ("Black", "King", "d4"),
    ]
    position = forthvm.load(folder / "perpetual.4th").start(setup=setup, turn="White")
    for text in ("b3 - b4", "d4 - d3", "b4 - b3", "d3 - d4") * 2:
        assert position.result is None
        position.push(f"{'Rook' if text[0] == 'b' else 'King'} {text}")
    assert verdict(position.result) == ("Black",)
    assert position.comment == "perpetual check"


def test_repetition_without_check_is_a_draw(folder: Path) -> None:
    position = forthvm.load(folder / "perpetual.4th").start()
    for text in ("King a1 - a2", "King d4 - d3", "King a2 - a1", "King d3 - d4") * 2:
        assert position.result is None
        position.push(text)
    assert verdict(position.result) == ()
