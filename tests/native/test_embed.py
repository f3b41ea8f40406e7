"""Tests of the example host in C (examples/embed.c): it builds and lists moves."""

from __future__ import annotations

from pathlib import Path

import pytest

import forthvm
from tests.kit.processes import output_of, run
from tests.native.native_driver import CHECKOUT, INCLUDES, compiler, core_sources

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def embed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    command = compiler()
    if command is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("embed")
    program = folder / "embed"
    example = folder / "embed.o"
    public_header = f"-I{CHECKOUT / 'native' / 'include'}"
    strict = ["-std=c11", "-Wall", "-Wextra", "-Werror", public_header]
    output_of(*command, *strict, "-c", CHECKOUT / "examples" / "embed.c", "-o", example)
    output_of(
        *command, "-O0", *INCLUDES, example, *core_sources(), "-lm", "-pthread", "-o", program
    )
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
