"""Tests of the example host in C (examples/embed.c): the guide builds it, and it lists moves."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest

import forthvm
from tests.kit.processes import output_of, run
from tests.native.native_driver import CHECKOUT, compiler

pytestmark = pytest.mark.slow
GUIDE = CHECKOUT / "docs" / "guides" / "embedding.md"
COMMANDS = GUIDE.read_text(encoding="utf-8").partition("```sh\n")[2].partition("```")[0]
MOVES = [f"X mark {column}{row}" for row in "321" for column in "abc"]


@pytest.fixture(scope="module")
def embed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    command = compiler()
    if command is None:
        pytest.skip("no C compiler")
    if shutil.which("sh") is None:
        pytest.skip("no shell")
    folder = tmp_path_factory.mktemp("embed")
    program = folder / "embed"
    public_header = f"-I{CHECKOUT / 'native' / 'include'}"
    strict = ["-std=c11", "-Wall", "-Wextra", "-Werror", public_header]
    example = CHECKOUT / "examples" / "embed.c"
    output_of(*command, *strict, "-c", example, "-o", folder / "embed.o")
    build = COMMANDS.replace("python3", shlex.quote(sys.executable))
    build = build.replace("gcc", shlex.join(command)).replace("-O2", "-O0")  # compiles faster
    build = build.replace("-o embed", f"-o {shlex.quote(str(program))}")
    build = build.replace("./embed", shlex.quote(str(program)))
    assert output_of("sh", "-e", "-c", build, folder=CHECKOUT).splitlines()[-9:] == MOVES
    return program


@pytest.mark.parametrize("name", ["tictactoe", "chess", "thud"])
def test_embed_lists_the_moves_of_the_start_position(embed: Path, name: str) -> None:
    done = run(embed, "axiom_lib", f"scripts/{name}/{name}.4th", folder=CHECKOUT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == list(forthvm.load(name).start().legal_moves.texts)


def test_load_ignores_the_case_of_file_names(embed: Path, tmp_path: Path) -> None:
    source = (CHECKOUT / "scripts" / "tictactoe" / "tictactoe.4th").read_text(encoding="utf-8")
    (tmp_path / "rules.4th").write_text(source, encoding="utf-8")
    (tmp_path / "main.4th").write_text("LOAD Rules.4TH\n", encoding="utf-8")
    assert (
        len(run(embed, "axiom_lib", tmp_path / "main.4th", folder=CHECKOUT).stdout.splitlines())
        == 9
    )


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("nonsense", "nonsense"),
        ("LOAD ../secret.4th", "LOAD"),
        ("LOAD absent.4th", "there is no file absent.4th"),
        (": forever BEGIN FALSE UNTIL ; forever", "step"),
        ("1 DROP", "the script has no"),  # the script defines no board
    ],
)
def test_errors_are_reported_on_stderr(
    embed: Path, tmp_path: Path, script: str, message: str
) -> None:
    (tmp_path / "main.4th").write_text(script, encoding="utf-8")
    done = run(embed, "axiom_lib", tmp_path / "main.4th", folder=CHECKOUT)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stdout == ""
