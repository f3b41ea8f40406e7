"""Tests of the programs in docs/guides/examples, and of the blocks with numpy in their guide.

test_documents.py runs the other blocks of the guide, docs/guides/engines-in-python.md.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm.catalogue.bundled import find_game
from forthvm.engines import EngineError, EngineOptionError, Info, Limits, analyse, choose_move, get
from forthvm.engines.evaluator import EvaluationView
from forthvm.engines.position_arrays import board_array
from forthvm.engines.selfplay import SelfPlay
from forthvm.game import Game, Position
from tests.kit.cases import each_case
from tests.kit.games import loaded, play
from tests.kit.processes import FORTHVM, output_of

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "guides" / "examples"
DIE = "0 5 $RAND-WITHIN"  # in the script: the random bonus, from 0 to 5, of a root move


@pytest.fixture(autouse=True)
def _examples_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


@pytest.fixture(scope="module")
def duel() -> Game:
    return forthvm.load("splut-duel")


def sampled_positions(game: Game, seed: int, plies: int, every: int) -> Iterator[Position]:
    """Yields each `every`-th position of a random game, if it has more than one legal move."""
    chance = random.Random(seed)
    position = game.start()
    for ply in range(plies):
        if position.result is not None:
            return
        if ply % every == 0 and len(position.legal_moves) > 1:
            yield position.copy()
        position.push(chance.choice(list(position.legal_moves)))


# --- splut_engine.py -------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["splut-duel", "splut", "splut-partial"])
def without_die(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Loads a game whose engine in Forth adds no random bonus at the root."""
    name, path = find_game(request.param)
    folder = tmp_path_factory.mktemp(name) / "splut"
    shutil.copytree(path.parent, folder)
    script = folder / "custom-engine.4th"
    text = script.read_text(encoding="utf-8")
    assert text.count(DIE) == 1
    script.write_text(text.replace(DIE, "0"), encoding="utf-8")
    return forthvm.load(folder / path.name)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_port_equals_the_engine_in_forth(without_die: Game, depth: int) -> None:
    """Equal moves, scores and numbers of positions show that the search trees are equal."""
    ours = get(f"splut_engine:ArticleEngine:depth={depth},die=0")
    theirs = get(f"script:depth={depth}")
    compared = 0
    plies, every = (150, 5) if depth < 3 else (60, 9)
    for position in sampled_positions(without_die, depth, plies, every):
        if position.is_chance:
            continue
        expected = theirs.play(position.copy())
        found = ours.play(position)
        assert (found.move.text, found.score, found.nodes) == (
            expected.move.text,
            expected.score,
            expected.nodes,
        ), position.to_json()
        compared += 1
    assert compared >= 4


def test_features_are_counted_for_each_player(duel: Game) -> None:
    """The expected numbers were counted by hand on a drawing of the board."""
    from splut_engine import FEATURES, features, worth

    position = duel.start(
        setup=[
            ("South", "wizard", "e2"),  # in line with the stones on e5 and c2
            ("South", "troll", "d4"),  # to e5, c2, g5, e8: 2 + 3 + 4 + 5 steps
            ("North", "wizard", "f7"),  # in line with no stone
            ("North", "dwarf", "c5"),
            ("North", "dwarf", "g4"),
            ("Nobody", "sstone", "e5"),
            ("Nobody", "wstone", "c2"),
            ("Nobody", "nstone", "g5"),
            ("Nobody", "estone", "e8"),
        ]
    )
    south = features(duel, position.cells, "South")
    assert dict(zip(FEATURES, south, strict=True)) == {
        "own wizards": 1,
        "others' wizards": 1,
        "own dwarfs": 0,
        "others' dwarfs": 2,
        "stones in line with own wizards": 3,  # e8 is in its column, too
        "stones in line with others' wizards": 0,
        "steps from own trolls to stones": 14,
        "steps from others' trolls to stones": 0,
    }
    assert worth(south) == 9000 - 3000 - 200 - 1500 - 14 * 30
    north = features(duel, position.cells, "North")
    assert north == [1, 1, 2, 0, 0, 3, 0, 14]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["splut-duel", "splut-three"])
