"""The choice of symbols for the pieces of a game, from the names of its types and players.

Owns the rules of this choice.  Two types of a game never share a symbol: the one whose name fits
better gets it, the others get it with dots (`KEY+1`, `KEY+2`).
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from forthvm.render.symbols.library import MOST_DOTS, key_of_name
from forthvm.render.symbols.numbers import is_number_piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["choose_decorations", "choose_symbols"]

_MANY = 5
"""The number of types with names such as R16 or 4-seeds from which on they are numbers."""

_SHOGI_KINDS = {
    "king": ("king", False),
    "rook": ("rook", False),
    "bishop": ("bishop", False),
    "knight": ("knight", False),
    "pawn": ("pawn", False),
    "gold": ("gold", False),
    "gold general": ("gold", False),
    "silver": ("silver", False),
    "silver general": ("silver", False),
    "lance": ("lance", False),
    "fallen": ("fallen", False),
    "dragon": ("rook", True),
    "dragon king": ("rook", True),
    "horse": ("bishop", True),
    "dragon horse": ("bishop", True),
    "tokin": ("pawn", True),
}
_SHOGI_ONLY = {"gold", "gold general", "silver", "silver general", "lance", "tokin"}
_PROMOTED = re.compile(r"(?:\+|promoted[ -]|prom[ -])(.*)")
_ORIENTED = re.compile(r"([nesw])-(.*)")
_SEATS = {"south": "north", "west": "east", "north": "south", "east": "west"}
"""The direction in which the pieces of the player with a name go."""
_SEATS_BY_LETTER = {name[0]: facing for name, facing in _SEATS.items()}
_SEATS_IN_ORDER = {2: ("north", "south"), 4: ("north", "east", "south", "west")}

_UR = {
    "plain": "emblems/quincunx",
    "promoted": "emblems/rosette",
    "right": "fixtures/again",
    "cup": "fixtures/cup",
}
_UR_ROSETTES = ("i2", "i4", "l3", "o2", "o4")
_UR_DICE = re.compile(r"(white|black)[1-4]")

_SPLUT_STONES = {"sstone": "south", "wstone": "west", "nstone": "north", "estone": "east"}

# Latin and Cyrillic letters.
_CROSSES = {"x", "\u0445", "cross", "crosses", "крестик", "крестики"}
_NOUGHTS = {"o", "\u043e", "nought", "noughts", "нолик", "нолики"}

_KING = "chess/king"
_CROWN = "emblems/crown"


def choose_symbols(types: Sequence[str], players: Sequence[str]) -> dict[tuple[str, str], str]:
    """Return the keys of symbols by type and player; other pieces have no symbol.

    Args:
        types: All types of pieces of a game.
        players: All its players, in order; neutral ones, too.
    """
    names = {name: name.casefold() for name in types}
    if sum(map(is_number_piece, types)) >= _MANY:
        numbers = {name: f"number/{name}" for name in types if is_number_piece(name)}
        return _for_all(players, _by_name(names, players) | numbers)
    if len(_SHOGI_ONLY.intersection(names.values())) > 1:
        return _shogi(names, players)
    if _is_ur(types):
        return _for_all(players, _ur(names))
    if set(_SPLUT_STONES) <= set(names.values()):
        stones = {name: f"stone/{_SPLUT_STONES[name]}" for name in types if name in _SPLUT_STONES}
        return _for_all(players, _by_name(names, players) | stones)
    if len(types) == 1 and len(players) > 1:
        marks = dict(_crosses_and_noughts(players))
        if marks:
            return {(types[0], player): key for player, key in marks.items()}
    return _for_all(players, _by_name(names, players))


def choose_decorations(types: Sequence[str]) -> dict[str, str]:
    """Return the keys of drawings that mark squares with a special rule, by square."""
    return dict.fromkeys(_UR_ROSETTES, "emblems/rosette") if _is_ur(types) else {}


def _is_ur(types: Sequence[str]) -> bool:
    return {"plain", "promoted"} <= {name.casefold() for name in types}


def _for_all(players: Iterable[str], keys: Mapping[str, str]) -> dict[tuple[str, str], str]:
    return {(name, player): key for player in players for name, key in keys.items()}


# --- games with symbols of their own ------------------------------------------------------


def _shogi(names: Mapping[str, str], players: Sequence[str]) -> dict[tuple[str, str], str]:
    seats = dict(_seats(players))
    return {
        (name, player): f"shogi/{kind}/{facing or seats[player]}/{seats[player]}"
        for (name, lower), player in product(names.items(), seats)
        for kind, facing in _shogi_kinds(lower)
    }


def _shogi_kinds(name: str) -> Iterator[tuple[str, str]]:
    """Yield the piece, with `+` if it is promoted, and the direction that its name states."""
    oriented = _ORIENTED.fullmatch(name)
    facing = _SEATS_BY_LETTER[oriented[1]] if oriented else ""
    name = oriented[2] if oriented else name
    found = _SHOGI_KINDS.get(name)
    prefixed = _PROMOTED.fullmatch(name)
    if not found and prefixed:
        kind, promoted = _SHOGI_KINDS.get(prefixed[1], ("", True))
        found = (kind, True) if kind and not promoted else None
    if found:
        kind, promoted = found
        yield ("+" if promoted else "") + kind, facing


def _seats(players: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each player with the direction in which its pieces go."""
    if any(player.casefold() in _SEATS for player in players):
        for player in players:
            yield player, _SEATS.get(player.casefold(), "north")
        return
    directions = _SEATS_IN_ORDER.get(len(players), ("north", "south"))
    for at, player in enumerate(players):
        yield player, directions[at % len(directions)]


