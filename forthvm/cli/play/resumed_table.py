"""Finds the saved table that `forthvm board` continues.

Owns which saved table the options mean, and the options with which its game is loaded again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from forthvm.catalogue.bundled import find_game, is_name
from forthvm.cli.status import UsageError
from forthvm.core.errors import UnknownGameError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from forthvm.catalogue.options import LoadOptions
    from forthvm.game import Game
    from forthvm.web.table.saved_tables import SavedTables, TableFile
    from forthvm.web.table.table import Table

    Found: TypeAlias = tuple[TableFile, Mapping[str, Any]]

__all__ = ["identity_of", "of_same_command", "resume", "to_resume"]


def identity_of(game: Game) -> dict[str, Any]:
    """Returns the options from which the same game can be loaded, as JSON."""
    options = game._loaded.options
    bundled = is_name(options.name) and _is_bundled(options)
    return {
        "game": options.name if bundled else str(options.path),
        "variant": options.variant,
        "set": [list(setting) for setting in options.settings],
        "seed": options.seed,
        "clock": options.clock,
        "axiom": options.axiom and str(options.axiom),
        "axiom_lib": None if options.library == "axiom" else str(options.library),
        "include": [str(folder) for folder in options.include],
        "checked": options.checked,
    }


def _is_bundled(options: LoadOptions) -> bool:
    try:
        return find_game(options.name)[1].absolute() == options.path
    except UnknownGameError:
        return False


def to_resume(args: argparse.Namespace, saved_tables: SavedTables) -> Found | None:
    """Returns the table that --resume means, and sets the options of its game.

    Raises:
        UsageError: There is no such table.
    """
    if not args.resume:
        return None
    asked = None
    if args.game is not None:
        name, path = find_game(args.game)
        asked = {name, str(path.absolute())}
    for file, document in saved_tables.newest_first():
        try:
            if asked is None or file.about["game"]["game"] in asked:
                _use_options(args, file.about)
                return file, document
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"{file.path} is damaged ({error!r}): delete it") from error
    raise UsageError("there is no table to continue" + (f" of {args.game}" if asked else ""))


def _use_options(args: argparse.Namespace, about: Mapping[str, Any]) -> None:
    """Sets the options with which the game of a saved table was loaded."""
    game = about["game"]
    given = {key: value for key, value in game.items() if key not in ("set", "include")}
    vars(args).update(given)
    args.set = [(name, value) for name, value in game["set"]]
    args.include = [Path(folder) for folder in game["include"]]
    args.axiom_lib = game["axiom_lib"] and Path(game["axiom_lib"])
    args.variant = None if game["variant"] is None else str(game["variant"])
    args.name = args.name or about["names"]


def of_same_command(
    args: argparse.Namespace, game: Game, saved_tables: SavedTables
) -> Found | None:
    """Returns the table of an earlier command with the same game and port."""
    if args.resume or args.new_table or not args.port or args.position or args.moves:
        return None
    about = {"game": identity_of(game), "port": args.port}
    return next(
        (
            (file, document)
            for file, document in saved_tables.newest_first()
            if {key: file.about.get(key) for key in about} == about
        ),
        None,
    )


def resume(table: Table, file: TableFile, document: Mapping[str, Any]) -> None:
    """Continues a saved table.

    Raises:
        UsageError: The file is damaged.
    """
    from forthvm.web.table.document import restore

    try:
        missing = restore(table, document)
    except (KeyError, ValueError) as error:
        raise UsageError(
            f"{file.path} is damaged ({error!r}); --new-table begins another table"
        ) from error
    print("The table continues; --new-table begins another one.")
    if missing:
        print(f"warning: {missing}", file=sys.stderr)
