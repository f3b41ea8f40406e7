"""Programs that machine code once got wrong: an audit's, each the smallest that showed it."""

from __future__ import annotations

import pytest

from tests.vm.tiers import same

HOT = ": RUN 0 20000 0 DO T + LOOP ;\nRUN .\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "VARIABLE va\n: w 7 2 DO >= SWAP STATE @ LOOP ;\n"
            ": r 0 0 9 8 7 6 5 4 w . . . DEPTH . ;\nr r r",
            id="a ring of registers with a flag in it",
        ),
        pytest.param(
            ": f DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP 7 PICK ;\n"
            ": T 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 f >R\n"
            "DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP DROP R> ;\n"
            ": RUN 0 20000 0 DO DROP T LOOP ;\nRUN .",
            id="PICK below what is followed",
        ),
        pytest.param(
            ": T 10 20 30 1 PICK >R DROP DROP DROP R> ;\n" + HOT + "0 ' T 32 + ! RUN .",
            id="a store into the number before PICK",
        ),
        pytest.param(
            ": c R> R> DROP >R ;\n: x c ;\n: y x 1 + ;\n: T y 2 + ;\n"
            ": RUN 0 20000 0 DO T LOOP ;\nRUN .",
            id="a callee that takes its caller's caller off",
        ),
        pytest.param(
            ": c R> R> DROP >R ;\nVARIABLE v ' c v !\n: x v @ EXECUTE ;\n: y x 1 + ;\n"
            ": T y 2 + ;\n: RUN 0 20000 0 DO T LOOP ;\nRUN .",
            id="the same by EXECUTE",
        ),
        pytest.param(
            ": mk <BUILDS , DOES> BEGIN @ DUP @ 0= UNTIL ;\n"
            "VARIABLE e1 VARIABLE e2 e1 e2 ! VARIABLE e3 e2 e3 ! e3 mk chain\n"
            ": T chain e1 - ;\n" + HOT,
            id="a loop back to the @ behind DOES>",
        ),
        pytest.param(
            ": f 5 [ ' BRANCH , HERE 8 + , ' LIT , ' R> , ' DROP , ] ;\n: g f 1 + ;\n: T g 2 + ;\n"
            + HOT,
            id="a return-stack word behind a jump into a number in line",
        ),
        pytest.param(
            ": w ( more? first? -- sum ) IF 10 0 [ ' (DO) , ]\n"
            "ELSE 20 0 [ ' (DO) , ] DUP IF 1+ ENDIF ENDIF [ HERE ] I + LOOP ;\n"
            ": RUN 0 20000 0 DO I 3 MOD I 1 AND w + LOOP ;\nRUN .",
            id="two limits for one loop, the second known by a branch to its head",
        ),
    ],
)
def test_outcome_is_the_interpreters(text: str) -> None:
    same(*text.splitlines())


def test_stubs_do_not_run_into_code() -> None:
    # Code that is running cannot give its memory back, however often all of it is flushed.
    words = "".join(f": a{n} R@ DROP {n} v ! ;\n" for n in range(500))
    calls = " ".join(f"a{n}" for n in range(500))
    same(
        "VARIABLE v\n" + words + f": big {calls} ;\n",
        ": go 30 0 DO big LOOP ;\n: flush ['] big 4 + @ ['] big 4 + ! ;\n",
        ": T " + "go flush " * 8 + ";",
        "T v @ .",
    )
