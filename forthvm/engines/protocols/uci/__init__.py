"""UCI, the protocol of chess engines, its relatives, and UGI, which generalizes it to any game.

UGI (the Universal Game Interface by kz04px) is a protocol of text lines over pipes.
docs/reference/ugi.md defines the supported subset of UGI and the notation of moves and positions;
docs/reference/protocols.md describes UCI and its relatives.  `engine.py` implements the side of the
host, which runs an engine; `server.py` implements the side of the engine; `dialect.py` has the
differences of the protocols.
"""
