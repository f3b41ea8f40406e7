"""Connections that are no WebSockets: those of requests for pages, and those that ask for nothing.

Owns the limits of their time and number.

Such a connection needs no key, so strangers can open many and never finish a request.  They are
counted apart from the WebSockets, which need a key.  One connection more than the limit ends the
oldest one that has no request in work; so a browser, which sends its request at once, always gets
an answer.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HTTPConnection"]

MOST = 300
"""The greatest number of these connections."""
SECONDS_TO_ASK = 10.0
"""The time until the first request is complete, up to its last header."""
SECONDS = 60.0
"""The time until a connection ends, whatever it does; browsers open another one unnoticed."""


class HTTPConnection(H11Protocol):
    """A connection with limits; as a WebSocket it gets another protocol, without them."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to count and time a connection."""
        super().connection_made(transport)
        self._begun = self.loop.time()
        self._timers = (
            self.loop.call_later(SECONDS_TO_ASK, self._end_without_request),
            self.loop.call_later(SECONDS, self._end),
        )
        self._end_another()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        for timer in self._timers:
            timer.cancel()
        super().connection_lost(exc)

    def _end_another(self) -> None:
        """End the oldest connection if there are too many, rather one without a request in work."""
        open_ = [
            one
            for one in self.connections
            if isinstance(one, HTTPConnection) and not one.transport.is_closing()
        ]
        if len(open_) > MOST:
            open_.remove(self)
            min(open_, key=lambda one: (one._is_answering, one._begun))._end()

    @property
    def _has_asked(self) -> bool:
        return bool(self.cycle)  # None before the first request

    @property
    def _is_answering(self) -> bool:
        return self._has_asked and not self.cycle.response_complete

    def _end_without_request(self) -> None:
        if not self._has_asked:
            self._end()

    def _end(self) -> None:
        if self.transport.get_protocol() is self:  # it has not become a WebSocket
            self.transport.abort()
