"""Translates between positions of Yonin Shogi in forthvm and states of its model.

Owns the translation of square names, piece types, hands and eliminated players.  In the script's
names, a piece that does not face its owner's direction has a prefix:  `w-gold` faces West's
direction.  Pieces of eliminated players that stay on the board are described as `fallen` (a king)
or `inert gold` (any other piece, with its type).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from forthvm import Game, Position
from tests.models.yonin_shogi import KINDS, PLAYERS, SQUARES, Options, State

__all__ = ["OPTION_VALUES", "Translation", "page_square", "script_square", "settings"]

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
_SYMMETRIC = ("king", "dragon")  # their moves do not depend on the direction that they face
Living = tuple[bool, ...]  # for each player, whether its army is still in the game


def script_square(square: str) -> str:
    """Return the script's name of a square of the rules page: 5i is e1."""
    return "abcdefghi"["987654321".index(square[0])] + "987654321"["abcdefghi".index(square[1])]


def page_square(square: str) -> str:
    """Return the rules page's name of a square of the script."""
    return "987654321"["abcdefghi".index(square[0])] + "abcdefghi"["987654321".index(square[1])]


def settings(options: Options) -> dict[str, str]:
    """Return the script's settings for these options."""
    values = {}
    for name in OPTION_VALUES:
        value = getattr(options, name.replace("-", "_"))
        values[name] = {True: "on", False: "off"}.get(value, value)
    return values


class _Cache(dict[Any, Hashable]):
    """A dictionary that computes missing values with a function."""

    def __init__(self, compute: Callable[[Any], Hashable]) -> None:
        super().__init__()
        self.compute = compute

    def __missing__(self, key: object) -> Hashable:
        self[key] = found = self.compute(key)
        return found


def _description(owner: str, faces: str, kind: str, living: Living) -> Hashable:
    if kind == "fallen":
        return "fallen"
    if owner not in PLAYERS or not living[PLAYERS.index(owner)]:
        return "fallen" if kind == "king" else f"inert {kind}"
    return f"{owner} {kind}" + ("" if kind in _SYMMETRIC else f" facing {faces}")


class Translation:
    """Translates between one loaded game and the model."""

    def __init__(self, game: Game) -> None:
        self.game = game
        at = game._loaded.position_index
        self.board = [at[script_square(square)] for square in SQUARES]
        assert self.board == list(range(81))
        self.hands = [at[f"{player}-{kind}"] for player in PLAYERS for kind in KINDS]
        self.hand_cells = slice(self.hands[0], self.hands[-1] + 1)
        assert self.hands == list(range(81, 101))
        self.eliminated_marks = [at[f"{player}-out"] for player in PLAYERS]
        self.counts = _Cache(self._count)
        # Descriptions of the script's cells and of the model's pieces:
        self.cells: dict[Living, _Cache] = {}
        self.pieces: dict[Living, _Cache] = {}

    def _piece(self, cell: int) -> tuple[str, str]:
        piece = self.game._loaded.roster.piece(cell)
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
        return _description(owner, faces, "promoted silver" if kind == "+silver" else kind, living)

    def view(self, position: Position) -> Hashable:
        """Return the pieces on the board, the hands, and for each player whether it is living."""
        cells = position.cells
        living = tuple(not cells[at] for at in self.eliminated_marks)
        table = self.cells.setdefault(living, _Cache(lambda cell: self._square(cell, living)))
        return (
            tuple(map(table.__getitem__, cells[:81])),
            tuple(map(self.counts.__getitem__, cells[self.hand_cells])),
            living,
        )

    def expected_view(self, state: State) -> Hashable:
        """Return the result of `view` for the position that equals the state."""
        living = state.living
        table = self.pieces.setdefault(
            living,
            _Cache(
                lambda piece: (
                    _description(PLAYERS[piece.owner], PLAYERS[piece.facing], piece.kind, living)
                    if piece
                    else ""
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
            elif piece.facing != piece.owner and kind not in _SYMMETRIC:
                kind = f"{PLAYERS[piece.facing][0].lower()}-{kind}"
            yield owner, kind, script_square(square)
        for player, hand in zip(PLAYERS, state.hands, strict=True):
            for kind, count in zip(KINDS, hand, strict=True):
                if count:
                    yield player, f"x{count}", f"{player}-{kind}"

    def begin(self, state: State, victors: Mapping[str, str] | None = None) -> Position:
        """Start the game with a state's pieces, hands and turn.

        `victors` maps each eliminated player to the player that eliminated it.
        """
        marks = [(victor, "victor", f"{loser}-out") for loser, victor in (victors or {}).items()]
        return self.game.start(setup=[*self._pieces(state), *marks], turn=PLAYERS[state.turn])
