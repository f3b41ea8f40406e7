"""Playouts draw moves without generating complete lists; all moves are equally likely.

Owns scripts whose move words add different numbers of moves, depend on each other, or whose
evaluation reads the move list.  See native/game/random_move.c.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import forthvm
from forthvm import engines
from forthvm.core.records import ListMode
from forthvm.engines.position_arrays import random_playouts
from forthvm.game import Position
from tests.engines.list_modes import list_mode
from tests.kit.boards import grid
from tests.kit.games import load_text
from tests.kit.messages import raises

# White has one move.  Then Black wins if its rook moves.  The rook has four moves, all of which are
# added by a single move word, and Black's two pawns have one move each.
SLIDES = r"""
{board 3 5 {grid} board}
{directions 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black %(of_type)s turn-order}
%(promise)s
%(words)s
: go ( -- ) from here move add-move ;
: step ( -- ) right verify empty? verify %(check)s go ;
: slide ( -- ) BEGIN right verify empty? verify go FALSE UNTIL ;
%(drop)s
{moves steps {move} step %(type)s moves}
{moves slides {move} slide %(slide_type)s moves}
%(priorities)s
{pieces
	{piece} pawn {moves} steps
	{piece} rook {moves} slides
	%(disc)s
pieces}
{board-setup
	{setup} White pawn a3
	{setup} Black rook a2 {setup} Black pawn a1 {setup} Black pawn c1
board-setup}
: OnIsGameOver ( -- score )
	turn-number 3 =
	IF a2 empty-at? IF #LossScore ELSE #WinScore ENDIF
	ELSE %(judge)s #UnknownScore ENDIF
;
: OnEvaluate ( -- score ) %(evaluate)s ;
"""
DEFAULTS = {
    "promise": "TRUE CONSTANT independent-moves",
    "words": "", "check": "", "type": "", "slide_type": "", "drop": "", "disc": "", "judge": "",
    "evaluate": "0", "priorities": "", "of_type": "",
}  # fmt: skip
DROPS = {
    "drop": ": put ( -- ) current-player Black = verify here e3 = verify drop add-move ;"
    "\n{moves puts {move} put moves}",
    "disc": "{piece} disc {drops} puts",
}
# The drop word adds no move where there is a piece.
DROPS_ON_EMPTY = DROPS | {
    "drop": ": put ( -- ) empty? verify current-player Black = verify here e3 = verify"
    " drop add-move ;\n{moves puts {move} put moves}",
}
# The script's own word `empty?` is true where Black has a pawn.
DROPS_ON_PAWN = DROPS | {
    "drop": ": empty? ( -- ? ) here c1 = ;\n"
    ": put ( -- ) empty? verify current-player Black = verify drop add-move ;"
    "\n{moves puts {move} put moves}",
}
NO_PROMISE = {"promise": ""}
# Of the pawns of a player, only the first one in the list may move.
FIRST_PAWN = {
    "words": "VARIABLE used\n: OnGenerateMoves ( -- ) used OFF ;",
    "check": "used @ NOT verify used ON",
}
# Both pawns' words add a pass, of which a list contains only one.
ONE_PASS = {"check": "current-player Black = IF Pass ENDIF"}
# OnGenerateMoves computes what the move words need, and they do not change it.
PREPARED = {
    "words": "VARIABLE allowed\n: OnGenerateMoves ( -- ) current-player Black = allowed ! ;",
    "check": "allowed @ current-player White = OR verify",
}
# Every call of `step` changes a variable that has no effect on the moves.
PROMISED = {
    "words": "VARIABLE calls",
    "check": "calls @ 1+ calls !",
}
# Every call writes the variable before it reads it.
WRITTEN_FIRST = {"words": "VARIABLE goal", "check": "here goal ! goal @ here = verify"}
# OnIsGameOver aborts if Black's list has fewer than five moves.
INCOMPLETE_LIST_ABORTS = {
    "judge": 'current-player Black = move-count 5 < AND ABORT" the list is incomplete"'
}
# OnMovesGenerated removes one of the four moves of Black's rook.
FILTERED = {
    "drop": ": OnMovesGenerated current-player Black = IF $FirstMove $RemoveMove ENDIF ;",
}
# OnIsGameOver reads the type of the first move, which is the same in every list.
ONE_TYPE = {
    "type": "{move-type} going",
    "slide_type": "{move-type} going",
    "judge": '$FirstMove .moveType @ going <> ABORT" not the type of all moves"',
}
# Black's drop never adds a move, so a list has the moves of the next move type.
TYPES = {
    "drop": ": put ( -- ) FALSE verify drop add-move ;\n"
    "{moves puts {move} put {move-type} dropping moves}",
    "disc": "{piece} disc {drops} puts",
    "type": "{move-type} going",
    "slide_type": "{move-type} going",
}
# The word of the pawns adds its move twice, which counts once.
EQUAL_MOVES = {
    "check": "go",
    "drop": "$uniqueMoves ON",
    "type": "{move-type} going",
    "slide_type": "{move-type} going",
}
# The pawns may pass, which is a move type of its own.
WAITING = {
    "words": ": wait ( -- ) Pass ;",
    "type": "{move-type} going {move} wait {move-type} waiting",
    "slide_type": "{move-type} going",
}
# Black's pawns may only pass; passes and moves of the rook have the same type.
BLACK_WAITS = WAITING | {
    "check": "current-player White = verify",
    "slide_type": "{move-type} waiting",
}


def in_order(*types: str) -> dict[str, str]:
    """Return the section that ranks these move types, the first one best."""
    ranks = " ".join(f"{{move-priority}} {each}" for each in types)
    return {"priorities": f"{{move-priorities {ranks} move-priorities}}"}


# OnNextTurn exchanges the ranks of the types.
EXCHANGED = in_order("going", "waiting")
EXCHANGED["priorities"] += (
    "\n: OnNextTurn 0 $move-priorities @ waiting CELLS + !"
    " 1 $move-priorities @ going CELLS + ! OnNextTurn ;"
)


def expected_reward(position: Position, player: str) -> float:
    """Return a player's expected reward of a random game, by complete enumeration."""
    if position.result is not None:
        return float(player in position.result.winners)
    total = 0.0
    for move in list(position.legal_moves):
        position.push(move)
        total += expected_reward(position, player)
        position.pop()
    return total / len(position.legal_moves)


