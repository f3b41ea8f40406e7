"""Training: networks learn what decides games."""

from __future__ import annotations

import random
from array import array
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from forthvm import engines
from forthvm.core.bindings import Network, NetworkWeights, Trainer
from forthvm.core.errors import EngineError
from forthvm.engines import Limits
from forthvm.engines.network import MAX_BYTES, GameNetwork
from forthvm.game import Game, load
from forthvm.learn.network import (
    Progress,
    SelfPlaySettings,
    TrainingSettings,
    compare,
    train,
)
from forthvm.learn.network.inputs import choose_inputs
from forthvm.learn.network.own_evaluation import MAX_UNIT, fitted_unit, own_step
from forthvm.learn.network.selfplay import (
    PlayedGame,
    SearchedPosition,
    ShallowSearch,
    expected_score,
    play_game,
)
from forthvm.learn.network.strength import Strength
from forthvm.learn.network.symmetries import feature_maps
from tests.kit.boards import drops, grid
from tests.kit.commands import Cli
from tests.kit.games import load_text, script_of

from .models import random_network

NO_CHOICE = grid(2, 1, "e", players="A B")
NO_CHOICE += """\
: stay from here move add-move ;
{moves m {move} stay moves}
{pieces {piece} p {moves} m pieces}
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("hidden", [0, 16])
def test_trainer_learns_who_has_more_pieces(hidden: int) -> None:
    """The target is 1 if the view has more pieces, of positions with random pieces."""
    game = load("breakthrough")
    inputs = choose_inputs(game)
    own, other = (player.cell | 1 for player in game.player_details)
    trainer = Trainer(Network(inputs, NetworkWeights.zero(inputs, hidden)), size=1 << 22, seed=1)
    choices = random.Random(1)

    def board() -> tuple[bytes, int]:
        cells = [choices.choice((0, 0, own, other)) for _ in range(inputs.cells)]
        return array("i", cells).tobytes(), cells.count(own) - cells.count(other)

    for _ in range(4000):
        data, more = board()
        trainer.add(data, 0, 0, 0, 0.5 if more == 0 else float(more > 0))
    first = trainer.run(1, size=256, rate=0.01)
    last = trainer.run(300, size=256, rate=0.01)
    assert last < first / 2
    network = trainer.network()
    boards = [board() for _ in range(300)]
    right = sum((network.value(data, 0, 0) > 0) == (more > 0) for data, more in boards if more)
    assert right > 0.9 * sum(more != 0 for _, more in boards)


def test_trainer_learns_the_unit_of_the_own_evaluation() -> None:
    """Results are drawn with another unit than that of the network."""
    inputs = choose_inputs(load("breakthrough"))
    weights = NetworkWeights.zero(inputs, 0, own=1, unit=400)
    trainer = Trainer(Network(inputs, weights), size=1 << 22, seed=1)
    choices = random.Random(1)
    for _ in range(4000):
        own = choices.randint(-600, 600)
        wins = choices.random() < expected_score(own / 200)
        trainer.add(bytes(4 * inputs.cells), 0, 0, own, float(wins))
    trainer.run(300, size=256, rate=0.01)
    assert trainer.network().weights.own == 1
    assert 170 < trainer.network().weights.unit < 240


def _settings(**values: int) -> TrainingSettings:
    selfplay = SelfPlaySettings(nodes=30, opening=4, max_searches=60)
    return TrainingSettings(games=10, hidden=8, memory=1 << 22, selfplay=selfplay, **values)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "ur", "splut"])
def test_result_does_not_depend_on_threads(name: str) -> None:
    game = load(name)
    one = train(game, _settings(threads=1))
    two = train(game, _settings(threads=3))
    assert one.network.weights == two.network.weights
    other = train(game, _settings(threads=1, seed=2))
    assert other.network.weights != one.network.weights


@pytest.mark.slow
def test_training_begins_with_the_own_evaluation(tmp_path: Path) -> None:
    """Only if the script has one, and its scores tell who wins."""
    assert train(load("chess"), _settings()).network.weights.own == 1
    assert train(load("tictactoe"), _settings()).network.weights.own > 1
    source = script_of("tictactoe").replace(": OnEvaluate", ": unused")
    for hook in ("", ": OnEvaluate ( -- score ) 0 ;"):
        game = load_text(tmp_path, source + hook)
        assert train(game, _settings()).network.weights.own == 0


def test_training_continues_with_a_network() -> None:
    game = load("tictactoe")
    first = train(game, _settings())
    later = train(game, _settings(), start=first)
    assert later.network.weights != first.network.weights


def test_game_without_choices_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing to learn"):
        train(load_text(tmp_path, NO_CHOICE), TrainingSettings(games=100, threads=1))


def test_command_writes_a_network(tmp_path: Path, cli: Cli) -> None:
    out = tmp_path / "t.net"
    arguments = ["train", "tictactoe", "--games", "20", "--nodes", "20", "--hidden", "4"]
    printed = cli.out(*arguments, "-o", out)
    assert "20 games" in printed
    assert "negamax against negamax with no network: " in printed
    network = GameNetwork.read(out)
    assert network.learned["games"] == 20
    game: Game = load("tictactoe")
    found = engines.get("negamax", net=network).play(game.start(), Limits(depth=9))
    assert found.score == 0
    assert "exists" in cli.err(*arguments, "-o", out, status=2)
    assert cli(*arguments, "-o", out, "--resume", out).status == 0
    assert GameNetwork.read(out).learned["games"] == 40
    assert cli(*arguments, "-o", out, "--resume", tmp_path / "no.net").status == 2


@pytest.mark.parametrize(("score", "is_worse"), [(0.4, True), (0.5, False)])
def test_command_says_if_the_network_plays_worse(
    score: float, is_worse: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    def played(*_arguments: object, **_options: object) -> Strength:
        return Strength(games=10, score=score, low=0.2, high=0.7, equal=0.5)

    monkeypatch.setattr("forthvm.learn.network.compare", played)
    out = tmp_path / "t.net"
    arguments = ["train", "tictactoe", "--games", "20", "--nodes", "20", "--hidden", "0"]
    assert (f"--resume {out}" in cli.out(*arguments, "-o", out)) == is_worse


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "."], "is a folder"),
        (["-o", "a.net", "--report", "a.net"], "must name different files"),
        (["--report", "page.4th"], "ends in .html"),
        (["-o", "missing/a.net"], "cannot write"),
        (["-o", "b.net", "--resume", "b.net", "--hidden", "64"], "has 4 hidden units"),
    ],
)
def test_command_checks_files_before_training(
    options: list[str], message: str, in_folder: Path, cli: Cli
) -> None:
    random_network(load("tictactoe"), hidden=4).write("b.net")
    before = Path("b.net").read_bytes()
    assert message in cli.err("train", "tictactoe", "--games", "5", *options, status=2)
    assert Path("b.net").read_bytes() == before


@pytest.mark.slow
def test_nothing_is_written_without_positions(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "none.4th").write_text(NO_CHOICE + "{board-setup {setup} A p a1 board-setup}")
    out = tmp_path / "none.net"
    assert "no player had a choice" in cli.err(
        "train", tmp_path / "none.4th", "--minutes", "1", "-o", out, status=1
    )
    assert not out.exists()


@pytest.mark.slow
def test_first_games_are_a_tenth_of_the_training() -> None:
    """The network learns while most of the games are played."""
    reports: list[Progress] = []
    train(load("tictactoe"), TrainingSettings(games=600), report=reports.append)
    assert [report.positions > 0 for report in reports[:2]] == [False, True]
    assert reports[1].games == 60


def test_strength_counts_openings_with_all_seats() -> None:
    game = load("tictactoe")
    strength = compare(
        game, engines.get("negamax"), engines.get("random:seed=1"), openings=6, nodes=2000
    )
    assert strength.games == 12
    assert strength.score > 0.5
    assert strength.low < strength.score <= strength.high
    equal = compare(game, engines.get("first"), engines.get("first"), openings=4, nodes=1)
    assert equal.score == 0.5


@pytest.mark.slow
def test_what_was_learned_is_kept_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    """A game fails after some rounds, the games of which are kept."""
    games: list[int] = []

    def play(*arguments: Any) -> PlayedGame:  # noqa: ANN401 - those of play_game
        games.append(len(games))
        if len(games) > 4500:
            raise EngineError("a game fails")
        return play_game(*arguments)

    monkeypatch.setattr("forthvm.learn.network.training.play_game", play)
    out = tmp_path / "t.net"
    arguments = ["train", "tictactoe", "--games", "5000", "--nodes", "20", "--threads", "1"]
    captured = cli(*arguments, "-o", out)
    assert captured.status != 0
    kept = GameNetwork.read(out).learned["games"]
    assert isinstance(kept, int)
    assert 500 <= kept <= 4500
    assert f"t.net: {kept:,} games" in captured.out
    assert "a game fails" in captured.err


def test_ctrl_c_ends_a_training_within_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    """What was learned before is kept, and no match is played."""
    games: list[PlayedGame] = []

    def play(*arguments: Any) -> PlayedGame:  # noqa: ANN401 - those of play_game
        if len(games) == 600:
            raise KeyboardInterrupt
        games.append(play_game(*arguments))
        return games[-1]

    monkeypatch.setattr("forthvm.learn.network.training.play_game", play)
    monkeypatch.setattr("forthvm.learn.network.compare", pytest.fail)
    out = tmp_path / "t.net"
    arguments = ["train", "tictactoe", "--games", "5000", "--nodes", "20", "--threads", "1"]
    assert "ended by Ctrl-C" in cli(*arguments, "-o", out).err
    assert GameNetwork.read(out).learned["games"]


def test_a_game_of_a_training_can_be_ended() -> None:
    game = load("go-9x9")
    inputs = choose_inputs(game)
    search = ShallowSearch(game, Network(inputs, NetworkWeights.zero(inputs, 0)), 1)
    search.is_ended = True
    settings = SelfPlaySettings(nodes=1, opening=0)
    assert len(play_game(game, search, inputs, settings, 1).positions) == 1


def test_games_of_chance_end() -> None:
    """Ur needs more than a thousand plies if it is played badly, most of which are dice."""
    game = load("ur")
    inputs = choose_inputs(game)
    network = Network(inputs, NetworkWeights.zero(inputs, 0))
    search = ShallowSearch(game, network, 20)
    settings = SelfPlaySettings(nodes=20, max_searches=3000)
    played = play_game(game, search, inputs, settings, seed=1)
    assert played.results in ([0.0, 1.0], [1.0, 0.0])


def test_numbers_with_many_values_have_no_features(tmp_path: Path) -> None:
    hashed = script_of("tictactoe").replace("board}", "{variable} hash board}", 1)
    hashed = hashed.replace(": put", ": mix ( -- ) hash @ 1103515245 * 12345 + hash ! ;\n: put", 1)
    hashed = hashed.replace("verify drop", "verify drop COMPILE mix", 1)
    found = choose_inputs(load_text(tmp_path, hashed))
    assert found.features == choose_inputs(load("tictactoe")).features
    assert found.cells == 10


def test_game_without_pieces_has_no_patterns(tmp_path: Path) -> None:
    """Its squares are linked, but nothing can stand on them."""
    script = """
        {board 3 3 {grid} {variable} total board}
        {directions 0 1 {direction} right 1 0 {direction} down directions}
        {players {player} White {player} Black players}
        {turn-order {turn} White {turn} Black turn-order}
        : OnGenerateMoves ( -- ) total ++ ;
        """
    inputs = choose_inputs(load_text(tmp_path, script))
    assert inputs.patterns == 0
    assert Network(inputs, NetworkWeights.zero(inputs, 4)).inputs == inputs


def test_shapes_of_patterns_are_numbered_without_gaps(tmp_path: Path) -> None:
    """The lines of a row follow its third and fourth directions only."""
    inputs = choose_inputs(
        load_text(tmp_path, grid(1, 5, "n s e w") + drops("stone"), name="row.4th")
    )
    assert (inputs.pattern_size, inputs.pattern_shapes) == (4, (0, 0))
    assert Network(inputs, NetworkWeights.zero(inputs, 4)).inputs == inputs


@pytest.mark.slow
def test_files_have_room_for_tables_and_hidden_units() -> None:
    game = load("yonin-shogi")
    settings = TrainingSettings(games=1, hidden=128, selfplay=SelfPlaySettings(nodes=1))
    network = train(game, settings)
    assert 0 < network.network.weights.hidden < 128
    assert len(network.data()) <= MAX_BYTES


@pytest.mark.parametrize("limits", [{"games": 0}, {"seconds": 0}, {"seconds": -1.0}])
def test_limits_of_training_are_positive(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        TrainingSettings(**limits)


def played(
    scores: list[int | None], results: list[float] | None, *, random: int = -1
) -> PlayedGame:
    """Return a game in which the views move in turn; random: the index of a random move."""
    return PlayedGame(
        2,
        [
            SearchedPosition(
                b"",
                at,
                at % 2,
                {} if score is None else {at % 2: score, 1 - at % 2: -score},
                {at % 2: at},
                at == random,
            )
            for at, score in enumerate(scores)
        ],
        results,
    )


def evaluated(values: list[int], results: list[float] | None) -> PlayedGame:
    """Return a game with these values of the game's own evaluation for the first player."""
    positions = [SearchedPosition(b"", 0, 0, {}, {0: own}, is_random=False) for own in values]
    return PlayedGame(2, positions, results)


