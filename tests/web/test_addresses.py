"""The addresses under which browsers reach a server."""

from __future__ import annotations

import pytest

from forthvm.web.serving.addresses import base_links, is_loopback, names_of, open_port
from tests.kit.cases import each_case


@each_case("host", ["127.0.0.1", "localhost", "LOCALHOST", "::1", "127.9.9.9"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)
    assert names_of(host) == [host]


@each_case("host", ["0.0.0.0", "::", "192.0.2.7", "example.org", "localhost.evil"])
def test_reachable_from_elsewhere(host: str) -> None:
    assert not is_loopback(host)


def test_a_single_address_has_one_link() -> None:
    assert base_links("192.0.2.7", 80) == ["http://192.0.2.7:80"]
    assert base_links("2001:db8::7", 80) == ["http://[2001:db8::7]:80"]


def test_all_addresses_include_this_computer() -> None:
    assert "127.0.0.1" in names_of("0.0.0.0")
    assert not [name for name in names_of("0.0.0.0") if name == "0.0.0.0" or ":" in name]


def test_a_port_is_opened_only_once() -> None:
    with open_port("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            open_port("127.0.0.1", port)
