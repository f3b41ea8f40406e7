"""A game as a row of the table `games`: the meaning and the valid values of its columns.

Owns the columns, their form in the database, and the check of all values that are read from a file,
because a file may be damaged or edited.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from forthvm.autoplay.untrusted_text import in_lines, visible

__all__ = ["COLUMNS", "MAX_NUMBER", "GameRow", "json_text", "parse_json", "read_row", "row_values"]

MAX_NUMBER = 2**62
"""The maximum number in a results file, so that sums of numbers stay finite."""
_MAX_PLIES = 2**31

COLUMNS = (
    "id",
    "seed",
    "seats",
    "outcome",
    "reason",
    "plies",
    "moves",
    "seconds",
    "finished_at",
    "game",
    "opening",
    "pair",
    "nodes",
    "thinking",
    "branching",
    "digest",
    "void",
    "faults",
    "traceback",
    "worker",
)


@dataclass(frozen=True, kw_only=True)
class GameRow:
    """A finished game: a row of the table `games`."""

    id: int
    """The number in the schedule, which starts at 1."""
    seed: int
    """The seed of the game's random numbers; the games of a pair share it."""
    seats: Mapping[str, str]
    """The entrant of each player who can win, in order of turns."""
    outcome: Mapping[str, float]
    """The score of each player in `seats`; the scores add up to 1.  Empty if void."""
    reason: str
    """`OnIsGameOver: …`, `adjudicated: …`, `forfeit: …` or `void: …`."""
    plies: int
    moves: tuple[tuple[str, str], ...]
    """Player and text of each move, including the opening and the moves of chance players."""
    seconds: float
    """Wall-clock time of the game."""
    finished_at: str
    """The time at which the game ended, in UTC (ISO 8601)."""
    game: str
    """The name of the configuration; the names of two configurations are joined by ` : `."""
    opening: tuple[tuple[str, str], ...] = ()
    """The moves of the opening, in the form of `moves`."""
    pair: int = 0
    """The number of the pair; its games share opening and random seed."""
    nodes: Mapping[str, int] = field(default_factory=dict)
    """The number of nodes that the engine of each player reported."""
    thinking: Mapping[str, float] = field(default_factory=dict)
    """The thinking time of each player in seconds."""
    branching: float = 0.0
    """The mean number of legal moves in the positions in which an engine chose."""
    digest: str = ""
    """A digest of the moves: games with the same moves have equal digests."""
    void: bool = False
    """Whether the game does not count."""
    faults: tuple[str, ...] = ()
    """Errors that did not end the game."""
    traceback: str = ""
    """The shortened traceback of the exception if an engine in Python failed."""
    worker: str = ""
    """The name of the worker of a cluster that played the game; empty for this computer."""

    def entrant_scores(self) -> dict[str, float]:
        """Return the score of each entrant, summed over its seats."""
        scores: dict[str, float] = {}
        for player, entrant in self.seats.items():
            scores[entrant] = scores.get(entrant, 0.0) + self.outcome.get(player, 0.0)
        return scores


# --- writing ------------------------------------------------------------------------------------


def json_text(value: object) -> str:
    """Return a value as JSON; unprintable characters and lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if text.isprintable() else json.dumps(value, separators=(",", ":"))


def row_values(row: GameRow) -> tuple[object, ...]:
    """Return the values of the columns, in order."""
    return (
        row.id,
        row.seed,
        json_text(dict(row.seats)),
        json_text(dict(row.outcome)),
        visible(row.reason),
        row.plies,
        json_text(row.moves),
        row.seconds,
        row.finished_at,
        row.game,
        json_text(row.opening),
        row.pair,
        json_text(dict(row.nodes)),
        json_text(dict(row.thinking)),
        row.branching,
        row.digest,
        int(row.void),
        json_text([visible(fault) for fault in row.faults]),
        in_lines(row.traceback),
        visible(row.worker),
    )


# --- reading ------------------------------------------------------------------------------------


def read_row(values: Sequence[object]) -> GameRow:
    """Return the game from the values of a row.

    Raises:
        ValueError: A column has an invalid value.
    """
    columns = dict(zip(COLUMNS, values, strict=True))
    for column, read in _READERS.items():
        try:
            columns[column] = read(columns[column])
        except ValueError as error:
            raise ValueError(f"game {columns['id']}, column {column}: {error}") from error
    row = GameRow(**columns)  # type: ignore[arg-type]  # the readers' types
    if not row.outcome.keys() <= row.seats.keys():
        raise ValueError(f"game {row.id}, column outcome: it names players without a seat")
    return row


def parse_json(value: object) -> object:
    """Parse a JSON document.

    Raises:
        ValueError: The text is not valid JSON, or nested too deeply.
    """
    try:
        return json.loads(_text(value))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a text, not {_shown(value)}")
    return value


def _visible_text(value: object) -> str:
    """Return a text for display, with control characters escaped."""
    return visible(_text(value))


def _integer(low: int, high: int = MAX_NUMBER) -> Callable[[object], int]:
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"expected an integer from {low} to {high}, not {_shown(value)}")
        return value

    return read


def _number(high: float = MAX_NUMBER) -> Callable[[object], float]:
    def read(value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ValueError(f"expected a number, not {_shown(value)}")
        if not 0 <= value <= high:  # also true for NaN
            raise ValueError(f"expected a number from 0 to {high}, not {_shown(value)}")
        return value

    return read


def _object_of(parse_value: Callable[[object], object]) -> Callable[[object], dict[str, object]]:
    def read(value: object) -> dict[str, object]:
        parsed = parse_json(value)
        if not isinstance(parsed, dict):
            raise ValueError(f"expected a JSON object, not {_shown(parsed)}")
        return {str(key): parse_value(each) for key, each in parsed.items()}

    return read


def _seats(value: object) -> dict[str, object]:
    seats = _object_of(_visible_text)(value)
    if not seats:
        raise ValueError("expected at least one seat")
    return seats


def _moves(value: object) -> tuple[tuple[str, str], ...]:
    parsed = parse_json(value)
    if not isinstance(parsed, list):
        raise ValueError(f"expected a JSON list, not {_shown(parsed)}")
    for move in parsed:
        if not (isinstance(move, list) and list(map(type, move)) == [str, str]):
            raise ValueError(f"expected a player and a move text, not {_shown(move)}")
    return tuple(map(tuple, parsed))


def _faults(value: object) -> tuple[str, ...]:
    parsed = parse_json(value)
    if not isinstance(parsed, list):
        raise ValueError(f"expected a JSON list, not {_shown(parsed)}")
    return tuple(map(_visible_text, parsed))


def _lines(value: object) -> str:
    return in_lines(_text(value))


def _flag(value: object) -> bool:
    return bool(_integer(0, 1)(value))


def _shown(value: object) -> str:
    text = visible(ascii(value) if isinstance(value, bytes) else repr(value)[:200])
    return text if len(text) <= 60 else f"{text[:60]}…"  # fits in a line


_READERS: Mapping[str, Callable[[object], object]] = {
    "id": _integer(1),
    "seed": _integer(0),
    "seats": _seats,
    "outcome": _object_of(_number(1)),
    "reason": _visible_text,
    "plies": _integer(0, _MAX_PLIES),
    "moves": _moves,
    "seconds": _number(),
    "finished_at": _visible_text,
    "game": _visible_text,
    "opening": _moves,
    "pair": _integer(0),
    "nodes": _object_of(_integer(0)),
    "thinking": _object_of(_number()),
    "branching": _number(),
    "digest": _text,
    "void": _flag,
    "faults": _faults,
    "traceback": _lines,
    "worker": _visible_text,
}
