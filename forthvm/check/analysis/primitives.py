"""The effects of primitives on abstract cells, and on the game.

This file owns constant folding: the results of primitives with known arguments.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from forthvm.core._primitives import PRIMITIVES
from forthvm.core.words.stack_effect import Effect

from .cells import Cell, IndexRange, derived, known_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "COMPARISONS",
    "DEAD_ENDS",
    "FETCHES",
    "GAME_EFFECTS",
    "STORES",
    "TESTS_FOR_ZERO",
    "kernel_effect",
    "possible_values",
    "primitive_results",
]

#: Words that end the run, so that the rest of the definition is not executed.
DEAD_ENDS = frozenset({"ABORT", "QUIT", "ERROR", "UNDEFINED", "(unset)", "(stop)"})

_EDITS = (
    *("move", "capture", "capture-at", "drop", "drop-piece", "drop-piece-at"),
    *("create", "create-at", "create-player", "create-player-at"),
    *("create-piece-type", "create-piece-type-at"),
    *("create-player-piece-type", "create-player-piece-type-at"),
    *("change-type", "change-type-at", "change-owner", "change-owner-at"),
    *("^string", "^position", "^player", "^piece-type", "^number", "^char", "^=", "^-", "^x"),
    *("COMPILE", "partial", "partial-move-type", "remove-from-reserve"),
)

_TESTS = (
    *("empty?", "empty-at?", "not-empty?", "not-empty-at?", "piece", "piece-at"),
    *("friend?", "friend-at?", "enemy?", "enemy-at?", "piece-type-at", "player-at"),
)

#: The effects of words on the game while a move is generated or a hook runs:
#: `edit`: the word edits the board or the move;  `test`: it reads the content of a board position;
#: `add`: it adds the move to the list;  `exit`: it ends the move word;  `generate`: it generates a
#: move list;  `count`: it reads a move list;  `pass`: it adds a pass;  `random`, `seed`: it uses
#: or seeds random numbers.
GAME_EFFECTS: dict[str, frozenset[str]] = {
    **{name: frozenset({"edit"}) for name in _EDITS},
    **{name: frozenset({"test"}) for name in _TESTS},
    "add-move": frozenset({"add"}),
    "$Pass": frozenset({"add", "edit", "pass"}),
    "Pass": frozenset({"add", "edit", "pass"}),
    "PassNoPartial": frozenset({"add", "edit", "pass"}),
    "$Exit": frozenset({"exit"}),
    "$GenerateMoves": frozenset({"generate"}),
    "move-count": frozenset({"count"}),
    "$FirstMove": frozenset({"count"}),
    "stalemate?": frozenset({"count"}),
    "RAND-WITHIN": frozenset({"random"}),
    "FRAND": frozenset({"random"}),
    "SEED!": frozenset({"seed"}),
}


@cache
def kernel_effect(name: str) -> Effect:
    """Return the stack effect of a primitive from the primitives table."""
    return _effects()[name]


@cache
def _effects() -> dict[str, Effect]:
    return {name: Effect.parse(effect) for name, effect, *_ in PRIMITIVES}


def _wrap(value: int) -> int:
    return (value + 0x80000000) % 0x100000000 - 0x80000000


def _flag(value: bool) -> int:
    return -1 if value else 0


_UNARY: dict[str, Callable[[int], int]] = {
    "NOT": lambda a: _flag(a == 0),
    "0=": lambda a: _flag(a == 0),
    "0<>": lambda a: _flag(a != 0),
    "0<": lambda a: _flag(a < 0),
    "0>": lambda a: _flag(a > 0),
    "INVERT": lambda a: ~a,
    "1+": lambda a: _wrap(a + 1),
    "1-": lambda a: _wrap(a - 1),
    "2+": lambda a: _wrap(a + 2),
    "2-": lambda a: _wrap(a - 2),
    "2*": lambda a: _wrap(a * 2),
}
_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: _wrap(a + b),
    "-": lambda a, b: _wrap(a - b),
    "*": lambda a, b: _wrap(a * b),
    "=": lambda a, b: _flag(a == b),
    "<>": lambda a, b: _flag(a != b),
    "<": lambda a, b: _flag(a < b),
    ">": lambda a, b: _flag(a > b),
    "<=": lambda a, b: _flag(a <= b),
    ">=": lambda a, b: _flag(a >= b),
    "AND": lambda a, b: a & b,
    "OR": lambda a, b: a | b,
    "XOR": lambda a, b: a ^ b,
}
COMPARISONS = frozenset({"=", "<>", "<", ">", "<=", ">=", "0=", "0<>", "0<", "0>"})
#: Words that change, or read, the memory at the address on top of the stack.
STORES = frozenset(
    {"!", "+!", "C!", "I!", "F!", "++", "--", "C++", "C--", "ON", "OFF", "F+!", "C+!", "I+!"}
)
FETCHES = frozenset({"@", "C@", "I@", "UI@", "F@"})
_NO_LOOPS: frozenset[int] = frozenset()
#: The smallest and largest result of words with operands from `a` to `b`, and from `c` to `d`.
_RANGES: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "+": lambda a, b, c, d: (a + c, b + d),
    "-": lambda a, b, c, d: (a - d, b - c),
    "*": lambda a, b, c, d: (min(a * c, a * d, b * c, b * d), max(a * c, a * d, b * c, b * d)),
}
#: Words of one operand, as words of `_RANGES` with a second one.
_WITH_NUMBER = {"1+": ("+", 1), "1-": ("-", 1), "2+": ("+", 2), "2-": ("-", 2), "2*": ("*", 2)}
TESTS_FOR_ZERO = frozenset({"0=", "NOT"})
_CONSTANTS = {"TRUE": -1, "FALSE": 0}


def primitive_results(name: str, arguments: Sequence[Cell]) -> list[Cell]:
    """Return the results of a primitive, the top of the stack last.

    If a result and an argument have the same name in the stack effect, the result is a copy of the
    argument.
    """
    effect = kernel_effect(name)
    if name in _CONSTANTS:
        return [known_cell(_CONSTANTS[name])]
    values = [cell.value for cell in arguments]
    if name in TESTS_FOR_ZERO and arguments[0].truth:
        values = [1]  # any number except 0
    if name in _UNARY and values[0] is not None:
        return [
            known_cell(_UNARY[name](values[0]))._replace(
                source_arguments=arguments[0].source_arguments
            )
        ]
    if name in _BINARY:
        a, b = values
        if a is not None and b is not None:
            result = known_cell(_BINARY[name](a, b))
            return [
                result._replace(
                    source_arguments=arguments[0].source_arguments | arguments[1].source_arguments
                )
            ]
    by_name = dict(zip(effect.takes, arguments, strict=True))
    computed = derived(*arguments)
    if name in FETCHES or "test" in GAME_EFFECTS.get(name, ()):
        computed = computed._replace(loops=_NO_LOOPS)
    elif (index_range := _index_range(name, arguments)) is not None:
        computed = computed._replace(index_range=index_range)
    return [by_name.get(result, computed) for result in effect.leaves]


def _index_range(name: str, arguments: Sequence[Cell]) -> IndexRange | None:
    """Return the values of the result of a primitive with indices of different loops."""
    if not any(cell.index_range for cell in arguments):
        return None
    operands = list(arguments)
    if name in _WITH_NUMBER:
        name, number = _WITH_NUMBER[name]
        operands.append(known_cell(number))
    if name not in _RANGES:
        return None
    first, second = (possible_values(cell) for cell in operands)
    if first is None or second is None or operands[0].loops & operands[1].loops:
        return None
    return IndexRange(*_RANGES[name](*first, *second))


def possible_values(cell: Cell) -> IndexRange | None:
    """Return the values of a known number, or of one that follows from the indices of loops."""
    if cell.value is not None:
        return IndexRange(cell.value, cell.value)
    return cell.index_range