def test_native_search_with_the_port_equals_the_article(name: str, tmp_path: Path) -> None:
    """The script's `evaluate`, from the article, and the function in Python give equal searches."""
    from splut_engine import features, worth

    def evaluate(view: EvaluationView) -> int:
        return worth(features(view.game, view.cells, view.turn))

    script = tmp_path / "article.4th"
    bundled = forthvm.load(name).path
    script.write_text(f"LOAD {bundled.name}\n: OnEvaluate evaluate ;\n", encoding="utf-8")
    game = forthvm.load(script, include=[bundled.parent])
    for position in sampled_positions(game, 8, 60, 12):
        plain = get("negamax:depth=2").play(position)
        found = get("negamax:depth=2", evaluator=evaluate).play(position)
        assert (found.score, found.pv, found.nodes) == (plain.score, plain.pv, plain.nodes)


def test_seed_repeats_games_with_random_bonus(duel: Game) -> None:
    position = duel.start()

    def scores(spec: str) -> list[int | None]:
        engine = get(f"splut_engine:ArticleEngine:depth=1,{spec}")
        return [engine.play(position).score for _ in range(12)]

    (plain,) = set(scores("die=0"))
    assert plain is not None
    drawn = scores("seed=1")
    assert drawn == scores("seed=1") != scores("seed=2")
    # The random bonus of a move is at most 5, so the chosen move can be at most 5 below the best.
    assert {score - plain for score in drawn if score is not None} <= {0, 1, 2, 3, 4, 5}


def test_engine_throws_at_the_last_wizard(duel: Game) -> None:
    """The troll can throw its stone at North's last wizard, which wins the game.

    This is test position 1 in section 14 of the reference rules of Splut!, with two teams.
    """
    position = duel.start(
        setup=[
            ("South", "troll", "d5"),
            ("South", "wizard", "a5"),
            ("Nobody", "sstone", "e5"),
            ("North", "wizard", "h5"),
        ]
    )
    result = choose_move(get("splut_engine:ArticleEngine:depth=2"), position)
    assert result.move.text == "troll d5 x e5 Nobody sstone h5"
    assert result.score is not None
    assert (
        100_000 < result.score <= 100_001 + 5
    )  # won with one of two steps left, plus the random bonus


def test_engine_obeys_limits_and_stop_and_reports(duel: Game) -> None:
    engine = get("splut_engine:ArticleEngine:seed=1")
    position = duel.start()
    for _ in range(4):
        position.push(position.legal_moves[0])
    before = position.copy()
    reports: list[Info] = []
    result = choose_move(engine, position, Limits(nodes=40, time=60.0), report=reports.append)
    assert result.nodes == 40
    assert result.move in position.legal_moves
    assert any(info.best for info in reports)
    assert any(info.current for info in reports)
    assert position == before
    with analyse(engine, position, Limits(time=600.0)) as analysis:
        next(analysis)
        stopped = analysis.stop()
    assert stopped.move in list(position.legal_moves)
    assert choose_move(engine, position, Limits(time=0.0)).move in position.legal_moves
    assert choose_move(engine, position, Limits(depth=1)).depth == 1


@each_case("options", ["depth=0", "depth=16", "die=x", "depht=2"])
def test_invalid_options_raise(options: str) -> None:
    with pytest.raises(EngineOptionError):
        get(f"splut_engine:ArticleEngine:{options}")


def test_a_decided_game_is_refused(duel: Game) -> None:
    position = duel.start(setup=[("South", "wizard", "a5")])
    assert position.result is not None
    with pytest.raises(EngineError):
        choose_move(get("splut_engine:ArticleEngine"), position)


def forthvm_at_examples(*arguments: str) -> str:
    return output_of(*FORTHVM, *arguments, folder=EXAMPLES, PYTHONDONTWRITEBYTECODE="1")


@pytest.mark.slow
def test_documented_command_runs() -> None:
    printed = forthvm_at_examples(
        *("run", "splut-duel", "--auto", "--seed", "1", "--max-plies", "24", "--json"),
        *("--engine", "South=splut_engine:ArticleEngine:depth=2,seed=1"),
        *("--engine", "North=random"),
    )
    assert json.loads(printed)


# --- tune_splut.py ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["splut-duel", "splut"])
def test_batch_features_equal_single_features(name: str) -> None:
    """Counting on all boards together with numpy equals counting on each board without numpy."""
    numpy = pytest.importorskip("numpy")
    import tune_splut
    from splut_engine import features

    game = forthvm.load(name)
    positions = list(sampled_positions(game, 3, 200, 7))
    assert len({position.turn for position in positions}) == len(game.contestants)
    numbers = [game.players.index(position.turn) + 1 for position in positions]
    boards = numpy.array([position.cells for position in positions])
    counted = tune_splut.Counter(game)(boards, numpy.array(numbers)) * tune_splut.UNITS
    assert numpy.rint(counted).astype(int).tolist() == [
        features(game, position.cells, position.turn) for position in positions
    ]


