"""Compare Go with the model, in random games and with published counts of small boards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import forthvm
from tests.models import placements
from tests.models.go import BLACK, WHITE, Rules, State

FOLDER = Path(__file__).parents[2] / "scripts" / "go"


def point_of(text: str) -> str:
    """Return the point of the stone, or `Pass`."""
    return text if text == "Pass" else text.split()[2]


def small_board(folder: Path, rows: int, columns: int, **settings: str) -> forthvm.Game:
    """Load the rules for a board of another size."""
    path = folder / "small.4th"
    path.write_text(
        f"{{board {rows} {columns} {{grid}} {{variable}} passes board}}\nLOAD rules.4th\n",
        encoding="utf-8",
    )
    return forthvm.load(path, include=[FOLDER], settings=settings)


def compare_random_game(
    position: forthvm.Position, state: State, chooser: random.Random, passes: float
) -> Iterator[State]:
    """Compare a game in which a share of the moves are passes; yield each state."""
    while legal := placements.check(position, state, point_of):
        yield state
        points = sorted(legal.keys() - {"Pass"})
        point = "Pass" if not points or chooser.random() < passes else chooser.choice(points)
        position.push(next(t for t in position.legal_moves.texts if point_of(t) == point))
        state = legal[point]


def compare_random_games(
    game: forthvm.Game, rules: Rules, positions: int, passes: float
) -> Counter[str]:
    """Compare random games; return how often stones were captured and superko forbade a move."""
    chooser, compared, seen = random.Random(f"{rules}"), 0, Counter[str]()
    while compared < positions:
        position = game.start()
        before = State(rules)
        for state in compare_random_game(position, before, chooser, passes):
            compared += 1
            seen["captures"] += len(state.stones) < len(before.stones)
            seen["forbidden"] += forbidden_by_superko(state)
            before = state
            if compared >= positions:
                break
        seen[str(position.result and position.result.winners)] += 1
    return seen


def forbidden_by_superko(state: State) -> bool:
    """Whether a move would be legal if boards could be repeated."""
    free = State(state.rules, state.stones, state.turn, earlier=frozenset())
    return len(free.legal()) > len(state.legal())


SIZES = [(9, "go-9x9", 300, 3_000), (13, "go-13x13", 100, 500), (19, "go", 50, 200)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "name", "positions"),
    [
        *((size, name, quick) for size, name, quick, _ in SIZES),
        *(
            pytest.param(size, name, thorough, marks=pytest.mark.slow)
            for size, name, _, thorough in SIZES
        ),
    ],
)
def test_random_games(size: int, name: str, positions: int) -> None:
    seen = compare_random_games(forthvm.load(name), Rules(size, size), positions, 0.01)
    assert seen["captures"] or positions < 300
    assert seen["forbidden"] or positions < placements.THOROUGH


@pytest.mark.slow
@pytest.mark.parametrize("positions", [400, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (3, 2), (3, 3), (4, 3), (5, 5)])
def test_small_boards(
    tmp_path: Path, columns: int, rows: int, suicide: bool, positions: int
) -> None:
    """Compare games on small boards, in which most positions have moves that superko forbids."""
    game = small_board(tmp_path, rows, columns, komi="0", suicide="legal" if suicide else "illegal")
    rules = Rules(columns, rows, 0, suicide)
    seen = compare_random_games(game, rules, positions, 0.1)
    assert seen["captures"]
    assert seen["forbidden"] or positions < 2000
    assert len(seen) > 3  # with different results


def count_games(position: forthvm.Position) -> int:
    """Count the games from a position in which either player may move, passes apart."""
    total = 1
    for of_other_player in (False, True):
        if of_other_player:
            position.push("Pass")
        for move in list(position.legal_moves):
            if not move.is_pass:
                position.push(move)
                total += count_games(position)
                position.pop()
        if of_other_player:
            position.pop()
    return total


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "games"), [(1, 1), (2, 9), (3, 907)])
def test_published_numbers_of_games(tmp_path: Path, columns: int, games: int) -> None:
    """Compare with John Tromp and Gunnar Farnebäck, Combinatorics of Go, on boards of one row."""
    game = small_board(tmp_path, 1, columns, suicide="legal")
    assert count_games(game.start()) == games


LEGAL = [(2, 2, 57), (3, 2, 489), (3, 3, 12675), pytest.param(4, 3, 321689, marks=pytest.mark.slow)]


@pytest.mark.parametrize(("columns", "rows", "legal"), LEGAL)
def test_published_numbers_of_legal_boards(
    tmp_path: Path, columns: int, rows: int, legal: int
) -> None:
    """Count the boards on which all groups have liberties (Tromp and Farnebäck)."""
    path = tmp_path / "count.4th"
    path.write_text(
        f"{{board {rows} {columns} {{grid}} {{variable}} passes board}}\nLOAD rules.4th\n"
        ": stone-or-none ( n -- piece ) DUP IF 2048 * STONE + ENDIF ;\n"
        ": put-board ( n -- )"
        " #points 0 DO 3 /MOD SWAP stone-or-none I board[] ! LOOP DROP ;\n"
        ": alive? ( group -- ? ) DUP first-in-group empty-at? SWAP liberties 0> OR ;\n"
        ": legal? ( -- ? ) note-groups TRUE groups @ 1+ 1 DO I alive? AND LOOP ;\n"
        ": count-legal ( end -- n )"
        " 0 SWAP 0 DO I put-board legal? IF 1+ ENDIF LOOP ;\n",
        encoding="utf-8",
    )
    game = forthvm.load(path, include=[FOLDER])
    assert game._loaded.vm.call("count-legal", 3 ** (columns * rows)) == (legal,)


@pytest.mark.slow
def test_areas_of_random_boards() -> None:
    game, chooser = forthvm.load("go-9x9"), random.Random(5)
    points = list(product(range(9), repeat=2))
    for _ in range(100):
        chosen = chooser.sample(points, chooser.randrange(10, 80))
        stones = {point: chooser.choice((BLACK, WHITE)) for point in chosen}
        state = State(Rules(), stones, passes=2)
        setup = [(owner, "stone", point) for point, owner in state.owners().items()]
        position = game.start(setup=setup)
        position.push("Pass")
        position.push("Pass")
        areas = state.areas()
        assert position.result is not None
        told = [remark.text for remark in position.remarks()]
        assert told == [f"{player} has an area of {areas[player]}" for player in (BLACK, WHITE)]
        assert position.result.winners == ((winner,) if (winner := state.winner()) else ())


@pytest.mark.slow
def test_equal_keys_have_equal_moves_with_suicide(tmp_path: Path) -> None:
    game = small_board(tmp_path, 2, 3, komi="0", suicide="legal")
    moves: dict[int, tuple[str, ...]] = {}
    choices = random.Random(1)
    repeated = 0
    for _ in range(100):
        position = game.start()
        while position.result is None and position.ply < 300:
            texts = tuple(position.legal_moves.texts)
            repeated += position.key in moves
            assert moves.setdefault(position.key, texts) == texts
            stones = [text for text in texts if text != "Pass"]
            position.push(choices.choice(stones or texts))
    assert repeated > 100
