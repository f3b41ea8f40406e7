"""Games of rule files as the playground draws them, without the core: as forthvm draws them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import forthvm
from forthvm.check import check_files
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.playground.rule_worker import RuleWorker
from forthvm.web.table.table import Table
from tests.kit.files import write
from tests.kit.games import script_of

RULE_FILES = Path(__file__).parents[1] / "zrf"
GAMES = [*RULE_FILES.glob("games/*.zrf"), *RULE_FILES.glob("shapes/*.zrf")]


def drawn(worker: RuleWorker, facts: dict[str, object]) -> dict[str, dict[str, object]]:
    """Return the drawing of the compiled game."""
    worker.begin_drawing(json.dumps(facts))
    drawing: dict[str, dict[str, object]] = json.loads(worker.draw())
    return drawing


def compare(path: Path) -> dict[str, object]:
    """Compare the drawing with that of the loaded game; return what the page needs to load it."""
    game = forthvm.load(path)
    expected = offline_game(Table(game))
    message, tables = expected["game"], expected["tables"]
    assert isinstance(message, dict)
    assert isinstance(tables, dict)
    worker = RuleWorker()
    answer: dict[str, object] = json.loads(worker.compile(str(path), None))
    assert answer["title"] == game.title
    same = {name: tables[name] for name in ("names", "players", "owners", "movable", "hidden")}
    types, grid = list(tables["types"].values()), vars(game._loaded.tables.grid)
    drawing = drawn(worker, {**same, "types": types, "grid": grid})
    for part, values in (("message", message), ("tables", tables)):
        for name, value in drawing[part].items():
            assert value == json.loads(json.dumps(values[name])), name
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_drawing_is_that_of_a_loaded_game(path: Path) -> None:
    assert compare(path)["plugin"] is None


def test_a_rule_file_with_an_engine(tmp_path: Path) -> None:
    """Its rules are in a script, which the page loads."""
    rules = """(game (title "Tic Tac Toe") (engine "Axiom.dll") (players X O) (turn-order X O)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))))
      (piece (name M)))"""
    write(tmp_path / "Tic-Tac-Toe.4th", script_of("tictactoe"))
    answer = compare(write(tmp_path / "ttt.zrf", rules))
    assert answer["plugin"] == "Tic-Tac-Toe.4th"
    assert answer["script"] is None


def test_a_broken_file_has_a_problem_with_a_place(in_folder: Path) -> None:
    Path("broken.zrf").write_text('(game\n  (title "x")\n  (players A)\n  (turn-order B))', "utf-8")
    problem = json.loads(RuleWorker().compile("broken.zrf", None))["problem"]
    assert problem["place"]["file"] == "broken.zrf"
    assert problem["place"]["line"] == 4
    assert "B" in problem["text"]


def test_a_missing_variant_is_replaced_by_the_default(tmp_path: Path) -> None:
    path = RULE_FILES / "games" / "breakthrough.zrf"
    answers = [json.loads(RuleWorker().compile(str(path), one)) for one in (None, 99)]
    assert answers[0] == answers[1]


def test_the_check_finds_what_python_finds(tmp_path: Path) -> None:
    path = tmp_path / "moves.zrf"
    path.write_text(
        """(game (title "Steps") (players A B) (turn-order A B)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1/2" (0 9)))
    (directions (n 0 -1))))
  (board-setup (A (Man a2)))
  (piece (name Man) (moves (n add) (n (verify false))))
  (piece (name Ghost) (image A "ghost.bmp")))""",
        "utf-8",
    )
    expected = check_files([path]).findings
    found = json.loads(RuleWorker().check(str(path)))
    assert expected
    assert [one["place"]["line"] for one in found] == [
        one.location.line for one in expected if one.location
    ]
    assert all(one["text"].startswith(code.code) for one, code in zip(found, expected, strict=True))


def test_places_in_the_script_are_those_of_the_rule_file() -> None:
    path = RULE_FILES / "games" / "chess.zrf"
    worker = RuleWorker()
    script = json.loads(worker.compile(str(path), None))["script"].encode()
    place = json.loads(worker.locate(script.index(b"Knight z-add-as-safely")))
    line = path.read_text("utf-8").splitlines()[place["line"] - 1]
    assert line[place["column"] - 1 :][: place["length"]] == "(add"
    assert json.loads(worker.locate(0)) is None