def test_fit_recovers_weights() -> None:
    numpy = pytest.importorskip("numpy")
    import tune_splut

    draw = numpy.random.default_rng(5)
    true = tune_splut.Model(numpy.array([2.0, -1.0, 0.5, 0.0, -0.5, 0.25, 1.0, -1.5]), 0.75)
    counts = draw.normal(size=(4000, 8))
    found = tune_splut.fit(counts, true.chances(counts))
    assert found.weights == pytest.approx(true.weights, abs=0.02)
    assert found.bias == pytest.approx(true.bias, abs=0.02)
    assert found.loss(counts, true.chances(counts)) < 1e-4


@pytest.mark.slow
def test_loss_falls_on_held_out_games(duel: Game, tmp_path: Path) -> None:
    """Learns with a small budget and uses the weights as JSON, as evaluator and natively."""
    pytest.importorskip("numpy")
    import tune_splut

    model, record = tune_splut.tune(duel, rounds=1, games=60, seed=1)
    (figures,) = record
    assert 40 <= figures["games"] <= 60
    assert figures["loss after"] < 0.8 * figures["loss before"]
    # The first two features are the wizards of the player and those of the opponents.
    assert model.weights[0] > 0.5 > -0.5 > model.weights[1]

    written = tmp_path / "weights.json"
    tune_splut.write(model, written, {"rounds": record})
    weights = json.loads(written.read_text(encoding="utf-8"))["weights"]
    assert len(weights) == 9
    assert all(isinstance(points, int) for points in weights.values())
    check_evaluator(duel, written, list(weights.values()))


def check_evaluator(game: Game, written: Path, points: list[int]) -> None:
    """Checks that a native search of one step has the score of the best child position."""
    import tune_splut
    from splut_engine import features

    engine = get(
        "negamax:depth=1,quiescence=off,tt=0,repetition=off",
        evaluator=tune_splut.evaluator(written),
    )
    position = game.start()
    # The turns are South, North twice, the cleaner (a chance player); then South has three steps.
    for _ in range(4):
        position.push(position.legal_moves[-1])
    worths = []
    for move in position.legal_moves:
        child = play(position.copy(), move)
        assert child.turn == "South"
        counts = [*features(game, child.cells, "South"), 1]
        worths.append(sum(count * each for count, each in zip(counts, points, strict=True)))
    result = engine.play(position)
    assert result.score == max(worths)
    assert worths[result.move.index] == max(worths)


@pytest.mark.slow
def test_same_seed_learns_the_same_weights(duel: Game) -> None:
    pytest.importorskip("numpy")
    import tune_splut

    def learned(seed: int) -> list[float]:
        model, record = tune_splut.tune(duel, rounds=2, games=4, batch=4, playouts=2, seed=seed)
        assert [figures["games"] > 0 for figures in record] == [True, True]
        return list(model.weights)

    assert learned(2) == learned(2)


@pytest.mark.slow
def test_committed_weights_play(duel: Game) -> None:
    pytest.importorskip("numpy")
    written = json.loads((EXAMPLES / "splut_weights.json").read_text(encoding="utf-8"))
    constant_prediction = written["rounds"][0]["loss before"]
    losses = [figures["loss after"] for figures in written["rounds"]]
    assert max(losses) < 0.8 * constant_prediction
    printed = forthvm_at_examples(
        *("run", "splut-duel", "--auto", "--seed", "1", "--max-plies", "12", "--json"),
        *("--engine", "South=negamax:depth=1,evaluator=tune_splut:evaluate"),
        *("--engine", "North=random"),
    )
    assert json.loads(printed)


# --- the document ----------------------------------------------------------------------------


def test_the_blocks_with_numpy_run() -> None:
    """Runs the blocks that need numpy; doctest runs the others."""
    pytest.importorskip("numpy")
    page = (EXAMPLES.parent / "engines-in-python.md").read_text(encoding="utf-8")
    blocks = [
        block
        for block in re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        if not block.startswith(">>>")
    ]
    assert len(blocks) == 2
    start = play(loaded("tictactoe").start(), "b2")
    namespace: dict[str, object] = {
        "start": start,
        "game": start.game,
        "board_array": board_array,
        "SelfPlay": SelfPlay,
    }
    for block in blocks:
        exec(block, namespace)
