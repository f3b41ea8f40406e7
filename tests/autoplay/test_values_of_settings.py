"""Values of settings: a match refuses them before a file exists, or plays with them and resumes."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from forthvm.autoplay import (
    Adjudication,
    Configuration,
    Entrant,
    Match,
    MatchError,
    Settings,
    Store,
    StoreError,
    TimeControl,
)
from forthvm.core.loading.library import games_folder
from forthvm.system.limits import CAN_LIMIT_MEMORY
from tests.autoplay.matches import TICTACTOE
from tests.kit.cases import each_case

Value: TypeAlias = Any
"""The type of values that are wrong intentionally."""
ENTRANTS = (Entrant(name="A", spec="random"), Entrant(name="B", spec="random"))


def settings(**fields: Value) -> Settings:
    """Return the settings of two games of tic-tac-toe, with some other fields."""
    given = {"configurations": (TICTACTOE,), "entrants": ENTRANTS, "games": 2, **fields}
    return Settings(**given)


def configuration(**fields: Value) -> Configuration:
    return Configuration(**{"name": "x", "game": "tictactoe", **fields})


def entrant(**fields: Value) -> Entrant:
    return Entrant(**{"name": "A", **fields})


def wrong(
    make: Callable[..., object], expected: str, **fields: list[Any]
) -> list[tuple[Callable[..., object], str, str, Any]]:
    return [(make, expected, name, value) for name, values in fields.items() for value in values]


class Text(str):
    """A text of a class of its own."""


SEED, POSITIVE, COUNT = (f"an integer from {low} to 2**62, not " for low in ("-2**62", "1", "0"))
SECONDS = "a number from 0 to 2**62, not "
WRONG = [
    *wrong(settings, SEED, seed=[2**70, 2**62 + 1, 1.5, "7", True, math.nan, None]),
    *wrong(
        settings,
        POSITIVE,
        nodes=[1e4, 2.5, 0, -1, math.nan],
        depth=[True, 0],
        games=[2.0, True, "2", 0],
    ),
    *wrong(settings, SECONDS, max_seconds=[True, math.inf, -1, "1"]),
    *wrong(settings, "a number from 0.001 to 2**62, not ", hang=[math.inf, math.nan, "x", 0]),
    *wrong(settings, "an integer from 0 to 1024, not ", max_memory=[1.5, 2048, -1]),
    *wrong(settings, "an integer from 32 to 2147483648, not ", memory=["x", 31, 64.0]),
    *wrong(settings, "an integer from 0 to 1000, not ", opening_plies=["2", 1001, -1]),
    *wrong(settings, "the fields of TimeControl, not ", time=[1.0, None]),
    *wrong(settings, "the fields of Adjudication, not ", adjudication=[5, None]),
    *wrong(settings, "one of round-robin, gauntlet, swiss, fixed, not ", schedule=["knockout", 5]),
    *wrong(settings, "one of forfeit, void, not ", on_failure=["cry", None]),
    *wrong(
        settings, "a list, not ", sprt=["elo0=0 elo1=5"], entrants=[None], configurations=["chess"]
    ),
    *wrong(TimeControl, SECONDS, move=["1", -1], base=[-1], increment=[math.nan], margin=[True]),
    *wrong(TimeControl, COUNT, moves=[1.0]),
    *wrong(Adjudication, POSITIVE, max_plies=["5", 0]),
    *wrong(Adjudication, COUNT, win_score=[1.5, -1], repetition=[1.5], draw_plies=[True]),
    *wrong(Adjudication, SEED, draw_score=[0.5]),
    *wrong(entrant, "a text, not ", name=[5], spec=[None]),
    *wrong(entrant, COUNT, configuration=[-1, True]),
    *wrong(entrant, "the fields of TimeControl, not ", time=[1.0]),
    *wrong(configuration, "the title or index of a variant, not ", variant=[1.5, True]),
    *wrong(configuration, "one of 140, 140-exact, 150, 151, not ", axiom=[1.5, "152", True]),
    *wrong(configuration, "a text, not ", name=[5]),
    *wrong(configuration, "a path, not ", game=[5, b"chess"], library=[5]),
    *wrong(configuration, "true or false, not ", checked=[1, "no"]),
    *wrong(
        configuration,
        'texts, integers or bools by name, as {"NAME": "VALUE"}, not ',
        settings=["moves=leaps", 5, ["moves"], ["go"], {"moves": 1.5}, [("moves", "leaps", "x")]],
    ),
    *wrong(configuration, "a list, not ", include=["abc", 5]),
]
"""What makes a value, what it expects, the name of the field and a wrong value."""


@each_case(("make", "expected", "field", "value"), WRONG)
def test_a_wrong_value_is_refused(
    make: Callable[..., object], expected: str, field: str, value: object
) -> None:
    """The message names the field, what it accepts, and the value."""
    with pytest.raises(MatchError) as caught:
        make(**{field: value})
    assert str(caught.value).endswith(f": `{field}`: expected {expected}{value!r}")


@each_case(
    ("fields", "path"),
    [
        ({"entrants": (ENTRANTS[0], 5)}, "entrants[1]"),
        ({"entrants": ({"name": 5},)}, "entrants[0].name"),
        ({"entrants": (entrant(configuration=1),)}, "entrants[0].configuration"),
        ({"configurations": ["chess"]}, "configurations[0]"),
        ({"sprt": (0, 5)}, "sprt[0]"),
    ],
)
def test_the_message_has_the_path_of_a_wrong_value(fields: dict[str, Any], path: str) -> None:
    with pytest.raises(MatchError, match=path.partition("[")[0]) as caught:
        settings(**fields)
    assert f"`{path}`: " in str(caught.value)


@each_case(
    "fields",
    [
        *({"seed": seed} for seed in (2**62, -(2**62), 2**31, -1)),
        {"nodes": 2**62, "depth": 2**62},
        {"hang": 2**62, "max_seconds": 2**62, "max_memory": 1024},
        {"hang": 10, "max_seconds": 0, "max_memory": 0},
        {"memory": 2**31 if CAN_LIMIT_MEMORY else None, "opening_plies": 0},
        {"time": TimeControl(move=2**62, base=2**62), "schedule": Text("swiss")},
        {"adjudication": Adjudication(max_plies=2**62, win_score=2**62, draw_score=-(2**62))},
        {"adjudication": {}, "time": {"move": 1}},
        {"configurations": [TICTACTOE], "entrants": list(ENTRANTS)},
        {"sprt": ["elo0=0", "elo1=5"]},
        {"configurations": (configuration(name="", variant=None, axiom="140"),)},
    ],
)
def test_a_match_with_other_values_is_played_and_resumes(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    path = tmp_path / "a.db"
    path.unlink(missing_ok=True)
    with Match.create(settings(**fields), path) as match:
        match.run()
        played = match.rows, match.settings
    assert [row.void for row in played[0]] == [False, False]
    with Match.resume(path) as match:
        assert (match.rows, match.settings) == played


def test_a_configuration_takes_what_load_takes(tmp_path: Path) -> None:
    """The forms of paths and settings that results files have are those of the fields."""
    game = games_folder() / "rithmomachia/rithmomachia.4th"
    given = configuration(
        game=game, settings={"n-pieces": 12, "moves": "straight"}, include=[tmp_path]
    )
    assert given == configuration(
        game=str(game),
        settings=(("n-pieces", "12"), ("moves", "straight")),
        include=(str(tmp_path),),
    )
    rules = {"adjudication": Adjudication(max_plies=4), "configurations": (given,)}
    with Match.create(settings(**rules), tmp_path / "a.db") as match:
        match.run()
        assert [row.void for row in match.rows] == [False, False]
    with Match.resume(tmp_path / "a.db") as match:
        assert match.settings.configurations == (given,)


@each_case("openings", ["b2", ["b2"], [5], 5])
def test_wrong_openings_create_no_file(tmp_path: Path, openings: Value) -> None:
    with pytest.raises(MatchError, match="invalid openings: "):
        Match.create(settings(), tmp_path / "a.db", openings)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_could_not_be_read_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="match, 'games': expected an integer from 1 to 2"):
        Store.create(tmp_path / "a.db", {"games": 1.5})
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".db"] == []


@each_case("games", [1.5, True, "4", 0, 2**62 + 1])
def test_a_match_is_not_extended_by_a_wrong_number_of_games(tmp_path: Path, games: Value) -> None:
    path = tmp_path / "a.db"
    if not path.exists():
        Match.create(settings(), path).close()
    with pytest.raises(MatchError, match="`games`: expected an integer from 1 to"):
        Match.resume(path, games=games)
    with Match.resume(path) as match:
        assert match.games == 2
