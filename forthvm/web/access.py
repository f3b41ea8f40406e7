"""Who may connect, and the files of the page.

Owns the checks of host names, origins and keys, the headers of every answer, and the folder of the
page.  It must not know tables or games.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse, Response

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request

__all__ = ["Access"]

_PAGE = Path(__file__).parent / "page"
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
    """Decides which requests are answered, and serves the page.

    Attributes:
        secret: The key that an address must contain.
    """

    def __init__(self, hosts: tuple[str, ...] = ("127.0.0.1", "localhost")) -> None:
        """Make a new key.

        Args:
            hosts: The names under which browsers may address the server.
        """
        self.secret = secrets.token_urlsafe(16)
        self._hosts = frozenset(hosts)

    def refusal(self, request: Request) -> Response | None:
        """Return the answer to a request that may not see the page; None if it may."""
        if not self._is_allowed_host(request):
            return PlainTextResponse("Unknown host.", 421)
        if not self._knows_secret(request):
            return PlainTextResponse("This link lacks the key that the server printed.", 403)
        return None

    def admits_socket(self, socket: HTTPConnection) -> bool:
        """Whether a WebSocket comes from the server's own page and knows the key."""
        origin = urlsplit(socket.headers.get("origin", ""))
        same = origin.netloc == socket.headers.get("host", "")
        return same and self._is_allowed_host(socket) and self._knows_secret(socket)

    async def file(self, request: Request) -> Response:
        """Answer a request for a file of the page, which contains nothing secret."""
        if not self._is_allowed_host(request):
            return PlainTextResponse("Unknown host.", 421)
        return self.page_file(request.path_params["name"])

    def page_file(self, name: str) -> Response:
        """Return a file of the page, by its path below the page's folder."""
        files = {
            path.relative_to(_PAGE).as_posix(): path for path in _PAGE.rglob("*") if path.is_file()
        }  # no other file can be named
        if name not in files:
            return PlainTextResponse("There is no such page.", 404)
        path = files[name]
        return Response(path.read_bytes(), headers=_HEADERS | {"content-type": _TYPES[path.suffix]})

    def _is_allowed_host(self, request: HTTPConnection) -> bool:
        return urlsplit(f"//{request.headers.get('host', '')}").hostname in self._hosts

    def _knows_secret(self, request: HTTPConnection) -> bool:
        key = request.query_params.get("key", "")
        return secrets.compare_digest(key.encode(), self.secret.encode())
