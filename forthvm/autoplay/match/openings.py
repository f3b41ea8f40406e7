"""Openings, which make deterministic engines play different games.

Owns the choice of random openings and the parsing of a file of openings.

The opening of a pair depends only on the match's seed and the pair's number.  Pairs form blocks of
a thousand.  Random openings in a block lead to different positions, while new positions are found.
Because blocks are independent, a resumed match computes the earlier openings of only one block.
"""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from forthvm.autoplay.match.running_game import Disagreement, Start
from forthvm.autoplay.match.settings import DEFAULT_OPENING_PLIES, MatchError, derive_seed
from forthvm.core.errors import BudgetExceeded, ForthVMError, Interrupted
from forthvm.core.reading import ReadError, as_type
from forthvm.game import Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.autoplay.match.running_game import LoadedMatch, RunningGame
    from forthvm.autoplay.match.settings import Settings

__all__ = ["ListedOpenings", "Openings", "read_openings", "starts_from_json", "starts_to_json"]

_MAX_ATTEMPTS = 30
"""The number of attempts to find a new position; after them, a used position is accepted."""
_BLOCK_PAIRS = 1000
"""The number of pairs in a block."""


class ListedOpenings:
    """The openings from a file, which pairs use in turn; without a file, the game's own start."""

    def __init__(self, listed: Iterable[Start]) -> None:
        """Store the openings."""
        self.all = tuple(listed) or (Start(),)

    @classmethod
    def of_match(cls, match: Mapping[str, object]) -> ListedOpenings:
        """Return the openings of a match, given its table `match`.

        Raises:
            MatchError: The table has another form.
        """
        return cls(starts_from_json(match.get("openings")))

    def of_pair(self, pair: int) -> Start:
        """Return the opening of a pair, counted from 1."""
        return self.all[(pair - 1) % len(self.all)]


class Openings:
    """The openings of a match by pair."""

    def __init__(
        self, settings: Settings, loaded_match: LoadedMatch, listed: Sequence[Start] = ()
    ) -> None:
        """Store the arguments; `of_pair` plays the random plies.

        Args:
            settings: The match.
            loaded_match: The loaded configurations, on which random plies are played.
            listed: Openings from a file; pairs use them in turn, and random plies follow them.
        """
        self._settings = settings
        self._plies = settings.opening_plies
        if self._plies is None:
            self._plies = 0 if listed else DEFAULT_OPENING_PLIES
        self._loaded_match = loaded_match
        self._listed = ListedOpenings(listed)
        self._block = 0
        self._block_openings: list[Start] = []
        self._used_positions: set[object] = set()

    def of_pair(self, pair: int) -> Start:
        """Return the opening of a pair, counted from 1.

        Raises:
            MatchError: A listed opening is not legal.
        """
        if not self._plies:
            return self._listed.of_pair(pair)
        block, index = divmod(pair - 1, _BLOCK_PAIRS)
        if block != self._block:
            self._block = block
            self._block_openings.clear()
            self._used_positions.clear()
        while len(self._block_openings) <= index:
            self._block_openings.append(
                self._random_opening(block * _BLOCK_PAIRS + len(self._block_openings) + 1)
            )
        return self._block_openings[index]

    def count_different(self, limit: int) -> int:
        """Return the number of different openings; `limit` if there are as many or it is unknown.

        Openings are different if they lead to different positions.  In a game with dice the number
        does not matter, because the dice of pairs differ.
        """
        game = self._loaded_match.games[0]
        if any(turn.player not in game.contestants for turn in game.turn_order):
            return limit
        if not self._plies:
            return min(limit, len(set(self._listed.all)))
        found: set[object] = set()
        for start in dict.fromkeys(self._listed.all):
            try:
                position = self._loaded_match.begin(self._settings.seed, start).first_position
                found |= _positions_after(position, self._plies, limit)
            except (_TooMany, Disagreement, ForthVMError):  # of_pair reports errors of openings
                return limit
        return min(limit, len(found))

    def _random_opening(self, pair: int) -> Start:
        """Return a random opening, if possible with a new position in the block."""
        start = self._listed.of_pair(pair)
        seed = self._settings.pair_seed(pair)
        opening = start
        key: object = None
        for attempt in range(_MAX_ATTEMPTS):
            try:
                running_game = self._loaded_match.begin(seed, start)
            except Disagreement as error:
                raise MatchError(f"opening {pair}: {error}") from error
            if not self._play_random_plies(
                running_game, Random(derive_seed(seed, "opening", attempt))
            ):
                continue
            opening = replace(start, moves=tuple(running_game.moves))
            key = _key(running_game.first_position)
            if key not in self._used_positions:
                self._used_positions.add(key)
                return opening
        # No new position was found: from here on, all positions may be used once more.
        self._used_positions = {key}
        return opening

    def _play_random_plies(self, running_game: RunningGame, random: Random) -> bool:
        """Play random plies; return False if they end the game or the configurations disagree."""
        plies = 0
        try:
            while running_game.outcome is None:
                if running_game.pass_if_stuck():
                    continue
                if plies == self._plies:
                    return True
                if running_game.is_chance_node:
                    running_game.push_chance()
                    continue
                position = running_game.first_position
                running_game.push(position, random.randrange(len(position.legal_moves)))
                plies += 1
        except (BudgetExceeded, Interrupted):  # another attempt would reach the same limit
            raise
        except (Disagreement, ForthVMError):
            return False
        return False


