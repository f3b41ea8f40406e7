"""Tests of LOAD: the names that it refuses, and its limits."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import forthvm
from forthvm.core.errors import (
    ForthVMError,
    LimitExceeded,
    LoadCycleError,
    ScriptFileNotFound,
    ScriptRefused,
    ScriptTooLarge,
)
from forthvm.core.loading import files, loader, source
from forthvm.core.vm import VM
from tests.kit.files import write, write_files
from tests.kit.messages import raises
from tests.kit.processes import FORTHVM, output_of, run
from tests.security.scripts import (
    SECRET,
    run_command,
    write_main,
)
from tests.systems import needs_links, needs_pipes

# --- names that LOAD refuses -----------------------------------------------------------


NAMES = [
    ("{outside}/secret.4th", "absolute path|drive"),
    (r"\outside\secret.4th", "absolute path"),
    ("../outside/secret.4th", "leads out"),
    (r"..\outside\secret.4th", "leads out"),
    ("parts/../../outside/secret.4th", "leads out"),
    ("../../../../../../../../../../etc/passwd", "leads out"),
    (r"\\server\share\x.4th", "network path"),
    ("//server/share/x.4th", "network path"),
    (r"\\?\C:\x.4th", "network path"),
    (r"C:\x.4th", "drive"),
    ("c:x.4th", "drive"),
    ("main.4th:stream", "colon"),
    ("/dev/stdin", "absolute path"),
    *((name, "device") for name in ("CON", "nul", "COM1", "lpt9.4th", "aux.", "parts/PRN.4th")),
]


@pytest.mark.parametrize(("name", "reason"), NAMES)
def test_load_refuses_names_outside_the_game(
    vm: VM, tmp_path: Path, secret: Path, name: str, reason: str
) -> None:
    name = name.format(outside=secret.parent)
    path = write_main(tmp_path, f"1 DROP\n  LOAD {name}\n")
    (tmp_path / "game" / "parts").mkdir()
    with pytest.raises(ScriptRefused, match=reason) as caught:
        vm.load(path)
    error = caught.value
    assert (error.location.line, error.location.column, error.location.length) == (2, 3, 4)
    assert "include=[DIR]" in error.report()
    assert SECRET not in error.report()


def test_refused_names_are_not_passed_to_the_file_system(
    vm: VM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows, an access to a network path sends the user's credentials."""
    path = write_main(tmp_path, r"LOAD \\server\share\x.4th")
    accessed: list[str] = []
    stat = Path.stat

    def recording_stat(self: Path, **options: bool) -> os.stat_result:
        accessed.append(str(self))
        return stat(self, **options)

    monkeypatch.setattr(Path, "stat", recording_stat)
    with pytest.raises(ScriptRefused):
        vm.load(path)
    assert not [name for name in accessed if "server" in name]


@pytest.mark.slow
@pytest.mark.parametrize("name", [b"\xff\xfe.4th", "\u0444.4th".encode()])
def test_name_that_the_file_system_cannot_encode_is_not_found(tmp_path: Path, name: bytes) -> None:
    """The decoded name may contain letters that the locale's encoding does not have."""
    path = tmp_path / "main.4th"
    path.write_bytes(b"LOAD " + name)
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    process = run(*FORTHVM, "moves", path.name, folder=tmp_path, **plain)
    assert process.returncode == 1
    assert "LOAD: no file" in process.stderr


@pytest.mark.slow
def test_tilde_without_a_user_is_part_of_the_name(tmp_path: Path) -> None:
    write(tmp_path / "~absent.4th", "bad-word")
    assert "unknown word `bad-word`" in run_command("moves", "./~absent.4th", cwd=tmp_path).stderr
    assert "no game is called `~absent`" in run_command("moves", "~absent", cwd=tmp_path).stderr


def test_name_with_a_zero_byte_is_not_found(tmp_path: Path) -> None:
    assert files.find_file(b"a\0b.4th", [tmp_path], files.Roots([tmp_path])) is None


@needs_links
@pytest.mark.parametrize("link", ["file", "folder"])
def test_link_that_leads_out_is_refused(vm: VM, tmp_path: Path, secret: Path, link: str) -> None:
    path = write_main(tmp_path, "LOAD link.4th" if link == "file" else "LOAD link/secret.4th")
    if link == "file":
        (path.parent / "link.4th").symlink_to(secret)
    else:
        (path.parent / "link").symlink_to(secret.parent, target_is_directory=True)
    with raises(ScriptRefused, "script-files.link-leads-out") as caught:
        vm.load(path)
    assert SECRET not in caught.value.report()


@needs_links
def test_link_to_a_file_of_the_game_is_followed(vm: VM, tmp_path: Path) -> None:
    path = write_main(tmp_path, "LOAD link.4th")
    write(path.parent / "parts" / "one.4th", "42")
    (path.parent / "link.4th").symlink_to(path.parent / "parts" / "one.4th")
    vm.load(path)
    assert vm.stack == (42,)


