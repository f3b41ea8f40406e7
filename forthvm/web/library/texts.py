"""The texts about the rules of a game of the library, which has no table.

Owns the process that loads the game, since a file of the library may do harm.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.budget import script_budget
from forthvm.core.failure import ForthVMError
from forthvm.core.output import discard
from forthvm.game import load
from forthvm.library.describing import CALL_SECONDS, MAX_OUTPUT, RUN_SECONDS
from forthvm.library.scan import SECONDS
from forthvm.library.workers import KilledError, Workers
from forthvm.web.table.rule_texts import rule_texts

if TYPE_CHECKING:
    from forthvm.library.entry import Entry

__all__ = ["GameTexts"]

_MAX_TEXTS = 1 << 20  # characters


class GameTexts:
    """Reads texts, one after the other."""

    def __init__(self) -> None:
        """Begin without a process."""
        self._workers = Workers(1)

    def of(self, entry: Entry) -> dict[str, object] | None:
        """Return the texts of a game, as `rule_texts` does; None of another file.

        Raises:
            ForthVMError: The game cannot be loaded any more.
        """
        if entry.kind != "game" or not entry.loads:
            return None
        try:
            return self._workers.submit(SECONDS, _texts, Path(entry.path)).result()
        except (KilledError, MemoryError, OSError) as error:
            raise ForthVMError(str(error) or "it needs too much memory") from error

    def close(self) -> None:
        """End the process."""
        self._workers.close()


def _texts(path: Path) -> dict[str, object]:
    budget = script_budget(call_seconds=CALL_SECONDS, seconds=RUN_SECONDS, output=MAX_OUTPUT)
    with load(path, budget=budget, output=discard) as game:
        texts = rule_texts(game)
    if len(json.dumps(texts)) > _MAX_TEXTS:
        raise ForthVMError("its texts are too long")
    return texts
