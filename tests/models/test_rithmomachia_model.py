"""Tests of the model of Rithmomachia alone: numbers of the rules page, positions worked by hand.

They do not use forthvm: only a model that passes them can show errors of the script.  A glory is a
victory by an arithmetic, geometric or harmonic progression of the numbers on three or four pieces;
the rank of four numbers is the number of kinds of progressions that they contain.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from tests.kit.cases import each_case
from tests.models import rithmomachia as small
from tests.models.rithmomachia_board import SETUP, SETUP_PARTS, Piece, intact, legal_moves
from tests.models.rithmomachia_game import State, perft, position, start
from tests.models.rithmomachia_glory import glory, progression, rank_of_four
from tests.models.rithmomachia_options import CHOICES, VARIANTS, Options
from tests.rules.rithmomachia_endings import COMMON, GLORIOUS, STALEMATES, End
from tests.rules.rithmomachia_positions import BY_OPTION, CAPTURES, PUBLISHED, Case, read

# --- the page's numbers (sections 2, 8 and 12) --------------------------------------------------


def test_the_set_up_has_the_published_sums() -> None:
    # The numbers 4 of White and 9 of Black occur on two rounds each.
    for side, rounds, total in (("W", [4, 4], 1312), ("B", [9, 9], 1752)):
        pieces = [piece for piece in SETUP.values() if piece.side == side]
        assert sorted(piece.kind for piece in pieces) == sorted("R" * 8 + "T" * 8 + "S" * 7 + "P")
        assert sum(piece.value for piece in pieces) == total
        (pyramid,) = (piece for piece in pieces if piece.kind == "P")
        assert sum(part.value for part in SETUP_PARTS[side]) == pyramid.value
        assert [p.value for p in pieces if p.kind == "R" and p.value == rounds[0]] == rounds
    assert intact(SETUP_PARTS, "W")


@pytest.mark.slow
def test_numbers_of_move_sequences() -> None:
    assert [perft(start(), depth) for depth in (1, 2)] == [71, 4904]
    assert perft(start(Options(first="black")), 1) == 69


@pytest.mark.slow
def test_number_of_move_sequences_of_three_plies() -> None:
    assert perft(start(), 3) == 355809


def test_first_moves_by_piece() -> None:
    state = start()
    found: dict[str, int] = {}
    for square, _ in state.legal:
        found[square] = found.get(square, 0) + 1
    expected = {
        10: "i4",
        5: "d4 e4 h4",
        4: "d5 f4 g4 i5",
        3: "c4 d3 i3 j4",
        2: "c3 c5 e6 f6 g6 h6 j3 j5",
        1: "e5 h5",
    }
    assert found == {name: n for n, names in expected.items() for name in names.split()}


def _values() -> list[int]:
    """Return the different values of pieces and pyramid parts in the set-up."""
    pieces = [*SETUP.values(), *SETUP_PARTS["W"], *SETUP_PARTS["B"]]
    return sorted({piece.value for piece in pieces})


@pytest.mark.slow
def test_numbers_of_progressions() -> None:
    numbers = _values()
    assert len(numbers) == 36
    kinds = [progression(*three) for three in combinations(numbers, 3)]
    assert [kinds.count(kind) for kind in ("arithmetic", "geometric", "harmonic")] == [68, 39, 18]
    ranks = {four: rank_of_four(four) for four in combinations(numbers, 4)}
    assert list(ranks.values()).count(2) == 145
    best = [four for four, rank in ranks.items() if rank == 3]
    assert best == [(3, 4, 6, 9), (4, 6, 9, 12), (15, 20, 30, 45)]


@each_case(
    ("values", "kind"),
    [
        ((16, 36, 56), "arithmetic"),
        ((56, 16, 36), "arithmetic"),
        ((4, 12, 36), "geometric"),
        ((12, 4, 6), "harmonic"),
        ((4, 4, 4), ""),
        ((4, 4, 6), ""),
        ((4, 6, 7), ""),
    ],
)
def test_progression_of_three_numbers(values: tuple[int, int, int], kind: str) -> None:
    assert progression(*values) == kind


# --- captures (sections 4 to 6 and 9) -----------------------------------------------------------


def captured_by(case: Case) -> str:
    """Return the captures of a case's move, written as in `Case.takes`.

    Captured parts of a pyramid are not listed if the whole pyramid is captured.
    """
    pieces, parts = read(case.pieces)
    side = pieces[case.pair[0]][0]
    state = position(pieces, Options(**case.options), turn=side, parts=parts)  # type: ignore[arg-type]
    assert case.pair in state.legal
    captured = state.play(case.pair).captured
    parts_captured = [str(part)[1:] for part in captured.parts]
    if any(piece.kind == "P" for piece in captured.pieces.values()):
        parts_captured = []
    return " ".join([*captured.pieces, *parts_captured])


@each_case("case", [*PUBLISHED, *CAPTURES, *BY_OPTION], ids=str)
def test_captures_of_the_listed_positions(case: Case) -> None:
    assert sorted(captured_by(case).split()) == sorted(case.takes.split())


def test_cases_cover_all_values_that_affect_captures() -> None:
    covered = {(option, value) for case in BY_OPTION for option, value in case.options.items()}
    for option in ("moves", "pyramid_diagonal", "siege", "ambush", "eruption", "pyramid_total"):
        assert {value for name, value in covered if name == option} == set(CHOICES[option])


def _board_of_small_model(state: State) -> dict[str, str]:
    """Return the board as the small model (rithmomachia.py) represents it."""
    board = {name: f"{piece.side} {str(piece)[1:]}" for name, piece in state.board.items()}
    for side, squares in (("W", small.WHITE_PARTS), ("B", small.BLACK_PARTS)):
        for square, part in zip(squares, SETUP_PARTS[side], strict=True):
            if part in state.parts[side]:
                board[square] = f"{side} {str(part)[1:]}"
    return board


@pytest.mark.slow
def test_small_model_agrees_in_random_games() -> None:
    chooser = random.Random(4)
    options = Options(n_pieces=0, value=(0, 0), draw_after=80)
    compared = 0
    while compared < 300:
        state = start(options)
        while state.ending is None:
            assert state.legal == small.legal(_board_of_small_model(state), state.turn)
            move = chooser.choice(state.legal)
            expected = small.play(_board_of_small_model(state), move)
            state = state.play(move)
            assert _board_of_small_model(state) == expected
            compared += 1


# --- the other options ----------------------------------------------------------------------------


def test_variants_use_valid_values() -> None:
    for options in VARIANTS.values():
        for name, values in CHOICES.items():
            assert getattr(options, name) in values


@pytest.mark.parametrize(("kind", "count"), [("R", 8), ("T", 8), ("S", 8)])
def test_straight_moves_have_eight_goals(kind: str, count: int) -> None:
    options = Options(moves="straight")
    board = {"f8": Piece("W", kind, 4)}
    assert len(legal_moves(board, {"W": (), "B": ()}, "W", options)) == count


@pytest.mark.slow
def test_random_games_end_for_random_options() -> None:
    chooser = random.Random(2)
    for _ in range(20):
        words = {name: chooser.choice(values) for name, values in CHOICES.items()}
        options = Options(**words, draw_after=30)  # type: ignore[arg-type]
        state = start(options)
        while state.ending is None:
            state = state.play(chooser.choice(state.legal)) if state.legal else state.forced_pass()
            pieces = [*state.board.values(), *state.parts["W"], *state.parts["B"]]
            if options.pyramid_count == "parts":
                remaining = sum(piece.value for piece in pieces if piece.kind != "P")
                lost = state.lost["W"].value + state.lost["B"].value
                assert remaining + lost == 1312 + 1752  # the sums of the set-up


def test_glory_agrees_with_exhaustive_search() -> None:
    """Compare `glory`, which finds sets through their numbers, with all sets of three pieces."""
    chooser = random.Random(3)
    options = Options(glory="magna", magna="any", arrangement="free", glory_own=2)
    numbers = [1, 2, 3, 4, 6, 9, 12, 20]
    for _ in range(200):
        squares = chooser.sample([f"{c}{r}" for c in "cdefghij" for r in (9, 10)], 5)
        sides = [chooser.choice("WB") for _ in squares]
        values = [chooser.choice(numbers) for _ in squares]
        board = {s: Piece(side, "R", v) for s, side, v in zip(squares, sides, values, strict=True)}
        expected = any(
            progression(*(board[square].value for square in three))
            and sum(board[square].side == "W" for square in three) >= 2
            for three in combinations(squares, 3)
        )
        assert bool(glory(board, {"W": (), "B": ()}, "W", options)) == expected


# --- endings (sections 7 and 8) -------------------------------------------------------------------


@each_case("case", [*COMMON, *GLORIOUS, *STALEMATES], ids=str)
def test_endings_of_the_listed_positions(case: End) -> None:
    pieces, parts = read(case.pieces)
    side = pieces[case.pair[0]][0]
    state = position(pieces, Options(**case.options), turn=side, parts=parts)  # type: ignore[arg-type]
    assert case.pair in state.legal
    ending = state.play(case.pair).ending
    if ending is None:
        assert (case.winner, case.victory_name) == ("on", "")
    else:
        assert (ending.winner or "draw", ending.name) == (case.winner, case.victory_name)
