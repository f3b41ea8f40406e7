"""Macros: definitions, and reading lists as if the calls in them were replaced.

Owns the substitution of parameters, the inheritance of missing arguments (contract, item 13), and
the answer to which parameters a node depends on.  Nothing is expanded beforehand: a list is
expanded when it is read, and readers that keep results by (node, parameters) share equal calls.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.zrf.reading.forms import Argument, Form, Quoted, Scope, error_at
from forthvm.zrf.reading.nodes import Atom, ListNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["MAX_DEPTH", "MAX_FORMS", "Expander", "Macro"]

#: Macro calls inside each other.
MAX_DEPTH = 100
#: Forms that may be read for the rules of one game, without those of equal macro calls.
MAX_FORMS = 2_000_000
#: Characters of a name or string that is made by substitution.
MAX_CHARACTERS = 100_000

Node = Atom | ListNode
_ALL = (0,)
"""Stands for all parameters; no parameter has the number 0."""


class Macro:
    """A definition.

    Attributes:
        name: Its name.
        body: The nodes after the name.
    """

    __slots__ = ("body", "name")

    def __init__(self, name: str, body: Sequence[Node]) -> None:
        self.name = name
        self.body = body


def _argument(arguments: tuple[Argument | None, ...], number: str | int) -> Argument | None:
    assert isinstance(number, int)
    return arguments[number - 1] if number <= len(arguments) else None


def _as_text(value: Argument | None) -> str:
    return value if isinstance(value, str) else ""


class Expander:
    """Reads lists with the macros of a file.

    Attributes:
        macros: The definitions, by name.
    """

    def __init__(self, macros: dict[str, Macro]) -> None:
        self.macros = macros
        self._needs: dict[Node, tuple[int, ...]] = {}
        self._macro_needs: dict[str, tuple[int, ...]] = {}
        self._list_arguments: dict[tuple[Node, object], Form] = {}
        self._forms_left = MAX_FORMS

    def reset_limit(self) -> None:
        """Allow the full number of forms again."""
        self._forms_left = MAX_FORMS

    # --- reading ---------------------------------------------------------------------

    def items(self, form: Form) -> list[Form]:
        """Return the items of a list, with macro calls replaced by what they stand for.

        Raises:
            RuleFileError: Macro calls are nested too deep, or there are too many forms.
        """
        assert isinstance(form.node, ListNode)
        return self.forms(form.node.items, form.scope)

    def forms(self, nodes: Iterable[Node], scope: Scope | None) -> list[Form]:
        """Return the forms of nodes, with macro calls replaced.

        Raises:
            RuleFileError: Macro calls are nested too deep, or there are too many forms.
        """
        found: list[Form] = []
        self._splice(nodes, scope, found)
        return found

    def _splice(self, nodes: Iterable[Node], scope: Scope | None, found: list[Form]) -> None:
        for node in nodes:
            form = self.form(node, scope)
            if form is None:
                continue
            call = self.call(form) if form.is_list else None
            if call is None:
                found.append(form)
            else:
                self._splice(self.macros[call.name].body, call, found)

    def form(self, node: Node, scope: Scope | None) -> Form | None:
        """Return the form of a node; None if it is a parameter without a value."""
        self._forms_left -= 1
        if self._forms_left < 0:
            raise error_at(
                Form(node, scope, None),
                f"the macros of this file produce more than {MAX_FORMS:,} forms",
                "a macro that calls another one several times doubles the size at each level",
            )
        if isinstance(node, ListNode):
            return Form(node, scope, None)
        if not node.pieces:
            return Form(node, scope, Quoted(node.text) if node.quoted else node.text)
        if scope is None and node.quoted:
            return Form(node, scope, Quoted(node.text))  # a text about dollars
        value = self._substitute(node, scope)
        return Form(node, scope, value) if isinstance(value, str) else value

    def _substitute(self, atom: Atom, scope: Scope | None) -> Argument | None:
        """Return the text of an atom with its parameters replaced.

        A name that consists of parameters without values vanishes (None); a parameter that stands
        for a list, and is the whole name, yields the list.

        Raises:
            RuleFileError: The text becomes too long.
        """
        arguments = scope.arguments if scope else ()
        pieces = atom.pieces
        if len(pieces) == 1 and not atom.quoted:
            return _argument(arguments, pieces[0])
        text = "".join(
            [
                piece if isinstance(piece, str) else _as_text(_argument(arguments, piece))
                for piece in pieces
            ]
        )
        if len(text) > MAX_CHARACTERS:
            raise error_at(
                Form(atom, scope, None),
                f"substitution makes a name of more than {MAX_CHARACTERS:,} characters",
            )
        if atom.quoted:
            return Quoted(text)
        return text or None

    # --- calls -----------------------------------------------------------------------

    def call(self, form: Form) -> Scope | None:
        """Return the macro call that a list is, or None.

        Raises:
            RuleFileError: The calls are nested too deep.
        """
        node, scope = form.node, form.scope
        if not isinstance(node, ListNode) or not node.items:
            return None
        first = node.items[0]
        if isinstance(first, ListNode) or first.quoted:
            return None
        name: object = first.text if not first.pieces else self._substitute(first, scope)
        if not isinstance(name, str) or isinstance(name, Quoted) or name not in self.macros:
            return None
        if scope is not None and scope.depth >= MAX_DEPTH:
            raise error_at(
                form,
                f"more than {MAX_DEPTH} macro calls inside each other",
                f"does the macro `{name}` call itself?",
            )
        return Scope(name, self._arguments(name, node, scope), node, scope)

    def _arguments(
        self, name: str, node: ListNode, scope: Scope | None
    ) -> tuple[Argument | None, ...]:
        """Return the arguments of a call that the macro uses, those it inherits included."""
        needs = self.macro_needs(name)
        if not needs:
            return ()
        inherited = scope.arguments if scope else ()
        given = len(node.items) - 1
        last = max(given, len(inherited)) if needs == _ALL else needs[-1]
        values: list[Argument | None] = []
        for number in range(1, last + 1):
            if needs != _ALL and number not in needs:
                values.append(None)
            elif number <= given:
                values.append(self._argument(node.items[number], scope))
            else:
                values.append(inherited[number - 1] if number <= len(inherited) else None)
        while values and values[-1] is None:
            values.pop()
        return tuple(values)

    def _argument(self, node: Node, scope: Scope | None) -> Argument | None:
        if isinstance(node, Atom):
            if node.pieces:
                return self._substitute(node, scope)
            return Quoted(node.text) if node.quoted else node.text
        key = (node, self.values(node, scope))
        form = self._list_arguments.get(key)
        if form is None:
            form = self._list_arguments[key] = Form(node, scope, None)
        return form

    # --- sharing ---------------------------------------------------------------------

    def values(self, node: Node, scope: Scope | None) -> tuple[Argument | None, ...]:
        """Return the values of all parameters that the meaning of a node depends on.

        Two readings of a node with equal values have the same meaning.
        """
        if scope is None:
            return ()
        needs = self._needs.get(node)
        if needs is None:
            needs = self.needs(node)
        if not needs:
            return ()
        arguments = scope.arguments
        if needs == _ALL:
            return arguments
        count = len(arguments)
        return tuple([arguments[n - 1] if n <= count else None for n in needs])

    def needs(self, node: Node) -> tuple[int, ...]:
        """Return the numbers of the parameters that the meaning of a node depends on."""
        found = self._needs.get(node)
        if found is None:
            found = self._needs[node] = self._find_needs(node)
        return found

    def _find_needs(self, node: Node) -> tuple[int, ...]:
        if isinstance(node, Atom):
            return tuple(sorted({piece for piece in node.pieces if isinstance(piece, int)}))
        items: Sequence[Node] = node.items
        numbers: set[int] = set()
        head = node.head
        if head is not None and head.pieces:
            if self._may_be_macro(head):
                return _ALL
        elif head is not None and head.text in self.macros:
            needs = self.macro_needs(head.text)
            given = len(items) - 1
            numbers = {number for number in needs if number > given or number == 0}
            items = [items[number] for number in needs if 0 < number <= given]
        for item in items:
            numbers.update(self.needs(item))
        return _ALL if 0 in numbers else tuple(sorted(numbers))

    def macro_needs(self, name: str) -> tuple[int, ...]:
        """Return the numbers of the parameters that a macro uses or passes on."""
        found = self._macro_needs.get(name)
        if found is None:
            self._macro_needs[name] = _ALL  # for a macro that calls itself
            numbers: set[int] = set()
            for node in self.macros[name].body:
                numbers.update(self.needs(node))
            found = self._macro_needs[name] = _ALL if 0 in numbers else tuple(sorted(numbers))
        return found

    def _may_be_macro(self, head: Atom) -> bool:
        """Return whether a name with parameters can become the name of a macro."""
        if len(head.pieces) == 1:
            return True
        parts = [".*" if isinstance(piece, int) else re.escape(piece) for piece in head.pieces]
        pattern = re.compile("".join(parts), re.DOTALL)
        return any(pattern.fullmatch(name) for name in self.macros)
