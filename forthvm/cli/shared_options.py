"""Options that several subcommands share, and loading the game that they describe.

Owns the common options and making a Game and a Position from them.
"""

from __future__ import annotations

import argparse
import re
import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.option_values import AXIOM, CELL_HIGH, CELL_LOW, integer, seconds
from forthvm.cli.status import UsageError
from forthvm.core.budget import DEFAULT_MEMORY, DEFAULT_SECONDS, MOST_MEMORY, script_budget
from forthvm.core.loading.files import expand_user
from forthvm.core.text.visible import visible_json, visible_lines
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from forthvm.core.budget import Budget
    from forthvm.game import Game, Position

__all__ = [
    "add_current_folder_to_sys_path",
    "add_game_argument",
    "add_game_options",
    "add_include_option",
    "add_level_option",
    "add_limit_options",
    "add_position_options",
    "add_trust_option",
    "add_vm_options",
    "budget_of",
    "folder",
    "game_command",
    "load_game",
    "make_position",
    "print_json",
    "resolve_game",
    "split_moves",
]

_BOARD = re.compile(r"(^|/)\d\d?(/|$)|(\d[^/]*/[^/]*){3}")  # a row is empty, or three have numbers
_SQUARES = re.compile(r"[^\s:/\\]+(:[^:/\\]*){2,}")  # W:W31-50:B1-20
_COMMAND = re.compile(r"\s*(position\s+)?(s?fen\s+)?")  # of UCI and USI, before a position
_SUFFIX = re.compile(r"\.[A-Za-z]\w*$")  # of the name of a file
_MAX_RULE_FILE_WARNINGS = 5


MAX_OUTPUT = 1 << 20
"""The default limit of a script's output in bytes: about twenty thousand lines."""


def add_game_options(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Adds GAME, which --position can replace unless it is `required`, and options for loading."""
    add_game_argument(parser, required=required)
    add_load_options(parser)


def add_game_argument(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Adds the argument GAME, which --position can replace unless it is `required`."""
    text = "the name of a game (`forthvm games` lists them) or a script file"
    if required:
        parser.add_argument("game", metavar="GAME", help=text)
    else:
        text += "; not needed with --position"
        parser.add_argument("game", metavar="GAME", nargs="?", help=text)


def add_level_option(group: argparse._ActionsContainer) -> None:
    """Adds --level: engines by their strength."""
    group.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="[NAME=]N",
        help="let the engines of all players, or of the player NAME, play at level N; repeatable "
        "(`forthvm levels GAME` lists the levels, 1 is the weakest)",
    )


def add_include_option(group: argparse._ActionsContainer) -> None:
    """Adds --include: folders that LOAD, and `include` of rule files, may read."""
    group.add_argument(
        "--include",
        action="append",
        default=[],
        type=folder,
        metavar="DIR",
        help="also let LOAD, and include of rule files, read files below DIR; repeatable",
    )


def add_setting_option(group: argparse._ActionsContainer) -> None:
    """Adds the option for a setting of a game."""
    group.add_argument(
        "--set",
        action="append",
        default=[],
        type=_setting,
        metavar="NAME=VALUE",
        help="choose a setting of the game (listed by `forthvm games GAME`, for rule files in "
        "docs/reference/zrf.md), or hide pieces (OnShow=NAMES); repeatable",
    )


def add_vm_options(group: argparse._ArgumentGroup) -> None:
    """Adds the options for loading a script that are the same for all games of a match."""
    add_setting_option(group)
    group.add_argument(
        "--variant",
        metavar="T",
        help="for a rule file (.zrf): title of a variant, or its number from 0 "
        "(`forthvm games FILE` lists them)",
    )
    group.add_argument(
        "--axiom",
        choices=AXIOM,
        help="library version to emulate (default 150, or that of --axiom-lib)",
    )
    group.add_argument(
        "--axiom-lib",
        type=Path,
        metavar="DIR",
        help="use the CORE.4TH and axiom.4th in DIR instead of the project's library",
    )
    add_include_option(group)
    group.add_argument(
        "--checked",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="report array indexes out of range, reads outside the board and every stack underflow",
    )


def add_load_options(
    parser: argparse.ArgumentParser,
    *,
    default_seconds: float | None = DEFAULT_SECONDS,
    default_seed: str = "0",
) -> None:
    """Adds the options for loading a script, and its limits.

    Args:
        parser: The parser of a command.
        default_seconds: The default of the limit of time.
        default_seed: The default of --seed in words.
    """
    group = parser.add_argument_group("the virtual machine")
    group.add_argument(
        "--seed",
        type=integer(CELL_LOW, CELL_HIGH),
        metavar="N",
        help="seed of the script's random streams, and the time on its clock "
        f"(default {default_seed})",
    )
    add_vm_options(group)
    group.add_argument(
        "--game-log",
        type=folder,
        metavar="DIR",
        help="let `$gameLog ON` in the script write a new file in DIR",
    )
    group = add_limit_options(parser, default=default_seconds)
    group.add_argument(
        "--max-steps",
        type=integer(0),
        default=0,
        metavar="N",
        help="limit of steps for each run of the script's code (default 0: no limit)",
    )
    group.add_argument(
        "--max-output",
        type=integer(0),
        default=MAX_OUTPUT,
        metavar="BYTES",
        help="limit of the script's output (default 1 MiB; at a prompt, for each command; "
        "0: no limit)",
    )


