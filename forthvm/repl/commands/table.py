"""The commands of the REPL: names, arguments and implementing functions.

Owns the table.  A command's module is imported at its first use, so that the prompt appears
quickly.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.repl.shell import Shell

__all__ = ["COMMANDS", "GROUPS", "Command", "available", "find"]


@dataclass(frozen=True)
class Command:
    """One command.

    Attributes:
        name: The name of the command; users may type it in any letter case.
        arguments: The arguments, as the help shows them; "" without arguments.
        text: A description for the help.
        function: The implementing function, as `module.function` in this package.
        group: The heading under which the help lists the command.
        aliases: Other names.
        changes_session: Whether the command may change the session, so that `undo` can undo it.
        completes: The kind of argument to complete: `word`, `move`, `file`, `game`, or "".
    """

    name: str
    arguments: str
    text: str
    function: str
    group: str
    aliases: tuple[str, ...] = ()
    changes_session: bool = False
    completes: str = ""

    def action(self, shell: Shell, argument: str) -> None:
        """Run the command."""
        module, function = self.function.split(".")
        getattr(import_module(f"forthvm.repl.commands.{module}"), function)(shell, argument)


_WORDS, _GAME, _SESSION = "words and memory", "the game", "the session"
GROUPS = (_WORDS, _GAME, _SESSION)

COMMANDS = (
    Command(
        "words",
        "[in GROUP] [PATTERN | TERMS]",
        "list words: all, or those of GROUP (a file, `kernel`, `core`, `axiom`, `session` or a "
        "vocabulary), those that match a pattern with * and ?, or those related to terms such as "
        "`opponent`, the best matches first",
        "words.words",
        _WORDS,
        completes="word",
    ),
    Command(
        "see", "WORD...", "show the definition of a word", "words.see", _WORDS, completes="word"
    ),
    Command(
        "code",
        "WORD...",
        "show the code that a word was compiled to, as source",
        "words.code",
        _WORDS,
        completes="word",
    ),
    Command(
        "locate",
        "WORD...",
        "show where a word was defined",
        "words.locate",
        _WORDS,
        completes="word",
    ),
    Command(
        "where", "WORD...", "show where a word is used", "words.where", _WORDS, completes="word"
    ),
    Command(
        "help",
        "[WORD]",
        "list the commands, or describe a command or word, or list words related to a term",
        "words.help_",
        _WORDS,
        completes="word",
    ),
    Command(
        "dump",
        "ADDRESS|WORD [COUNT]",
        "show bytes of memory at an address or in a word's body",
        "memory.dump",
        _WORDS,
        completes="word",
    ),
    Command("map", "", "show the layout of memory", "memory.map_", _WORDS),
    Command(
        "stack",
        "",
        "show the stack with all possible meanings of each cell",
        "memory.stack",
        _WORDS,
    ),
    Command("board", "", "draw the position", "game.board", _GAME),
    Command(
        "moves",
        "[TEXT]",
        "list the legal moves, or those that contain TEXT, with the code of each",
        "game.moves",
        _GAME,
        completes="move",
    ),
    Command(
        "play",
        "MOVE",
        "make a move, given by its text, the beginning of its text, or its number",
        "game.play",
        _GAME,
        changes_session=True,
        completes="move",
    ),
    Command(
        "takeback",
        "",
        "take back the last move",
        "game.takeback",
        _GAME,
        ("back",),
        changes_session=True,
    ),
    Command(
        "new",
        "",
        "start a new game; definitions stay",
        "game.new",
        _GAME,
        changes_session=True,
    ),
    Command(
        "position",
        "[save FILE | load FILE]",
        "show the turn and the moves played; or save the position, or load a saved one",
        "game.position",
        _GAME,
        changes_session=True,
        completes="file",
    ),
    Command(
        "explain",
        "MOVE",
        "show which word generated a move, its path, and what each verify decided",
        "game.explain",
        _GAME,
        completes="move",
    ),
    Command(
        "why-not",
        "MOVE",
        "show which verify refused a move",
        "game.why_not",
        _GAME,
        completes="move",
    ),
    Command(
        "load",
        "[GAME]",
        "load a game; without GAME, reload the current game and repeat its moves",
        "game.load",
        _GAME,
        changes_session=True,
        completes="game",
    ),
    Command(
        "undo",
        "",
        "undo the last line: dictionary, memory, stack, position",
        "session.undo",
        _SESSION,
    ),
    Command("redo", "", "redo the line that `undo` undid", "session.redo", _SESSION),
    Command(
        "save",
        "FILE",
        "save the session's definitions as a script",
        "session.save",
        _SESSION,
        completes="file",
    ),
    Command(
        "check",
        "[FILE]",
        "check a file, or the session's definitions, or the game's script",
        "session.check",
        _SESSION,
        completes="file",
    ),
    Command(
        "debug",
        "LINE",
        "run a line in the debugger",
        "session.debug",
        _SESSION,
        completes="word",
    ),
    Command("quit", "", "leave (also Ctrl-D)", "session.quit_", _SESSION, ("exit", "bye")),
)

_BY_NAME = {name: command for command in COMMANDS for name in (command.name, *command.aliases)}


def available(*, standard: bool) -> tuple[Command, ...]:
    """Return the commands of a session; in standard Forth there are no games and no checks."""
    if not standard:
        return COMMANDS
    return tuple(c for c in COMMANDS if c.group != _GAME and c.name != "check")


def find(name: str) -> Command | None:
    """Return the command with a name, ignoring case; None if there is no such command."""
    return _BY_NAME.get(name.casefold())
