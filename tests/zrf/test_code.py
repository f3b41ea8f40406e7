"""Instructions and conditions of move code: contract, section 6."""

from __future__ import annotations

import pytest

from forthvm.zrf.code import (
    Add,
    And,
    Capture,
    Cascade,
    ChangeOwner,
    ChangeType,
    Code,
    Condition,
    Constant,
    Create,
    Cursor,
    Flip,
    Go,
    If,
    Instruction,
    Named,
    NamedQuestion,
    Neighbor,
    Not,
    Or,
    Question,
    SetAttribute,
    SetFlag,
    SetFrom,
    SetMark,
    SetPositionFlag,
    SetTo,
    Test,
    Verify,
    While,
)
from forthvm.zrf.rules import Rules
from forthvm.zrf.source import RuleFileError
from tests.kit.cases import each_case
from tests.kit.messages import raises
from tests.zrf.texts import BOARD
from tests.zrf.texts import rules as make_rules

ZONES = "(zone (name camp) (players White) (positions a1 b1)))"
PIECES = "(piece (name King) (attribute fresh true)) (piece (name Pawn) (moves (move-type hop)))"
HERE = Cursor.HERE
N = Neighbor("n")


def rules(moves: str) -> Rules:
    return make_rules(moves=moves, extra=PIECES, board=BOARD.rstrip()[:-1] + ZONES)


def block(text: str) -> tuple[Instruction, ...]:
    return rules(f"({text})").pieces[0].moves[0].code.instructions


def condition(text: str) -> Condition:
    [verify] = block(f"(verify {text})")
    assert isinstance(verify, Verify)
    return verify.condition


@each_case(
    ("text", "expected"),
    [
        ("n", Go(N)),
        ("a1", Go(Named("a1"))),
        ("(opposite n)", Go(Neighbor("s"))),
        ("mark", SetMark()),
        ("(mark a1)", SetMark(Named("a1"))),
        ("(mark n)", SetMark(N)),
        ("back", Go(Cursor.MARK)),
        ("(go from)", Go(Cursor.FROM)),
        ("(go to)", Go(Cursor.TO)),
        ("(go mark)", Go(Cursor.MARK)),
        ("(go last-from)", Go(Cursor.LAST_FROM)),
        ("(go last-to)", Go(Cursor.LAST_TO)),
        ("from", SetFrom()),
        ("to", SetTo()),
        ("(from)", SetFrom()),
    ],
)
def test_steps_and_marks_of_the_cursor_are_read(text: str, expected: Instruction) -> None:
    assert block(text) == (expected,)


@each_case(
    ("text", "expected"),
    [
        ("add", Add()),
        ("(add)", Add()),
        ("(add King Pawn)", Add(("King", "Pawn"))),
        ("add-partial", Add(partial=True)),
        ("(add-partial hop)", Add(partial=True, continuation="hop")),
        ("(add-partial King)", Add(("King",), partial=True)),
        ("(add-partial King hop)", Add(("King",), partial=True, continuation="hop")),
        ("(add-partial King stop)", Add(("King",), partial=True, continuation="stop")),
        ("add-copy", Add(copy=True)),
        ("(add-copy Pawn)", Add(("Pawn",), copy=True)),
        ("(add-copy-partial Pawn hop)", Add(("Pawn",), True, "hop", copy=True)),
        ("cascade", Cascade()),
        ("capture", Capture()),
        ("(capture a1)", Capture(Named("a1"))),
        ("(capture n)", Capture(N)),
        ("create", Create()),
        ("(create White)", Create("White")),
        ("(create King)", Create("", "King")),
        ("(create a1)", Create("", "", Named("a1"))),
        ("(create White King n)", Create("White", "King", N)),
        ("(create King White n)", Create("White", "King", N)),
        ("(change-type King)", ChangeType("King")),
        ("(change-type King a1)", ChangeType("King", Named("a1"))),
        ("change-owner", ChangeOwner()),
        ("(change-owner n)", ChangeOwner(N)),
        ("flip", Flip()),
        ("(flip n)", Flip(N)),
        ("(set-attribute fresh false)", SetAttribute("fresh", Constant(False))),
        ("(set-attribute fresh (enemy? n) a1)", SetAttribute(
            "fresh", Test(Question.ENEMY, "", N), Named("a1"))),
    ],
)  # fmt: skip
def test_effects_are_read(text: str, expected: Instruction) -> None:
    assert block(text) == (expected,)