def test_positions_are_valued_by_what_follows() -> None:
    """The return of TD(lambda), half of each search and of what follows it."""
    values = [p.score for p in played([0, None, 256], [1.0, 0.0]).values(256, 0.5)][::-1]
    last = 0.5 * expected_score(1) + 0.5
    assert values == pytest.approx([0.25 + 0.5 * last, 1 - last, last])
    only_search = [p.score for p in played([256, -512], None).values(256, 0.5)][::-1]
    expected = 0.5 * expected_score(1) + 0.5 * expected_score(2)
    assert only_search == pytest.approx([expected, expected_score(-2)])
    assert list(played([None], None).values(256, 0.5)) == []


def test_what_follows_a_random_move_does_not_count() -> None:
    values = [p.score for p in played([0, 0, 0], [1.0, 0.0], random=1).values(256, 0.9)][::-1]
    assert values == pytest.approx([0.5, 0.5, 0.95])
    values = [p.score for p in played([0, None, 0], [1.0, 0.0], random=1).values(256, 0.9)][::-1]
    assert values == pytest.approx([0.5, 0.95])


def test_all_views_are_valued_in_games_for_many() -> None:
    positions = [SearchedPosition(b"", 0, 0, {0: 0, 2: 0}, {0: 5, 1: 6, 2: 7}, is_random=False)]
    positions.append(SearchedPosition(b"", 1, 1, {}, {}, is_random=False))
    values = list(PlayedGame(3, positions, [0.0, 1.0, 0.0]).values(256, 0.5))
    assert [(p.turn, p.view, p.score) for p in values] == [
        (1, 0, 0.0),
        (1, 1, 1.0),
        (1, 2, 0.0),
        (0, 0, 0.25),
        (0, 1, 1.0),
        (0, 2, 0.25),
    ]
    assert [p.own for p in values] == [0, 0, 0, 5, 6, 7]
    unfinished = list(PlayedGame(3, positions, None).values(256, 0.5))
    assert [(p.turn, p.view, p.score) for p in unfinished] == [(0, 0, 0.5), (0, 2, 0.5)]


