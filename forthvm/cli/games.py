"""`forthvm games`: the games at hand, and what can be known of one of them.

Owns the listing.  Which games there are is the game layer's to say.
"""

from __future__ import annotations

import sys

from forthvm.cli import common

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from forthvm.cli.terminal import Screen
    from forthvm.core.budget import Budget
    from forthvm.game import BundledGame, Game

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

_MOST_NAMES = 60
_LEAST_SUMMARY = 24
"""Columns without which a summary beside its game is not worth reading."""

DESCRIPTION = """\
Lists the bundled games, and those of installed packages: players, size of the board, and a
line each.  With GAME: what that game is, and the options of its rules (for --set)."""
EPILOG = """\
examples:
  forthvm games
  forthvm games rithmomachia
  forthvm run rithmomachia --set siege=natural
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="a name from the list, or a script file"
    )
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    common.add_limit_options(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the list, or what is known of a game."""
    from forthvm.cli.terminal import Screen

    if args.game is not None:
        return _one(args, Screen())
    return _all(args, Screen())


def _all(args: argparse.Namespace, screen: Screen) -> int:
    from forthvm.game.bundled import list_games

    rows = []
    documents = []
    for each in list_games():
        game = _load(each, common.budget_of(args))
        documents.append(_document(each, game))
        if game is None:
            rows.append((each.name, "?", "", f"{each.summary} (does not load)"))
        else:
            rows.append((each.name, _players(game), _size(game), each.summary))
    if args.json:
        common.print_json(documents)
        return 0
    screen.lines(_aligned([("game", "players", "board", ""), *rows], screen.width))
    return 0


def _aligned(rows: list[tuple[str, str, str, str]], width: int) -> Iterator[str]:
    """The table; a long name, and in a narrow terminal each summary, has lines of its own."""
    import textwrap

    room = min(max(len(row[0]) for row in rows), width // 3)
    players, size = (max(len(row[at]) for row in rows) for at in (1, 2))
    indent = room + players + size + 6
    for name, *counts, summary in rows:
        if len(name) > room:
            yield name
            name = ""  # noqa: PLW2901 - its column is empty then
        head = f"{name:{room}}  {counts[0]:{players}}  {counts[1]:{size}}  "
        if width - indent < _LEAST_SUMMARY:
            yield head.rstrip()
            yield from textwrap.wrap(
                summary, width, initial_indent="    ", subsequent_indent="    "
            )
            continue
        for line in textwrap.wrap(summary, width - indent) or [""]:
            yield f"{head}{line}".rstrip()
            head = " " * indent


def _load(each: BundledGame, budget: Budget) -> Game | None:
    """The game, to be looked at; None if its script fails: the list is not the place to say."""
    from forthvm.core.errors import ForthVMError
    from forthvm.game import load

    try:
        return load(each.path, budget=budget, output=_nowhere)
    except ForthVMError as error:
        print(f"warning: {each.name}: {error.report()}", file=sys.stderr)
        return None


def _nowhere(_text: str) -> None:
    """Takes what is printed and forgets it."""


def _players(game: Game) -> str:
    """How many play; those who draw lots are no players, but worth a word."""
    chance = any(player.chance for player in game.player_details)
    count = str(len(game.contestants) or sum(1 for one in game.player_details if not one.neutral))
    return f"{count} + chance" if chance and game.contestants else count


def _size(game: Game) -> str:
    """Columns and rows, or the number of positions where there is no grid."""
    if game.rows and game.columns:
        return f"{game.columns} x {game.rows}"
    return str(len(game.positions))


def _document(each: BundledGame, game: Game | None) -> dict[str, object]:
    document: dict[str, object] = {
        "name": each.name,
        "title": each.title,
        "summary": each.summary,
        "path": str(each.path),
        "variant_of": each.variant_of,
        "origin": each.origin,
    }
    if game is not None:
        document |= {
            "players": list(game.contestants),
            "columns": game.columns,
            "rows": game.rows,
            "positions": len(game.positions),
        }
    return document


def _one(args: argparse.Namespace, screen: Screen) -> int:
    from forthvm.cli.terminal import table
    from forthvm.core.files import shown_name
    from forthvm.game import load

    game = load(args.game, budget=common.budget_of(args), output=sys.stderr)
    if args.json:
        common.print_json(_about(game))
        return 0
    screen.say_styled(screen.bold(game.title))
    if game.summary:
        screen.prose(game.summary)
    readme = game.path.with_name("README.md")
    rows = [
        ("players", ", ".join(player.name for player in game.player_details)),
        ("board", f"{_size(game)}, {len(game.positions)} positions"),
        ("pieces", _listed([kind.name for kind in game.piece_types])),
        ("script", shown_name(game.path)),
    ]
    if readme.is_file():
        rows.append(("rules", shown_name(readme)))
    screen.lines(table(rows, screen.width))
    if game.settings:
        screen.say()
        screen.prose(
            "Settings (--set NAME=VALUE); the first value of each is the main game's default:"
        )
        settings = []
        for setting in game.settings.values():
            if setting.is_number:
                settings.append((f"  {setting.name}=N", setting.help))
            settings += [(f"  {setting.name}={one.value}", one.help) for one in setting.choices]
        screen.lines(table(settings, screen.width))
    return 0


def _listed(names: list[str]) -> str:
    """Names, the first ones only if they are very many."""
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _about(game: Game) -> dict[str, object]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "path": str(game.path),
        "players": list(game.players),
        "contestants": list(game.contestants),
        "columns": game.columns,
        "rows": game.rows,
        "positions": len(game.positions),
        "pieces": [kind.name for kind in game.piece_types],
        "settings": [
            {
                "name": setting.name,
                "number": setting.is_number,
                "help": setting.help,
                "values": [{"value": one.value, "help": one.help} for one in setting.choices],
            }
            for setting in game.settings.values()
        ],
    }
