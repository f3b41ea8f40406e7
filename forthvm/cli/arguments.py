"""Reads plain command lines without argparse, which takes longer to start than most commands.

Owns which lines are plain: every token is an option's full name, an option's value or an argument,
all of the simplest kinds, and no value is refused.  One argument may be left out.  Whatever else
there is (help, mistakes, options that exclude each other) is argparse's, which gets the same
declarations: parser.py.  It must not know any command.
"""

from __future__ import annotations

from types import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Collection, Iterable
    from typing import Any

__all__ = ["Argument", "Declared", "read_plain"]

_KNOWN = {"action", "choices", "default", "help", "metavar", "nargs", "type"}
_ACTIONS = {"append", "store", "store_true"}


class _RefusedError(Exception):
    """This line, or what it is read by, is not plain."""


class Argument:
    """An option or an argument as a command declares it.

    Attributes:
        names: Its names, more than one for an option with a short form.
        metavar: What stands for its value in help, "" where nothing was declared.
        many: It can be given several values.
        takes_value: Whether a value follows an option.
    """

    def __init__(self, names: tuple[str, ...], settings: dict[str, Any]) -> None:
        name = next((name for name in names if name.startswith("--")), names[0])
        self.names = names
        self.metavar = str(settings.get("metavar") or "")
        self.many = settings.get("nargs") in ("*", "+")
        self.dest = name.lstrip("-").replace("-", "_")
        self.action: str = settings.get("action", "store")
        self.type: Callable[[str], object] | None = settings.get("type")
        self.choices: Collection[object] | None = settings.get("choices")
        self.optional = settings.get("nargs") == "?"
        self.default = settings.get("default", False if self.action == "store_true" else None)
        self.takes_value = self.action in {"store", "append"}

    def value(self, text: str) -> object:
        """What a text means; argparse says what is wrong with one that means nothing."""
        try:
            value = text if self.type is None else self.type(text)
        except Exception as error:
            raise _RefusedError from error
        if self.choices is not None and value not in self.choices:
            raise _RefusedError
        return value


class Declared:
    """Takes a command's declarations as an ArgumentParser does.

    Attributes:
        plain: Nothing was declared that only argparse understands.
        options: The options by name.
        places: The other arguments, in order.
    """

    def __init__(self) -> None:
        self.plain = True
        self.options: dict[str, Argument] = {}
        self.places: list[Argument] = []

    def add_argument(self, *names: str, **settings: object) -> None:
        """Declare an option or an argument."""
        argument = Argument(names, settings)
        is_option = names[0].startswith("-")
        if not settings.keys() <= _KNOWN or argument.action not in _ACTIONS:
            self.plain = False
        if "nargs" in settings and (is_option or not self._allows(argument)):
            self.plain = False
        if isinstance(argument.default, str) and argument.type is not None:
            self.plain = False  # argparse converts it
        if is_option:
            self.options.update((name, argument) for name in names)
        else:
            self.places.append(argument)

    def _allows(self, argument: Argument) -> bool:
        """Whether it is the only argument that may be left out."""
        return argument.optional and not any(place.optional for place in self.places)

    def add_argument_group(self, *_args: object, **_settings: object) -> Declared:
        """Declare a group, which means something in help only."""
        return self

    def __getattr__(self, _name: str) -> Callable[..., Declared]:
        self.plain = False
        return lambda *_args, **_settings: self

    def read(self, tokens: Iterable[str]) -> SimpleNamespace | None:
        """What a line says; None if it is not plain."""
        try:
            return SimpleNamespace(**self._read(tokens))
        except _RefusedError:
            return None

    def _read(self, tokens: Iterable[str]) -> dict[str, object]:
        values = {one.dest: one.default for one in (*self.options.values(), *self.places)}
        given = []
        rest = iter(tokens)
        for token in rest:
            if not token.startswith("-"):
                given.append(token)
                continue
            name, equals, text = token.partition("=")
            option = self.options.get(name)
            if option is None or (equals and (text in ("", "--") or not name.startswith("--"))):
                raise _RefusedError
            if option.action == "store_true":
                if equals:
                    raise _RefusedError
                values[option.dest] = True
                continue
            if not equals:
                text = next(rest, "-")
                if text.startswith("-"):
                    raise _RefusedError
            value = option.value(text)
            many = option.action == "append"
            values[option.dest] = [*(values[option.dest] or ()), value] if many else value
        places = self.places
        if len(given) < len(places):
            places = [place for place in places if not place.optional]
        if len(given) != len(places):
            raise _RefusedError
        values.update(
            (place.dest, place.value(text)) for place, text in zip(places, given, strict=True)
        )
        return values


def read_plain(
    configure: Callable[[argparse.ArgumentParser], None], tokens: Iterable[str]
) -> SimpleNamespace | None:
    """What a plain line says to a command; None if argparse has to read it."""
    declared = Declared()
    configure(declared)  # type: ignore[arg-type]  # it takes what a command may declare
    return declared.read(tokens) if declared.plain else None
