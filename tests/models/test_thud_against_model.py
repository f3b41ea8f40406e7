"""Compare Thud's script with its model: random games, random positions, all options.

With the option `agreement`, players may offer and accept peace; the script stores an offer as a
piece on the position `peace`.  A match has two rounds, in which the players exchange the sides.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Hashable, Iterator
from functools import partial

import pytest

import forthvm
from forthvm.core.bindings.layout import TYPE_MASK
from tests.models import lockstep, thud
from tests.models.thud import DWARFS, TROLLS, Options, State


class Board:
    """Translates states of the model to board cells of a game, so that boards compare fast."""

    def __init__(self, game: forthvm.Game, dwarfs: str = DWARFS, trolls: str = TROLLS) -> None:
        self.squares = [game._loaded.position_index[name] for name in thud.NAMES]
        self.peace = game._loaded.position_index["peace"]
        players = {player.name: player.cell for player in game.player_details}
        self.kinds = {kind.name: kind.number for kind in game.piece_types}
        self.dwarf = players[dwarfs] + self.kinds["dwarf"]
        self.troll = players[trolls] + self.kinds["troll"]
        self.empty = [0] * len(thud.NAMES)
        rock = self.squares[thud.number("h8")]
        self.empty[rock] = game.start().cells[rock]

    def view(self, position: forthvm.Position) -> Hashable:
        # The mark on the position `peace` is compared by piece type only, not by owner.
        return position.cells[: len(self.empty)], position.cells[self.peace] & TYPE_MASK

    def expected_view(self, state: State) -> Hashable:
        cells = self.empty.copy()
        for square in state.dwarfs:
            cells[self.squares[square]] = self.dwarf
        for square in state.trolls:
            cells[self.squares[square]] = self.troll
        mark = "offer" if state.offered else "accept" if state.agreed else ""
        return tuple(cells), self.kinds.get(mark, 0)


def weight(greed: float, before: State, after: State) -> float:
    """Prefer captures according to `greed`; a negative `greed` prefers repetitions instead."""
    captured = len(before.dwarfs) + len(before.trolls) - len(after.dwarfs) - len(after.trolls)
    if greed < 0:
        return 200.0 if is_repetition(after) else 1.0
    return 1.0 + greed * captured


def is_repetition(state: State) -> bool:
    """Return whether the same board occurred since the last capture."""
    earlier = state.previous
    while earlier is not None:
        if (earlier.dwarfs, earlier.trolls) == (state.dwarfs, state.trolls):
            return True
        earlier = earlier.previous
    return False


def successors(options: Options, state: State) -> Iterator[State]:
    for move in thud.moves(state, options):
        yield thud.play(state, move)


TEXT = re.compile(r"(?:dwarf|troll) (\w+) ([-x]) (\w+)((?: x \w+)*)")


def effect_of_text(text: str) -> Hashable:
    """Return start, goal and captured squares of `troll e5 - f6 x f7 x g6` or `dwarf e5 x e8`."""
    found = TEXT.fullmatch(text)
    if found is None:  # offers
        return text.split()[1]
    source, sign, target, captures = found.groups()
    captured = captures.split()[1::2]  # the words after each `x`
    return source, target, frozenset([*captured, target] if sign == "x" else captured)


def effect(before: State, after: State) -> Hashable:
    """Return start, goal and captured squares of a move, or the kind of an offer."""
    if after.offered or after.agreed:
        return "offer" if after.offered else "accept"
    sides = [(before.dwarfs, after.dwarfs), (before.trolls, after.trolls)]
    (old, new), (enemies, remaining) = sides if before.mover == DWARFS else reversed(sides)
    (source,), (target,) = old - new, new - old
    captured = frozenset(thud.NAMES[square] for square in enemies - remaining)
    return thud.NAMES[source], thud.NAMES[target], captured


def comparison(game: forthvm.Game, options: Options, greed: float = 30.0) -> lockstep.Game:
    """Return the functions that compare a game with the model; for `greed` see `weight`."""
    board = Board(game)
    return lockstep.Game(
        view=board.view,
        expected_view=board.expected_view,
        turn=lambda state: state.mover,
        end=lambda state: thud.end(state, options),
        successors=partial(successors, options),
        weight=partial(weight, greed),
        effect_of_text=effect_of_text,
        effect=effect,
    )


def load(options: Options) -> forthvm.Game:
    return forthvm.load(
        "thud",
        settings={
            "troll-capture": options.troll_capture,
            "max-line": str(options.max_line or "none"),
            "repetition": options.repetition,
            "stalemate": options.stalemate,
            "end-after": options.end_after,
            "agreement": "on" if options.agreement else "off",
        },
    )


def begin(game: forthvm.Game, state: State) -> forthvm.Position:
    pieces = [("Nobody", "rock", "h8")]
    pieces += [(DWARFS, "dwarf", thud.NAMES[square]) for square in sorted(state.dwarfs)]
    pieces += [(TROLLS, "troll", thud.NAMES[square]) for square in sorted(state.trolls)]
    return game.start(setup=pieces, turn=state.mover)


def random_position(chooser: random.Random) -> State:
    """Return a random position with up to 40 pieces, often in lines and adjacent to enemies."""
    squares = sorted(thud.PLAYABLE)
    near = [square for square in squares if chooser.random() < 0.35] or squares
    count = chooser.randrange(1, min(len(near), 40) + 1)
    chosen = chooser.sample(near, count)
    trolls = chooser.randrange(0, min(count, 10) + 1)
    mover = chooser.choice((DWARFS, TROLLS))
    return State(frozenset(chosen[trolls:]), frozenset(chosen[:trolls]), mover)


def surrounded_trolls(chooser: random.Random) -> State:
    """Return a position with adjacent trolls surrounded by dwarfs, and some other dwarfs."""
    squares = sorted(thud.PLAYABLE)
    trolls = {chooser.choice(squares)}
    for _ in range(chooser.randrange(4)):
        trolls.add(chooser.choice(sorted(thud.around(trolls))))
    dwarfs = thud.around(trolls)
    dwarfs |= set(chooser.sample(sorted(thud.PLAYABLE - trolls), chooser.randrange(12)))
    return State(frozenset(dwarfs), frozenset(trolls), TROLLS)


COMBINATIONS = [
    Options(*values)
    for values in itertools.product(
        ("all", "choice"),
        (0, 7),
        ("draw", "score", "none"),
        ("loss", "score"),
        (0, 6),
        (False, True),
    )
]


@pytest.mark.slow
def test_random_games() -> None:
    """Compare games from the start, with many captures and with few."""
    options, chooser = Options(), random.Random("thud")
    game = load(options)
    count = 0
    while count < lockstep.POSITIONS // 2:
        for greed, limit in ((300.0, 150), (0.0, 20)):
            rules = comparison(game, options, greed)
            count += lockstep.play_random_game(rules, game.start(), thud.start(), chooser, limit)[0]


@pytest.mark.slow
@pytest.mark.parametrize("capture", ["all", "choice"])
def test_games_from_random_positions(capture: thud.Capture) -> None:
    options, chooser = Options(troll_capture=capture), random.Random(capture)
    game = load(options)
    count = ends = 0
    while count < max(50, lockstep.POSITIONS // 4):
        state = random_position(chooser)
        position = begin(game, state)
        compared, _ = lockstep.play_random_game(
            comparison(game, options), position, state, chooser, 6
        )
        count += compared
        ends += position.result is not None
    assert ends


@pytest.mark.parametrize("stalemate", ["loss", "score"])
def test_surrounded_trolls_end_the_game(stalemate: str) -> None:
    options, chooser = Options(stalemate=stalemate), random.Random(stalemate)
    game = load(options)
    winners = set()
    for _ in range(60):
        state = surrounded_trolls(chooser)
        position = begin(game, state)
        assert lockstep.check_end(comparison(game, options), position, state)
        winners.add(position.result and position.result.winners)
    # By `loss`, the surrounded trolls lose; by `score`, either side may win or the game is drawn.
    assert len(winners) == (1 if stalemate == "loss" else 3)


@pytest.mark.slow
@pytest.mark.parametrize("capture", ["all", "choice"])
@pytest.mark.parametrize("repetition", ["draw", "score", "none"])
def test_games_under_all_combinations_of_options(capture: thud.Capture, repetition: str) -> None:
    """Compare games with few pieces that prefer repetitions and reach different ends."""
    chooser = random.Random(f"{capture} {repetition}")
    ends = set()
    for options in COMBINATIONS:
        if (options.troll_capture, options.repetition) != (capture, repetition):
            continue
        game = load(options)
        for _ in range(2):
            state = random_position(chooser)
            few_pieces = State(
                frozenset(sorted(state.dwarfs)[:4]),
                frozenset(sorted(state.trolls)[:1]),
                state.mover,
            )
            position = begin(game, few_pieces)
            _, last = lockstep.play_random_game(
                comparison(game, options, -1.0), position, few_pieces, chooser, 16
            )
            ends.add(last.quiet if position.result else None)
    assert len(ends) > 1


def play_greedy_game(
    rules: lockstep.Game, position: forthvm.Position, state: object, chooser: random.Random
) -> object:
    """Play a game to its end, preferring captures; compare only the played moves."""
    while not lockstep.check_end(rules, position, state):
        assert position.turn == rules.turn(state)
        after = {rules.expected_view(successor): successor for successor in rules.successors(state)}
        assert len(after) == len(position.legal_moves)
        texts = position.legal_moves.texts
        weights = [1 + 500 * text.count(" x ") for text in texts]
        (index,) = chooser.choices(range(len(texts)), weights)
        position.push(position.legal_moves[index])
        state = after[rules.view(position)]
    return state


@pytest.mark.slow
@pytest.mark.parametrize("capture", ["all", "choice"])
def test_games_to_the_end(capture: thud.Capture) -> None:
    options = Options(troll_capture=capture, end_after=12)
    game = load(options)
    chooser = random.Random(capture)
    last = play_greedy_game(comparison(game, options), game.start(), thud.start(), chooser)
    assert isinstance(last, State)
    assert len(last.dwarfs) < 32


def match_comparison(game: forthvm.Game, options: Options) -> lockstep.Game:
    """Return the comparison of a match of two rounds; one move sets up the second round."""
    first, second = Board(game, "First", "Second"), Board(game, "Second", "First")

    def end(match: thud.Match) -> str | None:
        if match.first is None or thud.end(match.state, options) is None:
            return None
        margin = match.margin()
        return "First" if margin > 0 else "Second" if margin < 0 else ""

    def match_successors(match: thud.Match) -> Iterator[thud.Match]:
        if thud.end(match.state, options) is not None:
            yield match.next_round()
            return
        for state in successors(options, match.state):
            yield thud.Match(state, match.first)

    return lockstep.Game(
        view=first.view,
        expected_view=lambda match: (second if match.first else first).expected_view(match.state),
        turn=lambda match: "First" if match.first_moves() else "Second",
        end=end,
        successors=match_successors,
    )


@pytest.mark.slow
@pytest.mark.parametrize("agreement", [False, True])
def test_match_to_the_end(agreement: bool) -> None:
    options = Options(end_after=10, agreement=agreement)
    game = forthvm.load(
        "thud-match", settings={"end-after": 10, "agreement": "on" if agreement else "off"}
    )
    chooser = random.Random(f"match {agreement}")
    position = game.start()
    last = play_greedy_game(
        match_comparison(game, options), position, thud.Match(thud.start()), chooser
    )
    assert isinstance(last, thud.Match)
    assert last.first is not None
    assert position.variables["margin"] == last.margin()
    assert position.variables["banked"] == thud.score(last.first)[0]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("capture", ["all", "choice"])
def test_numbers_of_move_sequences(capture: thud.Capture) -> None:
    options = Options(troll_capture=capture)
    position = load(options).start()
    for depth in (1, 2):
        assert forthvm.perft(position, depth) == thud.perft(thud.start(), depth, options)
