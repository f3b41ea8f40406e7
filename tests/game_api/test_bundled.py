"""Finding games by name: bundled games, variants, installed packages, files, wrong names."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from forthvm.catalogue.bundled import (
    GROUP,
    find_game,
    folder_of_games,
    game_paths,
    games_in,
    list_games,
)
from forthvm.check import check_files
from forthvm.core.errors import ForthVMError, ScriptIsDirectory, UnknownGameError
from forthvm.game import Position, load
from tests.kit.messages import raises

Installer = Callable[..., None]


class EntryPoint(SimpleNamespace):
    """An entry point; `load` returns `target`, or raises it if it is an exception."""

    name: str
    target: object

    def load(self) -> object:
        if isinstance(self.target, BaseException):
            raise self.target
        return self.target


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Installer:
    """Simulate installed packages with entry points."""

    def install(*points: EntryPoint) -> None:
        def entry_points(*, group: str) -> list[EntryPoint]:
            assert group == GROUP
            return list(points)

        monkeypatch.setattr(metadata, "entry_points", entry_points)

    return install


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """A folder with a game, its variant and a part of it."""
    folder = tmp_path / "nine"
    folder.mkdir()
    for name in ("nine", "nine-holes", "parts"):
        (folder / f"{name}.4th").write_text(f"\\ About {name}.\n")
    (folder / "README.md").write_text("Words.\n\n# Nine Stones\n")
    return tmp_path


def test_bundled_games_are_listed() -> None:
    """Each bundled game has a title and a summary."""
    found = {game.name: game for game in list_games()}
    assert {"tictactoe", "breakthrough", "splut", "splut-duel", "splut-random"} <= found.keys()
    for game in found.values():
        assert game.path.is_file()
        assert game.title
        assert game.summary
    assert found["splut-duel"].variant_of == "splut"
    assert found["splut"].variant_of is None


def test_games_of_an_installed_folder_are_listed(install: Installer, collection: Path) -> None:
    """The list contains the game and the variant, but not the parts."""
    install(EntryPoint(name="more", target=str(collection)))
    listed = {game.name: game for game in list_games()}
    assert listed["nine"].title == "Nine Stones"
    assert listed["nine"].summary == "About nine."
    assert listed["nine"].origin == "more"
    assert listed["nine-holes"].title == "Nine Stones (Holes)"
    assert listed["nine-holes"].variant_of == "nine"
    assert "parts" not in listed
    assert find_game("nine-holes") == ("nine-holes", collection / "nine" / "nine-holes.4th")
    assert find_game("parts")[1].name == "parts.4th"
    assert find_game("NINE")[0] == "nine"


RULES = """; {0}: a game with one piece.
(game (title "{0}") (players A B) (turn-order A B)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0)) ("1" (0 10)))))
    (board-setup (A (man off 2)) (B (man off 2)))
    (piece (name man) (drops ((verify empty?) add))))
"""


def test_rule_files_are_found_by_name(install: Installer, collection: Path) -> None:
    """Files without a game are not: others include them.  A script hides a rule file."""
    (collection / "drops").mkdir()
    for path in ("drops/drops.zrf", "drops/drops-long.ZRF", "nine/nine.zrf"):
        (collection / path).write_text(RULES.format(path))
    (collection / "drops" / "macros.zrf").write_text("; Macros.\n(define put add)\n")
    install(EntryPoint(name="more", target=str(collection)))
    listed = {game.name: game for game in list_games() if game.origin == "more"}
    assert listed.keys() == {"drops", "drops-long", "nine", "nine-holes"}
    assert listed["drops"].summary == "drops/drops.zrf: a game with one piece."
    assert listed["drops-long"].variant_of == "drops"
    assert listed["nine"].path.name == "nine.4th"
    assert {"drops", "drops-long"} < set(game_paths())
    assert "macros" not in game_paths()
    game = load("drops")
    assert (game.name, game.title) == ("drops", "drops/drops.zrf")
    start = game.start()
    assert [str(move) for move in start.legal_moves] == ["A man a1", "A man b1"]
    assert Position.from_json(game, start.to_json()) == start
    with raises(UnknownGameError, "bundled.part-of-a-rule-file"):
        find_game("macros")


@pytest.mark.parametrize("error", [ImportError("no such module"), SystemExit(3)], ids=repr)
def test_a_broken_package_is_named_and_the_other_games_are_listed(
    install: Installer, error: BaseException
) -> None:
    install(EntryPoint(name="broken", target=error))
    with pytest.warns(RuntimeWarning, match="'broken'"):
        assert "tictactoe" in {game.name for game in list_games()}


GAME = (
    "{board 3 3 {grid} board}\n{players {player} A players}\n{turn-order {turn} A turn-order}\n"
    "LOAD Parts.4th\n{pieces {piece} man {drops} puts pieces}\n"
)
PART = ": put ( -- ) drop add-move ;\n{moves puts {move} put moves}\n"


@pytest.fixture
def folder_with_part(tmp_path: Path) -> Path:
    """A folder with two games and the part that both load."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "first.4th").write_text(GAME)
    (folder / "second.4th").write_text("LOAD first.4th\n")
    (folder / "parts.4th").write_text(PART)
    return folder


