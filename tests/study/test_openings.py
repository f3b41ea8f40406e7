"""Opening trees, compared with counts by a model of the rules, and their output."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forthvm
from forthvm.autoplay import Store, StoreError, UntrustedError
from forthvm.core.errors import ForthVMError
from forthvm.study import OpeningTree, StudyError, position_key
from forthvm.study.openings_text import document, lines
from forthvm.study.replays import recorded_games
from tests.autoplay.results import write_random_match
from tests.kit.files import write
from tests.kit.games import loaded, play, script_of
from tests.kit.messages import raises
from tests.study.recorded import write_games

WON_BY_X, DRAWN, WON_BY_O = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)
GAMES = [
    ("a1 b2 c3 a3 c1 c2 b1", WON_BY_X),
    ("c3 b2 a1 a3 c1 c2 b1", WON_BY_X),  # transposes into the first game after 3 plies
    ("a1 b2 c3", WON_BY_O),  # decided by forfeit
    ("b2 a1 c3", DRAWN),
]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_games(tmp_path_factory.mktemp("openings") / "results.db", GAMES)


def test_moves_are_counted_with_their_results(results: Path) -> None:
    tree = OpeningTree.from_results(results)
    assert (tree.game, tree.games, tree.seats) == ("tictactoe", 4, ("X", "O"))
    assert [(move.text, move.tally.games) for move in tree.root.moves] == [
        ("X mark a1", 2),
        ("X mark b2", 1),
        ("X mark c3", 1),
    ]
    root = tree.root.tally
    assert (root.games, root.won, root.lost, root.points) == (4, [2, 1], [1, 2], [2.5, 1.5])
    assert (root.score(0), root.drawn(0)) == (0.625, 1)
    first = tree.root.moves[0].tally
    assert (first.won, first.lost, first.score(1)) == ([1, 1], [1, 1], 0.5)


def test_transpositions_are_merged(results: Path) -> None:
    tree = OpeningTree.from_results(results)
    node = tree.follow("X mark a1", "O mark b2", "X mark c3")
    assert node is tree.follow("X mark c3", "O mark b2", "X mark a1")
    assert node.tally.games == 3
    assert tree.root.moves[0].tally.games == 2
    # The order of plies 1 and 3 gives two positions after 1 ply, and two after 2 plies.
    assert len(tree) == 1 + (2 + 1) + (2 + 1) + (1 + 1) + 4


def test_games_with_different_seeds_share_keys_with_new_games(results: Path) -> None:
    tree = OpeningTree.from_results(results)
    position = play(loaded("tictactoe").start(), "X mark a1")
    node = tree.at(position)
    assert (node.key, node.turn, node.ply) == (position_key(position), "O", 1)
    seeded = position.copy()
    seeded.seed(77)
    assert seeded.key != position.key
    assert tree.at(seeded) is node
    position.push("O mark c2")
    assert tree.at(position) is None
    with raises(StudyError, "openings.another-game"):
        tree.at(loaded("breakthrough").start())


def test_only_the_first_plies_are_read(results: Path) -> None:
    tree = OpeningTree.from_results(results, plies=2)
    assert max(node.ply for node in tree) == 2
    node = tree.follow("X mark a1", "O mark b2")
    assert [(move.text, tree.after(move)) for move in node.moves] == [("X mark c3", None)]
    with raises(StudyError, "openings.beyond-the-tree"):
        tree.follow("X mark a1", "O mark b2", "X mark c3")


def test_ended_positions_are_marked(results: Path) -> None:
    tree = OpeningTree.from_results(results)
    node = tree.follow(*(f"{'XO'[at % 2]} mark {to}" for at, to in enumerate(GAMES[0][0].split())))
    assert (node.ended, node.moves) == (True, [])
    assert "No moves: the game is over." in lines(tree, node)
    stopped = tree.follow("X mark b2", "O mark a1", "X mark c3")
    assert "No moves: no move is recorded." in lines(tree, stopped)


def test_several_files_and_one_entrant(results: Path, tmp_path: Path) -> None:
    second = write_games(tmp_path / "second.db", [("b2", DRAWN)])
    tree = OpeningTree.from_results([results, second])
    assert tree.games == 5
    assert tree.root.moves_by_text["X mark b2"].tally.games == 2
    assert OpeningTree.from_results([results, second], entrant="A").games == 5
    with raises(StudyError, "openings.unknown-entrant"):
        OpeningTree.from_results(results, entrant="C")


def test_void_games_do_not_count(tmp_path: Path) -> None:
    path = write_games(tmp_path / "void.db", [("b2", ())], void=True)
    with raises(StudyError, "openings.no-games"):
        OpeningTree.from_results(path)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "splut-duel", "ur"])
def test_counts_equal_those_of_the_records(game: str, tmp_path: Path) -> None:
    """Partial moves, chance moves and passes are plies, too."""
    path = tmp_path / "results.db"
    write_random_match(path, game, games=6, max_plies=30)
    tree = OpeningTree.from_results(path, plies=12)
    with Store.open(path) as store:
        rows = list(store.games())
    assert tree.root.tally.games == len(rows)
    assert Counter({move.text: move.tally.games for move in tree.root.moves}) == Counter(
        row.moves[0][1] for row in rows
    )
    positions: dict[int, set[int]] = defaultdict(set)
    moves: dict[tuple[int, str], set[int]] = defaultdict(set)
    for recorded in recorded_games([path]):
        for ply in recorded.plies(12):
            key = position_key(ply.position)
            positions[key].add(recorded.row.id)
            if ply.move is not None:
                moves[key, ply.move].add(recorded.row.id)
    assert {node.key: node.tally.games for node in tree} == {
        key: len(games) for key, games in positions.items()
    }
    assert {(node.key, move.text): move.tally.games for node in tree for move in node.moves} == {
        move: len(games) for move, games in moves.items()
    }


@pytest.mark.slow
def test_position_that_occurs_twice_in_a_game_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    write_random_match(path, "ur", games=4, max_plies=200)
    tree = OpeningTree.from_results(path, plies=200)
    assert max(node.tally.games for node in tree) == 4
    assert all(move.tally.games <= node.tally.games for node in tree for move in node.moves)


def test_unknown_moves_name_moves_that_were_played(results: Path) -> None:
    tree = OpeningTree.from_results(results)
    with raises(StudyError, "openings.unknown-first-move"):
        tree.follow("X mark a2")
    with raises(StudyError, "openings.unknown-move"):
        tree.follow("X mark b2", "nonsense")


def test_bad_files_are_refused(results: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    write_random_match(other, "breakthrough")
    with raises(StudyError, "openings.games-of-another-game"):
        OpeningTree.from_results([results, other])
    with raises(StudyError, "openings.no-files"):
        OpeningTree.from_results([])
    with raises(StoreError, "openings.missing"):
        OpeningTree.from_results(tmp_path / "missing.db")
    text = tmp_path / "text.db"
    text.write_text("not a database")
    with raises(StoreError, "openings.not-a-results-file"):
        OpeningTree.from_results(text)
    illegal = write_games(tmp_path / "illegal.db", [("a1 a1", DRAWN)])
    with raises(StudyError, "openings.game-differs"):
        OpeningTree.from_results(illegal)
    with raises(StudyError, "openings.too-many-positions"):
        OpeningTree.from_results(results, max_positions=3)
    with raises(ValueError, "openings.no-plies"):
        OpeningTree(plies=0)


def test_changed_scripts_need_trust(tmp_path: Path) -> None:
    script = write(tmp_path / "mine.4th", script_of("tictactoe"))
    path = write_games(tmp_path / "results.db", GAMES, game=script)
    assert OpeningTree.from_results(path).games == 4
    write(script, script_of("tictactoe") + "\n\\ changed\n")
    with raises(UntrustedError, "openings.changed-sources"):
        OpeningTree.from_results(path)
    assert OpeningTree.from_results(path, trust=True).games == 4


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("moves", "[[1,2]]"),
        ("moves", '[["X","X mark a1\\u0000"]]'),
        ("outcome", '{"Nobody":1}'),
        ("seats", '{"Nobody":"A"}'),
        ("pair", "-1"),
    ],
)
def test_edited_results_raise_errors_of_forthvm(tmp_path: Path, column: str, value: str) -> None:
    path = write_games(tmp_path / "results.db", GAMES)
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE games SET {column} = ? WHERE id = 2", (value,))
    connection.close()
    if column == "seats":
        connection = sqlite3.connect(path)
        with connection:
            connection.execute("UPDATE games SET outcome = ? WHERE id = 2", ('{"Nobody":1}',))
        connection.close()
    with pytest.raises(ForthVMError):
        OpeningTree.from_results(path)


# --- output ---------------------------------------------------------------------------------------

TABLE = """\
tictactoe: 4 games, 13 positions in the first 20 plies
Position {key}, ply 0, X to move: 4 games; X scores 62.5 % (2 won, 1
drawn, 1 lost)

