"""The loaded configurations of a match, and a running game with a position in each configuration.

Owns the synchronization of two configurations, the choice of chance outcomes, and the start of a
game from a seed.

A configuration is a script with the options for loading it.  A match has one configuration or two.
With two, every move is made in both configurations.  The game ends when one configuration has a
result; if both have results, their winners must be equal.  If the configurations disagree about a
move, the turn or the result, the game is void.

A seat is a player who can win; an entrant of the match plays each seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from forthvm.autoplay.match.settings import MatchError, derive_seed
from forthvm.core.budget import Budget
from forthvm.core.errors import ForthVMError
from forthvm.core.output import discard
from forthvm.core.records import Option
from forthvm.game import Position, load
from forthvm.game.setup import Setup, first_state

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.autoplay.match.settings import Configuration, Settings
    from forthvm.game import Game, Outcome

__all__ = [
    "Disagreement",
    "LoadedMatch",
    "RunningGame",
    "Start",
    "begin_position",
    "load_configuration",
    "seats_of",
]

_CLOCK_WORDS = (b"SYSTEM-TIME", b"RANDOMIZE")

_DEFAULT_ENGINES = frozenset({"", "$NegamaxMove"})
"""The engine words of players for whom the script names none; the library sets $NegamaxMove."""
_RANDOM_ENGINES = _DEFAULT_ENGINES | {"$RandomMoveEngine"}
"""The engine words of chance players whose moves are drawn by the moves' probabilities."""


class Disagreement(Exception):  # noqa: N818 - makes a game void, but is not an error
    """The two configurations of a match disagree, or a move of an opening or record is illegal."""


