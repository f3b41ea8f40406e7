"""Random words whose paths use different numbers of items give the same results in all tiers.

Owns a generator of words with nested loops and branches, which run with few or many items on the
stack, in checked mode too.  The number of steps in a slice varies, and with it where the JIT begins
to compile a word.
"""

from __future__ import annotations

import random

import pytest

from tests.vm.tiers import requires_jit, run

pytestmark = requires_jit

_WORDS = (
    "DUP|DROP|+|SWAP|OVER|ROT|2DUP|2DROP|1-|1+|0=|3|0|-1|2 PICK|3 PICK|MAX|NEGATE|v @|v !|v ++|item"
    "|opt IF DROP ENDIF|pick3|DEPTH DROP|XOR|AND|big|tok @ EXECUTE DROP|tok @ EXECUTE @"
    "|['] u tok !|['] pick3 tok !|['] one tok !|EXIT|IF EXIT ENDIF|v @ 2 = IF EXIT ENDIF"
)
WORDS = _WORDS.split("|")
DEFINITIONS = """
    VARIABLE v VARIABLE n VARIABLE u VARIABLE tok ' u tok ! : one 1 ;
    : item ( n -- x TRUE | FALSE ) DUP 1 AND IF DROP FALSE ELSE TRUE ENDIF ;
    : opt ( -- x TRUE | FALSE ) v @ 1 AND IF 7 TRUE ELSE FALSE ENDIF ;
    : pick3 2 PICK 3 PICK + ; : big 1 2 3 4 5 6 7 8 9 2DROP 2DROP 2DROP 2DROP DROP ;
    : clear BEGIN DEPTH 0> WHILE DROP REPEAT ;
"""
# {} is a random body.  Loops end because they count v or n down, or at the limit of steps.
STRUCTURES = (
    "IF {} ENDIF",
    "IF {} ELSE {} ENDIF",
    "BEGIN {} UNTIL",
    "BEGIN {} v -- v @ 1 < UNTIL",
    "BEGIN {} v -- v @ 0> WHILE {} REPEAT",
    "BEGIN v @ WHILE v -- {} REPEAT",
    "4 0 DO {} LOOP",
    "BEGIN v @ 0> WHILE BEGIN ROT ROT ROT {} n -- n @ 1 < UNTIL v -- REPEAT",
    "BEGIN {} v @ IF BEGIN 2 PICK DROP {} n -- n @ 1 AND UNTIL ENDIF v -- v @ 1 < UNTIL",
    "3 0 DO v @ IF BEGIN 3 PICK + DROP 0 {} n -- n @ 1 < UNTIL ENDIF LOOP",
)
SLICES = (5, 9, 17, 40, 90, 150, 400)


def body(rng: random.Random, depth: int) -> str:
    parts = []
    for _ in range(rng.randint(1, 5)):
        if depth > 0 and rng.random() < 0.55:
            structure = rng.choice(STRUCTURES)
            parts.append(
                structure.format(
                    *(body(rng, depth - 1) if rng.random() < 0.6 else "" for _ in range(2))
                )
            )
        else:
            parts.append(rng.choice(WORDS))
    return " ".join(parts)


def program(rng: random.Random) -> list[str]:
    """Return texts that define two words and run them with various items and variables."""
    texts = [DEFINITIONS, f": w1 {body(rng, 3)} ;", f": w2 {body(rng, 2)} w1 {body(rng, 2)} ;"]
    for _ in range(14):
        items = [rng.randint(-3, 9) for _ in range(rng.choice([20, 20, 20, 20, 0, 1, 2, 3]))]
        texts.append(f"clear {rng.choice([0, 1, 2, 3, 40, 200])} v ! {rng.randint(0, 50)} n !")
        texts += [" ".join(map(str, items)), rng.choice(["w1", "w2"]), "DEPTH . v @ ."]
    return texts


@pytest.mark.slow
@pytest.mark.parametrize("part", range(100))
def test_random_words_agree_with_the_interpreter(part: int) -> None:
    for seed in range(20 * part, 20 * part + 20):
        rng = random.Random(seed)
        texts, checked, steps = program(rng), rng.random() < 0.5, rng.choice(SLICES)
        expected = run(texts, "interpreter", steps=3000, checked=checked)
        found = run(texts, steps, steps=3000, checked=checked)
        assert found.observable() == expected.observable(), (seed, checked, steps, texts)
