"""Random games of Yonin Shogi that the script and the model walk through together.

Owns the walk, in which everything that a move leads to is compared (pieces, hands, who is
out, whose turn it is, the end and the winners), and the random positions that games may
begin with.
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

__all__ = ["Walk", "random_options", "random_state", "translation"]


@cache
def translation(options: Options) -> Translation:
    return Translation(forthvm.load("yonin-shogi", settings=settings(options)))


def turn_of(state: State) -> str:
    return model.PLAYERS[state.turn]


@dataclass
class Walk:
    """Random games of one set of options, compared at every step; what was met is counted.

    `greed` is how often a move is not taken at random: then one is preferred that puts
    somebody out, or else one that gives check, or a capture or drop (drops keep hands small
    and lists short).  Who is homesick goes back and forth, so that positions come again.
    """

    options: Options
    chooser: random.Random
    greed: float = 0.6
    homesick: bool = False
    positions: int = 0
    games: int = 0
    met: Counter[str] = field(default_factory=Counter)
    homes: dict[int, frozenset[tuple[int, model.Piece]]] = field(default_factory=dict)

    def compare(self, position: forthvm.Position, state: State) -> list[State]:
        """All moves; gives the model's state after each of the script's."""
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
        """Whether the game is over, for both alike."""
        result = position.result
        assert (result is None) == (state.winners is None), (result, state)
        if result is None:
            assert position.turn == turn_of(state)
        else:
            # A script's result names one winner: of a pair it is one of the two.
            assert set(result.winners) <= set(state.winners or ())
            assert bool(result.winners) != result.draw
            assert result.draw == (not state.winners)
        return result is not None

    def choose(self, state: State, after: list[State]) -> int:
        """The number of a move."""
        if self.homesick:
            return self.chooser.choice(self.going_home(state, after))
        wanted = self.chooser.random() / self.greed if self.greed else 1
        if wanted >= 1:
            return self.chooser.randrange(len(after))

        def gain(number: int) -> tuple[int, int]:
            one = after[number]
            if wanted < 1 / 2:
                return -sum(one.living), len(model.checked(one))
            return -sum(one.living), abs(one.board.count(None) - state.board.count(None))

        gains = [gain(number) for number in range(len(after))]
        best = max(gains)
        return self.chooser.choice([n for n, found in enumerate(gains) if found == best])

    def going_home(self, state: State, after: list[State]) -> list[int]:
        """Moves by which the mover's pieces stand as they stood first; else what takes nothing."""

        def own(one: State) -> frozenset[tuple[int, model.Piece]]:
            return frozenset(
                (at, man) for at, man in enumerate(one.board) if man and man.owner == state.turn
            )

        home = self.homes.setdefault(state.turn, own(state))
        quiet = [n for n, one in enumerate(after) if one.hands == state.hands]
        back = [n for n in quiet if own(after[n]) == home]
        return back or quiet or list(range(len(after)))

    def note(self, before: State, after: State) -> None:
        """Counts what is worth having been met."""
        self.met["check"] += bool(model.checked(after))
        self.met["two in check"] += len(model.checked(after)) > 1
        self.met["out"] += sum(before.living) - sum(after.living)
        turn = (before.turn + 1) % 4
        self.met["shifted"] += before.living[turn] and after.turn != turn
        self.met["drawn"] += after.winners == ()
        self.met["won"] += bool(after.winners)

    def game(self, limit: int, begin: tuple[State, dict[str, str]] | None = None) -> None:
        """One game to its end or that far, from the start or a position (and who put out whom)."""
        both = translation(self.options)
        if begin:
            state, position = begin[0], both.begin(*begin)
        else:
            state, position = model.start(self.options), both.game.start()
        self.games += 1
        self.homes.clear()
        end = self.positions + limit
        while not self.check_end(position, state) and self.positions < end:
            after = self.compare(position, state)
            self.positions += 1
            number = self.choose(state, after)
            position.push(position.legal_moves[number])
            self.note(state, after[number])
            state = after[number]

    def play(self, positions: int, limit: int = 1000, *, anywhere: bool = False) -> Counter[str]:
        """Games until that many positions were compared."""
        while self.positions < positions:
            begin = random_state(self.options, self.chooser) if anywhere else None
            self.game(min(limit, positions), begin)
        return self.met


# --- positions to begin with -------------------------------------------------------------------

_ARMY = ("pawn", "pawn", "silver", "gold", "rook", "tokin", "promoted silver", "dragon")


def random_options(chooser: random.Random) -> Options:
    """Any combination of the values of section 8."""
    hints = get_type_hints(Options)
    values = {
        one.name: chooser.choice(get_args(hints[one.name]) or (True, False))
        for one in fields(Options)
    }
    return Options(**values)


def _kings(options: Options, chooser: random.Random) -> tuple[list[tuple[str, str]], list[str]]:
    """Who has kings on the board (owner, what they face) and in hand."""
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
    """A position at random, and who was put out by whom; it need not make sense."""
    squares = chooser.sample(SQUARES, len(SQUARES))
    kings, held = _kings(options, chooser)
    if options.rules == "mate":
        out = chooser.sample(PLAYERS, chooser.choice((0, 0, 1, 1, 2)))
    else:
        out = [name for name in PLAYERS if name not in {*held, *(one for one, _ in kings)}]
    living = [name for name in PLAYERS if name not in out]
    put_out = {name: chooser.choice(living) for name in out}
    pieces = {}
    for owner, faces in kings:
        if owner not in out or options.mated_army != "removed":
            pieces[squares.pop()] = f"{owner} king facing {faces}"
    for name in PLAYERS:
        owner = name
        if name in out and options.rules == "mate":
            if options.mated_army == "removed":
                continue
            owner = put_out[name] if options.mated_army == "taken" else name
        for kind in chooser.choices(_ARMY, k=chooser.randint(1, 5)):
            at = squares.pop()
            if kind != "pawn" or model.may_stand(at, name):
                pieces[at] = f"{owner} {kind} facing {name}"
    hands = {
        name: " ".join(
            chooser.choices(KINDS[:4], k=chooser.choice((0, 0, 1, 2))) + ["king"] * held.count(name)
        )
        for name in living
    }
    mated = {name: tuple(one for one in out if put_out[one] == name) for name in living}
    turn = chooser.choice(living)
    return model.position(
        pieces, options, turn=turn, hands=hands, out=tuple(out), mated=mated
    ), put_out


def random_state(options: Options, chooser: random.Random) -> tuple[State, dict[str, str]]:
    """A position that a game may begin with, and who was put out by whom.

    With `mate` nobody is in check but perhaps the player to move, and nobody has won yet.
    """
    while True:
        state, put_out = _attempt(options, chooser)
        mover = PLAYERS[state.turn]
        if options.rules == "capture":
            if sum(state.living) > 1 and model.legal(state):
                return state, put_out
        elif (
            set(model.checked(state)) <= {mover}
            and model.legal(state)
            and max(len(losers) for losers in state.mated) < 2
            and not options.partners * sum(map(len, state.mated))
        ):
            return state, put_out
