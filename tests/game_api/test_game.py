"""Games: definitions of the script, options, clones, threads, imports."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import BudgetExceeded, ForthVMError, NoGameError, ScriptFileError
from forthvm.game import Direction, Game, Grid, Position, Turn
from forthvm.game.memory.variables import variables_of
from tests.game_api.conftest import FOLDER, GOLDEN, Loader
from tests.game_api.test_moves import texts
from tests.kit.files import write
from tests.kit.games import load_text
from tests.kit.messages import raises
from tests.kit.processes import output_of


def test_definitions_of_a_script(chain: Game) -> None:
    """Players, types, positions, grid, turns and directions of the script."""
    assert chain.name == "chain"
    assert chain.players == ("Red", "Blue")
    assert [(p.number, p.cell, p.neutral, p.chance) for p in chain.player_details] == [
        (1, 2048, False, False),
        (2, 4096, False, False),
    ]
    assert [(kind.name, kind.number, kind.value) for kind in chain.piece_types] == [("Man", 1, 5)]
    assert chain.values == {"Man": 5}
    assert chain.positions == ("a1", "b1", "c1", "d1", "e1", "f1", "g1")
    assert chain.grid == Grid(1, 7, flip=False)
    assert (chain.grid.rows, chain.grid.columns, chain.grid.flip) == (1, 7, False)
    assert chain.turn_order == (Turn("Red", "Red", 0), Turn("Blue", "Blue", 0))
    assert chain.turn_repeat == 0
    assert chain.directions == (
        Direction("ahead", (1, 2, 3, 4, 5, 6, -1)),
        Direction("back-again", (-1, 0, 1, 2, 3, 4, 5)),
    )
    assert chain.summary == "A row of seven squares; a player continues while a jump is possible."


def test_definitions_of_a_game_with_neutral_players(load: Loader) -> None:
    """The script uses neutral owners, another position, {repeat}, {for-player}, {of-type}."""
    game = load("Teams")
    assert game.contestants == ("A", "B", "C", "D")
    assert game.player_details[4].neutral
    assert game.positions[-1] == "store"
    assert len(game.positions) == 26
    assert game.positions[0] == "a5"
    assert game.turn_repeat == 2
    assert game.turn_order[6] == Turn("A", "Rock", 0)
    assert game.turn_order[0].of_type == game.turn_order[7].of_type == 1
    assert dict((d.name, d) for d in game.directions)["n"].links[25] == game.positions.index("c1")


def test_set_up_finds_positions_whose_names_are_hidden(tmp_path: Path) -> None:
    """A direction has the name of the position c1; {setup} places the piece on the position."""
    position = load_text(
        tmp_path,
        """
{board 3 3 {grid} board}
{directions 0 1 {direction} c1 1 0 {direction} s directions}
{players {player} A {player} B players}
{turn-order {turn} A {turn} B turn-order}
{pieces {piece} Man pieces}
{board-setup {setup} A Man a3 {setup} A Man c1 {setup} B Man b3 board-setup}
""",
    ).start()
    assert {place: piece.player for place, piece in position.board.items() if piece} == {
        "a3": "A",
        "c1": "A",
        "b3": "B",
    }


def test_set_up_with_a_damaged_table_of_positions_ends(tmp_path: Path) -> None:
    """A hook says that there are many positions and no names; then the word has the position."""
    script = tmp_path / "game.4th"
    script.write_text("""
{board 3 3 {grid} board}
{players {player} A {player} B players}
{turn-order {turn} A {turn} B turn-order}
4 CONSTANT middle
{pieces {piece} Man pieces}
{board-setup {setup} A Man middle {setup} B Man middle board-setup}
: OnEditAdd . 2DROP 2000000000 $positions ! 0 $posNames ! ;
""")
    printed: list[str] = []
    forthvm.load(script, output=printed.append).start()
    assert "".join(printed) == "4 4 "


def test_players_have_default_engines(effects: Game) -> None:
    """`engine` is the name of the word that plays for the player."""
    assert [player.engine for player in effects.player_details] == [
        "random-engine",
        "$RandomMoveEngine",
    ]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.4th")))
@pytest.mark.parametrize("axiom", [140, 150, 151, "140-exact"])
def test_every_golden_game_loads(load: Loader, name: str, axiom: int | str) -> None:
    """Each version loads the game and lists moves."""
    game = load(name, axiom=axiom)
    assert game.axiom == str(axiom)
    assert game.start().legal_moves


def test_the_digest_depends_on_sources_and_version(load: Loader) -> None:
    """Digests are equal if sources and version are equal."""
    assert load("chain").digest == load("chain").digest
    assert load("chain").digest != load("chain", axiom=140).digest
    assert load("chain").digest != load("dice").digest


def test_the_seed_determines_random_numbers(load: Loader) -> None:
    """Without a seed, the streams start at 0."""

    def drawn(**options: int) -> int:
        position = load("effects", **options).start()
        position.push(position.legal_moves[0])
        return position.variables["drawn"]

    assert drawn() == drawn(seed=0)
    assert drawn(seed=5) == drawn(seed=5)
    assert len({drawn(seed=seed) for seed in range(6)}) > 1


def test_each_start_restores_the_memory_after_loading(effects: Game) -> None:
    """Variables and random streams are those after loading."""
    position = effects.start()
    position.push(position.legal_moves[0])
    assert effects.start() == effects.start()
    assert effects.start().variables["game-over-calls"] == 0


def test_output_goes_to_the_function(tmp_path: Path) -> None:
    """The function receives output of loading and of later runs."""
    script = write(
        tmp_path / "noisy.4th",
        '." loading "\n' + (FOLDER / "chain.4th").read_text() + '\n: OnNewGame ." new " ;\n',
    )
    printed: list[str] = []
    game = forthvm.load(script, output=printed.append)
    game._loaded.vm.native.flush()
    assert "".join(printed).strip() == "loading"
    variables_of(game._loaded)
    game.start()
    game._loaded.vm.native.flush()
    assert "".join(printed).split() == ["loading", "new"]


def test_scripts_without_a_game_raise(tmp_path: Path) -> None:
    """A script without a game, and a missing file."""
    with pytest.raises(NoGameError):
        load_text(tmp_path, ": sq DUP * ;\n", name="plain.4th")
    with pytest.raises(ScriptFileError):
        forthvm.load(tmp_path / "nothing.4th")


def test_a_move_word_that_fills_the_memory_is_named(tmp_path: Path) -> None:
    script = tmp_path / "endless.4th"
    script.write_text(
        "{board 1 3 {grid} board} {directions 0 1 {direction} e directions}\n"
        "{players {player} A players} {turn-order {turn} A turn-order}\n"
        ": one ( -- ) from here move add-move ;\n"
        ": slide ( -- ) BEGIN from to e verify one FALSE UNTIL ;\n"
        "{moves m {move} slide moves} {pieces {piece} p {moves} m pieces}\n"
        "{board-setup {setup} A p a1 board-setup}\n"
    )
    game = forthvm.load(script, budget=forthvm.Budget(memory=1 << 22))
    position = game.start()
    with pytest.raises(BudgetExceeded) as caught:
        _ = position.legal_moves.texts
    assert caught.value.hints[0] == "does a loop of `slide` add the same move again and again?"


def test_a_budget_ends_an_endless_hook(tmp_path: Path) -> None:
    """The position remains usable after the limit."""
    script = tmp_path / "slow.4th"
    text = (FOLDER / "chain.4th").read_text()
    script.write_text(
        text
        + "\nVARIABLE fast : OnIsGameOver fast @ IF #UnknownScore EXIT ENDIF BEGIN FALSE UNTIL ;\n"
    )
    game = forthvm.load(script, budget=forthvm.Budget(steps=100_000))
    position = game.start()
    with pytest.raises(BudgetExceeded):
        position.result  # noqa: B018 - calls the script
    assert position.ply == 0
    assert position == game.start()


def test_clones_are_independent(effects: Game) -> None:
    """A position can be copied to a clone."""
    twin = effects.clone()
    assert twin._loaded.vm is not effects._loaded.vm
    position = effects.start()
    position.push(position.legal_moves[1])
    other = position.copy(game=twin)
    assert other.game is twin
    assert other == position
    other.push(other.legal_moves[0])
    assert position.ply == 1
    other.pop()
    other.pop()
    assert other == effects.start() == twin.start()


def test_threads_can_share_one_game(load: Loader) -> None:
    """Several threads can use positions of one game, and positions of clones."""
    game = load("Breakthrough")
    expected = [_play(game.start(), step) for step in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda step: _play(game.start(), step), range(4))) == expected
        games = [game.clone() for _ in range(4)]
        found = list(pool.map(lambda step: _play(games[step].start(), step), range(4)))
        assert found == expected


def _play(position: Position, step: int) -> list[str]:
    """Play 25 moves that `step` determines; return their texts."""
    for ply in range(25):
        if position.result is not None:
            break
        position.push(position.legal_moves[(7 * ply + step) % len(position.legal_moves)])
    return [played.text for played in position.history]


def test_enter_discards_changes_unless_adopted(effects: Game) -> None:
    """`adopt` makes the changes part of the position."""
    position = effects.start()
    before = position.copy()
    listed = texts(position)
    with position._in_memory() as native:
        assert [native.move_text(move) for move in native.move_list()] == listed
        native.execute(effects._loaded.vm.token("random-engine"))
        native.clear_stack()
    assert position == before
    assert position.variables["engine-runs"] == 0
    with position._in_memory() as native:
        position._adopt()  # there are no changes
    assert position == before
    assert texts(position) == listed
    with position._in_memory() as native:
        native.execute(effects._loaded.vm.token("random-engine"))
        position._adopt()
    assert position != before
    assert position.variables["engine-runs"] == 1
    assert texts(position) == listed
    twin = position.copy()
    twin.push(twin.legal_moves[0])
    assert twin.variables["engine-runs"] == 1


def test_an_exception_inside_enter_discards_changes(effects: Game) -> None:
    """The position is unchanged after the failure."""
    position = effects.start()
    before = position.copy()
    with pytest.raises(ForthVMError), position._in_memory() as native:
        native.execute(4)
    assert position == before
    assert len(position.legal_moves) == 9


def test_playing_imports_no_higher_layer() -> None:
    """Loading and playing a game imports no layer above this one."""
    program = (
        "import sys, forthvm\n"
        f"position = forthvm.load({str(FOLDER / 'chain.4th')!r}).start()\n"
        "position.push(position.legal_moves[0]); position.result\n"
        "above = ('render', 'engines', 'debug', 'autoplay', 'repl', 'cli')\n"
        "above = tuple('forthvm.' + name for name in above)\n"
        "print([name for name in sys.modules if name.startswith(above)])\n"
        "heavy = ('argparse', 'asyncio', 'importlib.metadata', 'email', 'json')\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    assert output_of(sys.executable, "-c", program).splitlines() == ["[]", "[]"]


def test_closing_runs_on_terminate(load: Loader) -> None:
    """OnTerminate runs once when the game is closed; positions remain usable."""
    printed: list[str] = []
    with load("farewell", output=printed.append) as game:
        position = game.start()
        assert printed == []
    assert "".join(printed) == "goodbye"
    assert position.turn == "A"


def test_a_game_without_onterminate_can_be_closed(chain: Game) -> None:
    """A closed game can be started again."""
    chain.close()
    assert chain.start().turn == "Red"


def test_a_word_defined_after_the_lists_is_dropped_with_them(load: Loader) -> None:
    """Move lists are stored at HERE; freeing them also removes words that were defined later."""
    game = load("chain")
    native = game._loaded.vm.native
    native.game_new()
    native.game_setup()
    count = native.game_generate()
    game._loaded.vm.interpret(": later 7 ;")
    assert game._loaded.vm.call("later") == (7,)
    native.game_free_lists()
    with raises(ForthVMError, "game.a-word-defined-after-the-lists"):
        game._loaded.vm.call("later")
    assert native.game_generate() == count
