"""Games and variants: the menu of a rule file, and the sections of an entry (contract, section 2).

Owns the rules by which a variant replaces sections of its game.  Of the contents of sections it
uses only the names of pieces and options.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.zrf.reading.forms import error_at
from forthvm.zrf.resolve.keywords import GOAL_SECTIONS, OLD_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.zrf.reading.forms import Form
    from forthvm.zrf.resolve.sections import FormReader, Section

__all__ = ["Entry", "MergedSections", "menu"]

_SEPARATOR = "-"
_IGNORED_ON_TOP = ("version",)


@dataclass(slots=True)
class MergedSections:
    """The sections of a game or variant.

    Attributes:
        single: Sections that a variant replaces whole, by keyword.
        pieces: The `piece` sections, by name, in order.
        options: The `option` sections and the options of version 1, by the option's name.
        goals: The sections of goals.
    """

    single: dict[str, Section] = field(default_factory=dict)
    pieces: dict[str, Section] = field(default_factory=dict)
    options: dict[str, Section] = field(default_factory=dict)
    goals: list[Section] = field(default_factory=list)

    def replaced_by(self, sections: Sequence[Section], reader: FormReader) -> MergedSections:
        """Return the sections with those of a variant put in their places."""
        merged = MergedSections(
            dict(self.single), dict(self.pieces), dict(self.options), list(self.goals)
        )
        if any(section.keyword in GOAL_SECTIONS for section in sections):
            merged.goals.clear()
        for section in sections:
            merged._add(section, reader)
        return merged

    def _add(self, section: Section, reader: FormReader) -> None:
        keyword = section.keyword
        if keyword == "piece":
            name = _piece_name(section, reader)
            if not name:
                raise error_at(section.form, "a piece without a name", "add (name NAME)")
            self.pieces[name] = section
        elif keyword == "option":
            name = section.items[0].text.lower() if section.items else ""
            self.options[name] = section
        elif keyword in OLD_OPTIONS:
            self.options[OLD_OPTIONS[keyword]] = section
        elif keyword in GOAL_SECTIONS:
            self.goals.append(section)
        else:
            self.single[keyword] = section


def _piece_name(section: Section, reader: FormReader) -> str:
    """Return the name in a `piece` section; "" if it has none."""
    for item in section.items:
        if item.is_list:
            inner = reader.section(item)
            if inner is not None and inner.keyword == "name" and inner.items:
                return inner.items[0].text
    return ""


@dataclass(slots=True, eq=False)
class Entry:
    """A game or a variant in the menu.

    Attributes:
        form: Its list.
        title: Its title.
        is_default: Whether it is opened first.
        sections: Its own sections.
        game: The game of a variant; None for a game.
    """

    form: Form
    title: str
    is_default: bool
    sections: list[Section]
    game: Entry | None = None

    def merged(self, reader: FormReader) -> MergedSections:
        """Return the sections that are in force."""
        base = self.game.merged(reader) if self.game else MergedSections()
        return base.replaced_by(self.sections, reader)


def menu(forms: Iterable[Form], reader: FormReader) -> list[Entry]:
    """Return the games and variants of a file in the order of the file, without separators."""
    entries: list[Entry] = []
    early: list[Entry] = []
    game: Entry | None = None
    for form in forms:
        section = reader.section(form)
        keyword = section.keyword if section else ""
        if section is not None and keyword in ("game", "variant"):
            entry = _entry(section, reader)
            if keyword == "game":
                game = entry
                for variant in early:
                    variant.game = game
                early.clear()
            elif entry.title.strip() == _SEPARATOR:
                continue
            elif game is None:
                early.append(entry)
            else:
                entry.game = game
            entries.append(entry)
        elif keyword not in _IGNORED_ON_TOP:
            shown = f"`{keyword}`" if keyword else "this form"
            reader.warn(f"{shown} is ignored: it is neither a game nor a variant", form)
    if early:
        raise error_at(early[0].form, "a variant without a game", "add a (game …) to the file")
    return entries


def _entry(section: Section, reader: FormReader) -> Entry:
    sections = reader.sections(section.items, section.keyword)
    titles = [inner.text for inner in sections if inner.keyword == "title"]
    if not titles:
        reader.warn(f"a {section.keyword} without a title", section.form)
    _warn_of_repeated(sections, reader)
    return Entry(
        section.form,
        titles[-1] if titles else "",
        any(inner.keyword == "default" for inner in sections),
        [inner for inner in sections if inner.keyword != "default"],
    )


def _warn_of_repeated(sections: Sequence[Section], reader: FormReader) -> None:
    """Warn of sections of one game or variant that a later one replaces."""
    seen: set[tuple[str, str]] = set()
    for section in sections:
        keyword = section.keyword
        if keyword in GOAL_SECTIONS or keyword == "option":
            continue
        name = _piece_name(section, reader) if keyword == "piece" else ""
        if (keyword, name) in seen:
            shown = f"the piece `{name}`" if name else f"`{keyword}`"
            reader.warn(f"{shown} is stated again; the later one is used", section.form)
        seen.add((keyword, name))
