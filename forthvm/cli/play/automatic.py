"""`forthvm run --auto`: engines play a game to its end.

Owns the loop and its output, as text and as JSON.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.cli import position_text, shared_options
from forthvm.cli.play.script_errors import push
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from forthvm.cli.play.seats import Seats
    from forthvm.cli.terminal import Screen
    from forthvm.engines import SearchResult
    from forthvm.game import Position

__all__ = ["DEFAULT_MAX_PLIES", "Record", "Show", "play", "play_json", "play_text", "tell_faults"]

DEFAULT_MAX_PLIES = 10_000
"""Far more than the length of normal games; some never end under weak play."""


@dataclass
class Record:
    """The record of a game."""

    moves: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of a player and a move."""
    limit_reached: bool = False


@dataclass(frozen=True)
class Show:
    """What is shown of a game besides its moves and its end."""

    boards: bool = True
    thoughts: bool = False


def play(
    position: Position,
    seats: Seats,
    max_plies: int,
    watch: Callable[[str, SearchResult | None], None] | None = None,
) -> Record:
    """Plays until the game ends or has lasted `max_plies` plies.

    `watch` is called after each ply with the player and its engine's answer; None if the host
    passed for a player without moves.
    """
    record = Record()
    while position.result is None:
        if len(record.moves) >= max_plies:
            record.limit_reached = True
            break
        position.game.vm.restart_output()
        player = position.turn
        answer = None
        if position.is_stuck:
            position.push_pass()
        else:
            answer = seats.play(position, by_rule=True)
            tell_faults(seats.news(answer, position))
            push(position, answer.move)
        record.moves.append((player, position.history[-1].text))
        if watch is not None:
            watch(player, answer)
    return record


def tell_faults(faults: Iterable[str]) -> None:
    """Prints a warning for each fault of an engine."""
    for fault in faults:
        print(f"warning: {fault}", file=sys.stderr)


def play_text(screen: Screen, position: Position, seats: Seats, max_plies: int, show: Show) -> None:
    """Plays and shows it; `position` is played on."""
    if show.boards:
        position_text.show_board(screen, position)
        screen.say()

    def watch(_player: str, answer: SearchResult | None) -> None:
        thoughts = position_text.thoughts(answer) if answer is not None and show.thoughts else ""
        if position_text.say_ply(screen, position, thoughts) and show.boards:
            position_text.show_board(screen, position, legend=False)
            screen.say()

    try:
        record = play(position, seats, max_plies, watch)
    except KeyboardInterrupt:
        screen.say()
        screen.prose(
            f"Interrupted after {counted(position.ply, 'ply', 'plies')}; {position.turn} to move."
        )
        raise
    if not show.boards:
        position_text.show_board(screen, position)
    screen.prose(_ending(position, record))
    if position.result is not None:
        position_text.say_end(screen, position)


def _ending(position: Position, record: Record) -> str:
    if position.result is not None:
        played = counted(position.ply, "ply", "plies")
        return f"After {played}: {position_text.name_result(position.result)}"
    return (
        f"Stopped after {counted(len(record.moves), 'ply', 'plies')} without a result "
        f"(--max-plies {len(record.moves)}); {position.turn} to move."
    )


def play_json(position: Position, seats: Seats, max_plies: int) -> None:
    """Plays and prints one JSON document."""
    record = play(position, seats, max_plies)
    result = position.result
    shared_options.print_json(
        {
            "game": position.game.name,
            "engines": {name: seats[name].label() for name in seats.names},
            "moves": [{"player": player, "move": move} for player, move in record.moves],
            "result": None if result is None else vars(result) | {"comment": position.comment},
            "limit_reached": record.limit_reached,
        }
    )
