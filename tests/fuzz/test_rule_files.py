"""Fuzz tests of damaged rule files.

A damaged file is read, or ends with an error of forthvm that has a place; no other exception
escapes, and nothing hangs.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from forthvm.core.failure import ForthVMError
from forthvm.zrf.reading.text import RuleText
from forthvm.zrf.rule_file import RuleFile, read_rule_file
from forthvm.zrf.source import RuleFileError
from tests.fuzz.harness import number_from_environment, seed, time_limit
from tests.kit.cases import each_case

CASES = number_from_environment("FORTHVM_FUZZ_RULE_FILES", 150)
GAMES = sorted((Path(__file__).parent.parent / "zrf" / "games").glob("*.zrf"))
_TOKEN = re.compile(r'"[^"]*"|;[^\n]*|[()]|[^\s()";]+|\s+')
_LIST = re.compile(r"\([^()]*\)")
STRANGE = (
    "(",
    ")",
    '"',
    "$1",
    "$0",
    "$10",
    "$99999999999999999999",
    "x$1y$2",
    "()",
    "(())",
    '""',
    '"$1"',
    "-",
    "99999999999999999999",
    "-1",
    "0",
    "else",
    "not-",
    "not-not-empty?",
    "opposite",
    "(opposite)",
    "define",
    "(define)",
    "(define a (a))",
    "include",
    '(include "x")',
    "game",
    "(game)",
    "variant",
    "(variant)",
    "repeat",
    "off",
    "true",
    "\0",
    "\x1a",
    "\x1b[2J\u202e",
    "\ud7ff",
    "é",
    "x" * 5000,
    "(" * 200,
    "(add)" * 50,
)


def damaged(text: str, random: Random) -> str:
    """Return the text with tokens and lists removed, repeated, moved or replaced."""
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        edit = random.choice((_edit_token, _edit_token, _edit_token, _edit_list, _cut))
        text = edit(text, random)
    return text


def _edit_token(text: str, random: Random) -> str:
    tokens = _TOKEN.findall(text)
    if not tokens:
        return text
    here, there = random.randrange(len(tokens)), random.randrange(len(tokens))
    kind = random.randrange(5)
    if kind == 0:
        del tokens[here]
    elif kind == 1:
        tokens.insert(here, tokens[there])
    elif kind == 2:
        tokens[here], tokens[there] = tokens[there], tokens[here]
    elif kind == 3:
        tokens[here] = random.choice(STRANGE)
    else:
        tokens[here] = tokens[there]
    return "".join(tokens)


def _edit_list(text: str, random: Random) -> str:
    lists = list(_LIST.finditer(text))
    if not lists:
        return text
    here, there = random.choice(lists), random.choice(lists)
    new = random.choice(("", there[0], here[0] * 2, f"({here[0]})", here[0][1:-1]))
    return text[: here.start()] + new + text[here.end() :]


def _cut(text: str, random: Random) -> str:
    start = random.randrange(len(text) + 1)
    return random.choice((text[:start], text[start:], text[:start] + text[start + 1 :]))


def read_all(file: RuleFile) -> None:
    """Read all games and variants of a file; errors must have a place."""
    for index, title in enumerate(file.titles):
        try:
            rules = file.rules(index)
        except RuleFileError as error:
            check(error)
            continue
        assert rules.title == title
        assert rules.turns
        assert all(str(warning) for warning in rules.warnings)


def check(error: ForthVMError) -> None:
    assert error.short_message()
    assert error.location.line >= 1
    assert error.report()


@pytest.mark.slow
@each_case("case", range(CASES))
def test_a_damaged_file_is_read_or_reported(case: int) -> None:
    random = Random(f"{seed()} {case}")
    path = random.choice(GAMES)
    text = damaged(path.read_text(), random)
    with time_limit():
        try:
            file = RuleFile(RuleText(text, path.name, path), [])
        except RuleFileError as error:
            check(error)
        else:
            read_all(file)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", range(CASES // 5))
def test_damaged_bytes_are_read_or_reported(case: int, tmp_path: Path) -> None:
    random = Random(f"{seed()} bytes {case}")
    data = bytearray(random.choice(GAMES).read_bytes())
    for _ in range(random.choice((1, 2, 20))):
        data[random.randrange(len(data))] = random.choice((0, 10, 26, 34, 40, 41, 59, 128, 255))
    path = tmp_path / "game.zrf"
    path.write_bytes(bytes(data))
    with time_limit():
        try:
            file = read_rule_file(path)
        except RuleFileError as error:
            check(error)
        except ForthVMError:
            assert 0 in data
        else:
            read_all(file)
