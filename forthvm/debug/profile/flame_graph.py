"""A profile in the formats of flame graph viewers.

Owns two file formats: the format of speedscope (https://www.speedscope.app), and folded stacks,
which flamegraph.pl and many other programs read.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible_json

if TYPE_CHECKING:
    from forthvm.core.location import Location

    from .measure import Profile

__all__ = ["folded", "speedscope"]

_SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def speedscope(profile: Profile) -> str:
    """Return a document of speedscope with one sample for each chain of calls, weighted in seconds.

    The samples are sorted by their words.  Therefore the time-order view shows chains with common
    callers next to each other.
    """
    frames: dict[tuple[str, Location | None], int] = {}
    samples = []
    weights = []
    total = sum(chain.tokens for chain in profile.chains)
    for chain in sorted(profile.chains, key=lambda chain: chain.words):
        keys = zip(chain.words, chain.locations, strict=True)
        samples.append([frames.setdefault(key, len(frames)) for key in keys])
        weights.append(profile.seconds * chain.tokens / total)
    document = {
        "$schema": _SCHEMA,
        "exporter": "forthvm",
        "name": profile.title,
        "activeProfileIndex": 0,
        "shared": {"frames": [_frame(word, location) for word, location in frames]},
        "profiles": [
            {
                "type": "sampled",
                "name": profile.title,
                "unit": "seconds",
                "startValue": 0,
                "endValue": sum(weights),
                "samples": samples,
                "weights": weights,
            }
        ],
    }
    return visible_json(json.dumps(document, ensure_ascii=False))


def _frame(word: str, location: Location | None) -> dict[str, object]:
    frame: dict[str, object] = {"name": word}
    if location is not None:
        frame |= {"file": location.file, "line": location.line, "col": location.column}
    return frame


def folded(profile: Profile) -> str:
    """Return a line for each chain of calls: words separated by semicolons, a blank, tokens."""
    return "".join(
        f"{';'.join(word.replace(';', ',') for word in chain.words)} {chain.tokens}\n"
        for chain in sorted(profile.chains, key=lambda chain: chain.words)
    )
