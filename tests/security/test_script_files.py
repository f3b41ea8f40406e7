"""Tests of the files that scripts may read (LOAD) and write (the game's log)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import forthvm
from forthvm.check import check_files
from forthvm.core.errors import (
    ForthVMError,
    LimitExceeded,
    LoadCycleError,
    ScriptFileNotFound,
    ScriptIsDirectory,
    ScriptRefused,
    ScriptTooLarge,
    UndefinedWord,
)
from forthvm.core.gamelog import GameLog, log_name
from forthvm.core.loading import files, loader, source
from forthvm.core.loading.library import games_folder
from forthvm.core.vm import VM
from forthvm.game.catalogue.bundled import find_game
from forthvm.repl import Session

SECRET = "TOP-SECRET-LINE"
TICTACTOE = find_game("tictactoe")[1].read_text(encoding="utf-8")

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")


@pytest.fixture
def vm() -> VM:
    return VM(library="core", output=lambda text: None)


def write(path: Path, text: str) -> Path:
    """Write a file, with its folders, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Return a file outside of the game's folder whose error message would quote its text."""
    return write(tmp_path / "outside" / "secret.4th", f"{SECRET}\n")


def write_main(tmp_path: Path, text: str) -> Path:
    """Write the main script of a game and return its path."""
    return write(tmp_path / "game" / "main.4th", text)


def run_command(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "forthvm", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        check=False,
    )


# --- names that LOAD refuses -----------------------------------------------------------


