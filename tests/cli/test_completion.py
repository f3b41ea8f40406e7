"""Completion of command lines: candidates, and completion in real shells."""

from __future__ import annotations

import os
import re
import select
import shutil
import sys
import time
from pathlib import Path

import pytest

from forthvm.catalogue.bundled import game_paths, list_games
from forthvm.cli.app import COMMANDS
from forthvm.cli.candidates import candidates
from forthvm.cli.commands.completion import _for_bash
from forthvm.engines import levels_of
from forthvm.engines.registry import BUILT_IN
from forthvm.game import load
from tests.kit.every_game import BUNDLED
from tests.kit.files import write
from tests.kit.processes import output_of


def test_completes_commands() -> None:
    assert set(COMMANDS) < set(candidates([""]))
    assert candidates(["prof"]) == ["profile"]
    assert candidates(["help", "an"]) == ["analyse"]
    assert candidates(["no-such-command", ""]) == []


def test_completes_games() -> None:
    assert set(game_paths()) == {game.name for game in list_games()}
    assert candidates(["run", "splut-d"]) == ["splut-duel", "splut-duel-official"]
    assert candidates(["run", "SPLUT-DUEL-"]) == ["splut-duel-official"]
    assert candidates(["autoplay", "splut", "tic"]) == ["tictactoe"]


def test_completes_scripts_in_folders(in_folder: Path) -> None:
    (in_folder / "my games").mkdir()
    (in_folder / "my games" / "race.4th").touch()
    (in_folder / "my games" / "notes.txt").touch()
    assert candidates(["run", "my"]) == ["my games/"]
    assert candidates(["run", "my games/"]) == ["my games/race.4th"]
    assert candidates(["check", "./my games/n"]) == ["./my games/notes.txt"]


def test_completes_options() -> None:
    assert candidates(["run", "ur", "--si"]) == ["--side"]
    assert "--moves" in candidates(["moves", "ur", ""])
    assert "--side" in candidates(["run", "ur", "--side", "White", "--s"])  # repeatable
    assert "--auto" not in candidates(["run", "ur", "--auto", "--a"])
    assert candidates(["run", "ur", "--axiom", "15"]) == ["150", "151"]
    assert candidates(["run", "ur", "--axiom=140-"]) == ["--axiom=140-exact"]


def test_completes_engines_and_players() -> None:
    assert set(BUILT_IN) <= set(candidates(["run", "chess", "--engine", ""]))
    assert candidates(["run", "chess", "--engine", "Wh"]) == ["White="]
    assert candidates(["run", "chess", "--engine", "White=neg"]) == ["White=negamax"]
    assert candidates(["run", "chess", "--side", ""]) == ["White", "Black", "all"]


def test_completes_levels() -> None:
    numbers = [str(level.number) for level in levels_of(load("chess"))]
    assert candidates(["run", "chess", "--level", ""]) == [*numbers, "White=", "Black="]
    assert candidates(["run", "chess", "--level", "White="]) == [f"White={n}" for n in numbers]
    assert candidates(["board", "chess", "--level", ""]) == numbers


def test_completes_settings() -> None:
    game = load("ur")
    completions = candidates(["run", "ur", "--set", ""])
    assert {completion.partition("=")[0] for completion in completions} == {
        *game.settings,
        "OnShow",
    }
    assert candidates(["run", "ur", "--set", "rules=f"]) == ["rules=finkel"]
    assert candidates(["run", "ur", "--set=double"]) == ["--set=double-pass="]


def test_completes_moves_of_the_position_on_the_line() -> None:
    first = candidates(["moves", "breakthrough", "--moves", "a2-"])
    assert set(first) == {"a2-a3", "a2-b3"}
    second = candidates(["show", "breakthrough", "--moves", "a2-a3; a7-"])
    assert set(second) == {"a2-a3; a7-a6", "a2-a3; a7-b6"}
    # The board of Los Alamos chess has six ranks, so no move has a square of rank 7.
    small = candidates(["moves", "chess-los-alamos", "--moves", ""])
    assert small
    assert not any("7" in move for move in small)


@pytest.mark.sampled(13)
@pytest.mark.parametrize("game", [game.name for game in BUNDLED if game.variant_of is None])
def test_each_completed_move_is_a_different_legal_move(game: str) -> None:
    position = load(game).start()
    completions = candidates(["moves", game, "--moves", ""])
    assert len(completions) == len(set(position.legal_moves.texts))
    first_moves = completions[:50]
    assert len({str(position.parse(move)) for move in first_moves}) == len(first_moves)


def test_full_move_texts_are_completed() -> None:
    completions = candidates(["explain", "breakthrough", "Pawn a2 - a"])
    assert [move.casefold() for move in completions] == ["pawn a2 - a3"]


