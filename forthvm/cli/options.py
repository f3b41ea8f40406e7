"""The table of options: its rows, the readers of values, and the rows that several commands have.

Owns what an option is.  The table of a command is its tuple OPTIONS: rows in the order of the help,
with a heading before each group of them.  parser.py makes the parser and the help from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from forthvm.core import reading
from forthvm.core.budget import DEFAULT_MEMORY, DEFAULT_SECONDS, MOST_MEMORY
from forthvm.core.loading.files import expand_user
from forthvm.core.record import Record

__all__ = [
    "ASCII", "AXIOM_LIB", "AXIOM_VERSIONS", "CELL_HIGH", "CELL_LOW", "CHECKED", "ENGINES",
    "EVERYTHING", "GAME", "GAME_OR_POSITION", "INCLUDE", "JOBS", "LIMITS", "LOADING", "MANY",
    "MAX_OUTPUT", "MAX_SECONDS_AT_PROMPT", "PAGE", "PLAYED", "POSITION", "SEED", "SETTING", "TRUST",
    "VIRTUAL_MACHINE", "Option", "Options", "folder", "integer", "number", "seconds", "with_rows",
]  # fmt: skip


class Option(Record):
    """A row of the table: an option, or an argument without a name.

    Attributes:
        form: Names and value as the help shows them: `-n, --games N`, `[GAME]`, `N [N ...]`.
        read: Converts the text of a value; raises ValueError if it is wrong.
        default: The value without the option; a function returns it when the command starts.
        help: The text in the help.
        choices: The possible values; the help lists them if `form` has no value.
        repeatable: Whether the option can be given several times; its value is a list.
        required: Whether the option must be given.
        one_of: Rows with the same text here exclude one another.
        needs: Other options without which this one is refused.
        attribute: The name of the value in the parsed command line, if it is not the row's name.
    """

    form: str
    read: Callable[[str], object] | None = None
    default: object = None
    help: str = ""
    choices: Sequence[str] = ()
    repeatable: bool = False
    required: bool = False
    one_of: str = ""
    needs: Sequence[str] = ()
    attribute: str = ""


Options = Sequence[Option | str]
"""Rows, and the headings of groups of rows."""


def with_rows(options: Options, *changed: Option) -> Options:
    """Returns a table in which rows replace those of the same form."""
    rows = {row.form: row for row in changed}
    return [rows.get(row.form, row) if isinstance(row, Option) else row for row in options]


# --- readers of values ------------------------------------------------------------------------

AXIOM_VERSIONS = ("140", "140-exact", "150", "151")
"""Library versions that can be emulated; `140-exact` has an error of 140 that `140` has not."""
CELL_LOW, CELL_HIGH = -(2**31), 2**31 - 1
"""The range of a cell."""
MANY = reading.MAX_NUMBER
"""Larger than any useful limit, and small enough not to overflow in C."""


def integer(low: int, high: int = MANY) -> Callable[[str], int]:
    """Returns a reader of integers from `low` to `high`."""
    return reading.from_text(int, reading.integer(low, high))


def number(low: float, high: float) -> Callable[[str], float]:
    """Returns a reader of numbers from `low` to `high`."""
    return reading.from_text(float, reading.number(low, high))


seconds = reading.from_text(
    float, reading.number(0, MANY, expected="a non-negative number of seconds")
)
"""Reads a non-negative number of seconds."""


def folder(text: str) -> Path:
    """Returns the absolute path of an existing folder."""
    path = expand_user(text)
    if not path.is_dir():
        raise ValueError(f"there is no folder {text}")
    return path.absolute()


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise ValueError(f"{text!r} is not NAME=VALUE")
    return name, value


# Patterns, which are compiled only for a value of --position: every command imports this module.
_BOARD = r"(^|/)\d\d?(/|$)|(\d[^/]*/[^/]*){3}"  # a row is empty, or three have numbers
_SQUARES = r"[^\s:/\\]+(:[^:/\\]*){2,}"  # W:W31-50:B1-20
_COMMAND = r"\s*(position\s+)?(s?fen\s+)?"  # of UCI and USI, before a position
_SUFFIX = r"\.[A-Za-z]\w*$"  # of the name of a file


def _file_or_fen(text: str) -> Path | str:
    """Converts the value of --position; a position as text stays as it is.

    It is no existing file, nor a link or a name with a suffix.  Its first word is a board in rows.
    Without further words, it has numbers of squares as in no usual name of a file.  Or it has
    lists of squares between colons.  The words of the command `position` may be before it.
    """
    path = Path(text)
    line = re.sub(_COMMAND, "", text, count=1)
    board, *others = line.split() or [""]
    is_board = "/" in board and (others or re.search(_BOARD, board))
    is_line = is_board or board == "startpos" or re.fullmatch(_SQUARES, line)
    if not is_line or path.is_absolute() or "#" in text or re.search(_SUFFIX, text):
        return path
    try:
        return path if path.exists() else text
    except OSError:  # too long for the name of a file
        return text


# --- rows that several commands have ----------------------------------------------------------

_GAME = "the name of a game (`forthvm games` lists them) or a script file"
GAME = Option("GAME", help=_GAME)
GAME_OR_POSITION = Option("[GAME]", help=f"{_GAME}; not needed with --position")
PLAYED = Option("--game NAME",
    help="the game that is played in a file of games (default: the one that the file names)",
)  # fmt: skip
ASCII = Option("--ascii", help="print ASCII characters only")
EVERYTHING = Option("--everything",
    help="also show the script's internal state: dummy positions, variables, attributes",
)  # fmt: skip
TRUST = Option("--trust",
    help="load scripts even if they have changed since the match or have no recorded digest",
)  # fmt: skip
JOBS = Option("--jobs, -j N", integer(1, 1024),
    help="play N games in parallel (default: the number of cores)",
)  # fmt: skip
ENGINES = Option("--engine [NAME=]SPEC", repeatable=True,
    help="the engine of all players, or of the player NAME; repeatable (default: the script's "
    "engine, else negamax)",
)  # fmt: skip
PAGE = (
    Option("--port N", integer(0, 65535), 0, help="default: a free one"),
    Option("--no-browser", help="only print the address"),
)

SEED = Option("--seed N", integer(CELL_LOW, CELL_HIGH),
    help="seed of the script's random streams, and the time on its clock (default 0)",
)  # fmt: skip
SETTING = Option("--set NAME=VALUE", _setting, repeatable=True,
    help="choose a setting of the game (listed by `forthvm games GAME`, for rule files in "
    "docs/reference/zrf.md), or hide pieces (OnShow=NAMES); repeatable",
)  # fmt: skip
AXIOM_LIB = Option("--axiom-lib DIR", Path,
    help="use the CORE.4TH and axiom.4th in DIR instead of the project's library",
)  # fmt: skip
INCLUDE = Option("--include DIR", folder, repeatable=True,
    help="also let LOAD, and include of rule files, read files below DIR; repeatable",
)  # fmt: skip
CHECKED = Option("--checked, --no-checked", default=False,
    help="report array indexes out of range, reads outside the board and every stack underflow",
)  # fmt: skip
VIRTUAL_MACHINE = (
    SETTING,
    Option("--variant T",
        help="for a rule file (.zrf): title of a variant, or its number from 0 "
        "(`forthvm games FILE` lists them)"),
    Option("--axiom", choices=AXIOM_VERSIONS,
        help="library version to emulate (default 150, or that of --axiom-lib)"),
    AXIOM_LIB,
    INCLUDE,
    CHECKED,
)  # fmt: skip
"""How to load a script; the same for all games of a match."""

MAX_OUTPUT = 1 << 20
"""The default limit of a script's output in bytes: about twenty thousand lines."""
MAX_SECONDS_AT_PROMPT = Option("--max-seconds N", seconds,
    help="limit of time for loading the script, and for each query such as the moves or the value "
    f"of a position (default {DEFAULT_SECONDS:g}, at a prompt 0; 0: no limit)",
)  # fmt: skip
LIMITS = (
    "limits",
    Option("--max-seconds N", seconds, DEFAULT_SECONDS,
        help=MAX_SECONDS_AT_PROMPT.help.replace(", at a prompt 0", "")),
    Option("--max-memory MIB", integer(0, MOST_MEMORY >> 20), DEFAULT_MEMORY >> 20,
        help="limit of the script's memory image "
        f"(default {DEFAULT_MEMORY >> 20}; 0: the maximum, {MOST_MEMORY >> 20})"),
)  # fmt: skip
LOADING = (
    "the virtual machine",
    SEED,
    *VIRTUAL_MACHINE,
    Option("--game-log DIR", folder,
        help="let `$gameLog ON` in the script write a new file in DIR"),
    *LIMITS,
    Option("--max-steps N", integer(0), 0,
        help="limit of steps for each run of the script's code (default 0: no limit)"),
    Option("--max-output BYTES", integer(0), MAX_OUTPUT,
        help="limit of the script's output (default 1 MiB; at a prompt, for each command; "
        "0: no limit)"),
)  # fmt: skip
POSITION = (
    "the position",
    Option("--position FILE", _file_or_fen,
        help="a saved position, which contains its game, seed and settings (-: standard input); "
        "a link to one, copied from the page of `board`; a saved game of Zillions (.zsg); or, "
        "with GAME, a position as text, such as the FEN of chess"),
    Option("--moves 'M1; M2'", help="moves to make first, separated by semicolons"),
)  # fmt: skip
