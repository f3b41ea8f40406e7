"""Tests of codes with further examples: scripts with a finding, and similar scripts without it.

Each example is a code, which forthvm/check/codes.py describes, and a script.  In most scripts the
finding is in the word `w`, in the move word `step`, or in `move1`, which `step` calls.
"""

from __future__ import annotations

import pytest

from tests.check.conftest import Checker
from tests.kit.boards import GRID_3X3

PIECES = """
{moves man-moves {move} step moves}
{pieces {piece} Man {moves} man-moves pieces}
"""


def game(code: str) -> str:
    """Return a game whose piece moves by the word `step` in the code."""
    return GRID_3X3 + code + PIECES


BOARD_WITH_WEST_AND_NORTH = GRID_3X3.replace(
    "{direction} east", "{direction} east 0 -1 {direction} west -1 0 {direction} north"
)
SETUP = (
    "{board-setup "
    + " ".join(
        f"{{setup}} {player} Man {column}{row}"
        for player, column in (("White", "a"), ("Black", "c"))
        for row in (1, 2, 3)
    )
    + " board-setup}\n"
)
DEFINE_GO = ": go ( -- ) from here move add-move ; "
ON_IS_GAME_OVER = ": OnIsGameOver ( -- n ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;"


def game_with_move1(code: str) -> str:
    """Return a game whose move word `step` calls `move1` with a direction."""
    return BOARD_WITH_WEST_AND_NORTH + DEFINE_GO + code + " : step ( -- ) ['] east move1 ;" + PIECES


STEP = ": step ( -- ) east verify from here move add-move ; "
#: A game whose turns all have the type `go`, with two moves.
TYPED = (
    GRID_3X3.replace("{turn} White", "{turn} White {of-type} go")
    .replace("{turn} Black", "{turn} Black {of-type} go")
    .replace("{", "{{")
    .replace("}", "}}")
    + STEP
    + ": stop ( -- ) from here move add-move ; "
    "{{moves man-moves {{move}} step {first} {{move}} stop {second} moves}} "
    "{{pieces {{piece}} Man {{moves}} man-moves pieces}}"
)


def two_moves(first: str, second: str) -> str:
    """Return a game with two move words, which differ in how they reach a square."""
    return (
        BOARD_WITH_WEST_AND_NORTH
        + f": step {first} from here move add-move ; : other {second} from here move add-move ; "
        + PIECES.replace("step", "step {move} other")
    )


def symmetries(*pairs: str) -> str:
    """Return a board and players, with symmetries of Black for these pairs of directions."""
    declared = " ".join(f"Black {{symmetry}} {pair}" for pair in pairs)
    return BOARD_WITH_WEST_AND_NORTH + f"{{symmetries {declared} symmetries}}"


