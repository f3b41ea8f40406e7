"""The argparse parser that all commands share.

Owns the layout of help and the wording of usage errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from forthvm.cli.status import UsageError
from forthvm.cli.terminal import columns
from forthvm.core.text.wording import wrapped

__all__ = ["Parser", "is_repeatable", "make_parser"]


def make_parser(prog: str, description: str = "", epilog: str = "") -> Parser:
    """Returns a parser without options."""
    return Parser(
        prog=prog,
        description=description,
        epilog=epilog,
        formatter_class=_Help,
        allow_abbrev=False,
    )


def is_repeatable(action: argparse.Action) -> bool:
    """Whether an option can be given several times."""
    return isinstance(action, argparse._AppendAction)


class Parser(argparse.ArgumentParser):
    """Reports errors in one or two lines, without the usage, which has up to twenty lines."""

    @property
    def options(self) -> dict[str, argparse.Action]:
        """The options by name, without --help."""
        return {
            name: action
            for action in self._actions
            for name in action.option_strings
            if action.dest != "help"
        }

    @property
    def positionals(self) -> list[argparse.Action]:
        """The arguments that are not options, in order."""
        return [action for action in self._actions if not action.option_strings]

    def parse_args(  # type: ignore[override]  # one of its overloads
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Parses a command line; options may appear between positional arguments.

        Before Python 3.13 `parse_args` does not find an optional positional argument after an
        option; `parse_intermixed_args` does.
        """
        if any(action.nargs == "?" for action in self.positionals):
            return self.parse_intermixed_args(args, namespace)
        return super().parse_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Raises a usage error; for an unknown option it suggests a similar one."""
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown != message:
            message = f"unknown arguments: {unknown}{self._suggestion(unknown.split()[0])}"
        raise UsageError(f"{message}\n  {self.prog} --help lists the options")

    def _suggestion(self, option: str) -> str:
        from forthvm.core.text.wording import close_names

        names = [name for action in self._actions for name in action.option_strings]
        similar = close_names(option.partition("=")[0], names)
        return f"; did you mean {similar[0]}?" if similar else ""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Formats help texts as wide as the output."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - 2)

    def _split_lines(self, text: str, width: int) -> list[str]:
        """Wraps the help of an option."""
        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Wraps paragraphs; paragraphs with indented lines, such as examples, stay unchanged."""
        parts = text.split("\n\n")
        return "\n\n".join(
            part if "\n " in part else "\n".join(wrapped(part, width)) for part in parts
        )
