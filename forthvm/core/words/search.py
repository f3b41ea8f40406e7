"""Full-text search for words that match a query such as `mirror`.

Owns the table of synonyms and the ranking.  A word matches if a term of the query, or a synonym of
it, occurs in its name or description.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["BEST", "Described", "Found", "rank"]

BEST = 15
"""Number of results shown with their descriptions; of further results, only names are shown."""


class Described(Protocol):
    """A word with its description."""

    @property
    def name(self) -> str:
        """The word's name."""

    @property
    def text(self) -> str:
        """A sentence that describes the word."""


W = TypeVar("W", bound=Described)


class Found(NamedTuple, Generic[W]):
    """A search result: the word, its score, and a text with the terms that matched."""

    entry: W
    score: int
    why: str


# Stems of synonyms, a group on each line; a stem of up to three letters must match a whole term.
_TOPICS = [
    set(line.split())
    for line in """\
        mirror reflect symmetr flip
        opponent enem advers rival foe hostile anybody
        friend ally allies teammate partner
        random rand dice die chance shuffle seed
        captur take kill remov eat
        promot upgrad transform chang
        draw tie stalemate
        win won victor
        los loss defeat
        result outcome ending
        evaluat worth scor judge
        print show display output write
        pass skip
        mandatory compulsory forced obligat priorit
        jump hop leap
        square position
        empty vacant free unoccupied
        put place creat drop insert
        owner player side colour color
        setup initial
        repeat loop iterat cycle
        repetition threefold
        condition if branch choice
        duplicat copy dup
        discard delet
        swap exchang
        remainder modulo mod
        string text
        character char ascii
        memory store fetch
        chain partial multi continu
        engine search
        direction way diagonal orthogonal compass north south east west
        root sqrt
        time clock
        constant valu
        bracket section
        later defer forward
        neighbour neighbor adjacent
        undo unmake revert
        zobrist hash""".splitlines()
]

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ENDING = re.compile(r"(?:ation|ing|ies|ed|es|e|s|y)$")
_SHORT = 3  # maximum length of a stem that must match a whole word
# Scores of a match: the term begins an English word in the name, is elsewhere in the name, or
# begins an English word in the description.
_IN_NAME, _ELSEWHERE_IN_NAME, _IN_TEXT = 60, 30, 25
_SYNONYM_IN_NAME, _SYNONYM_IN_TEXT = 40, 10
_TERM = 300  # for each term of the query that matches
_EXACT = 100  # if the query is the name
_INTERNAL = -30  # for internal words of the library


def rank(query: str, words: Iterable[W]) -> list[Found[W]]:
    """Find the words that match a query, the best first.

    Words that match more terms come first.  A match in the name scores higher than one in the
    description, and a term of the query higher than a synonym.  Internal words of the library,
    which begin with $ or (, score lower.
    """
    terms = query.casefold().split()
    found = []
    for word in words:
        matches = [_match(term, word) for term in terms]
        score = sum(_TERM + score for score, _ in matches if score)
        if score:
            score += _EXACT if word.name.casefold() == query.casefold() else 0
            score += _INTERNAL if word.name[1:] and word.name[0] in "$(" else 0
            matched = dict.fromkeys(f"`{part}`" for _, part in matches if part)
            found.append(Found(word, score, f"found by {' and '.join(matched)}"))
    return sorted(found, key=lambda result: -result.score)


def _match(term: str, word: Described) -> tuple[int, str]:
    """Return the score of a word for a term, 0 without match, and the part that matched."""
    name, text = _parts(word.name), _parts(word.text)
    stems = {term, _stem(term)}
    score, matched = 0, ""
    if term in word.name.casefold():
        score, matched = _ELSEWHERE_IN_NAME, term
        score = _IN_NAME if _first(stems, name) else score
    elif part := _first(stems, name):
        score, matched = _IN_NAME, part
    elif part := _first(_synonyms(term), name):
        score, matched = _SYNONYM_IN_NAME, part
    if part := _first(stems, text):
        score, matched = score + _IN_TEXT, matched or part
    elif part := _first(_synonyms(term), text):
        score, matched = score + _SYNONYM_IN_TEXT, matched or part
    return score, matched


@cache
def _parts(text: str) -> tuple[str, ...]:
    """Return the English words in a name or sentence, in lower case."""
    return tuple(part.casefold() for part in _PART.findall(text))


def _stem(term: str) -> str:
    """Return a term without its ending, so that `captured` finds `captures`."""
    stem = _ENDING.sub("", term)
    return stem if len(stem) >= _SHORT else term


@cache
def _synonyms(term: str) -> frozenset[str]:
    """Return the stems of a term's synonyms."""
    stem = _stem(term)
    if len(stem) < _SHORT:
        return frozenset()
    topics = (
        topic
        for topic in _TOPICS
        if any(synonym.startswith(stem) or _begins(synonym, stem) for synonym in topic)
    )
    return frozenset(synonym for topic in topics for synonym in topic)


def _begins(stem: str, part: str) -> bool:
    """Return whether a word begins with a stem; short stems must equal the word."""
    return part == stem or (len(stem) > _SHORT and part.startswith(stem))


def _first(stems: Iterable[str], parts: Iterable[str]) -> str:
    """Return the first word that begins with one of the stems, "" if there is none."""
    return next((part for part in parts if any(_begins(stem, part) for stem in stems)), "")
