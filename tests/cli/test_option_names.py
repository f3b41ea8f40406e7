"""Messages of the commands name options of the command line, not arguments of Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import forthvm
from forthvm.core.budget import Budget
from forthvm.core.errors import ForthVMError
from forthvm.core.text.advice import advice, for_command_line
from tests.kit.commands import Cli

Script = Callable[..., Path]

OVER = ": OnIsGameOver #UnknownScore ;"
PYTHON_ARGUMENT = re.compile(r"Budget|\b(?!elo0|elo1)[a-z]+(?:_[a-z]+)*=")
"""Matches `Budget` and keyword arguments, except elo0= and elo1=, the syntax of --sprt."""

CAUSES = {
    "seconds": ((": loop BEGIN FALSE UNTIL ; loop",), ("moves", "--max-seconds", "0.1")),
    "steps": ((": loop BEGIN FALSE UNTIL ; loop",), ("moves", "--max-steps", "1000")),
    "memory": ((": flood BEGIN 0 , FALSE UNTIL ; flood",), ("moves", "--max-memory", "20")),
    "output": ((": talk BEGIN 1 . FALSE UNTIL ; talk",), ("moves", "--max-output", "100")),
    "depth": ((": deep RECURSE 1 DROP ; deep",), ("moves",)),
    "library": ((), ("moves", "--axiom-lib", "no-such-folder")),
    "check": ((": loop BEGIN FALSE UNTIL ; loop",), ("check", "--max-seconds", "0.1")),
    "why-not": ((": OnGenerateMoves BEGIN FALSE UNTIL ;",),
                ("why-not", "a1b1", "--time", "0.1", "--max-seconds", "0")),
    "explain": ((": OnGenerateMoves BEGIN FALSE UNTIL ;",),
                ("explain", "a1b1", "--time", "0.1", "--max-seconds", "0")),
}  # fmt: skip
NAMED_OPTIONS = {
    "seconds": "--max-seconds N",
    "steps": "--max-steps N",
    "memory": "--max-memory MIB",
    "output": "--max-output BYTES",
    "explain": "--time N",
    "why-not": "--time N",
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("case", CAUSES)
def test_messages_name_command_line_options(cli: Cli, script: Script, case: str) -> None:
    """Each message is caused by a command line."""
    lines, (command, *options) = CAUSES[case]
    path = script(over="\n".join((OVER, *lines)))
    result = cli(command, path, *options)
    output = result.out + result.err
    assert result.status in (1, 2) or command == "check"
    assert output
    assert not PYTHON_ARGUMENT.search(output), output
    assert NAMED_OPTIONS.get(case, "") in output


@pytest.mark.parametrize("command", ["repl", "ugi"])
def test_prompt_messages_name_command_line_options(cli: Cli, script: Script, command: str) -> None:
    path = script(over=f"{OVER}\n: loop BEGIN FALSE UNTIL ;\n: OnGenerateMoves loop ;")
    lines = {"repl": "loop\n", "ugi": "ugi\nuginewgame\nposition startpos\ngo depth 1\nquit\n"}
    result = cli(command, path, "--max-seconds", "0.1", stdin=lines[command])
    assert "--max-seconds N" in result.out + result.err
    assert not PYTHON_ARGUMENT.search(result.out + result.err)


def test_python_messages_name_arguments(tmp_path: Path) -> None:
    """Messages for programs name the arguments of the library."""
    vm = forthvm.VM(budget=Budget(steps=100))
    with pytest.raises(ForthVMError) as caught:
        vm.interpret(": loop BEGIN FALSE UNTIL ; loop")
    assert caught.value.hints == ("raise the limit with Budget(steps=…)",)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--opening-plies", "-1"),
        ("--hang", "0"),
        ("--time", "inf"),
        ("--memory", "31"),
        ("--win-score", str(2**62 + 1)),
    ],
)
def test_match_errors_name_options(cli: Cli, option: str, value: str) -> None:
    """The message about a number out of range names its option."""
    result = cli("autoplay", "tictactoe", option, value)
    assert result.status == 2
    assert option in result.err
    assert value in result.err


def test_hints_name_the_python_arguments_outside_the_command_line() -> None:
    with for_command_line():
        assert advice(python="p", command_line="c") == "c"
    assert advice(python="p", command_line="c") == "p"


def constants(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yields texts that can be part of a message: no docstrings and no texts for Python only."""
    excluded = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            excluded.add(node.value)  # a docstring
        if isinstance(node, ast.keyword) and node.arg == "python":
            excluded.update(
                constant for constant in ast.walk(node.value) if isinstance(constant, ast.Constant)
            )
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in excluded:
            yield node


ONLY_IN_PYTHON = {
    "forthvm/core/budget.py",  # raised for a program that makes a Budget
    "forthvm/core/loading/library.py",  # --axiom accepts existing versions only
    "forthvm/core/errors/explainer.py",  # pairs of texts for Python and the command line
    "forthvm/engines/selfplay.py",  # no command uses it
    "forthvm/game/document/position_json.py",  # names entries of the document
}
"""Files whose messages may name arguments."""


@pytest.mark.slow
def test_no_message_in_the_source_names_an_argument() -> None:
    """Scans all texts for `Budget`, limits such as `max_seconds=`, and arguments of `load`."""
    folder = Path(forthvm.__file__).parent
    pattern = re.compile(r"Budget[(.]|\b(?:max_\w+|call_\w+|axiom|library|include|game_log)=")
    messages = []
    for path in sorted(folder.rglob("*.py")):
        name = f"forthvm/{path.relative_to(folder).as_posix()}"
        for node in constants(ast.parse(path.read_text("utf-8"))):
            if pattern.search(node.value) and name not in ONLY_IN_PYTHON:
                messages.append(f"{name}:{node.lineno}: {node.value}")
    assert messages == []