class _TooMany(Exception):  # noqa: N818 - the answer, not an error
    """There are at least as many positions as asked for."""


def _key(position: Position) -> object:
    """Return what makes openings different."""
    return position.cells, position._turn_index


def _positions_after(position: Position, plies: int, limit: int) -> set[object]:
    """Return the keys of the undecided positions after a number of plies.

    Raises:
        _TooMany: At some ply there are `limit` positions or more.
    """
    positions = [position]
    for _ in range(plies):
        reached: dict[object, Position] = {}
        for before in positions:
            for after in _next_positions(before):
                reached.setdefault(_key(after), after)
                if len(reached) >= limit:
                    raise _TooMany
        positions = list(reached.values())
    return {_key(position) for position in positions}


def _next_positions(position: Position) -> Iterator[Position]:
    """Yield the undecided positions after each move; passes are not counted as moves."""
    while position.is_stuck and position.result is None:
        position.push_pass()
    for move in position.legal_moves:
        position.push(move)
        if position.result is None:
            yield position.copy()
        position.pop()


def read_openings(text: str, loaded_match: LoadedMatch) -> list[Start]:
    """Parse a file of openings.

    The file is a saved position as a JSON document, a JSON list of saved positions, or lines.  Each
    line is an opening: moves separated by semicolons, as in `--moves`, or a saved position.  Empty
    lines and lines that begin with `#` are ignored.

    Raises:
        MatchError: An opening cannot be played; the message states its line or number.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if isinstance(document, dict):
        return [_from_document(json.dumps(document), loaded_match, "the position")]
    if isinstance(document, list):
        documents = enumerate(document, start=1)
        return [
            _from_document(json.dumps(saved_position), loaded_match, f"position {at}")
            for at, saved_position in documents
        ]
    lines = [(at, line.strip()) for at, line in enumerate(text.splitlines(), start=1)]
    starts = [
        _from_document(line, loaded_match, f"line {at}")
        if line.startswith("{")
        else _from_moves(line, loaded_match, f"line {at}")
        for at, line in lines
        if line and not line.startswith("#")
    ]
    if not starts:
        raise MatchError("the file has no openings")
    return starts


def _from_document(text: str, loaded_match: LoadedMatch, source: str) -> Start:
    try:
        position = Position.from_json(loaded_match.games[0], text)
    except ForthVMError as error:
        raise MatchError(f"openings, {source}: {error}") from error
    if position.result is not None:
        raise MatchError(f"openings, {source}: the game is over there ({position.result})")
    moves = tuple((entry.player, entry.text) for entry in position.history)
    return Start(moves, position._setup)


def _from_moves(line: str, loaded_match: LoadedMatch, source: str) -> Start:
    position = loaded_match.begin(0).first_position
    try:
        for text in filter(None, (move.strip() for move in line.split(";"))):
            position.push(text)
    except ForthVMError as error:
        raise MatchError(f"openings, {source}: {error}") from error
    if position.result is not None:
        raise MatchError(f"openings, {source}: the game is over there ({position.result})")
    return Start(tuple((entry.player, entry.text) for entry in position.history))


# --- in the results file -------------------------------------------------------------------


def starts_to_json(starts: Iterable[Start]) -> list[dict[str, object]]:
    """Return openings as a JSON value for the results file."""
    return [
        {"moves": start.moves, "setup": None if start.setup is None else vars(start.setup)}
        for start in starts
    ]


def starts_from_json(value: object) -> list[Start]:
    """Return the openings from a JSON value that `starts_to_json` wrote, or from a caller.

    Raises:
        MatchError: The value has another form.
    """
    try:
        return as_type(list[Start])(value or [])
    except ReadError as error:
        raise MatchError(f"invalid openings: {error}") from error
