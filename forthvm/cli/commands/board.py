"""`forthvm board`: play in the browser.

Owns the options; forthvm/web serves the page.
"""

from __future__ import annotations

import socket
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING

from forthvm.cli import option_values, shared_options
from forthvm.cli.status import OK, UsageError

if TYPE_CHECKING:
    import argparse

__all__ = ["DESCRIPTION", "EPILOG", "configure", "run"]

DESCRIPTION = """\
Opens a board in the browser on which you play with the mouse, by touch or by keyboard.

Only this computer can reach the page, and only with the key in its address."""
EPILOG = """\
examples:
  forthvm board breakthrough
  forthvm board chess --level 3
  forthvm board "My Game.zrf" --side White --engine negamax:time=2
  forthvm board --position "old game.zsg"
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    shared_options.add_game_options(parser)
    shared_options.add_position_options(parser)
    parser.add_argument(
        "--side",
        action="append",
        default=[],
        metavar="NAME",
        help="a player that you play; repeatable (default: the first player)",
    )
    parser.add_argument(
        "--engine", default="negamax:time=1", metavar="SPEC", help="the engine of the other players"
    )
    parser.add_argument(
        "--level",
        type=option_values.integer(1),
        metavar="N",
        help="let the engine play at level N (`forthvm levels GAME` lists the levels)",
    )
    parser.add_argument(
        "--port", type=option_values.integer(0), default=0, metavar="N", help="default: a free one"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(args: argparse.Namespace) -> int:
    """Serves the board until Ctrl-C."""
    try:
        import uvicorn

        from forthvm.web.server import TableServer
    except ImportError as error:
        raise UsageError("the board needs more packages: pip install 'forthvm[web]'") from error
    from forthvm import engines
    from forthvm.cli.play.seats import choose_name, level_specs
    from forthvm.web.table import Table, players_of

    game = shared_options.load_game(args)
    spec = args.engine if args.level is None else level_specs(game, [str(args.level)])[0]
    engines.get(spec).close()  # an error appears now, not when the engine is to move
    position = shared_options.make_position(game, args)
    seats = players_of(game)
    persons = tuple(choose_name(name, seats) for name in args.side) or tuple(seats[:1])
    table = Table(game, persons=persons, engine=spec, position=position)
    server = TableServer(table)
    listener = socket.create_server(("127.0.0.1", args.port))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/?key={table.seats.owner_key}"
    print(f"The board is at {address}\nCtrl-C ends it.", flush=True)
    if not args.no_browser:
        webbrowser.open(address)
    config = uvicorn.Config(server.application(), log_level="warning", ws_max_size=1 << 16)
    with suppress(KeyboardInterrupt):  # uvicorn raises it again after it has shut down
        uvicorn.Server(config).run(sockets=[listener])
    return OK
