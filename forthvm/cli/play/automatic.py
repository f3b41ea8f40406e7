"""`forthvm run --auto`: engines play a game to its end.

Owns the loop and its output, as text and as JSON.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.cli import position_text
from forthvm.cli.play.script_errors import push
from forthvm.cli.terminal import print_json
from forthvm.core.text.wording import counted
from forthvm.engines import Resignation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from forthvm.cli.play.seats import Seats
    from forthvm.cli.terminal import Screen
    from forthvm.engines import SearchResult
    from forthvm.game import Position

__all__ = [
    "DEFAULT_MAX_PLIES",
    "GameRecord",
    "ShownParts",
    "play",
    "play_json",
    "play_text",
    "print_faults",
]

DEFAULT_MAX_PLIES = 10_000
"""Far more than the length of normal games; some games of weak engines never end."""


@dataclass
class GameRecord:
    """The record of a game."""

    moves: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of a player and a move."""
    limit_reached: bool = False
    resigned: str | None = None
    """The player whose engine has resigned."""


@dataclass(frozen=True)
class ShownParts:
    """The parts of the output that are shown in addition to the moves and the result."""

    boards: bool = True
    search_summaries: bool = False


def play(
    position: Position,
    seats: Seats,
    max_plies: int,
    on_ply: Callable[[str, SearchResult | None], None] | None = None,
) -> GameRecord:
    """Plays until the game ends, an engine resigns, or the game has lasted `max_plies` plies.

    `on_ply` is called after each ply with the player and its engine's result; the result is None if
    the host passed for a player without moves.
    """
    record = GameRecord()
    while position.result is None:
        if len(record.moves) >= max_plies:
            record.limit_reached = True
            break
        position._loaded.vm.restart_output()
        player = position.turn
        result = None
        if position.is_stuck:
            position.push_pass()
        else:
            try:
                result = seats.play(position, first_move_on_failure=True)
            except Resignation:
                record.resigned = player
                break
            print_faults(seats.new_faults(result, position))
            push(position, result.move)
        record.moves.append((player, position.history[-1].text))
        if on_ply is not None:
            on_ply(player, result)
    return record


def print_faults(faults: Iterable[str]) -> None:
    """Prints a warning for each fault that `Seats.new_faults` has returned."""
    for fault in faults:
        print(f"warning: {fault}", file=sys.stderr)


def play_text(
    screen: Screen, position: Position, seats: Seats, max_plies: int, shown: ShownParts
) -> None:
    """Plays a game and prints its moves; `position` changes with each move."""
    if shown.boards:
        position_text.show_board(screen, position)
        screen.print()

    def show_ply(_player: str, result: SearchResult | None) -> None:
        summary = ""
        if result is not None and shown.search_summaries:
            summary = position_text.search_summary(result)
        if position_text.print_ply(screen, position, summary) and shown.boards:
            position_text.show_board(screen, position, legend=False)
            screen.print()

    try:
        record = play(position, seats, max_plies, show_ply)
    except KeyboardInterrupt:
        screen.print()
        screen.print_wrapped(
            f"Interrupted after {counted(position.ply, 'ply', 'plies')}; {position.turn} to move."
        )
        raise
    if not shown.boards:
        position_text.show_board(screen, position)
    screen.print_wrapped(_ending(position, record))
    if position.result is not None:
        position_text.print_ending(screen, position)


def _ending(position: Position, record: GameRecord) -> str:
    if position.result is not None:
        played = counted(position.ply, "ply", "plies")
        return f"After {played}: {position_text.describe_result(position.result)}"
    if record.resigned is not None:
        return f"After {counted(position.ply, 'ply', 'plies')}: {record.resigned} resigns."
    return (
        f"Stopped after {counted(len(record.moves), 'ply', 'plies')} without a result "
        f"(--max-plies {len(record.moves)}); {position.turn} to move."
    )


def play_json(position: Position, seats: Seats, max_plies: int) -> None:
    """Plays a game and prints it as one JSON document."""
    record = play(position, seats, max_plies)
    result = position.result
    print_json(
        {
            "game": position.game.name,
            "engines": {name: seats[name].label() for name in seats.names},
            "moves": [{"player": player, "move": move} for player, move in record.moves],
            "result": None if result is None else vars(result) | {"comment": position.comment},
            "limit_reached": record.limit_reached,
            "resigned": record.resigned,
        }
    )
