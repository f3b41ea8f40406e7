"""What a scan of the board leaves for later: the type of a forced pass, and the current piece.

Owns examples that the original engine was seen to treat in the same way, and the comparison of
incomplete lists with complete ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm import engines
from forthvm.core.records import ListMode, Option
from forthvm.game import Position
from tests.engines.list_modes import list_mode
from tests.kit.games import load_text, play

BOARD = """
$passTurnForced ON
{board 1 4 {grid} board}
{directions 0 1 {direction} e directions}
{players {player} A {player} B players}
: stuck ( -- ) FALSE verify ;
: go ( -- ) e verify empty? verify from here move add-move ;
1 CONSTANT t1 2 CONSTANT t2 3 CONSTANT t3
"""
TURNS = " {turn-order {turn} A {turn} B turn-order}\n"
PIECE = " {pieces {piece} P {moves} L pieces}\n"
SETUP = " {board-setup {setup} A P a1 {setup} B P b1 board-setup}\n"
FIRST_TYPE = " : OnIsGameOver ( -- n ) $FirstMove .moveType @ ^number #UnknownScore ;\n"
PIECE_AFTER = " : OnIsGameOver ( -- n ) current-piece ^number #UnknownScore ;\n"

PASSES = {
    "the last entry": (
        "{moves L {move} stuck {move-type} t2 {move} stuck {move-type} t1 moves}" + PIECE + TURNS,
        "1",
    ),
    "an entry without a type": (
        "{moves L {move} stuck {move-type} t2 {move} stuck moves}" + PIECE + TURNS,
        "0",
    ),
    "an entry of another type than the turn's": (
        "{moves L {move} stuck {move-type} t1 {move} stuck {move-type} t2 moves}"
        + PIECE
        + " {turn-order {turn} A {of-type} t1 {turn} B turn-order}",
        "2",
    ),
    "drops after moves": (
        "{moves L {move} stuck {move-type} t1 moves} {moves D {move} stuck {move-type} t3 moves}"
        " {pieces {piece} P {moves} L {piece} Q {drops} D pieces}" + TURNS,
        "3",
    ),
    "a piece without a list is after the others": (
        "{moves L {move} stuck {move-type} t1 moves}"
        " {pieces {piece} P {moves} L {piece} Q pieces}"
        + TURNS
        + " {board-setup {setup} A P a1 {setup} B P b1 {setup} A Q c1 board-setup} ",
        "1",
    ),
    "the last piece of the player": (
        "{moves L {move} stuck {move-type} t1 moves} {moves M {move} stuck {move-type} t2 moves}"
        " {pieces {piece} P {moves} L {piece} Q {moves} M pieces}"
        + TURNS
        + " {board-setup {setup} A Q a1 {setup} B Q b1 {setup} A P c1 board-setup} ",
        "1",
    ),
    "no entry": ("{moves L {move} stuck {move-type} t1 moves}" + PIECE + TURNS, "0"),
}
NO_PIECE = " {board-setup {setup} B P b1 board-setup}\n"


def start(folder: Path, text: str, axiom: int = 150) -> Position:
    return load_text(folder, text, name="scan.4th", axiom=axiom).start()


@pytest.mark.parametrize("axiom", [140, 150])
@pytest.mark.parametrize("name", PASSES)
def test_type_of_a_forced_pass(tmp_path: Path, name: str, axiom: int) -> None:
    text, expected = PASSES[name]
    setup = "" if "{board-setup" in text else NO_PIECE if name == "no entry" else SETUP
    position = start(tmp_path, BOARD + text + setup + FIRST_TYPE, axiom)
    assert position.legal_moves.texts == ("Pass",)
    assert position.comment == expected


def test_type_of_a_forced_pass_comes_from_an_earlier_list(tmp_path: Path) -> None:
    lists = "{moves L {move} go {move-type} t2 {move} stuck {move-type} t1 moves}"
    text = BOARD + lists + PIECE + TURNS + NO_PIECE + FIRST_TYPE
    position = start(tmp_path, text)
    assert position.comment == "0"  # no scan has come to an entry
    play(position, "Pass", "P b1 - c1")
    assert (position.legal_moves.texts, position.comment) == (("Pass",), "1")


def test_a_list_without_entries_keeps_the_type_of_an_earlier_list(tmp_path: Path) -> None:
    lists = "{moves L {move} go {move-type} t2 {move} stuck {move-type} t1 moves}"
    pieces = (
        " VARIABLE none 1024 ALLOT {pieces {piece} P {moves} L {piece} Q {moves} none pieces}\n"
    )
    setup = " {board-setup {setup} A Q d1 {setup} B P b1 board-setup}\n"
    position = play(
        start(tmp_path, BOARD + lists + pieces + TURNS + setup + FIRST_TYPE), "Pass", "P b1 - c1"
    )
    assert (position.legal_moves.texts, position.comment) == (("Pass",), "1")


def test_type_of_a_forced_pass_in_a_list_of_the_script(tmp_path: Path) -> None:
    lists = "{moves L {move} stuck {move-type} t2 moves}"
    for arguments in ("B FALSE t1", "A TRUE t1", "A FALSE 0"):
        hook = (
            f" : OnIsGameOver ( -- n ) 0 v ! {arguments} $GenerateMoves $FirstMove .moveType @ v !"
            " $DeallocateMoves v @ 2 = IF #DrawScore ELSE #UnknownScore ENDIF ;"
        )
        position = start(tmp_path, "VARIABLE v\n" + BOARD + lists + PIECE + TURNS + SETUP + hook)
        assert position.result is not None, arguments


PIECES = {
    "a type without a list": ("{setup} A Q a1", 0),
    "the piece with a list before it": ("{setup} A P a1 {setup} A Q b1", 0x801),
    "the piece with a list after it": ("{setup} A Q a1 {setup} A P b1", 0x801),
    "a list without entries of the turn's type": ("{setup} A R a1 {setup} A Q c1", 0x803),
    "pieces of the other player": ("{setup} A P a1 {setup} B P b1 {setup} B R c1", 0x801),
}


@pytest.mark.parametrize("name", PIECES)
def test_current_piece_after_a_list(tmp_path: Path, name: str) -> None:
    setup, piece = PIECES[name]
    position = start(tmp_path, WITH_TYPES + f" {{board-setup {setup} board-setup}}\n" + PIECE_AFTER)
    assert position.comment == str(piece)


WITH_TYPES = (
    BOARD.replace("1 4 {grid}", "12 4 {grid}")
    + "{moves L {move} go {move-type} t1 moves} {moves M {move} go {move-type} t2 moves}"
    " {pieces {piece} P {moves} L {piece} Q {piece} R {moves} M pieces}"
    " {turn-order {turn} A {of-type} t1 {turn} B {of-type} t1 turn-order}"
)
LONG = (
    " {board-setup {setup} A P a1 {setup} B P a2 {setup} A P a3 {setup} B P a4 {setup} A Q d12"
    " {setup} B Q c12 {setup} B R a11 {setup} A Q a10 board-setup} "
)
EVALUATIONS = {
    "the current piece": "current-piece 255 AND here +",
    "the type of a pass": "$lastMoveType @ 100 *",
    "whether a pass was forced": "$passed @ 7 *",
}


@pytest.mark.parametrize("engine", ["axiom:depth=4", "negamax:depth=4"])
@pytest.mark.parametrize("name", EVALUATIONS)
def test_lists_that_are_omitted_leave_the_same(tmp_path: Path, name: str, engine: str) -> None:
    hook = f" : OnEvaluate ( -- n ) {EVALUATIONS[name]} ;"
    results = []
    for mode in (ListMode.COMPLETE, ListMode.PROMISED):
        position = start(tmp_path, WITH_TYPES + LONG + hook)
        with list_mode(position, mode) as native:
            native.set_option(Option.PROMISES, 7)
            found = engines.get(engine).play(position)
        results.append((str(found.move), found.score, found.nodes))
    assert results == results[:1] * 2
