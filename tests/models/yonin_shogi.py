"""Yonin Shogi in plain Python, written from the rules page alone.

Owns the rules of `rules/yonin-shogi.md`: both rule sets and every option of section 8, as a
pure function from a state to its successors.  It must not know forthvm or any script.
Readings where the page is silent are said where they are made, with the word "Reading".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, Literal, NamedTuple

__all__ = [
    "KINDS",
    "PLAYERS",
    "SETUP",
    "SQUARES",
    "Move",
    "Options",
    "Piece",
    "State",
    "checked",
    "legal",
    "may_stand",
    "perft",
    "position",
    "start",
    "successors",
]

PLAYERS: Final = ("South", "West", "North", "East")
KINDS: Final = ("pawn", "silver", "gold", "rook", "king")  # what a hand may hold, in this order
PROMOTED: Final = {"pawn": "tokin", "silver": "promoted silver", "rook": "dragon"}
PLAIN: Final = {promoted: plain for plain, promoted in PROMOTED.items()}
SQUARES: Final = tuple(f"{digit}{letter}" for letter in "abcdefghi" for digit in range(9, 0, -1))
SIZE: Final = 9

Way = tuple[int, int]  # columns to the right, rows down
FORWARD: Final[tuple[Way, ...]] = ((0, -1), (1, 0), (0, 1), (-1, 0))


class Piece(NamedTuple):
    """A piece on the board; its owner may have changed, what it faces never does."""

    owner: int
    facing: int
    kind: str


class Move(NamedTuple):
    """A move on the board, or a drop: then `start` is None and `kind` is what is dropped."""

    start: int | None
    goal: int
    promote: bool = False
    kind: str = ""


Board = tuple[Piece | None, ...]
Hand = tuple[int, int, int, int, int]
EMPTY: Final[Hand] = (0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Options:
    """Section 8; the defaults are the page's."""

    rules: Literal["mate", "capture"] = "mate"
    check_shift: bool = True
    mated_army: Literal["taken", "inert", "removed"] = "taken"
    win: Literal["two", "last"] = "two"
    stalemate: Literal["pass", "mated"] = "pass"
    partners: bool = False
    pawn_mate: Literal["forbidden", "allowed"] = "forbidden"


@dataclass(frozen=True)
class State:
    """A position; `winners` is None while the game goes on and empty after a draw."""

    options: Options
    board: Board
    hands: tuple[Hand, ...] = (EMPTY,) * 4
    living: tuple[bool, ...] = (True,) * 4
    turn: int = 0
    mated: tuple[tuple[int, ...], ...] = ((),) * 4
    winners: tuple[str, ...] | None = None
    past: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """Hashes of all positions of the game, this one's last (6.9)."""

    def pieces(self) -> dict[str, Piece]:
        """The occupied squares."""
        return {SQUARES[at]: piece for at, piece in enumerate(self.board) if piece}


# --- geometry (sections 1 to 4) ----------------------------------------------------------------


def _ways(kind: str, facing: int) -> frozenset[Way]:
    """Where a piece of that kind may go by one square."""
    dx, dy = FORWARD[facing]
    right = (-dy, dx)
    left = (dy, -dx)
    back = (-dx, -dy)
    slant = {(dx + side[0], dy + side[1]) for side in (left, right)}
    behind = {(side[0] - dx, side[1] - dy) for side in (left, right)}
    forward = {(dx, dy)}
    beside = {left, right}
    if kind in ("king", "dragon"):
        return frozenset(forward | slant | beside | behind | {back})
    if kind == "silver":
        return frozenset(forward | slant | behind)
    if kind == "rook":
        return frozenset(forward | beside | {back})
    if kind == "pawn":
        return frozenset(forward)
    return frozenset(forward | slant | beside | {back})  # gold and what moves like it


_STEPS: Final = {
    (kind, facing): _ways(kind, facing) for kind in (*KINDS, *PLAIN) for facing in range(4)
}
_SLIDES: Final = ("rook", "dragon")
_ALL_WAYS: Final = tuple(_ways("king", 0))


def _ray(at: int, way: Way) -> tuple[int, ...]:
    x, y = at % SIZE + way[0], at // SIZE + way[1]
    found = []
    while 0 <= x < SIZE and 0 <= y < SIZE:
        found.append(y * SIZE + x)
        x, y = x + way[0], y + way[1]
    return tuple(found)


