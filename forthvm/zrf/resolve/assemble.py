"""The rules of one entry of the menu, from its sections.

Owns the order in which the sections are read, the values of options, texts and sounds
(contract, sections 2 and 7), and the names that other entries define.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.choices import Choices
from forthvm.zrf.reading.forms import Warnings
from forthvm.zrf.resolve.geometry import Geometry, read_board
from forthvm.zrf.resolve.goals import GoalReader
from forthvm.zrf.resolve.keywords import (
    OPTION_DEFAULTS,
    SECTIONS_OF_RULES,
    TEXT_SECTIONS,
    UNUSED_SECTIONS,
)
from forthvm.zrf.resolve.names import Names, NamesByKind
from forthvm.zrf.resolve.parse_code import CodeReader
from forthvm.zrf.resolve.pieces import PieceSections, read_piece_sections, resolve_piece
from forthvm.zrf.resolve.sections import FormReader, refuse_more
from forthvm.zrf.resolve.turns import (
    read_players,
    read_priorities,
    read_setup,
    read_turn_order,
)
from forthvm.zrf.rules import Rules
from forthvm.zrf.source import RuleFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from forthvm.zrf.resolve.sections import Section
    from forthvm.zrf.resolve.variants import Entry, MergedSections

__all__ = ["names_of_entries", "read_options", "read_texts", "resolve_rules"]

_MAX_PIECES = 1023  # a cell of the board has 10 bits for the type
_MAX_ATTRIBUTES = 16  # bits of a cell of the board


def resolve_rules(
    entry: Entry,
    path: str,
    reader: FormReader,
    elsewhere: Callable[[], NamesByKind],
    choices: Choices,
) -> Rules:
    """Return the rules of a game or variant.

    Args:
        entry: The game or variant.
        path: The file, for `Rules.path`.
        reader: Reads forms, and receives warnings.
        elsewhere: Returns the names that any entry of the file defines.
        choices: How to understand what the contract leaves open.

    Raises:
        RuleFileError: A section is broken.
    """
    sections = entry.merged(reader)
    _warn_of_unknown(sections, reader)
    players = read_players(sections.single.get("players"), entry.form)
    geometry = _geometry(sections, players, reader, choices)
    pieces = [
        read_piece_sections(name, section, reader) for name, section in sections.pieces.items()
    ]
    engine = sections.single.get("engine")
    names = Names(
        geometry=geometry,
        players=players,
        pieces=sections.pieces.keys(),
        reader=reader,
        elsewhere=elsewhere,
        accepts_unknown=bool(engine),
    )
    priorities = read_priorities(sections.single.get("move-priorities"))
    turns, repeat = read_turn_order(sections.single.get("turn-order"), names, reader)
    _collect(names, pieces, [*reversed(priorities), *(turn.move_type for turn in turns)])
    setup = read_setup(sections.single.get("board-setup"), names, reader)
    code = CodeReader(names, reader)
    resolved = tuple(resolve_piece(piece, code) for piece in pieces)
    goals = GoalReader(names, reader)
    if not engine:
        refuse_more(_MAX_PIECES, "pieces", (piece.form for piece in pieces))
        refuse_more(_MAX_ATTRIBUTES, "attributes", names.attributes.values())
    return Rules(
        path=path,
        title=entry.title,
        players=players,
        turns=turns,
        repeat=repeat,
        board=geometry.board(),
        pieces=resolved,
        placements=tuple(setup.placements.values()),
        reserves=setup.reserves,
        goals=tuple(goals.goal(section) for section in sections.goals),
        move_types=tuple(names.move_types),
        priorities=priorities,
        options=read_options(sections.options, reader),
        texts=read_texts(sections.single),
        attributes=tuple(names.attributes),
        engine=engine.names[0].text if engine and engine.names else "",
        origins={
            "game": entry.form.origin,
            **{keyword: section.form.origin for keyword, section in sections.single.items()},
        },
        warnings=reader.warnings.as_tuple(),
    )


def _warn_of_unknown(sections: MergedSections, reader: FormReader) -> None:
    known = {*SECTIONS_OF_RULES, *TEXT_SECTIONS}
    for keyword, section in sections.single.items():
        if keyword in UNUSED_SECTIONS:
            reader.warn(f"`{keyword}` has no effect", section.form)
        elif keyword not in known:
            reader.warn(f"the unknown section `{keyword}` is ignored", section.form)


def _geometry(
    sections: MergedSections, players: Sequence[str], reader: FormReader, choices: Choices
) -> Geometry:
    board = sections.single.get("board")
    if board is None:
        reader.warn("there is no board")
        return Geometry()
    return read_board(board, players, reader, choices)


def _collect(names: Names, pieces: Sequence[PieceSections], move_types: Sequence[str]) -> None:
    """Collect the move types and attributes, which code names before it defines them."""
    for move_type in move_types:
        if move_type:
            names.move_types.setdefault(move_type)
    for piece in pieces:
        for move_type in piece.move_types:
            names.move_types.setdefault(move_type)
        for attribute, form in piece.attribute_forms.items():
            names.attributes.setdefault(attribute, form)


def names_of_entries(entries: Sequence[Entry], reader: FormReader) -> NamesByKind:
    """Return all names that the games and variants of a file define."""
    kinds = ("player", "piece", "direction", "position", "zone", "attribute")
    found: NamesByKind = {kind: set() for kind in kinds}
    quiet = FormReader(reader.expander, Warnings())
    for entry in entries:
        try:
            sections = entry.merged(quiet)
            players = read_players(sections.single.get("players"), entry.form)
            found["player"].update(players)
            found["piece"].update(sections.pieces)
            geometry = _geometry(sections, players, quiet, Choices())
            found["direction"].update(geometry.links)
            found["position"].update(geometry.positions, geometry.killed)
            found["zone"].update(zone.name for zone in geometry.zones)
            for name, section in sections.pieces.items():
                found["attribute"].update(read_piece_sections(name, section, quiet).attributes)
        except RuleFileError:
            continue  # it is reported when this entry is loaded
    return found


_FLIPPED = {"true": "false", "false": "true"}


def read_options(sections: Mapping[str, Section], reader: FormReader) -> dict[str, str]:
    """Return the values of all options, defaults included.

    Args:
        sections: `option` sections and the options of version 1, by the option's name.
        reader: Collects warnings.
    """
    values = dict(OPTION_DEFAULTS)
    for name, section in sections.items():
        items = section.names
        value = items[-1].text if items else "true"
        if section.keyword == "option":
            if len(items) < 2:  # name and value
                reader.warn("ignored: an option has a name and a value", section.form)
                continue
            value = items[1].text
            if name not in OPTION_DEFAULTS:
                reader.warn(f"the unknown option `{name}` has no effect", section.form)
        elif section.keyword == "allow-flipping":
            value = _FLIPPED.get(value, value)
        if value == "default":
            value = OPTION_DEFAULTS.get(name, "default")
        values[name] = value
    return values


def read_texts(sections: Mapping[str, Section]) -> dict[str, str]:
    """Return the texts and sounds of a game, by keyword."""
    return {keyword: sections[keyword].text for keyword in TEXT_SECTIONS if keyword in sections}
