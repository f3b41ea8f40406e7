"""`forthvm board`: play in the browser.

Owns the options; forthvm/web serves the page.
"""

from __future__ import annotations

import argparse
import sys
import webbrowser
from typing import TYPE_CHECKING

from forthvm.cli import serving
from forthvm.cli.loading import load_game, make_position
from forthvm.cli.options import GAME_OR_POSITION, LOADING, PAGE, POSITION, Option, folder, integer
from forthvm.cli.play.resumed_table import identity_of, of_same_command, resume, to_resume
from forthvm.cli.status import OK, UsageError
from forthvm.core.failure import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.system.folders import state_folder

if TYPE_CHECKING:
    from forthvm.catalogue.bundled import BundledGame
    from forthvm.game import Game
    from forthvm.web.table.clocks import TimeControl
    from forthvm.web.table.table import Table


__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Opens a board in the browser on which you play with the mouse, by touch or by keyboard.

If GAME is a folder, the board begins with the first game in it, and *New game* offers the others.
Without GAME, the page is the library: the bundled games, and those in the folders of
`forthvm library --add`.  With options of a game but without GAME, it begins with a bundled game.

Only this computer can reach the page, unless --host allows more, and only with a key in the
address.  With your key you may change everything; the key of a guest only plays for one player."""
EPILOG = """\
examples:
  forthvm board
  forthvm board breakthrough
  forthvm board chess --level 3 --clock 5+3
  forthvm board "My Games"
  forthvm board "My Game.zrf" --side White --engine negamax:time=2
  forthvm board --position "old game.zsg"
  forthvm board chess --host 0.0.0.0 --side White --guest Black

The connection is not encrypted: other people can read the keys if they can read the traffic of your
network.
"""

_FIRST_GAME = "breakthrough"
"""The game without GAME: its few rules are seen from the moves that the board offers."""
_ALLOWED_WITH_LIBRARY = {"--library", "--port", "--no-browser"}


def _time_control(text: str) -> TimeControl:
    from forthvm.web.table.clocks import TimeControl

    return TimeControl.parse(text)


OPTIONS = (
    GAME_OR_POSITION,
    *LOADING,
    *POSITION,
    "the players",
    Option("--side NAME", repeatable=True,
        help="a player that you play, or `all`; repeatable (default: the first player)"),
    Option("--guest NAME", repeatable=True,
        help="a player that a person elsewhere plays, who gets a link, or `all`; repeatable"),
    Option("--engine SPEC",
        help="the engine of the other players (default: the middle level of the game)"),
    Option("--level N", integer(1),
        help="let the engine play at level N (`forthvm levels GAME` lists the levels)"),
    Option("--clock M+S", _time_control, attribute="time",
        help="give each player M minutes, and S seconds after each turn (5+3)"),
    "the page",
    Option("--library DIR", folder, repeatable=True,
        help="without GAME: also show the games in a folder; repeatable"),
    *PAGE,
    Option("--host ADDRESS",
        help="the address of this computer at which others reach the page; 0.0.0.0 means all "
        "(default: only this computer)"),
    Option("--name NAME", repeatable=True,
        help="another name or address under which browsers reach this computer; repeatable"),
    Option("--resume",
        help="continue the last table, or the last one of GAME, with the same links; the same "
        "GAME and --port do so without this option"),
    Option("--new-table", help="begin another table at the same GAME and --port"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Serves the board until Ctrl-C."""
    with serving.needed_packages():
        from forthvm.web.play.drop_requests import offer_dropping
        from forthvm.web.play.server import TableServer
    from forthvm.cli.play.library_page import OpenedPages
    from forthvm.library.cache import Cache
    from forthvm.library.dropped import DroppedFiles
    from forthvm.web.serving.access import LOOPBACK_NAMES
    from forthvm.web.serving.addresses import base_links, is_loopback, names_of
    from forthvm.web.table.document import document_of
    from forthvm.web.table.saved_tables import SavedTables

    saved_tables = SavedTables(state_folder() / "tables")
    saved_tables.clean_up()
    has_table = _has_table_options(args)
    if args.library and has_table:
        raise UsageError("--library shows the library: leave GAME and its options out")
    if not has_table:
        from forthvm.cli.play import library_page

        return library_page.run(args, saved_tables)
    found = to_resume(args, saved_tables)
    game, others = _load(args)
    table = _table(game, args)
    found = found or of_same_command(args, game, saved_tables)
    if found is not None:
        resume(table, *found)
    served = found[0].about if found else {}
    host = args.host or served.get("host", "127.0.0.1")
    listener = serving.listen(host, args.port or served.get("port", 0))
    port = listener.getsockname()[1]
    file = found[0] if found else saved_tables.new_file({})

    def save() -> None:
        file.about = {
            "game": identity_of(table.game),
            "host": host,
            "port": port,
            "names": args.name,
        }
        file.write(document_of(table))

    links = base_links(host, port)
    server = TableServer(table, [*LOOPBACK_NAMES, *names_of(host), *args.name], others)
    server.shared.save = save
    server.shared.messages.address = "" if is_loopback(host) else links[0]
    if len(others) > 1:
        first = visible(game.path.name)
        print(
            f"The folder has {len(others)} games.  This is {first}; `New game` offers the others."
        )
    _print_links(table, links, host)
    if not args.no_browser:
        webbrowser.open(f"{links[0]}/?key={table.seats.owner_key}")
    pages = OpenedPages()
    offer_dropping(server, DroppedFiles.of_user(), Cache.of_user(), pages.open)
    try:
        serving.run(server, listener)
    finally:
        pages.close()
    print("To continue: forthvm board --resume")
    return OK