@pytest.mark.slow
def test_errors_give_no_candidates(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    loop = write(tmp_path / "loop.4th", '." hello" : forever BEGIN 0 UNTIL ; forever\n')
    broken = write(tmp_path / "broken.4th", "no-such-word\n")
    for script in (loop, broken, tmp_path / "none.4th"):
        assert candidates(["moves", str(script), "--moves", ""]) == []
    assert candidates(["moves", "ur", "--moves", "nonsense; "]) == []
    assert candidates(["moves", "--moves", ""]) == []
    assert candidates(["run", "x", "--include", f"{tmp_path}/none/"]) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_untrusted_names_are_quoted_for_shells(in_folder: Path) -> None:
    harmless = [
        "a b.4th",
        "a$(touch made).4th",
        "a`touch made`.4th",
        "a;touch made.4th",
        "a'b\".4th",
    ]
    for name in [*harmless, "a\x1b[2J.4th", "a\nb.4th"]:
        (in_folder / name).touch()
    assert sorted(candidates(["run", "./a"])) == sorted(f"./{name}" for name in harmless)
    for typed, end in (("./a", ""), ('"./a', '"'), ("'./a", "'")):
        start = typed.removesuffix("./a")
        inserted = _for_bash("=:", f"forthvm run {typed}")
        assert len(inserted) >= len(harmless) - 1  # a ' cannot be quoted within '…'
        for inserted_name in inserted:
            line = f"printf '<%s>' {start}{inserted_name}{end}"
            assert output_of("bash", "-c", line).strip("<>").removeprefix("./") in harmless
    assert not (in_folder / "made").exists()


def test_bash_candidates_begin_after_a_word_break() -> None:
    assert _for_bash("=:", "forthvm run ur --set rules=f") == ["finkel"]
    assert _for_bash("", "forthvm run ur --set rules=f") == ["rules=finkel"]
    assert _for_bash("=:", 'forthvm run ur --set "rules=f') == ["rules=finkel"]
    assert _for_bash("=:", "forthvm ") == candidates([""])


def test_completing_games_does_not_import_the_core() -> None:
    code = (
        "import sys; from forthvm.cli.candidates import candidates; "
        "assert 'ur-finkel' in candidates(['show', 'ur']); "
        "print([each for each in sys.modules if each in "
        "('cffi', 'forthvm._native', 'forthvm.game.game', 'forthvm.engines')])"
    )
    assert output_of(sys.executable, "-c", code).strip() == "[]"


# --- real shells ------------------------------------------------------------------------------

SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
SET_UP = {
    "bash": 'eval "$(forthvm completion bash)"',
    "zsh": 'autoload -Uz compinit; compinit -u -D; eval "$(forthvm completion zsh)"',
    "fish": "forthvm completion fish | source",
}
LINES = [
    ("forthvm run breakt\t", ["run", "breakthrough"]),
    ("forthvm run splut --engine South=rand\t", ["run", "splut", "--engine", "South=random"]),
    ("forthvm run ur --set rules=f\t", ["run", "ur", "--set", "rules=finkel"]),
    ("forthvm moves breakthrough --mov\ta2-a\t", ["moves", "breakthrough", "--moves", "a2-a3"]),
    (
        'forthvm moves breakthrough --moves "a2-a3; a7-a\t',
        ["moves", "breakthrough", "--moves", "a2-a3; a7-a6"],
    ),
    ("forthvm explain breakthrough 'pawn a2 - a\t", ["explain", "breakthrough", "pawn a2 - a3"]),
    ("forthvm run my\trace\t", ["run", "my games/race.4th"]),
]


class Shell:
    """A shell on a pseudo-terminal."""

    def __init__(self, name: str, folder: Path) -> None:
        import pty

        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        pid, self.screen = pty.fork()
        if not pid:
            os.chdir(folder)
            plain = {"PATH": path, "HOME": str(folder), "TERM": "dumb", "LANG": "C.UTF-8"}
            os.execvpe(SHELLS[name][0], SHELLS[name], plain)
        self.pid = pid
        self.output = ""

    def type(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def wait_for(self, pattern: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            match = re.search(pattern, self.output)
            if match:
                self.output = self.output[match.end() :]
                return
            if select.select([self.screen], [], [], 0.1)[0]:
                self.output += os.read(self.screen, 65536).decode(errors="replace")
        raise AssertionError(f"no {pattern!r} in {self.output!r}")

    def wait_for_silence(self, seconds: float) -> None:
        """Read until no output arrives for a number of seconds."""
        while select.select([self.screen], [], [], seconds)[0]:
            self.output += os.read(self.screen, 65536).decode(errors="replace")

    def close(self) -> None:
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.screen)


@pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")
@pytest.mark.slow  # waits for the shells
@pytest.mark.parametrize("name", SHELLS)
def test_tab_in_a_shell(name: str, tmp_path: Path) -> None:
    """Each line is completed and then passed to `printf`, which shows its words."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    (tmp_path / "my games").mkdir()
    (tmp_path / "my games" / "race.4th").touch()
    shell = Shell(name, tmp_path)
    try:
        shell.type(f"{SET_UP[name]}\nprintf '%s-%s\\n' set up\n")
        shell.wait_for("set-up")
        for line, expected in LINES:
            quote = re.search(r"['\"]", line)
            for part in re.split(r"(?<=\t)", line):
                shell.type(part)
                shell.wait_for_silence(1.0)  # longer than a completion takes on a busy machine
            if quote and not shell.output.rstrip().endswith(quote[0]):
                shell.type(quote[0])
            shell.output = ""
            shell.type("\x01printf '<%s>' \x05\n")  # to the start of the line, and to its end
            shell.wait_for(re.escape("".join(f"<{word}>" for word in ["forthvm", *expected])))
            shell.wait_for_silence(0.2)
    finally:
        shell.close()
