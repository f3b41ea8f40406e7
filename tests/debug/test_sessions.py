"""Debugging sessions: stepping, stopping, inspecting, and restoring the VM."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

import forthvm
from forthvm import debug
from forthvm.core.errors import ReturnStackUnderflow
from forthvm.debug.session.state_text import stack_lines
from tests.kit.messages import raises

SCRIPT = """\
VARIABLE total
CREATE table 40 ALLOT
: sq ( n -- m ) DUP * ;
: cube ( n -- m )
  DUP sq * ;
: note ( n -- ) DUP total +! 4 * table + total @ SWAP ! ;
: sums ( -- )
  4 0 DO
    I cube note
  LOOP
  ." done " ;
: deep ( n -- ) DUP IF 1- RECURSE ELSE DROP 1 0 / ENDIF ;
: spread ( -- ) table table 4 + 8 CMOVE ;
: forever ( -- ) BEGIN 1 total +! FALSE UNTIL ;
"""


@pytest.fixture
def vm() -> forthvm.VM:
    made = forthvm.VM(library="core", output=lambda _text: None)
    made.interpret(SCRIPT, name="sums.4th")
    return made


@pytest.fixture
def session(vm: forthvm.VM) -> Iterator[debug.Session]:
    with debug.Session(debug.word_target(vm, "sums")) as made:
        yield made


def location_of(state: debug.State) -> tuple[int, str]:
    return state.location.line, state.token


# --- running ------------------------------------------------------------------------------


def test_session_begins_at_the_called_word(session: debug.Session) -> None:
    assert session.state.reason == "entry"
    assert session.state.step == 1
    assert location_of(session.state) == (7, "sums")
    assert session.state.callers == ()


def test_steps_enter_and_leave_words(session: debug.Session) -> None:
    locations = [location_of(session.step()) for _ in range(8)]
    assert locations == [
        (8, "4"),
        (8, "0"),
        (8, "DO"),
        (9, "I"),
        (9, "cube"),
        (5, "DUP"),
        (5, "sq"),
        (3, "DUP"),
    ]
    assert [caller.word for caller in session.state.callers] == ["sq", "cube", "sums"]
    assert location_of(session.out()) == (5, "*")
    assert location_of(session.out()) == (9, "note")


def test_over_skips_calls_but_not_loop_iterations(session: debug.Session) -> None:
    session.step(5)
    assert location_of(session.state) == (9, "cube")
    assert location_of(session.over()) == (9, "note")
    assert location_of(session.over()) == (10, "LOOP")
    assert location_of(session.over()) == (9, "I")  # the next iteration


def test_over_enters_the_word_of_the_host_and_out_ends_it(session: debug.Session) -> None:
    start = session.state.step
    session.step()
    first = session.state.step
    session.run_to(start)
    assert session.over().step == first
    assert session.back(over=True).step == start
    session.over()
    assert session.out().ended


def test_step_by_lines(session: debug.Session) -> None:
    assert location_of(session.step(unit="line")) == (8, "4")
    assert location_of(session.step(unit="line")) == (9, "I")
    assert location_of(session.step(unit="line")) == (5, "DUP")
    assert location_of(session.over(unit="line"))[0] == 9
    assert location_of(session.over(unit="line")) == (10, "LOOP")


def test_end_state_has_the_result(vm: forthvm.VM) -> None:
    with debug.Session(debug.word_target(vm, "cube", 3)) as session:
        end = session.continue_()
        assert (end.ended, end.result, end.error) == (True, (27,), None)
        assert session.step().note.startswith("the run has ended")
        assert location_of(session.back()) == (5, ";")
        assert session.continue_().result == (27,)


def test_back_undoes_steps(session: debug.Session) -> None:
    session.step(12)
    earlier = session.state
    session.step(7)
    back = session.back(7)
    assert (back.step, back.stack, back.location) == (earlier.step, earlier.stack, earlier.location)
    assert location_of(session.back(1, unit="line"))[0] != location_of(earlier)[0]
    assert session.back(1000).reason == "start"
    assert session.state.step == 1


def test_back_over_calls(session: debug.Session) -> None:
    session.step(5)
    session.over()
    assert location_of(session.state) == (9, "note")
    assert location_of(session.back(over=True)) == (9, "cube")
    session.over()
    assert location_of(session.back()) == (5, ";")


# --- inspecting -----------------------------------------------------------------------------


def test_stack_items_have_the_names_of_the_stack_comment(vm: forthvm.VM) -> None:
    with debug.Session(debug.word_target(vm, "cube", 7)) as session:
        state = session.step(2)
        assert location_of(state) == (5, "sq")
        assert list(zip(state.names, state.stack, strict=True)) == [("n", 7), ("", 7)]
        inner = session.step()
        assert list(zip(inner.names, inner.stack, strict=True)) == [("", 7), ("n", 7)]


def test_callers_have_locations(session: debug.Session) -> None:
    session.add_breakpoint("sq")
    session.continue_()
    state = session.step()
    calls = [(c.word, c.location.line if c.location else None) for c in state.callers]
    assert calls == [("sq", 5), ("cube", 9), ("sums", None)]


def test_sandboxed_evaluation_is_undone(session: debug.Session) -> None:
    session.step(8)
    before = session.digest()
    results, printed = session.evaluate(": x 1 total ! total @ DUP . ; x x HEX 10")
    assert results == (1, 1, 16)
    assert printed == "1 1 "
    with raises(forthvm.ForthVMError, "sessions.unknown-word"):
        session.evaluate("5 total ! nonsense")
    with pytest.raises(forthvm.DivisionError):
        session.evaluate("1 0 /")
    assert session.digest() == before
    assert session.evaluate("total @") == ((0,), "")


def test_sandboxed_evaluation_works_at_the_end(session: debug.Session) -> None:
    session.continue_()
    before = session.digest()
    assert session.evaluate("total @ 1 total +!") == ((36,), "")
    assert session.digest() == before


def test_output_of_repeated_steps_is_passed_once(vm: forthvm.VM) -> None:
    printed: list[str] = []
    with debug.Session(debug.word_target(vm, "sums"), output=printed.append) as session:
        session.continue_()
        session.restart()
        assert session.printed == ""
        session.continue_()
        assert session.printed == "done "
    assert "".join(printed) == "done "


# --- stopping -------------------------------------------------------------------------------


def test_breakpoints_on_words_and_lines(session: debug.Session) -> None:
    by_line = session.add_breakpoint("sums.4th:9")
    assert by_line.where == "sums.4th:9"
    assert location_of(session.continue_()) == (9, "I")
    by_word = session.add_breakpoint("note")
    state = session.continue_()
    assert state.breakpoints == (by_word.number,)
    session.delete(by_line.number)
    assert location_of(session.continue_()) == (9, "note")
    session.enable(by_word.number, on=False)
    assert session.continue_().ended
    assert by_word.hits == 2


def test_condition_decides_and_changes_nothing(session: debug.Session) -> None:
    session.add_breakpoint("sq if DUP 2 = 99 total !")
    session.add_breakpoint("note if total @ 99 = ")
    state = session.continue_()
    # The condition `99 total !` is undone, so the second breakpoint's condition is never true.
    assert state.stack[-1] == 2
    assert state.breakpoints == (1,)
    assert session.continue_().ended


def test_failing_condition_stops_with_an_error(session: debug.Session) -> None:
    session.add_breakpoint("sq if 1 0 / ")
    state = session.continue_()
    assert state.reason == "breakpoint"
    assert "division by zero" in state.note


def test_breakpoints_can_be_ignored_a_number_of_times(session: debug.Session) -> None:
    point = session.add_breakpoint("sq")
    session.ignore(point.number, 2)
    state = session.continue_()
    assert state.stack[-1] == 2
    assert (point.hits, point.hit_condition) == (3, "> 2")


def test_breakpoint_on_a_line_without_code_is_on_the_next_line_with_code(
    session: debug.Session,
) -> None:
    assert session.add_breakpoint("4").where == "sums.4th:5"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing-such", "sessions.nothing-such"),
        ("sums.4th:99", "sessions.has-lines-has-lines"),
        ("other.4th:3", "sessions.no-text-other-th"),
        ("on move", "sessions.has-no-game"),
        ("on piece man", "sessions.has-no-game"),
        ("on fire", "sessions.the-events-are-move-capture"),
        ("on piece", "sessions.needs-a-name"),
        ("on move a b", "sessions.takes-no-name"),
        ("sq if ", "sessions.a-condition"),
        ("", "sessions.a-word-file-line"),
    ],
)
def test_invalid_breakpoints_are_refused(session: debug.Session, text: str, message: str) -> None:
    with raises(forthvm.ForthVMError, message):
        session.add_breakpoint(text)
    assert not session.breakpoints


def test_watchpoint_on_a_variable(session: debug.Session) -> None:
    session.add_watch("total")
    values = []
    while not session.continue_().ended:
        (change,) = session.state.changes
        values.append((change.old, change.new))
        assert session.state.changed_at.line == 6
    # The sums of the cubes of 0 to 3; the first addition, of 0, changes nothing.
    assert values == [("0", "1"), ("1", "9"), ("9", "36")]


def test_watchpoint_on_an_array_item(session: debug.Session) -> None:
    # note stores total at table + 4 * n, and n is 8 (the cube of 2) in the third iteration
    watch = session.add_watch("table 32 +")
    state = session.continue_()
    assert [(c.name, c.old, c.new) for c in state.changes] == [("table 32 +", "0", "9")]
    assert watch.hits == 1
    before = session.reverse_continue()
    assert before.token == "!"
    assert before.stack[-1] == watch.address
    assert before.watched[0].value == "0"


def test_watchpoint_detects_copying_primitives(vm: forthvm.VM) -> None:
    vm.interpret("1234 table !")
    with debug.Session(debug.word_target(vm, "spread")) as session:
        session.add_watch("table 4 + for 2")
        state = session.continue_()
        assert state.changes[0].new == "1234 1234"
        assert state.changed_at.line == 13


def test_last_change_is_found_backwards(session: debug.Session) -> None:
    session.add_watch("total")
    steps = [session.continue_().step for _ in range(3)]
    assert [session.reverse_continue().step for _ in range(4)] == [
        steps[2] - 1,
        steps[1] - 1,
        steps[0] - 1,
        1,
    ]
    assert session.state.reason == "start"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TRUE", "sessions.which-is-not-a-valid-address"),
        ("sums", "sessions.leaves-no-address"),
        ("-5", "sessions.not-a-valid-address"),
        ("total for 99999999", "sessions.not-a-valid-address"),
        ("nothing-such", "sessions.unknown-word-in-a-condition"),
        ("on a1", "sessions.no-board"),
        ("", "sessions.a-variable"),
        ("DROP", "sessions.underflow-no-address"),
    ],
)
def test_invalid_watches_are_refused(session: debug.Session, text: str, message: str) -> None:
    with raises(forthvm.ForthVMError, message):
        session.add_watch(text)
    assert not session.watches


def test_at_most_64_watchpoints_are_allowed(session: debug.Session) -> None:
    for at in range(64):
        session.add_watch(f"table {at % 10} 4 * +")
    with raises(forthvm.ForthVMError, "sessions.too-many-watchpoints"):
        session.add_watch("total")
    session.delete(7)
    session.add_watch("total")


@pytest.mark.parametrize("code", ["R> DROP", "R> DROP R> DROP"])
def test_return_stack_is_empty_at_its_underflow(vm: forthvm.VM, code: str) -> None:
    vm.interpret(f": unwind {code} ;")
    with debug.Session(debug.word_target(vm, "unwind")) as session:
        state = session.continue_()
        assert state.reason == "failure"
        assert isinstance(state.error, ReturnStackUnderflow)
        assert session.return_stack() == ()


def test_failures_stop_before_the_end_of_the_run(vm: forthvm.VM) -> None:
    with debug.Session(debug.word_target(vm, "deep", 3)) as session:
        state = session.continue_()
        assert state.reason == "failure"
        assert isinstance(state.error, forthvm.DivisionError)
        assert location_of(state) == (12, "/")
        assert state.stack == (1, 0)
        assert [caller.word for caller in state.callers] == ["deep"] * 4
        assert location_of(session.back()) == (12, "0")
        assert session.continue_().reason == "failure"
        end = session.continue_()
        assert end.ended
        assert isinstance(end.error, forthvm.DivisionError)
        assert session.back().token == "/"
        session.stop_on_error = False
        session.restart()
        assert session.continue_().ended


def test_endless_run_can_be_paused(vm: forthvm.VM) -> None:
    with debug.Session(debug.word_target(vm, "forever")) as session:
        session.resume()
        assert session.running
        with pytest.raises(TimeoutError):
            session.wait(0.05)
        with raises(forthvm.ForthVMError, "sessions.running"):
            session.step()
        state = session.pause()
        assert state.reason == "pause"
        assert [caller.word for caller in state.callers] == ["forever"]
        assert session.back().step < state.step
        session.resume()  # the session is closed while the target runs


def test_step_budgets_apply_in_the_debugger() -> None:
    vm = forthvm.VM(library="core", budget=forthvm.Budget(steps=1000))
    vm.interpret(SCRIPT, name="sums.4th")
    with debug.Session(debug.word_target(vm, "forever")) as session:
        state = session.continue_()
        assert state.reason == "failure"
        assert isinstance(state.error, forthvm.BudgetExceeded)


# --- leaving --------------------------------------------------------------------------------


def test_closing_restores_the_vm_at_any_step(vm: forthvm.VM) -> None:
    vm.push(11, 22)
    before = vm.snapshot()
    for use in ("none", "step", "reverse", "continue", "resume"):
        session = debug.Session(debug.word_target(vm, "sums"))
        if use == "step":
            session.step(9)
        elif use == "reverse":
            session.add_watch("total")
            session.continue_()
            session.reverse_continue()
        elif use == "continue":
            session.continue_()
        elif use == "resume":
            session.resume()
        session.close()
        session.close()
        assert session.closed
        assert vm.snapshot().equal(before)
        with raises(forthvm.ForthVMError, "sessions.closed"):
            session.step()
    assert vm.call("cube", 2) == (8,)
    assert vm.stack == (11, 22)


def test_a_vm_has_one_session_at_a_time(vm: forthvm.VM, session: debug.Session) -> None:
    errors: list[BaseException] = []

    def open_second_session() -> None:
        try:
            debug.Session(debug.word_target(vm, "sums")).close()
        except forthvm.ForthVMError as error:
            errors.append(error)

    thread = threading.Thread(target=open_second_session)
    thread.start()
    session.step()
    session.close()
    thread.join(20)
    assert not thread.is_alive()


def test_failing_python_word_ends_the_run(vm: forthvm.VM) -> None:
    @vm.word("host", effect="( -- )")
    def host() -> None:
        raise ValueError("from Python")

    vm.interpret(": calls ( -- ) 5 host ;", name="calls.4th")
    session = debug.Session(debug.word_target(vm, "calls"))
    with pytest.raises(ValueError, match="from Python"):
        session.continue_()
    assert session.closed
    assert vm.call("cube", 2) == (8,)


def test_interpreted_line_is_stepped_token_by_token(vm: forthvm.VM) -> None:
    with debug.Session(debug.line_target(vm, "3 sq total ! 1 total +! total @")) as session:
        session.add_watch("total")
        assert session.continue_().changes[0].new == "9"
        assert session.continue_().changes[0].new == "10"
        end = session.continue_()
        assert end.result == (10,)
        assert session.reverse_continue().watched[0].value == "9"


def test_recordings_can_be_replayed(vm: forthvm.VM) -> None:
    with debug.Session(debug.word_target(vm, "sums")) as session:
        session.add_breakpoint("note if total @ 0 >")
        session.add_watch("total")
        for _ in range(3):
            session.continue_()
        session.step(2)
        session.over(unit="line")
        session.back(3)
        session.reverse_continue()
        session.ignore(1, 1)
        session.delete(2)
        session.continue_()
        session.run_to(5)
        record = session.recording.to_json()
    with debug.Session(debug.word_target(vm, "sums")) as session:
        assert debug.replay(record, session) == []
    vm.interpret(": sq ( n -- m ) DUP + ;", name="other.4th")
    with debug.Session(debug.word_target(vm, "sums")) as session:
        with raises(forthvm.ForthVMError, "sessions.changed-script"):
            debug.replay(record, session)
        with raises(forthvm.ForthVMError, "sessions.not-a-record"):
            debug.replay({}, session)


def test_a_failing_evaluation_leaves_no_output(vm: forthvm.VM) -> None:
    printed: list[str] = []
    with debug.Session(debug.word_target(vm, "sums"), output=printed.append) as session:
        session.add_breakpoint('note if ." condition" 1 0 /')
        assert session.continue_().note
        with pytest.raises(forthvm.ForthVMError):
            session.evaluate('." LEAK" 1 0 /')
        assert session.printed == ""
        session.restart()
        while not session.continue_().ended:
            pass
    assert "".join(printed) == "done "


def test_evaluation_below_the_bottom_of_the_stack(vm: forthvm.VM) -> None:
    vm.interpret(": sink DROP DROP 7 total ! total @ ;")
    with debug.Session(debug.word_target(vm, "sink")) as session:
        session.step(6)
        assert session.state.depth == -2
        assert session.evaluate("total @") == ((7,), "")
        session.add_breakpoint("@", condition="total @ 7 =")
        assert session.continue_().note == ""


TOKENS = """\
VARIABLE handler
: hello ( -- ) ;
: run-it ( 'x xt n -- ) 2DROP DROP ;
: main ( -- ) ['] hello handler ! ['] hello ['] DROP ['] DUP 5 run-it DROP ;
"""


def test_tokens_are_shown_with_the_names_of_their_words() -> None:
    """Words of the kernel count where the stack comment says that an item is a token."""
    vm = forthvm.VM(library="core")
    vm.interpret(TOKENS, name="tokens.4th")
    drop, hello = vm.token("DROP"), vm.token("hello")  # the session's thread holds the VM later
    with debug.Session(debug.word_target(vm, "main")) as session:
        session.add_breakpoint("run-it")
        session.continue_()
        session.step()
        assert session.state.words == ("hello", "DROP", "DUP", "")
        assert stack_lines(session.state)[2].endswith(f"'x  {drop} (' DROP)")
        session.add_watch("handler")
        assert session.state.watched[0].value == f"{hello} (' hello)"
