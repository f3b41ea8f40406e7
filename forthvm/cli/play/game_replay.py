"""Shows a game of a file of records, or a saved game of Zillions, move by move: `forthvm replay`.

Owns finding the game in a file of records, and the output.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from forthvm.catalogue.bundled import find_game, is_name
from forthvm.cli import position_text
from forthvm.cli.files import file_errors
from forthvm.cli.loading import budget_of, variant_of
from forthvm.cli.status import OK, UsageError
from forthvm.cli.terminal import print_json
from forthvm.core.errors import ForthVMError, Interrupted, UnknownGameError
from forthvm.core.text.visible import visible
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from forthvm.cli.terminal import Screen
    from forthvm.core.budget import Budget
    from forthvm.game import Game, Position
    from forthvm.game.records.formats import RecordFormat
    from forthvm.game.records.recorded import RecordedGame

__all__ = ["load_recorded", "record_format", "show_game", "show_saved_game"]

_ROSTER = ("Event", "Date", "White", "Black", "Result")


def record_format(args: argparse.Namespace) -> RecordFormat | None:
    """Returns the format of FILE; None if it is no file of records.

    Raises:
        UsageError: --game is given for another file.
        RecordError: Files of this format are not read.
        UnknownGameError: The game of --game is unknown.
    """
    from forthvm.game.records.formats import format_of

    form = format_of(args.file)
    if args.game is not None:
        if form is None:
            raise UsageError("--game belongs to a file of games (.pgn .sgf .pdn .kif)")
        if not is_name(args.game):
            raise UsageError(f"--game: expected the name of a game, not {args.game}")
        find_game(args.game)
    return form


def show_game(screen: Screen, args: argparse.Namespace, form: RecordFormat) -> int:
    """Shows each position, or with --ply or --brief only the last one.

    Raises:
        UsageError: The file has no such game, or the game is unknown.
        RecordError: The game is damaged, a tag is wrong, or a move is not legal.
    """
    from forthvm.game.records.recorded import push_recorded

    found = _find(args, form)
    if found.error is not None:
        raise found.error
    if args.ply is not None and args.ply > len(found.moves):
        raise UsageError(f"the game has {len(found.moves)} moves, not {args.ply}")
    if args.json:
        moves = [{"move": move.text, "comment": move.comment} for move in found.moves]
        print_json({"tags": found.tags, "moves": moves, "result": found.result})
        return OK
    position = found.start(load_recorded(found, budget_of(args)))
    only_last = args.brief or args.ply is not None
    players = dict(zip(("White", "Black"), position.game.contestants, strict=False))
    for name in _ROSTER:
        label = visible(players.get(name, name))
        screen.print_wrapped(f"{label}: {visible(found.tags.get(name, '?'))}")
    if not only_last:
        position_text.show_board(screen, position)
    found = _beginning(found, args.ply)
    for move in found.moves:
        push_recorded(position, move)
        if only_last:
            continue
        comment = " ".join(move.comment.split())
        if position_text.print_ply(screen, position, visible(comment)):
            position_text.show_board(screen, position, legend=False)
            screen.print()
    if only_last:
        position_text.show_board(screen, position)
    _print_ending(screen, position, found)
    position_text.save_files(position, args, record=_saved(found, position.game, args.save))
    return OK


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


def _beginning(found: RecordedGame, plies: int | None) -> RecordedGame:
    """Returns the first moves of a game, which have no result; None: all moves."""
    if plies is None or plies == len(found.moves):
        return found
    tags = found.tags | {"Result": "*"}
    return replace(found, moves=found.moves[:plies], result="*", tags=tags, cut=None)


def _print_ending(screen: Screen, position: Position, found: RecordedGame) -> None:
    screen.print(f"After {counted(position.ply, 'move')}: {position_text.describe_turn(position)}")
    players = position.game.contestants
    winners = {"1-0": players[:1], "0-1": players[1:2], "1/2-1/2": ()}.get(found.result)
    reached = position.result
    if reached is not None and winners not in (None, reached.winners):
        screen.print_wrapped(f"note: the record states the result {found.result}.")
    if found.cut is not None:
        screen.print_wrapped(f"note: {visible(str(found.cut))}.")


def _saved(found: RecordedGame, game: Game, path: Path | None) -> RecordedGame | None:
    """Returns what --save writes of a record, as `convert` does; None if it writes no record."""
    from forthvm.cli.play.game_conversion import LeftOut, normalize
    from forthvm.game.records.formats import format_of
    from forthvm.game.records.recorded import ROSTER

    if path is None or format_of(path) is None:
        return None
    normalize(found, game, LeftOut())
    return replace(found, tags=ROSTER | found.tags | {"Result": found.result})


def _find(args: argparse.Namespace, form: RecordFormat) -> RecordedGame:
    number = args.number or 1
    with file_errors("read", args.file), args.file.open("rb") as file:
        games = form.read_games(file, str(args.file), args.game)
        found = next(islice(games, number - 1, None), None)
    if found is None:
        raise UsageError(f"{args.file} has no game {number}")
    return found


def load_recorded(found: RecordedGame, budget: Budget) -> Game:
    """Loads the game of the tag Variant with the settings of the tag Settings.

    Raises:
        UsageError: The game is unknown.
        RecordError: It has no such settings, or the script refuses them.
        ForthVMError: The game cannot be loaded.
    """
    from forthvm.game import load

    try:
        return load(_game_name(found), settings=found.settings(), budget=budget)
    except Interrupted:
        raise
    except ForthVMError as error:
        if "Settings" not in found.tags:
            raise
        raise found.tag_error("Settings", error) from error


def _game_name(found: RecordedGame) -> str:
    """Returns the game of the tag Variant.

    The file may come from a stranger, so it only names bundled and installed games.

    Raises:
        UsageError: The game is unknown.
    """
    name = found.variant
    try:
        if is_name(name):
            find_game(name)
            return name
    except UnknownGameError:
        pass
    raise UsageError(f"unknown game in the record: {visible(name)}")
