"""Yonin Shogi in plain Python, written from the rules page alone.

Owns the rules of `rules/yonin-shogi.md`: both rule sets and every option of section 8, as a
pure function from a state to its successors.  It does not use forthvm or a script.  Comments marked
"Interpretation" state how the model plays where the page has no rule.  Numbers such as (6.3) are
sections of the page.

Four players move in turn and drop captured pieces, as in shogi.  By the rules `mate`, a player in
check moves next, out of turn (`check_shift`), and a mated player is eliminated; its pieces (the
"mated army") are handed over, stay on the board without moving, or are removed.  By the rules
`capture`, kings are captured and dropped, and a player without kings is eliminated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, Literal, NamedTuple

from tests.models.yonin_shogi_board import (
    KINDS,
    PLAIN,
    PLAYERS,
    PROMOTED,
    RAYS,
    SETUP,
    SLIDERS,
    SQUARES,
    STEPS,
    Board,
    Piece,
    in_zone,
    is_attacked,
    line_of_travel,
    lines_ahead,
    pawn_may_stand,
)

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
    "pawn_may_stand",
    "perft",
    "position",
    "start",
    "successors",
]


class Move(NamedTuple):
    """A move on the board, or a drop of a piece of `kind`, for which `start` is None."""

    start: int | None
    goal: int
    promote: bool = False
    kind: str = ""


Hand = tuple[int, int, int, int, int]
EMPTY: Final[Hand] = (0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Options:
    """The options of section 8, with the page's defaults."""

    rules: Literal["mate", "capture"] = "mate"
    check_shift: bool = True
    mated_army: Literal["taken", "inert", "removed"] = "taken"
    win: Literal["two", "last"] = "two"
    stalemate: Literal["pass", "mated"] = "pass"
    partners: bool = False
    pawn_mate: Literal["forbidden", "allowed"] = "forbidden"


@dataclass(frozen=True)
class State:
    """A position; `winners` is None while the game continues and empty after a draw.

    `mated` has for each player the players whom it has mated.
    """

    options: Options
    board: Board
    hands: tuple[Hand, ...] = (EMPTY,) * 4
    living: tuple[bool, ...] = (True,) * 4
    turn: int = 0
    mated: tuple[tuple[int, ...], ...] = ((),) * 4
    winners: tuple[str, ...] | None = None
    history: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """Hashes of all positions of the game, including this one (6.9)."""

    def pieces(self) -> dict[str, Piece]:
        """Return the pieces by square."""
        return {SQUARES[at]: piece for at, piece in enumerate(self.board) if piece}


# --- positions -----------------------------------------------------------------------------------


def position(  # noqa: PLR0913 - keyword-only beyond the first two, for tests
    pieces: Mapping[str, str],
    options: Options | None = None,
    *,
    turn: str = "South",
    hands: Mapping[str, str] | None = None,
    out: tuple[str, ...] = (),
    mated: Mapping[str, tuple[str, ...]] | None = None,
) -> State:
    """Return a state with pieces such as `South rook` or `South pawn facing West`.

    A hand is written as a list of kinds, `pawn pawn gold`.  `out` has the eliminated players.
    """
    board: list[Piece | None] = [None] * len(SQUARES)
    for square, text in pieces.items():
        piece, _, facing = text.partition(" facing ")
        owner, _, kind = piece.partition(" ")
        player = PLAYERS.index(owner)
        board[SQUARES.index(square)] = Piece(
            player, PLAYERS.index(facing) if facing else player, kind
        )
    counts = []
    for player_name in PLAYERS:
        words = (hands or {}).get(player_name, "").split()
        counts.append(tuple(words.count(kind) for kind in KINDS))
    return _with_history(
        State(
            options or Options(),
            tuple(board),
            tuple(counts),  # type: ignore[arg-type]
            tuple(name not in out for name in PLAYERS),
            PLAYERS.index(turn),
            tuple(
                tuple(PLAYERS.index(loser) for loser in (mated or {}).get(name, ()))
                for name in PLAYERS
            ),
        )
    )


def start(options: Options | None = None) -> State:
    """Return the initial position."""
    return position(SETUP, options)


# --- attacks -----------------------------------------------------------------------------------


def _kings(board: Board, player: int) -> list[int]:
    return [
        at
        for at, piece in enumerate(board)
        if piece and piece.owner == player and piece.kind == "king"
    ]


