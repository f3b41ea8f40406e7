"""The folders of the user in which forthvm keeps settings and state.

Owns where they are on each platform.  It must not know what they contain.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["config_folder", "state_folder"]


def config_folder() -> Path:
    """Return the folder of settings on this platform."""
    return _folder("XDG_CONFIG_HOME", ".config", "APPDATA")


def state_folder() -> Path:
    """Return the folder of histories and of saved tables on this platform."""
    return _folder("XDG_STATE_HOME", ".local/state", "LOCALAPPDATA")


def _folder(xdg_variable: str, default: str, windows_variable: str) -> Path:
    """Return forthvm's folder for files of a kind, below one of the user's standard folders."""
    try:
        home = Path("~").expanduser()
    except RuntimeError:  # no HOME and no entry in the user database
        home = Path(os.devnull)  # no file below this path can be read or written
    if sys.platform == "win32":
        return Path(os.environ.get(windows_variable) or home) / "forthvm"
    folder = os.environ.get(xdg_variable, "")
    if folder.startswith("/"):  # the XDG specification ignores relative paths
        return Path(folder) / "forthvm"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "forthvm"
    return home / default / "forthvm"
