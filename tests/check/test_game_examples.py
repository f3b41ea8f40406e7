"""Tests of the codes about games: scripts with a finding, and similar scripts without it.

Each example is a code, which forthvm/check/codes.py describes, and a script.
"""

from __future__ import annotations

import pytest

from forthvm.check.program import Program
from forthvm.check.rules.tables import links
from forthvm.core.words.dictionary import Word
from tests.check.conftest import Checker

DIRECTIONS = "0 1 {direction} east 0 -1 {direction} west -1 0 {direction} north"
SOUTH = " 1 0 {direction} south"
SETUP = "{board-setup {setup} White Man a1 {setup} Black Man c3 board-setup}\n"
STEP = ": step ( -- ) east verify empty? verify from here move add-move ;"


def game(  # noqa: PLR0913 - the parts of a game
    code: str = STEP,
    *,
    board: str = "3 3 {grid}",
    directions: str = DIRECTIONS + SOUTH,
    players: str = "{player} White {player} Black",
    turns: str = "{turn} White {turn} Black",
    lists: str = "{moves man-moves {move} step moves}",
    pieces: str = "{piece} Man {moves} man-moves",
    setup: str = SETUP,
) -> str:
    """Return a script; the code is after the turn order and before the lists of moves."""
    return (
        f"{{board {board} board}}\n{{directions {directions} directions}}\n"
        f"{{players {players} players}}\n{{turn-order {turns} turn-order}}\n"
        f"{code}\n{lists}\n{{pieces {pieces} pieces}}\n{setup}"
        ": OnIsGameOver ( -- n ) stalemate? IF #LossScore ELSE #UnknownScore ENDIF ;"
    )


def drop_list(word: str) -> dict[str, str]:
    """Return the options of a game whose move word is in a list of {drops}."""
    return {
        "lists": f"{{moves man-drops {{move}} {word} moves}}",
        "pieces": "{piece} Man {drops} man-drops",
    }


def mirrored(before: str, after: str) -> str:
    """Return a game with a symmetry between two texts; the second one defines `step`."""
    return game(f"{before}\n{{symmetries Black {{symmetry}} east west symmetries}}\n{after}")


def scan(loop: str) -> str:
    """Return a game that evaluates its positions by a loop."""
    return game(f"{STEP}\n: OnEvaluate ( -- n ) {loop} ;")


FLOWN = "3 3 {grid} {variable} flown 9 {array} visits[]"


def flown(code: str) -> str:
    """Return a game whose board has variables."""
    return game(code, board=FLOWN)


SLIDE = ": slide ( 'dir -- ) BEGIN DUP EXECUTE verify empty? verify {} FALSE UNTIL DROP {} ; "
GO = ": step ( -- ) ['] east slide ;"
NIP = ": NIP ( a b -- b ) SWAP DROP ; "

