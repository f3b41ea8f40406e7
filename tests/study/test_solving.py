"""Graphs of positions and solutions, compared with published numbers, models and brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forthvm
from forthvm.study import solving
from forthvm.study.position_graph import CHANCE, Graph, Unsolvable, explore
from forthvm.study.solving import Solution, solve
from tests.kit.boards import grid
from tests.kit.files import write
from tests.kit.games import loaded
from tests.kit.messages import raises

DICE = Path(__file__).resolve().parent.parent / "game_api" / "dice.4th"


def solution_of(game: str | Path, max_positions: int = 10_000) -> Solution:
    return solve(explore(forthvm.load(game).start(), max_positions=max_positions))


@pytest.fixture(scope="module")
def tictactoe() -> Graph:
    return explore(loaded("tictactoe").start(), max_positions=10_000)


# --- tic-tac-toe ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_tictactoe_has_the_published_numbers(tictactoe: Graph) -> None:
    """The numbers of games and positions are from two publications.

    Games by result and by length, and the 5,478 positions: H. Bottomley, How many games of
    Tic-Tac-Toe (noughts and crosses) are there? (2001).  The 958 decided positions, of which X won
    626: D. Aha, Tic-Tac-Toe Endgame, UCI Machine Learning Repository (1991).
    """
    solved = solve(tictactoe)
    all_games = solved.all_games
    assert all_games is not None
    assert (solved.seats, solved.positions, solved.decided) == (("X", "O"), 5478, 958)
    assert sum(scores == (1.0, 0.0) for scores in tictactoe.scores.values()) == 626
    assert all_games.total == 255_168
    assert all_games.by_result() == {(1.0, 0.0): 131_184, (0.0, 1.0): 77_904, (0.5, 0.5): 46_080}
    assert all_games.by_length() == {5: 1440, 6: 5328, 7: 47_952, 8: 72_576, 9: 127_872}
    assert solved.guaranteed == (0.5, 0.5)
    assert not solved.endless


@pytest.mark.slow
def test_numbers_of_sequences_equal_perft(tictactoe: Graph) -> None:
    all_games = solve(tictactoe).all_games
    start = loaded("tictactoe").start()
    assert all_games.sequences[:6] == tuple(forthvm.perft(start, depth) for depth in range(6))


Cells = tuple[int, ...]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def mark(cells: Cells, at: int) -> Cells:
    """Return the cells after the player to move has marked cell `at`."""
    player = 1 if cells.count(0) % 2 else 2
    return (*cells[:at], player, *cells[at + 1 :])


def result_for_x(cells: Cells) -> float | None:
    """Return X's score, None if the game is not over."""
    for first, second, third in LINES:
        if cells[first] and cells[first] == cells[second] == cells[third]:
            return float(cells[first] == 1)
    return None if 0 in cells else 0.5


@pytest.mark.slow
def test_values_of_all_positions_and_random_play(tictactoe: Graph) -> None:
    """The numbers equal those of a model of the rules, by minimax and expectation."""

    @cache
    def model_values(cells: Cells) -> tuple[float, float, float, float, float]:
        """Return the value, and the mean score, plies, choices and legal moves of random games."""
        final_value = result_for_x(cells)
        if final_value is not None:
            return final_value, final_value, 0.0, 0.0, 0.0
        after = [model_values(mark(cells, at)) for at in range(9) if not cells[at]]
        count = len(after)
        best = (max if cells.count(0) % 2 else min)(values[0] for values in after)
        means = [sum(values[at] for values in after) / count for at in range(1, 5)]
        return best, means[0], means[1] + 1, means[2] + 1, means[3] + count

    start = (0,) * 9
    _, mean, plies, choices, moves = model_values(start)
    positions, waiting = {start}, [start]
    while waiting:
        cells = waiting.pop()
        if result_for_x(cells) is None:
            new_positions = {mark(cells, at) for at in range(9) if not cells[at]} - positions
            positions |= new_positions
            waiting += new_positions
    counts = Counter(model_values(cells)[0] for cells in positions)
    solved = solve(tictactoe)
    assert solved.all_games is not None
    for_x, for_o = solved.prospects
    assert (for_x.won, for_x.level, for_x.lost) == (counts[1.0], counts[0.5], counts[0.0])
    assert for_x.other == 0
    assert (for_o.won, for_o.lost) == (for_x.lost, for_x.won)
    play = solved.all_games.random
    assert play.score(0) == pytest.approx(mean)
    assert play.plies == pytest.approx(plies)
    assert (play.choices, play.moves) == pytest.approx((choices, moves / choices))


