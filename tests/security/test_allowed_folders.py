"""Tests of the folders that scripts, commands and typed text may read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import forthvm
from forthvm.check import check_files
from forthvm.core.errors import (
    ForthVMError,
    ScriptFileNotFound,
    ScriptIsDirectory,
    ScriptRefused,
    UndefinedWord,
)
from forthvm.core.loading.library import games_folder
from forthvm.core.vm import VM
from forthvm.repl import Session
from tests.kit.files import write, write_files
from tests.kit.messages import raises
from tests.kit.processes import FORTHVM, run
from tests.security.scripts import (
    SECRET,
    TICTACTOE,
    run_command,
    write_main,
)
from tests.systems import needs_links

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
    with raises(ScriptRefused, "allowed-folders.absolute-path-below"):
        VM(library="core", include=[part.parent]).load(write_main(tmp_path, f"LOAD {part}"))


@pytest.mark.parametrize("option", ["include", "game_log"])
def test_missing_folder_raises(tmp_path: Path, option: str) -> None:
    missing = tmp_path / "missing"
    folder = [missing] if option == "include" else missing
    with raises(ForthVMError, "allowed-folders.missing-folder", option=option):
        forthvm.load("tictactoe", **{option: folder})  # type: ignore[arg-type]


def test_clone_has_the_same_allowed_folders(tmp_path: Path) -> None:
    rules = forthvm.load("tictactoe").path
    path = write_main(tmp_path, f"LOAD {rules.name}")
    game = forthvm.load(path, include=[rules.parent])
    assert game.clone().players == game.players


@pytest.mark.slow
@pytest.mark.parametrize("name", ["moves", "check", "analyse", "autoplay"])
def test_commands_refuse_other_folders_without_the_option_include(
    tmp_path: Path, name: str
) -> None:
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


@pytest.mark.slow
def test_repl_without_a_game_reads_below_the_current_folder(tmp_path: Path, secret: Path) -> None:
    """A session without a game has no main script; LOAD reads below the current folder instead."""
    write(tmp_path / "mine" / "one.4th", "6 7 * .")
    typed = f"LOAD one.4th\nLOAD ../outside/{secret.name}\n"
    process = run(*FORTHVM, "repl", "--no-history", stdin=typed, folder=tmp_path / "mine")
    output = process.stdout + process.stderr
    assert "42" in output
    assert "refused" in output
    assert SECRET not in output


# --- text typed by the user, and bundled games ------------------------------------------


@pytest.fixture
def in_game(in_folder: Path) -> Session:
    """Return a session of a game that is not in the current folder."""
    script = write_main(in_folder, TICTACTOE)
    return Session.of_game(forthvm.load(script))


def test_typed_load_reads_below_the_current_folder(in_game: Session, tmp_path: Path) -> None:
    """A file loaded by typed text may load other files below the current folder."""
    write_files(tmp_path, {"one.4th": "1 LOAD two.4th LOAD parts/three.4th", "two.4th": "2"})
    write(tmp_path / "parts" / "three.4th", r"3 LOAD ..\two.4th")
    in_game.interpret("LOAD one.4th")
    assert in_game.stack == (1, 2, 3, 2)
    in_game.interpret(r"DROP DROP LOAD PARTS\Three.4TH")
    assert in_game.stack == (1, 2, 3, 2)
    in_game.new_game()  # repeats the typed lines that define words


def test_typed_load_searches_the_current_folder_before_the_game(
    in_game: Session, tmp_path: Path
) -> None:
    write(tmp_path / "both.4th", "1")
    write_files(tmp_path / "game", {"both.4th": "2", "part.4th": "3"})
    in_game.interpret("LOAD both.4th LOAD part.4th")
    assert in_game.stack == (1, 3)


def test_script_cannot_read_below_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LOAD in a word of the script and LOAD in a file of the game are refused."""
    current_folder = tmp_path / "here"
    write(current_folder / "secret.4th", f"{SECRET}\n")
    script = write_main(tmp_path, TICTACTOE + ": read LOAD ;\n")
    write(script.parent / "part.4th", "LOAD secret.4th")
    monkeypatch.chdir(current_folder)
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
    with_file = VM(output=lambda text: None)
    with_file.load(write_main(tmp_path, f"LOAD {name}"))
    assert with_file.stack == (42,)


@pytest.mark.parametrize(
    "name",
    [
        "moves.4th",  # a part of a game, not a main script
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


@pytest.mark.slow
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


# --- other code that reads script files ---------------------------------------------


def test_check_refuses_the_same_files_as_load(tmp_path: Path, secret: Path) -> None:
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
def test_link_in_the_library_of_the_user_to_another_folder_is_refused(
    tmp_path: Path, secret: Path
) -> None:
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
