"""Fixtures of the command-line tests."""

from tests.cli.conftest import _plain_environment, cli

__all__ = ["_plain_environment", "cli"]
