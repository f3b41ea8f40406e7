"""Options, and the texts and sounds of a game (contract, sections 2 and 7).

Owns their values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.resolve.keywords import OPTION_DEFAULTS, TEXT_SECTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.zrf.resolve.sections import FormReader, Section

__all__ = ["read_options", "read_texts"]

_FLIPPED = {"true": "false", "false": "true"}


def read_options(sections: Mapping[str, Section], reader: FormReader) -> dict[str, str]:
    """Return the values of all options, defaults included.

    Args:
        sections: `option` sections and the options of version 1, by the option's name.
        reader: Collects warnings.
    """
    values = dict(OPTION_DEFAULTS)
    for name, section in sections.items():
        items = section.names
        value = items[-1].text if items else "true"
        if section.keyword == "option":
            if len(items) < 2:  # name and value
                reader.warn("ignored: an option has a name and a value", section.form)
                continue
            value = items[1].text
            if name not in OPTION_DEFAULTS:
                reader.warn(f"the unknown option `{name}` has no effect", section.form)
        elif section.keyword == "allow-flipping":
            value = _FLIPPED.get(value, value)
        if value == "default":
            value = OPTION_DEFAULTS.get(name, "default")
        values[name] = value
    return values


def read_texts(sections: Mapping[str, Section]) -> dict[str, str]:
    """Return the texts and sounds of a game, by keyword."""
    return {keyword: sections[keyword].text for keyword in TEXT_SECTIONS if keyword in sections}
