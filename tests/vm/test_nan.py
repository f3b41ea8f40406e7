"""NaN has the same bits in every tier, whichever operands a float word has.

Owns programs that pass random bit patterns, most of them NaN, to every word of the group `floats`.
"""

from __future__ import annotations

import random

import pytest

from forthvm.core._primitives import PRIMITIVES
from tests.vm.tiers import SHORT_SLICES, TIERS, TRACED, run

NAN = -0x400000
"""The NaN that x86 produces, as a cell."""
INFINITY = 0x7F800000
TO_FLOAT = {name: effect for name, effect, _, group, _ in PRIMITIVES if group == "floats"}
OPERANDS = {name: effect.count("f", 0, effect.index("--")) for name, effect in TO_FLOAT.items()}
SIGN = -0x80000000
"""The bit pattern of -0."""


def random_bits(rng: random.Random) -> int:
    """Return a cell: a NaN, an infinity, a zero or any float."""
    return rng.choice(
        (
            rng.randint(-0x7FFFFF, -1),  # negative NaN
            rng.randint(0x7F800001, 0x7FFFFFFF),
            rng.choice((0, SIGN, INFINITY, INFINITY + SIGN, 1, 0x7FC00000, -1)),
            rng.randint(-0x80000000, 0x7FFFFFFF),
        )
    )


def test_arithmetic_has_one_nan() -> None:
    zero_and_infinity = f"0 0 F/ {INFINITY} DUP F- -1. FSQRT -1. FLN 2. FACOS 1. 0. FMOD"
    of_nan = "-7 -14 F* -14 -7 F+ -7 1. F- 1. -7 F/ -7 FLOOR -7 FSIN 2147483647 FSQRT"
    outcome = run([zero_and_infinity, of_nan, "-7 FNEGATE -7 FABS"], "native")
    assert outcome.failures == []
    assert set(outcome.stack[:13]) == {NAN}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_float_words_agree_in_all_tiers(seed: int) -> None:
    rng = random.Random(seed)
    texts = []
    for index, (name, operands) in enumerate(OPERANDS.items()):
        for number in range(5):
            bits = " ".join(str(random_bits(rng)) for _ in range(operands))
            texts.append(f": t{index}-{number} 0 300 0 DO DROP {bits} {name} LOOP ;")
            texts.append(f"t{index}-{number}")
    expected = run(texts, TIERS[0]).observable()
    for tier in (*TIERS[1:], SHORT_SLICES, TRACED):
        assert run(texts, tier).observable() == expected, tier
