"""The model's reader: tokens and macros (section 1 of the contract)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.messages import raises
from tests.models.zrf.reader import Form, ReadError, Text, expanded, parse, read


def body(text: str) -> list[Form]:
    return expanded(parse(text))


def test_comment_ends_an_atom_and_is_text_in_a_string() -> None:
    assert parse('(a b;c d\n"x;y" e)') == [["a", "b", Text("x;y"), "e"]]


def test_string_spans_lines() -> None:
    assert parse('("one\ntwo")') == [["one\ntwo"]]


def test_atoms_begin_with_anything() -> None:
    assert parse("(?Dice 9men -3 not-a? a!$1)") == [["?Dice", "9men", "-3", "not-a?", "a!$1"]]


@pytest.mark.parametrize("text", ["(a", "a)", '"a'])
def test_an_unbalanced_file_is_an_error(text: str) -> None:
    with pytest.raises(ReadError):
        parse(text)


def test_included_files_are_found_without_regard_to_case(tmp_path: Path) -> None:
    (tmp_path / "Parts").mkdir()
    (tmp_path / "Parts" / "Macros.zrf").write_text("(define one 1)")
    (tmp_path / "game.zrf").write_text('(include "parts\\macros.ZRF") (game (one))')
    assert read(tmp_path / "game.zrf") == [["game", "1"]]


def test_body_is_spliced() -> None:
    assert body("(define two a (b)) (x (two) c)") == [["x", "a", ["b"], "c"]]


def test_substitution_inside_atoms_and_strings() -> None:
    assert body('(define m p$1 $2-01 K1$2 "p$1.bmp" $10) (x (m a b c d e f g h i j))') == [
        ["x", "pa", "b-01", "K1b", "pa.bmp", "j"]
    ]


def test_surplus_arguments_are_ignored() -> None:
    assert body("(define m $1) (x (m a b c))") == [["x", "a"]]


def test_missing_argument_comes_from_the_enclosing_call() -> None:
    text = "(define inner $1 $2 $3) (define outer (inner a)) (x (outer p q r))"
    assert body(text) == [["x", "a", "q", "r"]]


def test_step_without_argument_takes_the_macros_direction() -> None:
    text = "(define step $1 (verify empty?)) (define twice (step) (step)) (x (twice n))"
    assert body(text) == [["x", "n", ["verify", "empty?"], "n", ["verify", "empty?"]]]


def test_missing_argument_vanishes() -> None:
    assert body("(define m (set-flag f $2) p$2) (x (m a))") == [["x", ["set-flag", "f"], "p"]]


def test_missing_argument_of_a_call_leaves_its_place() -> None:
    text = "(define inner [ $1 $2 ]) (define outer (inner $1 b)) (x (outer))"
    assert body(text) == [["x", "[", "b", "]"]]


def test_name_of_a_macro_is_built_by_substitution() -> None:
    assert body("(define m-a 1) (define call (m-$1) ($2)) (x (call a m-a))") == [["x", "1", "1"]]


def test_recursion_ends_with_an_error() -> None:
    with raises(ReadError, "model-reading.more-than-deep"):
        body("(define m (m)) (m)")


def test_use_before_definition_and_the_later_definition_wins() -> None:
    assert body("(x (m) m) (define m 1) (define m 2)") == [["x", "2", "m"]]
