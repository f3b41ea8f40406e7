"""A game of a rule file whose script runs in the browser, and how it is drawn.

Owns what `forthvm.render` needs of a game without the core: the rules, and the tables that the page
has read in the loaded script.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm.render.board import board_of
from forthvm.render.scene_types import ScenePlayer
from forthvm.render.symbols import faulty_pictures, game_symbols, picture_files
from forthvm.web.offline.looks import looks_of
from forthvm.web.table.rule_texts import rule_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from forthvm.zrf.loading import CompiledRules

    T = TypeVar("T")

__all__ = ["RuleGame", "drawing", "pictures_of"]


def drawing(game: RuleGame) -> dict[str, object]:
    """Return how a game is drawn: parts of the page's message and tables, and faulty pictures."""
    hidden = sorted(game.hidden)
    symbols = {key: symbol.as_json() for key, symbol in game_symbols(as_game(game)).items()}
    board = board_of(as_game(game), hidden=hidden, needed=(), points=None)
    missing, damaged = faulty_pictures(as_game(game))
    return {
        "message": {
            "board": board.as_json(),
            "symbols": symbols,
            "texts": rule_texts(as_game(game)),
        },
        "tables": {"hidden": hidden, "looks": looks_of(as_game(game), game.owners)},
        "pictures": {"missing": missing, "damaged": damaged},
    }


def pictures_of(game: RuleGame) -> list[Path]:
    """Return the files of the author's pictures, each once."""
    files, _ = picture_files(as_game(game))
    return list(dict.fromkeys(files))


def as_game(game: RuleGame) -> Any:  # noqa: ANN401 - has what drawing needs of a game
    """Return the game for functions that draw games."""
    return game


@dataclass(frozen=True)
class Named:
    """A piece type, or a player."""

    name: str
    neutral: bool = False
    chance: bool = False


@dataclass(frozen=True)
class Grid:
    """The grid of the script; see `forthvm.game.tables.Grid`."""

    rows: int
    columns: int
    flip: bool


@dataclass(frozen=True)
class Tables:
    """The tables that drawing needs."""

    grid: Grid


@dataclass(frozen=True)
class Options:
    """The options of loading that drawing needs."""

    include: tuple[Path, ...] = ()
    settings: tuple[()] = ()
    on_show: str = ""


@dataclass(eq=False)
class RuleGame:
    """A compiled rule file whose script is loaded elsewhere.

    It is game and loaded game at once, with the attributes of `forthvm.game.Game` and
    `forthvm.game.loaded.LoadedGame` that drawing needs.

    Attributes:
        rules: The compiled rule file.
        path: The rule file.
        positions: Names in the order of the script.
        owners: The players with their colours.
        piece_types: The types of pieces.
        tables: The grid.
        hidden: The positions that are not drawn.
        has_moves: Whether any piece moves.
    """

    rules: CompiledRules
    path: Path
    positions: tuple[str, ...]
    owners: tuple[ScenePlayer, ...]
    players: tuple[str, ...]
    player_details: tuple[Named, ...]
    piece_types: tuple[Named, ...]
    tables: Tables
    hidden: frozenset[str]
    has_moves: bool
    options: Options = field(default_factory=Options)
    settings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        numbered = reversed(list(enumerate(self.positions)))
        self.position_index = {name: index for index, name in numbered}
        self._computed: dict[Callable[..., object], Any] = {}

    @classmethod
    def of(cls, rules: CompiledRules, facts: Mapping[str, Any]) -> RuleGame:
        """Make a game.

        Args:
            rules: The compiled rule file.
            facts: What the page has read in the tables of the script: `names`, `types`, `players`,
                `owners`, `movable`, `hidden` and `grid`.
        """
        positions, rectangles = tuple(facts["names"]), rules.rules.board.rectangles
        hidden = facts["hidden"]
        if rules.script is not None:  # a rule file without an engine states what is drawn
            hidden = [name for name in positions if name not in rectangles]
        owners = tuple(ScenePlayer(**{**one, "store": ()}) for one in facts["owners"])
        names = tuple(player["name"] for player in facts["players"])
        return cls(
            rules=rules,
            path=Path(rules.rules.path),
            positions=positions,
            owners=owners,
            players=names,
            player_details=tuple(
                Named(name, owner.neutral, owner.chance)
                for name, owner in zip(names, owners, strict=True)
            ),
            piece_types=tuple(map(Named, facts["types"])),
            tables=Tables(Grid(**facts["grid"])),
            hidden=frozenset(hidden),
            has_moves=bool(facts["movable"]),
        )

    @property
    def _loaded(self) -> RuleGame:
        return self

    def once_for_tables(self, make: Callable[[RuleGame], T]) -> T:
        """Return what `make` computes from the tables."""
        if make not in self._computed:
            self._computed[make] = make(self)
        found: T = self._computed[make]
        return found
