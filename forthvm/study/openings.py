"""Opening trees: which moves were played in each position of recorded games, and their results.

Owns the tree and how games are counted.  Delegates replaying games to replays.py; openings_text.py
displays a tree.

Positions with equal keys (keys.py) are one node, so transpositions are merged, and the tree is
strictly speaking a graph.  A game that reaches a position twice counts once in that position, and
once for each different move.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.core.text.wording import close_names, joined_first
from forthvm.study.errors import StudyError
from forthvm.study.keys import position_key
from forthvm.study.replays import recorded_games

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from forthvm.core.budget import Budget
    from forthvm.game import Position
    from forthvm.study.replays import RecordedGame

__all__ = ["DEFAULT_PLIES", "MAX_POSITIONS", "MoveNode", "OpeningTree", "PositionNode", "Tally"]

DEFAULT_PLIES = 20
"""The default number of plies of each game in a tree."""
MAX_POSITIONS = 1_000_000
"""The default limit on the number of positions; each needs about 1 kB."""
_MAX_NAMED = 8
"""The maximum number of moves in an error message."""


@dataclass(slots=True)
class Tally:
    """The results of some games, by the index of the seat."""

    games: int
    points: list[float]
    """The sum of the scores."""
    won: list[int]
    """The number of games with a score of 1."""
    lost: list[int]
    """The number of games with a score of 0."""

    @classmethod
    def empty(cls, seats: int) -> Tally:
        """Return the results of no game."""
        return cls(0, [0.0] * seats, [0] * seats, [0] * seats)

    def add(self, scores: Sequence[float]) -> None:
        """Add a game."""
        self.games += 1
        for seat, score in enumerate(scores):
            self.points[seat] += score
            self.won[seat] += score == 1
            self.lost[seat] += score == 0

    def score(self, seat: int) -> float:
        """Return the average score of a seat."""
        return self.points[seat] / self.games if self.games else 0.0

    def drawn(self, seat: int) -> int:
        """Return the number of games in which a seat neither won nor lost; it shared the point."""
        return self.games - self.won[seat] - self.lost[seat]


@dataclass(slots=True)
class MoveNode:
    """A move that was played in a position."""

    text: str
    tally: Tally
    next_games: dict[int, int] = field(default_factory=dict)
    """The number of games by the key of the position after the move.

    It is empty beyond the last ply of the tree.  There are several positions if the rules draw
    random numbers.
    """


@dataclass(slots=True)
class PositionNode:
    """A position that occurred in the games."""

    key: int
    ply: int
    """The lowest number of moves after which the position occurred."""
    turn: str
    """The player to move."""
    ended: bool
    """Whether the game is over by the rules."""
    tally: Tally
    moves_by_text: dict[str, MoveNode] = field(default_factory=dict)

    @property
    def moves(self) -> list[MoveNode]:
        """The moves played, the most frequent first; moves played equally often by text."""
        return sorted(self.moves_by_text.values(), key=lambda move: (-move.tally.games, move.text))


class OpeningTree:
    """The positions at the beginning of recorded games, with the moves played and their results.

    Iteration yields the positions in the order in which the games reached them.

    Attributes:
        game: The name of the game; empty before the first game.
        seats: The players who can win, in the order of their first turns.
        games: The number of games.
        plies: The number of plies of each game that were added.
        nodes: The positions by key.
    """

    def __init__(self, *, plies: int = DEFAULT_PLIES, max_positions: int = MAX_POSITIONS) -> None:
        """Create an empty tree.

        Args:
            plies: The number of plies of each game to add.
            max_positions: The limit on the number of positions.

        Raises:
            ValueError: A number is not positive.
        """
        for name, value in (("plies", plies), ("max_positions", max_positions)):
            if value < 1:
                raise ValueError(f"{name}: expected a positive integer, not {value}")
        self.game = ""
        self.seats: tuple[str, ...] = ()
        self.games = 0
        self.plies = plies
        self.nodes: dict[int, PositionNode] = {}
        self._max_positions = max_positions
        self._starts: dict[int, int] = {}
        self._identity: object = None

    @classmethod
    def from_results(  # noqa: PLR0913 - keyword-only options, each of them documented
        cls,
        files: Iterable[Path | str] | Path | str,
        *,
        plies: int = DEFAULT_PLIES,
        entrant: str | None = None,
        max_positions: int = MAX_POSITIONS,
        trust: bool = False,
        budget: Budget | None = None,
    ) -> OpeningTree:
        """Return the tree of the games in results files of `forthvm autoplay`.

        Void games are left out.

        Args:
            files: A results file, or several with games of the same game.
            plies: The number of plies of each game to add.
            entrant: Add only games of this entrant; None for all games.
            max_positions: The limit on the number of positions.
            trust: Whether to load scripts that have changed since the match or have no digest.
            budget: The limits of the script; None for those of the match.

        Raises:
            StudyError: The files have results of different games, a game differs from its record,
                a limit is reached, or there are no games.
            ForthVMError: A file is not a results file, or its game cannot be loaded or replayed.
        """
        tree = cls(plies=plies, max_positions=max_positions)
        paths = [Path(files)] if isinstance(files, str | Path) else [Path(each) for each in files]
        entrants: dict[str, None] = {}
        for recorded in recorded_games(paths, trust=trust, budget=budget):
            entrants.update(dict.fromkeys(recorded.row.seats.values()))
            if entrant is None or entrant in recorded.row.seats.values():
                tree.add(recorded)
        if not tree.games:
            names = ", ".join(map(str, paths)) or "no files"
            if entrant is not None and entrants:
                raise StudyError(
                    f"{names}: no games of {visible(repr(entrant))}; the entrants are "
                    + joined_first(list(map(visible, entrants)), _MAX_NAMED)
                )
            raise StudyError(f"{names}: there are no games that count")
        return tree

    def add(self, recorded: RecordedGame) -> None:
        """Add a game.  If it cannot be replayed, its first plies have been added.

        Raises:
            StudyError: The game differs from its record, is of another game than the games added
                earlier, or has a position too many.
            ForthVMError: The script fails.
        """
        identity = recorded.game._loaded.identity
        if self._identity is None:
            self.game, self.seats, self._identity = recorded.game.name, recorded.seats, identity
        elif identity != self._identity:
            raise StudyError(
                f"{recorded.file}: a tree of {self.game} cannot contain games of "
                f"{recorded.game.name} with other rules, settings or versions"
            )
        scores = recorded.scores
        visited: set[int] = set()
        made: set[tuple[int, str]] = set()
        previous: MoveNode | None = None
        for ply in recorded.plies(self.plies):
            node = self._node(ply.number, ply.position)
            if node.key not in visited:
                visited.add(node.key)
                node.tally.add(scores)
            if previous is not None:
                previous.next_games[node.key] = previous.next_games.get(node.key, 0) + 1
            if ply.number == 0:
                self._starts[node.key] = self._starts.get(node.key, 0) + 1
            if ply.move is None:
                break
            previous = None
            if (node.key, ply.move) not in made:
                made.add((node.key, ply.move))
                previous = self._move(node, ply.move)
                previous.tally.add(scores)
        self.games += 1

    def _node(self, number: int, position: Position) -> PositionNode:
        key = position_key(position)
        node = self.nodes.get(key)
        if node is None:
            if len(self.nodes) >= self._max_positions:
                raise StudyError(
                    f"the games have more than {self._max_positions:,} positions",
                    hints=("read fewer plies of each game, or raise max_positions",),
                )
            ended = position.result is not None
            tally = Tally.empty(len(self.seats))
            node = self.nodes[key] = PositionNode(key, number, position.turn, ended, tally)
        node.ply = min(node.ply, number)
        return node

    def _move(self, node: PositionNode, text: str) -> MoveNode:
        move = node.moves_by_text.get(text)
        if move is None:
            move = MoveNode(text, Tally.empty(len(self.seats)))
            node.moves_by_text[text] = move
        return move

    # --- reading ------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.nodes)

    def __iter__(self) -> Iterator[PositionNode]:
        """Yield the positions."""
        return iter(self.nodes.values())

    @property
    def starts(self) -> list[PositionNode]:
        """The positions in which games began, the most frequent first."""
        keys = sorted(self._starts, key=lambda key: -self._starts[key])
        return [self.nodes[key] for key in keys]

    @property
    def root(self) -> PositionNode:
        """The position in which most games began.

        Raises:
            StudyError: The tree is empty.
        """
        if not self._starts:
            raise StudyError("the tree has no games")
        return self.starts[0]

    def at(self, position: Position) -> PositionNode | None:
        """Return the node of a position, None if it did not occur.

        Raises:
            StudyError: The position is of another game.
        """
        if self._identity is not None and position._loaded.identity != self._identity:
            raise StudyError(f"this is a tree of {self.game}, not of {position.game.name}")
        return self.nodes.get(position_key(position))

    def after(self, move: MoveNode) -> PositionNode | None:
        """Return the most frequent position after a move; None beyond the last ply of the tree."""
        if not move.next_games:
            return None
        return self.nodes[max(move.next_games, key=move.next_games.__getitem__)]

    def follow(self, *texts: str) -> PositionNode:
        """Return the position after moves from the root, given by their texts.

        Raises:
            StudyError: A move was not played; the message names moves that were.
        """
        node = self.root
        for at, text in enumerate(texts):
            move = node.moves_by_text.get(text)
            if move is None:
                raise StudyError(self._unknown_move(node, text, texts[:at]))
            after = self.after(move)
            if after is None:
                raise StudyError(f"the tree has only the first {self.plies} plies of each game")
            node = after
        return node

    def _unknown_move(self, node: PositionNode, text: str, before: Sequence[str]) -> str:
        place = f"after {'; '.join(map(visible, before))}" if before else "at the start"
        played = [move.text for move in node.moves]
        if not played:
            return f"no move was played {place}"
        names = close_names(text, played, _MAX_NAMED) or played
        return f"{visible(repr(text))} was not played {place}; moves that were: " + joined_first(
            list(map(visible, names)), _MAX_NAMED
        )

    def seat_of(self, node: PositionNode) -> int:
        """Return the seat from whose view results are given: the player to move.

        At chance nodes it is the first seat.
        """
        return self.seats.index(node.turn) if node.turn in self.seats else 0
