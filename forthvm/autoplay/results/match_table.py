"""The table `match` of a results file: its keys and the types of their values.

Owns the check of these types; `Settings.from_match` checks the values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from forthvm.core.reading import MAX_NUMBER, as_type, integer, parse_json, text

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["read_match"]

_TYPES: dict[str, Any] = {
    "schema": int,
    "forthvm": str,
    "begun_at": str,
    "game": str,
    "configurations": list[dict[str, object]],
    "entrants": list[dict[str, object]],
    "games": Annotated[int, integer(1, MAX_NUMBER)],
    "schedule": str,
    "seed": int,
    "options": dict[str, object],
    "openings": list[dict[str, object]],
    "seats": list[str],
    "digests": list[str],
    "sources": list[dict[str, str]],
}
"""The type of each value.  `digests` has the digest of each configuration's sources; `sources` has,
for each configuration, the digests of its files by path."""


def read_match(rows: Iterable[tuple[object, object]]) -> dict[str, object]:
    """Return the values by key, with checked types.  A value with an unknown key may have any type.

    Raises:
        ValueError: A value has the wrong type or is out of range.
    """
    entries: dict[str, object] = {}
    for key, document in rows:
        name = str(key)
        try:
            entries[name] = as_type(_TYPES.get(name, object))(parse_json(text()(document)))
        except ValueError as error:
            raise ValueError(f"match, {name!a}: {error}") from error
    if entries.get("seats") == []:
        raise ValueError("match, 'seats': expected at least one seat")
    return entries
