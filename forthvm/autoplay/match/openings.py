"""Openings: what games begin with, so that engines that never vary meet different positions.

Owns the drawing of random openings and the reading of given ones.  It must not know engines
or schedules.

The opening of a pair of games follows from the match's seed and the pair's number.  Random ones
lead to different positions as long as new ones turn up, within blocks of a thousand pairs: who
resumes a match of fifty thousand should not wait until all its openings have been drawn again.
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
"""Draws before an opening that was drawn before will do."""
_BLOCK = 1000


class Openings:
    """What each pair of games begins with; asked for in the order of pairs or again later."""

    def __init__(self, settings: Settings, table: Table, given: Sequence[Start] = ()) -> None:
        """Draws on a table of its own.

        Args:
            settings: The match.
            table: Where positions are looked at.
            given: Openings to be used in turns; random plies come after them.
        """
        self._settings = settings
        self._table = table
        self._given = tuple(given) or (Start(),)
        self._block = 0
        self._known: list[Start] = []
        self._seen: set[object] = set()

    def start(self, pair: int) -> Start:
        """What the games of a pair, counted from 1, begin with.

        Raises:
            MatchError: a given opening is not legal.
        """
        if not self._settings.opening_plies:
            return self._given[(pair - 1) % len(self._given)]
        block, place = divmod(pair - 1, _BLOCK)
        if block != self._block:
            self._block = block
            self._known.clear()
            self._seen.clear()
        while len(self._known) <= place:
            self._known.append(self._draw(block * _BLOCK + len(self._known) + 1))
        return self._known[place]

    def _draw(self, pair: int) -> Start:
        given = self._given[(pair - 1) % len(self._given)]
        seed = self._settings.pair_seed(pair)
        found = given
        key: object = None
        for attempt in range(_TRIES):
            try:
                board = self._table.begin(seed, given)
            except Disagreement as error:
                raise MatchError(f"opening {pair}: {error}") from error
            lots = Random(derive_seed(seed, "opening", attempt))
            if not self._play(board, lots):
                continue
            found = given.replace(moves=tuple(board.moves))
            # Games whose luck differs are different games from the same position, too; but
            # engines should see more than one.
            key = board.main.cells, board.main.turn_index
            if key not in self._seen:
                self._seen.add(key)
                return found
        # They seem to be used up: once more, all of them.
        self._seen = {key}
        return found

    def _play(self, board: Board, lots: Random) -> bool:
        """Random plies; False: the game is decided by them, or the configurations disagree."""
        plies = 0
        try:
            while board.outcome is None:
                if board.pass_if_stuck():
                    continue
                if board.is_lot:
                    if plies == self._settings.opening_plies:
                        return True
                    board.draw()
                    continue
                if plies == self._settings.opening_plies:
                    return True
                board.push(board.main, lots.randrange(len(board.main.legal_moves)))
                plies += 1
        except (BudgetExceeded, Interrupted):  # another draw would take as long again
            raise
        except (Disagreement, ForthVMError):
            return False
        return False


def read_openings(text: str, table: Table) -> list[Start]:
    """Openings from a file.

    A line each: moves separated by semicolons, as `--moves` takes them, or a saved position
    as a JSON document; or the whole file is one such document, or a list of them.  Lines that
    are empty or begin with `#` do not count.

    Raises:
        MatchError: one of them cannot be played; the message says which.
    """
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict):
        return [_from_document(json.dumps(whole), table, "the position")]
    if isinstance(whole, list):
        documents = enumerate(whole, start=1)
        return [_from_document(json.dumps(one), table, f"position {at}") for at, one in documents]
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


def _from_document(text: str, table: Table, place: str) -> Start:
    try:
        position = Position.from_json(table.games[0], text)
    except ForthVMError as error:
        raise MatchError(f"openings, {place}: {error}") from error
    if position.result is not None:
        raise MatchError(f"openings, {place}: the game is over there ({position.result})")
    moves = tuple((one.player, one.text) for one in position.history)
    return Start(moves, position.setup)


def _from_moves(line: str, table: Table, place: str) -> Start:
    position = table.begin(0).main
    try:
        for text in filter(None, (part.strip() for part in line.split(";"))):
            position.push_text(text)
    except ForthVMError as error:
        raise MatchError(f"openings, {place}: {error}") from error
    if position.result is not None:
        raise MatchError(f"openings, {place}: the game is over there ({position.result})")
    return Start(tuple((one.player, one.text) for one in position.history))


# --- in the results file -------------------------------------------------------------------


def starts_to_json(starts: Iterable[Start]) -> list[dict[str, object]]:
    """As the results file keeps them."""
    return [
        {"moves": start.moves, "setup": None if start.setup is None else vars(start.setup)}
        for start in starts
    ]


def starts_from_json(value: object) -> list[Start]:
    """Read back.

    Raises:
        MatchError: they are not what `starts_to_json` makes.
    """
    try:
        return [_start(entry) for entry in value or ()]  # type: ignore[attr-defined]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise MatchError(f"these results have openings that cannot be read: {error}") from error


def _start(entry: dict[str, object]) -> Start:
    moves = tuple((str(player), str(text)) for player, text in entry["moves"])  # type: ignore[attr-defined]
    kept = entry["setup"]
    if not isinstance(kept, dict):
        return Start(moves)
    pieces = kept["pieces"]
    return Start(
        moves,
        Setup(
            None if pieces is None else tuple((one, kind, at) for one, kind, at in pieces),
            kept["turn"],
            tuple((str(name), int(number)) for name, number in kept["variables"]),
        ),
    )
