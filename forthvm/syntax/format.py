"""Formatting of sources: the indentation of lines, and blanks at their ends.

Owns the rules of the format.  Formatting changes only blanks between tokens, never a token: a line
that begins inside a comment or a string stays as it is.  Only lines inside definitions and sections
are indented, because the layout of other lines is often that of a table.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from .structure import read_structure
from .tokens import CLOSERS, Kind, tokenize

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from .structure import Line, Structure
    from .tokens import Token

__all__ = ["CLOSING", "format_source"]

_BLANKS = " \t"
_TEXTS = frozenset({"(", "\\", '"'})
"""Opening words of comments and strings."""
CLOSING = frozenset(
    {";", "ELSE", "ENDIF", "THEN", "WHILE", "UNTIL", "REPEAT", "LOOP", "+LOOP", *CLOSERS}
)
"""Words that end or continue a structure.  A line that begins with one is indented less."""
_MAX_DEPTH = 100
"""The maximum indentation, which bounds the length of the result."""
_RULE_FILE = re.compile(r'(?P<string>"[^"]*(?:"|\Z))|(?P<comment>;[^\n]*)|[ \t\r]+(?P<end>\n|\Z)?')
_LAST_BLANKS = re.compile(r"[ \t\r]*[ \t](?=\r?\n?\Z)")


def format_source(text: str, *, rules: bool = False) -> str:
    r"""Return a source with normalised indentation, and without blanks at the ends of lines.

    The unit of indentation is the one that most lines use, by default a tab.  Line ends remain as
    they are.  If structures of the text have no end, and in rule files, only blanks at the ends of
    lines are removed.

    Args:
        text: The source.
        rules: Whether it is a rule file of Zillions.

    >>> format_source(": sign ( n -- sign )\n0< IF  \n-1\nELSE\n1\nENDIF ;")
    ': sign ( n -- sign )\n\t0< IF\n\t\t-1\n\tELSE\n\t\t1\n\tENDIF ;\n'
    """
    if rules:
        return _with_last_line_end(_RULE_FILE.sub(_without_last_blanks, text))
    structure = read_structure(text)
    lines = _read_lines(text, structure)
    if structure.complete and not structure.strays:
        formatted = "".join(_indented(lines))
    else:  # what the lines belong to is not known
        formatted = "".join(line.stripped() for line in lines)
    if not _ends_with_open_comment(text):
        formatted = _with_last_line_end(formatted)
    # A word of the script may read text in a way that only the script knows; see the tests.
    return formatted if _tokens(formatted) == _tokens(text) else text


def _without_last_blanks(match: re.Match[str]) -> str:
    """Return a part of a rule file without the blanks at the end of its line."""
    if match["comment"]:
        comment = match["comment"]
        return comment.rstrip(_BLANKS + "\r") + ("\r" if comment.endswith("\r") else "")
    blanks = _LAST_BLANKS.match(match[0]) if match["end"] is not None else None
    return match[0] if blanks is None else match[0][blanks.end() :]


def _with_last_line_end(text: str) -> str:
    """Return a text that ends with exactly one line end, unless it is empty."""
    content = text.rstrip(_BLANKS + "\r\n")
    if not content:
        return ""
    ends = re.findall(r"\r?\n", text)
    return content + (ends[-1] if ends else "\n")


# --- lines of scripts ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """A line.

    Attributes:
        text: The line with its end.
        tokens: The tokens that begin in the line.
        opened: The structures that are open at its beginning.
        least_depth: The number of lines in which those of them begin that are still open at the
            end of this line.  An ELSE at the end of a line does not count: it continues a chain of
            conditions such as `a? IF 1 ELSE`, whose lines need not be indented more and more.
    """

    text: str
    tokens: Sequence[Token]
    opened: Line
    least_depth: int

    @property
    def blanks(self) -> str:
        """The blanks at its beginning."""
        return self.text[: len(self.text) - len(self.text.lstrip(_BLANKS))]

    @property
    def is_comment(self) -> bool:
        """Whether it is only a comment."""
        return len(self.tokens) == 1 and self.tokens[0].kind is Kind.COMMENT

    @property
    def has_fixed_layout(self) -> bool:
        """Whether its blanks belong to a token, or its indentation may have a meaning."""
        outermost, innermost = self.opened.outermost, self.opened.innermost
        if outermost is None or innermost is None or innermost.word in _TEXTS:
            return True
        in_section = innermost.word != ":" and outermost.word != ":"
        continues = self.tokens and self.tokens[0].kind not in (
            Kind.ITEM,
            Kind.SECTION,
            Kind.COMMENT,
        )
        return bool(in_section and continues)

    def indentation(self, unit: str) -> str:
        """Return the blanks by which it is to be indented: its own, if they are possible.

        A line that ends structures, such as `2 +LOOP`, may be indented like their beginnings.
        """
        closes = bool(self.tokens) and self.tokens[0].text in CLOSING
        most = min(max(self.opened.depth - closes, 0), _MAX_DEPTH)
        blanks = self.blanks
        if unit == "\t" and blanks[:1] == unit:
            blanks = blanks.rstrip(" ")  # blanks after tabs align the line with another one
        own, rest = divmod(len(blanks), len(unit))
        least = min(max(self.least_depth, 1), most)
        is_possible = not rest and blanks == unit * own
        if is_possible and least <= own <= most:
            return self.blanks
        return unit * (min(max(own, least), most) if is_possible else most)

    def stripped(self) -> str:
        """Return the line without blanks at its end, unless a token contains them."""
        content = self.text.rstrip("\r\n")
        end = self.text[len(content) :]
        last = self.tokens[-1] if self.tokens else None
        innermost = self.opened.innermost
        if last is None and innermost is not None and innermost.word in _TEXTS:
            return self.text
        # After a single backslash the next character is not part of the comment.
        if last is not None and (
            last.text.rstrip() == "\\" or "\n" in last.text or last.kind is Kind.STRING
        ):
            return self.text
        # A carriage return within the line must not become a part of its end.
        return content.rstrip(_BLANKS + "\r") + end


def _read_lines(text: str, structure: Structure) -> list[_Line]:
    tokens = list(tokenize(text))
    least_depths = _least_depths(text, structure, _elses_at_line_ends(text, tokens))
    lines, first = [], 0
    ends = [*(line.start for line in structure.lines[1:]), len(text)]
    for opened, end, least_depth in zip(structure.lines, ends, least_depths, strict=True):
        after = first
        while after < len(tokens) and tokens[after].start < end:
            after += 1
        lines.append(_Line(text[opened.start : end], tokens[first:after], opened, least_depth))
        first = after
    return lines


def _least_depths(text: str, structure: Structure, left_out: Container[int]) -> Iterator[int]:
    """Yield for each line the number of earlier lines with structures that are open at its end.

    Args:
        text: The source.
        structure: Its nesting.
        left_out: The starts of the structures that do not count.
    """
    starts = [line.start for line in structure.lines]
    counted = [one for one in structure.structures if one.start not in left_out]
    ends = sorted(((one.end or len(text), one.start) for one in counted), reverse=True)
    counted.reverse()
    open_in_line: Counter[int] = Counter()  # by line, the open structures that begin there
    lines_with_open = 0
    for number, end in enumerate([*starts[1:], len(text) + 1]):
        while counted and counted[-1].start < end:
            counted.pop()
            open_in_line[number] += 1
        lines_with_open += open_in_line[number] > 0
        while ends and ends[-1][0] < end:
            line = bisect_right(starts, ends.pop()[1]) - 1
            open_in_line[line] -= 1
            lines_with_open -= not open_in_line[line]
        yield lines_with_open - (open_in_line[number] > 0)


def _elses_at_line_ends(text: str, tokens: Sequence[Token]) -> set[int]:
    """Return the indices of each ELSE that ends a line of several words, except for a comment."""
    code = [token for token in tokens if token.kind is not Kind.COMMENT]
    lines = [text[before.end : token.start].count("\n") for before, token in pairwise(code)]
    return {
        token.start
        for token, above, below in zip(code[1:], lines, lines[1:], strict=False)
        if token.text == "ELSE" and above == 0 and below > 0
    }


def _indented(lines: Sequence[_Line]) -> list[str]:
    unit = _unit(lines)
    result: list[str] = []
    aligned = False  # whether the previous line ends with a comment that the line may continue
    for line in lines:
        stripped = line.stripped()
        continues_comment = aligned and line.is_comment and bool(line.blanks)
        if not line.has_fixed_layout and not continues_comment and stripped.strip():
            stripped = line.indentation(unit) + stripped.lstrip(_BLANKS)
        result.append(stripped)
        has_comment = bool(line.tokens) and line.tokens[-1].kind is Kind.COMMENT
        aligned = has_comment and (not line.is_comment or continues_comment)
    return result


def _unit(lines: Sequence[_Line]) -> str:
    """Return the unit of indentation that most lines use; a tab if no line uses one."""
    units: Counter[str] = Counter()
    for line in lines:
        closes = bool(line.tokens) and line.tokens[0].text in CLOSING
        if (
            line.tokens
            and line.blanks
            and line.opened.depth == 1
            and not closes
            and not line.has_fixed_layout
        ):
            units["\t" if "\t" in line.blanks else line.blanks] += 1
    return max(units, key=lambda unit: (units[unit], unit == "\t", -len(unit)), default="\t")


def _ends_with_open_comment(text: str) -> bool:
    """Whether a line end after the text would belong to a comment, or the text to a string."""
    tokens = list(tokenize(text))
    return bool(tokens) and (not tokens[-1].complete or tokens[-1].text.rstrip() == "\\")


def _tokens(text: str) -> list[tuple[Kind, str]]:
    """Return the tokens; blanks at the end of a comment do not count."""
    return [
        (token.kind, token.text.rstrip() if token.kind is Kind.COMMENT else token.text)
        for token in tokenize(text)
    ]
