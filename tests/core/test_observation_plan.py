"""Tests of plans of observations: what the core writes from board cells by hand-made tables."""

from __future__ import annotations

import struct
from array import array

import pytest

from forthvm.core.bindings import ObservationPlan, ObservationTables, ObservedNumber, Show
from tests.kit.cases import each_case
from tests.kit.messages import raises

OWN, OTHER = 1 << 11, 2 << 11
PLANES = 6  # own men, other men, unseen men of the other, an attribute, a number, a board array


def tables(**changes: object) -> ObservationTables:
    """Return tables for three squares, two players, one type, a variable, and an array."""
    owners = [2] * 64
    owners[OWN >> 10], owners[OTHER >> 10] = 0, 1
    found = ObservationTables(
        positions=3,
        cells=3,
        board_planes=PLANES,
        state_planes=1,
        history=2,
        viewer=OWN,
        places=(2, 1, 0),
        sight_on=(0, 0, 4),
        sight_of=(0, 0),
        owners=tuple(owners),
        type_planes=(-1, 0, -1, 1, -1, -1),
        owner_planes=(-1, -1, -1),
        unknown_planes=(-1, 2, -1),
        phases=(0, 1),
        attribute_planes=(3, *[-1] * 15),
        variables=(
            ObservedNumber(12, 4, low=-10, high=10),
            *[ObservedNumber(16 + 4 * i, 5, place=i, high=4) for i in range(3)],
        ),
        state_numbers=(ObservedNumber(1, 0, low=1, show=Show.EQUAL),),
    )
    return found.replace(**changes)


def cells(*values: int) -> bytes:
    """Return the bytes of a board."""
    return struct.pack(f"={len(values)}i", *values)


def observed(
    boards: list[bytes | None], state: tuple[int, ...] = (0, 0, 0, 0, 0, 1), **changes: object
) -> list[list[float]]:
    """Return the planes as floats."""
    plan = ObservationPlan(tables(**changes))
    out = array("f", [9.0] * plan.size)
    plan.observe(boards, state, out, uint8=False)
    return [list(out[i : i + 3]) for i in range(0, len(out), 3)]


