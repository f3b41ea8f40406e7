"""Positions of a game: legal moves, turns, results (sections 4, 6.6, 6.7, 7, 9, 10).

`Position` is what tests use; positions never change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from tests.models.zrf import goals
from tests.models.zrf.blocks import drops_of, moves_of
from tests.models.zrf.choices import (
    CONTINUATION_TYPES_START_A_TURN,
    EACH_CAPTURE_OF_A_PART_COUNTS,
    REAL_PLAYERS_FOR_SKIP,
    SAFETY_AFTER_EACH_PART,
    SAFETY_BETWEEN_TURNS,
)
from tests.models.zrf.moves import PASS, Move, Piece, Scene, apply, new_piece
from tests.models.zrf.rules import Block, Rules, Turn

__all__ = ["Position", "perft", "skipped", "start", "successors"]


def start(rules: Rules, edits: Iterable[tuple[str, Piece | None]] = ()) -> Position:
    """The initial position, with other pieces on some positions (92)."""
    board = {place: new_piece(rules, player, piece) for player, piece, place in rules.placements}
    for place, piece in edits:
        board.pop(place, None)
        if piece is not None:
            board[place] = piece
    first = Position(Scene(rules, board, dict(rules.reserves)))
    if len(rules.real_players) < REAL_PLAYERS_FOR_SKIP:
        first = _at_real_player(first)
    if first.moves():
        return replace(first, history=(first.key,))
    return _settled(first, mover=first.player)


def _at_real_player(first: Position) -> Position:
    """The initial position without turns of random players who cannot move."""
    for _ in first.rules.turns:
        if not first.player.startswith("?") or first.moves():
            break
        first = _next_entry(first)
    return first


def skipped(position: Position) -> Position:
    """The position after a pass that is not legal, for lenient replays (94)."""
    scene = replace(position.scene, last_from=None, last_to=None)
    after = replace(position, scene=scene, going_on=None, result=None, _moves=[])
    return _settled(_next_entry(after), mover=position.player)


@dataclass(frozen=True)
class Position:
    """A position.

    Attributes:
        scene: Board, stores, and the squares of the last move.
        entry: Index of the entry of the turn order.
        turn_number: As in saved games (39).
        going_on: Square and move type ("" for any) of a series of partial moves, else None.
        left: The (player, type) of pieces that left the board in the running turn.
        captures: How many pieces of each (player who captured, type) have been captured so far.
        out: Players who dropped out (undecided 7).
        history: The key of each position so far.
        result: None while the game goes on.
    """

    scene: Scene
    entry: int = 0
    turn_number: int = 1
    going_on: tuple[str, str] | None = None
    left: tuple[tuple[str, str], ...] = ()
    captures: Mapping[tuple[str, str], int] = field(default_factory=dict)
    out: frozenset[str] = frozenset()
    history: tuple[object, ...] = ()
    result: goals.Result | None = None
    _moves: list[list[Move]] = field(default_factory=list, compare=False, repr=False)

    # --- questions ------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        return self.scene.rules

    @property
    def turn(self) -> Turn:
        return self.rules.turns[self.entry]

    @property
    def player(self) -> str:
        """Who decides the next move."""
        return self.turn.player

    @property
    def side(self) -> str:
        """Whose pieces move (38)."""
        return self.turn.side

    @property
    def reserves(self) -> Mapping[tuple[str, str], int]:
        """The off-board pieces of each (player, piece type)."""
        return self.scene.reserves

    @property
    def key(self) -> object:
        """What a repetition compares (68)."""
        stores = frozenset((key, count) for key, count in self.reserves.items() if count)
        return frozenset(self.scene.board.items()), stores, self.entry

    def board(self) -> dict[str, tuple[str, str, dict[str, bool]]]:
        """Owner, type and attributes of the piece on each occupied position."""
        return {
            place: (
                piece.player,
                piece.type,
                {name: name in piece.true for name in self.rules.attributes},
            )
            for place, piece in self.scene.board.items()
        }

    # --- moves ----------------------------------------------------------------------------

    def moves(self) -> list[Move]:
        """The legal moves without duplicates, empty after the end of the game.

        Moves of pieces come first, by the order of the board's positions, of the blocks, and of the
        `add`s in a block; then drops, by piece type, block and position; `Pass` is last.
        """
        if self.result is not None:
            return []
        if not self._moves:
            moves = self._legal()
            self._moves.append([*moves, PASS] if self._may_pass(moves) else moves)
        return self._moves[0]

    def _may_pass(self, others: list[Move]) -> bool:
        if self.going_on is not None:  # 61
            return self.rules.option("pass partial")
        return self.rules.may_pass or (self.rules.must_pass and not others)

    def _legal(self) -> list[Move]:
        """64: safety of royal pieces, priorities, maximal captures, in this order."""
        candidates = dict.fromkeys(self._candidates())  # 52
        safe = [(block_type, move) for block_type, move in candidates if self._is_safe(move)]
        ranked = [move for _, move in self._first_rank(safe)]
        return self._most_captures(self._distinct(ranked))

    def _distinct(self, moves: list[Move]) -> list[Move]:
        """52: moves that are written in the same way and have the same effect count once."""
        found: dict[object, Move] = {}
        for move in moves:
            after = self._scene_after(move)
            last = move.partial or self.rules.asks_for_last_move
            _, _, left = apply(self.scene, move)
            key = (
                move.text,
                frozenset(after.board.items()),
                frozenset(item for item in after.reserves.items() if item[1]),
                frozenset(Counter(left).items()) if self.rules.asks_for_victims else None,
                (after.last_from, after.last_to) if last else None,
                [m.kind for m in move.movements].count("drop"),
                _contested(move),
            )
            found.setdefault(key, move)
        return list(found.values())

    def _candidates(self) -> Iterator[tuple[str, Move]]:
        """47: all moves with the types of their blocks."""
        for place in self.rules.board.positions:
            if self._may_move(place):
                for block in self._fitting(self.rules.pieces[self.scene.board[place].type].moves):
                    for move in moves_of(self.scene, place, block):
                        yield block.move_type, move
        for name, piece_type in self.rules.pieces.items():
            if self._may_drop(name):
                for block in self._fitting(piece_type.drops):
                    for move in drops_of(self.scene, self.side, name, block):
                        yield block.move_type, move

    def _fitting(self, blocks: list[Block]) -> list[Block]:
        return [block for block in blocks if self._allows(block.move_type)]

    def _may_move(self, place: str) -> bool:
        piece = self.scene.board.get(place)
        own = piece is not None and piece.player == self.side
        return own and (self.going_on is None or self.going_on[0] == place)

    def _may_drop(self, piece_type: str) -> bool:
        return self.going_on is None and self.reserves.get((self.side, piece_type), 0) > 0  # 46

    def _allows(self, block_type: str) -> bool:
        """Whether a block may start a turn (75) or go on (63)."""
        if self.going_on is not None:
            return self.going_on[1] in ("", block_type)
        if self.turn.move_type:
            return block_type == self.turn.move_type
        if self.rules.priorities:
            return block_type in (*self.rules.priorities, "")
        return CONTINUATION_TYPES_START_A_TURN or block_type not in self.rules.continuations

    def _is_safe(self, move: Move) -> bool:
        royal = goals.royal_types(self.rules, self.side)
        if not royal or (move.partial and not SAFETY_AFTER_EACH_PART):
            return True
        if not SAFETY_BETWEEN_TURNS and self._moves_again():  # 67b
            return True
        return not goals.in_check(self._scene_after(move), self.side, royal)

    def _moves_again(self) -> bool:
        """Whether the same player moves the same pieces in the next turn, but not in all turns."""
        owners = {(turn.player, turn.side) for turn in self.rules.turns}
        after = _next_entry(self).turn
        return len(owners) > 1 and (after.player, after.side) == (self.player, self.side)

    def _first_rank(self, moves: list[tuple[str, Move]]) -> list[tuple[str, Move]]:
        """76: only the moves of the highest priority that has any."""
        if self.going_on is not None or self.turn.move_type or not self.rules.priorities:
            return moves
        for rank in (*self.rules.priorities, ""):
            if found := [pair for pair in moves if pair[0] == rank]:
                return found
        return []

    # --- maximal captures -----------------------------------------------------------------

    def _most_captures(self, moves: list[Move]) -> list[Move]:
        value = self.rules.options.get("maximal captures", "false")
        if value not in ("true", "1", "2"):
            return moves
        values = [self._captures(move) for move in moves]
        if value != "2":
            values = [(number, 0, 0) for number, _, _ in values]
        return [move for move, v in zip(moves, values, strict=True) if v == max(values)]

    def _captures(self, move: Move) -> tuple[int, int, int]:
        """The pieces taken in the best series that begins with a move; kings; whether by a king."""
        _, _, left = apply(self.scene, move)
        taken = [piece_type for player, piece_type in left if player != self.side]
        own = len(taken) if EACH_CAPTURE_OF_A_PART_COUNTS else min(len(taken), 1)
        number = own if taken or not move.partial else 1
        kings = sum(piece_type in self.rules.promoted_types for piece_type in taken)
        rest = (0, 0, 0)
        after = self._next_part(move)
        if after is not None:
            rest = max(after._captures(other) for other in after._legal())
        by_king = int(bool(number) and move.piece in self.rules.promoted_types)
        return number + rest[0], kings + rest[1], by_king

    # --- playing --------------------------------------------------------------------------

    def play(self, move: Move | str) -> Position:
        """The position after a legal move, or after the move with this text.

        Raises:
            ValueError: If the move is not legal.
        """
        if isinstance(move, str):
            found = [other for other in self.moves() if other.text == move]
            if not found:
                raise ValueError(f"{move} is none of {[str(other) for other in self.moves()]}")
            move = found[0]
        elif move not in self.moves():
            raise ValueError(f"{move} is not legal")
        after = self._next_part(move)
        if after is not None:
            return after
        _, _, left = apply(self.scene, move)
        played = replace(
            self,
            scene=self._scene_after(move),
            left=(*self.left, *left),
            captures=self._captures_after(left),
            going_on=None,
            _moves=[],
        )
        return _settled(_next_entry(played), mover=self.player)

    def _captures_after(self, left: list[tuple[str, str]]) -> Counter[tuple[str, str]]:
        """What has been captured, when a move has removed these (owner, type); other owners' count.

        The player who decides captures, and so does the side.
        """
        taken = [kind for owner, kind in left if owner != self.side]
        found = Counter((who, kind) for who in {self.player, self.side} for kind in taken)
        return found + Counter(self.captures)

    def _scene_after(self, move: Move) -> Scene:
        board, reserves, _ = apply(self.scene, move)
        last_from = last_to = None
        if move.movements:  # undecided 13: the last movement
            last = move.movements[-1]
            last_from = None if last.kind == "drop" else last.origin
            last_to = last.target
        return Scene(self.rules, board, reserves, last_from, last_to)

    def _next_part(self, move: Move) -> Position | None:
        """60: the position in which the same piece must go on, or None."""
        if not move.partial:
            return None
        scene = self._scene_after(move)
        place = scene.last_to
        if place is None or place not in scene.board or scene.board[place].player != self.side:
            return None
        _, _, left = apply(self.scene, move)
        after = replace(
            self,
            scene=scene,
            going_on=(place, move.continuation),
            left=(*self.left, *left),
            captures=self._captures_after(left),
            _moves=[],
        )
        return after if after._legal() else None


def _contested(move: Move) -> tuple[str, ...]:
    """The squares of pieces that stay in place, but to which other pieces move."""
    in_place = [m.target for m in move.movements if m.origin == m.target]
    targets = [m.target for m in move.movements]
    return tuple(place for place in in_place if targets.count(place) > 1)


# --- turns --------------------------------------------------------------------------------


def _next_entry(position: Position) -> Position:
    """The position with the next entry of a player who is not out (36-39)."""
    rules = position.rules
    entry, number = position.entry, position.turn_number
    while True:
        entry += 1
        if entry == len(rules.turns):
            entry, number = rules.repeat, number + 1
        elif entry == rules.repeat:
            number += 1
        if rules.turns[entry].player not in position.out:
            return replace(position, entry=entry, turn_number=number, _moves=[])


def _settled(position: Position, mover: str) -> Position:
    """The position after goals were looked at and turns without a move were skipped."""
    skipped = 0
    while True:
        situation = _situation(position, mover)
        result, out = goals.decided(situation)
        if result is None and out == position.out and not position.moves():
            real = len(position.rules.real_players)
            may_skip = position.player.startswith("?") or real >= REAL_PLAYERS_FOR_SKIP
            skipped += 1
            if may_skip and skipped <= len(position.rules.turns):
                position = _next_entry(position)
                continue
            result = goals.no_move_left(situation)
        if result is not None:
            return replace(position, result=result, out=out, left=())
        if out == position.out:
            return replace(position, history=(*position.history, position.key), left=())
        position = replace(position, out=out)
        if position.player in out:
            position = _next_entry(position)


def _can_move(position: Position) -> bool:
    out = position.player in position.out
    return not out and any(not move.is_pass for move in position.moves())


def _situation(position: Position, mover: str) -> goals.Situation:
    moves = position.moves()
    can_move = any(not move.is_pass for move in moves)
    others = range(position.rules.repeat, len(position.rules.turns))
    return goals.Situation(
        scene=position.scene,
        mover=mover,
        player=position.player,
        side=position.side,
        can_move=can_move,
        can_pass=any(move.is_pass for move in moves),
        no_player_can_move=not can_move
        and not any(_can_move(replace(position, entry=i, _moves=[])) for i in others),
        left=position.left,
        captures=position.captures,
        occurrences=position.history.count(position.key) + 1,
        out=position.out,
    )


# --- counting -----------------------------------------------------------------------------


def successors(
    position: Position, *, joined: bool = False, distinct: bool = False
) -> list[Position]:
    """The positions after each legal move.

    `joined` takes a whole series of partial moves for one move, `distinct` counts moves with the
    same result once.
    """
    after = [position.play(move) for move in position.moves()]
    if joined:
        after = [end for part in after for end in _ends(part)]
    if distinct:
        after = list({(end.key, end.going_on): end for end in after}.values())
    return after


def _ends(position: Position) -> list[Position]:
    if position.going_on is None:
        return [position]
    return [end for move in position.moves() for end in _ends(position.play(move))]


def perft(position: Position, depth: int, *, joined: bool = False, distinct: bool = False) -> int:
    """The number of sequences of `depth` plies; see `successors` for what a ply is."""
    if depth == 0:
        return 1
    if depth == 1 and not joined and not distinct:
        return len(position.moves())
    after = successors(position, joined=joined, distinct=distinct)
    return sum(perft(end, depth - 1, joined=joined, distinct=distinct) for end in after)
