"""Protocols between programs: others as engines, and forthvm as an engine of others.

The modules of this package are what several protocols share: client.py and process.py run programs,
server.py serves one, words.py and coordinates.py write moves.  Each package speaks one family of
protocols, as client and as server: uci/ UCI, its relatives for other games, and its generalization
UGI; xboard/ CECP, the protocol of XBoard; gtp/ GTP for Go.
"""

from __future__ import annotations

from forthvm.engines.protocols.errors import ProgramError
from forthvm.engines.protocols.gtp.engine import GtpEngine
from forthvm.engines.protocols.program_options import ProgramOption
from forthvm.engines.protocols.uci.engine import UcciEngine, UciEngine, UgiEngine, UsiEngine
from forthvm.engines.protocols.xboard.engine import XboardEngine

__all__ = [
    "GtpEngine",
    "ProgramError",
    "ProgramOption",
    "UcciEngine",
    "UciEngine",
    "UgiEngine",
    "UsiEngine",
    "XboardEngine",
]