move           player  games  share  score  won  drawn  lost  reached
X mark a1           X      2   50.0   50.0    1      0     1        2
  O mark b2         O      2  100.0   50.0    1      0     1        2
    X mark c3       X      2  100.0   50.0    1      0     1        3
X mark b2           X      1   25.0   50.0    0      1     0        1
  O mark a1         O      1  100.0   50.0    0      1     0        1
    X mark c3       X      1  100.0   50.0    0      1     0        1
X mark c3           X      1   25.0  100.0    1      0     0        1
  O mark b2         O      1  100.0    0.0    0      0     1        1
    X mark a1       X      1  100.0  100.0    1      0     0        3

games: in which the move was played; share: of the games in the position, in
percent; score: average of the player who moves, in percent; reached: games that
reached the position after the move, by any moves.
"""

Cli = Callable[..., Any]


def test_command_prints_the_moves(cli: Cli, results: Path) -> None:
    result = cli("openings", results, "--depth", "3")
    key = f"{position_key(forthvm.load('tictactoe').start()):016x}"
    assert (result.status, result.err) == (0, "")
    assert result.out == TABLE.format(key=key)
    result = cli("openings", results, "--moves", "X mark a1; O mark b2", "--min-games", "2")
    assert [line.split()[:5] for line in result.out.splitlines() if "mark" in line] == [
        ["X", "mark", "c3", "X", "2"]
    ]


def test_moves_of_a_position_are_listed_once(results: Path) -> None:
    tree = OpeningTree.from_results(results)
    text = lines(tree, depth=4)
    assert [line.split()[:4] for line in text if "^" in line] == [
        ["X", "mark", "a1", "^"],
        ["^:", "the", "moves", "of"],
    ]
    assert sum("O mark a3" in line for line in text) == 1


def test_json_has_all_positions(cli: Cli, results: Path) -> None:
    result = cli("openings", results, "--json")
    found = json.loads(result.out)
    tree = OpeningTree.from_results(results)
    assert found == document(tree)
    assert (found["game"], found["games"], found["seats"]) == ("tictactoe", 4, ["X", "O"])
    assert len(found["positions"]) == len(tree)
    first = found["positions"][0]
    assert first["position"] == found["position"] == found["starts"][0]
    assert first["scores"] == {"X": 0.625, "O": 0.375}
    assert first["moves"][0]["move"] == "X mark a1"
    by_key = {position["position"]: position for position in found["positions"]}
    assert all(key in by_key for move in first["moves"] for key in move["positions"])
    assert len(json.loads(cli("openings", results, "--json", "--depth", "1").out)["positions"]) == 4


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--moves", "X mark a9"], 1, "was not played at the start"),
        (["--entrant", "Z"], 1, "no games of 'Z'"),
        (["--max-positions", "2"], 1, "more than 2 positions"),
        (["--plies", "0"], 2, "--plies"),
        (["missing.db"], 1, "there is no file missing.db"),
    ],
)
def test_wrong_usage(
    cli: Cli, results: Path, options: list[str], status: int, message: str
) -> None:
    result = cli("openings", results, *options)
    assert (result.status, result.out) == (status, "")
    assert message in result.err
