"""Shows a saved game of Zillions (`.zsg`) move by move, for `forthvm replay`.

Owns the output.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.cli import position_text
from forthvm.cli.loading import budget_of, variant_of
from forthvm.cli.status import OK, UsageError
from forthvm.cli.terminal import print_json
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    import argparse

    from forthvm.cli.terminal import Screen

__all__ = ["show_saved_game"]


def show_saved_game(screen: Screen, args: argparse.Namespace) -> int:
    """Shows each position, or with --ply or --brief only the last one.

    Raises:
        UsageError: --ply is larger than the number of moves, or NUMBER was given.
        SavedGameError: The file is broken, or a line fits no legal move.
    """
    from forthvm.game.zsg_replay import open_saved_game

    if args.number is not None:
        raise UsageError(f"{args.file} contains one game: omit the NUMBER")
    replay = open_saved_game(
        args.file,
        rules=args.rules,
        variant=variant_of(args.variant),
        budget=budget_of(args),
    )
    moves = replay.saved.moves
    if args.ply is not None and args.ply > len(moves):
        raise UsageError(f"{args.file} has {len(moves)} moves, not {args.ply}")
    if args.json:
        print_json(
            {
                "rules": replay.saved.rules_file,
                "variant": replay.saved.variant,
                "moves": [{"turn": move.turn, "move": move.text} for move in moves],
            }
        )
        return OK
    only_last = args.brief or args.ply is not None
    position = replay.position
    if not only_last:
        position_text.show_board(screen, position)
        screen.print()
    for _ in moves if args.ply is None else moves[: args.ply]:
        replay.play_next()
        position = replay.position
        if position_text.print_ply(screen, position, "") and not only_last:
            position_text.show_board(screen, position, legend=False)
            screen.print()
    for warning in replay.warnings:
        screen.print_wrapped(f"note: {warning}")
    if only_last:
        position_text.show_board(screen, position)
    screen.print(f"After {counted(position.ply, 'move')}: {position_text.describe_turn(position)}")
    position_text.save_files(position, args)
    return OK
