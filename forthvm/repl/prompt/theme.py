"""Themes: the style of each kind of text, in prompt_toolkit's notation.

Owns the themes and the conversion of a style to escape codes, for printed text.  A name that is not
in `THEMES` is the name of a Pygments style.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prompt_toolkit.styles import BaseStyle

__all__ = ["KINDS", "THEMES", "escape", "make_style"]

# The style of each kind of text.  The kinds up to `word` are those of forthvm/syntax/tokens.py.
_DARK = {
    "comment": "italic #8a8a8a",
    "string": "#d7af5f",
    "defining": "bold #5fafff",
    "name": "bold #ffffff",
    "quoted": "#afafd7",
    "control": "#ff87af",
    "section": "bold #5fd7af",
    "item": "#5fd7af",
    "number": "#87d787",
    "kernel": "#87afd7",
    "word": "",
    "unknown": "underline #ff5f5f",  # a word that is not defined
    "match": "bg:#444444 bold",  # the word that opens or closes the structure at the cursor
    "stray": "bg:#af0000 #ffffff",  # a closing word without an opening word
    "prompt": "bold #5fd7af",
    "open": "#d7af5f",  # the prompt while a definition is unfinished
    "error": "bold #ff5f5f",  # this kind and the following kinds are for printed text
    "warning": "#d7af5f",
    "title": "bold",
    "dim": "#8a8a8a",
}
_LIGHT = {
    **_DARK,
    "comment": "italic #767676",
    "string": "#875f00",
    "defining": "bold #005faf",
    "name": "bold #000000",
    "quoted": "#5f5f87",
    "control": "#af005f",
    "section": "bold #00875f",
    "item": "#00875f",
    "number": "#008700",
    "kernel": "#005f87",
    "unknown": "underline #d70000",
    "match": "bg:#d0d0d0 bold",
    "stray": "bg:#d70000 #ffffff",
    "prompt": "bold #00875f",
    "open": "#875f00",
    "error": "bold #d70000",
    "warning": "#875f00",
    "dim": "#767676",
}
_PLAIN = dict.fromkeys(_DARK, "") | {
    "match": "reverse",
    "stray": "reverse",
    "title": "bold",
    "error": "bold",
}
KINDS = tuple(_DARK)
THEMES: Mapping[str, Mapping[str, str]] = {"dark": _DARK, "light": _LIGHT, "plain": _PLAIN}

_PYGMENTS = {  # the Pygments token whose style is used for each kind
    "comment": "Comment",
    "string": "String",
    "defining": "Keyword.Declaration",
    "name": "Name.Function",
    "quoted": "Name.Label",
    "control": "Keyword",
    "section": "Keyword.Namespace",
    "item": "Name.Decorator",
    "number": "Number",
    "kernel": "Name.Builtin",
    "word": "Name",
    "error": "Generic.Error",
}


def theme_of(name: str, colours: Mapping[str, str]) -> dict[str, str]:
    """Return the styles of a theme by kind; `colours` replaces single styles.

    Raises:
        ValueError: there is no such theme.
    """
    theme = THEMES.get(name)
    return {**(_pygments_theme(name) if theme is None else theme), **colours}


def _pygments_theme(name: str) -> dict[str, str]:
    from pygments import token
    from pygments.styles import get_style_by_name
    from pygments.util import ClassNotFound

    try:
        style = get_style_by_name(name)
    except ClassNotFound:
        themes = ", ".join(THEMES)
        raise ValueError(f"no theme {name!r}: {themes}, or the name of a Pygments style") from None
    styles = dict(_DARK)
    for kind, token_name in _PYGMENTS.items():
        attributes = style.style_for_token(token.string_to_tokentype(token_name))
        parts = [part for part in ("bold", "italic", "underline") if attributes[part]]
        if attributes["color"]:
            parts.append(f"#{attributes['color']}")
        styles[kind] = " ".join(parts)
    return styles


def make_style(theme: Mapping[str, str]) -> BaseStyle:
    """Return prompt_toolkit's style for a theme; its classes are `forth-KIND`.

    Raises:
        ValueError: a style is not in prompt_toolkit's notation.
    """
    from prompt_toolkit.styles import Style

    rules = {f"forth-{kind}": style for kind, style in theme.items() if style}
    return Style.from_dict(rules)


_COLOUR = re.compile("#[0-9A-Fa-f]{6}")
_ATTRIBUTES = {"bold": "1", "dim": "2", "italic": "3", "underline": "4", "reverse": "7"}


def escape(style: str) -> str:
    """Return the escape code that begins a style; unknown parts of the style are ignored."""
    codes = []
    for part in style.split():
        prefix, _, colour = part.rpartition(":")
        if part in _ATTRIBUTES:
            codes.append(_ATTRIBUTES[part])
        elif _COLOUR.fullmatch(colour):
            red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
            layer = 48 if prefix == "bg" else 38  # background or text
            codes.append(f"{layer};5;{_nearest_colour(red, green, blue)}")
    return f"\x1b[{';'.join(codes)}m" if codes else ""


def _nearest_colour(red: int, green: int, blue: int) -> int:
    """Return the number of the nearest of the 256 colours of terminals."""
    if red == green == blue:
        if red < 8:  # darker than the darkest grey
            return 16
        return 231 if red > 248 else 232 + (red - 8) * 24 // 247
    red_level, green_level, blue_level = (_nearest_level(value) for value in (red, green, blue))
    return 16 + 36 * red_level + 6 * green_level + blue_level


def _nearest_level(value: int) -> int:
    """Return the index of the nearest level of the terminal's 6 x 6 x 6 colours."""
    levels = (0, 95, 135, 175, 215, 255)
    return min(range(6), key=lambda index: abs(levels[index] - value))
