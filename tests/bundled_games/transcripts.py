"""Transcripts of the bundled games: one random game for each.

    python -m tests.bundled_games.transcripts          compares them
    python -m tests.bundled_games.transcripts --write  rewrites them; review the diff
    python -m tests.bundled_games.transcripts --write thud  rewrites those of games thud*

Each ply has the position's hash and a digest of the board; every tenth ply and the last have the
board itself.  Owns the format (JSON lines).
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import forthvm
from tests.bundled_games import kit

__all__ = ["FOLDER", "path_of", "transcript"]

FOLDER = Path(__file__).resolve().parent / "transcripts"
SEED, PLIES = 2008, 120
BOARD_EVERY = 10  # plies


def path_of(case: kit.Case) -> Path:
    """Return the file of a game's transcript."""
    return FOLDER / f"{case.name}.jsonl"


def board_digest(cells: Sequence[int]) -> str:
    """Return a digest of a board's cells, each a little-endian 32-bit integer."""
    return hashlib.blake2b(struct.pack(f"<{len(cells)}i", *cells), digest_size=8).hexdigest()


def board_columns(position: forthvm.Position, *, whole: bool) -> dict[str, Any]:
    """Return the fields of a row that describe the board; the cells only if `whole`."""
    cells = list(position.cells)
    columns: dict[str, Any] = {"board_digest": board_digest(cells)}
    return columns | {"board": cells} if whole else columns


def board_hash(position: forthvm.Position) -> str:
    """Return the core's hash of the board and the turn."""
    with position._states.in_memory(position._state, listed=False) as native:
        return f"{native.position_hash() & 0xFFFFFFFFFFFFFFFF:016x}"


def transcript(case: kit.Case) -> list[dict[str, Any]]:
    """Play a random game and return the rows of its transcript."""
    position = case.start()
    rows: list[dict[str, Any]] = [{"game": case.name, "seed": SEED, "plies": PLIES}]
    for index in kit.steps(position, SEED, PLIES):
        moves = [str(move) for move in position.legal_moves]
        rows.append(
            {
                "ply": position.ply,
                "turn": position.turn,
                "moves": len(moves),
                "played": moves[index] if index >= 0 else "Pass",
                "index": index,
                **board_columns(position, whole=position.ply % BOARD_EVERY == 0),
                "hash": board_hash(position),
            }
        )
    rows.append(
        {
            "ply": position.ply,
            **board_columns(position, whole=True),
            "hash": board_hash(position),
            "result": str(position.result) if position.result else None,
        }
    )
    return rows


def main(arguments: list[str]) -> int:
    """Compare or write transcripts; return the number that differ, 0 after writing."""
    FOLDER.mkdir(exist_ok=True)
    differing = 0
    prefixes = tuple(name for name in arguments if not name.startswith("-")) or ("",)
    for case in kit.CASES:
        if not case.bundled or not case.name.startswith(prefixes):
            continue
        text = "".join(json.dumps(row) + "\n" for row in transcript(case))
        path = path_of(case)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            differing += 1
            sys.stdout.write(f"{case.name}: differs\n")
            if "--write" in arguments:
                path.write_text(text, encoding="utf-8")
    return 0 if "--write" in arguments else differing


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
