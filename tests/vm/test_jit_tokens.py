"""Tests that EXECUTE and DEFER call the current word in all execution tiers.

Owns calls by execution tokens (xts).  It must not test operands, control flow or other changes of
code.
"""

from __future__ import annotations

import random

import pytest

from forthvm.core.vm import VM
from tests.vm.tiers import assert_tiers_agree

KINDS = (
    "VARIABLE var 5 CONSTANT five CREATE buffer 8 ALLOT 9 buffer ! : one 1 ; : taker DROP 2 ;"
    " : maker <BUILDS , DOES> @ 1+ ; 8 maker eight 11 maker eleven DEFER later ' one IS later"
    ' : own R> DUP >R DROP 3 ; : looped 0 5 0 DO I + LOOP ; : text S" ab" DROP C@ ;'
    " : deep later later + ; : clear BEGIN DEPTH 0> WHILE DROP REPEAT ;"
)
"""Defines words of every kind."""
WORDS = (
    "DEPTH var five buffer one taker eight eleven later own looped text deep DUP + >R R> (;) LIT @"
)
NOT_XTS = "0 1 3 -1 -4 2147483647 -2147483648 4096"


def test_one_execute_with_every_kind_of_xt() -> None:
    texts = [KINDS, ": run EXECUTE ; : run2 run 100 ;"]
    texts.append(": hot 40 0 DO ['] one run DROP ['] eight run DROP ['] looped run2 2DROP LOOP ;")
    texts.append("hot hot")
    for word in WORDS.split():
        texts += [f"3 ' {word} run . DEPTH .", f"7 8 ' {word} run2 . . DEPTH .", "hot"]
        texts.append(f": many 30 0 DO 3 ['] {word} run 2DROP LOOP ; many")
        texts.append("clear FORGET many")
    for number in NOT_XTS.split():
        texts += [f"3 {number} run .", f"3 4 {number} run2 . .", "hot"]
    texts += ["3 buffer run", "3 ' one 1+ run", "3 ' one 4 + run", "3 buffer 4 + run", "hot"]
    outcome = assert_tiers_agree(*texts, steps=200_000, compiled=6)
    assert len(outcome.failures) > 20


def test_xts_with_the_same_entry_of_the_call_target_table() -> None:
    # In the JIT's table of call targets, xts that are 4 KiB apart have the same entry.
    gap = ": skip HERE 4095 AND 4096 SWAP - ALLOT ;"
    words = "".join(f" skip HERE 64 ALLOT DROP : w{n} {n} + ;" for n in range(6))
    tokens = "".join(f" ' w{n} {n} CELLS tokens + !" for n in range(6))
    outcome = assert_tiers_agree(
        gap + " CREATE tokens 24 ALLOT" + words + tokens,
        ": pick ( i -- 'w ) 6 MOD CELLS tokens + @ ; : turn 0 600 0 DO I pick EXECUTE LOOP . ;",
        "turn turn turn",
    )
    assert outcome.failures == []
    assert outcome.printed == "1500 " * 3  # 100 times the sum of 0 to 5


def test_a_deferred_word_changes_itself_while_it_runs() -> None:
    outcome = assert_tiers_agree(
        "DEFER d VARIABLE n : b 100 n +! ; : a 1 n +! ['] b IS d 10 n +! ;",
        ": c n @ 50 > IF ['] a ELSE ['] b ENDIF IS d d 1 n +! ;",
        ": go ['] a IS d d d n @ . 0 n ! ; : many 60 0 DO go LOOP ; many",
        ": more 60 0 DO ['] c IS d d d n @ 7 AND . LOOP ; more more many",
        ": new 7 n +! ; : swap2 ['] new IS d d ; : last 40 0 DO swap2 ['] a IS d LOOP n @ . ; last",
    )
    assert outcome.failures == []
    assert outcome.printed.startswith("111 111 111 ")  # 1 and 10 by a, 100 by b


