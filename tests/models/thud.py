"""Thud in plain Python, written from the rules page alone, with all its options.

Owns the rules of `rules/thud.md`, sections 1 to 7, as functions of a state.  It does not use
forthvm or a script.  Squares are numbers, `column + 15 * (row - 1)` on the full grid.

The page allows an end by agreement but does not define how players agree.  The model follows the
bundled game's README: an offer counts as a move, and the reply accepts or declines it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Final, Literal, NamedTuple

__all__ = [
    "ACCEPT",
    "DWARFS",
    "NAMES",
    "OFFER",
    "PLAYABLE",
    "TROLLS",
    "Capture",
    "Match",
    "Move",
    "Options",
    "State",
    "around",
    "end",
    "moves",
    "number",
    "perft",
    "play",
    "position",
    "score",
    "start",
]

Capture = Literal["all", "choice"]

DWARFS: Final = "Dwarfs"
TROLLS: Final = "Trolls"
_SIZE: Final = 15
NAMES: Final = tuple(
    "abcdefghijklmno"[square % _SIZE] + str(square // _SIZE + 1) for square in range(_SIZE**2)
)


def number(name: str) -> int:
    """The number of a square from its name."""
    return NAMES.index(name)


def _on_board(column: int, row: int) -> bool:
    """Section 1: whether a square is at least five steps, along the edges, from each corner."""
    inside = 0 <= column < _SIZE and 0 <= row < _SIZE
    return inside and min(column, 14 - column) + min(row, 14 - row) >= 5


_ROCK: Final = number("h8")
PLAYABLE: Final = frozenset(
    square
    for square in range(_SIZE**2)
    if _on_board(square % _SIZE, square // _SIZE) and square != _ROCK
)
_COMPASS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def _ray(square: int, direction: tuple[int, int]) -> tuple[int, ...]:
    """The squares from a square in one direction, up to the edge or the rock."""
    found = []
    column, row = square % _SIZE + direction[0], square // _SIZE + direction[1]
    while _on_board(column, row) and column + _SIZE * row != _ROCK:
        found.append(column + _SIZE * row)
        column, row = column + direction[0], row + direction[1]
    return tuple(found)


# For each square and each direction, the ray in that direction and the opposite ray.
_RAYS: Final = {
    square: tuple(
        (_ray(square, (x, y)), _ray(square, (-x, -y))) for x, y in _COMPASS if _ray(square, (x, y))
    )
    for square in PLAYABLE
}
_AROUND: Final = {square: frozenset(ray[0] for ray, _ in _RAYS[square]) for square in PLAYABLE}


@dataclass(frozen=True)
class Options:
    """The options of section 7; 0 for `max_line`: no limit."""

    troll_capture: Capture = "all"
    max_line: int = 0
    repetition: Literal["draw", "score", "none"] = "draw"
    stalemate: Literal["loss", "score"] = "loss"
    end_after: int = 0
    agreement: bool = False


class Move(NamedTuple):
    """A move; `taken` has the squares of all captured pieces, in a dwarf's capture the target."""

    source: int
    target: int
    taken: frozenset[int] = frozenset()


OFFER: Final = Move(-1, -1)
ACCEPT: Final = Move(-2, -2)


@dataclass(frozen=True)
class State:
    """A position.

    `quiet` counts the moves since the last capture.  `previous` is the state before the last move,
    None after a capture.  `offered`: the last move was an offer to end the round.
    `offers_made`: the players who have made an offer since the last capture.  `agreed`: an offer
    was accepted.
    """

    dwarfs: frozenset[int]
    trolls: frozenset[int]
    mover: str = DWARFS
    quiet: int = 0
    offered: bool = False
    offers_made: frozenset[str] = frozenset()
    agreed: bool = False
    previous: State | None = field(default=None, compare=False, repr=False)


def position(dwarfs: Iterable[str], trolls: Iterable[str], mover: str = DWARFS) -> State:
    """A state with these pieces and no history."""
    return State(frozenset(map(number, dwarfs)), frozenset(map(number, trolls)), mover)


def around(squares: Iterable[int]) -> set[int]:
    """The neighbours of the given squares, without these squares."""
    neighbours = {neighbour for square in squares for neighbour in _AROUND[square]}
    return neighbours - set(squares)


def start() -> State:
    """Section 2: dwarfs along the edge except in line with the rock, trolls round the rock."""
    in_line = ("a8", "h1", "h15", "o8")
    return State(
        frozenset(sq for sq in PLAYABLE if _at_rim(sq) and NAMES[sq] not in in_line),
        frozenset(_ROCK + x + _SIZE * y for x, y in _COMPASS),
    )


def _at_rim(square: int) -> bool:
    column, row = square % _SIZE, square // _SIZE
    diagonal = min(column, 14 - column) + min(row, 14 - row) == 5
    return diagonal or column in (0, 14) or row in (0, 14)


def _line_length(back: tuple[int, ...], pieces: frozenset[int], options: Options) -> int:
    """The number of pieces in a line: the moving piece, and those behind it on the ray `back`.

    The length limits the distance of a dwarf's capture and of a troll's move.
    """
    length = 1
    for square in back:
        if square not in pieces:
            break
        length += 1
    return min(length, options.max_line) if options.max_line else length


