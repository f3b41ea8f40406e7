"""What players see of a game, as opposed to internal state of the script.

By default, players see the pieces on the board, and the pieces on other positions that move
generation visits, such as hands and reserves; in a rule file, on the positions that it draws.  They
do not see variables, attributes of pieces, or positions after `{dummy-positions}`, where scripts
store marks.

A script changes these defaults by a word OnShow ( -- ), which prints names.  A variable, array or
position whose name is printed is shown; the name `attributes` shows the attributes of pieces.  The
name `points` says that pieces stand on points, where lines meet, and `-points` that they do not.
OnShow is called once for each game.  A sign before the name of a position or a piece type says who
sees the pieces on the position or of the type:

- `-`: no player;
- `~`: only their owner;
- `?`: only their owner knows the type; to others, it is `?`.

In a rule file, such a sign before the type of a piece, or before the name `stores`, also says who
sees how many pieces are in the stores of the players.

The setting OnShow has names, too, so that pieces can be hidden from outside the script.  They
replace what the script says about the same names.  A `*` stands for any characters in names of
piece types, and of positions that players see by default.

At the end of a game, all players see what only owners saw.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from glob import escape
from typing import TYPE_CHECKING

from forthvm.catalogue.options import ON_SHOW
from forthvm.core.errors import SettingError
from forthvm.core.errors.report import suggest

from .ending import ending_of
from .memory.variables import variables_of
from .remarks import printed_by

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from .loaded import LoadedGame
    from .notation import HistoryEntry
    from .pieces import Piece
    from .states import State

__all__ = [
    "ATTRIBUTES",
    "POINTS",
    "STORES",
    "UNKNOWN_TYPE",
    "Shown",
    "check_setting",
    "shown_of",
    "shown_of_game",
    "squares_of",
]

ATTRIBUTES = "attributes"
POINTS = "points"
STORES = "stores"
UNKNOWN_TYPE = "?"
"""The type of a piece whose type is known only to its owner."""
HIDDEN_MOVE = "…"
"""The text of a move that the viewer does not see."""

_OWNERS_ONLY = ("~", "?")
_SIGNS = ("-", *_OWNERS_ONLY)


@dataclass(frozen=True)
class Shown:
    """What players see of a game.

    Attributes:
        hidden: Names of positions whose pieces are hidden.
        hidden_types: Names that OnShow hides, of which those of piece types count here.
        variables: Names of variables and arrays that are shown.
        attributes: Whether attributes of pieces are shown.
        private: Names of positions and piece types of which only owners see the pieces.
        secret: Names of positions and piece types of which only owners know the types of pieces.
        viewer: The player for whom this is valid; None: what all players see.
    """

    hidden: frozenset[str]
    hidden_types: frozenset[str]
    variables: frozenset[str]
    attributes: bool = False
    private: frozenset[str] = frozenset()
    secret: frozenset[str] = frozenset()
    viewer: str | None = None

    @property
    def has_secrets(self) -> bool:
        """Whether players see different pieces or moves."""
        return bool(self.private or self.secret)

    @property
    def points(self) -> bool | None:
        """Whether pieces stand on points, where lines meet; None if the script does not say."""
        return True if POINTS in self.variables else False if POINTS in self.hidden else None

    def piece(self, square: str, piece: Piece | None) -> Piece | None:
        """Return the piece as the viewer sees it; None if the viewer does not see it."""
        if piece is None or square in self.hidden or piece.type in self.hidden_types:
            return None
        if piece.player != self.viewer or self.viewer is None:
            if not self.private.isdisjoint((square, piece.type)):
                return None
            if not self.secret.isdisjoint((square, piece.type)):
                return piece.replace(type=UNKNOWN_TYPE, attribute=0, cell=0)
        return piece

    def sees_store(self, player: str, kind: str) -> bool:
        """Return whether the viewer sees how many pieces of a type a player has in store."""
        named = (STORES, kind)
        if not self.hidden_types.isdisjoint(named):
            return False
        return player == self.viewer or (self.private | self.secret).isdisjoint(named)

    def move_text(self, game: LoadedGame, entry: HistoryEntry) -> str:
        """Return the text of a move as the viewer sees it; `…` for a hidden move."""
        if entry.player == self.viewer or not self.has_secrets:
            return entry.text
        texts = []
        for part in game.parse(entry.text):
            named = {part.name, *part.squares}
            if not self.private.isdisjoint(named):
                return HIDDEN_MOVE
            is_secret = part.name is not None and not self.secret.isdisjoint(named)
            if part.kind == "text":
                return HIDDEN_MOVE  # its meaning is unknown
            words = part.text.split()
            if is_secret:
                words = [UNKNOWN_TYPE if word == part.name else word for word in words]
            texts.append(" ".join(words))
        return " ".join(texts)


def shown_of(game: LoadedGame, state: State, viewer: str | None = None) -> Shown:
    """Return what a player sees of a position.

    Args:
        game: The game.
        state: The state of the position.
        viewer: The player; None: what all players see.

    Raises:
        ForthVMError: OnShow fails.
    """
    shown = shown_of_game(game, state)
    if not shown.has_secrets:
        return shown
    if ending_of(game, state) is not None:
        return replace(shown, private=frozenset(), secret=frozenset())
    return replace(shown, viewer=viewer)


def shown_of_game(game: LoadedGame, state: State) -> Shown:
    """Return what all players see of the game while it continues.

    Raises:
        ForthVMError: OnShow fails.
    """
    return game.once(_shown_of_game, state)


def _shown_of_game(game: LoadedGame, state: State) -> Shown:
    texts = (*_printed_by_on_show(game, state), *game.options.on_show.split())
    signs = _signs(game, texts)
    shown, hidden, private, secret = (
        frozenset(name for name in signs if signs[name] == sign) for sign in ("", *_SIGNS)
    )
    return Shown(
        hidden=frozenset({*_hidden_positions(game), *hidden} - shown - private - secret),
        hidden_types=hidden,
        variables=shown,
        attributes=ATTRIBUTES in shown,
        private=private,
        secret=secret,
    )


def check_setting(game: LoadedGame) -> None:
    """Raise SettingError if the setting OnShow has a name that does not exist in the game."""
    from .rule_files import has_stores

    of_pieces = {*game.positions, *(kind.name for kind in game.tables.types)}
    of_pieces |= {STORES} if has_stores(game) else set()
    others = {*variables_of(game), ATTRIBUTES, POINTS}
    for text in game.options.on_show.split():
        sign, name = _sign_and_name(text)
        known = of_pieces if sign in _OWNERS_ONLY else of_pieces | others
        if not known.intersection(_matching(game, name)):
            what = "position or piece type" if known is of_pieces else "name"
            hint = suggest(name, known) or "`forthvm games` lists the piece types"
            raise SettingError(f"{ON_SHOW}: no {what} `{name}` in {game.name}: {hint}")


def _signs(game: LoadedGame, texts: Iterable[str]) -> dict[str, str]:
    """Return the sign before each name; a later text replaces an earlier one."""
    found: dict[str, str] = {}
    for text in texts:
        sign, name = _sign_and_name(text)
        found |= dict.fromkeys(_matching(game, name), sign)
    return found


def _sign_and_name(text: str) -> tuple[str, str]:
    return (text[0], text[1:]) if text.startswith(_SIGNS) else ("", text)


def _matching(game: LoadedGame, name: str) -> Collection[str]:
    """Return the name, or for one with `*` the matching piece types and visible positions."""
    names = [*game.positions, *(kind.name for kind in game.tables.types)]
    if "*" not in name or name in names:
        return [name]
    pattern = "*".join(map(escape, name.split("*")))
    unseen = frozenset(_hidden_positions(game))
    return [one for one in names if one not in unseen and fnmatchcase(one, pattern)]


def _hidden_positions(game: LoadedGame) -> Iterable[str]:
    """Return the positions that a rule file does not draw, or that move generation skips."""
    if game.rules is not None and game.is_compiled:
        drawn = game.rules.rules.board.rectangles
        return [name for name in game.positions if name not in drawn]
    return game.positions[_visited(game) :]


def squares_of(game: LoadedGame) -> tuple[str, ...]:
    """Return the positions of the grid, or without a grid those that move generation visits."""
    return game.positions[: _grid_size(game) or _visited(game)]


def _grid_size(game: LoadedGame) -> int:
    """Return the number of positions in the grid, 0 without a grid."""
    grid = game.tables.grid
    size = grid.rows * grid.columns
    # The library sets these variables, but a script may have overwritten them.
    return size if grid.rows > 0 and grid.columns > 0 and size <= len(game.positions) else 0


def _visited(game: LoadedGame) -> int:
    """Return the number of positions that move generation visits; in version 140, all."""
    scanned = game.vm.native.variable("$scanPositions") or 0
    return max(scanned, _grid_size(game)) if scanned > 0 else len(game.positions)


def _printed_by_on_show(game: LoadedGame, state: State) -> list[str]:
    """Return the names that the script's OnShow prints."""
    if game.vm.find(ON_SHOW) is None:
        return []
    with game.states.in_memory(state, listed=False), printed_by(game.vm) as printed:
        game.vm.call(ON_SHOW)
    return "".join(printed).split()
