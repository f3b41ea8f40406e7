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

    `greed` is the probability of choosing by preference: a move that eliminates a player, else one
    that gives check, or a capture or drop (drops keep hands small and move lists short).  With
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
        both = translation(self.options)
        assert both.view(position) == both.expected_view(state)
        assert position.turn == turn_of(state)
        after: dict[Hashable, State] = {}
        for one in model.successors(state):
            after[both.expected_view(one)] = one
        found, wrong = [], []
        for move in position.legal_moves:
            position.push(move)
            one = after.get(both.view(position))
            if one is None:
                wrong.append(f"only the script: {move}")
            elif one.living != state.living or one.winners is not None:
                self.check_end(position, one)
            elif position.turn != turn_of(one):
                wrong.append(f"{move}: {position.turn} to move, {turn_of(one)} in the model")
            position.pop()
            if one is not None:
                found.append(one)
        times = Counter(id(one) for one in found)
        wrong += [f"twice in the script: {one}" for one in found if times[id(one)] > 1]
        wrong += [f"only the model: {one}" for one in after.values() if id(one) not in times]
        assert not wrong, (wrong, state)
        return found

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
        preference = self.chooser.random() / self.greed if self.greed else 1
        if preference >= 1:
            return self.chooser.randrange(len(after))

        def gain(number: int) -> tuple[int, int]:
            one = after[number]
            if preference < 1 / 2:
                return -sum(one.living), len(model.checked(one))
            return -sum(one.living), abs(one.board.count(None) - state.board.count(None))

        gains = [gain(number) for number in range(len(after))]
        best = max(gains)
        return self.chooser.choice([n for n, found in enumerate(gains) if found == best])

    def returning_moves(self, state: State, after: list[State]) -> list[int]:
        """Return moves that restore the initial squares of the player's pieces.

        Without such moves, return the moves that do not capture; otherwise all moves.
        """

        def own(one: State) -> frozenset[tuple[int, model.Piece]]:
            return frozenset(
                (at, man) for at, man in enumerate(one.board) if man and man.owner == state.turn
            )

        initial = self.initial_pieces.setdefault(state.turn, own(state))
        quiet = [n for n, one in enumerate(after) if one.hands == state.hands]
        back = [n for n in quiet if own(after[n]) == initial]
        return back or quiet or list(range(len(after)))

    def note(self, before: State, after: State) -> None:
        """Count the events of a move."""
        self.events["check"] += bool(model.checked(after))
        self.events["two in check"] += len(model.checked(after)) > 1
        self.events["out"] += sum(before.living) - sum(after.living)
        turn = (before.turn + 1) % 4
        self.events["shifted"] += before.living[turn] and after.turn != turn
        self.events["drawn"] += after.winners == ()
        self.events["won"] += bool(after.winners)

    def play_game(self, limit: int, begin: tuple[State, dict[str, str]] | None = None) -> None:
        """Play one game to its end, or until `limit` positions were compared.

        `begin` is a state with the eliminated players, each mapped to the player that eliminated
        it; the default is the initial position.
        """
        both = translation(self.options)
        if begin:
            state, position = begin[0], both.begin(*begin)
        else:
            state, position = model.start(self.options), both.game.start()
        self.game_count += 1
        self.initial_pieces.clear()
        end = self.positions + limit
        while not self.check_end(position, state) and self.positions < end:
            after = self.compare(position, state)
            self.positions += 1
            number = self.choose(state, after)
            position.push(position.legal_moves[number])
            self.note(state, after[number])
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

_ARMY = ("pawn", "pawn", "silver", "gold", "rook", "tokin", "promoted silver", "dragon")


def random_options(chooser: random.Random) -> Options:
    """Return a random combination of the options of section 8."""
    hints = get_type_hints(Options)
    values = {
        one.name: chooser.choice(get_args(hints[one.name]) or (True, False))
        for one in fields(Options)
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
    """Return a random position, which may be impossible, and who eliminated each lost player."""
    squares = chooser.sample(SQUARES, len(SQUARES))
    kings, in_hand = _kings(options, chooser)
    if options.rules == "mate":
        out = chooser.sample(PLAYERS, chooser.choice((0, 0, 1, 1, 2)))
    else:
        out = [name for name in PLAYERS if name not in {*in_hand, *(one for one, _ in kings)}]
    living = [name for name in PLAYERS if name not in out]
    eliminated_by = {name: chooser.choice(living) for name in out}
    pieces = {}
    for owner, faces in kings:
        if owner not in out or options.mated_army != "removed":
            pieces[squares.pop()] = f"{owner} king facing {faces}"
    for name in PLAYERS:
        owner = name
        if name in out and options.rules == "mate":
            if options.mated_army == "removed":
                continue
            owner = eliminated_by[name] if options.mated_army == "taken" else name
        for kind in chooser.choices(_ARMY, k=chooser.randint(1, 5)):
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
    mated = {name: tuple(one for one in out if eliminated_by[one] == name) for name in living}
    turn = chooser.choice(living)
    return model.position(
        pieces, options, turn=turn, hands=hands, out=tuple(out), mated=mated
    ), eliminated_by


def random_state(options: Options, chooser: random.Random) -> tuple[State, dict[str, str]]:
    """Return a random start position, and for each eliminated player who eliminated it.

    With `mate`, at most the player to move is in check, and no player has won.
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
