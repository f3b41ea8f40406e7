"""The conditions of move code (sections 6.3 and 6.8 of the contract).

Owns the part of a running block's state that conditions look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.models.zrf.choices import NEUTRAL_PIECES_ARE_ENEMIES
from tests.models.zrf.moves import Piece, Scene
from tests.models.zrf.reader import Form

__all__ = ["State"]

_TESTS: Final = frozenset(
    [
        "true",
        "false",
        "and",
        "or",
        "not",
        "empty?",
        "friend?",
        "enemy?",
        "neutral?",
        "piece?",
        "in-zone?",
        "on-board?",
        "position?",
        "flag?",
        "position-flag?",
        "last-from?",
        "last-to?",
        "marked?",
        "attacked?",
        "defended?",
        "adjacent-to-enemy?",
        "goal-position?",
    ]
)


class State:
    """The state of a running block (49), with the conditions that look at it.

    Attributes:
        scene: The board before the move.
        side: The moving side.
        piece: Type of the piece that moves or is dropped.
        probe: Whether the block runs for an attack test: attack conditions inside are false (65).
    """

    def __init__(self, scene: Scene, side: str, piece: str, start: str, *, probe: bool) -> None:
        self.scene, self.rules, self.geometry = scene, scene.rules, scene.rules.board
        self.side, self.piece, self.probe = side, piece, probe
        self.cursor = self.origin = self.mark = start
        self.target: str | None = None
        self.flags: set[str] = set()
        self.position_flags: set[tuple[str, str]] = set()

    def find(self, arguments: list[Form]) -> str | None:
        """The position that an optional last argument names; None if it is off the board."""
        if not arguments:
            return self.cursor
        place = arguments[-1]
        if isinstance(place, list):  # (opposite d)
            if place[:1] == ["opposite"] and len(place) > 1:
                return self.geometry.opposite(self.cursor, str(place[1]), self.side)
            return None
        if place in self.geometry.directions:
            return self.geometry.neighbor(self.cursor, place, self.side)
        return place if place in self.geometry.positions else None

    def is_square(self, form: Form) -> bool:
        return isinstance(form, list) or (
            form in self.geometry.directions or form in self.geometry.positions
        )

    # --- conditions (6.3) -----------------------------------------------------------------

    def holds(self, arguments: list[Form]) -> bool:
        """Whether the first argument, a condition, is true; a missing one is false (13)."""
        if not arguments:
            return False
        condition = arguments[0]
        head, *rest = condition if isinstance(condition, list) else [condition]
        name = str(head)
        if name not in _TESTS and not self.is_attribute(name) and name.startswith("not-"):
            return not self.test(name.removeprefix("not-"), rest)
        return self.test(name, rest)

    def is_attribute(self, name: str) -> bool:
        return name in self.rules.attributes

    def test(self, name: str, rest: list[Form]) -> bool:
        if name in _TESTS:
            method = name.replace("-", "_").replace("?", "")
            return bool(getattr(self, f"is_{method}")(rest))
        piece = self.piece_at(rest)  # an attribute, which may be another type's (42)
        return piece is not None and name in piece.true

    def piece_at(self, arguments: list[Form]) -> Piece | None:
        position = self.find(arguments)
        return None if position is None else self.scene.board.get(position)

    def is_true(self, _: list[Form]) -> bool:
        return True

    def is_false(self, _: list[Form]) -> bool:
        return False

    def is_and(self, conditions: list[Form]) -> bool:
        return all(self.holds([condition]) for condition in conditions)

    def is_or(self, conditions: list[Form]) -> bool:
        return any(self.holds([condition]) for condition in conditions)

    def is_not(self, conditions: list[Form]) -> bool:
        return not self.holds(conditions)

    # 53: off the board all of the following are false, so their `not-` forms are true.

    def is_empty(self, rest: list[Form]) -> bool:
        position = self.find(rest)
        return position is not None and position not in self.scene.board

    def is_friend(self, rest: list[Form]) -> bool:
        piece = self.piece_at(rest)
        return piece is not None and piece.player == self.side

    def is_enemy(self, rest: list[Form]) -> bool:
        piece = self.piece_at(rest)
        return piece is not None and self.is_enemy_piece(piece)

    def is_enemy_piece(self, piece: Piece) -> bool:
        return piece.player != self.side and (
            NEUTRAL_PIECES_ARE_ENEMIES or not self.rules.is_neutral(piece.player)
        )

    def is_neutral(self, rest: list[Form]) -> bool:
        piece = self.piece_at(rest)
        return piece is not None and self.rules.is_neutral(piece.player)

    def is_piece(self, rest: list[Form]) -> bool:
        piece = self.piece_at(rest[1:])
        return piece is not None and bool(rest) and piece.type == rest[0]

    def is_in_zone(self, rest: list[Form]) -> bool:
        position = self.find(rest[1:])
        return bool(rest) and position in self.geometry.zone(str(rest[0]), self.side)

    def is_on_board(self, rest: list[Form]) -> bool:
        return self.find(rest) is not None

    def is_position(self, rest: list[Form]) -> bool:
        return bool(rest) and self.find(rest[1:]) == rest[0]

    def is_flag(self, rest: list[Form]) -> bool:
        return bool(rest) and rest[0] in self.flags

    def is_position_flag(self, rest: list[Form]) -> bool:
        return bool(rest) and (rest[0], self.find(rest[1:])) in self.position_flags

    def is_last_from(self, rest: list[Form]) -> bool:
        position = self.find(rest)
        return position is not None and position == self.scene.last_from

    def is_last_to(self, rest: list[Form]) -> bool:
        position = self.find(rest)
        return position is not None and position == self.scene.last_to

    def is_marked(self, rest: list[Form]) -> bool:
        return self.find(rest) == self.mark

    def is_attacked(self, rest: list[Form]) -> bool:
        move_type, place = self.type_and_place(rest)
        position = self.find(place)
        if position is None or self.probe:
            return False
        from tests.models.zrf.attacks import attacked

        return attacked(self.scene, position, self.side, move_type)

    def is_defended(self, rest: list[Form]) -> bool:
        move_type, place = self.type_and_place(rest)
        position = self.find(place)
        if position is None or self.probe:
            return False
        from tests.models.zrf.attacks import defended

        return defended(self.scene, position, self.side, move_type)

    def type_and_place(self, rest: list[Form]) -> tuple[str | None, list[Form]]:
        if rest and not self.is_square(rest[0]):
            return str(rest[0]), rest[1:]
        return None, rest

    def is_adjacent_to_enemy(self, rest: list[Form]) -> bool:
        position = self.find(rest)
        targets = [t for (_, origin), t in self.geometry.links.items() if origin == position]
        return any(
            piece is not None and self.is_enemy_piece(piece)
            for piece in map(self.scene.board.get, targets)
        )

    def is_goal_position(self, rest: list[Form]) -> bool:
        position = self.find(rest)
        return position is not None and position in set(self.goal_positions())

    def goal_positions(self) -> Iterator[str]:
        for place in self.rules.goal_places:
            if place in self.geometry.positions:
                yield place
            yield from self.geometry.zone(place, self.side)