_RAYS: Final = tuple({way: _ray(at, way) for way in _ALL_WAYS} for at in range(SIZE * SIZE))
_LOOKS: Final = tuple(  # rays, with the way back that an attacker there takes
    tuple(((-way[0], -way[1]), ray) for way, ray in rays.items() if ray) for rays in _RAYS
)


def _lines_left(at: int, facing: int) -> int:
    """How many lines lie ahead of that square for a piece that faces there."""
    return len(_RAYS[at][FORWARD[facing]])


def _in_zone(at: int, facing: int) -> bool:
    return _lines_left(at, facing) < 3


def may_stand(square: str, faces: str) -> bool:
    """Whether a pawn that faces as that player's can stand there."""
    return _lines_left(SQUARES.index(square), PLAYERS.index(faces)) > 0


def _line_of_travel(at: int, facing: int) -> int:
    return at % SIZE if FORWARD[facing][0] == 0 else at // SIZE


# --- set-up (section 2) ------------------------------------------------------------------------

_HOMES: Final = {
    "South": ("5i", "4i 6i", "3i 7i", "5h", "4h 6h 5g"),
    "West": ("9e", "9d 9f", "9c 9g", "8e", "8d 8f 7e"),
    "North": ("5a", "4a 6a", "3a 7a", "5b", "4b 6b 5c"),
    "East": ("1e", "1d 1f", "1c 1g", "2e", "2d 2f 3e"),
}
SETUP: Final = {
    square: f"{player} {kind}"
    for player, homes in _HOMES.items()
    for kind, squares in zip(("king", "gold", "silver", "rook", "pawn"), homes, strict=True)
    for square in squares.split()
}


def position(  # noqa: PLR0913 - keyword-only beyond the first two, for tests
    pieces: Mapping[str, str],
    options: Options | None = None,
    *,
    turn: str = "South",
    hands: Mapping[str, str] | None = None,
    out: tuple[str, ...] = (),
    mated: Mapping[str, tuple[str, ...]] | None = None,
) -> State:
    """A state with pieces such as `South rook` or `South pawn facing West`.

    A hand is written as its kinds, `pawn pawn gold`; `out` are the eliminated players.
    """
    board: list[Piece | None] = [None] * len(SQUARES)
    for square, text in pieces.items():
        what, _, facing = text.partition(" facing ")
        owner, _, kind = what.partition(" ")
        player = PLAYERS.index(owner)
        board[SQUARES.index(square)] = Piece(
            player, PLAYERS.index(facing) if facing else player, kind
        )
    held = []
    for player_name in PLAYERS:
        words = (hands or {}).get(player_name, "").split()
        held.append(tuple(words.count(kind) for kind in KINDS))
    return _dated(
        State(
            options or Options(),
            tuple(board),
            tuple(held),  # type: ignore[arg-type]
            tuple(name not in out for name in PLAYERS),
            PLAYERS.index(turn),
            tuple(
                tuple(PLAYERS.index(one) for one in (mated or {}).get(name, ())) for name in PLAYERS
            ),
        )
    )


def start(options: Options | None = None) -> State:
    """The initial position."""
    return position(SETUP, options)


# --- attacks -----------------------------------------------------------------------------------


def _attacked(board: Board, at: int, owner: int, living: tuple[bool, ...]) -> bool:
    """Whether a piece of another living player could capture on that square."""
    for back, ray in _LOOKS[at]:
        for square in ray:
            piece = board[square]
            if piece is None:
                continue
            if piece.owner != owner and living[piece.owner]:
                near = square == ray[0] and back in _STEPS[piece.kind, piece.facing]
                if near or (piece.kind in _SLIDES and 0 in back):
                    return True
            break
    return False


def _kings(board: Board, player: int) -> list[int]:
    return [
        at for at, one in enumerate(board) if one and one.owner == player and one.kind == "king"
    ]


def _in_check(state: State, player: int) -> bool:
    king = Piece(player, player, "king")  # kings never change hands in `mate`
    if king not in state.board:
        return False
    return _attacked(state.board, state.board.index(king), player, state.living)


def checked(state: State) -> tuple[str, ...]:
    """The living players whose king is attacked."""
    return tuple(
        name
        for player, name in enumerate(PLAYERS)
        if state.living[player] and _in_check(state, player)
    )


# --- moves (sections 3 to 5) -------------------------------------------------------------------


def _may_enter(state: State, player: int, goal: int) -> bool:
    piece = state.board[goal]
    if piece is None:
        return True
    if state.options.rules == "mate" and piece.kind == "king":
        return False  # living or turned over: nobody captures it
    return piece.owner != player


