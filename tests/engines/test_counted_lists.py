"""The original's search counts the moves of lists of which the script observes no more.

Owns scripts whose hooks read numbers of moves, or generate lists, and the comparison with the
search that generates every list completely; and words that end at the first move where one is
enough.  See FVM_LIST_COUNT, hook_lists and ends_words in native/game/list_facts.h.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from forthvm import engines
from forthvm.core.records import ListMode
from forthvm.game import Position
from tests.engines.list_modes import list_mode
from tests.engines.test_first_moves import NO_FEATURES
from tests.engines.test_incomplete_lists import compare, search
from tests.kit.boards import grid
from tests.kit.games import load_text

# Rooks move along free lines; men step and capture; both move types may have priorities.
GAME = grid(5, 5, "n s e w", more="{variable} sum")
GAME += """\
{symmetries Black {symmetry} n s symmetries}
%(before)s
VARIABLE v
%(words)s
: add ( n -- ) sum +! ;
: go ( -- ) %(go)s from here move add-move ;
: slide ( 'dir -- ) BEGIN DUP EXECUTE IF empty? ELSE FALSE ENDIF WHILE go REPEAT DROP ;
: slides ( -- ) ['] n slide from to ['] e slide ;
: back-slides ( -- ) ['] s slide from to ['] w slide ;
: step ( -- ) n verify friend? NOT verify go ;
: capture-e ( -- ) e verify enemy? verify go ;
{moves rook-moves {move} slides {move-type} quiet {move} back-slides {move-type} quiet moves}
{moves man-moves {move} step {move-type} quiet {move} capture-e {move-type} taking moves}
{pieces {piece} rook {moves} rook-moves 5 {value} {piece} man {moves} man-moves pieces}
%(after)s
{board-setup
	{setup} White rook a1 {setup} White rook c1 {setup} White man b2 {setup} White man d2
	{setup} Black rook a5 {setup} Black rook c5 {setup} Black man b4 {setup} Black man c3
board-setup}
%(hooks)s
"""
EVALUATE = ": OnEvaluate ( -- n ) %s ;"
MOBILITY = (
    EVALUATE % "move-count current-player TRUE 0 $GenerateMoves move-count - $DeallocateMoves"
)
NEXT_LIST = "next-player FALSE 0 $GenerateMoves"
HAS_MOVES = f"{NEXT_LIST} move-count 0= $DeallocateMoves"
NEWEST = "$movesList @ DUP IF CELLSIZE + @ ENDIF"  # its number of moves, 0: there is no list
PRIORITIES = "{move-priorities {move-priority} taking {move-priority} quiet move-priorities}"

COUNTED: dict[str, dict[str, str]] = {
    "the number of moves": {"hooks": EVALUATE % "move-count"},
    "mobility": {"hooks": MOBILITY},
    "mobility, with priorities": {"before": PRIORITIES, "hooks": MOBILITY},
    "mobility, with a type without priority": {
        "before": "{move-priorities {move-priority} taking move-priorities}",
        "hooks": MOBILITY,
    },
    "mobility, with forced passes": {"hooks": "$passTurnForced ON " + MOBILITY},
    "mobility, with partial moves": {
        "go": "here a1 > from a5 > AND IF partial ENDIF",
        "hooks": MOBILITY,
    },
    "mobility, with words in moves": {
        "go": "here COMPILE-LITERAL COMPILE add",
        "hooks": EVALUATE % "move-count 100 * sum @ +",
    },
    "mobility, with texts": {"go": 'here ^position ^" goes"', "hooks": MOBILITY},
    "passes that move words see": {
        "go": "here 12 > $passed @ NOT AND IF Pass ENDIF here v !",
        "hooks": MOBILITY,
    },
    "a variable that generating writes": {
        "go": "here v !",
        "hooks": EVALUATE % "v @ next-player FALSE 0 $GenerateMoves $DeallocateMoves v @ 30 * +",
    },
    "lists in OnIsGameOver": {
        "hooks": ": OnIsGameOver ( -- n ) next-player FALSE 0 $GenerateMoves move-count"
        " $DeallocateMoves 9 < IF #LossScore ELSE #UnknownScore ENDIF ;"
    },
    "whether a list has moves": {
        "hooks": EVALUATE % f"{HAS_MOVES} IF 5 ELSE here 9 * from + current-piece + ENDIF",
    },
    "whether a list has moves, before a branch": {
        "hooks": EVALUATE % f"{NEXT_LIST} move-count 0= IF 5 ELSE here ENDIF $DeallocateMoves",
    },
    "whether a list has moves, with stalemate?": {
        "hooks": EVALUATE % f"{NEXT_LIST} stalemate? $DeallocateMoves here +",
    },
    "whether a list has moves, with forced passes": {
        "hooks": f"$passTurnForced ON {EVALUATE % HAS_MOVES}",
    },
    "whether a list has moves, with priorities": {
        "before": PRIORITIES,
        "hooks": EVALUATE % HAS_MOVES,
    },
    "whether a list has moves, and a variable that generating writes": {
        "go": "here v !",
        "hooks": EVALUATE % f"5 v ! {HAS_MOVES} v @ +",
    },
    "whether a list has moves, and a counter that lasts": {
        "go": "v ++ v @ 3 AND verify",
        "hooks": EVALUATE % HAS_MOVES,
    },
    "a list that is not freed": {
        "hooks": EVALUATE % "move-count next-player FALSE 0 $GenerateMoves move-count -"
    },
    "a list that is freed in one branch": {
        "hooks": EVALUATE % "next-player FALSE 0 $GenerateMoves move-count"
        " here 7 > IF $DeallocateMoves ENDIF"
    },
    "the first move of a list": {
        "hooks": EVALUATE % "next-player FALSE 0 $GenerateMoves $FirstMove DUP IF .moveType @ ENDIF"
        " $DeallocateMoves"
    },
    "moves that are made": {
        "hooks": EVALUATE % "$FirstMove DUP IF $CloneBoard .moveCFA EXECUTE $DeallocateBoard ENDIF"
        " sum @ move-count +",
        "go": "here COMPILE-LITERAL COMPILE add",
    },
    "HERE in a move word": {"go": "HERE 255 AND 200 < verify", "hooks": EVALUATE % "move-count"},
    "a terminal position is searched on": {
        "hooks": ": OnIsTerminal? ( -- ? ) here from + 30 > turn-number 4 < NOT OR ; " + MOBILITY
    },
    "unique moves": {"hooks": "$uniqueMoves ON " + MOBILITY},
    "a counter that lasts": {"go": "v ++", "hooks": EVALUATE % "v @ 1 AND move-count +"},
    "HERE in a move word, mobility": {"go": "HERE 255 AND 200 < verify", "hooks": MOBILITY},
    "the newest list in a move word": {"go": f"{NEWEST} 7 < verify", "hooks": MOBILITY},
    "priorities that move words change": {
        "before": PRIORITIES,
        "go": "$move-priorities @ CELLSIZE + here 3 MOD SWAP !",
        "hooks": MOBILITY,
    },
    "the newest list in OnGenerateMoves": {
        "hooks": f": OnGenerateMoves ( -- ) {NEWEST} v ! ; "
        + EVALUATE % "next-player FALSE 0 $GenerateMoves $DeallocateMoves v @"
    },
    "HERE in OnGenerateMoves": {
        "hooks": ": OnGenerateMoves ( -- ) HERE 255 AND v ! ; "
        + EVALUATE % "next-player FALSE 0 $GenerateMoves $DeallocateMoves v @"
    },
    "a list that OnGenerateMoves generates and reads": {
        "hooks": "VARIABLE attacks VARIABLE counting "
        ": OnGenerateMoves ( -- ) counting @ NOT IF counting ON 0 attacks !"
        " current-player TRUE 0 $GenerateMoves"
        " $FirstMove BEGIN DUP WHILE attacks ++ @ REPEAT DROP"
        " $DeallocateMoves counting OFF ENDIF ; "
        + EVALUATE
        % "next-player FALSE 0 $GenerateMoves move-count $DeallocateMoves attacks @ 50 * +"
    },
    "the newest list in OnFriends?": {
        "hooks": f": OnFriends? ( player player -- ? ) = {NEWEST} 3 MOD 0= OR ; "
        + EVALUATE % "next-player TRUE 0 $GenerateMoves move-count $DeallocateMoves"
    },
    "a search in OnEvaluate": {
        "hooks": "VARIABLE inner "
        + EVALUATE % "inner @ IF 5 ELSE inner ON 1 $depthLimit ! OnSearch inner OFF 7 ENDIF"
    },
}

# Hooks make each move on a copy of the board and generate the replies.  They read the records of
# the list of moves, but not those of the replies, so that these may be counted.
TRY = r"""
: try ( move -- n )
	$CloneBoard .moveCFA EXECUTE
	next-player FALSE 0 $GenerateMoves %(read)s $DeallocateMoves
	$DeallocateBoard
;
: fewest ( -- n ) 99 $FirstMove BEGIN DUP WHILE DUP try ROT MIN SWAP $NextMove REPEAT DROP ;
: OnIsGameOver ( -- n ) fewest %(limit)s > IF #UnknownScore ELSE #LossScore ENDIF ;
: OnEvaluate ( -- n ) fewest move-count 3 * - ;
%(more)s
"""


def tries(read: str = "move-count", limit: str = "4", more: str = "") -> str:
    return TRY % {"read": read, "limit": limit, "more": more}


TRIED: dict[str, dict[str, str]] = {
    "the number of replies": {"hooks": tries()},
    "a variable that generating writes": {
        "go": "here v +!",
        "hooks": tries("v @ 15 AND"),
    },
    "the number of replies, before a branch": {
        "hooks": tries("move-count 0= IF 3 ELSE move-count 4 > IF 5 ELSE 6 ENDIF ENDIF"),
    },
    "replies generated again in a branch": {
        "hooks": tries(f"move-count 3 > IF 3 $DeallocateMoves {NEXT_LIST} ELSE 5 ENDIF"),
    },
    "replies with priorities": {"before": PRIORITIES, "hooks": tries()},
    "replies with forced passes": {"hooks": "$passTurnForced ON " + tries()},
    "forced passes that a hook sees": {
        "hooks": "$passTurnForced ON " + tries("move-count $passed @ +")
    },
    "unique replies": {"hooks": "$uniqueMoves ON " + tries()},
    "priorities that move words change": {
        "before": PRIORITIES,
        "go": "$move-priorities @ CELLSIZE + here 3 MOD SWAP !",
        "hooks": tries(),
    },
    "the first reply": {
        "hooks": tries("$FirstMove DUP IF .moveType @ ENDIF move-count +"),
    },
    "the first reply, in a branch": {
        "hooks": tries("move-count 3 > IF $FirstMove .moveType @ ELSE 1 ENDIF"),
    },
    "replies that another word reads, in a branch": {
        "words": ": typed ( -- n ) $FirstMove .moveType @ ;",
        "hooks": tries("move-count 3 > IF typed ELSE 1 ENDIF"),
    },
    "replies generated twice in a branch": {
        "hooks": tries(f"move-count 3 > IF {NEXT_LIST} 3 ELSE 5 ENDIF $FirstMove 0= IF 1+ ENDIF"),
    },
    "replies that another word reads": {
        "words": ": typed ( -- n ) 0 $FirstMove BEGIN DUP WHILE SWAP OVER .moveType @ + SWAP"
        " $NextMove REPEAT DROP ;",
        "hooks": tries("typed"),
    },
    "replies read at the address of the list": {
        "hooks": tries(f"{NEWEST} $movesList @ 2 CELLS + @ IF 1+ ENDIF"),
    },
    "HERE after the replies": {"hooks": tries("HERE 255 AND")},
    "HERE that another word reads": {
        "words": ": low ( -- n ) HERE 255 AND ;",
        "hooks": tries("low"),
    },
    "replies freed by another word": {
        "words": ": drop-list ( -- ) move-count sum ! $DeallocateMoves ;",
        "hooks": tries(f"{NEXT_LIST} drop-list sum @"),
    },
    "replies generated through a token": {
        "words": ": gen ( -- ) ['] $GenerateMoves EXECUTE ;",
        "hooks": tries(f"move-count {NEXT_LIST[:-14]} gen $FirstMove IF 1+ ENDIF $DeallocateMoves"),
    },
    "HERE in a move word": {"go": "HERE 255 AND 200 < verify", "hooks": tries()},
    "the newest list in a move word": {"go": f"{NEWEST} 7 < verify", "hooks": tries()},
    "a move that generates and reads a list": {
        "words": f": peek ( -- ) {NEXT_LIST} $FirstMove IF $FirstMove .moveType @ sum +! ENDIF"
        " $DeallocateMoves ;",
        "go": "COMPILE peek",
        "hooks": tries("move-count sum @ +"),
    },
    "a move that generates a list and reads HERE": {
        "words": f": peek ( -- ) {NEXT_LIST} HERE 255 AND sum +! $DeallocateMoves ;",
        "go": "COMPILE peek",
        "hooks": tries("move-count sum @ +"),
    },
    "a move that leaves a list": {
        "words": f": peek ( -- ) {NEXT_LIST} ;",
        "go": "COMPILE peek",
        "hooks": tries("$FirstMove IF $FirstMove .moveType @ 4 + ELSE 3 ENDIF $DeallocateMoves"),
    },
    "OnNextTurn generates and reads a list": {
        "hooks": f": OnNextTurn ( -- ) {NEXT_LIST} $FirstMove IF $FirstMove .moveType @ sum +!"
        " ENDIF $DeallocateMoves ; " + tries("OnNextTurn move-count sum @ +"),
    },
    "the first move in OnGenerateMoves": {
        "hooks": ": OnGenerateMoves ( -- ) $movesList @ IF $FirstMove DUP IF .moveType @ ENDIF v !"
        " ENDIF ; " + tries(f"{NEXT_LIST} $DeallocateMoves v @ move-count +"),
    },
    "the first move in OnFriends?": {
        "hooks": ": OnFriends? ( player player -- ? ) = $movesList @ IF $FirstMove 0= OR ENDIF ; "
        + tries().replace("FALSE 0", "TRUE 0"),
    },
    "a search in OnEvaluate": {
        "hooks": "VARIABLE inner "
        + tries()
        + EVALUATE % "inner @ IF 5 ELSE inner ON 1 $depthLimit ! OnSearch inner OFF 7 ENDIF"
    },
}


def position_of(folder: Path, level: int = 150, **parts: str) -> Position:
    texts = dict.fromkeys(("before", "words", "go", "after", "hooks"), "") | parts
    return load_text(folder, GAME % texts, axiom=level).start()


@pytest.mark.sampled(17)
@pytest.mark.parametrize("level", [140, 150])
@pytest.mark.parametrize("name", COUNTED)
def test_counted_lists_give_the_same_results(tmp_path: Path, name: str, level: int) -> None:
    if level == 150 or "unique" not in name:  # $uniqueMoves is new in 150
        compare(position_of(tmp_path, level, **COUNTED[name]), 3, seed=2)


@pytest.mark.sampled(15)
@pytest.mark.parametrize("level", [140, 150])
@pytest.mark.parametrize("name", TRIED)
def test_counted_replies_give_the_same_results(tmp_path: Path, name: str, level: int) -> None:
    if level == 150 or "unique" not in name:
        compare(position_of(tmp_path, level, **TRIED[name]), 2, seed=2)


ARE_COUNTED = list(TRIED)[:7]
TRANSIENT_TOP = 0x98  # the cell of the kernel with the end of the memory that lists have used


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", TRIED)
def test_replies_are_counted_if_nothing_reads_them(tmp_path: Path, name: str) -> None:
    position = position_of(tmp_path, **TRIED[name])
    tops = {
        search(position, 1, complete=complete).memory[TRANSIENT_TOP : TRANSIENT_TOP + 4]
        for complete in (True, False)
    }
    assert (len(tops) == 2) is (name in ARE_COUNTED)


def alpha_beta(position: Position, *, complete: bool) -> tuple[int, int, str]:
    """Search with alpha-beta; return nodes, score and move."""
    engine = engines.get(f"negamax:depth=2,{NO_FEATURES}")
    with list_mode(position, ListMode.COMPLETE if complete else ListMode.PROVEN):
        result = engine.play(position)
        return result.nodes, result.score, str(result.move)


@pytest.mark.sampled(11)
@pytest.mark.parametrize("level", [140, 150])
@pytest.mark.parametrize("name", [name for name in TRIED if "search" not in name])
def test_alpha_beta_gives_the_same_results(tmp_path: Path, name: str, level: int) -> None:
    if level == 150 or "unique" not in name:
        position = position_of(tmp_path, level, **TRIED[name])
        if position.result is None:
            expected = alpha_beta(position, complete=True)
            assert alpha_beta(position, complete=False) == expected


ONE_ROOK = "{board-setup {setup} White rook a1 {setup} Black rook c5 board-setup}"


@pytest.mark.parametrize(
    ("go", "ends"),
    [
        ("", True),
        ("here v ! v @ DROP", True),
        ("v ++", False),  # a counter that lasts
        ("HERE DROP", False),
    ],
)
def test_move_words_end_at_the_first_move(tmp_path: Path, go: str, ends: bool) -> None:
    one_word = "{moves all {move} slides moves} {pieces {piece} rook {moves} all pieces}"
    hooks = f"{ONE_ROOK} {EVALUATE % 'stalemate?'}"
    position = position_of(tmp_path, go=go, after=one_word, hooks=hooks)
    complete, found = (search(position, 3, complete=complete) for complete in (True, False))
    assert found[:3] == complete[:3]
    assert (complete.steps > 1.2 * found.steps) is ends, (complete.steps, found.steps)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("go", "read", "brief"),
    [
        ("", "move-count 0=", True),
        ("", "stalemate?", True),
        ("here v ! v @ DROP", "move-count 0=", True),
        ("", "move-count 0= IF 3 ELSE 4 ENDIF", True),
        ("", "move-count 1 <", False),
        ("v ++", "move-count 0=", False),  # a counter that lasts
        ("here v !", "move-count 0= 0 v ! v @ DROP", False),
    ],
)
def test_lists_of_hooks_end_at_the_first_move(
    tmp_path: Path, go: str, read: str, brief: bool
) -> None:
    hooks = EVALUATE % f"{NEXT_LIST} %s $DeallocateMoves"
    found, counted = (
        search(position_of(tmp_path, go=go, hooks=hooks % text), 1, complete=False)
        for text in (read, f"move-count DROP {read}")
    )
    assert found[:3] == counted[:3]
    assert (counted.steps > 1.5 * found.steps) is brief, (counted.steps, found.steps)