def add_limit_options(
    parser: argparse.ArgumentParser, *, default: float | None = DEFAULT_SECONDS
) -> argparse._ArgumentGroup:
    """Adds the limits of time and memory; returns their group, to which limits can be added."""
    group = parser.add_argument_group("limits")
    default_text = f"{default:g}" if default is not None else f"{DEFAULT_SECONDS:g}, at a prompt 0"
    group.add_argument(
        "--max-seconds",
        type=seconds,
        default=default,
        metavar="N",
        help="limit of time for loading the script, and for each query such as the moves or the "
        f"value of a position (default {default_text}; 0: no limit)",
    )
    group.add_argument(
        "--max-memory",
        type=integer(0, MOST_MEMORY >> 20),
        default=DEFAULT_MEMORY >> 20,
        metavar="MIB",
        help="limit of the script's memory image "
        f"(default {DEFAULT_MEMORY >> 20}; 0: the maximum, {MOST_MEMORY >> 20})",
    )
    return group


def budget_of(args: argparse.Namespace) -> Budget:
    """Returns the limits that the options set for a script."""
    return script_budget(
        call_seconds=args.max_seconds,
        mebibytes=args.max_memory,
        steps=getattr(args, "max_steps", 0),
        output=getattr(args, "max_output", MAX_OUTPUT),
    )


def folder(text: str) -> Path:
    """Converts an option value to the absolute path of an existing folder, as an argparse type."""
    path = expand_user(text)
    if not path.is_dir():
        raise ArgumentTypeError(f"there is no folder {text}")
    return path.absolute()


def add_everything_option(group: argparse._ActionsContainer) -> None:
    """Adds --everything, for commands that show boards."""
    group.add_argument(
        "--everything",
        action="store_true",
        help="also show the script's internal state: dummy positions, variables, attributes",
    )


def add_trust_option(parser: argparse.ArgumentParser) -> None:
    """Adds --trust, for commands that load the scripts that a results file names."""
    parser.add_argument(
        "--trust",
        action="store_true",
        help="load scripts even if they have changed since the match or have no recorded digest",
    )


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def add_position_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that choose a position of the game."""
    group = parser.add_argument_group("the position")
    group.add_argument(
        "--position",
        type=_file_or_fen,
        metavar="FILE",
        help="a saved position, which contains its game, seed and settings (-: standard input); "
        "a link to one, copied from the page of `board`; a saved game of Zillions (.zsg); or, with "
        "GAME, a position as text, such as the FEN of chess",
    )
    group.add_argument(
        "--moves", metavar="'M1; M2'", help="moves to make first, separated by semicolons"
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


def _file_or_fen(text: str) -> Path | str:
    """Converts the value of --position, as an argparse type: a position as text stays as it is.

    It is no existing file, nor a link or a name with a suffix.  Its first word is a board in rows.
    Without further words, it has numbers of squares as in no usual name of a file.  Or it has
    lists of squares between colons.  The words of the command `position` may be before it.
    """
    path = Path(text)
    line = _COMMAND.sub("", text, count=1)
    board, *others = line.split() or [""]
    is_board = "/" in board and (others or _BOARD.search(board))
    is_line = is_board or board == "startpos" or _SQUARES.fullmatch(line)
    if not is_line or path.is_absolute() or "#" in text or _SUFFIX.search(text):
        return path
    try:
        return path if path.exists() else text
    except OSError:  # too long for the name of a file
        return text


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
    if args.axiom_lib is not None and not args.axiom_lib.is_dir():
        raise UsageError(f"--axiom-lib: there is no folder {args.axiom_lib}")
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
            library=args.axiom_lib,
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
        from forthvm.cli.position_line import position_of_line

        position = position_of_line(game, args.position)
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


def print_json(data: object) -> None:
    """Prints one JSON document."""
    import json

    from forthvm.cli.terminal import encodes

    text = json.dumps(data, indent=2, ensure_ascii=False)
    if not encodes(text):
        text = json.dumps(data, indent=2)
    print(visible_json(text))


def game_command(
    values: Mapping[str, object],
    *,
    settings: Iterable[tuple[str, str]],
    include: Iterable[object],
    checked: bool,
) -> list[str]:
    """Returns the arguments that load a game with given options.

    Args:
        values: Values of options by their names without `--`; None for options to omit.
        settings: Values of `--set`.
        include: Folders of `--include`.
        checked: Whether to add `--checked`.
    """
    arguments = []
    for name, value in values.items():
        if value is not None:
            arguments += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    arguments += ["--checked"] if checked else []
    for name, choice in settings:
        arguments += ["--set", f"{name}={choice}"]
    for folder in include:
        arguments += ["--include", str(folder)]
    return arguments
