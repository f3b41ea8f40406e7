"""The word sets of standard Forth beyond CORE: tests in Forth, files in their folder, snapshots."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from forthvm import debug
from forthvm.core.budget import Budget
from forthvm.core.errors import AddressError, BudgetExceeded, ForthVMError, StackUnderflow
from forthvm.core.vm import VM
from tests.kit.cases import each_case
from tests.kit.messages import raises

HERE = Path(__file__).parent
WORD_SETS = (
    "block",
    "double",
    "facility",
    "file",
    "floating",
    "locals",
    "memory",
    "search",
    "string",
)
PRINTED = {
    "block": "".join(
        f"\n{number:2} {line:64}"
        for number, line in enumerate(
            [
                "1 2 \\ a comment",
                "BLK @ SOURCE NIP SOURCE-ID",
                *[""] * 13,
                ": star-slash ( n -- n )  2",
            ]
        )
    )
    + "\n20 ",
    "double": "12345    -7-9223372036854775808 ",
    "floating": "1. 0. -1.5 123456800. 0.00012 100000000000000000000. inf 0.1 "
    "1.E0 -1.2345E4 1.2E-4 0.E0 1.E0 12.345E3 1.234567E6 12.3E-3 100.E0 -120.E-6 ",
    "search": "\nSearch order: FORTH \nNew words: FORTH ",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder for files beside which there are others that links lead to."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_text("secret", encoding="utf-8")
    inside = tmp_path / "inside"
    (inside / "folder").mkdir(parents=True)
    (inside / "link-out").symlink_to(outside)
    (inside / "link-file").symlink_to(outside / "x")
    if hasattr(os, "mkfifo"):
        os.mkfifo(inside / "pipe")
    return inside


def make(
    folder: Path | None = None, tier: str = "native", **options: object
) -> tuple[VM, list[str]]:
    """Return a VM and the list of the texts that it prints."""
    printed: list[str] = []
    vm = VM(library="forth2012", files=folder, tier=tier, output=printed.append, **options)  # type: ignore[arg-type]
    return vm, printed


def read(name: str) -> str:
    """Return the text of a file beside this one."""
    return (HERE / f"{name}.fth").read_text(encoding="utf-8")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("tier", ["interpreter", "native", "eager"])
@pytest.mark.parametrize("name", WORD_SETS)
def test_word_set(name: str, tier: str, folder: Path) -> None:
    vm, printed = make(folder, tier)
    vm.interpret(read("tester"), name="tester.fth")
    vm.interpret(read(f"word_sets/{name}"), name=f"{name}.fth")
    assert "".join(printed) == PRINTED.get(name, "")
    assert vm.stack == ()


def test_files_outside_of_the_folder_are_unchanged(folder: Path) -> None:
    vm, _ = make(folder)
    vm.interpret('S" link-file" W/O OPEN-FILE NIP S" link-out/x" R/W CREATE-FILE NIP')
    assert all(code < 0 for code in vm.stack)
    assert (folder.parent / "outside" / "x").read_text(encoding="utf-8") == "secret"


def test_no_folder_no_files() -> None:
    vm, _ = make()
    vm.interpret('S" x" R/O OPEN-FILE S" x" R/W CREATE-FILE S" x" DELETE-FILE')
    assert vm.stack == (0, -69, 0, -63, -64)


def test_errors_of_host_words_are_thrown(folder: Path) -> None:
    vm, _ = make(folder)
    vm.interpret('S" out.txt" R/W CREATE-FILE THROW VALUE f : x -5 5 f READ-FILE ;')
    vm.interpret("' FILE-SIZE CATCH")
    vm.interpret('S" abc" f WRITE-FILE 0. f REPOSITION-FILE')
    vm.interpret("' x CATCH : y -5 5 INCLUDED ; ' y CATCH")
    assert vm.stack == (-4, 0, 0, -9, -9)
    with raises(AddressError, "word-sets.address-outside-memory"):
        vm.interpret("0. f REPOSITION-FILE DROP\n  -5 5 f READ-FILE", name="t.fth")
    with raises(StackUnderflow, "word-sets.stack-underflow"):
        make()[0].interpret(": z CLOSE-FILE ; z", name="t.fth")


def test_written_files_are_complete_after_the_vm(folder: Path) -> None:
    vm, _ = make(folder)
    vm.interpret('S" out.txt" W/O CREATE-FILE THROW S" text" ROT WRITE-LINE')
    assert vm.stack == (0,)
    del vm
    assert (folder / "out.txt").read_bytes() == b"text\n"


@each_case(
    ("define", "change", "value"),
    [
        ("8 ALLOCATE THROW VALUE A 5 A !", "9 A ! A FREE THROW 100 ALLOCATE THROW 7 SWAP !", "A @"),
        ("1.5E FVALUE F 2E", "F F+ FDROP 9E TO F", "F F* F>S"),
        ("1 2 2VALUE D", "3 4 TO D", "D D>S"),
        ("ALSO", "PREVIOUS PREVIOUS FORTH", "GET-ORDER NIP NIP"),
    ],
)
def test_snapshot(define: str, change: str, value: str) -> None:
    vm, _ = make()
    vm.interpret(define)
    saved = vm.snapshot()
    vm.interpret(value)
    expected = vm.stack
    vm.restore(saved)
    vm.interpret("WORDLIST DROP")
    vm.restore(saved)
    if "ALSO" not in define:
        vm.interpret(change)
    vm.restore(saved)
    vm.interpret(value)
    assert vm.stack == expected


def fails(vm: VM, text: str) -> ForthVMError:
    """Return the error of a text."""
    with pytest.raises(ForthVMError) as caught:
        vm.interpret(text)
    return caught.value


@pytest.mark.slow
def test_errors_do_not_use_up_locals_or_floats() -> None:
    vm, _ = make()
    vm.interpret(": L {: A B C D E F G H :} 1E -1 THROW ;")
    for _ in range(600):
        fails(vm, "1 2 3 4 5 6 7 8 L")
        with pytest.raises(ForthVMError):
            vm.call("L", *range(8))
    vm.interpret(": OK {: A :} A A ; 3 OK 1E F>S")
    assert vm.stack == (3, 3, 1)


@pytest.mark.parametrize(
    "text", [": E BEGIN 1E FDROP AGAIN ; E", "-1 MS", ": L {: A :} BEGIN A TO A AGAIN ; 1 L"]
)
def test_budget(text: str) -> None:
    vm, _ = make(budget=Budget(seconds=0.05))
    with pytest.raises(BudgetExceeded):
        vm.interpret(text)


def test_damaged_heap() -> None:
    vm, _ = make()
    vm.interpret("100 ALLOCATE THROW VALUE A 100 ALLOCATE THROW VALUE B A 4 - 1000 -1 FILL")
    vm.interpret("A FREE 0= 50 ALLOCATE NIP 0= B 10 RESIZE NIP 0=")
    assert vm.stack == (0, 0, 0)


@each_case("address", ["164", "168", "172"])
@each_case("value", ["0", "-1", "3", "HERE", "HEX 7FFFFFFF"])
def test_damaged_float_stack(address: str, value: str) -> None:
    vm, _ = make()
    vm.interpret(f"1E 2E {value} {address} !")
    for text in ("F+", "FDROP", "1E", "FDUP"):
        try:
            vm.interpret(text)
        except ForthVMError:
            continue


def test_fixed_clock() -> None:
    results = []
    for _ in range(2):
        vm, _printed = make(clock=86400)
        vm.interpret("100000 MS TIME&DATE")
        results.append(vm.stack)
    assert results[0] == results[1] == (0, 0, 0, 2, 1, 1970)


@pytest.mark.parametrize("tier", ["interpreter", "native", "eager"])
def test_services_in_loops(tier: str) -> None:
    """Machine code calls services, also those that fail or run words that redefine words."""
    vm, _ = make(tier=tier)
    vm.interpret(
        ": FAIL ( n -- n ) DUP 7 MOD 0= IF 5 THROW THEN 1+ ; "
        ": MIXED ( n -- n2 sum ) 0 SWAP 0 DO I ['] FAIL CATCH + 3 M* 2 UM/MOD NIP + LOOP ; "
        "300 MIXED"
    )
    assert vm.stack == (sum((5 + n if n % 7 == 0 else n + 1) * 3 // 2 for n in range(300)),)
    vm.interpret(
        'DROP DEFER ACT : COUNT-UP ( -- n ) 0 1000 0 DO S" ACT" EVALUATE + I 500 = IF '
        'S" :NONAME 2 ; IS ACT" EVALUATE THEN LOOP ; :NONAME 1 ; IS ACT COUNT-UP'
    )
    assert vm.stack == (501 + 2 * 499,)
    vm.interpret("DROP : DEEP ( n -- n ) DUP IF 1- RECURSE 1 UM* DROP 1+ THEN ; 1000 DEEP")
    assert vm.stack == (1000,)


def test_key() -> None:
    vm, _ = make()
    vm.standard.read_input = lambda: "ab"
    vm.interpret("KEY? EKEY KEY? KEY KEY KEY?")
    assert vm.stack == (0, ord("a"), -1, ord("b"), ord("\n"), 0)


def test_evaluation_in_the_debugger(folder: Path) -> None:
    vm, _ = make(folder)
    vm.interpret(
        'VARIABLE v : f {: a :} a 1+ v ! a v @ * ; S" x.txt" W/O CREATE-FILE THROW VALUE id'
    )
    with debug.Session(debug.line_target(vm, "5 f")) as session:
        while session.state.token != "*":
            session.step()
        assert session.state.stack == (5, 6)
        text = "CASE 0 OF ENDOF DUP ENDCASE : g 3 0 DO I LOOP ; g a"
        with pytest.raises(ForthVMError):
            session.evaluate(text)
        results, printed = session.evaluate("7 v ! : g 3 0 DO I LOOP ; g v @ 1.5E F.")
        assert (results, printed) == ((0, 1, 2, 7), "1.5 ")
        assert session.evaluate(
            'S" x" DROP 1 id WRITE-FILE S" y.txt" W/O CREATE-FILE NIP id CLOSE-FILE'
        )[0] == (-75, -63, -62)
        assert session.evaluate("v @ FDEPTH")[0] == (6, 0)
        session.continue_()
        assert session.state.stack == (30,)
    assert not (folder / "y.txt").exists()
    vm.interpret("id CLOSE-FILE")
    assert vm.stack == (0,)
