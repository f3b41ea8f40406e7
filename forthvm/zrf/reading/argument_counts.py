"""Calls of macros with too few or too many arguments.

Only calls outside of macros count: what a call inside a macro lacks, the call around it may have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.wording import counted, joined
from forthvm.zrf.reading.nodes import Atom, ListNode
from forthvm.zrf.source import Origin, RuleWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.zrf.reading.forms import Form
    from forthvm.zrf.reading.macros import Expander, Node

__all__ = ["wrong_calls"]

_ALL = 0  # stands for all parameters of a macro


def wrong_calls(forms: Iterable[Form], expander: Expander) -> Iterator[RuleWarning]:
    """Yield a warning for each call that lacks an argument, or has one that the macro ignores.

    A call without any argument lacks them on purpose.
    """
    known: dict[str, set[int]] = {}
    for call in (c for form in forms if form.scope is None for c in _calls(form.node, expander)):
        name, given = call.head.text if call.head else "", len(call.items) - 1
        if not given or _may_run_macros(call, name, expander):
            continue
        uses = _parameters(name, expander, known)
        missing = [f"`${number}`" for number in sorted(uses) if number > given]
        most = max(uses, default=0)
        if missing:
            message = f"the macro `{name}` uses {joined(missing)}, which this call lacks"
            yield RuleWarning(message, Origin(call.place))
        elif given > most:
            message = f"the macro `{name}` uses {counted(most, 'argument')}, not {given}"
            yield RuleWarning(message, Origin(call.place))


def _calls(node: Node, expander: Expander) -> Iterator[ListNode]:
    """Yield the calls of macros in a node."""
    if isinstance(node, ListNode):
        if node.head is not None and node.head.text in expander.macros:
            yield node
        for item in node.items:
            yield from _calls(item, expander)


def _may_run_macros(call: ListNode, name: str, expander: Expander) -> bool:
    """Whether the macro of a call may call another one whose name has an argument in it."""
    if _ALL not in expander.macro_needs(name):
        return False
    in_part = any(_has_compound_heads(node) for node in expander.macros[name].body)
    return any(
        isinstance(item, ListNode)
        or item.text in expander.macros
        or (in_part and any(item.text in other for other in expander.macros))
        for item in call.items[1:]
    )


def _has_compound_heads(node: Node) -> bool:
    """Whether a node has a list whose first name is a parameter with other characters."""
    if not isinstance(node, ListNode):
        return False
    is_compound = node.head is not None and len(node.head.pieces) > 1
    return is_compound or any(map(_has_compound_heads, node.items))


def _parameters(name: str, expander: Expander, known: dict[str, set[int]]) -> set[int]:
    """Return the numbers of the parameters in a macro, with those that inner calls inherit."""
    if name not in known:
        known[name] = set()  # for a macro that calls itself
        for node in expander.macros[name].body:
            known[name] |= _parameters_in(node, expander, known)
    return known[name]


def _parameters_in(node: Node, expander: Expander, known: dict[str, set[int]]) -> set[int]:
    if isinstance(node, Atom):
        return {piece for piece in node.pieces if isinstance(piece, int)}
    found = {n for item in node.items for n in _parameters_in(item, expander, known)}
    if node.head is not None and node.head.text in expander.macros:
        inner = _parameters(node.head.text, expander, known)
        found |= {number for number in inner if number >= len(node.items)}
    return found
