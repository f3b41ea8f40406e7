"""Completion of command lines: commands, options, games, engines, settings and moves.

Owns the list of candidates, derived from the parsers of the commands; on an error the list is
empty.  commands/completion.py translates them for shells.
"""

from __future__ import annotations

import argparse
import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.cli.app import COMMANDS
from forthvm.cli.loading import load_position
from forthvm.cli.parser import is_repeatable, parser_of

if TYPE_CHECKING:
    from forthvm.cli.parser import Parser
    from forthvm.game import Game, Position

__all__ = ["candidates"]

_LOAD_SECONDS = "1"
"""Time limit for loading a script and generating its moves, since the user waits at a prompt."""
_GAME_OPTIONS = ("--set", "--axiom", "--axiom-lib", "--include", "--seed", "--position")
"""Options that determine the moves and settings of a game."""


@dataclass
class _Line:
    """The options and arguments before the cursor."""

    parser: Parser
    options: list[tuple[str, str]] = field(default_factory=list)
    """The options with their values."""
    positionals: list[str] = field(default_factory=list)
    option_without_value: argparse.Action | None = None
    """The last option on the line, if the next word is its value."""

    @property
    def game(self) -> str | None:
        """The argument GAME, None if it is missing."""
        for argument, word in zip(self.parser.positionals, self.positionals, strict=False):
            if argument.metavar == "GAME":
                return word
        return None


def candidates(words: Sequence[str]) -> list[str]:
    """Returns the completions of the last of `words`, which follow the program's name.

    The last word is the part typed so far, without quotes; it may be empty.
    """
    # Output of scripts that print while they load must not appear among the candidates.
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        try:
            completions = list(_completions([*words[:-1]], words[-1] if words else ""))
        except Exception:  # completion has no way to report an error
            return []
    # Names come from scripts and folders.  A line break would end a candidate, and a control
    # character would reach the terminal.
    return [candidate for candidate in dict.fromkeys(completions) if candidate.isprintable()]


def _completions(words_before: list[str], typed: str) -> Iterator[str]:
    if not words_before:
        yield from _with_prefix(typed, [*COMMANDS, "help", "--help", "--version"])
        return
    if words_before == ["help"]:
        yield from _with_prefix(typed, COMMANDS)
        return
    command = words_before[0]
    if command not in COMMANDS:
        return
    parser = parser_of(command)
    line = _parse(parser, words_before[1:])
    name, equals, value = typed.partition("=")
    if line.option_without_value is not None:
        yield from _values(line.option_without_value, typed, line)
    elif equals and name in parser.options:
        option = parser.options[name]
        yield from (f"{name}={candidate}" for candidate in _values(option, value, line))
    elif typed.startswith("-"):
        yield from _with_prefix(typed, _options(line))
    else:
        yield from _positional(line, typed)


def _parse(parser: Parser, words: Iterable[str]) -> _Line:
    """Parses the words before the cursor; invalid words are ignored."""
    line = _Line(parser)
    for word in words:
        if line.option_without_value is not None:
            line.options.append((line.option_without_value.option_strings[-1], word))
            line.option_without_value = None
            continue
        name, equals, value = word.partition("=")
        option = parser.options.get(name)
        if option is None:
            if not word.startswith("-"):
                line.positionals.append(word)
        elif equals or option.nargs == 0:
            line.options.append((option.option_strings[-1], value))
        else:
            line.option_without_value = option
    return line


def _options(line: _Line) -> Iterator[str]:
    """Yields the names of the options that can be added to the line."""
    present = {name for name, _ in line.options}
    for name, option in line.parser.options.items():
        if is_repeatable(option) or option.option_strings[-1] not in present:
            yield name
    yield "--help"


def _positional(line: _Line, typed: str) -> Iterator[str]:
    """Yields the values of the next positional argument, or options if no argument is missing."""
    arguments = line.parser.positionals
    at = len(line.positionals)
    if at >= len(arguments) and not (arguments and arguments[-1].nargs in {"*", "+"}):
        yield from _with_prefix(typed, _options(line))
        return
    yield from _values(arguments[min(at, len(arguments) - 1)], typed, line)


def _values(argument: argparse.Action, typed: str, line: _Line) -> Iterator[str]:
    """Yields the values that an argument can have."""
    metavar = str(argument.metavar or "")
    if argument.choices:
        yield from _with_prefix(typed, map(str, argument.choices))
    elif metavar == "GAME":
        yield from _games(typed)
    elif metavar.endswith("SPEC"):
        yield from _engines(argument, typed, line)
    elif metavar in {"FILE", "DIR"}:
        yield from _files_and_folders(typed, folders_only=metavar == "DIR")
    elif argument.dest in {"set", "side", "guest", "level"}:
        yield from _values_of_game(argument, typed, _game(line))
    elif metavar == "MOVE":
        yield from _moves(_position(line, ""), typed)
    elif metavar == "'M1; M2'":
        moves, semicolon, last_move = typed.rpartition(";")
        start = moves + semicolon + " " * bool(semicolon)
        yield from (f"{start}{move}" for move in _moves(_position(line, moves), last_move.strip()))


