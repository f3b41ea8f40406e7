"""The bindings: the type stub, the callbacks, and the results of the C functions in Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from forthvm import _native
from forthvm.core.bindings import NativeVM, page_size
from forthvm.core.bindings.layout import CELL, HEADER
from forthvm.core.errors import (
    AddressError,
    ForthVMError,
    Interrupted,
    Status,
    StepLimitExceeded,
    UndefinedWord,
)
from forthvm.core.records import Option, SearchLimits
from forthvm.core.vm import VM
from tests.kit.boards import grid
from tests.kit.messages import raises

STUB = Path(__file__).parents[2] / "forthvm" / "_native.pyi"
MIB = 1024 * 1024


@pytest.fixture
def native() -> NativeVM:
    return NativeVM(MIB, 4 * MIB)


def run(native: NativeVM, text: str) -> None:
    data = text.encode()
    native.interpret(data, native.source_add(len(data)))


def test_the_stub_declares_every_function_of_the_module() -> None:
    stubbed = set(re.findall(r"\b(fvm_\w+)(?=\(|: CData)", STUB.read_text()))
    assert stubbed == {name for name in dir(_native.lib) if name.startswith("fvm_")}


def test_options_can_be_set_and_read(native: NativeVM) -> None:
    for option, value in {
        Option.VERSION: 140,
        Option.CHECKED: 1,
        Option.FIXED_CLOCK: 1,
        Option.CLOCK: 1_199_491_200,
        Option.DEPTH: 100,
    }.items():
        native.set_option(option, value)
        assert native.get_option(option) == value


def test_source_positions_of_texts_do_not_overlap(native: NativeVM) -> None:
    first, empty = native.source_add(10), native.source_add(0)
    last = native.source_add(5)
    assert 0 < first < first + 10 < empty < last


def test_cells_have_source_positions(native: NativeVM) -> None:
    base = native.source_add(20)
    native.interpret(b": two 2 ; : four two", base)
    native.interpret(b" two + ;", native.source_add(8))
    nfa = native.find("two")
    assert native.name(nfa) == "two"
    body = nfa + HEADER + CELL
    assert native.word_at(body) == nfa
    assert native.source_at(body) == base + 6  # the cell of LIT came from `2`
    assert native.find("none") == 0


def test_stack_cells_wrap_to_32_bits(native: NativeVM) -> None:
    native.push(1)
    native.push(2**31)
    assert (native.depth(), native.pick(0), native.pick(1), native.pick(9)) == (2, -(2**31), 1, 0)
    assert native.pop() == -(2**31)
    native.clear_stack()
    assert native.depth() == 0


def test_names_may_have_600_characters(native: NativeVM) -> None:
    name = "n" * 600
    run(native, f": {name} 5 ;")
    assert native.name(native.find(name)) == name


def test_reading_outside_memory_raises(native: NativeVM) -> None:
    with pytest.raises(AddressError) as caught:
        native.read(native.memory_size() - 2, 4)
    assert caught.value.status is Status.ADDRESS
    assert native.read(native.here(), 0) == b""


def test_written_memory_can_be_read(native: NativeVM) -> None:
    address = native.here() + 100
    native.write(address, b"hello\0")
    assert native.read_string(address) == "hello"
    native.write_cell(address, -5)
    assert native.read_cell(address) == -5


def test_memory_grows_only_to_its_limit(native: NativeVM) -> None:
    assert native.memory_size() == MIB
    run(native, ": grow [ HERE ] 1 , 0 0BRANCH [ , ] ;")
    with pytest.raises(MemoryError):
        native.execute(native.find("grow") + HEADER)
    assert MIB < native.memory_size() <= 4 * MIB


# --- callbacks -----------------------------------------------------------------------


def test_a_poll_callback_that_returns_true_ends_the_run(native: NativeVM) -> None:
    polls = []

    def poll() -> bool:
        polls.append(1)
        return len(polls) > 2

    native.host.poll = poll
    with pytest.raises(Interrupted):
        native.execute(_spin(native))
    assert len(polls) == 3


def test_an_exception_in_the_poll_callback_is_raised_by_the_call(native: NativeVM) -> None:
    class PollError(Exception):
        pass

    def poll() -> bool:
        raise PollError

    native.host.poll = poll
    with pytest.raises(PollError):
        native.execute(_spin(native))
    native.host.poll = None
    native.budget(steps=100)
    with pytest.raises(StepLimitExceeded):
        native.execute(_spin(native))


def test_a_vm_without_callbacks_discards_output_and_cannot_load(native: NativeVM) -> None:
    run(native, "5 .")
    native.flush()
    with raises(LookupError, "bindings.a-vm-without-callbacks"):
        run(native, "LOAD x.4th")


def test_errors_without_an_explainer_have_detail_and_message(native: NativeVM) -> None:
    with pytest.raises(UndefinedWord) as caught:
        run(native, "nonsense")
    assert caught.value.detail == "nonsense"
    assert str(caught.value) == "unknown word `nonsense`"


def _spin(native: NativeVM) -> int:
    """Return the execution token of `BEGIN 0 UNTIL`; the kernel alone has no control words."""
    if not native.find("spin"):
        run(native, ": spin [ HERE ] 0 0BRANCH [ , ] ;")
    return native.find("spin") + HEADER


# --- games ---------------------------------------------------------------------------

GAME = grid(1, 3, "east", more="{variable} counter")
GAME += """\
: count-up ( -- ) counter ++ ;
: slide ( -- ) east verify from here move COMPILE count-up add-move ;
: hop ( -- ) east verify east verify here create add-move ;
{moves stone-moves {move} slide {move-type} sliding {move} hop {move-type} hopping moves}
{pieces {piece} stone {moves} stone-moves pieces}
{board-setup {setup} White stone a1 board-setup}
"""


def test_playing_a_game_with_the_bindings() -> None:
    vm = VM(output=lambda text: pytest.fail(f"stray output: {text}"))
    vm.interpret(GAME, name="tiny.4th")
    native = vm.native
    native.bind()
    native.game_check()
    native.game_new()
    native.game_setup()
    assert native.game_generate() == 2
    moves = native.move_list()
    assert [native.move_text(move) for move in moves] == ["stone a1 - b1", "White stone c1"]
    assert [native.move_type(move) for move in moves] == [1, 2]
    kinds = [[change.kind.name for change in native.move_changes(move)] for move in moves]
    assert kinds == [["MOVE", "CALL"], ["CREATE"]]
    (slide, call) = native.move_changes(moves[0])
    assert (slide.source, slide.position, slide.other) == (0, 1, 0)
    assert call.piece == vm.token("count-up")
    before = native.position_hash()
    assert native.game_make(moves[0]) is False
    assert native.position_hash() != before
    board = native.variable("$board")
    assert board is not None
    white_stone, counter = 2049, 1
    cells = [native.read_cell(board + CELL * index) for index in range(4)]
    assert cells == [0, white_stone, 0, counter]
    assert native.variable("$turnNumber") == 2
    assert native.variable("no-such-variable") is None
    assert native.game_generate() == 0
    assert native.game_over() == 0  # without OnIsGameOver, no moves means a draw


def test_search_and_perft_use_the_newest_list() -> None:
    vm = VM(output=lambda text: None)
    vm.interpret(GAME)
    native = vm.native
    native.bind()
    native.game_new()
    native.game_setup()
    native.game_generate()
    assert native.perft(1) == 2
    result = native.search_axiom(SearchLimits(depth=1))
    assert result.best in native.move_list()
    native.search_reset()


def test_the_page_size_is_a_power_of_two() -> None:
    assert page_size() & (page_size() - 1) == 0
    assert issubclass(StepLimitExceeded, ForthVMError)
