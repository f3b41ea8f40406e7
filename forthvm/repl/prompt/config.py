"""The user's settings: location, validation and errors of the settings file.

Owns reading the file.  An invalid file never stops the REPL: errors are reported, and defaults
are used.  It must not know what the settings do.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from forthvm.core.value import Value

__all__ = ["Settings", "config_path", "history_path", "read_settings"]


_MOST = 1 << 20
"""Bytes of a settings file."""


class Settings(Value, kw_only=True):
    """The settings of a user.

    Attributes:
        keys: `emacs` or `vi`.
        theme: `dark`, `light`, `plain`, or a Pygments style.
        colours: Styles by kind of text, over those of the theme.
        bindings: Lines by the key that runs them, such as `f5`.
        complete_while_typing: Completions appear while typing, not only after Tab.
        suggest: The rest of a line of the history is offered in grey.
        stack: The stack is shown after each line.
        board: The board is shown after each move.
        page: Long output waits for a key.
        history: File of the history; empty: none is kept.
    """

    keys: str = "emacs"
    theme: str = "dark"
    colours: dict[str, str] = {}  # noqa: RUF012 - never changed
    bindings: dict[str, str] = {}  # noqa: RUF012 - never changed
    complete_while_typing: bool = True
    suggest: bool = True
    stack: bool = True
    board: bool = True
    page: bool = True
    history: str = ""


def config_path() -> Path:
    """The path of the settings file on this platform."""
    return _folder("XDG_CONFIG_HOME", ".config", "APPDATA") / "repl.toml"


def history_path() -> Path:
    """The path of the history on this platform."""
    return _folder("XDG_STATE_HOME", ".local/state", "LOCALAPPDATA") / "history"


def _folder(variable: str, default: str, windows: str) -> Path:
    try:
        home = Path("~").expanduser()
    except RuntimeError:  # a user without HOME and without an entry among the users
        home = Path(os.devnull)  # below which no file can be read or written
    if sys.platform == "win32":
        return Path(os.environ.get(windows) or home) / "forthvm"
    wished = os.environ.get(variable, "")
    if wished.startswith("/"):  # the standard says to ignore relative ones
        return Path(wished) / "forthvm"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "forthvm"
    return home / default / "forthvm"


def read_settings(path: Path, *, must_exist: bool = False) -> tuple[Settings, list[str]]:
    """Read the settings file.

    Args:
        path: The file.
        must_exist: A missing file is an error.

    Returns:
        The settings, and the errors in the file, one line each.
    """
    defaults = Settings(history=str(history_path()))
    try:
        data = _bytes_of(path)
    except FileNotFoundError:
        return defaults, [f"{path}: there is no such file"] if must_exist else []
    except OSError as error:
        return defaults, [f"cannot read {path}: {error.strerror or error}"]
    import tomllib

    try:
        found = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # the text is not valid TOML
        return defaults, [f"{path}: not TOML: {error}; the defaults are used"]
    return _take(found, defaults, path)


def _bytes_of(path: Path) -> bytes:
    """A settings file's bytes; opening a FIFO would wait for a writer."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError("not a regular file")
    with path.open("rb") as file:
        data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise OSError(f"larger than {_MOST >> 10} KiB")
    return data


def _take(found: dict[str, object], defaults: Settings, path: Path) -> tuple[Settings, list[str]]:
    known = vars(defaults)
    good: dict[str, object] = {}
    wrong = []
    for name, value in found.items():
        if name not in known:
            wrong.append(f"{path}: no setting `{name}`{_near(name, known)}")
            continue
        value = "" if name == "history" and value is False else value  # noqa: PLW2901
        problem = _problem(name, value, known[name])
        if problem:
            wrong.append(f"{path}: {name} {problem}; the default is used")
        else:
            good[name] = value
    return defaults.replace(**good), wrong


def _problem(name: str, value: object, default: object) -> str:
    """The error in a value, empty if it is valid."""
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else f"is true or false, not {value!r}"
    if isinstance(default, dict):
        if isinstance(value, dict) and all(isinstance(one, str) for one in value.values()):
            return ""
        return "is a table of texts"
    if not isinstance(value, str):
        return f"is a text, not {value!r}"
    if name == "keys" and value not in ("emacs", "vi"):
        return f'is "emacs" or "vi", not {value!r}'
    return ""


def _near(name: str, known: dict[str, object]) -> str:
    from forthvm.core.text.wording import close_names

    near = close_names(name, known)
    return f"; did you mean `{near[0]}`?" if near else f" (there are {', '.join(known)})"
