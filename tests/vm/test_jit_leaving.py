"""Random programs leave machine code at every depth of nested calls.

Owns words too long to be inlined that call each other directly, by tokens, by DOES> and in frames,
and that end by `$Exit`, by errors and by side exits.  It must not test which words are inlined.
"""

from __future__ import annotations

import random

import pytest

from forthvm.core.vm import VM
from tests.vm.tiers import HOT_ITERATIONS, assert_tiers_agree

LEVELS = 6
"""Nested calls; the word of level 0 calls no other."""
PRELUDE = """\
VARIABLE n  VARIABLE seen  VARIABLE tokens  28 ALLOT
: verify ( ? -- ) NOT IF $Exit ENDIF ;
: note ( k -- ) seen @ 31 * + n @ XOR seen ! ;
: holds? ( divisor -- ? ) n @ SWAP MOD 0= ;
: limited ( -- ) 9 >R 7 >R R> R> 2DROP ;
"""


def random_call(rng: random.Random, level: int) -> str:
    """Return code that runs the word of the next lower level."""
    word = f"w{level - 1}"
    return rng.choice(
        (
            word,
            word,
            f"['] {word} EXECUTE",
            f"{level - 1} CELLS tokens + @ EXECUTE",
            f"does{level - 1}",
            f"3 >R {word} R> DROP",
            f"5 {word} DROP",
            f"2 0 DO {word} I note LOOP",
            f"['] frame{level - 1} $CatchExit note",
        )
    )


def random_part(rng: random.Random, level: int) -> str:
    """Return code without calls of lower levels, which may end the run."""
    k = rng.randint(2, 7)
    return rng.choice(
        (
            f"{k} note",
            f"{k} note",
            f"{k} holds? NOT verify",
            f"n @ {k} AND IF {k} note ELSE limited ENDIF",
            f"{k} holds? IF 11 13 $Exit ENDIF",
            f"n @ 4 > IF 3 >R {k} holds? NOT verify R> DROP ENDIF",
            f"{rng.randint(200, 400)} n @ = IF {k} 0 / note ENDIF",  # an error
            f"n @ {rng.randint(50, 90)} = IF R> DROP ENDIF",  # returns to the caller's caller
            f"n @ {rng.randint(20, 60)} = IF {level} forget-code ENDIF",
        )
    )


def random_word(rng: random.Random, level: int) -> str:
    """Return a definition that is too long to be inlined."""
    parts = [random_part(rng, level) for _ in range(9)] + ["1 note"] * 6
    for _ in range(rng.randint(1, 2) if level > 0 else 0):
        parts.insert(rng.randrange(len(parts)), random_call(rng, level))
    # The word of a frame must not pop its own return address, as the other words sometimes do.
    return (
        f": w{level} ( -- ) {' '.join(parts)} ;\n"
        f": frame{level} ( -- ) w{level} 1 note ;\n"
        f": maker{level} <BUILDS DOES> @ note {' '.join(parts[-6:])} w{level} ; "
        f"maker{level} does{level} {level} ,\n"
        f"' w{level} {level} CELLS tokens + !\n"
    )


def random_program(seed: int) -> str:
    rng = random.Random(seed)
    # forget-code stores to a watched cell, so that all machine code is discarded while it runs.
    code = f": watched {seed} DROP ; : forget-code DROP watched ['] watched DUP @ SWAP ! ;\n"
    words = (random_word(rng, level) for level in range(LEVELS))
    return PRELUDE + code + "".join(words)


def run_from_host(vm: VM) -> None:
    """Run the words of all levels by calls of the host, as a scan of the board does."""
    for n in range(40):
        for level in range(LEVELS):
            vm.interpret(f"{n} n ! w{level}")


def check_program(seed: int, runs: int) -> None:
    loop = f"{runs} 0 DO I n ! ['] frame{LEVELS - 1} $CatchExit note LOOP"
    assert_tiers_agree(
        random_program(seed),
        f": many {loop} seen @ . ; many",
        f": once {LEVELS} 0 DO I 17 * n ! ['] frame3 $CatchExit note LOOP seen @ . ;",
        run_from_host,
        "once many once",
        steps=3_000_000,
        compiled=LEVELS,
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(4))
def test_nested_words_leave_machine_code(seed: int) -> None:
    check_program(seed, 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_random_programs_leave_machine_code(seed: int) -> None:
    check_program(seed, HOT_ITERATIONS if seed % 10 == 0 else 700)