def test_pieces_are_on_planes_of_owner_and_type() -> None:
    board = cells(OWN + 1, OTHER + 1, 0, 0, 0, 0, 0)
    planes = observed([board, None])
    assert planes[:4] == [[0, 0, 1], [0, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_earlier_boards_follow_and_missing_boards_are_zero() -> None:
    first, second = cells(OWN + 1, *[0] * 6), cells(0, OWN + 1, *[0] * 5)
    planes = observed([second, first])
    assert planes[0] == [0, 1, 0]
    assert planes[PLANES] == [0, 0, 1]
    assert observed([second, None])[PLANES : 2 * PLANES] == [[0, 0, 0]] * PLANES


def test_type_is_hidden_from_all_but_the_owner() -> None:
    board = cells(0, 0, (1 << 16) + OTHER + 1, 0, 0, 0, 0)
    assert observed([board, None])[1:4] == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    own = cells(0, 0, (1 << 16) + OWN + 1, 0, 0, 0, 0)
    assert observed([own, None])[:4] == [[1, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0]]
    revealed = observed([board, board], (0, 0, 0, 0, 1, 1))
    assert revealed[1:4] == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert revealed[PLANES + 1] == [0, 0, 0]


@pytest.mark.parametrize("sight", [1, 2])
def test_pieces_are_hidden(sight: int) -> None:
    board = cells(OTHER + 1, *[0] * 6)
    assert observed([board, None], sight_on=(sight, 0, 0))[:3] == [[0, 0, 0]] * 3
    own = observed([cells(OWN + 1, *[0] * 6), None], sight_of=(0, sight))
    assert own[0] == ([0, 0, 1] if sight == 2 else [0, 0, 0])


@each_case(
    ("value", "expected"),
    [(-10, 0), (10, 1), (0, 0.5), (30, 1.5), (-30, -0.5), (2**31 - 1, 2), (-(2**31), -1)],
)
def test_numbers_are_scaled_and_bounded(value: int, expected: float) -> None:
    board = cells(0, 0, 0, value, 0, 0, 0)
    assert observed([board, None])[4] == pytest.approx([expected] * 3, abs=1e-6)


def test_arrays_have_a_number_on_each_square() -> None:
    assert observed([cells(0, 0, 0, 0, 1, 2, 4), None])[5] == [0.25, 0.5, 1]


def test_numbers_of_the_state_follow_the_boards() -> None:
    assert observed([None, None], (0, 1, 0, 0, 0, 1))[-1] == [1, 1, 1]
    assert observed([None, None], (0, 0, 0, 0, 0, 1))[-1] == [0, 0, 0]
    assert observed([None, None], (0, 99, 0, 0, 0, 1))[-1] == [0, 0, 0]


def test_numbers_without_a_plane_share_one() -> None:
    numbers = tuple(ObservedNumber(12 + 4 * i, 4, low=5, show=Show.OTHER) for i in range(2))
    for values, expected in (((5, 5), 0), ((5, 6), 1), ((0, 5), 1)):
        board = cells(0, 0, 0, *values, 0, 0)
        assert observed([board, None], variables=numbers)[4] == [expected] * 3


def test_bytes_are_signed() -> None:
    number = ObservedNumber(14, 4, low=-100, high=100, width=1)
    board = cells(0, 0, 0, 0x00CE0000, 0, 0, 0)  # byte 2 of the cell is -50
    assert observed([board, None], variables=(number,))[4] == [0.25] * 3


def test_high_may_be_less_than_low() -> None:
    number = ObservedNumber(12, 4, low=0, high=-1)
    board = cells(0, 0, 0, -1, 0, 0, 0)
    assert observed([board, None], variables=(number,))[4] == [1, 1, 1]


def test_bytes_are_the_floats_times_255() -> None:
    plan = ObservationPlan(tables())
    out = bytearray(plan.size)
    board = cells(OWN + 1, 0, 0, 30, 1, 2, 4)
    plan.observe([board, None], (0, 0, 0, 0, 0, 1), out, uint8=True)
    assert out[2] == 255
    assert list(out[12:18]) == [255, 255, 255, 64, 128, 255]


@each_case(
    "changes",
    [
        {"places": (0, 1)},
        {"places": (0, 1, 3)},
        {"owners": (3,) * 64},
        {"owners": (0,) * 63},
        {"type_planes": (0,) * 5},
        {"type_planes": (PLANES,) * 6},
        {"attribute_planes": (-2,) * 16},
        {"history": 0},
        {"variables": (ObservedNumber(-1, 0),)},
        {"variables": (ObservedNumber(0, 0, width=2),)},
        {"variables": (ObservedNumber(0, 0, place=3),)},
        {"state_numbers": (ObservedNumber(6, 0),)},
        {"state_numbers": (ObservedNumber(0, 1),)},
    ],
)
def test_tables_that_do_not_fit_are_refused(changes: dict[str, object]) -> None:
    with raises(ValueError, "observation-plan.do-not-fit"):
        ObservationPlan(tables(**changes))


def test_wrong_arrays_are_refused() -> None:
    plan, board = ObservationPlan(tables()), cells(*[0] * 7)
    with raises(ValueError, "observation-plan.bytes-instead"):
        plan.observe([board, None], (0,) * 6, bytearray(plan.size), uint8=False)
    with raises(ValueError, "observation-plan.wrong-arrays"):
        plan.observe([board], (0,) * 6, bytearray(plan.size), uint8=True)
    with raises(ValueError, "observation-plan.fewer-than-bytes"):
        plan.observe([board[:-4], None], (0,) * 6, bytearray(plan.size), uint8=True)
