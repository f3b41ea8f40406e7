"""Frames of `$CatchExit` have the same results and use the same steps in every tier.

Owns programs without a game.  Frames in move words are in tests/forth/frames.4th and in
tests/models/test_small_chess_against_model.py.
"""

from __future__ import annotations

import pytest

import forthvm
from forthvm import debug
from tests.vm.tiers import HOT_ITERATIONS, assert_tiers_agree

WORDS = """\
: verify ( ? -- ) NOT IF $Exit ENDIF ;
VARIABLE n
: even? ( -- ) n @ 1 AND 0= verify ;
: third? ( -- ) n @ 3 MOD 0= verify ;
: in-loop ( -- ) 10 0 DO I 4 = IF 77 >R $Exit ENDIF LOOP ;
: deeper ( -- ) ['] even? $CatchExit ['] third? $CatchExit = verify ;
: change ( a b -- ) 2DROP 5 6 7 ;
: below ( -- ) DROP DROP DROP ;
"""


def test_frames_in_hot_loops() -> None:
    many = f"{HOT_ITERATIONS} 0 DO"
    outcome = assert_tiers_agree(
        WORDS,
        f": count 0 {many} I n ! ['] even? $CatchExit - LOOP ; count .",
        f": both 0 {many} I n ! ['] deeper $CatchExit - LOOP ; both .",
        f": loops 0 {many} ['] in-loop $CatchExit - LOOP ; loops . DEPTH .",
        f": stacks 0 {many} 1 2 ['] change $CatchExit + + + LOOP ; stacks .",
        compiled=4,
    )
    assert outcome.failures == []
    printed = [int(number) for number in outcome.printed.split()]
    # Of six successive numbers, 2, 3 and 4 are either even or multiples of three, but not both.
    half = HOT_ITERATIONS // 2
    assert printed == [half, half, HOT_ITERATIONS, 0, 3 * HOT_ITERATIONS]


def test_stacks_are_restored() -> None:
    outcome = assert_tiers_agree(
        WORDS,
        "1 2 3 ' change $CatchExit . . . .",
        ": kept 9 >R 1 2 3 ['] below $CatchExit R> . . . . . ; kept",
        "' below $CatchExit . DEPTH .",
        checked=False,
    )
    assert outcome.failures == []
    assert outcome.printed == "0 3 2 1 9 0 3 2 1 0 0 "


def test_a_frame_cannot_pop_its_callers_return_stack() -> None:
    outcome = assert_tiers_agree(
        ": robs R> R> R> R> R> ; : outer 1 >R ['] robs $CatchExit . R> . ; outer",
        ": leaves 1 >R 2 >R 3 >R $Exit ; : outer2 ['] leaves $CatchExit . 4 . ; outer2",
    )
    assert [failure.split()[1] for failure in outcome.failures] == ["ReturnStackUnderflow"]
    assert outcome.printed == "-1 4 "


def test_wrong_tokens_and_failures_inside_are_errors() -> None:
    outcome = assert_tiers_agree(
        "3 $CatchExit",
        "$CatchExit",
        ": fails 1 0 / ; : outer ['] fails $CatchExit ; 5 outer",
        "DEPTH . ' ABORT $CatchExit",
        "DEPTH .",
    )
    assert len(outcome.failures) == 4


def test_limits_apply_inside_frames() -> None:
    outcome = assert_tiers_agree(
        ": forever BEGIN FALSE UNTIL ; : outer ['] forever $CatchExit ; outer",
        "DEFER again : nest ['] again $CatchExit DROP ; ' nest IS again nest",
        ": many BEGIN ['] NOOP-WORD $CatchExit DROP FALSE UNTIL ;",
        ": noop ; : many BEGIN ['] noop $CatchExit DROP FALSE UNTIL ; many",
        ": exits $Exit ; : many BEGIN ['] exits $CatchExit DROP FALSE UNTIL ; many",
        ": deep RECURSE 1 ; ' deep $CatchExit",
        steps=300_000,
    )
    names = [failure.split()[1] for failure in outcome.failures]
    assert names == [
        "StepLimitExceeded",
        "NestingTooDeep",
        "UndefinedWord",
        "StepLimitExceeded",
        "StepLimitExceeded",
        "ReturnStackOverflow",
    ]


def test_a_frame_may_change_code_that_runs_around_it() -> None:
    outcome = assert_tiers_agree(
        "DEFER d VARIABLE n : b 100 n +! $Exit ; : a 1 n +! ['] b IS d $Exit ;",
        ": go ['] a IS d ['] d $CatchExit DROP ['] d $CatchExit DROP n @ . 0 n ! ;",
        ": many 60 0 DO go LOOP ; many",
        ": number 5 ; : patch 6 ['] number CFA>PFA CELLSIZE + ! ;",
        ": uses number . ['] patch $CatchExit DROP number . 5 ['] number CFA>PFA CELLSIZE + ! ;",
        ": often 60 0 DO uses LOOP ; often",
    )
    assert outcome.failures == []
    assert outcome.printed == "101 " * 60 + "5 6 " * 60


@pytest.mark.slow
def test_debugger_steps_back_into_frames() -> None:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.interpret(WORDS + ": main 20 0 DO I n ! ['] deeper $CatchExit n @ + n ! LOOP ;")
    before = vm.snapshot()
    with debug.Session(debug.word_target(vm, "main"), library=True) as session:
        recorded: list[tuple[int, str, tuple[int, ...]]] = []
        while not session.state.ended:
            recorded.append((session.state.step, session.digest(), session.state.stack))
            session.step()
        assert len(recorded) > 200
        for step, digest, stack in reversed(recorded[::7]):
            state = session.run_to(step)
            assert (state.step, session.digest(), state.stack) == (step, digest, stack)
    assert vm.snapshot().equal(before)
