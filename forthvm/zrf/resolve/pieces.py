"""Piece types (contract, section 5).

Owns the reading of `piece` sections.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.zrf.reading.forms import error_at
from forthvm.zrf.reading.nodes import ListNode
from forthvm.zrf.rules import Block, Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from forthvm.zrf.reading.forms import Form
    from forthvm.zrf.resolve.parse_code import CodeReader
    from forthvm.zrf.resolve.sections import FormReader, Section

__all__ = ["PieceSections", "TypedBlock", "read_piece_sections", "resolve_piece"]


@dataclass(frozen=True, slots=True)
class TypedBlock:
    """A block whose code is not read yet."""

    form: Form
    move_type: str


@dataclass(slots=True)
class PieceSections:
    """What a `piece` section contains; its code is not read yet."""

    name: str
    form: Form
    moves: list[TypedBlock] = field(default_factory=list)
    drops: list[TypedBlock] = field(default_factory=list)
    attributes: dict[str, bool] = field(default_factory=dict)
    attribute_forms: dict[str, Form] = field(default_factory=dict)
    images: dict[str, list[str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    move_types: dict[str, None] = field(default_factory=dict)
    dummy: bool = False


def read_piece_sections(name: str, piece: Section, reader: FormReader) -> PieceSections:
    """Read a `piece` section without its code.

    Raises:
        RuleFileError: The section is broken.
    """
    found = PieceSections(name, piece.form)
    for item in piece.items:
        section = reader.section(item)
        if section is None:
            if item.text == "dummy":
                found.dummy = True
            else:
                reader.warn("ignored in `piece`: it does not begin with a keyword", item)
            continue
        read = _READERS.get(section.keyword)
        if read is None:
            reader.warn(f"unknown in `piece`, ignored: `{section.keyword}`", section.form)
        else:
            read(section, found, reader)
    return found


def _moves(section: Section, found: PieceSections, reader: FormReader) -> None:
    found.moves += _blocks(section, found, reader)


def _drops(section: Section, found: PieceSections, reader: FormReader) -> None:
    found.drops += _blocks(section, found, reader)


def _dummy(_section: Section, found: PieceSections, _reader: FormReader) -> None:
    found.dummy = True


def _text(section: Section, found: PieceSections, _reader: FormReader) -> None:
    found.texts[section.keyword] = section.text


def _blocks(section: Section, found: PieceSections, reader: FormReader) -> list[TypedBlock]:
    blocks = []
    move_type = ""
    for item in section.items:
        if not item.is_list:
            raise error_at(
                item,
                f"`{item.text}` in `{section.keyword}` is not a block",
                "write each block as a list: ((MACRO n)), or (n (verify empty?) add)",
            )
        if isinstance(item.node, ListNode) and _first(item, reader) == "move-type":
            names = reader.items(item)[1:]
            if not names or names[0].is_list:
                reader.warn("`move-type` without a name is ignored", item)
            else:
                move_type = names[0].text
                found.move_types.setdefault(move_type)
        else:
            blocks.append(TypedBlock(item, move_type))
    return blocks


def _first(form: Form, reader: FormReader) -> str:
    """Return the name with which a list begins as written; "" if it begins with a list."""
    assert isinstance(form.node, ListNode)
    for node in form.node.items:
        first = reader.expander.form(node, form.scope)
        if first is not None:
            return first.text
    return ""


def _attribute(section: Section, found: PieceSections, reader: FormReader) -> None:
    if not section.items or section.items[0].is_list:
        reader.warn("`attribute` without a name is ignored", section.form)
        return
    value = len(section.items) > 1 and reader.boolean(section.items[1])
    name = section.items[0]
    found.attributes[name.text] = value
    found.attribute_forms[name.text] = name


def _images(section: Section, found: PieceSections, reader: FormReader) -> None:
    files: list[str] | None = None
    for item in section.names:
        if not item.quoted:
            files = found.images.setdefault(item.text, [])
        elif files is None:
            reader.warn("ignored in `image`: a player's name must stand before the files", item)
        else:
            files.append(item.text)


_READERS: dict[str, Callable[[Section, PieceSections, FormReader], None]] = {
    "name": lambda *_: None,  # it is the key of the section
    "moves": _moves,
    "drops": _drops,
    "attribute": _attribute,
    "image": _images,
    "dummy": _dummy,
    "help": _text,
    "description": _text,
    "notation": _text,
}


# --- code ---------------------------------------------------------------------------------


def resolve_piece(sections: PieceSections, code: CodeReader) -> Piece:
    """Return a piece with its code.

    Raises:
        RuleFileError: A block is broken, or names something unknown.
    """
    texts: Mapping[str, str] = sections.texts
    return Piece(
        name=sections.name,
        moves=tuple(
            Block(code.block(block.form), block.move_type, block.form.origin)
            for block in sections.moves
        ),
        drops=tuple(code.drop(block.form, block.move_type) for block in sections.drops),
        attributes=dict(sections.attributes),
        images={player: tuple(files) for player, files in sections.images.items()},
        notation=texts.get("notation", ""),
        help=texts.get("help", ""),
        description=texts.get("description", ""),
        dummy=sections.dummy,
        origin=sections.form.origin,
    )