# Parts of the script, and the probability that the rook moves.
VARIANTS: dict[str, tuple[dict[str, str], float]] = {
    "independent": ({}, 4 / 6),
    "drops": (DROPS, 4 / 7),
    "drops-on-empty": (DROPS_ON_EMPTY, 4 / 7),
    "drops-on-pawn": (DROPS_ON_PAWN, 4 / 7),
    "event": (FIRST_PAWN | NO_PROMISE, 4 / 5),
    "one-pass": (ONE_PASS, 4 / 7),
    "prepared": (PREPARED, 4 / 6),
    "counted-calls": (PROMISED, 4 / 6),
    "written-first": (WRITTEN_FIRST, 4 / 6),
    "counted": (INCOMPLETE_LIST_ABORTS | NO_PROMISE, 4 / 6),
    "filtered": (FILTERED, 3 / 5),
    "one-type": (ONE_TYPE, 4 / 6),
    "two-ranks": (TYPES | in_order("dropping", "going"), 4 / 6),
    "without-rank": (TYPES | in_order("dropping"), 4 / 6),
    "without-drops": (ONE_TYPE | {"judge": ""} | in_order("going"), 4 / 6),
    "drops-last": (TYPES | in_order("going", "dropping"), 4 / 6),
    "pawns-first": (TYPES | {"slide_type": ""} | in_order("dropping", "going"), 0),
    "rook-first": (TYPES | {"type": ""} | in_order("dropping", "going"), 1),
    "passes-last": (WAITING | in_order("going", "waiting"), 4 / 6),
    "passes-first": (WAITING | in_order("waiting", "going"), 0),
    "passes-without-rank": (WAITING | in_order("going"), 4 / 6),
    "passes-before-drops": (WAITING | DROPS | in_order("going", "waiting"), 4 / 6),
    "passes-beside-moves": (BLACK_WAITS | in_order("going", "waiting"), 4 / 5),
    "passes-of-type": (
        BLACK_WAITS | in_order("going", "waiting") | {"of_type": "{of-type} waiting"},
        4 / 5,
    ),
    "passes-with-ranks-exchanged": (BLACK_WAITS | EXCHANGED, 4 / 5),
    "only-passes": (
        BLACK_WAITS | {"slide_type": "{move-type} later"} | in_order("going", "waiting", "later"),
        0,
    ),
    "equal-moves": (EQUAL_MOVES | in_order("going"), 4 / 6),
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", list(VARIANTS))
def test_moves_are_equally_likely(tmp_path: Path, name: str) -> None:
    parts, probability = VARIANTS[name]
    position = load_text(tmp_path, SLIDES % (DEFAULTS | parts), name="slides.4th").start()
    assert expected_reward(position.copy(), "Black") == pytest.approx(probability)
    count = 4000
    rewards = random_playouts(position, count, seed=3)
    # The standard deviation of a reward of 0 or 1 is at most 0.5.  The tolerance is four standard
    # deviations of the mean.
    assert abs(rewards["Black"] - probability) < 4 * 0.5 / count**0.5
    assert random_playouts(position, count, seed=3) == rewards


def playouts(position: Position, mode: ListMode) -> dict[str, float]:
    """Play random games."""
    with list_mode(position, mode):
        return random_playouts(position, 20, seed=3, plies=60)


def single_playouts(position: Position, mode: ListMode) -> list[dict[str, float]]:
    """Play random games, each in a search of its own."""
    with list_mode(position, mode):
        return [random_playouts(position, 1, seed=seed, plies=200) for seed in range(8)]


@pytest.mark.parametrize(
    "parts",
    [{}, DROPS, PREPARED, PROMISED],
    ids=["independent", "drops", "prepared", "promised"],
)
def test_moves_are_drawn(tmp_path: Path, parts: dict[str, str]) -> None:
    """Random games with drawn moves need other random numbers than those with complete lists."""
    position = load_text(tmp_path, SLIDES % (DEFAULTS | parts), name="slides.4th").start()
    assert playouts(position, ListMode.PROMISED) != playouts(position, ListMode.COMPLETE)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["chess", "rithmomachia", "splut", "draughts-russian"])
