"""Parses lines of the protocols of the family of UCI: options and reports.

Owns the grammar of these lines.  Unknown parts of a report are ignored, as UGI requires.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.engines.errors import EngineOptionError
from forthvm.game.outcome import WIN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.engines.protocols.process import Program

__all__ = ["InfoLine", "ProgramOption", "find_option", "read_info", "read_option"]

_NUMBER_LIMIT = 2**63
_KINDS = ("check", "spin", "combo", "button", "string", "filename")


@dataclass(frozen=True, kw_only=True)
class ProgramOption:
    """An option that a program declared."""

    name: str
    kind: str
    """`check`, `spin`, `combo`, `button`, `string`, or in USI `filename`."""
    default: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    def value_text(self, value: object) -> str:
        """Return a value as the program reads it; "" for a button.

        Raises:
            EngineOptionError: The option does not accept the value.
        """
        text = " ".join(str(value).split())
        match self.kind:
            case "check":
                folded = text.casefold()
                if folded in {"true", "yes", "on", "1"}:
                    return "true"
                if folded in {"false", "no", "off", "0"}:
                    return "false"
                self._raise_invalid(text, "yes or no")
            case "spin":
                number = _number(text)
                low, high = self.low, self.high
                if (
                    number is None
                    or (low is not None and number < low)
                    or (high is not None and number > high)
                ):
                    self._raise_invalid(text, f"an integer from {low} to {high}")
            case "button":
                return ""
            case "combo" if self.choices:
                for choice in self.choices:
                    if choice.casefold() == text.casefold():
                        return choice
                self._raise_invalid(text, f"one of {', '.join(self.choices)}")
        return text

    def _raise_invalid(self, text: str, expected: str) -> None:
        raise EngineOptionError(
            f"option {self.name!r} of the program must be {expected}, not {text!r}"
        )


def find_option(options: Mapping[str, ProgramOption], name: str, program: Program) -> ProgramOption:
    """Return the option of a program with a name, ignoring letter case.

    Raises:
        EngineOptionError: The program has no such option.
    """
    for known, option in options.items():
        if known.casefold() == name.casefold():
            return option
    raise EngineOptionError(
        f"program {program.argv[0]!r} has no option {name!r} (it has: "
        f"{', '.join(options) or 'none'})"
    )


def read_option(line: str) -> ProgramOption | None:
    """Parse `option name N type T default D min L max H var V ...`; None if it is not an option.

    The word `name` may be missing, as in UCCI.

    >>> option = read_option("option name Move Overhead type spin default 10 min 0 max 5000")
    >>> option.name, option.kind, option.default, option.high
    ('Move Overhead', 'spin', '10', 5000)
    """
    words = line.split()[1:]
    fields: dict[str, list[str]] = {}
    key = ""
    for word in words if words[:1] == ["name"] else ["name", *words]:
        if word in {"name", "type", "default", "min", "max"} and word not in fields:
            key = word
            fields[key] = []
        elif word == "var":
            key = f"var {len(fields)}"
            fields[key] = []
        elif key:
            fields[key].append(word)
    texts = {key: " ".join(words) for key, words in fields.items()}
    name, kind = texts.get("name", ""), texts.get("type", "string")
    if not name or kind not in _KINDS:
        return None
    return ProgramOption(
        name=name,
        kind=kind,
        default=texts.get("default", ""),
        low=_number(texts.get("min", "")),
        high=_number(texts.get("max", "")),
        choices=tuple(text for key, text in texts.items() if key.startswith("var ")),
    )


@dataclass(kw_only=True)
class InfoLine:
    """The contents of an `info` line, with moves as words."""

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    """Seconds since the search began."""
    score: float | None = None
    line: int | None = None
    """Index of the line of moves; 0 is the best line."""
    current: str | None = None
    """The root move that is being searched."""
    pv: list[str] = field(default_factory=list)
    text: str | None = None
    """The text after `string`, or in UCCI `message`."""


def read_info(line: str) -> InfoLine:
    """Parse an `info` line; missing and malformed fields are None.

    `mate N` is converted to the score WIN - N, USI's `mate +` to WIN, and `multipv 1`, the best
    line, to line 0.

    >>> info = read_info("info depth 3 score cp -20 nodes 77 time 1500 pv a2a3 b7b6")
    >>> info.depth, info.score, info.nodes, info.time, info.pv
    (3, -20, 77, 1.5, ['a2a3', 'b7b6'])
    """
    info = InfoLine()
    words = iter(line.split()[1:])
    for word in words:
        match word:
            case "depth":
                info.depth = _count(next(words, ""))
            case "nodes":
                info.nodes = _count(next(words, ""))
            case "time":
                milliseconds = _count(next(words, ""))
                info.time = None if milliseconds is None else milliseconds / 1000
            case "multipv":
                number = _count(next(words, ""))
                info.line = number - 1 if number else None
            case "currmove":
                info.current = next(words, None)
            case "score":
                kind = next(words, "")
                is_number = _number(kind) is not None  # in UCCI
                info.score = _score("cp", kind) if is_number else _score(kind, next(words, ""))
            case "pv":
                info.pv = list(words)
            case "string" | "message":
                info.text = " ".join(words)
    return info


def _score(kind: str, text: str) -> float | None:
    number = _number(text)
    if kind == "cp":
        return _real_number(text) if number is None else number
    if kind == "mate" and number is not None:
        return WIN - number if number > 0 else -WIN - number
    if kind == "mate" and text in {"+", "-"}:
        return WIN if text == "+" else -WIN
    return None


def _number(text: str) -> int | None:
    try:
        number = int(text)
    except ValueError:
        return None
    return number if abs(number) < _NUMBER_LIMIT else None


def _real_number(text: str) -> float | None:
    """Return a number with decimals, which some programs send instead of an integer."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < _NUMBER_LIMIT else None


def _count(text: str) -> int | None:
    number = _number(text)
    return number if number is not None and number >= 0 else None
