"""The syntax tree of the move code of a rule file.

Owns the classes of instructions and conditions, after macros were expanded and names resolved, and
the functions that return their parts.  `parse_code.py` reads the tree, and `compiler` compiles it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from forthvm.zrf.source import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

# --- squares ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Neighbor:
    """The square that a direction leads to from the cursor.

    Attributes:
        direction: Name of the direction, before the mover's symmetry is applied.  For
            `(opposite n)` it is the direction opposite to n.
    """

    direction: str


@dataclass(frozen=True, slots=True)
class Named:
    """The square with a name."""

    position: str


class Cursor(Enum):
    """A square that is part of the state of a running block."""

    HERE = "here"
    FROM = "from"
    TO = "to"
    MARK = "mark"
    LAST_FROM = "last-from"
    LAST_TO = "last-to"


Square = Neighbor | Named | Cursor

# --- conditions ---------------------------------------------------------------------------


class Question(Enum):
    """What a test without a name asks about a square."""

    EMPTY = "empty?"
    FRIEND = "friend?"
    ENEMY = "enemy?"
    NEUTRAL = "neutral?"
    ON_BOARD = "on-board?"
    LAST_FROM = "last-from?"
    LAST_TO = "last-to?"
    MARKED = "marked?"
    ADJACENT_TO_ENEMY = "adjacent-to-enemy?"
    GOAL_POSITION = "goal-position?"


class NamedQuestion(Enum):
    """What a test with a name asks about a square; `Test.name` is the name."""

    PIECE = "piece?"
    IN_ZONE = "in-zone?"
    POSITION = "position?"
    FLAG = "flag?"
    POSITION_FLAG = "position-flag?"
    ATTRIBUTE = "attribute"
    ATTACKED = "attacked?"  # name: a move type, or "" for all types
    DEFENDED = "defended?"


@dataclass(frozen=True, slots=True)
class Constant:
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Test:
    """A test of a square, or of a flag."""

    __test__ = False  # not a class of tests for pytest

    question: Question | NamedQuestion
    name: str = ""
    square: Square = Cursor.HERE
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of a condition: `(not c)`, or `not-X` for a keyword X."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class And:
    """True if all conditions are true."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """True if any condition is true."""

    conditions: tuple[Condition, ...]


Condition = Constant | Test | Not | And | Or

# --- instructions -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Go:
    """Move the cursor to a square; the block ends if a direction leads off the board."""

    square: Square
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SetMark:
    """`mark`, `(mark pos)` or `(mark dir)`."""

    square: Square = Cursor.HERE
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SetFrom:
    """`from`: the current movement starts at the cursor."""

    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SetTo:
    """`to`: the current movement ends at the cursor."""

    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Verify:
    """End the block if the condition is false."""

    condition: Condition
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    """`(if c … else …)`."""

    condition: Condition
    then: Code
    otherwise: Code
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class While:
    """`(while c …)`."""

    condition: Condition
    body: Code
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Add:
    """`add`, `add-partial`, `add-copy` and `add-copy-partial`.

    Attributes:
        types: The piece types to promote to, one move each; empty without promotion.
        partial: Whether the same piece continues the turn.
        continuation: Move type of the continuation; empty for any.
        copy: Whether the original stays on its square.
    """

    types: tuple[str, ...] = ()
    partial: bool = False
    continuation: str = ""
    copy: bool = False
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Cascade:
    """Save the movement and begin another one at the cursor."""

    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Capture:
    """Remove the piece on a square after the movements."""

    square: Square = Cursor.HERE
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Create:
    """`(create [player] [type] [pos])`; empty names mean the moving side and the moving type."""

    player: str = ""
    type: str = ""
    square: Square = Cursor.HERE
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ChangeType:
    """`(change-type T [pos])`."""

    type: str
    square: Square = Cursor.HERE
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ChangeOwner:
    """`change-owner`: the piece becomes the moving side's."""

    square: Square = Cursor.HERE
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Flip:
    """`flip`: the piece goes to the next player."""

    square: Square = Cursor.HERE
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SetAttribute:
    """`(set-attribute a c [pos])`."""

    name: str
    value: Condition
    square: Square = Cursor.HERE
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SetFlag:
    """`(set-flag f c)`."""

    name: str
    value: Condition
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SetPositionFlag:
    """`(set-position-flag f c [pos])`."""

    name: str
    value: Condition
    square: Square = Cursor.HERE
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A macro call whose body is a run of instructions.

    Equal calls (same macro, same arguments with the inherited ones) share one `Code` object, which
    a compiler translates once.  Equal instructions in different `Code`s are often the same object,
    too.
    """

    code: Code
    origin: Origin | None = None


Instruction = (
    Go
    | SetMark
    | SetFrom
    | SetTo
    | Verify
    | If
    | While
    | Add
    | Cascade
    | Capture
    | Create
    | ChangeType
    | ChangeOwner
    | Flip
    | SetAttribute
    | SetFlag
    | SetPositionFlag
    | Call
)


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A run of instructions: a block, a branch, or the body of a macro call.

    Attributes:
        name: For the body of a macro call, the call as text (`slide n`); otherwise empty.
    """

    instructions: tuple[Instruction, ...]
    name: str = ""
    origin: Origin | None = None


# --- parts --------------------------------------------------------------------------------


def inner_codes(instruction: Instruction) -> tuple[Code, ...]:
    """Return the runs of instructions inside an instruction: branches, a loop's body, a callee."""
    match instruction:
        case Call(code=code):
            return (code,)
        case If(then=then, otherwise=otherwise):
            return (then, otherwise)
        case While(body=body):
            return (body,)
    return ()


def own_tests(instruction: Instruction) -> Iterator[Test]:
    """Yield the tests of an instruction's condition or value, not those of the code inside it."""
    match instruction:
        case Verify(condition=condition) | If(condition=condition) | While(condition=condition):
            yield from _tests_in(condition)
        case SetFlag(value=value) | SetPositionFlag(value=value) | SetAttribute(value=value):
            yield from _tests_in(value)


def _tests_in(condition: Condition) -> Iterator[Test]:
    match condition:
        case Test():
            yield condition
        case Not(condition=inner):
            yield from _tests_in(inner)
        case And(conditions=parts) | Or(conditions=parts):
            for part in parts:
                yield from _tests_in(part)
