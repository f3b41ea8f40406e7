"""Tests that each primitive has the same effect in all execution tiers, with operands of all kinds.

Owns operands and addresses.  Control flow and changes of code have other files.
"""

from __future__ import annotations

import itertools

import pytest

from forthvm.core.errors import ForthVMError
from forthvm.core.vm import VM
from tests.vm.tiers import HAS_JIT, TIERS, assert_tiers_agree, failure_report

LOWEST, HIGHEST = -(2**31), 2**31 - 1
# The square of 46341 does not fit into a cell.
CELLS = (0, 1, -1, 2, -2, 7, -7, 31, 127, 128, 255, -128, 65536, 46341, HIGHEST, LOWEST)
STACK_CAPACITY = 6144 + 64
"""The capacity of the parameter stack in items, while a word runs."""
FEW_CELLS = (0, 1, -1, 7, -7, 128, HIGHEST, LOWEST)
BINARY = "+ - * / MOD /MOD = <> < > <= >= AND OR XOR MIN MAX"
UNARY = "1+ 1- 2+ 2- 2* 2/ 0= 0<> 0< 0> INVERT NOT C>N CELLS NEGATE ABS CFA>PFA"
STACK = "DUP DROP SWAP OVER ROT 2DUP 2DROP 0|PICK 1|PICK 2|PICK"  # | stands for a blank
OPERANDS = {  # code before a word, which brings its operands into different register states
    "plain": "",
    "sums": "1+ SWAP 3 - SWAP",
    "flags": "0> SWAP 0< SWAP",
    "same": "DROP DUP",
    "moved": "SWAP OVER >R SWAP R> DROP",
    "tested": "2DUP < IF SWAP ENDIF",
}


class AllTiers:
    """A VM of each tier; all VMs interpret the same texts and receive the same calls."""

    def __init__(self, *, checked: bool = False) -> None:
        self.vms = [
            VM(library="core", tier=tier, checked=checked, output=lambda _: None) for tier in TIERS
        ]
        self.failed = 0

    def interpret(self, text: str) -> None:
        for vm in self.vms:
            vm.interpret(text, name="words.4th")

    def call(self, word: str, *args: int) -> object:
        """Call a word in all tiers and return the common outcome."""
        outcomes = [self._outcome(vm, word, args) for vm in self.vms]
        assert outcomes[1] == outcomes[0], (word, args, "native")
        assert outcomes[2] == outcomes[0], (word, args, "eager")
        return outcomes[0][0]

    def _outcome(self, vm: VM, word: str, args: tuple[int, ...]) -> tuple[object, ...]:
        try:
            result: object = vm.call(word, *args)
        except ForthVMError as error:
            result = failure_report(error)
            self.failed += 1
        return result, vm.native.steps()

    def compiled(self) -> int:
        """Return the number of definitions and loops that the tier "eager" has compiled."""
        assert self.vms[0].native.compiled() == 0
        return self.vms[2].native.compiled() if HAS_JIT else 1 << 30


def define_hot(name: str, body: str, args: str = "1 1 1") -> str:
    """Return the definition of a word, and code that runs the word until it is hot."""
    # RP@ 12 - is the address of the depth, which >R has stored below the three cells of the loop.
    return (
        f": {name} {body} ;\n"
        f": warm-{name} DEPTH >R 9 0 DO {args} {name} BEGIN DEPTH RP@ 12 - @ > WHILE DROP REPEAT "
        f"LOOP R> DROP ;\n"
        f"warm-{name}\n"
    )


@pytest.mark.sampled(6)
@pytest.mark.parametrize("state", OPERANDS)
def test_arithmetic_with_computed_operands(state: str) -> None:
    tiers = AllTiers()
    stack_words = [word.replace("|", " ") for word in STACK.split()]
    words = [*BINARY.split(), *UNARY.split(), *stack_words]
    for index, word in enumerate(words):
        tiers.interpret(define_hot(f"w{index}", f"{OPERANDS[state]} {word}"))
        tiers.interpret(define_hot(f"b{index}", f"{OPERANDS[state]} {word} IF 1 ELSE 2 ENDIF"))
    assert tiers.compiled() >= 2 * len(words)
    pairs = list(itertools.product(CELLS if state == "plain" else FEW_CELLS, repeat=2))
    for index, word in enumerate(words):
        word_pairs = pairs if word in BINARY else pairs[::7]
        for a, b in word_pairs:
            tiers.call(f"w{index}", 99, a, b)
        for a, b in pairs[::7]:
            tiers.call(f"b{index}", 99, a, b)
    assert tiers.failed > 0  # divisions by zero


