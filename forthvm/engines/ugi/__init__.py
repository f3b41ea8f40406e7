"""UGI and UCI: other programs as engines, and forthvm as an engine of other programs.

UGI (the Universal Game Interface by kz04px) is a protocol of text lines over pipes; it generalizes
UCI, the protocol of chess engines, to any game.  docs/reference/ugi.md defines the supported subset
of UGI and the notation of moves and positions; docs/reference/uci.md describes UCI.  `engine.py`
implements the side of the host, which runs an engine; `server.py` implements the side of the
engine; `dialect.py` has the differences of the protocols.
"""

from __future__ import annotations

from forthvm.engines.ugi.engine import UciEngine, UgiEngine
from forthvm.engines.ugi.errors import ProgramError
from forthvm.engines.ugi.messages import ProgramOption

__all__ = ["ProgramError", "ProgramOption", "UciEngine", "UgiEngine"]