def test_parts_of_games_are_not_offered(install: Installer, folder_with_part: Path) -> None:
    """Parts are not listed or suggested; the error for a part names the games that load it."""
    install(EntryPoint(name="mine", target=folder_with_part))
    listed = {game.name for game in list_games() if game.origin == "mine"}
    assert listed == {"first", "second"}
    with raises(UnknownGameError, "bundled.part-of-a-script"):
        find_game("Parts")
    with pytest.raises(UnknownGameError) as caught:
        find_game("partz")
    assert "parts" not in str(caught.value)


@pytest.mark.parametrize("name", ["moves", "r2-turn", "basics"])
def test_parts_of_bundled_games_are_refused(name: str) -> None:
    with pytest.raises(UnknownGameError, match=rf"{name}\.4th is a part that .* loads?$"):
        find_game(name)


@pytest.mark.slow
def test_every_listed_game_is_complete() -> None:
    """Each listed script is a game, not a part of one."""
    from forthvm.catalogue.contents import Scripts

    paths = [game.path for game in list_games() if game.origin == "forthvm"]
    assert all(Scripts(paths).is_game(path) for path in paths)


def test_a_folder_with_several_games_raises(folder_with_part: Path) -> None:
    """The hint lists the games without the parts."""
    with pytest.raises(ScriptIsDirectory) as caught:
        find_game(folder_with_part)
    assert caught.value.hints[0] == "games in it: first.4th, second.4th"


def test_a_folder_with_one_game_means_that_game(folder_with_part: Path) -> None:
    (folder_with_part / "second.4th").unlink()
    assert find_game(folder_with_part) == ("first", folder_with_part / "first.4th")


def test_a_file_that_loads_unknown_files_counts_as_a_game(folder_with_part: Path) -> None:
    """Files in other folders are not analysed."""
    (folder_with_part / "second.4th").write_text("LOAD splut.4th\n")
    with raises(ScriptIsDirectory, "bundled.several-games"):
        find_game(folder_with_part)


def test_an_entry_point_can_name_the_folder_of_one_game(
    install: Installer, collection: Path
) -> None:
    """The game is found and listed."""
    install(EntryPoint(name="nine", target=collection / "nine"))
    assert find_game("nine")[1] == collection / "nine" / "nine.4th"
    assert "nine" in {game.name for game in list_games()}


