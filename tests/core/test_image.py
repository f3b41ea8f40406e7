"""The cached image of the library: results do not depend on it, even if the file is damaged."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

import forthvm
from forthvm.core.bindings import NativeVM, digest
from forthvm.core.budget import Budget
from forthvm.core.loading import library_cache
from forthvm.core.loading.library_cache import CacheEntry, cache_folder
from forthvm.core.vm import VM
from tests.kit.cases import each_case
from tests.kit.every_game import every_game
from tests.kit.files import write
from tests.systems import needs_pipes

IMAGE_MEMORY = 16 * 1024 * 1024


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder and an empty cache in this process."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("FORTHVM_CACHE", str(cache))
    monkeypatch.setattr(library_cache, "_in_process", {})
    return cache


@pytest.fixture
def restored(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each attempt to restore an image, whether it succeeded."""
    results: list[bool] = []
    restore = CacheEntry.restore

    def recording_restore(self: CacheEntry, native: NativeVM) -> object:
        texts = restore(self, native)
        results.append(texts is not None)
        return texts

    monkeypatch.setattr(CacheEntry, "restore", recording_restore)
    return results


@pytest.fixture
def disabled_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORTHVM_CACHE", "off")


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def state(vm: VM) -> tuple[object, ...]:
    """Return all observable state of a VM."""
    native = vm.native
    steps, error, here = native.steps(), native.last_error(), native.here()
    snapshot = native.snapshot_take()
    memory = snapshot.read(0, snapshot.size)
    positions = [native.source_at(cell) for cell in range(0, snapshot.size, 4)]
    texts = [vars(text) for text in vm.sources.texts]
    return memory, positions, texts, vm.words(), vm.stack, vm.warnings, steps, error, here


def vm_without_cache(monkeypatch: pytest.MonkeyPatch, *args: object, **options: object) -> VM:
    with monkeypatch.context() as patch:
        patch.setenv("FORTHVM_CACHE", "off")
        return VM(*args, **options)  # type: ignore[arg-type]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("library", "axiom", "checked"),
    list(product(["axiom", "core"], [140, "140-exact", 150, 151], [False, True])),
)
def test_a_vm_is_equal_with_and_without_a_cached_image(
    monkeypatch: pytest.MonkeyPatch,
    restored: list[bool],
    library: str,
    axiom: object,
    checked: bool,
) -> None:
    options = {"library": library, "axiom": axiom, "checked": checked}
    expected = state(vm_without_cache(monkeypatch, **options))
    assert restored == []
    for source in ("made", "in process", "from file"):
        if source == "from file":
            library_cache._in_process.clear()
        assert state(VM(**options)) == expected, source  # type: ignore[arg-type]
    assert restored == [False, True, True]


