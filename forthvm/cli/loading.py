"""Loads the game that the options describe, and makes its position.

Owns making a Game and a Position from the values of options.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.options import MAX_OUTPUT
from forthvm.cli.status import UsageError
from forthvm.core.budget import script_budget
from forthvm.core.text.visible import visible_lines
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from forthvm.core.budget import Budget
    from forthvm.engines.protocols.uci.dialect import Dialect
    from forthvm.game import Game, Position

__all__ = [
    "add_current_folder_to_sys_path",
    "budget_of",
    "library_of",
    "load_game",
    "load_position",
    "make_position",
    "resolve_game",
    "split_moves",
    "variant_of",
]

_MAX_RULE_FILE_WARNINGS = 5


def budget_of(args: argparse.Namespace) -> Budget:
    """Returns the limits that the options set for a script."""
    return script_budget(
        call_seconds=args.max_seconds,
        mebibytes=args.max_memory,
        steps=getattr(args, "max_steps", 0),
        output=getattr(args, "max_output", MAX_OUTPUT),
    )


def resolve_game(args: argparse.Namespace) -> None:
    """Sets the game from the saved position if the command line has no GAME.

    Raises:
        UsageError: there is neither GAME nor --position, or they contradict each other.
        PositionError: the file is not a saved position.
    """
    if getattr(args, "saved_text", None) is not None or getattr(args, "saved_zsg", None):
        return  # an earlier call read the file
    position = getattr(args, "position", None)
    if position is not None and not is_fen(position):
        from forthvm.cli.saved_position import fill_in_options, fill_in_rule_file

        if position.suffix.lower() == ".zsg":
            fill_in_rule_file(args)
        else:
            fill_in_options(args)
    elif args.game is None:
        move = getattr(args, "move", None)
        read_as = "" if move is None else f"`{move}` is read as MOVE; "
        instead = (
            "or a script file" if position is not None else "a script file, or --position FILE"
        )
        raise UsageError(
            f"GAME is missing: {read_as}name one that `forthvm games` lists, {instead}"
        )


def is_fen(position: Path | str) -> bool:
    """Whether the value of --position is a position as text."""
    return isinstance(position, str)


def load_game(args: argparse.Namespace, *, echo: bool = False, unfinished: bool = False) -> Game:
    """Loads the game that the options name.

    Args:
        args: the parsed command line.
        echo: send the script's output to standard output instead of standard error.
        unfinished: only warn about a game in which no piece can ever move.

    Raises:
        UsageError: the options name no game, or contradict the saved position.
        NoGameError: no piece can ever move in the game.
        ForthVMError: the game cannot be loaded.
    """
    resolve_game(args)
    game = _load(args, echo=echo)
    _print_warnings(game)
    if game.missing:
        text = f"{args.game}: nothing can ever move: the script has {game.missing}"
        if not unfinished:
            from forthvm.core.errors import NoGameError  # imported only on failure

            raise NoGameError(text)
        print(f"warning: {text}", file=sys.stderr)
    return game


def _load(args: argparse.Namespace, *, echo: bool) -> Game:
    from forthvm.game import load

    try:
        return load(
            args.game,
            library=library_of(args),
            axiom=args.axiom,
            seed=args.seed,
            clock=getattr(args, "clock", None),
            checked=args.checked,
            budget=budget_of(args),
            output=sys.stdout if echo else sys.stderr,
            settings=dict(args.set),
            include=args.include,
            game_log=args.game_log,
            variant=variant_of(args.variant),
        )
    except Exception as error:
        from forthvm.core.errors import SettingError  # imported only on failure

        if not isinstance(error, SettingError) or getattr(args, "saved_text", None) is None:
            raise
        raise UsageError(f"{args.saved_in}, a position of {args.saved_game}: {error}") from error


def library_of(args: argparse.Namespace) -> Path | None:
    """Returns the folder of --axiom-lib.

    Raises:
        UsageError: There is no such folder.
    """
    folder: Path | None = args.axiom_lib
    if folder is not None and not folder.is_dir():
        raise UsageError(f"--axiom-lib: there is no folder {folder}")
    return folder


def variant_of(text: str | None) -> str | int | None:
    """Returns the value of --variant: a number, or a title."""
    return int(text) if text is not None and text.isdecimal() else text


def _print_warnings(game: Game) -> None:
    """Prints the warnings about a script, which can be played nevertheless."""
    for warning in game._loaded.vm.warnings:
        where = f"{warning.location}: " if warning.location else ""
        print(f"{where}warning: {warning.text}", file=sys.stderr)
    found = game.warnings
    for text in found[:_MAX_RULE_FILE_WARNINGS]:
        print(visible_lines(f"warning: {text}"), file=sys.stderr)
    if len(found) > _MAX_RULE_FILE_WARNINGS:
        more = counted(len(found) - _MAX_RULE_FILE_WARNINGS, "more warning")
        print(f"{more}: forthvm check {game.path}", file=sys.stderr)


def load_position(args: argparse.Namespace, *, unfinished: bool = False) -> Position:
    """Loads the game, and returns the position that the options describe.

    Raises:
        Exception: those of `load_game` and `make_position`.
    """
    return make_position(load_game(args, unfinished=unfinished), args)


def make_position(game: Game, args: argparse.Namespace) -> Position:
    """Returns the position that the options describe.

    It is the start or the position that `resolve_game` has read, after the moves of --moves.

    Raises:
        PositionError: the file is not a position of this game.
        MoveError: a move is not legal.
    """
    from forthvm.game import Position

    if args.position is None:
        position = game.start()
    elif is_fen(args.position):
        position = _position_of_line(game, args.position)
    elif getattr(args, "saved_zsg", None):
        from forthvm.game.zsg_replay import Replay

        replay = Replay(game, args.saved_zsg)
        replay.play_all()
        for warning in replay.warnings:
            print(f"warning: {warning}", file=sys.stderr)
        position = replay.position
    else:
        position = Position.from_json(game, args.saved_text)
    for text in split_moves(args.moves or ""):
        position.push(text)
    return position


def _position_of_line(game: Game, line: str) -> Position:
    """Returns the position of a FEN or SFEN, or of a command `position` of UCI or USI.

    People copy such a command from the log of an engine; it may have moves.

    Raises:
        PositionError: The position is wrong, or the game has none as text.
        MoveError: A move is not legal.
    """
    from forthvm.engines.protocols.words import push_word
    from forthvm.game import Position

    start, *moves = re.split(r"\s+moves(?=\s|$)", line, maxsplit=1)
    is_start = re.fullmatch(r"\s*(position\s+)?startpos\s*", start)
    position = game.start() if is_start else Position.from_fen(game, start)
    dialect = _dialect_of(game)
    for word in " ".join(moves).split():
        push_word(position, word, dialect.words_of)
    return position


def _dialect_of(game: Game) -> Dialect:
    """Returns the protocol that programs for a game have; UGI for other games."""
    from forthvm.engines.protocols.uci.dialect import UCCI, UCI, UGI, USI
    from forthvm.game.short_notation import short_notation

    notation = short_notation(game._loaded)
    known = notation.protocols if notation else {}
    return next((each for each in (USI, UCCI, UCI) if each.name in known), UGI)


def split_moves(moves: str) -> list[str]:
    """Returns the move texts in the value of an option such as --moves."""
    return [text.strip() for text in moves.replace("\n", ";").split(";") if text.strip()]


def add_current_folder_to_sys_path(spec: str) -> None:
    """Adds the current folder to `sys.path` if an engine's module is in no other folder.

    The folder comes last, so its files cannot replace modules of the standard library, of forthvm
    or of an installed package.  Without such an engine nothing is imported from the folder.
    """
    from forthvm.engines.registry import modules_in_spec

    folder = str(Path.cwd())
    if folder not in sys.path and not all(map(_is_found, modules_in_spec(spec))):
        sys.path.append(folder)


def _is_found(module: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(module.partition(".")[0]) is not None
    except ValueError:  # a module that was not loaded from a file, or an empty name
        return True
