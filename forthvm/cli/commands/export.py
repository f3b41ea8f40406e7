"""`forthvm export`: writes a game as a single HTML file.

Owns the options; forthvm/web makes the file.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.files import new_file
from forthvm.cli.loading import load_game
from forthvm.cli.options import GAME_OR_POSITION, LOADING, SEED, Option, integer, with_rows
from forthvm.cli.status import OK, UsageError

if TYPE_CHECKING:
    from forthvm.core.bindings import Network
    from forthvm.game import Game

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Writes a game as a single HTML file that is played in any browser, by a double click on the file.

The file contains the game, the board and the engines.  It needs no internet connection and no
installation.
Its engines use one thread and no machine code, so they are slower than those of `forthvm board`."""
EPILOG = """\
examples:
  forthvm export breakthrough
  forthvm export "My Game.zrf" --variant "Small board" -o small.html
  forthvm export chess --side White --side Black
"""

OPTIONS = (
    GAME_OR_POSITION,
    Option("-o, --output FILE", Path, help="write FILE (default: GAME.html)"),
    Option("--force", help="overwrite an existing FILE"),
    Option("--side NAME", repeatable=True,
        help="a player for whom a person plays at first, or `all`; repeatable (default: the first "
        "player)"),
    Option("--level N", integer(1),
        help="the level at which the engine plays at first (default: the middle one)"),
    Option("--net FILE",
        help="the file of a network that evaluates positions, or `none` (default: NAME.net beside "
        "the game, if there is one)"),
    *with_rows(LOADING, Option(SEED.form, SEED.read,
        help="seed of the script's random streams, and the time on its clock (default another one "
        "in each game)")),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Writes the file."""
    from forthvm.cli.play.seats import choose_names
    from forthvm.engines.levels import level_of, levels_of
    from forthvm.web.offline.export import exported_page
    from forthvm.web.table.table import Table, players_of

    game = load_game(args)
    number = (len(levels_of(game)) + 1) // 2 if args.level is None else args.level
    level = level_of(game, number)
    players = players_of(game)
    persons = choose_names(args.side, players) or players[:1]
    table = Table(game, persons=persons, engine=f"level:{level.number}")
    page = exported_page(table, _network(args.net, game)).encode()
    output = args.output or Path(f"{game.name}.html")
    with new_file(output, force=args.force) as file:
        file.write(page)
    print(f"{output}: {len(page) / 1e6:.1f} MB")
    return OK


def _network(given: str | None, game: Game) -> Network | None:
    """Returns the network that evaluates positions in the file."""
    from forthvm.engines.network import NetworkOption, read_network

    try:
        value = None if given is None else read_network(given)
    except ValueError as error:
        raise UsageError(f"--net: {error}") from None
    return NetworkOption(value, is_given=given is not None).of_game(game)
