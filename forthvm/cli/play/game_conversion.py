"""Writes records of games for `forthvm convert`: those of a file, a match or a saved game.

Owns the choice of the games and their tags.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

from forthvm.cli.files import file_errors
from forthvm.cli.status import FAILED, OK, UsageError
from forthvm.core.errors import ForthVMError, Interrupted, MoveError
from forthvm.core.text.tables import table_lines
from forthvm.core.text.visible import visible, visible_lines
from forthvm.core.text.wording import counted
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

__all__ = ["LeftOut", "normalize", "tags_of", "write_games"]

_MAX_LOADED = 32  # games with their settings that are kept for the next games of a file


def write_games(
    path: Path,
    form: RecordFormat,
    open_output: Callable[[], IO[bytes]],
    *,
    played: str | None,
    trust: bool,
) -> int:
    """Writes the games of a file; returns the exit status.

    Args:
        path: A file of records, a saved game of Zillions (.zsg), or a results file.
        form: The format in which the games are written.
        open_output: Opens the file to which the games are written, if there are any.
        played: The game that is played in a file of records; None: the one that it names.
        trust: Load scripts that have changed since a match.

    Raises:
        UsageError: The file cannot be read, or has no games.
        ForthVMError: The file is not a results file, or a game cannot be loaded.
    """
    source = format_of(path)
    if source is not None:
        games = _checked(path, source, form, played)
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


def _checked(
    path: Path, source: RecordFormat, form: RecordFormat, played: str | None
) -> Iterator[str | None]:
    """Yields the games of a file whose moves are legal; reports the others, as None.

    Variations end before moves that are not legal, which are reported, too.  A table of what is
    left out follows the last game.
    """
    from forthvm.cli.play.game_replay import load_recorded
    from forthvm.core.budget import script_budget

    loaded: dict[tuple[str | None, ...], Game] = {}
    left_out, games = LeftOut(), 0
    with file_errors("read", path), path.open("rb") as file:
        for found in source.read_games(file, str(path), played):
            games += 1
            try:
                key = found.tags.get("Variant"), found.tags.get("Settings")
                if key not in loaded:
                    if len(loaded) == _MAX_LOADED:
                        loaded.clear()
                    loaded[key] = load_recorded(found, script_budget())
                normalize(found, loaded[key], left_out)
                yield form.text_of(found, loaded[key])
            except Interrupted:
                raise
            except (ForthVMError, UsageError) as error:
                left_out.add("the game", found, error)
                yield None
    left_out.print_table(games)


class LeftOut:
    """Reports what of a file is left out, and counts it by reason."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(
        self, what: str, found: RecordedGame, error: Exception, *, is_rest: bool = False
    ) -> None:
        """Reports that a game, or the rest of a line of moves, is left out."""
        if isinstance(error, ForthVMError):
            report, reason = error.report(), error.short_message()
        else:
            report = reason = str(error)
        effect = "cut" if is_rest else "left out"
        print(visible_lines(f"{what} on line {found.line} is {effect}: {report}"), file=sys.stderr)
        reason = re.sub("`[^`]*`", "`…`", reason.partition(";")[0])
        if isinstance(error.__cause__, MoveError):
            reason = "a move is not legal"
        self._counts[f"rest of {what}" if is_rest else what, reason] += 1

    def print_table(self, games: int) -> None:
        """Prints how much is left out of a number of games, by reason."""
        if not self._counts:
            return
        lost = sum(count for (what, _), count in self._counts.items() if what == "the game")
        print(f"{lost:,} of {counted(games, 'game')} left out", file=sys.stderr)
        rows = [
            (reason, what, f"{count:,}") for (what, reason), count in self._counts.most_common()
        ]
        for line in table_lines([("reason", "left out", "number"), *rows]):
            print(visible(line), file=sys.stderr)


def normalize(found: RecordedGame, game: Game, left_out: LeftOut) -> None:
    """Normalizes a record, and reports where it or its variations end early.

    Raises:
        RecordError: The game is damaged, or a move is not legal.
    """
    for error in found.normalize(game):
        what = "the game" if error is found.cut else "a variation of the game"
        left_out.add(what, found, error, is_rest=True)


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