def _in_check(state: State, player: int) -> bool:
    king = Piece(player, player, "king")  # kings never change hands in `mate`
    if king not in state.board:
        return False
    return is_attacked(state.board, state.board.index(king), player, state.living)


def checked(state: State) -> tuple[str, ...]:
    """Return the living players whose king is attacked."""
    return tuple(
        name
        for player, name in enumerate(PLAYERS)
        if state.living[player] and _in_check(state, player)
    )


# --- moves (sections 3 to 5) -------------------------------------------------------------------


def _may_move_to(state: State, player: int, goal: int) -> bool:
    piece = state.board[goal]
    if piece is None:
        return True
    if state.options.rules == "mate" and piece.kind == "king":
        return False  # no king is captured, not even that of an eliminated player
    return piece.owner != player


def _goals(state: State, at: int, piece: Piece) -> Iterator[int]:
    for direction in STEPS[piece.kind, piece.facing]:
        slides = piece.kind in SLIDERS and 0 in direction
        ray = RAYS[at][direction]
        for goal in ray if slides else ray[:1]:
            if _may_move_to(state, piece.owner, goal):
                yield goal
            if state.board[goal]:
                break


def _steps(state: State, player: int) -> Iterator[Move]:
    for at, piece in enumerate(state.board):
        if piece is None or piece.owner != player:
            continue
        for goal in _goals(state, at, piece):
            must_promote = piece.kind == "pawn" and lines_ahead(goal, piece.facing) == 0
            if not must_promote:
                yield Move(at, goal)
            if piece.kind in PROMOTED and (
                in_zone(goal, piece.facing) or (piece.kind != "pawn" and in_zone(at, piece.facing))
            ):
                yield Move(at, goal, promote=True)