def test_arithmetic_with_constants() -> None:
    tiers = AllTiers()
    numbers = (0, 1, -1, 3, -7, 128, HIGHEST, LOWEST)
    count = 0
    # r: the right operand is constant; l: the left operand; a: both operands.
    for number, word in itertools.product(numbers, BINARY.split()):
        tiers.interpret(f": r{count} {number} {word} ; : l{count} {number} SWAP {word} ;")
        tiers.interpret(f": a{count} 5 {number} + {number} {word} 1 0 {word} ;")
        tiers.interpret(f": hot{count} BEGIN DUP r{count} OVER l{count} 2DROP 1- DUP 3 < UNTIL ;")
        tiers.call(f"hot{count}", 20)
        for value in FEW_CELLS:
            tiers.call(f"r{count}", value)
            tiers.call(f"l{count}", value)
        for _ in range(6):
            tiers.call(f"a{count}")
        count += 1
    assert tiers.compiled() > count
    assert tiers.failed > 0


def test_division_truncates_towards_zero() -> None:
    # Expected numbers are computed in Python, because all tiers might have the same error.
    tiers = AllTiers()
    tiers.interpret(define_hot("both", "2DUP / ROT ROT 2DUP MOD ROT ROT /MOD", "7 3"))
    for a, b in itertools.product((7, -7, HIGHEST, LOWEST, 0), (3, -3, 1, HIGHEST, LOWEST)):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        remainder = a - quotient * b
        assert tiers.call("both", a, b) == (quotient, remainder, remainder, quotient)


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "word",
    ["@", "C@", "F@", "!", "C!", "F!", "+!", "++", "--", "@ 1+", "1+ @", "4 + @", "CELLS @"],
)
def test_memory_words_at_edges_of_the_image(word: str) -> None:
    tiers = AllTiers()
    tiers.interpret("CREATE buffer 64 ALLOT  VARIABLE ptr  17 CONSTANT seventeen  buffer ptr !")
    tiers.interpret(define_hot("w", word, "5 5 buffer"))
    tiers.interpret(define_hot("z", f"ptr @ {word}", "5 5"))
    tiers.interpret(": reset buffer ptr ! ;")
    (buffer,) = tiers.vms[0].call("buffer")
    size = tiers.vms[0].native.memory_size()
    code = tiers.vms[0].token("reset")
    end = [size + offset for offset in (-8, -5, -4, -3, -2, -1, 0, 1, 4)]
    addresses = [0, 1, 3, 4, 255, 256, 4096, -1, -2, -4, -5, LOWEST, HIGHEST, HIGHEST - 3, buffer]
    addresses += [buffer + offset for offset in (1, 2, 3, 60)]
    addresses += [code + 4, code + 5, size // 4, 1 << 29, 1 << 30]
    for round_ in range(3):
        for address in addresses + end:
            for value in (0, -1, 300 + round_):
                tiers.call("w", value, value, address)
        for address in addresses:
            tiers.call("!", address, tiers.vms[0].call("ptr")[0])
            tiers.call("z", 1, 2)
        # Code into which the calls above have stored fails in the same way in all tiers.
        tiers.call("reset")
        tiers.call("warm-w")
    assert tiers.failed > 0
    assert tiers.compiled() >= 2
    images = [vm.snapshot() for vm in tiers.vms]
    assert len({image.read(0, 1 << 26) for image in images}) == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("address", ["-4", "0", "1", "3", "2147483647", "-2147483648", "16777216"])
def test_memory_words_with_constant_addresses(address: str) -> None:
    for word in ("@", "C@", "1 SWAP !", "1 SWAP C!", "1 SWAP +!", "++"):
        outcome = assert_tiers_agree(
            f": bad {address} {word} ; : on 0= IF bad ENDIF ; : try 20 0 DO 1 on LOOP 0 on ;",
            *["try"] * 3,
        )
        assert len(outcome.failures) in (0, 3)  # all three calls of `try` have the same outcome
        assert outcome.failures or address == "2147483647" or int(address) >= 0


def test_last_bytes_of_the_image_and_growing_memory() -> None:
    assert_tiers_agree(
        "VARIABLE end : last LIMIT 4 - ; : look last @ last C@ last 3 + C@ + + ;"
        ": set 7 last ! 8 last 1+ C! ; : try 30 0 DO set look DROP LOOP set look ;",
        "try",
        ": more 4096 ALLOT HERE 4 - ; : fill 3000 0 DO 9 more ! LOOP HERE 4 - @ ;",
        "fill",
        "try",
        ": past HERE 100000000 + @ ; : hunt 30 0 DO past LOOP ;",
        "hunt",
    )


STACKS = "DUP DROP ROT 2DUP + ! >R R>|>R I 0= 3|PICK 5"


@pytest.mark.sampled(11)
@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("word", STACKS.split())
def test_primitives_at_the_bounds_of_the_parameter_stack(word: str, *, checked: bool) -> None:
    body = word.replace("|", " ")
    body = f"{body} R> DROP" if body == ">R" else body
    tiers = AllTiers(checked=checked)
    tiers.interpret("CREATE buffer 16 ALLOT")
    tiers.interpret(define_hot("w", body, "buffer buffer buffer buffer buffer"))
    tiers.interpret(": deep w ; : deeper deep deep ;")
    (buffer,) = tiers.vms[0].call("buffer")
    states = [vm.snapshot() for vm in tiers.vms]
    for count, name in itertools.product(range(6), ("w", "deep", "deeper")):
        for vm, state in zip(tiers.vms, states, strict=True):
            vm.restore(state)
        tiers.call(name, *[buffer] * count)
        assert len({vm.stack for vm in tiers.vms}) == 1
    full = []
    for vm, state in zip(tiers.vms, states, strict=True):
        vm.restore(state)
        vm.push(*[buffer] * STACK_CAPACITY)
        full.append(vm.snapshot())
    for free, name in itertools.product(range(3), ("w", "deep")):
        for vm, state in zip(tiers.vms, full, strict=True):
            vm.restore(state)
            for _ in range(free):
                vm.pop()
        tiers.call(name)
        assert len({vm.snapshot().stack() for vm in tiers.vms}) == 1
    assert tiers.compiled() >= 2


def test_execute_with_tokens_of_every_kind() -> None:
    tiers = AllTiers()
    tiers.interpret(
        "VARIABLE var 5 CONSTANT five : word1 1 ; : taker DROP 2 ; CREATE buffer 8 ALLOT"
        " DEFER later ' word1 IS later : maker <BUILDS , DOES> @ 1+ ; 8 maker made"
    )
    tiers.interpret(define_hot("run", "EXECUTE", "4 4 ['] word1"))
    names = ["var", "five", "word1", "taker", "buffer", "later", "made", "DUP", "+", "(;)", "EXIT"]
    names += ["LIT", "BRANCH", "(DO)", "EXECUTE", "DEPTH", ">R", "R>", "(unset)", "@", "EMIT"]
    tokens = [tiers.vms[0].token(name) for name in names]
    (buffer,) = tiers.vms[0].call("buffer")
    not_tokens = [0, 1, 3, -1, -4, LOWEST, HIGHEST, buffer, buffer + 4, buffer + 1]
    not_tokens += [tokens[0] + 4, tokens[2] + 4]
    for token in [*tokens, *not_tokens, *tokens]:
        for args in ((), (3,), (3, 4), (3, tokens[2])):
            tiers.call("run", *args, token)
    assert tiers.failed > 10
    assert tiers.compiled() >= 1


def test_address_of_the_body_of_a_word() -> None:
    """CFA>PFA of constant and of computed tokens, also of numbers that are no tokens."""
    numbers = "0 1 -1 3 64 2147483647 -2147483648 100000000 HERE HERE 4 + HERE 4 -"
    outcome = assert_tiers_agree(
        "VARIABLE v DEFER d : colon 7 ; : other 8 ; ' colon IS d",
        ": body ( cfa -- pfa ) CFA>PFA ;",
        ": fixed ( -- ) ['] v CFA>PFA ['] d CFA>PFA ['] colon CFA>PFA 7 CFA>PFA 64 CFA>PFA ;",
        ": distance ( cfa -- n ) DUP body SWAP - ;",
        ": swap-action ( -- ) ['] other IS d d . ['] colon IS d d . ;",
        ": many 60 0 DO fixed 2DROP 2DROP DROP ['] d body ['] v body 2DROP swap-action LOOP ;",
        "many ' v distance . ' d distance . ' colon distance . ' DUP distance . ' d 1+ distance .",
        f"{numbers} " + "body . " * 11,
        "fixed . . . . .",
        # The code field of v becomes that of d, and machine code has been made for both.
        "' d @ ' v ! many ' v distance . fixed . . . . .",
        compiled=5,
    )
    assert outcome.failures == []
    assert " 4 8 4 4 4 " in outcome.printed
