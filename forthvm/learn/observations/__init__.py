"""Observations: positions as planes of numbers, as a player sees them.

    import forthvm

    game = forthvm.load("breakthrough")
    observer = forthvm.observer(game)
    planes = observer.observe(game.start())

This file owns the public names.  The files below it own the spec (spec.py), the squares of planes
(places.py, symmetry.py), ranges of numbers (ranges.py), planes and their tables (planes.py), and
information states (information.py).
"""

from __future__ import annotations

from .observer import Observer, observer
from .spec import ObservationSpec, Plane

__all__ = ["ObservationSpec", "Observer", "Plane", "observer"]
