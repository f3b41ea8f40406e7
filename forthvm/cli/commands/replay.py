"""`forthvm replay`: shows a recorded game move by move.

Owns making the recorded moves and the output.  Delegates the recording to
autoplay/match/running_game.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.cli import position_text
from forthvm.cli.loading import budget_of
from forthvm.cli.options import ASCII, EVERYTHING, LIMITS, PLAYED, TRUST, Option, integer
from forthvm.cli.play.script_errors_in_replay import note_failure, recorded_failure
from forthvm.cli.status import OK, UsageError
from forthvm.cli.terminal import print_json
from forthvm.core.text.wording import unbroken

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.autoplay import GameRow, Settings, Store
    from forthvm.autoplay.match.running_game import LoadedMatch, RunningGame
    from forthvm.cli.terminal import Screen

__all__ = ["DESCRIPTION", "EPILOG", "OPTIONS", "run"]

DESCRIPTION = """\
Makes the recorded moves of a game and shows each position: a game of a match, a game of a file of
PGN (.pgn), SGF (.sgf), PDN (.pdn) or KIF (.kif), or a saved game of Zillions of Games (.zsg).
"""
EPILOG = """\
examples:
  forthvm replay results.db 17
  forthvm replay results.db 17 --ply 24 --save here.json
  forthvm replay oldgame.zsg --brief
  forthvm replay games.pgn 3
  forthvm replay games.pdn --game draughts-russian
  forthvm replay results.db 17 --brief --svg game.svg
  forthvm run breakthrough --position here.json
"""

OPTIONS = (
    Option("FILE", Path,
        help="a results file of forthvm autoplay, a file of games (.pgn .sgf .pdn .kif) or a "
        "saved game (.zsg)"),
    Option("[NUMBER]", integer(1), help="number of the game in the file, from 1"),
    PLAYED,
    Option("--rules FILE", Path,
        help="the rule file of a saved game (default: the one it names, in its folder)"),
    Option("--variant VARIANT",
        help="title of the game or variant in the rule file of a saved game, or its number from 0 "
        "(default: the one it names)"),
    Option("--ply N", integer(0), help="show only the position after N plies"),
    Option("--save FILE", Path,
        help="save the last position in FILE, as JSON; as a saved game if FILE ends in .zsg, as "
        "PGN, SGF, PDN or KIF if it ends in .pgn, .sgf, .pdn or .kif"),
    Option("--svg FILE", Path,
        help="write the game, up to the last position shown, to FILE as an animated picture"),
    Option("--brief", help="show only the last board"),
    ASCII,
    EVERYTHING,
    Option("--json", help="print the recorded game as JSON"),
    TRUST,
    *LIMITS,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Shows a recorded game."""
    from forthvm.cli.play.game_replay import record_format, show_game, show_saved_game
    from forthvm.cli.terminal import Screen

    screen = Screen(ascii_only=args.ascii, everything=args.everything)
    form = record_format(args)
    if args.file.suffix.lower() == ".zsg":
        return show_saved_game(screen, args)
    for option in ("--rules", "--variant"):
        if option in args.given:
            raise UsageError(f"{option} belongs to a saved game (.zsg)")
    if form is not None:
        return show_game(screen, args, form)
    if args.number is None:
        raise UsageError(f"give the NUMBER of a game in {args.file}")
    from forthvm.autoplay import Store

    with Store.open(args.file) as store:
        row = store.game(args.number)
        if row is None:
            raise UsageError(_unknown_number(store, args.number))
        match = store.match()
    if args.ply is not None and args.ply > row.plies:
        raise UsageError(f"game {row.id} has {row.plies} plies, not {args.ply}")
    if args.json:
        print_json(_document(row))
        return OK
    return _show(screen, row, match, args)


def _unknown_number(store: Store, number: int) -> str:
    numbers = store.numbers()
    recorded = f"{min(numbers)} to {max(numbers)}" if numbers else "none yet"
    return f"{store.path} has no game {number} (recorded: {recorded})"


