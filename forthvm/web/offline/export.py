"""Exported games: a table as a single HTML file, which is played without a server.

Owns which files of the package go into such a file.
"""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.web.modules import PAGE, join_modules
from forthvm.web.offline.offline_game import offline_game
from forthvm.web.offline.single_file import single_file

if TYPE_CHECKING:
    from forthvm.core.bindings import Network
    from forthvm.web.table.table import Table

__all__ = ["CORE", "OFFLINE", "core_for_browsers", "exported_page", "page_without_game"]

OFFLINE = Path(__file__).parent
"""The modules of exported games."""
CORE = OFFLINE / "core.wasm"
"""The core of exported games, which may be missing if forthvm was built from source."""


def core_for_browsers() -> bytes:
    """Return the core as WebAssembly.

    Raises:
        ForthVMError: It is missing in this installation.
    """
    if not CORE.exists():
        raise ForthVMError(
            "exported games contain the core as WebAssembly, which was not built when forthvm was "
            "installed",
            hints=(
                "install a compiler for it and then forthvm again (Debian, Ubuntu: apt install "
                "clang lld wasi-libc libclang-rt-dev-wasm32), or install a wheel of forthvm, which "
                "contains it",
            ),
        )
    return CORE.read_bytes()


def exported_page(table: Table, network: Network | None = None) -> str:
    """Return an HTML document in which the game of a table is played from its start.

    Args:
        table: A table at the start of a game.
        network: Evaluates positions; None: none.

    Raises:
        ForthVMError: The core for browsers is missing in this installation.
    """
    core = b64encode(core_for_browsers()).decode()
    return _page(offline_game(table, network), core, visible(table.game.title))


def page_without_game() -> str:
    """Return the document with null for the game and the core, which a page fills in."""
    return _page(None, None, "forthvm")


def _page(game: dict[str, object] | None, core: str | None, title: str) -> str:
    texts = {path.stem: json.loads(path.read_text("utf-8")) for path in PAGE.glob("texts/*.json")}
    data = {
        "offline-game": game,
        "offline-core": core,
        "offline-worker": join_modules(OFFLINE / "worker.js"),
        "offline-texts": texts,
    }
    return single_file(
        "index.html",
        data,
        title=title,
        modules={"connection.js": OFFLINE / "connection.js"},
        policy={"script-src": "'wasm-unsafe-eval'", "worker-src": "blob:"},
    )
