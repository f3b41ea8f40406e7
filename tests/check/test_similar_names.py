"""Tests of the name that is suggested for an unknown name."""

from __future__ import annotations

import pytest

from tests.check.conftest import Checker
from tests.check.test_broken_parts import GAME


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("old", "new", "suggested"),
    [
        ("{player} White", "{player} Light", ""),  # not WHILE
        ("{player} White", "{player} Whitte", "Whitte"),
        ("{setup} White", "{setup} Whitee", "White"),
        ("White man a1", "White mann a1", "man"),
        (": name ( -- ) ", ": name ( -- ) White1 DROP ", "White"),
        (": name ( -- ) ", ": name ( -- ) Whitee ", "White"),
        (": name ( -- ) ", ": name ( -- ) WHIL ", "WHILE"),
        (": name ( -- ) ", ": name ( -- ) While ", "WHILE"),
        (": name ( -- ) ", ": name ( -- ) swap DROP ", "SWAP"),
        ("{moves man-moves", "1 WHILEE DROP\n{moves man-moves", "White"),
    ],
)
def test_the_most_similar_name_is_suggested(
    check: Checker, old: str, new: str, suggested: str
) -> None:
    first, *_ = check(GAME.replace(old, new, 1), select=["E101"]).findings
    assert first.hints == ((f"did you mean `{suggested}`?",) if suggested else ())


def test_an_unknown_name_is_not_suggested_for_another_one(check: Checker) -> None:
    text = GAME.replace("{moves", ": one ( -- ) Whitee ;\n: two ( -- ) Whitte ;\n{moves", 1)
    found = check(text, select=["E101"]).findings
    assert [finding.hints for finding in found] == [("did you mean `White`?",)] * 2