def _pawn_may_drop(state: State, player: int, goal: int) -> bool:
    line = line_of_travel(goal, player)
    return lines_ahead(goal, player) > 0 and not any(
        piece == Piece(player, player, "pawn") and line_of_travel(at, player) == line
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


def _after_move(state: State, player: int, move: Move) -> State:
    """Return the state with board and hands after a move; turn and players are unchanged."""
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
    """Return whether a move leaves neither the player nor its partner in check (6.1).

    Interpretation: a partner must not be in check after the move, whether or not the move gives
    that check.
    """
    if _in_check(after, player):
        return False
    partner = _partner(player)
    return not (after.options.partners and after.living[partner] and _in_check(after, partner))


def _mates_by_pawn(after: State, player: int) -> bool:
    """Return whether a pawn drop has mated another player.

    Interpretation of `a checkmate of anyone`: each other player is tested as if it were to move.
    """
    return any(
        other != player
        and after.living[other]
        and _in_check(after, other)
        and not _can_move(after, other)
        for other in range(4)
    )


def _legal(state: State, player: int) -> Iterator[tuple[Move, State]]:
    """Yield the legal moves, each with the state after it; callers may need only the first."""
    if state.options.rules == "capture":
        only_kings = not _kings(state.board, player)
        if not only_kings:
            for move in _steps(state, player):
                yield move, _after_move(state, player, move)
        for move in _drops(state, player, ("king",) if only_kings else KINDS):
            yield move, _after_move(state, player, move)
        return
    # A drop cannot expose the player's king to an attack of another piece.  A player without a
    # partner who is safe before a drop is therefore safe after it.  With partners, the drop itself
    # may give check to the partner.
    was_safe = not state.options.partners and _is_safe(state, player)
    for move in chain(_steps(state, player), _drops(state, player, KINDS)):
        after = _after_move(state, player, move)
        if not (was_safe and move.start is None) and not _is_safe(after, player):
            continue
        forbidden = move.kind == "pawn" and state.options.pawn_mate == "forbidden"
        if not (forbidden and _mates_by_pawn(after, player)):
            yield move, after


def _can_move(state: State, player: int) -> bool:
    return any(True for _ in _legal(state, player))


def legal(state: State) -> list[Move]:
    """Return the legal moves of the player to move; empty when the game is over."""
    if state.winners is not None:
        return []
    return [move for move, _ in _legal(state, state.turn)]


# --- effects of a move in the rule set `mate` (section 6) ---------------------------------------


def _next_living(state: State, player: int) -> int:
    return next(other for other in ((player + n) % 4 for n in range(1, 5)) if state.living[other])


def _next_player(state: State, mover: int, last: int) -> int:
    """Return the player to move after `mover` (6.3, 6.6).

    `last` is `mover`, or the last player after it who was skipped or eliminated.
    """
    if state.options.check_shift:
        for other in ((mover + n) % 4 for n in range(1, 4)):
            if state.living[other] and _in_check(state, other):
                return other
    return _next_living(state, last)


def _eliminated(state: State, loser: int, mating: int) -> State:
    """Return the state after the elimination of a player (6.5).

    Interpretation: the hand goes to the mating player for every value of `mated_army`.
    """
    board: list[Piece | None] = list(state.board)
    for at, piece in enumerate(board):
        if piece is None or piece.owner != loser:
            continue
        if state.options.mated_army == "removed":
            board[at] = None
        elif state.options.mated_army == "taken" and piece.kind != "king":
            board[at] = piece._replace(owner=mating)
    hands, living, mated = list(state.hands), list(state.living), list(state.mated)
    for kind, count in zip(KINDS, hands[loser], strict=True):
        hands[mating] = _with(hands[mating], kind, count)
    hands[loser] = EMPTY
    living[loser] = False
    mated[mating] = (*mated[mating], loser)
    after = replace(
        state,
        board=tuple(board),
        hands=tuple(hands),
        living=tuple(living),
        mated=tuple(mated),
    )
    return replace(after, winners=_winners(after, loser, mating))


def _winners(state: State, loser: int, mating: int) -> tuple[str, ...] | None:
    """Return the winners after an elimination, None while the game continues (6.7)."""
    if state.options.partners:
        if mating != _partner(loser):
            return tuple(PLAYERS[winner] for winner in sorted((mating, _partner(mating))))
        return None  # Interpretation: mating one's own partner does not win
    two = len(state.mated[mating]) >= 2 or bool(state.mated[loser])
    alone = sum(state.living) == 1
    if alone or (two and state.options.win == "two"):
        return (PLAYERS[mating],)
    return None


def _next_turn(after: State, mover: int) -> State:
    """Return the state in which the next player that can move is to move, or a final state."""
    player = _next_player(after, mover, mover)
    skipped = 0
    while not _can_move(after, player):
        if _in_check(after, player) or after.options.stalemate == "mated":
            after = _eliminated(after, player, mover)
            if after.winners is not None:
                return after
            player = _next_player(after, mover, player)
            continue
        player = _next_living(after, player)
        skipped += 1
        if skipped > 4:  # no player can move
            return replace(after, winners=())
    after = _with_history(replace(after, turn=player))
    return replace(after, winners=()) if after.history.count(after.history[-1]) >= 4 else after


def _with_history(state: State) -> State:
    """Return the state with its position added to the history."""
    key = hash((state.board, state.hands, state.turn, state.living))
    return replace(state, history=(*state.history, key))


# --- rule set `capture` (section 7) ------------------------------------------------------------


def _owned_kings(state: State, player: int) -> int:
    return len(_kings(state.board, player)) + state.hands[player][KINDS.index("king")]


def _after_capture(state: State, after: State, mover: int) -> State:
    """Return the state after a move of `mover`, with the next player to move.

    Players without kings are eliminated; `mover` gets their hands.
    """
    hands, living = list(after.hands), list(after.living)
    for player in range(4):
        if living[player] and not _owned_kings(after, player):
            living[player] = False
            # In positions of tests, players who begin without kings keep their hands.
            if _owned_kings(state, player):
                for kind, count in zip(KINDS, hands[player], strict=True):
                    hands[mover] = _with(hands[mover], kind, count)
                hands[player] = EMPTY
    after = replace(after, hands=tuple(hands), living=tuple(living))
    if _owned_kings(after, mover) == 4:
        return replace(after, winners=(PLAYERS[mover],))
    return replace(after, turn=_next_living(after, mover))


# --- successors --------------------------------------------------------------------------------


def successors(state: State) -> list[State]:
    """Return the states after each legal move, or after a pass without legal moves (7.6)."""
    if state.winners is not None:
        return []
    mover = state.turn
    if state.options.rules == "mate":
        return [_next_turn(after, mover) for _, after in _legal(state, mover)]
    found = [_after_capture(state, after, mover) for _, after in _legal(state, mover)]
    return found or [replace(state, turn=_next_living(state, mover))]


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of `depth` moves."""
    if depth == 1:
        return len(legal(state)) or len(successors(state))
    return sum(perft(after, depth - 1) for after in successors(state))