@pytest.mark.sampled(2)
@every_game()
def test_games_are_equal_with_and_without_a_cached_image(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def loaded() -> tuple[object, ...]:
        game = forthvm.load(name, clock=7)
        vm_state = state(game._loaded.vm)
        start = game.start()
        moves = [str(move) for move in start.legal_moves]
        words = [str(game._loaded.vm.locate(word)) for word in game._loaded.vm.words()]
        return *vm_state, words, moves, game.digest, game._loaded.base_digest

    with monkeypatch.context() as patch:
        patch.setenv("FORTHVM_CACHE", "off")
        expected = loaded()
    VM()
    library_cache._in_process.clear()
    assert loaded() == expected


def test_errors_in_library_words_have_locations(
    monkeypatch: pytest.MonkeyPatch, restored: list[bool]
) -> None:
    def reported(vm: VM) -> list[str]:
        reports = []
        for text in ("-1 $SetTurn", "CREATE-MISSING", ": x 0 1- @ ; x", "add-move", "ENDIF"):
            try:
                vm.interpret(text, name="text")
            except forthvm.ForthVMError as error:
                reports.append(error.report())
        shown = [vm.see("$SetTurn"), str(vm.locate("$SetTurn")), *map(str, vm.uses("++"))]
        return reports + shown

    expected = reported(vm_without_cache(monkeypatch))
    assert any("<library>/" in text for text in expected)
    VM()
    library_cache._in_process.clear()
    assert reported(VM()) == expected
    assert restored[-1]


def test_seeds_and_clocks_are_not_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    def random_number_and_time(vm: VM) -> tuple[int, ...]:
        return vm.call("RAND-WITHIN", 0, 1_000_000) + vm.call("SYSTEM-TIME")

    VM(seed=4)
    for seed in (4, 5):
        expected = random_number_and_time(vm_without_cache(monkeypatch, seed=seed))
        assert random_number_and_time(VM(seed=seed)) == expected


# --- missing and invalid files -------------------------------------------------------


@pytest.mark.usefixtures("disabled_cache")
def test_a_disabled_cache_writes_and_reads_nothing(folder: Path, restored: list[bool]) -> None:
    VM()
    assert not files(folder)
    assert restored == []


def write_image(folder: Path) -> Path:
    """Write an image of the default library to the cache, and return its path."""
    VM()
    library_cache._in_process.clear()
    (path,) = files(folder)
    return path


def damaged(data: bytes) -> list[bytes]:
    """Return truncated and extended copies of an image, and copies with one wrong bit."""
    rng = random.Random(1)
    variants = [b"", data[:10], data[:17], data[:200], data[:-1], data + b"\0", bytes(len(data))]
    for _ in range(40):
        at = rng.randrange(len(data))
        variants.append(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
    return variants


def test_damaged_files_are_replaced(folder: Path, restored: list[bool]) -> None:
    path = write_image(folder)
    good = path.read_bytes()
    for bad in damaged(good):
        path.write_bytes(bad)
        library_cache._in_process.clear()
        del restored[:]
        VM()
        assert restored == [False]
        assert path.read_bytes() == good
    assert files(folder) == [path]


def with_digest(content: bytes) -> bytes:
    return b"%016x\n%b" % (digest(content), content)


DIGEST_LINE = 17
"""Length of the first line of an image file: 16 digits and the end of the line.

The lines after it describe the texts of the library; a blank line and the memory block follow.
"""


@pytest.mark.slow
def test_hostile_files_with_valid_digests_do_no_harm(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged image gives an arbitrary library, but the VM must not crash or hang."""
    path = write_image(folder)
    content = path.read_bytes()[DIGEST_LINE:]
    header, separator, block = content.partition(b"\n\n")
    rng = random.Random(2)
    for _ in range(150):
        changed = bytearray(block)
        for _ in range(rng.choice([1, 1, 3, 50])):
            at = rng.choice([rng.randrange(64), rng.randrange(len(changed))])
            changed[at] = rng.randrange(256)
        if rng.random() < 0.2:
            del changed[rng.randrange(len(changed)) :]
        path.write_bytes(with_digest(header + separator + changed))
        library_cache._in_process.clear()
        try:
            vm = VM(budget=Budget(steps=100_000))
            vm.interpret(": sq DUP * ; 5 sq DROP", name="text")
            state(vm)
        except forthvm.ForthVMError:
            pass


@pytest.mark.parametrize(
    "line",
    [b"../core.4th 0", b"core.4th 5", b"core.4th -1", b"core.4th x", b"none.4th 0", b"core.4th"],
)
def test_files_that_list_wrong_texts_are_ignored(
    folder: Path, restored: list[bool], line: bytes
) -> None:
    path = write_image(folder)
    content = path.read_bytes()[DIGEST_LINE:]
    lines = content.split(b"\n")
    assert lines[1].startswith(b"core.4th 0 ")
    lines[1] = line + lines[1].removeprefix(b"core.4th 0")
    path.write_bytes(with_digest(b"\n".join(lines)))
    VM()
    assert not restored[-1]


def test_files_of_another_version_are_ignored(folder: Path, restored: list[bool]) -> None:
    path = write_image(folder)
    VM(axiom=140)
    library_cache._in_process.clear()
    (other,) = set(files(folder)) - {path}
    path.write_bytes(other.read_bytes())
    VM()
    assert not restored[-1]
    VM()
    assert restored[-1]


def test_a_changed_library_is_interpreted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, restored: list[bool]
) -> None:
    from forthvm.core import vm
    from forthvm.core.loading import library

    bundled = library.find_library("core", 150)
    copy = write(tmp_path / "core.4th", bundled.files[0].read_bytes())
    changeable = bundled.replace(folder=tmp_path, files=(copy,))
    monkeypatch.setattr(vm, "find_library", lambda *_: changeable)
    VM(library="core")
    with copy.open("ab") as file:
        file.write(b": added 42 ;\n")
    for _ in range(2):
        assert VM(library="core").call("added") == (42,)
    assert restored == [False, False, True]


def test_a_folder_that_cannot_be_created_disables_the_cache(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write_text("in the way")
    assert VM().call("+", 1, 2) == (3,)
    monkeypatch.setenv("FORTHVM_CACHE", str(folder / "below"))
    assert VM().call("+", 1, 2) == (3,)
    assert folder.read_text() == "in the way"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere"
)
def test_a_read_only_folder_disables_the_cache(folder: Path) -> None:
    folder.mkdir(0o500)
    assert VM().call("+", 1, 2) == (3,)
    assert not files(folder)


def test_a_full_disk_disables_the_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(os, "replace", full)
    assert VM().call("+", 1, 2) == (3,)
    assert not files(folder)


@needs_pipes
def test_pipes_and_devices_do_not_block(folder: Path) -> None:
    path = write_image(folder)
    path.unlink()
    os.mkfifo(path)
    VM()
    library_cache._in_process.clear()
    path.unlink(missing_ok=True)
    path.mkdir()
    assert VM().call("+", 1, 2) == (3,)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows does not tell who owns a file")
def test_files_of_other_users_are_ignored(
    folder: Path, monkeypatch: pytest.MonkeyPatch, restored: list[bool]
) -> None:
    path = write_image(folder)
    good = path.read_bytes()
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    VM()
    assert not restored[-1]
    assert path.read_bytes() == good  # the folder of another user is not written to


def test_vms_with_small_limits_do_not_use_the_cache(folder: Path) -> None:
    VM(budget=Budget(memory=1 << 20))
    VM(budget=Budget(depth=50))
    assert not files(folder)


# --- several processes, many files ---------------------------------------------------


@pytest.mark.slow
def test_processes_can_share_the_cache(folder: Path) -> None:
    code = "import forthvm; print(len(forthvm.load('tictactoe').start().legal_moves))"
    started = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert [process.communicate()[0] for process in started] == ["9\n"] * 4
    (path,) = files(folder)
    assert path.suffix == ".image"


def test_old_images_are_deleted(folder: Path) -> None:
    folder.mkdir()
    for at in range(30):
        old = write(folder / f"library-{at:016x}.image", b"old")
        os.utime(old, (at, at))
    unfinished = write(folder / "library-0.image.1-1", b"")
    os.utime(unfinished, (1, 1))
    (folder / "library-0.image.2-2").write_bytes(b"")  # another process is writing it
    (folder / "other").write_bytes(b"")
    VM()
    names = {path.name for path in files(folder)}
    kept = {name for name in names if name.endswith(".image")}
    assert len(kept) == 16
    assert {f"library-{at:016x}.image" for at in range(15, 30)} < kept
    assert names - kept == {"other", "library-0.image.2-2"}


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {}, "/home/a/.cache/forthvm"),
        ("linux", {"XDG_CACHE_HOME": "/caches"}, "/caches/forthvm"),
        ("linux", {"XDG_CACHE_HOME": "caches"}, "/home/a/.cache/forthvm"),
        ("darwin", {}, "/home/a/Library/Caches/forthvm"),
        ("linux", {"FORTHVM_CACHE": "/there"}, "/there"),
        ("linux", {"FORTHVM_CACHE": "off"}, None),
        ("linux", {"FORTHVM_CACHE": "", "HOME": "nowhere"}, None),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no HOME and XDG variables")
def test_the_folder_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch,
    platform: str,
    environment: dict[str, str],
    expected: str | None,
) -> None:
    for name in ("FORTHVM_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/a", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == expected


# --- images in the C core ------------------------------------------------------------


def test_images_need_a_new_vm_and_an_empty_stack() -> None:
    native = NativeVM(IMAGE_MEMORY, IMAGE_MEMORY)
    block = native.image_save()
    assert block is not None
    other = NativeVM(IMAGE_MEMORY, IMAGE_MEMORY)
    assert not other.image_load(block, 2)
    assert other.image_load(block, 1)
    other.push(1)
    assert other.image_save() is None
    assert not other.image_load(block, 1)


def test_an_image_replaces_all_of_memory() -> None:
    """Earlier words, their translations and the index of names are removed."""
    native = NativeVM(IMAGE_MEMORY, IMAGE_MEMORY)
    block = native.image_save()
    assert block is not None
    vm = VM(library=None)
    text = ": five 2 3 + ;"
    vm.interpret(text)
    assert vm.call("five") == (5,)
    assert vm.native.image_load(block, 1)
    assert vm.find("five") is None
    assert vm.native.source_at(vm.native.here()) == 0
    fresh = VM(library=None)
    assert state(vm)[0] == state(fresh)[0]
    vm.interpret(": five 3 3 + ;")
    assert vm.call("five") == (6,)


def test_an_image_larger_than_the_memory_is_refused() -> None:
    large = NativeVM(IMAGE_MEMORY, IMAGE_MEMORY)
    large.write(IMAGE_MEMORY - 4, b"end.")
    block = large.image_save()
    assert block is not None
    assert not NativeVM(1 << 20, 1 << 20).image_load(block, 1)
    assert NativeVM(IMAGE_MEMORY, IMAGE_MEMORY).image_load(block, 1)


@each_case("length", range(40))
def test_digests_of_similar_bytes_differ(length: int) -> None:
    data = random.Random(length).randbytes(length)
    expected = digest(data)
    assert digest(memoryview(data)) == expected
    others = [data + b"\0", data + b"\1", *(data[:at] for at in range(length))]
    others += [
        data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
        for at in range(length)
        for bit in range(8)
    ]
    assert expected not in {digest(other) for other in others}
