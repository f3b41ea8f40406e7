"""Compare the moves of the Splut fragments with the rules and with a second implementation.

A throw is two moves: a troll moves onto a stone, which disappears (partial move), and the stone is
dropped where it lands.  Locks are pieces outside the arena that store facts about their owners.  On
f1, g1, h1 and i1 they tell who moved a stone last, on f9 to i9 who levitated it in this turn; on a1
the owner's turn has ended, and on b9 the owner's levitation.  The rules page is rules/splut.md.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping

import pytest

import forthvm
from tests.articles.splut_positions import cells_of, perft, rule_steps, squares_of
from tests.articles.splut_tree import generate
from tests.kit.games import winner
from tests.models import splut
from tests.models.splut_positions import FIRST, FOURTH, SECOND, THIRD
from tests.models.test_models import MOVES_1, MOVES_2, MOVES_3, MOVES_4, changed

Loader = Callable[..., forthvm.Game]
Squares = frozenset[tuple[str, str]]


def setup_of(squares: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return a set-up for `Game.start`; the owner of a stone has no meaning for the fragments."""
    found = []
    for square, piece in squares.items():
        owner, _, kind = piece.rpartition(" ")
        found.append((owner or "West", kind, square))
    return found


# --- "Quiet running", "Stone drag" and "A rock?" alone ---------------------------------------


def test_first_steps_and_drags(load: Loader) -> None:
    position = load("splut-first-steps.4th").start()
    assert [str(move) for move in position.legal_moves] == [
        "troll d5 - d6",
        "troll d5 - d4",
        "troll d5 - c5",
        # A step west drags the stone on e5, the square behind the troll.
        "troll d5 - c5 x e5 South sstone d5",
    ]
    position.push(position.legal_moves[3])
    assert squares_of(position) == {
        "c5": "South troll",
        "d5": "sstone",
        "d3": "nstone",
        "g5": "North troll",
        "g6": "wstone",
        "h5": "estone",
    }
    # North's troll drags the stone on g6 by a step south and the stone on h5 by a step west.
    assert [str(move) for move in position.legal_moves] == [
        "troll g5 - g4",
        "troll g5 - f5",
        "troll g5 - g4 x g6 North wstone g5",
        "troll g5 - f5 x h5 North estone g5",
    ]


def test_drags_follow_the_rules_from_every_square(load: Loader) -> None:
    """Compare steps and drags with the model, for one troll and one stone on all squares."""
    game = load("splut-first-steps.4th")
    checked = 0
    for at in splut.NAMES:
        for stone in ("e5", "a5", "e9", "d4"):
            if at == stone:
                continue
            squares = {at: "South troll", stone: "sstone"}
            state = splut.position(squares, slot=10)
            expected = Counter(
                frozenset(after.squares().items())
                for after in splut.successors(state)
                if not after.thrown_by
            )
            position = game.start(setup=setup_of(squares))
            assert Counter(step.squares for step in rule_steps(position)) == expected
            checked += 1
    assert checked == 4 * 40  # the stone is on one of 41 squares, the troll on the other 40


# --- all fragments together --------------------------------------------------------------


def model_after(state: splut.State, squares: Squares) -> splut.State:
    """Return the successor of a state of the model that has these squares."""
    (after,) = (s for s in splut.successors(state) if frozenset(s.squares().items()) == squares)
    return after


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "teams", "min_positions", "min_throws"),
    [
        ("Duel.4th", splut.DUEL, 600, 5),
        ("Splut.4th", splut.SPLUT, 200, 3),
        pytest.param("Duel.4th", splut.DUEL, 1000, 20, marks=pytest.mark.slow),
        pytest.param("Splut.4th", splut.SPLUT, 1000, 20, marks=pytest.mark.slow),
    ],
)
def test_random_games_follow_the_rules(
    load: Loader, script: str, teams: tuple[str, ...], min_positions: int, min_throws: int
) -> None:
    """Compare effects of moves, team to move and result with the model in random games."""
    game = load(script)
    chooser = random.Random(2014)
    compared = throws = ends = 0
    while compared < min_positions:
        position, state = game.start(), splut.start(teams)
        for _ in range(400):
            won = splut.winner(state)
            assert (position.result is None) == (won is None)
            if won:
                assert winner(position) == won
                ends += 1
                break
            assert position.turn == state.team
            found = rule_steps(position)
            expected = Counter(frozenset(s.squares().items()) for s in splut.successors(state))
            assert Counter(step.squares for step in found) == expected
            compared += 1
            step = chooser.choice(found)
            throws += len(step.path) == 2
            for index in step.path:
                position.push(position.legal_moves[index])
            state = model_after(state, step.squares)
    assert throws > min_throws
    assert ends or teams == splut.SPLUT  # games of four players rarely end within 400 steps


