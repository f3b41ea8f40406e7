"""Differences between versions 140 and 150 during play."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from tests.kit.games import load_text

BOARD = """
{board 2 2 {grid} board}
{directions 0 1 {direction} e directions}
{players {player} A {neutral} N players}
"""


def start(folder: Path, rules: str, axiom: int, printed: list[str]) -> forthvm.Position:
    return load_text(folder, BOARD + rules, axiom=axiom, output=printed.append).start()


@pytest.mark.parametrize(
    ("axiom", "texts"),
    [(140, ["x a1 Pass", "", "partial 0"]), (150, ["x a1", "Pass", "Pass"])],
)
def test_texts_of_moves_with_and_without_edits(
    tmp_path: Path, axiom: int, texts: list[str]
) -> None:
    # Three moves: the pass with a capture that `Pass` adds, a move without edits, and a partial
    # move without edits.  Version 140 omits and adds other parts of their texts than 150.
    rules = """
        : all a1 capture-at Pass add-move partial add-move ;
        {moves m {move} all moves}
        {pieces {piece} Man {moves} m pieces}
        {turn-order {turn} A turn-order}
        {board-setup {setup} A Man a1 board-setup}
    """
    position = start(tmp_path, rules, axiom, [])
    assert [str(move) for move in position.legal_moves] == texts


@pytest.mark.parametrize(
    ("axiom", "output"),
    [
        # The results of friend?, enemy?, friend-at?, enemy-at?, friend-of? and enemy-of?, then
        # player and current-player.
        (140, "0 -1 0 -1 0 -1 4096 5120 "),
        (150, "-1 0 -1 0 -1 0 5120 5120 "),
    ],
)
def test_pieces_of_a_neutral_player_to_move(tmp_path: Path, axiom: int, output: str) -> None:
    rules = """
        : print-relations friend? . enemy? . here friend-at? . here enemy-at? . here N friend-of? .
            here N enemy-of? . player . current-player . ;
        {moves m {move} print-relations moves}
        {pieces {piece} Man {moves} m pieces}
        {turn-order {turn} N turn-order}
        {board-setup {setup} N Man a1 board-setup}
    """
    printed: list[str] = []
    position = start(tmp_path, rules, axiom, printed)
    assert position._code == 0
    assert "".join(printed) == output


@pytest.mark.parametrize(
    ("axiom", "texts"),
    [
        # A change that follows a change of the same kind (type or owner) has only its position as
        # text, such as a2.  Version 140 applies this rule across the moves of a word, too.
        (140, ["Man a1 - b1 = King on b1 a2", "b2"]),
        (150, ["Man a1 - b1 = King on b1 a2", "= King on b2"]),
    ],
)
def test_a_change_after_another_move_of_the_same_word(
    tmp_path: Path, axiom: int, texts: list[str]
) -> None:
    rules = """
        {pieces {piece} Man {piece} King pieces}
        : crown a1 b1 move King b1 change-type-at King a2 change-type-at add-move
            King b2 change-type-at add-move ;
        {moves m {move} crown moves}
        {pieces {piece} Man {moves} m {piece} King pieces}
        {turn-order {turn} A turn-order}
        {board-setup {setup} A Man a1 board-setup}
    """
    position = start(tmp_path, rules, axiom, [])
    assert [str(move) for move in position.legal_moves] == texts


@pytest.mark.parametrize("axiom", [140, 150])
def test_the_text_of_a_change_depends_on_the_last_edit(tmp_path: Path, axiom: int) -> None:
    """This is also true if move lists are reused instead of generated again."""
    rules = """
        {pieces {piece} Man {piece} King pieces}
        : crown here empty-at? NOT verify King here change-type-at add-move ;
        {moves m {move} crown moves}
        {pieces {piece} Man {moves} m {piece} King pieces}
        {turn-order {turn} A turn-order}
        {board-setup {setup} A Man a1 {setup} A Man b1 board-setup}
    """
    position = start(tmp_path, rules, axiom, [])
    # A change of the square that the preceding edit changed omits the square from its text.  That
    # edit may belong to an earlier move, or to the move list of an earlier position.
    assert [str(move) for move in position.legal_moves] == ["= King on a1", "= King on b1"]
    position.push(position.legal_moves[0])
    # The preceding edit is that of the last move of the first list, which changes b1.
    assert [str(move) for move in position.legal_moves] == ["= King"]
    assert position.copy().legal_moves.texts == ("= King",)
