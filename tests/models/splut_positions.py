"""The four positions in section 14 of the rules page of Splut!."""

from __future__ import annotations

__all__ = ["FIRST", "FOURTH", "SECOND", "THIRD"]

FIRST = {
    "d5": "South troll",
    "b4": "South dwarf",
    "c3": "South wizard",
    "e5": "sstone",
    "e3": "wstone",
    "g5": "North dwarf",
    "e7": "North troll",
    "h5": "West wizard",
}

SECOND = {
    "e5": "South troll",
    "a5": "South wizard",
    "f5": "sstone",
    "i5": "North dwarf",
    "e9": "North wizard",
}

THIRD = {
    "c5": "South dwarf",
    "e1": "South wizard",
    "d5": "North troll",
    "c6": "North dwarf",
    "e5": "sstone",
    "c7": "wstone",
    "f5": "West wizard",
}

FOURTH = {
    "e5": "South wizard",
    "e6": "sstone",
    "e4": "wstone",
    "c5": "nstone",
    "i5": "estone",
    "e9": "North wizard",
}