@pytest.mark.slow
def test_scores_are_those_of_searches_unless_there_are_many_players() -> None:
    """A search for many assumes that all others are enemies, so the network's own values count."""
    for name, many in (("breakthrough", False), ("splut", True)):
        game = load(name)
        start = random_network(game, hidden=2).network
        inputs, network = start.inputs, Network(start.inputs, replace(start.weights, own=3))
        settings = SelfPlaySettings(nodes=20, max_searches=6)
        played = play_game(game, ShallowSearch(game, network, 20), inputs, settings, seed=2)
        for p in played.positions:
            assert [*p.scores] == ([0, 1, 2, 3] if many else [p.view, 1 - p.view])
            static = {
                view: network.value(p.board, p.turn, view) + 3 * p.own.get(view, 0)
                for view in p.scores
            }
            assert (p.scores == static) == many
        no_network = play_game(game, ShallowSearch(game, None, 20), inputs, settings, seed=2)
        assert any(p.scores for p in no_network.positions) != many


@pytest.mark.slow
def test_unit_of_scores_is_found_from_results() -> None:
    """Scores of 100 stand for the expected score of the logistic function of 1, 0.73."""
    choices = random.Random(1)
    games = []
    for _ in range(2000):
        own = choices.randint(-300, 300)
        wins = choices.random() < expected_score(own / 100)
        games.append(evaluated([own], [float(wins), 1.0 - wins]))
    unit, bias = fitted_unit(games)
    assert 80 < unit < 130
    assert -0.2 < bias < 0.2
    huge = [evaluated([10**6 * p.own[0] for p in game.positions], game.results) for game in games]
    assert 8e7 < fitted_unit(huge)[0] < 13e7