def test_a_deferred_word_changes_after_it_was_compiled() -> None:
    # Code expects the word that a deferred word ran when the code was made.  After 1000 other
    # words the code is made again without expectations.
    outcome = assert_tiers_agree(
        "5 CONSTANT five 7 CONSTANT seven : nine ( -- n ) 9 ; : pair ( -- a b ) 1 2 ; DEFER d",
        "' five IS d : add ( -- ) d + ; : sum ( n -- ) 0 SWAP 0 DO add LOOP . ; 4000 sum 4000 sum",
        "' seven IS d 4000 sum ' nine IS d 4000 sum ' pair IS d 40 sum DEPTH . ' DEPTH IS d 20 sum",
        ": both ( n -- ) 0 SWAP 0 DO ['] five IS d d + ['] seven IS d d + LOOP . ; 3000 both",
        "' five IS d 4000 sum : nested ( -- n ) d d + ; ' nested IS d",
    )
    assert outcome.failures == []
    assert outcome.printed.startswith("20000 20000 28000 36000 ")


@pytest.mark.parametrize("checked", [False, True])
def test_the_tokens_of_one_execute_have_the_same_does_part_or_not(*, checked: bool) -> None:
    # Code expects the DOES> part of the last token.  After 1000 tokens with another DOES> part, or
    # without one, the code is made again without expectations.
    outcome = assert_tiers_agree(
        ": link <BUILDS , DOES> @ + ; 1 link north 2 link east 3 link south CREATE row 12 ALLOT",
        "' north row ! ' east row 4 + ! ' south row 8 + ! : at ( i -- addr ) 3 MOD CELLS row + ;",
        ": sum ( n -- ) 0 SWAP 0 DO I at @ EXECUTE LOOP . ; 30 sum 3000 sum",
        ": other <BUILDS , DOES> @ - ; 5 other west ' west row 4 + ! 30 sum 4500 sum 30 sum",
        ": plain 7 + ; ' plain row ! 30 sum ' 1+ row ! 4500 sum VARIABLE var 3 , 3 sum 2DROP",
        "CREATE fake ' south @ , ' south 4 + @ , 9 , fake row ! 30 sum 8 ' east 8 + ! 30 sum",
        "' south @ fake ! ' west 4 + @ fake 4 + ! 30 sum 0 fake 4 + ! 30 sum",
        "3 fake 4 + ! 30 sum 0 fake ! 30 sum 60 row ! 30 sum -4 row ! 30 sum 1 row ! 30 sum",
        "' north row ! 0 ' north 4 + ! 30 sum",
        steps=400_000,
        checked=checked,
    )
    assert outcome.printed.startswith("60 6000 -10 -1500 -10 50 -1500 ")


def test_executed_word_is_forgotten_and_replaced() -> None:
    texts = ["VARIABLE 'w : run 'w @ EXECUTE ; : many 30 0 DO run LOOP ; : base 1 . ; ' base 'w !"]
    for n in range(10):
        texts.append("many")
        texts.append(f": w {n} . ; ' w 'w ! many FORGET w many")
        texts.append(f": other {n} 1+ {n} 2 + . . ; many FORGET other")
        texts.append(f"VARIABLE spot {n} spot ! many DEPTH 0 DO DROP LOOP FORGET spot")
        texts.append("' base 'w ! many 9 .")
    assert_tiers_agree(*texts, steps=400_000)


