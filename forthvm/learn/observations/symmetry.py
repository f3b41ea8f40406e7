"""Symmetries: the square that takes the place of each square from a player's view.

Owns the search for the rotation or reflection that a script's symmetries of directions mean, and
for names that differ only in the player.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from forthvm.game import Game

    from .places import Places

__all__ = ["renamed", "squares_from_view", "turned_boards"]

_MAX_POSITIONS = 1024
"""Boards without rows that have more positions are not searched for symmetries."""


def squares_from_view(game: Game, places: Places, player: str) -> tuple[int, ...]:
    """Return for each position the position whose place it takes from the player's view.

    If the script declares symmetries for the player, a rotation or reflection of the board is
    searched that maps the directions which the player uses to those which replace them.  Without
    one, squares keep their places.  Positions beside the board whose names contain the name of a
    contestant, such as `White-hand`, take the places of other contestants' positions.
    """
    count = len(game.positions)
    beside = _beside(game, places)
    found = list(range(count))
    shift = renamed([game.positions[at] for at in beside], game.contestants, player)
    for at, to in zip(beside, shift, strict=True):
        found[at] = beside[to]
    symmetries = game._loaded.tables.symmetries
    if not symmetries:
        return tuple(found)
    uses = symmetries[game.players.index(player)]
    if all(at == to for at, to in enumerate(uses)):
        return tuple(found)
    links = [direction.links for direction in game.directions]
    best: tuple[int, Sequence[int]] = (-1, found)
    for candidate in _candidates(game, places, found, uses):
        changed, same = _score(links, uses, candidate)
        if changed and same > best[0]:
            best = same, candidate
        if best[0] == len(links):
            break
    return tuple(best[1])


def renamed(names: Sequence[str], players: Sequence[str], player: str) -> list[int]:
    """Return for each name the index of the name that it is from the player's view.

    In names that contain the name of one of `players`, that name is replaced, so that the
    player's own names become those of the first player.  The names stay the same if not all of the
    new names exist.

    >>> renamed(["white-score", "black-score", "moves"], ["White", "Black"], "Black")
    [1, 0, 2]
    """
    same = list(range(len(names)))
    if player not in players:
        return same
    index = {name.casefold(): at for at, name in reversed([*enumerate(names)])}
    folded = [name.casefold() for name in players]
    pattern = re.compile(rf"(?<![^\W_])({'|'.join(map(re.escape, folded))})(?![^\W_])")
    shift = players.index(player)

    def replaced(match: re.Match[str]) -> str:
        return folded[(folded.index(match[1]) - shift) % len(folded)]

    found = [index.get(pattern.sub(replaced, name.casefold()), -1) for name in names]
    return found if sorted(found) == same else same


def _beside(game: Game, places: Places) -> list[int]:
    """Return the positions beside the board; without rows, those without links."""
    if places.board is not None:
        return [at for at, cell in enumerate(places.cells) if not 0 <= cell < places.board_size]
    linked = {at for d in game.directions for at, to in enumerate(d.links) if to >= 0}
    return [at for at in range(len(game.positions)) if at not in linked]


def _score(
    links: Sequence[Sequence[int]], uses: Sequence[int], squares: Sequence[int]
) -> tuple[bool, int]:
    """Return whether squares fit all replaced directions, and how many others they fit."""
    fits = [
        all(
            (squares[used] if used >= 0 else -1) == links[direction][squares[at]]
            for at, used in enumerate(links[use])
        )
        for direction, use in enumerate(uses)
    ]
    changed = [fit for at, fit in enumerate(fits) if uses[at] != at]
    return all(changed), sum(fits)


def _candidates(
    game: Game, places: Places, default: Sequence[int], uses: Sequence[int]
) -> Iterator[Sequence[int]]:
    """Yield permutations of the positions: of rows and columns, then one along the links."""
    if places.board is not None:
        yield from turned_boards(places, places.board, default)
    if len(game.positions) <= _MAX_POSITIONS:
        found = _along_links([d.links for d in game.directions], uses, default)
        if found is not None:
            yield found


def turned_boards(
    places: Places, board: tuple[int, int], default: Sequence[int]
) -> Iterator[Sequence[int]]:
    """Yield the reflections and rotations of the board that map its squares to its squares."""
    rows, columns = board
    last_row, last_column = rows - 1, columns - 1
    turns: list[Callable[[int, int], tuple[int, int]]] = [
        lambda row, column: (last_row - row, column),
        lambda row, column: (last_row - row, last_column - column),
        lambda row, column: (row, last_column - column),
    ]
    if rows == columns:
        turns += [
            lambda row, column: (column, last_row - row),
            lambda row, column: (last_row - column, row),
            lambda row, column: (column, row),
            lambda row, column: (last_row - column, last_row - row),
        ]
    at_cell = {cell: at for at, cell in enumerate(places.cells) if 0 <= cell < places.board_size}
    for turn in turns:
        squares = list(default)
        for cell, at in at_cell.items():
            row, column = turn(*divmod(cell, columns))
            to = at_cell.get(row * columns + column)
            if to is None:
                break
            squares[at] = to
        else:
            yield squares


def _along_links(
    links: Sequence[Sequence[int]], uses: Sequence[int], default: Sequence[int]
) -> Sequence[int] | None:
    """Return a permutation that maps all links of used directions to links, None without one.

    Positions are visited along the links.  The first of them may be mapped to any position.
    """
    count = len(default)
    squares: dict[int, int] = {}
    taken: set[int] = set()
    for start in range(count):
        if start in squares or all(line[start] < 0 for line in links):
            continue
        for to in [start, *range(count)]:
            found = None if to in taken else _visited(links, uses, start, to)
            if found and found.keys().isdisjoint(squares) and taken.isdisjoint(found.values()):
                squares |= found
                taken |= set(found.values())
                break
        else:
            return None
    result = [squares.get(at, default[at]) for at in range(count)]
    return result if len(set(result)) == count else None


def _visited(
    links: Sequence[Sequence[int]], uses: Sequence[int], start: int, to: int
) -> dict[int, int] | None:
    """Map the positions that links reach from `start`, None if the map is not one to one."""
    squares, taken, waiting = {start: to}, {to}, [start]
    while waiting:
        at = waiting.pop()
        for direction, use in enumerate(uses):
            near, image = links[use][at], links[direction][squares[at]]
            if (near < 0) != (image < 0):
                return None
            if near < 0 or squares.get(near) == image:
                continue
            if near in squares or image in taken:
                return None
            squares[near] = image
            taken.add(image)
            waiting.append(near)
    return squares