def _has_table_options(args: argparse.Namespace) -> bool:
    """Whether there are options that do not concern the library; they would have no effect."""
    return not _ALLOWED_WITH_LIBRARY.issuperset(args.given)


def _load(args: argparse.Namespace) -> tuple[Game, list[BundledGame]]:
    """Returns the game, and the games in the folder that was given instead.

    Raises:
        ForthVMError: The game, or each game in the folder, cannot be loaded.
    """
    from forthvm.catalogue.bundled import folder_of_games, games_in

    if args.game is None and args.position is None:
        args.game = _FIRST_GAME
        print(f"This is {_FIRST_GAME}; `New game` offers the other bundled games.")
    folder = None if args.game is None else folder_of_games(args.game)
    if folder is None:
        return load_game(args), []
    games = games_in(folder)
    for number, found in enumerate(games, 1):
        args.game = str(found.path)
        try:
            return load_game(args), games
        except ForthVMError as error:
            if number == len(games):
                raise
            print(f"warning: {visible(error.short_message())}", file=sys.stderr)
    return load_game(args), []


def _table(game: Game, args: argparse.Namespace) -> Table:
    """Returns the table that the options describe."""
    from forthvm import engines
    from forthvm.cli.play.seats import choose_names, level_specs
    from forthvm.engines.levels import levels_of
    from forthvm.web.table.clocks import Clocks
    from forthvm.web.table.table import Table, players_of

    middle = f"level:{(len(levels_of(game)) + 1) // 2}"
    spec = args.engine or middle
    if args.level is not None:
        spec = level_specs(game, [str(args.level)])[0]
    engines.get(spec).close()  # so that an error appears before the page
    position = make_position(game, args)
    players = players_of(game)
    guests, mine = choose_names(args.guest, players), choose_names(args.side, players)
    for player in mine:
        if player in guests:
            raise UsageError(f"{player} is named by both --side and --guest; leave one out")
    free = [player for player in players if player not in guests]
    table = Table(game, persons=mine or free[:1], guests=guests, engine=spec, position=position)
    table.clocks = args.time and Clocks(args.time, table.seats)
    return table


def _print_links(table: Table, links: list[str], host: str) -> None:
    """Prints the addresses of the page, and who may use them."""
    from forthvm.web.serving.addresses import is_loopback

    base, seats = links[0], table.seats
    print(f"The board is at {base}/?key={seats.owner_key}")
    for player in seats:
        if seats[player].by == "guest":
            print(f"Link for {visible(player)}: {base}/?key={seats[player].key}")
    if not is_loopback(host):
        print(f"Link to watch: {base}/?key={seats.watch_key}")
        if len(links) > 1:
            print(f"Instead of {base}, this may work: {', '.join(links[1:])}")
        print(
            "Keep the first link for yourself: it can change everything.  The connection is not "
            "encrypted; use it only in a network that you trust."
        )
    print("Ctrl-C ends it.", flush=True)
