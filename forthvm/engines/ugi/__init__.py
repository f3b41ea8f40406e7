"""Engines that are other programs, over UGI, and ours as such a program.

UGI (the Universal Game Interface by kz04px) is UCI for any game: lines of text over pipes.
docs/reference/ugi.md says which of it is spoken here, and how moves and positions are written.
`engine.py` is the side that asks, `server.py` the side that answers; what both must agree on
is in `moves.py` and `positions.py`.
"""

from __future__ import annotations

from forthvm.engines.ugi.engine import UgiEngine
from forthvm.engines.ugi.errors import ProgramError
from forthvm.engines.ugi.messages import ProgramOption

__all__ = ["ProgramError", "ProgramOption", "UgiEngine"]
