"""The report of a match as one self-contained HTML page.

Owns the order of the page's parts and the choice of the games in the viewer.  It must not know
formulas, or how games are drawn.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from forthvm.autoplay.report.blocks import Table, html_of
from forthvm.autoplay.report.game_replay import Recorder
from forthvm.autoplay.report.heat_map import KINDS, chosen_texts, heat_counts, heat_svg
from forthvm.autoplay.report.page_style import SCRIPT, embedded, page
from forthvm.autoplay.report.summary_blocks import match_blocks, match_title
from forthvm.autoplay.statistics.summary import summarise_store
from forthvm.core.errors import ForthVMError
from forthvm.render.draw_svg import SQUARE_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from forthvm.autoplay.results.store import GameRow, Store
    from forthvm.autoplay.statistics.summary import Summary

__all__ = ["MAX_GAMES", "MAX_PLIES", "html_report", "html_report_of"]

MAX_GAMES = 200
"""The default limit on the number of games in the viewer."""
MAX_PLIES = 20_000
"""The maximum number of plies in the viewer, summed over its games."""
_MAX_POSITIONS = 15
"""The number of rows in the table that replaces a heat map if the board cannot be drawn."""


def html_report(store: Store, *, games: int = MAX_GAMES, trust: bool = False) -> str:
    """Return the report of a results file as HTML.

    Args:
        store: The results file.
        games: The maximum number of games in the viewer.
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
    board_data = _BoardData(games)
    summary = summarise_store(match, board_data.collect(rows))
    numbers = html_of(match_blocks(match, summary))
    parts = [numbers, *_boards(match, summary, board_data, trust=trust)]
    return page(match_title(match, summary), "\n".join(filter(None, parts)))


# --- boards ---------------------------------------------------------------------------------------


class _BoardData:
    """The move texts for the heat maps and the games for the viewer."""

    def __init__(self, max_games: int) -> None:
        self.texts: Counter[str] = Counter()
        self.rows: list[GameRow] = []
        self._max_games = max_games

    def collect(self, rows: Iterable[GameRow]) -> Iterator[GameRow]:
        """Yield the rows unchanged, and store their data for the boards."""
        plies = 0
        for row in rows:
            self.texts.update(chosen_texts(row))
            if row.moves and len(self.rows) < self._max_games:
                # The viewer has at least one game, even if this exceeds the maximum.
                if not self.rows or plies + row.plies <= MAX_PLIES:
                    self.rows.append(row)
                    plies += row.plies
                else:
                    self._max_games = 0
            yield row


def _boards(
    match: Mapping[str, object], summary: Summary, board_data: _BoardData, *, trust: bool
) -> Iterator[str]:
    """Yield heat maps and the viewer, or an explanation if the game cannot be loaded."""
    total = summary.counted + summary.void
    if not total:
        return
    try:
        recorder = Recorder(match, trust=trust)
    except ForthVMError as error:
        yield "<h2>Boards</h2>"
        reason = "; ".join([str(error), *error.hints])
        yield f'<p class="note">The games cannot be shown: {escape(reason)}</p>'
        return
    for row in board_data.rows:
        recorder.add(row)
    yield _heat_maps(recorder, board_data.texts)
    if board_data.rows:
        yield _viewer(recorder, len(board_data.rows), total)


def _heat_maps(recorder: Recorder, texts: Mapping[str, int]) -> str:
    counts = heat_counts(recorder.game, texts)
    verbs = {"from": "left", "to": "reached", "taken": "taken from"}
    min_width = max(280, round(0.55 * recorder.animation.size[0]))  # in pixels of the page
    figures = []
    for kind in KINDS:
        if not counts[kind]:
            continue
        caption = f"board positions {verbs[kind]}, {counts[kind].total():,} times"
        picture = heat_svg(recorder.animation, counts[kind], title=caption)
        if not picture:
            rows = [
                [name, f"{count:,}"] for name, count in counts[kind].most_common(_MAX_POSITIONS)
            ]
            picture = html_of([Table.of(["position", "times"], rows)])
        figures.append(
            f'<figure style="flex-basis:{min_width}px">{picture}'
            f"<figcaption>{caption}</figcaption></figure>"
        )
    if not figures:
        return ""
    return f'<h2>Where moves go</h2><div class="maps">{"".join(figures)}</div>'


def _viewer(recorder: Recorder, shown: int, total: int) -> str:
    animation = recorder.animation
    width, height = animation.size
    data = embedded(recorder.data())
    note = "Arrow keys step."
    if shown < total:
        note += f" The first {shown} of {total:,} games; forthvm replay shows any."
    box = f'viewBox="0 0 {width} {height}"' if width else 'width="0" height="0"'
    return f"""<h2 id="viewer">Game by game</h2>
<div class="bar"><select id="game" aria-label="game"></select></div>
<div class="bar"><button id="first">|&lt;</button><button id="back">&lt;</button>
<button id="play">play</button><button id="next">&gt;</button><button id="last">&gt;|</button>
<input id="ply" type="range" min="0" max="0" value="0" aria-label="ply"></div>
<p id="now" aria-live="polite"></p>
<div class="stage"><div class="board">
<svg xmlns="http://www.w3.org/2000/svg" {box} id="board" data-cell="{SQUARE_SIZE}"
font-family="sans-serif" role="img"><title>the board</title>
{animation.empty_board() if width else ""}
<g id="marks"></g><g id="pieces"></g></svg>
<p id="beside" class="note"></p><p id="faults" class="note"></p></div>
<ol class="moves" id="moves"></ol></div>
<p class="note">{note}</p>
<script type="application/json" id="games">{data}</script>
<script>{SCRIPT}</script>"""
