"""UGI: engines that are other programs, and our engines as a program for other hosts.

UGI (the Universal Game Interface by kz04px) generalizes UCI to any game: lines of text over pipes.
docs/reference/ugi.md defines the supported subset and the notation of moves and positions.
`engine.py` implements the host and `server.py` the engine; both use the notation in `moves.py` and
`positions.py`.
"""

from __future__ import annotations

from forthvm.engines.ugi.engine import UgiEngine
from forthvm.engines.ugi.errors import ProgramError
from forthvm.engines.ugi.messages import ProgramOption

__all__ = ["ProgramError", "ProgramOption", "UgiEngine"]
