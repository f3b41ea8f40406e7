"""Blocks of move code, with macro calls as shared code (contract, sections 1 and 6).

Owns control structures and the sharing of equal macro calls.  A macro call among instructions
becomes a `Call`; a macro that yields a part of a condition, an argument or `else` is replaced by
what it stands for.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from forthvm.zrf.code import Call, Code, Condition, Constant, If, Instruction, Verify, While
from forthvm.zrf.reading.forms import Form, error_at
from forthvm.zrf.reading.nodes import Atom, ListNode
from forthvm.zrf.resolve.conditions import ConditionReader
from forthvm.zrf.resolve.instructions import InstructionReader
from forthvm.zrf.rules import Block
from forthvm.zrf.source import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from forthvm.zrf.reading.forms import Argument, Scope
    from forthvm.zrf.reading.macros import Node
    from forthvm.zrf.resolve.names import Names
    from forthvm.zrf.resolve.sections import FormReader

    Scoped = tuple[Node, Scope | None]

__all__ = ["MAX_CALLS", "MAX_DEPTH", "CodeReader"]

#: Different macro calls (name and arguments) in the code of one game; real files have up to 5,609.
MAX_CALLS = 50_000
#: Branches, loops and macro calls inside each other.
MAX_DEPTH = 160


class CodeReader:
    """Reads blocks with the names of one game or variant."""

    def __init__(self, names: Names, reader: FormReader) -> None:
        self._names = names
        self._reader = reader
        self._depth = 0
        self._expander = reader.expander
        self._conditions = ConditionReader(names, reader)
        self._simple = InstructionReader(names, self._conditions, reader)
        self._nodes: dict[tuple[Node, tuple[Argument | None, ...]], tuple[Instruction, ...]] = {}
        self._calls: dict[tuple[str, tuple[Argument | None, ...]], Code] = {}
        self._blocks: dict[tuple[Node, tuple[Argument | None, ...], bool], Code] = {}
        self._control: dict[str, Callable[[Form, deque[Scoped]], Instruction]] = {
            "verify": self._verify,
            "if": self._if,
            "while": self._while,
        }
        self._macros_with_else: dict[str, bool] = {}
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
            if nodes is None:
                nodes = self._block_nodes(form, form.node)
            code = self._blocks[key] = Code(self._run(nodes), "", form.origin)
        return code

    def _block_nodes(self, form: Form, node: ListNode) -> list[Scoped]:
        head = node.head
        if head is not None and head.text in self._control:
            self._reader.warn(f"read as a block of one instruction: (({head.text} …))", form)
            return [(node, form.scope)]
        return [(item, form.scope) for item in node.items]

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
        self._depth += 1
        for node, scope in nodes:
            key = (node, values(node, scope))
            found = known.get(key)
            if found is None:
                if self._depth > MAX_DEPTH:
                    raise error_at(
                        Form(node, scope, None),
                        f"more than {MAX_DEPTH} lists and macro calls inside each other",
                    )
                found = known[key] = self._instructions(node, scope)
            instructions += found
        self._depth -= 1
        return tuple(instructions)

    def _instructions(self, node: Node, scope: Scope | None) -> tuple[Instruction, ...]:
        form = self._expander.form(node, scope)
        if form is None:
            return ()
        if form.is_list:
            head = node.head if isinstance(node, ListNode) else None
            control = self._control.get(head.text) if head is not None else None
            if control is not None and isinstance(node, ListNode):
                return (control(form, deque([(item, scope) for item in node.items[1:]])),)
            call = self._expander.call(form)
            if call is not None:
                code = self._call(call)
                return (Call(code, form.origin),) if code.instructions else ()
            return self._list(form)
        if form.text == "else":
            self._reader.warn("`else` outside `if` is ignored", form)
            return ()
        if form.text in self._simple.keywords:
            instruction = self._simple.instruction(form, form.text, [])
        else:
            instruction = self._simple.step(form)
        return () if instruction is None else (instruction,)

    def _call(self, call: Scope) -> Code:
        key = (call.name, call.arguments)
        code = self._calls.get(key)
        if code is None:
            if len(self._calls) >= MAX_CALLS:
                raise error_at(
                    Form(call.call, call.outer, None),
                    f"the code consists of more than {MAX_CALLS:,} different macro calls",
                    "does a macro call others with ever longer arguments?",
                )
            body = self._expander.macros[call.name].body
            instructions = self._run([(node, call) for node in body])
            origin = Origin(body[0].place, call.calls) if body else None
            code = self._calls[key] = Code(instructions, call.text, origin)
        return code

    # --- lists -----------------------------------------------------------------------

    def _list(self, form: Form) -> tuple[Instruction, ...]:
        assert isinstance(form.node, ListNode)
        node, scope = form.node, form.scope
        first = node.head
        if first is not None and first.text in self._simple.keywords:
            return self._simple_list(form, first.text)
        rest = deque([(item, scope) for item in node.items])
        head = self._next(rest)
        if head is None:
            return ()
        control = self._control.get(head.text)  # a keyword made by substitution
        if control is not None:
            return (control(form, rest),)
        if head.text in self._simple.keywords:
            return self._simple_list(form, head.text)
        if not head.is_list:
            self._simple.step(head)  # an error for a name that is no square
        self._reader.warn("parentheses around instructions are ignored", form)
        return self._run([(item, scope) for item in node.items])

    def _verify(self, form: Form, rest: deque[Scoped]) -> Instruction:
        return Verify(self._condition(form, rest, "verify"), form.origin)

    def _if(self, form: Form, rest: deque[Scoped]) -> Instruction:
        condition = self._condition(form, rest, "if")
        then, otherwise = self._branches(rest)
        return If(condition, then, otherwise, form.origin)

    def _while(self, form: Form, rest: deque[Scoped]) -> Instruction:
        condition = self._condition(form, rest, "while")
        return While(condition, Code(self._run(rest), "", form.origin), form.origin)

    def _simple_list(self, form: Form, keyword: str) -> tuple[Instruction, ...]:
        arguments = self._reader.items(form)[1:]
        instruction = self._simple.instruction(form, keyword, arguments)
        return () if instruction is None else (instruction,)

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
            if not self._may_have_else(node):
                branches[-1].append((node, scope))
                continue
            form = self._expander.form(node, scope)
            if form is None:
                continue
            if form.text == "else" and not form.is_list:
                if len(branches) > 1:
                    self._reader.warn("a second `else` is ignored", form)
                else:
                    branches.append([])
                continue
            call = self._expander.call(form) if form.is_list else None
            if call is not None and self._has_else(call):
                body = self._expander.macros[call.name].body
                rest.extendleft([(inner, call) for inner in reversed(body)])
            else:
                branches[-1].append((form.node, form.scope))
        then, otherwise = [*branches, []][:2]
        return self._branch(then), self._branch(otherwise)

    def _branch(self, nodes: list[Scoped]) -> Code:
        origin = None
        if nodes:
            node, scope = nodes[0]
            origin = Origin(node.place, scope.calls if scope else ())
        return Code(self._run(nodes), "", origin)

    def _may_have_else(self, node: Node) -> bool:
        """Return whether a node may be `else` or yield it, as far as one sees without arguments."""
        if isinstance(node, Atom):
            return bool(node.pieces) or node.text == "else"
        head = node.head
        if head is None:
            return False
        if head.pieces:
            return True
        found = self._macros_with_else.get(head.text)
        if found is None:
            self._macros_with_else[head.text] = False  # for a macro that calls itself
            macro = self._expander.macros.get(head.text)
            found = macro is not None and any(map(self._may_have_else, macro.body))
            self._macros_with_else[head.text] = found
        return found

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
        if form is None or not self._may_have_else(node):
            return False
        if form.is_list:
            call = self._expander.call(form)
            return call is not None and self._has_else(call)
        return form.text == "else"
