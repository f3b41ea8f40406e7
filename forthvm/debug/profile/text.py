"""A profile as text: a table of words, and sources annotated with their costs.

Owns the layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from .measure import LineCost, Profile

__all__ = ["annotated", "table", "title_line"]

_DEFAULT_MAX_WORDS = 30
_MILLISECONDS_PER_SECOND = 1000


def title_line(profile: Profile) -> str:
    """Return one line with the title, the time and the number of tokens of a profile."""
    rate = profile.tokens / profile.seconds / 1e6 if profile.seconds else 0.0
    return f"{profile.title}: {_time(profile.seconds)}, {profile.tokens:,} tokens" + (
        f" ({rate:.0f} million a second)" if rate else ""
    )


def table(
    profile: Profile, *, max_words: int = _DEFAULT_MAX_WORDS, width: int = 0
) -> Iterator[str]:
    """Yield the title and a table of the words that executed most tokens.

    Args:
        profile: The profile.
        max_words: The maximum number of words.
        width: The maximum width in columns; 0 for no limit.
    """
    yield title_line(profile)
    words = profile.words[:max_words]
    columns = max((len(word.word) for word in words), default=4)  # of the names
    columns = min(columns, max(width - 40, 12)) if width else columns
    yield f"{'word':{columns}}  {'calls':>8} {'tokens':>9} {'own':>6} {'total':>6}"
    for word in words:
        name = word.word if len(word.word) <= columns else word.word[: columns - 1] + "…"
        own, total = _share(word.own, profile.seconds), _share(word.total, profile.seconds)
        line = f"{name:{columns}}  {word.calls:8} {word.tokens:9} {own:>6} {total:>6}"
        place = ""
        if word.location is not None:
            file = word.location.file.replace("\\", "/").rpartition("/")[2]
            place = f"  {file}:{word.location.line}"
        fits = not width or len(line + place) <= width
        yield line + place if fits else line
    hidden = len(profile.words) - len(words)
    if hidden > 0:
        yield f"and {hidden} more words"


def annotated(
    profile: Profile, file: str, source: str, code_lines: Collection[int] = ()
) -> Iterator[str]:
    """Yield the lines of a source, each with its token count and its share of the time.

    Args:
        profile: The profile.
        file: The name of the source in the lines of the profile.
        source: The text of the source.
        code_lines: The numbers of the lines with code; those that never ran have the count 0.
    """
    costs: dict[int, LineCost] = {cost.line: cost for cost in profile.lines if cost.file == file}
    total = sum(cost.tokens for cost in costs.values())
    ran = f"; {len(costs.keys() & code_lines)} of {len(code_lines)} lines with code ran"
    yield f"{file}: {_share(total, profile.tokens)} of all tokens{ran if code_lines else ''}"
    for number, line in enumerate(source.splitlines(), start=1):
        cost = costs.get(number)
        if cost:
            counts = f"{cost.tokens:>9} {_share(cost.own, profile.seconds):>6}"
        else:
            counts = f"{0 if number in code_lines else '':>9} {'':>6}"
        yield f"{counts} {number:>5} | {line}".rstrip()


def _share(part: float, total: float) -> str:
    return f"{100 * part / total:.1f}%" if total else "-"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * _MILLISECONDS_PER_SECOND:.1f} ms"