def _ur(names: Mapping[str, str]) -> dict[str, str]:
    dice = {"white": "fixtures/die-marked", "black": "fixtures/die-plain"}
    keys = {name: _UR[lower] for name, lower in names.items() if lower in _UR}
    matches = {name: _UR_DICE.fullmatch(lower) for name, lower in names.items()}
    return keys | {name: dice[match[1]] for name, match in matches.items() if match}


def _crosses_and_noughts(players: Iterable[str]) -> Iterator[tuple[str, str]]:
    for player in players:
        if player.casefold() in _CROSSES:
            yield player, "shapes/cross"
        elif player.casefold() in _NOUGHTS:
            yield player, "shapes/nought"


# --- other games --------------------------------------------------------------------------


def _by_name(names: Mapping[str, str], players: Sequence[str]) -> dict[str, str]:
    """Return the symbols of types; types whose exact names fit choose first."""
    keys: dict[str, str] = {}
    taken: Counter[tuple[str, str]] = Counter()
    for forms in zip(*(_forms(lower, players) for lower in names.values()), strict=True):
        for name, (form, owner) in zip(names, forms, strict=True):
            key = key_of_name(form)
            if key and name not in keys and taken[key, owner] <= MOST_DOTS:
                dots = taken[key, owner]
                keys[name] = f"{key}+{dots}" if dots else key
                taken[key, owner] += 1
    if _is_chess(keys.values()):
        return keys
    return {name: key.replace(_KING, _CROWN) for name, key in keys.items()}


def _is_chess(keys: Iterable[str]) -> bool:
    return any(key.startswith("chess/") and not key.startswith(_KING) for key in keys)


def _forms(name: str, players: Sequence[str]) -> list[tuple[str, str]]:
    """Return forms of a name, the most exact first, with the player that its prefix names."""
    plain = re.sub(r"[\s_-]+", " ", name).strip()
    unnumbered = re.sub(r"\s*\d+$", "", plain)
    owner, rest = _without_owner(unnumbered, players)
    return [(name, ""), (plain, ""), (rest, owner), (rest.rpartition(" ")[2], owner)]


def _without_owner(name: str, players: Sequence[str]) -> tuple[str, str]:
    """Return the player whose name, or its first letter, begins the name of a type; the rest."""
    for player in map(str.casefold, players):
        rest = name.removeprefix(player).strip()
        if rest and rest != name:
            return player, rest
    for player in map(str.casefold, players):
        if name.startswith(player[:1]) and key_of_name(name[1:].strip()):
            return player, name[1:].strip()
    return "", name
