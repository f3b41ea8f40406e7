"""`forthvm games`: lists the available games, or describes one game.

Owns the output; the game layer finds the games.
"""

from __future__ import annotations

import argparse
import gc
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from forthvm.cli.loading import budget_of, variant_of
from forthvm.cli.options import LIMITS, Option
from forthvm.cli.terminal import print_json
from forthvm.core.text.tables import table, table_lines
from forthvm.core.text.wording import wrapped
from forthvm.system.command_line import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.cli.terminal import Screen
    from forthvm.core.budget import Budget
    from forthvm.game import BundledGame, Game

    _Row = tuple[str, str, str, str]

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

_MAX_NAMES = 60
_FOOTER = "forthvm games GAME: settings, pieces and files of a game."

DESCRIPTION = """\
Lists the bundled games and those of installed packages, with players, size of the board, a summary
and variants.  With a folder, lists the games in it: name one of them by its path in other commands,
as in `forthvm board FOLDER/chess.zrf`.  With another GAME, describes that game, its variants and
its settings (for --set).

If the output is not a terminal, each variant has its own line, and lines are neither shortened nor
wrapped."""
EPILOG = """\
examples:
  forthvm games
  forthvm games rithmomachia
  forthvm run rithmomachia --set siege=natural
"""

OPTIONS = (
    Option("[GAME]",
        help="a name from the list, a script or rule file, or a folder, whose games are listed"),
    Option("--json", help="print the list or description as JSON"),
    Option("--variant T", help="for a rule file (.zrf): title or number of a variant"),
    *LIMITS,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Prints the list, or the details of a game."""
    from forthvm.catalogue.bundled import folder_of_games, games_in, list_games
    from forthvm.cli.terminal import Screen

    if args.game is None:
        return _list(args, Screen(), list_games())
    folder = folder_of_games(args.game)
    if folder is not None:
        games = games_in(folder)
        if len(games) > 1:
            return _list(args, Screen(), games)
        if games:
            args.game = str(games[0].path)
    return _describe(args, Screen())


def _list(args: argparse.Namespace, screen: Screen, games: Sequence[BundledGame]) -> int:
    budget = budget_of(args)
    if args.json:
        print_json([_document(bundled, _load(bundled, budget)) for bundled in games])
        return 0
    rows = [_row(bundled, _load(bundled, budget)) for bundled in games]
    screen.print_lines(_grouped(games, rows, screen) if screen.terminal else table_lines(rows))
    return 0


def _row(bundled: BundledGame, game: Game | None) -> _Row:
    if game is None:
        return bundled.name, "?", "?", f"{bundled.summary} (does not load)"
    return bundled.name, _players(game), _size(game), bundled.summary or game.title


def _grouped(
    games: Sequence[BundledGame], cells_of_games: Sequence[_Row], screen: Screen
) -> Iterator[str]:
    """Yields a line for each game, and below it the names of its variants."""
    names = {bundled.name for bundled in games}
    variants: dict[str, list[str]] = {}
    for bundled in games:
        if bundled.variant_of in names:
            variants.setdefault(bundled.variant_of or "", []).append(bundled.name)
    rows = [
        (*cells, _without_name(summary, cells[0]))
        for bundled, (*cells, summary) in zip(games, cells_of_games, strict=True)
        if bundled.variant_of not in names
    ]
    dots = "..." if screen.ascii else "…"
    lines = iter(table_lines([("game", "players", "board", ""), *rows]))
    yield next(lines)
    for row, line in zip(rows, lines, strict=True):
        yield _shortened(line, screen.width, dots)
        if row[0] in variants:
            names_of_variants = ", ".join(variants[row[0]])
            yield from wrapped(names_of_variants, screen.width, first="  + ", rest="    ")
    yield from wrapped(_FOOTER, screen.width)


def _without_name(summary: str, name: str) -> str:
    """Returns a summary without the title before its colon, if the title repeats the name.

    >>> _without_name("Tic-tac-toe: three in a row", "tictactoe")
    'three in a row'
    """
    title, _, text = summary.partition(": ")

    def letters(part: str) -> list[str]:
        return [char for char in part.casefold() if char.isalnum()]

    return text if text and letters(title) == letters(name) else summary


def _shortened(line: str, width: int, dots: str) -> str:
    """Shortens a line to the width, between two words."""
    if len(line) <= width:
        return line
    beginning = line[: width - len(dots) + 1]
    return beginning[: beginning.rfind(" ")].rstrip(" ,;:.") + dots


def _load(bundled: BundledGame, budget: Budget) -> Game | None:
    """Loads a game for the list; prints a warning and returns None if the script fails.

    Raises:
        MemoryError: The system refuses the memory.
    """
    from forthvm.core.errors import ForthVMError
    from forthvm.core.output import discard
    from forthvm.game import load

    try:
        with suppress(MemoryError):
            return load(bundled.path, budget=budget, output=discard)
        gc.collect()  # earlier games of the list have cyclic references
        return load(bundled.path, budget=budget, output=discard)
    except ForthVMError as error:
        if isinstance(error, MemoryError) and error.location is None:
            raise
        print(f"warning: {bundled.name}: {error.report()}", file=sys.stderr)
        return None


def _players(game: Game) -> str:
    """Returns the number of players that can win, with `+ chance` if there are chance players.

    If only chance players have turns, returns their number.
    """
    if not game.contestants:
        return str(sum(1 for player in game.player_details if not player.neutral))
    chance = any(player.chance for player in game.player_details)
    return f"{len(game.contestants)} + chance" if chance else str(len(game.contestants))


def _size(game: Game) -> str:
    """Returns columns and rows, or the number of board positions if there is no grid."""
    if game.grid.rows and game.grid.columns:
        return f"{game.grid.columns} x {game.grid.rows}"
    return str(len(game.positions))


def _board(game: Game) -> str:
    """Returns columns and rows, if there is a grid, and the number of positions."""
    positions = f"{len(game.positions)} positions"
    return f"{_size(game)}, {positions}" if game.grid.rows and game.grid.columns else positions


def _numbered_variants(game: Game) -> list[str]:
    """Returns the titles in a rule file with their numbers, and marks the described one."""
    return [
        f"{number} {title}" + (" (described here)" if title == game.title else "")
        for number, title in enumerate(game.variants)
    ]


def _document(bundled: BundledGame, game: Game | None) -> dict[str, object]:
    document: dict[str, object] = {
        "name": bundled.name,
        "title": bundled.title,
        "summary": bundled.summary,
        "path": str(bundled.path),
        "variant_of": bundled.variant_of,
        "origin": bundled.origin,
    }
    if game is not None:
        document |= {
            "players": list(game.contestants),
            "columns": game.grid.columns,
            "rows": game.grid.rows,
            "positions": len(game.positions),
        }
    return document


def _describe(args: argparse.Namespace, screen: Screen) -> int:
    from forthvm.catalogue.bundled import list_games
    from forthvm.core.loading.files import shown_name
    from forthvm.core.text.wording import unbroken
    from forthvm.engines import levels_of
    from forthvm.game import load

    game = load(
        args.game,
        budget=budget_of(args),
        output=sys.stderr,
        variant=variant_of(args.variant),
    )
    if args.json:
        print_json(_description(game))
        return 0
    screen.print_styled(screen.bold(game.title))
    if game.summary:
        screen.print_wrapped(game.summary)
    readme = game.path.with_name("README.md")
    others = [bundled.name for bundled in list_games() if bundled.variant_of == game.name]
    rows = [
        ("players", ", ".join(player.name for player in game.player_details)),
        ("board", _board(game)),
        ("pieces", _joined([kind.name for kind in game.piece_types])),
        ("levels", f"1 to {len(levels_of(game))} (forthvm levels {quoted(args.game)})"),
        ("script", unbroken(shown_name(game.path))),
    ]
    if len(game.variants) > 1:
        titles = _numbered_variants(game)
        rows += [("variants", titles[0]), *(("", title) for title in titles[1:])]
    elif others:
        rows.append(("variants", ", ".join(others)))
    if readme.is_file():
        rows.append(("rules", unbroken(shown_name(readme))))
    screen.print_lines(table(rows, screen.width))
    if game.settings:
        screen.print()
        screen.print_wrapped(
            "Settings (--set NAME=VALUE); the first value of each is the main game's default:"
        )
        settings = []
        for setting in game.settings.values():
            if setting.is_number:
                settings.append((f"  {setting.name}=N", setting.help))
            settings += [
                (f"  {setting.name}={entry.value}", entry.help) for entry in setting.choices
            ]
        screen.print_lines(table(settings, screen.width))
    return 0


def _joined(names: list[str]) -> str:
    """Joins at most 60 names with commas, and counts the others."""
    hidden = len(names) - _MAX_NAMES
    return ", ".join(names[:_MAX_NAMES]) + (f" and {hidden} more" if hidden > 0 else "")


def _description(game: Game) -> dict[str, object]:
    from forthvm.engines import levels_of

    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "path": str(game.path),
        "players": list(game.players),
        "contestants": list(game.contestants),
        "columns": game.grid.columns,
        "rows": game.grid.rows,
        "positions": len(game.positions),
        "pieces": [kind.name for kind in game.piece_types],
        "variants": list(game.variants),
        "levels": len(levels_of(game)),
        "settings": [
            {
                "name": setting.name,
                "number": setting.is_number,
                "help": setting.help,
                "values": [{"value": entry.value, "help": entry.help} for entry in setting.choices],
            }
            for setting in game.settings.values()
        ],
    }
