"""The folders of the user in which forthvm keeps settings, state and caches.

Owns where they are on each system.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CACHE", "CONFIG", "STATE", "Kind", "cache_folder", "config_folder", "state_folder"]


class Kind:
    """Where the system keeps the files of a kind: variables, and folders below the home folder."""

    def __init__(self, xdg_variable: str, default: str, macos: str, windows_variable: str) -> None:
        self.xdg_variable = xdg_variable
        self.default = default
        self.macos = macos
        self.windows_variable = windows_variable

    def base(self, system: str, variables: Mapping[str, str], home: str) -> str:
        """Return the folder that contains the folders of all programs.

        Args:
            system: The system as in `sys.platform`.
            variables: The environment variables.
            home: The home folder of the user.
        """
        if system == "win32":
            return variables.get(self.windows_variable) or home
        chosen = variables.get(self.xdg_variable, "")
        if chosen.startswith("/"):  # the XDG specification ignores relative paths
            return chosen
        return f"{home}/{self.macos if system == 'darwin' else self.default}"


CACHE = Kind("XDG_CACHE_HOME", ".cache", "Library/Caches", "LOCALAPPDATA")
CONFIG = Kind("XDG_CONFIG_HOME", ".config", "Library/Application Support", "APPDATA")
STATE = Kind("XDG_STATE_HOME", ".local/state", "Library/Application Support", "LOCALAPPDATA")


def cache_folder() -> str | None:
    """Return the folder of caches; None if the user has no home folder."""
    base = _base(CACHE)
    return os.path.join(base, "forthvm") if os.path.isabs(base) else None  # noqa: PTH117, PTH118


def config_folder() -> Path:
    """Return the folder of settings; below the null device if the user has no home folder."""
    return _folder(CONFIG)


def state_folder() -> Path:
    """Return the folder of histories and of saved tables; see `config_folder`."""
    return _folder(STATE)


def _base(kind: Kind) -> str:
    return kind.base(sys.platform, os.environ, os.path.expanduser("~"))  # noqa: PTH111


def _folder(kind: Kind) -> Path:
    base = Path(_base(kind))
    # No file below the null device can be read or written.
    return (base if base.is_absolute() else Path(os.devnull)) / "forthvm"