def _dwarf_moves(state: State, options: Options) -> Iterator[Move]:
    for source in state.dwarfs:
        for ahead, back in _RAYS[source]:
            for distance, target in enumerate(ahead, 1):
                if target in state.dwarfs:
                    break
                if target in state.trolls:
                    if distance <= _line_length(back, state.dwarfs, options):
                        yield Move(source, target, frozenset((target,)))
                    break
                yield Move(source, target)


def _troll_moves(state: State, options: Options) -> Iterator[Move]:
    for source in state.trolls:
        for ahead, back in _RAYS[source]:
            max_distance = _line_length(back, state.trolls, options)
            for distance, target in enumerate(ahead[:max_distance], 1):
                if target in state.trolls or target in state.dwarfs:
                    break
                adjacent = _AROUND[target] & state.dwarfs
                if distance == 1 or adjacent:
                    for taken in _taken(adjacent, options, minimum=int(distance > 1)):
                        yield Move(source, target, taken)


def _taken(dwarfs: frozenset[int], options: Options, minimum: int) -> Iterable[frozenset[int]]:
    """The sets of at least `minimum` dwarfs that a troll next to `dwarfs` may capture."""
    if options.troll_capture == "all":
        return [dwarfs]
    sizes = range(minimum, len(dwarfs) + 1)
    return map(frozenset, chain.from_iterable(combinations(dwarfs, size) for size in sizes))


def _moves(state: State, options: Options) -> Iterator[Move]:
    generate = _dwarf_moves if state.mover == DWARFS else _troll_moves
    return generate(state, options)


def moves(state: State, options: Options) -> list[Move]:
    """All moves of the player to move, whether or not the round is over."""
    found = list(_moves(state, options))
    if options.agreement and found:
        if state.offered:
            found.append(ACCEPT)
        elif state.mover not in state.offers_made:
            found.append(OFFER)
    return found


def play(state: State, move: Move) -> State:
    """The state after a move."""
    source, target, taken = move
    quiet = 0 if taken else state.quiet + 1
    previous = None if taken else state
    offers_made = frozenset[str]() if taken else state.offers_made
    dwarfs, trolls = state.dwarfs, state.trolls
    if move == OFFER:
        offers_made |= {state.mover}
    elif move != ACCEPT and state.mover == DWARFS:
        dwarfs, trolls = dwarfs - {source} | {target}, trolls - taken
    elif move != ACCEPT:
        dwarfs, trolls = dwarfs - taken, trolls - {source} | {target}
    other = TROLLS if state.mover == DWARFS else DWARFS
    offered, agreed = move == OFFER, move == ACCEPT
    return State(dwarfs, trolls, other, quiet, offered, offers_made, agreed, previous)


def score(state: State) -> tuple[int, int]:
    """The points of the dwarfs' player and of the trolls' player."""
    return len(state.dwarfs), 4 * len(state.trolls)


def _by_score(state: State) -> str:
    dwarfs, trolls = score(state)
    if dwarfs == trolls:
        return ""
    return DWARFS if dwarfs > trolls else TROLLS


def _occurrences(state: State) -> int:
    """How often the position has occurred with the same player to move, the current one included.

    Positions before a capture cannot occur again, so only the states after it are compared.
    """
    key = state.dwarfs, state.trolls, state.mover, state.offered
    count, earlier = 1, state.previous
    while earlier is not None:
        count += key == (earlier.dwarfs, earlier.trolls, earlier.mover, earlier.offered)
        earlier = earlier.previous
    return count


def end(state: State, options: Options) -> str | None:
    """The winner of the round, empty for a draw, None while it continues."""
    if state.agreed:
        return _by_score(state)
    if next(_moves(state, options), None) is None:
        if options.stalemate == "loss":
            return TROLLS if state.mover == DWARFS else DWARFS
        return _by_score(state)
    if options.repetition != "none" and _occurrences(state) >= 3:
        return "" if options.repetition == "draw" else _by_score(state)
    if options.end_after and state.quiet >= options.end_after:
        return _by_score(state)
    return None


@dataclass(frozen=True)
class Match:
    """Two rounds of two players (section 6).

    The first player has the dwarfs in the first round and the trolls in the second.  `first` is the
    last state of the first round, None during it.
    """

    state: State
    first: State | None = None

    def first_moves(self) -> bool:
        """Whether the first player is to move."""
        return (self.state.mover == DWARFS) == (self.first is None)

    def margin(self) -> int:
        """The points of the first player minus the second's, with the pieces on the board."""
        dwarfs, trolls = score(self.state)
        if self.first is None:
            return dwarfs - trolls
        first_dwarfs, first_trolls = score(self.first)
        return first_dwarfs + trolls - first_trolls - dwarfs

    def next_round(self) -> Match:
        """The match at the beginning of the second round."""
        return Match(start(), self.state)


def perft(state: State, depth: int, options: Options) -> int:
    """The number of sequences of `depth` moves."""
    if end(state, options) is not None:
        return 0
    found = moves(state, options)
    if depth == 1:
        return len(found)
    return sum(perft(play(state, move), depth - 1, options) for move in found)
