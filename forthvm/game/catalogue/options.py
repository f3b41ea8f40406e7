"""The options with which a game was loaded.

Owns the fields of the options.  VM and Game apply the options.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from forthvm.core.budget import Budget

__all__ = ["ON_SHOW", "LoadOptions"]

ON_SHOW = "OnShow"
"""The setting of every game that says who sees which pieces (commentary/visible_board.py)."""


@dataclass(frozen=True)
class LoadOptions:
    """The options with which a game was loaded, without the target of its output.

    Attributes:
        name: Name of the game.
        path: Path of the main script.
        library: `axiom`, or a folder with a user's own library.
        axiom: The requested version of Axiom; None means the version that the user's library
            states, else 150.
        seed: Seed of a script's two random streams.
        clock: The value of SYSTEM-TIME; None means the seed if there is one, else 0.
        checked: Whether array bounds and every underflow are checked.
        budget: Limits of memory and of each run.
        settings: Names and values of the chosen settings.
        include: Further folders below which LOAD may read.
        game_log: Folder of the log that `$gameLog ON` writes; None: no log.
        variant: For a rule file (.zrf): title or index of the game or variant; None: the default.
    """

    name: str
    path: Path
    library: str | Path = "axiom"
    axiom: int | str | None = None
    seed: int | None = None
    clock: int | None = None
    checked: bool = False
    budget: Budget | None = None
    settings: tuple[tuple[str, str], ...] = ()
    include: tuple[Path, ...] = ()
    game_log: Path | None = None
    variant: str | int | None = None

    @property
    def rule_settings(self) -> dict[str, str]:
        """The settings that the script or the rule file offers: all but OnShow."""
        return {name: value for name, value in self.settings if name != ON_SHOW}

    @property
    def on_show(self) -> str:
        """The value of the setting OnShow; empty if it is not given."""
        return dict(self.settings).get(ON_SHOW, "")

    @property
    def system_time(self) -> int:
        """The value of SYSTEM-TIME: games do not depend on the time at which they are played."""
        return self.clock if self.clock is not None else self.seed or 0
