"""Prints positions, moves and results for the commands, and writes positions to files.

Owns the output that `run` shares with other commands.  It must not choose moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm import render
from forthvm.cli.files import file_errors
from forthvm.core.text.tables import table
from forthvm.core.text.visible import visible
from forthvm.core.text.wording import counted, joined, wrapped
from forthvm.game.outcome import plies_to_end
from forthvm.render.draw_text import TextStyle

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from forthvm.cli.terminal import Screen
    from forthvm.engines import SearchResult
    from forthvm.game import Move, Outcome, Position, Remark
    from forthvm.game.records.recorded import RecordedGame

__all__ = [
    "decided_text",
    "describe_result",
    "describe_turn",
    "move_name",
    "print_ending",
    "print_ply",
    "save_files",
    "save_position",
    "score_number",
    "search_summary",
    "show_board",
    "show_remarks",
]


def show_board(
    screen: Screen,
    position: Position,
    *,
    viewer: str | None = None,
    legend: bool = True,
    marks: Iterable[str] = (),
) -> None:
    """Prints the board as a player sees it, with the squares in `marks` in angle brackets."""
    style = TextStyle(width=screen.width, colour=screen.colour, ascii=screen.ascii, legend=legend)
    text = render.text(
        position, style, for_player=viewer, marks=marks, everything=screen.everything
    )
    screen.print_styled(text)


def show_remarks(screen: Screen, position: Position) -> bool:
    """Prints the script's remarks about a position; returns False if there are none.

    Prints the board with the squares of the remarks marked, then the remarks about the position,
    about squares and about moves.
    """
    remarks = position.remarks()
    if not remarks:
        return False
    show_board(screen, position, marks={remark.square for remark in remarks if remark.square})
    screen.print()
    _print_position_remarks(screen, remarks)
    moves = position.legal_moves.texts if position.result is None else ()
    for rows in (
        [(remark.square, remark.text) for remark in remarks if remark.square],
        [
            (moves[remark.move], remark.text)
            for remark in remarks
            if remark.move is not None and moves
        ],
    ):
        if rows:
            screen.print_lines(table(rows, screen.width))
    return True


def print_ply(screen: Screen, position: Position, *notes: str, viewer: str | None = None) -> bool:
    """Prints the last move and its events as a player sees them.

    Args:
        screen: where to print.
        position: the position after the move.
        notes: notes to print in brackets.
        viewer: the player; None: what all players see.

    Returns:
        False if the move was not printed: a chance move without visible effects.
    """
    from forthvm.game.events import events_of, last_move_is_hidden

    if not screen.everything and last_move_is_hidden(position):
        return False
    events = events_of(position, viewer)
    last = position.history[-1]
    text = last.text
    if not screen.everything:
        text = position._shown(viewer).move_text(position._loaded, last)
    line = f"{position.ply}. {last.player}: {move_name(text)}"
    if events and events[0].kind == "passed":
        line = f"{position.ply}. {events[0].text}"
        events = events[1:]
    note_text = "".join(f"  ({note})" for note in notes if note)
    if (
        note_text
        and screen.terminal_width is not None
        and len(line) + len(note_text) > screen.terminal_width
    ):
        screen.print_styled(screen.bold(line))
        screen.print_styled(screen.dim(f"  {note_text}"))
    else:
        screen.print_styled(screen.bold(line) + (screen.dim(note_text) if note_text else ""))
    if events:
        sentences = " ".join(event.text for event in events)
        screen.print_lines(wrapped(sentences, screen.width, first="    ", rest="    "))
    return True


def print_ending(screen: Screen, position: Position) -> None:
    """Prints the remarks about the position of a finished game."""
    _print_position_remarks(screen, position.remarks())


def _print_position_remarks(screen: Screen, remarks: Iterable[Remark]) -> None:
    """Prints the remarks that are not about a square or a move."""
    for remark in remarks:
        if remark.square is None and remark.move is None:
            screen.print_wrapped(remark.text)


def move_name(move: Move | str) -> str:
    """Returns a move's text in one line, with a substitute for an empty text."""
    return visible(str(move)) or "(a move without text)"


def describe_result(result: Outcome) -> str:
    """Returns a sentence that says how the game ended: winners and losers, and the cause."""
    if result.draw:
        text = "Draw"
    elif result.winners:
        text = f"{joined(result.winners)} won"
        if result.losers:
            text += f", {joined(result.losers)} lost"
    else:
        text = f"{joined(result.losers)} lost"
    return f"{text}: {visible(result.cause)}." if result.cause else f"{text}."


def describe_turn(position: Position) -> str:
    """Returns who is to move, or how the game ended."""
    result = position.result
    return f"{position.turn} to move" if result is None else describe_result(result)


def decided_text(score: float) -> str:
    """Returns `win in 7` or `loss in 6` for a score that says so, in plies; "" for any other."""
    plies = plies_to_end(score)
    if plies is None:
        return ""
    return f"{'win' if score > 0 else 'loss'} in {plies}"


def score_number(score: float) -> str:
    """Returns a score as a number: an integer complete, any other with four significant digits."""
    return f"{score:,}" if isinstance(score, int) else f"{score:,.4g}"


def search_summary(result: SearchResult) -> str:
    """Returns an engine's search statistics; "" if the engine did not search."""
    parts = []
    if result.score is not None:
        decided = decided_text(result.score)
        parts.append(decided or f"score {score_number(result.score)}")
    if result.depth:
        parts.append(f"depth {result.depth}")
    if result.nodes:
        parts.append(f"{result.nodes:,} nodes")
        parts.append(f"{result.time:.1f} s")
    return ", ".join(parts)


def save_position(
    position: Position,
    path: Path,
    *,
    tags: Mapping[str, str] | None = None,
    record: RecordedGame | None = None,
) -> None:
    """Writes a position to a file, as JSON, PGN (.pgn), SGF (.sgf) or a saved game of Zillions.

    Args:
        position: The position.
        path: The file.
        tags: Tags of a record, such as the names of the players.
        record: The game that led to the position, with comments and variations; None: its moves.

    Raises:
        UsageError: the file cannot be written.
        PositionError: the format cannot describe the position.
    """
    from forthvm.game.saving import write_position

    with file_errors("write", path):
        write_position(position, path, tags=tags, record=record)


def save_files(
    position: Position,
    args: argparse.Namespace,
    *,
    tags: Mapping[str, str] | None = None,
    record: RecordedGame | None = None,
) -> None:
    """Writes the files of --save and --svg; tags and record are those of `save_position`."""
    if args.save is not None:
        save_position(position, args.save, tags=tags, record=record)
    if args.svg is not None:
        _save_replay(position, args.svg)


def _save_replay(position: Position, path: Path) -> None:
    """Writes the game that led to a position as an animated picture.

    Raises:
        UsageError: The file cannot be written.
    """
    from forthvm.render.replay_svg import replay_svg

    title = f"{position.game.title}: {counted(position.ply, 'move')}"
    with file_errors("write", path):
        path.write_text(f"{replay_svg(position, title=title)}\n", encoding="utf-8")
