"""Games: the public face of a loaded game."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from forthvm.catalogue.bundled import summary_of, title_of
from forthvm.core.shared import Shared

from .loaded import LoadedGame
from .position import Position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from forthvm.catalogue.options import LoadOptions, Setting
    from forthvm.core.output import TextStream

    from .actions.numbering import Actions
    from .pieces import Piece, PieceType, Player
    from .setup import Setup
    from .tables import Direction, Grid, Turn

__all__ = ["Game", "remember"]


class Game(Shared):
    """A loaded game.

    All positions of a game share one VM, so only one thread can use them at a time.  `clone`
    creates an independent game for another thread.  Unpickling a game loads it again, unless the
    process has already loaded it with the same options.

    >>> import forthvm
    >>> game = forthvm.load("tictactoe")
    >>> game.title, game.players, len(game.positions)
    ('Tic-Tac-Toe', ('X', 'O'), 9)
    """

    def __init__(
        self, options: LoadOptions, *, output: Callable[[str], object] | TextStream | None = None
    ) -> None:
        """Load the game; programs use `forthvm.load`, which checks its arguments."""
        self._loaded = LoadedGame(options, output=output)
        if options.on_show:
            from .shown import check_setting

            check_setting(self._loaded)

    # --- what it is --------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the game: the bundled name, or the file name without extension."""
        return self._loaded.name

    @cached_property
    def title(self) -> str:
        """Heading of the README beside the script, or the name; the title in a rule file."""
        rules = self._loaded.rules
        return rules.title if rules else title_of(self.name, self.path)

    @cached_property
    def summary(self) -> str:
        """First comment of the script, or the description in a rule file."""
        rules = self._loaded.rules
        return rules.summary if rules else summary_of(self.path)

    @property
    def path(self) -> Path:
        """Path of the main script."""
        return self._loaded.options.path

    @property
    def axiom(self) -> str:
        """The emulated version of the original: `140`, `140-exact`, `150` or `151`."""
        return self._loaded.axiom

    @property
    def digest(self) -> str:
        """SHA-256 of all loaded texts, including the library, of the version and of OnShow."""
        return self._loaded.digest

    @cached_property
    def settings(self) -> Mapping[str, Setting]:
        """The settings that the script offers, by name.

        A rule file offers none here; it is compiled with other settings (docs/reference/zrf.md).
        The setting OnShow, which every game has, is not among them.
        """
        from forthvm.catalogue.options import find_settings

        game = self._loaded
        return {} if game.is_compiled else find_settings(game.vm, game.library_end)

    @property
    def variants(self) -> tuple[str, ...]:
        """The titles of the games and variants in a rule file, in its order; else empty."""
        rules = self._loaded.rules
        return rules.titles if rules is not None else ()

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What is wrong with the short notation, and what was ignored in a rule file.

        Also where a rule file disagrees with the script of its engine.
        """
        from .rule_files import warnings_of

        return warnings_of(self._loaded)

    @property
    def missing(self) -> str:
        """What the script lacks, so that no move is possible; "" if moves are possible.

        For example, "no {players … players}" if that section is missing.
        """
        from .tables import what_is_missing

        return what_is_missing(self._loaded.vm.native, self._loaded.defines)

    # --- its definitions ---------------------------------------------------------------

    @property
    def players(self) -> tuple[str, ...]:
        """Names of all players, including neutral and chance players."""
        return self._loaded.players

    @property
    def player_details(self) -> tuple[Player, ...]:
        """The players with numbers and engines, in order of definition."""
        return self._loaded.tables.players

    @property
    def contestants(self) -> tuple[str, ...]:
        """Players that can win: they have turns and are neither neutral nor chance players."""
        return self._loaded.contestants

    @property
    def piece_types(self) -> tuple[PieceType, ...]:
        """The piece types with values, in order of definition."""
        return self._loaded.tables.types

    @property
    def values(self) -> Mapping[str, int]:
        """Value of each piece type."""
        return {kind.name: kind.value for kind in self.piece_types}

    @property
    def positions(self) -> tuple[str, ...]:
        """Names of the squares (in scripts: positions) in index order; `??`: it has no name."""
        return self._loaded.positions

    @property
    def grid(self) -> Grid:
        """Rows and columns of the grid that the first positions form."""
        return self._loaded.tables.grid

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The directions with their links."""
        return self._loaded.tables.directions

    @property
    def turn_order(self) -> tuple[Turn, ...]:
        """The turn order: a list of turns, which repeats from `turn_repeat` on."""
        return self._loaded.tables.turns

    @property
    def turn_repeat(self) -> int:
        """Index of the turn that follows the last turn of the turn order."""
        return self._loaded.tables.repeat

    def piece(self, cell: int) -> Piece | None:
        """Return the piece in a cell of `Position.cells`, None for an empty one.

        >>> import forthvm
        >>> position = forthvm.load("breakthrough").start()
        >>> position.game.piece(position.cells[0])
        Piece(type='pawn', player='Black', attribute=0, cell=4097)
        """
        return self._loaded.roster.piece(cell)

    @property
    def actions(self) -> Actions:
        """Numbers of moves that are the same in every position, for machine learning."""
        from .actions.numbering import actions_of

        return actions_of(self._loaded)

    # --- play --------------------------------------------------------------------------

    def start(
        self,
        *,
        setup: Iterable[tuple[str, str, str]] | None = None,
        turn: str | int | None = None,
        variables: Mapping[str, int] | None = None,
        attributes: Mapping[str, int] | None = None,
    ) -> Position:
        """Begin a new game.

        The memory after loading is restored.  Then the script's `OnNewGame` and set-up run.

        Args:
            setup: Pieces in place of the script's, each as player, piece type and position.
            turn: The first turn: a player, or an index in `turn_order`.
            variables: Values of script variables by name, including board variables;
                `name[2]` is an entry of an array, `turn-number` the number of the first turn.
            attributes: Attributes of pieces by position, in place of those of new pieces.

        Raises:
            ValueError: An argument names something that the game does not define, or there is no
                piece for an attribute.
            ForthVMError: The script fails.
        """
        if setup is None and turn is None and not variables and not attributes:
            return self._begin(None)
        from .setup import make_setup

        return self._begin(make_setup(self._loaded, setup, turn, variables, attributes))

    def _begin(self, setup: Setup | None) -> Position:
        """Begin a new game with a set-up; None: that of the script."""
        if setup is None:
            return Position(self, self._loaded.first_state())
        from .setup import first_state

        return Position(self, first_state(self._loaded, setup), setup=setup)

    def clone(self) -> Game:
        """Load the game again and return it, for use by another thread.

        The new game has its own VM.  `Position.copy(game=…)` copies a position into the new game.
        """
        from .actions.numbering import Actions

        copy = Game(self._loaded.options, output=self._loaded.output)
        if self._loaded.has_computed(Actions):
            copy.actions.adopt(self.actions)
        return copy

    def close(self) -> None:
        """Close the game: run the script's OnTerminate, if there is one.

        `with game:` calls `close` at the end of the block.  Memory is freed with the last reference
        to the game, whether or not the game was closed.
        """
        states = self._loaded.states
        with states.lock:
            self._loaded.vm.native.game_close()
            states.release()

    def __enter__(self) -> Game:
        """Return the game; leaving the block closes it."""
        return self

    def __exit__(self, *_failure: object) -> None:
        """Close the game."""
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        from .actions.numbering import Actions

        document = None
        if self._loaded.has_computed(Actions) and not self.actions.is_default:
            document = self.actions.to_json()
        return _reload, (self._loaded.options, document)

    def _repr_svg_(self) -> str | None:
        """Return a picture of the initial position, for notebooks."""
        from forthvm.core.errors import ForthVMError

        try:
            return self.start()._repr_svg_()
        except ForthVMError:  # if the script fails, a notebook shows the repr
            return None

    def __repr__(self) -> str:
        return f"<Game {self.name}: {', '.join(self.players)}>"


_games: WeakValueDictionary[LoadOptions, Game] = WeakValueDictionary()
"""Loaded games by their options, for unpickling."""


def remember(game: Game) -> Game:
    """Register a game, so that unpickling finds it; return the game."""
    _games[game._loaded.options] = game
    return game


def _reload(options: LoadOptions, actions: str | None = None) -> Game:
    """Return a loaded game with the options of a pickle, or load one.

    Args:
        options: The options.
        actions: The numbers of the actions as a document; None: the default.
    """
    game = _games.get(options)
    if game is None:
        game = remember(Game(options))
    if actions is not None:
        game.actions.use_json(actions)
    return game
