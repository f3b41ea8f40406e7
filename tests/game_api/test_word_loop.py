"""Move words run in a loop of machine code, with the same results as in the interpreter."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import AddressError
from forthvm.game.outcome import UNKNOWN
from tests.kit.games import load_text
from tests.kit.messages import raises

HEAD = """
{directions 0 1 {direction} right directions}
{players {player} A {player} B players}
"""
# The word `change` replaces the word after it in the list, and on the last square restores it.
CHANGED = (
    "{board 1 6 {grid} board}"
    + HEAD
    + """
{turn-order {turn} A {turn} B turn-order}
DEFER WORDS
: old ( -- ) from e1 move add-move ;
: new ( -- ) from f1 move add-move ;
: change ( -- ) here c1 = IF ['] old ELSE ['] new ENDIF WORDS 12 + ! ;
{moves words {move} change {move} old moves}
{pieces {piece} pawn {moves} words pieces}
{board-setup {setup} A pawn a1 {setup} A pawn b1 {setup} A pawn c1 board-setup}
' words IS WORDS
"""
)
# Each word pops items below the base of the stack, which are 0, and leaves other numbers there.
POPS = (
    "{board 1 4 {grid} board}"
    + HEAD
    + """
{turn-order {turn} A {turn} B turn-order}
: litter ( -- ) 2DROP 2DROP 5 6 7 8 9 ;
: looks ( -- ) DROP DROP 0= verify DROP 0= verify from right verify here move add-move ;
{moves words {move} litter {move} looks {move} litter {move} looks moves}
{pieces {piece} pawn {moves} words pieces}
{board-setup {setup} A pawn a1 board-setup}
"""
)
# The list of the pawn's move words is at the invalid address 2.
DAMAGED = (
    "{board 1 4 {grid} board}"
    + HEAD
    + """
{turn-order {turn} A {turn} B turn-order}
: step ( -- ) right verify empty? verify from here move add-move ;
{moves words {move} step moves}
{pieces {piece} pawn {moves} words pieces}
{board-setup {setup} A pawn a1 board-setup}
2 $pieces @ 2 CELLS + !
"""
)
# Drop words of two move types.  If those of the last type do not run, it nevertheless becomes the
# type of the current piece.
TYPES = (
    "{board 2 10 {grid} board}"
    + HEAD
    + """
{turn-order {turn} A {of-type} one {turn} B {of-type} two turn-order}
: place ( -- ) empty? verify drop add-move ;
: step ( -- ) from right verify empty? verify here move add-move ;
{moves first {move} place {move-type} one moves}
{moves second {move} place {move-type} two moves}
{moves steps {move} step {move-type} one {move} step {move-type} two moves}
{pieces
    {piece} stone
    {piece} man {moves} steps {drops} first
    {piece} king {moves} steps {drops} second
    {piece} wall
pieces}
{board-setup {setup} A man a1 {setup} B king b2 board-setup}
: list ( type -- ) A FALSE ROT $GenerateMoves move-count . current-piece-type . $DeallocateMoves ;
: OnIsGameOver ( -- result ) one list two list 0 list #UnknownScore ;
"""
)
GENERATIONS = 40  # the words are compiled


@pytest.fixture(params=["interpreter", "native", "eager"])
def tier(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("FORTHVM_TIER", request.param)
    return str(request.param)


def start(folder: Path, script: str) -> forthvm.Position:
    return load_text(folder, script).start()


@pytest.mark.usefixtures("tier")
def test_words_may_change_their_list(tmp_path: Path) -> None:
    position = start(tmp_path, CHANGED)
    for _ in range(GENERATIONS):
        assert [str(move) for move in position.copy().legal_moves] == [
            "pawn a1 - f1",
            "pawn b1 - f1",
            "pawn c1 - e1",
        ]


@pytest.mark.usefixtures("tier")
def test_items_below_the_base_are_zero_for_each_word(tmp_path: Path) -> None:
    position = start(tmp_path, POPS)
    for _ in range(GENERATIONS):
        assert len(position.copy().legal_moves) == 2


@pytest.mark.usefixtures("tier")
def test_drop_words_of_the_demanded_type(tmp_path: Path) -> None:
    printed: list[str] = []
    game = load_text(tmp_path, TYPES, output=printed.append)
    for _ in range(GENERATIONS):
        printed.clear()
        assert game.start()._code == UNKNOWN
        # For each type the number of moves and the type of the current piece afterwards.
        assert "".join(printed) == "19 3 19 3 38 3 "


@pytest.mark.usefixtures("tier")
def test_error_names_the_address_of_an_invalid_list(tmp_path: Path) -> None:
    position = start(tmp_path, DAMAGED)
    with raises(AddressError, "word-loop.error-names-the-address"):  # its body
        assert position.legal_moves


@pytest.mark.usefixtures("tier")
@pytest.mark.parametrize("types", [1, 200])
def test_a_list_of_half_the_memory_is_refused(tmp_path: Path, types: int) -> None:
    """Each of many types has the list, whose words are of another move type."""
    pieces = "".join(f"{{piece}} p{number} {{moves}} words\n" for number in range(types))
    position = start(
        tmp_path,
        "{board 1 2 {grid} board}"
        + HEAD
        + "7654321 CONSTANT one\n{turn-order {turn} A {of-type} one turn-order}\n"
        + ": stay ( -- ) add-move ;\n{moves words {move} stay {move-type} two moves}\n"
        + f"{{pieces {pieces} pieces}}\n{{board-setup {{setup}} A p0 a1 board-setup}}\n"
        + "CREATE space 24000000 ALLOT\n: OnGenerateMoves ( -- ) 2000000 words ! ;\n",
    )
    with raises(AddressError, "word-loop.large-list"):
        position.copy().legal_moves[0]


@pytest.mark.usefixtures("tier")
@pytest.mark.parametrize("count", [-5, -(2**31)])
def test_no_piece_types(tmp_path: Path, count: int) -> None:
    """No words run if a script claims that the number of piece types is negative."""
    position = start(
        tmp_path,
        "{board 1 2 {grid} board}"
        + HEAD
        + "{turn-order {turn} A turn-order}\n"
        + ": step ( -- ) right verify from here move add-move ;\n{moves words {move} step moves}\n"
        + "{pieces {piece} man {moves} words pieces}\n{board-setup {setup} A man a1 board-setup}\n"
        + "VARIABLE types $pieceCount @ types !\n"
        + f": OnGenerateMoves ( -- ) {count} $pieceCount ! ;\n"
        + ": OnNewGame ( -- ) types @ $pieceCount ! ;\n",
    )
    assert len(position.copy().legal_moves) == 0
