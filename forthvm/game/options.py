"""What a game was loaded with.  Owns the record; what the options do is for VM and Game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.value import Value

if TYPE_CHECKING:
    from pathlib import Path

    from forthvm.core.budget import Budget

__all__ = ["LoadOptions"]


class LoadOptions(Value):
    """What a game was loaded with, except where its output goes.

    Attributes:
        name: Name of the game.
        path: Its main script.
        library: `axiom`, or a folder with a user's own library.
        axiom: Version asked for, None for the library's own (150 for the bundled one).
        seed: Start of both random streams, and the clock.
        clock: What SYSTEM-TIME answers.
        checked: Array bounds and strict underflow are on.
        budget: Limits of memory and of each run.
        load_clock: What SYSTEM-TIME answers while the script is loaded, where neither seed
            nor clock says.
        settings: Names and values of the settings that were chosen.
        include: Further folders below which LOAD may read.
        game_log: Folder of the log that `$gameLog ON` writes; None: no log.
    """

    name: str
    path: Path
    library: str | Path = "axiom"
    axiom: int | str | None = None
    seed: int | None = None
    clock: int | None = None
    checked: bool = False
    budget: Budget | None = None
    load_clock: int | None = None
    settings: tuple[tuple[str, str], ...] = ()
    include: tuple[Path, ...] = ()
    game_log: Path | None = None
