"""Parses specifications of programs: a protocol, a command line and options.

Owns the syntax of these specifications.

    PROTOCOL:PROGRAM
    PROTOCOL:PROGRAM ARGUMENTS,option=value,...
    PROTOCOL:cmd="PROGRAM ARGUMENTS",option=value,...

A comma in quotes does not end a command line or a value.  Only options of the program may have an
empty value.
"""

from __future__ import annotations

import re

from forthvm.engines.errors import EngineOptionError
from forthvm.system.command_line import split_words

__all__ = ["PROGRAM_OPTION", "command_line", "split_program_spec"]

PROGRAM_OPTION = "option."
"""The prefix of an engine option that sets an option of the program."""

_PART = re.compile(r"""(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^,"'\\])+""", re.DOTALL)
_OPTION = re.compile(r"\s*(cmd|[a-z]+|option\.[^=]+)\s*=(.*)", re.DOTALL)
_QUOTED = re.compile(r"""\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)')\s*""", re.DOTALL)

_ESCAPE = re.compile(r"\\([\"\\])")


def split_program_spec(text: str, protocol: str) -> dict[str, str]:
    """Return the options in the text after the protocol, with the command line as `cmd`.

    Raises:
        EngineOptionError: A quote is not closed, or an option has no value or occurs twice.

    >>> split_program_spec("breaker --fast,time=1,option.Hash=64", "uci")
    {'cmd': 'breaker --fast', 'time': '1', 'option.Hash': '64'}
    >>> split_program_spec("cmd='forthvm ugi ur --engine mcts:seed=1,time=2',grace=5", "ugi")
    {'cmd': 'forthvm ugi ur --engine mcts:seed=1,time=2', 'grace': '5'}
    """
    options: dict[str, str] = {}
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None or text[part.end() : part.end() + 1] not in {"", ","}:
            raise EngineOptionError(f"'{protocol}:{text}': an unclosed quote or an extra comma")
        option = _OPTION.fullmatch(part[0])
        if option is None and at:
            raise EngineOptionError(f"'{protocol}:{text}': expected option=value, not {part[0]!r}")
        key, value = ("cmd", part[0]) if option is None else (option[1].strip(), option[2])
        quoted = _QUOTED.fullmatch(value)
        if quoted:
            value = quoted[2] if quoted[1] is None else _ESCAPE.sub(r"\1", quoted[1])
        needs_value = not key.startswith(PROGRAM_OPTION)
        if key in options or (needs_value and not value.strip()):
            problem = "is given twice" if key in options else "has no value"
            raise EngineOptionError(f"'{protocol}:{text}': option {key!r} {problem}")
        options[key] = value.strip()
        at = part.end() + 1
    return options


def command_line(cmd: object, protocol: str) -> tuple[str, ...]:
    """Return the program and its arguments, from a text in shell syntax or a list.

    Raises:
        EngineOptionError: The program is missing.
    """
    if isinstance(cmd, str):
        try:
            words = tuple(split_words(cmd))
        except ValueError as error:
            raise EngineOptionError(f"command {cmd!r}: {error}") from None
    elif isinstance(cmd, list | tuple):
        words = tuple(map(str, cmd))
    else:
        words = ()
    if not words or not words[0] or any("\0" in word for word in words):
        raise EngineOptionError(
            f"engine {protocol!r} needs a program: {protocol}:PROGRAM, or cmd=..."
        )
    return words
