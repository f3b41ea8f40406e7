"""Words that take, copy, change and lose return addresses have the same effect in every tier.

Owns a generator of words that treat return addresses as data, in nested runs too: in frames, in
CATCH, and in texts that a word evaluates.
"""

from __future__ import annotations

import random

import pytest

from tests.vm.tiers import SHORT_SLICES, TIERS, TRACED, run

LEVELS = 5
"""Words that call each other; the word of level 0 calls no other."""
PRELUDE = """\
VARIABLE kept  VARIABLE n  VARIABLE tokens 28 ALLOT
: leave2 R> DROP ;  : leave3 R> R> 2DROP ;  : twice R> DUP >R >R ;  : skip R> CELLSIZE + >R ;
: swap2 R> R> SWAP >R >R ;  : keep R> DUP kept ! >R ;  : again kept @ >R ;  : to5 5 >R ;
: note n @ 31 * + n ! ;
"""
PARTS = (
    "R> note",
    "R> DROP",
    "R@ note",
    "R> DUP note >R",
    "RP@ @ note",
    "RP@ 4 - @ note",
    "RP@ 8 - @ note",
    "RP@ @ RP@ 4 - !",
    "0 RP@ 4 - !",
    "0 RP@ 12 - !",
    "DEPTH note",
    "3 note",
    "7 >R",
    "7 >R R> note",
    "R> R> 2DROP",
    "R> R> note >R",
    "leave2",
    "leave3",
    "twice",
    "skip",
    "swap2",
    "keep",
    "again",
    "to5",
    "EXIT",
    "n @ 1 AND IF R> DROP ENDIF",
    "n @ 2 AND IF EXIT ENDIF",
    "3 0 DO I note LOOP",
    "3 0 DO R> note LOOP",
    "2 0 DO leave2 LOOP",
    "HERE EXECUTE",
    "n EXECUTE DROP",
    "['] again CFA>PFA >R",
    "['] note CFA>PFA >R",
    "['] leave2 CFA>PFA CELLSIZE + >R",
)
STANDARD = """\
VARIABLE n  : note n @ 31 * + n ! ;  : leave2 R> DROP ;  : leave3 R> R> 2DROP ;
: twice R> DUP >R >R ;  : swap2 R> R> SWAP >R >R ;
"""
STANDARD_PARTS = (
    *("R> note", "R> DROP", "R@ note", "R> DUP >R note", "3 note", "7 >R", "R> R> 2DROP"),
    *("leave2", "leave3", "twice", "swap2", "EXIT", "n @ 1 AND IF R> DROP THEN"),
    *("3 0 DO I note LOOP", "3 0 DO R> note LOOP", "DEPTH note", "9 THROW"),
    *('S" leave2" EVALUATE', 'S" 1 >R" EVALUATE', 'S" R> note" EVALUATE'),
)


def word(rng: random.Random, level: int, *, standard: bool) -> str:
    """Return the definition of the word `w<level>`."""
    lower = f"w{level - 1}"
    calls = [lower, f"['] {lower} EXECUTE", f"3 >R {lower} R> note", f"2 0 DO {lower} LOOP"]
    calls += (
        [f"['] {lower} CATCH note", f'S" {lower}" EVALUATE']
        if standard
        else [f"['] {lower} $CatchExit note", f"{level - 1} CELLS tokens + @ EXECUTE"]
    )
    parts = [rng.choice(STANDARD_PARTS if standard else PARTS) for _ in range(rng.randint(0, 3))]
    if level > 0:
        parts.insert(rng.randint(0, len(parts)), rng.choice(calls))
        if rng.random() < 0.5:
            parts.append(rng.choice(calls))
    # Long words are not inlined.
    return f": w{level} {'0 DROP ' * rng.choice((0, 0, 40))}{' '.join(parts)} ;"


def program(rng: random.Random, *, standard: bool) -> list[str]:
    """Return texts that define the words and run each of them twice."""
    lines = [word(rng, level, standard=standard) for level in range(LEVELS)]
    texts = [(STANDARD if standard else PRELUDE) + " ".join(lines)]
    if not standard:
        texts.append(" ".join(f"' w{i} {i} CELLS tokens + !" for i in range(LEVELS)))
    for level in (*range(LEVELS), LEVELS - 1, LEVELS - 1):
        texts += [rng.choice(("", "7 8 9", "6 >R")) + f" w{level}", "n @ ."]
    return texts


def test_a_run_cannot_return_to_the_caller_of_another_run() -> None:
    for tier in ("interpreter", "eager"):
        outcome = run([": w R> DROP ; : go ['] w CATCH ; 7 8 9 go"], tier, library="forth2012")
        assert outcome.stack == (7, 8, 9, -6)  # the THROW code of a return stack underflow


@pytest.mark.slow
@pytest.mark.parametrize("standard", [False, True], ids=["ForthScript", "Forth 2012"])
@pytest.mark.parametrize("part", range(2))
def test_return_addresses_as_data(part: int, *, standard: bool) -> None:
    library = "forth2012" if standard else "core"
    for seed in range(10 * part, 10 * part + 10):
        texts = program(random.Random(seed), standard=standard)
        expected = run(texts, TIERS[0], steps=20_000, library=library)
        for tier in (*TIERS[1:], SHORT_SLICES, 7, TRACED):
            found = run(texts, tier, steps=20_000, library=library)
            for name in ("failures", "steps", "stack", "printed", "memory"):
                assert getattr(found, name) == getattr(expected, name), (seed, tier, name, texts)
