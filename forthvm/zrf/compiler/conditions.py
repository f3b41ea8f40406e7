"""Translates conditions and squares of move code to ForthScript.

It must not know instructions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    And,
    Condition,
    Constant,
    Cursor,
    Named,
    NamedQuestion,
    Neighbor,
    Not,
    Or,
    Question,
    Square,
    Test,
)
from forthvm.zrf.compiler.errors import NotSupportedError

if TYPE_CHECKING:
    from forthvm.zrf.compiler.names import Names

__all__ = ["Conditions"]

# For each question: the word for the cursor, and the word that takes a position.
_PLAIN = {
    Question.EMPTY: ("empty?", "empty-at?"),
    Question.FRIEND: ("z-friend?", "z-friend-at?"),
    Question.ENEMY: ("z-enemy?", "z-enemy-at?"),
    Question.NEUTRAL: ("neutral-piece?", "neutral-piece-at?"),
    Question.LAST_FROM: ("here z-last-from @ 1- =", "z-last-from @ 1- ="),
    Question.LAST_TO: ("here z-last-to @ 1- =", "z-last-to @ 1- ="),
    Question.MARKED: ("here z-mark @ =", "z-mark @ ="),
}


class Conditions:
    """The conditions of one game."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def text(self, condition: Condition) -> str:
        """Return the words that leave the flag of a condition, and do not move the cursor."""
        match condition:
            case Constant(value=value):
                return "TRUE" if value else "FALSE"
            case Not(condition=inner):
                return f"{self.text(inner)} NOT"
            case And(conditions=parts):
                return self._chain(parts, "IF {} ELSE FALSE ENDIF", "TRUE")
            case Or(conditions=parts):
                return self._chain(parts, "IF TRUE ELSE {} ENDIF", "FALSE")
            case Test():
                return self._test(condition)

    def _chain(self, parts: tuple[Condition, ...], join: str, empty: str) -> str:
        """Join conditions so that later ones are asked only if they decide."""
        if not parts:
            return empty
        text = self.text(parts[-1])
        for part in reversed(parts[:-1]):
            text = f"{self.text(part)} {join.format(text)}"
        return text

    def _test(self, test: Test) -> str:
        if test.question is NamedQuestion.FLAG:
            return f"{self._names.add('flag', test.name)} @"
        here, at = self._words(test)
        match test.square:
            case Cursor.HERE:
                return here
            case Neighbor(direction=name):
                step = self._names["direction", name]
                if test.question is Question.ON_BOARD:
                    return f"here {step} SWAP to"
                return f"here {step} IF {here} ELSE FALSE ENDIF SWAP to"
            case _:
                return f"{self.square(test.square)} {at}"

    def _words(self, test: Test) -> tuple[str, str]:  # noqa: PLR0911 - a table
        names, name = self._names, test.name
        match test.question:
            case Question.ON_BOARD:
                return "TRUE", "?? <>"
            case NamedQuestion.PIECE:
                word = names["piece", name]
                return f"piece-type {word} =", f"piece-type-at {word} ="
            case NamedQuestion.IN_ZONE:
                word = names["zone", name]
                return f"here {word}", word
            case NamedQuestion.POSITION:
                word = names["position", name]
                return f"here {word} =", f"{word} ="
            case NamedQuestion.ATTRIBUTE:
                word = names["attribute", name]
                return f"piece {word} AND 0<>", f"piece-at {word} AND 0<>"
            case NamedQuestion.POSITION_FLAG:
                word = names.add("position-flag", name)
                return f"here {word} z-flag?", f"{word} z-flag?"
            case NamedQuestion.ATTACKED | NamedQuestion.DEFENDED:
                kind = names["type", name] if name else "0"
                word = f"{kind} z-{test.question.value}"
                return f"here {word}", word
        if test.question in _PLAIN:
            return _PLAIN[test.question]
        raise NotSupportedError(test.question.value, test.origin)

    def square(self, square: Square) -> str:  # noqa: PLR0911 - a table
        """Return the words that leave a position, -1 for none; not for a neighbor."""
        match square:
            case Named(position=name):
                return self._names["position", name]
            case Cursor.HERE:
                return "here"
            case Cursor.FROM:
                return "z-from @"
            case Cursor.TO:
                return "z-to-or-here"
            case Cursor.MARK:
                return "z-mark @"
            case Cursor.LAST_FROM:
                return "z-last-from @ 1-"
            case Cursor.LAST_TO:
                return "z-last-to @ 1-"
            case _:
                raise AssertionError(square)