def _goals(state: State, at: int, piece: Piece) -> Iterator[int]:
    for way in _STEPS[piece.kind, piece.facing]:
        slides = piece.kind in _SLIDES and 0 in way
        ray = _RAYS[at][way]
        for goal in ray if slides else ray[:1]:
            if _may_enter(state, piece.owner, goal):
                yield goal
            if state.board[goal]:
                break


def _steps(state: State, player: int) -> Iterator[Move]:
    for at, piece in enumerate(state.board):
        if piece is None or piece.owner != player:
            continue
        for goal in _goals(state, at, piece):
            must = piece.kind == "pawn" and _lines_left(goal, piece.facing) == 0
            if not must:
                yield Move(at, goal)
            if piece.kind in PROMOTED and (
                _in_zone(goal, piece.facing)
                or (piece.kind != "pawn" and _in_zone(at, piece.facing))
            ):
                yield Move(at, goal, promote=True)


def _pawn_may_drop(state: State, player: int, goal: int) -> bool:
    line = _line_of_travel(goal, player)
    return _lines_left(goal, player) > 0 and not any(
        piece == Piece(player, player, "pawn") and _line_of_travel(at, player) == line
        for at, piece in enumerate(state.board)
    )


def _drops(state: State, player: int, kinds: tuple[str, ...]) -> Iterator[Move]:
    for kind in kinds:
        if not state.hands[player][KINDS.index(kind)]:
            continue
        for goal, piece in enumerate(state.board):
            if piece is None and (kind != "pawn" or _pawn_may_drop(state, player, goal)):
                yield Move(None, goal, kind=kind)


def _with(hand: Hand, kind: str, more: int) -> Hand:
    counts = list(hand)
    counts[KINDS.index(kind)] += more
    return tuple(counts)  # type: ignore[return-value]


def _changed(state: State, player: int, move: Move) -> State:
    """The pieces after a move; nothing else has happened yet."""
    board, hands = list(state.board), list(state.hands)
    if move.start is None:
        board[move.goal] = Piece(player, player, move.kind)
        hands[player] = _with(hands[player], move.kind, -1)
    else:
        piece, taken = board[move.start], board[move.goal]
        assert piece
        if taken:
            hands[player] = _with(hands[player], PLAIN.get(taken.kind, taken.kind), 1)
        board[move.start] = None
        kind = PROMOTED[piece.kind] if move.promote else piece.kind
        board[move.goal] = piece._replace(kind=kind)
    return replace(state, board=tuple(board), hands=tuple(hands))


def _partner(player: int) -> int:
    return (player + 2) % 4


def _is_safe(after: State, player: int) -> bool:
    """Section 6.1, and what partners owe each other.

    Reading: `leave him in check` is meant as 6.1 means it: after the move he is in check,
    whoever gives it and whether or not he was before.
    """
    if _in_check(after, player):
        return False
    partner = _partner(player)
    return not (after.options.partners and after.living[partner] and _in_check(after, partner))


def _mates_by_pawn(after: State, player: int) -> bool:
    """Whether somebody in check after that pawn drop has no answer.

    Reading of `a checkmate of anyone`: each other player is tried as if it were his turn.
    """
    return any(
        other != player
        and after.living[other]
        and _in_check(after, other)
        and not _can_move(after, other)
        for other in range(4)
    )


def _legal(state: State, player: int) -> Iterator[tuple[Move, State]]:
    """Moves with the pieces after them; lazily, since often one is enough."""
    if state.options.rules == "capture":
        only_kings = not _kings(state.board, player)
        if not only_kings:
            for move in _steps(state, player):
                yield move, _changed(state, player, move)
        for move in _drops(state, player, ("king",) if only_kings else KINDS):
            yield move, _changed(state, player, move)
        return
    # A drop uncovers nobody; but it may give check, to a partner too.
    was_safe = not state.options.partners and _is_safe(state, player)
    for move in chain(_steps(state, player), _drops(state, player, KINDS)):
        after = _changed(state, player, move)
        if not (was_safe and move.start is None) and not _is_safe(after, player):
            continue
        forbidden = move.kind == "pawn" and state.options.pawn_mate == "forbidden"
        if not (forbidden and _mates_by_pawn(after, player)):
            yield move, after


def _can_move(state: State, player: int) -> bool:
    return any(True for _ in _legal(state, player))


def legal(state: State) -> list[Move]:
    """The moves of the player whose turn it is; none when the game is over."""
    if state.winners is not None:
        return []
    return [move for move, _ in _legal(state, state.turn)]


# --- what a move leads to: rule set `mate` (section 6) -----------------------------------------