WITH_FINDING = [
    # moves that are never added
    ("W401", game(SLIDE.format("from here move", "") + GO)),
    ("W401", game(SLIDE.format("from here move", "add-move") + GO)),
    ("W401", game(": step ( -- ) BEGIN east verify from here move FALSE UNTIL add-move ;")),
    ("W401", game(": go ( -- ) from here move ; : step ( -- ) BEGIN east verify go FALSE UNTIL ;")),
    ("W401", game(": step ( -- ) BEGIN east empty? AND WHILE from here move REPEAT ;")),
    ("W401", game(": step ( -- ) BEGIN TRUE WHILE east verify from here move REPEAT ;")),
    ("W401", game(": step ( -- ) 3 0 DO east verify empty? verify from here move LOOP ;")),
    # moves in the wrong direction
    ("W419", game(": step ( -- ) east verify empty? verify here from move add-move ;")),
    ("W419", game(": step ( -- ) east verify from here SWAP move add-move ;")),
    ("W419", game(": go ( a b -- ) move add-move ; : step ( -- ) east verify here from go ;")),
    ("W419", game(": go ( -- ) here from move add-move ; : step ( -- ) east verify go ;")),
    ("W419", game(SLIDE.format("here from move add-move", "") + GO)),
    (
        "W419",
        game(": step ( -- ) east verify here capture-at east verify here from move add-move ;"),
    ),
    # steps whose flag is dropped
    ("W413", game(": step ( -- ) east DROP empty? verify from here move add-move ;")),
    ("W413", game(": step ( -- ) east DROP from here move add-move ;")),
    ("W413", game(": step ( -- ) 1 east 2DROP empty? verify from here move add-move ;")),
    ("W413", game(NIP + ": step ( -- ) east TRUE NIP verify from here move add-move ;")),
    ("W413", game(": step ( -- ) east IF ENDIF empty? verify from here move add-move ;")),
    ("W413", game(": step ( -- ) east IF ELSE ENDIF empty? verify from here move add-move ;")),
    (
        "W413",  # the second step may lead off the board
        game(": step ( -- ) south verify east DROP empty? verify from here move add-move ;"),
    ),
    ("W413", game(": step ( -- ) south IF ENDIF north DROP from here move add-move ;")),
    ("W413", game(": step ( -- ) south DROP north DROP empty? verify from here move add-move ;")),
    (
        "W413",
        game(": e ( -- ? ) east ; : step ( -- ) e DROP empty? verify from here move add-move ;"),
    ),
    (
        "W413",
        game(": no ( ? -- ) DROP ; : step ( -- ) east no empty? verify from here move add-move ;"),
    ),
    ("W413", game(": step ( -- ) east >R R> DROP empty? verify from here move add-move ;")),
    # directions
    ("W416", game(directions="0 1 {direction} east 0 1 {direction} west")),
    ("W416", game(directions=DIRECTIONS + " -1 0 {direction} south")),
    ("W416", game(directions=DIRECTIONS + SOUTH + " 1 1 {direction} se 1 1 {direction} nw")),
    (
        "W416",
        game(
            board="1 3 {grid}",
            directions="0 1 {direction} east {link} on a1 b1 {link} on b1 c1",
            setup="",
        ),
    ),
    # players without turns
    ("W417", game(turns="{turn} White")),
    ("W417", game(turns="{turn} White {turn} White")),
    (
        "W417",
        game(players="{player} White {player} Red {player} Black", turns="{turn} White {turn} Red"),
    ),
    # directions that are used before their symmetry
    ("W418", mirrored(STEP, "")),
    ("W418", mirrored(": e ( -- ? ) east ;", STEP.replace("east", "e"))),
    (
        "W418",
        mirrored(
            ": go ( 'dir -- ) EXECUTE verify from here move add-move ; : e ( -- ) ['] east go ;",
            ": step ( -- ) e ;",
        ),
    ),
    # variables of the board that change at once
    ("W420", flown(": step ( -- ) east verify from here move here flown ! add-move ;")),
    ("W420", flown(": step ( -- ) east verify from here move 1 flown +! add-move ;")),
    ("W420", flown(": step ( -- ) east verify from here move flown ++ add-move ;")),
    ("W420", flown(": step ( -- ) east verify from here move flown ON add-move ;")),
    ("W420", flown(": step ( -- ) east verify from here move 1 here visits[] ! add-move ;")),
    (
        "W420",
        flown(
            ": set ( n addr -- ) ! ; "
            ": step ( -- ) east verify from here move here flown set add-move ;"
        ),
    ),
    (
        "W420",
        flown(
            ": step ( -- ) east verify from here move flown @ 1+ flown ! add-move ; "
            ": OnEvaluate ( -- n ) flown @ ;"
        ),
    ),
    # positions outside the board
    ("W703", scan("0 12 0 DO I empty-at? IF 1+ ENDIF LOOP")),
    ("W703", scan("0 10 1 DO I friend-at? IF 1+ ENDIF LOOP")),
    ("W703", scan("0 11 0 DO I enemy-at? IF 1+ ENDIF 2 +LOOP")),
    ("W703", scan("0 9 0 DO I 1+ empty-at? IF 1+ ENDIF LOOP")),
    ("W703", scan("0 9 0 DO I 1- empty-at? IF 1+ ENDIF LOOP")),
    ("W703", scan("0 4 0 DO 3 0 DO J 3 * I + empty-at? IF 1+ ENDIF LOOP LOOP")),
    ("W703", scan("0 10 0 DO I to empty? IF 1+ ENDIF LOOP")),
    ("W703", scan("0 0 9 DO I empty-at? IF 1+ ENDIF -1 +LOOP")),
    ("W703", scan("0 0 8 DO I 1- empty-at? IF 1+ ENDIF -2 +LOOP")),
    ("W703", scan("0 12 0 DO I not-empty-at? NOT IF 1+ ENDIF LOOP")),
    ("W703", scan("9 empty-at?")),
    (
        "W703",
        game(
            f"12 CONSTANT squares {STEP} : OnEvaluate ( -- n ) 0 squares 0 DO I piece-at + LOOP ;"
        ),
    ),
    (
        "W703",
        game(
            f"{STEP} : free ( pos -- n ) empty-at? IF 1 ELSE 0 ENDIF ; "
            ": OnEvaluate ( -- n ) 0 12 0 DO I free + LOOP ;"
        ),
    ),
    (
        "W703",
        game(
            f"{STEP} : men ( n -- n' ) 0 SWAP 0 DO I not-empty-at? IF 1+ ENDIF LOOP ; "
            ": OnEvaluate ( -- n ) 12 men ;"
        ),
    ),
    # stack comments with alternatives
    ("W201", "VARIABLE d : make ( a | 0 -- ) d ! 1 ; 1 make"),
    ("W201", ": make ( a | 0 -- ) DROP DROP ; 1 2 make"),
]

