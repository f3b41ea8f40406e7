"""Commands for the game in play: board, moves, play, takeback, new, position, explain, load.

Owns what these commands do and print.  Each function gets the shell and the command's argument.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError, MoveError, PositionError
from forthvm.game.document.position_json import write_document
from forthvm.game.position import Position
from forthvm.repl.paths import file_named, unquoted

if TYPE_CHECKING:
    from pathlib import Path

    from forthvm.game import Move
    from forthvm.repl.shell import Shell

__all__ = [
    "board",
    "explain",
    "load",
    "moves",
    "new",
    "play",
    "position",
    "show_position",
    "takeback",
    "why_not",
]


def board(shell: Shell, _argument: str = "") -> None:
    """Draw the position."""
    from forthvm import render
    from forthvm.render.draw_text import TextStyle

    here = shell.session.need_position()
    screen = shell.screen
    style = TextStyle(width=screen.width, colour=screen.colour, ascii=screen.ascii, legend=True)
    shell.print(render.text(here, style, everything=True))
    _print_turn(shell)


def _print_turn(shell: Shell) -> None:
    """Print the player to move and the number of moves, or the result."""
    here = shell.session.need_position()
    if here.result is not None:
        shell.print(f"the game is over: {here.result}")
        return
    count = len(here.legal_moves)
    shell.print(f"{here.turn} to move, {count} {'move' if count == 1 else 'moves'}")


def moves(shell: Shell, argument: str) -> None:
    """List the legal moves with the code each compiles to."""
    from forthvm.debug.generation.move_code import move_code

    here = shell.session.need_position()
    part = argument.casefold()
    legal = [
        (at, move) for at, move in enumerate(here.legal_moves, 1) if part in str(move).casefold()
    ]
    if not legal:
        shell.print(
            f"no legal move contains {argument!r}" if argument else "there is no legal move"
        )
        return
    states = here.game.states
    with states.lock:
        addresses = states.enter_listed(here.state)
        native = shell.session.vm.native
        codes = [move_code(here.game, native, addresses[at - 1]) for at, _ in legal]
    digits = len(str(legal[-1][0]))
    for (at, move), words in zip(legal, codes, strict=True):
        shell.print(f"{at:>{digits}}  {shell.screen.paint('title', str(move) or '(no text)')}")
        pad = " " * (digits + 4)
        lines = shell.screen.wrap(words)
        shell.print("\n".join(f"{pad}{shell.screen.paint('dim', line)}" for line in lines))


def _move(shell: Shell, argument: str) -> Move:
    """Return the legal move with a text or number.

    Raises:
        MoveError: no legal move matches, or several do.
    """
    here = shell.session.need_position()
    if not argument:
        raise MoveError("MOVE is missing; `moves` lists the moves")
    texts = here.legal_moves.texts
    if argument.isdecimal() and 0 < int(argument) <= len(texts) and argument not in texts:
        return here.legal_moves[int(argument) - 1]
    return here.parse(argument)


def play(shell: Shell, argument: str) -> None:
    """Make a move."""
    here = shell.session.need_position()
    if here.result is None and here.is_stuck and argument.casefold() in ("", "pass"):
        text = shell.session.play("Pass")
    else:
        move = _move(shell, argument)
        text = shell.session.play(move)
    now = shell.session.need_position()
    shell.print(f"{now.ply}. {here.turn}: {text}")


def show_position(shell: Shell) -> None:
    """Show the position after a command has changed it."""
    if shell.show_board:
        board(shell)
    else:
        _print_turn(shell)


def takeback(shell: Shell, _argument: str) -> None:
    """Take a move back."""
    if not shell.session.need_position().ply:
        raise ForthVMError("there is no move to take back")
    shell.print(f"took back {shell.session.take_back()}")


def new(shell: Shell, _argument: str) -> None:
    """Start the game anew."""
    shell.session.new_game()


def position(shell: Shell, argument: str) -> None:
    """Show the turn and the moves played, or save or load a position."""
    here = shell.session.need_position()
    action, _, name = argument.partition(" ")
    if action in ("save", "load") and not name.strip():
        raise ForthVMError(f"FILE is missing: position {action} FILE")
    if action == "save":
        path = file_named(name)
        path.write_text(write_document(here, full=True) + "\n", encoding="utf-8")
        shell.print(f"wrote {path}")
    elif action == "load":
        shell.session.go_to(Position.from_json(here.game, _read(file_named(name))))
    elif action:
        raise ForthVMError(f"`position {action}` is unknown: use position [save FILE | load FILE]")
    else:
        shell.print(f"{here.game.name}, after {here.ply} {'ply' if here.ply == 1 else 'plies'}")
        for at, played in enumerate(here.history, 1):
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
    from forthvm.debug.line_wrapping import broken

    shell.print("\n".join(broken(text, shell.screen.width)))


def why_not(shell: Shell, argument: str) -> None:
    """Explain which verify refused a move."""
    from forthvm.debug.why_not.query import why_not as why_not_move

    here = shell.session.need_position()
    if not argument:
        raise MoveError("MOVE is missing: why-not MOVE, such as why-not a1 - b2")
    _report(shell, str(why_not_move(here, argument)))


def load(shell: Shell, argument: str) -> None:
    """Load a game, or load the current game again and make its moves."""
    session = shell.session
    name = unquoted(argument) or str(session.need_game().path)
    played = () if argument or session.position is None else session.position.history
    game = shell.load(name)
    here = game.start()
    failure = ""
    for at, one in enumerate(played, 1):
        try:
            here.push(one.text)
        except ForthVMError as error:
            failure = f"only {at - 1} of {len(played)} moves could be made again: {error.what()}"
            break
    defined = bool(session.defining_lines())
    session.change_game(game, here)
    shell.redirect_output()
    if failure:
        shell.print(shell.screen.paint("warning", failure))
    if defined:
        warning = "definitions made at the prompt are not in the loaded game; undo restores them"
        shell.print(shell.screen.paint("warning", warning))