@each_case(
    ("text", "expected"),
    [
        ("(set-flag f true)", SetFlag("f", Constant(True))),
        ("(set-flag f not-empty?)", SetFlag("f", Not(Test(Question.EMPTY)))),
        ("(set-position-flag f true)", SetPositionFlag("f", Constant(True))),
        ("(set-position-flag f fresh n)", SetPositionFlag(
            "f", Test(NamedQuestion.ATTRIBUTE, "fresh"), N)),
    ],
)  # fmt: skip
def test_flags_are_read(text: str, expected: Instruction) -> None:
    assert block(text) == (expected,)


@each_case("question", list(Question))
def test_conditions_without_a_name_are_read(question: Question) -> None:
    keyword = question.value
    assert condition(keyword) == Test(question)
    assert condition(f"({keyword})") == Test(question)
    assert condition(f"({keyword} n)") == Test(question, "", N)
    assert condition(f"({keyword} a1)") == Test(question, "", Named("a1"))
    assert condition(f"not-{keyword}") == Not(Test(question))
    assert condition(f"(not-{keyword} (opposite n))") == Not(Test(question, "", Neighbor("s")))


@each_case(
    ("text", "question", "name"),
    [
        ("piece? King", NamedQuestion.PIECE, "King"),
        ("in-zone? camp", NamedQuestion.IN_ZONE, "camp"),
        ("position? b2", NamedQuestion.POSITION, "b2"),
        ("flag? f", NamedQuestion.FLAG, "f"),
        ("position-flag? f", NamedQuestion.POSITION_FLAG, "f"),
        ("attacked? hop", NamedQuestion.ATTACKED, "hop"),
        ("attacked?", NamedQuestion.ATTACKED, ""),
        ("defended?", NamedQuestion.DEFENDED, ""),
        ("fresh", NamedQuestion.ATTRIBUTE, "fresh"),
    ],
)
def test_conditions_with_a_name_are_read(text: str, question: NamedQuestion, name: str) -> None:
    assert condition(f"({text})") == Test(question, name)
    assert condition(f"({text} n)") == Test(question, name, N)
    assert condition(f"({text} a1)") == Test(question, name, Named("a1"))
    assert condition(f"(not ({text}))") == Not(Test(question, name))
    if name != "fresh":
        assert condition(f"(not-{text} n)") == Not(Test(question, name, N))


def test_and_or_not_and_constants_are_read() -> None:
    empty, friend = Test(Question.EMPTY), Test(Question.FRIEND)
    assert condition("(and empty? (or friend? true) (not false))") == And(
        (empty, Or((friend, Constant(True))), Not(Constant(False)))
    )


def test_if_and_while_are_read() -> None:
    [branch, loop] = block("(if empty? n add else s) (while friend? n (if enemy? add))")
    assert isinstance(branch, If)
    assert branch.then.instructions == (Go(N), Add())
    assert branch.otherwise.instructions == (Go(Neighbor("s")),)
    assert isinstance(loop, While)
    assert loop.condition == Test(Question.FRIEND)
    inner = loop.body.instructions[1]
    assert isinstance(inner, If)
    assert inner.otherwise.instructions == ()


