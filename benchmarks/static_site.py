"""A web server for a folder of static files, on this computer only.

Benchmarks and tests of pages in browsers use it.
"""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path


class StaticFiles(http.server.SimpleHTTPRequestHandler):
    """Serves files without writing to the terminal; a page may be without an icon."""

    def do_GET(self) -> None:
        """Answer a request."""
        if self.path == "/favicon.ico":
            self.send_response(HTTPStatus.NO_CONTENT)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing."""


@contextmanager
def static_site(folder: Path) -> Iterator[str]:
    """Serve the files of a folder in a thread; yield the address."""
    handler = functools.partial(StaticFiles, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
