"""Reads and writes lines of CECP: features, options and thinking output.

Owns the grammar of these lines.
"""

from __future__ import annotations

import re

from forthvm.engines.protocols.mate_scores import (
    moves_to_mate,
    plain_score,
    score_by_plies,
    score_of_mate,
)
from forthvm.engines.protocols.program_options import ProgramOption
from forthvm.engines.protocols.search_reports import InfoLine

__all__ = [
    "NUMBER_COMMANDS",
    "clock_text",
    "option_command",
    "option_of_feature",
    "read_clock",
    "read_features",
    "read_option",
    "read_thinking",
    "score_number",
    "xiangqi_position",
]

_FEATURE = re.compile(r'([A-Za-z_]\w*)=("[^"]*"|[^"\s]\S*|(?=\s|$))')
_THINKING = re.compile(r"\s*[-(]?(\d{1,9})[^\s\d]?\s+([-+]?\d{1,12})\s+(\d{1,12})\s+(\d{1,15})(.*)")
_MOVE_NUMBER = re.compile(r"\d+\.+(?:\.\.)?|\.\.\.|\(.*?\)|[-+=]+")
_MATE = 100_000
"""The score of a mate in n moves is this number plus n."""
_OPTION = re.compile(r"(.+?)\s+-(\w+)(?:\s+(.*))?")
_XIANGQI_LETTERS = str.maketrans("NBnb", "HEhe")
_CLOCK = re.compile(r"([0-9]{1,6})(?::([0-9]{1,2}))?")
_CHOICE_SEPARATOR = "///"
_KINDS = {
    **{name: name for name in ("check", "spin", "combo")},
    "slider": "spin",
    **dict.fromkeys(("button", "save", "reset"), "button"),
}
"""The kinds of options, with the names that UCI gives them; other kinds are texts."""
NUMBER_COMMANDS = {"memory": "memory", "smp": "cores"}
"""Features of programs that know a command with a number, and the command."""


def read_features(line: str) -> list[tuple[str, str]]:
    """Return names and values in a line `feature NAME=VALUE ...`.

    >>> read_features('feature ping=1 myname="Max 5" done=0')
    [('ping', '1'), ('myname', 'Max 5'), ('done', '0')]
    """
    return [(name, value.strip('"')) for name, value in _FEATURE.findall(line)]


def read_option(text: str) -> ProgramOption | None:
    """Parse the value of `feature option`: `NAME -KIND ARGUMENTS`; None if it is not an option.

    >>> option = read_option("Threshold -spin 800 200 1200")
    >>> option.name, option.kind, option.low, option.high
    ('Threshold', 'spin', 200, 1200)
    >>> read_option("Style -combo calm /// *wild").choices
    ('calm', 'wild')
    """
    found = _OPTION.fullmatch(text.strip())
    if found is None:
        return None
    name, kind, arguments = found[1], _KINDS.get(found[2], "string"), (found[3] or "").strip()
    if kind == "spin":
        numbers = re.findall(r"-?\d{1,18}", arguments)
        if len(numbers) == 3:
            default, low, high = numbers
            return ProgramOption(
                name=name, kind=kind, default=default, low=int(low), high=int(high)
            )
        kind = "string"
    if kind == "combo":
        parts = [part.strip() for part in arguments.split(_CHOICE_SEPARATOR)]
        choices = tuple(part.removeprefix("*") for part in parts)
        return ProgramOption(name=name, kind=kind, choices=choices)
    return ProgramOption(name=name, kind=kind, default=arguments)


def option_of_feature(name: str, value: str) -> ProgramOption | None:
    """Return the option that a feature declares; None if it declares none.

    The memory in megabytes and the number of cores are options, too.
    """
    if name == "option":
        return read_option(value)
    if name in NUMBER_COMMANDS and value == "1":
        return ProgramOption(name=NUMBER_COMMANDS[name], kind="spin", low=1, has_command=True)
    return None


def option_command(option: ProgramOption, value: object) -> str:
    """Return the command that sets an option.

    Raises:
        EngineOptionError: The option does not accept the value.

    >>> option_command(read_option("Resign -check 0"), "yes")
    'option Resign=1'
    >>> option_command(read_option("Save -save"), "")
    'option Save'
    >>> option_command(option_of_feature("smp", "1"), 4)
    'cores 4'
    >>> option_command(read_option("cores -spin 1 1 8"), 4)
    'option cores=4'
    """
    text = option.value_text(value)
    if option.kind == "button":
        return f"option {option.name}"
    if option.kind == "check":
        text = "1" if text == "true" else "0"
    if option.has_command:
        return f"{option.name} {text}"
    return f"option {option.name}={text}"


def read_thinking(line: str) -> InfoLine | None:
    """Parse `PLY SCORE TIME NODES MOVES`; None if it is another line.

    The time is in hundredths of a second.  The score of a mate in n moves is 100000 plus n; some
    programs send 100000 minus the number of plies.

    >>> info = read_thinking(" 5  -12  150  47873 1. e4 e5")
    >>> info.depth, info.score, info.time, info.nodes, info.pv
    (5, -12, 1.5, 47873, ['e4', 'e5'])
    """
    found = _THINKING.fullmatch(line)
    if found is None:
        return None
    depth, score, time, nodes = map(int, found.groups()[:4])
    words = found[5].rpartition("\t")[2].split()
    return InfoLine(
        depth=depth,
        score=_score(score),
        time=time / 100,
        nodes=nodes,
        pv=[word for word in words if not _MOVE_NUMBER.fullmatch(word)],
    )


def _score(number: int) -> int:
    if abs(number) < _MATE:
        return score_by_plies(number, _MATE)
    moves = max(abs(number) - _MATE, 1)
    return score_of_mate(moves if number > 0 else -moves)


def score_number(score: float) -> int:
    """Return a score as thinking output contains it.

    >>> from forthvm.game.outcome import WIN
    >>> score_number(-35.0), score_number(WIN - 3), score_number(4 - WIN)
    (-35, 100002, -100002)
    """
    moves = moves_to_mate(score)
    if moves is None:
        return plain_score(score, _MATE)
    return _MATE + moves if score > 0 else moves - _MATE


def clock_text(seconds: float) -> str:
    """Return the base time of a clock as the command `level` contains it, rounded up.

    >>> clock_text(300), clock_text(0.5)
    ('5', '0:01')
    """
    minutes, rest = divmod(max(1, -int(-seconds // 1)), 60)
    return f"{minutes}:{rest:02}" if rest else str(minutes)


def read_clock(text: str) -> float:
    """Return the seconds of a base time of the command `level`: `5` or `0:30` minutes.

    Raises:
        ValueError: The text is not a time.

    >>> read_clock("5"), read_clock("1:30")
    (300.0, 90.0)
    """
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise ValueError(f"expected minutes or MINUTES:SECONDS, not {text!r}")
    return 60.0 * int(found[1]) + int(found[2] or 0)


def xiangqi_position(fen: str) -> str:
    """Return the FEN of a position of xiangqi as XBoard writes it.

    Horses and elephants are H and E, and the fields that xiangqi does not use are left out.

    >>> xiangqi_position("rnbakab1r/9/9/9/9/9/9/9/9/4K4 w - - 0 1")
    'rheakae1r/9/9/9/9/9/9/9/9/4K4 w 0 1'
    """
    board, *fields = fen.split()
    return " ".join([board.translate(_XIANGQI_LETTERS), *(each for each in fields if each != "-")])
