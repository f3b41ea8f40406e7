"""CECP, the Chess Engine Communication Protocol of XBoard, version 2.

docs/reference/protocols.md lists the supported commands.  `engine.py` implements the side of the
host, which runs an engine; `server.py` implements the side of the engine; `messages.py` has the
grammar of lines.
"""
