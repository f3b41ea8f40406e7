"""Searches that generate lists of moves in another way than usual."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from forthvm.core.bindings.games import NativeVM
from forthvm.core.records import ListMode, Option
from forthvm.game import Position


@contextmanager
def list_mode(position: Position, mode: ListMode) -> Iterator[NativeVM]:
    """Enter a position whose searches generate lists in that mode."""
    with position._in_memory() as native:
        native.set_option(Option.LISTS, mode)
        try:
            yield native
        finally:
            native.set_option(Option.LISTS, ListMode.PROMISED)
