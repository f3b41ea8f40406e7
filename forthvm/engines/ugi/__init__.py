"""UGI: other programs as engines of forthvm, and forthvm as an engine of other programs.

UGI (the Universal Game Interface by kz04px) is a protocol of text lines over pipes; it generalizes
UCI, the protocol of chess engines, to any game.  docs/reference/ugi.md defines the supported subset
and the notation of moves and positions.  `engine.py` implements the side of the host, which runs an
engine; `server.py` implements the side of the engine.
"""

from __future__ import annotations

from forthvm.engines.ugi.engine import UgiEngine
from forthvm.engines.ugi.errors import ProgramError
from forthvm.engines.ugi.messages import ProgramOption

__all__ = ["ProgramError", "ProgramOption", "UgiEngine"]
