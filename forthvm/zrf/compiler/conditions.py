"""Translates conditions and squares of move code to ForthScript."""

from __future__ import annotations

from dataclasses import replace
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

if TYPE_CHECKING:
    from forthvm.zrf.choices import Choices
    from forthvm.zrf.compiler.names import Names

__all__ = ["Conditions", "after_step"]

# For each question: the word for the cursor, and the word that takes a position.
_PLAIN = {
    Question.EMPTY: ("empty?", "empty-at?"),
    Question.FRIEND: ("z-friend?", "z-friend-at?"),
    Question.ENEMY: ("z-enemy?", "z-enemy-at?"),
    Question.NEUTRAL: ("neutral-piece?", "neutral-piece-at?"),
    Question.LAST_FROM: ("here z-last-from @ 1- =", "z-last-from @ 1- ="),
    Question.LAST_TO: ("here z-last-to @ 1- =", "z-last-to @ 1- ="),
    Question.MARKED: ("here z-mark @ =", "z-mark @ ="),
    Question.ON_BOARD: ("TRUE", "?? <>"),
    Question.ADJACENT_TO_ENEMY: ("here ['] z-enemy-at? z-adjacent?", "['] z-enemy-at? z-adjacent?"),
    Question.GOAL_POSITION: ("here z-goal-position?", "z-goal-position?"),
}
# The same where neutral pieces are no enemies.
_ACTIVE_ENEMIES = {
    Question.ENEMY: ("here z-active-enemy-at?", "z-active-enemy-at?"),
    Question.ADJACENT_TO_ENEMY: (
        "here ['] z-active-enemy-at? z-adjacent?",
        "['] z-active-enemy-at? z-adjacent?",
    ),
}

# The kind of the name that a question has.
_KINDS = {
    NamedQuestion.PIECE: "piece",
    NamedQuestion.IN_ZONE: "zone",
    NamedQuestion.POSITION: "position",
    NamedQuestion.ATTRIBUTE: "attribute",
    NamedQuestion.POSITION_FLAG: "position-flag",
    NamedQuestion.ATTACKED: "type",
    NamedQuestion.DEFENDED: "type",
}


class Conditions:
    """The conditions of one game.

    Args:
        names: Its names.
        choices: How its rules are understood.
    """

    def __init__(self, names: Names, choices: Choices) -> None:
        self._names = names
        self._plain = _PLAIN if choices.neutral_pieces_are_enemies else _PLAIN | _ACTIVE_ENEMIES

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

    def ahead(self, condition: Condition, step: Neighbor) -> str:
        """Return the text of a condition that holds only if it holds after a step.

        The words leave the former position of the cursor and the flag, and move the cursor; the
        text is empty if the condition asks about other squares, or can hold off the board.
        """
        after = after_step(condition, step)
        if after is None or _holds_off_board(condition):
            return ""
        word = self._names["direction", step.direction]
        return f"here {word} IF {self.text(after)} ELSE FALSE ENDIF"

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
            case Cursor.LAST_FROM | Cursor.LAST_TO:
                return f"{self.square(test.square)} DUP ?? = IF DROP FALSE ELSE {at} ENDIF"
            case _:
                return f"{self.square(test.square)} {at}"

    def _words(self, test: Test) -> tuple[str, str]:
        """Return the words that ask about the cursor, and those that take a position."""
        if isinstance(test.question, NamedQuestion):
            return self._named_words(test.question, test.name)
        return self._plain[test.question]

    def _named_words(  # noqa: PLR0911 - one case for each question
        self, question: NamedQuestion, name: str
    ) -> tuple[str, str]:
        kind = _KINDS[question]
        if name and (kind, name) not in self._names:  # only other variants have the name
            return "FALSE", "DROP FALSE"
        word = self._names[kind, name] if name else "0"
        match question:
            case NamedQuestion.PIECE:
                return f"piece-type {word} =", f"piece-type-at {word} ="
            case NamedQuestion.IN_ZONE:
                return f"here {word}", word
            case NamedQuestion.POSITION:
                return f"here {word} =", f"{word} ="
            case NamedQuestion.ATTRIBUTE:
                return f"piece {word} AND 0<>", f"piece-at {word} AND 0<>"
            case NamedQuestion.POSITION_FLAG:
                return f"here {word} z-flag?", f"{word} z-flag?"
            case _:
                asking = f"{word} z-{question.value}"
                return f"here {asking}", asking

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


def after_step(condition: Condition, step: Neighbor) -> Condition | None:
    """Return a condition that asks about the cursor after a step what another one asks before it.

    None: it asks about other squares.
    """
    match condition:
        case Not(condition=inner):
            after = after_step(inner, step)
            return None if after is None else Not(after)
        case And(conditions=parts) | Or(conditions=parts):
            moved = [after_step(part, step) for part in parts]
            found = tuple(part for part in moved if part is not None)
            return type(condition)(found) if len(found) == len(moved) else None
        case Test(square=square) if square == step:
            return replace(condition, square=Cursor.HERE)
        case Constant() | Test(question=NamedQuestion.FLAG):
            return condition
    return None


def _holds_off_board(condition: Condition) -> bool:
    """Return whether a condition can hold where all its squares are off the board."""
    match condition:
        case Not():
            return True
        case And(conditions=parts):
            return all(map(_holds_off_board, parts))
        case Or(conditions=parts):
            return any(map(_holds_off_board, parts))
    return isinstance(condition, Constant) or condition.question is NamedQuestion.FLAG
