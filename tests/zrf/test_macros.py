"""Macros: contract, section 1, items 10 to 16."""

from __future__ import annotations

import pytest

from forthvm.zrf.code import (
    Add,
    Call,
    Code,
    Constant,
    Cursor,
    Go,
    If,
    Instruction,
    Named,
    NamedQuestion,
    Neighbor,
    Question,
    SetFlag,
    Test,
    Verify,
    While,
)
from forthvm.zrf.source import RuleFileError
from tests.kit.messages import raises
from tests.zrf.texts import game, rules

N = Go(Neighbor("n"))
S = Go(Neighbor("s"))


def flat(code: Code) -> list[Instruction]:
    """Return instructions with calls replaced by what they run."""
    found: list[Instruction] = []
    for instruction in code.instructions:
        found += flat(instruction.code) if isinstance(instruction, Call) else [instruction]
    return found


def blocks(moves: str, define: str = "") -> list[list[Instruction]]:
    return [flat(block.code) for block in rules(define=define, moves=moves).pieces[0].moves]


def test_a_macro_yields_a_run_of_instructions() -> None:
    define = "(define slide $1 (while empty? add $1))"
    first, *rest = blocks("((slide n)) (n (slide s) add)", define)
    assert first[0] == N
    loop = first[1]
    assert isinstance(loop, While)
    assert loop.condition == Test(Question.EMPTY)
    assert flat(loop.body) == [Add(), N]
    assert [type(i) for i in rest[0]] == [Go, Go, While, Add]


def test_a_macro_yields_a_block() -> None:
    assert blocks("(step n) (step s)", "(define step ($1 add))") == [[N, Add()], [S, Add()]]


def test_a_macro_yields_blocks_with_their_move_type() -> None:
    define = "(define all (n add) (move-type quick) (s add))"
    piece = rules(define=define, moves="(all) (n add)").pieces[0]
    assert [block.move_type for block in piece.moves] == ["", "quick", "quick"]


def test_a_macro_yields_pieces_of_the_board() -> None:
    board = "(board (grid (dimensions (columns)  (rows)) (directions (all))) (more))"
    define = """
    (define columns ("a/b" (10 0))) (define rows ("2/1" (0 10))) (define all (n 0 -1))
    (define more (dummy x y) (links n (a2 x)))"""
    geometry = rules(define=define, board=board).board
    assert [position.name for position in geometry.positions] == ["a2", "a1", "b2", "b1", "x", "y"]
    assert geometry.links["n"] == {"a1": "a2", "b1": "b2", "a2": "x"}


def test_a_macro_yields_a_condition_or_a_part_of_it() -> None:
    define = "(define free (empty? $1)) (define both (empty? n) (empty? s)) (define d n)"
    [block] = blocks("((verify (free n)) (verify (and (both) (enemy? (d)))))", define)
    assert block[0] == Verify(Test(Question.EMPTY, "", Neighbor("n")))
    verify = block[1]
    assert isinstance(verify, Verify)
    assert [c.question for c in verify.condition.conditions] == [  # type: ignore[union-attr]
        Question.EMPTY,
        Question.EMPTY,
        Question.ENEMY,
    ]


def test_a_macro_yields_else() -> None:
    define = "(define rest n else s) (define whole empty? (rest))"
    for text in ("((if empty? (rest)))", "((if (whole)))", "((if empty? n else s))"):
        [[branch]] = blocks(text, define)
        assert isinstance(branch, If)
        assert branch.condition == Test(Question.EMPTY)
        assert (flat(branch.then), flat(branch.otherwise)) == ([N], [S])


def test_substitution_works_inside_names_and_strings() -> None:
    define = '(define one (image White "pics/p$1.bmp") (attribute K$1$2 true) (description "$3"))'
    text = game(define=define, extra="(piece (name X) (one 4 b))").rules()
    piece = text.pieces[1]
    assert piece.images == {"White": ("pics/p4.bmp",)}
    assert piece.attributes == {"K4b": True}
    assert piece.description == ""


def test_parameter_ten_is_not_parameter_one() -> None:
    define = "(define many (attribute $10 true))"
    text = game(define=define, extra="(piece (name X) (many a b c d e f g h i j))").rules()
    assert list(text.attributes) == ["j"]


def test_surplus_arguments_are_ignored() -> None:
    assert blocks("((step n s e w))", "(define step $1 add)") == [[N, Add()]]


def test_missing_arguments_are_inherited_from_the_running_call() -> None:
    define = "(define step $1 $2 (verify empty?)) (define twice (step) (step s) add)"
    empty = Verify(Test(Question.EMPTY))
    assert blocks("((twice n s))", define) == [[N, S, empty, S, S, empty, Add()]]


def test_inheritance_passes_through_a_macro_that_does_not_use_the_argument() -> None:
    define = "(define inner $3) (define middle (inner x)) (define outer (middle s))"
    assert blocks("((outer w w n))", define) == [[N]]


def test_what_is_missing_on_the_outermost_level_vanishes() -> None:
    define = "(define set (set-flag f $5) (change-type $1) $2 n)"
    assert blocks("((set))", define) == [[SetFlag("f", Constant(False)), N]]


