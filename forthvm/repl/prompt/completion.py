"""Completion at the cursor: words, commands, moves and files.

Owns computing the candidates from the session's dictionary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import expand_user
from forthvm.core.words.info import matching_names
from forthvm.syntax import Kind, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from forthvm.repl.commands import Command
    from forthvm.repl.shell import Shell

__all__ = ["Candidate", "candidates", "help_of"]

_MAX_CANDIDATES = 400
_WORD = re.compile(r"[^ \t\n\r\f\v]*\Z")
_KINDS_WITHOUT_WORDS = (Kind.COMMENT, Kind.STRING)
_SCRIPT_SUFFIXES = (".4th", ".fs", ".fth")


@dataclass(frozen=True)
class Candidate:
    """A completion.

    Attributes:
        text: The completed text.
        replaced_length: The number of characters before the cursor that the text replaces.
        description: Returns stack effect and help; called when the candidate is shown.
    """

    text: str
    replaced_length: int
    description: Callable[[], str]


def candidates(shell: Shell, text: str) -> list[Candidate]:
    """Return the completions at the end of a text, the most likely first.

    Args:
        shell: Provides the session and the commands.
        text: The text before the cursor.
    """
    match = _WORD.search(text)
    assert match is not None
    word = match.group()
    text_before_word = text[: match.start()]
    if "\n" not in text:
        arguments = _argument_candidates(shell, text)
        if arguments is not None:
            return arguments
    if _ends_in_comment_or_string(text_before_word):
        return []
    if text_before_word.split()[-1:] == ["LOAD"]:
        game = shell.session.game
        folders = [Path(), game.path.parent] if game is not None else [Path()]
        completions = [file for folder in folders for file in _files(word, folder)]
        return list({file.text: file for file in reversed(completions)}.values())[::-1]
    completions = list(_words(shell, word))
    if not text_before_word.strip():
        completions = [*_commands(shell, word), *completions]
    return completions[:_MAX_CANDIDATES]


def _ends_in_comment_or_string(text: str) -> bool:
    last = None
    for token in tokenize(text):
        last = token
    if last is None or last.kind not in _KINDS_WITHOUT_WORDS:
        return False
    if not last.complete:
        return True
    is_line_comment = last.kind is Kind.COMMENT and last.text.startswith("\\")
    return is_line_comment and last.end == len(text)


def _argument_candidates(shell: Shell, line: str) -> list[Candidate] | None:
    """Complete the argument of a command; None if the line has no complete command name."""
    name, blank, argument = line.lstrip().partition(" ")
    if not blank:
        return None
    command_line = shell.command_of(f"{name} x")
    if command_line is None:
        return None
    argument = argument.lstrip()
    word = argument.rsplit(None, 1)[-1] if argument and not argument[-1].isspace() else ""
    completers: dict[str, Callable[[], Iterable[Candidate]]] = {
        "move": lambda: _moves(shell, argument),
        "word": lambda: _words(shell, word),
        "file": lambda: _files(word, Path()),
        "game": lambda: [*_games(word), *_files(word, Path())],
    }
    command, _ = command_line
    command_names = _commands(shell, word) if command.name == "help" else []
    return [*command_names, *completers.get(command.completes, tuple)()][:_MAX_CANDIDATES]


def _words(shell: Shell, typed: str) -> Iterator[Candidate]:
    """Yield the words that contain the typed text, the most likely first."""
    for name in matching_names(shell.words.names(), typed, _MAX_CANDIDATES):
        yield Candidate(name, len(typed), partial(help_of, shell, name))


def help_of(shell: Shell, name: str) -> str:
    """Return stack effect and help of a word in one line."""
    try:
        info = shell.words[name]
    except ForthVMError:
        return ""
    return "  ".join(part for part in (info.effect, info.text or f"({info.kind})") if part)


def _commands(shell: Shell, typed: str) -> list[Candidate]:
    lower = typed.casefold()
    return [
        Candidate(name, len(typed), partial(_help_of_command, command))
        for name, command in sorted(shell.commands.items())
        if name.startswith(lower)
    ]


def _help_of_command(command: Command) -> str:
    return f"{command.arguments}  {command.text}".strip()


def _moves(shell: Shell, typed: str) -> list[Candidate]:
    """Return the legal moves that contain the typed text."""
    position = shell.session.position
    if position is None:
        return []
    lower = typed.casefold()
    try:
        texts = dict.fromkeys(position.legal_moves.texts)
    except ForthVMError:  # the script fails: no candidates
        return []
    finally:
        shell.session.load_position_memory()
    with_prefix = [text for text in texts if text.casefold().startswith(lower)]
    others = [text for text in texts if lower in text.casefold() and text not in with_prefix]
    return [Candidate(text, len(typed), _no_help) for text in [*with_prefix, *others] if text][
        :_MAX_CANDIDATES
    ]


def _files(typed: str, folder: Path) -> Iterator[Candidate]:
    """Yield the scripts and folders whose paths begin with the typed text."""
    typed_folder, slash, prefix = typed.rpartition("/")
    parent = folder / expand_user(f"{typed_folder}{slash}")
    try:
        entries = sorted(parent.iterdir(), key=lambda path: path.name.casefold())
    except (OSError, ValueError):  # no such folder, or an invalid name
        return
    for path in entries:
        name = path.name
        if not name.casefold().startswith(prefix.casefold()) or (name[0] == "." and not prefix):
            continue
        if path.is_dir():
            yield Candidate(f"{typed_folder}{slash}{name}/", len(typed), _no_help)
        elif path.suffix.casefold() in (*_SCRIPT_SUFFIXES, ".json"):
            yield Candidate(f"{typed_folder}{slash}{name}", len(typed), _no_help)


def _games(typed: str) -> list[Candidate]:
    from forthvm.catalogue.bundled import game_paths

    # This runs after each key press, so it must not open files.
    names = (name for name in game_paths() if name.startswith(typed))
    return [Candidate(name, len(typed), partial(_title, name)) for name in names]


def _title(name: str) -> str:
    from forthvm.catalogue.bundled import find_game, title_of

    return title_of(*find_game(name))


def _no_help() -> str:
    return ""
