"""Heat maps: the number of moves that leave, reach, or take a piece on each board position.

Owns the rules by which moves are counted.  It must not know how games are stored.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from forthvm.render.draw_svg import SQUARE_SIZE
from forthvm.render.steps import Animation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.autoplay.results.store import GameRow
    from forthvm.game import Game

__all__ = ["KINDS", "chosen_texts", "heat_counts", "heat_svg"]

KINDS = ("from", "to", "taken")
_COLOUR = "#c0392b"
_MIN_OPACITY, _MAX_OPACITY = 0.06, 0.85


def chosen_texts(row: GameRow) -> list[str]:
    """Return the texts of the moves that engines chose."""
    if row.void:
        return []
    return [text for player, text in row.moves[len(row.opening) :] if player in row.seats]


def heat_counts(game: Game, texts: Mapping[str, int]) -> dict[str, Counter[str]]:
    """Count the moves `from` and `to` each board position, and the pieces `taken` on it.

    A drop counts only as a move to a board position.  A text in a format of the script counts as a
    move to each board position that it names.

    Args:
        game: The game, which parses the texts of moves.
        texts: By text of a move, the number of times that it was made.
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


def heat_svg(animation: Animation, counts: Mapping[str, int], *, title: str) -> str:
    """Return an SVG board with positions coloured by their counts; "" if it cannot be drawn.

    `animation` has the size and the positions of the board (forthvm/render/steps.py).
    """
    width, height = animation.size
    if not width:
        return ""
    corners = dict(zip(animation.names, animation.corners(), strict=True))
    maximum = max((count for name, count in counts.items() if corners.get(name)), default=0)
    total = sum(counts.values())
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" role="img">',
        f"<title>{escape(title)}</title>",
        animation.empty_board(),
    ]
    for name, corner in corners.items():
        count = counts.get(name, 0)
        if corner is None or not count:
            continue
        x, y = corner
        opacity = _MIN_OPACITY + (_MAX_OPACITY - _MIN_OPACITY) * count / maximum
        text = f"{name}: {count:,}, {100 * count / total:.1f} %"
        lines.append(
            f'<rect x="{x}" y="{y}" width="{SQUARE_SIZE}" height="{SQUARE_SIZE}" fill="{_COLOUR}" '
            f'fill-opacity="{opacity:.2f}"><title>{escape(text)}</title></rect>'
            f'<text x="{x + SQUARE_SIZE // 2}" y="{y + SQUARE_SIZE // 2 + 5}" font-size="14" '
            f'text-anchor="middle" pointer-events="none">{_brief(count)}</text>'
        )
    return "\n".join([*lines, "</svg>"])


def _brief(number: int) -> str:
    """Return a number in at most five characters."""
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= 10 * unit:
            return f"{number / unit:.0f}{sign}"
    return str(number)
