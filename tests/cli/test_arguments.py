"""Parsing of command lines: options between arguments, repeated options, invalid lines."""

from __future__ import annotations

import importlib

from forthvm.cli.parser import is_repeatable, make_parser
from forthvm.cli.status import UsageError
from tests.kit.cases import each_case
from tests.kit.messages import raises

OPTIONS = ["--seed", "4", "--set", "a=b", "--set=c=d"]


def parse(name: str, line: list[str]) -> dict[str, object]:
    parser = make_parser(f"forthvm {name}")
    importlib.import_module(f"forthvm.cli.commands.{name}").configure(parser)
    return vars(parser.parse_args(line))


@each_case(
    ("name", "line"),
    [
        ("moves", ["a-game", *OPTIONS]),
        ("moves", [*OPTIONS, "a-game"]),
        ("run", [*OPTIONS, "a-game", "--auto"]),
        ("show", ["a-game", *OPTIONS]),
        ("perft", ["a-game", *OPTIONS, "2"]),
        ("perft", [*OPTIONS, "a-game", "2"]),
        ("think", ["a-game", *OPTIONS, "--json"]),
    ],
)
def test_options_are_accepted_in_any_position(name: str, line: list[str]) -> None:
    options = parse(name, line)
    assert (options["game"], options["seed"]) == ("a-game", 4)
    assert options["set"] == [("a", "b"), ("c", "d")]
    if name == "perft":
        assert options["depth"] == 2


def test_the_game_is_optional() -> None:
    assert parse("moves", [])["game"] is None
    assert str(parse("moves", ["--position", "a-file"])["position"]) == "a-file"
    assert parse("moves", ["--position", "a-file", "a-game"])["game"] == "a-game"
    options = parse("perft", ["--position", "a-file", "2"])
    assert (options["game"], options["depth"]) == (None, 2)


def test_negative_values_are_not_options() -> None:
    assert parse("moves", ["game", "--seed", "-5"])["seed"] == -5


@each_case(
    "line",
    [
        ["game", "another"],
        ["game", "--seed"],
        ["game", "--seed", "many"],
        ["game", "--see", "4"],
        ["game", "--axiom", "90"],
        ["game", "--unknown"],
        ["game", "--json=yes"],
    ],
)
def test_invalid_command_lines_raise(line: list[str]) -> None:
    with raises(UsageError, "arguments.help"):
        parse("moves", line)


def test_parser_lists_its_options_and_positionals() -> None:
    parser = make_parser("forthvm moves")
    importlib.import_module("forthvm.cli.commands.moves").configure(parser)
    assert [action.metavar for action in parser.positionals] == ["GAME"]
    assert {"--seed", "--set"} <= set(parser.options)
    assert not {"-h", "--help"} & set(parser.options)
    assert is_repeatable(parser.options["--set"])
    assert not is_repeatable(parser.options["--seed"])