def test_an_entry_point_can_be_a_package_or_a_function(
    install: Installer,
    collection: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A package contains the files; a function returns a folder."""
    (collection / "nine" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(collection))
    import nine  # type: ignore[import-not-found]  # exists only in this test

    try:
        install(EntryPoint(name="p", target=nine))
        assert find_game("nine")[1] == collection / "nine" / "nine.4th"
    finally:
        del sys.modules["nine"]
    install(EntryPoint(name="f", target=lambda: collection))
    assert find_game("nine")[1] == collection / "nine" / "nine.4th"
    plain = ModuleType("nine.plain")
    plain.__file__ = str(collection / "nine" / "plain.py")
    install(EntryPoint(name="m", target=plain))
    assert find_game("nine")[1] == collection / "nine" / "nine.4th"


@pytest.mark.parametrize("target", [ImportError("gone"), "/no/such/folder", 7])
def test_a_broken_entry_point_causes_a_warning(install: Installer, target: object) -> None:
    """Other games are still found."""
    install(EntryPoint(name="broken", target=target))
    with pytest.warns(RuntimeWarning, match="'broken'"):
        assert "tictactoe" in {game.name for game in list_games()}


def test_a_module_without_a_package_adds_no_games(install: Installer, collection: Path) -> None:
    """Its folder is that of all installed packages."""
    module = ModuleType("single")
    module.__file__ = str(collection / "nine" / "single.py")
    install(EntryPoint(name="single", target=module))
    with pytest.warns(RuntimeWarning, match="single is a module, not a package"):
        assert "nine" not in {game.name for game in list_games()}


@pytest.mark.parametrize("unreadable", ["", "nine"])
def test_an_unreadable_folder_causes_a_warning(
    unreadable: str, install: Installer, collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Permissions are simulated, since they do not apply to the superuser."""
    read = Path.iterdir

    def iterdir(path: Path) -> object:
        if path == collection / unreadable:
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    install(EntryPoint(name="locked", target=collection))
    with pytest.warns(RuntimeWarning, match="'locked'.*Permission denied"):
        assert "tictactoe" in {game.name for game in list_games()}


def test_installed_packages_cannot_replace_bundled_games(
    install: Installer, tmp_path: Path
) -> None:
    """The bundled game is found and listed."""
    folder = tmp_path / "tictactoe"
    folder.mkdir()
    (folder / "tictactoe.4th").write_text("\\ Not this.\n")
    install(EntryPoint(name="thief", target=tmp_path))
    assert find_game("tictactoe")[1].parent != folder
    assert {game.name: game.origin for game in list_games()}["tictactoe"] == "forthvm"


def test_unknown_names_suggest_similar_games() -> None:
    """The message names similar games."""
    with raises(UnknownGameError, "bundled.no-game-is-called") as caught:
        find_game("tictacto")
    assert isinstance(caught.value, LookupError)


def test_a_name_does_not_mean_a_local_file(in_folder: Path) -> None:
    """The message mentions the file."""
    (in_folder / "qqq.4th").write_text("\\ A game.\n")
    (in_folder / "rrr.zrf").write_text(RULES)
    with raises(UnknownGameError, "bundled.local-script"):
        find_game("qqq")
    with raises(UnknownGameError, "bundled.local-rule-file"):
        find_game("rrr")
    assert find_game("qqq.4th") == ("qqq", Path("qqq.4th"))
    assert find_game(Path("qqq.4th"))[0] == "qqq"
    assert find_game("./qqq.4th")[0] == "qqq"


def test_the_message_mentions_a_local_folder(in_folder: Path) -> None:
    (in_folder / "qqq").mkdir()
    with raises(UnknownGameError, "bundled.local-folder"):
        find_game("qqq")


def test_a_folder_to_list_needs_no_path(in_folder: Path) -> None:
    for name in ("qqq", "splut"):
        (in_folder / name).mkdir()
    assert folder_of_games("qqq") == Path("qqq")
    assert folder_of_games("splut") is None  # a game
    assert folder_of_games("./splut") == Path("splut")
    assert folder_of_games("rrr") is None


def test_games_in_the_layout_of_zillions_are_found(tmp_path: Path) -> None:
    """The rule files are in a subfolder, beside the pictures and sounds."""
    (tmp_path / "RULES").mkdir()
    (tmp_path / "Images").mkdir()
    (tmp_path / "RULES" / "rrr.zrf").write_text(RULES)
    assert find_game(tmp_path) == ("rrr", tmp_path / "RULES" / "rrr.zrf")
    (tmp_path / "RULES" / "SSS.ZRF").write_text(RULES)
    assert {game.name for game in games_in(tmp_path)} == {"SSS.ZRF", "rrr.zrf"}
    (tmp_path / "own.zrf").write_text(RULES)
    assert [game.name for game in games_in(tmp_path)] == ["own.zrf"]


def test_the_folder_of_a_game_means_its_main_script(collection: Path) -> None:
    """The main script has the name of the folder."""
    assert find_game(collection / "nine") == ("nine", collection / "nine" / "nine.4th")


@pytest.mark.skipif(os.name == "nt", reason="backslashes separate folders there anyway")
def test_a_backslash_separates_folders(
    tmp_path: Path, collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the names after LOAD; a file whose name contains a backslash is preferred."""
    monkeypatch.chdir(collection)
    monkeypatch.setenv("HOME", str(collection))
    main = Path("nine", "nine.4th")
    for path in (r"nine\nine.4th", r".\nine\nine.4th", rf"{collection}\nine\nine.4th"):
        assert find_game(path)[1].samefile(main)
        assert find_game(Path(path))[1].samefile(main)
    assert find_game(r"~\nine\nine.4th")[1].samefile(main)
    assert find_game(".\\nine")[1].samefile(main)  # the folder of a game
    assert str(find_game(r"nine\none.4th")[1]) == r"nine\none.4th"  # as it was typed
    with pytest.raises(ForthVMError):
        check_files([r"nine\none.4th"])
    assert check_files([r"nine\nine.4th"]).files == (str(main),)
    Path(r"nine\nine.4th").touch()
    assert find_game(r"nine\nine.4th")[1].name == r"nine\nine.4th"