WITHOUT_FINDING = [
    ("W401", game(SLIDE.format("from here move add-move", "") + GO)),
    ("W401", game(SLIDE.format("from here move add-move", "add-move") + GO)),
    ("W401", game(": step ( -- ) BEGIN east verify from here move add-move FALSE UNTIL ;")),
    ("W401", game(": step ( -- ) BEGIN east verify here c1 = UNTIL from here move add-move ;")),
    ("W401", game(": step ( -- ) BEGIN east verify empty? NOT UNTIL from here move add-move ;")),
    (
        "W401",
        game(
            "DEFER go "
            + SLIDE.format("go", "")
            + GO
            + " : put from here move add-move ; ' put IS go"
        ),
    ),
    # exchanged and pulled pieces, and pieces that a drop moves
    ("W419", game(": step ( -- ) east verify from here move here from move add-move ;")),
    (
        "W419",
        game(": step ( -- ) west verify here east verify from here move from move add-move ;"),
    ),
    (
        "W419",
        game(
            ": put ( -- ) empty? verify north verify here from move add-move ;", **drop_list("put")
        ),
    ),
    ("W419", game(": step ( -- ) east verify from here 2DUP move 2DROP add-move ;")),
    # flags that are used, or of steps that cannot fail
    ("W413", game(": step ( -- ) east DUP verify DROP empty? verify from here move add-move ;")),
    ("W413", game(": step ( -- ) east NOT IF FALSE verify ENDIF from here move add-move ;")),
    ("W413", game(": step ( -- ) east empty? AND verify from here move add-move ;")),
    ("W413", game(": step ( -- ) east DROP here from <> verify from here move add-move ;")),
    ("W413", game(": step ( -- ) north DROP ;")),
    (
        "W413",
        game(": step ( -- ) south verify enemy? verify north DROP from here move add-move ;"),
    ),
    (
        "W413",
        game(
            ": step ( -- ) ring DROP from here move add-move ;",
            board="1 3 {grid}",
            directions="{link} ring a1 b1 {link} ring b1 a1",
            setup="",
        ),
    ),
    # a second name of a direction
    ("W416", game(directions=DIRECTIONS + SOUTH + " 0 1 {direction} next")),
    (
        "W416",
        game(directions=DIRECTIONS + SOUTH + " -1 0 {direction} ahead")
        + "\n{symmetries Black {symmetry} ahead south symmetries}",
    ),
    ("W416", game(board="1 3 {grid}", directions=DIRECTIONS, setup="")),
    # players that move, or need not
    ("W417", game(turns="{turn} White {for-player} Black {turn} White")),
    ("W417", game(players="{player} White {neutral} Black", turns="{turn} White")),
    (
        "W417",
        game(
            players="{player} White {player} ?Black",
            turns="{turn} White",
            setup=SETUP.replace("Black", "?Black"),
        ),
    ),
    ("W417", game(turns="{turn} White", setup="")),
    # directions that have no symmetry, or are used after it
    ("W418", mirrored("", STEP)),
    ("W418", mirrored(STEP.replace("east", "north"), "")),
    ("W418", mirrored(": edge? ( -- ? ) east NOT ;", STEP + " : OnEvaluate ( -- n ) edge? ;")),
    # variables of the board that change with the move, or are intermediate results
    (
        "W420",
        flown(
            ": fly ( pos -- ) flown ! ; : step ( -- ) east verify from here move "
            "here COMPILE-LITERAL COMPILE fly add-move ;"
        ),
    ),
    ("W420", flown(": step ( -- ) east verify here flown ! from flown @ move add-move ;")),
    (
        "W420",
        flown(
            ": OnGenerateMoves ( -- ) flown OFF ; "
            ": step ( -- ) east verify flown ++ from here move add-move ;"
        ),
    ),
    ("W420", flown(STEP + " : OnNewGame ( -- ) 1 flown ! ;")),
    ("W420", game("VARIABLE last : step ( -- ) east verify here last ! from here move add-move ;")),
    # loops within the board, and loops that compare the index
    ("W703", scan("0 9 0 DO I empty-at? IF 1+ ENDIF LOOP")),
    ("W703", scan("0 10 0 DO I empty-at? IF 1+ ENDIF 2 +LOOP")),
    ("W703", scan("0 12 0 DO I 9 < IF I empty-at? IF 1+ ENDIF ENDIF LOOP")),
    ("W703", scan("0 3 0 DO 3 0 DO J 3 * I + empty-at? IF 1+ ENDIF LOOP LOOP")),
    ("W703", scan("0 10 1 DO I 1- empty-at? IF 1+ ENDIF LOOP")),
    ("W703", scan("0 12 0 DO I 9 MOD empty-at? IF 1+ ENDIF LOOP")),
    ("W703", scan("0 9 0 DO I 3 MOD IF I 1- empty-at? IF 1+ ENDIF ENDIF LOOP")),
    ("W703", scan("0 9 0 DO I IF I 1- empty-at? IF 1+ ENDIF ENDIF LOOP")),
    ("W703", scan("0 9 0 DO I 3 MOD 2 < IF I 1+ empty-at? IF 1+ ENDIF ENDIF LOOP")),
    ("W703", scan("0 9 0 DO I 3 / 2 < IF I 3 + empty-at? IF 1+ ENDIF ENDIF LOOP")),
    ("W703", scan("0 9 0 DO I 3 / DUP IF DROP I 3 - empty-at? ENDIF IF 1+ ENDIF LOOP")),
    ("W703", scan("0 0 8 DO I empty-at? IF 1+ ENDIF -1 +LOOP")),
    (
        "W703",
        game(
            f"{STEP} : inner? ( pos -- ? ) 3 MOD ; "
            ": OnEvaluate ( -- n ) 0 9 0 DO I inner? IF I 1- empty-at? + ENDIF LOOP ;"
        ),
    ),
    ("W703", scan("0 $positions @ 0 DO I empty-at? IF 1+ ENDIF LOOP")),
    (
        "W703",
        game(board="3 3 {grid} {position} hand", code=f"{STEP} : OnEvaluate ( -- n ) 9 piece-at ;"),
    ),
    (
        "W703",
        game(
            f"{STEP} : on? ( pos -- ? ) DUP 9 < IF empty-at? ELSE DROP FALSE ENDIF ; "
            ": OnEvaluate ( -- n ) 0 12 0 DO I on? + LOOP ;"
        ),
    ),
    ("W201", "VARIABLE d : make ( a | 0 -- ) d ! ; 1 make"),
    ("W201", ": make ( n TRUE | FALSE -- ) IF DROP ENDIF ; 1 TRUE make"),
    ("W201", ": make ( addr n | 0 -- addr | 0 ) DUP IF DROP ENDIF ; 0 make"),
]


