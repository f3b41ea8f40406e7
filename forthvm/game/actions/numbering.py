"""The numbers of actions: look-up, growth, files.

Owns the order of the numbers and the format of the file.  It must not know what descriptions of
moves contain (descriptions.py), nor how they are found (exploration.py).
"""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm.core.bindings import ActionFinder, ActionsResult, ActionTable, Detail
from forthvm.core.errors import ActionError
from forthvm.core.value import Shared
from forthvm.game.definition.tables import cells_of

from .descriptions import Names, on_squares
from .exploration import MORE_DETAIL, CollisionError, Explorer, records_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from forthvm.core.bindings import ActionsError
    from forthvm.game.game import Game
    from forthvm.game.position import Position
    from forthvm.game.state import State

__all__ = ["Actions"]

_FORMAT = "forthvm-actions"
_VERSION = 1
_LIMIT = 1 << 16
_GAMES, _PLIES, _PATIENCE = 100, 2000, 16
_SUFFIX = ".actions.json"


class Actions(Shared):
    """The actions of a game: numbers from 0 for its moves, the same in every position.

    An action is what a move does, in as little detail as tells the moves of each position apart.
    In most games that is the square from which a piece moves and the square to which it moves, and
    the type of a dropped or promoted piece.  Only the details from `effects` on contain captures.

    When they are first used, the numbers are read from the file beside the script with the suffix
    `.actions.json`.  Without that file they are made from random games with a fixed seed (see
    `renumber`).  `save` freezes them in a file; `load` uses a file.  A clone of the game has the
    same numbers.

    >>> import forthvm
    >>> game = forthvm.load("tictactoe")
    >>> len(game.actions), game.actions.text(4), game.start().move_of(4)
    (9, 'b2', <Move 'mark b2'>)
    """

    __slots__ = ("_detail", "_game", "_names", "_numbers", "_records", "_table", "is_default")

    is_default: bool
    """Whether the numbers were made by default, so that another process makes the same ones."""

    def __init__(self, game: Game) -> None:
        """Refer to a game; `Game.actions` is the only instance."""
        self._game = game
        self._names = Names(game)
        self._detail: Detail | None = None  # None: no numbers yet
        self._records: list[bytes] = []  # by number
        self._numbers: dict[bytes, int] = {}
        self._table: ActionTable | None = None  # of these records
        self.is_default = True

    # --- the numbers -----------------------------------------------------------------

    def __len__(self) -> int:
        """Return the number of actions."""
        self._prepare()
        return len(self._records)

    @property
    def size(self) -> int:
        """The number of actions; all numbers are below it."""
        return len(self)

    @property
    def detail(self) -> str:
        """What an action contains: `squares`, `types`, `effects`, `pieces` or `words`."""
        return self._prepare().name.lower()

    def text(self, number: int) -> str:
        """Return an action as text for people.

        Raises:
            IndexError: There is no such action.
        """
        detail = self._prepare()
        if not 0 <= number < len(self._records):
            last = len(self._records) - 1
            raise IndexError(f"there is no action {number}; the numbers are 0 to {last}")
        return self._names.text(self._records[number], detail)

    def of_state(self, state: State) -> array[int]:
        """Return the number of each legal move of a state, for the game layer.

        Raises:
            ActionError: A move has no number, or different moves have the same number.
        """
        detail = self._prepare()
        return self._of_records(records_of(self._game, state, detail))

    def on_squares(self, squares: Sequence[int]) -> array[int]:
        """Return for each action the number of the same action on other squares.

        The result is a permutation of the numbers.  Where an action does not exist on the other
        squares, the actions that are left over take each other's places in order.

        Args:
            squares: For each position, by index, the position that replaces it; a permutation.

        Raises:
            ValueError: `squares` is not a permutation of the positions.
        """
        detail = self._prepare()
        if sorted(squares) != list(range(len(self._game.positions))):
            raise ValueError("squares must be a permutation of the positions' indexes")
        found = [
            self._numbers.get(on_squares(record, detail, squares), -1) for record in self._records
        ]
        left_over = iter(sorted(set(range(len(found))) - set(found)))
        return array("i", [next(left_over) if number < 0 else number for number in found])

    def finder(self) -> ActionFinder:
        """Return a finder of the numbers of moves in C, for the layers above."""
        detail = int(self._prepare())
        if self._table is None:
            self._table = ActionTable(detail, self._records)
        return ActionFinder(self._table)

    def error_of(self, problem: ActionsError) -> ActionError:
        """Return the error for a problem of a finder, for the layers above."""
        if problem.result is ActionsResult.COLLISION:
            return CollisionError(f"different moves are the same action; {MORE_DETAIL}")
        if problem.result is ActionsResult.TOO_LONG:
            return ActionError("a move makes too many changes to be an action")
        return self._unknown_error(problem.unknown)

    def _of_records(self, records: Sequence[bytes]) -> array[int]:
        """Return the numbers of actions, given their descriptions."""
        try:
            return array("i", map(self._numbers.__getitem__, records))
        except KeyError as error:
            raise self._unknown_error(error.args[0]) from None

    def _unknown_error(self, record: bytes) -> ActionError:
        text = self._names.text(record, self._prepare())
        return ActionError(
            f"the move {text!r} is not among the {len(self)} actions of {self._game.name}; "
            "game.actions.explore(starts=[position]) adds the moves of a position and of games "
            "that begin with it"
        )

    @property
    def key(self) -> object:
        """An object that is another one after numbers have changed, for caches."""
        self._prepare()
        return self._numbers

    # --- making numbers --------------------------------------------------------------

    def renumber(  # noqa: PLR0913 - keyword-only options, each of them documented
        self,
        *,
        detail: str | None = None,
        games: int = _GAMES,
        plies: int = _PLIES,
        seed: int = 1,
        starts: Sequence[Position] = (),
        patience: int = _PATIENCE,
        limit: int = _LIMIT,
        complete: bool = True,
    ) -> None:
        """Make new numbers from the legal moves in random games.

        Actions that occur in few
        games are copied to the other squares of the grid, because random games rarely show all
        moves like them.

        Args:
            detail: The least detail; None: as little as tells the moves of each position apart.
            games: Maximum number of random games.
            plies: Maximum length of a game.
            seed: Seed of the random games.
            starts: First positions of the games, in rotation; empty for `game.start()`.
            patience: Exploration ends when so many successive games bring nothing new.
            limit: Maximum number of actions.
            complete: Copy actions to other squares.

        Raises:
            ActionError: There are too many actions, or no detail tells all moves apart.
            ForthVMError: The script fails.
        """
        least = Detail.SQUARES if detail is None else _detail_named(detail)
        for candidate in Detail:
            if candidate < least:
                continue
            explorer = Explorer(
                self._game, candidate, patience=patience, limit=limit, complete=complete
            )
            try:
                explorer.play(games, plies, seed, starts)
                found = explorer.found()
            except CollisionError:
                if candidate is max(Detail):
                    raise
                continue
            self._use(candidate, sorted(found, key=cells_of))
            self.is_default = False
            return

    def explore(  # noqa: PLR0913 - keyword-only options, each of them documented
        self,
        *,
        games: int = _GAMES,
        plies: int = _PLIES,
        seed: int = 2,
        starts: Sequence[Position] = (),
        patience: int = _PATIENCE,
        limit: int = _LIMIT,
        complete: bool = True,
    ) -> int:
        """Add the moves of further random games, and return the number of new actions.

        The arguments are those of `renumber`.  Known actions keep their numbers; new ones get the
        numbers after them, so that a network needs only more outputs.

        Raises:
            ActionError: There are too many actions, or the detail does not tell all moves apart.
            ForthVMError: The script fails.
        """
        explorer = Explorer(
            self._game, self._prepare(), patience=patience, limit=limit, complete=complete
        )
        explorer.play(games, plies, seed, starts)
        new = sorted(explorer.found() - self._numbers.keys(), key=cells_of)
        if len(self) + len(new) > limit:
            raise ActionError(f"{self._game.name} has more than {limit} actions")
        for record in new:
            self._numbers[record] = len(self._records)
            self._records.append(record)
        self._table = None
        self.is_default = self.is_default and not new
        return len(new)

    # --- files -----------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the numbers to a file, from which any later version of forthvm reads them.

        Raises:
            ActionError: An action contains a word that is hidden by another one of its name.
            OSError: The file cannot be written.
        """
        Path(path).write_text(self.to_json(), encoding="utf-8")

    def load(self, path: str | os.PathLike[str]) -> None:
        """Use the numbers in a file that `save` wrote.

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
        """Return the numbers as a JSON document, with an action on each line."""
        detail = self._prepare()
        lines = []
        for record in self._records:
            items = self._names.items(record, detail)
            if self._names.record(items, detail) != record:
                raise ActionError(f"the names in {items!r} do not identify the action")
            lines.append(json.dumps(items, ensure_ascii=False, separators=(",", ":")))
        head = {
            "format": _FORMAT,
            "version": _VERSION,
            "game": self._game.name,
            "detail": detail.name.lower(),
        }
        fields = json.dumps(head, ensure_ascii=False)[:-1]
        return f'{fields}, "actions": [\n' + ",\n".join(lines) + "\n]}\n"

    def use_json(self, text: str) -> None:
        """Use the numbers of a JSON document.

        Raises:
            ActionError: The document is invalid, or belongs to another game.
        """
        try:
            document: Any = json.loads(text)
            if document["format"] != _FORMAT or document["version"] != _VERSION:
                raise ValueError("this is not a document of actions that this version reads")
            if document["game"] != self._game.name:
                raise ValueError(f"the actions are those of the game {document['game']!r}")
            detail = _detail_named(document["detail"])
            records = [self._names.record(items, detail) for items in document["actions"]]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            problem = f"no field {error}" if isinstance(error, KeyError) else error
            raise ActionError(f"cannot read the actions of {self._game.name}: {problem}") from error
        if len(set(records)) < len(records):
            raise ActionError("cannot read the actions: an action occurs twice")
        self._use(detail, records)
        self.is_default = False

    # --- internal --------------------------------------------------------------------

    def adopt(self, other: Actions) -> None:
        """Use the numbers of a clone of the game."""
        if other._detail is not None:
            self._use(other._detail, other._records)
            self.is_default = other.is_default

    def _prepare(self) -> Detail:
        """Read or make numbers if there are none; return the detail."""
        if self._detail is None:
            saved = self._game.path.with_suffix(_SUFFIX)
            if saved.is_file():
                self.load(saved)
            else:
                self.renumber()
                self.is_default = True
        assert self._detail is not None
        return self._detail

    def _use(self, detail: Detail, records: Iterable[bytes]) -> None:
        self._records = list(records)
        self._numbers = {record: number for number, record in enumerate(self._records)}
        self._table = None
        self._detail = detail

    def __repr__(self) -> str:
        known = "not yet numbered" if self._detail is None else f"{len(self._records)} actions"
        return f"<Actions of {self._game.name}: {known}>"


def _detail_named(name: object) -> Detail:
    """Return a detail, given its name.

    Raises:
        ActionError: There is no such detail.
    """
    for detail in Detail:
        if detail.name.lower() == name:
            return detail
    names = ", ".join(detail.name.lower() for detail in Detail)
    raise ActionError(f"there is no detail {name!r}, but {names}")
