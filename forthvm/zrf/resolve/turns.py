"""Players, turn order and initial position (contract, sections 4 and 5).

Owns the reading of `players`, `turn-order`, `move-priorities` and `board-setup`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.zrf.reading.forms import error_at
from forthvm.zrf.resolve.sections import MOST, refuse_more
from forthvm.zrf.rules import Placement, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.zrf.reading.forms import Form
    from forthvm.zrf.resolve.names import Names
    from forthvm.zrf.resolve.sections import FormReader, Section

__all__ = ["Setup", "read_players", "read_priorities", "read_setup", "read_turn_order"]

_MAX_PLAYERS = 31  # a cell of the board has 5 bits for the owner
_MAX_PRIORITIES = 127  # entries of the library's table


def read_players(section: Section | None, game: Form) -> tuple[str, ...]:
    """Return the names of the players.

    Raises:
        RuleFileError: There are none, or too many.
    """
    names = section.names if section else []
    if not names:
        raise error_at(section.form if section else game, "no players", "add (players White Black)")
    players = _first_of_each(names)
    refuse_more(_MAX_PLAYERS, "players", players.values())
    return tuple(players)


def read_priorities(section: Section | None) -> tuple[str, ...]:
    """Return the move types of `move-priorities`, the highest first.

    Raises:
        RuleFileError: There are too many.
    """
    types = _first_of_each(section.names if section else ())
    refuse_more(_MAX_PRIORITIES, "move types with priorities", types.values())
    return tuple(types)


def _first_of_each(forms: Iterable[Form]) -> dict[str, Form]:
    found: dict[str, Form] = {}
    for form in forms:
        found.setdefault(form.text, form)
    return found


# --- turn order ---------------------------------------------------------------------------


def read_turn_order(
    section: Section | None, names: Names, reader: FormReader
) -> tuple[tuple[Turn, ...], int]:
    """Return the entries of the turn order, and the index of the one at which it begins again.

    Without the section, the players that are not random move in turn.

    Raises:
        RuleFileError: An entry is broken.
    """
    if section is None:
        reader.warn("there is no turn order; the players move in turn")
        real = [player for player in names.players if not player.startswith("?")]
        movers = real or names.players
        return tuple(Turn(player, player) for player in movers), 0
    turns: list[Turn] = []
    repeat = 0
    for item in section.items:
        if item.text == "repeat":
            repeat = len(turns)
            continue
        turn = _turn(item, names, reader)
        if turn is not None:
            turns.append(turn)
    if not turns:
        raise error_at(section.form, "the turn order is empty")
    if repeat == len(turns):
        reader.warn("nothing stands after `repeat`; the whole order is repeated", section.form)
        repeat = 0
    return tuple(turns), repeat


def _turn(form: Form, names: Names, reader: FormReader) -> Turn | None:
    parts = reader.items(form) if form.is_list else [form]
    if not parts:
        reader.warn("an empty entry of the turn order is ignored", form)
        return None
    player = names.player(parts[0])
    if player is None:
        return None
    rest = [part.text for part in parts[1:]]
    side = player
    if rest and rest[0] in names.players:
        side = rest.pop(0)
    if len(rest) > 1:
        reader.warn("more names than an entry of the turn order takes are ignored", form)
    return Turn(player, side, rest[0] if rest else "", form.origin)


# --- initial position -----------------------------------------------------------------------


@dataclass(slots=True)
class Setup:
    """The initial position: pieces by position, and pieces in stores by player and type."""

    placements: dict[str, Placement]
    reserves: dict[tuple[str, str], int]


def read_setup(section: Section | None, names: Names, reader: FormReader) -> Setup:
    """Read `board-setup`.

    Raises:
        RuleFileError: It is broken, or names something unknown.
    """
    setup = Setup({}, {})
    for entry in section.items if section else []:
        parts = reader.items(entry)
        if not parts:
            reader.warn("ignored in `board-setup`: write (PLAYER (PIECE position …))", entry)
            continue
        player = names.player(parts[0])
        if player is None:
            continue
        for group in parts[1:]:
            _group(group, player, setup, names, reader)
    return setup


def _group(form: Form, player: str, setup: Setup, names: Names, reader: FormReader) -> None:
    parts = reader.items(form)
    if not parts:
        reader.warn("ignored in `board-setup`: write (PIECE position …)", form)
        return
    piece = names.piece(parts[0])
    if piece is None:
        return
    rest = iter(parts[1:])
    for part in rest:
        if part.text == "off":
            number = next(rest, None)
            if number is None:
                raise error_at(part, "`off` without a number", "write off 5")
            key = player, piece
            pieces = setup.reserves.get(key, 0) + max(reader.number(number, capped=True), 0)
            setup.reserves[key] = min(pieces, MOST)
        else:
            _place(part, Placement(player, piece, part.text), setup, names, reader)


def _place(
    form: Form, placement: Placement, setup: Setup, names: Names, reader: FormReader
) -> None:
    geometry = names.geometry
    if form.text not in geometry.positions:
        if form.text not in geometry.killed:
            names.unknown(form, "position", geometry.positions)
        else:
            reader.warn(f"nothing is placed on `{form.text}`, which was killed", form)
        return
    if form.text in setup.placements:
        reader.warn(f"the position `{form.text}` is set up again; the later piece stays", form)
    setup.placements[form.text] = placement