# --- other games ---------------------------------------------------------------------------------


def test_dice_game_equals_a_model() -> None:
    """If a throw is too high, the player passes, so positions repeat; there are no choices."""

    @cache
    def win_probability(own: int, other: int, depth: int) -> float:
        """Return the probability that the player to throw wins, given the remaining squares."""
        if not depth:
            return 0.5
        total = 0.0
        for steps in (1, 2):
            if steps == own:
                total += 1.0
            else:
                remaining = own - steps if steps < own else own
                total += 1 - win_probability(other, remaining, depth - 1)
        return total / 2

    solved = solution_of(DICE)
    # White's first move is a single step, before any throw.
    assert solved.guaranteed[0] == pytest.approx(1 - win_probability(8, 7, 200))
    assert sum(solved.guaranteed) == pytest.approx(1)
    assert solved.endless
    assert solved.all_games is None


RACE = grid(3, 3, "e", players="N E S")
RACE += """\
: one e verify from here move add-move ;
: two e verify e verify from here move add-move ;
{moves men {move} one {move} two moves}
{pieces {piece} man {moves} men pieces}
{board-setup {setup} N man a3 {setup} E man a2 {setup} S man a1 board-setup}
: mine? ( pos -- ? ) DUP empty-at? IF DROP FALSE ELSE friend-at? ENDIF ;
: OnIsGameOver #UnknownScore c1 mine? c2 mine? OR c3 mine? OR IF DROP #WinScore ENDIF ;
"""
"""Three men, each on its own row; a man that is on the last square at its turn wins."""


def test_race_of_three_players_equals_a_model(tmp_path: Path) -> None:
    @cache
    def games_from(
        men: tuple[int, int, int], turn: int, ply: int
    ) -> tuple[tuple[int, int, float], ...]:
        """Return winner, plies and probability of every game from a position."""
        if men[turn] == 2:
            return ((turn, ply, 1.0),)
        steps = [step for step in (1, 2) if men[turn] + step <= 2]
        games = []
        for step in steps:
            after = (*men[:turn], men[turn] + step, *men[turn + 1 :])
            assert len(after) == 3
            games += [
                (winner, plies, probability / len(steps))
                for winner, plies, probability in games_from(after, (turn + 1) % 3, ply + 1)
            ]
        return tuple(games)

    path = write(tmp_path / "three.4th", RACE)
    solved = solution_of(path)
    games = games_from((0, 0, 0), 0, 0)
    all_games = solved.all_games
    assert all_games is not None
    assert solved.seats == ("N", "E", "S")
    assert solved.guaranteed == (1.0, 0.0, 0.0)  # N moves two steps and cannot be stopped
    assert all_games.by_length() == Counter(plies for _, plies, _ in games)
    assert all_games.by_result() == {
        tuple(float(at == winner) for at in range(3)): count
        for winner, count in Counter(winner for winner, _, _ in games).items()
    }
    for at in range(3):
        probability = sum(probability for winner, _, probability in games if winner == at)
        assert all_games.random.score(at) == pytest.approx(probability)


LINE = """\
{before}
{{board 1 5 {{grid}} board}}
{{directions 0 1 {{direction}} e 0 -1 {{direction}} w directions}}
{{players {{player}} Left {{player}} Right players}}
{{turn-order {{turn}} Left {{turn}} Right turn-order}}
: step ( 'dir -- ) EXECUTE verify empty? verify from here move {rule} add-move ;
: go-e ['] e step ;
: go-w ['] w step ;
{{moves men {{move}} go-e {{move}} go-w moves}}
{{pieces {{piece}} man {{moves}} men pieces}}
{{board-setup {{setup}} Left man a1 {{setup}} Right man e1 board-setup}}
: OnIsGameOver #UnknownScore {over} ;
"""
LOST = "stalemate? IF DROP #LossScore ENDIF"


def write_line(folder: Path, *, before: str = "", rule: str = "", over: str = LOST) -> Path:
    """Write a script of two men on a line; by default, the player who cannot move loses."""
    return write(folder / "line.4th", LINE.format(before=before, rule=rule, over=over))


