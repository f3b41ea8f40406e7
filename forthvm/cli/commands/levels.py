"""`forthvm levels`: lists the levels of a game, or measures them.

Owns the options and the tables; forthvm/engines/levels.py has the levels, forthvm/autoplay/levels
measures them.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli.loading import load_game
from forthvm.cli.options import GAME_OR_POSITION, LOADING, Option, integer
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.cli.terminal import print_json
from forthvm.core.text.tables import table_lines
from forthvm.system.command_line import quoted

if TYPE_CHECKING:
    from forthvm.engines.levels import Level
    from forthvm.game import Game

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Lists the games whose levels were measured.  With GAME, lists its levels with their engines, the
weakest first.  `forthvm run GAME --level N` plays against a level.

With --calibrate, measures the levels of GAME: finds engines whose neighbours are 100 Elo apart by
matches, which are recorded in files in DIR, and writes DIR/GAME.json.  The same command continues
an interrupted measurement."""
EPILOG = """\
examples:
  forthvm levels
  forthvm levels chess
  forthvm run chess --level 4
  forthvm levels breakthrough --calibrate measured --nodes 500
"""

OPTIONS = (
    GAME_OR_POSITION,
    Option("--json", help="print the levels of GAME as JSON"),
    *LOADING,
    "measuring",
    Option("--calibrate DIR", Path, help="measure the levels, with the results in DIR"),
    Option("--games N", integer(96), 1920,
        help="the maximum number of games between two engines (default 1920); a match ends "
        "earlier when the interval of the difference lies between 60 and 140 Elo"),
    Option("--levels N", integer(2), 30, help="the maximum number of levels (default 30)"),
    Option("--nodes N", integer(1),
        help="positions or playouts for a move of the strongest engine (default: by game)"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Prints a list, or measures."""
    if args.game is None:
        if args.calibrate or args.json:
            raise UsageError("GAME is missing (`forthvm games` lists the games)")
        print("\n".join(table_lines(_games())))
        return OK
    game = load_game(args)
    if args.calibrate:
        return _calibrate(args, game)
    from forthvm.engines.levels import levels_of

    levels = levels_of(game)
    if args.json:
        print_json([_document(level) for level in levels])
        return OK
    print("\n".join(table_lines(_rows(levels))))
    if not all(level.gap.is_confirmed for level in levels if level.gap):
        print("* the interval does not lie between 60 and 140")
    if levels[0].elo is None:
        name = quoted(str(args.game))
        print(f"not measured: forthvm levels {name} --calibrate DIR measures them")
    return OK


def _games() -> list[tuple[str, ...]]:
    """Returns a heading and a row for each measured game."""
    from forthvm.engines.levels import levels_of, table_names
    from forthvm.game import load

    rows: list[tuple[str, ...]] = [("game", "levels", "measured", "Elo")]
    for name in sorted(table_names()):
        levels = levels_of(load(name, output=lambda _text: None))
        elos = [level.elo for level in levels if level.elo is not None]
        rows.append((name, str(len(levels)), f"1 to {len(elos)}", f"0 to {elos[-1]:.0f}"))
    return rows


def _rows(levels: tuple[Level, ...]) -> list[tuple[str, ...]]:
    """Returns a heading and a row for each level."""
    from forthvm.autoplay.statistics.interval_text import estimate_text

    rows: list[tuple[str, ...]] = [("level", "Elo", "above the level below", "games", "engine")]
    for level in levels:
        gap = level.gap
        elo = "-" if level.elo is None else f"{level.elo:.0f}"
        above, games = "-", "-"
        if gap is not None:
            mark = "" if gap.is_confirmed else " *"
            above = estimate_text(gap.elo, gap, "{:.0f}".format) + mark
            games = str(gap.games)
        rows.append((str(level.number), elo, above, games, level.spec))
    return rows


def _document(level: Level) -> dict[str, object]:
    return {**vars(level), "gap": None if level.gap is None else vars(level.gap)}


def _calibrate(args: argparse.Namespace, game: Game) -> int:
    """Measures the levels of a game; returns the exit status."""
    from forthvm.autoplay.levels.calibration import Calibration, plan_for
    from forthvm.cli.match_options import configuration_of

    plan = plan_for(game)
    if args.nodes is not None:
        plan = dataclasses.replace(plan, scale=dataclasses.replace(plan.scale, top=args.nodes))
    calibration = Calibration(
        configuration_of(args, args.game),
        plan,
        args.calibrate / game.name,
        games=args.games,
        levels=args.levels,
        report=lambda text: print(text, flush=True),
    )
    path: Path = args.calibrate / f"{game.name}.json"

    def save(table: str) -> None:
        path.write_text(table, encoding="utf-8")

    if calibration.run(save) == 1:
        print("no second level was found", file=sys.stderr)
        return FAILED
    print(f"the levels are in {path}")
    return OK
