"""Positions, moves and results as the commands print them.

Owns the output that `run` and the commands that show positions share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm import render
from forthvm.core.text.tables import table
from forthvm.core.text.visible import visible
from forthvm.core.text.wording import joined, wrapped
from forthvm.render.draw_text import TextStyle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.cli.terminal import Screen
    from forthvm.engines import SearchResult
    from forthvm.game import Move, Outcome, Position, Remark

__all__ = [
    "move_name",
    "name_result",
    "say_end",
    "say_ply",
    "show_board",
    "show_remarks",
    "thoughts",
]


def show_board(
    screen: Screen, position: Position, *, legend: bool = True, marks: Iterable[str] = ()
) -> None:
    """Prints the board, with the positions named in `marks` in angle brackets."""
    style = TextStyle(width=screen.width, colour=screen.colour, ascii=screen.ascii, legend=legend)
    text = render.text(position, style, marks=marks, everything=screen.everything)
    screen.say_styled(text)


def show_remarks(screen: Screen, position: Position) -> bool:
    """Prints the script's remarks about a position; returns False if there are none.

    The board first, with the places that it speaks of; then what is about the whole, about
    places and about moves.
    """
    remarks = position.remarks()
    if not remarks:
        return False
    show_board(screen, position, marks={one.square for one in remarks if one.square})
    screen.say()
    _say_general(screen, remarks)
    moves = position.legal_moves.texts if position.result is None else ()
    for rows in (
        [(one.square, one.text) for one in remarks if one.square],
        [(moves[one.move], one.text) for one in remarks if one.move is not None and moves],
    ):
        if rows:
            screen.lines(table(rows, screen.width))
    return True


def say_ply(screen: Screen, position: Position, *notes: str) -> bool:
    """Prints the last move and its effects; all output of moves goes through here.

    Args:
        screen: where to print.
        position: the position after the move.
        notes: additional remarks, printed in brackets.

    Returns:
        Whether it was printed; chance moves without visible effects are not.
    """
    from forthvm.game.events import events_of, is_hidden

    if not screen.everything and is_hidden(position):
        return False
    events = events_of(position)
    last = position.history[-1]
    line = f"{position.ply}. {last.player}: {move_name(last.text)}"
    if events and events[0].kind == "passed":
        line = f"{position.ply}. {events[0].text}"
        events = events[1:]
    said = "".join(f"  ({note})" for note in notes if note)
    if said and screen.limit is not None and len(line) + len(said) > screen.limit:
        screen.say_styled(screen.bold(line))
        screen.say_styled(screen.dim(f"  {said}"))
    else:
        screen.say_styled(screen.bold(line) + (screen.dim(said) if said else ""))
    if events:
        told = " ".join(event.text for event in events)
        screen.lines(wrapped(told, screen.width, first="    ", rest="    "))
    return True


def say_end(screen: Screen, position: Position) -> None:
    """Prints the script's comment on a finished game and OnExplain's remarks."""
    if position.comment.strip():
        screen.prose(position.comment.strip())
    _say_general(screen, position.remarks())


def _say_general(screen: Screen, remarks: Iterable[Remark]) -> None:
    for one in remarks:
        if one.square is None and one.move is None:
            screen.prose(one.text)


def move_name(move: Move | str) -> str:
    """A move's text in one line, with a substitute for empty texts."""
    return visible(str(move)) or "(a move without text)"


def name_result(result: Outcome) -> str:
    """How the game ended: winners and losers, or a draw and why."""
    if result.draw:
        # If the host ended the game, only the reason explains why.
        text = result.reason[:1].upper() + result.reason[1:] or "Draw"
    elif result.winners:
        text = f"{joined(result.winners)} won"
        if result.losers:
            text += f", {joined(result.losers)} lost"
    else:
        text = f"{joined(result.losers)} lost"
    return f"{text}."


def thoughts(result: SearchResult) -> str:
    """An engine's search statistics; empty if it did not search."""
    parts = []
    if result.score is not None:
        parts.append(f"score {result.score}")
    if result.depth:
        parts.append(f"depth {result.depth}")
    if result.nodes:
        parts.append(f"{result.nodes:,} nodes")
        parts.append(f"{result.time:.1f} s")
    return ", ".join(parts)
