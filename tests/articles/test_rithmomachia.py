"""Compare the Rithmomachia fragments with the model of the rules with the settings `script`.

The settings `script` are the rules as the article's code implements them.  The rules page is
rules/rithmomachia.md.  In brief: a piece has a class (R round, T triangle, S square, P pyramid)
and a number.  A pyramid consists of several parts, and its number is their total.  An equality
captures a piece of the same number.  An ambush by two pieces captures the sum, difference, product
or quotient of their numbers.  An eruption captures the product or quotient of a piece's number and
the number of squares from the piece to the victim, both included.

Section 11 of the page lists the differences between the fragments and the rules: eruptions use
products only, a straight move is blocked by a piece that was beside the victim before the move, and
two numbers of one pyramid can form an ambush.  The host script's word for equality follows the
original script as well, so that the published numbers of `script` can be compared.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

import forthvm
from tests.models import rithmomachia as rules
from tests.models.rithmomachia_positions import POSITIONS, read_position

Loader = Callable[..., forthvm.Game]

SIDES = {"W": "White", "B": "Black"}
BLACK_FIRST = """
{turn-order
	{turn} Black
	{turn} White
turn-order}
"""
_HEADER = 12  # bytes from a header to its code field
LOSS, UNKNOWN = -2130000000, -2140000000  # #LossScore and #UnknownScore


def board_of(position: forthvm.Position) -> dict[str, str]:
    """Return the pieces by square: `W T25` is White's triangle with the number 25."""
    found = {}
    for square, piece in position.board.items():
        if piece is not None:
            found[square] = f"{piece.player[0]} {piece.type}"
    return found