@dataclass(frozen=True)
class Start:
    """The start of a game.

    Attributes:
        moves: Player and text of each move of the opening.
        setup: Pieces, turn and variables at the beginning; None for the script's initial position.
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
    """Load the game of a configuration.

    If the script reads the clock while it is loaded, the clock is `seed` instead of the time, so
    that loading has the same result each time.

    Raises:
        ForthVMError: The game cannot be loaded.
        MatchError: Memory is too small.
    """

    def load_with(clock: int | None) -> Game:
        return load(
            configuration.game,
            library=configuration.library,
            axiom=configuration.axiom,
            clock=clock,
            checked=configuration.checked,
            include=configuration.include,
            budget=budget,
            output=output or discard,
            settings=configuration.settings,
            variant=configuration.variant,
        )

    try:
        game = load_with(None)
        return load_with(seed) if _mentions_clock(game) else game
    except MemoryError as error:
        if isinstance(error, ForthVMError):  # the script reached its memory limit
            raise
        raise MatchError(f"there is too little memory to load the game: {error}") from error


def _mentions_clock(game: Game) -> bool:
    """Return whether a loaded text contains a word that reads the clock.

    If so, memory after loading may depend on the clock.  The bundled library is not searched,
    because it does not read the clock while it loads.
    """
    return any(word in data for _, data in game._loaded.texts for word in _CLOCK_WORDS)


def seats_of(game: Game) -> tuple[str, ...]:
    """Return the players who can win, in the order of their first turns."""
    players = dict.fromkeys(turn.player for turn in game.turn_order)
    return tuple(name for name in players if name in game.contestants)


def begin_position(game: Game, seed: int, setup: Setup | None = None) -> Position:
    """Begin a game whose random streams and clock are derived from `seed`."""
    states = game._loaded.states
    with states.lock:
        states.release()
        native = states.native
        native.snapshot_restore(game._loaded.base)
        for stream in (1, 2):
            native.seed(stream, derive_seed(seed, "stream", stream))
        if game._loaded.options.clock is not None:  # scripts may seed random numbers from the clock
            native.set_option(Option.CLOCK, derive_seed(seed, "clock"))
        base = native.snapshot_take()
        native.snapshot_restore(game._loaded.base)
        return Position(game, first_state(game._loaded, setup, base), setup=setup)


class LoadedMatch:
    """The loaded configurations of a match, for the use of one thread."""

    def __init__(self, settings: Settings, *, budget: Budget | None = None) -> None:
        """Load the configurations.

        Raises:
            MatchError: The configurations have different players, or cannot be played.
            ForthVMError: A configuration cannot be loaded.
        """
        self.games = [
            load_configuration(configuration, seed=settings.seed, budget=budget or settings.budget)
            for configuration in settings.configurations
        ]
        for game in self.games:
            if game.missing:  # a text such as "no {players ... players}"
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

    def begin(self, seed: int, start: Start = Start()) -> RunningGame:
        """Begin a game and make the moves of its opening.

        Raises:
            Disagreement: A move of the opening is not legal.
            ForthVMError: A script fails.
        """
        running_game = RunningGame(
            [begin_position(game, seed, start.setup) for game in self.games], seed
        )
        for player, text in start.moves:
            running_game.push_recorded(player, text)
        return running_game

    def close(self) -> None:
        """Close the games."""
        for game in self.games:
            game.close()


class RunningGame:
    """A game of a match in progress, with a position in each configuration."""

    def __init__(self, positions: list[Position], seed: int) -> None:
        """Create a running game; callers use `LoadedMatch.begin`."""
        self.positions = positions
        self.moves: list[tuple[str, str]] = []
        self._chance_numbers = Random(derive_seed(seed, "lots"))
        self._contestants = frozenset(positions[0].game.contestants)

    @property
    def first_position(self) -> Position:
        """The position in the first configuration."""
        return self.positions[0]

    @property
    def turn(self) -> str:
        """The player to move.

        Raises:
            Disagreement: The configurations have different players to move.
        """
        turn = self.positions[0].turn
        for position in self.positions[1:]:
            if position.turn != turn:
                raise Disagreement(f"it is {turn}'s turn in one, {position.turn}'s in the other")
        return turn

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game; None if it is not over.

        Raises:
            Disagreement: The configurations have different winners.
        """
        results = [position.result for position in self.positions if position.result is not None]
        for other in results[1:]:
            if set(other.winners) != set(results[0].winners):
                raise Disagreement(f"one says {results[0]}, the other {other}")
        return results[0] if results else None

    @property
    def is_chance_node(self) -> bool:
        """Whether the player to move cannot win, such as a chance player."""
        return self.positions[0].turn not in self._contestants

    def pass_if_stuck(self) -> bool:
        """Pass if the player to move has no move but the game is not over.

        Returns:
            Whether the player passed.
        """
        position = self.positions[0]
        if len(position.legal_moves) or not position.is_stuck:
            return False
        player = self.turn
        for configuration_position in self.positions:
            if not configuration_position.is_stuck:
                raise Disagreement(f"{player} has moves in one and none in the other")
        for configuration_position in self.positions:
            configuration_position.push_pass()
        self.moves.append((player, position.history[-1].text))
        return True

    def push_chance(self) -> None:
        """Make a random move at a chance node.

        The k-th chance move of a game uses the k-th random number derived from the game's seed.
        Therefore both games of a pair have the same dice, whatever random numbers engines use.
        """
        position = self.positions[0]
        number = self._chance_numbers.random()
        player = position.game.player_details[position.player_index]
        if player.engine in _RANDOM_ENGINES:
            probabilities = [probability for _, probability in position.chances]
            index = _weighted_index(probabilities, number)
            self.push(position, index)
            return
        # The script names an engine for this player; our engine "chance" runs the script's engine.
        from forthvm.engines import choose_move, get  # rarely needed

        before = position.random_state
        position.seed(int(number * 2**31))
        move = choose_move(get("chance"), position).move
        position.random_state = before
        self.push(position, move.index)

    def push(self, position: Position, index: int) -> None:
        """Make a move, given by its index in the list of `position`, in all configurations."""
        player = self.turn
        if len(self.positions) == 1:
            position.push(position.legal_moves[index])
            self.moves.append((player, position.history[-1].text))
            return
        text = position.legal_moves.texts[index]
        for configuration_position in self.positions:
            if configuration_position is position:
                position.push(position.legal_moves[index])
            else:
                self._push_text(configuration_position, player, text)
        self.moves.append((player, text))

    def push_recorded(self, player: str, text: str) -> None:
        """Make a move of an opening or of a recorded game.

        Raises:
            Disagreement: The move is not legal in this position.
        """
        if self.outcome is not None:
            raise Disagreement(f"{player} plays {text!r} in a decided position")
        if self.turn != player:
            raise Disagreement(f"{player} plays {text!r}, but it is {self.turn}'s turn")
        if text == "Pass" and self.pass_if_stuck():
            return
        if self.is_chance_node:
            self._chance_numbers.random()  # a recorded chance move, too, uses one number
        for position in self.positions:
            self._push_text(position, player, text)
        self.moves.append((player, text))

    @staticmethod
    def _push_text(position: Position, player: str, text: str) -> None:
        moves = position.legal_moves
        if text not in moves.texts:
            raise Disagreement(f"{text!r} is not a legal move of {player} in {position.game.name}")
        position.push(moves[moves.texts.index(text)])


def _weighted_index(probabilities: Sequence[float], number: float) -> int:
    """Return the first index at which the sum of the probabilities exceeds `number`."""
    total = 0.0
    for index, probability in enumerate(probabilities):
        total += probability
        if number < total:
            return index
    return len(probabilities) - 1