def test_line_with_repeated_positions_is_won_by_left(tmp_path: Path) -> None:
    """Left advances whenever possible; Right must move back until it cannot move.

    Two men can be placed in ten ways with Left's man to the left.  The parity of the men's distance
    determines the player to move.  The placement a1 b1 cannot occur, and the game ends at d1 e1.
    """
    solved = solution_of(write_line(tmp_path))
    assert (solved.positions, solved.decided, solved.endless) == (9, 1, True)
    assert solved.guaranteed == (1.0, 0.0)
    assert vars(solved.prospects[0]) == {"won": 9, "level": 0, "lost": 0, "other": 0}
    assert solved.all_games is None


def test_endless_play_has_equal_scores(tmp_path: Path) -> None:
    """No player can win, because a player without moves passes."""
    solved = solution_of(write_line(tmp_path, over=""))
    assert solved.guaranteed == (0.5, 0.5)
    assert solved.decided == 0


def test_memory_of_the_script_is_compared(tmp_path: Path) -> None:
    """A variable counts plies modulo 2, which the turn determines, or modulo 3."""

    def model(period: int) -> int:
        """Count the positions of a model: placement of both men, turn and counter."""
        positions = {(0, 4, 0, 0)}
        waiting = list(positions)
        while waiting:
            left, right, turn, phase = waiting.pop()
            for step in (1, -1):
                one, other = (left + step, right) if turn == 0 else (left, right + step)
                after = (one, other, 1 - turn, (phase + 1) % period)
                if 0 <= one < other <= 4 and after not in positions:
                    positions.add(after)
                    waiting.append(after)
        return len(positions)

    before = "VARIABLE phase\n: tick ( -- ) phase @ 1+ {} MOD phase ! ;"
    for period in (2, 3):
        path = write_line(tmp_path, before=before.format(period), rule="COMPILE tick")
        assert solution_of(path).positions == model(period)
    assert model(3) > model(2)
    # OnForget may clear what results depend on, as the script of chess does: it is not run.
    forgets = f"{before.format(3)}\n: OnForget ( -- ) phase OFF ;"
    graph = explore(
        forthvm.load(write_line(tmp_path, before=forgets, rule="COMPILE tick")).start(),
        max_positions=1000,
    )
    assert len(graph.turns) == model(3)
    assert len(set(graph.keys)) == model(2)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"rule": "turn-number 5000 > verify-not"}, "solving.more-than-positions"),
        ({"over": "1 2 RAND-WITHIN DROP"}, "solving.random-numbers"),
        ({"over": "repetition-reset"}, "solving.earlier-positions"),
        ({"over": "SYSTEM-TIME DROP"}, "solving.clock"),
    ],
)
def test_solving_refuses_unsupported_games(
    tmp_path: Path, parts: dict[str, str], reason: str
) -> None:
    words = ": verify-not ( ? -- ) 0= verify ;\n"
    path = write_line(tmp_path, before=words, **parts)
    with raises(Unsolvable, reason):
        explore(forthvm.load(path).start(), max_positions=300)


@pytest.mark.slow
def test_exceeded_limits_raise() -> None:
    start = loaded("tictactoe").start()
    with raises(Unsolvable, "solving.too-many-positions"):
        explore(start, max_positions=5477)
    with raises(Unsolvable, "solving.out-of-time"):
        explore(start, max_positions=10_000, seconds=0)
    assert start.ply == 0


def test_solving_from_a_position() -> None:
    """X has two in a row and is to move."""
    start = loaded("tictactoe").start()
    for move in ("a1", "b2", "a2", "b3"):
        start.push(move)
    assert solve(explore(start, max_positions=1000)).guaranteed == (1.0, 0.0)
    assert solve(explore(start, max_positions=1000)).positions < 300


# --- random graphs -------------------------------------------------------------------------------

SEATS = ("A", "B", "C")


@st.composite
def graphs(draw: st.DrawFn, *, acyclic: bool, with_chance: bool) -> Graph:
    """Generate small graphs, with or without cycles and chance nodes."""
    seats = SEATS[: draw(st.integers(1, 3))]
    size = draw(st.integers(1, 12))
    moves: list[tuple[int, ...]] = []
    scores = {}
    for at in range(size):
        low = at + 1 if acyclic else 0
        options = st.lists(st.integers(low, size - 1), min_size=1, max_size=3)
        goes_on = low < size and draw(st.integers(0, 3)) > 0
        moves.append(tuple(draw(options)) if goes_on else ())
        if not goes_on:
            winners = draw(st.sets(st.sampled_from(seats))) or set(seats)
            scores[at] = tuple(1 / len(winners) if seat in winners else 0.0 for seat in seats)
    first_turn = CHANCE if with_chance else 0  # CHANCE is -1
    turns = tuple(draw(st.integers(first_turn, len(seats) - 1)) for _ in range(size))
    return Graph(
        seats=seats,
        turns=turns,
        moves=tuple(moves),
        keys=tuple(range(size)),
        stuck=frozenset(),
        scores=scores,
        probabilities={},
    )


