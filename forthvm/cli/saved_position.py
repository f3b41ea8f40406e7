"""Replaces missing options by the game, seed and settings of a saved position.

Owns reading the file once, comparing it with the options, and asking for permission before loading
a script or library that is named in the file and not on the command line.  Of the file it reads
only `About`: game, script, library, version, seed and settings.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.catalogue.bundled import find_game, is_name
from forthvm.cli.files import read_text
from forthvm.cli.options import AXIOM_VERSIONS, CELL_HIGH, CELL_LOW
from forthvm.cli.status import UsageError
from forthvm.cli.terminal import ask_permission, can_ask
from forthvm.core.errors import PositionError, UnknownGameError
from forthvm.core.loading.source import has_digest
from forthvm.core.text.visible import visible
from forthvm.game.document.reading import About, read_about

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["fill_in_options", "fill_in_rule_file"]

_ADVICE_WITHOUT_SCRIPT = "give the script as GAME"


def fill_in_options(args: argparse.Namespace) -> None:
    """Fills in missing options from the file or link of --position.

    Also sets `saved_in` (its name in messages), `saved_text`, `saved_game` and `clock` of `args`;
    they are not options.

    Raises:
        UsageError: an option contradicts the file, or the user does not permit loading the script
            or library named in the file.
        PositionError: the file is not a saved position.
    """
    from forthvm.web.table.position_link import document_in, is_link

    if is_link(str(args.position)):
        args.saved_in = "the link"
        text = document_in(str(args.position)).decode(errors="replace")
    else:
        args.saved_in = str(args.position)
        text = read_text(args.position)
    args.saved_text = text
    about = read_about(text)
    _check_version_and_seed(about)
    _refuse_differences(args, about)
    named = _named_files(args, about)
    listed = (f"  the {kind} {path}" for kind, path in named.items())
    if _needs_permission(named, about) and not ask_permission(f"{args.saved_in} loads", *listed):
        files = " and ".join(f"the {kind} {visible(path)}" for kind, path in named.items())
        reason = "" if can_ask() else ", and there is no terminal to ask at"
        raise UsageError(
            f"{args.saved_in} names {files}, which is loaded only with permission{reason}; "
            f"{_advice(named)}"
        )
    args.saved_game = about.game
    args.seed, args.axiom, args.clock = about.seed, about.axiom, about.clock
    if about.settings is not None:
        args.set = list(about.settings.items())
    args.game = args.game or named.get("script") or _game_name(args.saved_in, about)
    args.variant = args.variant or about.variant
    if "library" in named:
        args.axiom_lib = Path(named["library"])


def fill_in_rule_file(args: argparse.Namespace) -> None:
    """Fills in game and variant from the saved game of Zillions (.zsg) of --position.

    Sets `saved_zsg`, for `make_position`.

    Raises:
        SavedGameError: the file is broken, or its rule file is not in its folder.
    """
    from forthvm.game.zsg_replay import read_zsg

    args.saved_zsg = read_zsg(args.position)
    args.game = args.game or str(args.saved_zsg.rule_file())
    args.variant = args.variant or args.saved_zsg.saved.variant or None


def _check_version_and_seed(about: About) -> None:
    """Raises PositionError if the version or the seed is invalid."""
    if about.axiom not in AXIOM_VERSIONS:
        raise PositionError(f"not a valid position: there is no version {visible(about.axiom)}")
    if about.seed is not None and not CELL_LOW <= about.seed <= CELL_HIGH:
        raise PositionError(f"not a valid position: the seed {about.seed} does not fit into a cell")


def _refuse_differences(args: argparse.Namespace, about: About) -> None:
    """Raises UsageError, with both values, if an option differs from the file."""
    requested = {"seed": args.seed, "axiom": args.axiom}
    saved: dict[str, object] = {"seed": about.seed, "axiom": about.axiom}
    if about.settings is not None:
        requested |= dict(args.set)
        saved |= about.settings
    for name, value in requested.items():
        if value is None or value == saved.get(name):
            continue
        option = f"--{name} {value}" if name in ("seed", "axiom") else f"--set {name}={value}"
        saved_value = saved.get(name)
        raise UsageError(
            f"{option}: the position in {args.saved_in} was saved "
            f"{f'with {name}={saved_value}' if saved_value is not None else f'without {name}'}; "
            "leave the option out, since the file determines it"
        )


def _named_files(args: argparse.Namespace, about: About) -> dict[str, str]:
    """Returns the paths of the script and library that only the file names, by kind."""
    named = {}
    if args.game is None and about.script is not None:
        named["script"] = about.script
    if args.axiom_lib is None and about.library is not None:
        named["library"] = about.library
    return named


def _needs_permission(named: Mapping[str, str], about: About) -> bool:
    """Whether the user must permit loading the named files.

    A script that has not changed since the position was saved needs no permission.
    """
    if set(named) == {"script"}:
        return not has_digest(Path(named["script"]), about.script_digest or "")
    return bool(named)


def _game_name(file: str, about: About) -> str:
    """Returns the game's name, which must be that of a bundled or installed game."""
    if not is_name(about.game):
        raise UsageError(f"{file} does not name its script: {_ADVICE_WITHOUT_SCRIPT}")
    try:
        find_game(about.game)
    except UnknownGameError as error:
        raise UsageError(
            f"{file} is of a game that is not installed: {error}; {_ADVICE_WITHOUT_SCRIPT}"
        ) from error
    return about.game


def _advice(named: Iterable[str]) -> str:
    """Returns the advice to give the named script or library on the command line."""
    options = {"script": "GAME", "library": "--axiom-lib"}
    return "give " + " and ".join(f"the {kind} as {options[kind]}" for kind in named)
