"""The report of a match as one HTML file, which needs no server.

Owns the choice of the games in the file.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.autoplay.report.summary_blocks import match_blocks, match_title
from forthvm.autoplay.statistics.summary import summarise_store
from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.render.steps import SceneSteps
from forthvm.web.modules import PAGE
from forthvm.web.offline.single_file import single_file
from forthvm.web.report.heat_map import chosen_texts, heat_blocks
from forthvm.web.report.messages import (
    game_message,
    games_message,
    listed,
    report_message,
    steps_messages,
    unknown_game_message,
)
from forthvm.web.report.replays import Replays

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from forthvm.autoplay.results.store import GameRow, Store
    from forthvm.web.report.messages import Message

__all__ = ["MAX_GAMES", "MAX_PLIES", "html_report", "html_report_of"]

MAX_GAMES = 200
"""The default limit on the number of games in the file."""
MAX_PLIES = 20_000
"""The maximum number of plies in the file, summed over its games."""


def html_report(store: Store, *, games: int = MAX_GAMES, trust: bool = False) -> str:
    """Return the report of a results file as an HTML document.

    Args:
        store: The results file.
        games: The maximum number of games in the document.
        trust: Whether to load scripts that have changed, or have no digest in the file.
    """
    return html_report_of(store.match(), store.games(), games=games, trust=trust)


def html_report_of(
    match: Mapping[str, object],
    rows: Iterable[GameRow],
    *,
    games: int = MAX_GAMES,
    trust: bool = False,
) -> str:
    """Return the report for the table `match` of a results file and its games.

    The games are iterated once.
    """
    chosen = _Chosen(games)
    summary = summarise_store(match, chosen.collect(rows))
    blocks = list(match_blocks(match, summary))
    steps: list[Message] = []
    try:
        replays = Replays(match, trust=trust)
    except ForthVMError as error:
        game = unknown_game_message(error)
    else:
        game = game_message(replays.game)
        blocks += heat_blocks(replays.game, replays.first_scene.board, chosen.texts)
        shared = SceneSteps()
        for row in chosen.rows:
            steps += steps_messages(replays, row, shared, seconds=math.inf)
    total = summary.counted + summary.void
    messages = [
        report_message(blocks, finished=True),
        game,
        games_message(map(listed, chosen.rows), total=total, whole=True),
    ]
    return single_file(
        "report.html",
        {"messages": messages, "steps": steps, "texts": _texts()},
        title=visible(match_title(match, summary)),
        modules={"connection.js": Path(__file__).with_name("connection_to_file.js")},
    )


class _Chosen:
    """The games in the document, and the texts of all moves for the heat maps."""

    def __init__(self, max_games: int) -> None:
        self.texts: Counter[str] = Counter()
        self.rows: list[GameRow] = []
        self._max_games = max_games

    def collect(self, rows: Iterable[GameRow]) -> Iterator[GameRow]:
        """Yield the rows unchanged, and store their data."""
        plies = 0
        for row in rows:
            self.texts.update(chosen_texts(row))
            if row.moves and len(self.rows) < self._max_games:
                # There is at least one game, even if this exceeds the maximum.
                if not self.rows or plies + row.plies <= MAX_PLIES:
                    self.rows.append(row)
                    plies += row.plies
                else:
                    self._max_games = 0
            yield row


def _texts() -> dict[str, object]:
    """Return the catalogues of texts by language."""
    files = (PAGE / "texts").glob("*.json")
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}
