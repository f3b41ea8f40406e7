"""Reports script errors of a replay and of the recorded game.

Owns the suggested commands that repeat the failure.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from forthvm.cli.play.script_errors import game_command
from forthvm.core.status import Phase
from forthvm.system.command_line import join_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.autoplay import GameRow, Settings
    from forthvm.core.errors import ForthVMError

__all__ = ["note_failure", "recorded_failure"]

_POSITION_FILE = "before-failure.json"
_MOVE_PHASES = (Phase.APPLY, Phase.NEXT_TURN)


def note_failure(
    error: ForthVMError, row: GameRow, move_count: int, settings: Settings, args: argparse.Namespace
) -> None:
    """Add hints to a script error: the move of the replay, and commands that debug the error.

    Args:
        error: The error.
        row: The record of the game.
        move_count: The number of moves made before the error.
        settings: The settings of the match.
        args: The command line of `forthvm replay`.
    """
    if error.status is None:
        return
    if error.phase not in _MOVE_PHASES and move_count:
        # The last move was made.  The script failed when the host computed the moves or the result.
        move_count -= 1
        where = f"after {_move(row, move_count)}"
    elif move_count < len(row.moves):
        where = f"while {_move(row, move_count)} was made"
    else:
        where = "at the beginning"
    debug = ["forthvm", "debug", *_game(settings), "--position", _POSITION_FILE]
    if move_count < len(row.moves):
        debug += ["--play", row.moves[move_count][1]]
    steps = [_save(row, move_count, args), join_words(debug)]
    error.hints = (*error.hints, where, "next: debug it:", *(f"  {step}" for step in steps))


def recorded_failure(row: GameRow, settings: Settings, args: argparse.Namespace) -> Iterator[str]:
    """Yield commands that repeat the failure that ended a game; nothing without a failure."""
    if "failed at ply" not in row.reason:
        return
    engines = {entrant.name: entrant.spec for entrant in settings.entrants}
    repeat = ["forthvm", "run", *_game(settings), "--position", _POSITION_FILE, "--auto"]
    repeat += ["--max-plies", "1", "--debug-on-error"]
    for player, entrant in row.seats.items():
        if engines.get(entrant):
            repeat += ["--engine", f"{player}={engines[entrant]}"]
    yield "To repeat the failure, in the debugger:"
    yield f"  {_save(row, row.plies, args)}"
    yield f"  {join_words(repeat)}"


def _move(row: GameRow, at: int) -> str:
    player, text = row.moves[at]
    return f"move {at + 1}, {player}: {text},"


def _save(row: GameRow, ply: int, args: argparse.Namespace) -> str:
    trust = ["--trust"] if args.trust else []
    save = ["--ply", str(ply), "--save", _POSITION_FILE]
    return join_words(["forthvm", "replay", str(args.file), str(row.id), *save, *trust])


def _game(settings: Settings) -> list[str]:
    """Return the arguments that load the game with the settings of the match."""
    configuration = settings.configurations[0]
    values = {
        "variant": configuration.variant,
        "axiom": configuration.axiom,
        "axiom-lib": configuration.library,
    }
    options = game_command(
        values,
        settings=configuration.settings,
        include=configuration.include,
        checked=configuration.checked,
    )
    return [configuration.game, *options]
