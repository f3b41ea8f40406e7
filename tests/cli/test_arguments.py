"""Parsing of command lines: options between arguments, repeated options, invalid lines."""

from __future__ import annotations

import pytest

from forthvm.cli.app import COMMANDS
from forthvm.cli.options import Option
from forthvm.cli.parser import command_module, is_repeatable, parser_of
from forthvm.cli.status import UsageError
from tests.kit.cases import each_case
from tests.kit.messages import raises

OPTIONS = ["--seed", "4", "--set", "a=b", "--set=c=d"]


def parse(name: str, line: list[str]) -> dict[str, object]:
    return vars(parser_of(name).parse_args(line))


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
    parser = parser_of("moves")
    assert [action.metavar for action in parser.positionals] == ["GAME"]
    assert {"--seed", "--set"} <= set(parser.options)
    assert not {"-h", "--help"} & set(parser.options)
    assert is_repeatable(parser.options["--set"])
    assert not is_repeatable(parser.options["--seed"])


@each_case("command", COMMANDS)
def test_rows_of_the_table_refer_to_each_other(command: str) -> None:
    """A row has a text for the help, and the options that it needs exist."""
    names = set(parser_of(command).options)
    for row in command_module(command).OPTIONS:
        if isinstance(row, Option):
            assert row.help
            assert names.issuperset(option.split(" ")[0] for option in row.needs)


def test_given_names_what_differs_from_the_defaults() -> None:
    line = ["a-game", "-n", "5", "--jobs", "2", "--max-plies", "2000", "--opening-plies", "0"]
    assert parse("autoplay", line)["given"] == ["GAME", "--games", "--opening-plies", "--jobs"]


@each_case(
    ("name", "line", "message"),
    [
        ("run", ["a-game", "--json"], "^--json needs --auto$"),
        ("repl", ["--files", "."], "^--files needs --std 2012$"),
        ("think", ["a-game", "--plies", "0"], "^--plies needs --evaluations$"),
        ("think", ["--counter-resets"], "^--counter-resets needs --evaluations$"),
        ("think", ["--evaluations", "--counter-resets"], "^--counter-resets needs --counter$"),
    ],
)
def test_an_option_is_refused_without_those_it_needs(
    name: str, line: list[str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        parse(name, line)