def _document(row: GameRow) -> dict[str, object]:
    document = dict(vars(row))
    document["moves"] = [{"player": player, "move": text} for player, text in row.moves]
    return document


def _show(
    screen: Screen, row: GameRow, match: Mapping[str, object], args: argparse.Namespace
) -> int:
    from forthvm.autoplay import MatchError, Settings
    from forthvm.autoplay.match.openings import ListedOpenings
    from forthvm.autoplay.match.running_game import Disagreement, Start
    from forthvm.autoplay.results.foreign_code import refuse_changed_scripts
    from forthvm.cli.play.game_conversion import tags_of
    from forthvm.core.errors import ForthVMError

    settings = Settings.from_match(match)
    if not args.trust:
        refuse_changed_scripts(settings, match)
    loaded_match = _load_games(settings, args)
    recorded_digests = _digests(match.get("digests"))
    changed_games = [
        game.name
        for game, digest in zip(loaded_match.games, recorded_digests, strict=False)
        if game.digest != digest
    ]
    if changed_games:
        screen.print_wrapped(
            f"note: the sources of {' and '.join(changed_games)} have changed since the match."
        )
    setup = ListedOpenings.of_match(match).of_pair(row.pair).setup
    replayed = loaded_match.begin(row.seed, Start(setup=setup))
    seats = ", ".join(f"{player} {entrant}" for player, entrant in row.seats.items())
    screen.print_wrapped(f"Game {row.id} of {unbroken(args.file)}: {seats}.")
    try:
        _show_moves(screen, row, replayed, args)
    except Disagreement as error:
        raise MatchError(
            f"{args.file}, game {row.id}: the game differs from its record: {error}"
        ) from error
    except ForthVMError as error:
        note_failure(error, row, len(replayed.moves), settings, args)
        raise
    position = replayed.first_position
    if args.brief or args.ply is not None:
        position_text.show_board(screen, position)
    if args.ply is None or args.ply == row.plies:
        _print_ending(screen, row, settings, args)
    position_text.save_files(position, args, tags=tags_of(row))
    return OK


def _print_ending(
    screen: Screen, row: GameRow, settings: Settings, args: argparse.Namespace
) -> None:
    screen.print_wrapped(_ending(row))
    if row.traceback:
        screen.print(f"\n{row.traceback}")
    for line in recorded_failure(row, settings, args):
        screen.print(line)


def _load_games(settings: Settings, args: argparse.Namespace) -> LoadedMatch:
    """Loads the games of a match; an error without a location is reported for the results file."""
    from forthvm.autoplay import MatchError
    from forthvm.autoplay.match.running_game import LoadedMatch
    from forthvm.autoplay.untrusted_text import visible
    from forthvm.core.errors import ForthVMError, Interrupted

    try:
        return LoadedMatch(settings, budget=budget_of(args))
    except ForthVMError as error:
        if isinstance(error, MatchError | Interrupted) or error.location is not None:
            raise
        raise MatchError(f"{args.file}: {visible(str(error))}") from error


def _show_moves(
    screen: Screen, row: GameRow, replayed: RunningGame, args: argparse.Namespace
) -> None:
    last_ply = row.plies if args.ply is None else args.ply
    show_boards = not args.brief and args.ply is None
    if show_boards:
        position_text.show_board(screen, replayed.first_position)
        screen.print()
    for number, (player, text) in enumerate(row.moves[:last_ply], start=1):
        replayed.push_recorded(player, text)
        if args.ply is not None:
            continue
        note = "opening" if number <= len(row.opening) else "" if player in row.seats else "chance"
        if position_text.print_ply(screen, replayed.first_position, note) and show_boards:
            position_text.show_board(screen, replayed.first_position, legend=False)
            screen.print()


def _ending(row: GameRow) -> str:
    points = ", ".join(
        f"{row.seats[player]} ({player}) {score:g}" for player, score in row.outcome.items()
    )
    return f"After {row.plies} plies: {row.reason}." + (f"  {points}" if points else "")


def _digests(value: object) -> list[str]:
    return [str(digest) for digest in value] if isinstance(value, list) else []