def setup_of(board: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return the set-up for `Game.start` with the pieces of a board."""
    return [(SIDES[piece[0]], piece[2:], square) for square, piece in board.items()]


def call(position: forthvm.Position, word: str) -> int:
    """Execute a word of the script in a position; return the top of the stack."""
    with position._in_memory() as native:
        native.execute(native.find(word) + _HEADER)
        return native.pop()


def compare_moves(position: forthvm.Position, side: str) -> None:
    """Compare all legal moves, and the boards after them."""
    board = board_of(position)
    moves = list(position.legal_moves)
    pairs = [(str(move.from_square), str(move.to_square)) for move in moves]
    assert sorted(pairs) == rules.legal(board, side)
    for pair, move in zip(pairs, moves, strict=True):
        position.push(move)
        assert board_of(position) == rules.play(board, pair, "script"), pair
        position.pop()


def test_set_up(load: Loader) -> None:
    position = load("rithmomachia.4th").start()
    assert board_of(position) == rules.START
    assert position.turn == "White"


def test_first_moves_and_captures(load: Loader) -> None:
    position = load("rithmomachia.4th").start()
    compare_moves(position, "W")
    captures = {str(move): move.captures for move in position.legal_moves if move.captures}
    # Section 12 of the rules page: the first moves that capture under `script`.
    assert captures == {
        "S25 c3 - d6 x d14": ("d14",),
        "S15 c4 - d7 x d12": ("d12",),
        "T25 e4 - d6 x d14": ("d14",),
        "P91 i4 - j7 x j13": ("j13",),
    }


def test_perft_counts_of_the_rules_page(load: Loader) -> None:
    position = load("rithmomachia.4th").start()
    assert [forthvm.perft(position, depth) for depth in (1, 2)] == [71, 4900]


def test_black_has_69_moves(load: Loader) -> None:
    position = load("rithmomachia.4th", BLACK_FIRST).start()
    assert len(position.legal_moves) == 69
    compare_moves(position, "B")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: case.split(":")[0])
def test_positions_of_the_rules_page(load: Loader, case: str) -> None:
    # The article has no piece S118, which the page uses in one position, where the ambush needs the
    # sum 72 + 118 = 190; 90 + 100 gives the same sum.
    case = case.replace("WT72 d10, WS118 e12", "WT90 d10, WT100 e11")
    board, pair, _, expected = read_position(case)
    side = board[pair[0]][0]
    game = load("rithmomachia.4th", BLACK_FIRST if side == "B" else "")
    position = game.start(setup=setup_of(board))
    (move,) = (move for move in position.legal_moves if (move.from_square, move.to_square) == pair)
    assert set(move.captures) == expected
    position.push(move)
    remaining = {square: piece for square, piece in board.items() if square not in expected}
    remaining[pair[1]] = remaining.pop(pair[0])
    assert board_of(position) == remaining


# Captures of pyramids by every method, and captures by pyramids.
PYRAMIDS = {
    "ambush of a part, 16 + 9": "WT16 d10, WT9 e11, WR2 c1, BP f9; c1-d2",
    "eruption of parts, 9*4 and 4*4": "WR9 f12, WR4 c9, WR2 c1, BP f9; c1-d2",
    "equality of two parts at once": "WT25 d10, WT36 e11, WR2 c1, BP f9; c1-d2",
    "equality with the total": "WP91 i4, WS36 l1, WT9 l4, BS45 j9; i4-j6",
    "eruption by the total, 45*5": "WP91 i4, WS36 l1, WT9 l4, BS225 j10; i4-j6",
    # Legal in the fragment only: 16 + 9 of one pyramid, whose total is 26.
    "two parts of one pyramid in ambush": "WP91 i4, WT16 l3, WT9 l4, WR1 l6, BR25 g7; i4-i6",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", PYRAMIDS.values(), ids=PYRAMIDS)
def test_pyramids(load: Loader, case: str) -> None:
    board, pair, _, _ = read_position(f": {case}; ;")
    position = load("rithmomachia.4th").start(setup=setup_of(board))
    expected = rules.captures(board, pair, "script")
    assert expected
    (move,) = (move for move in position.legal_moves if (move.from_square, move.to_square) == pair)
    assert set(move.captures) == expected
    compare_moves(position, "W")


@dataclass
class Tally:
    """The counters of the fragment "Completion check": captured pieces of each side."""

    pieces: dict[str, int] = field(default_factory=lambda: {"W": 0, "B": 0})
    values: dict[str, int] = field(default_factory=lambda: {"W": 0, "B": 0})

    def note(self, piece: str) -> None:
        """Count a captured piece."""
        self.pieces[piece[0]] += 1
        self.values[piece[0]] += int(piece[3:])

    def lost(self, side: str) -> bool:
        """Return whether a side about to move has lost: 15 pieces, or its limit of value."""
        limit = 1315 if side == "W" else 984
        return self.pieces[side] >= 15 or self.values[side] >= limit

    def cells(self) -> tuple[int, ...]:
        """Return number and total value of the captured pieces, of White and of Black."""
        return (self.pieces["W"], self.values["W"], self.pieces["B"], self.values["B"])


def variables(position: forthvm.Position) -> tuple[int, ...]:
    """Return the capture counters of the script, in the order of `Tally.cells`."""
    names = ("WhitePieces", "WhiteValues", "BlackPieces", "BlackValues")
    return tuple(position.variables[name] for name in names)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 2, 3))]
)
def test_greedy_games_agree_with_the_model(load: Loader, seed: int) -> None:
    """Compare moves, captures, counters and the end in every position of greedy random games."""
    position = load("rithmomachia.4th").start()
    chooser = random.Random(seed)
    tally = Tally()
    side = "W"
    for ply in range(120):
        assert variables(position) == tally.cells()
        assert (position.result is not None) == tally.lost(side)
        if position.result:
            assert position.result.losers == (SIDES[side],)
            break
        if ply % 5 == 0:
            compare_moves(position, side)
        board = board_of(position)
        pairs = rules.legal(board, side)
        moves = {(m.from_square, m.to_square): m for m in position.legal_moves}
        assert sorted(moves) == pairs
        chooser.shuffle(pairs)
        captures = {pair: rules.captures(board, pair, "script") for pair in pairs[:25]}
        pair = max(captures, key=lambda pair: len(captures[pair]))
        for square in captures[pair]:
            tally.note(board[square])
        position.push(moves[pair])
        assert board_of(position) == rules.play(board, pair, "script")
        side = "B" if side == "W" else "W"
    else:
        pytest.fail("no end in 120 plies of greedy play")


def test_undo_restores_the_capture_counters(load: Loader) -> None:
    position = load("rithmomachia.4th").start()
    position.push("S25 c3 - d6 x d14")
    assert variables(position) == (0, 0, 1, 225)
    position.pop()
    assert variables(position) == (0, 0, 0, 0)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("mover", "counts", "lost"),
    [
        # The side about to move has lost if 15 of its pieces are captured, or a value of 1315
        # (White) or 984 (Black).  The rules exchange these two limits.
        ("White", {"WhitePieces": 14, "WhiteValues": 1314}, False),
        ("White", {"WhitePieces": 15}, True),
        ("White", {"WhiteValues": 1315}, True),
        ("White", {"WhitePieces": 15, "WhiteValues": 1315}, True),
        ("White", {"BlackPieces": 20, "BlackValues": 1700}, False),
        ("Black", {"BlackPieces": 14, "BlackValues": 983}, False),
        ("Black", {"BlackPieces": 15}, True),
        ("Black", {"BlackValues": 984}, True),
        ("Black", {"WhitePieces": 20, "WhiteValues": 1312}, False),
    ],
)
def test_completion(load: Loader, mover: str, counts: dict[str, int], lost: bool) -> None:
    position = load("rithmomachia.4th", BLACK_FIRST if mover == "Black" else "").start()
    with position._in_memory() as native:
        for name, count in counts.items():
            native.execute(native.find(name) + _HEADER)
            native.write_cell(native.pop(), count)
        depth = native.depth()
        native.execute(native.find("OnIsGameOver") + _HEADER)
        assert native.pop() == (LOSS if lost else UNKNOWN)
        assert native.depth() == depth


def balance(board: Mapping[str, str], side: str) -> int:
    """Return the result of `material-balance`, which includes the parts of pyramids."""
    return sum(int(p[3:]) if p[0] == side else -int(p[3:]) for p in board.values())


def test_evaluation_is_the_material_balance(load: Loader) -> None:
    position = load("rithmomachia.4th").start()
    # White's 1312 and the pyramid's parts 91, less Black's 1752 and the parts 190.
    assert call(position, "OnEvaluate") == 1312 + 91 - 1752 - 190
    position.push("S25 c3 - d6 x d14")
    assert call(position, "OnEvaluate") == 1752 + 190 - 225 - 1312 - 91


def test_search_with_the_articles_evaluation(load: Loader) -> None:
    """Compare with the built-in search at depth 1, whose scores are 64 times the evaluation."""
    position = load("rithmomachia.4th").start()
    scores = {}
    for move in position.legal_moves:
        pair = (str(move.from_square), str(move.to_square))
        leaf = 64 * balance(rules.play(rules.START, pair, "script"), "B")
        scores[str(move)] = -(leaf or 1)
    best = max(scores, key=lambda text: scores[text])  # the first move with this score
    result = forthvm.engines.get("axiom:depth=1").play(position)
    assert (str(result.move), result.score) == (best, scores[best])


def test_pieces_have_the_printed_values(load: Loader) -> None:
    game = load("rithmomachia.4th")
    assert len(game.piece_types) == 16 + 17 + 17 + 3
    for kind in game.piece_types:
        assert kind.value == int(kind.name[1:]), kind
    classes = "".join(kind.name[0] for kind in game.piece_types)
    assert classes == "R" * 16 + "T" * 17 + "S" * 17 + "P" * 3


# --- an array that is too small --------------------------------------------------------------

# A black piece on f4 with eleven white pieces in its row and column: eleven eruption values.
CROWDED = (
    ": BR9 f4, WR2 e4, WR4 g4, WR6 f3, WR8 f6, WS15 j4, WR2 f8, WR4 f9, WR6 f10, WR8 f11,"
    " WR2 f12, WR16 f13, WT9 c14; c14-c12; ;"
)


def test_writes_past_the_array_keep_the_moves_correct(load: Loader) -> None:
    board, _, _, _ = read_position(CROWDED)
    position = load("rithmomachia-small.4th").start(setup=setup_of(board))
    assert len(position.legal_moves) > 0
    with position._in_memory() as native:  # the state after move generation
        written = native.read_cell(native.body(native.find("eruption-count") + _HEADER))
    assert written > 8  # MAXS, the size of the array in rithmomachia-small.4th
    compare_moves(position, "W")
    # The moves of the next position are correct as well.
    position.push(position.legal_moves[0])
    compare_moves(position, "B")


def test_checked_mode_names_the_array(load: Loader) -> None:
    board, _, _, _ = read_position(CROWDED)
    game = load("rithmomachia-small.4th", checked=True)
    with pytest.raises(forthvm.ForthVMError) as caught:
        _ = list(game.start(setup=setup_of(board)).legal_moves)
    report = str(caught.value)
    assert "eruption-values[]" in report
    assert "battle-methods.fragment" in report
