"""Openings, which make deterministic engines play different games.

Owns the choice of random openings and the parsing of openings in a file.  It must not know engines
or schedules.

The opening of a pair depends only on the match's seed and the pair's number.  Within a block of
a thousand pairs, random openings lead to different positions as long as new positions are found.
Blocks are independent.  Therefore resuming a match of fifty thousand pairs computes the openings
of only one block.
"""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

from forthvm.autoplay.match.settings import MatchError, derive_seed
from forthvm.autoplay.match.table import Disagreement, Start
from forthvm.core.errors import BudgetExceeded, ForthVMError, Interrupted
from forthvm.game import Position
from forthvm.game.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.match.table import Board, Table

__all__ = ["Openings", "read_openings", "starts_from_json", "starts_to_json"]

_TRIES = 30
"""The number of attempts to find a new position before a used one is accepted."""
_BLOCK = 1000
"""The number of pairs in a block."""


class Openings:
    """The opening of each pair; `start` is fastest if called in the order of pairs."""

    def __init__(self, settings: Settings, table: Table, listed: Sequence[Start] = ()) -> None:
        """Store the arguments; `start` plays the random plies.

        Args:
            settings: The match.
            table: The loaded configurations, on which random plies are played.
            listed: Openings used in rotation; random plies follow them.
        """
        self._settings = settings
        self._table = table
        self._listed = tuple(listed) or (Start(),)
        self._block = 0
        self._block_openings: list[Start] = []
        self._used_positions: set[object] = set()

    def start(self, pair: int) -> Start:
        """Return the opening of a pair, counted from 1.

        Raises:
            MatchError: A listed opening is not legal.
        """
        if not self._settings.opening_plies:
            return self._listed[(pair - 1) % len(self._listed)]
        block, index = divmod(pair - 1, _BLOCK)
        if block != self._block:
            self._block = block
            self._block_openings.clear()
            self._used_positions.clear()
        while len(self._block_openings) <= index:
            self._block_openings.append(
                self._random_opening(block * _BLOCK + len(self._block_openings) + 1)
            )
        return self._block_openings[index]

    def _random_opening(self, pair: int) -> Start:
        """Return a random opening, if possible with a new position in the block."""
        start = self._listed[(pair - 1) % len(self._listed)]
        seed = self._settings.pair_seed(pair)
        opening = start
        key: object = None
        for attempt in range(_TRIES):
            try:
                board = self._table.begin(seed, start)
            except Disagreement as error:
                raise MatchError(f"opening {pair}: {error}") from error
            if not self._play_random_plies(board, Random(derive_seed(seed, "opening", attempt))):
                continue
            opening = start.replace(moves=tuple(board.moves))
            # Equal boards count as the same position even if their random seeds differ.
            key = board.main.cells, board.main.turn_index
            if key not in self._used_positions:
                self._used_positions.add(key)
                return opening
        # No new position was found: forget the used positions, so that all are used equally often.
        self._used_positions = {key}
        return opening

    def _play_random_plies(self, board: Board, random: Random) -> bool:
        """Play random plies; return False if they end the game or the configurations disagree."""
        plies = 0
        try:
            while board.outcome is None:
                if board.pass_if_stuck():
                    continue
                if board.is_chance_node:
                    if plies == self._settings.opening_plies:
                        return True
                    board.push_chance()
                    continue
                if plies == self._settings.opening_plies:
                    return True
                board.push(board.main, random.randrange(len(board.main.legal_moves)))
                plies += 1
        except (BudgetExceeded, Interrupted):  # another attempt would reach the same limit
            raise
        except (Disagreement, ForthVMError):
            return False
        return False


def read_openings(text: str, table: Table) -> list[Start]:
    """Parse a file of openings.

    Each line is an opening: moves separated by semicolons, as in `--moves`, or a saved position
    as a JSON document.  Alternatively the file is one such document, or a list of documents.  Empty
    lines and lines that begin with `#` are ignored.

    Raises:
        MatchError: An opening cannot be played; the message states its number.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if isinstance(document, dict):
        return [_from_document(json.dumps(document), table, "the position")]
    if isinstance(document, list):
        documents = enumerate(document, start=1)
        return [
            _from_document(json.dumps(saved_position), table, f"position {at}")
            for at, saved_position in documents
        ]
    lines = [(at, line.strip()) for at, line in enumerate(text.splitlines(), start=1)]
    starts = [
        _from_document(line, table, f"line {at}")
        if line.startswith("{")
        else _from_moves(line, table, f"line {at}")
        for at, line in lines
        if line and not line.startswith("#")
    ]
    if not starts:
        raise MatchError("the file has no openings")
    return starts


def _from_document(text: str, table: Table, source: str) -> Start:
    try:
        position = Position.from_json(table.games[0], text)
    except ForthVMError as error:
        raise MatchError(f"openings, {source}: {error}") from error
    if position.result is not None:
        raise MatchError(f"openings, {source}: the game is over there ({position.result})")
    moves = tuple((entry.player, entry.text) for entry in position.history)
    return Start(moves, position.setup)


def _from_moves(line: str, table: Table, source: str) -> Start:
    position = table.begin(0).main
    try:
        for text in filter(None, (move.strip() for move in line.split(";"))):
            position.push_text(text)
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
    """Return the openings for a JSON value of `starts_to_json`.

    Raises:
        MatchError: The value has another form.
    """
    try:
        return [_start(entry) for entry in value or ()]  # type: ignore[attr-defined]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise MatchError(f"these results have invalid openings: {error}") from error


def _start(entry: dict[str, object]) -> Start:
    moves = tuple((str(player), str(text)) for player, text in entry["moves"])  # type: ignore[attr-defined]
    setup = entry["setup"]
    if not isinstance(setup, dict):
        return Start(moves)
    pieces = setup["pieces"]
    return Start(
        moves,
        Setup(
            None
            if pieces is None
            else tuple((player, kind, square) for player, kind, square in pieces),
            setup["turn"],
            tuple((str(name), int(number)) for name, number in setup["variables"]),
        ),
    )
