"""The messages of a report page.

Owns the form of the messages, which a server sends and a static page contains:

- `report`: the numbers (forthvm/autoplay/report/blocks.py), and whether the match is finished;
- `games`: entries of the list of games: all of them, or the changed ones;
- `game`: the symbols of pieces, or why games cannot be shown;
- `steps`: a recorded game or a part of it (forthvm/render/steps.py);
- `error`: why the file cannot be read.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from forthvm.autoplay.report.blocks import json_of
from forthvm.autoplay.statistics.standings import result_kind
from forthvm.core.text.visible import visible
from forthvm.render.steps import SceneSteps
from forthvm.render.symbols import game_symbols
from forthvm.web.report.replays import ReplayError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.autoplay.report.blocks import Block
    from forthvm.autoplay.results.store import GameRow
    from forthvm.game import Game
    from forthvm.web.report.replays import Replays

__all__ = [
    "Message",
    "error_message",
    "game_message",
    "games_message",
    "listed",
    "report_message",
    "steps_messages",
    "unknown_game_message",
]

Message = dict[str, object]

_PART_SECONDS = 0.1
"""The time after which the steps so far are sent."""


def report_message(blocks: Iterable[Block], *, finished: bool) -> Message:
    """Return the message `report`."""
    return {"is": "report", "blocks": json_of(blocks), "finished": finished}


def games_message(games: Iterable[Message], *, total: int, whole: bool) -> Message:
    """Return the message `games`.

    Args:
        games: Entries of the list.
        total: The number of games in the results file; the list may have fewer.
        whole: Whether `games` is the whole list.
    """
    return {"is": "games", "games": list(games), "total": total, "whole": whole}


def listed(row: GameRow) -> Message:
    """Return the entry of a game in the list.

    Each seat has the player, the entrant, the score, and whether the player has `won`, `shared`,
    `drawn` or `lost`; score and result are None in void games.
    """
    scores = list(row.outcome.values())
    return {
        "id": row.id,
        "seats": [
            [player, entrant, score, None if score is None else result_kind(score, scores)]
            for player, entrant in row.seats.items()
            for score in [row.outcome.get(player)]
        ],
        "plies": row.plies,
        "opening": len(row.opening),
        "end": row.reason,
        "problem": row.void or bool(row.faults) or row.reason.startswith("forfeit"),
        "faults": list(row.faults),
    }


def game_message(game: Game) -> Message:
    """Return the message `game` for a game that was loaded."""
    symbols = {key: symbol.as_json() for key, symbol in game_symbols(game).items()}
    return {"is": "game", "symbols": symbols, "problem": None}


def unknown_game_message(error: Exception) -> Message:
    """Return the message `game` for a game that cannot be loaded."""
    return {"is": "game", "symbols": {}, "problem": _text(error)}


def steps_messages(
    replays: Replays, row: GameRow, steps: SceneSteps, *, seconds: float = _PART_SECONDS
) -> Iterator[Message]:
    """Yield a recorded game in messages `steps`.

    A message has the new entries of the lists of `steps`, and

    - `game`: the number of the game;
    - `steps`: its next steps, the first of which shows the start of the game;
    - `moves`: player and text of the moves of these steps;
    - `problem`: why the next move cannot be made, else None;
    - `rest`: player and text of the moves that cannot be shown for this reason;
    - `complete`: whether this is the last message.

    Args:
        replays: The match.
        row: The game.
        steps: Converts scenes to steps.
        seconds: The time after which the steps so far are yielded.
    """
    steps.rewind()
    moves = [(visible(player), visible(text)) for player, text in row.moves]
    scenes, count, complete, problem = replays.scenes(row), 0, False, ""
    while not complete:
        end, new = time.monotonic() + seconds, []
        try:
            while time.monotonic() < end:
                new.append(steps.step(next(scenes)))
        except StopIteration:
            complete = True
        except ReplayError as error:
            complete, problem = True, str(error)
        before, count = count, count + len(new)
        yield {
            "is": "steps",
            "game": row.id,
            **steps.new_entries(),
            "steps": new,
            "moves": moves[max(before - 1, 0) : max(count - 1, 0)],
            "problem": problem or None,
            "rest": moves[max(count - 1, 0) :] if problem else [],
            "complete": complete,
        }


def error_message(error: Exception) -> Message:
    """Return the message `error`."""
    return {"is": "error", "code": "results", "values": {}, "text": _text(error)}


def _text(error: Exception) -> str:
    """Return the text of an error, with its hints."""
    return visible("; ".join([str(error), *getattr(error, "hints", ())]))
