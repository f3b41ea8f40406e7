"""Tests that each word of the glossary is used here or in a file that covered-elsewhere.txt names.

Owns the comparison of the glossary's tables with the tokens of the test files.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.forth.tline import words_of

FOLDER = Path(__file__).resolve().parent
TESTS = FOLDER.parent
ROW = re.compile(r"^\|(?P<names>[^|]*`[^|]*)\|")
NAME = re.compile(r"`([^` ]+)`")
CONSTANTS_SECTION = 23  # its tables have two constants per row
INTERNAL_NAMES_SECTION = 25  # names that scripts do not use


def glossary_words(text: str) -> set[str]:
    """Return the names in the tables: the first column, and the name columns of constants."""
    words: set[str] = set()
    section = 0
    for row in text.splitlines():
        if heading := re.match(r"## (\d+) ", row):
            section = int(heading[1])
        if section == INTERNAL_NAMES_SECTION:
            break
        if not row.startswith("|"):
            continue
        columns = row.strip("|").split("|")
        chosen = [columns[0]]
        if section == CONSTANTS_SECTION and len(columns) > 3:
            chosen.append(columns[3])
        for column in chosen:
            words.update(NAME.findall(column))
    return words


def used_words() -> set[str]:
    """Return the tokens of all .4th files in this folder."""
    words: set[str] = set()
    for path in sorted(FOLDER.rglob("*.4th")):
        words |= words_of(path.read_text(encoding="latin-1"))
    return words


def words_used_elsewhere() -> dict[str, str]:
    """Return the words of covered-elsewhere.txt with their files, relative to tests/."""
    found: dict[str, str] = {}
    for row in (FOLDER / "covered-elsewhere.txt").read_text(encoding="utf-8").splitlines():
        if row and not row.startswith("#"):
            word, where = row.split()
            found[word] = where
    return found


def test_each_word_is_used(shared: Path) -> None:
    words = glossary_words((shared / "glossary.md").read_text(encoding="utf-8"))
    assert len(words) > 400  # the tables were read
    missing = words - used_words() - set(words_used_elsewhere())
    assert not missing, sorted(missing)


def test_list_of_exceptions_is_correct() -> None:
    for word, where in words_used_elsewhere().items():
        tokens = (TESTS / where).read_text(encoding="latin-1")
        assert word in tokens.split(), f"{word} is not in {where}"
        assert word not in used_words(), f"{word} is used here: remove the exception"


def test_glossary_words_reads_both_name_columns() -> None:
    table = "## 1 x\n| `A` `B` | ( -- ) | `C` |\n## 23 y\n| `D` | 1 | · | `E` | 2 |\n"
    assert glossary_words(table) == {"A", "B", "D", "E"}
