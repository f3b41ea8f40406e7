"""Serving a page to browsers, for commands that show pages.

Owns the port, the limits of the server, and its end by Ctrl-C.
"""

from __future__ import annotations

import errno
import logging
import os
import webbrowser
from contextlib import contextmanager, suppress
from threading import Timer
from typing import TYPE_CHECKING

from forthvm.cli.status import OK, UsageError
from forthvm.system.limits import allow_open_files

if TYPE_CHECKING:
    import argparse
    import socket
    from collections.abc import Iterator
    from types import FrameType

    from forthvm.web.library.server import LibraryServer
    from forthvm.web.report.server import ReportServer
    from forthvm.web.serving.page_server import PageServer

__all__ = ["LOOPBACK", "listen", "needed_packages", "run", "show_page"]

LOOPBACK = "127.0.0.1"
_MAX_MESSAGE = 4 << 20
_SECONDS_FOR_REQUESTS = 1
"""The time after Ctrl-C until requests are cancelled."""
_SECONDS_TO_END = 1.3
"""The time after Ctrl-C until the process ends, even if a thread of it goes on computing."""
_OPEN_FILES = 4096
"""More than the connections that the server allows: some systems allow a process 256."""


@contextmanager
def needed_packages() -> Iterator[None]:
    """Raises UsageError if a package that is imported in the block is not installed."""
    try:
        yield
    except ImportError as error:
        raise UsageError("the page needs more packages: pip install 'forthvm[web]'") from error


def listen(host: str, port: int) -> socket.socket:
    """Returns the open port.

    Raises:
        UsageError: The port cannot be used, or the address is not one of this computer.
    """
    from forthvm.web.serving.addresses import open_port

    try:
        return open_port(host, port)
    except OSError as error:
        raise UsageError(_advice(host, port, error)) from error


def _advice(host: str, port: int, error: OSError) -> str:
    """Returns why a port cannot be opened, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is in use at {host}: end the program that uses it, or choose another port"
        )
    if error.errno == errno.EACCES:
        return f"port {port} needs special rights: choose one from 1024, or leave --port out"
    # The text of the error itself repeats the address in another form.
    number = error.errno or 0
    reason = os.strerror(number) if number in errno.errorcode else error.strerror
    return f"{host} is not an address of this computer: {reason}"


def show_page(server: LibraryServer | ReportServer, args: argparse.Namespace, name: str) -> None:
    """Opens the page of a server at this computer, and serves it until Ctrl-C."""
    listener = listen(LOOPBACK, args.port)
    address = f"http://{LOOPBACK}:{listener.getsockname()[1]}/?key={server.key}"
    print(f"The {name} is at {address}\nCtrl-C ends it.", flush=True)
    if not args.no_browser:
        webbrowser.open(address)
    run(server, listener)


def run(server: PageServer, listener: socket.socket) -> None:
    """Serves a page until Ctrl-C; then the process ends, whatever its threads are computing."""
    import uvicorn

    from forthvm.web.serving.http_connections import HTTPConnection

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            super().handle_exit(sig, frame)
            end = Timer(_SECONDS_TO_END, os._exit, (OK,))
            end.daemon = True
            end.start()

    allow_open_files(_OPEN_FILES)
    config = uvicorn.Config(
        server.application(),
        http=HTTPConnection,
        log_level="error",  # warnings are about the requests of strangers
        ws_max_size=_MAX_MESSAGE,
        server_header=False,
        timeout_graceful_shutdown=_SECONDS_FOR_REQUESTS,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_for_the_owner)
    with suppress(KeyboardInterrupt):  # uvicorn raises it again after it has shut down
        Server(config).run(sockets=[listener])


def _is_for_the_owner(record: logging.LogRecord) -> bool:
    """Returns whether the owner shall see a message.

    Not if a guest has sent invalid UTF-8, or if Ctrl-C has cancelled requests.
    """
    from asyncio import CancelledError

    error = record.exc_info and record.exc_info[1]
    is_usual = isinstance(error, (UnicodeDecodeError, CancelledError))
    return not is_usual and "graceful shutdown" not in record.msg
