"""Tests of words as a user types them in a command line."""

from __future__ import annotations

import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forthvm.system.command_line import join_words, quoted, split_words

WORDS = st.text(st.sampled_from("aя1 \\\"'./:-"), min_size=0, max_size=8)


@given(st.lists(WORDS))
def test_words_for_posix(words: list[str]) -> None:
    line = join_words(words, system="linux")
    assert line == shlex.join(words)
    assert split_words(line, system="linux") == words


@given(WORDS)
def test_words_for_windows_are_read_as_list2cmdline_documents(word: str) -> None:
    expected = subprocess.list2cmdline([word])
    # Where quotes are not needed, both forms are read in the same way.
    assert quoted(word, system="win32") in {expected, f'"{expected}"', _in_quotes(expected)}


def _in_quotes(plain: str) -> str:
    """Returns a word in quotes; backslashes at its end are doubled."""
    return f'"{plain}{plain[len(plain.rstrip(chr(92))) :]}"'


@pytest.mark.parametrize(
    "words",
    [
        [r"C:\Games\engine.exe", "--depth=3"],
        [r"C:\My Games\Шашки\engine.exe", "--name", "a b"],
        [r"\\server\games\engine.exe"],
    ],
)
def test_paths_of_windows(words: list[str]) -> None:
    assert split_words(join_words(words, system="win32"), system="win32") == words


def test_unclosed_quote() -> None:
    for system in ("linux", "win32"):
        with pytest.raises(ValueError, match="closing quotation"):
            split_words('engine "a', system=system)
