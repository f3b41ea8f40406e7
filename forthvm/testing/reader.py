"""Reads `.test` and `.perft` files: statements, and the tests that they form.

Owns the layout of both formats: lines, indentation, comments, and the keywords that may begin a
statement.  setup.py and checks.py run the statements of a test.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING

from forthvm.core.errors import ScriptFileError
from forthvm.core.errors.report import suggest
from forthvm.core.failure import ForthVMError
from forthvm.core.loading.files import shown_name
from forthvm.core.location import Location
from forthvm.core.text.wording import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    _Report = Callable[[ForthVMError], object]

__all__ = [
    "CHECKS",
    "SETUP",
    "Case",
    "Item",
    "Statement",
    "Suite",
    "error_at",
    "read_text",
]

_WORD = re.compile(r"\S+")
_ITEM = re.compile(r"[^;\s](?:[^;]*[^;\s])?")
MAX_DIGITS = 18
MAX_SEED_DIGITS = 9
FILE_KEYWORDS = ("game", "variant", "seed", "setting", "test")
SETUP = ("board", "pieces", "turn", "variable")
"""Keywords that describe the position with which a test begins."""
CHECKS = ("play", "moves", "legal", "refused", "perft", "expect")
"""Keywords of moves and of what must be true."""
_SERIES = {"single": "", "joined": "joined ", "joined, equal results once": "joined "}
"""What `series:` lines of `.perft` files add to the counts below them."""
_SKIPPED = {"joined, equal results once": "forthvm counts moves with equal results separately"}
"""Why the counts below a `series:` line do not run."""


@dataclass(frozen=True)
class Item:
    """A move, or another part of a statement, with its place."""

    text: str
    location: Location

    @property
    def words(self) -> list[Item]:
        """The words of the text, with their places."""
        place = self.location
        return [
            Item(
                match[0],
                Location(
                    place.file, place.line, place.column + match.start(), place.text, len(match[0])
                ),
            )
            for match in _WORD.finditer(self.text)
        ]


@dataclass(frozen=True)
class Statement:
    """A statement, with the lines that continue it.

    Attributes:
        keyword: Its first word.
        text: The rest of its first line.
        more: The lines after it that are indented deeper, without their ends.
        location: The place of the keyword.
        numbers: The line numbers of `more`.
    """

    keyword: str
    text: str
    more: tuple[str, ...]
    location: Location
    numbers: tuple[int, ...] = ()

    def place_in(self, line: int, column: int, length: int) -> Location:
        """Return the place of some characters of `more`; line and column are indices."""
        text, number = self.more[line], self.numbers[line]
        return Location(self.location.file, number, column + 1, text, length)

    @property
    def whole_text(self) -> str:
        """The text with the lines that continue it."""
        return " ".join([self.text, *map(str.strip, self.more)])

    @property
    def items(self) -> list[str]:
        """The texts that semicolons and line ends separate."""
        return [item.text for item in self.located_items]

    @property
    def words(self) -> list[Item]:
        """The words of all items, with their places."""
        return [word for item in self.located_items for word in item.words]

    @property
    def located_items(self) -> list[Item]:
        """The texts that semicolons and line ends separate, with their places."""
        first = self.location
        start = len(first.text.rstrip()) - len(self.text)  # `text` ends where the line ends
        lines = [(first.line, first.text, start), *zip(self.numbers, self.more, repeat(0))]
        return [
            Item(match[0], Location(first.file, number, match.start() + 1, line, len(match[0])))
            for number, line, start in lines
            for match in _ITEM.finditer(line, start)
        ]


@dataclass(frozen=True)
class Case:
    """A test.

    Attributes:
        path: The file that contains it.
        line: The line on which it begins, from 1.
        name: Its name.
        kind: `position` in `.test` files, `perft` in `.perft` files.
        statements: Its statements.
        variant: The variant of a rule file; None: its default.
        skipped: Why it does not run; "" if it does.
    """

    path: Path
    line: int
    name: str
    kind: str
    statements: tuple[Statement, ...]
    variant: str | None = None
    skipped: str = ""

    @property
    def id(self) -> str:
        """The file and the line, which `forthvm test` accepts."""
        return f"{self.path}:{self.line}"

    def played_until(self, line: int) -> list[str]:
        """Return the moves that the test plays up to a line."""
        return [
            item.text
            for statement in self.statements
            if statement.keyword == "play"
            for item in statement.located_items
            if item.location.line <= line
        ]


@dataclass(frozen=True)
class Suite:
    """The tests of a file.

    Attributes:
        path: The file.
        program: The script or rule file.
        cases: The tests.
        seed: The seed of the script's random streams.
        settings: The values of settings of the game.
        choices: The statements `setting` and `variant`.
    """

    path: Path
    program: Path
    cases: tuple[Case, ...]
    seed: int = 0
    settings: tuple[tuple[str, str], ...] = ()
    choices: tuple[Statement, ...] = ()

    def case_at(self, line: int) -> Case | None:
        """Return the test that contains a line; None before the first test."""
        return next((case for case in reversed(self.cases) if case.line <= line), None)


def _raise(error: ForthVMError) -> None:
    raise error


def read_text(path: Path, text: str, report: _Report = _raise) -> Suite:
    """Read the text of a `.test` or `.perft` file.

    Args:
        path: The file.
        text: Its text.
        report: Called with the error of each wrong line, which is then left out.  Without it, the
            first error is raised.

    Raises:
        ForthVMError: A line is wrong; the error has its location.
    """
    return (_read_counts if path.suffix.lower() == ".perft" else _read_tests)(path, text, report)


def _read_tests(path: Path, text: str, report: _Report) -> Suite:
    header: dict[str, Statement] = {}
    settings: list[tuple[str, str]] = []
    choices: list[Statement] = []
    tests: list[list[Statement]] = []
    for first, *rest in _blocks(path, text, report):
        if first.keyword == "test":
            if not first.text:
                report(error_at(first, "a test needs a name", "for example: test A man captures"))
            tests.append([first, *rest])
        elif tests:
            report(error_at(first, f"`{first.keyword}` must stand before the first test"))
        elif not first.text:
            report(error_at(first, f"`{first.keyword}` needs a value"))
        elif first.keyword == "setting":
            name, equals, value = first.text.partition("=")
            if not equals:
                report(error_at(first, "a setting needs a name and a value", "setting NAME=VALUE"))
            settings.append((name.strip(), value.strip()))
            choices.append(first)
        elif first.keyword in header:
            report(error_at(first, f"`{first.keyword}` is given twice"))
        else:
            header[first.keyword] = first
            choices += [first] if first.keyword == "variant" else []
    program = _program(path, header.get("game"), report)
    variant = _variant(header.get("variant"), program, report)
    cases = tuple(_case(path, *block, variant=variant, report=report) for block in tests)
    seed = _seed(header.get("seed"), report)
    return Suite(path, program, cases, seed, tuple(settings), tuple(choices))


def _read_counts(path: Path, text: str, report: _Report) -> Suite:
    """Read the text of a `.perft` file: lines `DEPTH COUNT SOURCE`.

    The line `variant: TITLE` stands before the counts of a variant, and `series: joined` before
    counts in which a chain of partial moves is one ply.  Counts below `series: joined, equal
    results once`, in which chains with the same result are one, are skipped.
    """
    cases = []
    variant, series, skipped = None, "", ""
    for number, line in enumerate(_lines(text), 1):
        words = line.split(None, 2)
        if not words or words[0].startswith("#"):
            continue
        place = Location(shown_name(path), number, 1, line, max(len(line), 1))
        statement = Statement("perft", series + " ".join(words[:2]), (), place)
        value = line.partition(":")[2].strip()
        if words[0] == "variant:" and value:
            variant, series, skipped = value, "", ""
        elif words[0] == "series:" and value in _SERIES:
            series, skipped = _SERIES[value], _SKIPPED.get(value, "")
        elif len(words) > 1 and all(_is_count(word) for word in words[:2]):
            name = f"perft {statement.text}" + (f", {variant}" if variant else "")
            cases.append(Case(path, number, name, "perft", (statement,), variant, skipped))
        else:
            error = error_at(
                statement,
                "a line has a depth, a count, and the source of the count: 2 400 published",
                "or it is `variant: TITLE`, `series: joined`, or a comment after #",
            )
            report(error)
    return Suite(path, _program(path, None, report), tuple(cases))


def error_at(place: Statement | Item, message: str, *hints: str) -> ForthVMError:
    """Return the error of a statement, or of a part of it."""
    return ForthVMError(message, location=place.location, hints=hints)


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _indent(line: str) -> int:
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())


def _blocks(path: Path, text: str, report: _Report) -> Iterator[list[Statement]]:
    """Yield each line that begins a block, with the statements below it."""
    block: list[Statement] = []
    is_wrong = False  # the line that begins the block
    indent = 0  # of the statements below the first; 0: there are none yet
    for number, line in enumerate(_lines(text), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        here = _indent(line)
        if block and 0 < indent < here:
            last = block[-1]
            more, numbers = (*last.more, line.rstrip()), (*last.numbers, number)
            block[-1] = replace(last, more=more, numbers=numbers)
            continue
        keyword, *rest = stripped.split(None, 1)
        column = line.index(stripped) + 1
        place = Location(shown_name(path), number, column, line, len(keyword))
        statement = Statement(keyword, "".join(rest), (), place)
        error = _keyword_error(statement, block, is_indented=here > 0)
        begins_block = here == 0 and not (block and keyword in (*SETUP, *CHECKS))
        if error is None and not begins_block and not is_wrong:
            error = _place_error(statement, block, is_less_indented=0 < here < indent)
        if error is not None:
            report(error)
        if begins_block:
            if block and not is_wrong:
                yield block
            block, is_wrong, indent = [statement], error is not None, 0
        else:
            is_wrong |= not block
            block.append(statement)
            indent = indent or here
    if block and not is_wrong:
        yield block


def _place_error(
    statement: Statement, block: list[Statement], *, is_less_indented: bool
) -> ForthVMError | None:
    """Return the error of an indented statement that cannot stand below a block."""
    if len(block) > 1 and block[0].keyword != "test":
        return None  # the first statement of the block has this error
    if not block or block[0].keyword != "test":
        message = f"`{statement.keyword}` must stand below a test"
        return error_at(statement, message, "for example: test A man captures")
    if is_less_indented:
        return error_at(statement, "the line is indented less than the statements above it")
    return None


def _keyword_error(
    statement: Statement, block: list[Statement], *, is_indented: bool
) -> ForthVMError | None:
    """Return the error of a keyword that is unknown, or wrongly indented."""
    keyword = statement.keyword
    inside, outside = (*SETUP, *CHECKS), FILE_KEYWORDS
    allowed, others = (inside, outside) if is_indented else (outside, inside)
    if keyword in allowed:
        return None
    if keyword in others:
        wrong = "must not be indented" if is_indented else "must be indented, below a test"
        return error_at(statement, f"`{keyword}` {wrong}")
    if block and is_indented and "board" in (block[-1].keyword, block[-1].text):
        advice = "the rows of a drawing are indented more than the line above them"
        return error_at(statement, f"unknown keyword `{keyword}`", advice)
    names = joined([f"`{name}`" for name in allowed])
    where = "of a test" if is_indented else "at the beginning of a line"
    advice = suggest(keyword, allowed) or f"the keywords {where} are {names}"
    return error_at(statement, f"unknown keyword `{keyword}`", advice)


def _program(path: Path, game: Statement | None, report: _Report) -> Path:
    """Return the script or rule file; the file with the tests if there is none."""
    if game is not None:
        program = path.parent / game.text
        if not program.is_file():
            report(error_at(game, f"there is no file {shown_name(program)}"))
        return program
    for suffix in (".4th", ".zrf"):
        if path.with_suffix(suffix).is_file():
            return path.with_suffix(suffix)
    hint = "begin the file with a line such as `game my-game.4th`"
    error = ScriptFileError(
        f"there is no game {path.stem}.4th or {path.stem}.zrf beside {shown_name(path)}",
        path=str(path),
        hints=(hint,) if path.suffix == ".test" else (),
    )
    report(error)
    return path


def _variant(statement: Statement | None, program: Path, report: _Report) -> str | None:
    if statement is None:
        return None
    if program.suffix.lower() not in (".zrf", ".test"):  # a missing game is an error already
        report(error_at(statement, "a script has no variants; rule files (.zrf) have"))
    return statement.text


def _case(
    path: Path, first: Statement, *rest: Statement, variant: str | None, report: _Report
) -> Case:
    if not rest:
        report(error_at(first, "the test has no statements", "statements are indented below it"))
    return Case(path, first.location.line, first.text, "position", rest, variant)


def _seed(statement: Statement | None, report: _Report) -> int:
    if statement is None:
        return 0
    if not _is_count(statement.text) or len(statement.text) > MAX_SEED_DIGITS:
        report(error_at(statement, f"a seed is a number of at most {MAX_SEED_DIGITS} digits"))
        return 0
    return int(statement.text)