def test_drawn_moves_are_in_the_complete_list(name: str) -> None:
    """Also in scripts that promise that their move words are independent."""
    position = forthvm.load(name).start()
    assert playouts(position, ListMode.PROMISED) != playouts(position, ListMode.COMPLETE)
    playouts(position, ListMode.COMPARED)


def test_check_finds_a_broken_promise(tmp_path: Path) -> None:
    """Only the first pawn of the list may move, but a draw may run the word of the second one."""
    with raises(forthvm.ForthVMError, "sampling.a-drawn-move"):
        playouts(load_text(tmp_path, SLIDES % (DEFAULTS | FIRST_PAWN)).start(), ListMode.COMPARED)


SKIPPING = r"""
TRUE CONSTANT independent-moves
{board 2 4 {grid} board}
{directions 0 1 {direction} right 0 -1 {direction} left directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: go ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: go-right ( -- ) ['] right go ;
: go-left ( -- ) ['] left go ;
: rest ( -- ) ;
: block ( -- ) 1 $skipWords ! ;  \ the word after it adds no move
{moves walks {move} rest {move} go-right {move} go-left moves}
{moves blocks {move} block {move} rest moves}
{pieces {piece} walker {moves} walks {piece} stone {moves} blocks pieces}
{board-setup {setup} White walker a1 {setup} Black walker a2
	{setup} White stone d1 {setup} Black stone d2 board-setup}
: OnIsGameOver ( -- score ) stalemate? ABORT" a walker can always move" #UnknownScore ;
"""


def test_request_to_skip_words_ends_with_the_draw(tmp_path: Path) -> None:
    """The word of a stone requests to skip one word, which must not be one of the walker's."""
    rewards = random_playouts(
        load_text(tmp_path, SKIPPING, name="skipping.4th").start(), 50, seed=1, plies=20
    )
    assert rewards == {"White": 0.5, "Black": 0.5}


def test_evaluation_reads_the_complete_list(tmp_path: Path) -> None:
    """The position at the end of a playout without a result is evaluated with all its moves."""
    evaluate = 'move-count 6 <> ABORT" the list is incomplete" 0'
    position = load_text(tmp_path, SLIDES % (DEFAULTS | {"evaluate": evaluate})).start()
    assert random_playouts(position, 50, seed=1, plies=1) == {"White": 0.5, "Black": 0.5}


@pytest.mark.parametrize(
    "parts",
    [
        {
            "words": "VARIABLE calls  : OnGenerateMoves ( -- ) calls OFF ;",
            "check": "calls ++",
            "evaluate": 'calls @ 2 <> ABORT" words have run again" 0',
        },
        {"judge": "b3 to", "evaluate": 'here b3 <> ABORT" what OnIsGameOver left is lost" 0'},
    ],
    ids=["what words leave", "what hooks leave"],
)
def test_evaluation_finds_the_same_as_after_a_complete_list(
    tmp_path: Path, parts: dict[str, str]
) -> None:
    """Black's two pawns have a word each, which runs once in a list."""
    position = load_text(tmp_path, SLIDES % (DEFAULTS | parts)).start()
    assert random_playouts(position, 50, seed=1, plies=1) == {"White": 0.5, "Black": 0.5}


