"""Long sessions: what they keep of evaluations, actions and output."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import forthvm
from forthvm import debug

SCRIPT = """\
VARIABLE total
: note ( n -- ) total +! ;
: sums ( -- ) 10 0 DO I note LOOP ;
"""


@pytest.fixture
def session() -> Iterator[debug.Session]:
    vm = forthvm.VM(library="core", output=lambda _text: None)
    vm.interpret(SCRIPT, name="sums.4th")
    with debug.Session(debug.word_target(vm, "sums"), record=False) as made:
        yield made


def test_evaluated_texts_are_not_kept(session: debug.Session) -> None:
    texts = list(session.target.vm.sources.texts)
    session.add_breakpoint("note", condition="DUP 8 =", log="{1 2 +}")
    for number in range(50):
        assert session.evaluate(f"{number} 2 *")[0] == (2 * number,)
    with pytest.raises(forthvm.UndefinedWord) as caught:
        session.evaluate("1 oops")
    location = caught.value.location
    assert location.text[location.column - 1 :][: location.length] == "oops"
    assert session.evaluate("1 " + "1 + " * 5000)[0] == (5001,)
    assert session.continue_().ended
    assert session.target.vm.sources.texts == texts
    assert session.evaluate("total @")[0] == (45,)


def test_sessions_without_a_recording_keep_no_actions(session: debug.Session) -> None:
    session.add_breakpoint("note")
    session.continue_()
    session.step()
    session.back()
    session.delete(1)
    assert session.recording.to_json()["actions"] == []


def test_output_of_later_operations_is_passed_once() -> None:
    vm = forthvm.VM(library="core")
    vm.interpret(": first ( -- ) 1 . ; : second ( -- ) 2 . 3 . ;")
    words = [vm.token("first"), vm.token("second")]
    operations = [lambda word=word: vm.native.execute(word) for word in words]
    output: list[str] = []
    target = debug.Target(vm, "print", {}, operations)
    with debug.Session(target, output=output.append) as session:
        session.add_breakpoint("second")
        second = session.continue_()
        session.step(3)
        session.run_to(second.step + 1)
        assert session.printed == "1 "
        assert session.continue_().ended
        assert session.printed == "1 2 3 "
    assert "".join(output) == "1 2 3 "
