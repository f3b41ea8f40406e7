"""What a file of results has others run: programs, Python modules and scripts that it names.

Owns the list of these, and the check of scripts against the digests that the file has of them.
It must not ask people.

A file may come from anywhere.  It never starts a program or imports a module by itself, and a
script is only loaded if it is bundled or holds what it held when the match began.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.untrusted_text import visible
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.source import file_digest, has_digest
from forthvm.engines.registry import named_modules, split_engine
from forthvm.engines.ugi.spec import split_ugi_spec
from forthvm.game import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from forthvm.autoplay.match.settings import Configuration, Settings
    from forthvm.game import Game

    Confirm = Callable[[Settings, Sequence[str]], bool]
    """Gets the match and what its file would run, a line for each; True allows it."""

__all__ = ["UntrustedError", "confirmed", "engine_code", "refuse_changed_scripts", "sources_of"]


class UntrustedError(MatchError):
    """A file of results names code that it has not been allowed to run."""


def confirmed(settings: Settings, rows: Mapping[str, object], confirm: Confirm | None) -> None:
    """Lets a match go on whose programs, modules and scripts may be run.

    Args:
        settings: The match in the file.
        rows: The table `match` of the file.
        confirm: Is asked where there is something to be allowed; None: it is not allowed.

    Raises:
        UntrustedError: it may not.
        MatchError: a script has changed since the match began.
    """
    wanted = engine_code(settings)
    for configuration, kept in _with_sources(settings, rows):
        if kept is None:
            wanted.append(
                f"loads the script {visible(configuration.game)}, of which it says nothing"
            )
        elif problem := _problem(configuration, kept):
            raise MatchError(problem)
    if wanted and not (confirm is not None and confirm(settings, wanted)):
        raise UntrustedError(
            f"this file of results {'; '.join(wanted)}",
            hints=("--trust allows it, where you know the file and what it names",),
        )


def refuse_changed_scripts(settings: Settings, rows: Mapping[str, object]) -> None:
    """Refuses to load scripts that are not those of the match, or not known to be.

    Raises:
        UntrustedError: there is one.
    """
    for configuration, kept in _with_sources(settings, rows):
        name = visible(configuration.game)
        problem = f"these results do not say what the script {name} held"
        if kept is not None:
            problem = _problem(configuration, kept)
        if problem:
            raise UntrustedError(problem, hints=("--trust loads it all the same",))


def sources_of(settings: Settings, games: Sequence[Game]) -> list[dict[str, str]]:
    """The files that each configuration has loaded, with digests; none of what is bundled."""
    return [
        {str(path): file_digest(path) for path in dict.fromkeys(map(Path.absolute, game.files))}
        if _is_outside(configuration)
        else {}
        for configuration, game in zip(settings.configurations, games, strict=True)
    ]


def engine_code(settings: Settings) -> list[str]:
    """What the engines of a match start or import, a line each.

    Raises:
        MatchError: an engine's specification cannot be read.
    """
    found: dict[str, None] = {}
    for entrant in settings.entrants:
        try:
            name, options = split_engine(entrant.spec)
            if name == "ugi":
                program = split_ugi_spec(options["spec"]).get("cmd", "")
                found[f"starts the program {visible(program)}"] = None
            for module in named_modules(entrant.spec):
                found[f"imports the Python module {visible(module)}"] = None
        except ForthVMError as error:
            raise MatchError(f"entrant {entrant.name}: {error}") from error
    return list(found)


# --- scripts --------------------------------------------------------------------------------------


def _with_sources(
    settings: Settings, rows: Mapping[str, object]
) -> list[tuple[Configuration, dict[str, str] | None]]:
    """The configurations that are not bundled, with what the file says of their sources."""
    kept = rows.get("sources")
    known = kept if isinstance(kept, list) else []
    return [
        (configuration, known[at] if at < len(known) else None)
        for at, configuration in enumerate(settings.configurations)
        if _is_outside(configuration)
    ]


def _is_outside(configuration: Configuration) -> bool:
    """Whether a configuration has files that are neither bundled nor installed."""
    return configuration.library is not None or _main(configuration) is not None


def _main(configuration: Configuration) -> Path | None:
    """The main script where it is named by its path, None for the name of a game."""
    try:
        name, path = find_game(configuration.game)
    except (ForthVMError, OSError, ValueError):
        return None  # there is none, which loading it tells
    return None if name == configuration.game else path.absolute()


def _problem(configuration: Configuration, kept: Mapping[str, str]) -> str:
    """Why the sources of a configuration are not those of the match; empty: they are."""
    main = _main(configuration)
    names = list(kept)
    if main is not None and str(main) not in kept:
        names.append(str(main))
    if configuration.library is not None:
        folder = Path(configuration.library).absolute()
        names += [str(folder)] if not any(folder in Path(name).parents for name in names) else []
    for name in names:
        if not has_digest(Path(name), kept.get(name, "")):
            return (
                f"{visible(configuration.name)} is not what it was when this match began: "
                f"{visible(name)} has changed or is gone"
            )
    return ""