def _values_of_game(argument: argparse.Action, typed: str, game: Game) -> Iterator[str]:
    """Yields settings, players or levels of a game."""
    if argument.dest == "set":
        yield from _with_prefix(typed, _settings(game))
    elif argument.dest in {"side", "guest"}:
        yield from _with_prefix(typed, [*game.contestants, "all"])
    else:
        yield from _levels(argument, typed, game)


def _with_prefix(typed: str, names: Iterable[str]) -> Iterator[str]:
    """Yields the names with the typed prefix, ignoring case if no name has exactly this prefix."""
    all_names = list(names)
    exact = [name for name in all_names if name.startswith(typed)]
    lower = typed.casefold()
    yield from exact or (name for name in all_names if name.casefold().startswith(lower))


# --- kinds of values ----------------------------------------------------------------------


def _games(typed: str) -> Iterator[str]:
    if not set(typed) & set("./\\~"):  # not a path
        from forthvm.catalogue.bundled import game_paths

        yield from _with_prefix(typed, game_paths())
    yield from _files_and_folders(typed, suffix=".4th")


def _engines(argument: argparse.Action, typed: str, line: _Line) -> Iterator[str]:
    """Yields names of engines, and for options of the form PLAYER=ENGINE also names of players."""
    from forthvm.engines.registry import names

    player, equals, spec = typed.partition("=")
    if equals and ":" not in player:
        yield from (f"{player}={candidate}" for candidate in _with_prefix(spec, names()))
        return
    yield from _with_prefix(typed, names())
    if str(argument.metavar).startswith("[NAME=]"):
        with suppress(Exception):  # the line names no game yet
            yield from _with_prefix(typed, (f"{name}=" for name in _game(line).contestants))


def _levels(argument: argparse.Action, typed: str, game: Game) -> Iterator[str]:
    """Yields the numbers of levels, and names of players if the argument can have them."""
    from forthvm.engines import levels_of

    player, equals, number = typed.rpartition("=")
    numbers = [str(level.number) for level in levels_of(game)]
    yield from (f"{player}{equals}{candidate}" for candidate in _with_prefix(number, numbers))
    if not equals and argument.metavar == "[NAME=]N":
        yield from _with_prefix(typed, (f"{name}=" for name in game.contestants))


def _settings(game: Game) -> Iterator[str]:
    from forthvm.catalogue.options import ON_SHOW

    for setting in game.settings.values():
        if setting.is_number:
            yield f"{setting.name}="
        yield from (f"{setting.name}={choice.value}" for choice in setting.choices)
    yield f"{ON_SHOW}="


def _moves(position: Position, typed: str) -> list[str]:
    """Returns the legal moves with the typed prefix.

    A move is written as its squares (a2-a3) if no other move has the same squares.  If no move
    in this form has the prefix, returns full texts.
    """
    if position.result is not None:
        return []
    squares = position._loaded.position_index.keys()
    texts = list(dict.fromkeys(position.legal_moves.texts))
    paths = ["-".join(word for word in text.split() if word in squares) for text in texts]

    def normalized(path: str) -> str:  # reading a typed move ignores hyphens and letter case
        return path.replace("-", "").casefold()

    counts = Counter(map(normalized, paths))
    short_texts = [
        path if path and counts[normalized(path)] == 1 else text
        for path, text in zip(paths, texts, strict=True)
    ]
    return [*_with_prefix(typed, short_texts)] or [*_with_prefix(typed, texts)]


def _files_and_folders(
    typed: str, *, suffix: str = "", folders_only: bool = False
) -> Iterator[str]:
    """Yields files, and folders with a final slash; hidden entries only after a typed dot."""
    folder, prefix = os.path.split(typed)
    typed_folder = typed[: len(typed) - len(prefix)]  # with its final slash
    with os.scandir(os.path.expanduser(folder) or ".") as entries:  # noqa: PTH111 - kept as typed
        for entry in sorted(entries, key=lambda entry: entry.name):
            is_hidden = entry.name.startswith(".") and not prefix.startswith(".")
            if is_hidden or not entry.name.startswith(prefix):
                continue
            if entry.is_dir():
                yield f"{typed_folder}{entry.name}/"
            elif not folders_only and entry.name.lower().endswith(suffix):
                yield typed_folder + entry.name


# --- the game on the line -----------------------------------------------------------------


def _game(line: _Line) -> Game:
    return _position(line, "").game


def _position(line: _Line, more_moves: str) -> Position:
    """Returns the position on the line, after the moves of --moves and the moves `more_moves`.

    Raises:
        Exception: the line names no game, or is invalid.
    """
    assert line.game is not None
    words = [line.game, "--max-seconds", _LOAD_SECONDS]
    moves = []
    for name, value in line.options:
        if name in _GAME_OPTIONS:
            words += [name, value]
        elif name == "--moves":
            moves.append(value)
    words += ["--moves", ";".join([*moves, more_moves])] if moves or more_moves else []
    args = parser_of("moves").parse_args(words)
    return load_position(args)