NAMES = [
    ("{outside}/secret.4th", "absolute path"),
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
    assert error.location is not None
    assert (error.location.line, error.location.column, error.location.length) == (2, 3, 4)
    assert "include=[DIR]" in error.report()
    assert SECRET not in error.report()


def test_refused_names_are_not_passed_to_the_file_system(
    vm: VM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows, accessing a network path sends the user's credentials."""
    path = write_main(tmp_path, r"LOAD \\server\share\x.4th")
    seen: list[str] = []
    stat = Path.stat

    def recording_stat(self: Path, **options: bool) -> os.stat_result:
        seen.append(str(self))
        return stat(self, **options)

    monkeypatch.setattr(Path, "stat", recording_stat)
    with pytest.raises(ScriptRefused):
        vm.load(path)
    assert not [name for name in seen if "server" in name]


@pytest.mark.parametrize("name", [b"\xff\xfe.4th", "\u0444.4th".encode()])
def test_name_that_the_file_system_cannot_encode_is_not_found(tmp_path: Path, name: bytes) -> None:
    """The decoded name may contain letters that the locale's encoding does not have."""
    path = tmp_path / "main.4th"
    path.write_bytes(b"LOAD " + name)
    done = subprocess.run(
        [sys.executable, "-m", "forthvm", "moves", path.name],
        cwd=tmp_path,
        env={**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "LOAD: no file" in done.stderr


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
    with pytest.raises(ScriptRefused, match="link leads out") as caught:
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
    """The rule applies to the file that is opened, not only to the file that was checked."""
    folder = tmp_path / "game" / "parts"
    write(folder / "secret.4th", "harmless")
    roots = files.Roots([tmp_path / "game"])
    resolve = os.path.realpath

    def swap(path: Path) -> str:
        real = resolve(path)
        if Path(path).name == "secret.4th":
            folder.rename(tmp_path / "game" / "old")
            folder.symlink_to(secret.parent, target_is_directory=True)
        return real

    monkeypatch.setattr(os.path, "realpath", swap)
    with pytest.raises(OSError, match=r"parts"):
        files.read_file(folder / "secret.4th", 1000, roots)


@needs_pipes
@pytest.mark.parametrize("role", ["loaded", "main"])
def test_named_pipe_is_refused_without_waiting(vm: VM, tmp_path: Path, role: str) -> None:
    path = write_main(tmp_path, "LOAD pipe.4th")
    pipe = path.parent / "pipe.4th"
    os.mkfifo(pipe)
    with pytest.raises(ScriptRefused, match="named pipe, not a regular file"):
        vm.load(path if role == "loaded" else pipe)


@needs_pipes
def test_device_as_main_script_is_refused() -> None:
    with pytest.raises(ScriptRefused, match="device, not a regular file"):
        forthvm.load("/dev/zero")


@needs_pipes
def test_readme_that_is_a_pipe_or_leads_out_is_ignored(tmp_path: Path) -> None:
    path = write_main(tmp_path, "1")
    os.mkfifo(path.parent / "README.md")
    assert forthvm.game.catalogue.bundled.title_of("main", path) == "main"
    (path.parent / "README.md").unlink()
    (path.parent / "README.md").symlink_to(write(tmp_path / "outside.md", f"# {SECRET}\n"))
    assert forthvm.game.catalogue.bundled.title_of("main", path) == "main"


def test_interpreted_text_can_load_only_the_library(
    vm: VM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "here.4th", "42")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ScriptFileNotFound):
        vm.interpret("LOAD here.4th")
    with pytest.raises(ScriptFileNotFound, match="no file"):
        VM(library=None).interpret("LOAD here.4th")


# --- folders that the user allows ---------------------------------------------------------


def test_include_allows_load_to_read_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "common" / "one.4th", "1 LOAD inner/two.4th")
    write(tmp_path / "common" / "inner" / "two.4th", "2")
    path = write_main(tmp_path, "LOAD one.4th LOAD ../common/inner/two.4th")
    vm = VM(library="core", include=[tmp_path / "common"])
    vm.load(path)
    assert vm.stack == (1, 2, 2)


def test_allowed_folders_do_not_change_with_the_current_folder(
    vm: VM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_main(tmp_path, "1")
    write(path.parent / "part.4th", "2")
    write(tmp_path / "outside" / "part.4th", "3")
    monkeypatch.chdir(path.parent)
    vm.load("main.4th")
    monkeypatch.chdir(tmp_path / "outside")
    vm.interpret("LOAD part.4th")
    assert vm.stack == (1, 2)


def test_included_folders_are_searched_last(tmp_path: Path) -> None:
    write(tmp_path / "common" / "one.4th", "1")
    path = write_main(tmp_path, "LOAD one.4th")
    write(path.parent / "one.4th", "2")
    vm = VM(library="core", include=[tmp_path / "common"])
    vm.load(path)
    assert vm.stack == (2,)


def test_absolute_path_below_an_included_folder_is_refused(tmp_path: Path) -> None:
    part = write(tmp_path / "common" / "one.4th", "1")
    with pytest.raises(ScriptRefused, match="absolute"):
        VM(library="core", include=[part.parent]).load(write_main(tmp_path, f"LOAD {part}"))


@pytest.mark.parametrize("option", ["include", "game_log"])
def test_missing_folder_raises(tmp_path: Path, option: str) -> None:
    missing = tmp_path / "missing"
    folder = [missing] if option == "include" else missing
    with pytest.raises(ForthVMError, match=rf"{option}: there is no folder"):
        forthvm.load("tictactoe", **{option: folder})  # type: ignore[arg-type]


def test_clone_has_the_same_allowed_folders(tmp_path: Path) -> None:
    rules = forthvm.load("tictactoe").path
    path = write_main(tmp_path, f"LOAD {rules.name}")
    game = forthvm.load(path, include=[rules.parent])
    assert game.clone().players == game.players


@pytest.mark.parametrize("name", ["moves", "check", "analyse", "autoplay"])
def test_commands_apply_the_rule_and_the_option_include(tmp_path: Path, name: str) -> None:
    rules = forthvm.load("tictactoe").path
    write(tmp_path / "common" / "rules.4th", rules.read_text())
    path = write_main(tmp_path, "\nLOAD ../common/rules.4th")
    options = {
        "analyse": ["--games", "1"],
        "autoplay": ["--engine", "a=random", "--engine", "b=random", "--games", "2"],
    }.get(name, [])
    refused = run_command(name, str(path), *options, cwd=tmp_path)
    assert refused.returncode == 1
    output = refused.stdout + refused.stderr
    assert re.search(r"main\.4th:2:1", output)
    assert "--include DIR" in output
    assert "Traceback" not in output
    allowed = run_command(name, str(path), "--include", "common", *options, cwd=tmp_path)
    assert allowed.returncode == 0, allowed.stderr


def test_repl_without_a_game_reads_below_the_current_folder(tmp_path: Path, secret: Path) -> None:
    """A session without a game has no main script; LOAD reads below the current folder instead."""
    write(tmp_path / "mine" / "one.4th", "6 7 * .")
    done = subprocess.run(
        [sys.executable, "-m", "forthvm", "repl", "--no-history"],
        input=f"LOAD one.4th\nLOAD ../outside/{secret.name}\n",
        cwd=tmp_path / "mine",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    output = done.stdout + done.stderr
    assert "42" in output
    assert "refused" in output
    assert SECRET not in output


# --- text typed by the user, and bundled games ------------------------------------------


@pytest.fixture
def in_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Return a session of a game that is not in the current folder."""
    monkeypatch.chdir(tmp_path)
    script = write_main(tmp_path, TICTACTOE)
    return Session.of_game(forthvm.load(script))


def test_typed_load_reads_below_the_current_folder(in_game: Session, tmp_path: Path) -> None:
    """A file loaded that way may load other files there, like a main script."""
    write(tmp_path / "one.4th", "1 LOAD two.4th LOAD parts/three.4th")
    write(tmp_path / "two.4th", "2")
    write(tmp_path / "parts" / "three.4th", r"3 LOAD ..\two.4th")
    in_game.interpret("LOAD one.4th")
    assert in_game.stack == (1, 2, 3, 2)
    in_game.interpret(r"DROP DROP LOAD PARTS\Three.4TH")
    assert in_game.stack == (1, 2, 3, 2)
    in_game.new_game()  # runs again the lines that defined words


def test_typed_load_searches_the_current_folder_before_the_game(
    in_game: Session, tmp_path: Path
) -> None:
    write(tmp_path / "both.4th", "1")
    write(tmp_path / "game" / "both.4th", "2")
    write(tmp_path / "game" / "part.4th", "3")
    in_game.interpret("LOAD both.4th LOAD part.4th")
    assert in_game.stack == (1, 3)


def test_script_cannot_read_below_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests a word that runs LOAD, and a file of the game that the user loads."""
    here = tmp_path / "here"
    write(here / "secret.4th", f"{SECRET}\n")
    script = write_main(tmp_path, TICTACTOE + ": read LOAD ;\n")
    write(script.parent / "part.4th", "LOAD secret.4th")
    monkeypatch.chdir(here)
    session = Session.of_game(forthvm.load(script))
    for line in ("read secret.4th", "LOAD part.4th", "LOAD ../game/part.4th"):
        with pytest.raises((ScriptFileNotFound, ScriptRefused)) as caught:
            session.interpret(line)
        assert SECRET not in caught.value.report()


def test_typed_load_cannot_read_other_folders(in_game: Session, tmp_path: Path) -> None:
    write(tmp_path / "one.4th", "LOAD ../secret.4th")
    write(tmp_path.parent / "secret.4th", f"{SECRET}\n")
    for line in ("LOAD one.4th", "LOAD ../secret.4th", f"LOAD {tmp_path}/one.4th"):
        with pytest.raises((ScriptFileNotFound, ScriptRefused)) as caught:
            in_game.interpret(line)
        assert SECRET not in caught.value.report()


@pytest.mark.parametrize(
    "name",
    [
        "splut-duel.4th",
        "SPLUT-DUEL.4TH",
        "splut/splut-duel.4th",
        r"splut\splut-duel.4th",
    ],
)
def test_bundled_games_are_searched_last(tmp_path: Path, name: str) -> None:
    vm = VM(output=lambda text: None)
    vm.load(write_main(tmp_path, f"LOAD {name}\n2 search-depth !\n"))
    assert vm.find("search-depth")
    write(tmp_path / "game" / name.replace("\\", "/"), "42")
    own = VM(output=lambda text: None)
    own.load(write_main(tmp_path, f"LOAD {name}"))
    assert own.stack == (42,)


@pytest.mark.parametrize(
    "name",
    [
        "moves.4th",  # part of a game
        "splut.perft",
        "README.md",
        "splut/README.md",
        "splut/../splut/splut.4th",
        "../splut/splut.4th",
        "splut",
        ".4th",
        "splut/",
        "s.4th",
    ],
)
def test_other_files_of_bundled_games_are_not_found(tmp_path: Path, name: str) -> None:
    with pytest.raises((ScriptFileNotFound, ScriptRefused)):
        VM(output=lambda text: None).load(write_main(tmp_path, f"LOAD {name}"))


def test_error_for_a_missing_file_mentions_bundled_games(vm: VM, tmp_path: Path) -> None:
    with pytest.raises(ScriptFileNotFound) as caught:
        vm.load(write_main(tmp_path, "LOAD nothing.4th"))
    assert "and the bundled games" in caught.value.report()


def test_examples_in_readmes_of_games_work(tmp_path: Path) -> None:
    """Indented blocks with LOAD work in any folder."""
    examples = [
        "".join(re.findall(r"^ {4}(.*\n)", block, re.MULTILINE))
        for readme in games_folder().glob("*/README.md")
        for block in re.findall(
            r"^ {4}LOAD .*\n(?: {4}.*\n)*", readme.read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    assert examples
    for example in examples:
        script = write_main(tmp_path, example)
        assert run_command("moves", str(script), cwd=tmp_path).returncode == 0
        assert run_command("check", str(script), cwd=tmp_path).returncode == 0


# --- other code that reads files of scripts -----------------------------------------


def test_check_applies_the_rule_of_load(tmp_path: Path, secret: Path) -> None:
    path = write_main(tmp_path, f"LOAD ../outside/{secret.name}")
    output = str(check_files([path]))
    assert "refused" in output
    assert SECRET not in output
    assert SECRET in str(check_files([path], include=[secret.parent]))


@needs_links
def test_folder_argument_excludes_links_to_other_folders(tmp_path: Path, secret: Path) -> None:
    """A link that the user names is followed; a link found in a folder is not."""
    folder = write_main(tmp_path, "1 .").parent
    (folder / "game.4th").symlink_to(secret)
    output = str(check_files([folder]))
    assert SECRET not in output
    assert "1 file" in output
    with pytest.raises(ScriptIsDirectory):
        forthvm.load(folder)
    with pytest.raises(UndefinedWord):
        forthvm.load(folder / "game.4th")


@needs_links
def test_library_of_the_user_follows_the_rule(tmp_path: Path, secret: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "CORE.4TH").symlink_to(secret)
    write(library / "axiom.4th", "1")
    with pytest.raises(ScriptRefused) as caught:
        VM(library=library)
    assert SECRET not in caught.value.report()
    with pytest.raises(UndefinedWord):
        VM(library=library, include=[secret.parent])


def test_names_in_saved_positions_are_not_opened(tmp_path: Path) -> None:
    """The names of game, script and library in a document are ignored."""
    game = forthvm.load("tictactoe")
    secret = write(tmp_path / "secret.4th", SECRET)
    text = game.start().to_json().replace('"game":"tictactoe"', '"game":"../outside/secret"')
    text = text.replace('"script":null', f'"script":{json.dumps(str(secret))}')
    text = text.replace('"library":null', f'"library":{json.dumps(str(tmp_path))}')
    assert forthvm.Position.from_json(game, text) == game.start()


# --- limits --------------------------------------------------------------------------


def test_equal_files_share_one_text(vm: VM, tmp_path: Path) -> None:
    path = write_main(tmp_path, "LOAD part.4th LOAD part.4th LOAD copy.4th")
    write(path.parent / "part.4th", "\\ a comment")
    write(path.parent / "copy.4th", "\\ a comment")
    vm.load(path)
    parts = [data for name, data in vm.texts if not name.endswith("main.4th")]
    assert len(parts) == 3
    assert len({id(data) for data in parts}) == 1


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
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) * 1024 < 50 * size


def test_total_size_of_texts_is_limited(
    vm: VM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "MAX_TEXT_BYTES", 2 << 20)
    path = write_main(tmp_path, "LOAD one.4th LOAD two.4th\n  LOAD three.4th")
    for name in ("one", "two", "three"):
        write(path.parent / f"{name}.4th", f"\\ {name}".ljust(1 << 20 if name != "one" else 9))
    with pytest.raises(ScriptTooLarge, match="the files loaded have more than 2 MiB") as caught:
        vm.load(path)
    assert caught.value.location is not None
    assert (caught.value.location.line, caught.value.location.column) == (2, 3)


def test_number_of_loads_in_a_run_is_limited(
    vm: VM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "MAX_LOADS", 5)
    path = write_main(tmp_path, "LOAD a.4th\nLOAD a.4th")
    write(path.parent / "a.4th", "LOAD b.4th LOAD b.4th")
    write(path.parent / "b.4th", "")
    with pytest.raises(LimitExceeded, match="more than 5 in one run") as caught:
        vm.load(path)
    assert caught.value.location is not None
    assert caught.value.location.file.endswith("a.4th")
    write(path, "LOAD a.4th")
    vm.load(path)  # each run counts separately


def test_nesting_of_loads_is_limited(vm: VM, tmp_path: Path) -> None:
    path = write_main(tmp_path, "LOAD 0.4th")
    for number in range(60):
        write(path.parent / f"{number}.4th", f"LOAD {number + 1}.4th")
    with pytest.raises(ForthVMError, match="too deep"):
        vm.load(path)


def test_load_cycle_is_reported_before_limits(vm: VM, tmp_path: Path) -> None:
    with pytest.raises(LoadCycleError):
        vm.load(write_main(tmp_path, "LOAD main.4th"))


# --- the game's log ------------------------------------------------------------------


LOGGING = "$gameLog ON"


def logging_game(tmp_path: Path) -> VM:
    """Return a VM with a game whose output goes to a log."""
    vm = VM(output=lambda text: None, game_log=tmp_path / "logs")
    vm.load(write_main(tmp_path, LOGGING))
    return vm


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    return folder


def test_without_a_log_folder_output_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    printed: list[str] = []
    vm = VM(output=printed.append)
    vm.load(write_main(tmp_path, LOGGING))
    vm.interpret("42 .")
    assert printed == ["42 "]
    assert not list(empty.iterdir())
    assert [path.name for path in (tmp_path / "game").iterdir()] == ["main.4th"]


def test_log_does_not_overwrite_a_file(tmp_path: Path, logs: Path) -> None:
    write(logs / "main.log", "precious")
    logging_game(tmp_path).interpret("42 .")
    assert (logs / "main.log").read_text() == "precious"
    assert (logs / "main-2.log").read_text() == "42 "


@needs_links
@pytest.mark.parametrize("exists", [True, False])
def test_log_is_not_written_through_a_link(tmp_path: Path, logs: Path, exists: bool) -> None:
    target = tmp_path / "target"
    if exists:
        target.write_text("precious")
    (logs / "main.log").symlink_to(target)
    logging_game(tmp_path).interpret("42 .")
    assert target.exists() is exists
    assert not exists or target.read_text() == "precious"
    assert (logs / "main-2.log").read_text() == "42 "


@needs_links
def test_log_continues_in_its_file_after_a_rename(tmp_path: Path, logs: Path) -> None:
    vm = logging_game(tmp_path)
    vm.interpret("1 .")
    (logs / "main.log").rename(logs / "moved.log")
    target = write(tmp_path / "target", "precious")
    (logs / "main.log").symlink_to(target)
    vm.interpret("2 .")
    assert target.read_text() == "precious"
    assert (logs / "moved.log").read_text() == "1 2 "


def test_size_of_a_log_is_limited(logs: Path) -> None:
    log = GameLog(logs, "Game", limit=10)
    log.write("12345")
    with pytest.warns(RuntimeWarning, match=r"Game\.log is full \(10 bytes\)") as caught:
        log.write("6789012")
    log.write("more")  # a second warning would be an error here
    assert len(caught) == 1
    assert (logs / "Game.log").read_text() == "1234567890"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Splut", "Splut.log"),
        ("Ur-[random]", "Ur-[random].log"),
        ("шахматы", "шахматы.log"),
        ("Game.v2", "Game.v2.log"),
        ("../../etc/passwd", "etc_passwd.log"),
        (r"C:\x", "C_x.log"),
        ("-rf", "rf.log"),
        ("...", "game.log"),
        ("a\x1b[31m\nb", "a_[31m_b.log"),
        ("NUL", "game-NUL.log"),
        ("com1.x", "game-com1.x.log"),
        ("x" * 500, "x" * 100 + ".log"),
    ],
)
def test_log_name_is_a_plain_file_name(title: str, name: str) -> None:
    assert log_name(title) == name


def test_option_game_log_sets_the_folder(tmp_path: Path, logs: Path) -> None:
    rules = forthvm.load("tictactoe").path.read_text()
    path = write_main(tmp_path, f'{rules}\n: OnNewGame ." new game" CR ;\n{LOGGING}\n')
    plain = run_command("moves", str(path), cwd=tmp_path)
    assert "new game" in plain.stdout + plain.stderr
    assert not list(tmp_path.glob("**/*.log"))
    logged = run_command("moves", str(path), "--game-log", "logs", cwd=tmp_path)
    assert "new game" not in logged.stdout + logged.stderr
    assert "new game" in (logs / "main.log").read_text()