WITH_FINDING = [
    # stack comments and effects
    ("W201", ": w ( a -- ) ;"),
    ("W201", ": w ( -- a ) ;"),
    ("W201", ": w ( a -- b ) 1 PICK ;"),
    ("W201", ": w ( a -- ) >R R> ;"),
    ("W202", "VARIABLE v : w ( a b -- c ) v @ IF EXIT ENDIF + ;"),
    ("W201", ": down ( n -- n ) DUP 0> IF 1- RECURSE ELSE DROP ENDIF ;"),
    ("W201", ": w ( -- ) ['] HERE EXECUTE ;"),
    ("W201", "DEFER d ' HERE IS d : w ( -- ) d ;"),
    ("W201", "VARIABLE v : set ( -- ) ['] HERE v ! ; : w ( -- ) v @ EXECUTE ; set"),
    ("W201", "CREATE table ' HERE , ' BL , : w ( n -- ) CELLS table + @ EXECUTE ;"),
    ("W201", ": w ( -- n TRUE | FALSE ) 1 2 3 ;"),
    ("W201", ": w ( -- ) \\ nothing\n 1 ;"),
    ("W201", ": w \\ ( -- ) a comment of this kind\n 1 ;"),
    # different depths
    ("W202", ": w ( ? -- ) IF 1 ENDIF ;"),
    ("W202", ": w ( ? -- ) IF 1 ELSE 2 3 ENDIF DROP ;"),
    ("W202", ": w ( ? -- ) IF 1 EXIT ENDIF ;"),
    ("W202", ": w ( n -- n ) DUP 2 = IF DROP ELSE DUP 3 = IF ENDIF ENDIF ;"),
    # loops
    ("W203", ": w ( -- ) 10 0 DO I LOOP ;"),
    ("W203", "VARIABLE v : w ( -- ) BEGIN 1 v @ UNTIL ;"),
    ("W203", ": w ( n -- ) BEGIN DUP WHILE DUP 1- REPEAT DROP ;"),
    ("W203", "VARIABLE v : w ( -- ) BEGIN 1 v @ DUP IF SWAP DROP ENDIF UNTIL ;"),
    ("W203", "VARIABLE v : w ( -- ) BEGIN 1 v @ DUP 0= IF SWAP DROP ENDIF 0= UNTIL ;"),
    ("W204", ": w ( a b c -- ) 3 0 DO DROP LOOP ;"),
    ("W204", ": w ( n -- ) BEGIN DUP 0> WHILE DROP REPEAT DROP ;"),
    # words that the host calls
    ("W205", ": mine DROP ; {players {player} A {search-engine} mine players}"),
    ("W205", ": OnEvaluate current-player = ;"),
    ("W206", ": OnIsTerminal? TRUE FALSE ;"),
    ("W206", ": OnNewGame 1 ;"),
    ("W206", game(": step east verify 5 from here move add-move ;")),
    # the return stack
    ("E301", "VARIABLE v : w ( n -- ) >R v @ IF R> DROP ENDIF ;"),
    ("E301", ": w ( -- ) 3 0 DO I >R LOOP ;"),
    ("E301", ": w ( -- ) 5 >R 3 EXIT R> DROP ;"),
    ("W302", ": w ( -- n ) J ;"),
    ("W302", ": w ( -- n ) 3 0 DO J DROP LOOP 1 ;"),
    ("W302", ": w ( -- ) LEAVE ;"),
    ("W303", ": w ( -- ) 3 0 DO R> DROP LOOP ;"),
    ("E304", "VARIABLE v : out ( -- ) 3 0 DO 2 0 DO v @ IF EXIT ENDIF LOOP LOOP ;"),
    ("W305", ": w ( -- ) BEGIN 1 DROP ;"),
    ("W307", "DEFER d : w ( -- ) d ;"),
    # the game
    ("W401", game(": step east verify back ; ")),
    ("W404", game(": step ( -- ) east IF add-move ENDIF ;")),
    ("W405", game(": step White FALSE 0 $GenerateMoves east verify from here move add-move ;")),
    ("W406", "VARIABLE v : mark ( -- ) v @ verify ; : w ( -- ) COMPILE mark ; w"),
    ("W406", ": test ( -- ? ) here empty-at? DUP verify ; : OnIsTerminal? ( -- ? ) test ;"),
    ("W407", "{board 3 3 {grid} {variable} v {position} hand board}"),
    ("W407", "{board {position} hand 3 3 {grid} board}"),
    (
        "W407",
        "{players {player} A players} {turn-order {turn} A {of-type} t turn-order} " + GRID_3X3,
    ),
    # words that get something else than a token, or an address
    ("W314", ": w ( -- ) 3 EXECUTE ;"),
    ("W314", ": run ( 'x -- ) EXECUTE ; 5 CONSTANT five : w ( -- ) five run ;"),
    ("W314", game("VARIABLE d : go ( -- ) d EXECUTE ; : step ( -- ) go from here move add-move ;")),
    ("W315", game(": step ( -- ) ' east EXECUTE verify from here move add-move ;")),
    ("W315", game(": go ( -- ) ' east EXECUTE verify ; : step go from here move add-move ;")),
    ("W315", "VARIABLE d : east ; : OnNewGame ( -- ) ' east d ! ;"),
    ("W704", "VARIABLE n : w ( -- ) n 1 ! ;"),
    ("W704", "5 CONSTANT five : w ( -- ) five @ DROP ;"),
    ("W704", "VARIABLE n : w ( -- ) n -1 +! ;"),
    ("W704", game("VARIABLE n : step east verify n here ! from here move add-move ;")),
    # moves that are lost, or never made
    ("W421", game(": go ( -- ) add-move capture ; : step ( -- ) from here move go ;")),
    ("W421", game(": go from here move add-move ; : step ( -- ) east verify go here capture-at ;")),
    ("W421", game(": step east IF from here move add-move ELSE add-move capture ENDIF ;")),
    ("W422", TYPED.format(first="", second="{move-type} go")),
    ("W422", TYPED.format(first="{move-type} go", second="{move-type} stay")),
    ("W423", game(STEP) + "{board-setup {setup} White Man a1 {setup} White Man a1 board-setup}"),
    ("W424", two_moves("east verify", "east verify")),
    ("W424", two_moves("3 0 DO east verify LOOP", "3 0 DO east verify LOOP")),
    ("W425", game(": step BEGIN from to east verify from here move add-move 0 UNTIL ;")),
    (
        "W425",
        game(
            ": go ( -- ) from here move add-move ; "
            ": step BEGIN from to east verify go FALSE UNTIL ;"
        ),
    ),
    # endless loops
    ("W313", ": w ( -- ) BEGIN FALSE UNTIL ;"),
    ("W313", ": w ( -- ) 0 BEGIN 1+ DUP 5 = IF CR ENDIF FALSE UNTIL DROP ;"),
    ("W313", ": w ( -- ) BEGIN TRUE WHILE REPEAT ;"),
    ("W313", "VARIABLE v : w ( -- ) BEGIN v @ UNTIL BEGIN 3 0 DO v ++ LOOP 0 UNTIL ;"),
    # unchecked steps
    ("W413", game_with_move1(": move1 EXECUTE DROP go ;")),
    (
        "W413",
        game_with_move1(": move1 ( 'dir -- ) DUP EXECUTE verify EXECUTE DROP enemy? verify go ;"),
    ),
    ("W413", game_with_move1(": move1 ( 'dir -- ) 2 0 DO DUP EXECUTE DROP LOOP DROP go ;")),
    ("W413", game_with_move1(": move1 ( 'dir -- ) BEGIN DUP EXECUTE DROP enemy? UNTIL DROP go ;")),
    (
        "W413",
        game_with_move1(": move1 ( 'dir -- ) BEGIN DUP EXECUTE DROP empty? WHILE go REPEAT DROP ;"),
    ),
    (
        "W413",
        game_with_move1(
            ": move1 ( 'dir -- ) BEGIN DUP EXECUTE DROP enemy? NOT WHILE go REPEAT DROP ;"
        ),
    ),
    (
        "W413",
        BOARD_WITH_WEST_AND_NORTH
        + DEFINE_GO
        + ": step ( -- ) ['] north EXECUTE DROP go ;"
        + PIECES,
    ),
    (  # one of two callers has not walked before
        "W413",
        game_with_move1(
            ": again ( 'dir -- ) from to EXECUTE DROP here capture-at ; "
            ": other ( 'dir -- ) again add-move ; "
            ": move1 ( 'dir -- ) DUP EXECUTE verify enemy? verify DUP again other ;"
        ).replace("['] east move1", "['] east other ['] east move1"),
    ),
    (  # the caller walks further, not again
        "W413",
        game_with_move1(
            ": on ( 'dir -- ) EXECUTE DROP go ; "
            ": move1 ( 'dir -- ) DUP EXECUTE verify empty? verify on ;"
        ),
    ),
    (  # the caller has walked before, but the loop never ends
        "W413",
        game_with_move1(
            ": turn-over ( 'dir -- ) "
            "back BEGIN DUP EXECUTE DROP current-player change-owner FALSE UNTIL DROP ; "
            ": move1 ( 'dir -- ) DUP EXECUTE verify enemy? verify turn-over go ;"
        ),
    ),
    # end of the game, symmetries, turns
    ("W412", game(": step ( -- ) east verify empty? verify from here move add-move ;") + SETUP),
    ("W414", symmetries("east west", "north west")),
    ("W414", symmetries("east west", "east north")),
    ("W415", GRID_3X3 + "{players {player} Black {player} White players}"),
    ("W415", GRID_3X3 + "{players {player} White players}"),
    # names and text
    ("W409", ": onNewGame ( -- ) ;"),
    ("W409", ": OnIsGameOver? ( -- score ) 0 ;"),
    ("W501", "VARIABLE unused"),
    ("W501", ": loop ( -- ) RECURSE ;"),
    ("W502", "3 CONSTANT capture capture ."),
    ("W503", "3 CONSTANT n n . 4 CONSTANT n n ."),
    ("W503", ": x ( -- ) ; : w ( -- ) ; FORGET w x : x ( -- ) ; x"),
    ("W601", ": w ( -- ) \\ \n 1 DROP\n ; w"),
    ("W603", ": w ( a ( the first ) -- ) ;"),
    # arrays
    ("W701", "3 [] row : w ( -- addr ) -1 row ;"),
    ("W701", "3 [] row : w ( -- ) 4 0 DO 0 I row ! LOOP ;"),
    ("W701", "3 [] row : put ( x i -- ) row ! ; : w ( -- ) 5 3 put ;"),
    ("W701", "{board 2 2 {grid} 2 {array} kept board} : w ( -- addr ) 2 kept ;"),
]