def test_changes_of_code_fields_and_does_parts_take_effect() -> None:
    outcome = assert_tiers_agree(
        ": m1 <BUILDS , DOES> @ 1+ ; : m2 <BUILDS , DOES> @ 100 + ; 5 m1 x 6 m2 y : c 3 ; : e 4 ;",
        "VARIABLE 'w : run 'w @ EXECUTE ; : many 0 30 0 DO run + LOOP . ;",
        "' x 'w ! many ' y 4 + @ ' x 4 + ! many",  # the DOES> part of another word
        "VARIABLE var ' c 'w ! many ' var @ ' c ! many ' e @ ' c ! many",
        "' c @ ' e ! 0 ' c ! many ' e @ ' c ! many",  # temporarily not a word
        ": flip 40 0 DO ['] x 'w ! run . ['] y 4 + @ ['] x 4 + ! run . LOOP ; flip",
        ": ends ['] e @ 0 ['] c ! run ['] c ! ; ' c 'w ! : many2 9 0 DO ends LOOP ; many2 many",
        steps=200_000,
    )
    assert outcome.printed.startswith("180 3150 ")  # 30 times 5 + 1, 30 times 5 + 100


def test_recursion_through_defer_and_execute() -> None:
    outcome = assert_tiers_agree(
        "DEFER f : fib DUP 2 < IF DROP 1 ELSE DUP 1- f SWAP 2 - f + ENDIF ; ' fib IS f 14 f .",
        "VARIABLE 'g : ge 'g @ EXECUTE ; : g DUP 2 < IF DROP 1 ELSE DUP 1- ge SWAP 2 - ge + THEN ;",
        "' g 'g ! 14 g . 14 g .",
        "DEFER even : odd DUP 0= IF DROP 0 ELSE 1- even ENDIF ;",
        ": ev DUP 0= IF DROP 1 ELSE 1- odd ENDIF ; ' ev IS even 40 even . 41 even . 40 odd .",
        "DEFER down : endless down 1 ; ' endless IS down down",
        "DEFER h : half h ; ' half IS h h",
        ": twice ['] endless EXECUTE 1 ; twice",
        depth=300,
        compiled=5,
    )
    assert outcome.printed.startswith("610 610 610 ")  # fib of 14, three times
    assert len(outcome.failures) == 3


