"""Counts of the moves that leave and reach each board position, and heat maps of the counts.

Owns the definitions of leaving, reaching and taking.  It must not know how games are stored.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from forthvm.render.draw_svg import CELL
from forthvm.render.steps import Film

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.autoplay.results.store import GameRow
    from forthvm.game import Game

__all__ = ["KINDS", "chosen_texts", "heat_counts", "heat_svg"]

KINDS = ("from", "to", "taken")
_COLOUR = "#c0392b"
_MIN_OPACITY, _MAX_OPACITY = 0.06, 0.85


def chosen_texts(row: GameRow) -> list[str]:
    """Return the texts of the moves that engines chose: no opening, no moves of chance players."""
    if row.void:
        return []
    return [text for player, text in row.moves[len(row.opening) :] if player in row.seats]


def heat_counts(game: Game, texts: Mapping[str, int]) -> dict[str, Counter[str]]:
    """Count how often each board position was left, reached, and emptied by a capture.

    `texts` contains the number of times that each move was made.  Moves are parsed from their
    texts.  The move of a piece leaves one board position and reaches another; a drop reaches one.
    A text composed by the script reaches the board positions that it names.
    """
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for text, count in texts.items():
        for step in game.parse(text):
            if step.kind == "move":
                start, target = step.squares
                counts["from"][start] += count
                counts["to"][target] += count
                if step.takes:
                    counts["taken"][target] += count
            elif step.kind == "create":
                counts["to"][step.squares[0]] += count
            elif step.kind == "capture":
                counts["taken"][step.squares[0]] += count
            elif step.kind == "text":
                for word in step.text.split():
                    if word in game.position_index:
                        counts["to"][word] += count
    return counts


def heat_svg(film: Film, counts: Mapping[str, int], *, title: str) -> str:
    """Return an SVG board with positions coloured by their counts; "" if it cannot be drawn."""
    width, height = film.size
    if not width:
        return ""
    corners = dict(zip(film.names, film.corners(), strict=True))
    maximum = max((count for name, count in counts.items() if corners.get(name)), default=0)
    total = sum(counts.values())
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" role="img">',
        f"<title>{escape(title)}</title>",
        film.frame(),
    ]
    for name, corner in corners.items():
        count = counts.get(name, 0)
        if corner is None or not count:
            continue
        x, y = corner
        opacity = _MIN_OPACITY + (_MAX_OPACITY - _MIN_OPACITY) * count / maximum
        text = f"{name}: {count:,}, {100 * count / total:.1f} %"
        lines.append(
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{_COLOUR}" '
            f'fill-opacity="{opacity:.2f}"><title>{escape(text)}</title></rect>'
            f'<text x="{x + CELL // 2}" y="{y + CELL // 2 + 5}" font-size="14" '
            f'text-anchor="middle" pointer-events="none">{_brief(count)}</text>'
        )
    return "\n".join([*lines, "</svg>"])


def _brief(number: int) -> str:
    """Return a number in at most five characters."""
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= 10 * unit:
            return f"{number / unit:.0f}{sign}"
    return str(number)