@needs_links
def test_link_that_appears_after_the_check_is_refused(
    tmp_path: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path of the opened file is checked, not only the path before opening."""
    folder = tmp_path / "game" / "parts"
    write(folder / "secret.4th", "harmless")
    roots = files.Roots([tmp_path / "game"])
    resolve = os.path.realpath

    def resolve_and_replace(path: Path) -> str:
        real = resolve(path)
        if Path(path).name == "secret.4th":
            folder.rename(tmp_path / "game" / "old")
            folder.symlink_to(secret.parent, target_is_directory=True)
        return real

    monkeypatch.setattr(os.path, "realpath", resolve_and_replace)
    with pytest.raises(OSError, match=r"parts"):
        files.read_file(folder / "secret.4th", 1000, roots)


@needs_pipes
@pytest.mark.parametrize("role", ["loaded", "main"])
def test_named_pipe_is_refused_without_waiting(vm: VM, tmp_path: Path, role: str) -> None:
    path = write_main(tmp_path, "LOAD pipe.4th")
    pipe = path.parent / "pipe.4th"
    os.mkfifo(pipe)
    with raises(ScriptRefused, "script-files.named-pipe"):
        vm.load(path if role == "loaded" else pipe)


@needs_pipes
def test_device_as_main_script_is_refused() -> None:
    with raises(ScriptRefused, "script-files.device-not-a-regular"):
        forthvm.load("/dev/zero")


@needs_pipes
def test_readme_that_is_a_pipe_or_leads_out_is_ignored(tmp_path: Path) -> None:
    path = write_main(tmp_path, "1")
    os.mkfifo(path.parent / "README.md")
    assert forthvm.catalogue.bundled.title_of("main", path) == "main"
    (path.parent / "README.md").unlink()
    (path.parent / "README.md").symlink_to(write(tmp_path / "outside.md", f"# {SECRET}\n"))
    assert forthvm.catalogue.bundled.title_of("main", path) == "main"


def test_interpreted_text_can_load_only_the_library(vm: VM, in_folder: Path) -> None:
    write(in_folder / "here.4th", "42")
    with pytest.raises(ScriptFileNotFound):
        vm.interpret("LOAD here.4th")
    with raises(ScriptFileNotFound, "script-files.interpreted-text-can-load-only"):
        VM(library=None).interpret("LOAD here.4th")


# --- limits --------------------------------------------------------------------------


def test_equal_files_share_one_text(vm: VM, tmp_path: Path) -> None:
    path = write_main(tmp_path, "LOAD part.4th LOAD part.4th LOAD copy.4th")
    write_files(path.parent, {"part.4th": "\\ a comment", "copy.4th": "\\ a comment"})
    vm.load(path)
    parts = [data for name, data in vm.texts if not name.endswith("main.4th")]
    assert len(parts) == 3
    assert len({id(data) for data in parts}) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory from /proc")
def test_file_loaded_repeatedly_is_stored_once(tmp_path: Path) -> None:
    path = write_main(tmp_path, "LOAD part.4th\n" * 100)
    size = source.MAX_SCRIPT_BYTES
    (path.parent / "part.4th").write_bytes(b"\\" + b" " * (size - 3) + b"x\n")
    code = (
        "import re, sys\n"
        "from forthvm.core.vm import VM\n"
        "VM(library='core').load(sys.argv[1])\n"
        "print(re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1])\n"
    )
    printed = output_of(sys.executable, "-c", code, path)
    assert int(printed) * 1024 < 50 * size


def test_total_size_of_texts_is_limited(
    vm: VM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "MAX_TEXT_BYTES", 2 << 20)
    path = write_main(tmp_path, "LOAD one.4th LOAD two.4th\n  LOAD three.4th")
    for name in ("one", "two", "three"):
        write(path.parent / f"{name}.4th", f"\\ {name}".ljust(1 << 20 if name != "one" else 9))
    with raises(ScriptTooLarge, "script-files.the-files-loaded") as caught:
        vm.load(path)
    assert (caught.value.location.line, caught.value.location.column) == (2, 3)


def test_number_of_loads_in_a_run_is_limited(
    vm: VM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "MAX_LOADS", 5)
    path = write_main(tmp_path, "LOAD a.4th\nLOAD a.4th")
    write_files(path.parent, {"a.4th": "LOAD b.4th LOAD b.4th", "b.4th": ""})
    with raises(LimitExceeded, "script-files.more-than-in-one") as caught:
        vm.load(path)
    assert caught.value.location.file.endswith("a.4th")
    write(path, "LOAD a.4th")
    vm.load(path)  # each run counts separately


def test_nesting_of_loads_is_limited(vm: VM, tmp_path: Path) -> None:
    path = write_main(tmp_path, "LOAD 0.4th")
    for number in range(60):
        write(path.parent / f"{number}.4th", f"LOAD {number + 1}.4th")
    with raises(ForthVMError, "script-files.nesting-of-loads-is-limited"):
        vm.load(path)


def test_load_cycle_is_reported_before_limits(vm: VM, tmp_path: Path) -> None:
    with pytest.raises(LoadCycleError):
        vm.load(write_main(tmp_path, "LOAD main.4th"))
