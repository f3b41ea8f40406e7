"""Tests of VM(library="forth2012"): errors, limits, snapshots, files, and the REPL."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from forthvm import debug
from forthvm.cli.commands.repl import ReplScreen
from forthvm.core.budget import Budget
from forthvm.core.errors import (
    ForthVMError,
    Interrupted,
    ScriptMessage,
    ScriptQuit,
    StackUnderflow,
    StepLimitExceeded,
    TimeLimitExceeded,
    UncaughtThrow,
    UndefinedWord,
)
from forthvm.core.vm import VM
from forthvm.repl import Shell
from forthvm.repl.batch import run_script
from forthvm.repl.session import Session
from tests.kit.cases import each_case
from tests.kit.files import write_files
from tests.kit.messages import raises

ENDLESS = ": endless BEGIN AGAIN ; : caught BEGIN ['] endless CATCH DROP AGAIN ;"


def printed_by(text: str, **options: object) -> str:
    printed: list[str] = []
    VM(library="forth2012", output=printed.append, **options).interpret(text)  # type: ignore[arg-type]
    return "".join(printed)


def test_numbers_and_letter_case() -> None:
    assert printed_by(": Sq dup * ; 7 SQ . $ff . #10 . %101 . 'a' . 1. . .") == (
        "49 255 10 5 97 0 1 "
    )


@each_case(
    ("literal", "value"),
    [
        *(("2147483647", 2**31 - 1), ("4294967295", -1), ("-2147483648", -(2**31)), ("-0", 0)),
        *(("$FFFFFFFF", -1), ("$-80000000", -(2**31)), ("%" + "1" * 32, -1), ("0" * 40 + "7", 7)),
    ],
)
def test_literals_of_one_cell(literal: str, value: int) -> None:
    assert printed_by(f"{literal} . : compiled {literal} ; compiled .") == f"{value} {value} "


@each_case(
    ("literal", "value"),
    [
        ("4294967296.", 2**32),
        ("18446744073709551615.", -1),
        ("-9223372036854775808.", -(2**63)),
        ("-1.", -1),
        ("$FFFFFFFFFFFFFFFF.", -1),
    ],
)
def test_literals_of_two_cells(literal: str, value: int) -> None:
    assert printed_by(f"{literal} D. : compiled {literal} ; compiled D.") == f"{value} {value} "


@each_case(
    "literal",
    [
        *("4294967296", "-2147483649", "-4294967295", "99999999999999999999", "$100000000"),
        *("$-80000001", "%1" + "0" * 32, "18446744073709551616.", "-9223372036854775809."),
        *("-18446744073709551615.", "$10000000000000000.", "9" * 40 + "."),
    ],
)
def test_literals_out_of_range_are_errors(literal: str) -> None:
    for text in (literal, f": compiled {literal} ;"):
        with raises(UncaughtThrow, "forth2012-vm.literals-out-of-range") as caught:
            VM(library="forth2012").interpret(f"1\n {text}", name="x.fth")
        assert f"x.fth:2:{text.index(literal) + 2}" in str(caught.value)
    assert printed_by(f': try S" {literal}" EVALUATE ; \' try CATCH .') == "-11 "


def test_error_has_the_place_of_the_token() -> None:
    with pytest.raises(UndefinedWord) as caught:
        VM(library="forth2012").interpret(": a 1 ;\n: b a\n  no-such ;", name="x.fth")
    assert str(caught.value) == "x.fth:3:3: unknown word `no-such`"


def test_error_in_a_definition_has_the_place_of_the_failed_word() -> None:
    vm = VM(library="forth2012")
    vm.interpret(": a\n DROP ;\n: b a ;", name="x.fth")
    with pytest.raises(StackUnderflow) as caught:
        vm.interpret("b", name="y.fth")
    assert "x.fth:2:2" in str(caught.value)
    assert [frame.word for frame in caught.value.trace if frame.word] == ["a", "b"]


def test_an_error_closes_the_definition() -> None:
    vm = VM(library="forth2012")
    with pytest.raises(UndefinedWord):
        vm.interpret(": a 1\n no-such ;")
    for text in ("1 IF", ";"):
        with raises(UncaughtThrow, "forth2012-vm.an-error-closes-the-definition"):
            vm.interpret(text)


def test_reports_name_the_word_of_the_library_that_the_script_ran(tmp_path: Path) -> None:
    (tmp_path / "main.fth").write_text(': a \' ;\n: b a ;\nS" part.fth" INCLUDED\n')
    (tmp_path / "part.fth").write_text("1\nb no-such\n")
    with pytest.raises(ForthVMError) as caught:
        VM(library="forth2012").load(tmp_path / "main.fth")
    assert str(caught.value).endswith("main.fth:1:5: unknown word `no-such` in `'`")
    frames = [(frame.word, frame.location and frame.location.line) for frame in caught.value.trace]
    assert frames == [("a", 1), ("b", 2), (None, 2)]
    (tmp_path / "part.fth").write_text("nothing\n")
    with pytest.raises(UndefinedWord) as unknown:
        VM(library="forth2012").load(tmp_path / "main.fth")
    assert unknown.value.trace == ()
    assert [place.line for place in unknown.value.loads] == [3]
    with raises(StackUnderflow, "forth2012-vm.stack-underflow-in-roll"):
        VM(library="forth2012").interpret(": c ROLL ; c")
    with raises(StackUnderflow, "forth2012-vm.reports-name-the-word"):
        VM(library="forth2012").interpret(": c {: local :} ; c")


def test_quit_goes_on_with_the_next_line(tmp_path: Path) -> None:
    vm = VM(library="forth2012")
    vm.interpret(': q {: a :} a [CHAR] q EMIT QUIT ;\n: nested S" 2 q 3" EVALUATE ;')
    vm.interpret(
        "1 nested 4\n5 2E\n' q CATCH 6\n: unfinished [ QUIT ] 6\n7 FDEPTH STATE @ SOURCE-ID"
    )
    assert vm.stack == (1, 2, 5, 7, 1, 0, 0)
    write_files(tmp_path, {"part.fth": "9 QUIT\n10\n", "main.fth": "8 INCLUDE part.fth\n11\n"})
    vm = VM(library="forth2012")
    vm.load(tmp_path / "main.fth")
    vm.interpret("12")
    assert vm.stack == (8, 9, 12)
    with pytest.raises(ScriptQuit):
        vm.interpret("BYE\n13")


def test_uncaught_codes() -> None:
    with raises(UncaughtThrow, "forth2012-vm.throw-5"):
        VM(library="forth2012").interpret("5 THROW")
    with raises(UncaughtThrow, "forth2012-vm.throw-58"):
        VM(library="forth2012").interpret("-58 THROW")
    with pytest.raises(StackUnderflow):
        VM(library="forth2012").interpret("-4 THROW")
    with raises(ScriptMessage, "forth2012-vm.abort-with-a-text"):
        VM(library="forth2012").interpret(': x ABORT" what" ; 1 x')


def test_catch_does_not_catch_the_end_of_the_budget() -> None:
    vm = VM(library="forth2012", budget=Budget(steps=100_000))
    vm.interpret(ENDLESS)
    with pytest.raises(StepLimitExceeded):
        vm.interpret("caught")
    vm = VM(library="forth2012", budget=Budget(seconds=0.05))
    vm.interpret(ENDLESS)
    with pytest.raises(TimeLimitExceeded):
        vm.interpret("caught")


def test_catch_does_not_catch_an_interrupt() -> None:
    vm = VM(library="forth2012")
    vm.interpret(ENDLESS)

    def interrupt() -> None:
        while not vm.interrupt():
            time.sleep(0.01)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(Interrupted):
        vm.interpret("caught")
    thread.join()


def test_catch_does_not_catch_exceptions_of_host_words() -> None:
    vm = VM(library="forth2012")

    def fail() -> None:
        raise KeyError("from Python")

    vm.host_words.define("fails", "( -- )", fail)
    with pytest.raises(KeyError):
        vm.interpret("' fails CATCH .")


def test_snapshot_restores_variables_and_definitions() -> None:
    vm = VM(library="forth2012")
    vm.interpret("VARIABLE v 5 v !")
    saved = vm.snapshot()
    vm.interpret("7 v ! : later v @ ;")
    assert vm.call("later") == (7,)
    vm.restore(saved)
    assert vm.find("later") is None
    vm.interpret("v @")
    assert vm.pop() == 5


def test_undo_in_a_session() -> None:
    session = Session(VM(library="forth2012"))
    session.interpret("1 2 : sq DUP * ;")
    session.interpret(": five 5 THROW ; ' five CATCH")
    assert session.stack == (1, 2, 5)
    assert session.undo()
    assert session.stack == (1, 2)
    session.interpret("sq")
    assert session.stack == (1, 4)


def test_abort_empties_the_stack_of_a_session() -> None:
    session = Session(VM(library="forth2012"))
    session.interpret("1 2")
    for text, stack in [("3 no-such", (1, 2)), ('3 1 ABORT" no"', (1, 2)), ("3 ABORT", ())]:
        with pytest.raises(ForthVMError):
            session.interpret(text)
        assert session.stack == stack
    assert session.undo()
    assert session.stack == (1, 2)


def test_a_definition_may_span_texts() -> None:
    vm = VM(library="forth2012")
    vm.interpret(": twice\n  2 *")
    vm.interpret(";")
    assert vm.call("twice", 21) == (42,)


def test_included_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "main.fth").write_text('S" sub/a.fth" INCLUDED REQUIRE sub/b.fth\n')
    (tmp_path / "sub" / "a.fth").write_text("REQUIRE b.fth\n( a comment\nover lines ) : a b ;\n")
    (tmp_path / "sub" / "b.fth").write_text("VARIABLE count# : b 42 ;\n1 count# +!\n")
    vm = VM(library="forth2012")
    vm.load(tmp_path / "main.fth")
    assert vm.call("a") == (42,)
    assert vm.memory.cell(vm.call("count#")[0]) == 1


def test_files_outside_the_folders_are_not_found(tmp_path: Path) -> None:
    (tmp_path / "secret.fth").write_text("1\n")
    (tmp_path / "sub").mkdir()
    main = tmp_path / "sub" / "main.fth"
    main.write_text(': try S" ../secret.fth" INCLUDED ; \' try CATCH\n')
    vm = VM(library="forth2012")
    vm.load(main)
    assert vm.stack[-1] == -38


def test_error_in_an_included_file(tmp_path: Path) -> None:
    write_files(tmp_path, {"main.fth": "\nINCLUDE part.fth\n", "part.fth": ": x\n  nothing ;\n"})
    with pytest.raises(UndefinedWord) as caught:
        VM(library="forth2012").load(tmp_path / "main.fth")
    assert "part.fth:2:3" in str(caught.value)
    assert caught.value.loads[0].line == 2


def test_report_of_a_file_that_includes_itself(tmp_path: Path) -> None:
    (tmp_path / "self.fth").write_text("INCLUDE self.fth\n")
    with raises(ForthVMError, "forth2012-vm.return-stack-overflow") as caught:
        VM(library="forth2012").load(tmp_path / "self.fth")
    report = caught.value.report()
    assert report.count("loaded from") == 12
    assert "more loads" in report
    assert "more calls" not in report


def test_other_libraries_are_unchanged() -> None:
    vm = VM(library="core")
    assert vm.standard is None
    assert vm.find("dup") is None
    assert vm.find("CATCH") is None


def test_machine_code_is_made() -> None:
    vm = VM(library="forth2012", tier="native")
    vm.interpret(": sum 0 SWAP 0 DO I + LOOP ; : many 2000 0 DO 100 sum DROP LOOP ; many 100 sum")
    assert vm.pop() == 4950
    assert vm.native.compiled() > 0


def test_what_the_words_of_tools_print() -> None:
    assert printed_by("1 2 .S DROP DROP") == "<2> 1 2 "
    assert printed_by("VARIABLE v 7 v ! v ?") == "7 "
    assert printed_by("HEX 3A PAD C! 3B PAD 1+ C! PAD 2 DUMP").endswith(" 3A 3B  :;\n")
    assert printed_by(": later ; : sooner ; WORDS").startswith("sooner later ")
    assert ": sq DUP * ;" in printed_by(": sq DUP * ; SEE sq")
    assert printed_by(": sq DUP * ; 1 . SEE sq 2 .") == "1 \n: sq DUP * ;\n2 "
    assert printed_by("SEE dup").startswith("\nDUP is a word of the kernel: ( x -- x x )")
    assert printed_by("SEE FDUP") == "\nFDUP is a word of the kernel\n"


def test_key_and_accept_read_the_input() -> None:
    vm = VM(library="forth2012")
    lines = iter(["hello", "x"])
    vm.standard.read_input = lambda: next(lines, None)
    vm.interpret("PAD 3 ACCEPT PAD C@ KEY")
    assert vm.stack == (3, ord("h"), ord("x"))


def test_refill_reads_what_the_user_types() -> None:
    vm = VM(library="forth2012")
    vm.interpret("0 [IF] 1")
    assert vm.standard is not None
    lines = iter(["2", "[ELSE] 3", "[THEN] 4", " b :} a b ;", "no-such"])
    vm.standard.read_input = lambda: next(lines, None)
    vm.interpret("0 [IF] 1")
    vm.interpret('S" REFILL" EVALUATE')
    assert vm.stack == (3, 0)
    vm.interpret("REFILL")
    assert vm.stack == (3, 0, -1, 4)
    vm.interpret(": x {: a")
    assert vm.call("x", 1, 2) == (1, 2)
    with pytest.raises(UndefinedWord):
        vm.interpret("REFILL")
    vm.interpret("REFILL")
    assert vm.stack[-1] == 0


def test_a_host_word_may_interpret_a_text() -> None:
    vm = VM(library="forth2012")
    vm.host_words.define("python", "( -- )", lambda: vm.interpret("1 \n 2"))
    vm.interpret("python 3\n4 python")
    assert vm.stack == (1, 2, 3, 4, 1, 2)


def test_a_text_that_a_host_word_interprets_may_fail(tmp_path: Path) -> None:
    (tmp_path / "part.fth").write_text(": part 5 ;\n  no-word\n", encoding="utf-8")
    vm = VM(library="forth2012", files=tmp_path)

    def fail() -> None:
        with pytest.raises(UndefinedWord):
            vm.interpret("7 INCLUDE part.fth 8\n9")

    vm.host_words.define("fails", "( -- )", fail)
    vm.interpret("1 fails 2\n3 part")
    assert vm.stack == (1, 2, 3, 5)


def test_long_lines() -> None:
    vm = VM(library="forth2012")
    vm.interpret(f"1 {' ' * 100_000} 2 ( {'comment ' * 3_000} ) 3")
    assert vm.stack == (1, 2, 3)
    with raises(ForthVMError, "forth2012-vm.the-line-has-more"):
        vm.interpret(" " * 140_000)


def test_underflow_at_the_prompt_shows_the_token() -> None:
    with pytest.raises(StackUnderflow) as caught:
        VM(library="forth2012").interpret("1 2DROP", name="x")
    assert str(caught.value) == "x:1:3: stack underflow"


def test_debugger_goes_through_catch() -> None:
    vm = VM(library="forth2012")
    vm.interpret(": fails 5 THROW ;\n: safe\n ['] fails CATCH\n $10 + ;", name="x.fth")
    with debug.Session(debug.line_target(vm, "safe $20")) as session:
        session.stop_on_error = False
        assert session.state.stack == ()
        while session.state.token != "$10":
            session.step()
        assert session.state.stack == (5,)
        session.back()
        assert session.state.token == "THROW"
        session.continue_()
        assert session.state.stack == (21, 32)


def test_repl_runs_standard_forth(capsys: pytest.CaptureFixture[str]) -> None:
    screen = ReplScreen(ascii_only=True)
    shell = Shell(Session(VM(library="forth2012")), screen, load_game=pytest.fail)
    run_script(shell, ": f ( n )\n  0 ?DO I . LOOP ; 3 f words\n", on_failure=pytest.fail)
    assert capsys.readouterr().out.startswith("0 1 2 f ")


def test_commands_for_games_are_absent(capsys: pytest.CaptureFixture[str]) -> None:
    screen = ReplScreen(ascii_only=True)
    shell = Shell(Session(VM(library="forth2012")), screen, load_game=pytest.fail)
    shell.run("help")
    printed = capsys.readouterr().out
    assert "undo" in printed
    assert "all other lines are standard Forth" in " ".join(printed.split())
    assert "takeback" not in printed
    assert "moves" not in shell.commands
    for command in ("board", "check", "%check"):
        with pytest.raises(UndefinedWord):
            shell.run(command)


def test_words_are_found_in_the_search_order() -> None:
    vm = VM(library="forth2012")
    assert vm.find("move") == vm.find("MOVE") is not None
    assert vm.find("ENDIF") is None  # a word of ForthScript
    assert vm.find("$order") is None
    vm.interpret(
        "WORDLIST CONSTANT w GET-CURRENT w SET-CURRENT : Inner 5 ; SET-CURRENT VARIABLE $order"
    )
    assert vm.find("inner") is None
    vm.interpret("GET-ORDER w SWAP 1+ SET-ORDER")
    assert vm.call("inner") == (5,)
    assert vm.words()[:3] == ("Inner", "$order", "w")


def test_help_describes_the_words_of_the_standard(capsys: pytest.CaptureFixture[str]) -> None:
    screen = ReplScreen(ascii_only=True)
    shell = Shell(Session(VM(library="forth2012")), screen, load_game=pytest.fail)
    shell.run(": sq ( n -- n2 ) DUP * ; \\ Square a number.")
    shell.run("help move swap Sq")
    printed = capsys.readouterr().out
    assert "move  ( from to u -- )\n  word, <library>/forth2012-core.4th:" in printed
    assert "swap  ( a b -- b a )\n  Exchange the two top items.\n" in printed
    assert "Sq  ( n -- n2 )\n  Square a number.\n" in printed
