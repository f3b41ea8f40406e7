"""Reads and makes forthvm positions of Yonin Shogi in the terms of its model.

Owns the translation only: square names, piece types, hands, who is out.  It must not know
the rules.  The script is known by its names (a piece that faces as another player's do says
so in its type: `w-gold` faces as West's).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tests.models.yonin_shogi import KINDS, PLAYERS, SQUARES, Options, State

if TYPE_CHECKING:
    from forthvm import Game, Position

__all__ = ["OPTION_VALUES", "Translation", "here", "settings", "there"]

OPTION_VALUES: dict[str, tuple[str, ...]] = {
    "rules": ("mate", "capture"),
    "check-shift": ("on", "off"),
    "mated-army": ("taken", "inert", "removed"),
    "win": ("two", "last"),
    "stalemate": ("pass", "mated"),
    "partners": ("off", "on"),
    "pawn-mate": ("forbidden", "allowed"),
}
_FACES = {"s": "South", "w": "West", "n": "North", "e": "East"}
_ROUND = ("king", "dragon")  # they move alike whatever they face
Living = tuple[bool, ...]


def here(square: str) -> str:
    """The script's name of one of the page's squares: 5i is e1."""
    return "abcdefghi"["987654321".index(square[0])] + "987654321"["abcdefghi".index(square[1])]


def there(square: str) -> str:
    """The page's name of one of the script's squares."""
    return "987654321"["abcdefghi".index(square[0])] + "abcdefghi"["987654321".index(square[1])]


def settings(options: Options) -> dict[str, str]:
    """The script's settings for these options."""
    values = {}
    for name in OPTION_VALUES:
        value = getattr(options, name.replace("-", "_"))
        values[name] = {True: "on", False: "off"}.get(value, value)
    return values


class _Table(dict[Any, Hashable]):
    """What things look like, worked out once for each."""

    def __init__(self, work_out: Callable[[Any], Hashable]) -> None:
        super().__init__()
        self.work_out = work_out

    def __missing__(self, key: object) -> Hashable:
        self[key] = found = self.work_out(key)
        return found


def _shown(owner: str, faces: str, kind: str, living: Living) -> Hashable:
    if kind == "fallen":
        return "fallen"
    if owner not in PLAYERS or not living[PLAYERS.index(owner)]:
        return "fallen" if kind == "king" else f"inert {kind}"
    return f"{owner} {kind}" + ("" if kind in _ROUND else f" facing {faces}")


class Translation:
    """Between one loaded game and the model."""

    def __init__(self, game: Game) -> None:
        """Looks up where things are."""
        self.game = game
        at = game.position_index
        self.board = [at[here(square)] for square in SQUARES]
        assert self.board == list(range(81))
        self.hands = [at[f"{player}-{kind}"] for player in PLAYERS for kind in KINDS]
        self.hand = slice(self.hands[0], self.hands[-1] + 1)
        assert self.hands == list(range(81, 101))
        self.out = [at[f"{player}-out"] for player in PLAYERS]
        self.counts = _Table(self._count)
        self.cells: dict[Living, _Table] = {}
        self.men: dict[Living, _Table] = {}

    def _piece(self, cell: int) -> tuple[str, str]:
        piece = self.game.roster.piece(cell)
        assert piece
        return str(piece.player), piece.type

    def _count(self, cell: int) -> Hashable:
        return int(self._piece(cell)[1].removeprefix("x")) if cell else 0

    def _square(self, cell: int, living: Living) -> Hashable:
        if not cell:
            return ""
        owner, kind = self._piece(cell)
        faces = owner
        if kind[1] == "-":
            faces, kind = _FACES[kind[0]], kind[2:]
        return _shown(owner, faces, "promoted silver" if kind == "+silver" else kind, living)

    def view(self, position: Position) -> Hashable:
        """What stands where, the hands, and who is still in the game."""
        cells = position.cells
        living = tuple(not cells[at] for at in self.out)
        table = self.cells.setdefault(living, _Table(lambda cell: self._square(cell, living)))
        return (
            tuple(map(table.__getitem__, cells[:81])),
            tuple(map(self.counts.__getitem__, cells[self.hand])),
            living,
        )

    def expected_view(self, state: State) -> Hashable:
        """The same of a model's state."""
        living = state.living
        table = self.men.setdefault(
            living,
            _Table(
                lambda man: (
                    _shown(PLAYERS[man.owner], PLAYERS[man.facing], man.kind, living) if man else ""
                )
            ),
        )
        board = tuple(map(table.__getitem__, state.board))
        return board, tuple(count for hand in state.hands for count in hand), living

    def _pieces(self, state: State) -> Iterator[tuple[str, str, str]]:
        for square, piece in zip(SQUARES, state.board, strict=True):
            if piece is None:
                continue
            owner = PLAYERS[piece.owner]
            kind = "+silver" if piece.kind == "promoted silver" else piece.kind
            if not state.living[piece.owner]:
                owner, kind = (owner, "fallen") if kind == "king" else ("Nobody", kind)
            elif piece.facing != piece.owner and kind not in _ROUND:
                kind = f"{PLAYERS[piece.facing][0].lower()}-{kind}"
            yield owner, kind, here(square)
        for player, hand in zip(PLAYERS, state.hands, strict=True):
            for kind, count in zip(KINDS, hand, strict=True):
                if count:
                    yield player, f"x{count}", f"{player}-{kind}"

    def begin(self, state: State, out: Mapping[str, str] | None = None) -> Position:
        """A position with a state's pieces, hands and turn; `out` names who was put out by whom."""
        marks = [(mater, "victor", f"{loser}-out") for loser, mater in (out or {}).items()]
        return self.game.start(setup=[*self._pieces(state), *marks], turn=PLAYERS[state.turn])