@pytest.mark.parametrize(
    "read",
    [
        "current-piece-type",
        "last-type",
        "$piece @ #PieceType AND",
        "['] last-type EXECUTE",
    ],
)
def test_hooks_see_the_last_piece_after_a_draw(tmp_path: Path, read: str) -> None:
    """A scan ends at Black's pawn on c1, also if the rook's word has added the drawn move."""
    parts = {
        "words": ": last-type ( -- type ) current-piece-type ;",
        "judge": f'current-player Black = IF {read} 2 = ABORT" the rook" ENDIF',
    }
    position = load_text(tmp_path, SLIDES % (DEFAULTS | parts)).start()
    drawn = playouts(position, ListMode.PROMISED)
    assert drawn != playouts(position, ListMode.COMPLETE)


def test_moves_see_the_last_piece_after_a_draw(tmp_path: Path) -> None:
    """A word that is compiled into moves reads the current piece."""
    parts = {
        "words": ": weird FALSE IF [ 1 , ] ENDIF ;"
        ' : note current-piece-type 2 = ABORT" the rook" ;',
        "check": "weird",
    }
    text = SLIDES % (DEFAULTS | parts)
    text = text.replace("verify go FALSE", "verify from here move COMPILE note add-move FALSE")
    position = load_text(tmp_path, text.replace("{setup} Black pawn a1", "")).start()
    drawn = playouts(position, ListMode.PROMISED)
    assert drawn != playouts(position, ListMode.COMPLETE)


def test_player_without_moves_passes(tmp_path: Path) -> None:
    """If there is no move to draw, the list is generated."""
    text = SLIDES % DEFAULTS
    position = load_text(
        tmp_path, text.replace("{setup} Black rook a2 {setup} Black pawn a1", "")
    ).start()
    assert random_playouts(position, 50, seed=1) == {"White": 0.0, "Black": 1.0}


@pytest.mark.parametrize("order", [("going", "waiting"), ("waiting", "going")])
def test_moves_are_drawn_before_the_rank_of_passes(tmp_path: Path, order: tuple[str, ...]) -> None:
    """The random games with complete lists differ, unless passes come first."""
    position = load_text(
        tmp_path, SLIDES % (DEFAULTS | WAITING | in_order(*order)), name="passes.4th"
    ).start()
    rewards = random_playouts(position, 400, seed=3)
    with list_mode(position, ListMode.COMPLETE):
        complete = random_playouts(position, 400, seed=3)
    assert (complete == rewards) is (order[0] == "waiting")


@pytest.mark.parametrize(("name", "limit"), [("breakthrough", 600_000), ("reversi", 3_500_000)])
def test_tree_search_draws_moves_like_playouts(name: str, limit: int) -> None:
    """The step limit would be exceeded by complete lists, which need twice as many steps."""
    playouts = 60
    game = forthvm.load(name, budget=forthvm.Budget(steps=limit))
    result = engines.get(f"mcts:playouts={playouts},seed=3").play(game.start())
    assert result.info["playouts"] == playouts


# Each man has a word of the turn's type.  From turn 5 on each may also pass, of which a list
# contains one.
PASSES_OF_TWO_TYPES = grid(4, 12, "right")
PASSES_OF_TWO_TYPES += """\
TRUE CONSTANT independent-moves
: go ( -- ) right verify empty? verify from here move add-move ;
: skip ( -- ) turn-number 4 > verify Pass ;
{moves both {move} go {move-type} one {move} skip {move-type} one
	{move} go {move-type} two {move} skip {move-type} two moves}
{pieces {piece} man {moves} both pieces}
{turn-order {turn} White {of-type} one {turn} Black {of-type} one
	{turn} White {of-type} two {turn} Black {of-type} two turn-order}
{board-setup {setup} White man a1 {setup} White man a2
	{setup} Black man a3 {setup} Black man a4 board-setup}
: OnIsGameOver ( -- score ) #UnknownScore ;
: steps ( -- n ) 0 48 0 DO I player-at White = IF I 12 MOD + ENDIF LOOP ;
: OnEvaluate ( -- score )
	steps 3 > IF 1000 ELSE -1000 ENDIF current-player Black = IF NEGATE ENDIF ;
"""


def test_passes_are_as_likely_as_other_moves_for_each_type(tmp_path: Path) -> None:
    """White makes four of seven moves; the last two are passes with a probability of 1 / 3 each."""
    position = load_text(tmp_path, PASSES_OF_TWO_TYPES).start()
    count = 4000
    reward = random_playouts(position, count, seed=3, plies=7)["White"]
    low, high = 1 / (1 + math.e), 1 / (1 + math.exp(-1))  # of scores of -1000 and 1000
    assert abs((reward - low) / (high - low) - 4 / 9) < 4 * 0.5 / count**0.5
