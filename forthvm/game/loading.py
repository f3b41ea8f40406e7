"""Loads a game by name or path.

Owns what `load` takes, and the translation of its arguments to options.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm.catalogue.bundled import find_game
from forthvm.catalogue.options import LoadOptions
from forthvm.core.arguments import check, read_arguments
from forthvm.core.loading.files import chosen_folder, expand_user, shown_name
from forthvm.core.reading import ReadError, as_type, optional, satisfying
from forthvm.core.text.advice import advice
from forthvm.core.text.visible import shown
from forthvm.core.vm import VM_ARGUMENTS

from .game import Game, remember

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from forthvm.core.budget import Budget
    from forthvm.core.output import TextStream
    from forthvm.core.reading import Reader

__all__ = ["LOAD_ARGUMENTS", "load", "opened", "refuse_variant"]


_pairs = as_type(tuple[tuple[str, bool | int | str], ...])


def read_settings(value: object) -> tuple[tuple[str, str], ...]:
    """Read settings: a mapping, pairs as in a results file, or None for no settings."""
    pairs = tuple(value.items()) if isinstance(value, Mapping) else () if value is None else value
    try:
        chosen = _pairs(pairs)
    except ReadError:
        expected = 'texts, integers or bools by name, as {"NAME": "VALUE"}'
        raise ReadError(f"expected {expected}, not {shown(value)}") from None
    return tuple((n, ("off", "on")[v] if isinstance(v, bool) else str(v)) for n, v in chosen)


LOAD_ARGUMENTS: Mapping[str, Reader[Any]] = {
    **{name: read for name, read in VM_ARGUMENTS.items() if name not in ("log", "files")},
    "settings": read_settings,
    "variant": optional(
        satisfying(
            lambda value: isinstance(value, str | int) and not isinstance(value, bool),
            "the title or index of a variant",
        )
    ),
}
"""The readers of the arguments of `load`."""


def load(  # noqa: PLR0913 - keyword-only options, each of them documented
    name_or_path: str | os.PathLike[str],
    *,
    library: str | Path | None = None,
    axiom: int | str | None = None,
    seed: int | None = None,
    clock: int | None = None,
    checked: bool = False,
    budget: Budget | None = None,
    output: Callable[[str], object] | TextStream | None = None,
    settings: Mapping[str, str | int | bool] | Sequence[tuple[str, str]] | None = None,
    include: Sequence[str | Path] = (),
    game_log: str | Path | None = None,
    variant: str | int | None = None,
) -> Game:
    """Load a bundled game by its name, or a script or rule file (.zrf) by its path.

    Args:
        name_or_path: A name without path and extension, or a file.
        library: Folder of a user's own CORE.4TH and axiom.4th; None: the bundled library.
        axiom: Version of the original to emulate: 140, "140-exact" (with the faulty `piece-value`
            of version 140), 150 or 151.  None: the version that the user's library states, else
            150.
        seed: Seed of a script's two random streams, and the value of SYSTEM-TIME.  None: the
            streams start at 0, as in the original.
        clock: The value of SYSTEM-TIME, which `RANDOMIZE` uses as a seed; None: the seed if given,
            else 0, so that a game repeats.  `int(time.time())` makes it differ.
        checked: Report array indexes out of range and every underflow.
        budget: Limits of memory and of each run of the script.
        output: Receives the script's output: a function, a text stream, None for `sys.stdout`.
        settings: Values of settings (see `Game.settings`) by name: a value's name, a number, or
            a bool for `on` and `off`.  For a rule file: choices where the language leaves a rule
            open (docs/reference/zrf.md).  In every game, `OnShow` says who sees which pieces, for
            example `{"OnShow": "?general ~spy"}` (docs/guides/observations.md).  Pairs of names and
            values do, too.
        include: Further folders below which LOAD, or `include` of a rule file, may read.  Without
            them, files are read only below the folders of the main file and the library.
        game_log: The folder of a new log file, which receives the output of a script that sets
            `$gameLog ON`, from the end of loading on.  None: `$gameLog ON` has no effect.
        variant: For a rule file: the title of a game or variant in it, or its index in the file,
            from 0.  None: the one that the file marks as default, else the first game.

    Raises:
        TypeError, ValueError: An argument has another type, or is out of range.
        SettingError: The game has no such setting, or the setting has no such value.
        UnknownVariantError: There is no such variant.
        UnknownGameError: No bundled or installed game has that name.
        ScriptFileError: The file cannot be read as a script.
        NoGameError: The script defines no complete game.
        ForthVMError: The script fails.

    >>> load("tictactoe").players
    ('X', 'O')
    """
    given = read_arguments("load", LOAD_ARGUMENTS, locals())
    check(name_or_path, (str, os.PathLike), "load", "the name of a game or a path")
    name, path = find_game(name_or_path)
    if path.suffix.lower() == ".zsg" and path.is_file():
        from forthvm.core.errors import ScriptFileError

        raise ScriptFileError(
            f"{shown_name(path)} is a saved game, not a rule file",
            path=str(path),
            hints=["forthvm replay shows it, and the option --position continues it"],
        )
    if variant is not None and path.suffix.lower() != ".zrf":
        refuse_variant(name)
    given["library"] = _library(library)
    given["include"] = tuple(chosen_folder("include", folder) for folder in include)
    given["game_log"] = None if game_log is None else chosen_folder("game_log", game_log)
    del given["output"]
    options = LoadOptions(name=name, path=path.absolute(), **given)
    return remember(Game(options, output=output))


def opened(game: Game | str | os.PathLike[str], function: str) -> Game:
    """Return a game that is given as a `Game`, or as a name or path for `load`.

    Args:
        game: The game.
        function: The function that was called, for the message.

    Raises:
        TypeError: The argument is neither.
    """
    if isinstance(game, str | os.PathLike):
        return load(game)
    check(game, Game, function, "a game, such as forthvm.load(...) returns, or its name")
    return game


def refuse_variant(name: str) -> NoReturn:
    """Raise UnknownVariantError for a variant of a script."""
    from forthvm.zrf.source import UnknownVariantError

    option = advice(python="settings=", command_line="--set")
    raise UnknownVariantError(
        f"{name} is a script, and only rule files (.zrf) have variants: {option} chooses rules, "
        f"and variants of a script are games of their own (forthvm games {name})"
    )


def _library(library: str | Path | None) -> str | Path:
    """Return the library as an option: "axiom", or the absolute path of a folder."""
    if library is None or library == "axiom":
        return "axiom"
    return expand_user(library).absolute()