def test_every_instruction_knows_its_place() -> None:
    [_, loop] = (
        rules("(n\n  (while empty?\n    (capture n) add))").pieces[0].moves[0].code.instructions
    )
    assert isinstance(loop, While)
    assert loop.origin is not None
    capture, add = loop.body.instructions
    assert isinstance(capture, Capture)
    assert isinstance(add, Add)
    places = [code.origin.place for code in (loop, capture, add) if code.origin]
    first = places[0].line
    assert [(place.line - first, place.column) for place in places] == [(0, 3), (1, 5), (1, 17)]


def test_parentheses_around_instructions_are_ignored_with_a_warning() -> None:
    found = rules("((n add) s)")
    assert found.pieces[0].moves[0].code.instructions == (Go(N), Add(), Go(Neighbor("s")))
    assert "parentheses" in found.warnings[0].message


def test_a_control_structure_without_a_block_around_it_is_a_block() -> None:
    found = rules("(while empty? add n)")
    [loop] = found.pieces[0].moves[0].code.instructions
    assert isinstance(loop, While)
    assert loop.body.instructions == (Add(), Go(N))
    assert "((while …))" in found.warnings[0].message


@each_case(
    ("text", "expected"),
    [
        ("(verify)", Verify(Constant(False))),
        ("(verify empty? friend?)", Verify(Test(Question.EMPTY))),
        ("(verify (in-zone? cmap))", Verify(Constant(False))),
        ("(verify (and))", Verify(And(()))),
        ("(if)", If(Constant(False), Code(()), Code(()))),
        ("(set-flag f)", SetFlag("f", Constant(False))),
        ("(capture n s)", Capture(N)),
        ("else add", Add()),
    ],
)
def test_incomplete_code_is_read_leniently(text: str, expected: Instruction) -> None:
    found = rules(f"({text})")
    [instruction] = found.pieces[0].moves[0].code.instructions
    if isinstance(instruction, If):
        assert instruction.condition == Constant(False)
    else:
        assert instruction == expected
    assert found.warnings or "and" in text


def test_a_second_else_is_ignored_with_a_warning() -> None:
    found = rules("((if empty? n else s else add))")
    [branch] = found.pieces[0].moves[0].code.instructions
    assert isinstance(branch, If)
    assert branch.otherwise.instructions == (Go(Neighbor("s")), Add())
    assert found.warnings[0].message == "a second `else` is ignored"


@each_case(
    "text", ["(change-type)", "(go)", "(set-flag)", "(set-attribute)", "(set-attribute $1 true)"]
)
def test_incomplete_instructions_without_effect_vanish(text: str) -> None:
    found = rules(f"({text} add)")
    assert found.pieces[0].moves[0].code.instructions == (Add(),)
    assert found.warnings


@each_case(
    ("text", "message", "hint"),
    [
        ("(ad King)", "unknown instruction `ad`", "`add`"),
        ("nn", "unknown instruction `nn`", ""),
        ("(if empty? n (else s))", "`else` in a list of its own", "without parentheses"),
        ("(verify (emptyx? n))", "unknown condition `emptyx?`", "`empty?`"),
        ("(verify (not-emptyx? n))", "unknown condition `not-emptyx?`", "`not-empty?`"),
        ("(verify (empty? z9))", "unknown direction or position `z9`", ""),
        ("(verify (piece? Kong))", "unknown piece `Kong`", "`King`"),
        ("(add Kong)", "unknown piece `Kong`", "`King`"),
        ("(create Whitee King)", "unknown player, piece or position `Whitee`", "`White`"),
        ("(opposite x)", "unknown direction `x`", ""),
        ("(capture (a b))", "a direction or a position is expected, not a list", ""),
        ("(while n add)", "unknown condition `n`", ""),
        ("(add (King))", "the name of a piece is expected, not a list", ""),
    ],
)
def test_broken_code(text: str, message: str, hint: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        rules(f"({text})")
    assert caught.value.short_message() == message
    assert caught.value.location is not None
    assert hint in "".join(caught.value.hints)


def test_a_name_outside_of_blocks() -> None:
    with raises(RuleFileError, "code.name-without-a-block"):
        rules("n")
