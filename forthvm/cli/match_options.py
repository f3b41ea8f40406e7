"""Creates or resumes the match that the options of `forthvm autoplay` describe.

Owns parsing of entrants, clocks and adjudication rules.  It must not play games.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.files import read_text
from forthvm.cli.loading import add_current_folder_to_sys_path, library_of, variant_of
from forthvm.cli.options import integer
from forthvm.cli.status import UsageError
from forthvm.cli.terminal import ask_permission

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.autoplay import Configuration, Entrant, Match, Settings, TimeControl

__all__ = [
    "DEFAULT_GAMES",
    "configuration_of",
    "create_match",
    "resume_match",
]

DEFAULT_GAMES = 10

_ALLOWED_WITH_RESUME = {
    "--resume", "--trust", "--games", "--jobs", "--workers", "--executor",
    "--quiet", "--json", "--article",
}  # fmt: skip


def resume_match(args: argparse.Namespace) -> Match:
    """Opens the match in a results file; --games adds games."""
    from forthvm.autoplay import Match

    forbidden = [name for name in args.given if name not in _ALLOWED_WITH_RESUME]
    if forbidden:
        raise UsageError(f"--resume continues the recorded match: leave out {', '.join(forbidden)}")

    def confirm(settings: Settings, requests: Sequence[str]) -> bool:
        if not args.trust and not ask_permission(
            f"{args.resume}:", *(f"  {line}" for line in requests)
        ):
            return False
        for entrant in settings.entrants:
            add_current_folder_to_sys_path(entrant.spec)
        return True

    return Match.resume(args.resume, games=args.games, confirm=confirm)


def create_match(args: argparse.Namespace) -> Match:
    """Creates a match and its results file."""
    from forthvm.autoplay import Match
    from forthvm.autoplay.match.executors import dask_address
    from forthvm.autoplay.match.openings import read_openings
    from forthvm.autoplay.match.running_game import LoadedMatch
    from forthvm.autoplay.results.store import FileTakenError

    if args.executor is not None:
        dask_address(args.executor)  # before the results file is created
    settings = _settings(args)
    for entrant in settings.entrants:
        add_current_folder_to_sys_path(entrant.spec)
    openings = []
    if args.openings is not None:
        openings = read_openings(read_text(args.openings), LoadedMatch(settings))
    if args.out is not None:
        return Match.create(settings, args.out, openings)
    for path in _unused_paths(settings):
        with suppress(FileTakenError):  # another process created this file in the meantime
            return Match.create(settings, path, openings)
    base = settings.configurations[0].name
    raise UsageError(f"too many files {base}.autoplay-….db here; choose a name with --out FILE")


def _unused_paths(settings: Settings) -> Iterator[Path]:
    """Yields paths of files that do not exist yet, so that no results are overwritten."""
    base = settings.configurations[0].name
    for number in range(1, 10_000):
        path = Path(f"{base}.autoplay{'' if number == 1 else f'-{number}'}.db")
        if not path.exists():
            yield path


def _settings(args: argparse.Namespace) -> Settings:
    from forthvm.autoplay import Adjudication, MatchError, Settings

    if not args.game:
        raise UsageError("GAME is missing (`forthvm games` lists the games)")
    if len(args.game) > 2:
        raise UsageError("expected one GAME, or two configurations of a game")
    configurations = [configuration_of(args, name) for name in args.game]
    time_control = _time_control(args, [text for text in args.clock if "=" not in text])
    entrants = _entrants(args, configurations)
    win_values = _numbers(args.win_score, "--win-score", 2)
    draw_values = _numbers(args.draw_score, "--draw-score", 3)
    rules = {
        **dict(zip(("win_score", "win_plies"), win_values, strict=False)),
        **dict(zip(("draw_score", "draw_plies", "draw_after"), draw_values, strict=False)),
    }
    try:
        return Settings(
            configurations=tuple(configurations),
            entrants=tuple(entrants),
            games=args.games or DEFAULT_GAMES,
            schedule=args.schedule,
            seed=1 if args.seed is None else args.seed,
            depth=args.depth,
            nodes=args.nodes,
            time=time_control,
            opening_plies=args.opening_plies,
            adjudication=Adjudication(
                max_plies=args.max_plies, repetition=args.repetition, **rules
            ),
            on_failure=args.on_failure,
            hang=args.hang,
            memory=args.memory,
            max_seconds=args.max_seconds,
            max_memory=args.max_memory,
            sprt=tuple(args.sprt),
        )
    except MatchError as error:
        raise UsageError(str(error)) from error


def configuration_of(args: argparse.Namespace, name: str) -> Configuration:
    """Returns the configuration of a game with the options of VIRTUAL_MACHINE."""
    from forthvm.autoplay import Configuration
    from forthvm.game import find_game

    library = library_of(args)
    short_name, path = find_game(name)
    return Configuration(
        name=short_name,
        game=name if short_name == name else path,
        settings=args.set,
        variant=variant_of(args.variant),
        axiom=args.axiom,
        library=library,
        checked=args.checked,
        include=args.include,
    )


def _entrants(args: argparse.Namespace, configurations: Sequence[Configuration]) -> list[Entrant]:
    from forthvm.autoplay import Entrant

    names_and_specs = [_split_entrant(text) for text in args.engine]
    if len(configurations) > 1:
        names = [configuration.name for configuration in configurations]
        if names[0] == names[1]:
            names = [f"{name}#{at}" for at, name in enumerate(names, start=1)]
        specs_by_name = dict(names_and_specs)
        unknown = next((name for name in specs_by_name if name not in names), None)
        if unknown is not None:
            raise UsageError(
                f"--engine {unknown}=…: with two GAMEs the entrants are {' and '.join(names)}"
            )
        entrants = [
            Entrant(name=name, spec=specs_by_name.get(name, ""), configuration=at)
            for at, name in enumerate(names)
        ]
    else:
        entrants = [Entrant(name=name, spec=spec) for name, spec in names_and_specs]
        entrants = entrants or [Entrant(name=configurations[0].name)]
    return _with_clocks(args, entrants)


def _split_entrant(text: str) -> tuple[str, str]:
    """Returns the name and the specification in NAME=SPEC; without NAME, SPEC is also the name."""
    name, equals, spec = text.partition("=")
    if not equals or ":" in name:
        return text, text
    if not name or not spec:
        raise UsageError(f"--engine {text}: expected NAME=ENGINE")
    return name, spec


def _with_clocks(args: argparse.Namespace, entrants: list[Entrant]) -> list[Entrant]:
    from dataclasses import replace

    clocks = dict(text.split("=", 1) for text in args.clock if "=" in text)
    names = [entrant.name for entrant in entrants]
    unknown = next((name for name in clocks if name not in names), None)
    if unknown is not None:
        raise UsageError(f"--clock {unknown}=…: the entrants are {', '.join(names)}")
    return [
        replace(entrant, time=_time_control(args, [clocks[entrant.name]]))
        if entrant.name in clocks
        else entrant
        for entrant in entrants
    ]


def _time_control(args: argparse.Namespace, clocks: Sequence[str]) -> TimeControl:
    from dataclasses import replace

    from forthvm.autoplay import TimeControl

    if not clocks:
        return TimeControl(move=args.time, margin=args.margin)
    if len(clocks) > 1:
        raise UsageError(
            "expected one --clock for all entrants, and --clock NAME=… for single ones"
        )
    try:
        return replace(TimeControl.parse(clocks[0], margin=args.margin), move=args.time)
    except ValueError as error:
        raise UsageError(f"--clock: {error}") from error


def _numbers(text: str | None, option: str, max_count: int) -> list[int]:
    """Parses non-negative integers separated by colons."""
    if text is None:
        return []
    numbers = []
    with suppress(ValueError):
        numbers = [integer(0)(part) for part in text.split(":")]
    if not 0 < len(numbers) <= max_count:
        raise UsageError(
            f"{option} {text}: expected up to {max_count} integers separated by colons"
        )
    return numbers
