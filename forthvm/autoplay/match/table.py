"""A table to play at: the configurations of a match, loaded, with a position in each.

Owns how two configurations of a game go on together, how lots are drawn, and how a game is
begun from a seed.  It must not know engines, clocks or schedules.

In a match of two configurations every move is made in both.  The game ends where one of them
says so; if both do, they must agree.  Where they disagree, about a move, the turn or the
result, the game is void.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from forthvm.autoplay.match.settings import MatchError, derive_seed
from forthvm.core.budget import Budget
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.library import parse_version
from forthvm.core.output import discard
from forthvm.core.records import Option
from forthvm.core.value import Value
from forthvm.game import Position, load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.autoplay.match.settings import Configuration, Settings
    from forthvm.game import Game, Outcome
    from forthvm.game.setup import Setup

__all__ = ["Board", "Disagreement", "Start", "Table", "begin", "load_configuration", "seats_of"]

_NO_ENGINE = frozenset({"", "$NegamaxMove"})
"""What players have whose engine the script does not name."""
_DRAWS = _NO_ENGINE | {"$RandomMoveEngine"}


class Disagreement(Exception):  # noqa: N818 - it is no failure of anybody
    """The two configurations of a match do not go on together."""


class Start(Value):
    """What a game begins with.

    Attributes:
        moves: Player and text, made for everybody.
        setup: Pieces, turn and variables to begin with; None: the script's own.
    """

    moves: tuple[tuple[str, str], ...] = ()
    setup: Setup | None = None


def load_configuration(
    configuration: Configuration,
    *,
    seed: int,
    budget: Budget | None = None,
    output: Callable[[str], object] | None = None,
) -> Game:
    """The game of a configuration.

    A script that looks at the clock is shown the match's seed, so that games repeat.

    Raises:
        ForthVMError: it cannot be loaded.
        MatchError: there is no such version, or too little memory.
    """
    try:
        parse_version(configuration.axiom)
    except ValueError as error:
        raise MatchError(str(error)) from error

    def loaded(clock: int | None) -> Game:
        return load(
            configuration.game,
            library=configuration.library,
            axiom=configuration.axiom,
            clock=clock,
            checked=configuration.checked,
            include=configuration.include,
            budget=budget,
            output=output or discard,
            settings=dict(configuration.settings),
        )

    try:
        game = loaded(None)
        return game if game.load_clock is None else loaded(seed)
    except MemoryError as error:
        if isinstance(error, ForthVMError):  # a limit that the script has reached
            raise
        raise MatchError(f"there is too little memory to load the game: {error}") from error


def seats_of(game: Game) -> tuple[str, ...]:
    """The players who can win, in the order of their first turns."""
    order = dict.fromkeys(turn.player for turn in game.turn_order)
    return tuple(name for name in order if name in game.contestants)


def begin(game: Game, seed: int, setup: Setup | None = None) -> Position:
    """A new game whose random streams and clock follow from `seed`, before the script's set-up."""
    states = game.states
    with states.lock:
        states.forget()
        native = states.native
        native.snapshot_restore(game.base)
        for stream in (1, 2):
            native.seed(stream, derive_seed(seed, "stream", stream))
        if game.options.clock is not None:  # scripts may seed their random numbers by it
            native.set_option(Option.CLOCK, derive_seed(seed, "clock"))
        base = native.snapshot_take()
        native.snapshot_restore(game.base)
        if setup is None:
            return Position(game, states.start(base, None))
        from forthvm.game.setup import apply_setup, edits_of  # few games begin so

        edits = None if setup.pieces is None else edits_of(game, setup.pieces)
        state = states.start(base, edits, lambda native: apply_setup(game, native, setup))
        return Position(game, state, setup=setup)


class Table:
    """The configurations of a match in one thread's hands."""

    def __init__(self, settings: Settings, *, budget: Budget | None = None) -> None:
        """Loads them.

        Raises:
            MatchError: they have not the same players.
            ForthVMError: one of them cannot be loaded.
        """
        self.games = [
            load_configuration(each, seed=settings.seed, budget=budget or settings.budget)
            for each in settings.configurations
        ]
        for game in self.games:
            if game.missing:
                raise MatchError(f"{game.name}: nothing can ever move: it has {game.missing}")
        self.seats = seats_of(self.games[0])
        if not self.seats:
            raise MatchError(f"{self.games[0].name} has no player who can win")
        for game in self.games[1:]:
            if seats_of(game) != self.seats:
                raise MatchError(
                    f"{self.games[0].name} is played by {', '.join(self.seats)}, "
                    f"{game.name} by {', '.join(seats_of(game))}: they cannot play each other"
                )

    def begin(self, seed: int, start: Start = Start()) -> Board:  # noqa: B008 - immutable
        """A new game.

        Raises:
            Disagreement: a move of the opening is not legal.
            ForthVMError: a script fails.
        """
        board = Board([begin(game, seed, start.setup) for game in self.games], seed)
        for player, text in start.moves:
            board.push_known(player, text)
        return board

    def close(self) -> None:
        """Has the scripts say their last words."""
        for game in self.games:
            game.close()


