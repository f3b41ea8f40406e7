"""Heat maps: the number of moves that leave, reach, or take a piece on each board position.

Owns the rules by which moves are counted.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from forthvm.autoplay.report.blocks import Gallery, Heading, Picture
from forthvm.render.heat_svg import Heat, heat_svg

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from forthvm.autoplay.report.blocks import Block
    from forthvm.autoplay.results.store import GameRow
    from forthvm.game import Game
    from forthvm.render.scene_types import SceneBoard

__all__ = ["chosen_texts", "heat_blocks", "heat_counts"]


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
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in ("from", "to", "taken")}
    for text, count in texts.items():
        for step in game._loaded.parse(text):
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
                    if word in game._loaded.position_index:
                        counts["to"][word] += count
    return counts


def heat_blocks(game: Game, board: SceneBoard, texts: Mapping[str, int]) -> Iterator[Block]:
    """Yield the heat maps of a match.

    Args:
        game: The game, which parses the texts of moves.
        board: The board.
        texts: By text of a move, the number of times that it was made.
    """
    verbs = {"from": "left", "to": "reached", "taken": "taken from"}
    pictures = []
    for kind, counts in heat_counts(game, texts).items():
        if counts:
            caption = f"board positions {verbs[kind]}, {counts.total():,} times"
            pictures.append(
                Picture(heat_svg(board, _heats(board, counts), title=caption), caption, caption)
            )
    if pictures:
        yield Heading("Where moves go")
        yield Gallery(tuple(pictures))


def _heats(board: SceneBoard, counts: Mapping[str, int]) -> dict[str, Heat]:
    """Return how the positions on a board are coloured by their counts."""
    on_board = {square.name: counts.get(square.name, 0) for square in board.squares}
    maximum, total = max(on_board.values(), default=0), sum(counts.values())
    return {
        name: Heat(
            count / maximum, _brief(count), f"{name}: {count:,}, {100 * count / total:.1f} %"
        )
        for name, count in on_board.items()
        if count
    }


def _brief(number: int) -> str:
    """Return a number in at most five characters."""
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= 10 * unit:
            return f"{number / unit:.0f}{sign}"
    return str(number)