def test_a_parameter_without_a_value_keeps_the_places_of_the_others() -> None:
    define = "(define inner $1 $2 add) (define outer (inner $3 s))"
    assert blocks("((outer n n))", define) == [[S, Add()]]


def test_a_string_outside_macros_keeps_its_dollars() -> None:
    assert game(extra='(history "for $5")').rules().texts["history"] == "for $5"
    define = '(define text (history "for $5"))'
    assert game(define=define, extra="(text)").rules().texts["history"] == "for "


def test_a_name_of_a_macro_may_be_built_by_substitution() -> None:
    define = "(define step-n n) (define step-s s) (define go step-$1) (define run (step-$1) ($2))"
    assert blocks("((run n step-s))", define) == [[N, S]]


def test_endless_recursion_is_an_error_with_the_chain_of_calls() -> None:
    with raises(RuleFileError, "macros.endless-recursion-is-an-error") as caught:
        blocks("((a))", "(define a (b x)) (define b (a))")
    assert {frame.word for frame in caught.value.trace} == {"a", "b"}
    assert caught.value.location is not None


def test_a_macro_may_be_used_before_its_definition() -> None:
    define = "(define a (b)) (define b n)"
    assert blocks("((a))", define) == [[N]]


def test_of_two_definitions_the_later_one_counts() -> None:
    file = game(define="(define a n) (define a s)", moves="((a))")
    assert flat(file.rules().pieces[0].moves[0].code) == [S]
    assert "defined again" in file.warnings[0].message


def test_a_name_alone_is_no_call() -> None:
    assert blocks("(n a1)", "(define a1 s)") == [[N, Go(Named("a1"))]]


def test_the_hint_for_a_macro_without_parentheses_shows_the_call() -> None:
    with raises(RuleFileError, "macros.unknown-instruction") as caught:
        blocks("(n jump add)", "(define jump n n)")
    assert caught.value.hints == ("to call the macro, write (jump)",)


def test_equal_calls_share_their_code() -> None:
    define = "(define step $1 (verify empty?)) (define twice (step) (step))"
    moves = "((twice n x)) ((step n)) ((step s))"
    first, second, third = rules(define=define, moves=moves).pieces[0].moves
    [twice] = first.code.instructions
    assert isinstance(twice, Call)
    one, two = twice.code.instructions
    [step_n], [step_s] = second.code.instructions, third.code.instructions
    assert isinstance(one, Call)
    assert isinstance(two, Call)
    assert isinstance(step_n, Call)
    assert isinstance(step_s, Call)
    assert one.code is two.code is step_n.code
    assert step_s.code is not step_n.code
    assert (twice.code.name, step_n.code.name) == ("twice n", "step n")


def test_a_binary_tree_of_calls_is_read_once_for_each_level() -> None:
    define = "(define m0 n add)" + "".join(
        f"(define m{i} (m{i - 1}) (m{i - 1}))" for i in range(1, 60)
    )
    [block] = rules(define=define, moves="((m59))").pieces[0].moves
    level = block.code
    for _ in range(60):
        call = level.instructions[0]
        assert isinstance(call, Call)
        level = call.code
    assert level.instructions == (N, Add())


def test_an_argument_may_be_a_list() -> None:
    [block] = blocks("((check (empty? n)))", "(define check (verify $1))")
    assert block == [Verify(Test(Question.EMPTY, "", Neighbor("n")))]


def test_an_unknown_name_in_a_macro_is_reported_with_the_chain_of_calls() -> None:
    define = "(define inner\n  $1 ad)\n(define outer (inner n))"
    with pytest.raises(RuleFileError) as caught:
        blocks("((outer))", define)
    error = caught.value
    assert str(error) == "game.zrf:2:6: unknown instruction `ad`"
    assert [(frame.word, str(frame.location)) for frame in error.trace] == [
        ("inner", "game.zrf:3:15"),
        ("outer", "game.zrf:9:37"),
    ]
    assert "`add`" in error.hints[0]
    assert "2 |   $1 ad)" in error.report()
    assert "called from inner" in error.report()


def test_an_unknown_argument_is_reported_where_it_is_written() -> None:
    define = "(define inner\n  $1 add)\n(define outer (inner) (inner $1))"
    with pytest.raises(RuleFileError) as caught:
        blocks("((outer southwest))", define)
    error = caught.value
    assert str(error) == "game.zrf:9:44: unknown instruction `southwest`"
    assert error.trace == ()
    assert error.hints == ("the macro `inner` uses it in line 2",)


def test_cursor_names_are_squares_of_conditions() -> None:
    assert blocks("((verify (empty? mark)))") == [[Verify(Test(Question.EMPTY, "", Cursor.MARK))]]
    assert blocks("((verify (attacked? quick n)))") == [
        [Verify(Test(NamedQuestion.ATTACKED, "quick", Neighbor("n")))]
    ]


def test_a_warning_about_a_macro_is_given_once() -> None:
    define = "(define twice ((if empty? $1 else add else add)))"
    found = rules(define=define, moves="(twice n) (twice s)")
    assert [warning.message for warning in found.warnings] == ["a second `else` is ignored"]
