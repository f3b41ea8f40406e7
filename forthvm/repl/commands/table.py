"""The commands of the REPL: names, arguments and implementing functions.

Owns the table.  A command's module is imported at its first use, so that the prompt appears
quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from forthvm.core.value import Value

if TYPE_CHECKING:
    from forthvm.repl.shell import Shell

__all__ = ["COMMANDS", "GROUPS", "Command", "find"]


class Command(Value):
    """One command.

    Attributes:
        name: What calls it, in any case.
        takes: Its argument, as the help shows it.
        text: What it does, in a line.
        place: Module of this package and function.
        group: Heading under which the help lists it.
        aliases: Other names.
        changes: It may change the session, and can then be taken back.
        completes: What its argument is: `word`, `move`, `file`, `game`, `command`, or nothing.
    """

    name: str
    takes: str
    text: str
    place: str
    group: str
    aliases: tuple[str, ...] = ()
    changes: bool = False
    completes: str = ""

    def action(self, shell: Shell, argument: str) -> None:
        """Do it."""
        module, function = self.place.split(".")
        getattr(import_module(f"forthvm.repl.commands.{module}"), function)(shell, argument)


_LOOK, _GAME, _SESSION = "looking", "the game", "the session"
GROUPS = (_LOOK, _GAME, _SESSION)

COMMANDS = (
    Command(
        "words",
        "[in PLACE] [PATTERN | TERMS]",
        "the words there are: of a file, of `kernel`, `core`, `axiom`, `session`, or of a "
        "vocabulary; those that a pattern with * and ? fits; those that have to do with terms "
        "such as `opponent`, the best first",
        "words.words",
        _LOOK,
        completes="word",
    ),
    Command("see", "WORD...", "the definition of a word", "words.see", _LOOK, completes="word"),
    Command(
        "code",
        "WORD...",
        "what a word was compiled to, as source",
        "words.code",
        _LOOK,
        completes="word",
    ),
    Command(
        "locate",
        "WORD...",
        "where a word was defined",
        "words.locate",
        _LOOK,
        completes="word",
    ),
    Command("where", "WORD...", "where a word is used", "words.where", _LOOK, completes="word"),
    Command(
        "help",
        "[WORD]",
        "these commands; or what a command or word does; or what has to do with a text",
        "words.help_",
        _LOOK,
        completes="word",
    ),
    Command(
        "dump",
        "PLACE [COUNT]",
        "bytes of memory at an address or at a word's body",
        "memory.dump",
        _LOOK,
        completes="word",
    ),
    Command("map", "", "what lies where in memory", "memory.map_", _LOOK),
    Command("stack", "", "the stack, a cell a line, with all it may be", "memory.stack", _LOOK),
    Command("board", "", "draw the position", "game.board", _GAME),
    Command(
        "moves",
        "[TEXT]",
        "the legal moves, or those with TEXT in them, with the code each compiles to",
        "game.moves",
        _GAME,
        completes="move",
    ),
    Command(
        "play",
        "MOVE",
        "make a move, by its text, the start of it, or its number",
        "game.play",
        _GAME,
        changes=True,
        completes="move",
    ),
    Command("takeback", "", "take a move back", "game.takeback", _GAME, ("back",), changes=True),
    Command(
        "new",
        "",
        "start the game anew, with what was defined",
        "game.new",
        _GAME,
        changes=True,
    ),
    Command(
        "position",
        "[save FILE | load FILE]",
        "whose turn it is and what was played; or write it, or go on from a written one",
        "game.position",
        _GAME,
        changes=True,
        completes="file",
    ),
    Command(
        "explain",
        "MOVE",
        "which word made a move, on what path, and what each verify decided",
        "game.explain",
        _GAME,
        completes="move",
    ),
    Command(
        "why-not",
        "MOVE",
        "which verify refused a move",
        "game.why_not",
        _GAME,
        completes="move",
    ),
    Command(
        "load",
        "[GAME]",
        "load a game; without a name the same again, with its moves",
        "game.load",
        _GAME,
        changes=True,
        completes="game",
    ),
    Command("undo", "", "take the last line back entirely", "session.undo", _SESSION),
    Command("redo", "", "do again what was taken back", "session.redo", _SESSION),
    Command(
        "save",
        "FILE",
        "write what was defined as a script",
        "session.save",
        _SESSION,
        completes="file",
    ),
    Command(
        "check",
        "[FILE]",
        "look for mistakes in a file, or in the game's or the session's own script",
        "session.check",
        _SESSION,
        completes="file",
    ),
    Command(
        "debug",
        "LINE",
        "run a line of ForthScript in the debugger",
        "session.debug",
        _SESSION,
        completes="word",
    ),
    Command("quit", "", "leave (also Ctrl-D)", "session.quit_", _SESSION, ("exit", "bye")),
)

_BY_NAME = {name: command for command in COMMANDS for name in (command.name, *command.aliases)}


def find(name: str) -> Command | None:
    """The command of that name, in any case."""
    return _BY_NAME.get(name.casefold())
