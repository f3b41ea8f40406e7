"""The arguments of `launch`: the program, and the target to debug.

Owns the choice of the target.  It must not know sessions.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.value import Value
from forthvm.debug import moves_target, new_game_target, play_target, search_target
from forthvm.game import load

from .arguments import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.debug import Target
    from forthvm.game import Game, Position

    from .arguments import Arguments

__all__ = ["Launch", "make_target"]

_TARGETS = ("load", "moves", "play", "search")


class Launch(Value, kw_only=True):
    """What to launch.

    Attributes:
        program: The path of a script or rule file, or the name of a game.
        variant: The title or number of a variant in a rule file; "" for the default.
        target: What to run; see `make_target`.
        moves: The moves made before, or the moves that `play` makes.
        engine: The engine of `search`.
        depth: The depth of `search` in plies.
        stop_on_entry: Whether to stop before the first token.
        stop_at_end: Whether to stop at the end, from where the run can go back.
        library: Whether to step into the words of the library.
    """

    program: str
    variant: str = ""
    target: str = "load"
    moves: tuple[str, ...] = ()
    engine: str = "axiom"
    depth: int = 3
    stop_on_entry: bool = False
    stop_at_end: bool = False
    library: bool = False

    @classmethod
    def read(cls, arguments: Arguments) -> Launch:
        """Return what the arguments of a request describe.

        Raises:
            RequestError: They have wrong types, or the target is unknown.
        """
        target = arguments.text("target", "load")
        if target not in _TARGETS:
            raise RequestError(f"`target` must be one of {', '.join(_TARGETS)}, not {target!r}")
        return cls(
            program=_resolved(arguments.text("program"), arguments.text("cwd", "")),
            variant=arguments.text("variant", ""),
            target=target,
            moves=tuple(arguments.texts("moves")),
            engine=arguments.text("engine", "axiom"),
            depth=arguments.integer("depth", 3),
            stop_on_entry=arguments.flag("stopOnEntry"),
            stop_at_end=arguments.flag("stopAtEnd"),
            library=arguments.flag("library"),
        )


def _resolved(program: str, folder: str) -> str:
    """Return the path of a program relative to a folder; the name of a game stays a name."""
    is_path = os.sep in program or "/" in program or Path(program).suffix
    return str(Path(folder or ".").absolute() / program) if is_path else program


def make_target(launch: Launch, output: Callable[[str], object]) -> Target:
    """Load the program, and return the target to debug.

    Raises:
        ForthVMError: The program or a move fails.
    """
    variant = int(launch.variant) if launch.variant.isdecimal() else launch.variant or None
    game = load(launch.program, variant=variant, output=output)
    if launch.target == "load":
        return new_game_target(game)
    if launch.target == "play":
        if not launch.moves:
            raise RequestError("the target `play` needs `moves`")
        return play_target(game.start(), *launch.moves)
    position = _position(game, launch)
    if launch.target == "search":
        return search_target(position, engine=launch.engine, depth=launch.depth)
    return moves_target(position)


def _position(game: Game, launch: Launch) -> Position:
    position = game.start()
    for move in launch.moves:
        position.push_text(move)
    return position
