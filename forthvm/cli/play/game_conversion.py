"""Writes records of games for `forthvm convert`: those of a file, a match or a saved game.

Owns the choice of the games and their tags.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from forthvm.cli.files import file_errors
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.core.errors import ForthVMError, Interrupted
from forthvm.core.text.visible import visible_lines
from forthvm.game.records.formats import format_of
from forthvm.game.records.recorded import game_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import IO

    from forthvm.autoplay import GameRow
    from forthvm.game import Game
    from forthvm.game.records.formats import RecordFormat
    from forthvm.game.records.recorded import RecordedGame

__all__ = ["normalize", "tags_of", "write_games"]

_MAX_LOADED = 32  # games with their settings that are kept for the next games of a file


def write_games(
    path: Path, form: RecordFormat, open_output: Callable[[], IO[bytes]], *, trust: bool
) -> int:
    """Writes the games of a file; returns the exit status.

    Args:
        path: A file of records, a saved game of Zillions (.zsg), or a results file.
        form: The format in which the games are written.
        open_output: Opens the file to which the games are written, if there are any.
        trust: Load scripts that have changed since a match.

    Raises:
        UsageError: The file cannot be read, or has no games.
        ForthVMError: The file is not a results file, or a game cannot be loaded.
    """
    source = format_of(path)
    if source is not None:
        games = _checked(path, source, form)
    elif path.suffix.lower() == ".zsg":
        games = _saved(path, form)
    else:
        games = _recorded(path, form, trust=trust)
    status = OK
    output = None
    for text in games:
        if text is None:
            status = FAILED
        else:
            separator = "\n" if output else ""
            output = output or open_output()
            output.write(f"{separator}{text}".encode())
    if output is None and status == OK:
        raise UsageError(f"{path} has no games")
    return status


def _checked(path: Path, source: RecordFormat, form: RecordFormat) -> Iterator[str | None]:
    """Yields the games of a file whose moves are legal; reports the others, as None.

    Variations end before moves that are not legal, which are reported, too.
    """
    from forthvm.cli.play.game_replay import load_recorded
    from forthvm.core.budget import script_budget

    loaded: dict[tuple[str | None, ...], Game] = {}
    with file_errors("read", path), path.open("rb") as file:
        for found in source.read_games(file, str(path)):
            try:
                key = found.tags.get("Variant"), found.tags.get("Settings")
                if key not in loaded:
                    if len(loaded) == _MAX_LOADED:
                        loaded.clear()
                    loaded[key] = load_recorded(found, script_budget())
                normalize(found, loaded[key])
                yield form.text_of(found, loaded[key])
            except Interrupted:
                raise
            except (ForthVMError, UsageError) as error:
                _report(f"the game on line {found.line} is left out", error)
                yield None


def normalize(found: RecordedGame, game: Game) -> None:
    """Normalizes a record, and reports where it or its variations end early.

    Raises:
        RecordError: The game is damaged, or a move is not legal.
    """
    for error in found.normalize(game):
        what = "the game" if error is found.cut else "a variation of the game"
        _report(f"{what} on line {found.line} is cut", error)


def _report(effect: str, error: Exception) -> None:
    report = error.report() if isinstance(error, ForthVMError) else str(error)
    print(visible_lines(f"{effect}: {report}"), file=sys.stderr)


def _saved(path: Path, form: RecordFormat) -> Iterator[str]:
    from forthvm.game.zsg_replay import replay_zsg

    position = replay_zsg(path)
    yield form.text_of(game_of(position), position.game)


def _recorded(path: Path, form: RecordFormat, *, trust: bool) -> Iterator[str]:
    from forthvm.autoplay import Settings, Store
    from forthvm.autoplay.match.openings import ListedOpenings
    from forthvm.autoplay.match.running_game import LoadedMatch, Start
    from forthvm.autoplay.results.foreign_code import refuse_changed_scripts
    from forthvm.core.budget import script_budget

    with Store.open(path) as store:
        match = store.match()
        settings = Settings.from_match(match)
        if not trust:
            refuse_changed_scripts(settings, match)
        loaded = LoadedMatch(settings, budget=script_budget())
        openings = ListedOpenings.of_match(match)
        for row in store.games():
            setup = openings.of_pair(row.pair).setup
            replayed = loaded.begin(row.seed, Start(setup=setup))
            for player, text in row.moves:
                replayed.push_recorded(player, text)
            position = replayed.first_position
            yield form.text_of(game_of(position, tags_of(row)), position.game)


def tags_of(row: GameRow) -> dict[str, str]:
    """Returns the tags of a game of a match."""
    names = dict(zip(("White", "Black"), row.seats.values(), strict=False))
    date = row.finished_at[:10].replace("-", ".")
    score = next(iter(row.outcome.values()), None)  # of the player who moves first
    result = {1: "1-0", 0: "0-1", 0.5: "1/2-1/2", None: "*"}.get(score, "*")
    return {"Event": row.game, "Date": date, "Round": str(row.id), **names, "Result": result}
