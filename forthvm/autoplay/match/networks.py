"""The networks of a match: a match that continues uses those with which it began.

Owns which files of networks the engines may use, and their digests.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.autoplay.match.settings import MatchError
from forthvm.autoplay.untrusted_text import visible
from forthvm.core.loading.source import file_digest
from forthvm.engines.network import MAX_BYTES, network_file
from forthvm.engines.registry import split_engine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.autoplay.match.settings import Settings
    from forthvm.game import Game

__all__ = ["network_digests", "refuse_changed_networks"]


def network_digests(settings: Settings, games: Sequence[Game]) -> dict[str, str]:
    """Return the digests of networks by path: those that entrants name, and those beside games.

    Files that engines cannot read as networks have no digest.
    """
    options = [split_engine(entrant.spec)[1] for entrant in settings.entrants if entrant.spec]
    named = [Path(each["net"]) for each in options if "net" in each]
    paths = [path.absolute() for path in (*named, *map(network_file, games))]
    found = {str(path): _digest(path) for path in dict.fromkeys(paths)}
    return {path: digest for path, digest in found.items() if digest}


def _digest(path: Path) -> str:
    try:
        is_network = path.is_file() and path.stat().st_size <= MAX_BYTES
        return file_digest(path) if is_network else ""
    except OSError:
        return ""


def refuse_changed_networks(known: object, present: dict[str, str]) -> None:
    """Check that the networks are those with which a match began.

    Args:
        known: The digests in the results file; files of earlier versions have none.
        present: The digests of the networks now.

    Raises:
        MatchError: A network is another one, or is missing.
    """
    if not isinstance(known, dict):
        return
    for path in {**known, **present}:
        if known.get(path) != present.get(path):
            raise MatchError(
                f"the network {visible(path)} is not what it was when this match began: it has"
                " changed, or is new or missing"
            )
