"""Conditions of move code (contract, section 6.3).

Owns the reading of a condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors.report import suggest
from forthvm.zrf.code import (
    And,
    Condition,
    Constant,
    Cursor,
    NamedQuestion,
    Not,
    Or,
    Question,
    Test,
)

if TYPE_CHECKING:
    from forthvm.zrf.reading.forms import Argument, Form
    from forthvm.zrf.reading.macros import Node
    from forthvm.zrf.resolve.names import Names
    from forthvm.zrf.resolve.sections import FormReader

__all__ = ["ConditionReader"]

_QUESTIONS: dict[str, Question] = {question.value: question for question in Question}
_NAMED: dict[str, NamedQuestion] = {
    question.value: question
    for question in NamedQuestion
    if question is not NamedQuestion.ATTRIBUTE
}
_SIDES = (NamedQuestion.ATTACKED, NamedQuestion.DEFENDED)
_FALSE = Constant(False)


class ConditionReader:
    """Reads conditions with the names of one game or variant."""

    def __init__(self, names: Names, reader: FormReader) -> None:
        self._names = names
        self._reader = reader
        self._read: dict[tuple[Node, tuple[Argument | None, ...]], Condition] = {}

    def condition(self, form: Form) -> Condition:
        """Return the condition that a form is.

        Raises:
            RuleFileError: It is no condition, or names something unknown.
        """
        key = (form.node, self._reader.expander.values(form.node, form.scope))
        found = self._read.get(key)
        if found is None:
            found = self._read[key] = self._condition(form)
        return found

    def _condition(self, form: Form) -> Condition:
        if not form.is_list:
            return self._keyword(form, form, [])
        items = self._reader.items(form)
        if not items:
            self._reader.warn("an empty condition is false", form)
            return _FALSE
        head, arguments = items[0], items[1:]
        if head.is_list:
            if arguments:
                self._reader.warn("only the first condition in this list counts", form)
            return self.condition(head)
        if head.text in ("and", "or"):
            join = And if head.text == "and" else Or
            return join(tuple(self.condition(argument) for argument in arguments))
        if head.text == "not":
            return self._not(form, arguments)
        return self._keyword(head, form, arguments)

    def _not(self, form: Form, arguments: list[Form]) -> Condition:
        if not arguments:
            self._reader.warn("`not` without a condition is false", form)
            return _FALSE
        if len(arguments) > 1:
            self._reader.warn("`not` takes one condition; the others are ignored", arguments[1])
        return Not(self.condition(arguments[0]))

    def _keyword(self, head: Form, form: Form, arguments: list[Form]) -> Condition:
        text = head.text
        if text in ("true", "false"):
            return Constant(text == "true")
        found = self._test(text, form, arguments)
        if found is None and text.startswith("not-"):
            positive = self._test(text.removeprefix("not-"), form, arguments)
            found = None if positive is None else Not(positive)
        if found is None:
            known = [*_QUESTIONS, *_NAMED, *self._names.attributes]
            known += [f"not-{name}" for name in (*_QUESTIONS, *_NAMED)]
            self._names.unknown(head, "condition", known)
            return _FALSE
        return found

    def _test(self, text: str, form: Form, arguments: list[Form]) -> Condition | None:
        """Return a test by its keyword, or the name of an attribute; None for other names."""
        question = _QUESTIONS.get(text)
        if question is not None:
            return self._at(form, question, "", arguments)
        named = _NAMED.get(text)
        if named is not None:
            if named in _SIDES:
                return self._attacked(form, named, arguments)
            return self._named(form, named, arguments)
        if text in self._names.attributes:
            return self._at(form, NamedQuestion.ATTRIBUTE, text, arguments)
        return None

    def _named(self, form: Form, question: NamedQuestion, arguments: list[Form]) -> Condition:
        if not arguments:
            self._reader.warn(f"`{question.value}` without a name is false", form)
            return _FALSE
        name = self._name(question, arguments[0])
        if name is None:
            return _FALSE
        return self._at(form, question, name, arguments[1:])

    def _name(self, question: NamedQuestion, form: Form) -> str | None:
        """Return the name that a test asks for; None if the test is false."""
        names = self._names
        if question is NamedQuestion.PIECE:
            return names.piece(form)
        if question is NamedQuestion.IN_ZONE and form.text not in names.zones:
            near = suggest(form.text, names.zones)
            self._reader.warn(
                f"there is no zone `{form.text}`: the condition is false"
                + (f"; {near}" if near else ""),
                form,
            )
            return None
        if question is NamedQuestion.POSITION and form.text not in names.geometry.positions:
            if form.text not in names.geometry.killed:
                names.unknown(form, "position", names.geometry.positions)
            return None
        return form.text

    def _attacked(self, form: Form, question: NamedQuestion, arguments: list[Form]) -> Condition:
        name = ""
        if arguments and not self._names.is_square(arguments[0]):
            name, arguments = arguments[0].text, arguments[1:]
        return self._at(form, question, name, arguments)

    def _at(
        self, form: Form, question: Question | NamedQuestion, name: str, arguments: list[Form]
    ) -> Condition:
        """Return a test of the cursor, or of the square that is its last argument."""
        if not arguments:
            return Test(question, name, Cursor.HERE, form.origin)
        if len(arguments) > 1:
            self._reader.warn("more arguments than this condition takes are ignored", arguments[1])
        square = self._names.square(arguments[0])
        return _FALSE if square is None else Test(question, name, square, form.origin)
