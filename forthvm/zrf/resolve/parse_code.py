"""Blocks of move code, with macro calls as shared code (contract, sections 1 and 6).

Owns control structures and the sharing of equal macro calls.  A macro call among instructions
becomes a `Call`; a macro that yields a part of a condition, an argument or `else` is replaced by
what it stands for.  It must not know simple instructions and conditions.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from forthvm.zrf.code import Call, Code, Condition, Constant, If, Instruction, Verify, While
from forthvm.zrf.reading.forms import error_at
from forthvm.zrf.reading.nodes import Atom, ListNode
from forthvm.zrf.resolve.conditions import ConditionReader
from forthvm.zrf.resolve.instructions import InstructionReader
from forthvm.zrf.rules import Block

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.zrf.reading.forms import Argument, Form, Scope
    from forthvm.zrf.reading.macros import Node
    from forthvm.zrf.resolve.names import Names
    from forthvm.zrf.resolve.sections import FormReader

    Scoped = tuple[Node, Scope | None]

__all__ = ["CodeReader"]


class CodeReader:
    """Reads blocks with the names of one game or variant."""

    def __init__(self, names: Names, reader: FormReader) -> None:
        self._names = names
        self._reader = reader
        self._expander = reader.expander
        self._conditions = ConditionReader(names, reader)
        self._simple = InstructionReader(names, self._conditions, reader)
        self._nodes: dict[tuple[Node, tuple[Argument | None, ...]], tuple[Instruction, ...]] = {}
        self._calls: dict[tuple[str, tuple[Argument | None, ...]], Code] = {}
        self._blocks: dict[tuple[Node, tuple[Argument | None, ...], bool], Code] = {}
        self._with_else: dict[tuple[str, tuple[Argument | None, ...]], bool] = {}

    def block(self, form: Form, nodes: Iterable[Scoped] | None = None) -> Code:
        """Return a block; equal blocks are the same object.

        Args:
            form: The list of instructions.
            nodes: The instructions, if the block does not consist of all items.

        Raises:
            RuleFileError: The block is broken, or names something unknown.
        """
        assert isinstance(form.node, ListNode)
        key = (form.node, self._expander.values(form.node, form.scope), nodes is None)
        code = self._blocks.get(key)
        if code is None:
            scoped = [(node, form.scope) for node in form.node.items] if nodes is None else nodes
            code = self._blocks[key] = Code(self._run(scoped), "", form.origin)
        return code

    def drop(self, form: Form, move_type: str) -> Block:
        """Return a drop block, of which the first names say where it is tried (contract, item 47).

        Raises:
            RuleFileError: The block is broken, or names something unknown.
        """
        assert isinstance(form.node, ListNode)
        geometry = self._names.geometry
        rest = deque((node, form.scope) for node in form.node.items)
        starts: tuple[str, ...] | None = None
        zones: list[str] = []
        while True:
            here = rest.copy()
            first = self._next(rest)
            name = first.text if first and not first.is_list else ""
            if name in geometry.positions:
                starts = (name,)
            elif name in geometry.killed:
                starts = ()
            elif name in self._names.zones:
                zones.append(name)
            else:
                break
        if starts is None and not zones:
            return Block(self.block(form), move_type, form.origin)
        if len(zones) > 1:
            self._reader.warn("a drop block that begins with several zones never applies", form)
            starts = ()
        zone = zones[0] if zones and starts is None else ""
        return Block(self.block(form, here), move_type, form.origin, starts, zone)

    def _run(self, nodes: Iterable[Scoped]) -> tuple[Instruction, ...]:
        values, known = self._expander.values, self._nodes
        instructions: list[Instruction] = []
        for node, scope in nodes:
            key = (node, values(node, scope))
            found = known.get(key)
            if found is None:
                found = known[key] = self._instructions(node, scope)
            instructions += found
        return tuple(instructions)

    def _instructions(self, node: Node, scope: Scope | None) -> tuple[Instruction, ...]:
        form = self._expander.form(node, scope)
        if form is None:
            return ()
        if form.is_list:
            call = self._expander.call(form)
            if call is not None:
                code = self._call(call)
                return (Call(code, form.origin),) if code.instructions else ()
            return self._list(form)
        if form.text == "else":
            raise error_at(form, "`else` outside `if`", "write (if CONDITION … else …)")
        if form.text in self._simple.keywords:
            instruction = self._simple.instruction(form, form.text, [])
        else:
            instruction = self._simple.step(form)
        return () if instruction is None else (instruction,)

    def _call(self, call: Scope) -> Code:
        key = (call.name, call.arguments)
        code = self._calls.get(key)
        if code is None:
            body = self._expander.macros[call.name].body
            instructions = self._run([(node, call) for node in body])
            origin = None
            if body:
                first = self._expander.form(body[0], call)
                origin = first.origin if first else None
            code = self._calls[key] = Code(instructions, call.text, origin)
        return code

    # --- lists -----------------------------------------------------------------------

    def _list(self, form: Form) -> tuple[Instruction, ...]:
        assert isinstance(form.node, ListNode)
        rest = deque((node, form.scope) for node in form.node.items)
        head = self._next(rest)
        if head is None:
            return ()
        if head.text == "verify":
            return (Verify(self._condition(form, rest, "verify"), form.origin),)
        if head.text == "if":
            condition = self._condition(form, rest, "if")
            then, otherwise = self._branches(rest)
            return (If(condition, then, otherwise, form.origin),)
        if head.text == "while":
            condition = self._condition(form, rest, "while")
            return (While(condition, Code(self._run(rest), "", form.origin), form.origin),)
        if head.text in self._simple.keywords and not head.is_list:
            arguments = self._reader.items(form)[1:]
            instruction = self._simple.instruction(form, head.text, arguments)
            return () if instruction is None else (instruction,)
        self._require_instruction(head)
        self._reader.warn("parentheses around instructions are ignored", form)
        return self._run([(node, form.scope) for node in form.node.items])

    def _require_instruction(self, head: Form) -> None:
        """Raise an error if a list does not begin with a direction, a position or a list."""
        if not head.is_list:
            self._simple.step(head)

    def _next(self, rest: deque[Scoped]) -> Form | None:
        """Take the next form, with macro calls replaced; None at the end."""
        while rest:
            node, scope = rest.popleft()
            form = self._expander.form(node, scope)
            if form is None:
                continue
            call = self._expander.call(form) if form.is_list else None
            if call is None:
                return form
            body = self._expander.macros[call.name].body
            rest.extendleft([(inner, call) for inner in reversed(body)])
        return None

    def _condition(self, form: Form, rest: deque[Scoped], keyword: str) -> Condition:
        """Take the condition of a control structure."""
        condition = self._next(rest)
        if condition is None:
            self._reader.warn(f"`{keyword}` without a condition: it is read as false", form)
            return Constant(False)
        found = self._conditions.condition(condition)
        if keyword == "verify" and rest:
            surplus = self._next(rest)
            if surplus is not None:
                self._reader.warn("`verify` takes one condition; this is ignored", surplus)
        return found

    # --- branches ----------------------------------------------------------------------

    def _branches(self, rest: deque[Scoped]) -> tuple[Code, Code]:
        """Return the instructions before and after `else`."""
        branches: list[list[Scoped]] = [[]]
        while rest:
            node, scope = rest.popleft()
            form = self._expander.form(node, scope)
            if form is None:
                continue
            if form.text == "else" and not form.is_list:
                branches.append([])
                if len(branches) > 2:  # noqa: PLR2004 - one `else`
                    raise error_at(form, "a second `else`", "put the branch in an `if` of its own")
                continue
            call = self._expander.call(form) if form.is_list else None
            if call is not None and self._has_else(call):
                body = self._expander.macros[call.name].body
                rest.extendleft([(inner, call) for inner in reversed(body)])
            else:
                branches[-1].append((form.node, form.scope))
        codes = [self._branch(branch) for branch in [*branches, []][:2]]
        return codes[0], codes[1]

    def _branch(self, nodes: list[Scoped]) -> Code:
        origin = None
        if nodes:
            first = self._expander.form(*nodes[0])
            origin = first.origin if first else None
        return Code(self._run(nodes), "", origin)

    def _has_else(self, call: Scope) -> bool:
        """Return whether `else` stands among what a macro call stands for, outside inner lists."""
        key = (call.name, call.arguments)
        found = self._with_else.get(key)
        if found is None:
            self._with_else[key] = False  # for a macro that calls itself
            found = self._with_else[key] = any(
                self._is_else(node, call) for node in self._expander.macros[call.name].body
            )
        return found

    def _is_else(self, node: Node, scope: Scope) -> bool:
        form = self._expander.form(node, scope)
        if form is None or (isinstance(node, Atom) and not node.pieces and node.text != "else"):
            return False
        if form.is_list:
            call = self._expander.call(form)
            return call is not None and self._has_else(call)
        return form.text == "else"
