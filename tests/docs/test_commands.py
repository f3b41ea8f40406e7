"""Runs the commands of the pages, in their order, in a folder with the files that they name.

Commands in `console` blocks, whose output pages show, have tests of their own (pages.py).
"""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import forthvm
from tests.docs.pages import CHECKOUT, DOCUMENTS, follow, shown_games
from tests.kit.files import write, write_files
from tests.kit.processes import FORTHVM, run, start
from tests.learn.network.models import random_network

BLOCK = re.compile(r"^```(\w*).*?\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"(?:cd|forthvm|python3?|pip|npm|npx|code|gcc|git|xboard|cutechess-cli)\b")

NOT_RUN = {
    r"pip |npm |code |cd editors": "installs software",
    r"python3 -m venv": "installs software; the README's two commands are those of CI",
    r"python3 native/generate.py|gcc ": "tests/native/test_embed.py runs them",
    r"python native/wheels": "tests/packaging builds wheels",
    r"python -m benchmarks": "tests/bench runs the benchmarks",
    r"python -m forthvm.web.npm": "needs npm; tests/web/test_npm_package.py runs it",
    r"python -m http.server": "a server of Python",
    r"python (alphazero|td_splut)|.*alphazero|.*splut-learned": "tests/examples runs the programs",
    r"python tune_splut": "tests/docs/test_examples.py runs the program",
    r"cutechess-cli|xboard": "an interface for people",
    r".*/opt/engines": "an engine of the reader",
    r".*--executor dask": "needs a cluster; tests/autoplay/test_dask.py has one",
    r"forthvm board( chess)? --resume": "needs a table; tests/web/test_saved_tables.py has some",
    r"forthvm playground": "needs the editor; tests/web/test_playground.py has it",
    r"forthvm train NAME": "NAME stands for a game",
    r".*benchmarks\.openspiel": "needs a checkout and OpenSpiel",
    r".*pawn_race|forthvm new pawn-race": "tests/cli/test_new.py makes and tests a package",
}
"""Beginnings of commands that are not run, and why."""

SHORTER = [
    (r"(?<= -n )\d+|(?<=--games )\d+", "18"),
    (r"(?<=--minutes )\d+", "0.02"),
    (r"(?<=time=)[\d.]+|(?<=--time )[\d.]+", "0.02"),
    (r"(?<=playouts=)\d+", "20"),
    (r"(?<=depth=)\d", "2"),
    (r" --port \d+", ""),
]
"""Replacements by which commands take less time, and need no certain port."""
ADDED = [
    ("--auto", "--max-plies", "--max-plies 6"),
    ("autoplay", "--resume", "--max-plies 4"),
    ("--calibrate", "--games", "--games 96 --nodes 60"),
    ("train", "--minutes", "--minutes 0.02"),
]
"""Words that are added to commands with one word and without another one, also for this."""
ENGINES = ("stockfish", "fairy-stockfish", "gnugo", "fairymax", "maxqi", "hoichess")
"""Programs whose commands are run if they are installed."""

RESULTS = {"results.db": "chess", "go.db": "go-9x9", "shogi.db": "shogi", "draughts.db": "draughts"}
"""Matches that are files in the folder, and their games."""
OTHER_RESULTS = {"sgf": "go", "kif": "shogi", "pdn": "draughts"}
"""The formats that are not those of chess, and the match that is converted to them."""

MOVES = (
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 "
    "10. d4 Nbd7 11. Nbd2 Bb7 *"
)
TEST = "test Players take turns\n    moves 9\n    play X mark b2\n    expect turn O\n"
KIF = "手合割\N{FULLWIDTH COLON}平手\n1 ７六歩(77)\n2 ３四歩(33)\n"
GREEDY = "class Greedy:\n    def play(self, position): return position.legal_moves[0]\n"
RULES = """(game (title "My Game") (players White Black) (turn-order White Black)
 (board (image "x.bmp") (grid (start-rectangle 0 0 20 20)
   (dimensions ("a/b/c/d" (20 0)) ("4/3/2/1" (0 20))) (directions (n 0 -1) (s 0 1) (e 1 0))))
 (board-setup (White (Man a1 b1)) (Black (Man c4 d4)))
 (piece (name Man) (image White "w.bmp" Black "b.bmp")
  (moves (n (verify empty?) add) (s (verify empty?) add)))
 (loss-condition (White Black) stalemated))
(variant (title "Small board"))
"""


@pytest.fixture(scope="module")
def named_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that pages name."""
    folder = tmp_path_factory.mktemp("pages")
    tictactoe = forthvm.load("tictactoe").path.read_text(encoding="utf-8")
    scripts = ["mygame.4th", "my-game.4th", "game.4th", "Path/To/Game.4th", "games/three.4th"]
    rules = ["My Game.zrf", "game.zrf", "mygame.zrf", "My Games/one.zrf", "scripts/two.4th"]
    pgn = "\n".join(f'[Event "?"]\n[Round "{number}"]\n\n{MOVES}\n' for number in (1, 2, 3))
    write_files(
        folder,
        {
            **dict.fromkeys(scripts, tictactoe),
            **dict.fromkeys(rules[:-1], RULES),
            rules[-1]: tictactoe,
            "my-game.test": "\n" * 10 + TEST,
            "games/three.test": TEST.replace("Players", "A capture: players"),
            "games.pgn": pgn,
            **dict.fromkeys(["game.sgf", "games.sgf"], "(;FF[4]GM[1]SZ[9];B[ee];W[cc])"),
            "games.pdn": '[GameType "25"]\n1. c3-d4 d6-c5 *\n' * 3,
            "game.kif": KIF,
            "mymodule.py": GREEDY,
            "their-engine": f"#!/bin/sh\nexec {shlex.join(FORTHVM)} ugi breakthrough\n",
            "Zillions/about.txt": "",
        },
    )
    (folder / "their-engine").chmod(0o755)
    shutil.copytree(CHECKOUT / "examples", folder / "examples")
    shutil.copytree(CHECKOUT / "docs" / "guides" / "examples", folder, dirs_exist_ok=True)
    write_files(folder, dict(shown_games()))
    random_network(forthvm.load(folder / "mygame.4th"), hidden=2).write(folder / "monday.net")
    (folder / "saved.json").write_text(forthvm.load("breakthrough").start().to_json(), "utf-8")
    old = forthvm.load(folder / "My Game.zrf").start()
    chooser = random.Random(1)
    while old.ply < 24:
        old.push(chooser.choice(old.legal_moves))
    for name in ("old game.zsg", "oldgame.zsg"):
        write(folder / name, old.to_zsg())
    for file, game in RESULTS.items():
        players = "--engine A=random --engine B=random"
        execute(f"forthvm autoplay {game} {players} -n 18 --out {file}", folder, folder)
    return folder


def commands_of(page: Path) -> Iterator[str]:
    """Yield the commands in shell blocks and in indented blocks of a page."""
    text = page.read_text(encoding="utf-8")
    shell = [block[2] for block in BLOCK.finditer(text) if block[1] in {"sh", "bash"}]
    indented = re.findall(r"^    (\S(?:.*\\\n)*.*)", BLOCK.sub("", text), re.MULTILINE)
    for line in [*"".join(shell).replace("\\\n", " ").splitlines(), *indented]:
        command = re.sub(r" {3,}.*|\s+#.*", "", re.sub(r"\s*\\\n\s*", " ", line))
        if PROGRAM.match(command):
            yield command


def why_not_run(command: str) -> str:
    """Return why a command is not run; "" if it is."""
    for pattern, reason in NOT_RUN.items():
        if re.match(pattern, command):
            return reason
    absent = [name for name in ENGINES if re.search(rf"\b{name}\b", command)]
    absent = [name for name in absent if shutil.which(name, path=search_path()) is None]
    return f"needs {absent[0]}" if absent else ""


def search_path() -> str:
    return os.pathsep.join([os.environ["PATH"], "/usr/games"])


def execute(command: str, folder: Path, home: Path) -> None:
    """Run a command of forthvm; a server is ended when it has printed its address."""
    for ending, match in OTHER_RESULTS.items():
        command = command.replace(f"results.db -o games.{ending}", f"{match}.db -o games.{ending}")
    for pattern, replacement in SHORTER:
        command = re.sub(pattern, replacement, command)
    words = shlex.split(command.replace("~", str(home)))[1:]
    environment = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    environment |= {"NO_COLOR": "1", "PATH": search_path(), "PYTHONUNBUFFERED": "1"}
    if words[0] == "board" or "--serve" in words:
        with start(*FORTHVM, *words, "--no-browser", folder=folder, **environment) as server:
            printed = iter(server.stdout.readline, "")
            assert any("http" in line for line in printed), f"{command}\n{server.stderr.read()}"
            server.terminate()
            server.wait(60)
        return
    for option in {"-o", "--out"}.intersection(words):  # readers have no such file yet
        (folder / words[words.index(option) + 1]).unlink(missing_ok=True)
    for needed, absent, more in ADDED:
        if needed in words and absent not in words:
            words += more.split()
    done = run(*FORTHVM, *words, folder=folder, stdin="quit\n", **environment)
    refused = words[0] == "why-not"  # of moves that are not legal
    assert done.returncode == refused, f"{command}\n{done.stdout}\n{done.stderr}"


PAGES = [page for page in DOCUMENTS if list(commands_of(page))]


def test_each_exception_is_that_of_a_command() -> None:
    commands = [command for page in PAGES for command in commands_of(page)]
    assert [p for p in NOT_RUN if not any(re.match(p, command) for command in commands)] == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the pages name programs of POSIX")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run(page: Path, named_files: Path, tmp_path: Path) -> None:
    home = folder = shutil.copytree(named_files, tmp_path / "page")
    for _ in follow(page, folder):
        pass
    for command in commands_of(page):
        if command.startswith("cd "):
            there = folder / command[3:]
            folder = there if there.is_dir() else folder
        elif not why_not_run(command):
            execute(command, folder, home)
