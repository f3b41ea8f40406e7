"""Rules on directions and symmetries: the findings W414, W416 and W418."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON

from .game import reachable_words
from .stack import move_words
from .tables import Player, directions, last_token, links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Program, ScriptFile
    from forthvm.check.text.lexer import Token
    from forthvm.core.words.dictionary import Word

__all__ = ["direction_rules"]

_MAX_PLAYERS = 31  # a cell of the board has 5 bits for the owner
_Steps = tuple[int, ...]  # for each position the next one, or -1


def direction_rules(program: Program) -> Iterator[Finding]:
    """Check the directions and symmetries of the game."""
    yield from _equal_directions(program)
    yield from _symmetries(program)
    yield from _late_symmetries(program)


def _equal_directions(program: Program) -> Iterator[Finding]:
    """Find directions with the same steps for all players, if a direction has no opposite.

    A game that has the opposites of all directions may have a second name for one of them.
    """
    first_names: dict[tuple[_Steps, ...], str] = {}
    steps_of_all = [
        (direction, _steps_of_players(program, direction, row))
        for row, direction in enumerate(directions(program))
    ]
    known = {steps for _, by_player in steps_of_all for steps in by_player}
    if all(_opposite(steps) in known for steps in known):
        return
    for direction, by_player in steps_of_all:
        if not program.is_in_script(direction.cfa) or all(link < 0 for link in by_player[0]):
            continue
        name = first_names.setdefault(by_player, direction.name)
        if name != direction.name:
            text = f"`{direction.name}` has the same steps as `{name}`"
            yield program.finding_at_cell("W416", text, direction.cfa, word=direction.name)


def _steps_of_players(program: Program, direction: Word, row: int) -> tuple[_Steps, ...]:
    """Return the links of a direction, or of the directions that replace it for each player.

    Args:
        program: The script.
        direction: The direction.
        row: Its row in the table of symmetries.
    """
    image = program.image
    base, players = image.variable("$symmetries"), image.variable("$playerCount")
    if players > _MAX_PLAYERS:  # a mistake in {players has left a wrong number
        return (tuple(links(program, direction)),)
    xts = image.column(base + CELL * players * row, players) if base else []
    words = [image.by_cfa[xt] for xt in xts if xt in image.by_cfa]
    return tuple(tuple(links(program, word)) for word in words or [direction])


def _opposite(steps: _Steps) -> _Steps:
    """Return the links in the opposite direction."""
    opposite = [-1] * len(steps)
    for position, link in enumerate(steps):
        if 0 <= link < len(steps):
            opposite[link] = position
    return tuple(opposite)


# --- symmetries --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Symmetry:
    player: str
    pair: tuple[str, str]  # the names of the two directions
    file: ScriptFile
    token: Token


def _symmetries(program: Program) -> Iterator[Finding]:
    """Find two symmetries of a player that share a direction, so that a direction is lost."""
    declared: dict[str, list[_Symmetry]] = {}
    for symmetry in _declared_symmetries(program):
        earlier = declared.setdefault(symmetry.player, [])
        shared = next((old for old in earlier if _share_one_name(old.pair, symmetry.pair)), None)
        earlier.append(symmetry)
        if shared is None or not _has_equal_directions(program, symmetry.player):
            continue
        (common,) = set(shared.pair) & set(symmetry.pair)
        others = sorted({*shared.pair, *symmetry.pair} - {common})
        text = (
            f"for {symmetry.player} two symmetries name `{common}`: `{others[0]}` and `{others[1]}`"
        )
        yield program.finding_at_token(
            "W414", f"{text} become the same", symmetry.file, symmetry.token
        )


def _share_one_name(pair: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two pairs of different names have exactly one name in common."""
    return len({*pair}) == len({*other}) == len({*pair, *other}) - 1


def _declared_symmetries(program: Program) -> Iterator[_Symmetry]:
    """Yield the symmetries of the last {symmetries section."""
    section = last_token(program, "{symmetries")
    if section is None:
        return
    file, start = section
    for index in range(start, len(file.tokens)):
        word = file.word(index)
        if word == "symmetries}":
            return
        if word == "{symmetry}":
            pair = (file.word(index + 1), file.word(index + 2))
            yield _Symmetry(file.word(index - 1), pair, file, file.tokens[index])


def _has_equal_directions(program: Program, player: str) -> bool:
    """Whether two directions of a player are equal in the table of symmetries."""
    image = program.image
    word = image.find(player)
    base, players = image.variable("$symmetries"), image.variable("$playerCount")
    if word is None or not base:
        return False
    column = Player(player, image.cell(word.body)).number - 1
    rows = image.variable("$directionCount")
    xts = image.column(base + CELL * column, rows, CELL * players)
    return len(set(xts)) < len(xts)


def _late_symmetries(program: Program) -> Iterator[Finding]:
    """Find move words that use a direction before a symmetry redefines it."""
    image = program.image
    redefined = {
        word.cfa
        for word in directions(program)
        if (newest := image.find(word.name)) is not None
        and newest.cfa > word.cfa
        and image.defining_word(newest) == "$RedefineDirection"
    }
    used_by_moves = reachable_words(program, move_words(program))
    for word in used_by_moves:
        if word.kind != COLON or word.cfa not in program.own_xts:
            continue
        for code in image.instructions(word.body, word.end):
            xt = next((xt for xt in (code.cfa, code.operand) if xt in redefined), None)
            if xt is not None:
                name = image.by_cfa[xt].name
                text = f"`{name}` is used here before {{symmetries, so no symmetry applies to it"
                yield program.finding_at_cell(
                    "W418", f"{text} (in `{word.name}`)", code.address, word=word.name
                )
