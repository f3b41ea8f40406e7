"""The numbers of actions: look-up, files, moves without a number, the legal actions of a position.

Owns the format of the file, and the arrays that are accepted for a mask.  The layout of the numbers
is that of space.py; exploration.py finds their form.
"""

from __future__ import annotations

import json
import warnings
from array import array
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ActionError
from forthvm.core.reading import integer, list_of, optional, parse_json, record, text
from forthvm.core.shared import Shared
from forthvm.game.ending import ending_of

from .exploration import explored
from .space import Form, Kind, Movement, Space, movement_text

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from forthvm.core.bindings import ActionFinder
    from forthvm.game.loaded import HasState, LoadedGame
    from forthvm.game.states import State

__all__ = ["Actions", "actions_of", "index_of_action", "legal_actions_of", "mask_of"]

_FORMATS = "fdbBhHiIlLqQ?"
_NO_ACTIONS = memoryview(array("i")).toreadonly()
_FORMAT = "forthvm-actions"
_VERSION = 2
_GAMES, _PLIES, _PATIENCE = 100, 2000, 16
_SUFFIX = ".actions.json"
_MOST_NUMBERS = 1 << 28
_number = integer(0, _MOST_NUMBERS)
_form = record({"squares": _number, "types": list_of(optional(text())), "choices": _number})
_read_document = record(
    {
        "format": text(),
        "version": integer(),
        "game": text(),
        "positions": list_of(text()),
        "forms": record({kind.name.lower(): _form for kind in Kind}),
        "spare": _number,
    },
    others=True,
)


