"""Differences between the recordings, made with version 140, and later versions.

Owns the differences that the contract names, each as a rule that a test can fail.
"""

from __future__ import annotations

import math
import re
from itertools import pairwise

from tests.golden_runner.records import RecordedError
from tests.golden_runner.symmetries import directions_of_players

__all__ = [
    "ONLY_140",
    "SINCE_150",
    "expected_printed",
    "expected_replies",
    "expected_text",
    "fails_in_140_only",
    "only_in_140",
    "partial_type",
    "uses_caret_words",
]

ONLY_140 = frozenset({".moveString"})  # words of the recordings that glossary.md marks 140
SINCE_150 = frozenset({"R@"})  # recorded as undefined, native since 150

_CARET_WORDS = {"^string", "^position", "^player", "^piece-type", "^number", "^char", "^trim"}
_CARET_WORDS |= {"^=", "^-", "^x", '^"'}
_FRIEND_WORDS = {"friend?", "friend-at?", "friend-of?", "enemy?", "enemy-at?", "enemy-of?"}
_FRIEND_WORDS |= {"player", "player-at"}
_PARTIAL = re.compile(r"(?:^| )partial (\d+)(?= |$)")
_PRINTED = re.compile(r"((?:(?!F?\.\s)\S+\s+)*)F?\.(?=\s)")  # the words before each print
_TANGENT = re.compile(r"(\S+)\s+FTAN\s+$")
_FROM_NEGATIVE = re.compile(r"(-\d+)\s+N>F\s+(?:(\S+)\s+F\+\s+)?$")


def partial_type(text: str) -> int | None:
    """Return the move type after `partial` in a move text of version 140; None without it."""
    found = _PARTIAL.search(text)
    return int(found[1]) if found else None


def expected_text(text: str, axiom: int) -> str:
    """Return a recorded move text as version `axiom` writes it, unless `^` words added to it.

    Later versions do not write `partial`, and write `Pass` only for a move without edits.
    """
    if axiom == 140:
        return text
    edits = _PARTIAL.sub("", text).strip()
    return edits.removesuffix(" Pass") or "Pass"


def uses_caret_words(script: str) -> bool:
    """Return whether a script has `^` words, which write into move texts in version 140 only."""
    return any(token in _CARET_WORDS for token in script.split())


def only_in_140(script: str) -> str | None:
    """Return why a script plays differently since version 150; None if it plays as recorded."""
    tokens = script.split()
    neutral = {name for word, name in pairwise(tokens) if word == "{neutral}"}
    moving = {name for word, name in pairwise(tokens) if word == "{turn}"}
    if neutral & moving and not _FRIEND_WORDS.isdisjoint(tokens):
        return "only in version 140 a neutral player to move has no friends"
    if directions_of_players(tokens, axiom=140) != directions_of_players(tokens, axiom=150):
        return "only in version 140 symmetries of one player add up"
    return None


def expected_replies(replies: list[str], axiom: int) -> list[str]:
    """Return the recorded replies as version `axiom` writes them."""
    return [_expected_reply(reply, axiom) for reply in replies]


def _expected_reply(reply: str, axiom: int) -> str:
    if reply.startswith("MOVE "):
        return f"MOVE {expected_text(reply[5:], axiom)}"
    if reply.startswith("SEARCH "):
        head, _, best = reply.partition("best=")
        return f"{head}best={expected_text(best, axiom)}"
    return reply


def expected_printed(printed: str, script: str, axiom: int) -> str:
    """Return the recorded output as version `axiom` prints it."""
    if axiom == 140:
        return printed
    tokens = script.split()
    if {"FTAN", "N>F"} & set(tokens):
        printed = _printed_floats(printed, script)
    if {"player", "player-at"} & set(tokens):
        printed = _printed_players(printed, tokens)
    return printed


def _printed_floats(printed: str, script: str) -> str:
    """The output with numbers printed directly after FTAN and N>F replaced.

    In version 140 FTAN computes the arc tangent, and the argument of N>F is unsigned.
    """
    numbers = printed.split(" ")
    for index, before in enumerate(_PRINTED.findall(script + " ")):
        if found := _TANGENT.search(before):
            numbers[index] = _float_text(math.tan(float(found[1])))
        elif found := _FROM_NEGATIVE.search(before):
            numbers[index] = _float_text(float(found[1]) + float(found[2] or 0))
    return " ".join(numbers)


def _float_text(value: float) -> str:
    """A float as `F.` prints it without an exponent."""
    text = f"{value:.7g}"
    return text if "." in text else f"{text}."


def _printed_players(printed: str, tokens: list[str]) -> str:
    """The output with the neutral flag added to the numbers of neutral players.

    In version 140 `player` and `player-at` return these numbers without the flag.  The number of
    the n-th player is 2048 * n, and the flag is 1024.
    """
    number = 0
    for token in tokens:
        if token in {"{player}", "{neutral}"}:
            number += 1
            if token == "{neutral}":
                cell = 2048 * number
                printed = re.sub(rf"(?<!\S){cell} ", f"{cell + 1024} ", printed)
    return printed


def fails_in_140_only(recorded_error: RecordedError) -> bool:
    """Return whether only version 140 fails: at a partial move without `partial` in its text.

    Version 140 also fails at texts of more than 1,023 bytes, but without a message, as after ABORT.
    Callers recognize that failure by the lengths of the texts.
    """
    return recorded_error.text == "Partial move check inconsistency"
