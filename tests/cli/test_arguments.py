"""Plain command lines: whatever is read without argparse is what argparse would have read."""

from __future__ import annotations

import importlib
import random
from types import ModuleType

import pytest

from forthvm.cli.app import COMMANDS, UsageError
from forthvm.cli.arguments import Declared, read_plain
from forthvm.cli.parser import make_parser


def command(name: str) -> ModuleType:
    return importlib.import_module(f"forthvm.cli.{name.replace('-', '_')}")


def by_argparse(name: str, line: list[str]) -> dict[str, object] | None:
    parser = make_parser(f"forthvm {name}", "", "")
    command(name).configure(parser)
    try:
        return vars(parser.parse_args(line))
    except (UsageError, SystemExit):
        return None


VALUES = [
    *("3", "-3", "0", "1.5", "140", "150", "text", "x"),
    *("", "-", "--", "a b", "-1 2", "name=value", "="),
]


def lines_of(name: str, count: int) -> list[list[str]]:
    """Random lines: options of the command, in full, cut short and glued, and values between."""
    parser = make_parser(name, "", "")
    command(name).configure(parser)
    options = [text for action in parser._actions for text in action.option_strings]
    lots = random.Random(name)
    lines = []
    for _ in range(count):
        line = []
        for _ in range(lots.randrange(6)):
            option, value = lots.choice(options), lots.choice(VALUES)
            line += lots.choice(
                [[option], [option, value], [f"{option}={value}"], [value], [value], [option[:-1]]]
            )
        if "-h" not in line and not any("--help".startswith(token) for token in line if token):
            lines.append(line)
    return lines


@pytest.mark.parametrize("name", COMMANDS)
def test_plain_lines_are_read_as_argparse_reads_them(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in lines_of(name, 300):
        plain = read_plain(command(name).configure, line)
        if plain is not None:
            assert vars(plain) == by_argparse(name, line), line
    capsys.readouterr()


OPTIONS = ["--seed", "4", "--set", "a=b", "--set=c=d"]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("moves", ["a-game", *OPTIONS]),
        ("run", [*OPTIONS, "a-game", "--auto"]),
        ("show", ["a-game", *OPTIONS]),
        ("perft", ["a-game", *OPTIONS, "2"]),
        ("think", ["a-game", *OPTIONS, "--json"]),
        ("ugi", ["a-game"]),
        ("moves", []),
        ("moves", ["--position", "a-file"]),
        ("moves", ["--position", "a-file", "a-game"]),
        ("perft", ["--position", "a-file", "2"]),
    ],
)
def test_such_lines_are_plain(name: str, line: list[str]) -> None:
    plain = read_plain(command(name).configure, line)
    assert plain is not None
    assert vars(plain) == by_argparse(name, line)
    if "--seed" in line:
        assert (plain.game, plain.seed, plain.set) == ("a-game", 4, [("a", "b"), ("c", "d")])


@pytest.mark.parametrize(
    "line",
    [
        ["--help"],
        ["game", "-h"],
        ["game", "another"],
        ["game", "--seed"],
        ["game", "--seed", "-5"],
        ["game", "--seed", "many"],
        ["game", "--axiom", "90"],
        ["game", "--unknown"],
        ["game", "--json=yes"],
        ["--", "game"],
    ],
)
def test_lines_that_are_not_plain_are_left_to_argparse(line: list[str]) -> None:
    assert read_plain(command("moves").configure, line) is None


@pytest.mark.parametrize(
    "declare",
    [
        lambda one: one.add_argument("rest", nargs="*"),
        lambda one: one.add_argument("--some", nargs="?"),
        lambda one: (one.add_argument("one", nargs="?"), one.add_argument("two", nargs="?")),
        lambda one: one.add_argument("--count", action="count"),
        lambda one: one.add_argument("--number", type=int, default="3"),
        lambda one: one.add_mutually_exclusive_group().add_argument("--a"),
        lambda one: one.set_defaults(here=1),
    ],
)
def test_declarations_that_only_argparse_understands(declare: object) -> None:
    assert callable(declare)
    declared = Declared()
    declare(declared)
    assert not declared.plain
