"""The addresses under which browsers reach a server.

Owns opening the port, the names of this computer, and the links.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import ip_address

__all__ = ["base_links", "is_loopback", "names_of", "open_port"]

_ELSEWHERE = (("10.255.255.255", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))
"""Addresses in other networks; nothing is sent there."""


def open_port(host: str, port: int) -> socket.socket:
    """Return a socket that waits for connections.

    Args:
        host: An address or name of this computer; `0.0.0.0` and `::` mean all its addresses.
        port: The port; 0 means a free one.

    Raises:
        OSError: The address is not of this computer, or the port is in use.
    """
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    dual_stack = family == socket.AF_INET6 and socket.has_dualstack_ipv6() and host == "::"
    return socket.create_server((host, port), family=family, dualstack_ipv6=dual_stack)


def is_loopback(host: str) -> bool:
    """Return whether only programs of this computer reach an address or name."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host.casefold() == "localhost"


def names_of(host: str) -> list[str]:
    """Return the names and addresses for links to a server; the best comes first."""
    if is_loopback(host):
        return [host]
    with suppress(ValueError):
        address = ip_address(host)
        if not address.is_unspecified:
            return [host]
        name = socket.gethostname()
        own = [one for one in _own_addresses() if ":" not in one or address.version == 6]
        return list(dict.fromkeys([*own, name, f"{name}.local", "127.0.0.1"]))
    return [host]


def _own_addresses() -> list[str]:
    """Return the addresses from which this computer would send to other networks."""
    found = []
    for address, family in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def base_links(host: str, port: int) -> list[str]:
    """Return the beginnings of links to a server, up to the path."""
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}" for name in names_of(host)]