@pytest.mark.sampled(2)
@pytest.mark.parametrize("script", ["Duel.4th", "Splut.4th"])
def test_moves_come_in_the_engines_order(load: Loader, script: str) -> None:
    """Compare texts, order and effects of all moves with the second implementation."""
    game = load(script)
    chooser = random.Random(31)
    partial_positions = 0
    for _ in range(6):
        position = game.start()
        for _ in range(60):
            if position.result:
                break
            before = cells_of(position)
            options = generate(before, position.turn, only_drops=position.is_partial)
            expected = [option.text for option in options] or ["Pass"]  # $passTurnForced
            assert [str(move) for move in position.legal_moves] == expected
            assert [move.is_partial for move in position.legal_moves] == (
                [option.partial for option in options] or [False]
            )
            index = chooser.randrange(len(expected))
            partial_positions += position.is_partial
            position.push(position.legal_moves[index])
            if options:
                after = dict(zip(cell_names(), cells_of(position), strict=True))
                planned = dict(zip(cell_names(), options[index].cells, strict=True))
                # After the move, OnNextTurn of the host script may put a lock on b9.
                after["b9"] = planned["b9"] = ""
                assert after == planned
    assert partial_positions > 0


def cell_names() -> tuple[str, ...]:
    """Return the names of all squares in the order of cells, from a9 to i1."""
    return tuple("abcdefghi"[i % 9] + str(9 - i // 9) for i in range(81))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "counts"),
    # rules/splut.md, section 14, preset `article`.
    [("Splut.4th", [3, 9, 69, 207, 1581]), ("Duel.4th", [3, 9, 78, 78, 707, 5917])],
)
def test_perft_counts_of_the_rules_page(load: Loader, script: str, counts: list[int]) -> None:
    position = load(script).start()
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts


# The positions of the rules page have fewer than four stones.  The fragment lets a troll throw any
# stone that is not on the board (`piece-is-not-present?`), so the tests put the other stones on
# squares without influence.  Locks make North their last mover, so South may not levitate them.
OTHER_STONES = {
    "throws": {"d8": "nstone", "f8": "estone"},
    "own-wizard": {"c3": "wstone", "c7": "nstone", "g3": "estone"},
    "pushes": {"g3": "nstone", "f2": "estone"},
    "levitation": {},
}
_MOVER = {"sstone": "f1", "wstone": "g1", "nstone": "h1", "estone": "i1"}


@pytest.mark.parametrize(
    ("name", "squares", "moves"),
    [
        ("throws", FIRST, MOVES_1),
        ("own-wizard", SECOND, MOVES_2),
        ("pushes", THIRD, MOVES_3),
        ("levitation", FOURTH, MOVES_4),
    ],
)
def test_positions_of_the_rules_page(
    load: Loader, name: str, squares: dict[str, str], moves: list[str]
) -> None:
    others = OTHER_STONES[name]
    locks = [("North", "lock", _MOVER[stone]) for stone in others.values()]
    position = load("Splut.4th").start(setup=[*setup_of({**squares, **others}), *locks])
    expected = Counter(
        frozenset(changed({**squares, **others}, change).items()) for change in moves
    )
    assert Counter(step.squares for step in rule_steps(position)) == expected


def test_throw_is_a_partial_move_and_a_drop(load: Loader) -> None:
    squares = {**FIRST, **OTHER_STONES["throws"]}
    position = load("Splut.4th").start(setup=setup_of(squares))
    (pickup,) = (move for move in position.legal_moves if move.is_partial)
    assert str(pickup) == "troll d5 x e5"
    position.push(pickup)
    assert position.turn == "South"
    # The landing squares in index order: north (e6), west (a5), east onto the wizard (h5), whose
    # team has no other pieces, and south (e4).
    texts = [str(move) for move in position.legal_moves]
    assert texts == [
        "South sstone e6 South lock a1 South lock f1",
        "South sstone a5 South lock a1 South lock f1",
        "South sstone h5 South lock a1 South lock f1",
        "South sstone e4 South lock a1 South lock f1",
    ]


def test_a_missing_stone_can_be_thrown(load: Loader) -> None:
    """The fragment drops any stone missing on the board, which cannot happen under the rules."""
    squares = {"e5": "South troll", "a5": "South wizard", "e9": "North wizard"}
    squares |= {"c3": "wstone", "c7": "nstone", "g3": "estone"}
    position = load("Splut.4th").start(setup=setup_of(squares))
    thrown = [str(move) for move in position.legal_moves if str(move).startswith("South sstone")]
    # The four directions from e5: onto North's wizard, onto the own wizard, and twice to the edge.
    assert thrown == [
        "South sstone e9 South lock a1 South lock f1",
        "South sstone a5 x e5 South lock a1 South lock f1",
        "South sstone i5 South lock a1 South lock f1",
        "South sstone e1 South lock a1 South lock f1",
    ]


def test_removal_of_a_wizard_removes_its_team(load: Loader) -> None:
    squares = {
        "d5": "South troll",
        "c5": "sstone",
        "a5": "West wizard",
        "e1": "West dwarf",
        "g7": "West troll",
        "e9": "South wizard",
        "h4": "North wizard",
        **{"c3": "wstone", "c7": "nstone", "g3": "estone"},
    }
    position = load("Splut.4th").start(setup=setup_of(squares))
    position.push("troll d5 x c5")
    (kill,) = (move for move in position.legal_moves if move.to_square == "a5")
    assert kill.captures == ("e1", "g7")
    position.push(kill)
    for removed in ("e1", "g7", "d5"):
        del squares[removed]
    assert squares_of(position) == {**squares, "c5": "South troll", "a5": "sstone"}


def test_dwarf_pushes_a_row_from_the_stack(load: Loader) -> None:
    squares = {
        "b5": "South dwarf",
        "c5": "sstone",
        "d5": "North troll",
        "e5": "wstone",
        "f5": "South wizard",
    }
    position = load("Splut.4th").start(setup=setup_of(squares))
    texts = position.generated_moves.texts  # one side has won
    # The fragment creates the far end of the row first, and each stone's lock before the stone.
    assert (
        "dwarf b5 x c5 South wizard g5 South lock g1 West wstone f5 North troll e5"
        " South lock f1 West sstone d5"
    ) in texts


def test_unbalanced_stacks_are_errors_in_checked_mode_only(load: Loader) -> None:
    """Test move words with unbalanced stacks, which generate the correct moves.

    push-stone drops three cells where two are left, an error in checked mode.  fly-stone leaves a
    cell for each square that it visits.
    """
    squares = [("South", "wizard", "e5"), ("West", "sstone", "e6"), ("North", "wizard", "e7")]
    position = load("Splut.4th").start(setup=squares)
    assert [str(move) for move in position.legal_moves] == [
        "wizard e5 - e4",
        "wizard e5 - f5",
        "wizard e5 - d5",
        # A step south moves the stone to the wizard's former square.
        "wizard e5 - e4 x e6 South lock f1 South lock f9 South sstone e5",
        "wizard e5 - f5 x e6 South lock f1 South lock f9 South sstone f6",
        "wizard e5 - d5 x e6 South lock f1 South lock f9 South sstone d6",
    ]
    checked_game = load("Splut.4th", checked=True)
    message = "pushing-stones-in-front-of-you.fragment:.*stack underflow"
    with pytest.raises(forthvm.ForthVMError, match=message):
        _ = list(checked_game.start(setup=squares).legal_moves)


# --- "Duel" and "Random": the two complete scripts ------------------------------------------


@pytest.mark.parametrize(
    ("script", "engine"), [("Duel.4th", "Custom-Engine"), ("Random.4th", "$RandomMoveEngine")]
)
def test_configuration_of_two_players(load: Loader, script: str, engine: str) -> None:
    game = load(script)
    assert game.players == ("South", "West", "North", "East", "?Cleaner")
    assert [player.neutral for player in game.player_details] == [
        False,
        True,
        False,
        True,
        False,
    ]
    engines = {player.name: player.engine for player in game.player_details}
    assert engines["South"] == engines["North"] == engine
    assert engines["?Cleaner"] == "$RandomMoveEngine"
    order = [turn.player for turn in game.turn_order]
    assert order == ["South", "North", "North", "?Cleaner", *["South"] * 3, *["North"] * 3]
    assert game.turn_repeat == 3
    position = game.start()
    assert squares_of(position) == splut.DUEL_SETUP
    locks = {
        name: piece
        for name, piece in zip(cell_names(), cells_of(position), strict=True)
        if piece.endswith(" lock")
    }
    assert locks == {"f1": "South lock", "h1": "North lock", "a9": "?Cleaner lock"}


def test_turn_order_repeats(load: Loader) -> None:
    position = load("Random.4th").start()
    turns = []
    for _ in range(18):
        turns.append(position.turn)
        while True:
            position.push(position.legal_moves[0])
            if not position.is_partial:
                break
    first, repeated = ["South", "North", "North"], ["?Cleaner", *["South"] * 3, *["North"] * 3]
    assert turns == [*first, *repeated, *repeated, "?Cleaner"]


def test_random_engine_plays_legal_moves(load: Loader) -> None:
    """Play up to 200 moves of the engine {random}."""
    game = load("Random.4th")
    engine = forthvm.engines.get("script")
    position = game.start()
    for _ in range(200):
        if position.result:
            break
        move = engine.play(position).move
        assert move in list(position.legal_moves)
        position.push(move)
    assert position.ply > 20
