"""The argparse parser of a command, made from the command's table of options.

Owns the layout of help and the wording of usage errors.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from forthvm.cli.options import Option
from forthvm.cli.status import UsageError
from forthvm.cli.terminal import columns
from forthvm.core.text.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType, SimpleNamespace

    from forthvm.cli.options import Options

__all__ = ["Parser", "command_module", "is_repeatable", "parser_of"]


_PROTOCOLS = {"ugi", "gtp", "uci", "usi", "ucci", "xboard"}
"""The commands in commands/protocols.py; each other command has a module."""


def command_module(command: str) -> ModuleType | SimpleNamespace:
    """Returns the module of a command, or an object that has the names of such a module."""
    if command in _PROTOCOLS:
        from forthvm.cli.commands.protocols import COMMANDS

        return COMMANDS[command]
    return importlib.import_module(f"forthvm.cli.commands.{command.replace('-', '_')}")


def parser_of(command: str) -> Parser:
    """Returns the parser of a command."""
    module = command_module(command)
    return Parser(f"forthvm {command}", module.OPTIONS, module.DESCRIPTION, module.EPILOG)


def is_repeatable(action: argparse.Action) -> bool:
    """Whether an option can be given several times."""
    return isinstance(action, argparse._AppendAction)


class Parser(argparse.ArgumentParser):
    """Reports errors in one or two lines, without the usage, which has up to twenty lines.

    A parsed command line also has the attribute `given`, the names of the options and arguments
    whose values are not their defaults.
    """

    def __init__(
        self, prog: str, options: Options = (), description: str = "", epilog: str = ""
    ) -> None:
        """Makes the parser of a table."""
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=_Help,
            allow_abbrev=False,
        )
        self._rows: list[tuple[Option, argparse.Action]] = []
        group: argparse._ActionsContainer = self
        alternatives: dict[str, argparse._ActionsContainer] = {}
        for row in options:
            if isinstance(row, str):
                group = self.add_argument_group(row)
                continue
            if row.one_of and row.one_of not in alternatives:
                alternatives[row.one_of] = group.add_mutually_exclusive_group()
            names, keywords = _arguments(row)
            container = alternatives.get(row.one_of, group)
            self._rows.append((row, container.add_argument(*names, **keywords)))

    @property
    def options(self) -> dict[str, argparse.Action]:
        """The options by name, without --help."""
        return {name: action for _, action in self._rows for name in action.option_strings}

    @property
    def positionals(self) -> list[argparse.Action]:
        """The arguments that are not options, in order."""
        return [action for _, action in self._rows if not action.option_strings]

    def parse_args(  # type: ignore[override]  # one of its overloads
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Parses a command line; options may appear between positional arguments.

        Before Python 3.13 `parse_args` does not find an optional positional argument after an
        option; `parse_intermixed_args` does.  It would format the usage for error messages, which
        do not contain it here.
        """
        if any(action.nargs == "?" for action in self.positionals):
            self.usage = ""
            parsed = self.parse_intermixed_args(args, namespace)
        else:
            parsed = super().parse_args(args, namespace)
        values = vars(parsed)
        given = {
            _name(action): row
            for row, action in self._rows
            if values[action.dest] not in (action.default, [])
        }
        for name, row in given.items():
            for needed in row.needs:
                if needed.partition(" ")[0] not in given:
                    raise UsageError(f"{name} needs {needed}")
        parsed.given = list(given)
        return parsed

    def format_help(self) -> str:
        """Returns the help, with the usage that argparse makes from the options."""
        self.usage = None
        return super().format_help()

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


def _name(action: argparse.Action) -> str:
    """Returns the name of a row in messages: `GAME`, `--games`."""
    names = [*action.option_strings, str(action.metavar)]
    return next((name for name in names if name.startswith("--")), names[0])


def _arguments(row: Option) -> tuple[list[str], dict[str, Any]]:
    """Returns the arguments of `add_argument` for a row."""
    words = row.form.split(" ")
    names = [word.rstrip(",") for word in words if word.startswith("-")]
    nargs, metavar = _value(" ".join(words[len(names) :]))
    keywords: dict[str, Any] = {"help": row.help}
    if row.default is not None:
        keywords["default"] = row.default() if callable(row.default) else row.default
    if not metavar and not row.choices:
        if names[-1].startswith("--no-") and len(names) > 1:
            return names[:1], {**keywords, "action": argparse.BooleanOptionalAction}
        return names, {"help": row.help, "action": "store_true"}
    keywords |= {"choices": row.choices or None, "metavar": metavar or None}
    if row.read is not None:
        keywords["type"] = _reader(row.read)
    if nargs:
        keywords["nargs"] = nargs
    if row.repeatable:
        keywords |= {"action": "append", "default": []}
    if row.required:
        keywords["required"] = True
    if names:
        return names, keywords | ({"dest": row.attribute} if row.attribute else {})
    plural = "s" if nargs in {"*", "+"} else ""
    return [row.attribute or metavar.lower() + plural], keywords


def _reader(read: Callable[[str], object]) -> Callable[[str], object]:
    """Returns a reader whose errors argparse prints as they are."""

    def read_value(text: str) -> object:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read_value


def _value(form: str) -> tuple[str, str]:
    """Returns the number of values, as argparse writes it, and the name of a value.

    >>> _value("N"), _value("[GAME]"), _value("N [N ...]"), _value("[PATH ...]"), _value("[P=]N")
    (('', 'N'), ('?', 'GAME'), ('+', 'N'), ('*', 'PATH'), ('', '[P=]N'))
    """
    if form.endswith(" ...]"):
        return ("*", form[1:-5]) if form.startswith("[") else ("+", form.partition(" [")[0])
    if form.startswith("[") and form.endswith("]"):
        return "?", form[1:-1]
    return "", form


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
