"""Random games of Yonin Shogi that compare the script with the model.

Owns the games, in which the positions after all legal moves are compared (pieces, hands,
eliminated players, player to move, end and winners), and the random start positions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field, fields
from functools import cache
from typing import get_args, get_type_hints

import forthvm
from tests.models import yonin_shogi as model
from tests.models.yonin_shogi import KINDS, PLAYERS, SQUARES, Options, State
from tests.models.yonin_shogi_positions import Translation, settings

__all__ = ["RandomGames", "random_options", "random_state", "translation"]


@cache
def translation(options: Options) -> Translation:
    return Translation(forthvm.load("yonin-shogi", settings=settings(options)))


def turn_of(state: State) -> str:
    return model.PLAYERS[state.turn]


@dataclass
class RandomGames:
    """Random games under one set of options, compared at every move; `events` counts events.

    `greed` is the probability of choosing by preference.  The first preference is a move that
    eliminates a player.  The second is, in half of the choices, a move that gives check; in the
    other half, a capture or a drop (drops keep hands small and move lists short).  With
    `repeat_positions`, pieces move back and forth to repeat positions.
    """

    options: Options
    chooser: random.Random
    greed: float = 0.6
    repeat_positions: bool = False
    positions: int = 0
    game_count: int = 0
    events: Counter[str] = field(default_factory=Counter)
    initial_pieces: dict[int, frozenset[tuple[int, model.Piece]]] = field(default_factory=dict)

    def compare(self, position: forthvm.Position, state: State) -> list[State]:
        """Compare all moves; return the model's state after each move of the script."""
        translator = translation(self.options)
        assert translator.view(position) == translator.expected_view(state)
        assert position.turn == turn_of(state)
        expected: dict[Hashable, State] = {}
        for after in model.successors(state):
            expected[translator.expected_view(after)] = after
        reached, wrong = [], []
        for move in position.legal_moves:
            position.push(move)
            found = expected.get(translator.view(position))
            if found is None:
                wrong.append(f"only the script: {move}")
            elif found.living != state.living or found.winners is not None:
                self.check_end(position, found)
            elif position.turn != turn_of(found):
                wrong.append(f"{move}: {position.turn} to move, {turn_of(found)} in the model")
            position.pop()
            if found is not None:
                reached.append(found)
        counts = Counter(map(id, reached))
        wrong += [f"twice in the script: {after}" for after in reached if counts[id(after)] > 1]
        wrong += [
            f"only the model: {after}" for after in expected.values() if id(after) not in counts
        ]
        assert not wrong, (wrong, state)
        return reached

    @staticmethod
    def check_end(position: forthvm.Position, state: State) -> bool:
        """Return whether the game is over; check that script and model agree on the result."""
        result = position.result
        assert (result is None) == (state.winners is None), (result, state)
        if result is None:
            assert position.turn == turn_of(state)
        else:
            # A script's result names one winner, which may be either of two winning partners.
            assert set(result.winners) <= set(state.winners or ())
            assert bool(result.winners) != result.draw
            assert result.draw == (not state.winners)
        return result is not None

    def choose(self, state: State, after: list[State]) -> int:
        """Choose a move; return its index."""
        if self.repeat_positions:
            return self.chooser.choice(self.returning_moves(state, after))
        # By preference if below 1: for a check if below 1/2, else for a capture or drop.
        draw = self.chooser.random() / self.greed if self.greed else 1
        if draw >= 1:
            return self.chooser.randrange(len(after))

        def gain(number: int) -> tuple[int, int]:
            living, board = after[number].living, after[number].board
            if draw < 1 / 2:
                return -sum(living), len(model.checked(after[number]))
            return -sum(living), abs(board.count(None) - state.board.count(None))

        gains = [gain(number) for number in range(len(after))]
        best = max(gains)
        return self.chooser.choice([number for number, value in enumerate(gains) if value == best])

    def returning_moves(self, state: State, after: list[State]) -> list[int]:
        """Return the indices of moves that restore the initial squares of the player's pieces.

        If there are no such moves, return the moves that do not capture.  If all moves capture,
        return all moves.
        """

        def pieces_of_mover(board: model.Board) -> frozenset[tuple[int, model.Piece]]:
            return frozenset(
                (at, piece) for at, piece in enumerate(board) if piece and piece.owner == state.turn
            )

        initial = self.initial_pieces.setdefault(state.turn, pieces_of_mover(state.board))
        quiet = [n for n, successor in enumerate(after) if successor.hands == state.hands]
        returning = [n for n in quiet if pieces_of_mover(after[n].board) == initial]
        return returning or quiet or list(range(len(after)))

    def count_events(self, before: State, after: State) -> None:
        """Count the events of a move."""
        self.events["check"] += bool(model.checked(after))
        self.events["two in check"] += len(model.checked(after)) > 1
        self.events["out"] += sum(before.living) - sum(after.living)
        turn = (before.turn + 1) % 4
        self.events["skipped"] += before.living[turn] and after.turn != turn
        self.events["drawn"] += after.winners == ()
        self.events["won"] += bool(after.winners)

    def play_game(self, limit: int, begin: tuple[State, dict[str, str]] | None = None) -> None:
        """Play one game to its end, or until `limit` positions were compared.

        `begin` is a state, and a mapping of each eliminated player to the player that eliminated
        it; the default is the initial position.
        """
        translator = translation(self.options)
        if begin:
            state, position = begin[0], translator.begin(*begin)
        else:
            state, position = model.start(self.options), translator.game.start()
        self.game_count += 1
        self.initial_pieces.clear()
        end = self.positions + limit
        while not self.check_end(position, state) and self.positions < end:
            after = self.compare(position, state)
            self.positions += 1
            number = self.choose(state, after)
            position.push(position.legal_moves[number])
            self.count_events(state, after[number])
            state = after[number]

    def play(
        self, positions: int, limit: int = 1000, *, random_positions: bool = False
    ) -> Counter[str]:
        """Play games until `positions` positions were compared; return the counts of events."""
        while self.positions < positions:
            begin = random_state(self.options, self.chooser) if random_positions else None
            self.play_game(min(limit, positions), begin)
        return self.events