LIMITED = (
    "VARIABLE 'w DEFER d : leaf 1+ ; : mid DUP 3 AND IF leaf ELSE leaf leaf ENDIF d ; ' leaf IS d"
    " : maker <BUILDS , DOES> @ + leaf ; 2 maker two : run 'w @ EXECUTE ; VARIABLE count"
    " : go 0 40 0 DO ['] mid 'w ! run ['] two 'w ! run ['] leaf 'w ! run"
    " ['] count 'w ! run ++ LOOP . count @ . ; "
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("steps", [*range(60, 90), 200, 333, 500, 701, 900, 1200])
def test_step_budget_ends_in_executed_words(steps: int) -> None:
    assert_tiers_agree(LIMITED, "go", "go", "go 1 .", "1 2 go", steps=steps, compiled=0)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("depth", range(16, 34))
def test_return_stack_overflows_in_executed_words(depth: int) -> None:
    down = ": down DUP IF 1- RECURSE 1+ ELSE DROP 4 run go ENDIF ;"
    assert_tiers_agree(
        LIMITED, down, "3 down", "9 0 DO 5 down DROP LOOP", "12 down", "20 down", depth=depth
    )


@pytest.mark.slow
@pytest.mark.parametrize("checked", [False, True])
def test_underflow_and_overflow_in_executed_words(*, checked: bool) -> None:
    def fill(vm: VM) -> None:
        vm.push(*[1] * (6144 + 60))

    pops = ": t1 DROP ; : t3 t1 t1 t1 ; : run EXECUTE ; : maker <BUILDS DOES> DROP t3 ; maker t4"
    pushes = ": g1 1 ; : g3 g1 g1 g1 ; : keeper <BUILDS DOES> DUP ; keeper g2 VARIABLE v"
    warm = (
        ": warm 30 0 DO 1 2 3 ['] t3 run g3 ['] t4 run ['] g2 run 2DROP ['] g3 run t3"
        " ['] v run DROP LOOP ;"
    )
    texts = [pops, pushes, warm]
    texts += ["warm warm", ": under 1 ['] t3 run ; : under4 1 2 ['] t4 run ; : wrap under 5 ;"]
    for word in ("under", "under4", "wrap"):
        texts += [f": w {word} {word} {word} {word} ; : ww w w w w w w w w ; ww DEPTH . ww ww ww"]
        texts += ["FORGET w", "warm"]
    assert_tiers_agree(*texts, checked=checked)
    for count in range(6):
        full = [fill, *["1"] * count]
        for word in (
            "['] g3 run",
            "['] g2 run",
            "['] g1 run",
            "['] v run",
            "g3",
            "['] t3 run g3",
        ):
            assert_tiers_agree(
                pops, pushes, warm, "warm warm", f": f {word} ;", *full, "f", checked=checked
            )


def test_errors_have_the_same_locations_and_callers_in_all_tiers() -> None:
    outcome = assert_tiers_agree(
        ": bad 0 @ ; : deep bad 1+ ; DEFER d ' deep IS d : maker <BUILDS DOES> @ @ ; maker m 3 ,\n"
        ": run EXECUTE\n  1+ ;\n: outer 1 SWAP run ;",
        ": fine 5 ; : warm 40 0 DO ['] fine outer 2DROP ['] d DROP LOOP ; warm",
        ": many 9 0 DO ['] fine outer 2DROP LOOP outer ;",
        "' deep many",
        "' m many",
        "' d many",
        "0 many",
        "' many many",
        ": div 1 0 / ; : d2 ['] div outer ; d2",
        ': name S" x" ; \' name many : abo 1 ABORT" no" ; \' abo many',
    )
    assert len(outcome.failures) >= 7


def test_tokens_of_variables_are_called_by_machine_code() -> None:
    vm = VM(tier="native")
    vm.interpret("VARIABLE a VARIABLE b CREATE table 8 ALLOT DEFER words ' a IS words")
    vm.interpret(": any ( n -- 'w ) 3 MOD DUP 0= IF DROP ['] a ELSE 1 = IF ['] b")
    vm.interpret("  ELSE ['] table ENDIF ENDIF ;")
    vm.interpret(": all ( n -- ) 0 DO I any EXECUTE ++ words ++ LOOP ; 20000 all")
    before = vm.native.side_exits()
    vm.interpret("9000 all")
    assert vm.native.side_exits() - before < 90
    vm.interpret("a @ b @ table @")
    assert vm.pop() + vm.pop() + vm.pop() == 2 * 29000


def test_tokens_of_variables_after_all_code_was_discarded() -> None:
    """`h` discards all code just before EXECUTE, whose token then becomes that of another word."""
    outcome = assert_tiers_agree(
        "VARIABLE tok VARIABLE dst VARIABLE scratch scratch dst ! VARIABLE y ' y tok !",
        ": z 777 ; 42 CONSTANT c VARIABLE src 43 src !",
        "CREATE x ' z 4 + @ , ' z 8 + @ , ' z 12 + @ , 0 , 0 ,",
        ": h tok @ src dst @ 1 MOVE EXECUTE DROP c DROP ; : hot 30000 0 DO h LOOP ; : one h ;",
        ": g3 0 60000 0 DO DROP tok @ EXECUTE LOOP . ;",
        "hot hot",
        "' x tok !  ' c 8 + dst ! one scratch dst ! ' z @ ' x ! g3",
    )
    assert outcome.printed == "777 "


def test_tiers_agree_on_callees_that_drop_return_addresses() -> None:
    # The JIT compiles a caller before the callee is known.  The JIT's table of call targets must
    # not contain xts of words that change the return stack.
    outcome = assert_tiers_agree(
        ": up R> DROP ; : up2 R> R> DROP >R ; : twice R> DUP >R >R ; VARIABLE 'w : fine ;",
        ": x 'w @ EXECUTE 1 . ; : y x 2 . ; : z y 3 . ; : many 30 0 DO z LOOP ;",
        "' fine 'w ! many ' up 'w ! many ' up2 'w ! many ' fine 'w ! many ' twice 'w ! many",
        ": put RP@ 4 - @ DROP ; ' put 'w ! many : hit 9 RP@ 8 - ! ; ' hit 'w ! many",
        ": e up 4 . ; : ee e 5 . ; : many2 30 0 DO ee LOOP ; many2 : loops 3 0 DO I . LEAVE LOOP ;",
        ": unloop R> R> R> 2DROP >R ; ' unloop 'w ! many ' loops 'w ! many",
        ": k R> 'w ! ; : l k 6 . ; : m l 7 . 'w @ >R ; m : many3 20 0 DO m LOOP ; many3",
        steps=100_000,
    )
    assert outcome.failures


def test_callee_drops_a_return_address_against_the_jit_assumption() -> None:
    # `c` is compiled before `late`, on the assumption that `late` preserves the return stack.
    outcome = assert_tiers_agree(
        "VARIABLE n : late n @ IF R> DROP ENDIF ; : a late 1 . ; : b a 2 . ; : c b 3 . ;",
        "DEFER e : f n @ IF e ENDIF ; : g f 4 . ; ' late IS e",
        ": cs 40 0 DO c g LOOP ; cs 1 n ! cs 0 n ! cs 1 n ! cs",
        ": p n @ IF q ENDIF ;",
    )
    assert len(outcome.failures) == 1


def test_executed_words_call_the_host_and_nested_runs() -> None:
    def host(vm: VM) -> None:
        @vm.word("inner", effect="( n -- m )")
        def inner(n: int) -> int:
            return vm.call("leaf", n)[0]

        @vm.word("switch", effect="( -- )")
        def switch() -> None:
            vm.interpret("' other IS d")

        @vm.word("scribble", effect="( -- )")
        def scribble() -> None:
            vm.interpret("0 RP@ 12 - !")

    outcome = assert_tiers_agree(
        "DEFER d VARIABLE 'w : leaf 1+ d ; : other 3 + ; : first 1+ ; ' first IS d",
        host,
        ": run 'w @ EXECUTE ; : go 0 60 0 DO run I 30 = IF switch ENDIF LOOP . ;",
        "' inner 'w ! go ' leaf 'w ! go ' first IS d go",
        ": deep scribble 1 . ; : deeper deep 2 . ; ' deeper 'w ! : many 20 0 DO run LOOP ; many",
        steps=20_000,
    )
    # 31 iterations add 2 and 29 add 4, because `switch` changes d; then 60 iterations add 4.
    assert outcome.printed.startswith("178 240 178 1 ")


def test_execute_at_unaligned_addresses_and_after_memory_moves() -> None:
    outcome = assert_tiers_agree(
        ": w1 1 ; : w2 2 ; CREATE code 64 ALLOT VARIABLE 'w",
        ": make ( n -- ) code 1+ >R ['] w1 @ R@ ! ['] LIT R@ 4 + ! R@ 8 + ! ['] (;) R> 12 + ! ;",
        ": run 'w @ EXECUTE ; : many 0 30 0 DO run + LOOP . ; 7 make code 1+ 'w ! many 9 make many",
        "' w1 code 4 MOVE code 'w ! many ' w2 code 4 MOVE many ' w2 ' w1 3 MOVE ' w1 'w ! many",
    )
    assert outcome.printed.startswith("210 270 ")  # 30 times 7, 30 times 9


@pytest.mark.sampled(5)
@pytest.mark.parametrize("xt", ["tok @", "['] one"])
@pytest.mark.parametrize("fetches", range(6))
def test_execute_when_all_registers_are_in_use(xt: str, fetches: int) -> None:
    # Before EXECUTE, `count` computed items are in registers, and `fetches` variables are read.
    names = [f"v{number}" for number in range(fetches)]
    for count in range(7):
        items = " ".join(f"w{number} @ 5 XOR" for number in range(count))
        assert_tiers_agree(
            "VARIABLE tok : one 1+ ; ' one tok !",
            *(f"VARIABLE {name} 7 {name} !" for name in names),
            *(f"VARIABLE w{number} {number} w{number} !" for number in range(count)),
            f": t DROP {items} {' '.join(f'{name} @ DROP' for name in names)} {xt} EXECUTE"
            f" {'+ ' * count} ; : go 40 0 DO 5 7 t DROP LOOP ;",
            "go go 5 7 t . .",
        )


EXPECTED = """\
VARIABLE seen  : note ( n -- ) seen @ 31 * + seen ! ;
: maker <BUILDS , DOES> @ note seen @ 3 AND 0= ;
1 maker north  2 maker east  : south ( -- ? ) 4 note seen @ 5 MOD 1 > ;
: west ( -- ? ) 7 note TRUE ; : opposite ( 'a -- 'b ) DROP ['] east ;
: long ( 'a -- 'b ) 1 note 2 note 3 note 4 note 5 note 6 note 7 note 8 note 9 note 10 note
  11 note 12 note 13 note 14 note 15 note 16 note 17 note 18 note 19 note 20 note 21 note
  22 note 23 note 24 note 25 note seen @ 1 AND IF DROP ['] west ENDIF ;
: step ( 'dir -- ) EXECUTE IF 8 note ELSE 9 note ENDIF ;
: slide ( 'dir -- ) 0 BEGIN OVER EXECUTE OVER 5 < AND WHILE 1+ DUP note REPEAT 2DROP ;
: twice ( 'dir -- ) DUP EXECUTE note EXECUTE note ;
: turns ( 'dir -- ) 4 0 DO DUP EXECUTE IF DROP ['] north ENDIF LOOP DROP ;
: other ( 'dir -- ) SWAP EXECUTE note EXECUTE note ;
"""


def random_use(rng: random.Random) -> str:
    """Return code that runs tokens, some of which differ by the path or the time."""
    a, b = (rng.choice(("north", "east", "south", "west")) for _ in range(2))
    return rng.choice(
        (
            f"['] {a} step",
            f"['] {a} slide",
            f"['] {a} twice",
            f"['] {a} turns",
            f"['] {a} ['] {b} other",
            f"seen @ 2 AND IF ['] {a} ELSE ['] {b} ENDIF EXECUTE note",
            f"['] {a} opposite step",
            f"['] {a} long step",
            f"['] {a} seen @ 1 AND IF DROP ['] {b} ENDIF slide",
            f"['] {a} 3 0 DO DUP step I note LOOP long DROP",
            f"['] {a} 0 PICK EXECUTE note step",
            f"5 ['] {a} DUP EXECUTE IF DROP ['] {b} ENDIF EXECUTE note note",
        )
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(6))
def test_tokens_that_are_expected_but_differ(seed: int) -> None:
    rng = random.Random(seed)
    words = [" ".join(random_use(rng) for _ in range(rng.randint(1, 6))) for _ in range(8)]
    texts = [EXPECTED, *(f": use{n} {code} ;" for n, code in enumerate(words))]
    for turn in range(3):
        texts += [
            f": turn{turn} 30 0 DO I note use{n} LOOP seen @ . ; turn{turn}" for n in range(8)
        ]
        # Other code fields and other DOES> parts for tokens that the code expects.
        texts.append("' south @ ' west ! 5 ' north 8 + !")
        texts.append(f": maker{turn} <BUILDS , DOES> @ {turn} + note FALSE ; 9 maker{turn} fresh")
        texts.append("' fresh 4 + @ ' east 4 + !")
    outcome = assert_tiers_agree(*texts, steps=400_000, compiled=8)
    assert outcome.failures == []
    assert_tiers_agree(*texts, steps=400_000, checked=True)
