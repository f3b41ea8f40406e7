"""Forms: nodes of a rule file together with the macro call in which they are read.

Owns `Form`, `Scope` (a running macro call), and the errors and warnings that point at a form.
`macros.py` finds macros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors.report import suggest
from forthvm.core.location import Frame
from forthvm.zrf.reading.nodes import Atom
from forthvm.zrf.source import Origin, RuleFileError, RuleWarning

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.core.location import Location
    from forthvm.zrf.reading.nodes import ListNode
    from forthvm.zrf.source import Place

__all__ = ["Argument", "Form", "Quoted", "Scope", "Warnings", "error_at"]

_MAX_WARNINGS = 500
_MAX_ADDED = 20_000  # repeated warnings included
_MAX_CALL_TEXT = 200


class Quoted(str):
    """An argument of a macro call that was written as a string."""

    __slots__ = ()


class Form:
    """A name, a string or a list, with parameters replaced.

    Attributes:
        node: Where it is written.
        scope: The macro call in which it is read; None outside macros.
        text: The characters of a name or a string; "" for a list.
        is_list: Whether it is a list.
        quoted: Whether it is a string.
    """

    __slots__ = ("is_list", "node", "quoted", "scope", "text")

    def __init__(self, node: Atom | ListNode, scope: Scope | None, text: str | None) -> None:
        self.node = node
        self.scope = scope
        self.is_list = text is None
        self.text = text or ""
        self.quoted = isinstance(text, Quoted)

    @property
    def origin(self) -> Origin:
        """Its place and the macro calls that led there."""
        return Origin(self.node.place, self.scope.calls if self.scope else ())


#: A value of a parameter: a name, a `Quoted` string, or a list.
Argument = str | Form


class Scope:
    """A macro call: what its parameters stand for.

    Attributes:
        name: The macro.
        arguments: Values of `$1`, `$2` …, inherited ones included; None for parameters that are
            missing or that the macro does not use.
        call: The call as written.
        outer: The macro call in which the call stands.
        depth: The number of open macro calls, this one included.
    """

    __slots__ = ("_calls", "arguments", "call", "depth", "name", "outer")

    def __init__(
        self,
        name: str,
        arguments: tuple[Argument | None, ...],
        call: ListNode,
        outer: Scope | None,
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.call = call
        self.outer = outer
        self.depth: int = outer.depth + 1 if outer else 1
        self._calls: tuple[tuple[str, Place], ...] | None = None

    @property
    def calls(self) -> tuple[tuple[str, Place], ...]:
        """The open calls, innermost first."""
        if self._calls is None:
            outer = self.outer.calls if self.outer else ()
            self._calls = ((self.name, self.call.place), *outer)
        return self._calls

    @property
    def text(self) -> str:
        """The call as a line of text: the macro's name and its arguments."""
        words = [self.name]
        for argument in self.arguments:
            if isinstance(argument, Form):
                words.append(argument.node.shown)
            elif argument is not None:
                words.append(f'"{argument}"' if isinstance(argument, Quoted) else argument)
        return " ".join(words)[:_MAX_CALL_TEXT]


def _location(node: Atom | ListNode) -> Location:
    return node.source.location(node.place, node.length)


def error_at(
    form: Form,
    message: str,
    *hints: str,
    known: Iterable[str] = (),
    kind: type[RuleFileError] = RuleFileError,
) -> RuleFileError:
    """Return an error that points at a form; for a parameter, at the argument of the macro call.

    Args:
        form: The cause.
        message: What is wrong.
        hints: What to do.
        known: Names of which those similar to the form's text are suggested.
        kind: The class of the error.
    """
    node, scope = _argument_of(form)
    found = [suggest(form.text, known)] if form.text else []
    if form.scope is not None and node is not form.node:
        found.append(f"the macro `{form.scope.name}` uses it in line {form.node.place.line}")
    trace = []
    while scope is not None:
        trace.append(Frame(0, scope.name, _location(scope.call)))
        scope = scope.outer
    return kind(
        message,
        location=_location(node),
        trace=trace,
        hints=[hint for hint in (*found, *hints) if hint],
    )


def _argument_of(form: Form) -> tuple[Atom | ListNode, Scope | None]:
    """Return where the text of a form is written, and the macro call around that place."""
    node, scope = form.node, form.scope
    while scope is not None and isinstance(node, Atom) and not node.quoted:
        match node.pieces:
            case (int(number),):
                arguments = scope.call.items
                if number < len(arguments):  # otherwise the outer call has the argument
                    node = arguments[number]
                scope = scope.outer
            case _:
                break
    return node, scope


class Warnings:
    """Collects warnings up to a limit, each once for a place, with the first macro calls there."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Place | None], RuleWarning] = {}
        self._left = _MAX_ADDED

    def add(self, message: str, form: Form | None = None) -> None:
        """Add a warning about a form; about the whole file if it is None."""
        self._left -= 1
        if len(self._found) < _MAX_WARNINGS and self._left > 0:
            warning = RuleWarning(message, form.origin if form else None)
            place = warning.origin.place if warning.origin else None
            self._found.setdefault((message, place), warning)

    def as_tuple(self) -> tuple[RuleWarning, ...]:
        """Return the warnings in the order in which they were added."""
        return tuple(self._found.values())
