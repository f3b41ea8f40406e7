"""Writes a position as a JSON document.

Owns the format (position.schema.json, docs/reference/positions.md).  A document contains the cells
that differ from memory after loading the game.  Documents are therefore short, and valid only for
the same sources, which the digest identifies.

An engine of a script may change memory while it chooses a move.  If an engine changed memory in the
current position, the field `played` contains the changed memory.  If an engine changed memory in an
earlier position, the field `left` of the next move in `history` contains the change.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forthvm.catalogue.bundled import find_game
from forthvm.core.errors import UnknownGameError
from forthvm.core.loading.source import file_digest
from forthvm.core.text.visible import visible_json
from forthvm.game.memory.differences import changed_runs
from forthvm.game.memory.scratch import declared_scratch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.bindings import Snapshot
    from forthvm.game.loaded import LoadedGame
    from forthvm.game.moves import Move
    from forthvm.game.notation import HistoryEntry
    from forthvm.game.setup import Setup
    from forthvm.game.states import State

__all__ = ["FORMAT", "VARIANT", "VERSION", "schema", "write_document"]

FORMAT = "forthvm-position"
VERSION = 2
VARIANT = "variant"
"""The field with the title of the game or variant; only in positions of rule files."""


def schema() -> dict[str, Any]:
    """Return the JSON schema of a saved position."""
    text = Path(__file__).with_name("position.schema.json").read_text("utf-8")
    value: dict[str, Any] = json.loads(text)
    return value


def write_document(  # noqa: PLR0913 - all that a position consists of
    game: LoadedGame,
    state: State,
    setup: Setup | None,
    history: Sequence[HistoryEntry],
    *,
    indent: int | None = None,
    made: Sequence[Move] | None = None,
) -> str:
    """Return the document of a position.

    Equal positions with equal histories have equal documents.

    Args:
        game: The game.
        state: The state of the position.
        setup: The set-up with which the game was started.
        history: The moves made since then.
        indent: As for `json.dumps`.
        made: The last moves of the history, to include two things.  First, the paths of the script
            and of a user's library, from which the command line can load the game again.  Second,
            the changes that engines of the script made to memory before these moves, so that they
            can be taken back.  None: the document is short, and the same on every computer.
    """
    full = made is not None
    played = None
    if state.engine_ran:
        played = _written_memory(game, state.current, game.base)
    script = game.once(_script_path) if full else None
    document = {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "digest": game.digest,
        "base": game.base_digest,
        "axiom": game.axiom,
        "seed": game.options.seed,
        "clock": game.options.clock,
        "load_clock": None,
        "settings": dict(game.options.settings),
        "script": script,
        "script_digest": _digest_of(script),
        "library": str(game.options.library) if full and not game.has_bundled_library else None,
        "setup": _written_setup(setup),
        "history": _written_history(game, history, made or ()),
        "ply": len(history),
        "player": game.players[game.player_of(state)],
        "turn_number": game.turn_number_of(state),
        "partial": state.partial,
        "skipped": state.skipped,
        "board": list(game.cells_of(state)),
        **_written_memory(game, state.arrived, game.base),
        "played": played,
    }
    if game.rules is not None:
        document[VARIANT] = game.rules.title
    separators = (",", ":") if indent is None else None
    text = json.dumps(document, indent=indent, separators=separators, ensure_ascii=False)
    return visible_json(text)


def _written_history(
    game: LoadedGame, history: Sequence[HistoryEntry], made: Sequence[Move]
) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = [
        {"player": entry.player, "move": entry.text, "index": entry.index} for entry in history
    ]
    for entry, move in zip(reversed(entries), reversed(made), strict=False):
        before = move._state
        if before.engine_ran:
            entry["left"] = _written_memory(game, before.current, before.arrived)
    return entries


def _script_path(game: LoadedGame) -> str | None:
    """Return the path of the main script, None if the game can be found by its name."""
    try:
        _, path = find_game(game.name)
    except UnknownGameError:
        return str(game.options.path)
    return None if path.absolute() == game.options.path else str(game.options.path)


def _digest_of(script: str | None) -> str | None:
    """Return the digest of the current script file; None if it no longer exists."""
    try:
        return None if script is None else file_digest(Path(script))
    except OSError:
        return None


def _written_memory(game: LoadedGame, state: Snapshot, base: Snapshot) -> dict[str, Any]:
    """Return the fields for a memory that differs from a base, except in scratch memory."""
    runs = changed_runs(state, base, ignored=declared_scratch(game))
    return {
        "memory": [[address, list(cells)] for address, cells in runs],
        "stack": list(state.stack()),
    }


def _written_setup(setup: Setup | None) -> dict[str, Any] | None:
    if setup is None:
        return None
    pieces = setup.pieces
    written: dict[str, Any] = {
        "pieces": None if pieces is None else [list(piece) for piece in pieces],
        "turn": setup.turn,
        "variables": [list(entry) for entry in setup.variables],
    }
    if setup.attributes:
        written["attributes"] = [list(entry) for entry in setup.attributes]
    return written
