"""Which requests are answered, and the files of the page.

Owns the checks of host names and origins, the headers of every answer, and the folder of the page.

The check of host names prevents DNS rebinding: a stranger's page whose host name leads to this
computer.  For the browser, requests of that page to this server have the same origin as the page,
but they contain a host name that is not one of the server's.
"""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse, Response

from forthvm.web.modules import PAGE, join_modules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starlette.requests import HTTPConnection, Request

__all__ = ["LOOPBACK_NAMES", "Access", "key_of"]

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
"""The names under which programs of the same computer reach a server."""

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class Access:
    """Decides which requests are answered, and serves the page."""

    def __init__(
        self,
        is_key: Callable[[str], bool],
        names: Iterable[str] = LOOPBACK_NAMES,
        advice: str = "",
    ) -> None:
        """Prepare the checks.

        Args:
            is_key: Whether a text is one of the keys that an address may contain.
            names: The names under which browsers may address the server, besides the address at
                which a request arrives.
            advice: A text for people who open an address without a valid key.
        """
        self._is_key = is_key
        self._names = frozenset(name.casefold() for name in names)
        self._advice = advice

    def refusal(self, request: Request) -> Response | None:
        """Return the answer to a request that is refused; None if the request is allowed."""
        if not self._is_allowed_host(request):
            return PlainTextResponse("Unknown host.", 421)
        if not self._is_key(key_of(request)):
            text = f"This link is not valid, or not valid any more.\n{self._advice}"
            return PlainTextResponse(text, 403)
        return None

    def admits_socket(self, socket: HTTPConnection) -> bool:
        """Whether a WebSocket comes from the server's own page and has a key."""
        _, _, origin = socket.headers.get("origin", "").partition("://")
        is_own_page = origin == socket.headers.get("host", "")
        return is_own_page and self._is_allowed_host(socket) and self._is_key(key_of(socket))

    async def file(self, request: Request) -> Response:
        """Answer a request for a file of the page, which contains nothing secret."""
        if not self._is_allowed_host(request):
            return PlainTextResponse("Unknown host.", 421)
        return self.page_file(request.path_params["name"], request)

    def page_file(self, name: str, request: Request) -> Response:
        """Return a file of the page, by its path below the page's folder."""
        if name not in _files():  # no other file can be named
            return PlainTextResponse("There is no such page.", 404)
        plain, packed = _contents(name)
        headers = _HEADERS | {"content-type": _TYPES[Path(name).suffix], "vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(plain, headers=headers)
        return Response(packed, headers=headers | {"content-encoding": "gzip"})

    def _is_allowed_host(self, request: HTTPConnection) -> bool:
        try:
            host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        except ValueError:  # an unfinished IPv6 address
            return False
        address, _ = request.scope.get("server") or ("", None)
        return host in self._names or host == address.casefold()


@cache
def _files() -> dict[str, Path]:
    return {path.relative_to(PAGE).as_posix(): path for path in PAGE.rglob("*") if path.is_file()}


@cache
def _contents(name: str) -> tuple[bytes, bytes]:
    """Return a file of the page as it is, and compressed for slow networks.

    A module contains those that it imports: one answer instead of one after another.
    """
    path = _files()[name]
    text = join_modules(path) if path.suffix == ".js" else path.read_text(encoding="utf-8")
    return text.encode(), gzip.compress(text.encode())


def key_of(request: HTTPConnection) -> str:
    """Return the key in the address of a request; "" without one."""
    return request.query_params.get("key", "")
