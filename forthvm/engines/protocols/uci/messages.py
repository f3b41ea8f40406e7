"""Parses lines of the protocols of the family of UCI: options and reports.

Owns the grammar of these lines.  Unknown parts of a report are ignored, as UGI requires.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.engines.protocols.mate_scores import score_by_plies, score_of_mate
from forthvm.engines.protocols.program_options import NUMBER_LIMIT, ProgramOption, whole_number
from forthvm.engines.protocols.search_reports import InfoLine
from forthvm.game.outcome import WIN

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["UCCI_WIN", "read_info", "read_option"]

UCCI_WIN = 10_000
"""The score of a win in UCCI."""
_KINDS = ("check", "spin", "combo", "button", "string", "filename")


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
        low=whole_number(texts.get("min", "")),
        high=whole_number(texts.get("max", "")),
        choices=tuple(text for key, text in texts.items() if key.startswith("var ")),
    )


def read_info(line: str, *, has_mates_in_moves: bool = False) -> InfoLine:
    """Parse an `info` line; missing and malformed fields are None.

    USI's `mate +` is converted to the score WIN, and `multipv 1`, the best line, to line 0.

    Args:
        line: The line.
        has_mates_in_moves: Whether `mate N` counts moves, not plies.

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
                info.score = _read_score(words, has_mates_in_moves=has_mates_in_moves)
            case "pv":
                info.pv = list(words)
            case "string" | "message":
                info.text = " ".join(words)
    return info


def _read_score(words: Iterator[str], *, has_mates_in_moves: bool) -> float | None:
    kind = next(words, "")
    if (score := whole_number(kind)) is not None:  # in UCCI
        return score_by_plies(score, UCCI_WIN)
    text = next(words, "")
    number = whole_number(text)
    if kind == "cp":
        return _decimal_number(text) if number is None else number
    if kind == "mate" and number is not None:
        if has_mates_in_moves:
            return score_of_mate(number)
        return WIN - number if number > 0 else -WIN - number
    if kind == "mate" and text in {"+", "-"}:
        return WIN if text == "+" else -WIN
    return None


def _decimal_number(text: str) -> float | None:
    """Return a number with decimals, which some programs send instead of an integer."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < NUMBER_LIMIT else None


def _count(text: str) -> int | None:
    number = whole_number(text)
    return number if number is not None and number >= 0 else None
