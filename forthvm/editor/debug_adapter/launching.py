"""The arguments of `launch`: the program, and the target to debug.

Owns the choice of the target.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.budget import DEFAULT_MEMORY, Budget, script_budget
from forthvm.debug import load_target, moves_target, play_target, search_target
from forthvm.game import Position, find_game, load
from forthvm.testing import first_position, load_game, read_suite, split_line
from forthvm.web.table.position_link import document_in, is_link

from .arguments import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.debug import Target
    from forthvm.testing import Case, Suite

    from .arguments import Arguments

__all__ = ["Launch", "make_target"]

_TARGETS = ("load", "moves", "play", "search", "test")
_STEPS = ("token", "line")


@dataclass(frozen=True, kw_only=True)
class Launch:
    """What to launch.

    Attributes:
        program: The path of a script or rule file, or the name of a game.
        variant: The title or number of a variant in a rule file; None for the default.
        target: What to run; see `make_target`.
        moves: The moves made before, or the moves that `play` makes.
        position: The text of a saved position; "" for the start.
        engine: The engine of `search`.
        depth: The depth of `search` in plies.
        test: The test of `test`, with the file that contains it.
        stop_on_entry: Whether to stop before the first token.
        stop_at_end: Whether to stop at the end, from where the run can go back.
        library: Whether to step into the words of the library.
        unit: The unit of steps, `token` or `line`.
    """

    program: str
    variant: str | int | None = None
    target: str = "load"
    moves: tuple[str, ...] = ()
    position: str = ""
    engine: str = "axiom"
    depth: int = 3
    test: tuple[Suite, Case] | None = None
    stop_on_entry: bool = False
    stop_at_end: bool = False
    library: bool = False
    unit: str = "token"

    @classmethod
    def read(cls, arguments: Arguments) -> Launch:
        """Return what the arguments of a request describe.

        Raises:
            RequestError: They have wrong types or values.
            ForthVMError: The file of a test cannot be read.
        """
        folder = Path(arguments.text("cwd", "")).absolute()
        target = arguments.text("target", "load")
        if target not in _TARGETS:
            raise RequestError(f"`target` must be one of {', '.join(_TARGETS)}, not {target!r}")
        test = _named_test(arguments.text("test"), folder) if target == "test" else None
        program = arguments.text("program", "") or (str(test[0].program) if test else "")
        if not program.strip():
            raise RequestError(
                "`program` is missing: launch needs the path of a script or rule file, "
                "or the name of a game"
            )
        program = _resolved(program, folder)
        is_rule_file = program.lower().endswith(".zrf")
        unit = arguments.text("stepBy", "line" if is_rule_file else "token")
        if unit not in _STEPS:
            raise RequestError(f"`stepBy` must be token or line, not {unit!r}")
        moves = arguments.texts("moves")
        if target == "play" and not moves:
            raise RequestError("the target `play` needs `moves`")
        depth = arguments.integer("depth", 3)
        if depth < 0:
            raise RequestError("`depth` must not be negative")
        return cls(
            program=program,
            variant=test[1].variant if test else _variant(arguments),
            target=target,
            moves=tuple(moves),
            position=_position_text(arguments.text("position", "").strip(), folder),
            engine=arguments.text("engine", "axiom"),
            depth=depth,
            test=test,
            stop_on_entry=arguments.flag("stopOnEntry"),
            stop_at_end=arguments.flag("stopAtEnd"),
            library=arguments.flag("library"),
            unit=unit,
        )


def _resolved(program: str, folder: Path) -> str:
    """Return the path of a program relative to a folder; the name of a game stays a name."""
    is_path = os.sep in program or "/" in program or Path(program).suffix
    return str(folder / program) if is_path else program


def _named_test(text: str, folder: Path) -> tuple[Suite, Case]:
    """Return a test, which FILE.test:LINE names, and the tests of its file.

    Raises:
        RequestError: There is no test at that line.
        ForthVMError: The file cannot be read.
    """
    file, line = split_line(_resolved(text, folder))
    suite = read_suite(file)
    case = suite.case_at(line) if line is not None else None
    if case is None:
        raise RequestError(f"`test` must name a test, such as game.test:12, not {text!r}")
    return suite, case


def _position_text(position: str, folder: Path) -> str:
    """Return the text of a saved position.

    Raises:
        RequestError: The position is the path of a file that cannot be read.
        PositionError: It is an invalid link.
    """
    if not position or position.startswith("{"):
        return position
    if is_link(position):
        return document_in(position).decode(errors="replace")
    try:
        return (folder / position).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RequestError(f"`position` is no position, and no file: {error}") from error


def _variant(arguments: Arguments) -> str | int | None:
    """Return the variant: a title, or a number, also one that is written as text."""
    value = arguments.values.get("variant")
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = arguments.text("variant", "")
    return int(text) if text.isdecimal() else text or None


def make_target(launch: Launch, output: Callable[[str], object]) -> Target:
    """Load the program, and return the target to debug.

    The target `load` runs the script itself, `moves` generates the moves of a position, `play`
    plays moves, `search` searches for a move, `test` plays the moves of a test, or generates those
    of its first position if it plays none.

    Raises:
        ForthVMError: The program or a move fails.
    """
    if launch.target == "load":
        _, path = find_game(launch.program)
        if not path.is_file():
            raise RequestError(f"there is no file {path}")
        return load_target(path, variant=launch.variant, budget=Budget(memory=DEFAULT_MEMORY))
    budget = script_budget()  # with a limit of time, because the program runs before the session
    if launch.test is not None:
        suite, case = launch.test
        game = load_game(suite, case.variant, budget=budget, output=output)
        moves = [move for one in case.statements if one.keyword == "play" for move in one.items]
        start = first_position(game, case)
        return play_target(start, *moves) if moves else moves_target(start)
    game = load(launch.program, variant=launch.variant, budget=budget, output=output)
    position = Position.from_json(game, launch.position) if launch.position else game.start()
    if launch.target == "play":
        return play_target(position, *launch.moves)
    for move in launch.moves:
        position.push(move)
    if launch.target == "search":
        return search_target(position, engine=launch.engine, depth=launch.depth)
    return moves_target(position)