class Actions(Shared):
    """The actions of a game: numbers from 0 for its moves, the same in every position.

    The number of a move follows from its squares: the one from which a piece moves and the one to
    which it moves, or the one on which it is placed.  There is a number for each pair of squares.
    Where moves of a position have the same squares, the new type of a piece tells them apart, or
    else their order: *choices*.  Spare numbers are for moves that do not fit into this form.

    When they are first used, the form of the numbers is read from the file beside the script with
    the suffix `.actions.json`.  Without that file it is found by random games with a fixed seed
    (see `renumber`).  `save` freezes it in a file; `load` uses a file.  A clone of the game has the
    same numbers.

    >>> import forthvm
    >>> game = forthvm.load("tictactoe")
    >>> len(game.actions), game.actions.text(4), game.start().move_of(4)
    (9, 'b2', <Move 'X mark b2'>)
    """

    __slots__ = ("_finder", "_game", "_space", "_types", "is_default", "unnumbered")

    is_default: bool
    """Whether the numbers were made by default, so that another process makes the same ones."""
    unnumbered: int
    """How many legal moves without a number have been met."""

    def __init__(self, game: LoadedGame) -> None:
        """Refer to a game; programs use `Game.actions`."""
        self._game = game
        self._space: Space | None = None  # None: no numbers yet
        self._finder: ActionFinder | None = None  # of this space
        self._types = {kind.name: kind.number for kind in reversed(game.tables.types)}
        self.is_default = True
        self.unnumbered = 0

    # --- the numbers -----------------------------------------------------------------

    def __len__(self) -> int:
        """Return the number of actions."""
        return self._prepare().size

    @property
    def size(self) -> int:
        """The number of actions; all numbers are below it."""
        return len(self)

    @property
    def form(self) -> str:
        """The form of the numbers, such as `64 x 64 moves x 5 types + 260 spare`."""
        return str(self._prepare())

    def text(self, number: int) -> str:
        """Return an action as text for people.

        Raises:
            IndexError: There is no such action.
        """
        space = self._prepare()
        if not 0 <= number < space.size:
            last = space.size - 1
            raise IndexError(f"there is no action {number}; the numbers are 0 to {last}")
        return space.text(number, self._game.square, self._game.roster.type_name)

    def of_state(self, state: State) -> array[int]:
        """Return the number of each legal move of a state, -1 for none, for the game layer."""
        if self._finder is None:
            self._finder = self.finder()
        states = self._game.states
        with states.lock:
            count = len(states.restore_listed(state))
            numbers = self._finder.find(states.native, count)
        self.count_unnumbered(self._finder)
        return numbers

    def on_squares(self, squares: Sequence[int]) -> array[int]:
        """Return for each action the number of the same action on other squares.

        The result is a permutation of the numbers.  Where an action does not exist on the other
        squares, the actions that are left over take each other's places in order.

        Args:
            squares: For each position, by index, the position that replaces it; a permutation.

        Raises:
            ValueError: `squares` is not a permutation of the positions.
        """
        space = self._prepare()
        if sorted(squares) != list(range(space.positions)):
            raise ValueError("squares must be a permutation of the positions' indexes")
        found = space.on_squares(squares)
        left_over = iter(sorted(set(range(len(found))) - set(found)))
        return array("i", [next(left_over) if number < 0 else number for number in found])

    def finder(self) -> ActionFinder:
        """Return a finder of the numbers of moves in C, for the layers above."""
        return self._prepare().finder()

    def count_unnumbered(self, finder: ActionFinder) -> None:
        """Count the moves without a number that a finder has met, and warn of the first ones."""
        count, cells = finder.take_unnumbered()
        is_first = count > 0 and self.unnumbered == 0
        self.unnumbered += count
        if is_first:
            game = self._game
            text = movement_text(Movement(*cells), game.square, game.roster.type_name)
            warnings.warn(
                f"{game.name}: a legal move like {text!r} has no action number, so it is masked; "
                "game.actions.unnumbered counts such moves, and "
                "game.actions.renumber(starts=[game.start(), position]) explores games that begin "
                "with a position, and makes numbers that contain their moves",
                RuntimeWarning,
                stacklevel=2,
            )

    @property
    def key(self) -> object:
        """An object that is another one after numbers have changed, for caches."""
        return self._prepare()

    # --- making numbers --------------------------------------------------------------

    def renumber(
        self,
        *,
        games: int = _GAMES,
        plies: int = _PLIES,
        seed: int = 1,
        starts: Sequence[HasState] = (),
        patience: int = _PATIENCE,
    ) -> None:
        """Make new numbers, with the form that the legal moves in random games need.

        Args:
            games: Maximum number of random games.
            plies: Maximum length of a game.
            seed: Seed of the random games.
            starts: First positions of the games, in rotation; empty for `game.start()`.
            patience: Exploration ends when so many successive games bring nothing new.

        Raises:
            ValueError: A number is not positive, or a start belongs to another game.
            ForthVMError: The script fails before any move.  A warning counts later failures.
        """
        if any(start._loaded is not self._game for start in starts):
            raise ValueError(f"a start is a position of another game than {self._game.name}")
        states = [start._state for start in starts]
        self._use(
            explored(
                self._game, games=games, plies=plies, seed=seed, starts=states, patience=patience
            )
        )
        self.is_default = False

    # --- files -----------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the form of the numbers to a file, from which any later version reads it.

        Raises:
            OSError: The file cannot be written.
        """
        Path(path).write_text(self.to_json(), encoding="utf-8")

    def load(self, path: str | os.PathLike[str]) -> None:
        """Use the numbers of a file that `save` wrote.

        Raises:
            ActionError: The file is invalid, or belongs to another game.
            OSError: The file cannot be read.
        """
        try:
            self.use_json(Path(path).read_text(encoding="utf-8"))
        except UnicodeDecodeError as error:
            raise ActionError(f"{path} is not a file of actions: {error}") from error
        except ActionError as error:
            raise ActionError(f"{path}: {error}") from error

    def to_json(self) -> str:
        """Return the form of the numbers as a JSON document."""
        space = self._prepare()
        document = {
            "format": _FORMAT,
            "version": _VERSION,
            "game": self._game.name,
            "positions": list(self._game.positions),
            "forms": {
                kind.name.lower(): {
                    "squares": form.squares,
                    "types": [self._type_name(number) for number in form.types],
                    "choices": form.choices,
                }
                for kind, form in zip(Kind, space.forms, strict=True)
            },
            "spare": space.spare,
        }
        return json.dumps(document, ensure_ascii=False) + "\n"

    def use_json(self, text: str) -> None:
        """Use the numbers of a JSON document.

        Raises:
            ActionError: The document is invalid, or belongs to another game.
        """
        try:
            space = self._space_of(parse_json(text))
        except ValueError as error:
            raise ActionError(f"cannot read the actions of {self._game.name}: {error}") from error
        self._use(space)
        self.is_default = False

    # --- internal --------------------------------------------------------------------

    def _space_of(self, value: object) -> Space:
        """Return the space that a document describes.

        Raises:
            ValueError: A value is invalid.
        """
        if not isinstance(value, dict) or (value.get("format"), value.get("version")) != (
            _FORMAT,
            _VERSION,
        ):
            raise ValueError("this is not a document of actions that this version reads")
        document = _read_document(value)
        if document["game"] != self._game.name:
            raise ValueError(f"the actions are those of the game {document['game']!r}")
        if document["positions"] != self._game.positions:
            raise ValueError("the positions are not those of the game")
        positions = len(self._game.positions)
        forms = []
        for kind in Kind:
            given = document["forms"][kind.name.lower()]
            most = 1 if kind is Kind.OTHER else positions
            if given["squares"] > most:
                raise ValueError(f"{given['squares']} is not a number from 0 to {most}")
            types = tuple(map(self._type_number, given["types"]))
            if len(set(types)) < len(types):
                raise ValueError("a type occurs twice")
            forms.append(Form(given["squares"], types, given["choices"]))
        space = Space(positions, tuple(forms), document["spare"])
        if not 0 < space.size <= _MOST_NUMBERS:
            raise ValueError(f"there must be 1 to {_MOST_NUMBERS} actions, not {space.size}")
        return space

    def _type_name(self, number: int) -> str | None:
        """Return the name of a type in a document; None for no new type."""
        if number == 0:
            return None
        name = self._game.roster.type_name(number)
        return name if self._types.get(name) == number else f"#{number}"

    def _type_number(self, name: str | None) -> int:
        if name is None:
            return 0
        number = self._types.get(name)
        if number is not None:
            return number
        if name.startswith("#") and name[1:].isdecimal():
            return int(name[1:])
        raise ValueError(f"the game has no piece type {name!r}")

    def adopt(self, other: Actions) -> None:
        """Use the numbers of a clone of the game."""
        if other._space is not None:
            self._use(other._space)
            self.is_default = other.is_default

    def _prepare(self) -> Space:
        """Read or make numbers if there are none; return their space."""
        if self._space is None:
            saved = self._game.options.path.with_suffix(_SUFFIX)
            if saved.is_file():
                self.load(saved)
            else:
                self.renumber()
                self.is_default = True
        assert self._space is not None
        return self._space

    def _use(self, space: Space) -> None:
        self._space = space
        self._finder = None

    def __repr__(self) -> str:
        known = "not yet numbered" if self._space is None else f"{len(self)} actions"
        return f"<Actions of {self._game.name}: {known}>"


def actions_of(game: LoadedGame) -> Actions:
    """Return the numbers of a game's actions."""
    return game.once_for_tables(Actions)


