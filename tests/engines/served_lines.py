"""Runs a server of a protocol in this process."""

from __future__ import annotations

from collections.abc import Callable

from forthvm.engines.protocols.server import Server

__all__ = ["replies_of", "replies_to_all_at_once"]


def replies_of(server_of: Callable[[Callable[[str], None]], Server], *lines: str) -> list[str]:
    """Send lines to a server, wait for the end of each search, and return what the server wrote.

    Args:
        server_of: Creates the server with a function that takes its lines.
        lines: The lines.
    """
    replies: list[str] = []
    server = server_of(replies.append)
    for line in lines:
        server._receive(line)
        while server._search is not None:
            server._step()
    server._end()
    return replies


def replies_to_all_at_once(
    server_of: Callable[[Callable[[str], None]], Server], *lines: str
) -> list[str]:
    """Return what a server writes if it receives all lines before it puts a search away.

    Args:
        server_of: Creates the server with a function that takes its lines.
        lines: The lines.  They must end each search.
    """
    replies: list[str] = []
    server = server_of(replies.append)
    for line in lines:
        server._receive(line)
    while (search := server._search) is not None:
        assert search.stop_requested.is_set(), f"a search goes on after {replies}"
        server._step()
    server._end()
    return replies
