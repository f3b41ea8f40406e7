"""Commands for the game in play: board, moves, play, takeback, new, position, explain, load.

Owns what these commands do and print, and the file names that users type after a command.  Each
function receives the shell and the command's argument.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError, MoveError, PositionError
from forthvm.core.loading.files import user_path
from forthvm.game.position import Position
from forthvm.game.saving import write_position

if TYPE_CHECKING:
    from pathlib import Path

    from forthvm.game import Move
    from forthvm.repl.shell import Shell

__all__ = [
    "board",
    "explain",
    "file_named",
    "load",
    "moves",
    "new",
    "play",
    "position",
    "show_position",
    "takeback",
    "unquoted",
    "why_not",
]


def board(shell: Shell, _argument: str = "") -> None:
    """Draw the position."""
    from forthvm import render
    from forthvm.render.draw_text import TextStyle

    current = shell.session.need_position()
    screen = shell.screen
    style = TextStyle(width=screen.width, colour=screen.colour, ascii=screen.ascii, legend=True)
    shell.print(render.text(current, style, everything=True))
    _print_turn(shell)


def _print_turn(shell: Shell) -> None:
    """Print the player to move and the number of moves, or the result."""
    current = shell.session.need_position()
    if current.result is not None:
        shell.print(f"the game is over: {current.result}")
        return
    count = len(current.legal_moves)
    shell.print(f"{current.turn} to move, {count} {'move' if count == 1 else 'moves'}")


def moves(shell: Shell, argument: str) -> None:
    """List the legal moves, each with its code."""
    from forthvm.debug.generation.move_code import move_code

    current = shell.session.need_position()
    typed = argument.casefold()
    matches = [
        (number, move)
        for number, move in enumerate(current.legal_moves, 1)
        if typed in str(move).casefold()
    ]
    if not matches:
        shell.print(
            f"no legal move contains {argument!r}" if argument else "there is no legal move"
        )
        return
    states = current.game._loaded.states
    with states.lock:
        addresses = states.restore_listed(current._state)
        native = shell.session.vm.native
        codes = [move_code(current.game, native, addresses[number - 1]) for number, _ in matches]
    digits = len(str(matches[-1][0]))
    for (number, move), code in zip(matches, codes, strict=True):
        shell.print(f"{number:>{digits}}  {shell.screen.paint('title', str(move) or '(no text)')}")
        indent = " " * (digits + 4)
        lines = shell.screen.wrap(code)
        shell.print("\n".join(f"{indent}{shell.screen.paint('dim', line)}" for line in lines))


def _move(shell: Shell, argument: str) -> Move:
    """Return the legal move with a text or number.

    Raises:
        MoveError: no legal move matches the argument, or several moves match it.
    """
    current = shell.session.need_position()
    if not argument:
        raise MoveError("MOVE is missing; `moves` lists the moves")
    texts = current.legal_moves.texts
    if argument.isdecimal() and 0 < int(argument) <= len(texts) and argument not in texts:
        return current.legal_moves[int(argument) - 1]
    return current.parse(argument)


def play(shell: Shell, argument: str) -> None:
    """Make a move."""
    current = shell.session.need_position()
    if current.result is None and current.is_stuck and argument.casefold() in ("", "pass"):
        text = shell.session.play("Pass")
    else:
        move = _move(shell, argument)
        text = shell.session.play(move)
    new_position = shell.session.need_position()
    shell.print(f"{new_position.ply}. {current.turn}: {text}")


def show_position(shell: Shell) -> None:
    """Show the position after a command has changed it."""
    if shell.show_board:
        board(shell)
    else:
        _print_turn(shell)


def takeback(shell: Shell, _argument: str) -> None:
    """Take back the last move."""
    if not shell.session.need_position().ply:
        raise ForthVMError("there is no move to take back")
    shell.print(f"took back {shell.session.take_back()}")


def new(shell: Shell, _argument: str) -> None:
    """Start a new game."""
    shell.session.new_game()


def position(shell: Shell, argument: str) -> None:
    """Show the turn and the moves played, or save or load a position."""
    current = shell.session.need_position()
    action, _, name = argument.partition(" ")
    if action in ("save", "load") and not name.strip():
        raise ForthVMError(f"FILE is missing: position {action} FILE")
    if action == "save":
        path = file_named(name)
        write_position(current, path)
        shell.print(f"wrote {path}")
    elif action == "load":
        shell.session.go_to(Position.from_json(current.game, _read(file_named(name))))
    elif action:
        raise ForthVMError(f"`position {action}` is unknown: use position [save FILE | load FILE]")
    else:
        shell.print(
            f"{current.game.name}, after {current.ply} {'ply' if current.ply == 1 else 'plies'}"
        )
        for at, played in enumerate(current.history, 1):
            shell.print(f"  {at}. {played.player}: {played.text}")
        _print_turn(shell)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PositionError(f"{path} is not a saved position: not UTF-8 text") from error


def explain(shell: Shell, argument: str) -> None:
    """Explain how a move was generated."""
    from forthvm.debug.explain.query import explain as explain_move

    move = _move(shell, argument)
    _report(shell, str(explain_move(shell.session.need_position(), move)))


def _report(shell: Shell, text: str) -> None:
    from forthvm.core.text.wording import wrap_report

    shell.print("\n".join(wrap_report(text, shell.screen.width)))


def why_not(shell: Shell, argument: str) -> None:
    """Explain which verify refused a move."""
    from forthvm.debug.why_not.query import why_not as why_not_move

    current = shell.session.need_position()
    if not argument:
        raise MoveError("MOVE is missing: why-not MOVE, such as why-not a1 - b2")
    _report(shell, str(why_not_move(current, argument)))


def load(shell: Shell, argument: str) -> None:
    """Load a game, or reload the current game and repeat its moves."""
    session = shell.session
    name = unquoted(argument) or str(session.need_game().path)
    played = () if argument or session.position is None else session.position.history
    game = shell.load_game(name)
    current = game.start()
    failure = ""
    for at, entry in enumerate(played, 1):
        try:
            current.push(entry.text)
        except ForthVMError as error:
            failure = (
                f"only {at - 1} of {len(played)} moves could be repeated: {error.short_message()}"
            )
            break
    has_definitions = bool(session.defining_lines())
    session.change_game(game, current)
    shell.redirect_output()
    if failure:
        shell.print(shell.screen.paint("warning", failure))
    if has_definitions:
        warning = "definitions made at the prompt are not in the loaded game; undo restores them"
        shell.print(shell.screen.paint("warning", warning))


def unquoted(argument: str) -> str:
    """Return an argument without the quotes around it; blanks are part of the name.

    Raises:
        ForthVMError: The file system does not allow such a name.
    """
    name = argument.strip()
    if len(name) >= 2 and name[0] == name[-1] and name[0] in "\"'":
        name = name[1:-1]
    try:
        is_possible = b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        is_possible = False
    if not is_possible:
        raise ForthVMError(f"{name!a} is not a valid file name")
    return name


def file_named(argument: str) -> Path:
    """Return the path that an argument names.

    Raises:
        ForthVMError: The file system does not allow such a name.
    """
    return user_path(unquoted(argument))