@pytest.mark.slow
def test_bias_of_scores_is_found_from_results() -> None:
    """As in games for four, which a player wins with a probability of about a quarter."""
    choices = random.Random(1)
    games = []
    for _ in range(2000):
        own = choices.randint(-300, 300)
        wins = choices.random() < expected_score(own / 100 - 1.1)
        games.append(evaluated([own], [float(wins), 0.0]))
    unit, bias = fitted_unit(games)
    assert 80 < unit < 130
    assert -1.3 < bias < -0.9


def test_unit_is_the_maximum_if_scores_tell_nothing() -> None:
    games = [evaluated([5], [float(at % 2), float(1 - at % 2)]) for at in range(10)]
    assert fitted_unit(games)[0] == MAX_UNIT
    assert fitted_unit([]) == (MAX_UNIT, 0.0)


def test_unit_without_results_is_the_median_value() -> None:
    assert fitted_unit([evaluated([0, -3, 5, 90], None)]) == (5, 0.0)


def test_step_is_the_usual_change_of_the_own_evaluation() -> None:
    """The evaluation of position n is n: each player's values change by 2; others stay equal."""
    moving = played([None] * 6, [1.0, 0.0])
    resting = PlayedGame(
        2, [SearchedPosition(b"", 0, 0, {}, {0: 7}, is_random=False)] * 9, [1.0, 0.0]
    )
    assert own_step([moving, resting], 4.0) == 0.5
    assert own_step([resting], 4.0) == 0.0
    assert own_step([], 4.0) == 0.0


