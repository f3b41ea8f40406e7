"""Tests of prepared memory, in which lists are written without a check for each store.

Owns events inside a move word after which memory is no longer prepared
(native/vm/prepared_memory.c): later stores to the same list must be exact.  In the tier without the
JIT no memory is prepared.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

import forthvm
from benchmarks.tiers import VARIABLE
from tests.kit.boards import grid
from tests.kit.files import write
from tests.kit.games import load_text

GAME = grid(8, 8, "n e s w", players="A B", more="{variable} counter")
GAME += """\
DEFER event
: nothing ;
' nothing IS event
DEFER early-event
' nothing IS early-event
: go early-event from here move event add-move ;
: slide BEGIN DUP EXECUTE empty? AND WHILE go REPEAT DROP ;
: slide-n ['] n slide ; : slide-e ['] e slide ; : slide-s ['] s slide ; : slide-w ['] w slide ;
{moves slides {move} slide-n {move} slide-e {move} slide-s {move} slide-w moves}
{pieces {piece} Rook {moves} slides pieces}
{board-setup {setup} A Rook d4 {setup} A Rook e5 {setup} B Rook b2 {setup} B Rook g7 board-setup}
"""


@pytest.fixture(params=["native", "eager", "interpreter"])
def vm(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> forthvm.VM:
    """Return the VM of a new game, after several lists, so that machine code runs."""
    monkeypatch.setenv(VARIABLE, request.param)
    position = load_text(tmp_path, GAME).start()
    vm = position.game._loaded.vm
    with position._in_memory() as native:
        for _ in range(300):
            native.game_generate()
    return vm


def texts(vm: forthvm.VM) -> tuple[str, ...]:
    vm.native.game_generate()
    return vm.native.list_texts()


def lists(vm: forthvm.VM) -> bytes:
    """Return the memory of boards and lists."""
    start = vm.native.variable_address("$board")
    return bytes(vm.memory[start : start + 0x8000])


def set_event(vm: forthvm.VM, run: Callable[[], None]) -> None:
    """Let the move words call a Python function before each move."""
    vm.native.game_free_lists()  # new words would be above the lists
    vm.word("python-event", effect="( -- )")(run)
    vm.interpret("' python-event IS event")


def test_a_snapshot_taken_by_a_move_word_is_exact(vm: forthvm.VM) -> None:
    expected = texts(vm)
    assert len(expected) == 28
    taken = []
    set_event(vm, lambda: taken.append(vm.snapshot()) if len(taken) < 3 else None)
    assert texts(vm) == expected
    complete, memory = vm.snapshot(), lists(vm)
    for snapshot in taken:
        vm.restore(snapshot)
        assert lists(vm) != memory
        vm.restore(complete)
        assert lists(vm) == memory
        assert vm.native.list_texts() == expected


def test_text_interpreted_by_a_move_word_keeps_the_list(vm: forthvm.VM) -> None:
    expected = texts(vm)
    set_event(vm, lambda: vm.interpret("counter @ 1+ counter !"))
    assert texts(vm) == expected
    assert vm.native.list_texts() == expected


@pytest.mark.sampled(13)
@pytest.mark.parametrize("value", [-4, -8, -12, -16, -44, 2, 0x7FFFFFFC])
@pytest.mark.parametrize(
    ("event", "variable"), [("early-event", 80), ("event", 80), ("event", 96), ("event", 100)]
)
def test_damaged_addresses_of_the_kernel_are_errors(
    vm: forthvm.VM, event: str, value: int, variable: int
) -> None:
    """Variables: HERE, the move under construction, the end of the list.  No address may wrap."""
    vm.native.game_free_lists()
    vm.interpret(f": damage {value} {variable} ! ; ' damage IS {event}")
    with pytest.raises(forthvm.ForthVMError):
        texts(vm)


def damaged_list(vm: forthvm.VM, start: forthvm.Snapshot, seed: int) -> str:
    """Generate two lists while a move word damages variables; return results and memory."""
    random = Random(seed)
    names = ("$board", "$positions", "$movesList")
    variables = [80, 96, 100, 104, 112, 148, 152, 156, *map(vm.native.variable_address, names)]
    vm.restore(start)
    board = vm.native.variable("$board") or 0

    def value() -> str:
        offset = random.choice([-512, -16, -4, 4, 16, 512, 4096, 100000])
        return random.choice(
            [
                str(random.choice([0, -4, -8, -12, -16, -20, 2, -1, 0x7FFFFFFC, 64, 256])),
                f"{random.choice(variables)} @ {offset} +",
                f"{board} {random.randrange(-600, 3000, 4)} +",
                str(random.randrange(64, 0x4A000, 4)),
            ]
        )

    stores = " ".join(
        f"{value()} {random.choice(variables)} !" for _ in range(random.randint(1, 4))
    )
    after = ["", "add-move", "from here move", "$CloneBoard", "$CloneBoard $DeallocateBoard", "7 ,"]
    damage = f"{stores} {random.choice(after)}"
    when = f"count @ 1+ DUP count ! {random.randint(1, 20)} ="
    event = random.choice(["event", "early-event"])
    vm.interpret(f"VARIABLE count : damage {when} IF {damage} THEN ; ' damage IS {event}")
    results = []
    for _ in range(2):
        try:
            results.append(f"{vm.native.game_generate()}")
        except forthvm.ForthVMError as error:
            results.append(f"{type(error).__name__} {error}")
        results.append(sha256(bytes(vm.memory[0x40:0x60000])).hexdigest())
        vm.snapshot()
    return "\n".join(results)


@pytest.mark.slow
def test_damage_has_the_same_effect_in_both_tiers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = write(tmp_path / "game.4th", GAME)
    results = []
    for tier in ("native", "interpreter"):
        monkeypatch.setenv(VARIABLE, tier)
        position = forthvm.load(path).start()
        with position._in_memory() as native:
            for _ in range(60):
                native.game_generate()
            native.game_free_lists()
        vm = position.game._loaded.vm
        start = vm.snapshot()
        results.append([damaged_list(vm, start, seed) for seed in range(400)])
    for seed, (native_result, interpreted) in enumerate(zip(*results, strict=True)):
        assert native_result == interpreted, f"seed {seed}"


SHARED_MEMORY = """
CREATE area 40000 ALLOT
: count-move 1 area +! ;
: note-move COMPILE count-move ;
' note-move IS event
: OnGenerateMoves $ply @ 1 = IF area 64 + 80 ! ENDIF ;
: enemy-value ( pos -- n ) DUP enemy-at? IF 37 * NEGATE ELSE DROP 0 ENDIF ;
: value ( pos -- n ) DUP friend-at? IF DUP 11 + * ELSE enemy-value ENDIF ;
: OnEvaluate ( -- score ) area @ 64 0 DO I value + LOOP ;
"""


def test_searches_restore_script_memory_in_which_lists_are_built(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The script sets HERE (address 80) to its own memory, where searches look for changes."""
    path = write(tmp_path / "game.4th", GAME + SHARED_MEMORY)
    results = []
    for tier in ("native", "interpreter"):
        monkeypatch.setenv(VARIABLE, tier)
        position = forthvm.load(path).start()
        for depth in (2, 3):
            found = forthvm.engines.get(f"negamax:depth={depth},tt=0").play(position)
            memory = sha256(bytes(position.game._loaded.vm.memory[0x40:0x60000])).hexdigest()
            results.append((tier, found.nodes, found.score, str(found.move), memory))
    assert [result[1:] for result in results[:2]] == [result[1:] for result in results[2:]]
