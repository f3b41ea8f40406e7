"""At level 140 searches make no texts if no word of the script reads the records of moves.

A hook that names the list switches this off: such a word could read a text.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import forthvm
from forthvm import engines
from forthvm.core.errors import MoveTextError
from forthvm.engines.position_arrays import random_playouts
from forthvm.game import Game, perft
from tests.kit.boards import grid
from tests.kit.games import load_text

GAMES = Path(__file__).parents[1] / "golden" / "games"
READER = ": OnRetractMove ( -- ) OnRetractMove $movesList @ DROP ;\n"
SEARCHES = (
    "negamax:depth=2,tt=0,nodes=200",
    "maxn:depth=2,nodes=200",
    "axiom:depth=2,nodes=200",
    "mcts:playouts=20,depth=20,seed=3",
)


def load(folder: Path, script: str, *, reads: bool) -> Game:
    shutil.copytree(GAMES, folder, dirs_exist_ok=True)  # a game may load another
    return load_text(folder, script + (READER if reads else ""), axiom=140, seed=5, clock=0)


def searched(game: Game, search: str) -> object:
    """Return what a search finds, or the text of its error."""
    try:
        result = engines.get(search).play(game.start())
    except forthvm.ForthVMError as error:
        return type(error)
    return result.nodes, result.score, str(result.move), [str(move) for move in result.pv]


def counted(game: Game, depth: int) -> object:
    """Return the number of move sequences, or the kind and the message of an error."""
    try:
        return perft(game.start(), depth)
    except forthvm.ForthVMError as error:
        return type(error), error.args


@pytest.mark.sampled(11)
@pytest.mark.parametrize("name", sorted(path.stem for path in GAMES.glob("*.4th")))
def test_results_are_the_same_with_texts(name: str, tmp_path: Path) -> None:
    script = (GAMES / f"{name}.4th").read_text(encoding="utf-8")
    ignores, reads = (load(tmp_path, script, reads=value) for value in (False, True))
    assert counted(ignores, 2) == counted(reads, 2)
    for search in SEARCHES:
        assert searched(ignores, search) == searched(reads, search), search
    playouts = [random_playouts(game.start(), 2, seed=4, plies=30) for game in (ignores, reads)]
    assert playouts[0] == playouts[1]


LONG = grid(1, 2, players="Red Blue")
LONG += """\
: long ( -- )  \\ for Blue, a move with many edits
	current-player Blue = IF 60 ELSE 1 ENDIF BEGIN here create-at 1- DUP 0= UNTIL DROP add-move ;
{moves moves-of-man {move} long moves}
{pieces {piece} man-with-a-long-name {moves} moves-of-man pieces}
{board-setup {setup} Red man-with-a-long-name a1 {setup} Blue man-with-a-long-name b1 board-setup}
"""


@pytest.mark.parametrize(
    ("hook", "reads"),
    [
        ("$movesList @ DROP", True),
        ("$FirstMove .moveString @ DROP", True),
        ("HERE DROP", True),
        ("$moveAddr @ DROP", True),
        ("$FirstMove .moveType @ DROP", True),
        ("stalemate? DROP move-count DROP", False),
        ("table @ DROP", False),
    ],
)
def test_perft_makes_texts_if_a_hook_may_read_them(hook: str, reads: bool, tmp_path: Path) -> None:
    # Blue's text of 60 edits has more than 1,023 bytes, which is an error if the text is made.
    # The data at `table` follow a word that runs HERE; but only the data are used.
    table = ": lay ( -- addr ) HERE 7 , ;\nlay CONSTANT table\n"
    script = f"{LONG}{table}: OnNextTurn ( -- ) {hook} OnNextTurn ;\n"
    found = counted(load(tmp_path, script, reads=False), 2)
    assert found == 1 if not reads else isinstance(found, tuple) and found[0] is MoveTextError


ITEMS = grid(2, 6, "right")
ITEMS += """\
: go ( -- )
    right verify empty? verify
    $OmitsTexts? IF 65 EMIT ELSE here 4 $TextItem ENDIF
    from here move add-move
;
{moves steps {move} go moves}
{pieces {piece} man {moves} steps pieces}
{board-setup {setup} White man a1 {setup} Black man a2 board-setup}
: OnEvaluate ( -- n ) here ;
"""


@pytest.mark.parametrize(
    ("more", "omits"), [("", True), (READER, False), ("$uniqueMoves ON\n", False)]
)
def test_searches_need_no_items_of_texts(more: str, omits: bool, tmp_path: Path) -> None:
    """Neither lists of the host nor the best line lack them."""
    script = ITEMS + more
    printed: list[str] = []
    position = load_text(tmp_path, script, name="items.4th", output=printed.append).start()
    assert [str(move) for move in position.legal_moves] == ["7"]
    result = engines.get("negamax:depth=4,tt=0").play(position)
    assert [str(move) for move in result.pv[:4]] == ["7", "1", "8", "2"]
    random_playouts(position, 2, seed=4, plies=5)
    assert ("A" in "".join(printed)) == omits
    assert [str(move) for move in position.legal_moves] == ["7"]
