"""The scopes of a stopped program: the stacks, the variables, the generation of moves, the board.

Owns the names and texts of values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from forthvm.core.bindings.layout import ADDRESS_MASK, CELL
from forthvm.core.errors import AddressError
from forthvm.debug.session.cell_text import cell_text

from .stack_names import stack_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from forthvm.debug import Session, State
    from forthvm.render.scene_types import Scene

    from .debuggee import Debuggee
    from .script_variables import ScriptVariable, ScriptVariables

__all__ = ["Item", "Items", "Scope", "scopes", "variable_item"]

_MAX_ITEMS = 100_000
_MAX_SHOWN = 8  # items of an array in its text

_NO_GENERATION = ("new game", "apply", "game over", "next turn", "evaluate")
"""Phases in which the variables of the generation of moves have old values."""

Items: TypeAlias = "Callable[[], list[Item]]"


@dataclass(frozen=True)
class Item:
    """A value to show.

    Attributes:
        name: Its name.
        value: Its text.
        number: Its number, None without one.
        type: What it is, for the user.
        children: Returns the values in it; None without any.
        count: The number of the values in it.
        count_is_indexed: Whether they have numbers as names.
        indexed: Whether its name is a number in brackets.
        evaluate: Forth that leaves the value; "" if there is none.
        watch: The text of a watchpoint for it; "" if it cannot be watched.
        address: Its address in memory, 0 without one.
    """

    name: str
    value: str
    number: int | None = None
    type: str = ""
    children: Items | None = None
    count: int = 0
    count_is_indexed: bool = False
    indexed: bool = False
    evaluate: str = ""
    watch: str = ""
    address: int = 0


@dataclass(frozen=True)
class Scope:
    """A list of values with a heading; `hint` is the protocol's hint for its presentation."""

    name: str
    items: Items
    hint: str = ""
    expensive: bool = False


def scopes(debuggee: Debuggee, *, innermost: bool) -> Iterator[Scope]:
    """Yield the scopes of a frame; what they show is read when it is asked for.

    Args:
        debuggee: The stopped program.
        innermost: Whether the frame is the innermost one; only its word names items on the stack.
    """
    session = debuggee.stopped_session
    state = session.state
    yield Scope("Stack", lambda: _stack(session, state, named=innermost), "locals")
    if state.generation_state is not None and state.phase not in _NO_GENERATION and not state.ended:
        yield Scope("Move generation", lambda: _generation(state))
    variables = debuggee.variables
    yield Scope("Variables", lambda: [variable_item(variables, v) for v in variables.all()])
    yield Scope("Return stack", lambda: _return_stack(session), "registers")
    if session.board() is not None:
        yield Scope("Board", lambda: _board(session))


def _stack(session: Session, state: State, *, named: bool) -> list[Item]:
    """Return the items of the stack, the top first."""
    names = stack_names(session, state) if named else ("",) * len(state.stack)
    vm = session.target.vm
    items = list(zip(names, state.stack, strict=True))[::-1]
    texts = session.call(lambda: [cell_text(vm, cell, name) for name, cell in items])
    found = [
        Item(name or f"[{at}]", text, value, indexed=not name)
        for at, ((name, value), text) in enumerate(zip(items, texts, strict=True))
    ]
    hidden = state.depth - len(found)
    if hidden > 0:
        found.append(Item("…", f"{hidden} more items"))
    elif state.depth < 0:
        found.append(Item("underflow", f"{-state.depth} items below the bottom of the stack"))
    return found


def _return_stack(session: Session) -> list[Item]:
    """Return the cells of the return stack, the top first; those that are returns have a place."""
    vm = session.target.vm
    cells = session.return_stack()

    def read() -> list[str]:
        places = [vm.location_of((cell - CELL) & ADDRESS_MASK) for cell in cells]
        return [f" (return to {place})" if place is not None else "" for place in places]

    return [
        Item(f"[{at}]", f"{cell}{place}", cell, indexed=True)
        for at, (cell, place) in enumerate(zip(cells, session.call(read), strict=True))
    ]


def _generation(state: State) -> list[Item]:
    generation = state.generation_state
    assert generation is not None
    facts = {
        "player": generation.player,
        "piece": generation.piece,
        "from": generation.origin,
        "here": generation.here,
    }
    return [Item(name, value) for name, value in facts.items() if value]


# --- variables -----------------------------------------------------------------------------


def variable_item(variables: ScriptVariables, variable: ScriptVariable) -> Item:
    """Return the value of a variable, or of an array with its items."""
    fetch = "@" if variable.size > 1 else "C@"
    try:
        first = variables.values(variable, 0, min(variable.count, _MAX_SHOWN))
    except AddressError:
        return Item(variable.name, "not in memory")
    texts = variables.texts(variable, first)
    if variable.count == 1:
        (value,) = first
        return Item(
            variable.name,
            texts[0],
            value,
            evaluate=f"{variable.address_text(0)} {fetch}",
            watch=variable.address_text(0) + ("" if variable.size > 1 else " bytes 1"),
            address=variable.address,
        )
    shown = " ".join(texts) + (" …" if variable.count > len(first) else "")
    unit = "cells" if variable.size > 1 else "bytes"
    return Item(
        variable.name,
        shown,
        type=f"{variable.count} {unit}",
        children=partial(_array_items, variables, variable),
        count=min(variable.count, _MAX_ITEMS),
        count_is_indexed=True,
        watch=f"{variable.address_text(0)} {'for' if variable.size > 1 else 'bytes'} "
        f"{variable.count}",
        address=variable.address,
    )


def _array_items(variables: ScriptVariables, variable: ScriptVariable) -> list[Item]:
    fetch, unit = ("@", "") if variable.size > 1 else ("C@", " bytes 1")
    values = variables.values(variable, 0, min(variable.count, _MAX_ITEMS))
    return [
        Item(
            f"[{at}]",
            text,
            value,
            indexed=True,
            evaluate=f"{variable.address_text(at)} {fetch}",
            watch=variable.address_text(at) + unit,
        )
        for at, (value, text) in enumerate(
            zip(values, variables.texts(variable, values), strict=True)
        )
    ]


# --- the board -----------------------------------------------------------------------------


def _board(session: Session) -> list[Item]:
    """Return the squares with pieces, and a list of the other squares."""
    board = session.board()
    if board is None:
        return []
    pieces = _pieces(board)
    squares = [square.name for square in board.board.squares]
    found = [_square(name, pieces[name]) for name in squares if name in pieces]
    empty = [name for name in squares if name not in pieces]
    if empty:
        found.append(
            Item(
                "empty squares",
                str(len(empty)),
                children=lambda: _empty(empty),
                count=len(empty),
            )
        )
    return found


def _empty(names: Sequence[str]) -> list[Item]:
    return [_square(name, "empty") for name in names]


def _square(name: str, value: str) -> Item:
    return Item(name, value, watch=f"on {name}")


def _pieces(board: Scene) -> dict[str, str]:
    """Return the piece on each square with one."""
    found = {}
    for piece in board.pieces:
        attribute = f", attribute {piece.attribute}" if piece.attribute else ""
        found[piece.square] = f"{board.players[piece.player].name} {piece.type}{attribute}"
    return found
