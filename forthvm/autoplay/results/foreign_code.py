"""The code that a results file names: programs, Python modules and scripts.

Owns the list of this code, and the check of scripts against the digests in the file.  It must not
communicate with the user: the caller passes a function that asks for permission.

Results files may be from untrusted sources.  Without permission, no program is started, no module
is imported, and a script is loaded only if it is bundled or unchanged since the match began.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.untrusted_text import visible
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.source import file_digest, has_digest
from forthvm.core.text.advice import advice
from forthvm.engines.protocols.spec import split_program_spec
from forthvm.engines.registry import modules_in_spec, runs_program, split_engine
from forthvm.game import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from forthvm.autoplay.match.settings import Configuration, Settings
    from forthvm.game import Game

    Confirm = Callable[[Settings, Sequence[str]], bool]
    """Called with the match and a line for each program, module or script; returns permission."""

__all__ = [
    "UntrustedError",
    "check_permission",
    "engine_code",
    "refuse_changed_scripts",
    "source_digests",
]


class UntrustedError(MatchError):
    """A results file names code that the user has not allowed to run."""


def check_permission(
    settings: Settings, match: Mapping[str, object], confirm: Confirm | None
) -> None:
    """Check that the programs, modules and scripts of a match may be run.

    Args:
        settings: The settings of the match.
        match: The table `match` of the file.
        confirm: Called if code needs permission; None refuses permission.

    Raises:
        UntrustedError: Permission was refused.
        MatchError: A script has changed since the match began.
    """
    code = engine_code(settings)
    for configuration, digests in _with_sources(settings, match):
        if digests is None:
            code.append(
                f"loads the script {visible(configuration.game)}, for which it has no digest"
            )
        elif problem := _problem(configuration, digests):
            raise MatchError(problem)
    if code and not (confirm is not None and confirm(settings, code)):
        allow = advice(python="a function `confirm` that returns True", command_line="--trust")
        raise UntrustedError(
            f"this results file {'; '.join(code)}",
            hints=(f"{allow} allows it, if you trust the file and the code that it names",),
        )


def refuse_changed_scripts(settings: Settings, match: Mapping[str, object]) -> None:
    """Check that the scripts have not changed since the match began.

    Raises:
        UntrustedError: A script has changed, or the file has no digest of it.
    """
    for configuration, digests in _with_sources(settings, match):
        name = visible(configuration.game)
        problem = f"these results have no digest of the script {name}"
        if digests is not None:
            problem = _problem(configuration, digests)
        if problem:
            raise UntrustedError(problem, hints=("--trust loads it anyway",))


def source_digests(settings: Settings, games: Sequence[Game]) -> list[dict[str, str]]:
    """Return for each configuration the digests of its files by path; empty for bundled games."""
    return [
        {
            str(path): file_digest(path)
            for path in dict.fromkeys(map(Path.absolute, game._loaded.files))
        }
        if _has_own_files(configuration)
        else {}
        for configuration, game in zip(settings.configurations, games, strict=True)
    ]


def engine_code(settings: Settings) -> list[str]:
    """Return one line for each program that the engines start and each module that they import.

    Raises:
        MatchError: An engine's specification is invalid.
    """
    effects: dict[str, None] = {}
    for entrant in settings.entrants:
        try:
            name, options = split_engine(entrant.spec)
            if runs_program(name):
                program = split_program_spec(options["spec"], name).get("cmd", "")
                effects[f"starts the program {visible(program)}"] = None
            for module in modules_in_spec(entrant.spec):
                effects[f"imports the Python module {visible(module)}"] = None
        except ForthVMError as error:
            raise MatchError(f"entrant {entrant.name}: {error}") from error
    return list(effects)


# --- scripts --------------------------------------------------------------------------------------


def _with_sources(
    settings: Settings, match: Mapping[str, object]
) -> list[tuple[Configuration, dict[str, str] | None]]:
    """Return the configurations that have files of their own, with the digests of the files.

    The digests are None if the results file has no digests.
    """
    sources = match.get("sources")
    digests = sources if isinstance(sources, list) else []
    return [
        (configuration, digests[at] if at < len(digests) else None)
        for at, configuration in enumerate(settings.configurations)
        if _has_own_files(configuration)
    ]


def _has_own_files(configuration: Configuration) -> bool:
    """Whether a configuration has files that are neither bundled nor installed."""
    return configuration.library is not None or _main_script(configuration) is not None


def _main_script(configuration: Configuration) -> Path | None:
    """Return the path of the main script; None if the configuration names a bundled game."""
    try:
        name, path = find_game(configuration.game)
    except (ForthVMError, OSError, ValueError):
        return None  # loading the game reports the error
    return None if name == configuration.game else path.absolute()


def _problem(configuration: Configuration, digests: Mapping[str, str]) -> str:
    """Describe how the files of a configuration differ from the digests; "" if they are equal."""
    main = _main_script(configuration)
    names = list(digests)
    if main is not None and str(main) not in digests:
        names.append(str(main))
    if configuration.library is not None:
        folder = Path(configuration.library).absolute()
        names += [str(folder)] if not any(folder in Path(name).parents for name in names) else []
    for name in names:
        if not has_digest(Path(name), digests.get(name, "")):
            return (
                f"{visible(configuration.name)} is not what it was when this match began: "
                f"{visible(name)} has changed or does not exist"
            )
    return ""
