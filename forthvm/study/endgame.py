"""Endgame tables: the value of every position that can be reached from a position.

Owns building a table from the graph of positions, and looking up positions.  Delegates the format
of files to endgame_file.py.

A table has a key (keys.py) and a result for each position, but not the positions themselves.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from forthvm.autoplay.match.running_game import seats_of
from forthvm.core.text.visible import visible
from forthvm.core.text.wording import counted, joined_first
from forthvm.study.endgame_file import DRAW, MAX_POSITIONS, Contents, read_contents, write_contents
from forthvm.study.errors import StudyError
from forthvm.study.keys import key_text, position_key
from forthvm.study.position_graph import CHANCE, Unsolvable, explore
from forthvm.study.retrograde import NO_WINNER, results

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from forthvm.game import Game, Move, Position
    from forthvm.study.position_graph import Graph

__all__ = ["DEFAULT_POSITIONS", "EndgameTable", "ProbedMove", "ProbedPosition"]

Outcome = Literal["win", "draw", "loss"]

DEFAULT_POSITIONS = 200_000
"""The default limit on the number of positions of a new table."""
_OPPOSITE: dict[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}
_MAX_NAMED = 6


@dataclass(frozen=True)
class ProbedMove:
    """A legal move with its value."""

    move: Move
    value: Outcome
    """The value for the player who moves."""
    distance: int | None
    """The number of plies to the end of the game with best play after the move, including the
    move; None for a draw."""


@dataclass(frozen=True)
class ProbedPosition:
    """The entry of a table for a position."""

    value: Outcome
    """The value for the player to move.  A game that never ends is a draw."""
    distance: int | None
    """The number of plies to the end of the game if the winner hurries and the loser delays; None
    for a draw."""
    moves: tuple[ProbedMove, ...] = ()
    """All legal moves, the best first; empty if the game is over or the player must pass."""

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """The moves that keep the value, and win fastest or lose slowest."""
        return tuple(
            each.move
            for each in self.moves
            if (each.value, each.distance) == (self.value, self.distance)
        )


class EndgameTable:
    """The value of every position that can be reached from a position, by retrograde analysis.

    >>> import forthvm
    >>> position = forthvm.load("tictactoe").start()
    >>> for move in ("a1", "b2", "a2", "b3"):
    ...     position.push(move)
    >>> table = EndgameTable.build(position)
    >>> found = table.probe(position)
    >>> found.value, found.distance, [str(move) for move in found.best_moves]
    ('win', 1, ['X mark a3'])
    """

    def __init__(self, contents: Contents) -> None:
        """Create a table; callers use `build` or `load`."""
        self._contents = contents

    @classmethod
    def build(
        cls,
        position: Position,
        *,
        max_positions: int = DEFAULT_POSITIONS,
        seconds: float | None = None,
    ) -> Self:
        """Compute the table of all positions that can be reached from a position.

        Each position needs up to 1 kB of memory while the table is computed.  Each call of the
        script is limited by the budget with which the game was loaded.

        Args:
            position: The first position; it is not changed.
            max_positions: The limit on the number of positions.
            seconds: The limit on the time; None for no limit.

        Raises:
            StudyError: The game has not two players, has chance moves, random numbers, or rules
                that depend on earlier positions; or a limit was reached.
            ForthVMError: The script fails.
        """
        if not 1 <= max_positions <= MAX_POSITIONS:
            raise ValueError(
                f"max_positions: expected an integer from 1 to {MAX_POSITIONS:,}, "
                f"not {max_positions}"
            )
        game = position.game
        _refuse_other_players(game)
        try:
            graph = explore(position, max_positions=max_positions, seconds=seconds)
        except Unsolvable as reason:
            raise StudyError(f"no table of {visible(game.name)} can be built: {reason}") from reason
        codes = _codes_by_key(graph, game)
        keys = sorted(codes)
        return cls(
            Contents(
                game=game.name,
                digest=game.digest,
                seats=graph.seats,
                root=position_key(position),
                keys=keys,
                codes=[codes[key] for key in keys],
            )
        )

    # --- files --------------------------------------------------------------------------------

    def save(self, path: Path | str) -> None:
        """Write the table to a file, which is replaced if it exists.

        Raises:
            StudyError: The file cannot be written.
        """
        write_contents(Path(path), self._contents)

    @classmethod
    def load(cls, path: Path | str, *, max_positions: int = MAX_POSITIONS) -> Self:
        """Read a table from a file.  The file may be untrusted.

        Args:
            path: The file.
            max_positions: The limit on the number of positions, each of which needs 12 bytes of
                memory.

        Raises:
            StudyError: The file does not exist, is not a table, is damaged, or exceeds the limit.
        """
        return cls(read_contents(Path(path), max_positions))

    # --- reading ------------------------------------------------------------------------------

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._contents.game

    @property
    def seats(self) -> tuple[str, ...]:
        """The two players, in the order of their first turns."""
        return self._contents.seats

    @property
    def root(self) -> int:
        """The key of the position from which the table was built."""
        return self._contents.root

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self._contents.keys)

    def __contains__(self, position: Position) -> bool:
        """Whether the table has a position of its game."""
        return position.game.digest == self._contents.digest and (
            self._code(position_key(position)) is not None
        )

    def items(self) -> Iterator[tuple[int, Outcome, int | None]]:
        """Yield key, value and distance of each position, in the order of keys."""
        for key, code in zip(self._contents.keys, self._contents.codes, strict=True):
            yield key, *_decoded(code)

    def counts(self) -> dict[Outcome, int]:
        """Return the number of positions by their value for the player to move."""
        counts: dict[Outcome, int] = {"win": 0, "draw": 0, "loss": 0}
        for _, value, _ in self.items():
            counts[value] += 1
        return counts

    @property
    def max_distance(self) -> int:
        """The largest distance of a decided position to the end of the game."""
        return max((distance for *_, distance in self.items() if distance is not None), default=0)

    def probe(self, position: Position) -> ProbedPosition:
        """Return the value of a position and of its moves.

        Raises:
            StudyError: The position is of another game, or not in the table.
            ForthVMError: The script fails.
        """
        if position.game.digest != self._contents.digest:
            raise StudyError(
                f"this is a table of {visible(self.game)}, not of {visible(position.game.name)}"
                + (
                    " with these rules, settings and version"
                    if position.game.name == self.game
                    else ""
                )
            )
        value, distance = self._lookup(position)
        if position.result is not None:
            return ProbedPosition(value, distance)
        player = position.turn
        after = position.copy()
        moves = []
        for move in position.legal_moves:
            after.push(move)
            reply, plies = self._lookup(after)
            moves.append(
                ProbedMove(
                    move,
                    reply if after.turn == player else _OPPOSITE[reply],
                    None if plies is None else plies + 1,
                )
            )
            after.pop()
        return ProbedPosition(value, distance, tuple(sorted(moves, key=_order)))

    def _lookup(self, position: Position) -> tuple[Outcome, int | None]:
        key = position_key(position)
        code = self._code(key)
        if code is None:
            raise StudyError(
                f"the position {key_text(key)} is not among the "
                f"{counted(len(self), 'position')} of this table, which has the positions that can "
                f"be reached from {key_text(self.root)}"
            )
        return _decoded(code)

    def _code(self, key: int) -> int | None:
        keys = self._contents.keys
        at = bisect_left(keys, key)
        return self._contents.codes[at] if at < len(keys) and keys[at] == key else None


def _order(move: ProbedMove) -> tuple[int, int]:
    """Return the sort key of a move: wins, the fastest first; draws; losses, the slowest first."""
    distance = move.distance or 0
    return ("win", "draw", "loss").index(move.value), (
        -distance if move.value == "loss" else distance
    )


def _refuse_other_players(game: Game) -> None:
    seats = seats_of(game)
    if len(seats) != 2:
        names = f" ({joined_first(list(map(visible, seats)), _MAX_NAMED)})" if seats else ""
        raise StudyError(
            f"an endgame table needs two players who can win; {visible(game.name)} has "
            f"{len(seats)}{names}"
        )
    others = sorted({turn.player for turn in game.turn_order} - set(seats))
    if others:
        raise StudyError(
            f"an endgame table needs a game without chance moves and neutral players; in "
            f"{visible(game.name)}, {joined_first(list(map(visible, others)), _MAX_NAMED)} moves"
        )


# --- codes of results: 0 for a draw, 2 d + 1 for a win in d plies, 2 d + 2 for a loss in d plies --


def _codes_by_key(graph: Graph, game: Game) -> dict[int, int]:
    if CHANCE in graph.turns:
        raise StudyError(
            f"no table of {visible(game.name)} can be built: a player who cannot win moves"
        )
    codes: dict[int, int] = {}
    for key, turn, result in zip(graph.keys, graph.turns, results(graph), strict=True):
        code = DRAW
        if result.winner != NO_WINNER:
            code = 2 * result.distance + (1 if result.winner == turn else 2)
        if codes.setdefault(key, code) != code:
            raise StudyError(
                f"no table of {visible(game.name)} can be built: positions with equal keys have "
                "different values, because the rules depend on memory that OnForget clears"
            )
    return codes


def _decoded(code: int) -> tuple[Outcome, int | None]:
    if code == DRAW:
        return "draw", None
    return ("win" if code % 2 else "loss"), (code - 1) // 2