def values_after(graph: Graph, seat: int, rounds: int) -> list[float]:
    """Return the guaranteed scores of a seat if games are drawn after `rounds` plies."""
    fair = 1 / len(graph.seats)
    values = [
        graph.scores[at][seat] if at in graph.scores else fair for at in range(len(graph.moves))
    ]
    for _ in range(rounds):
        values = [
            graph.scores[at][seat] if at in graph.scores else _step(graph, seat, at, values)
            for at in range(len(graph.moves))
        ]
    return values


def _step(graph: Graph, seat: int, at: int, values: list[float]) -> float:
    values_after_moves = [values[after] for after in graph.moves[at]]
    if graph.turns[at] == CHANCE:
        return sum(values_after_moves) / len(values_after_moves)
    best = max if graph.turns[at] == seat else min
    return best(values_after_moves)


@pytest.mark.slow
@given(graphs(acyclic=False, with_chance=False))
@settings(max_examples=100, deadline=None)
def test_best_play_with_repetitions_equals_brute_force(graph: Graph) -> None:
    """A forced end is reached within as many plies as there are positions."""
    for seat in range(len(graph.seats)):
        expected = values_after(graph, seat, len(graph.moves))
        assert solving._values_without_chance(graph, seat) == expected
        assert solve(graph).guaranteed[seat] == expected[0]


@pytest.mark.slow
@given(graphs(acyclic=True, with_chance=True))
@settings(max_examples=100, deadline=None)
def test_best_play_without_repetitions_equals_brute_force(graph: Graph) -> None:
    solved = solve(graph)
    for seat in range(len(graph.seats)):
        assert solved.guaranteed[seat] == pytest.approx(
            values_after(graph, seat, len(graph.moves))[0]
        )
    assert not solved.endless


@pytest.mark.slow
@given(graphs(acyclic=False, with_chance=True))
@settings(max_examples=100, deadline=None)
def test_best_play_with_chance_and_repetitions_equals_brute_force(graph: Graph) -> None:
    solved = solve(graph)
    if solved.guaranteed and graph.has_chance_nodes:
        for seat in range(len(graph.seats)):
            assert solved.guaranteed[seat] == pytest.approx(
                values_after(graph, seat, 1000)[0], abs=1e-6
            )


def games_with_probabilities(
    graph: Graph, path: tuple[int, ...], probability: float
) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield the positions and the probability of each game that continues `path`."""
    moves = graph.moves[path[-1]]
    if not moves:
        yield path, probability
    for after in moves:
        yield from games_with_probabilities(graph, (*path, after), probability / len(moves))


@pytest.mark.slow
@given(graphs(acyclic=True, with_chance=True))
@settings(max_examples=50, deadline=None)
def test_statistics_of_all_games_equal_enumeration(graph: Graph) -> None:
    all_games = solve(graph).all_games
    assert all_games is not None
    games: Counter[tuple[int, tuple[float, ...]]] = Counter()
    probabilities: dict[tuple[int, tuple[float, ...]], float] = {}
    choices = options = forced = 0.0
    for path, probability in games_with_probabilities(graph, (0,), 1.0):
        end_of_game = (len(path) - 1, graph.scores[path[-1]])
        games[end_of_game] += 1
        probabilities[end_of_game] = probabilities.get(end_of_game, 0.0) + probability
        for at, _ in pairwise(path):
            if graph.turns[at] != CHANCE:
                choices += probability
                options += probability * len(graph.moves[at])
                forced += probability * (len(graph.moves[at]) == 1)
    assert all_games.games == games
    assert all_games.random.results == pytest.approx(probabilities)
    assert all_games.random.choices == pytest.approx(choices)
    if choices:
        assert all_games.random.moves == pytest.approx(options / choices)
        assert all_games.random.forced == pytest.approx(forced / choices)