WITHOUT_FINDING = [
    ("W314", "VARIABLE d : w ( -- ) ['] DROP d ! 1 d @ EXECUTE ;"),
    ("W314", ": run ( 'x -- ) EXECUTE ; : w ( -- ) ['] HERE run DROP ;"),
    ("W315", ": define ( -- ) ' , ; : step ;"),
    ("W704", "VARIABLE n : w ( -- ) 1 n ! HERE @ DROP PAD C@ DROP ;"),
    ("W704", "VARIABLE m : w ( -- ) m @ .moveCFA CELLSIZE + @ DROP ;"),
    ("W704", "VARIABLE n VARIABLE p : w ( -- ) n p ! p @ @ DROP ;"),
    ("W421", game(": go add-move capture ; : step from here move go add-move ;")),
    ("W421", game(": step BEGIN east verify from here move add-move capture FALSE UNTIL ;")),
    ("W422", TYPED.format(first="{move-type} go", second="{move-type} go")),
    ("W422", TYPED.format(first="", second="{move-type} go").replace(" {of-type} go", "")),
    (
        "W422",
        "2 CONSTANT stay : turn stay partial-move-type ; "
        + TYPED.format(first="{move-type} go", second="{move-type} stay"),
    ),
    ("W424", two_moves("east verify", "west verify")),
    (
        "W424",
        two_moves("east verify", "east verify").replace(
            "step {move} other", "step {move-type} quick {move} other {move-type} slow"
        ),
    ),
    ("W424", two_moves("2 0 DO east verify LOOP", "1 0 DO east verify LOOP")),
    (
        "W425",
        game(
            "VARIABLE n : step 1 n ! BEGIN from to n @ 0 DO east verify LOOP "
            "from here move add-move n ++ FALSE UNTIL ;"
        ),
    ),
    ("W425", game(": step BEGIN from to east verify from here move add-move FALSE 0= UNTIL ;")),
    ("W201", ": w ( a b -- b a ) SWAP ;"),
    ("W201", ": w ( a b c -- a b c ) ;"),
    ("W201", ": w ( a -- a a ) 0 PICK ;"),
    ("W201", ": w ( ... n -- ) DROP DROP ;"),
    ("W202", ": w ( .. n -- .. ) IF 1 ENDIF ;"),
    ("W201", ": down ( n -- 0 ) DUP 0> IF 1- RECURSE ENDIF ;"),
    ("W201", ": w ( -- ) ABORT ;"),
    ("W201", ": w ( a -- b ) BEGIN 1- DUP 0= UNTIL ;"),
    ("W201", ": w ( a -- b ) >R 3 0 DO I DROP LOOP R> ;"),
    ("W201", "DEFER d : w ( -- n ) d ; ' BL IS d"),
    ("W201", 'S" x" DROP : w ( -- ) S" text" TYPE ." more" ;'),
    ("W201", ": w ( n -- ) IMMEDIATE ; IMMEDIATE"),
    ("W201", ": IS-ODD ( n -- ? ) 2 MOD ; : w ( 'x n -- ? ) SWAP EXECUTE ; ' IS-ODD 3 w ."),
    ("W201", ": maker ( n -- ) <BUILDS , DOES> @ ; 3 maker three : w ( -- n ) three ;"),
    ("W201", ": w ( dir -- ) EXECUTE ; : w2 ( -- ) ['] CR w ;"),
    ("W202", ": w ( ? -- n ) IF 1 ELSE 2 ENDIF ;"),
    (
        "W202",
        ": f ( -- n TRUE | FALSE ) 1 . TRUE DUP IF 3 SWAP ENDIF ; : w ( -- ) f IF DROP ENDIF ;",
    ),
    ("W202", ": w ( n -- ) DUP 3 = IF TRUE ELSE DROP FALSE ENDIF IF DROP ENDIF ;"),
    ("W202", ": w ( ? -- ) IF 1 ELSE ABORT ENDIF DROP ;"),
    ("W203", ": w ( -- ) 10 0 DO I DROP LOOP ;"),
    ("W203", ": w ( -- n ) 0 10 0 DO I + LOOP ;"),
    ("W203", ": w ( -- ) 1 0 DO I LOOP DROP ;"),
    ("W203", ": w ( n -- ... ) BEGIN DUP 1- DUP 0= UNTIL ;"),
    ("W203", ": w ( -- ) BEGIN 1 TRUE UNTIL DROP ;"),
    ("W203", "VARIABLE v : w ( -- 1 ) BEGIN 1 v @ DUP 0= IF SWAP DROP ENDIF UNTIL ;"),
    ("W203", "VARIABLE v : w ( -- 1 ) BEGIN 1 v @ DUP IF SWAP DROP ENDIF NOT UNTIL ;"),
    ("W203", ": w ( ? -- ) DUP BEGIN IF ELSE ENDIF DUP UNTIL DROP ;"),
    ("W204", ": w ( n -- ) BEGIN 1- DUP 0= DUP IF SWAP DROP ENDIF UNTIL ;"),
    ("W204", ": w ( -- ) 3 BEGIN 1- DUP WHILE REPEAT DROP ;"),
    ("W205", ": OnFriends? ( a b -- ? ) = ;"),
    ("W206", ": OnNewGame ( -- ) ; : OnEditAdd ( player type pos -- ) DROP DROP DROP ;"),
    ("W206", game(": step ( -- ) east verify from here move add-move FALSE verify ;")),
    ("E301", ": w ( n -- n ) >R 3 0 DO LOOP R> ;"),
    ("E301", ": w ( ? -- ) IF 1 >R ELSE 2 >R ENDIF R> DROP ;"),
    ("W302", ": w ( -- ) 3 0 DO 3 0 DO I J + DROP LOOP LOOP ;"),
    ("W303", ": w ( n -- ) >R 3 0 DO I DROP LOOP R> DROP ;"),
    ("E304", ": w ( -- ) BEGIN TRUE IF EXIT ENDIF FALSE UNTIL ;"),
    ("W305", ": w ( ? -- ) IF BEGIN 1 UNTIL ELSE ENDIF ;"),
    ("W307", "DEFER d : set ( -- ) ['] CR IS d ; set d"),
    ("W401", game(": step ( -- ) Pass ;")),
    (
        "W401",
        game("DEFER act : step ( -- ) east verify act ; : go ( -- ) from here move add-move ;")
        + " ' go IS act",
    ),
    (
        "W401",
        game(
            ": with ( 'x -- ) EXECUTE ; : go ( -- ) from here move add-move ; "
            ": step ( -- ) east verify ['] go with ;"
        ),
    ),
    (
        "W402",
        game(": step ( -- ) east verify from here move add-move ;")
        + "{moves drops {move} step moves} {pieces {piece} P {drops} drops pieces}",
    ),
    ("W404", game(": mark ( -- ) ; : step ( -- ) east verify COMPILE mark add-move ;")),
    (
        "W405",
        game(": step ( -- ) east verify from here move add-move ;")
        + ": OnEvaluate ( -- n ) White FALSE 0 $GenerateMoves move-count $DeallocateMoves ;",
    ),
    (
        "W406",
        game(": ok ( -- ) empty? verify ; : step ( -- ) east verify ok from here move add-move ;"),
    ),
    ("W407", "{board 3 3 {grid} {position} hand {variable} v board}"),
    ("W407", GRID_3X3.replace("{turn} White", "{turn} White {of-type} t")),
    ("W313", ": w ( -- ) BEGIN TRUE UNTIL ;"),
    ("W313", ": w ( n -- ) BEGIN 1- DUP 0= IF EXIT ENDIF FALSE UNTIL ;"),
    ("W313", "VARIABLE v : w ( -- ) BEGIN v @ verify FALSE UNTIL ;"),
    ("W313", "VARIABLE v : on ( -- ) v @ verify ; : w ( -- ) BEGIN on FALSE UNTIL ;"),
    ("W313", 'VARIABLE v : w ( -- ) BEGIN v @ ABORT" no" FALSE UNTIL ;'),
    ("W313", "VARIABLE v : w ( -- ) BEGIN v @ WHILE BEGIN v @ UNTIL REPEAT ;"),
    ("W313", "VARIABLE v : w ( -- ) BEGIN v @ IF TRUE ELSE FALSE ENDIF UNTIL ;"),
    (
        "W313",
        game_with_move1(
            ": move1 ( 'dir -- ) BEGIN DUP EXECUTE verify empty? verify go FALSE UNTIL ;"
        ),
    ),
    ("W413", game_with_move1(": move1 ( 'dir -- ) EXECUTE verify go ;")),
    (
        "W413",
        game_with_move1(
            "VARIABLE n : move1 ( 'dir -- ) 3 n ! BEGIN DUP EXECUTE DROP empty? n @ AND WHILE "
            "go n -- REPEAT DROP ;"
        ),
    ),
    (
        "W413",
        game_with_move1(
            "VARIABLE n : move1 ( 'dir -- ) 3 n ! BEGIN DUP EXECUTE DROP empty? WHILE "
            "n -- n @ verify go REPEAT DROP ;"
        ),
    ),
    ("W413", game_with_move1(": move1 ( 'dir -- ) EXECUTE DROP empty? verify go ;")),
    ("W413", game_with_move1(": move1 ( 'dir -- ) EXECUTE DROP here from <> IF go ENDIF ;")),
    (
        "W413",
        game_with_move1(
            ": move1 ( 'dir -- ) DUP EXECUTE verify empty? verify from to EXECUTE DROP go ;"
        ),
    ),
    (
        "W413",
        game_with_move1(
            ": move1 ( 'dir -- ) DUP EXECUTE verify here SWAP back EXECUTE DROP DROP go ;"
        ),
    ),
    (
        "W413",
        game_with_move1(
            ": look ( 'dir -- ) EXECUTE DROP ; : move1 ( 'dir -- ) EXECUTE verify go ;"
        ),
    ),
    (
        "W413",
        "{board 1 2 {grid} board} {directions {link} on a1 b1 {link} on b1 a1 directions} "
        + DEFINE_GO
        + ": step ( -- ) ['] on EXECUTE DROP go ;",
    ),
    (  # the caller has counted the squares
        "W413",
        game_with_move1(
            ": flank ( 'dir -- n ) from to 0 BEGIN OVER EXECUTE NOT IF 2DROP 0 EXIT ENDIF "
            "enemy? WHILE 1+ REPEAT SWAP DROP ; "
            ": turn-over ( 'dir n -- ) from to BEGIN DUP 0> WHILE "
            "OVER EXECUTE DROP current-player change-owner 1- REPEAT 2DROP ; "
            ": move1 ( 'dir -- ) DUP flank turn-over go ;"
        ),
    ),
    (  # the first loop walks in a word that returns the flag; a step aside returns to the line
        "W413",
        game_with_move1(
            ": walk ( 'dir -- ? ) EXECUTE DUP IF DROP empty? ENDIF ; "
            ": aside ( -- ) here DUP ['] north EXECUTE DROP here move to ; "
            ": move1 ( 'dir -- ) "
            "3 BEGIN OVER walk verify here ['] north walk verify to 1- DUP 0= UNTIL DROP from to "
            "3 BEGIN aside 1- DUP 0> WHILE OVER EXECUTE DROP REPEAT 2DROP add-move ;"
        ),
    ),
    ("W413", ": run ( 'x -- ) EXECUTE DROP ; ' HERE run"),
    (
        "W412",
        game(": step ( -- ) east verify empty? verify from here move add-move ;")
        + SETUP
        + ON_IS_GAME_OVER,
    ),
    (
        "W412",
        game(": step ( -- ) east verify empty? verify from here move add-move Pass ;") + SETUP,
    ),
    (
        "W412",
        "$passTurnForced ON\n"
        + game(": step ( -- ) east verify from here move add-move ;")
        + SETUP,
    ),
    ("W412", ": OnIsGameOver ( -- n ) 0 ;\n" + GRID_3X3),
    ("W414", symmetries("east west", "north north")),
    ("W414", symmetries("east west", "west east")),
    (
        "W414",
        symmetries("east west").replace("symmetries}", "White {symmetry} north west symmetries}"),
    ),
    (
        "W414",
        BOARD_WITH_WEST_AND_NORTH
        + "{symmetries Black {asymmetry} east west Black {asymmetry} north west symmetries}",
    ),
    ("W415", GRID_3X3),
    ("W415", GRID_3X3 + "{players {player} White {random} {player} Black {random} players}"),
    ("W415", GRID_3X3 + "{players {player} Red players} {turn-order {turn} Red turn-order}"),
    ("W409", ": OnTop ( -- ) ; : NewGame ( -- ) ; OnTop"),
    ("W409", ": OnMove ( -- ) ;"),
    ("W501", "VARIABLE used used OFF"),
    ("W501", ": word ( -- ) ; ' word DROP"),
    ("W501", ": mode=fast ( -- ) ; : OnNewGame ( -- ) ;"),
    ("W502", ": verify ( ? -- ) DUP . verify ; TRUE verify"),
    ("W503", ": w ( -- ) ; : w ( -- ) w CR ; w"),
    ("W503", "DEFER w ' CR IS w w"),
    ("W503", ": w ( -- ) ; FORGET w : w ( -- ) CR ; w"),
    ("W503", ": x ( -- ) ; VARIABLE w w OFF FORGET x : w ( -- ) CR ; w"),
    ("W601", ": w ( -- ) \\ text\n 1 DROP ; w"),
    ("W601", "\\\n\\ a frame of comments\n\\\n\\ and on"),
    ("W603", ": w ( a b -- [a+b] ) + ;"),
    ("W604", ": w ( -- ) ; \\ the last line"),
    ("W701", "3 [] row : w ( -- ) 3 0 DO 0 I row ! LOOP ;"),
    ("W701", "3 [] row : put ( x i -- ) row ! ; : w ( -- ) 5 2 put ;"),
    ("W701", ": w ( -- addr ) 7 arr ; : arr ( n -- n ) ; : arr2 ( -- ) ; 3 [] arr2"),
    ("W702", "9 [] row VARIABLE n : put ( x -- ) n @ 9 < IF n @ row ! ELSE DROP ENDIF ;"),
]


@pytest.mark.parametrize("axiom", [140, 150])
def test_symmetries_with_a_common_direction_are_correct_in_version_140(
    check: Checker, axiom: int
) -> None:
    report = check(symmetries("east west", "north west"), axiom=axiom, select=["W414"])
    assert len(report.findings) == (axiom == 150)


@pytest.mark.sampled(13)
@pytest.mark.parametrize(("code", "text"), WITH_FINDING)
def test_finding_is_reported(check: Checker, code: str, text: str) -> None:
    assert code in {finding.code for finding in check(text).findings}


@pytest.mark.sampled(9)
@pytest.mark.parametrize(("code", "text"), WITHOUT_FINDING)
def test_finding_is_not_reported(check: Checker, code: str, text: str) -> None:
    assert code not in {finding.code for finding in check(text).findings}


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("{board 3 3 {grid} {position} a1 board}", [30]),
        ("{board {position} x {position} y {position} x board}", [45]),
        ("{board 3 3 {grid} {position} d1 board}", []),
        ("{board {position} x board} {board {position} x board}", []),
    ],
)
def test_positions_with_one_name(check: Checker, text: str, columns: list[int]) -> None:
    found = check(text, select=["W504"]).findings
    assert [finding.location.column for finding in found if finding.location] == columns