def _next_living(state: State, player: int) -> int:
    return next(other for other in ((player + n) % 4 for n in range(1, 5)) if state.living[other])


def _order(state: State, mover: int, last: int) -> int:
    """Who moves after `mover`'s move, where the order goes on behind `last` (6.3, 6.6)."""
    if state.options.check_shift:
        for other in ((mover + n) % 4 for n in range(1, 4)):
            if state.living[other] and _in_check(state, other):
                return other
    return _next_living(state, last)


def _eliminated(state: State, loser: int, mater: int) -> State:
    """Section 6.5.  Reading: the hand goes to the mating player whatever becomes of the army."""
    board: list[Piece | None] = list(state.board)
    for at, piece in enumerate(board):
        if piece is None or piece.owner != loser:
            continue
        if state.options.mated_army == "removed":
            board[at] = None
        elif state.options.mated_army == "taken" and piece.kind != "king":
            board[at] = piece._replace(owner=mater)
    hands, living, mated = list(state.hands), list(state.living), list(state.mated)
    for kind, count in zip(KINDS, hands[loser], strict=True):
        hands[mater] = _with(hands[mater], kind, count)
    hands[loser] = EMPTY
    living[loser] = False
    mated[mater] = (*mated[mater], loser)
    after = replace(
        state,
        board=tuple(board),
        hands=tuple(hands),
        living=tuple(living),
        mated=tuple(mated),
    )
    return replace(after, winners=_winners(after, loser, mater))


def _winners(state: State, loser: int, mater: int) -> tuple[str, ...] | None:
    """Section 6.7, after that elimination."""
    if state.options.partners:
        if mater != _partner(loser):
            return tuple(PLAYERS[one] for one in sorted((mater, _partner(mater))))
        return None  # Reading: who mates his own partner has not mated an opponent
    two = len(state.mated[mater]) >= 2 or bool(state.mated[loser])
    alone = sum(state.living) == 1
    if alone or (two and state.options.win == "two"):
        return (PLAYERS[mater],)
    return None


def _settled(after: State, mover: int) -> State:
    """The state when the next player who has a move is found, or the game is over."""
    player = _order(after, mover, mover)
    skipped = 0
    while not _can_move(after, player):
        if _in_check(after, player) or after.options.stalemate == "mated":
            after = _eliminated(after, player, mover)
            if after.winners is not None:
                return after
            player = _order(after, mover, player)
            continue
        player = _next_living(after, player)
        skipped += 1
        if skipped > 4:  # nobody can move at all
            return replace(after, winners=())
    after = _dated(replace(after, turn=player))
    return replace(after, winners=()) if after.past.count(after.past[-1]) >= 4 else after


def _dated(state: State) -> State:
    """The state with its own position among those of the game."""
    key = hash((state.board, state.hands, state.turn, state.living))
    return replace(state, past=(*state.past, key))


# --- rule set `capture` (section 7) ------------------------------------------------------------


def _owned_kings(state: State, player: int) -> int:
    return len(_kings(state.board, player)) + state.hands[player][KINDS.index("king")]


def _captured(state: State, after: State, mover: int) -> State:
    """Who is out now gives his hand to the mover, whose move it was; then the next one's turn."""
    hands, living = list(after.hands), list(after.living)
    for player in range(4):
        if living[player] and not _owned_kings(after, player):
            living[player] = False
            # A state made by hand may have players without kings from the start.
            if _owned_kings(state, player):
                for kind, count in zip(KINDS, hands[player], strict=True):
                    hands[mover] = _with(hands[mover], kind, count)
                hands[player] = EMPTY
    after = replace(after, hands=tuple(hands), living=tuple(living))
    if _owned_kings(after, mover) == 4:
        return replace(after, winners=(PLAYERS[mover],))
    return replace(after, turn=_next_living(after, mover))


# --- the tree ----------------------------------------------------------------------------------


def successors(state: State) -> list[State]:
    """The states after each legal move, or after a pass where there is none (7.6)."""
    if state.winners is not None:
        return []
    mover = state.turn
    if state.options.rules == "mate":
        return [_settled(after, mover) for _, after in _legal(state, mover)]
    found = [_captured(state, after, mover) for _, after in _legal(state, mover)]
    return found or [replace(state, turn=_next_living(state, mover))]


def perft(state: State, depth: int) -> int:
    """Number of sequences of `depth` moves."""
    if depth == 1:
        return len(legal(state)) or len(successors(state))
    return sum(perft(after, depth - 1) for after in successors(state))
