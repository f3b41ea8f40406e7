"""Tests of minimal programs whose machine code once had a wrong result."""

from __future__ import annotations

import pytest

from tests.vm.tiers import assert_tiers_agree

HOT = ": RUN 0 20000 0 DO T + LOOP ;\nRUN .\n"
"""Runs the word T, which a test defines, until it is hot."""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "VARIABLE va\n: w 7 2 DO >= SWAP STATE @ LOOP ;\n"
            ": r 0 0 9 8 7 6 5 4 w . . . DEPTH . ;\nr r r",
            id="a cycle of parallel moves that contains a flag",
        ),
        pytest.param(
            ": f DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP 7 PICK ;\n"
            ": T 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 f >R\n"
            "DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP R> ;\n"
            ": RUN 0 20000 0 DO DROP T LOOP ;\nRUN .",
            id="PICK below the tracked stack items",
        ),
        pytest.param(
            ": T 10 20 30 1 PICK >R DROP DROP DROP R> ;\n" + HOT + "0 ' T 32 + ! RUN .",
            id="a store to the inline operand before PICK",
        ),
        pytest.param(
            ": c R> R> DROP >R ;\n: x c ;\n: y x 1 + ;\n: T y 2 + ;\n"
            ": RUN 0 20000 0 DO T LOOP ;\nRUN .",
            id="a callee that drops the return address of its caller",
        ),
        pytest.param(
            ": c R> R> DROP >R ;\nVARIABLE v ' c v !\n: x v @ EXECUTE ;\n: y x 1 + ;\n"
            ": T y 2 + ;\n: RUN 0 20000 0 DO T LOOP ;\nRUN .",
            id="a token that drops the return address of its caller",
        ),
        pytest.param(
            ": mk <BUILDS , DOES> BEGIN @ DUP @ 0= UNTIL ;\n"
            "VARIABLE e1 VARIABLE e2 e1 e2 ! VARIABLE e3 e2 e3 ! e3 mk chain\n"
            ": T chain e1 - ;\n" + HOT,
            id="a loop back to the @ after DOES>",
        ),
        pytest.param(
            ": f 5 [ ' BRANCH , HERE 8 + , ' LIT , ' R> , ' DROP , ] ;\n: g f 1 + ;\n: T g 2 + ;\n"
            + HOT,
            id="a return stack word after a jump into an inline operand",
        ),
        pytest.param(
            ": w ( more? first? -- sum ) IF 10 0 [ ' (DO) , ]\n"
            "ELSE 20 0 [ ' (DO) , ] DUP IF 1+ ENDIF ENDIF [ HERE ] I + LOOP ;\n"
            ": RUN 0 20000 0 DO I 3 MOD I 1 AND w + LOOP ;\nRUN .",
            id="two DOs that share one LOOP; one of them enters the loop with a constant limit",
        ),
    ],
)
def test_tiers_agree(text: str) -> None:
    assert_tiers_agree(*text.splitlines())


def test_call_stubs_do_not_overwrite_code() -> None:
    # A call of a word that is not compiled yet jumps to a call stub; `big` needs 500 of them.  Each
    # `flush` discards the machine code by a store to the code of `big`.  While machine code runs,
    # its memory and the stubs are not released, so the stubs of all rounds need space.
    words = "".join(f": a{n} R@ DROP {n} v ! ;\n" for n in range(500))
    calls = " ".join(f"a{n}" for n in range(500))
    assert_tiers_agree(
        "VARIABLE v\n" + words + f": big {calls} ;\n",
        ": go 30 0 DO big LOOP ;\n: flush ['] big 4 + @ ['] big 4 + ! ;\n",
        ": T " + "go flush " * 8 + ";",
        "T v @ .",
    )