class Board:
    """A game in progress, in every configuration."""

    def __init__(self, positions: list[Position], seed: int) -> None:
        """Begun by `Table.begin`."""
        self.positions = positions
        self.moves: list[tuple[str, str]] = []
        self._seed = seed
        self._lots = Random(derive_seed(seed, "lots"))
        self._contestants = frozenset(positions[0].game.contestants)

    @property
    def main(self) -> Position:
        """The position in the first configuration."""
        return self.positions[0]

    @property
    def turn(self) -> str:
        """Who is to move.

        Raises:
            Disagreement: the configurations say different players.
        """
        turn = self.positions[0].turn
        for position in self.positions[1:]:
            if position.turn != turn:
                raise Disagreement(f"it is {turn}'s turn in one, {position.turn}'s in the other")
        return turn

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on.

        Raises:
            Disagreement: the configurations name different winners.
        """
        found = [result for each in self.positions if (result := each.result) is not None]
        for other in found[1:]:
            if set(other.winners) != set(found[0].winners):
                raise Disagreement(f"one says {found[0]}, the other {other}")
        return found[0] if found else None

    @property
    def is_lot(self) -> bool:
        """Nobody chooses this move: the player to move is the dice, or cannot win."""
        return self.positions[0].turn not in self._contestants

    def pass_if_stuck(self) -> bool:
        """Lets the turn pass from a player who has no move; False: he has one."""
        position = self.positions[0]
        if len(position.legal_moves) or not position.is_stuck:
            return False
        player = self.turn
        for each in self.positions:
            if not each.is_stuck:
                raise Disagreement(f"{player} has moves in one and none in the other")
        for each in self.positions:
            each.push_pass()
        self.moves.append((player, position.history[-1].text))
        return True

    def draw(self) -> None:
        """Makes a move by lot.

        The k-th lot of a game depends on its seed and k alone: in both games of a pair the
        dice fall alike, whatever the engines draw meanwhile.
        """
        position = self.positions[0]
        lot = self._lots.random()
        player = position.game.player_details[position.player_index]
        if player.engine in _DRAWS:
            index = _weighted([share for _, share in position.chances], lot)
            self.push(position, index)
            return
        from forthvm.engines import ask, get  # an engine of the script's draws, as it likes

        before = position.random_state
        position.seed(int(lot * 2**31))
        move = ask(get("chance"), position).move
        position.random_state = before
        self.push(position, move.index)

    def push(self, position: Position, index: int) -> None:
        """Makes the move with this place in the list of `position`, in all configurations."""
        player = self.turn
        if len(self.positions) == 1:
            position.push(position.legal_moves[index])
            self.moves.append((player, position.history[-1].text))
            return
        text = position.legal_moves.texts[index]
        for each in self.positions:
            if each is position:
                each.push(each.legal_moves[index])
            else:
                self._push_text(each, player, text)
        self.moves.append((player, text))

    def push_known(self, player: str, text: str) -> None:
        """Makes a move that was made before: of an opening, of a record.

        Raises:
            Disagreement: it is not legal here.
        """
        if self.outcome is not None:
            raise Disagreement(f"{player} plays {text!r} in a decided position")
        if self.turn != player:
            raise Disagreement(f"{player} plays {text!r}, but it is {self.turn}'s turn")
        if text == "Pass" and self.pass_if_stuck():
            return
        if self.is_lot:
            self._lots.random()  # later lots fall as if this one had been drawn
        for each in self.positions:
            self._push_text(each, player, text)
        self.moves.append((player, text))

    @staticmethod
    def _push_text(position: Position, player: str, text: str) -> None:
        moves = position.legal_moves
        if text not in moves.texts:
            raise Disagreement(f"{text!r} is no legal move of {player} in {position.game.name}")
        position.push(moves[moves.texts.index(text)])


def _weighted(shares: Sequence[float], lot: float) -> int:
    """The place that a lot from 0 to 1 falls on."""
    total = 0.0
    for index, share in enumerate(shares):
        total += share
        if lot < total:
            return index
    return len(shares) - 1