@pytest.mark.sampled(13)
@pytest.mark.parametrize(("code", "script"), WITH_FINDING)
def test_finding(check: Checker, code: str, script: str) -> None:
    report = check(script)
    assert code in {finding.code for finding in report.findings}
    assert not report.count("error")


@pytest.mark.sampled(13)
@pytest.mark.parametrize(("code", "script"), WITHOUT_FINDING)
def test_no_finding(check: Checker, code: str, script: str) -> None:
    report = check(script)
    assert code not in {finding.code for finding in report.findings}
    assert not report.count("error")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("word", ["unknown", "SPACE"])
@pytest.mark.parametrize("after", ["", "\n", "\n: other ( -- ) ; other", "\n1 CONSTANT one one"])
def test_one_finding_for_a_missing_blank_before_a_semicolon(
    check: Checker, word: str, after: str
) -> None:
    report = check(f": last ( -- ) 1 . {word};{after}", ignore=["W501"])
    assert [finding.code for finding in report.findings] == ["E105"]
    assert report.findings[0].hints == (f"write `{word} ;`",)


def test_directions_of_a_board_that_is_too_large_are_not_compared(
    check: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = game(directions="0 1 {direction} east 0 1 {direction} west")
    assert [finding.code for finding in check(text).findings] == ["W416"]
    monkeypatch.setattr("forthvm.check.rules.tables._MAX_POSITIONS", 8)
    assert check(text).findings == ()


def test_a_wrong_number_of_players_does_not_multiply_the_work(
    check: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []

    def counted(program: Program, direction: Word) -> list[int]:
        calls.append(direction)
        return links(program, direction)

    monkeypatch.setattr("forthvm.check.rules.directions.links", counted)
    text = game(players="IF {player} White {player} Black")  # IF leaves an address as the count
    check(text + "{symmetries Black {symmetry} east west symmetries}")
    assert 0 < len(calls) < 100
