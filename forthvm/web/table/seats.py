"""The seats of a table: who plays for each player, and the keys of the people.

Owns the keys and what their holders may do.

There is a key for the owner of the table, one for each seat, and one for people who only watch.
When seats are exchanged for a rematch, each participant keeps the key and plays for another player.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.reading import dict_of, record, text
from forthvm.web.serving.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["GUEST", "PERSON", "Seat", "Seats", "Viewer"]

PERSON = "person"
"""The seat of a person at the owner's windows."""
GUEST = "guest"
"""The seat of a person elsewhere, who has the link of the seat."""
_read = record(
    {
        "owner_key": text(),
        "watch_key": text(),
        "seats": dict_of(record({"by": text(), "key": text()})),
    }
)


@dataclass(frozen=True)
class Viewer:
    """What the holder of a key may do.

    Attributes:
        is_owner: Whether the holder is the owner of the table, who may change it.
        players: The players for whom the holder of the key plays.
    """

    is_owner: bool
    players: tuple[str, ...]


class Seat:
    """A participant of the game.

    Attributes:
        by: PERSON, GUEST or the specification of an engine.
        key: The key of a person elsewhere.
    """

    def __init__(self, by: str, key: str = "") -> None:
        """Create a seat; without a key, it gets a new one."""
        self.by = by
        self.key = key or new_key()

    @property
    def is_person(self) -> bool:
        """Whether a person has the seat."""
        return self.by in (PERSON, GUEST)


class Seats:
    """Who plays for each player.

    Attributes:
        engines: The engines that may be given a seat.
    """

    def __init__(self, by_player: Mapping[str, str], engines: Iterable[str]) -> None:
        """Give each player a seat, with new keys.

        Args:
            by_player: PERSON, GUEST or an engine for each player that chooses moves, in the order
                of their turns.
            engines: Further engines that may be given a seat.  No others may be named, since some
                engines start programs.
        """
        self._seats = {player: Seat(by) for player, by in by_player.items()}
        given = (seat.by for seat in self._seats.values() if not seat.is_person)
        self.engines = tuple(dict.fromkeys([*given, *engines]))
        self.owner_key = new_key()
        self.watch_key = new_key()

    def __iter__(self) -> Iterator[str]:
        """Iterate over the players."""
        return iter(self._seats)

    def __getitem__(self, player: str) -> Seat:
        """The seat of a player.

        Raises:
            RequestError: There is no such player.
        """
        try:
            return self._seats[player]
        except KeyError:
            raise RequestError("no-seat", f"There is no seat of {player}.", player=player) from None

    def is_person(self, player: str) -> bool:
        """Whether a person plays for a player; people do not play for chance players."""
        return player in self._seats and self._seats[player].is_person

    def engine_of(self, player: str) -> str | None:
        """Return the engine that plays for a player; None if no engine does."""
        seat = self._seats.get(player)
        return None if seat is None or seat.is_person else seat.by

    def parties(self) -> list[tuple[str, ...]]:
        """Return the players of each party: the people here, and each person elsewhere."""
        here = tuple(player for player, seat in self._seats.items() if seat.by == PERSON)
        guests = [(player,) for player, seat in self._seats.items() if seat.by == GUEST]
        return [here, *guests] if here else [*guests]

    # --- changes --------------------------------------------------------------------------

    def give(self, player: str, by: str) -> None:
        """Give the seat of a player to PERSON, GUEST or an engine.

        Raises:
            RequestError: There is no such seat or engine.
        """
        seat = self[player]
        if by not in (PERSON, GUEST, *self.engines):
            raise RequestError("no-engine", "This table does not offer that engine.")
        seat.by = by

    def renew_key(self, player: str) -> None:
        """Replace the key of a seat; the old link is then not valid any more.

        Raises:
            RequestError: There is no such seat.
        """
        self[player].key = new_key()

    def exchange(self) -> None:
        """Let each participant play for the next player, for a rematch."""
        players, seats = list(self._seats), list(self._seats.values())
        self._seats = dict(zip(players, [*seats[-1:], *seats[:-1]], strict=True))

    def change_players(self, players: Sequence[str], engines: Iterable[str]) -> None:
        """Use the seats for another game: the participants stay, in the same order.

        Args:
            players: The players of the game.  Additional players get the last engine of the seats.
            engines: The engines that may be given a seat.
        """
        seats, offered = list(self._seats.values()), tuple(engines)
        for seat in seats:
            if seat.by.startswith("level:") and seat.by not in offered:
                seat.by = offered[0]
        given = [seat.by for seat in seats if not seat.is_person]
        self.engines = tuple(dict.fromkeys([*given, *offered]))
        engine = given[-1] if given else PERSON
        more = [Seat(engine) for _ in players[len(seats) :]]
        self._seats = dict(zip(players, [*seats, *more], strict=False))

    # --- saved tables ---------------------------------------------------------------------

    def as_json(self) -> dict[str, object]:
        """Return the seats with their keys."""
        return {
            "owner_key": self.owner_key,
            "watch_key": self.watch_key,
            "seats": {player: vars(seat) for player, seat in self._seats.items()},
        }

    def restore(self, saved: object) -> None:
        """Continue with saved seats and keys.

        Raises:
            KeyError, ValueError: They are damaged, or of a game with other players.
        """
        fields = _read(saved)
        seats = {player: Seat(**fields["seats"][player]) for player in self}
        self.owner_key, self.watch_key = fields["owner_key"], fields["watch_key"]
        self._seats = seats
        given = (seat.by for seat in seats.values() if not seat.is_person)
        self.engines = tuple(dict.fromkeys([*given, *self.engines]))

    # --- keys -----------------------------------------------------------------------------

    def viewer_of(self, key: str) -> Viewer | None:
        """Return what the holder of a key may do; None if there is no such key.

        All keys are compared, each in constant time, so the time reveals nothing about them.
        """
        found = None
        for known, viewer in self._viewers():
            if hmac.compare_digest(known.encode(), key.encode("utf-8", "replace")):
                found = viewer
        return found

    def _viewers(self) -> Iterator[tuple[str, Viewer]]:
        here = tuple(player for player, seat in self._seats.items() if seat.by == PERSON)
        yield self.owner_key, Viewer(is_owner=True, players=here)
        yield self.watch_key, Viewer(is_owner=False, players=())
        for player, seat in self._seats.items():
            players = (player,) if seat.by == GUEST else ()
            yield seat.key, Viewer(is_owner=False, players=players)


def new_key() -> str:
    """Return a key that cannot be guessed."""
    return secrets.token_urlsafe(16)
