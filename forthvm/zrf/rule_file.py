"""Rule files: the menu of games and variants, and the rules of each.

Owns `RuleFile`, the entrance to the front end.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors.report import suggest
from forthvm.core.location import Location
from forthvm.zrf.choices import Choices
from forthvm.zrf.reading.argument_counts import wrong_calls
from forthvm.zrf.reading.files import read_contents
from forthvm.zrf.reading.forms import Warnings
from forthvm.zrf.reading.text import RuleText
from forthvm.zrf.resolve.assemble import names_of_entries, resolve_rules
from forthvm.zrf.resolve.sections import FormReader
from forthvm.zrf.resolve.variants import menu
from forthvm.zrf.saved_game import misread
from forthvm.zrf.source import RuleFileError, UnknownVariantError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from forthvm.zrf.reading.files import Inclusion
    from forthvm.zrf.resolve.names import NamesByKind
    from forthvm.zrf.rules import Rules
    from forthvm.zrf.source import Place, RuleWarning

__all__ = ["RuleFile", "parse_rule_text", "read_rule_file", "uncollected"]

_MAX_TITLES = 8  # in a message
_TOO_DEEP = "macros and lists are nested too deep"


def read_rule_file(
    path: str | os.PathLike[str], *, include: Sequence[str | os.PathLike[str]] = ()
) -> RuleFile:
    """Read a rule file with the files that it includes.

    Args:
        path: The file.
        include: Other folders below which files may be included.

    Raises:
        RuleFileError: The file is broken.
        ScriptFileError: A file cannot be read.
    """
    return RuleFile(RuleText.read(Path(path)), [Path(folder) for folder in include])


def parse_rule_text(text: str, name: str = "game.zrf") -> RuleFile:
    """Read the text of a rule file that includes no other files.

    Args:
        text: The text.
        name: The name of the text in messages.

    Raises:
        RuleFileError: The text is broken.
    """
    return RuleFile(RuleText(text, name), [])


class RuleFile:
    """A rule file.

    Attributes:
        path: The file; None for a text.
        titles: The titles of games and variants in the order of the menu, without separators.
        default: The index of the one that is opened first.
    """

    def __init__(self, text: RuleText, include: Sequence[Path]) -> None:
        warnings = Warnings()
        try:
            with uncollected():
                self._contents = read_contents(text, include, warnings)
                self._reader = FormReader(self._contents.expander, warnings)
                self._entries = menu(self._contents.forms, self._reader)
        except RecursionError:
            raise _too_deep(text) from None
        if not self._entries:
            raise RuleFileError(
                "the file contains no game",
                location=text.location(text.place(0)),
                hints=["a rule file contains (game (title …) …)"],
            )
        self._text = text
        self._names: NamesByKind | None = None
        self.path = text.path
        self.titles = tuple(entry.title for entry in self._entries)
        self.default = next(
            (i for i, entry in enumerate(self._entries) if entry.is_default),
            next(i for i, entry in enumerate(self._entries) if entry.game is None),
        )

    @property
    def warnings(self) -> tuple[RuleWarning, ...]:
        """What was ignored or read leniently outside the rules of single games and variants."""
        return self._reader.warnings.as_tuple()

    def wrong_calls(self) -> list[RuleWarning]:
        """Return warnings about macro calls with too few or too many arguments."""
        return list(wrong_calls(self._contents.forms, self._contents.expander))

    def index(self, variant: str | int | None = None) -> int:
        """Return the index of a game or variant.

        Args:
            variant: Its title or index; None: the default.

        Raises:
            UnknownVariantError: There is no such title or index.
        """
        if variant is None:
            return self.default
        if isinstance(variant, int):
            if 0 <= variant < len(self.titles):
                return variant
            raise UnknownVariantError(
                f"there is no variant {variant}: the file has {len(self.titles)}, counted from 0"
            )
        if variant in self.titles:
            return self.titles.index(variant)
        key = _folded(variant)
        for index, title in enumerate(self.titles):
            if key in (_folded(title), _folded(misread(title))):
                return index
        hint = suggest(variant, self.titles)
        if not hint:
            titles = "; ".join(f"{n} {title}" for n, title in enumerate(self.titles[:_MAX_TITLES]))
            more = len(self.titles) - _MAX_TITLES
            hint = f"the file has: {titles}" + (f" and {more} more" if more > 0 else "")
        raise UnknownVariantError(f"there is no game or variant `{variant}`", hints=[hint])

    @property
    def sources(self) -> Mapping[str, str]:
        """The texts of the file and of the files that it includes, by name in messages."""
        return {name: text.text for name, text in self._contents.texts.items()}

    @property
    def paths(self) -> Mapping[str, Path]:
        """The paths of the file and of the files that it includes, by name in messages."""
        texts = self._contents.texts.items()
        return {name: text.path.absolute() for name, text in texts if text.path is not None}

    @property
    def inclusions(self) -> tuple[Inclusion, ...]:
        """The inclusions: the name of the file as written, its path, and the place."""
        return tuple(self._contents.inclusions)

    def rules(self, variant: str | int | None = None, choices: Choices | None = None) -> Rules:
        """Return the rules of a game or variant.

        Args:
            variant: Its title or index; None: the default.
            choices: How to understand what the contract leaves open; None: the defaults.

        Raises:
            UnknownVariantError: There is no such title or index.
            RuleFileError: Its sections are broken.
        """
        entry = self._entries[self.index(variant)]
        reader = FormReader(self._contents.expander, Warnings())
        path = str(self.path or self._text.name)
        self._contents.expander.reset_limit()
        try:
            with uncollected():
                return resolve_rules(entry, path, reader, self._all_names, choices or Choices())
        except RecursionError:
            raise _too_deep(self._text) from None

    @property
    def start(self) -> Location:
        """The beginning of the file, for messages that concern all of it."""
        return self._text.location(self._text.place(0))

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the file and of those that it includes."""
        return tuple(self._contents.texts)

    def location(self, place: Place, length: int = 1) -> Location:
        """Return a place with its source line, for messages."""
        text = self._contents.texts.get(place.file)
        if text is None:
            return Location(place.file, place.line, place.column)
        return text.location(place, length)

    def _all_names(self) -> NamesByKind:
        if self._names is None:
            self._contents.expander.reset_limit()
            self._names = names_of_entries(self._entries, self._reader)
            self._contents.expander.reset_limit()
        return self._names


def _too_deep(text: RuleText) -> RuleFileError:
    return RuleFileError(_TOO_DEEP, location=text.location(text.place(0)))


def _folded(title: str) -> str:
    """Return a title without differences of letter case and blanks; it may span several lines."""
    return " ".join(title.split()).casefold()


_MANY = 100_000  # new objects that are worth the search for frozen ones


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the search for cyclic garbage inside a block.

    Reading a large file makes a million objects that all stay in use.  The collector would look at
    them again and again, which more than doubled the time.  At the end they count as old objects,
    so that the next collection does not look at all of them.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # Counting the objects that a program has frozen on purpose takes long.
            if gc.get_count()[0] > _MANY and gc.get_freeze_count() == 0:
                gc.freeze()
                gc.unfreeze()
            gc.enable()
