"""What a later version may say differently from the recordings (made with version 140).

Owns the differences that the contract names, stated so that each can fail; must not know
which game or fragment it is applied to.
"""

from __future__ import annotations

import re

from golden_runner.records import Death

__all__ = [
    "ONLY_140",
    "SINCE_150",
    "death_of_140_only",
    "expected_printed",
    "expected_replies",
    "expected_text",
    "partial_type",
]

ONLY_140 = frozenset({".moveString"})  # words of the recordings that glossary.md marks 140
SINCE_150 = frozenset({"R@"})  # recorded as undefined, native since 150

_PARTIAL = re.compile(r"(?:^| )partial (\d+)(?= |$)")


def partial_type(text: str) -> int | None:
    """The move type to go on with that version 140 wrote into the text; None: not partial."""
    found = _PARTIAL.search(text)
    return int(found[1]) if found else None


def expected_text(text: str, axiom: int) -> str:
    """A recorded move text as that version writes it: only 140's `partial` adds text."""
    if axiom == 140:
        return text
    return _PARTIAL.sub("", text).strip()


def expected_replies(replies: list[str], axiom: int) -> list[str]:
    """Recorded replies as that version gives them.

    Without its `partial N` a move text can be empty, and an empty text ends the host's list.
    """
    found: list[str] = []
    kept, ended = 0, False
    for reply in replies:
        verb, _, rest = reply.partition(" ")
        if verb == "MOVE":
            text = expected_text(rest, axiom)
            ended = ended or not text
            if not ended:
                found.append(f"MOVE {text}")
                kept += 1
        elif verb == "MOVESEND":
            found.append(f"MOVESEND {kept} 0" if ended else reply)
            kept, ended = 0, False
        else:
            found.append(reply)
    return found


def expected_printed(printed: str, script: str, axiom: int) -> str:
    """Recorded output as that version prints it.

    140's `player` and `player-at` hide the neutral mark: a script that has neutral players
    and uses these words printed a neutral player's bare number.
    """
    tokens = script.split()
    if axiom == 140 or not {"player", "player-at"} & set(tokens):
        return printed
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
