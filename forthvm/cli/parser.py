"""The argparse parser that commands share: its help and what it says of mistakes.

Owns how help and complaints look.  It must not know any command; plain lines never get here
(arguments.py).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from forthvm.cli.app import UsageError
from forthvm.cli.terminal import columns
from forthvm.core.wording import wrapped

__all__ = ["make_parser"]


def make_parser(prog: str, description: str, epilog: str) -> argparse.ArgumentParser:
    """A parser without options yet."""
    return _Parser(
        prog=prog,
        description=description,
        epilog=epilog,
        formatter_class=_Help,
        allow_abbrev=False,
    )


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in a line or two; the usage of `run` alone would fill ten."""

    def parse_args(  # type: ignore[override]  # one of its overloads
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Options may stand between arguments, also where one of these may be left out.

        Before Python 3.13 only `parse_intermixed_args` reads `--option GAME` so.
        """
        if any(action.nargs == "?" and not action.option_strings for action in self._actions):
            return self.parse_intermixed_args(args, namespace)
        return super().parse_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Ends with status 2; an unknown option is compared with those there are."""
        wrong = message.removeprefix("unrecognized arguments: ")
        if wrong != message:
            message = f"unknown: {wrong}{self._near(wrong.split()[0])}"
        raise UsageError(f"{message}\n  {self.prog} --help lists what it takes")

    def _near(self, option: str) -> str:
        from forthvm.core.wording import close_names

        known = [name for action in self._actions for name in action.option_strings]
        near = close_names(option.partition("=")[0], known)
        return f"; did you mean {near[0]}?" if near else ""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the output; argparse makes one for every option that it learns."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - 2)

    def _split_lines(self, text: str, width: int) -> list[str]:
        """Wraps the help of an option."""
        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Wraps running text; what has indented lines, such as examples, stays as it is."""
        parts = text.split("\n\n")
        return "\n\n".join(
            part if "\n " in part else "\n".join(wrapped(part, width)) for part in parts
        )
