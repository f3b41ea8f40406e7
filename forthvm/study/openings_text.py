"""An opening tree as lines of text and as a JSON document.

Owns the columns and the keys of the document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.tables import table_lines
from forthvm.core.text.visible import visible
from forthvm.core.text.wording import counted, wrapped
from forthvm.study.keys import key_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.study.openings import MoveNode, OpeningTree, PositionNode, Tally

__all__ = ["document", "lines"]

_HEADINGS = ("move", "player", "games", "share", "score", "won", "drawn", "lost", "reached")
_INDENT = "  "
_MIN_WIDTH = 40
_LISTED_ABOVE = "^"
"""Marks a move to a position whose moves are listed above."""


def lines(
    tree: OpeningTree,
    node: PositionNode | None = None,
    *,
    depth: int = 1,
    min_games: int = 1,
    width: int = 80,
) -> list[str]:
    """Return the moves played in a position, and in the positions after them, as lines.

    Args:
        tree: The tree.
        node: The position; None for the root.
        depth: The number of plies to list.
        min_games: Moves of fewer games are left out.
        width: The number of columns.
    """
    node = tree.root if node is None else node
    width = max(width, _MIN_WIDTH)
    result = [*wrapped(_heading(tree), width), *wrapped(_position_line(tree, node), width)]
    rows = list(_rows(tree, node, depth, min_games, "", {}))
    if not rows:
        reason = "the game is over" if node.ended else "no move is recorded"
        return [*result, f"No moves: {reason}."]
    result += ["", *table_lines([_HEADINGS, *rows], width, numbers=True), ""]
    result += wrapped(
        "games: in which the move was played; share: of the games in the position, in percent; "
        "score: average of the player who moves, in percent; reached: games that reached the "
        "position after the move, by any moves.",
        width,
    )
    if any(row[0].endswith(_LISTED_ABOVE) for row in rows):
        result += wrapped(f"{_LISTED_ABOVE}: the moves of this position are listed above.", width)
    return result


def _heading(tree: OpeningTree) -> str:
    text = (
        f"{tree.game}: {counted(tree.games, 'game')}, {counted(len(tree), 'position')} in the "
        f"first {counted(tree.plies, 'ply', 'plies')}"
    )
    if len(tree.starts) > 1:
        text += f"; the games have {len(tree.starts):,} initial positions"
    return visible(text)


def _position_line(tree: OpeningTree, node: PositionNode) -> str:
    tally, seat = node.tally, tree.seat_of(node)
    whose = "the game is over" if node.ended else f"{node.turn} to move"
    return visible(
        f"Position {key_text(node.key)}, ply {node.ply}, {whose}: "
        f"{counted(tally.games, 'game')}; {tree.seats[seat]} scores "
        f"{_percent(tally.score(seat))} % ({tally.won[seat]:,} won, {tally.drawn(seat):,} drawn, "
        f"{tally.lost[seat]:,} lost)"
    )


def _rows(  # noqa: PLR0913, PLR0917 - the state of the recursion
    tree: OpeningTree,
    node: PositionNode,
    depth: int,
    min_games: int,
    indent: str,
    listed: dict[int, int],
) -> Iterator[Sequence[str]]:
    """Yield a row for each move.  `listed` has the positions listed above, with their depth."""
    listed[node.key] = depth
    seat = tree.seat_of(node)
    for move in node.moves:
        tally = move.tally
        if tally.games < min_games:
            continue
        after = tree.after(move)
        is_listed = after is not None and listed.get(after.key, 0) >= depth - 1 > 0
        mark = f" {_LISTED_ABOVE}" if is_listed else ""
        yield (
            indent + visible(move.text) + mark,
            visible(node.turn),
            f"{tally.games:,}",
            _percent(tally.games / node.tally.games),
            _percent(tally.score(seat)),
            f"{tally.won[seat]:,}",
            f"{tally.drawn(seat):,}",
            f"{tally.lost[seat]:,}",
            f"{after.tally.games:,}" if after is not None else "",
        )
        if after is not None and depth > 1 and not is_listed:
            yield from _rows(tree, after, depth - 1, min_games, indent + _INDENT, listed)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


# --- JSON -----------------------------------------------------------------------------------------


def document(
    tree: OpeningTree,
    node: PositionNode | None = None,
    *,
    depth: int | None = None,
    min_games: int = 1,
) -> dict[str, object]:
    """Return the positions that are reached from a position as a JSON document.

    Args:
        tree: The tree.
        node: The first position; None for the root.
        depth: The number of plies; None for all.
        min_games: Moves of fewer games are left out.
    """
    node = tree.root if node is None else node
    positions: list[dict[str, object]] = []
    found = {node.key}
    level = [node]
    remaining = tree.plies + 1 if depth is None else depth
    while level:
        next_level: list[PositionNode] = []
        for each in level:
            moves = [move for move in each.moves if remaining > 0 and move.tally.games >= min_games]
            positions.append(_position_document(tree, each, moves))
            for key in (key for move in moves for key in move.next_games):
                if key not in found:
                    found.add(key)
                    next_level.append(tree.nodes[key])
        level = next_level
        remaining -= 1
    return {
        "game": tree.game,
        "games": tree.games,
        "plies": tree.plies,
        "seats": list(tree.seats),
        "starts": [key_text(start.key) for start in tree.starts],
        "position": key_text(node.key),
        "positions": positions,
    }


def _position_document(
    tree: OpeningTree, node: PositionNode, moves: Sequence[MoveNode]
) -> dict[str, object]:
    return {
        "position": key_text(node.key),
        "ply": node.ply,
        "turn": node.turn,
        "ended": node.ended,
        **_tally_document(tree, node.tally),
        "moves": [
            {
                "move": move.text,
                **_tally_document(tree, move.tally),
                "positions": {key_text(key): games for key, games in move.next_games.items()},
            }
            for move in moves
        ],
    }


def _tally_document(tree: OpeningTree, tally: Tally) -> dict[str, object]:
    return {
        "games": tally.games,
        "scores": {name: round(tally.score(at), 6) for at, name in enumerate(tree.seats)},
        "won": dict(zip(tree.seats, tally.won, strict=True)),
        "lost": dict(zip(tree.seats, tally.lost, strict=True)),
    }
