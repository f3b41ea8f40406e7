"""The texts of a whole list, for which names are looked up once, are those of the single moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from forthvm.game import Position
from tests.kit.games import load_text

# A piece moves to the next position, and an arrow of a third player is created, or the type or the
# owner of the piece changes.
GAME = r"""
{board %(positions)s board}
{directions %(links)s directions}
{players {player} White {player} Black {neutral} %(neutral)s players}
{turn-order {turn} White {turn} Black turn-order}
{move-priorities {move-priority} quiet {move-priority} other move-priorities}
DEFER ARROW
: go ( -- ) next verify empty? verify from here move ;
: plain ( -- ) go add-move ;
: shoot ( -- ) go %(neutral)s ARROW from create-player-piece-type-at add-move ;
: promote ( -- ) go ARROW change-type add-move ;
: swap ( -- ) go %(neutral)s change-owner ARROW here change-type-at add-move ;
{moves all
	{move} plain {move-type} quiet {move} shoot {move-type} quiet {move} promote {move-type} quiet
	{move} swap {move-type} quiet {move} plain {move-type} other
moves}
{pieces {piece} %(piece)s {moves} all {piece} arrow pieces}
' arrow IS ARROW
{board-setup %(setup)s board-setup}
: OnIsGameOver ( -- n ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;
"""


def load(folder: Path, names: Sequence[str], piece: str, neutral: str, axiom: int) -> Position:
    """Load a game on a path of positions with these names; every other position has a piece."""
    script = GAME % {
        "positions": "\n".join(f"{{position}} {name}" for name in names),
        "links": "\n".join(f"{{link}} next {a} {b}" for a, b in pairwise(names)),
        "setup": "\n".join(f"{{setup}} White {piece} {name}" for name in names[::2]),
        "neutral": neutral,
        "piece": piece,
    }
    return load_text(folder, script, name="path.4th", axiom=axiom).start()


@pytest.mark.parametrize("axiom", [140, 150])
@pytest.mark.parametrize("length", [1, 13, 14, 15, 16, 17, 40])
def test_texts_of_names_of_any_length(tmp_path: Path, length: int, axiom: int) -> None:
    names = [f"p{at}".ljust(length, "-") for at in range(10)]
    piece, neutral = "m".ljust(length, "n"), "f".ljust(length, "e")
    moves = load(tmp_path, names, piece, neutral, axiom).legal_moves
    single = tuple(str(move) for move in moves)  # before the texts of the list are read
    assert moves.texts == single
    assert len(moves) == 20
    assert moves.texts[:2] == (
        f"{piece} {names[0]} - {names[1]}",
        f"{piece} {names[0]} - {names[1]} {neutral} arrow {names[0]}",
    )


def test_texts_on_a_board_with_very_many_positions(tmp_path: Path) -> None:
    names = [f"p{at}" for at in range(1500)]
    moves = load(tmp_path, names, "man", "fire", 150).legal_moves
    assert [text.split()[1] for text in moves.texts] == [
        name for name in names[::2] for _ in "four"
    ]
    assert list(moves.texts) == [str(move) for move in moves]


@pytest.mark.parametrize("axiom", [140, 150])
def test_lists_with_priorities_are_those_of_two_generations(tmp_path: Path, axiom: int) -> None:
    """The second list is not generated if it would equal the first one."""
    position = load(tmp_path, [f"p{at}" for at in range(10)], "man", "fire", axiom)
    with position.game._loaded.states.in_memory(position._state, listed=False) as native:
        arrived = native.snapshot_take()
        code, moves, listed = native.loop_list(arrived, result_known=False)
        steps = native.steps()
        native.snapshot_restore(arrived)
        with native.operation():
            native.game_generate()
            assert native.game_over() == code
            native.game_generate()
            assert native.steps() == steps
        assert native.move_list() == tuple(moves)
        assert native.snapshot_take().equal(listed)