# --- the legal actions of a position -----------------------------------------------------------


def legal_actions_of(game: LoadedGame, state: State) -> memoryview[int]:
    """Return `Position.legal_actions`."""
    if ending_of(game, state) is not None:
        return _NO_ACTIONS
    numbers = dict.fromkeys(actions_of(game).of_state(state))
    return memoryview(array("i", [number for number in numbers if number >= 0])).toreadonly()


def mask_of(game: LoadedGame, state: State, out: Buffer | None) -> Buffer:
    """Return `Position.action_mask`."""
    size = len(actions_of(game))
    numbers = legal_actions_of(game, state)  # before the array is changed
    given = array("B", bytes(size)) if out is None else out
    try:
        view = memoryview(given)
    except TypeError:
        raise ValueError(f"expected an array for the mask, not {given!r}") from None
    suitable = view.shape == (size,) and view.format in _FORMATS
    if not suitable or view.readonly or not view.c_contiguous:
        raise ValueError(
            f"an array for the mask must be writable, contiguous and have {size} numbers, not "
            f"{view.shape} items {view.format!r}"
        )
    view.cast("B")[:] = bytes(view.nbytes)
    for number in numbers:
        view[number] = 1
    return given


def index_of_action(game: LoadedGame, state: State, action: int) -> int:
    """Return the index of the first legal move with a number.

    Raises:
        IllegalMoveError: The action is not legal in this position.
        IndexError: There is no such action.
    """
    actions = actions_of(game)
    if ending_of(game, state) is None:
        for index, number in enumerate(actions.of_state(state)):
            if number == action >= 0:
                return index
    from forthvm.core.errors import IllegalMoveError

    text, player = actions.text(action), game.players[game.player_of(state)]
    raise IllegalMoveError(f"the action {action} ({text}) is not legal for {player}")
