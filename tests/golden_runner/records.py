"""Read the recordings in tests/golden.  Owns their file format."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = [
    "GAMES",
    "GOLDEN",
    "PartialEnd",
    "Ply",
    "RecordedError",
    "Recording",
    "Script",
    "Search",
    "Setup",
    "game_names",
    "has_long_searches",
    "recording",
    "scripts",
]

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
LONG_SEARCH = 100_000  # nodes
GAMES = GOLDEN / "games"


@dataclass(frozen=True)
class Setup:
    """The set-up edits in order, the first player and the board after them."""

    edits: tuple[str, ...]
    player: str
    board: tuple[int, ...]


@dataclass(frozen=True)
class Ply:
    """One position of the game; `over` is None if OnIsGameOver was not called."""

    ply: int
    player: str
    over: int | None
    moves: tuple[str, ...]
    board: tuple[int, ...]
    played: int | None
    comment: str


@dataclass(frozen=True)
class PartialEnd:
    """A partial move without a continuation: the turn passed without a ply."""

    ply: int
    player: str
    next: str


@dataclass(frozen=True)
class Search:
    """The result of the built-in search; `error` if the original crashed."""

    ply: int
    depth_limit: int
    score: int | None
    nodes: int | None
    depth: int | None
    best: str | None
    error: str | None


@dataclass(frozen=True)
class Recording:
    """The recording of one game; `steps` are plies and partial ends in order."""

    game: str
    setup: Setup
    steps: tuple[Ply | PartialEnd, ...]
    searches: tuple[Search, ...]

    @property
    def path(self) -> Path:
        """The game's script."""
        return GAMES / f"{self.game}.4th"

    @property
    def source(self) -> str:
        """The source text of the script."""
        return self.path.read_text(encoding="latin-1")


@dataclass(frozen=True)
class RecordedError:
    """The error with which the original stopped in a fragment."""

    kind: str
    text: str


@dataclass(frozen=True)
class Script:
    """One fragment of scripts.jsonl: the commands to the host, its replies and the output."""

    file: str
    name: str
    script: str
    commands: tuple[str, ...]
    replies: tuple[str, ...]
    printed: str
    recorded_error: RecordedError | None

    @property
    def id(self) -> str:
        """The name in test reports."""
        return f"{self.file}/{self.name}".replace(" ", "-")


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream if line.strip()]


def game_names() -> list[str]:
    """Return the names of all recorded games."""
    return sorted(path.stem for path in GOLDEN.glob("*.jsonl") if path.stem != "scripts")


def has_long_searches(game: str) -> bool:
    """Return whether the searches of a recording take seconds."""
    return sum(search.nodes or 0 for search in recording(game).searches) > LONG_SEARCH


@cache
def recording(game: str) -> Recording:
    """Return the recording of one game.

    Raises:
        ValueError: a record has a kind that golden/README.md does not describe.
    """
    setup: Setup | None = None
    steps: list[Ply | PartialEnd] = []
    searches: list[Search] = []
    for row in _lines(GOLDEN / f"{game}.jsonl"):
        kind = row["kind"]
        if kind == "setup":
            setup = Setup(tuple(row["setup"]), row["player"], tuple(row["board"]))
        elif kind == "ply":
            if row["n"] != len(row["moves"]):
                raise ValueError(f"{game} ply {row['ply']}: n is not the number of moves")
            steps.append(
                Ply(
                    row["ply"],
                    row["player"],
                    row["over"],
                    tuple(row["moves"]),
                    tuple(row["board"]),
                    row.get("played"),
                    row.get("comment", ""),
                )
            )
        elif kind == "partial-end":
            steps.append(PartialEnd(row["ply"], row["player"], row["next"]))
        elif kind == "search":
            searches.append(
                Search(
                    row["ply"],
                    row["depth_limit"],
                    row.get("score"),
                    row.get("nodes"),
                    row.get("depth"),
                    row.get("best"),
                    row.get("error"),
                )
            )
        else:
            raise ValueError(f"{game}: unknown kind of record {kind!r}")
    if setup is None:
        raise ValueError(f"{game}: no set-up recorded")
    return Recording(game, setup, tuple(steps), tuple(searches))


@cache
def scripts() -> tuple[Script, ...]:
    """Return all fragments of scripts.jsonl."""
    found = []
    for row in _lines(GOLDEN / "scripts.jsonl"):
        error = row.get("error")
        found.append(
            Script(
                row["file"],
                row["name"],
                row["script"],
                tuple(row["commands"]),
                tuple(row["replies"]),
                row["printed"],
                RecordedError(error["kind"], error["text"]) if error else None,
            )
        )
    return tuple(found)
