"""The tables of a loaded game, and the places of its sections.

Owns what several rules read from the memory of the loaded script.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, NEUTRAL

if TYPE_CHECKING:
    from forthvm.check.program import Program, ScriptFile
    from forthvm.core.words.dictionary import Word

__all__ = [
    "Player",
    "directions",
    "ends",
    "last_token",
    "links",
    "players",
    "setup_owners",
    "turn_types",
    "turns",
]

_TURN_CELLS = 3  # the size of a turn in the table of turns
_MAX_POSITIONS = 16_384  # of a board whose directions are read
_PLAYER_SHIFT = 11  # the lowest bit of the number of a player in the player's value


@dataclass(frozen=True, slots=True)
class Player:
    """A player of the game."""

    name: str
    value: int  # the number, shifted, and the bit of neutral players

    @property
    def number(self) -> int:
        """The player's number, from 1."""
        return self.value >> _PLAYER_SHIFT

    @property
    def takes_turns(self) -> bool:
        """Whether the player is neither a neutral player nor a chance player."""
        return not self.value & NEUTRAL and not self.name.startswith("?")


def turns(program: Program, *, moved: bool = False) -> dict[int, Player]:
    """Return the players in the turn order, by xt.

    Args:
        program: The script.
        moved: Whether to return the players whose pieces the turns move instead.
    """
    image = program.image
    base, limit = image.variable("$turnOrder"), image.variable("$turnLimit")
    size = _TURN_CELLS * CELL
    count = -(-limit // size)  # the number of turns is rounded up
    return _players_of(program, image.column(base + CELL * moved, count, size))


def turn_types(program: Program) -> set[int]:
    """Return the types of moves that the turns allow; 0 for all types."""
    image = program.image
    base, size = image.variable("$turnOrder"), _TURN_CELLS * CELL
    return set(image.column(base + 2 * CELL, -(-image.variable("$turnLimit") // size), size))


def players(program: Program) -> dict[int, Player]:
    """Return the players of the last {players section, by xt."""
    image = program.image
    return _players_of(
        program, image.column(image.variable("$players"), image.variable("$playerCount"))
    )


def _players_of(program: Program, xts: list[int]) -> dict[int, Player]:
    image = program.image
    words = {xt: image.by_cfa[xt] for xt in xts if xt in image.by_cfa}
    return {xt: Player(word.name, image.cell(word.body)) for xt, word in words.items()}


def setup_owners(program: Program) -> list[str]:
    """Return the names of the owners of the pieces in the set-up."""
    image = program.image
    table = image.variable("$boardSetup")
    texts = image.column(table + CELL, image.cell(table), 3 * CELL)
    names = {text: image.text(text) for text in set(texts)}
    return [names[text] for text in texts]


def directions(program: Program) -> list[Word]:
    """Return the directions of the last {directions section."""
    image = program.image
    xts = image.column(image.variable("$directions"), image.variable("$directionCount"))
    return [image.by_cfa[xt] for xt in dict.fromkeys(xts) if xt in image.by_cfa]


def links(program: Program, direction: Word) -> list[int]:
    """Return, for each position, the next one in a direction, or -1 at the edge.

    The result is empty on a board that is too large, probably since a number is wrong.
    """
    count = min(program.image.variable("$positions"), (direction.end - direction.body) // CELL)
    if count > _MAX_POSITIONS:
        return []
    return list(program.image.column(direction.body, count))


def ends(program: Program, direction: Word) -> bool:
    """Whether a step in a direction can lead to a position from which the next step fails."""
    steps = links(program, direction)
    return any(0 <= link < len(steps) and steps[link] < 0 for link in steps)


def last_token(program: Program, word: str) -> tuple[ScriptFile, int] | None:
    """Return the last interpreted occurrence of a word: its file and the index of the token."""
    for file in program.files_latest_first:
        for index in range(len(file.tokens) - 1, -1, -1):
            if file.word(index) == word and not file.tokens[index].in_definition:
                return file, index
    return None
