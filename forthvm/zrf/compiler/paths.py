"""The paths of blocks: the part of move code that decides which positions a block can touch.

Owns the translation of code to paths.  A path keeps what moves or stores the cursor, asks about
another square, or depends on nothing but the cursor's position; the directions are those behind
the player's symmetry.  So blocks that differ in captures, promotions or flags have equal paths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    And,
    Call,
    Cascade,
    Code,
    Condition,
    Constant,
    Cursor,
    Go,
    If,
    Instruction,
    Named,
    NamedQuestion,
    Neighbor,
    Not,
    Or,
    Question,
    SetFrom,
    SetMark,
    SetTo,
    Square,
    Test,
    Verify,
    While,
    own_tests,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Ask", "Branch", "Loop", "Move", "Narrow", "Path", "Paths", "Run", "Save", "Step"]


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The path of a run of instructions; equal paths are the same object."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """The cursor goes to a square."""

    square: Square


@dataclass(frozen=True, slots=True)
class Ask:
    """A condition or effect concerns a square; with `around`, all its neighbors."""

    square: Square
    around: bool = False


@dataclass(frozen=True, slots=True)
class Save:
    """The cursor's position, or another square, becomes from, to or the mark."""

    name: Cursor
    square: Square = Cursor.HERE


@dataclass(frozen=True, slots=True)
class Narrow:
    """The path goes on from these positions only: a set, as a number with a bit for each."""

    positions: int


@dataclass(frozen=True, slots=True)
class Run:
    """The path of a macro call, which may occur in many places."""

    path: Path


@dataclass(frozen=True, slots=True)
class Branch:
    """Either path is taken."""

    then: Path
    otherwise: Path


@dataclass(frozen=True, slots=True)
class Loop:
    """The body is run any number of times; `leaving` are the positions where the loop may end."""

    body: Path
    leaving: int


Step = Move | Ask | Save | Narrow | Run | Branch | Loop


class Paths:
    """Translates the code of one player.

    Args:
        symmetry: The direction that each direction acts as.
        everywhere: The set of all positions.
        zone: Returns the positions of a zone.
        place: Returns the set with one position.
        paths: All paths so far, of all players; it grows.
    """

    def __init__(
        self,
        symmetry: Mapping[str, str],
        everywhere: int,
        zone: Callable[[str], int],
        place: Callable[[str], int],
        paths: dict[tuple[Step, ...], Path],
    ) -> None:
        self._symmetry = symmetry
        self._everywhere = everywhere
        self._zone = zone
        self._place = place
        self._paths = paths
        self._known: dict[Code, Path] = {}

    def of(self, code: Code) -> Path:
        """Return the path of a run of instructions."""
        path = self._known.get(code)
        if path is None:
            steps = [step for one in code.instructions for step in self._steps(one)]
            path = self._known[code] = self._path(*steps)
        return path

    def _path(self, *steps: Step) -> Path:
        """Return the path with these steps; one of a single call is that of the callee."""
        if len(steps) == 1 and isinstance(steps[0], Run):
            return steps[0].path
        return self._paths.setdefault(steps, Path(steps))

    def _steps(self, instruction: Instruction) -> list[Step]:  # noqa: PLR0911 - a table
        asked = self._asked(instruction)
        match instruction:
            case Call(code=code):
                path = self.of(code)
                return [Run(path)] if path.steps else []
            case Go(square=square):
                return [Move(self._turned(square))]
            case SetMark(square=square):
                return [Save(Cursor.MARK, self._turned(square))]
            case SetFrom() | Cascade():
                return [Save(Cursor.FROM)]
            case SetTo():
                return [Save(Cursor.TO)]
            case Verify(condition=condition):
                return [*asked, *self._narrowed(condition, wanted=True)]
            case If(condition=condition, then=then, otherwise=otherwise):
                return [*asked, *self._branches(condition, then, otherwise)]
            case While(condition=condition, body=body):
                wanted = self._narrowed(condition, wanted=True)
                inner = self._path(*wanted, Run(self.of(body)), *asked)
                return [*asked, Loop(inner, self._where(condition, wanted=False))]
        return asked

    def _branches(self, condition: Condition, then: Code, otherwise: Code) -> list[Step]:
        paths = self.of(then), self.of(otherwise)
        if paths[0] is paths[1]:
            return [Run(paths[0])] if paths[0].steps else []
        return [
            Branch(
                self._path(*self._narrowed(condition, wanted=True), Run(paths[0])),
                self._path(*self._narrowed(condition, wanted=False), Run(paths[1])),
            )
        ]

    def _narrowed(self, condition: Condition, *, wanted: bool) -> list[Step]:
        positions = self._where(condition, wanted=wanted)
        return [] if positions == self._everywhere else [Narrow(positions)]

    def _where(self, condition: Condition, *, wanted: bool) -> int:
        """Return where a condition may have a value, as far as the cursor's position decides."""
        match condition:
            case Constant(value=value):
                return self._everywhere if value == wanted else 0
            case Not(condition=inner):
                return self._where(inner, wanted=not wanted)
            case And(conditions=parts) | Or(conditions=parts):
                found = [self._where(part, wanted=wanted) for part in parts]
                every = isinstance(condition, And) == wanted
                positions = self._everywhere if every else 0
                for part in found:
                    positions = positions & part if every else positions | part
                return positions
            case Test(question=NamedQuestion.IN_ZONE, name=name, square=Cursor.HERE):
                positions = self._zone(name)
            case Test(question=NamedQuestion.POSITION, name=name, square=Cursor.HERE):
                positions = self._place(name)
            case _:
                return self._everywhere
        return positions if wanted else self._everywhere & ~positions

    def _asked(self, instruction: Instruction) -> list[Step]:
        """Return the squares that an instruction itself asks about or changes."""
        found = []
        square = getattr(instruction, "square", None)
        if square is not None:
            found.append(Ask(self._turned(square)))
        for test in own_tests(instruction):
            around = test.question is Question.ADJACENT_TO_ENEMY
            found.append(Ask(self._turned(test.square), around))
        # The cursor, from, to and the mark have been entered when they were set.
        return [
            ask
            for ask in dict.fromkeys(found)
            if ask.around or isinstance(ask.square, Neighbor | Named) or ask.square in _LAST
        ]

    def _turned(self, square: Square) -> Square:
        if isinstance(square, Neighbor):
            return Neighbor(self._symmetry.get(square.direction, square.direction))
        return square


_LAST = (Cursor.LAST_FROM, Cursor.LAST_TO)