def test_weights_shrink() -> None:
    inputs = choose_inputs(load("breakthrough"))
    board = array("i", load("breakthrough").start().cells).tobytes()
    values = []
    for shrinkage in (0.0, 10.0, 1e6):
        trainer = Trainer(Network(inputs, NetworkWeights.zero(inputs, 0)), size=1 << 20, seed=1)
        trainer.add(board, 0, 0, 0, 1.0)
        trainer.run(100, size=8, rate=0.01, shrinkage=shrinkage)
        network = trainer.network()
        values.append(network.value(board, 0, 0) - network.weights.bias)
    assert values[0] > values[1] > values[2] == 0


@pytest.mark.parametrize(
    ("name", "step", "limited"),
    [
        ("breakthrough", 0.02, 0.02),
        ("breakthrough", 0.5, 0.05),
        pytest.param("splut", 0.5, 0.05 / 4, marks=pytest.mark.slow),
    ],
)
def test_usual_changes_limit_what_is_learned(
    monkeypatch: pytest.MonkeyPatch, name: str, step: float, limited: float
) -> None:
    """Weights shrink by 75 / (games * step^2); the step is limited, and smaller for four."""
    shrinkages = []
    run = Trainer.run

    def observed(trainer: Trainer, batches: int, **options: Any) -> float:  # noqa: ANN401
        shrinkages.append(options["shrinkage"])
        return run(trainer, batches, **options)

    monkeypatch.setattr(Trainer, "run", observed)
    monkeypatch.setattr("forthvm.learn.network.training.own_step", lambda *_: step)
    monkeypatch.setattr("forthvm.learn.network.training.fitted_unit", lambda _: (100.0, 0.0))
    game = load(name)
    network = train(game, TrainingSettings(games=4, selfplay=SelfPlaySettings(nodes=5)))
    images = len(feature_maps(game, network.network.inputs))
    assert shrinkages[-1] == pytest.approx(75 / (4 * images * limited**2))
