"""Rules on the lists of moves and the set-up: the findings W422 to W424."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import COLON
from forthvm.core.words.code import JUMPS

from .tables import last_token, turn_types

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Definition, Program
    from forthvm.core.words.dictionary import Word

__all__ = ["list_rules"]


def list_rules(program: Program) -> Iterator[Finding]:
    """Check the lists of moves, and the set-up."""
    yield from _types_without_turn(program)
    yield from _occupied_squares(program)
    yield from _equal_words(program)


def _types_without_turn(program: Program) -> Iterator[Finding]:
    """Find moves that no turn allows: all turns are restricted to other types."""
    types = turn_types(program)
    words = {word for file in program.files for word in file.words}
    if not types or 0 in types or words & {"partial", "OnGenerateMoves"}:
        return
    allowed = types | _allowed_elsewhere(program, any_name="partial-move-type" in words)
    for definition in program.definitions:
        moves = _moves_of(definition) if definition.defining_word == "{moves" else ()
        for index, name in moves:
            constant = program.image.find(name)
            if (program.image.cell(constant.body) if constant else 0) not in allowed:
                file, what = definition.file, f"has the type `{name}`" if name else "has no type"
                text = f"no turn allows the move `{file.word(index)}`, which {what}"
                yield program.finding_at_token("W422", text, file, file.tokens[index])


def _allowed_elsewhere(program: Program, *, any_name: bool) -> set[int]:
    """Return the types that are named other than as the type of a move.

    Args:
        program: The script.
        any_name: Whether words that run may allow a type by any number: then all names count.
    """
    image = program.image
    names = {
        name
        for file in program.files
        for before, name in zip(["", *file.words], file.words, strict=False)
        if before in ("{of-type}", "{move-priority}") or (any_name and before != "{move-type}")
    }
    values = {image.cell(word.body) for word in program.own_words if word.name in names}
    return values | {0} if any_name else values


def _moves_of(definition: Definition) -> Iterator[tuple[int, str]]:
    """Yield the index of each word of a list of moves, and the name of its type; "" for none."""
    file = definition.file
    for index in range(definition.end_index, len(file.words)):
        if file.word(index) == "moves}":
            return
        if file.word(index) == "{move}":
            has_type = file.word(index + 2) == "{move-type}"
            yield index + 1, file.word(index + 3) if has_type else ""


def _occupied_squares(program: Program) -> Iterator[Finding]:
    """Find a piece that is set up on the square of an earlier one."""
    section = last_token(program, "{board-setup")
    if section is None:
        return
    file, first = section
    pieces: dict[str, str] = {}
    for index in range(first, len(file.words)):
        if file.word(index) == "board-setup}":
            return
        if file.word(index) == "{setup}":
            player, piece, square = (file.word(index + n) for n in (1, 2, 3))
            if square in pieces:
                text = f"`{player} {piece}` replaces `{pieces[square]}` on `{square}`"
                yield program.finding_at_token("W423", text, file, file.tokens[index + 3])
            pieces[square] = f"{player} {piece}"


def _equal_words(program: Program) -> Iterator[Finding]:
    """Find words with the same code, for moves of the same type in one list."""
    for definition in program.definitions:
        moves = _moves_of(definition) if definition.defining_word == "{moves" else ()
        first: dict[tuple[object, ...], Word] = {}
        for index, move_type in moves:
            word = program.image.find(definition.file.word(index))
            if word is None or word.kind != COLON or word.cfa not in program.own_xts:
                continue
            earlier = first.setdefault((move_type, *_code(program, word)), word)
            if earlier.cfa != word.cfa:
                text = f"`{word.name}` has the same code as `{earlier.name}` in the same list"
                yield program.finding_at_cell("W424", text, word.cfa, word=word.name)


def _code(program: Program, word: Word) -> tuple[object, ...]:
    """Return the code of a word, with jumps relative to its begin."""
    return tuple(
        (code.cfa, code.operand - word.body if code.name in JUMPS else code.operand, code.text)
        for code in program.image.instructions(word.body, word.end)
    )
