"""Tests that every library builds the same tables for a small game.

The expected contents were computed by hand from axiom-reference.md, a description of the original:
section 19 has the tables, section 11 the values.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm.core.errors import ForthVMError
from forthvm.core.vm import VM
from tests.kit.cases import each_case

FOLDER = Path(__file__).resolve().parent
#: library and version; None: the version that the library states
LIBRARIES: list[tuple[str | Path, int | None]] = [
    ("axiom", 140),
    ("axiom", 150),
    ("axiom", 151),
    *((folder, None) for folder in sorted(FOLDER.iterdir()) if (folder / "CORE.4TH").is_file()),
]

# Indexes: a3 0, b3 1, c3 2, a2 3 … c1 8, hand 9.  The board is 10 positions, the variable v, the
# array arr of two cells and the three bytes of ca: 40 + 4 + 8 + 3 = 55 bytes.  mm is a list of the
# move words m1 and m2; tt and uu are move types.
GAME = """
{board 3 3 {grid} {position} hand {variable} v 2 {array} arr 3 {carray} ca board}
{directions
    -1 0 {direction} n 1 0 {direction} s 0 1 {direction} e 0 -1 {direction} w
    {link} up hand a1
directions}
{players {player} A {player} B {neutral} N {random} players}
{symmetries B {symmetry} n s symmetries}
{turn-order {turn} A {repeat} {turn} B {for-player} A {of-type} tt turn-order}
: m1 ; : m2 ;
{moves mm {move} m1 {move-type} tt {move} m2 {move-type} uu {move} m1 moves}
{move-priorities {move-priority} uu {move-priority} tt move-priorities}
{pieces {piece} P {moves} mm 5 {value} {piece} Q {drops} mm pieces}
{board-setup {setup} A P a1 {setup} B Q hand board-setup}
: cell ( addr n -- x ) CELLS + @ ;
: name ( cfa -- ) CFA>NFA @ TYPE SPACE ;
: nth-name ( i -- ) $posNames @ SWAP CELLS + @ TYPE SPACE ;
: names ( -- ) 10 0 DO I nth-name LOOP ;
: ranks ( -- ) 4 0 DO $move-priorities @ I cell . LOOP ;
: set-up ( -- ) 7 1 DO $boardSetup @ I cell TYPE SPACE LOOP ;
: try ( pos 'dir -- ) SWAP to EXECUTE . here . ;
"""

CHECKS = [
    # the definition leaves nothing on the stack
    ("DEPTH .", "0"),
    ("$positions @ . $boardSize @ . $rows @ . $columns @ .", "10 55 3 3"),
    ("a1 . c3 . hand .", "6 2 9"),
    ("names", "a3 b3 c3 a2 b2 c2 a1 b1 c1 hand"),
    ("' ?? CFA>NFA @ $anonymous @ = .", "-1"),
    # players are 2048 apart, a neutral one has 1024 more
    ("A . B . N . $playerCount @ .", "2048 4096 7168 3"),
    ("$players @ 2 cell name $engines @ 0 cell name $engines @ 2 cell name",
     "N $NegamaxMove $RandomMoveEngine"),
    # variables and arrays are in the board, after the positions
    ("v $board @ - . 0 arr $board @ - . 1 arr $board @ - . 2 ca $board @ - .", "40 44 48 54"),
    # before the board, a link cell contains 0
    ("$board @ 4 - @ .", "0"),
    # five directions; the body of each has a cell per position
    ("$directionCount @ . $directions @ 4 cell name", "5 up"),
    ("a1 ' e try c1 ' e try hand ' up try hand ' e try", "-1 7 0 8 -1 6 0 9"),
    # a symmetry: n means n for A and s for B
    ("0 $playerOffset ! a2 ' n try 4 $playerOffset ! a2 ' n try 0 $playerOffset !", "-1 0 -1 6"),
    ("$symmetries @ 0 cell name $symmetries @ 1 cell name $symmetries @ 4 cell name", "n s n"),
    # turns: 12 bytes each; the second turn follows the last
    ("$turnLimit @ . $repeatOffset @ .", "24 12"),
    ("$turnOrder @ 0 cell name $turnOrder @ 3 cell name $turnOrder @ 4 cell name", "A B A"),
    ("$turnOrder @ 2 cell . $turnOrder @ 5 cell .", "0 1"),
    ("0 next-turn-offset . 12 next-turn-offset . 12 turn-offset-to-player .", "12 12 4096"),
    ("12 $SetTurn $player @ . $forPlayer @ . $ofType @ . $playerOffset @ . $playerName @ TYPE",
     "4096 2048 1 4 B"),
    # the list of move words: count, then word and type
    ("' mm CFA>PFA 0 cell . ' mm CFA>PFA 1 cell name", "3 m1"),
    ("' mm CFA>PFA 2 cell . ' mm CFA>PFA 4 cell . ' mm CFA>PFA 6 cell .", "1 2 0"),
    # ranks by move type; move words without a type, and types without a rank, have rank 1000
    ("tt . uu . ranks", "1 2 1000 2 1 1000"),
    # pieces: name, moves, drops, value
    ("$pieceCount @ . $pieces @ 0 cell name $pieces @ 1 cell name", "2 P mm"),
    ("$pieces @ 2 cell . $pieces @ 3 cell . $pieces @ 5 cell . $pieces @ 7 cell .", "0 5 0 1"),
    ("$pieces @ 6 cell name Q piece-value .", "mm 1"),
    # the set-up contains the addresses of names
    ("$boardSetup @ @ . set-up", "2 A P a1 B Q hand"),
    # the tables of hash keys exist
    ("$zobrist @ 0<> . $playerToMoveHash @ 0<> .", "-1 -1"),
    # rows are numbered from the bottom
    ("0 $IndexToPosition . . 97 2 $PositionToIndex .", "3 97 3"),
    # links can be changed in existing directions
    ("{unlink} e a1 a1 ' e try {link} e a1 c3 a1 ' e try", "0 6 -1 2"),
    # a second section replaces the first; earlier compiled code keeps its constants
    (": old B ; {players {player} B {player} A players} B . old . $playerCount @ .",
     "2048 4096 2"),
    ("{turn-order {turn} A turn-order} $turnLimit @ . 0 next-turn-offset .", "12 0"),
    ("{board-setup board-setup} $boardSetup @ @ .", "0"),
    ("{pieces {piece} X pieces} $pieceCount @ . X . $pieces @ 0 cell name", "1 1 X"),
    ("DEPTH .", "0"),
]  # fmt: skip


@pytest.fixture(
    scope="module", params=LIBRARIES, ids=lambda p: f"{Path(p[0]).name}-{p[1] or 'own'}"
)
def defined(request: pytest.FixtureRequest) -> tuple[VM, list[str]]:
    """Return a VM that has interpreted the game, and the list of its output."""
    library, version = request.param
    printed: list[str] = []
    vm = VM(library=library, axiom=version, output=printed.append)
    vm.interpret(GAME)
    return vm, printed


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("source", "expected"), CHECKS, ids=lambda text: text[:40])
def test_tables_have_the_expected_contents(
    defined: tuple[VM, list[str]], source: str, expected: str
) -> None:
    """The order of the checks matters, since later checks redefine sections."""
    vm, printed = defined
    printed.clear()
    vm.interpret(source)
    assert "".join(printed).split() == expected.split()


@each_case(
    "source",
    ["{players players}", "{directions", "{moves nothing moves}", "{pieces pieces}"],
)
@each_case("library", LIBRARIES, ids=lambda p: f"{Path(p[0]).name}-{p[1] or 'own'}")
def test_empty_sections_are_refused(library: tuple[str | Path, int | None], source: str) -> None:
    vm = VM(library=library[0], axiom=library[1])
    with pytest.raises(ForthVMError, match=r"[Nn]o |needs|before"):
        vm.interpret(source)
