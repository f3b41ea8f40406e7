"""Every word of the glossary is exercised: here, or where covered-elsewhere.txt says.

Owns the comparison of the glossary's tables with the tokens of our files.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.forth.tline import words_of

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
ROW = re.compile(r"^\|(?P<names>[^|]*`[^|]*)\|")
NAME = re.compile(r"`([^` ]+)`")


def glossary_words(text: str) -> set[str]:
    """Names in the tables: first column, and the name columns of the constants."""
    words: set[str] = set()
    section = 0
    for row in text.splitlines():
        if heading := re.match(r"## (\d+) ", row):
            section = int(heading[1])
        if section == 25:  # names outside the contract
            break
        if not row.startswith("|"):
            continue
        columns = row.strip("|").split("|")
        chosen = [columns[0]]
        if section == 23 and len(columns) > 3:
            chosen.append(columns[3])
        for column in chosen:
            words.update(NAME.findall(column))
    return words


def here_words() -> set[str]:
    """Tokens of all files in this folder."""
    words: set[str] = set()
    for path in sorted(HERE.rglob("*.4th")):
        words |= words_of(path.read_text(encoding="latin-1"))
    return words


def elsewhere() -> dict[str, str]:
    """Word to the file (relative to tests/) that exercises it."""
    found: dict[str, str] = {}
    for row in (HERE / "covered-elsewhere.txt").read_text(encoding="utf-8").splitlines():
        if row and not row.startswith("#"):
            word, where = row.split()
            found[word] = where
    return found


def test_every_word_is_exercised(shared: Path) -> None:
    words = glossary_words((shared / "glossary.md").read_text(encoding="utf-8"))
    assert len(words) > 400  # the tables were read
    missing = words - here_words() - set(elsewhere())
    assert not missing, sorted(missing)


def test_the_list_of_exceptions_is_true() -> None:
    for word, where in elsewhere().items():
        tokens = (TESTS / where).read_text(encoding="latin-1")
        assert word in tokens.split(), f"{word} is not in {where}"
        assert word not in here_words(), f"{word} is exercised here: drop the exception"


def test_reading_the_tables_can_fail() -> None:
    table = "## 1 x\n| `A` `B` | ( -- ) | `C` |\n## 23 y\n| `D` | 1 | · | `E` | 2 |\n"
    assert glossary_words(table) == {"A", "B", "D", "E"}
