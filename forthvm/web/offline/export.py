"""Exported games: a table as a single HTML file, which is played without a server.

Owns which files of the package go into such a file.
"""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.offline.single_file import PAGE, join_modules, single_file

if TYPE_CHECKING:
    from forthvm.web.table.table import Table

__all__ = ["OFFLINE", "exported_page"]

OFFLINE = Path(__file__).parent
"""The modules and the core of exported games."""


def exported_page(table: Table) -> str:
    """Return an HTML document in which the game of a table is played from its start.

    Args:
        table: A table at the start of a game.
    """
    texts = {path.stem: json.loads(path.read_text("utf-8")) for path in PAGE.glob("texts/*.json")}
    data = {
        "offline-game": offline_game(table),
        "offline-core": b64encode((OFFLINE / "core.wasm").read_bytes()).decode(),
        "offline-worker": join_modules(OFFLINE / "worker.js"),
        "offline-texts": texts,
    }
    return single_file(
        "index.html",
        data,
        title=visible(table.game.title),
        modules={"connection.js": OFFLINE / "connection.js"},
        policy={"script-src": "'wasm-unsafe-eval'", "worker-src": "blob:"},
    )
