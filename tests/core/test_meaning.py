"""Searching words by their descriptions in the glossary."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from forthvm.core.words.glossary import words
from forthvm.core.words.search import rank


@dataclass(frozen=True)
class Word:
    name: str
    text: str


def names(query: str) -> list[str]:
    return [result.entry.name for result in rank(query, words().values())]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("query", "expected", "first_results"),
    [
        ("mirror", {"{symmetries", "{symmetry}"}, 3),
        ("reflection", {"{symmetry}"}, 5),
        ("opponent", {"enemy?", "enemy-at?", "enemy-of?"}, 3),
        ("random", {"RANDOMIZE", "{random}", "RAND-WITHIN"}, 5),
        ("dice", {"RAND-WITHIN", "{random}"}, 8),
        ("capture", {"capture", "capture-at"}, 2),
        ("captured", {"capture", "capture-at"}, 2),
        ("take piece", {"OnEditRemove"}, 1),
        ("game over", {"OnIsGameOver"}, 1),
        ("promote", {"change-type", "change-type-at"}, 2),
        ("mandatory", {"{move-priority}"}, 5),
        ("victory", {"#WinScore"}, 3),
        ("skip", {"Pass"}, 3),
        ("print", {".", "TYPE", "CR"}, 15),
        ("swap", {"SWAP"}, 1),
        ("copy", {"DUP", "OVER"}, 15),
        ("remainder", {"MOD", "/MOD"}, 5),
        ("CHANGE-OWNER", {"change-owner"}, 1),
        ("diagonal", {"{directions", "{direction}", "directions}"}, 5),
        ("north", {"{directions", "{direction}", "directions}"}, 5),
    ],
)
def test_search_finds_words_by_description(
    query: str, expected: set[str], first_results: int
) -> None:
    assert expected <= set(names(query)[:first_results])


def test_search_without_matches_is_empty() -> None:
    assert names("xyzzy") == names("") == names("  ") == []


def test_short_terms_match_only_whole_words() -> None:
    """`dice` does not match `dictionary`, and `pass` does not match `past`."""
    assert "HERE" not in names("dice")
    assert "(+LOOP)" not in names("pass")


def test_results_are_ordered_by_score_and_give_reasons() -> None:
    glossary = [
        Word("$enemies", "Inside."),
        Word("other", "A foe."),
        Word("plain", "The opponent."),
        Word("enemy-here?", "Is it?"),
        Word("opponent", "The other player."),
        Word("nothing", "Of the kind."),
    ]
    found = rank("opponent", glossary)
    assert [result.entry.name for result in found] == [
        "opponent", "enemy-here?", "plain", "$enemies", "other",
    ]  # fmt: skip
    assert [result.why for result in found] == [
        "found by `opponent`",
        "found by `enemy`",
        "found by `opponent`",
        "found by `enemies`",
        "found by `foe`",
    ]
    (first,) = rank("foe here", [glossary[3], replace(glossary[3], name="enemy-here?")])[:1]
    assert (first.entry.name, first.why) == ("enemy-here?", "found by `enemy` and `here`")
