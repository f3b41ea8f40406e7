"""The user's settings, read from a file.

Owns the location, parsing and validation of the settings file.  An invalid file does not stop the
REPL: errors are returned, and defaults are used.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_type_hints

from forthvm.core.reading import ReadError, as_type
from forthvm.system.files import failure_reason
from forthvm.system.folders import config_folder, state_folder

__all__ = ["Settings", "config_path", "history_path", "read_settings"]


_MAX_BYTES = 1 << 20
"""The maximum size of the settings file."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a user.

    Attributes:
        keys: `emacs` or `vi`.
        theme: `dark`, `light`, `plain`, or a Pygments style.
        colours: Styles by kind of text; they override the styles of the theme.
        bindings: Lines to run, by key; a key is written as `f5`.
        complete_while_typing: Show completions while the user types, not only after Tab.
        suggest: Suggest the end of a line from the history, in grey.
        stack: Show the stack after each line.
        board: Show the board after each move.
        page: Pause long output until a key is pressed.
        history: The file of the history; "" if the history is not saved.
    """

    keys: str = "emacs"
    theme: str = "dark"
    colours: dict[str, str] = field(default_factory=dict)
    bindings: dict[str, str] = field(default_factory=dict)
    complete_while_typing: bool = True
    suggest: bool = True
    stack: bool = True
    board: bool = True
    page: bool = True
    history: str = ""


def config_path() -> Path:
    """Return the path of the settings file on this platform."""
    return config_folder() / "repl.toml"


def history_path() -> Path:
    """Return the path of the history on this platform."""
    return state_folder() / "history"


def read_settings(path: Path, *, must_exist: bool = False) -> tuple[Settings, list[str]]:
    """Read the settings file.

    Args:
        path: The file.
        must_exist: Whether a missing file is an error.

    Returns:
        The settings, and the errors in the file, one line each.
    """
    defaults = Settings(history=str(history_path()))
    try:
        content = _bytes_of(path)
    except FileNotFoundError:
        return defaults, [f"{path}: there is no such file"] if must_exist else []
    except OSError as error:
        return defaults, [f"cannot read {path}: {failure_reason(error)}"]
    import tomllib

    try:
        values = tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # the text is not valid TOML
        return defaults, [f"{path}: not TOML: {error}; the defaults are used"]
    return _validated(values, defaults, path)


def _bytes_of(path: Path) -> bytes:
    """Return the bytes of a regular file; opening a FIFO would wait for a writer."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError("not a regular file")
    with path.open("rb") as file:
        content = file.read(_MAX_BYTES + 1)
    if len(content) > _MAX_BYTES:
        raise OSError(f"larger than {_MAX_BYTES >> 10} KiB")
    return content


def _validated(
    values: dict[str, Any], defaults: Settings, path: Path
) -> tuple[Settings, list[str]]:
    """Return the settings with the valid values of a file, and the errors of invalid values."""
    defaults_by_name = vars(defaults)
    valid: dict[str, Any] = {}
    errors = []
    for name, value in values.items():
        if name not in defaults_by_name:
            errors.append(f"{path}: no setting `{name}`{_suggestion(name, defaults_by_name)}")
            continue
        value = "" if name == "history" and value is False else value  # noqa: PLW2901
        error = _error(name, value)
        if error:
            errors.append(f"{path}: {name}: {error}; the default is used")
        else:
            valid[name] = value
    return replace(defaults, **valid), errors


def _error(name: str, value: object) -> str:
    """Return the error in a value; "" if the value is valid."""
    try:
        as_type(get_type_hints(Settings)[name])(value)
    except ReadError as error:
        return str(error)
    if name == "keys" and value not in ("emacs", "vi"):
        return f'expected "emacs" or "vi", not {value!r}'
    return ""


def _suggestion(name: str, defaults_by_name: dict[str, object]) -> str:
    from forthvm.core.text.wording import close_names

    similar = close_names(name, defaults_by_name)
    return (
        f"; did you mean `{similar[0]}`?"
        if similar
        else f" (there are {', '.join(defaults_by_name)})"
    )
