"""What a later version may say differently from the recordings (made with version 140).

Owns the differences that the contract names, stated so that each can fail; must not know
which game or fragment it is applied to.
"""

from __future__ import annotations

import math
import re
from itertools import pairwise

from tests.golden_runner.records import Death
from tests.golden_runner.symmetries import directions_of_players

__all__ = [
    "ONLY_140",
    "SINCE_150",
    "death_of_140_only",
    "expected_printed",
    "expected_replies",
    "expected_text",
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
_PRINTED = re.compile(r"((?:(?!F?\.\s)\S+\s+)*)F?\.(?=\s)")  # what runs before each print
_TANGENT = re.compile(r"(\S+)\s+FTAN\s+$")
_FROM_NEGATIVE = re.compile(r"(-\d+)\s+N>F\s+(?:(\S+)\s+F\+\s+)?$")


def partial_type(text: str) -> int | None:
    """The move type to go on with that version 140 wrote into the text; None: not partial."""
    found = _PARTIAL.search(text)
    return int(found[1]) if found else None


def expected_text(text: str, axiom: int) -> str:
    """A recorded move text as that version writes it, unless `^` words wrote into it.

    Later versions write no `partial`; a move without edits is called `Pass`, and one with edits
    is not.
    """
    if axiom == 140:
        return text
    edits = _PARTIAL.sub("", text).strip()
    return edits.removesuffix(" Pass") or "Pass"


def uses_caret_words(script: str) -> bool:
    """Whether a script has `^` words, which write into move texts in version 140 only."""
    return any(token in _CARET_WORDS for token in script.split())


def only_in_140(script: str) -> str | None:
    """Why a script plays otherwise since version 150, None where it plays as recorded."""
    tokens = script.split()
    named = {b for a, b in pairwise(tokens) if a == "{neutral}"}
    moving = {b for a, b in pairwise(tokens) if a == "{turn}"}
    if named & moving and not _FRIEND_WORDS.isdisjoint(tokens):
        return "only in version 140 a neutral player to move has no friends"
    if directions_of_players(tokens, axiom=140) != directions_of_players(tokens, axiom=150):
        return "only in version 140 symmetries of one player add up"
    return None


def expected_replies(replies: list[str], axiom: int) -> list[str]:
    """Recorded replies as that version gives them."""
    return [_expected_reply(reply, axiom) for reply in replies]


def _expected_reply(reply: str, axiom: int) -> str:
    if reply.startswith("MOVE "):
        return f"MOVE {expected_text(reply[5:], axiom)}"
    if reply.startswith("SEARCH "):
        head, _, best = reply.partition("best=")
        return f"{head}best={expected_text(best, axiom)}"
    return reply


def expected_printed(printed: str, script: str, axiom: int) -> str:
    """Recorded output as that version prints it."""
    if axiom == 140:
        return printed
    tokens = script.split()
    if {"FTAN", "N>F"} & set(tokens):
        printed = _printed_floats(printed, script)
    if {"player", "player-at"} & set(tokens):
        printed = _printed_players(printed, tokens)
    return printed


def _printed_floats(printed: str, script: str) -> str:
    """140's FTAN is the arc tangent, and its N>F takes its argument unsigned.

    Every number that a script prints directly after these words is worked out anew.
    """
    numbers = printed.split(" ")
    for place, before in enumerate(_PRINTED.findall(script + " ")):
        if found := _TANGENT.search(before):
            numbers[place] = _float_text(math.tan(float(found[1])))
        elif found := _FROM_NEGATIVE.search(before):
            numbers[place] = _float_text(float(found[1]) + float(found[2] or 0))
    return " ".join(numbers)


def _float_text(value: float) -> str:
    """A float of middling size as `F.` prints it."""
    text = f"{value:.7g}"
    return text if "." in text else f"{text}."


def _printed_players(printed: str, tokens: list[str]) -> str:
    """140's `player` and `player-at` hide the neutral mark.

    A script that has neutral players and uses these words printed a neutral player's bare
    number.
    """
    number = 0
    for token in tokens:
        if token in {"{player}", "{neutral}"}:
            number += 1
            if token == "{neutral}":
                cell = 2048 * number
                printed = re.sub(rf"(?<!\S){cell} ", f"{cell + 1024} ", printed)
    return printed


def death_of_140_only(death: Death) -> bool:
    """140 refuses a partial move whose text lacks `partial`, and texts over 1,023 bytes.

    The latter ended the process without a word, as ABORT does, so it cannot be told from the
    death alone; callers look at our own error instead.
    """
    return death.text == "Partial move check inconsistency"