# --- positions to begin with -------------------------------------------------------------------

# The types of pieces in random positions; `pawn` is twice as likely as any other type.
_RANDOM_TYPES = ("pawn", "pawn", "silver", "gold", "rook", "tokin", "promoted silver", "dragon")


def random_options(chooser: random.Random) -> Options:
    """Return a random combination of the options in section 8 of `rules/yonin-shogi.md`."""
    hints = get_type_hints(Options)
    values = {
        option.name: chooser.choice(get_args(hints[option.name]) or (True, False))
        for option in fields(Options)
    }
    return Options(**values)


def _kings(options: Options, chooser: random.Random) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the kings on the board (owner and facing) and the players with kings in hand."""
    if options.rules == "mate":
        return [(name, name) for name in PLAYERS], []
    board, hands = [], []
    for name in PLAYERS:
        owner = name if chooser.random() < 0.7 else chooser.choice(PLAYERS)
        if chooser.random() < 0.7:
            board.append((owner, owner))
        else:
            hands.append(owner)
    return board, hands


def _attempt(options: Options, chooser: random.Random) -> tuple[State, dict[str, str]]:
    """Return a random position, which may be impossible.

    Also return, for each eliminated player, the player that eliminated it.
    """
    squares = chooser.sample(SQUARES, len(SQUARES))
    kings, in_hand = _kings(options, chooser)
    if options.rules == "mate":
        eliminated = chooser.sample(PLAYERS, chooser.choice((0, 0, 1, 1, 2)))
    else:
        eliminated = [
            name for name in PLAYERS if name not in {*in_hand, *(owner for owner, _ in kings)}
        ]
    living = [name for name in PLAYERS if name not in eliminated]
    eliminated_by = {name: chooser.choice(living) for name in eliminated}
    pieces = {}
    for owner, faces in kings:
        if owner not in eliminated or options.mated_army != "removed":
            pieces[squares.pop()] = f"{owner} king facing {faces}"
    for name in PLAYERS:
        owner = name
        if name in eliminated and options.rules == "mate":
            if options.mated_army == "removed":
                continue
            owner = eliminated_by[name] if options.mated_army == "taken" else name
        for kind in chooser.choices(_RANDOM_TYPES, k=chooser.randint(1, 5)):
            at = squares.pop()
            if kind != "pawn" or model.pawn_may_stand(at, name):
                pieces[at] = f"{owner} {kind} facing {name}"
    hands = {
        name: " ".join(
            chooser.choices(KINDS[:4], k=chooser.choice((0, 0, 1, 2)))
            + ["king"] * in_hand.count(name)
        )
        for name in living
    }
    mated = {
        name: tuple(loser for loser in eliminated if eliminated_by[loser] == name)
        for name in living
    }
    turn = chooser.choice(living)
    return model.position(
        pieces, options, turn=turn, hands=hands, out=tuple(eliminated), mated=mated
    ), eliminated_by


def random_state(options: Options, chooser: random.Random) -> tuple[State, dict[str, str]]:
    """Return a random start position, and the eliminator of each eliminated player.

    With `mate`, no player except the player to move may be in check, and no player has won.
    """
    while True:
        state, eliminated_by = _attempt(options, chooser)
        mover = PLAYERS[state.turn]
        if options.rules == "capture":
            if sum(state.living) > 1 and model.legal(state):
                return state, eliminated_by
        elif (
            set(model.checked(state)) <= {mover}
            and model.legal(state)
            and max(len(losers) for losers in state.mated) < 2
            and not options.partners * sum(map(len, state.mated))
        ):
            return state, eliminated_by
