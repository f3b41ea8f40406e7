"""Instructions of move code without nested instructions (contract, sections 6.2 and 6.4 to 6.6).

Owns the reading of their arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.code import (
    Add,
    Capture,
    Cascade,
    ChangeOwner,
    ChangeType,
    Condition,
    Constant,
    Create,
    Cursor,
    Flip,
    Go,
    Instruction,
    SetAttribute,
    SetFlag,
    SetFrom,
    SetMark,
    SetPositionFlag,
    SetTo,
    Square,
    Verify,
)
from forthvm.zrf.reading.forms import error_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.zrf.reading.forms import Form
    from forthvm.zrf.resolve.conditions import ConditionReader
    from forthvm.zrf.resolve.names import Names
    from forthvm.zrf.resolve.sections import FormReader

__all__ = ["InstructionReader"]

_GO_TARGETS = {
    "from": Cursor.FROM,
    "to": Cursor.TO,
    "mark": Cursor.MARK,
    "last-from": Cursor.LAST_FROM,
    "last-to": Cursor.LAST_TO,
}

_CONTROL = ("verify", "if", "while")

Arguments = list["Form"]


class InstructionReader:
    """Reads simple instructions with the names of one game or variant.

    Attributes:
        keywords: The keywords of the instructions.
    """

    def __init__(self, names: Names, conditions: ConditionReader, reader: FormReader) -> None:
        self._names = names
        self._conditions = conditions
        self._reader = reader
        self._readers: dict[str, Callable[[Form, Arguments], Instruction | None]] = {
            "add": self._add,
            "add-copy": lambda form, arguments: self._add(form, arguments, copy=True),
            "add-partial": lambda form, arguments: self._add(form, arguments, partial=True),
            "add-copy-partial": lambda form, arguments: self._add(
                form, arguments, partial=True, copy=True
            ),
            "back": lambda form, _: Go(Cursor.MARK, form.origin),
            "capture": self._capture,
            "cascade": lambda form, _: Cascade(form.origin),
            "change-owner": self._change_owner,
            "change-type": self._change_type,
            "create": self._create,
            "flip": self._flip,
            "from": lambda form, _: SetFrom(form.origin),
            "go": self._go,
            "mark": self._mark,
            "opposite": lambda form, _: self._step(form),
            "set-attribute": self._set_attribute,
            "set-flag": self._set_flag,
            "set-position-flag": self._set_position_flag,
            "to": lambda form, _: SetTo(form.origin),
        }
        self.keywords = tuple(self._readers)

    def instruction(self, form: Form, keyword: str, arguments: Arguments) -> Instruction | None:
        """Return an instruction; None if it has no effect.

        Raises:
            RuleFileError: It is broken, or names something unknown.
        """
        return self._readers[keyword](form, arguments)

    def _step(self, form: Form) -> Instruction | None:
        square = self._names.square(form)
        if square is None:
            return Verify(Constant(False), form.origin)
        return Go(square, form.origin)

    def step(self, form: Form) -> Instruction | None:
        """Return the movement of the cursor to a direction or a position.

        Raises:
            RuleFileError: The name is no instruction, direction or position.
        """
        names = self._names
        if form.text and not names.is_square(form):
            if form.text == "else":
                raise error_at(
                    form,
                    "`else` in a list of its own",
                    "write it without parentheses: (if CONDITION … else …)",
                )
            known = [*self.keywords, *_CONTROL, *self._reader.expander.macros]
            known += [*names.geometry.links, *names.geometry.positions]
            names.unknown(form, "instruction", known)
            return Verify(Constant(False), form.origin)
        return self._step(form)

    def _go(self, form: Form, arguments: Arguments) -> Instruction | None:
        if not arguments:
            self._reader.warn("`go` without a target is ignored", form)
            return None
        target = arguments[0]
        if target.text in _GO_TARGETS:
            return Go(_GO_TARGETS[target.text], form.origin)
        return self._step(target)

    def _mark(self, form: Form, arguments: Arguments) -> Instruction | None:
        square = self._square(arguments)
        return None if square is None else SetMark(square, form.origin)

    def _square(self, arguments: Arguments, index: int = 0) -> Square | None:
        """Return the optional last argument of an instruction; None if there is no such square."""
        if len(arguments) > index + 1:
            self._reader.warn("more arguments than this takes are ignored", arguments[index + 1])
        if len(arguments) <= index:
            return Cursor.HERE
        return self._names.square(arguments[index])

    # --- moves -----------------------------------------------------------------------

    def _add(
        self, form: Form, arguments: Arguments, *, partial: bool = False, copy: bool = False
    ) -> Instruction:
        continuation = ""
        if partial and arguments and self._is_move_type(arguments[-1]):
            continuation = arguments[-1].text
            self._names.move_types.setdefault(continuation)
            arguments = arguments[:-1]
        types = tuple(
            piece for piece in (self._names.piece(argument) for argument in arguments) if piece
        )
        return Add(types, partial, continuation, copy, form.origin)

    def _is_move_type(self, form: Form) -> bool:
        """Return whether the last argument of `add-partial` is a move type, not a piece."""
        if form.is_list:
            return False
        return form.text in self._names.move_types or form.text not in self._names.pieces

    # --- effects ---------------------------------------------------------------------

    def _capture(self, form: Form, arguments: Arguments) -> Instruction | None:
        square = self._square(arguments)
        return None if square is None else Capture(square, form.origin)

    def _change_owner(self, form: Form, arguments: Arguments) -> Instruction | None:
        square = self._square(arguments)
        return None if square is None else ChangeOwner(square, form.origin)

    def _flip(self, form: Form, arguments: Arguments) -> Instruction | None:
        square = self._square(arguments)
        return None if square is None else Flip(square, form.origin)

    def _change_type(self, form: Form, arguments: Arguments) -> Instruction | None:
        if not arguments:
            self._reader.warn("`change-type` without a piece is ignored", form)
            return None
        piece, square = self._names.piece(arguments[0]), self._square(arguments, 1)
        if piece is None or square is None:
            return None
        return ChangeType(piece, square, form.origin)

    def _create(self, form: Form, arguments: Arguments) -> Instruction | None:
        player = piece = ""
        while arguments:
            text = arguments[0].text
            if not player and text in self._names.players:
                player = text
            elif not piece and text in self._names.pieces:
                piece = text
            else:
                break
            arguments = arguments[1:]
        if arguments and not self._names.is_square(arguments[0]):
            names = self._names
            known = [*names.players, *names.pieces, *names.geometry.positions]
            names.unknown(arguments[0], "player, piece or position", known)
            return None
        square = self._square(arguments)
        return None if square is None else Create(player, piece, square, form.origin)

    def _value(self, form: Form, arguments: Arguments) -> Condition:
        """Return the value that is assigned: the second argument, false if it is missing."""
        if len(arguments) > 1:
            return self._conditions.condition(arguments[1])
        self._reader.warn("without a value this sets false", form)
        return Constant(False)

    def _target(self, form: Form, arguments: Arguments) -> str:
        """Return the name of the flag or attribute that is set; "" with a warning without one.

        A value in the place of the name means that the name was a parameter without a value.
        """
        if not arguments or arguments[0].text in ("true", "false"):
            self._reader.warn("ignored: the name of what is set is missing", form)
            return ""
        if arguments[0].is_list:
            raise error_at(arguments[0], "a name is expected, not a list")
        return arguments[0].text

    def _set_attribute(self, form: Form, arguments: Arguments) -> Instruction | None:
        name = self._target(form, arguments)
        square = self._square(arguments, 2)
        if not name or square is None:
            return None
        if name not in self._names.attributes:
            self._reader.warn(f"no piece declares the attribute `{name}`", arguments[0])
            self._names.attributes[name] = arguments[0]
        return SetAttribute(name, self._value(form, arguments), square, form.origin)

    def _set_flag(self, form: Form, arguments: Arguments) -> Instruction | None:
        name = self._target(form, arguments)
        return SetFlag(name, self._value(form, arguments), form.origin) if name else None

    def _set_position_flag(self, form: Form, arguments: Arguments) -> Instruction | None:
        name = self._target(form, arguments)
        square = self._square(arguments, 2)
        if not name or square is None:
            return None
        return SetPositionFlag(name, self._value(form, arguments), square, form.origin)
