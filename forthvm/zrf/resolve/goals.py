"""Goals (contract, section 8).

Owns the reading of the sections of goals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors.report import suggest
from forthvm.zrf.reading.forms import error_at
from forthvm.zrf.resolve.keywords import GOAL_SECTIONS
from forthvm.zrf.rules import (
    AbsoluteConfig,
    AndGoal,
    CaptureCount,
    Captured,
    Checkmated,
    Goal,
    GoalCondition,
    NotGoal,
    Occupant,
    OrGoal,
    PiecesRemaining,
    RelativeConfig,
    Repetition,
    Stalemated,
    TotalPieceCount,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.zrf.reading.forms import Form
    from forthvm.zrf.resolve.names import Names
    from forthvm.zrf.resolve.sections import FormReader, Section

__all__ = ["GoalReader"]

_NEVER = OrGoal(())
_ALWAYS = AndGoal(())
_COMPARISONS = ("=", "<", ">", "<=", ">=")
_OCCUPANTS = ("opponent", "any-owner", "not")
_ATOMS: dict[str, GoalCondition] = {"stalemated": Stalemated(), "repetition": Repetition()}


class GoalReader:
    """Reads goals with the names of one game or variant."""

    def __init__(self, names: Names, reader: FormReader) -> None:
        self._names = names
        self._reader = reader
        self._readers: dict[str, Callable[[Form, list[Form]], GoalCondition | None]] = {
            "absolute-config": self._absolute,
            "relative-config": self._relative,
            "checkmated": lambda _, arguments: Checkmated(self._pieces(arguments)),
            "captured": lambda _, arguments: Captured(self._pieces(arguments)),
            "pieces-remaining": lambda form, items: self._count(PiecesRemaining, form, items),
            "total-piece-count": lambda form, items: self._count(TotalPieceCount, form, items),
            "capture-count": self._captures,
            "and": self._and,
            "or": self._or,
            "not": self._not,
        }

    def goal(self, section: Section) -> Goal:
        """Return the goal of a section.

        Raises:
            RuleFileError: The section is broken, or names something unknown.
        """
        items = section.items
        players: list[str] = []
        if items and items[0].is_list:
            names = self._reader.items(items[0])
            if names and names[0].text not in self._readers:
                found = [self._names.player(name) for name in names]
                players = [player for player in found if player is not None]
                items = items[1:]
                if not players:
                    items = []
        conditions = self._known(items)
        if not conditions:
            self._reader.warn(f"this `{section.keyword}` never applies", section.form)
        condition = conditions[0] if len(conditions) == 1 else OrGoal(tuple(conditions))
        kind = GOAL_SECTIONS[section.keyword]
        return Goal(kind, tuple(players), condition, section.form.origin)

    def _known(self, forms: list[Form]) -> list[GoalCondition]:
        """Return the conditions without those that forthvm does not know."""
        return [found for form in forms if (found := self._condition(form)) is not None]

    def _condition(self, form: Form) -> GoalCondition | None:
        """Return a condition; None, with a warning, if forthvm does not know it."""
        items = self._reader.items(form) if form.is_list else [form]
        if not items:
            self._reader.warn("an empty condition of a goal never holds", form)
            return _NEVER
        head, arguments = items[0], items[1:]
        if head.is_list:
            return self._condition(head)
        if head.text in _ATOMS:
            return _ATOMS[head.text]
        read = self._readers.get(head.text)
        if read is None:
            near = suggest(head.text, [*self._readers, *_ATOMS])
            self._reader.warn(
                f"unknown condition of a goal `{head.text}`: the game is played without it"
                + (f"; {near}" if near else ""),
                head,
            )
            return None
        return read(form, arguments)

    def _and(self, _: Form, arguments: list[Form]) -> GoalCondition | None:
        parts = self._known(arguments)
        return AndGoal(tuple(parts)) if len(parts) == len(arguments) else None

    def _or(self, _: Form, arguments: list[Form]) -> GoalCondition | None:
        parts = self._known(arguments)
        return OrGoal(tuple(parts)) if parts or not arguments else None

    def _not(self, form: Form, arguments: list[Form]) -> GoalCondition | None:
        if not arguments:
            self._reader.warn("`not` without a condition never holds", form)
            return _NEVER
        inner = self._condition(arguments[0])
        return None if inner is None else NotGoal(inner)

    # --- pieces --------------------------------------------------------------------------

    def _pieces(self, arguments: list[Form]) -> tuple[str, ...]:
        found = [self._names.piece(argument) for argument in arguments]
        return tuple(piece for piece in found if piece is not None)

    def _count(
        self,
        kind: type[PiecesRemaining] | type[TotalPieceCount],
        form: Form,
        arguments: list[Form],
    ) -> GoalCondition:
        if not arguments:
            raise error_at(form, "the number of pieces is missing")
        count = self._reader.number(arguments[0])
        if len(arguments) == 1:
            return kind(count)
        piece = self._names.piece(arguments[1])
        if piece is None:  # a type of another variant, of which there are never any pieces
            return _NEVER if count else _ALWAYS
        return kind(count, piece)

    def _captures(self, form: Form, arguments: list[Form]) -> GoalCondition:
        comparison = "="
        if arguments and arguments[0].text in _COMPARISONS:
            comparison, arguments = arguments[0].text, arguments[1:]
        if not arguments:
            raise error_at(
                form, "the number of captured pieces is missing", "write (capture-count >= 5)"
            )
        count = self._reader.number(arguments[0])
        if len(arguments) == 1:
            return CaptureCount(comparison, count)
        piece = self._names.piece(arguments[1])
        if piece is None:  # a type of another variant, of which no piece is captured
            return _NEVER
        return CaptureCount(comparison, count, piece)

    # --- patterns ------------------------------------------------------------------------

    def _occupant(self, form: Form) -> Occupant | None:
        """Return what a place must hold; None if no piece can be that."""
        if not form.is_list:
            piece = self._names.piece(form)
            return None if piece is None else Occupant(piece)
        items = self._reader.items(form)
        if len(items) < 2 or items[0].text not in _OCCUPANTS:  # keyword, occupant
            raise error_at(
                form, "an occupant is expected", "write PIECE, (opponent PIECE) or (not PIECE)"
            )
        inner = self._occupant(items[1])
        if inner is None:
            return None
        if items[0].text == "not":
            return Occupant(inner.piece, inner.whose, not inner.negated)
        whose = "opponent" if items[0].text == "opponent" else "any"
        return Occupant(inner.piece, whose, inner.negated)

    def _is_occupant(self, form: Form) -> bool:
        if not form.is_list:
            return form.text in self._names.pieces
        items = self._reader.items(form)
        return bool(items) and items[0].text in _OCCUPANTS

    def _absolute(self, form: Form, arguments: list[Form]) -> GoalCondition:
        occupants: list[Occupant] = []
        places: list[Form] = []
        for index, argument in enumerate(arguments):
            is_place = index == len(arguments) - 1 and not places and not argument.is_list
            if not is_place and self._is_occupant(argument):
                occupant = self._occupant(argument)
                if occupant is not None:
                    occupants.append(occupant)
            elif argument.is_list:
                places += self._reader.items(argument)
            else:
                places.append(argument)
        positions, zones = self._places(places)
        if not positions and not zones:
            self._reader.warn("a pattern without places never holds", form)
            return _NEVER
        return AbsoluteConfig(tuple(occupants), tuple(positions), tuple(zones))

    def _places(self, forms: list[Form]) -> tuple[list[str], list[str]]:
        names = self._names
        positions, zones = [], []
        for form in forms:
            if form.text in names.geometry.positions:
                positions.append(form.text)
            elif form.text in names.zones:
                zones.append(form.text)
            elif form.text in names.geometry.killed:
                self._reader.warn(f"the place `{form.text}` was killed; it is left out", form)
            else:
                known = [*names.geometry.positions, *names.zones]
                names.unknown(form, "position or zone", known)
        return positions, zones

    def _relative(self, form: Form, arguments: list[Form]) -> GoalCondition:
        names = self._names
        steps: list[Occupant | str] = []
        for argument in arguments:
            if self._is_occupant(argument):
                occupant = self._occupant(argument)
                if occupant is None:
                    return _NEVER
                steps.append(occupant)
            elif argument.text in names.geometry.links:
                steps.append(argument.text)
            else:
                names.unknown(
                    argument, "piece or direction", [*names.pieces, *names.geometry.links]
                )
                return _NEVER
        if not any(isinstance(step, Occupant) for step in steps):
            self._reader.warn("a pattern without pieces never holds", form)
            return _NEVER
        return RelativeConfig(tuple(steps))
